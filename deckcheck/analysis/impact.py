"""What a change of the lists does to decks: each judged on both days, and which entry of which list did it.

Nothing is guessed. What the lists do is what differs between the later day as
it is and the same day with the lists of the earlier one; what one entry does
is what differs when it alone is moved, or else when all but it are.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.session import CheckOptions, OpenedDeck, Session, graded_by
from deckcheck.checking.walk import DeckFile
from deckcheck.formats.banlistfile import AnnouncedChange, Announcement, with_announcement
from deckcheck.model.banlist import FREE_STATUS, Banlist, Change, change_on
from deckcheck.model.finding import CardAt, Finding, Report, Verdict
from deckcheck.model.format import Source
from deckcheck.model.game import Game
from deckcheck.report.impact import Days, Effect, Impact, Move, Other, Status
from deckcheck.report.wording import status_name
from deckcheck.support.errors import UserError, placed_at

MOST_FORMATS = 16
MOST_IMAGINED = 256

Key = tuple[int, bool, int]
"""Which entry: of which of the format's lists, whether a combination, and at which place there."""

_Pair = tuple[Key, tuple[frozenset[str], ...], tuple[Change, ...], tuple[Change, ...], Banlist]


class AnnouncementError(UserError):
    """The announcement itself can't be used, so nothing can be said of any deck."""


class Compared(NamedTuple):
    """What was found of one deck: the impact (None: there is none) and the ids of its format's lists."""

    impact: Impact | None
    lists: tuple[str, ...]


class Comparison:
    """Decks on two days, one after the other; it keeps the formats that it met.

    The two days win over everything that a list or the settings say.
    """

    def __init__(self, options: CheckOptions, days: Days, announcement: Announcement | None = None) -> None:
        self._session = Session(options)
        self._days = days
        self._announcement = announcement
        self._turns: dict[LoadedFormat, Turn] = {}

    def compare(self, found: DeckFile) -> Compared:
        """What becomes of a list between the days.

        Raises UserError for a list that can't be judged, and AnnouncementError
        when the announcement doesn't fit to a list that it is to be laid over.
        """
        opened = self._session.open(found)
        turn = self._turn_of(opened.format)
        try:
            impact = turn.impact_on(opened)
        except UserError as error:
            raise placed_at(error, self._session.options.shown_name(found.path)) from error
        return Compared(impact, tuple(banlist.id for banlist in opened.format.format.banlists))

    def _turn_of(self, format: LoadedFormat) -> "Turn":
        turn = self._turns.get(format)
        if turn is None:
            # Decks with cards of their own bring formats that no other deck needs.
            if len(self._turns) >= MOST_FORMATS:
                self._turns.clear()
            turn = self._turns[format] = Turn(format, self._announced(format), self._days)
        return turn

    def _announced(self, format: LoadedFormat) -> LoadedFormat:
        if self._announcement is None:
            return format
        rules, data = format.format, format.game_data
        try:
            banlists = with_announcement(self._announcement, rules.banlists, data.game, data.catalog)
        except UserError as error:
            raise AnnouncementError(error.problems) from error
        return LoadedFormat(rules._replace(banlists=banlists), data)


class Turn:
    """A format as it is on the earlier day and as it will be on the later one, and the entries that are moved."""

    def __init__(self, before: LoadedFormat, after: LoadedFormat, days: Days) -> None:
        self._before = before
        self._after = after
        self._days = days
        self.moves = moves_between(before.format.banlists, after.format.banlists, days, before.game_data.game)
        self._imagined: dict[frozenset[Key], LoadedFormat] = {}

    def impact_on(self, opened: OpenedDeck) -> Impact | None:
        """What becomes of an opened deck between the days; None: nothing.

        Raises UserError for a deck that can't be judged by the format at all.
        """
        before = _judged(opened, self._before, self._days.before)
        after = _judged(opened, self._after, self._days.after)
        if not before.findings and not after.findings:
            return None
        held = {card.name for entry in opened.deck.entries if entry.most for card in entry.cards}
        moves = {key: move for key, move in self.moves.items() if not all(map(held.isdisjoint, move.sides))}
        return _Blame(self, opened, before, after, moves).impact()

    def with_moved(self, moved: frozenset[Key]) -> LoadedFormat:
        """The format of the later day, if only these entries were moved."""
        found = self._imagined.get(moved)
        if found is None:
            if len(self._imagined) >= MOST_IMAGINED:
                self._imagined.clear()
            held_back = self.moves.keys() - moved
            before, after = self._before.format.banlists, self._after.format
            banlists = lists_with(before, after.banlists, self._days, held_back)
            found = LoadedFormat(after._replace(banlists=banlists), self._after.game_data)
            self._imagined[moved] = found
        return found

    def imagined(self, opened: OpenedDeck, moved: frozenset[Key]) -> Report:
        """The report of the deck on the later day, if only these entries were moved."""
        return _judged(opened, self.with_moved(moved), self._days.after)


def _judged(opened: OpenedDeck, format: LoadedFormat, as_of: str) -> Report:
    report = check(opened.deck, format, as_of=as_of, best_of=opened.best_of)
    return graded_by(opened.settings, report)


_Sign = tuple[object, ...]


class _Signs:
    """The findings of a report by what tells them apart from day to day: not the words, nor the line that says so."""

    def __init__(self, report: Report) -> None:
        self.findings: dict[_Sign, Finding] = {}
        self.counts: Counter[_Sign] = Counter()
        # What says nothing new beside an error of one day is no other on the day without it.
        superseded = [one.finding for one in report.superseded if not one.by]
        for one in (*report.findings, *superseded):
            allowed = None if one.allowed is None else tuple(one.allowed.items())
            place = (one.line, one.column, one.zone)
            sign = (one.rule, one.severity, one.verdict, place, one.cards, one.found, allowed)
            self.findings.setdefault(sign, one)
            self.counts[sign] += 1


class _Blame:
    """The findings of a deck that differ between two reports, and what each is the doing of.

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
        self._every = frozenset(turn.moves)
        self._known = {self._every: self._later}

    def impact(self) -> Impact | None:
        """What became of the deck, and why; None where there is nothing to tell."""
        before, after = self._before, self._after
        counts = dict.fromkeys([*self._earlier.counts, *self._later.counts])
        differ = [sign for sign in counts if self._earlier.counts[sign] != self._later.counts[sign]]
        turned = before.verdict != after.verdict
        if not differ or not (self._moves or turned):
            return None
        causes, rest = self._traced(differ)
        deciding = {sign for sign in differ if self._decides(sign, before.verdict, after.verdict)}
        effects = tuple(
            self._effect(move, causes[key], deciding) for key, move in self._moves.items() if key in causes
        )
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
            tuple(self._other(sign) for sign in rest if sign in deciding),
        )

    def _moved(self, keys: frozenset[Key]) -> Counter[_Sign]:
        """What is found on the later day, if only these entries are moved."""
        if keys not in self._known:
            self._known[keys] = _Signs(self._turn.imagined(self._opened, keys))
        return self._known[keys].counts

    def _traced(self, differ: Sequence[_Sign]) -> tuple[dict[Key, list[_Sign]], list[_Sign]]:
        """Which findings each entry brings or takes away, and those that something else does, or does too."""
        if not self._moves:
            return {}, list(differ)
        later, every, unmoved = self._later.counts, self._every, self._moved(frozenset())
        causes: dict[Key, list[_Sign]] = {}
        rest = []
        for sign in differ:
            mine: list[Key] = []
            if unmoved[sign] != later[sign]:
                # Where none does it by itself, each may be needed; where none is, they only make it together.
                mine = [key for key in self._moves if self._moved(frozenset([key]))[sign] != unmoved[sign]]
                mine = mine or [key for key in self._moves if self._moved(every - {key})[sign] != later[sign]]
                if not mine and self._moved(frozenset(self._moves))[sign] != unmoved[sign]:
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

    def _decides(self, sign: _Sign, before: Verdict, after: Verdict) -> bool:
        """Whether the finding has to do with the verdict's being another one."""
        finding = self._finding(sign)
        if before == after or finding.severity != "error":
            return False
        if self._gained(sign):
            return (finding.verdict == "violated") == (after == "illegal")
        # What goes makes a deck better, if at all.
        return after == "legal" or (after == "undecided" and finding.verdict == "violated")

    def _effect(self, move: Move, signs: Sequence[_Sign], deciding: Collection[_Sign]) -> Effect:
        names = {name for side in move.sides for name in side}
        at = tuple(
            CardAt(
                entry.cards[0].name if len(entry.cards) == 1 else entry.written,
                entry.copies,
                entry.line,
                entry.column,
            )
            for entry in self._after.deck.entries
            if entry.most and any(card.name in names for card in entry.cards)
        )
        gained = dict.fromkeys(self._finding(sign).rule for sign in signs if self._gained(sign))
        lost = dict.fromkeys(self._finding(sign).rule for sign in signs if not self._gained(sign))
        return Effect(move, at, tuple(gained), tuple(lost), any(sign in deciding for sign in signs))

    def _other(self, sign: _Sign) -> Other:
        finding = self._finding(sign)
        source = finding.source
        if finding.related:
            # A list says so of the card, but that it counts is the rule's doing.
            source = Source(finding.related[0].path, finding.related[0].line)
        return Other(finding, source, self._gained(sign))


def moves_between(
    before: Sequence[Banlist], after: Sequence[Banlist], days: Days, game: Game
) -> dict[Key, Move]:
    """The entries that say something else on the later day, in the order of the lists.

    Both are the lists of one format; an entry stands in the same place in
    both, and only `after` may have more of them.
    """
    path = None if days.announced is None else days.announced.path
    moves: dict[Key, Move] = {}
    for key, sides, old, new, banlist in _paired(before, after):
        was, now = _status(change_on(old, days.before), game), _status(change_on(new, days.after), game)
        if was == now:
            continue
        # What is free has no change in force, but there is one that freed it.
        last = [change for change in new if change.since <= days.after][-1]
        file = path if path is not None and isinstance(last, AnnouncedChange) else banlist.path
        moves[key] = Move(
            banlist.id,
            banlist.name,
            tuple(tuple(sorted(side)) for side in sides),
            was,
            now,
            last.since,
            Source(file, last.line),
        )
    return moves


def lists_with(
    before: Sequence[Banlist], after: Sequence[Banlist], days: Days, held_back: Collection[Key]
) -> tuple[Banlist, ...]:
    """The lists of the later day, but entries in `held_back` still say what they did on the earlier one."""
    kept: dict[Key, tuple[Change, ...]] = {}
    for key, _sides, old, new, _banlist in _paired(before, after):
        change = change_on(old, days.before) if key in held_back else change_on(new, days.after)
        kept[key] = () if change is None else (change,)
    return tuple(
        banlist._replace(
            cards=tuple(one._replace(history=kept[at, False, n]) for n, one in enumerate(banlist.cards)),
            combinations=tuple(
                one._replace(history=kept[at, True, n]) for n, one in enumerate(banlist.combinations)
            ),
        )
        for at, banlist in enumerate(after)
    )


def _paired(before: Sequence[Banlist], after: Sequence[Banlist]) -> Iterator[_Pair]:
    """Each entry with its names and both of its histories."""
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        for number, card in enumerate(new.cards):
            past = old.cards[number].history if number < len(old.cards) else ()
            yield (at, False, number), (frozenset([card.card]),), past, card.history, new
        for number, pair in enumerate(new.combinations):
            past = old.combinations[number].history if number < len(old.combinations) else ()
            yield (at, True, number), pair.sides, past, pair.history, new


def _status(change: Change | None, game: Game) -> Status:
    status = FREE_STATUS if change is None else change.status
    return Status(status, status_name(status, game))
