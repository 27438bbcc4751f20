"""Compiles card tables into the form that `database` reads.

The table of the bundled cards is made from their texts; that of the user's own cards lies over it and has only their
changes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.card_file import (
    MOST_BYTES,
    MOST_PROBLEMS,
    Located,
    Record,
    normal,
    read_cards,
    to_json,
    vocabulary,
)
from deckcheck.cards.corrections import Cards, correct
from deckcheck.cards.database import (
    CARDS_A_ROW,
    KEYS_A_ROW,
    CardNumbers,
    Meta,
    Sources,
    Table,
    checksum,
    connect,
    form_of,
    numbers_in,
    rare,
    stamp_of,
)
from deckcheck.cards.folding import Fold, make_fold
from deckcheck.cards.sets import Sets, read_sets, sets_from
from deckcheck.cards.suggestions import likeness_rows
from deckcheck.model.card import several_cards
from deckcheck.model.game import Game
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.files import cannot_write, read_bytes, write_atomically
from deckcheck.support.messages import _

_CONTENT = "4"
"""Increased whenever the same sources would give other cards; the version of a table depends on it."""

_NO_DAY = "~"
"""Stands for an unknown day, which comes last."""

_MOST_TABLES = 12
_FORGOTTEN = 24 * 60 * 60
_MOST_TAILS = 8
"""The most names that are suggested for the same last word; later ones never are."""

_READING = re.compile(r"\([^()]*\)")
_SIGN, _COUNT = "x", re.compile("[x0-9]")


class CheckedCards(NamedTuple):
    """The checked cards of the sources, and names that several cards show together, both in order of their days.

    `reasons` are those of the corrections and `own` the places in the user's files of cards that replaced others, by
    name. `sets` are those of the game, `version` a hash of the content.
    """

    cards: Sequence[Located]
    combined: Sequence[Located]
    sets: Sets
    version: str
    reasons: Mapping[str, Sequence[str]] = {}
    own: Mapping[str, str] = {}


def _checked(items: Iterable[Located], sets: Sets, version: str) -> CheckedCards:
    found: tuple[list[Located], list[Located]] = [], []
    for item in sorted(items, key=lambda item: sets.first_day(item.record) or _NO_DAY):
        found["made_of" in item.record].append(item)
    return CheckedCards(*found, sets, version)


# What is bundled


def compile_bundled(game: Game, sources: Sources, stamp: str) -> sqlite3.Connection:
    """The table of the bundled cards. Raises UserError for an invalid text."""
    found = _collect(game, sources)
    index = Index(make_fold(game.folding))
    index.add_all(found)
    return _compiled(game, found, index, stamp)


def _collect(game: Game, sources: Sources) -> CheckedCards:
    """Read, check and correct the bundled cards. Raises UserError.

    If the texts are missing, as in an installed package, the cards come from the table that was built from them.
    """
    if not sources.cards.exists() and sources.compiled.exists():
        return _collect_compiled(game, sources.compiled)
    words = vocabulary(game)
    content = {path: read_bytes(path, most=MOST_BYTES) if path.exists() else b"" for path in sources.bundled}
    cards, set_days, corrections = content.values()
    sets = read_sets(sources.sets, set_days) if set_days else Sets()
    table = Cards(words.fold)
    for item in read_cards(sources.cards, cards, words):
        # Bundled cards without a home belong in the first zone; for the user's own cards, it's unknown.
        home = {} if "home" in item.record else {"home": words.zones[0]}
        table.put(item._replace(record={**item.record, **home}))
    reasons = correct(table, sources.corrections, corrections, words, sets) if corrections else {}
    return _checked(table, sets, _hash_of(content.values()))._replace(reasons=reasons)


def _collect_compiled(game: Game, file: Path) -> CheckedCards:
    table = Table(connect(file))
    cards, reasons = [], {}
    for record, extra in [*records_of(table, game), *((item, {}) for item in combined_records(table))]:
        cards.append(Located(record, str(file), 0))
        if "mended" in extra:
            reasons[record["name"]] = extra["mended"]
    return _checked(cards, _sets_of(table), table.meta.version)._replace(reasons=reasons)


def _sets_of(table: Table) -> Sets:
    (written,) = table.rows("sets", 0)
    return sets_from(json.loads(written))


def _hash_of(contents: Iterable[bytes], *before: str) -> str:
    """A hash of the contents."""
    marks = [hashlib.sha256(content).hexdigest() for content in contents]
    return hashlib.sha256("\n".join([_CONTENT, *before, *marks]).encode()).hexdigest()


def records_of(table: Table, game: Game) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yields each card of a table as in its file, and what the table adds to it, in the order of the table."""
    shared = table.lines("cells")
    table.load_cards()
    for number in range(table.count):
        yield _record(table.card_line(number), shared, game.default_zone)


def record_of(table: Table, game: Game, number: int) -> dict[str, Any]:
    """The card with that number, as in its file."""
    return _record(table.card_line(number), table.lines("cells"), game.default_zone)[0]


def combined_records(table: Table) -> list[dict[str, Any]]:
    """The records of names that several cards of a table show together."""
    return [json.loads(line) for line in table.lines("made") if line]


def _record(line: str, shared: Sequence[str], home: str) -> tuple[dict[str, Any], dict[str, Any]]:
    name, numbers, *cells = line.split("\t")
    record: dict[str, Any] = {"name": name, "home": home}
    extra: dict[str, Any] = {}
    for cell in (*(shared[int(number)] for number in numbers.split()), *cells):
        key, _, written = cell.partition("=")
        if key == "printings":
            record.setdefault(key, []).append(json.loads(written.partition("=")[2]))
        else:
            (extra if key in _DERIVED else record)[key] = json.loads(written)
    if record["home"] is None:
        del record["home"]
    return record, extra


_DERIVED = ("since", "dated", "mended", "own")


# Keys


Named = tuple[int, Record]
"""A card with its number."""


class Index:
    """The folded names of cards, and the cards that each can mean."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self.names: dict[str, set[int]] = defaultdict(set)
        self.halves: dict[str, set[int]] = defaultdict(set)
        self.shorts: dict[str, set[int]] = defaultdict(set)
        self.tails: dict[str, list[int]] = defaultdict(list)
        self.characters: set[str] = set()

    def add(self, record: Record, numbers: Sequence[int]) -> None:
        """Add the names of a record, which mean the cards with these numbers; without any, the keys are still added."""
        single, joined, halves = _names(record)
        self.characters.update(*single, *halves)
        names = set(map(self.fold, (*single, *joined))) - {""}
        parts = set(map(self.fold, halves)) - names - {""}
        shorts = {_READING.sub("", key) for key in names if "(" in key} - names - {""}
        tails = {self.fold(words[-1]) for words in map(str.split, (*single, *halves)) if len(words) > 1} - {
            ""
        }
        for number in numbers:
            for key in tails:
                self.tails[key].append(number)
        for keys, found in ((names, self.names), (parts, self.halves), (shorts, self.shorts)):
            for key in keys:
                found[key].update(numbers)

    def add_all(
        self,
        found: CheckedCards,
        first: int = 0,
        below: Callable[[str], Iterable[Named]] = lambda _key: (),
        names_below: Callable[[], Iterable[str]] = lambda: (),
    ) -> None:
        """Add cards, numbered from `first`, and names that they show together, also with the cards `below` by key.

        Raises UserError for such a name of an unknown card.
        """
        by_name: dict[str, list[Named]] = defaultdict(list)
        for number, item in enumerate(found.cards, first):
            self.add(item.record, [number])
            for key in set(map(self.fold, _names(item.record)[0])) if found.combined else ():
                by_name[key].append((number, item.record))
        for item in found.combined:
            problems: list[Problem] = []
            numbers: list[int] = []
            for place, name in enumerate(item.record["made_of"]):
                key = self.fold(name)
                every = [*by_name.get(key, ()), *below(key)]
                # A card's own name goes before those of others.
                cards = [each for each in every if self.fold(each[1]["name"]) == key] or every
                exact = [number for number, record in cards if name in _names(record)[0]]
                if not cards:
                    known = (*(card.record["name"] for card in found.cards), *names_below())
                    message, hint = _("no such card: {name}", name=name), did_you_mean(name, known)
                    problems.append(item.problem(message, ("made_of", place), hint))
                numbers += exact or [number for number, _record in cards]
            if problems:
                raise UserError(problems[:MOST_PROBLEMS])
            self.add(item.record, numbers)

    def keys_of(self, record: Record) -> set[str]:
        """All keys of a record."""
        other = Index(self.fold)
        other.add(record, ())
        return other.all_keys()

    def all_keys(self) -> set[str]:
        """All keys."""
        return {*self.names, *self.halves, *self.shorts}

    def card_numbers(self, key: str) -> CardNumbers:
        """The numbers of the cards that a key can mean."""
        found = (self.names, self.halves, self.shorts)
        names, halves, shorts = (tuple(sorted(of.get(key, ()))) for of in found)
        return CardNumbers(names, tuple(number for number in halves if number not in names), shorts)


def _names(record: Record) -> tuple[list[str], list[str], list[str]]:
    """The names of the whole card, the joined names of its sides, and the names of its halves."""
    faces, halves = ([part["name"] for part in record.get(key, ())] for key in ("faces", "parts"))
    joined = [f"{record['name']}/{face}" for face in faces]
    joined += ["/".join(sides) for sides in ([record["name"], *faces] if faces else [], halves) if sides]
    return [record["name"], *record.get("aliases", ()), *faces], joined, halves


# Rows


def _compiled(
    game: Game, found: CheckedCards, index: Index, stamp: str, over: Mapping[str, str] | None = None
) -> sqlite3.Connection:
    """A table of these cards in memory, with the keys of the index. `over` are fields of a table over another.

    "cards" are ordered by day and numbered by their place; a line has the name, the numbers of
    cells that several cards share, which are in "cells", and its own cells. "keys" have the cards that each
    key can mean, "ambiguous" those of names without their reading that several cards have. "tails" are the last words
    of names, since people omit titles, and "likeness" finds similar names.
    """
    every = index.all_keys()
    lines = [(key, index.card_numbers(key)) for key in sorted(every)]
    # A key without a card is kept if the table below may have it.
    keys = [(key, numbers) for key, numbers in lines if over is not None or numbers.meant]
    tails = sorted(index.tails.items())
    shared, card_lines = _card_lines(game, found)
    characters = sorted(char for char in index.characters if unicodedata.ucd_3_2_0.category(char) == "Cn")

    def several(name: str) -> bool:
        return len(index.names[index.fold(name)]) > 1

    if over is None:
        over = {
            "behind_counts": "\n".join(sorted(behind_counts(every) & every)),
            "before_counts": "\n".join(sorted(before_counts(every) & every)),
        }
    meta = Meta(
        form=form_of(game),
        stamp=stamp,
        version=found.version,
        cards=str(len(found.cards)),
        rare=rare("".join(characters)),
        keys="\n".join(["", *(key for key, _numbers in keys[KEYS_A_ROW::KEYS_A_ROW])]),
        tails="\n".join(["", *(key for key, _numbers in tails[KEYS_A_ROW::KEYS_A_ROW])]),
        shared=" ".join(str(at) for at, item in enumerate(found.cards) if several(item.record["name"])),
        **over,
    )
    ambiguous = [numbers.line(key) for key, numbers in lines if numbers.shorts and not numbers.meant]
    parts: dict[str, Sequence[str | bytes]] = {
        "meta": meta,
        "sets": [found.sets.to_json()],
        "cells": ["\n".join(shared)],
        "cards": _rows(card_lines, CARDS_A_ROW),
        "made": ["\n".join(to_json(item.record) for item in found.combined)],
        "keys": _rows([numbers.line(key) for key, numbers in keys], KEYS_A_ROW),
        "ambiguous": ["\n".join(ambiguous)],
        "tails": _rows([CardNumbers(tuple(of[:_MOST_TAILS])).line(key) for key, of in tails], KEYS_A_ROW),
        "likeness": likeness_rows([key if numbers.named else "" for key, numbers in keys]),
    }
    database = sqlite3.connect(":memory:", check_same_thread=False)
    with database:
        for part, contents in parts.items():
            database.execute(f"CREATE TABLE {part} (number INTEGER PRIMARY KEY, content, mark INTEGER)")
            rows = [(at, content, checksum(part, at, content)) for at, content in enumerate(contents)]
            database.executemany(f"INSERT INTO {part} VALUES (?, ?, ?)", rows)
    return database


def behind_counts(keys: Iterable[str]) -> set[str]:
    """What follows a sign or a number at the beginning of keys."""
    found = set()
    for key in keys:
        is_number = "1" <= key[:1] <= "9"
        if is_number or key[:1] == _SIGN:
            found.add(key[1:])
        if is_number:
            found.add(key[2:])
    return found


def before_counts(keys: Iterable[str]) -> set[str]:
    """What precedes a sign or a digit in keys."""
    return {key[: found.start()] for key in keys for found in _COUNT.finditer(key, 1)}


def _rows(lines: Sequence[str], size: int) -> list[str]:
    return ["\n".join(lines[at : at + size]) for at in range(0, max(len(lines), 1), size)]


def _card_lines(game: Game, found: CheckedCards) -> tuple[list[str], list[str]]:
    """The cells that several cards share, the most frequent first, and the line of each card."""
    every = [_cells(game, found, item.record) for item in found.cards]
    counts = Counter(cell for cells in every for cell in cells)
    # The order of printings is kept, so all of a card's are together.
    shared = [cell for cell, count in counts.most_common() if count > 1 or cell.startswith("printings=")]
    numbers = {cell: str(number) for number, cell in enumerate(shared)}
    lines = []
    for item, cells in zip(found.cards, every, strict=True):
        common = " ".join(numbers[cell] for cell in cells if cell in numbers)
        own = (cell for cell in cells if cell not in numbers)
        lines.append("\t".join([item.record["name"], common, *own]))
    return shared, lines


def _cells(game: Game, found: CheckedCards, record: Record) -> list[str]:
    """The cells of a card, each a key and JSON; one for each printing, with the release day of its set."""
    name = record["name"]
    plain: dict[str, Any] = {**normal(record), "home": record.get("home")}
    if plain["home"] == game.default_zone:
        del plain["home"]
    day = found.sets.first_day(record)
    if "released" not in record and day is not None:
        plain["since"] = day
    if dated := found.sets.days_of_values(record):
        plain["dated"] = dated
    if name in found.reasons:
        plain["mended"] = found.reasons[name]
    cells = [f"{key}={to_json(value)}" for key, value in plain.items() if key not in ("name", "printings")]
    if name in found.own:
        # The path of the user's own file may have bytes that aren't text, which SQLite can't store.
        cells.append(f"own={json.dumps(found.own[name])}")
    for item in plain.get("printings", ()):
        day = "" if "released" in item else found.sets.day_of(item) or ""
        cells.append(f"printings={day}={to_json(item)}")
    return cells


# The user's own cards


def compile_own(game: Game, below: Table, files: Sequence[Path], stamp: str) -> sqlite3.Connection:
    """The table of the cards in the files; later files replace cards of earlier ones. Raises UserError."""
    contents = [read_bytes(path, most=MOST_BYTES) for path in files]
    words = vocabulary(game)
    own = OwnCards(game, below)
    for path, content in zip(files, contents, strict=True):
        own.take(read_cards(path, content, words))
    return own.compiled(stamp, _hash_of(contents, below.meta.version))


class OwnCards:
    """Cards over a table: what they replace, and what their keys and those of replaced cards mean."""

    def __init__(self, game: Game, below: Table) -> None:
        self._game, self._below = game, below
        self._fold = vocabulary(game).fold
        self._cards = Cards(self._fold)
        self._places: dict[str, str] = {}
        self._made: dict[str, Record] = {record["name"]: record for record in combined_records(below)}
        self._replaced: dict[int, Record] = {}
        self._unmade: list[Record] = []

    def take(self, items: Iterable[Located]) -> list[tuple[Located, Record | None]]:
        """Add the cards of a file; returns each with the record that it replaces, or None.

        A card with the same name is replaced, or the only one whose name folds alike. Raises UserError for a name by
        which several cards could be meant.
        """
        alike: dict[str, list[Located]] = {}
        for item in items:
            alike.setdefault(self._fold(item.record["name"]), []).append(item)
        taken: list[tuple[Located, Record | None]] = []
        problems: list[Problem] = []
        for key, group in alike.items():
            earlier: dict[str, Record] = {record["name"]: record for record in self._named(key)}
            others = {*earlier} - {item.record["name"] for item in group}
            respelt = [item for item in group if item.record["name"] not in earlier]
            for item in group:
                name = item.record["name"]
                if item in respelt and others and (len(others) > 1 or len(respelt) > 1):
                    problems.append(item.problem(several_cards(name, sorted(others)), ("name",)))
                    continue
                replaced = earlier.get(name if item not in respelt else next(iter(others), ""))
                self._put(item, replaced)
                taken.append((item, replaced))
        if problems:
            raise UserError(problems)
        return taken

    def _named(self, key: str) -> Iterator[Record]:
        """Yields the existing cards whose own name folds to the key."""
        for name in self._cards.alike(key):
            yield self._cards.find(name)[0].record
        for record in self._made.values():
            if self._fold(record["name"]) == key:
                yield record
        for _number, record in self._below_named(key):
            if self._fold(record["name"]) == key:
                yield record

    def _below_named(self, key: str) -> Iterator[Named]:
        """Yields the cards below with that folded name that aren't replaced."""
        for number in numbers_in(self._below.line("keys", key)).names:
            if number not in self._replaced:
                yield number, record_of(self._below, self._game, number)

    def _put(self, item: Located, replaced: Record | None) -> None:
        if replaced is None:
            self._cards.put(item)
            return
        name = replaced["name"]
        self._places.pop(name, None)
        self._places[item.record["name"]] = f"{item.path}:{item.line}"
        if self._cards.has(name):
            self._cards.put(item, name)
            return
        if self._made.pop(name, None) is not None:
            self._unmade.append(replaced)
        else:
            key = self._fold(name)
            self._replaced |= {
                number: record for number, record in self._below_named(key) if record["name"] == name
            }
        self._cards.put(item)

    def compiled(self, stamp: str, version: str) -> sqlite3.Connection:
        """The table of these cards. Raises UserError for a card made of unknown cards."""
        found = _checked(self._cards, _sets_of(self._below), version)._replace(own=self._places)
        index = self._index(found)
        every = index.all_keys()
        over = {
            "behind_counts": "\n".join(sorted(self._behind_counts(every))),
            "before_counts": "\n".join(sorted(self._before_counts(every))),
            "replaced": " ".join(map(str, sorted(self._replaced))),
        }
        return _compiled(self._game, found, index, stamp, over)

    def _index(self, cards: CheckedCards) -> Index:
        """What all keys mean for which any card was added or replaced."""
        index, below = Index(self._fold), self._below
        remade = [record for record in self._made.values() if self._members(record) & self._replaced.keys()]
        combined = [*cards.combined, *(Located(record, "", 0) for record in remade)]
        index.add_all(
            cards._replace(combined=combined),
            below.count,
            self._below_named,
            lambda: map(below.card_name, range(below.count)),
        )
        for record in (*self._replaced.values(), *self._unmade):
            index.add(record, [])
        gone = self._no_longer_meant([*self._unmade, *remade], index)
        for key in index.all_keys():
            found = numbers_in(below.line("keys", key) or below.ambiguous(key))
            for numbers, of in zip(found, (index.names, index.halves, index.shorts), strict=True):
                of[key].update(
                    number for number in numbers if number not in self._replaced and (key, number) not in gone
                )
        return index

    def _members(self, record: Record) -> set[int]:
        """The numbers of the cards below that show a name together."""
        return set(numbers_in(self._below.line("keys", self._fold(record["name"]))).names)

    def _no_longer_meant(self, records: Iterable[Record], index: Index) -> set[tuple[str, int]]:
        """The keys of names that cards below showed together, each with the number of such a card without that key."""
        return {
            (key, number)
            for record in records
            for number in self._members(record)
            for key in index.keys_of(record) - index.keys_of(record_of(self._below, self._game, number))
        }

    def _behind_counts(self, own: set[str]) -> set[str]:
        """The keys of both tables that a longer one has after a sign or a number."""
        below = self._below
        longer = (line.partition("\t")[0] for start in "x123456789" for line in below.beginning(start))
        return {*below.meta.behind_counts.split("\n"), *(behind_counts(longer) & own)}.union(
            key for key in behind_counts(own) if key in own or below.line("keys", key) is not None
        )

    def _before_counts(self, own: set[str]) -> set[str]:
        """The keys of both tables that a longer one has before a sign or a digit."""
        below = self._below
        longer = {
            key
            for key in own
            if any(True for count in "x0123456789" for _line in below.beginning(key + count))
        }
        return {*below.meta.before_counts.split("\n"), *longer}.union(
            key for key in before_counts(own) if key in own or below.line("keys", key) is not None
        )


# Files


def build_table(game: Game, sources: Sources, file: Path) -> None:
    """Write the table of the bundled cards to a file, unless that is next to the texts and fresh.

    Raises UserError for an invalid text, or if the file can't be written.
    """
    # Elsewhere, the table replaces the texts, and depends only on their content.
    stamp = stamp_of(sources.bundled) if file == sources.compiled else ""
    with contextlib.suppress(sqlite3.Error), closing(Table(connect(file))) as table:
        if stamp and table.is_fresh(form_of(game), stamp):
            return
    with closing(compile_bundled(game, sources, stamp)) as database:
        try:
            write_atomically(file, database.serialize())
            file.chmod(0o644)
        except OSError as error:
            raise cannot_write(file, error) from error


def write_cached(file: Path, database: sqlite3.Connection) -> bool:
    """Write the database to `file` in the cache, and delete the oldest tables there; False if that fails.

    Every other set of card files leaves a table behind, and a killed process half of one.
    """
    try:
        write_atomically(file, database.serialize())
    except (OSError, sqlite3.Error, AttributeError):
        # Some builds of SQLite can't serialize a database.
        return False
    with contextlib.suppress(OSError):
        game = file.stem.rpartition("-")[0]
        tables = sorted(file.parent.glob(f"{game}-????????.sqlite"), key=lambda file: -file.stat().st_mtime)
        for old in tables[_MOST_TABLES:]:
            old.unlink(missing_ok=True)
        for part in file.parent.glob(f"*{game}-????????.sqlite?*"):
            if part.stat().st_mtime < time.time() - _FORGOTTEN:
                part.unlink(missing_ok=True)
    return True
