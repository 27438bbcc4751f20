"""The card catalog: opens a game's compiled card table and finds cards in it.

A run over a fresh table loads SQLite and JSON and no more; what compiles a table is imported when one must be.
Every row carries a checksum over its place and content, and the first rows say which others there are: a damaged
file can neither change an answer nor hide one, and is compiled anew.
"""

from __future__ import annotations

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
    PRINTING,
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
_WORTH_ALL = 500
"""Whoever looks up more names than this has many lists, and waits less with all of them in memory."""
_LAST = "\U0010ffff"


def open_catalog(game: Game, *, extra: Sequence[Path] = (), bundled: Path | None = None) -> CardTable:
    """The cards of `game`: those bundled, over them the user's imported ones, over them `extra` files.

    A record with the name of an earlier card replaces it. `bundled` is another folder of the game's own files.
    The table is compiled into the cache when a file has changed. Raises UserError for a card file that is wrong.
    """
    sources = sources_of(game, extra, bundled)
    return CardTable(game, lambda anew: _database(game, sources, anew))


class CardTable:
    """A `Catalog` over a compiled table. Close it, or let it go.

    A few names are looked up in the file. Whoever looks up many gets all keys and cards into memory.
    """

    version: str
    fold: Callable[[str], str]

    def __init__(self, game: Game, connect: Callable[[bool], _Opened]) -> None:
        self.fold = make_fold(game.folding)
        self._connect = connect
        self._build = _Builder(game)
        self._open(anew=False)

    def _open(self, *, anew: bool) -> None:
        self._database, (_, version, count, starts) = self._connect(anew)
        self._process = os.getpid()
        if getattr(self, "version", None) != version:
            self._cards: dict[int, Card] = {}
            self._found: dict[str, tuple[Card, ...]] = {}
            self._count = int(count)
            self._starts = starts.split("\n")
            self._blocks: dict[tuple[str, int], list[str]] = {}
            self._index: _Index | None = None
            self._looked_up = 0
            self._suggester: _Suggester | None = None
        self.version = version

    def close(self) -> None:
        """Lets go of the file; a later look-up opens it again."""
        self._database.close()

    def __del__(self) -> None:
        if hasattr(self, "_database"):
            self._database.close()

    def find(self, name: str) -> tuple[Card, ...]:
        """The cards that `name` can mean; see `Catalog`."""
        hit = self._found.get(name)
        return self._look_up(name) if hit is None else hit

    def _look_up(self, name: str) -> tuple[Card, ...]:
        if len(name) > MOST_CHARACTERS:
            return ()
        key = self.fold(name)
        self._looked_up += 1
        if self._index is None and self._looked_up > _WORTH_ALL:
            self._index = self._reading(lambda: _Index(self._database, self._starts, self._count))
        if self._index is not None:
            found = tuple([self._card(number) for number in self._index.numbers(key)])
        else:
            found = self._reading(lambda: self._cards_of(key)) if key else ()
        if len(self._found) >= _MOST_CACHED:
            self._found.clear()
        self._found[name] = found
        return found

    def _cards_of(self, key: str) -> tuple[Card, ...]:
        for line in self._block("keys", bisect_right(self._starts, key) - 1):
            if line.startswith(key) and line[len(key)] == "\t":
                return tuple(map(self._card, map(int, line[len(key) + 1 :].split())))
        return ()

    def _block(self, part: str, number: int) -> list[str]:
        """Some of the lines of a part of the table."""
        block = self._blocks.get((part, number))
        if block is None:
            block = self._blocks[part, number] = _rows(self._database, part, number)[0].split("\n")
        return block

    def _card(self, number: int) -> Card:
        card = self._cards.get(number)
        if card is not None:
            return card
        if self._index is not None:
            line = self._index.cards[number]
        else:
            line = self._block("cards", number // CARDS_A_ROW)[number % CARDS_A_ROW]
        # Another thread may have built it meanwhile, and there must be only one.
        return self._cards.setdefault(number, self._build(line))

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin so; see `Catalog`."""
        if self._index is not None:
            return frozenset(self._index.beginning(start))

        def keys() -> frozenset[str]:
            first, last = bisect_right(self._starts, start) - 1, bisect_right(self._starts, start + _LAST)
            lines = (line for at in range(first, last) for line in self._block("keys", at))
            return frozenset(line.partition("\t")[0] for line in lines if line and line.startswith(start))

        return self._reading(keys)

    def suggest(self, name: str) -> list[str]:
        """At most five canonical names: those that are `name` with a title before it, then the most alike."""
        key = "" if len(name) > MOST_CHARACTERS else self.fold(name)
        if not key:
            return []
        if self._suggester is None:
            self._suggester = self._reading(lambda: _Suggester(self._database))
        return self._suggester.suggest(key)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._reading(lambda: list(map(self._card, range(self._count)))))

    def __len__(self) -> int:
        return self._count

    def _reading(self, work: Callable[[], Result]) -> Result:
        if os.getpid() != self._process:
            # SQLite forbids to carry a connection across a fork.
            self._open(anew=False)
        try:
            return work()
        except sqlite3.DatabaseError as error:
            self._database.close()
            # A closed database is a ProgrammingError; anything else is a damaged file.
            self._open(anew=not isinstance(error, sqlite3.ProgrammingError))
            return work()


class _Index:
    """All keys and cards of a table, in memory."""

    def __init__(self, database: sqlite3.Connection, starts: Sequence[str], count: int) -> None:
        rows = -(-count // CARDS_A_ROW)
        self.cards = "\n".join(_rows(database, "cards", 0, rows)).split("\n")
        lines = "\n".join(_rows(database, "keys", 0, len(starts))).split("\n")
        self._numbers = dict(line.split("\t") for line in lines if line)
        self._keys = list(self._numbers)

    def numbers(self, key: str) -> list[int]:
        """The cards of a folded name."""
        found = self._numbers.get(key)
        return [] if found is None else list(map(int, found.split()))

    def beginning(self, start: str) -> list[str]:
        """The folded names that begin so."""
        first = bisect_left(self._keys, start)
        return self._keys[first : bisect_left(self._keys, start + _LAST, first)]


class _Suggester:
    """Every name of the table, to be compared with others."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._owners, self._by_tail = _listed(database, "names"), _listed(database, "tails")
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


def _listed(database: sqlite3.Connection, part: str) -> dict[str, list[str]]:
    """The names of cards by folded name, of one of the lists for suggestions."""
    (content,) = _rows(database, part, 0)
    found: dict[str, list[str]] = {}
    for line in filter(None, content.split("\n")):
        key, _, owner = line.partition("\t")
        found.setdefault(key, []).append(owner)
    return found


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


def _database(game: Game, sources: Sources, anew: bool) -> _Opened:
    file = cache_file(game, sources)
    fresh = stamp(game, sources)
    found = None if anew else _existing(file, fresh)
    if found is not None:
        return found
    from deckcheck.cards.compile import arrange, compiled, gather, write

    made = compiled(arrange(game, gather(game, sources), fresh))
    # The file is shared with other processes, and memory is not.
    found = _existing(file, fresh) if write(file, made) else None
    if found is None:
        return made, _rows(made, "meta", 0, 4)
    made.close()
    return found


def _existing(file: Path, fresh: str) -> _Opened | None:
    database = None
    try:
        # Nobody changes the file, it is only ever replaced: no locks, no journal to look for.
        database = connect(file)
        meta = _rows(database, "meta", 0, 4)
        if meta[0] == fresh:
            return database, meta
    except sqlite3.Error:
        pass
    if database is not None:
        database.close()
    return None


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
            elif key == PRINTING:
                printings.append(value)
            else:
                fields[key] = value
        return Card(name=name, facts=facts, printings=tuple(printings), **fields)

    def _read(self, cell: str) -> tuple[str, bool, Any]:
        key, _, written = cell.partition("=")
        value = json.loads(written)
        if key in self._facts:
            value = self._fact(value)
        elif key == PRINTING:
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
