"""Opens a game's card table and finds cards in it.

Nothing heavy is imported here: a run over a fresh table loads SQLite and JSON
and no more. What compiles a table is imported when one must be compiled.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from deckcheck.cards.names import Likeness, make_fold
from deckcheck.cards.places import Sources, cache_file, sources_of, stamp
from deckcheck.cards.record import card_of
from deckcheck.model.card import Card
from deckcheck.model.game import Game
from deckcheck.support.errors import suggest

Progress = Callable[[int, int], None]
Result = TypeVar("Result")

MOST_CHARACTERS = 1000
"""What is longer names no card, and isn't worth folding."""

_MOST_REMEMBERED = 50_000
_MOST_SUGGESTED = 5
_WORTH_AN_INDEX = 5
"""Whoever asks for more suggestions than this waits less with an index of letters."""
_READ = json.JSONDecoder().raw_decode
_CARD = "SELECT id, record, mark FROM cards"
_FIND = """
SELECT cards.id, cards.record, cards.mark, keys.strength
FROM keys JOIN cards ON cards.id = keys.card WHERE keys.key = ? ORDER BY cards.id
"""
_BEGINNING = "SELECT DISTINCT key FROM keys WHERE key >= ? AND key < ?"
_TAILS = """
SELECT cards.name FROM tails JOIN cards ON cards.id = tails.card WHERE tails.key = ? ORDER BY cards.id
"""
_NAMES = """
SELECT keys.key, cards.name FROM keys JOIN cards ON cards.id = keys.card
WHERE keys.strength = 0 ORDER BY cards.id, keys.key
"""


def open_catalog(
    game: Game,
    *,
    extra: Sequence[Path] = (),
    progress: Progress | None = None,
    bundled: Path | None = None,
) -> CardTable:
    """The cards of `game`: those bundled, over them the user's imported ones, over them `extra` files.

    A record with the name of an earlier card replaces it. The table is compiled
    into the cache when a file has changed, and `progress` is then told how many
    lines of how many are done; where nothing can be written it is compiled in
    memory. `bundled` is the folder of the game's own files, for a table kept
    elsewhere. Raises UserError when a card file is wrong or can't be read.
    """
    sources = sources_of(game, extra, bundled)
    return CardTable(game, lambda mend: _database(game, sources, progress, mend))


class CardTable:
    """A `Catalog` over a compiled table. Close it, or let it go."""

    version: str
    fold: Callable[[str], str]

    def __init__(self, game: Game, connect: Callable[[bool], sqlite3.Connection]) -> None:
        self.fold = make_fold(game.folding)
        self._build = card_of(game)
        self._connect = connect
        self._open(mend=False)

    def _open(self, *, mend: bool) -> None:
        self._database = self._connect(mend)
        self._process = os.getpid()
        meta = dict(self._database.execute("SELECT key, value FROM meta"))
        if getattr(self, "version", None) != meta["version"]:
            self._cards: dict[int, Card] = {}
            self._found: dict[str, tuple[Card, ...]] = {}
            self._beginning: dict[str, frozenset[str]] = {}
            self._known: tuple[list[str], dict[str, list[str]]] | None = None
            self._likeness: Likeness | None = None
            self._suggested = 0
        self.version = meta["version"]
        self._count = int(meta["count"])

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

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin so; see `Catalog`. What was asked is kept, so ask for few."""
        found = self._beginning.get(start)
        if found is None:
            bounds = start, start + chr(0x10FFFF)
            rows = self._reading(lambda database: database.execute(_BEGINNING, bounds).fetchall())
            found = self._beginning[start] = frozenset(row[0] for row in rows)
        return found

    def suggest(self, name: str) -> list[str]:
        """At most five canonical names like `name`.

        First those that `name` is without their title, then by likeness.
        """
        key = self._key(name)
        if not key:
            return []
        if self._known is None:
            rows = self._reading(lambda database: database.execute(_NAMES).fetchall())
            owners: dict[str, list[str]] = {}
            for known, owner in rows:
                owners.setdefault(known, []).append(owner)
            self._known = ([row[0] for row in rows], owners)
        keys, owners = self._known
        ended = self._reading(lambda database: database.execute(_TAILS, (key,)).fetchall())
        ordered = [row[0] for row in ended] + [
            owner for known in self._like(key, keys) for owner in owners[known]
        ]
        return list(dict.fromkeys(ordered))[:_MOST_SUGGESTED]

    def _like(self, key: str, keys: list[str]) -> list[str]:
        self._suggested += 1
        if self._likeness is None and self._suggested > _WORTH_AN_INDEX:
            self._likeness = Likeness(keys)
        most = 3 * _MOST_SUGGESTED
        return (
            suggest(key, keys, most=most)
            if self._likeness is None
            else self._likeness.suggest(key, most=most)
        )

    def __iter__(self) -> Iterator[Card]:
        return iter(self._reading(lambda database: self._cards_in(database.execute(f"{_CARD} ORDER BY id"))))

    def __len__(self) -> int:
        return self._count

    def _key(self, name: str) -> str:
        if len(name) > MOST_CHARACTERS:
            return ""
        key = self.fold(name)
        # Half a surrogate pair is in no name, and SQLite can't be asked for it.
        return key if key.isascii() or not any("\ud800" <= char <= "\udfff" for char in key) else ""

    def _look_up(self, name: str) -> tuple[Card, ...]:
        key = self._key(name)

        def look(database: sqlite3.Connection) -> tuple[Card, ...]:
            rows = database.execute(_FIND, (key,)).fetchall()
            strongest = min((row[3] for row in rows), default=0)
            return tuple(self._cards_in(row[:3] for row in rows if row[3] == strongest))

        found = self._reading(look) if key else ()
        if len(self._found) >= _MOST_REMEMBERED:
            self._found.clear()
        if len(name) <= MOST_CHARACTERS:
            self._found[name] = found
        return found

    def _cards_in(self, rows: Any) -> list[Card]:
        cards = []
        for number, record, mark in rows:
            card = self._cards.get(number)
            if card is None:
                if zlib.crc32(record.encode()) != mark:
                    raise sqlite3.DatabaseError("a record is damaged")
                # Another thread may have built it meanwhile, and there must be only one.
                card = self._cards.setdefault(number, self._build(_READ(record)[0]))
            cards.append(card)
        return cards

    def _reading(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        if os.getpid() != self._process:
            # SQLite forbids to carry a connection across a fork.
            self._open(mend=False)
        try:
            return work(self._database)
        except sqlite3.DatabaseError as error:
            self._database.close()
            # A closed database is a ProgrammingError; anything else is a damaged file.
            self._open(mend=not isinstance(error, sqlite3.ProgrammingError))
            return work(self._database)


def _database(game: Game, sources: Sources, progress: Progress | None, mend: bool) -> sqlite3.Connection:
    path = cache_file(game, sources)
    fresh = stamp(game, sources)
    found = None if mend else _existing(path, fresh)
    if found is not None:
        return found
    from deckcheck.cards.assemble import arrange, gather
    from deckcheck.cards.compile import compiled, write

    made = compiled(arrange(game, gather(game, sources, progress)), fresh)
    # The file is shared with other processes, and memory is not.
    found = _existing(path, fresh) if write(path, made) else None
    if found is None:
        return made
    made.close()
    return found


def _existing(path: Path, fresh: str) -> sqlite3.Connection | None:
    place = path.absolute().as_posix().lstrip("/").replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    database = None
    try:
        # Nobody changes the file, it is only ever replaced: no locks, no journal to look for.
        database = sqlite3.connect(f"file:///{place}?mode=ro&immutable=1", uri=True, check_same_thread=False)
        meta = dict(database.execute("SELECT key, value FROM meta"))
        if meta["stamp"] == fresh and meta["version"] and meta["count"].isdigit():
            return database
    except (sqlite3.Error, KeyError, UnicodeError, ValueError):
        pass
    if database is not None:
        database.close()
    return None
