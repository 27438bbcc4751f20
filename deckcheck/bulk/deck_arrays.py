"""Decks as arrays: the sorted rows of many decks, the contents of their zones, and their fingerprints."""

from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple, TypeVar, cast

import numpy as np
import pyarrow as pa

from deckcheck.bulk.batches import Array
from deckcheck.model.card import Card
from deckcheck.rules.counting import Zones
from deckcheck.support.hashes import canonical, message

_Made = TypeVar("_Made")

COPIES_BITS = 15
"""Decks with more copies of a card than fit into these bits are judged one by one."""

_USUAL = 4
"""Up to this number of copies, a card and its number are one text."""
_TEXTS = _USUAL + 1
_MOST = (1 << COPIES_BITS) - 1


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


class Block:
    """The cards of decks numbered from 0: a row for each deck, zone and card, sorted by them."""

    def __init__(
        self,
        size: int,
        zones: tuple[str, ...],
        card_bits: int,
        key: Array,
        copies: Array,
        groups: Groups | None = None,
    ) -> None:
        self.size = size
        self._zones = zones
        self._card_bits = card_bits
        self._zone_bits = len(zones).bit_length()
        self._deck_shift = self._zone_bits + card_bits
        self._key = key
        self.card: Array = key & ((1 << card_bits) - 1)
        self.copies = copies
        self.groups = self._grouped() if groups is None else groups
        self._cache: dict[object, object] = {}

    def _grouped(self) -> Groups:
        group = self._key >> self._card_bits
        start = _firsts(group)
        group, length = group[start], np.diff(start, append=len(group))
        return Groups(group >> self._zone_bits, group & ((1 << self._zone_bits) - 1), start, length)

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
            first = _firsts(key)
            key, copies = key[first], np.add.reduceat(copies, first)
        return cls(size, zones, card_bits, key, copies)

    def decks_with_many(self) -> Array:
        """The decks with more copies of a card in a zone than COPIES_BITS can hold."""
        return self._key[self.copies >> COPIES_BITS > 0] >> self._deck_shift

    def rows(self, zones: Zones) -> "Block":
        """The same decks with only their rows in the zones; None means all zones."""
        inside = self._inside(zones)
        return self if inside.all() else self.cached(("rows", zones), lambda: self._with_groups(inside))

    def _inside(self, zones: Zones) -> Array:
        """Whether each group is in the zones."""
        inside: Array = np.array([zones is None or zone in zones for zone in self._zones])[self.groups.zone]
        return inside

    def _with_groups(self, wanted: Array) -> "Block":
        deck, zone, _start, length = (each[wanted] for each in self.groups)
        rows = np.repeat(wanted, self.groups.length)
        groups = Groups(deck, zone, np.cumsum(length) - length, length)
        key, copies = self._key[rows], self.copies[rows]
        return Block(self.size, self._zones, self._card_bits, key, copies, groups)

    def where(self, wanted: Array) -> CardRows:
        """Some of the rows, selected by booleans."""
        rows = np.flatnonzero(wanted)
        return CardRows(self._key[rows] >> self._deck_shift, self.card[rows], self.copies[rows])

    def all(self) -> CardRows:
        """All rows."""
        return CardRows(self._key >> self._deck_shift, self.card, self.copies)

    def by_row(self, values: Array) -> Array:
        """For each row, the value of its deck."""
        return np.repeat(values[self.groups.deck], self.groups.length)

    def has_rows(self) -> Array:
        """Whether each deck has any rows."""
        found = np.zeros(self.size, bool)
        found[self.groups.deck] = True
        return found

    def summed(self, numbers: Array) -> Array:
        """The sum, for each deck, of numbers given for each row."""
        return np.bincount(self.groups.deck, self._reduced(np.add, numbers), self.size)

    def united(self, bits: Array) -> Array:
        """For each deck, the bits that any of its rows has; they are given for each row."""
        found = np.zeros(self.size, np.uint64)
        np.bitwise_or.at(found, self.groups.deck, self._reduced(np.bitwise_or, bits))
        return found

    def _reduced(self, function: np.ufunc, numbers: Array) -> Array:
        """Numbers for each row, reduced to one for each group."""
        start = self.groups.start
        reduced: Array = function.reduceat(numbers, start) if len(start) else numbers
        return reduced

    def total(self, zones: Zones) -> Array:
        """The number of copies in the zones of each deck."""
        sums = self.cached("sums", lambda: self._reduced(np.add, self.copies))
        return np.bincount(self.groups.deck, sums * self._inside(zones), self.size)

    def merged(self, zones: Zones) -> CardRows:
        """The cards in the zones: one row for each deck and card."""
        rows = self.rows(zones)
        return rows.cached("merged", lambda: rows._merged(None))

    def repeated(self, zones: Zones) -> CardRows:
        """The cards with several copies in the zones: one row for each deck and card."""
        rows = self.rows(zones)
        return rows.cached("repeated", lambda: rows._merged(rows.copies > 1))

    def _merged(self, wanted: Array | None) -> CardRows:
        """One row for each deck and card: those wanted, and those in several zones."""
        shared = self._in_several_zones()
        if not shared.any():
            return self.all() if wanted is None else self.where(wanted)
        deck, card, copies = self.where(shared)
        key = deck << self._card_bits | card
        order = np.argsort(key, kind="stable")
        first = _firsts(key[order])
        several = CardRows(deck[order[first]], card[order[first]], np.add.reduceat(copies[order], first))
        alone = self.where(~shared if wanted is None else wanted & ~shared)
        return CardRows(*map(np.concatenate, zip(alone, several, strict=True)))

    def _in_several_zones(self) -> Array:
        """For each row, whether its card is also in another zone of the deck."""
        groups, shared = self.groups, np.zeros(len(self._key), bool)
        sizes = np.bincount(groups.zone, groups.length, len(self._zones) + 1)
        present = [zone for zone in np.argsort(-sizes).tolist() if sizes[zone]]
        for place, zone in enumerate(present[1:], 1):
            rows = np.flatnonzero(np.repeat(groups.zone == zone, groups.length))
            for other in present[:place]:
                there = self._key[rows] + (other - zone << self._card_bits)
                at = np.minimum(np.searchsorted(self._key, there), len(self._key) - 1)
                found = self._key[at] == there
                shared[rows[found]] = shared[at[found]] = True
        return shared

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
        key = self._key[rows] + (moved << self._deck_shift)
        return Block(int(numbers[-1]) + 1, self._zones, self._card_bits, key, self.copies[rows])


def _firsts(values: Array) -> Array:
    """The first index of each value in a sorted array."""
    is_first = np.ones(len(values), bool)
    is_first[1:] = values[1:] != values[:-1]
    return np.flatnonzero(is_first)


class Fingerprints:
    """Fingerprints of decks of a game, as `model.finding.fingerprint`. `zones` and `cards` are in canonical order.

    The canonical JSON of a deck is composed of numbered texts: what is around the cards, numbers of copies, and for each card
    its name with 1 to 4 copies or none, as the first of its zone and after another.
    """

    def __init__(self, game: str, zones: tuple[str, ...], cards: tuple[Card, ...]) -> None:
        empty = message("deck", {"game": game, "cards": {}, "unknown": {}})
        head, end = empty.split(b"{}", 1)
        begins = [canonical(zone) + b":{" for zone in zones]
        self._around = [
            b"}}" + end,
            empty,
            *(head + b"{" + zone for zone in begins),
            *(b"}," + zone for zone in begins),
        ]
        self._zones = len(zones)
        self._first_card = len(self._around) + (1 << COPIES_BITS)
        self._cards = cards
        # Most texts are never used.
        self._text_cache = pa.array([], pa.large_binary())
        self._known = np.full(self._first_card + len(cards) * 2 * _TEXTS, -1, np.int32)

    def of(self, block: Block, wanted: Array) -> list[str | None]:
        """The fingerprints of the decks of a block; None for those that aren't wanted.

        Wanted decks must not have more copies of a card than COPIES_BITS can hold.
        """
        groups, copies = block.groups, block.copies
        many = np.flatnonzero(copies > _USUAL)
        codes = block.card * (2 * _TEXTS) + copies
        codes[many] -= copies[many]
        codes += self._first_card + _TEXTS
        codes[groups.start] -= _TEXTS
        is_first = np.diff(groups.deck, prepend=-1) > 0
        openings = 2 + groups.zone + np.where(is_first, 0, self._zones)
        lengths = np.bincount(groups.deck, weights=groups.length, minlength=block.size).astype(np.int64)
        # At the same place come the number of a row, the ends of decks, and the opening of a zone.
        places = np.concatenate([many + 1, np.cumsum(lengths), groups.start])
        others = np.concatenate([len(self._around) + (copies[many] & _MOST), lengths == 0, openings])
        codes = np.insert(codes, places, others)
        ends = np.flatnonzero(codes < 2)
        text = self._texts(codes)
        places = np.frombuffer(text.buffers()[1], np.int64)[np.append(0, ends + 1)].tolist()
        data = memoryview(text.buffers()[2])
        return [
            sha256(data[start:end]).hexdigest() if each else None
            for start, end, each in zip(places, places[1:], wanted.tolist(), strict=False)
        ]

    def _texts(self, codes: Array) -> pa.LargeBinaryArray:
        """The texts with these numbers."""
        known = self._known[codes]
        if len(known) and known.min() < 0:
            new = np.unique(codes[known < 0])
            self._known[new] = np.arange(len(new)) + len(self._text_cache)
            made = pa.array(map(self._text, new.tolist()), pa.large_binary())
            self._text_cache = pa.concat_arrays([self._text_cache, made])
            known = self._known[codes]
        return self._text_cache.take(pa.array(known))

    def _text(self, code: int) -> bytes:
        if code < len(self._around):
            return self._around[code]
        if code < self._first_card:
            return b"%d" % (code - len(self._around))
        place, copies = divmod(code - self._first_card, _TEXTS)
        number, is_behind = divmod(place, 2)
        return (
            b"," * is_behind
            + canonical(self._cards[number].name)
            + b":"
            + (b"%d" % copies if copies else b"")
        )
