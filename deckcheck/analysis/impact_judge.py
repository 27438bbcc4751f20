"""Judge a deck on both days, by its own format as it is and as it will be."""

from collections.abc import Callable
from typing import NamedTuple

from deckcheck.analysis.impact_compare import compare
from deckcheck.analysis.impact_moves import Key, lists_with, moves_between
from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.session import Opened, Wish, make_opener, shown_name
from deckcheck.checking.walk import DeckFile
from deckcheck.formats.announce import Announcement, lay_over
from deckcheck.model.finding import Report
from deckcheck.report.effects import Days, Impact
from deckcheck.support.errors import UserError, placed_at

MOST_FORMATS = 16
MOST_IMAGINED = 256


class AnnouncementError(UserError):
    """The announcement itself can't be used, so nothing can be said of any deck."""


class Looked(NamedTuple):
    """What was found of one deck: the impact (None: there is none) and the ids of its format's lists."""

    impact: Impact | None
    lists: tuple[str, ...]


class Turn:
    """A format as it is on the earlier day and as it will be on the later one, and the entries that are moved.

    `imagined` keeps the format as it would be with only some of them moved.
    """

    __slots__ = ("after", "before", "days", "imagined", "moves")

    def __init__(self, before: LoadedFormat, after: LoadedFormat, days: Days) -> None:
        self.before = before
        self.after = after
        self.days = days
        self.moves = moves_between(before.format.banlists, after.format.banlists, days, before.table.game)
        self.imagined: dict[frozenset[Key], LoadedFormat] = {}

    def with_moved(self, moved: frozenset[Key]) -> LoadedFormat:
        """The format of the later day, if only these entries were moved."""
        found = self.imagined.get(moved)
        if found is None:
            if len(self.imagined) >= MOST_IMAGINED:
                self.imagined.clear()
            held_back = self.moves.keys() - moved
            before, after = self.before.format.banlists, self.after.format
            banlists = lists_with(before, after.banlists, self.days, held_back)
            found = LoadedFormat(after._replace(banlists=banlists), self.after.table)
            self.imagined[moved] = found
        return found


def make_comparer(
    wish: Wish, days: Days, announcement: Announcement | None = None
) -> Callable[[DeckFile], Looked]:
    """A function from a list to what becomes of it between the days; it keeps the formats that it met.

    The two days win over everything that a list or the settings say. It
    raises UserError for a list that can't be judged, and AnnouncementError when the
    announcement doesn't fit to a list that it is to be laid over.
    """
    opened = make_opener(wish)
    turns: dict[LoadedFormat, Turn] = {}

    def turn_of(format: LoadedFormat) -> Turn:
        turn = turns.get(format)
        if turn is None:
            # Decks with cards of their own bring formats that nobody asks for again.
            if len(turns) >= MOST_FORMATS:
                turns.clear()
            turn = turns[format] = Turn(format, _announced(format, announcement), days)
        return turn

    def compared(found: DeckFile) -> Looked:
        one = opened(found)
        turn = turn_of(one.format)
        try:
            impact = impact_on(one, turn)
        except UserError as error:
            shown = shown_name(found.path, wish.stdin_name)
            raise placed_at(error, shown) from error
        return Looked(impact, tuple(banlist.id for banlist in one.format.format.banlists))

    return compared


def _announced(format: LoadedFormat, announcement: Announcement | None) -> LoadedFormat:
    if announcement is None:
        return format
    rules, table = format.format, format.table
    try:
        banlists = lay_over(announcement, rules.banlists, table.game, table.catalog)
    except UserError as error:
        raise AnnouncementError(error.problems) from error
    return LoadedFormat(rules._replace(banlists=banlists), table)


def impact_on(one: Opened, turn: Turn) -> Impact | None:
    """What becomes of an opened deck between the days; None: nothing.

    Raises UserError for a deck that can't be judged by the format at all.
    """

    def judged(format: LoadedFormat, as_of: str) -> Report:
        report = check(one.deck, format, as_of=as_of, best_of=one.best_of)
        if one.mine.grading is not None:
            from deckcheck.report.suppress import graded

            report = graded(report, one.mine.grading)
        return report

    before = judged(turn.before, turn.days.before)
    after = judged(turn.after, turn.days.after)
    if not before.findings and not after.findings:
        return None
    held = {card.name for entry in one.deck.entries if entry.most for card in entry.cards}
    moves = {key: move for key, move in turn.moves.items() if not all(map(held.isdisjoint, move.sides))}
    return compare(
        before, after, moves, turn.moves, lambda moved: judged(turn.with_moved(moved), turn.days.after)
    )
