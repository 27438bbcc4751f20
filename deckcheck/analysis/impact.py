"""What a change of the banlists does to decks: each is judged on both days, and each difference gets its cause.

Nothing is guessed. The effect of the lists is the difference between the later
day as it is and the same day with the lists of the earlier one. The effect of
one entry is the difference when it alone is moved, or else when all but it are.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.session import CheckOptions, OpenedDeck, Session, graded_by
from deckcheck.checking.walk import DeckFile
from deckcheck.formats.banlistfile import AnnouncedChange, with_announcement
from deckcheck.model.banlist import FREE_STATUS, Banlist, Change, change_on
from deckcheck.model.finding import CardAt, Finding, Report
from deckcheck.model.format import Source
from deckcheck.report.findings import card_at
from deckcheck.report.impact import Days, Effect, Impact, Move, Other, Status
from deckcheck.report.wording import status_name
from deckcheck.support.errors import UserError, placed_at

MOST_FORMATS = 16
MOST_IMAGINED = 256

Key = tuple[int, bool, int]
"""An entry: which of the format's lists, whether a combination, and its place there."""


class AnnouncementError(UserError):
    """The announcement itself can't be used, so nothing can be said of any deck."""


class Compared(NamedTuple):
    """The impact on one deck (None: there is none) and the ids of its format's lists."""

    impact: Impact | None
    lists: tuple[str, ...]


class Comparison:
    """Decks on two days, one after the other; it keeps the formats of the decks.

    The two days win over everything that a list or the settings say.
    """

    def __init__(self, options: CheckOptions, days: Days) -> None:
        self._session = Session(options)
        self._days = days
        self._turns: dict[LoadedFormat, Turn] = {}

    def compare(self, found: DeckFile) -> Compared:
        """The impact of the two days on a deck.

        Raises UserError for a list that can't be judged, and AnnouncementError
        when the announcement doesn't fit a list that it is to be laid over.
        """
        opened = self._session.open(found)
        format = opened.format
        if format not in self._turns:
            # Decks with cards of their own bring formats that no other deck needs.
            if len(self._turns) >= MOST_FORMATS:
                self._turns.clear()
            self._turns[format] = Turn(format, self._announced(format), self._days)
        try:
            impact = self._turns[format].impact_on(opened)
        except UserError as error:
            raise placed_at(error, self._session.options.shown_name(found.path)) from error
        return Compared(impact, tuple(banlist.id for banlist in format.format.banlists))

    def _announced(self, format: LoadedFormat) -> LoadedFormat:
        if self._days.announcement is None:
            return format
        banlists, data = format.format.banlists, format.game_data
        try:
            announced = with_announcement(self._days.announcement, banlists, data.game, data.catalog)
        except UserError as error:
            raise AnnouncementError(error.problems) from error
        return _with_lists(format, announced)


def _with_lists(format: LoadedFormat, banlists: tuple[Banlist, ...]) -> LoadedFormat:
    return LoadedFormat(format.format._replace(banlists=banlists), format.game_data)


class _Entry(NamedTuple):
    """An entry of a list of the later day, with the change in force on each of the days."""

    banlist: Banlist
    sides: tuple[frozenset[str], ...]
    before: Change | None
    after: Change | None
    history: tuple[Change, ...]


class Turn:
    """A format on the earlier and on the later day, and the entries that are moved.

    An entry is at the same place of the lists of both days; only `after` may have more of them.
    """

    def __init__(self, before: LoadedFormat, after: LoadedFormat, days: Days) -> None:
        self._before = before
        self._after = after
        self._days = days
        self._entries = dict(_entries(before.format.banlists, after.format.banlists, days))
        self.moves: dict[Key, Move] = {}
        for key, entry in self._entries.items():
            move = self._move(entry)
            if move.before != move.after:
                self.moves[key] = move
        self._imagined: dict[frozenset[Key], LoadedFormat] = {}

    def _move(self, entry: _Entry) -> Move:
        banlist, game = entry.banlist, self._before.game_data.game
        ids = [FREE_STATUS if one is None else one.status for one in (entry.before, entry.after)]
        before, after = (Status(id, status_name(id, game)) for id in ids)
        # A card that is free has no change in force, but one may have freed it.
        past = [change for change in entry.history if change.since <= self._days.after]
        last = past[-1] if past else Change("", FREE_STATUS, 0)
        announced = self._days.announcement if isinstance(last, AnnouncedChange) else None
        source = Source(banlist.path if announced is None else announced.path, last.line)
        sides = tuple(tuple(sorted(side)) for side in entry.sides)
        return Move(banlist.id, banlist.name, sides, before, after, last.since, source)

    def impact_on(self, opened: OpenedDeck) -> Impact | None:
        """The impact on an opened deck; None for none.

        Raises UserError for a deck that can't be judged by the format at all.
        """
        before = _judged(opened, self._before, self._days.before)
        after = _judged(opened, self._after, self._days.after)
        if not before.findings and not after.findings:
            return None
        held = {card.name for entry in opened.deck.entries if entry.most for card in entry.cards}
        moves = {key: move for key, move in self.moves.items() if not all(map(held.isdisjoint, move.sides))}
        return _Blame(self, opened, before, after, moves).impact()

    def imagined(self, opened: OpenedDeck, moved: frozenset[Key]) -> Report:
        """The report of the deck on the later day, if only these entries were moved."""
        if moved not in self._imagined:
            if len(self._imagined) >= MOST_IMAGINED:
                self._imagined.clear()
            self._imagined[moved] = _with_lists(self._after, tuple(self._lists_with(moved)))
        return _judged(opened, self._imagined[moved], self._days.after)

    def _lists_with(self, moved: frozenset[Key]) -> Iterator[Banlist]:
        """The lists of the later day, with the moves but these undone."""
        held_back = self.moves.keys() - moved

        def history(key: Key) -> tuple[Change, ...]:
            entry = self._entries[key]
            change = entry.before if key in held_back else entry.after
            return () if change is None else (change,)

        for at, banlist in enumerate(self._after.format.banlists):
            yield banlist._replace(
                cards=tuple(
                    one._replace(history=history((at, False, n))) for n, one in enumerate(banlist.cards)
                ),
                combinations=tuple(
                    one._replace(history=history((at, True, n))) for n, one in enumerate(banlist.combinations)
                ),
            )


def _entries(before: Sequence[Banlist], after: Sequence[Banlist], days: Days) -> Iterator[tuple[Key, _Entry]]:
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        rows = [
            *(((at, False, n), (frozenset([one.card]),), one.history) for n, one in enumerate(new.cards)),
            *(((at, True, n), one.sides, one.history) for n, one in enumerate(new.combinations)),
        ]
        for key, sides, history in rows:
            earlier = old.combinations if key[1] else old.cards
            past = earlier[key[2]].history if key[2] < len(earlier) else ()
            was, now = change_on(past, days.before), change_on(history, days.after)
            yield key, _Entry(new, sides, was, now, history)


def _judged(opened: OpenedDeck, format: LoadedFormat, as_of: str) -> Report:
    report = check(opened.deck, format, as_of=as_of, best_of=opened.best_of)
    return graded_by(opened.settings, report)


_Sign = tuple[object, ...]


class _Signs:
    """The findings of a report by what distinguishes them from day to day: not the words, nor the line of the rule."""

    def __init__(self, report: Report) -> None:
        self.findings: dict[_Sign, Finding] = {}
        self.counts: Counter[_Sign] = Counter()
        # A finding superseded by the errors of one day is no other on the day without them.
        superseded = [one.finding for one in report.superseded if not one.by]
        for one in (*report.findings, *superseded):
            allowed = None if one.allowed is None else tuple(one.allowed.items())
            place = (one.line, one.column, one.zone)
            sign = (one.rule, one.severity, one.verdict, place, one.cards, one.found, allowed)
            self.findings.setdefault(sign, one)
            self.counts[sign] += 1


class _Blame:
    """The findings of a deck that differ between two reports, and the cause of each.

    `moves` are the moved entries that name its cards, among all of its format's lists.
    """

    def __init__(
        self, turn: Turn, opened: OpenedDeck, before: Report, after: Report, moves: Mapping[Key, Move]
    ) -> None:
        self._turn = turn
        self._opened = opened
        self._before = before
        self._after = after
        self._moves = moves
        self._earlier = _Signs(before)
        self._later = _Signs(after)
        self._counts = {frozenset(turn.moves): self._later.counts}

    def impact(self) -> Impact | None:
        """The impact on the deck, with its causes; None for none."""
        before, after = self._before, self._after
        counts = dict.fromkeys([*self._earlier.counts, *self._later.counts])
        differ = [sign for sign in counts if self._earlier.counts[sign] != self._later.counts[sign]]
        turned = before.verdict != after.verdict
        if not differ or not (self._moves or turned):
            return None
        causes, rest = self._traced(differ)
        effects = tuple(self._effect(move, causes[key]) for key, move in self._moves.items() if key in causes)
        if not effects and not turned:
            return None
        return Impact(
            after.deck.path,
            after.name,
            after.format,
            after.format_name,
            before.verdict,
            after.verdict,
            effects,
            tuple(self._other(sign) for sign in rest if self._decides(sign)),
        )

    def _moved(self, keys: Collection[Key]) -> Counter[_Sign]:
        """What is found on the later day, if only these entries are moved."""
        moved = frozenset(keys)
        if moved not in self._counts:
            self._counts[moved] = _Signs(self._turn.imagined(self._opened, moved)).counts
        return self._counts[moved]

    def _traced(self, differ: Sequence[_Sign]) -> tuple[dict[Key, list[_Sign]], list[_Sign]]:
        """Which findings each entry brings or takes away, and those with another cause, or another one as well."""
        if not self._moves:
            return {}, list(differ)
        later, every, unmoved = self._later.counts, self._turn.moves.keys(), self._moved(())
        causes: dict[Key, list[_Sign]] = {}
        rest = []
        for sign in differ:
            mine: list[Key] = []
            if unmoved[sign] != later[sign]:
                # If none does it by itself, each may be needed; if none is, they only make it together.
                mine = [key for key in self._moves if self._moved([key])[sign] != unmoved[sign]]
                mine = mine or [key for key in self._moves if self._moved(every - {key})[sign] != later[sign]]
                if not mine and self._moved(self._moves)[sign] != unmoved[sign]:
                    mine = list(self._moves)
            for key in mine:
                causes.setdefault(key, []).append(sign)
            if self._earlier.counts[sign] != unmoved[sign] or not mine:
                rest.append(sign)
        return causes, rest

    def _gained(self, sign: _Sign) -> bool:
        return self._later.counts[sign] > self._earlier.counts[sign]

    def _finding(self, sign: _Sign) -> Finding:
        return (self._later if self._gained(sign) else self._earlier).findings[sign]

    def _decides(self, sign: _Sign) -> bool:
        """Whether the finding bears on the change of the verdict."""
        finding, after = self._finding(sign), self._after.verdict
        if self._before.verdict == after or finding.severity != "error":
            return False
        if self._gained(sign):
            return (finding.verdict == "violated") == (after == "illegal")
        # A finding that goes makes a deck better, if at all.
        return after == "legal" or (after == "undecided" and finding.verdict == "violated")

    def _effect(self, move: Move, signs: Sequence[_Sign]) -> Effect:
        names = {name for side in move.sides for name in side}
        at: list[CardAt] = [
            card_at(entry)
            for entry in self._after.deck.entries
            if entry.most and any(card.name in names for card in entry.cards)
        ]
        rules = [(self._finding(sign).rule, self._gained(sign)) for sign in signs]
        gained = dict.fromkeys(rule for rule, is_gained in rules if is_gained)
        lost = dict.fromkeys(rule for rule, is_gained in rules if not is_gained)
        return Effect(move, tuple(at), tuple(gained), tuple(lost), any(map(self._decides, signs)))

    def _other(self, sign: _Sign) -> Other:
        finding = self._finding(sign)
        source = finding.source
        if finding.related:
            # A list names the card, but that it counts is due to the rule.
            source = Source(finding.related[0].path, finding.related[0].line)
        return Other(finding, source, self._gained(sign))
