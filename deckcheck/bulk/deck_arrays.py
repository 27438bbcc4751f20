"""Decks as arrays: the sorted rows of many decks, and the contents of their zones."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

import numpy as np

from deckcheck.bulk.columns import Array
from deckcheck.rules.counting import Zones

_Made = TypeVar("_Made")

COPIES_BITS = 15
"""Decks with more copies of a card than fit into these bits are judged one by one."""


class CardRows(NamedTuple):
    """Some rows of decks, in any order."""

    deck: Array
    card: Array
    copies: Array

    def take(self, rows: Array) -> "CardRows":
        """Some of the rows, selected by booleans or indexes."""
        return CardRows(self.deck[rows], self.card[rows], self.copies[rows])


class Groups(NamedTuple):
    """The rows of a block by deck and zone: the first row and the number of rows of each group. No group is empty."""

    deck: Array
    zone: Array
    start: Array
    length: Array


class ZoneRows:
    """The rows of some zones: one for each deck, zone and card.

    `card` and `copies` may have rows of other zones, too, which saves copying them; all methods leave these out.
    """

    def __init__(self, size: int, groups: Groups, inside: Array | None, card: Array, copies: Array) -> None:
        self._size = size
        self._groups = groups
        self._inside = inside
        self.card = card
        self.copies = copies

    def summed(self, numbers: Array) -> Array:
        """The sum, for each deck, of numbers given for each row."""
        groups = self._groups
        sums, deck = _reduced(np.add, numbers, groups), groups.deck
        if self._inside is not None:
            sums, deck = sums[self._inside], deck[self._inside]
        return np.bincount(deck, weights=sums, minlength=self._size)

    def united(self, bits: Array) -> Array:
        """For each deck, the bits that any of its rows has; they are given for each row."""
        groups, found = self._groups, np.zeros(self._size, np.uint64)
        each, deck = _reduced(np.bitwise_or, bits, groups), groups.deck
        if self._inside is not None:
            each, deck = each[self._inside], deck[self._inside]
        np.bitwise_or.at(found, deck, each)
        return found

    def has_rows(self) -> Array:
        """Whether each deck has any of the rows."""
        found = np.zeros(self._size, bool)
        deck = self._groups.deck
        found[deck if self._inside is None else deck[self._inside]] = True
        return found

    def where(self, wanted: Array) -> CardRows:
        """Some of the rows, selected by booleans."""
        rows = np.flatnonzero(wanted)
        group = np.searchsorted(self._groups.start, rows, "right") - 1
        if self._inside is not None:
            is_inside = self._inside[group]
            rows, group = rows[is_inside], group[is_inside]
        return CardRows(self._groups.deck[group], self.card[rows], self.copies[rows])

    def by_row(self, values: Array) -> Array:
        """For each row, the value of its deck."""
        return np.repeat(values[self._groups.deck], self._groups.length)

    def all(self) -> CardRows:
        """All rows."""
        rows = CardRows(np.repeat(self._groups.deck, self._groups.length), self.card, self.copies)
        return rows if self._inside is None else rows.take(np.repeat(self._inside, self._groups.length))


class Block:
    """The cards of decks numbered from 0: a row for each deck, zone and card, sorted by them."""

    def __init__(self, size: int, zones: tuple[str, ...], card_bits: int, key: Array, copies: Array) -> None:
        self.size = size
        self._zones = zones
        self._card_bits = card_bits
        self._zone_bits = len(zones).bit_length()
        self._key = key
        self.card: Array = key & ((1 << card_bits) - 1)
        self.copies = copies
        group = key >> card_bits
        start = np.flatnonzero(np.diff(group, prepend=-1))
        group = group[start]
        length = np.diff(start, append=len(key))
        self.groups = Groups(group >> self._zone_bits, group & ((1 << self._zone_bits) - 1), start, length)
        self._cache: dict[object, object] = {}

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
        """The block of rows in any order; copies of the same card in the same zone are added up."""
        card_bits = cards.bit_length()
        key = deck.astype(np.int64)
        for part, bits in ((zone, len(zones).bit_length()), (card, card_bits), (copies, COPIES_BITS)):
            key <<= bits
            key |= part
        # One sort of whole rows is faster than sorting their order.
        key.sort()
        copies = key & ((1 << COPIES_BITS) - 1)
        key >>= COPIES_BITS
        if (key[1:] == key[:-1]).any():
            first = np.flatnonzero(np.diff(key, prepend=-1))
            key, copies = key[first], np.add.reduceat(copies, first)
        return cls(size, zones, card_bits, key, copies)

    def decks_with_many(self) -> Array:
        """The decks with more copies of a card in a zone than COPIES_BITS can hold."""
        return self._key[self.copies >> COPIES_BITS > 0] >> self._card_bits + self._zone_bits

    def rows(self, zones: Zones) -> ZoneRows:
        """The rows of the zones; None means all zones."""
        return self.cached(("rows", zones), lambda: self._rows(zones))

    def _rows(self, zones: Zones) -> ZoneRows:
        groups, inside = self.groups, self._inside(zones)
        if inside is None or 2 * groups.length[inside].sum() > len(self._key):
            return ZoneRows(self.size, groups, inside, self.card, self.copies)
        rows = np.flatnonzero(np.repeat(inside, groups.length))
        length = groups.length[inside]
        own = Groups(groups.deck[inside], groups.zone[inside], np.cumsum(length) - length, length)
        return ZoneRows(self.size, own, None, self.card[rows], self.copies[rows])

    def _inside(self, zones: Zones) -> Array | None:
        """Whether each group is in the zones; None if all are."""
        if zones is None:
            return None
        wanted = np.array([zone in zones for zone in self._zones])
        inside: Array = wanted[self.groups.zone]
        return None if inside.all() else inside

    def merged(self, zones: Zones) -> CardRows:
        """The cards in the zones: one row for each deck and card."""
        return self.cached(("merged", zones), lambda: self._merged(zones, None))

    def repeated(self, zones: Zones) -> CardRows:
        """The cards with several copies in the zones: one row for each deck and card."""
        return self.cached(("repeated", zones), lambda: self._merged(zones, self.copies > 1))

    def _merged(self, zones: Zones, wanted: Array | None) -> CardRows:
        """One row for each deck and card in the zones: those wanted, and those in several of the zones."""
        rows = ZoneRows(self.size, self.groups, self._inside(zones), self.card, self.copies)
        shared = self._shared(zones)
        if not shared.any():
            return rows.all() if wanted is None else rows.where(wanted)
        alone = rows.where(~shared if wanted is None else wanted & ~shared)
        deck, card, copies = rows.where(shared)
        key = deck << self._card_bits | card
        order = np.argsort(key, kind="stable")
        first = np.flatnonzero(np.diff(key[order], prepend=-1))
        several = CardRows(deck[order[first]], card[order[first]], np.add.reduceat(copies[order], first))
        return CardRows(*map(np.concatenate, zip(alone, several, strict=True)))

    def _shared(self, zones: Zones) -> Array:
        """For each row, whether it is in the zones and its card is also in another one of them."""
        groups, inside = self.groups, self._inside(zones)
        weights = groups.length if inside is None else groups.length * inside
        sizes = np.bincount(groups.zone, weights=weights, minlength=len(self._zones) + 1)
        present = [zone for zone in np.argsort(-sizes).tolist() if sizes[zone]]
        shared = np.zeros(len(self._key), bool)
        for place, zone in enumerate(present[1:], 1):
            rows = np.flatnonzero(np.repeat(groups.zone == zone, groups.length))
            for other in present[:place]:
                there = self._key[rows] + (other - zone << self._card_bits)
                at = np.minimum(np.searchsorted(self._key, there), len(self._key) - 1)
                found = self._key[at] == there
                shared[rows[found]] = shared[at[found]] = True
        return shared

    def total(self, zones: Zones) -> Array:
        """The number of copies in the zones of each deck."""
        return self.cached(("total", zones), lambda: self._total(zones))

    def _total(self, zones: Zones) -> Array:
        groups, inside = self.groups, self._inside(zones)
        sums = self.cached("sums", lambda: _reduced(np.add, self.copies, groups))
        weights = sums if inside is None else sums * inside
        return np.bincount(groups.deck, weights=weights, minlength=self.size)

    def cached(self, key: object, make: Callable[[], _Made]) -> _Made:
        """The value cached under a key, made once."""
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = make()
        return cast(_Made, found)

    def part(self, wanted: Array) -> "Block":
        """Some of the decks, selected by booleans and renumbered."""
        return self.cached(wanted.tobytes(), lambda: self._part(wanted))

    def _part(self, wanted: Array) -> "Block":
        groups, numbers = self.groups, np.cumsum(wanted) - 1
        rows = np.flatnonzero(np.repeat(wanted[groups.deck], groups.length))
        moved = np.repeat(numbers[groups.deck] - groups.deck, groups.length)[rows]
        key = self._key[rows] + (moved << self._zone_bits + self._card_bits)
        return Block(int(numbers[-1]) + 1, self._zones, self._card_bits, key, self.copies[rows])


def _reduced(function: np.ufunc, numbers: Array, groups: Groups) -> Array:
    """Numbers for each row, reduced to one for each group."""
    reduced: Array = function.reduceat(numbers, groups.start) if len(groups.start) else numbers
    return reduced
