"""What a deck breaks by the rules of a day, by how much, and how many copies a repair has to change for it."""

from collections.abc import Iterable
from math import ceil, inf

from msgspec import Struct

from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.card import Card
from deckcheck.model.format import EACH, Clause, Has, Linear, Naming, Outside, Rule, Selection, Source, leaves
from deckcheck.rules.clauses import Outcome, PreparedClause
from deckcheck.rules.counting import Tally
from deckcheck.rules.evaluator import evaluate
from deckcheck.rules.predicates import YES, Answer, Binding, World, holds

MOST_COPIES = 999
"""More copies than a repair ever moves."""

Zones = tuple[str, ...]
DeckCards = dict[str, dict[Card, int]]
"""The copies of each card, by zone; without zeros."""


class Count(Struct, frozen=True):
    """What a clause counts; `value` is that of its loop."""

    clause: Clause
    prepared: PreparedClause
    value: str | None = None

    def answer(self, card: Card, contents: Tally) -> Answer:
        """Whether the card is counted in a deck: NO, UNKNOWN or YES."""
        where = self.clause.selection.where
        if where is None:
            return YES
        return holds(
            where, card, self.prepared.world, Binding(self.value, self.prepared.zone_values(contents))
        )

    @property
    def is_size(self) -> bool:
        """Whether it counts all copies in its zones, whatever the deck."""
        clause = self.clause
        is_partial = clause.selection.where or clause.summed or clause.per or clause.sides
        return clause.counted == "copies" and not (is_partial or clause.when or clause.loop or clause.either)

    @property
    def is_firm(self) -> bool:
        """Whether it counts the same cards and has the same bounds in every deck."""
        clause = self.clause
        depends = clause.when or clause.loop or clause.either or clause.terms or zones_read(clause)
        return not (
            depends
            or any(isinstance(leaf, Has) and EACH in leaf.values for leaf in leaves(clause.selection.where))
        )


class Fault(Struct, frozen=True):
    """A broken bound: `surplus` copies or names too many, `shortage` too few; with both, either ends it.

    `cards` are those that are counted, `subject` the one that is at fault by itself. `parent` is the broken clause, of which
    the count may be an alternative. Two decks have the same fault if `bound` is equal.
    """

    parent: PreparedClause
    count: Count
    zones: Zones
    cards: tuple[Card, ...]
    surplus: int
    shortage: int
    subject: Card | None
    bound: tuple[object, ...]


class RulesOfDay:
    """The rules of severity error that a format has on a day, and that a deck has no cards in zones that the format lacks."""

    def __init__(
        self, format: LoadedFormat, as_of: str, best_of: int | None, deck_zones: Iterable[str]
    ) -> None:
        prepared = format.prepared(as_of, best_of)
        self.zones: Zones = tuple(format.format.zones)
        self.all_zones: Zones = tuple(dict.fromkeys((*self.zones, *deck_zones)))
        self._clauses = [clause for clause in prepared.clauses if clause.clause.severity == "error"]
        self._clauses += [_emptied(zone, prepared.world) for zone in self.all_zones if zone not in self.zones]
        self._assumed_absent = format.game_data.game.assumed_absent
        self._parents = {way: parent for parent in self._clauses for way in (parent, *parent.either)}
        """For each clause and each of its alternatives, the clause."""
        counts = [Count(clause.clause, clause) for clause in self._clauses]
        sizes = [count for count in counts if count.is_size]
        self._sizes = sorted(sizes, key=lambda size: len(self.zones_of(size.clause)))
        self.bans = [count for count in counts if count.clause.is_ban and count.is_firm]
        self.leading: dict[str, set[str]] = {}
        """The zones of leading cards, with the attributes that rules read there."""
        for clause in self._clauses:
            for attribute, zone in zones_read(clause.clause):
                self.leading.setdefault(zone, set()).add(attribute)

    def zones_of(self, clause: Clause) -> Zones:
        """The zones in which a clause counts."""
        return clause.selection.zones or self.all_zones

    def faults(self, contents: Tally) -> list[Fault]:
        """Everything that has to change for the deck to be legal."""
        outcomes, _assumptions = evaluate(self._clauses, contents, self._assumed_absent)
        return [self._fault(outcome, contents) for outcome in outcomes]

    def alternatives(self, fault: Fault, contents: Tally) -> list[Fault]:
        """The ways to end a fault: the fault of each alternative of its clause, or else itself."""
        ways = [outcome for way in fault.parent.either for outcome in way.outcomes(contents)]
        return [self._fault(outcome, contents) for outcome in ways] or [fault]

    def _fault(self, outcome: Outcome, contents: Tally) -> Fault:
        clause = outcome.clause
        surplus, shortage = _excess(outcome)
        count = Count(clause, outcome.prepared, outcome.label)
        cards = outcome.cards or tuple(contents.copies_in(self.zones_of(clause)))
        bound = (outcome.prepared, *outcome.about)
        parent = self._parents[outcome.prepared]
        return Fault(parent, count, self.zones_of(clause), cards, surplus, shortage, outcome.subject, bound)

    def estimate(self, faults: Iterable[Fault], contents: Tally) -> int:
        """The copies that will probably go out and come in until the deck is legal."""
        others = [fault for fault in faults if not fault.count.is_size]
        by_card: dict[Card, tuple[int, Zones]] = {}
        for fault in others:
            if fault.subject is not None:
                known = by_card.get(fault.subject, (0, ()))
                by_card[fault.subject] = max(known, (fault.surplus, fault.zones))
        leaving = [(zones, copies) for copies, zones in by_card.values()]
        coming = [(fault.zones, fault.shortage) for fault in others if fault.shortage]
        leaving += [
            (fault.zones, fault.surplus) for fault in others if fault.subject is None and not fault.shortage
        ]
        for size in self._sizes:
            zones = self.zones_of(size.clause)
            copies = sum(contents.copies_in(zones).values())
            copies -= sum(fewer for where, fewer in leaving if not {*where}.isdisjoint(zones))
            copies = max(copies, 0) + sum(more for where, more in coming if {*where} <= {*zones})
            low, high = _size_limits(size, contents, copies)
            coming.append((zones, max(low - copies, 0)))
            leaving.append((zones, max(copies - high, 0)))
        return sum(copies for _zones, copies in (*leaving, *coming))

    def least_changes(self, faults: Iterable[Fault], contents: Tally) -> int:
        """A number of changed copies below which no deck is legal: what zones together have to lose and to gain."""
        faults = list(faults)
        bounds = [min(len(faults), 1)]
        for zones in dict.fromkeys((self.all_zones, *(self.zones_of(size.clause) for size in self._sizes))):
            bounds.append(self._least_in(zones, faults, contents))
        return max(bounds)

    def _least_in(self, zones: Zones, faults: Iterable[Fault], contents: Tally) -> int:
        copies = contents.copies_in(zones)
        lost_by_card: dict[Card, int] = {}
        lost = gained = 0
        for fault in faults:
            count = fault.count
            if not count.is_firm or count.is_size or count.clause.having or fault.parent.clause.either:
                continue
            if fault.subject is not None and {*fault.zones} >= {*zones}:
                allowed = contents.copies_in(fault.zones)[fault.subject] - fault.surplus
                fewer = copies.get(fault.subject, 0) - allowed
                lost_by_card[fault.subject] = max(lost_by_card.get(fault.subject, 0), fewer)
            elif fault.subject is None and {*fault.zones} == {*zones}:
                # One card may be on several sides of combinations.
                most = 1 if count.clause.sides else MOST_COPIES
                lost, gained = max(lost, min(fault.surplus, most)), max(gained, min(fault.shortage, most))
        lost = max(lost, sum(lost_by_card.values()))
        low, high = self._firm_size(zones)
        after = sum(copies.values()) - lost + gained
        return lost + gained + int(max(low - after, after - high, 0))

    def _firm_size(self, zones: Zones) -> tuple[float, float]:
        """The least and the most copies that any legal deck has in just these zones together."""
        least, most = 0.0, inf
        for clause in (size.clause for size in self._sizes if {*self.zones_of(size.clause)} == {*zones}):
            if isinstance(clause.low, Linear) and all(term.times > 0 for term in clause.low.plus):
                least = max(least, clause.low.base)
            elif isinstance(clause.low, int):
                least = max(least, clause.low)
            if isinstance(clause.high, int):
                most = min(most, clause.high)
            if clause.one_of:
                least, most = max(least, min(clause.one_of)), min(most, max(clause.one_of))
        return least, most


def _emptied(zone: str, world: World) -> PreparedClause:
    """A clause by which a zone has no cards."""
    clause = Clause(Selection((zone,)), per="name", high=0)
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
        surplus = low - limits.high.high if outcome.state == "violated" else low - limits.high.low
    if outcome.clause.summed:
        # How much one card contributes differs.
        surplus, shortage = min(surplus, 1), min(shortage, 1)
    if shortage <= 0:
        surplus = max(surplus, 1)
    return ceil(min(max(surplus, 0), MOST_COPIES)), ceil(min(max(shortage, 0), MOST_COPIES))


def _size_limits(size: Count, contents: Tally, copies: int) -> tuple[int, int]:
    """The least and most copies that a size allows in this deck; `copies` chooses the nearest of several numbers."""
    limits = size.prepared.limits(contents)
    if limits.one_of:
        nearest = min(limits.one_of, key=lambda number: abs(number - copies))
        return nearest, nearest
    return int(limits.low.low) if limits.low else 0, int(limits.high.high) if limits.high else copies
