"""The card catalog of a game: finds cards by name or by a part of it, in a table that is built when a card file changes."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.json import decode
from msgspec.structs import replace

from deckcheck.cards.names import make_fold, similar_names
from deckcheck.model.card import INFINITY, NO_RANK, Card, Days, Fact, Part, Printing
from deckcheck.model.game import Game
from deckcheck.support.cache import stamp as file_stamp
from deckcheck.support.errors import user_error
from deckcheck.support.files import user_folder, write_atomically
from deckcheck.support.messages import _

DATA = Path(__file__).parent.parent / "data"
"""The folder with the bundled cards of each game."""

FORM = 15
"""Increased whenever the tables or the making of the names in them change."""

_MOST_TABLES = 6

Result = TypeVar("Result")

MOST_CHARACTERS = 1000
"""The most characters of a name that is looked up; no card has a longer one."""

_MOST_CACHED = 50_000
_LAST = "\U0010ffff"
_NEVER: Mapping[str, Mapping[str, Days]] = MappingProxyType({})
_CARDS = "SELECT card.id AS id, card.name AS name, released, record, dated, corrections, own FROM card"


def open_catalog(game: Game, *, extra: Sequence[Path] = (), bundled: Path | None = None) -> CardTable:
    """The cards of `game`: those bundled, over them the user's imported ones, over them `extra` files.

    A record with the name of an earlier card replaces it. `sets_and_corrections` is another folder of the game's own files.
    A table is built into the cache when a file has changed. Raises UserError for a card file that is wrong.
    """
    return CardTable(game, sources_of(game, extra, bundled))


class CardTable:
    """A `Catalog` over a built table. Cards that were read are kept, so that there is one object for each."""

    def __init__(self, game: Game, sources: Sources) -> None:
        self.fold = make_fold(game.folding)
        self._game, self._sources = game, sources
        self._cards: dict[int, Card] = {}
        self.version = ""
        self._open()

    def _open(self, *, anew: bool = False) -> None:
        self._table = open_table(self._game, self._sources, anew=anew)
        self._table.row_factory = sqlite3.Row
        self._process = os.getpid()
        meta = self._query(
            lambda rows: {key: decode(value) for key, value in rows},
            "SELECT key, value FROM meta WHERE key IN ('version', 'dates', 'words')",
        )
        assert meta is not None
        if meta["version"] != self.version:
            self.version, self.sets = meta["version"], frozenset(meta["dates"])
            self._words = {attribute: frozenset(words) for attribute, words in meta["words"].items()}
            self._records = _Records(self._game, meta["dates"])
            self._cards.clear()
            self.find: Callable[[str], tuple[Card, ...]] = lru_cache(_MOST_CACHED)(self._find)
            self.suggest: Callable[[str], list[str]] = lru_cache(_MOST_CACHED)(self._suggest)

    def __del__(self) -> None:
        if "_table" in self.__dict__:
            self._table.close()

    def _find(self, name: str) -> tuple[Card, ...]:
        """The cards that `name` can mean, oldest first; see `Catalog`."""
        key = self._key(name)
        if not key:
            return ()
        cards = self._read(f"{_CARDS} JOIN name ON name.card = card.id WHERE key = ?", key)
        # If several names fold alike, an exact spelling decides.
        exact = [card for card in cards if name in card.names] if len(cards) > 1 else cards
        return tuple(exact or cards)

    def has(self, key: str) -> bool:
        """Whether a folded name means a card; see `Catalog`."""
        return bool(self._query(bool, "SELECT 1 FROM name WHERE key = ? LIMIT 1", key))

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin with `start`; see `Catalog`."""
        return frozenset(self._texts("SELECT key FROM name WHERE key BETWEEN ? AND ?", start, start + _LAST))

    def _suggest(self, name: str) -> list[str]:
        """At most five canonical names: those that are `name` with a title before it, then the most alike."""
        names = dict[str, None]()
        for similar in similar_names(self._key(name), self._keys):
            cards = self._texts(
                "SELECT card.name FROM name JOIN card ON card.id = name.card WHERE key = ?", similar
            )
            names |= dict.fromkeys(cards)
        return list(names)[:5]

    def search(self, text: str, limit: int) -> list[Card]:
        """At most `limit` cards with `text` in a name, first those that begin with it; see `Catalog`."""
        key = self._key(text)
        if not key:
            return []
        query = f"{_CARDS} JOIN name ON name.card = card.id WHERE instr(key, ?) GROUP BY card.id"
        begins_first = "ORDER BY min(instr(key, ?)) > 1, card.id LIMIT ?"
        return self._read(f"{query} {begins_first}", key, key, limit)

    def _key(self, name: str) -> str:
        """The folded name, "" if it is too long for one."""
        return "" if len(name) > MOST_CHARACTERS else self.fold(name)

    @cached_property
    def _keys(self) -> list[str]:
        """All folded names except passcodes: numbers that are alike mean cards that aren't."""
        query = "SELECT group_concat(key, char(10)) FROM name WHERE key GLOB '*[^0-9]*'"
        names = self._query(lambda rows: rows[0][0], query)
        return list(dict.fromkeys((names or "").split("\n")))

    def words(self, attribute: str) -> frozenset[str]:
        """The words that cards have for an attribute; see `Catalog`."""
        return self._words.get(attribute, frozenset())

    def __iter__(self) -> Iterator[Card]:
        return iter(self._read(f"{_CARDS} ORDER BY card.id"))

    def __len__(self) -> int:
        return int(self._query(lambda rows: rows[0][0], "SELECT max(id) FROM card") or 0)

    # Reading the table

    def _texts(self, query: str, *values: str) -> list[str]:
        """The texts in the one column of a query."""

        def texts(rows: list[sqlite3.Row]) -> list[str]:
            if any(text is None for (text,) in rows):
                raise ValueError("a damaged row has no text")
            return [text for (text,) in rows]

        return self._query(texts, query, *values) or []

    def _read(self, query: str, *values: str | int) -> list[Card]:
        """The cards in the rows of a query."""

        def cards(rows: list[sqlite3.Row]) -> list[Card]:
            read = []
            for row in rows:
                card = self._cards.get(row["id"])
                # Another thread may have read it meanwhile, and there must be only one.
                read.append(card or self._cards.setdefault(row["id"], self._records.card(row)))
            return read

        return self._query(cards, query, *values) or []

    def _query(
        self, make: Callable[[list[sqlite3.Row]], Result], query: str, *values: str | int
    ) -> Result | None:
        """What `make` makes of the rows of a query, on a new table if this one is damaged; None for a text that none has."""
        if os.getpid() != self._process:
            # SQLite forbids using a connection after a fork.
            self._open()
        try:
            return make(self._table.execute(query, values).fetchall())
        except UnicodeEncodeError:
            # Half of a surrogate pair is in no card's name.
            return None
        except (sqlite3.DatabaseError, ValueError, LookupError, TypeError):
            self._open(anew=True)
            return make(self._table.execute(query, values).fetchall())


class _Records:
    """Makes cards of records. Equal facts and printings are shared: thousands of cards have the same few."""

    def __init__(self, game: Game, dates: Mapping[str, str]) -> None:
        self._home, self._dates = game.default_zone, dates
        self._ranks = [item.id for item in game.attributes.values() if item.kind == "rank"]
        self._facts = [item.id for item in game.attributes.values() if item.kind in ("values", "number")]
        self._values: dict[Fact, Fact] = {}
        self._printings: dict[tuple[tuple[str, str | None], ...], Printing] = {}

    def card(self, row: sqlite3.Row) -> Card:
        """The card in a row. Raises ValueError if its content is damaged."""
        record = decode(row["record"])
        return Card(
            name=row["name"],
            home=record.get("home"),
            facts=self._facts_in(record),
            partial=frozenset(record.get("partial", ())),
            aliases=tuple(record.get("aliases", ())),
            released=row["released"],
            dated=_NEVER if row["dated"] is None else decode(row["dated"], type=dict[str, dict[str, Days]]),
            printings=tuple(map(self._printing, record.get("printings", ()))),
            parts=tuple(map(self._part, record.get("parts", ()))),
            faces=tuple(map(self._part, record.get("faces", ()))),
            made_of=tuple(record.get("made_of", ())),
            verified=record.get("verified", True),
            corrections=() if row["corrections"] is None else tuple(decode(row["corrections"])),
            own=None if row["own"] is None else json.loads(row["own"]),
        )

    def _facts_in(self, record: Mapping[str, Any]) -> dict[str, Fact]:
        facts: dict[str, Fact] = {}
        for key in self._facts:
            if key in record:
                written = record[key]
                value: Fact = frozenset(written) if isinstance(written, list) else _number(written)
                facts[key] = self._values.setdefault(value, value)
        return facts

    def _part(self, record: Mapping[str, Any]) -> Part:
        return Part(record["name"], self._facts_in(record))

    def _printing(self, written: Mapping[str, str | None]) -> Printing:
        key = tuple(written.items())
        printing = self._printings.get(key)
        if printing is None:
            code = str(written["set"])
            ranks = {rank: written[rank] or NO_RANK for rank in self._ranks if rank in written}
            day = written.get("released") or self._dates.get(code)
            printing = self._printings[key] = Printing(code, day, ranks)
        return printing


def _number(written: Any) -> float:
    return math.inf if written == INFINITY else float(written)


# The files of a table


class Sources(Struct, frozen=True):
    """The folder of a game's bundled cards, and the user's own card files over them."""

    folder: Path
    own: tuple[Path, ...] = ()

    @property
    def texts(self) -> tuple[Path, Path, Path]:
        """The files of the bundled cards, each of which may be missing: the cards, their sets and corrections."""
        return self.folder / "cards.jsonl", self.folder / "sets.json", self.folder / "corrections.yaml"

    @property
    def built(self) -> Path:
        """The table of the bundled cards, which an installed package has in place of their texts."""
        return self.folder / "cards.sqlite"

    @property
    def has_texts(self) -> bool:
        """Whether the table is built from texts, as that of a game of the user's own always is."""
        return any(path.exists() for path in (*self.texts, self.folder / "game.yaml"))


def sources_of(game: Game, extra: Sequence[Path] = (), bundled: Path | None = None) -> Sources:
    """The files of the game's cards: those in `sets_and_corrections` (default: deckcheck's), the imported ones, and the `extra` ones.

    Raises UserError for an extra file that doesn't exist.
    """
    imported = imported_file(game)
    own = [imported] if file_stamp(imported) is not None else []
    for path in extra:
        if file_stamp(path) is None:
            raise user_error(_("no such file"), path=str(path))
        own.append(path)
    return Sources(bundled if bundled is not None else DATA / game.id, tuple(dict.fromkeys(own)))


def imported_file(game: Game) -> Path:
    """Where the user's own cards of the game are kept; the file may not exist."""
    return user_folder("data") / game.id / "cards.jsonl"


def state_of(game: Game, sources: Sources) -> str:
    """All that a table depends on, with the state of its files: in another state, it must be built again.

    An installed table depends on nothing but the game.
    """
    attributes = [(item.id, item.kind, item.values, item.order) for item in game.attributes.values()]
    folding = game.folding.drop, sorted(game.folding.replace.items())
    state = f"{FORM} {folding} {list(game.zones)} {attributes}"
    if sources.has_texts:
        state += _stamps(sources.texts)
    elif sources.own:
        state += _stamps([sources.built])
    if sources.own:
        # Names of the user's own may have characters that another Python doesn't know.
        paths = [str(path.absolute()) for path in sources.own]
        state += f"{unicodedata.unidata_version} {paths} {_stamps(sources.own)}"
    # A path may be no text.
    return ascii(state)


def _stamps(files: Iterable[Path]) -> str:
    return str([file_stamp(path) for path in files])


# Tables


def open_table(game: Game, sources: Sources, *, anew: bool = False) -> sqlite3.Connection:
    """The table of the cards in these files, read-only; `anew`: built again, since it turned out to be damaged.

    Raises UserError for an invalid card file, and for a damaged table without the texts that it was built from.
    """
    state, cached = state_of(game, sources), _cached_file(game, sources)
    files = [cached] if sources.own else [sources.built, cached]
    for file in () if anew else files:
        database = _fresh(file, state)
        if database is not None:
            return database
    is_installed = sources.built.exists() and not sources.has_texts
    if is_installed and not sources.own:
        hint = _("install deckcheck again")
        raise user_error(_("the card table is damaged"), path=str(sources.built), hint=hint)
    built = _build(game, sources, state)
    if _write_cached(cached, built):
        # The file is shared with other processes, but memory isn't.
        database = _fresh(cached, state)
        if database is not None:
            built.close()
            return database
    return built


def write_table(game: Game, sources: Sources, file: Path) -> None:
    """Write the table of the bundled texts to a file, unless that is the `built` table beside them and fresh.

    Raises UserError for an invalid text, and OSError if the file can't be written.
    """
    # Elsewhere, the table replaces the texts.
    state = state_of(game, Sources(file.parent))
    fresh = _fresh(file, state) if file == sources.built else None
    with contextlib.closing(fresh or _build(game, Sources(sources.folder), state)) as database:
        if database is fresh:
            return
        write_atomically(file, database.serialize(), private=False)


def _build(game: Game, sources: Sources, state: str) -> sqlite3.Connection:
    """A table in memory. Raises UserError for an invalid card file."""
    # A run over a fresh table doesn't need the builder and what it reads files with.
    from deckcheck.cards.table_builder import build_bundled_table, build_own_table

    if not sources.own:
        return build_bundled_table(game, sources.texts, state)
    with contextlib.closing(open_table(game, replace(sources, own=()))) as bundled:
        return build_own_table(game, sources.own, bundled, state)


def open_file(file: Path) -> sqlite3.Connection:
    """A database that never changes, read-only. Raises sqlite3.Error."""
    # Needs no locks, and no search for a journal.
    place = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(place, uri=True, check_same_thread=False)


def _fresh(file: Path, state: str) -> sqlite3.Connection | None:
    """The table in a file; None if there is none, or one that is damaged or in another state."""
    with contextlib.suppress(sqlite3.Error):
        database = open_file(file)
        with contextlib.suppress(sqlite3.Error):
            if database.execute("SELECT value FROM meta WHERE key = 'state'").fetchall() == [(state,)]:
                return database
        database.close()
    return None


def _cached_file(game: Game, sources: Sources) -> Path:
    """The file in the cache for the table of these files."""
    paths = "\n".join(str(path.absolute()) for path in (sources.folder, *sources.own))
    mark = zlib.crc32(paths.encode("utf-8", "surrogateescape"))
    return user_folder("cache") / f"{game.id}-{mark:08x}.sqlite"


def _write_cached(file: Path, database: sqlite3.Connection) -> bool:
    """Write a table into the cache, and delete the oldest ones of the game there; False if that fails."""
    try:
        write_atomically(file, database.serialize())
        game = file.stem.rpartition("-")[0]
        tables = sorted(file.parent.glob(f"{game}-????????.sqlite"), key=lambda file: -file.stat().st_mtime)
        for old in tables[_MOST_TABLES:]:
            old.unlink(missing_ok=True)
    except (OSError, sqlite3.Error, AttributeError):
        # Some builds of SQLite can't serialize a database.
        return False
    return True
