"""Check many lists: each one alone, in order, on all processors where there are enough of them."""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from deckcheck.checking.session import CheckOptions, Session
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.report.writer import RenderOptions, Results, make_writer
from deckcheck.support.errors import UserError

ENOUGH = 300
"""From so many lists on, starting more processes costs less than it saves."""

_CHUNK = 64


class Request(NamedTuple):
    """How lists are to be checked, and how each is to be written: `output` is a name of report.writer."""

    check: CheckOptions = CheckOptions()
    output: str = "text"
    render: RenderOptions = RenderOptions()


Item = DeckFile | UserError


def check_paths(
    items: Sequence[Item], request: Request, *, processes: int | None = None
) -> Generator[Results, None, None]:
    """Check every list, in order; the results of one list never depend on the others.

    `items` come from `walk.find_decks`. `processes` says how many to use
    (default: as many as there are processors, for many lists only). A list
    that can't be checked is a problem in its results. Close the generator when
    you leave it early: other processes may be at work for it.
    """
    batch, wanted = _Batch(request), 1
    if processes is not None or len(items) >= ENOUGH:
        from deckcheck.support.workers import can_fork, in_order, processors

        wanted = (processes or processors()) if can_fork() else 1
    if wanted < 2:
        # One by one, so that the first result is there at once.
        for item in items:
            yield batch.run([item])
        return
    # What this process loads first the others need not: the format and the cards so far. Standard input is its alone.
    alone = _CHUNK
    for at, item in enumerate(items):
        if isinstance(item, DeckFile) and item.path == STANDARD_INPUT:
            alone = max(alone, at + 1)
    for at in range(0, min(alone, len(items)), _CHUNK):
        yield batch.run(items[at : min(at + _CHUNK, alone)])
    rest = [items[at : at + _CHUNK] for at in range(alone, len(items), _CHUNK)]
    if rest:
        yield from in_order(batch.run, rest, wanted)


class _Batch:
    """Checks lists one after the other with one session and one writer."""

    def __init__(self, request: Request) -> None:
        self._session = Session(request.check)
        self._writer = make_writer(request.output, request.render)
        self._described: set[tuple[str, str]] = set()

    def run(self, items: Sequence[Item]) -> Results:
        """The results of these lists."""
        results = Results()
        results.size = len(items)
        lists = None
        unapplied: set[str] = set()
        for item in items:
            try:
                if isinstance(item, UserError):
                    raise item
                opened = self._session.open(item)
                report = opened.check()
            except UserError as error:
                results.problems |= dict.fromkeys(error.problems)
                continue
            results.fragments.append(self._writer.fragment(report))
            results.verdicts[report.verdict] += 1
            results.suppressed += len(report.suppressed)
            if report.lists is not lists:
                lists = report.lists
                results.lists |= dict.fromkeys(lists)
                unapplied = {change.card for one in lists for change in one.unapplied}
            if unapplied:
                results.held |= unapplied & {
                    card.name for entry in report.deck.entries for card in entry.cards
                }
            # Lists in several folders may each name a file of their own, with one id.
            format, game = opened.format.format, opened.format.game_data.game
            key = (format.id, format.source.path)
            if self._writer.wants_rules and key not in self._described:
                from deckcheck.formats.description import rule_infos

                self._described.add(key)
                results.rules |= dict.fromkeys(rule_infos(format, game))
        return results
