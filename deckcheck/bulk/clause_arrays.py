"""Predicates and clauses over many decks at once: the same answers as `rules.evaluator`, as arrays.

A third implementation of the format language, for decks with known cards, counts and zones; facts about cards may be
unknown. A deck is left to the evaluator if a clause can't be evaluated as arrays, or if several clauses
are open in a way that affects each other.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial, reduce
from itertools import chain
from typing import NamedTuple

import numpy as np

from deckcheck.bulk.batches import Array
from deckcheck.bulk.deck_arrays import Block, CardRows
from deckcheck.model import format as model
from deckcheck.model.card import Card
from deckcheck.model.format import NAMES, Bound, Clause, Predicate, parts_of, zones_needed
from deckcheck.rules.counting import Zones, known_values, knows_all, worth_of
from deckcheck.rules.evaluator import PreparedClause, absent_facts
from deckcheck.rules.predicates import NO, UNKNOWN, YES, Binding, World, holds, missing

Absent = Mapping[str, frozenset[str]]
"""For each attribute, the values that cards lack unless they are known to have them."""

_FEW = 0.25
"""Fewer than this share of the decks get their own block."""
_NOT_ASKED = 255
_MOST_VALUES = 63
_OTHERS = np.uint64(1 << 63)
"""The bit of cards that may have more values than are known."""


class DeckValues(NamedTuple):
    """The values of an attribute on the cards in some zones of each deck, one bit per value; see `ZoneValues`."""

    values: Array
    sure: Array
    """Whether all values of the cards are known."""
    held: Array
    """Whether there are any cards."""


class _Attribute(NamedTuple):
    """The values of an attribute by card, one bit per value; `_OTHERS` if there may be more."""

    names: tuple[str, ...]
    values: Array


class CardAnswers:
    """Answers of predicates for cards in one world, each evaluated once."""

    def __init__(self, cards: tuple[Card, ...], world: World) -> None:
        self.cards = cards
        self.world = world
        self._table_cache: dict[object, Array] = {}
        self._attribute = cache(self._new_attribute)
        self._worths = cache(self._new_worths)
        self._named = cache(self._new_named)

    def can_ask(self, predicate: Predicate | None) -> bool:
        """Whether the predicate can be answered as arrays."""
        if predicate is None or not zones_needed(predicate):
            return True
        if isinstance(predicate, model.AnyPart):
            return False
        if isinstance(predicate, model.Outside):
            return self.has_values(predicate.attribute)
        return all(map(self.can_ask, parts_of(predicate)))

    def has_values(self, attribute: str) -> bool:
        """Whether the attribute has few enough values for bits."""
        return self._attribute(attribute) is not None

    def of_cards(self, key: object, cards: Array, ask: Callable[[Card], int]) -> Array:
        """The answers of `ask` for each card of an array, cached under `key`."""
        table = self._table_cache.get(key)
        if table is None:
            table = self._table_cache[key] = np.full(len(self.cards), _NOT_ASKED, np.uint8)
        found: Array = table.take(cards)
        if found.size and found.max() == _NOT_ASKED:
            for card in np.unique(cards[found == _NOT_ASKED]).tolist():
                table[card] = ask(self.cards[card])
            found = table.take(cards)
        return found

    def of_predicate(self, predicate: Predicate | None, cards: Array, each: str | None) -> Array:
        """The answers of a predicate that doesn't depend on zones."""
        if predicate is None:
            return np.full(len(cards), YES, np.uint8)
        binding = Binding(each)
        # The predicate lives as long as its format.
        return self.of_cards(
            (id(predicate), each), cards, lambda card: holds(predicate, card, self.world, binding)
        )

    def numbers(self, attribute: str, cards: Array) -> tuple[Array, Array]:
        """The smallest and largest value that the number of each card may have."""
        found = self._worths(attribute)
        return found[cards, 0], found[cards, 1]

    def _new_worths(self, attribute: str) -> Array:
        ends = [worth_of(attribute, [card]) for card in self.cards]
        return np.array(ends, float).reshape(-1, 2)

    def possible(self, predicate: Predicate | None, block: Block, zones: Zones, each: str | None) -> CardRows:
        """The rows of zones for which the predicate may not answer NO."""
        rows = block.rows(zones)
        parts = predicate.parts if isinstance(predicate, model.All) else (predicate,)
        # The rest of a conjunction is evaluated for what its first part leaves.
        for part in sorted(parts, key=lambda part: bool(zones_needed(part))):
            if not zones_needed(part):
                return rows.where(self.of_predicate(part, rows.card, each) != NO)
            if isinstance(part, model.Outside):
                own, there = (self.values(part.attribute, each, block) for each in (zones, (part.zone,)))
                has_others = (own.values & ~there.values != 0) | ~own.sure
                return rows.where(rows.by_row(has_others & there.held))
        return rows.all()

    def of_rows(self, predicate: Predicate | None, block: Block, rows: CardRows, each: str | None) -> Array:
        """The answers of a predicate for rows of a block."""
        if predicate is None or not zones_needed(predicate):
            return self.of_predicate(predicate, rows.card, each)
        match predicate:
            case model.All(parts):
                return reduce(np.minimum, (self.of_rows(part, block, rows, each) for part in parts))
            case model.AnyOf(parts):
                return reduce(np.maximum, (self.of_rows(part, block, rows, each) for part in parts))
            case model.Not(part):
                opposite: Array = YES - self.of_rows(part, block, rows, each)
                return opposite
            case model.Outside(attribute, zone):
                return self._outside(attribute, zone, block, rows)
            case model.Naming(attribute, zone):
                return self._naming(attribute, zone, block, rows)
        raise TypeError(predicate)

    def _new_attribute(self, attribute: str) -> _Attribute | None:
        facts = [known_values(card, attribute) for card in self.cards]
        names = sorted(frozenset().union(*facts))
        if len(names) > _MOST_VALUES:
            return None
        bit = {name: 1 << at for at, name in enumerate(names)}
        bits = np.array([sum(map(bit.__getitem__, fact)) for fact in facts], np.uint64)
        bits[[not knows_all(card, attribute) for card in self.cards]] |= _OTHERS
        return _Attribute(tuple(names), bits)

    def values(self, attribute: str, zones: Zones, block: Block) -> DeckValues:
        """The values of an attribute on the cards in zones of each deck."""
        return block.cached(("values", attribute, zones), lambda: self._values(attribute, zones, block))

    def _values(self, attribute: str, zones: Zones, block: Block) -> DeckValues:
        found, rows = self._attribute(attribute), block.rows(zones)
        assert found is not None
        bits = rows.united(found.values.take(rows.card))
        return DeckValues(bits & ~_OTHERS, bits & _OTHERS == 0, rows.has_rows())

    def decks_with(self, attribute: str, zones: tuple[str, ...], block: Block) -> dict[str, Array]:
        """For each value, in order, whether a card in the zones of each deck has it."""
        found, held = self._attribute(attribute), self.values(attribute, zones, block)
        assert found is not None
        each = {
            name: (held.values >> np.uint64(at)) & np.uint64(1) > 0 for at, name in enumerate(found.names)
        }
        return {name: decks for name, decks in each.items() if decks.any()}

    def _outside(self, attribute: str, zone: str, block: Block, rows: CardRows) -> Array:
        found, there = self._attribute(attribute), self.values(attribute, (zone,), block)
        assert found is not None
        bits = found.values[rows.card]
        outside = (bits & ~(there.values[rows.deck] | _OTHERS)) != 0
        sure, whole = there.sure[rows.deck], bits & _OTHERS == 0
        answers = np.where(outside, np.where(sure, YES, UNKNOWN), np.where(whole, NO, UNKNOWN))
        # An empty zone limits nothing.
        answers[~there.held[rows.deck]] = NO
        return answers.astype(np.uint8)

    def _naming(self, attribute: str, zone: str, block: Block, rows: CardRows) -> Array:
        first, number, named = self._named(attribute)

        def unless_named(card: Card) -> int:
            return NO if knows_all(card, attribute) else UNKNOWN

        answers = self.of_cards(("names", attribute), rows.card, unless_named)
        others = block.rows((zone,))
        there = others.all()
        # Each row as often as its card names others.
        asking = np.flatnonzero(number[rows.card])
        times = number[rows.card[asking]]
        row = np.repeat(asking, times)
        within = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
        other = named[np.repeat(first[rows.card[asking]], times) + within]
        size = len(self.cards)
        is_there = np.isin(rows.deck[row] * size + other, there.deck * size + there.card)
        answers[row[is_there]] = YES
        # An empty zone limits nothing.
        answers[~others.has_rows()[rows.deck]] = NO
        return answers

    def _new_named(self, attribute: str) -> tuple[Array, Array, Array]:
        """The cards that each card names: their first indexes in the third array, and their numbers."""
        by_name: Mapping[str, int] = {card.name: number for number, card in enumerate(self.cards)}
        facts = (known_values(card, attribute) for card in self.cards)
        named = [[by_name[value] for value in fact if value in by_name] for fact in facts]
        number = np.array(list(map(len, named)), np.int64)
        return np.cumsum(number) - number, number, np.array([*chain(*named)], np.int64)


class ClauseResult(NamedTuple):
    """What a clause finds in each deck: whether it is violated, undecided, or only the evaluator can decide it.

    `over` and `open_over` have the decks and cards, as one number, of cards that surely or perhaps exceed the cap of
    the clause by themselves; other clauses may supersede these.
    """

    violated: Array
    open: Array
    for_evaluator: Array
    over: Array
    open_over: Array

    @classmethod
    def nothing(cls, size: int) -> "ClauseResult":
        """The result that finds nothing in `size` decks."""
        none = np.zeros(0, np.int64)
        return cls(np.zeros(size, bool), np.zeros(size, bool), np.zeros(size, bool), none, none)

    @property
    def flags(self) -> tuple[Array, Array, Array]:
        """The arrays with one value per deck."""
        return self.violated, self.open, self.for_evaluator

    def any_in(self, cards: int) -> Array:
        """Whether anything is found in each deck; `cards` is the number of cards in the game."""
        any_found: Array = self.violated | self.open | self.for_evaluator
        any_found[self.over // cards] = True
        any_found[self.open_over // cards] = True
        return any_found


class _Count(NamedTuple):
    """The smallest and largest possible value of each count."""

    low: Array | float
    high: Array | float


class _Limits(NamedTuple):
    low: _Count | None
    high: _Count | None
    one_of: tuple[int, ...] | None


class ClauseArrays:
    """A clause of a format on a day, to be evaluated on blocks of decks."""

    def __init__(self, prepared: PreparedClause, cards: CardAnswers, assumed_absent: Absent) -> None:
        self.prepared = prepared
        self.clause = prepared.clause
        self._cards = cards
        # Alternatives assume nothing.
        self._ways = [ClauseArrays(way, cards, {}) for way in prepared.either]
        self._sides = [[answers.predicate for answers in sides] for sides, _ in prepared.combinations]
        clause, loop = self.clause, self.clause.loop
        self.by_name = (clause.per is not None or clause.is_ban) and clause.sides is None and not self._ways
        counts = [clause, *(term.clause for term in clause.terms)]
        guard = clause.condition
        if guard is not None:
            counts += [guard, *(term.clause for term in guard.terms)]
        predicates: list[Predicate | None] = [count.selection.where for count in counts]
        self.is_evaluable: bool = (
            all(map(cards.can_ask, predicates))
            and all(cards.can_ask(side) for sides in self._sides for side in sides)
            and all(way.is_evaluable for way in self._ways)
            and (
                loop is None
                or not loop.zones
                or (loop.attribute != NAMES and cards.has_values(loop.attribute))
            )
        )
        self._is_plain = (
            self.by_name
            and loop is None
            and clause.when is None
            and not clause.terms
            and not zones_needed(clause.selection.where)
        )
        self.is_plain_ban = self._is_plain and clause.is_ban
        self._absent = absent_facts(clause, assumed_absent)
        self._assuming = prepared.assuming(self._absent).world if self._absent else prepared.world
        self.is_capped = (
            self.by_name and isinstance(clause.high, int) and not (loop is not None and loop.some)
        )
        """Whether `over` has every outcome about a single card that exceeds the cap."""

    def find(self, block: Block) -> ClauseResult:
        """What the clause finds in the decks of a block."""
        if not self.is_evaluable:
            return ClauseResult.nothing(block.size)._replace(for_evaluator=np.ones(block.size, bool))
        guard = self.clause.condition
        if guard is None:
            return self._try(block)
        violated, kept = _judged(self._measured(guard, block, None), self._limits(guard, block, None))
        found = self._in_part(block, ~violated, self._try)
        doubted = ~violated & ~kept
        if doubted.any():
            # Everything found there is open.
            is_found = self._any_in(found) & doubted
            found.for_evaluator[is_found & (self.by_name | bool(self._absent))] = True
            found.open[is_found] = True
            found.violated[doubted] = False
        return found

    def _in_part(self, block: Block, wanted: Array, find: Callable[[Block], ClauseResult]) -> ClauseResult:
        """The result of `find` for some decks of a block."""
        numbers = np.flatnonzero(wanted)
        if len(numbers) == block.size:
            return find(block)
        if not len(numbers):
            return ClauseResult.nothing(block.size)
        size = len(self._cards.cards)
        if len(numbers) < _FEW * block.size:
            part, found = find(block.part(wanted)), ClauseResult.nothing(block.size)
            for whole, some in zip(found.flags, part.flags, strict=True):
                whole[numbers] = some
            over, open_over = (
                numbers[keys // size] * size + keys % size for keys in (part.over, part.open_over)
            )
            return found._replace(over=over, open_over=open_over)
        found = find(block)
        violated, opened, for_evaluator = (flag & wanted for flag in found.flags)
        over, open_over = (keys[wanted[keys // size]] for keys in (found.over, found.open_over))
        return ClauseResult(violated, opened, for_evaluator, over, open_over)

    def _any_in(self, found: ClauseResult) -> Array:
        return found.any_in(len(self._cards.cards))

    def _try(self, block: Block) -> ClauseResult:
        return self._try_either(block) if self._ways else self._try_bound(block)

    def _try_either(self, block: Block) -> ClauseResult:
        left, for_evaluator = np.ones(block.size, bool), np.zeros(block.size, bool)
        for way in self._ways:
            tried = way._in_part(block, left, way._try)
            for_evaluator |= self._is_open(block, tried)
            left &= self._any_in(tried)
        # Only the evaluator knows which open alternative is closest.
        return ClauseResult.nothing(block.size)._replace(
            violated=left & ~for_evaluator, for_evaluator=left & for_evaluator
        )

    def _is_open(self, block: Block, found: ClauseResult) -> Array:
        """Whether anything is open in each deck."""
        return self._any_in(
            ClauseResult.nothing(block.size)._replace(
                open=found.open | found.for_evaluator, open_over=found.open_over
            )
        )

    def _try_bound(self, block: Block) -> ClauseResult:
        loop = self.clause.loop
        if loop is None:
            return self._groups(block, None)
        everywhere = np.ones(block.size, bool)
        values = dict.fromkeys(loop.listed, everywhere)
        found, unsure = ClauseResult.nothing(block.size), np.zeros(block.size, bool)
        if loop.zones:
            values = self._cards.decks_with(loop.attribute, loop.zones, block)
            unsure = ~self._cards.values(loop.attribute, loop.zones, block).sure
        failing, asked = everywhere.copy(), np.zeros(block.size, bool)
        overs: tuple[list[Array], list[Array]] = ([found.over], [found.open_over])
        for value, wanted in values.items():
            # If one value is enough, the next is only tried on decks that failed all before.
            some = wanted & failing if loop.some else wanted
            tried = self._in_part(block, some, partial(self._groups, each=value))
            if loop.some:
                found.for_evaluator[:] |= self._is_open(block, tried)
                failing &= ~wanted | self._any_in(tried)
                asked |= wanted
            else:
                for whole, some in zip(found.flags, tried.flags, strict=True):
                    whole |= some
                for keys, some in zip(overs, (tried.over, tried.open_over), strict=True):
                    keys.append(some)
        if not loop.some:
            found.open[:] |= unsure
            over, open_over = (np.unique(np.concatenate(keys)) for keys in overs)
            return found._replace(over=over, open_over=open_over)
        failing &= asked
        for_evaluator = found.for_evaluator & failing & ~unsure
        return ClauseResult.nothing(block.size)._replace(
            violated=failing & ~for_evaluator & ~unsure, open=unsure, for_evaluator=for_evaluator
        )

    def _groups(self, block: Block, each: str | None) -> ClauseResult:
        clause = self.clause
        if clause.sides is not None:
            return self._by_sides(block)
        if self.by_name:
            return self._by_name(block, self._rows_by_name(block, each), each)
        violated, kept = _judged(self._measured(clause, block, each), self._limits(clause, block, each))
        opened = ~violated & ~kept
        if self._absent:
            # Only the evaluator knows which facts have to be assumed.
            return ClauseResult.nothing(block.size)._replace(violated=violated, for_evaluator=opened)
        return ClauseResult.nothing(block.size)._replace(violated=violated, open=opened)

    def _rows_by_name(self, block: Block, each: str | None) -> CardRows:
        """The rows of single cards that may break the clause."""
        clause, zones = self.clause, self.clause.selection.zones
        if clause.is_ban:
            return self._cards.possible(clause.selection.where, block, zones, each)
        low, high, one_of = self._limits(clause, block, each)
        if low is not None or one_of is not None or high is None:
            return block.merged(zones)
        rows = block.repeated(zones) if np.min(high.low, initial=1) >= 1 else block.merged(zones)
        most = high.low if isinstance(high.low, int | float) else high.low[rows.deck]
        return rows.take(np.flatnonzero(rows.copies > most))

    def _by_name(self, block: Block, rows: CardRows, each: str | None) -> ClauseResult:
        """The result for single cards of a block, given as its rows."""
        clause = self.clause
        low, high, one_of = self._limits(clause, block, each)
        answers = self._cards.of_rows(clause.selection.where, block, rows, each)
        copies = rows.copies.astype(float)
        by_row = _Limits(_by_row(low, rows.deck), _by_row(high, rows.deck), one_of)
        violated, kept = _judged(_Count(copies, copies), by_row)
        undecided = (answers != NO) & ~kept & ~(violated & (answers == YES))
        violated &= answers == YES
        found = ClauseResult.nothing(block.size)
        if undecided.any() and not self._is_plain and (clause.terms or self._absent or not clause.is_ban):
            found.for_evaluator[rows.deck[undecided]] = True
            undecided[:] = False
        elif undecided.any() and self._absent:
            undecided &= ~self._is_assumed(rows.card)
        over = copies > (clause.high if self.is_capped and isinstance(clause.high, int) else np.inf)
        found.violated[rows.deck[violated & ~over]] = True
        found.open[rows.deck[undecided & ~over]] = True
        keys = rows.deck * len(self._cards.cards) + rows.card
        return found._replace(over=keys[violated & over], open_over=keys[undecided & over])

    def _is_assumed(self, cards: Array) -> Array:
        """Whether the clause is open for each card because of a fact that may be assumed absent, which settles it."""
        where, cards_of = self.clause.selection.where, self._cards
        assert where is not None
        world, assuming, absent = cards_of.world, self._assuming, self._absent

        def ask(card: Card) -> int:
            is_missing = not missing(where, card, world).isdisjoint(absent)
            return YES if is_missing and holds(where, card, assuming) == NO else NO

        is_assumed: Array = cards_of.of_cards(("assumed", id(self)), cards, ask) == YES
        return is_assumed

    def find_among(self, block: Block, rows: CardRows) -> ClauseResult:
        """The result of a plain ban for rows of a block."""
        return self._by_name(block, rows, None)

    def _by_sides(self, block: Block) -> ClauseResult:
        clause, found = self.clause, ClauseResult.nothing(block.size)
        limits, rows = self._limits(clause, block, None), block.rows(clause.selection.zones).all()
        for sides in self._sides:
            low, high = np.zeros(block.size), np.zeros(block.size)
            for side in sides:
                answers = self._cards.of_rows(side, block, rows, None)
                for least, total in ((YES, low), (UNKNOWN, high)):
                    has_side = np.zeros(block.size, bool)
                    has_side[rows.deck[answers >= least]] = True
                    total += has_side
            violated, kept = _judged(_Count(low, high), limits)
            found.violated[:] |= violated
            found.open[:] |= ~violated & ~kept
        return found

    def _measured(self, clause: Clause, block: Block, each: str | None) -> _Count:
        """The single count of a clause in each deck."""
        where, zones = clause.selection.where, clause.selection.zones
        if where is None and clause.counted == "copies" and not clause.summed:
            total = block.total(zones)
            return _Count(total, total)
        counts_names = "names" in (clause.counted, clause.summed)
        if counts_names or zones_needed(where):
            some = block.merged(zones) if counts_names else block.rows(zones).all()
            card, copies = some.card, some.copies
            answers = self._cards.of_rows(where, block, some, each)
            summed: Callable[[Array], Array] = partial(_summed, block.size, some.deck)
        else:
            rows = block.rows(zones)
            card, copies, summed = rows.card, rows.copies, rows.summed
            answers = self._cards.of_predicate(where, card, each)
        if clause.counted == "names" and not clause.summed and clause.having is not None:
            most = np.inf if clause.having.high is None else clause.having.high
            answers = np.where((copies >= clause.having.low) & (copies <= most), answers, NO)
        times = np.ones(len(card)) if counts_names else copies
        if not clause.summed:
            low = summed(times * (answers == YES))
            unsure = answers == UNKNOWN
            return _Count(low, low + summed(times * unsure) if unsure.any() else low)
        least, most_worth = (worth * times for worth in self._cards.numbers(clause.counted, card))
        sure, maybe = answers == YES, answers == UNKNOWN
        lows = np.where(sure, least, np.where(maybe, np.minimum(least, 0), 0))
        highs = np.where(sure, most_worth, np.where(maybe, np.maximum(most_worth, 0), 0))
        return _interval(summed(lows), summed(highs))

    def _limits(self, clause: Clause, block: Block, each: str | None) -> _Limits:
        low, high = (self._bound(bound, block, each) for bound in (clause.low, clause.high))
        return _Limits(low, high, clause.one_of)

    def _bound(self, bound: Bound | None, block: Block, each: str | None) -> _Count | None:
        if bound is None or isinstance(bound, int):
            return None if bound is None else _Count(bound, bound)
        low = high = np.full(block.size, float(bound.base))
        for term in bound.plus:
            least, most = self._measured(term.clause, block, each)
            if term.step > 1:
                # Infinity has infinitely many steps.
                least, most = np.floor(least / term.step), np.floor(most / term.step)
            if term.times < 0:
                least, most = most, least
            low, high = low + term.times * least, high + term.times * most
        return _interval(low, high)


def _summed(size: int, deck: Array, numbers: Array) -> Array:
    """The sums of numbers by deck."""
    return np.bincount(deck, weights=numbers, minlength=size)


def _interval(low: Array, high: Array) -> _Count:
    """The interval between two ends; an end that is infinity minus infinity (NaN) may be anything."""
    return _Count(np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high))


def _by_row(bound: _Count | None, deck: Array) -> _Count | None:
    if bound is None or not isinstance(bound.low, np.ndarray) or not isinstance(bound.high, np.ndarray):
        return bound
    return _Count(bound.low[deck], bound.high[deck])


def _judged(count: _Count, limits: _Limits) -> tuple[Array, Array]:
    """Whether no possible count is within the limits, and whether all are."""
    least, most = np.asarray(count.low), np.asarray(count.high)
    violated, kept = np.zeros(least.shape, bool), np.ones(least.shape, bool)
    if limits.one_of is not None:
        within = sum(((least <= number) & (number <= most)).astype(np.int64) for number in {*limits.one_of})
        violated |= within == 0
        kept &= within == most - least + 1
    if limits.low is not None:
        violated |= most < limits.low.low
        kept &= least >= limits.low.high
    if limits.high is not None:
        violated |= least > limits.high.high
        kept &= most <= limits.high.low
    return violated, kept & ~violated


def superseding(clauses: Sequence[ClauseArrays]) -> list[list[int]]:
    """For each clause, those whose outcomes about a card supersede its own: see `one_per_cause`."""
    return [
        [at for at, other in enumerate(clauses) if _supersedes(at, other, place, clause)]
        for place, clause in enumerate(clauses)
    ]


def _supersedes(at: int, first: ClauseArrays, place: int, second: ClauseArrays) -> bool:
    if at == place or not (first.by_name and second.by_name) or second.clause.is_ban:
        return False
    a, b = first.clause.selection.zones, second.clause.selection.zones
    covers = a is None or (not first.clause.is_ban and b is not None and set(b) <= set(a))
    caps = (first.clause.high, second.clause.high)
    if isinstance(caps[0], int) and isinstance(caps[1], int):
        return covers and (caps[0], at) < (caps[1], place)
    # A cap that grows may be stricter.
    return covers and None not in caps
