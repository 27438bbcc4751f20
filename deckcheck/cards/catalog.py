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
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from deckcheck.cards.names import LetterIndex, make_fold
from deckcheck.cards.sources import Sources, cache_file, checksum, connect, sources_of, stamp
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
_decode = json.JSONDecoder().raw_decode


def open_catalog(game: Game, *, extra: Sequence[Path] = (), bundled: Path | None = None) -> CardTable:
    """The cards of `game`: those bundled, over them the user's imported ones, over them `extra` files.

    A record with the name of an earlier card replaces it. `bundled` is another folder of the game's own files.
    The table is compiled into the cache when a file has changed. Raises UserError for a card file that is wrong.
    """
    sources = sources_of(game, extra, bundled)
    return CardTable(game, lambda anew: _database(game, sources, anew))


class CardTable:
    """A `Catalog` over a compiled table. Close it, or let it go."""

    version: str
    fold: Callable[[str], str]

    def __init__(self, game: Game, connect: Callable[[bool], _Opened]) -> None:
        self.fold = make_fold(game.folding)
        self._build = _builder(game)
        self._connect = connect
        self._open(anew=False)

    def _open(self, *, anew: bool) -> None:
        self._database, (_, version, count, starts) = self._connect(anew)
        self._process = os.getpid()
        if getattr(self, "version", None) != version:
            self._cards: dict[int, Card] = {}
            self._found: dict[str, tuple[Card, ...]] = {}
            self._beginning: dict[str, frozenset[str]] = {}
            self._count = int(count)
            self._starts = starts.split("\n")
            self._blocks: dict[int, str] = {}
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
        key = self._key(name)
        found = self._reading(lambda: self._cards_of(key)) if key else ()
        if len(self._found) >= _MOST_CACHED:
            self._found.clear()
        if len(name) <= MOST_CHARACTERS:
            self._found[name] = found
        return found

    def _cards_of(self, key: str) -> tuple[Card, ...]:
        block = self._block(bisect_right(self._starts, key) - 1)
        at = block.find(f"\n{key}\t")
        if at < 0:
            return ()
        first = at + len(key) + 2
        numbers = map(int, block[first : block.index("\n", first)].split())
        return tuple(
            [
                self._cards.get(number) or self._made(number, *_rows(self._database, "cards", number))
                for number in numbers
            ]
        )

    def _block(self, number: int) -> str:
        """Some of the keys in their order, each on a line with its cards."""
        block = self._blocks.get(number)
        if block is None:
            (block,) = _rows(self._database, "keys", number)
            self._blocks[number] = block
        return block

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin so; see `Catalog`. What was asked is kept, so ask for few."""

        def keys() -> frozenset[str]:
            first, last = bisect_right(self._starts, start) - 1, bisect_right(self._starts, start + _LAST)
            lines = "".join(map(self._block, range(first, last))).split("\n")
            return frozenset(line.partition("\t")[0] for line in lines if line and line.startswith(start))

        if start not in self._beginning:
            self._beginning[start] = self._reading(keys)
        return self._beginning[start]

    def suggest(self, name: str) -> list[str]:
        """At most five canonical names: those that are `name` with a title before it, then the most alike."""
        key = self._key(name)
        if not key:
            return []
        if self._suggester is None:
            self._suggester = self._reading(lambda: _Suggester(self._database))
        return self._suggester.suggest(key)

    def __iter__(self) -> Iterator[Card]:
        def every() -> list[Card]:
            if len(self._cards) < self._count:
                for number, record in enumerate(_rows(self._database, "cards", 0, self._count)):
                    self._made(number, record)
            return [self._cards[number] for number in range(self._count)]

        return iter(self._reading(every))

    def __len__(self) -> int:
        return self._count

    def _key(self, name: str) -> str:
        return "" if len(name) > MOST_CHARACTERS else self.fold(name)

    def _made(self, number: int, record: str) -> Card:
        # Another thread may have built it meanwhile, and there must be only one.
        return self._cards.get(number) or self._cards.setdefault(number, self._build(_decode(record)[0]))

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


def _builder(game: Game) -> Callable[[Mapping[str, Any]], Card]:
    """A function from a record of the compiled table to its `Card`."""
    default = game.default_zone
    facts = tuple(item.id for item in game.attributes.values() if item.kind in ("values", "number"))
    ranks = tuple(item.id for item in game.attributes.values() if item.kind == "rank")

    def fact(value: Any) -> Fact:
        if isinstance(value, list):
            return frozenset(value)
        return math.inf if value == INFINITY else float(value)

    def facts_of(record: Mapping[str, Any]) -> dict[str, Fact]:
        return {key: fact(record[key]) for key in facts if key in record}

    def parts_of(records: Iterable[Mapping[str, Any]]) -> tuple[Part, ...]:
        return tuple(Part(record["name"], facts_of(record)) for record in records)

    def printing(record: Mapping[str, Any]) -> Printing:
        known = {key: record[key] or NO_RANK for key in ranks if key in record}
        return Printing(record["set"], record.get("released"), known)

    def build(record: Mapping[str, Any]) -> Card:
        get = record.get
        return Card(
            name=record["name"],
            home=get("home", default),
            facts=facts_of(record),
            partial=frozenset(get("partial", ())),
            aliases=tuple(get("aliases", ())),
            released=get("released"),
            printings=tuple(map(printing, get("printings", ()))),
            parts=parts_of(get("parts", ())),
            faces=parts_of(get("faces", ())),
            made_of=tuple(get("made_of", ())),
            verified=get("verified", True),
            mended=tuple(get("mended", ())),
            own=get("own"),
        )

    return build


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
