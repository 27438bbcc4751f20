"""Counts cards of a deck. Every count is an interval that contains the true number, and is compared with bounds."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from deckcheck.model.banlist import Listing
from deckcheck.model.card import Card
from deckcheck.model.deck import Entry
from deckcheck.model.finding import State
from deckcheck.model.format import NAMES, Clause, CopiesOfEach, DifferentNames, Predicate, Range, Sum
from deckcheck.rules.predicates import NO, UNKNOWN, YES, Answer, Binding, World, ZoneValues, holds

INFINITY = float("inf")
Copies = dict[Card, int]
Zones = tuple[str, ...] | None


class Interval(Struct, frozen=True):
    """From `low` to `high`, both possible; `high` may be infinite."""

    low: float
    high: float


def interval(low: float, high: float) -> Interval:
    """The interval between two ends; an end that is infinity minus infinity (NaN) may be anything."""
    return Interval(-INFINITY if low != low else low, INFINITY if high != high else high)


class Limits(Struct, frozen=True):
    """What a count may be. Each bound is itself an interval, since a bound may grow with a count."""

    low: Interval | None = None
    high: Interval | None = None
    one_of: tuple[int, ...] | None = None


def judge(count: Interval, limits: Limits) -> State:
    """Violated if no possible count is within the limits, kept if all are, else undecided."""
    low, high, one_of = limits.low, limits.high, limits.one_of
    is_kept = True
    if one_of is not None:
        possible = {number for number in one_of if count.low <= number <= count.high}
        if not possible:
            return State.VIOLATED
        is_kept = len(possible) == count.high - count.low + 1
    if low is not None:
        if count.high < low.low:
            return State.VIOLATED
        is_kept = is_kept and count.low >= low.high
    if high is not None:
        if count.low > high.high:
            return State.VIOLATED
        is_kept = is_kept and count.high <= high.low
    return State.KEPT if is_kept else State.UNDECIDED


class UncertainEntry(Struct, frozen=True):
    """Copies that may be of several cards or of any (`cards` empty), or whose number is uncertain."""

    cards: tuple[Card, ...]
    low: int
    high: float
    """Infinite for a line that can't be read."""
    zone: str | None
    """None if the zone is unknown."""
    is_card: bool
    placed: bool = True
    """Whether the cards are certainly in that zone."""
    name: str = ""
    """The name as written if `cards` is empty."""

    def surely_in(self, zones: Zones) -> bool:
        """Whether the cards are certainly in one of the zones, assuming that these include the entry's own zone."""
        return self.zone is not None and (self.placed or zones is None)


class Tally:
    """A deck added up: sure copies by zone and card, `unplaced` ones in any zone or none, and `uncertain` entries."""

    __slots__ = ("_sums", "uncertain", "unplaced", "zones")

    def __init__(
        self,
        zones: dict[str, Copies],
        uncertain: tuple[UncertainEntry, ...] = (),
        unplaced: Copies | None = None,
    ) -> None:
        self.zones = zones
        self.uncertain = uncertain
        self.unplaced = unplaced or {}
        self._sums: dict[Zones, Copies] = {}

    def without_unplaced(self) -> "Tally":
        """The same deck, but its unplaced cards may be absent."""
        doubted = [
            UncertainEntry((card,), 0, copies, None, True, placed=False)
            for card, copies in self.unplaced.items()
        ]
        return Tally(self.zones, (*self.uncertain, *doubted))

    def copies_in(self, zones: Zones) -> Copies:
        """The sure copies of each card in the zones together; None means all zones."""
        total = self._sums.get(zones)
        if total is None:
            held = [copies for zone, copies in self.zones.items() if zones is None or zone in zones]
            if self.unplaced and zones is None:
                held.append(self.unplaced)
            total = held[0] if len(held) == 1 else {}
            for copies in held if len(held) > 1 else ():
                for card, number in copies.items():
                    total[card] = total.get(card, 0) + number
            self._sums[zones] = total
        return total

    def uncertain_in(self, zones: Zones) -> list[UncertainEntry]:
        """The uncertain entries that may be in the zones; if there are any at all, unplaced cards are among them."""
        if not self.uncertain:
            return []
        if zones is None:
            return list(self.uncertain)
        entries = [entry for entry in self.uncertain if entry.zone is None or entry.zone in zones]
        for card, copies in self.unplaced.items():
            entries.append(UncertainEntry((card,), copies, copies, None, True, placed=False))
        return entries

    def values_in(self, attribute: str, zones: tuple[str, ...]) -> ZoneValues:
        """The values of an attribute on the cards of the zones; with NAMES the names of the cards."""
        held = self.copies_in(zones)
        sure = not self.uncertain_in(zones)
        if attribute == NAMES:
            return ZoneValues(frozenset(card.name for card in held), sure, bool(held))
        values: set[str] = set()
        for card in held:
            values |= known_values(card, attribute)
            sure = sure and knows_all(card, attribute)
        return ZoneValues(frozenset(values), sure, bool(held))


def known_values(card: Card, attribute: str) -> frozenset[str]:
    """The known values of the card's attribute."""
    fact = card.facts.get(attribute)
    return fact if isinstance(fact, frozenset) else frozenset()


def knows_all(card: Card, attribute: str) -> bool:
    """Whether all values of the card's attribute are known."""
    return isinstance(card.facts.get(attribute), frozenset) and attribute not in card.partial


def tally(
    entries: Iterable[Entry],
    unread: int,
    known_zones: frozenset[str],
    counted: Collection[int] = (),
    unsure_zones: Collection[str] = (),
    unsure_after: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> Tally:
    """Add up the entries of a deck; `unread` is the number of unreadable lines.

    Entries in unknown zones may belong anywhere. Unknown names in `unsure_zones` may belong to another zone. Cards in a
    zone in `unsure_after`, behind the line and column given there, may belong to another zone or to no deck. An unknown name is
    certainly a card only on one of the lines `counted`.
    """
    zones: dict[str, Copies] = {}
    uncertain: list[UncertainEntry] = []
    unplaced: Copies = {}
    for entry in entries:
        in_zone = zones.setdefault(entry.zone, {}) if entry.zone in known_zones else None
        is_unplaced = entry.zone in unsure_after and (entry.line, entry.column) > unsure_after[entry.zone]
        if in_zone is not None and len(entry.cards) == 1:
            # A line with 0 copies has no card, so its name isn't in the deck.
            if entry.copies:
                card = entry.cards[0]
                target = unplaced if is_unplaced else in_zone
                target[card] = target.get(card, 0) + entry.copies
            continue
        is_counted = not is_unplaced and (bool(entry.cards) or entry.line in counted)
        zone = None if in_zone is None or is_unplaced else entry.zone
        uncertain.append(
            UncertainEntry(
                entry.cards,
                entry.copies if is_counted else 0,
                entry.copies,
                zone,
                is_card=bool(entry.written),
                placed=zone is not None and (bool(entry.cards) or zone not in unsure_zones),
                name="" if entry.cards else entry.written,
            )
        )
    if unread:
        # An unreadable line may also have named its zone.
        uncertain += [UncertainEntry((), 0, INFINITY, None, False, placed=False)] * unread
    return Tally(zones, tuple(uncertain), unplaced)


class Answers(dict[Card, Answer]):
    """A cache of the answers of one predicate in one world, filled when they are needed."""

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
        """The answer for copies whose card is uncertain."""
        if not entry.cards:
            return YES if self.predicate is None and entry.is_card else UNKNOWN
        answers = {self[card] for card in entry.cards}
        return answers.pop() if len(answers) == 1 else UNKNOWN


class Group(Struct, frozen=True):
    """A group that is bounded by itself: its count, and the cards that are or may be counted.

    `subject` is the card if the group is one name (or `name` is an unknown one, as written); `listed` is where
    a combination is listed; an `open` group may not exist.
    """

    number: Interval
    cards: tuple[Card, ...]
    subject: Card | None = None
    open: bool = False
    listed: Listing | None = None
    name: str = ""


def groups(clause: Clause, deck: Tally, answers: Answers) -> Iterator[Group]:
    """Yields the groups in this deck that the clause bounds, unless it counts sides."""
    if clause.is_ban or isinstance(clause.measure, CopiesOfEach):
        zones = clause.selection.zones
        yield from _by_name(deck.copies_in(zones), deck.uncertain_in(zones), zones, answers)
    else:
        yield measured(clause, deck, answers)


def measured(clause: Clause, deck: Tally, answers: Answers) -> Group:
    """The single count of a clause that bounds all of its cards together."""
    zones = clause.selection.zones
    copies, uncertain = deck.copies_in(zones), deck.uncertain_in(zones)
    match clause.measure:
        case Sum():
            return _sum(clause.measure, copies, uncertain, zones, answers)
        case DifferentNames(having):
            return _names(having, copies, uncertain, answers)
        case _:
            return _total(copies, uncertain, zones, answers)


class _Counted(Struct, frozen=True):
    """A card that is or may be counted."""

    card: Card
    copies: int
    answer: Answer


def _counted(copies: Copies, answers: Answers) -> list[_Counted]:
    """The cards for which the answer isn't NO, with their copies and answers."""
    return [_Counted(card, number, answers[card]) for card, number in copies.items() if answers[card] != NO]


class _MayBe:
    """How many uncertain copies may be of a card."""

    def __init__(self, uncertain: list[UncertainEntry]) -> None:
        self._of_any = sum(entry.high for entry in uncertain if not entry.cards)
        self._by_card: dict[Card, float] = {}
        for entry in uncertain:
            for card in entry.cards:
                self._by_card[card] = self._by_card.get(card, 0) + entry.high

    def with_certain(self, card: Card, number: int) -> Interval:
        """The copies of a card, of which so many are certain."""
        return Interval(number, number + self._of_any + self._by_card.get(card, 0))


def _by_name(
    copies: Copies, uncertain: list[UncertainEntry], zones: Zones, answers: Answers
) -> Iterator[Group]:
    may_be = _MayBe(uncertain)
    for counted in _counted(copies, answers):
        copies_of_card = may_be.with_certain(counted.card, counted.copies)
        yield Group(copies_of_card, (counted.card,), counted.card, open=counted.answer == UNKNOWN)
    most_of_any, all_uncertain = max(copies.values(), default=0), sum(entry.high for entry in uncertain)
    together: dict[str, list[UncertainEntry]] = {}
    for number, entry in enumerate(uncertain):
        if entry.is_card and answers.of_entry(entry) == YES:
            # Entries without a name stay apart.
            together.setdefault(entry.name or f"\n{number}", []).append(entry)
    for same_name in together.values():
        # All copies under one name are of the same unknown card, which may have more copies under other names.
        first = same_name[0]
        low = sum(entry.low for entry in same_name if entry.surely_in(zones))
        most = max((copies.get(card, 0) for card in first.cards), default=most_of_any)
        yield Group(Interval(low, all_uncertain + most), first.cards, open=low == 0, name=first.name)


def _total(copies: Copies, uncertain: list[UncertainEntry], zones: Zones, answers: Answers) -> Group:
    """The number of copies."""
    low = high = 0.0
    cards: list[Card] = []
    if answers.predicate is None:
        low = high = sum(copies.values())
    else:
        for counted in _counted(copies, answers):
            cards.append(counted.card)
            high += counted.copies
            if counted.answer == YES:
                low += counted.copies
    for entry in uncertain:
        answer = answers.of_entry(entry)
        if answer == YES and entry.surely_in(zones):
            low += entry.low
        if answer != NO:
            high += entry.high
    return Group(Interval(low, high), tuple(cards))


def _sum(
    measure: Sum, copies: Copies, uncertain: list[UncertainEntry], zones: Zones, answers: Answers
) -> Group:
    """The sum of an attribute over the copies, or over the names, each of which counts once."""
    cards: list[Card] = []
    low = high = 0.0
    for counted in _counted(copies, answers):
        cards.append(counted.card)
        worth = worth_of(measure.attribute, (counted.card,))
        times = 1 if measure.once else counted.copies
        least, most = worth.low * times, worth.high * times
        if counted.answer == UNKNOWN:
            least, most = min(0, least), max(0, most)
        low += least
        high += most
    for entry in uncertain:
        answer = answers.of_entry(entry)
        if answer == NO:
            continue
        worth = worth_of(measure.attribute, entry.cards)
        most = min(entry.high, 1) if measure.once else entry.high
        # A name that counts once may also be on another line.
        is_sure = answer == YES and entry.surely_in(zones) and not measure.once
        least = entry.low if is_sure else 0
        low += _times(worth.low, least if worth.low > 0 else most)
        high += _times(worth.high, most if worth.high > 0 else least)
    return Group(interval(low, high), tuple(cards))


def worth_of(attribute: str, cards: Sequence[Card]) -> Interval:
    """The smallest and largest value that the number of one of the cards may have; without cards, that of any card."""
    facts = [card.facts.get(attribute) for card in cards]
    numbers = [fact for fact in facts if isinstance(fact, int | float)]
    if numbers and len(numbers) == len(facts):
        return Interval(min(numbers), max(numbers))
    # An unknown printed number is assumed to be at least zero.
    return Interval(min([0, *numbers]), INFINITY)


def _times(worth: float, copies: float) -> float:
    return worth * copies if worth and copies else 0


def _names(wanted: Range | None, copies: Copies, uncertain: list[UncertainEntry], answers: Answers) -> Group:
    """The number of names that have as many copies as wanted."""
    cards: list[Card] = []
    by_name: list[Answer] = []
    may_be = _MayBe(uncertain)
    for counted in _counted(copies, answers):
        has_copies = _within(may_be.with_certain(counted.card, counted.copies), wanted)
        by_name.append(min(counted.answer, has_copies))
        if by_name[-1] != NO:
            cards.append(counted.card)
    number = how_many(by_name)
    high = number.high
    # Lines of one known card add one name to the sure ones; lines that may not be cards, any number.
    more_cards: set[Card] = set()
    for entry in uncertain:
        if answers.of_entry(entry) == NO:
            continue
        if len(entry.cards) == 1:
            more_cards.add(entry.cards[0])
        else:
            high += 1 if entry.is_card else INFINITY
    high += len(more_cards - copies.keys())
    return Group(Interval(number.low, high), tuple(cards))


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
