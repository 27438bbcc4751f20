"""Check many lists: each one alone, in order, on all processors where there are enough of them."""

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.session import Wish, make_opener, placed_error
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.model.finding import ListUsed, Report, Verdict
from deckcheck.report.closing import Tally, tally_of
from deckcheck.report.outputs import make_writer
from deckcheck.report.writer import Look, RuleInfo, Writer
from deckcheck.support.errors import Problem, UserError

ENOUGH = 300
"""From so many lists on, starting more processes costs less than it saves."""

_CHUNK = 64


class Request(NamedTuple):
    """How lists are to be checked, and how each is to be told: `output` is a name of report.outputs."""

    wish: Wish = Wish()
    output: str = "text"
    look: Look = Look()


class Done(NamedTuple):
    """What became of some lists: one text a deck, and what the end of a run tells of them together.

    `size` counts the lists that were looked at, those with problems included;
    `suppressed` findings that were left out on somebody's word; `held` names
    cards in the decks of which a list tells a change that was not applied;
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
Check = Callable[[Sequence[Item]], Done]


def check_paths(
    items: Sequence[Item], request: Request, *, processes: int | None = None
) -> Generator[Done, None, None]:
    """Check every list, in order; the results of one list never hang on the others.

    `items` come from `walk.find_decks`. `processes` says how many to use
    (default: as many as there are processors, for many lists only). A list
    that can't be checked is a problem in its Done. Close the generator when
    you leave it early: other processes may be at work for it.
    """
    run = _checker(request)
    if processes is None and len(items) < ENOUGH:
        # One by one, so that the first result is there at once.
        return (run([item]) for item in items)
    from deckcheck.support.workers import can_fork, processors

    wanted = processors() if processes is None else processes
    if wanted < 2 or not can_fork():
        return (run([item]) for item in items)
    return _side_by_side(items, run, wanted)


def _side_by_side(items: Sequence[Item], run: Check, processes: int) -> Generator[Done, None, None]:
    from deckcheck.support.workers import in_order

    # What the other processes inherit they need not load: the format, the cards met so far. Standard input
    # is this process's alone.
    alone = _CHUNK
    for at, item in enumerate(items):
        if isinstance(item, DeckFile) and item.path == STANDARD_INPUT:
            alone = max(alone, at + 1)
    for at in range(0, min(alone, len(items)), _CHUNK):
        yield run(items[at : min(at + _CHUNK, alone)])
    rest = [items[at : at + _CHUNK] for at in range(alone, len(items), _CHUNK)]
    if rest:
        yield from in_order(run, rest, processes)


def _checker(request: Request) -> Check:
    """A function that checks lists one after the other; it keeps the formats that it met."""
    judged = make_judge(request.wish)
    writer = make_writer(request.output, request.look)
    described: set[tuple[str, str]] = set()

    def rules_of(format: LoadedFormat) -> tuple[RuleInfo, ...]:
        # Lists in several folders may each name a file of their own, with one id.
        key = (format.format.id, format.format.source.path)
        if not writer.wants_rules or key in described:
            return ()
        from deckcheck.report.describe import rule_infos

        described.add(key)
        return rule_infos(format.format, format.table.game)

    def run(items: Sequence[Item]) -> Done:
        return _run(items, judged, writer, rules_of)

    return run


def make_judge(wish: Wish) -> Callable[[DeckFile], tuple[Report, LoadedFormat]]:
    """A function from a list to its report, graded as the settings say, and the format used.

    It raises UserError for a list that can't be judged.
    """
    opened = make_opener(wish)

    def judged(found: DeckFile) -> tuple[Report, LoadedFormat]:
        one = opened(found)
        try:
            report = check(one.deck, one.format, as_of=one.as_of, best_of=one.best_of)
        except UserError as error:
            raise placed_error(error, one) from error
        if one.mine.grading is not None:
            from deckcheck.report.suppress import graded

            report = graded(report, one.mine.grading)
        if one.by_settings:
            report = report._replace(chosen_by=one.mine.format_source)
        return report, one.format

    return judged


def _run(
    items: Sequence[Item],
    judged: Callable[[DeckFile], tuple[Report, LoadedFormat]],
    writer: Writer,
    rules_of: Callable[[LoadedFormat], tuple[RuleInfo, ...]],
) -> Done:
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
            report, format = judged(item)
        except UserError as error:
            problems += error.problems
            continue
        texts.append(writer.fragment(report))
        verdicts.append(report.verdict)
        suppressed += len(report.suppressed)
        rules += rules_of(format)
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
