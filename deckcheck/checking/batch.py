"""Check many lists: each one alone, in order, on all processors where there are enough of them."""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.model.finding import ListUsed, Verdict
from deckcheck.model.format import RuleInfo
from deckcheck.report.writer import RenderOptions, Tally, make_writer, tally_of
from deckcheck.support.errors import Problem, UserError

ENOUGH = 300
"""From so many lists on, starting more processes costs less than it saves."""

_CHUNK = 64


class Request(NamedTuple):
    """How lists are to be checked, and how each is to be written: `output` is a name of report.writer."""

    check: CheckOptions = CheckOptions()
    output: str = "text"
    render: RenderOptions = RenderOptions()


class Done(NamedTuple):
    """What became of some lists: one text a deck, and what the end of a run tells of them together.

    `size` counts the lists that were looked at, those with problems included;
    `suppressed` findings that somebody asked to ignore; `held` names
    cards in the decks for which a list knows a change that was not applied;
    `rules` are those of formats met for the first time, where the writer wants
    them.
    """

    size: int
    texts: tuple[str, ...]
    tally: Tally
    problems: tuple[Problem, ...]
    lists: tuple[ListUsed, ...]
    held: frozenset[str]
    suppressed: int = 0
    rules: tuple[RuleInfo, ...] = ()


Item = DeckFile | UserError


def check_paths(
    items: Sequence[Item], request: Request, *, processes: int | None = None
) -> Generator[Done, None, None]:
    """Check every list, in order; the results of one list never hang on the others.

    `items` come from `walk.find_decks`. `processes` says how many to use
    (default: as many as there are processors, for many lists only). A list
    that can't be checked is a problem in its Done. Close the generator when
    you leave it early: other processes may be at work for it.
    """
    batch = _Batch(request)
    if processes is None and len(items) < ENOUGH:
        # One by one, so that the first result is there at once.
        return (batch.run([item]) for item in items)
    from deckcheck.support.workers import can_fork, processors

    wanted = processors() if processes is None else processes
    if wanted < 2 or not can_fork():
        return (batch.run([item]) for item in items)
    return _side_by_side(items, batch, wanted)


def _side_by_side(items: Sequence[Item], batch: "_Batch", processes: int) -> Generator[Done, None, None]:
    from deckcheck.support.workers import in_order

    # What the other processes inherit they need not load: the format, the cards met so far. Standard input
    # is this process's alone.
    alone = _CHUNK
    for at, item in enumerate(items):
        if isinstance(item, DeckFile) and item.path == STANDARD_INPUT:
            alone = max(alone, at + 1)
    for at in range(0, min(alone, len(items)), _CHUNK):
        yield batch.run(items[at : min(at + _CHUNK, alone)])
    rest = [items[at : at + _CHUNK] for at in range(alone, len(items), _CHUNK)]
    if rest:
        yield from in_order(batch.run, rest, processes)


class _Batch:
    """Checks lists one after the other; it keeps the formats that it met."""

    def __init__(self, request: Request) -> None:
        self._session = Session(request.check)
        self._writer = make_writer(request.output, request.render)
        self._described: set[tuple[str, str]] = set()

    def run(self, items: Sequence[Item]) -> Done:
        """What became of these lists."""
        texts: list[str] = []
        verdicts: list[Verdict] = []
        problems: list[Problem] = []
        lists: dict[ListUsed, None] = {}
        rules: list[RuleInfo] = []
        held: set[str] = set()
        unapplied: set[str] = set()
        used: tuple[ListUsed, ...] | None = None
        suppressed = 0
        for item in items:
            try:
                if isinstance(item, UserError):
                    raise item
                opened = self._session.open(item)
                report = opened.check()
            except UserError as error:
                problems += error.problems
                continue
            texts.append(self._writer.fragment(report))
            verdicts.append(report.verdict)
            suppressed += len(report.suppressed)
            if self._writer.wants_rules:
                rules += self._rules_of(opened.format)
            if report.lists is not used:
                used = report.lists
                lists |= dict.fromkeys(used)
                unapplied = {change.card for one in used for change in one.unapplied}
            if unapplied:
                held |= unapplied & {card.name for entry in report.deck.entries for card in entry.cards}
        return Done(
            len(items),
            tuple(texts),
            tally_of(verdicts),
            tuple(problems),
            tuple(lists),
            frozenset(held),
            suppressed,
            tuple(rules),
        )

    def _rules_of(self, format: LoadedFormat) -> tuple[RuleInfo, ...]:
        """The rules of a format that is met for the first time."""
        # Lists in several folders may each name a file of their own, with one id.
        key = (format.format.id, format.format.source.path)
        if key in self._described:
            return ()
        from deckcheck.formats.description import rule_infos

        self._described.add(key)
        return rule_infos(format.format, format.game_data.game)
