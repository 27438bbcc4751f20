"""Count cards of a deck. Every count is an interval that holds the true number, and is compared with bounds."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from deckcheck.model.banlist import Listing
from deckcheck.model.card import Card
from deckcheck.model.deck import Entry
from deckcheck.model.format import NAMES, Clause, Predicate, Range
from deckcheck.rules.predicates import NO, UNKNOWN, YES, Answer, Binding, World, ZoneValues, holds

INFINITY = float("inf")
State = Literal["kept", "violated", "undecided"]
Copies = dict[Card, int]
Zones = tuple[str, ...] | None


class Interval(NamedTuple):
    """From `low` to `high`, both possible; `high` may be infinite."""

    low: float
    high: float


class Limits(NamedTuple):
    """What a count may be. Each bound is itself an interval, since a bound may grow with a count."""

    low: Interval | None = None
    high: Interval | None = None
    one_of: tuple[int, ...] | None = None


def judge(count: Interval, limits: Limits) -> State:
    """Violated if no possible count is within the limits, kept if all are, else undecided."""
    low, high, one_of = limits
    kept = True
    if one_of is not None:
        within = {number for number in one_of if count.low <= number <= count.high}
        if not within:
            return "violated"
        kept = len(within) == count.high - count.low + 1
    if low is not None:
        if count.high < low.low:
            return "violated"
        kept = kept and count.low >= low.high
    if high is not None:
        if count.low > high.high:
            return "violated"
        kept = kept and count.high <= high.low
    return "kept" if kept else "undecided"


class UncertainEntry(NamedTuple):
    """Copies that may be of several cards or of any (`cards` empty), or of unsure number."""

    cards: tuple[Card, ...]
    low: int
    high: float
    """Infinite for a line that can't be read."""
    zone: str | None
    """None where the zone is unknown."""
    is_card: bool
    placed: bool = True
    """Whether the cards are certainly in that zone."""

    def surely_in(self, zones: Zones) -> bool:
        """Whether the cards are certainly in one of the zones, in which they are if their own zone is right."""
        return self.zone is not None and (self.placed or zones is None)

    def may_be(self, card: Card) -> bool:
        """Whether copies of that card may be meant."""
        return not self.cards or card in self.cards


class Tally:
    """A deck added up: sure copies by zone and card, and the `uncertain` entries."""

    __slots__ = ("_sums", "uncertain", "zones")

    def __init__(self, zones: dict[str, Copies], uncertain: tuple[UncertainEntry, ...] = ()) -> None:
        self.zones = zones
        self.uncertain = uncertain
        self._sums: dict[Zones, Copies] = {}

    def copies_in(self, zones: Zones) -> Copies:
        """The sure copies of each card in the zones together; None means all zones."""
        total = self._sums.get(zones)
        if total is None:
            held = [copies for zone, copies in self.zones.items() if zones is None or zone in zones]
            total = held[0] if len(held) == 1 else {}
            for copies in held if len(held) > 1 else ():
                for card, number in copies.items():
                    total[card] = total.get(card, 0) + number
            self._sums[zones] = total
        return total

    def uncertain_in(self, zones: Zones) -> list[UncertainEntry]:
        """The uncertain entries that may be in the zones."""
        return [
            entry for entry in self.uncertain if zones is None or entry.zone is None or entry.zone in zones
        ]

    def values_in(self, attribute: str, zones: tuple[str, ...]) -> ZoneValues:
        """The values of an attribute on the cards of the zones; with NAMES the names of the cards."""
        held = self.copies_in(zones)
        sure = not (self.uncertain and self.uncertain_in(zones))
        if attribute == NAMES:
            return ZoneValues(frozenset(card.name for card in held), sure, bool(held))
        values: set[str] = set()
        for card in held:
            fact = card.facts.get(attribute)
            values |= fact if isinstance(fact, frozenset) else frozenset()
            sure = sure and knows_all(card, attribute)
        return ZoneValues(frozenset(values), sure, bool(held))


def knows_all(card: Card, attribute: str) -> bool:
    """Whether all values of the card's attribute are known."""
    return isinstance(card.facts.get(attribute), frozenset) and attribute not in card.partial


def tally(
    entries: Iterable[Entry],
    unread: int,
    known_zones: frozenset[str],
    lines: Sequence[str] = (),
    unsure_zones: Collection[str] = (),
) -> Tally:
    """Add up the entries of a deck with so many `unread` lines.

    Entries in unknown zones may belong anywhere, and unknown names in `unsure_zones` in another zone. An unknown name
    is a card if its line in `lines` gives its copies as most lines do; elsewhere it may be no card at all.
    """
    entries = tuple(entries)
    counted: frozenset[int] | None = None
    zones: dict[str, Copies] = {}
    uncertain: list[UncertainEntry] = []
    held: Copies | None = None
    current: str | None = None
    for written, cards, copies, most, zone, line, _column in entries:
        if zone != current:
            current = zone
            held = zones.setdefault(zone, {}) if zone in known_zones else None
        if held is not None and copies == most and len(cards) == 1:
            # A line that says 0 copies holds no card, so its name is not in the deck.
            if copies:
                card = cards[0]
                held[card] = held.get(card, 0) + copies
        else:
            if not cards and counted is None:
                counted = _counted_lines(entries, lines)
            low = copies if cards or line in (counted or ()) else 0
            place = None if held is None else zone
            placed = held is not None and (bool(cards) or zone not in unsure_zones)
            uncertain.append(UncertainEntry(cards, low, most, place, bool(written), placed))
    # A line that can't be read may have named its zone, too.
    uncertain += [UncertainEntry((), 0, INFINITY, None, False, placed=False)] * unread
    return Tally(zones, tuple(uncertain))


def _counted_lines(entries: Sequence[Entry], lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines that have a usual count where most lines have it, before the name or marked behind it.

    What has its number elsewhere, such as a note or a heading, may be no card.
    """
    forms: dict[str, list[Entry]] = {}
    for entry in entries:
        line = lines[entry.line - 1] if 0 < entry.line <= len(lines) else ""
        form = _form_of(line, entry)
        if form is not None:
            forms.setdefault(form, []).append(entry)
    usual = max(forms.values(), key=len, default=[])
    if 2 * len(usual) < len(entries):
        return frozenset()
    return frozenset(entry.line for entry in usual if entry.copies <= _USUAL)


def _form_of(line: str, entry: Entry) -> str | None:
    """How a line writes the copies of an entry, with 0 for the number; None where it doesn't."""
    written = unicodedata.normalize("NFKC", entry.written)
    before, name, behind = unicodedata.normalize("NFKC", line).partition(written)
    text = before if any(map(str.isdigit, before)) else behind
    number = re.search("[0-9]+", text)
    if not name or number is None or number[0] != str(entry.copies):
        return None
    sign, counter = text[: number.start()].strip()[-1:], text[number.end() : number.end() + 1].strip()
    is_marked = text is before or counter or (sign and sign in "x×✕✖*")
    return f"{text[: number.start()]}0{counter}" if is_marked else None


_USUAL = 4
"""Unknown names in more copies are seldom cards."""


class Answers(dict[Card, Answer]):
    """A cache of the answers of one predicate in one world, filled as they are asked for."""

    __slots__ = ("binding", "predicate", "world")

    def __init__(self, predicate: Predicate | None, world: World, binding: Binding) -> None:
        self.predicate = predicate
        self.world = world
        self.binding = binding

    def __missing__(self, card: Card) -> Answer:
        predicate = self.predicate
        answer = YES if predicate is None else holds(predicate, card, self.world, self.binding)
        self[card] = answer
        return answer

    def of_entry(self, entry: UncertainEntry) -> Answer:
        """The answer for copies of which it is not sure whose they are."""
        if not entry.cards:
            return YES if self.predicate is None and entry.is_card else UNKNOWN
        answers = {self[card] for card in entry.cards}
        return answers.pop() if len(answers) == 1 else UNKNOWN


class Group(NamedTuple):
    """One thing that is bounded by itself: its count and the cards that are or may be counted.

    `subject` is the card of a group that is one name, `listed` is where a combination is; an `open` group may not exist.
    """

    number: Interval
    cards: tuple[Card, ...]
    subject: Card | None = None
    open: bool = False
    listed: Listing | None = None


def groups(clause: Clause, deck: Tally, answers: Answers) -> Iterator[Group]:
    """What the clause, unless it counts sides, bounds in this deck, group by group."""
    zones = clause.selection.zones
    copies = deck.copies_in(zones)
    uncertain = deck.uncertain_in(zones) if deck.uncertain else []
    if clause.per is not None or clause.is_ban:
        yield from _by_name(copies, uncertain, zones, answers)
    elif clause.counted == "names":
        yield _names(clause.having, copies, uncertain, answers)
    else:
        yield _total(clause.counted if clause.summed else None, copies, uncertain, zones, answers)


def _counted(copies: Copies, answers: Answers) -> list[tuple[Card, int, Answer]]:
    """The cards that are or may be so described, with their copies."""
    return [(card, number, answers[card]) for card, number in copies.items() if answers[card] != NO]


def _with_uncertain(card: Card, number: int, uncertain: list[UncertainEntry]) -> Interval:
    """The copies of a card, together with those that may be of it."""
    return Interval(number, number + sum(entry.high for entry in uncertain if entry.may_be(card)))


def _by_name(
    copies: Copies, uncertain: list[UncertainEntry], zones: Zones, answers: Answers
) -> Iterator[Group]:
    for card, number, answer in _counted(copies, answers):
        yield Group(_with_uncertain(card, number, uncertain), (card,), card, open=answer == UNKNOWN)
    for entry in uncertain:
        # All copies on one line bear one name, whichever it is; further copies of it may be on other lines.
        if entry.is_card and answers.of_entry(entry) == YES:
            low = entry.low if entry.cards and entry.surely_in(zones) else 0
            most = max((number for card, number in copies.items() if entry.may_be(card)), default=0)
            high = sum(other.high for other in uncertain) + most
            yield Group(Interval(low, high), entry.cards, open=low == 0)


def _total(
    attribute: str | None, copies: Copies, uncertain: list[UncertainEntry], zones: Zones, answers: Answers
) -> Group:
    """The copies, or the sum of an attribute."""
    low = high = 0.0
    cards: tuple[Card, ...] = ()
    if attribute is None and answers.predicate is None:
        low = high = sum(copies.values())
    else:
        counted = _counted(copies, answers)
        cards = tuple(card for card, _number, _answer in counted)
        for card, number, answer in counted:
            worth = 1 if attribute is None else card.facts.get(attribute)
            if not isinstance(worth, int | float):
                # What is printed and unknown is taken to be no less than zero.
                high = INFINITY
                continue
            low += worth * number if answer == YES else min(0, worth * number)
            high += worth * number if answer == YES else max(0, worth * number)
    for entry in uncertain:
        answer = answers.of_entry(entry)
        if attribute is None and answer == YES and entry.surely_in(zones):
            low += entry.low
        if answer != NO:
            high += entry.high if attribute is None else INFINITY
    return Group(Interval(low, high), cards)


def _names(wanted: Range | None, copies: Copies, uncertain: list[UncertainEntry], answers: Answers) -> Group:
    found = {
        card: min(answer, _within(_with_uncertain(card, number, uncertain), wanted))
        for card, number, answer in _counted(copies, answers)
    }
    low, high = how_many(list(found.values()))
    # Lines of one known card add one name to those that are sure; what may be no card at all, any number.
    others = [entry for entry in uncertain if answers.of_entry(entry) != NO]
    known = {entry.cards[0] for entry in others if len(entry.cards) == 1} - copies.keys()
    more = sum(1 if entry.is_card else INFINITY for entry in others if len(entry.cards) != 1)
    cards = tuple(card for card, answer in found.items() if answer != NO)
    return Group(Interval(low, high + len(known) + more), cards)


def how_many(answers: Sequence[Answer]) -> Interval:
    """How many of the answers are yes."""
    return Interval(answers.count(YES), answers.count(YES) + answers.count(UNKNOWN))


def _within(number: Interval, wanted: Range | None) -> Answer:
    if wanted is None:
        return YES
    top = INFINITY if wanted.high is None else wanted.high
    if wanted.low <= number.low and number.high <= top:
        return YES
    return NO if number.high < wanted.low or number.low > top else UNKNOWN
