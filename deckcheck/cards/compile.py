"""Compiles card tables: those that ship with deckcheck, from their texts, into the form that `database` reads."""

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
    read_sets,
    to_json,
    vocabulary,
)
from deckcheck.cards.corrections import Cards, Dates, correct, first_day
from deckcheck.cards.database import (
    CARDS_A_ROW,
    KEYS_A_ROW,
    CardNumbers,
    Meta,
    Table,
    checksum,
    connect,
    rare,
)
from deckcheck.cards.folding import Fold, make_fold
from deckcheck.cards.sources import Sources, form_of, stamp_of
from deckcheck.cards.suggestions import likeness_rows
from deckcheck.model.game import Game
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.files import cannot_write, read_bytes, write_atomically
from deckcheck.support.messages import _

_CONTENT = "3"
"""Increased whenever the same sources would give other cards; the version of a table depends on it."""

_MOST_TABLES = 12
_FORGOTTEN = 24 * 60 * 60
_MOST_TAILS = 8
"""The most names that are suggested for the same last word; later ones never are."""

_READING = re.compile(r"\([^()]*\)")
_SIGN, _COUNT = "x", re.compile("[x0-9]")


class CheckedCards(NamedTuple):
    """The checked cards of the sources in their order.

    `reasons` are those of the corrections and `own` the places in the user's files of cards that replaced others, by
    name. `dates` are the days of the sets, `version` a hash of the content.
    """

    cards: Sequence[Located]
    reasons: Mapping[str, Sequence[str]]
    dates: Dates
    version: str
    own: Mapping[str, str] = {}


Parts = dict[str, Sequence[str | bytes]]
"""The rows of a table, by part."""


# What is bundled


def compile_bundled(game: Game, sources: Sources, stamp: str) -> sqlite3.Connection:
    """The table of the bundled cards. Raises UserError for an invalid text."""
    found = collect(game, sources)
    index = Index(make_fold(game.folding))
    records, made = by_day(found.cards, found.dates)
    for number, item in enumerate(records):
        index.add(item.record, [number])
    if made:
        by_name = members_by_name(((number, item.record) for number, item in enumerate(records)), index.fold)
        for item in made:
            found_by = lambda name: by_name.get(index.fold(name), ())  # noqa: E731
            index.add(item.record, members(item, found_by, lambda: (card.record["name"] for card in records)))
    meta = Meta(form_of(game), stamp, found.version, str(len(records)))
    return compiled(table_parts(game, meta, found, records, made, index))


def collect(game: Game, sources: Sources) -> CheckedCards:
    """Read, check and correct the bundled cards. Raises UserError.

    If the texts are missing, as in an installed package, the cards come from the table that was built from them.
    """
    if not sources.cards.exists() and sources.compiled.exists():
        return _collect_compiled(game, sources.compiled)
    words = vocabulary(game)
    content = {path: read_bytes(path, most=MOST_BYTES) if path.exists() else b"" for path in sources.bundled}
    cards, sets, corrections = content.values()
    dates = read_sets(sources.sets, sets) if sets else {}
    table = Cards(words.fold)
    for item in read_cards(sources.cards, cards, words):
        # Bundled cards without a home belong in the first zone; for the user's own cards, it's unknown.
        home = {} if "home" in item.record else {"home": words.zones[0]}
        table.put(item._replace(record={**item.record, **home}))
    reasons = correct(table, sources.corrections, corrections, words, dates) if corrections else {}
    return CheckedCards(list(table), reasons, dates, hash_of(content.values()))


def _collect_compiled(game: Game, file: Path) -> CheckedCards:
    table = Table(connect(file))
    cards, reasons = [], {}
    for record, extra in [*records_of(table, game), *((item, {}) for item in combined_records(table))]:
        cards.append(Located(record, str(file), 0))
        if "mended" in extra:
            reasons[record["name"]] = extra["mended"]
    (dates,) = table.rows("dates", 0)
    return CheckedCards(cards, reasons, json.loads(dates), table.meta.version)


def hash_of(contents: Iterable[bytes], *before: str) -> str:
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


_DERIVED = ("since", "mended", "own")


# Keys


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


Named = tuple[int, Record]
"""A card with its number."""


def members_by_name(cards: Iterable[Named], fold: Fold) -> dict[str, list[Named]]:
    """The cards by folded name; a card's own name goes before those of others."""
    found: dict[str, list[Named]] = defaultdict(list)
    own: dict[str, list[Named]] = defaultdict(list)
    for number, record in cards:
        for name in _names(record)[0]:
            found[fold(name)].append((number, record))
        own[fold(record["name"])].append((number, record))
    return found | own


def members(
    item: Located, find: Callable[[str], Sequence[Named]], every: Callable[[], Iterable[str]]
) -> list[int]:
    """The numbers of the cards that show a name together; `find` finds each by its name.

    Raises UserError for an unknown one, with the nearest of `every` name.
    """
    problems: list[Problem] = []
    found: list[int] = []
    for place, name in enumerate(item.record["made_of"]):
        cards = find(name)
        exact = [number for number, record in cards if name in _names(record)[0]]
        if not cards:
            hint = did_you_mean(name, every())
            problems.append(item.problem(_("no such card: {name}", name=name), ("made_of", place), hint))
        found += exact or [number for number, _record in cards]
    if problems:
        raise UserError(problems[:MOST_PROBLEMS])
    return found


# Rows


def table_parts(
    game: Game,
    meta: Meta,
    found: CheckedCards,
    cards: Sequence[Located],
    made: Sequence[Located],
    index: Index,
    *,
    is_over: bool = False,
) -> Parts:
    """The rows of a table of `cards`, with the keys of `index`; for one over another, also keys that mean no card.

    "cards" are ordered by day and numbered by their place; a line has the name, the numbers of
    cells that several cards share, which are in "cells", and its own cells. "keys" have the cards that each
    key can mean, "ambiguous" those of names without their reading that several cards have. "tails" are the last words
    of names, since people omit titles, and "likeness" finds similar names.
    """
    every = index.all_keys()
    lines = [(key, index.card_numbers(key)) for key in sorted(every)]
    keys = [(key, found) for key, found in lines if is_over or found.meant]
    places = range(0, max(len(keys), 1), KEYS_A_ROW)
    tails = sorted(index.tails.items())
    shared, card_lines = _card_lines(game, found, cards)
    characters = sorted(char for char in index.characters if unicodedata.ucd_3_2_0.category(char) == "Cn")

    def several(name: str) -> bool:
        return len(index.names[index.fold(name)]) > 1

    meta = meta._replace(
        rare=rare("".join(characters)),
        keys="\n".join(["", *(keys[at][0] for at in places[1:])]),
        tails="\n".join(["", *(key for key, _ in tails[KEYS_A_ROW::KEYS_A_ROW])]),
        shared=" ".join(str(number) for number, item in enumerate(cards) if several(item.record["name"])),
        behind_counts=meta.behind_counts or "\n".join(sorted(behind_counts(every) & every)),
        before_counts=meta.before_counts or "\n".join(sorted(before_counts(every) & every)),
    )
    return {
        "meta": meta,
        "dates": [to_json(found.dates)],
        "cells": ["\n".join(shared)],
        "cards": _rows(card_lines, CARDS_A_ROW),
        "made": ["\n".join(to_json(item.record) for item in made)],
        "keys": _rows([found.line(key) for key, found in keys], KEYS_A_ROW),
        "ambiguous": ["\n".join(found.line(key) for key, found in lines if found.shorts and not found.meant)],
        "tails": _rows([CardNumbers(tuple(of[:_MOST_TAILS])).line(key) for key, of in tails], KEYS_A_ROW),
        "likeness": likeness_rows([key if found.named else "" for key, found in keys]),
    }


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


def _card_lines(game: Game, found: CheckedCards, cards: Sequence[Located]) -> tuple[list[str], list[str]]:
    """The cells that several cards share, the most frequent first, and the line of each card."""
    every = [_cells(game, found, item.record) for item in cards]
    counts = Counter(cell for cells in every for cell in cells)
    # The order of printings is kept, so all of a card's are together.
    shared = [cell for cell, count in counts.most_common() if count > 1 or cell.startswith("printings=")]
    numbers = {cell: str(number) for number, cell in enumerate(shared)}
    lines = []
    for item, cells in zip(cards, every, strict=True):
        common = " ".join(numbers[cell] for cell in cells if cell in numbers)
        lines.append(
            "\t".join([item.record["name"], common, *(cell for cell in cells if cell not in numbers)])
        )
    return shared, lines


def _cells(game: Game, found: CheckedCards, record: Record) -> list[str]:
    """The cells of a card, each a key and JSON; one for each printing, with the release day of its set."""
    name = record["name"]
    plain: dict[str, Any] = {**normal(record), "home": record.get("home")}
    if plain["home"] == game.default_zone:
        del plain["home"]
    day = day_of(record, found.dates)
    if "released" not in record and day < NO_DAY:
        plain["since"] = day
    if name in found.reasons:
        plain["mended"] = found.reasons[name]
    cells = [f"{key}={to_json(value)}" for key, value in plain.items() if key not in ("name", "printings")]
    if name in found.own:
        # The path of the user's own file may have bytes that aren't text, which SQLite can't store.
        cells.append(f"own={json.dumps(found.own[name])}")
    for item in plain.get("printings", ()):
        day = "" if "released" in item else found.dates.get(item["set"], "")
        cells.append(f"printings={day}={to_json(item)}")
    return cells


NO_DAY = "~"
"""Stands for an unknown day, which comes last."""


def day_of(record: Record, dates: Dates) -> str:
    """The day since which a card exists, or NO_DAY."""
    return first_day(record, dates) or NO_DAY


def by_day(items: Iterable[Located], dates: Dates) -> tuple[list[Located], list[Located]]:
    """The cards in order of their days, and the names that several cards show together."""
    found: tuple[list[Located], list[Located]] = [], []
    for item in sorted(items, key=lambda item: day_of(item.record, dates)):
        found["made_of" in item.record].append(item)
    return found


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


def compiled(parts: Parts) -> sqlite3.Connection:
    """A database in memory with these rows."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    with database:
        for part, contents in parts.items():
            database.execute(f"CREATE TABLE {part} (number INTEGER PRIMARY KEY, content, mark INTEGER)")
            rows = [(at, content, checksum(part, at, content)) for at, content in enumerate(contents)]
            database.executemany(f"INSERT INTO {part} VALUES (?, ?, ?)", rows)
    return database


def write(file: Path, database: sqlite3.Connection) -> bool:
    """Write the database to `file` atomically; False if that fails."""
    try:
        write_atomically(file, database.serialize())
    except (OSError, sqlite3.Error, AttributeError):
        # Some builds of SQLite can't serialize a database.
        return False
    return True


def forget_old(file: Path) -> None:
    """Delete the oldest tables next to `file` in the cache.

    Every other set of card files leaves a table behind, and a killed process half of one.
    """
    with contextlib.suppress(OSError):
        game = file.stem.rpartition("-")[0]
        tables = sorted(file.parent.glob(f"{game}-????????.sqlite"), key=lambda file: -file.stat().st_mtime)
        for old in tables[_MOST_TABLES:]:
            old.unlink(missing_ok=True)
        for part in file.parent.glob(f"*{game}-????????.sqlite?*"):
            if part.stat().st_mtime < time.time() - _FORGOTTEN:
                part.unlink(missing_ok=True)
