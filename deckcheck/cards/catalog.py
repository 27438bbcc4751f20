"""The card catalog: opens a game's compiled card tables and finds cards in them.

A run over fresh tables loads only SQLite and JSON; the compiler is imported only if a table must be compiled. All
bundled cards are in one table, built with deckcheck; the changes by the user's own cards are in another one over it.
A damaged table is compiled again.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from deckcheck.cards.database import (
    Sources,
    Table,
    cache_file,
    connect,
    form_of,
    meant_by,
    numbers_in,
    sources_of,
    stamp_of,
)
from deckcheck.cards.folding import make_fold
from deckcheck.model.card import INFINITY, NO_RANK, Card, Days, Fact, Part, Printing
from deckcheck.model.game import Game
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.cards.suggestions import Suggester

Result = TypeVar("Result")
Aspect = Callable[[str, Any], object]
_Tables = tuple[Table, Table | None]
"""The table of the bundled cards, and that of the user's own over it."""

MOST_CHARACTERS = 1000
"""The most characters of a name that is looked up; no card has a longer one."""

_MOST_CACHED = 50_000
_MANY = 300
"""After this number of names, most will be asked for, which is faster if cards are found by their exact names."""

_BUILT, _CACHED, _ANEW = range(3)
"""Where a table comes from; each is tried if those before it are missing, outdated or damaged."""


def open_catalog(game: Game, *, extra: Sequence[Path] = (), bundled: Path | None = None) -> CardTable:
    """The cards of `game`: those bundled, over them the user's imported ones, over them `extra` files.

    A record with the name of an earlier card replaces it. `bundled` is another folder of the game's own files.
    A table is compiled into the cache when a file has changed. Raises UserError for a card file that is wrong.
    """
    sources = sources_of(game, extra, bundled)
    return CardTable(game, lambda way: _open_tables(game, sources, way))


def bundled_table(game: Game, sources: Sources, way: int = _BUILT) -> Table:
    """The table of the bundled cards, opened for this caller only. Raises UserError."""
    form, is_own = form_of(game), sources.is_own_game
    has_texts = is_own or sources.cards.exists()
    if way == _BUILT and not is_own:
        with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
            table = Table(connect(sources.compiled))
            if table.is_fresh(form, stamp_of(sources.bundled) if has_texts else None):
                return table
    files = sources.bundled if has_texts else (sources.compiled,)
    return _cached_table(game, files, way, "", lambda stamp: _compile_bundled(game, sources, stamp))


def _compile_bundled(game: Game, sources: Sources, stamp: str) -> sqlite3.Connection:
    from deckcheck.cards.compile import compile_bundled

    try:
        return compile_bundled(game, sources, stamp)
    except (sqlite3.Error, ValueError, TypeError) as error:
        # In an installed package, there is nothing else to compile.
        hint = _("install deckcheck again")
        raise user_error(_("the card table is damaged"), path=str(sources.compiled), hint=hint) from error


def _open_tables(game: Game, sources: Sources, way: int) -> _Tables:
    below, files = bundled_table(game, sources, way), sources.own
    if not files:
        return below, None

    def compile(stamp: str) -> sqlite3.Connection:
        from deckcheck.cards.compile import compile_own

        return compile_own(game, below, files, stamp)

    stamp_of(sources.extra, sources.extra)
    return below, _cached_table(game, files, way, below.meta.version, compile)


def _cached_table(
    game: Game, files: Sequence[Path], way: int, below: str, compile: Callable[[str], sqlite3.Connection]
) -> Table:
    """The table of these files over one with the version `below`: the cached one if it is fresh, else a new one."""
    file = cache_file(game, files)
    paths = [str(path.absolute()) for path in files]
    # A path may have bytes that aren't text.
    stamp = ascii(f"{below} {paths} {stamp_of(files)}")
    if way != _ANEW:
        with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
            table = Table(connect(file))
            if table.is_fresh(form_of(game), stamp):
                return table
    from deckcheck.cards.compile import write_cached

    made = compile(stamp)
    if write_cached(file, made):
        # The file is shared with other processes, but memory isn't.
        with contextlib.suppress(sqlite3.Error):
            return Table(connect(file))
    return Table(made)


class CardTable:
    """A `Catalog` over compiled tables, which keeps the rows that were read in memory."""

    version: str
    fold: Callable[[str], str]

    def __init__(self, game: Game, connect: Callable[[int], _Tables]) -> None:
        self.fold = make_fold(game.folding)
        self.version = ""
        self._game, self._connect = game, connect
        self._open(_BUILT)

    def _open(self, way: int) -> None:
        self._below, self._above = self._connect(way)
        self._process = os.getpid()
        self._suggester: Suggester | None = None
        self._replaced: frozenset[int] = frozenset()
        if self._above is not None:
            self._replaced = frozenset(map(int, self._above.meta.replaced.split()))
        top = self._above or self._below
        self.behind_counts = frozenset(top.meta.behind_counts.split("\n"))
        self.before_counts = frozenset(top.meta.before_counts.split("\n"))
        self._builders = [_Builder(self._game, table) for table in (self._below, self._above) if table]
        if self.version != top.meta.version:
            self.version = top.meta.version
            self._cards: dict[int, Card] = {}
            self._found: dict[str, tuple[Card, ...]] = {}
            self._numbers: dict[str, int] = {}

    def __del__(self) -> None:
        for table in (getattr(self, "_below", None), getattr(self, "_above", None)):
            if table is not None:
                table.database.close()

    def find(self, name: str) -> tuple[Card, ...]:
        """The cards that `name` can mean; see `Catalog`."""
        hit = self._found.get(name)
        return self._look_up(name) if hit is None else hit

    def _look_up(self, name: str) -> tuple[Card, ...]:
        if len(self._found) == _MANY and not self._numbers:
            self._numbers = self._reading(self._numbers_by_name)
        number = self._numbers.get(name)
        if number is not None:
            found: tuple[Card, ...] = (self._reading(lambda: self._card(number)),)
        else:
            key = "" if len(name) > MOST_CHARACTERS else self.fold(name)
            found = self._reading(lambda: self._cards_of(name, key)) if key else ()
        if len(self._found) >= _MOST_CACHED:
            self._found.clear()
        self._found[name] = found
        return found

    def _numbers_by_name(self) -> dict[str, int]:
        """The number of each card whose name, as spelt, means no other card."""
        below, above = self._below, self._above
        below.load_cards()
        found = {below.card_name(number): number for number in range(below.count)}
        for number in map(int, below.meta.shared.split()):
            found.pop(below.card_name(number), None)
        if above is None:
            return found
        for line in above.beginning(""):
            for number in numbers_in(below.line("keys", line.partition("\t")[0])).names:
                found.pop(below.card_name(number), None)
        found |= {above.card_name(number): below.count + number for number in range(above.count)}
        for number in map(int, above.meta.shared.split()):
            found.pop(above.card_name(number), None)
        return found

    def _cards_of(self, name: str, key: str) -> tuple[Card, ...]:
        line = self._line(key)
        if line is None:
            return ()
        cards = tuple([self._card(number) for number in meant_by(line)])
        if len(cards) < 2:
            return cards
        # If several names fold alike, an exact spelling decides.
        exact = tuple(card for card in cards if name in card.names)
        return tuple(sorted(exact or cards, key=_by_day))

    def _line(self, key: str) -> str | None:
        line = None if self._above is None else self._above.line("keys", key)
        return self._below.line("keys", key) if line is None else line

    def _card(self, number: int) -> Card:
        card = self._cards.get(number)
        if card is not None:
            return card
        first = self._below.count
        card = self._builders[0](number) if number < first else self._builders[1](number - first)
        # Another thread may have built it meanwhile, and there must be only one.
        return self._cards.setdefault(number, card)

    def has(self, key: str) -> bool:
        """Whether a folded name means a card; see `Catalog`."""
        line = self._reading(lambda: self._line(key))
        return line is not None and bool(meant_by(line))

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin with `start`; see `Catalog`."""

        def keys() -> frozenset[str]:
            found = {line.partition("\t")[0] for line in self._below.beginning(start)}
            for line in self._above.beginning(start) if self._above is not None else ():
                key = line.partition("\t")[0]
                (found.add if meant_by(line) else found.discard)(key)
            return frozenset(found)

        return self._reading(keys)

    def suggest(self, name: str) -> list[str]:
        """At most five canonical names: those that are `name` with a title before it, then the most alike."""
        key = "" if len(name) > MOST_CHARACTERS else self.fold(name)
        if not key:
            return []
        return self._reading(lambda: self._get_suggester().suggest(key))

    def _get_suggester(self) -> Suggester:
        if self._suggester is None:
            from deckcheck.cards.suggestions import Suggester

            self._suggester = Suggester(self._below, self._above, self._replaced)
        return self._suggester

    def __iter__(self) -> Iterator[Card]:
        def cards() -> list[Card]:
            self._below.load_cards()
            numbers = range(self._below.count + (0 if self._above is None else self._above.count))
            found = [self._card(number) for number in numbers if number not in self._replaced]
            return found if self._above is None else sorted(found, key=_by_day)

        return iter(self._reading(cards))

    def groups(self, fields: Container[str], aspect: Aspect) -> list[tuple[Card, tuple[str, ...]]]:
        """The cards grouped by an aspect; see `Catalog`."""

        def alike() -> list[tuple[Card, tuple[str, ...]]]:
            first, found = self._below.count, dict[tuple[object, ...], list[tuple[int, str]]]()
            for builder, start in zip(self._builders, (0, first), strict=False):
                for number, (name, key) in enumerate(builder.keys(fields, aspect), start):
                    if number not in self._replaced:
                        found.setdefault(key, []).append((number, name))
            return [(self._card(cards[0][0]), tuple(name for _, name in cards)) for cards in found.values()]

        return self._reading(alike)

    def __len__(self) -> int:
        own = 0 if self._above is None else self._above.count
        return self._below.count + own - len(self._replaced)

    def _reading(self, work: Callable[[], Result]) -> Result:
        """The result of `work`, on new tables if these are damaged."""
        if os.getpid() != self._process:
            # SQLite forbids using a connection after a fork.
            self._open(_BUILT)
        for way in (_CACHED, _ANEW):
            try:
                return work()
            except sqlite3.DatabaseError:
                self._open(way)
        return work()


def _by_day(card: Card) -> str:
    # An unknown day comes last.
    return card.released or "~"


_NAME, _FACTS, _PRINTINGS = map(Card._fields.index, ("name", "facts", "printings"))
_FACT, _PRINTING = -1, -2
_Cell = tuple[int, str, Any]
"""The place of a field in a card, or _FACT or _PRINTING, the key, and the value."""

_decoded = json.JSONDecoder().raw_decode


class _Cells(dict[str, _Cell]):
    """The cells that cards of a table share, by number; each is read when it is first needed."""

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__()
        self._table = table
        self._ranks = [item.id for item in game.attributes.values() if item.kind == "rank"]
        self._facts = {item.id for item in game.attributes.values() if item.kind in ("values", "number")}

    def __missing__(self, number: str) -> _Cell:
        cell = self[number] = self.read(self._table.lines("cells")[int(number)])
        return cell

    def read(self, cell: str) -> _Cell:
        """The cell in a text."""
        key, _, written = cell.partition("=")
        if key == "printings":
            day, _, written = written.partition("=")
            value = _decoded(written)[0]
            ranks = {rank: value[rank] or NO_RANK for rank in self._ranks if rank in value}
            return _PRINTING, key, Printing(value["set"], day or value.get("released"), ranks)
        value = _decoded(written)[0]
        if key in self._facts:
            return _FACT, key, self._fact(value)
        if key in ("parts", "faces"):
            value = tuple(map(self._part, value))
        elif key == "dated":
            value = {
                attribute: {word: Days(*days) for word, days in values.items()}
                for attribute, values in value.items()
            }
        elif isinstance(value, list):
            value = frozenset(value) if key == "partial" else tuple(value)
        return Card._fields.index("released" if key == "since" else key), key, value

    def _fact(self, value: Any) -> Fact:
        if isinstance(value, list):
            return frozenset(value)
        return math.inf if value == INFINITY else float(value)

    def _part(self, record: Mapping[str, Any]) -> Part:
        facts = {key: self._fact(value) for key, value in record.items() if key in self._facts}
        return Part(record["name"], facts)


class _Builder:
    """Builds the cards of a table. Most facts and printings are shared by several cards: each is read once."""

    def __init__(self, game: Game, table: Table) -> None:
        self._table = table
        self._blank = list(Card("", game.default_zone, {}))
        self._cells = _Cells(game, table)

    def __call__(self, number: int) -> Card:
        name, numbers, *cells = self._table.card_line(number).split("\t")
        facts: dict[str, Fact] = {}
        printings: list[Printing] = []
        fields = self._blank.copy()
        shared = map(self._cells.__getitem__, numbers.split())
        for place, key, value in chain(shared, map(self._cells.read, cells)):
            if place == _FACT:
                facts[key] = value
            elif place == _PRINTING:
                printings.append(value)
            else:
                fields[place] = value
        fields[_NAME], fields[_FACTS], fields[_PRINTINGS] = name, facts, tuple(printings)
        return tuple.__new__(Card, fields)

    def keys(self, fields: Container[str], aspect: Aspect) -> Iterator[tuple[str, tuple[object, ...]]]:
        """Yields the name of each card, by number, with the aspect's values for its fields."""
        self._table.load_cards()
        cells = self._table.lines("cells")
        shared = cache(lambda token: self._in_aspect(fields, aspect, cells[int(token)]))
        for number in range(self._table.count):
            name, numbers, *own = self._table.card_line(number).split("\t")
            key = [aspect("name", name), *filter(None, map(shared, numbers.split()))]
            for cell in own:
                found = self._in_aspect(fields, aspect, cell)
                if found is not None:
                    key.append(found)
            yield name, tuple(key)

    def _in_aspect(self, fields: Container[str], aspect: Aspect, cell: str) -> object:
        field = cell.partition("=")[0]
        field = "released" if field == "since" else field
        return aspect(field, self._cells.read(cell)[2]) if field in fields else None
