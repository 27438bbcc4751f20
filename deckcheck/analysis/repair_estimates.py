"""What a deck breaks by the rules of a day, by how much, and what has to come or go for it."""

from collections.abc import Iterable, Iterator
from math import ceil, inf

from msgspec import Struct

from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.card import Card
from deckcheck.model.finding import State
from deckcheck.model.format import (
    EACH,
    All,
    AllCopies,
    AnyOf,
    Clause,
    CopiesOfEach,
    DifferentNames,
    Has,
    Linear,
    Naming,
    Outside,
    Predicate,
    Rule,
    Selection,
    Severity,
    Source,
    Sum,
    leaves,
)
from deckcheck.rules.clauses import Outcome, PreparedClause
from deckcheck.rules.counting import Tally
from deckcheck.rules.evaluator import evaluate
from deckcheck.rules.predicates import NO, YES, Answer, Binding, World, holds

MOST_COPIES = 999
"""More copies than a repair ever moves."""

Zones = tuple[str, ...]
DeckCards = dict[str, dict[Card, int]]
"""The copies of each card, by zone; without zeros."""


class Count(Struct, frozen=True):
    """What a clause counts in its zones; `value` is that of its loop."""

    clause: Clause
    prepared: PreparedClause
    zones: Zones
    value: str | None = None

    def answer(self, card: Card, contents: Tally) -> Answer:
        """Whether the card is counted in a deck: NO, UNKNOWN or YES."""
        where = self.clause.selection.where
        if where is None:
            return YES
        binding = Binding(self.value, self.prepared.zone_values(contents))
        return holds(where, card, self.prepared.world, binding)

    def missing(self, copies: int) -> int:
        """How many more copies a name needs to be counted."""
        measure = self.clause.measure
        having = measure.having if isinstance(measure, DifferentNames) else None
        return max((having.low if having else 1) - copies, 0)

    @property
    def where(self) -> Predicate | None:
        """The condition of counted cards, with the value of the loop."""
        return _bound_to(self.clause.selection.where, self.value)

    @property
    def is_of_names(self) -> bool:
        """Whether it counts names rather than copies."""
        return isinstance(self.clause.measure, DifferentNames)

    @property
    def is_size(self) -> bool:
        """Whether it counts all copies in its zones, whatever the deck."""
        clause = self.clause
        is_of_all = isinstance(clause.measure, AllCopies) and clause.selection.where is None
        return is_of_all and not (clause.when or clause.loop or clause.either)

    @property
    def is_firm(self) -> bool:
        """Whether it counts the same cards and has the same bounds in every deck."""
        clause = self.clause
        return not (clause.when or clause.loop or clause.either or clause.terms or zones_read(clause))


class Fault(Struct, frozen=True):
    """A count that is wrong: `surplus` copies or names too many, `shortage` too few; with both, either ends it.

    `cards` are those that are counted, `subject` the one that is at fault by itself. `rule` is the clause in force, of which
    the count may be an alternative. Two decks have the same fault if `bound` is equal.
    """

    rule: PreparedClause
    count: Count
    cards: tuple[Card, ...] = ()
    surplus: int = 0
    shortage: int = 0
    subject: Card | None = None
    bound: tuple[object, ...] = ()


class RulesOfDay:
    """The rules of severity error that a format has on a day, and that a deck has no cards in zones that the format lacks."""

    def __init__(
        self, format: LoadedFormat, as_of: str, best_of: int | None, deck_zones: Iterable[str]
    ) -> None:
        prepared = format.prepared(as_of, best_of)
        self.zones: Zones = tuple(format.format.zones)
        self.all_zones: Zones = tuple(dict.fromkeys((*self.zones, *deck_zones)))
        self._clauses = [clause for clause in prepared.clauses if clause.clause.severity == Severity.ERROR]
        self._clauses += [_emptied(zone, prepared.world) for zone in self.all_zones if zone not in self.zones]
        self._assumed_absent = format.game_data.game.assumed_absent
        counts = [self._count(clause.clause, clause) for clause in self._clauses]
        self._sizes = sorted((count for count in counts if count.is_size), key=lambda size: len(size.zones))
        self._bans = [count for count in counts if count.clause.is_ban and count.is_firm]
        self.leading: dict[str, set[str]] = {}
        """The zones of leading cards, with the attributes that rules read there."""
        for clause in self._clauses:
            for attribute, zone in zones_read(clause.clause):
                self.leading.setdefault(zone, set()).add(attribute)

    def _count(self, clause: Clause, prepared: PreparedClause, value: str | None = None) -> Count:
        return Count(clause, prepared, clause.selection.zones or self.all_zones, value)

    def is_forbidden(self, card: Card, zone: str) -> bool:
        """Whether a ban applies to a card in a zone by itself."""
        empty = Tally({})
        return any(zone in ban.zones and ban.answer(card, empty) != NO for ban in self._bans)

    def faults(self, contents: Tally) -> list[Fault]:
        """Everything that has to change for the deck to be legal."""
        faults = []
        for clause in self._clauses:
            outcomes, _assumptions = evaluate([clause], contents, self._assumed_absent)
            faults += [self._fault(outcome, clause, contents) for outcome in outcomes]
        return faults

    def _fault(self, outcome: Outcome, rule: PreparedClause, contents: Tally) -> Fault:
        surplus, shortage = _excess(outcome)
        count = self._count(outcome.clause, outcome.prepared, outcome.label)
        cards = outcome.cards or tuple(contents.copies_in(count.zones))
        bound = (outcome.prepared, *outcome.about)
        return Fault(rule, count, cards, surplus, shortage, outcome.subject, bound)

    def ways_out(self, fault: Fault, contents: Tally) -> Iterator[Fault]:
        """Yields what could end a fault if it were put right: itself or its alternatives, their bounds, its condition."""
        rule = fault.rule
        outcomes = [outcome for way in rule.either for outcome in way.outcomes(contents)]
        for way in [self._fault(outcome, rule, contents) for outcome in outcomes] or [fault]:
            yield way
            if way.surplus:
                yield from self._other_bounds(way, way.count.clause.high, 1, contents)
            if way.shortage:
                yield from self._other_bounds(way, way.count.clause.low, -1, contents)
        others = [] if rule.clause.condition is None else [rule.clause.condition]
        others += [Clause(Selection((zone,))) for _attribute, zone in zones_read(rule.clause)]
        for other in dict.fromkeys(others):
            yield self._surplus(self._count(other, rule), MOST_COPIES, contents)

    def _other_bounds(
        self, fault: Fault, bound: int | Linear | None, direction: int, contents: Tally
    ) -> Iterator[Fault]:
        """Yields what raises (direction 1) or lowers (-1) a bound that depends on other cards."""
        for term in bound.plus if isinstance(bound, Linear) else ():
            number = ceil(max(fault.surplus, fault.shortage) * term.step / abs(term.times))
            count = self._count(term.clause, fault.count.prepared, fault.count.value)
            if term.times * direction > 0:
                yield Fault(fault.rule, count, shortage=number)
            else:
                yield self._surplus(count, number, contents)

    def _surplus(self, count: Count, number: int, contents: Tally) -> Fault:
        """A number of copies too many of all counted cards of a deck."""
        held = contents.copies_in(count.zones)
        counted = tuple(card for card in held if count.answer(card, contents) == YES)
        return Fault(count.prepared, count, counted, number)

    def estimate(self, faults: Iterable[Fault], contents: Tally) -> int:
        """The copies that will probably go out and come in until the deck is legal."""
        changes = [fault for fault in faults if not fault.count.is_size]
        for size in self._sizes:
            copies = sum(contents.copies_in(size.zones).values())
            for fault in changes:
                if fault.shortage:
                    copies += fault.shortage if {*fault.count.zones} <= {*size.zones} else 0
                elif not {*fault.count.zones}.isdisjoint(size.zones):
                    copies -= fault.surplus
            changes.append(_from_size(size, contents, max(copies, 0)))
        return sum(fault.shortage or fault.surplus for fault in changes)

    def least_changes(self, faults: Iterable[Fault], contents: Tally) -> int:
        """A number of changed copies below which no deck is legal."""
        faults = list(faults)
        together = dict.fromkeys((self.all_zones, *(size.zones for size in self._sizes)))
        return max(min(len(faults), 1), *(self._least_in(zones, faults, contents) for zones in together))

    def _least_in(self, zones: Zones, faults: Iterable[Fault], contents: Tally) -> int:
        """The copies that have to leave these zones together because of their cards, and to come or go because of sizes."""
        copies = contents.copies_in(zones)
        lost: dict[Card, int] = {}
        for fault in faults:
            count, card = fault.count, fault.subject
            is_firm = count.is_firm and count.clause is fault.rule.clause
            if card is not None and is_firm and {*count.zones} >= {*zones}:
                allowed = contents.copies_in(count.zones)[card] - fault.surplus
                lost[card] = max(lost.get(card, 0), copies.get(card, 0) - allowed)
        out, further = sum(lost.values()), 0
        for size in (size for size in self._sizes if {*size.zones} == {*zones}):
            # Of bounds with terms, only those are known that grow: they are at least as high as without other cards.
            terms, way = size.clause.terms, _from_size(size, Tally({}), sum(copies.values()) - out)
            if all(term.times > 0 for term in terms):
                further = max(further, way.shortage, 0 if terms else way.surplus)
        return out + further


def _emptied(zone: str, world: World) -> PreparedClause:
    """A clause by which a zone has no cards."""
    clause = Clause(Selection((zone,)), measure=CopiesOfEach(), high=0)
    return PreparedClause(Rule(zone, (clause,), Source("", 1)), clause, (), world)


def zones_read(clause: Clause) -> list[tuple[str, str]]:
    """The (attribute, zone) pairs of the leading cards on which a clause depends."""
    pairs = [
        (leaf.attribute, leaf.zone)
        for leaf in leaves(clause.selection.where)
        if isinstance(leaf, Outside | Naming)
    ]
    if clause.loop is not None:
        pairs += [(clause.loop.attribute, zone) for zone in clause.loop.zones]
    for way in clause.either:
        pairs += zones_read(way)
    return pairs


def _excess(outcome: Outcome) -> tuple[int, int]:
    """The surplus and the shortage of an outcome, of which one is positive."""
    low, limits = outcome.number.low, outcome.limits
    surplus = shortage = 0.0
    if limits.one_of is not None:
        surplus = min((low - number for number in limits.one_of if number < low), default=0)
        shortage = min((number - low for number in limits.one_of if number > low), default=0)
    elif limits.low is not None and low < limits.low.high:
        shortage = limits.low.high - low
    elif limits.high is not None:
        surplus = low - limits.high.high if outcome.state == State.VIOLATED else low - limits.high.low
    if isinstance(outcome.clause.measure, Sum):
        # How much one card contributes differs.
        surplus, shortage = min(surplus, 1), min(shortage, 1)
    if shortage <= 0:
        surplus = max(surplus, 1)
    return ceil(min(max(surplus, 0), MOST_COPIES)), ceil(min(max(shortage, 0), MOST_COPIES))


def _from_size(size: Count, contents: Tally, copies: int) -> Fault:
    """How many copies are too many or too few by a size, if a deck had so many in its zones."""
    limits = size.prepared.limits(contents)
    low = limits.low.low if limits.low else 0
    high = limits.high.high if limits.high else inf
    if limits.one_of:
        low = high = min(limits.one_of, key=lambda number: abs(number - copies))
    surplus, shortage = max(copies - high, 0), max(low - copies, 0)
    return Fault(size.prepared, size, surplus=int(surplus), shortage=int(shortage))


def _bound_to(where: Predicate | None, value: str | None) -> Predicate | None:
    """A condition with the value of a loop in place of the placeholder."""
    if isinstance(where, Has) and EACH in where.values and value is not None:
        return Has(where.attribute, frozenset([value]))
    if isinstance(where, All | AnyOf):
        parts = tuple(part for old in where.parts if (part := _bound_to(old, value)) is not None)
        return type(where)(parts)
    return where
