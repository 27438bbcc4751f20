"""The card catalog: opens a game's compiled card table and finds cards in it.

Nothing heavy is imported here: a run over a fresh table loads SQLite and JSON
and no more. What compiles a table is imported when one must be compiled.

Every row of the table carries a checksum, and every key names the next one: so
a damaged file can neither change an answer nor hide one, and is compiled anew.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from deckcheck.cards.names import LetterIndex, make_fold
from deckcheck.cards.sources import Sources, cache_file, checksum, connect, sources_of, stamp
from deckcheck.model.card import INFINITY, NO_RANK, Card, Catalog, Fact, Part, Printing
from deckcheck.model.game import Game
from deckcheck.support.errors import suggest

Progress = Callable[[int, int], None]
Result = TypeVar("Result")

MOST_CHARACTERS = 1000
"""What is longer names no card, and isn't worth folding."""

_MOST_CACHED = 50_000
_MOST_SUGGESTED = 5
_WORTH_AN_INDEX = 5
"""Whoever asks for more suggestions than this waits less with an index of letters."""
_MANY = 300
"""Whoever looks up so many names has all of them loaded into memory."""
_LAST = "\U0010ffff"
_decode = json.JSONDecoder().raw_decode
_CARDS = "SELECT id, record, mark FROM cards"
_KEYS = "SELECT key, next, cards, mark FROM keys"
_LIST = "SELECT name, content, mark FROM lists WHERE name = ?"


def open_catalog(
    game: Game,
    *,
    extra: Sequence[Path] = (),
    progress: Progress | None = None,
    bundled: Path | None = None,
) -> CardTable:
    """The cards of `game`: those bundled, over them the user's imported ones, over them `extra` files.

    A record with the name of an earlier card replaces it. The table is compiled
    into the cache, or into memory, when a file has changed; `progress` then gets
    how many lines of how many are done. `bundled` is another folder of the
    game's own files. Raises UserError when a card file is wrong or can't be read.
    """
    sources = sources_of(game, extra, bundled)
    return CardTable(game, lambda anew: _database(game, sources, progress, anew))


class CardTable:
    """A `Catalog` over a compiled table. Close it, or let it go."""

    version: str
    fold: Callable[[str], str]

    def __init__(self, game: Game, connect: Callable[[bool], sqlite3.Connection]) -> None:
        self.fold = make_fold(game.folding)
        self._build = _builder(game)
        self._connect = connect
        self._open(anew=False)

    def _open(self, *, anew: bool) -> None:
        self._database = self._connect(anew)
        self._process = os.getpid()
        _, version, self._count = _meta(self._database)
        if getattr(self, "version", None) != version:
            self._cards: dict[int, Card] = {}
            self._found: dict[str, tuple[Card, ...]] = {}
            self._beginning: dict[str, frozenset[str]] = {}
            self._asked = 0
            self._index: dict[str, str] = {}
            self._sorted: list[str] = []
            self._rows: list[tuple[Any, ...]] = []
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

        def look(database: sqlite3.Connection) -> tuple[Card, ...]:
            numbers = self._between(database, key, key + "\0").get(key, "").split()
            return tuple([self._card(database, int(number)) for number in numbers])

        if not key or (self._index and key not in self._index):
            found: tuple[Card, ...] = ()
        else:
            found = self._reading(look)
        if len(self._found) >= _MOST_CACHED:
            self._found.clear()
        if len(name) <= MOST_CHARACTERS:
            self._found[name] = found
        return found

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin so; see `Catalog`. What was asked is kept, so ask for few."""
        found = self._beginning.get(start)
        if found is None and not _is_text(start):
            found = self._beginning[start] = frozenset()
        elif found is None:
            keys = self._reading(lambda database: self._between(database, start, start + _LAST))
            found = self._beginning[start] = frozenset(key for key in keys if key and key.startswith(start))
        return found

    def _between(self, database: sqlite3.Connection, first: str, last: str) -> dict[str, str]:
        """As `_keys`, out of memory for who asks often: that is quicker, but takes its time to load."""
        if not self._index:
            self._asked += 1
            if self._asked < _MANY:
                return _keys(database, first, last)
            index = _keys(database, "", _LAST)
            rows = database.execute(f"{_CARDS} ORDER BY id").fetchall()
            _require([row[0] for row in rows] == list(range(self._count)))
            self._rows, self._sorted, self._index = rows, list(index), index
        if last == first + "\0":
            return {first: self._index.get(first, "")}
        keys = self._sorted[bisect_left(self._sorted, first) : bisect_left(self._sorted, last)]
        return {key: self._index[key] for key in keys}

    def suggest(self, name: str) -> list[str]:
        """At most five canonical names like `name`.

        First those that `name` is without their title, then by likeness.
        """
        key = self._key(name)
        if not key:
            return []
        if self._suggester is None:
            self._suggester = self._reading(_Suggester)
        return self._suggester.suggest(key)

    def __iter__(self) -> Iterator[Card]:
        if len(self._cards) == self._count:
            return iter([self._cards[number] for number in range(self._count)])

        def every(database: sqlite3.Connection) -> list[Card]:
            rows = database.execute(f"{_CARDS} ORDER BY id").fetchall()
            _require([row[0] for row in rows] == list(range(self._count)))
            return [self._cards.get(row[0]) or self._made(row) for row in rows]

        return iter(self._reading(every))

    def __len__(self) -> int:
        return self._count

    def _key(self, name: str) -> str:
        if len(name) > MOST_CHARACTERS:
            return ""
        key = self.fold(name)
        return key if _is_text(key) else ""

    def _card(self, database: sqlite3.Connection, number: int) -> Card:
        card = self._cards.get(number)
        if card is None and self._rows:
            card = self._made(self._rows[number])
        elif card is None:
            card = self._made(database.execute(f"{_CARDS} WHERE id = ?", (number,)).fetchone())
        return card

    def _made(self, row: tuple[Any, ...] | None) -> Card:
        ((number, record, _mark),) = _whole([] if row is None else [row], 1)
        # Another thread may have built it meanwhile, and there must be only one.
        return self._cards.setdefault(number, self._build(_decode(record)[0]))

    def _reading(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        if os.getpid() != self._process:
            # SQLite forbids to carry a connection across a fork.
            self._open(anew=False)
        try:
            return work(self._database)
        except sqlite3.DatabaseError as error:
            self._database.close()
            # A closed database is a ProgrammingError; anything else is a damaged file.
            self._open(anew=not isinstance(error, sqlite3.ProgrammingError))
            return work(self._database)


def _is_text(key: str) -> bool:
    """Whether SQLite can be asked for a key: half a surrogate pair is in no name."""
    return key.isascii() or not any("\ud800" <= char <= "\udfff" for char in key)


class _Suggester:
    """Every name of the table, to be compared with others."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._owners = _listed(database, "names")
        self._by_tail = _listed(database, "tails")
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


def _listed(database: sqlite3.Connection, name: str) -> dict[str, list[str]]:
    """The names of cards by folded name, of one of the lists for suggestions."""
    ((_, content, _),) = _whole(database.execute(_LIST, (name,)), 1)
    found: dict[str, list[str]] = {}
    for line in filter(None, content.split("\n")):
        key, _, owner = line.partition("\t")
        found.setdefault(key, []).append(owner)
    return found


def _whole(rows: Iterable[tuple[Any, ...]], count: int | None = None) -> list[tuple[Any, ...]]:
    """The rows, of which there are so many. Raises sqlite3.DatabaseError if one is missing or damaged."""
    found = list(rows)
    _require(count in (None, len(found)) and all(checksum(row[:-1]) == row[-1] for row in found))
    return found


def _require(sound: bool) -> None:
    if not sound:
        raise sqlite3.DatabaseError("the card table is damaged")


def _keys(database: sqlite3.Connection, first: str, last: str) -> dict[str, str]:
    """The keys from the one at or before `first` to the one before `last`, all that there are, with their cards."""
    rows = _whole(database.execute(f"{_KEYS} WHERE key <= ? ORDER BY key DESC LIMIT 1", (first,)), 1)
    if "" < rows[0][1] < last:
        rows += _whole(database.execute(f"{_KEYS} WHERE key > ? AND key < ? ORDER BY key", (first, last)))
    keys, following = [row[0] for row in rows], [row[1] for row in rows]
    _require(keys[0] <= first and keys[1:] == following[:-1] and not "" < following[-1] < last)
    return {key: cards for key, _, cards, _ in rows}


def _database(game: Game, sources: Sources, progress: Progress | None, anew: bool) -> sqlite3.Connection:
    file = cache_file(game, sources)
    fresh = stamp(game, sources)
    found = None if anew else _existing(file, fresh)
    if found is not None:
        return found
    from deckcheck.cards.compile import arrange, compiled, gather, write

    made = compiled(arrange(game, gather(game, sources, progress)), fresh)
    # The file is shared with other processes, and memory is not.
    found = _existing(file, fresh) if write(file, made) else None
    if found is None:
        return made
    made.close()
    return found


def _existing(file: Path, fresh: str) -> sqlite3.Connection | None:
    database = None
    try:
        # Nobody changes the file, it is only ever replaced: no locks, no journal to look for.
        database = connect(file)
        if _meta(database)[0] == fresh:
            return database
    except sqlite3.Error:
        pass
    if database is not None:
        database.close()
    return None


def _meta(database: sqlite3.Connection) -> tuple[str, str, int]:
    """The stamp of the table's sources, its version and how many cards it has."""
    ((stamp, version, count, _),) = _whole(
        database.execute("SELECT stamp, version, count, mark FROM meta"), 1
    )
    return stamp, version, count


def _builder(game: Game) -> Callable[[Mapping[str, Any]], Card]:
    """A function from a record of the compiled table to its `Card`."""
    default = game.default_zone
    facts = tuple(item.id for item in game.attributes.values() if item.kind in ("values", "number"))
    ranks = tuple(item.id for item in game.attributes.values() if item.kind == "rank")

    def facts_of(record: Mapping[str, Any]) -> dict[str, Fact]:
        return {key: _fact(record[key]) for key in facts if key in record}

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


def _fact(value: Any) -> Fact:
    if isinstance(value, list):
        return frozenset(value)
    return math.inf if value == INFINITY else float(value)


def search(catalog: Catalog, text: str, limit: int) -> list[Card]:
    """At most `limit` cards with `text` in a name, an alias, a face's or a half's name.

    Folded like every look-up. Cards whose name begins with it come first, then
    the oldest. A text of which folding leaves nothing finds nothing.
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
