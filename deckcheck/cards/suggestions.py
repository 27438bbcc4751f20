"""Suggests names that are similar to an unknown one.

A compiled table stores for each pair of neighbouring letters which keys have it, and for each binary digit of a length
which keys have such a length: one bit per key.
Numbers with as many bits count the pairs that each key shares with a name, for all keys at once; only the best keys
are compared as a whole. Suggestions are for people and never affect a verdict.
"""

import re
import zlib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache, partial, reduce
from operator import or_

from deckcheck.cards.database import Table, numbers_in
from deckcheck.model.card import Card, Catalog
from deckcheck.support.errors import suggest

_PAIRS, _DIGITS = 2048, 6
"""The numbers of rows for pairs of letters (by checksum), and for the binary digits of lengths."""
_LONGEST = (1 << _DIGITS) - 1
"""The length that longer keys count as."""

_ENDS = "\n"
"""Added before the first and after the last letter."""

MOST_IN_LIST, MOST_IN_EVENT = 20, 1000
"""The most unknown names for which suggestions are made: each takes a search of some milliseconds in all names."""
_MOST_CACHED = 10_000
_MOST, _COMPARED = 5, 60
_SHORTEST_PART = 3
_NEAR, _NEAR_PART = 60, 79
"""The percentage of a name that must agree with a suggested name or a part of it."""
_SHARED, _SHARED_OF_PART = 0.3, 0.6
"""The share of its pairs that a name must have in common with a similar one, or one of which it is a part."""


def likeness_rows(keys: Sequence[str]) -> list[bytes]:
    """The rows for keys in the order of the table; an empty one is never suggested."""
    size, row_of = len(keys) // 8 + 1, cache(_row_of)
    rows: dict[int, bytearray] = defaultdict(lambda: bytearray(size))
    for place, key in enumerate(keys):
        if key:
            byte, bit = place >> 3, 1 << (place & 7)
            length = min(len(key), _LONGEST)
            digits = (_PAIRS + digit for digit in range(_DIGITS) if length >> digit & 1)
            for row in (*map(row_of, _pairs(key)), *digits):
                rows[row][byte] |= bit
    return [zlib.compress(rows[row]) if row in rows else b"" for row in range(_PAIRS + _DIGITS)]


def _pairs(key: str) -> set[str]:
    text = f"{_ENDS}{key}{_ENDS}"
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _row_of(pair: str) -> int:
    return zlib.crc32(pair.encode("utf-8", "replace")) % _PAIRS


class Suggester:
    """The suggestions of a table, or of one over another, which replaces some cards and keys of that."""

    def __init__(self, below: Table, above: Table | None, replaced: Container[int]) -> None:
        self._below, self._above, self._replaced = below, above, replaced
        self._likeness = [_Likeness(table) for table in (above, below) if table is not None]

    def suggest(self, key: str) -> list[str]:
        """At most five names of cards: those that end with the word `key`, then those with a name like it."""
        if key.isdecimal():
            # Numbers that are alike mean cards that aren't.
            return []
        found = dict.fromkeys(self._named(self._tails(key)))
        if len(found) < _MOST:
            near = {
                line.partition("\t")[0]: line for each in self._likeness for line in self._near(each, key)
            }
            for like in filter(partial(_is_near, key), suggest(key, list(near), most=3 * _MOST)):
                found |= dict.fromkeys(self._named(numbers_in(near[like]).named))
        return list(found)[:_MOST]

    def _tails(self, key: str) -> Iterator[int]:
        for table in filter(None, (self._below, self._above)):
            numbers = numbers_in(table.line("tails", key)).names
            yield from (number for number in numbers if number not in self._replaced)

    def _near(self, likeness: "_Likeness", key: str) -> Iterator[str]:
        hidden = self._above if likeness.table is self._below else None
        for line in map(likeness.table.key_line, likeness.near(key)):
            if hidden is None or hidden.line("keys", line.partition("\t")[0]) is None:
                yield line

    def _named(self, numbers: Iterable[int]) -> Iterator[str]:
        for number in numbers:
            is_below = number < self._below.count
            table = self._below if is_below or self._above is None else self._above
            yield table.card_name(number if is_below else number - self._below.count)


def _is_near(key: str, like: str) -> bool:
    """Whether they are similar as a whole, `like` is a part of `key`, or `key` (with typing errors) one of `like`."""
    from rapidfuzz import fuzz

    if fuzz.ratio(key, like) >= _NEAR or (len(like) >= _SHORTEST_PART and like in key):
        return True
    return len(key) <= len(like) and fuzz.partial_ratio(key, like) >= _NEAR_PART


class _Likeness:
    """The keys of a table that share the most pairs of letters with a name."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._bits: dict[int, int] = {}
        self._lengths: dict[tuple[int, int], int] = {}

    def near(self, key: str) -> list[int]:
        """The indexes of the keys that may be similar to `key`."""
        size, pairs = len(key), _pairs(key[: 2 * _LONGEST])
        shared = _Counter(self._row(row) for row in sorted(set(map(_row_of, pairs))))
        found: dict[int, None] = {}

        def add(sizes: Sequence[int], least: float) -> None:
            found.update(dict.fromkeys(self._most(shared, sizes, len(pairs), max(round(least), 1))))

        alike = sorted(range(int(0.53 * size), int(1.9 * size) + 1), key=lambda other: abs(other - size))
        add([other for other in alike if 0.8 * size <= other <= 1.25 * size], _SHARED * size)
        add(alike, _SHARED * size)
        # The name is a part of the others, or each of them is a part of the name.
        add(range(int(1.5 * size), min(8 * size, _LONGEST) + 1), _SHARED_OF_PART * size)
        for other in range(int(size / 1.5), max(size // 8, _SHORTEST_PART - 1), -1):
            add([other], 1.25 * _SHARED_OF_PART * other)
        return list(found)

    def _most(self, shared: "_Counter", sizes: Sequence[int], most: int, least: int) -> Iterator[int]:
        """Yields the indexes of the keys of these sizes that share the most, those of the first sizes first."""
        by_size = [self._of_length(size) for size in dict.fromkeys(min(size, _LONGEST) for size in sizes)]
        among = 0
        for bits in by_size:
            among |= bits
        left = _COMPARED
        for count in range(min(most, max(sizes, default=0) + 1), least - 1, -1):
            found = shared.at_least(count, among)
            if not found:
                continue
            among ^= found
            if found.bit_count() > left:
                found, every = 0, found
                for bits in by_size:
                    found |= every & bits
                    if found.bit_count() >= left:
                        break
            left -= found.bit_count()
            yield from _places(found)
            if left <= 0:
                return

    def _of_length(self, length: int, digit: int = 0) -> int:
        """The keys whose length has the same binary digits as this one, from `digit` on."""
        bits = self._lengths.get((digit, length >> digit))
        if bits is None:
            if digit == _DIGITS:
                # No key is empty, so the length of each has some digit.
                bits = reduce(or_, (self._row(_PAIRS + each) for each in range(_DIGITS)))
            else:
                bits = self._of_length(length, digit + 1)
                with_it = bits & self._row(_PAIRS + digit)
                bits = with_it if length >> digit & 1 else bits ^ with_it
            self._lengths[digit, length >> digit] = bits
        return bits

    def _row(self, row: int) -> int:
        bits = self._bits.get(row)
        if bits is None:
            (packed,) = self.table.rows("likeness", row)
            bits = self._bits[row] = int.from_bytes(zlib.decompress(packed), "little") if packed else 0
        return bits


class _Counter:
    """Counts the sets that contain each index, for all at once: the n-th number has the n-th bit of each count."""

    def __init__(self, sets: Iterable[int]) -> None:
        self._digits: list[int] = []
        for carry in sets:
            for at, digit in enumerate(self._digits):
                self._digits[at], carry = digit ^ carry, digit & carry
                if not carry:
                    break
            if carry:
                self._digits.append(carry)

    def at_least(self, count: int, among: int) -> int:
        """The indexes in `among` that are in at least `count` sets."""
        if count >> len(self._digits):
            return 0
        more, equal = 0, among
        for at in range(len(self._digits) - 1, -1, -1):
            with_it = equal & self._digits[at]
            if count >> at & 1:
                equal = with_it
            else:
                more |= with_it
                equal ^= with_it
        return more | equal


_SET = re.compile(rb"[^\0]", re.DOTALL)


def _places(bits: int) -> Iterator[int]:
    """Yields the indexes in a set, in order."""
    for found in _SET.finditer(bits.to_bytes((bits.bit_length() + 7) // 8, "little")):
        first, byte = 8 * found.start() - 1, found[0][0]
        while byte:
            yield first + (byte & -byte).bit_length()
            byte &= byte - 1


class SuggestionCache:
    """A catalog that caches suggestions; `budget` is the most names to search for."""

    def __init__(self, catalog: Catalog, budget: int | None = None) -> None:
        self._catalog = catalog
        self._budget = budget
        self._suggested: dict[str, list[str]] = {}
        self.exhausted = False
        self.version = catalog.version
        self.fold = catalog.fold
        self.find = catalog.find
        self.has, self.beginning = catalog.has, catalog.beginning
        self.groups = catalog.groups
        self.behind_counts, self.before_counts = catalog.behind_counts, catalog.before_counts

    def suggest(self, name: str) -> list[str]:
        """The catalog's suggestions for a name."""
        names = self._suggested.get(name)
        if names is not None:
            return names
        if self._budget is not None and len(self._suggested) >= self._budget:
            self.exhausted = True
            return []
        names = self._catalog.suggest(name)
        if len(self._suggested) < _MOST_CACHED:
            self._suggested[name] = names
        return names

    def __iter__(self) -> Iterator[Card]:
        return iter(self._catalog)

    def __len__(self) -> int:
        return len(self._catalog)
