"""The answers of predicates for cards and for rows of cards, as arrays."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import NamedTuple

import numpy as np

from deckcheck.bulk.columns import Array
from deckcheck.bulk.deck_arrays import Block, CardRows
from deckcheck.model import format as model
from deckcheck.model.card import Card
from deckcheck.model.format import Predicate, leaves, parts_of
from deckcheck.rules.counting import Zones, known_values, knows_all, worth_of
from deckcheck.rules.predicates import NO, UNKNOWN, YES, Binding, World, holds

_NOT_ASKED = 255
_MOST_VALUES = 63
_OTHERS = np.uint64(1 << 63)
"""The bit of cards that may have more values than are known."""
_ZONE_LEAVES = (model.Outside, model.Naming)


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
        self._attribute_cache: dict[str, _Attribute | None] = {}
        self._number_cache: dict[str, Array] = {}
        self._named_cache: dict[str, tuple[Array, Array, Array]] = {}

    def can_ask(self, predicate: Predicate | None) -> bool:
        """Whether the predicate can be answered as arrays."""
        if predicate is None or not asks_zones(predicate):
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
        found = self._number_cache.get(attribute)
        if found is None:
            ends = [worth_of(attribute, [card]) for card in self.cards]
            found = self._number_cache[attribute] = np.array(ends, float).reshape(-1, 2)
        return found[cards, 0], found[cards, 1]

    def possible(self, predicate: Predicate | None, block: Block, zones: Zones, each: str | None) -> CardRows:
        """The rows of zones for which the predicate may not answer NO."""
        rows = block.rows(zones)
        parts = predicate.parts if isinstance(predicate, model.All) else (predicate,)
        # The rest of a conjunction is evaluated for what its first part leaves.
        for part in sorted(parts, key=asks_zones):
            if not asks_zones(part):
                return rows.where(self.of_predicate(part, rows.card, each) != NO)
            if isinstance(part, model.Outside):
                own, there = (self.values(part.attribute, each, block) for each in (zones, (part.zone,)))
                has_others = (own.values & ~there.values != 0) | ~own.sure
                return rows.where(rows.by_row(has_others & there.held))
        return rows.all()

    def of_rows(self, predicate: Predicate | None, block: Block, rows: CardRows, each: str | None) -> Array:
        """The answers of a predicate for rows of a block."""
        if predicate is None or not asks_zones(predicate):
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

    def _attribute(self, attribute: str) -> _Attribute | None:
        if attribute not in self._attribute_cache:
            self._attribute_cache[attribute] = self._new_attribute(attribute)
        return self._attribute_cache[attribute]

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
        answers = self.of_cards(
            ("names", attribute), rows.card, lambda card: self._without_names(attribute, card)
        )
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

    def _without_names(self, attribute: str, card: Card) -> int:
        """The answers for cards that name none of the cards there."""
        return NO if knows_all(card, attribute) else UNKNOWN

    def _named(self, attribute: str) -> tuple[Array, Array, Array]:
        """The cards that each card names: their first indexes in the third array, and their numbers."""
        found = self._named_cache.get(attribute)
        if found is None:
            by_name: Mapping[str, int] = {card.name: number for number, card in enumerate(self.cards)}
            facts = (known_values(card, attribute) for card in self.cards)
            named = [[by_name[value] for value in fact if value in by_name] for fact in facts]
            number = np.array(list(map(len, named)), np.int64)
            flat = np.array([other for others in named for other in others], np.int64)
            found = self._named_cache[attribute] = (np.cumsum(number) - number, number, flat)
        return found


def asks_zones(predicate: Predicate | None) -> bool:
    """Whether the answer for a card depends on the other cards of its deck."""
    return any(isinstance(leaf, _ZONE_LEAVES) for leaf in leaves(predicate))
