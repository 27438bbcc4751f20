"""Decks as arrays: the rows of many decks, sorted, and what their zones hold."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from deckcheck.bulk.rows import Array
from deckcheck.rules.counting import Zones

COPIES_BITS = 15
"""Decks with more copies of a card than fit are judged one by one."""


class Held(NamedTuple):
    """The cards of some zones: a row for each deck and card, sorted by both."""

    deck: Array
    card: Array
    copies: Array

    def take(self, rows: Array) -> "Held":
        """Some of the rows."""
        return Held(self.deck[rows], self.card[rows], self.copies[rows])


class Block:
    """The cards of decks numbered from 0: a row for each deck, card and zone, sorted by them."""

    def __init__(
        self, size: int, zones: tuple[str, ...], deck: Array, card: Array, zone: Array, copies: Array
    ) -> None:
        self.size = size
        self._zones = zones
        self._zone_numbers = {name: number for number, name in enumerate(zones)}
        self._rows = Held(deck, card, copies)
        self._zone = zone
        self._held_cache: dict[Zones, Held] = {}
        self._part_cache: dict[object, object] = {}

    @classmethod
    def of_rows(
        cls,
        size: int,
        zones: tuple[str, ...],
        cards: int,
        deck: Array,
        card: Array,
        zone: Array,
        copies: Array,
    ) -> "Block":
        """The block of rows in any order; those of the same card in the same zone are added."""
        zone_bits, card_bits = len(zones).bit_length(), cards.bit_length()
        key = deck.astype(np.int64)
        for part, bits in ((card, card_bits), (zone, zone_bits), (copies, COPIES_BITS)):
            key <<= bits
            key |= part
        # One sort of whole rows is faster than sorting their order.
        key.sort()
        copies = key & ((1 << COPIES_BITS) - 1)
        key >>= COPIES_BITS
        if (key[1:] == key[:-1]).any():
            first = np.flatnonzero(np.diff(key, prepend=-1))
            key, copies = key[first], np.add.reduceat(copies, first)
        zone = key & ((1 << zone_bits) - 1)
        key >>= zone_bits
        card = key & ((1 << card_bits) - 1)
        key >>= card_bits
        return cls(size, zones, key, card, zone, copies)

    def slices(self, most: int) -> "Iterator[tuple[int, Block]]":
        """Blocks of at most so many decks, each with the number of its first deck."""
        (deck, card, copies), zone = self._rows, self._zone
        starts = range(0, self.size, most)
        places = np.searchsorted(deck, [*starts, self.size]).tolist()
        for first, start, end in zip(starts, places, places[1:], strict=False):
            rows = slice(start, end)
            size = min(most, self.size - first)
            yield first, Block(size, self._zones, deck[rows] - first, card[rows], zone[rows], copies[rows])

    @property
    def rows(self) -> tuple[Held, Array]:
        """All rows, and their zones."""
        return self._rows, self._zone

    @property
    def decks_with_many(self) -> Array:
        """The decks with more copies of a card in a zone than COPIES_BITS hold."""
        return self._rows.deck[self._rows.copies >> COPIES_BITS > 0]

    def held(self, zones: Zones) -> Held:
        """The cards of the zones together; None means all zones."""
        found = self._held_cache.get(zones)
        if found is None:
            found = self._held_cache[zones] = self._held(zones)
        return found

    def _held(self, zones: Zones) -> Held:
        rows = self._rows
        if zones is not None:
            wanted = np.zeros(len(self._zone_numbers) + 1, bool)
            wanted[[self._zone_numbers[zone] for zone in zones if zone in self._zone_numbers]] = True
            inside = wanted[self._zone]
            if not inside.all():
                rows = rows.take(np.flatnonzero(inside))
            if len(zones) == 1:
                return rows
        deck, card, copies = rows
        same = (card[1:] == card[:-1]) & (deck[1:] == deck[:-1])
        if not same.any():
            return rows
        first = np.flatnonzero(np.concatenate(([True], ~same)))
        return Held(deck[first], card[first], np.add.reduceat(copies, first))

    def total(self, zones: Zones) -> Array:
        """The copies in the zones of each deck."""
        return self.cached(("total", zones), lambda: self.summed(self.held(zones), self.held(zones).copies))

    def summed(self, held: Held, numbers: Array) -> Array:
        """The sum of numbers, one for each row, by deck."""
        return np.bincount(held.deck, weights=numbers, minlength=self.size)

    def cached(self, key: object, make: Callable[[], Array]) -> Array:
        """An array that is made once."""
        found = self._part_cache.get(key)
        if found is None:
            found = self._part_cache[key] = make()
        assert isinstance(found, np.ndarray)
        return found

    def part(self, wanted: Array) -> "Block":
        """Some of the decks, given as booleans or as numbers in order; numbered anew."""
        chosen = np.zeros(self.size, bool)
        chosen[wanted] = True
        numbers = np.cumsum(chosen) - 1
        rows = np.flatnonzero(chosen[self._rows.deck])
        held = self._rows.take(rows)
        return Block(
            int(chosen.sum()), self._zones, numbers[held.deck], held.card, self._zone[rows], held.copies
        )
