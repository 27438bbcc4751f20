"""The card catalog: opens a game's compiled card table and finds cards in it.

A run over a fresh table loads SQLite and JSON and no more; what compiles a table is imported when one must be.
Every row carries a checksum over its place and content, and the first rows say which others there are: a damaged
file can neither change an answer nor hide one, and is compiled anew.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from deckcheck.cards.names import LetterIndex, make_fold
from deckcheck.cards.sources import (
    CARDS_A_ROW,
    Sources,
    cache_file,
    checksum,
    connect,
    sources_of,
    stamp,
)
from deckcheck.model.card import INFINITY, NO_RANK, Card, Catalog, Fact, Part, Printing
from deckcheck.model.game import Game
from deckcheck.support.errors import suggest

Result = TypeVar("Result")
_Opened = tuple[sqlite3.Connection, list[str]]
"""A compiled table, and in its `meta`: the stamp of its sources, its version, how many cards it has, and the first key of
each row of keys."""

MOST_CHARACTERS = 1000
"""What is longer names no card, and isn't worth folding."""

_MOST_CACHED = 50_000
_MOST_SUGGESTED = 5
_WORTH_AN_INDEX = 5
"""Whoever asks for more suggestions than this waits less with an index of letters."""
_LAST = "\U0010ffff"


def open_catalog(game: Game, *, extra: Sequence[Path] = (), bundled: Path | None = None) -> CardTable:
    """The cards of `game`: those bundled, over them the user's imported ones, over them `extra` files.

    A record with the name of an earlier card replaces it. `bundled` is another folder of the game's own files.
    The table is compiled into the cache when a file has changed. Raises UserError for a card file that is wrong.
    """
    sources = sources_of(game, extra, bundled)
    return CardTable(game, lambda anew: _database(game, sources, anew))


def _database(game: Game, sources: Sources, anew: bool) -> _Opened:
    """The compiled table, made `anew` or where there is none that is fresh."""
    file, fresh = cache_file(game, sources), stamp(game, sources)
    if not anew:
        with contextlib.suppress(sqlite3.Error):
            return _opened(connect(file), fresh)
    from deckcheck.cards.compile import arrange, compiled, gather, write

    made = compiled(arrange(game, gather(game, sources), fresh))
    if write(file, made):
        # The file is shared with other processes, and memory is not.
        with contextlib.suppress(sqlite3.Error):
            return _opened(connect(file), fresh)
    return _opened(made, fresh)


def _opened(database: sqlite3.Connection, fresh: str) -> _Opened:
    meta = _rows(database, "meta", 0, 4)
    if meta[0] != fresh:
        raise sqlite3.DatabaseError("the card table is of other sources")
    return database, meta


def _rows(database: sqlite3.Connection, part: str, first: int, count: int = 1) -> list[str]:
    """So many rows of a part of the table. Raises sqlite3.DatabaseError if one is missing or damaged."""
    found = database.execute(
        f"SELECT content, mark FROM {part} WHERE number BETWEEN ? AND ? ORDER BY number",
        (first, first + count - 1),
    ).fetchall()
    sound = all(
        checksum(part, number, content) == mark for number, (content, mark) in enumerate(found, first)
    )
    if len(found) != count or not sound:
        raise sqlite3.DatabaseError("the card table is damaged")
    return [content for content, _ in found]


class CardTable:
    """A `Catalog` over a compiled table, of which the rows that were read are kept in memory."""

    version: str
    fold: Callable[[str], str]

    def __init__(self, game: Game, connect: Callable[[bool], _Opened]) -> None:
        self.fold = make_fold(game.folding)
        self.version = ""
        self._connect = connect
        self._build = _Builder(game)
        self._open(anew=False)

    def _open(self, *, anew: bool) -> None:
        self._database, (_, version, count, starts) = self._connect(anew)
        self._process = os.getpid()
        if self.version != version:
            self.version = version
            self._cards: dict[int, Card] = {}
            self._found: dict[str, tuple[Card, ...]] = {}
            self._blocks: dict[tuple[str, int], list[str]] = {}
            self._count, self._starts = int(count), starts.split("\n")
            self._suggester: _Suggester | None = None

    def __del__(self) -> None:
        if hasattr(self, "_database"):
            self._database.close()

    def find(self, name: str) -> tuple[Card, ...]:
        """The cards that `name` can mean; see `Catalog`."""
        hit = self._found.get(name)
        return self._look_up(name) if hit is None else hit

    def _look_up(self, name: str) -> tuple[Card, ...]:
        key = "" if len(name) > MOST_CHARACTERS else self.fold(name)
        if not key:
            return ()
        found = self._reading(lambda: self._cards_of(key))
        if len(self._found) >= _MOST_CACHED:
            self._found.clear()
        self._found[name] = found
        return found

    def _cards_of(self, key: str) -> tuple[Card, ...]:
        # No character of a key comes before a tab, so the lines are in the order of the keys.
        start = f"{key}\t"
        lines = self._lines("keys", bisect_right(self._starts, key) - 1)
        at = bisect_left(lines, start)
        if at == len(lines) or not lines[at].startswith(start):
            return ()
        return tuple([self._card(int(number)) for number in lines[at][len(start) :].split()])

    def _lines(self, part: str, number: int = 0) -> list[str]:
        lines = self._blocks.get((part, number))
        if lines is None:
            lines = self._blocks[part, number] = _rows(self._database, part, number)[0].split("\n")
        return lines

    def _card(self, number: int) -> Card:
        card = self._cards.get(number)
        if card is not None:
            return card
        line = self._lines("cards", number // CARDS_A_ROW)[number % CARDS_A_ROW]
        # Another thread may have built it meanwhile, and there must be only one.
        return self._cards.setdefault(number, self._build(line))

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin so; see `Catalog`."""

        def keys() -> frozenset[str]:
            found: list[str] = []
            last = start + _LAST
            for number in range(bisect_right(self._starts, start) - 1, bisect_right(self._starts, last)):
                lines = self._lines("keys", number)
                found += lines[bisect_left(lines, start) : bisect_left(lines, last)]
            return frozenset(line.partition("\t")[0] for line in found if line)

        return self._reading(keys)

    def suggest(self, name: str) -> list[str]:
        """At most five canonical names: those that are `name` with a title before it, then the most alike."""
        key = "" if len(name) > MOST_CHARACTERS else self.fold(name)
        if not key:
            return []
        if self._suggester is None:
            self._suggester = self._reading(lambda: _Suggester(self._lines("names"), self._lines("tails")))
        return self._suggester.suggest(key)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._reading(lambda: list(map(self._card, range(self._count)))))

    def __len__(self) -> int:
        return self._count

    def _reading(self, work: Callable[[], Result]) -> Result:
        """What `work` gives, over a table made anew if this one is damaged."""
        if os.getpid() != self._process:
            # SQLite forbids to carry a connection across a fork.
            self._open(anew=False)
        try:
            return work()
        except sqlite3.DatabaseError:
            self._open(anew=True)
            return work()


class _Suggester:
    """Every name of the table, to be compared with others."""

    def __init__(self, names: Sequence[str], tails: Sequence[str]) -> None:
        self._owners, self._by_tail = _owners(names), _owners(tails)
        self._keys = list(self._owners)
        self._index: LetterIndex | None = None
        self._asked = 0

    def suggest(self, key: str) -> list[str]:
        """As `CardTable.suggest`, of a folded name."""
        self._asked += 1
        if self._index is None and self._asked > _WORTH_AN_INDEX:
            self._index = LetterIndex(self._keys)
        most = 3 * _MOST_SUGGESTED
        near = self._index.suggest(key, most=most) if self._index else suggest(key, self._keys, most=most)
        names = [*self._by_tail.get(key, ()), *(name for known in near for name in self._owners[known])]
        return list(dict.fromkeys(names))[:_MOST_SUGGESTED]


def _owners(lines: Sequence[str]) -> dict[str, list[str]]:
    """The names of cards by folded name, of one of the lists for suggestions."""
    found: dict[str, list[str]] = {}
    for line in filter(None, lines):
        key, _, owner = line.partition("\t")
        found.setdefault(key, []).append(owner)
    return found


class _Builder:
    """From a card's line in the compiled table to the `Card`: its name, and a field or a fact in each further cell.

    Few facts and printings differ from those of all other cards, so that each cell is read once.
    """

    def __init__(self, game: Game) -> None:
        self._default = game.default_zone
        self._ranks = [item.id for item in game.attributes.values() if item.kind == "rank"]
        self._facts = {item.id for item in game.attributes.values() if item.kind in ("values", "number")}
        self._cells: dict[str, tuple[str, bool, Any]] = {}

    def __call__(self, line: str) -> Card:
        name, *cells = line.split("\t")
        fields: dict[str, Any] = {"home": self._default}
        facts: dict[str, Fact] = {}
        printings: list[Printing] = []
        for cell in cells:
            key, is_fact, value = self._cells.get(cell) or self._read(cell)
            if is_fact:
                facts[key] = value
            elif key == "printings":
                printings.append(value)
            else:
                fields[key] = value
        return Card(name=name, facts=facts, printings=tuple(printings), **fields)

    def _read(self, cell: str) -> tuple[str, bool, Any]:
        key, _, written = cell.partition("=")
        value = json.loads(written)
        if key in self._facts:
            value = self._fact(value)
        elif key == "printings":
            ranks = {rank: value[rank] or NO_RANK for rank in self._ranks if rank in value}
            value = Printing(value["set"], value.get("released"), ranks)
        elif key in ("parts", "faces"):
            value = tuple(map(self._part, value))
        elif isinstance(value, list):
            value = frozenset(value) if key == "partial" else tuple(value)
        found = self._cells[cell] = (key, key in self._facts, value)
        return found

    def _fact(self, value: Any) -> Fact:
        if isinstance(value, list):
            return frozenset(value)
        return math.inf if value == INFINITY else float(value)

    def _part(self, record: Mapping[str, Any]) -> Part:
        facts = {key: self._fact(value) for key, value in record.items() if key in self._facts}
        return Part(record["name"], facts)


def search(catalog: Catalog, text: str, limit: int) -> list[Card]:
    """At most `limit` cards with `text`, folded, in a name, an alias, or the name of a face or a half.

    Cards whose name begins with it come first, then the oldest. An empty text finds nothing.
    """
    key = catalog.fold(text)
    found: list[tuple[bool, int, Card]] = []
    for place, card in enumerate(catalog if key else ()):
        names = (card.name, *card.aliases, *(part.name for part in (*card.faces, *card.parts)))
        keys = list(map(catalog.fold, names))
        if any(key in name for name in keys):
            found.append((not any(name.startswith(key) for name in keys), place, card))
    found.sort(key=lambda hit: hit[:2])
    return [card for _, _, card in found[: max(limit, 0)]]
