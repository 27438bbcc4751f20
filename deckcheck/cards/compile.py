"""Compiles a game's card table: gathers its sources, finds the keys of each card, and writes what `catalog` reads."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.cardfile import (
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
from deckcheck.cards.names import Fold, make_fold
from deckcheck.cards.sources import CARDS_A_ROW, KEYS_A_ROW, Sources, checksum
from deckcheck.model.game import Game
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.files import read_bytes, write_atomically
from deckcheck.support.messages import _

_CONTENT = "2"
"""Raised whenever the same sources mean other cards; the version of a table hangs on it."""

_MOST_TABLES = 12
_FORGOTTEN = 24 * 60 * 60
_NAME, _HALF = 0, 1
"""How strong a key is: a half counts only where no name matches."""

_READING = re.compile(r"\([^()]*\)")


class Gathered(NamedTuple):
    """The cards by folded name, in the order of the table.

    `reasons` are those of the corrections, `dates` the days of the sets, `own` the places in the user's files
    of cards that replaced bundled ones.
    """

    cards: Cards
    reasons: dict[str, list[str]]
    dates: Dates
    version: str
    own: dict[str, str]


def gather(game: Game, sources: Sources) -> Gathered:
    """Read, check, correct and overlay the sources. Raises UserError."""
    words = vocabulary(game)
    content = {
        path: read_bytes(path, most=MOST_BYTES)
        for path in sources.all()
        if path in sources.extra or path.exists()
    }

    def read(path: Path) -> list[Located]:
        return read_cards(path, content[path], words) if path in content else []

    dates = read_sets(sources.sets, content[sources.sets]) if sources.sets in content else {}
    cards: Cards = {}
    for item in read(sources.cards):
        # What is bundled and names no home lives in the first zone; of a card of one's own it isn't known.
        record = item.record if "home" in item.record else {**item.record, "home": words.zones[0]}
        cards[words.fold(record["name"])] = item._replace(record=record)
    reasons: dict[str, list[str]] = {}
    if sources.corrections in content:
        reasons = correct(cards, sources.corrections, content[sources.corrections], words, dates)
    own: dict[str, str] = {}
    for path in dict.fromkeys((sources.imported, *sources.extra)):
        for item in read(path):
            key = words.fold(item.record["name"])
            if key in cards:
                own[key] = f"{item.path}:{item.line}"
            cards[key] = item
            reasons.pop(key, None)
    roles = (*sources._fields[:-1], *("extra" for _path in sources.extra))
    marks = [
        f"{role} {hashlib.sha256(content[path]).hexdigest()}"
        for role, path in zip(roles, sources.all(), strict=True)
        if path in content
    ]
    version = hashlib.sha256("\n".join([_CONTENT, *marks]).encode()).hexdigest()
    return Gathered(cards, reasons, dates, version, own)


def arrange(game: Game, gathered: Gathered, stamp: str = "") -> dict[str, list[str]]:
    """The rows of the compiled table by their part; `stamp` is that of the sources.

    "cards" are in the order of their days and known by their place. "keys" gives for folded names the cards that
    each can mean. For suggestions there are "names", each folded with its card, and "tails": the last words of
    names, since people leave the title off. Raises UserError for a card made of cards that aren't there.
    """
    fold = make_fold(game.folding)
    items: list[tuple[Located, dict[str, Any]]] = []
    for key, item in gathered.cards.items():
        record = _dated(normal(item.record), gathered.dates)
        home = record.pop("home", None)
        if home != game.default_zone:
            record["home"] = home
        if key in gathered.reasons:
            record["mended"] = gathered.reasons[key]
        if key in gathered.own:
            record["own"] = gathered.own[key]
        items.append((item, record))
    # A day that nobody knows comes last.
    items.sort(key=lambda row: row[1].get("released", "~"))
    records = [record for _, record in items if "made_of" not in record]
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, record in enumerate(records):
        for name in _names(record)[0]:
            numbers[fold(name)].append(number)
    numbers |= {fold(record["name"]): [number] for number, record in enumerate(records)}
    cards = list(enumerate(records))
    for item, record in items:
        if "made_of" in record:
            cards += [(number, record) for number in _made_of(item, numbers, records, fold)]
    found: dict[str, dict[int, int]] = defaultdict(dict)
    tails: dict[tuple[int, str], None] = {}
    for number, record in cards:
        single, joined, halves = _names(record)
        for name in (*single, *joined):
            found[fold(name)][number] = _NAME
        for name in halves:
            found[fold(name)].setdefault(number, _HALF)
        for pieces in map(str.split, (*single, *halves)):
            if len(pieces) > 1:
                tails[number, fold(pieces[-1])] = None
    _add_without_readings(found)
    found.pop("", None)
    names = sorted(
        (number, key) for key, of in found.items() for number, strength in of.items() if strength == _NAME
    )
    keys = sorted(found)
    lines = []
    for key in keys:
        strongest = min(found[key].values())
        meant = sorted(number for number, strength in found[key].items() if strength == strongest)
        lines.append(f"{key}\t{' '.join(map(str, meant))}")

    def rows(lines: list[str], size: int) -> list[str]:
        return ["\n".join(lines[at : at + size]) for at in range(0, max(len(lines), 1), size)]

    def owners(pairs: list[tuple[int, str]]) -> list[str]:
        return ["\n".join(f"{key}\t{records[number]['name']}" for number, key in pairs)]

    return {
        "meta": [stamp, gathered.version, str(len(records)), "\n".join(["", *keys[KEYS_A_ROW::KEYS_A_ROW]])],
        "cards": rows(list(map(_card_line, records)), CARDS_A_ROW),
        "keys": rows(lines, KEYS_A_ROW),
        "names": owners(names),
        "tails": owners(sorted((pair for pair in tails if pair[1]), key=lambda pair: pair[0])),
    }


def _card_line(record: Record) -> str:
    """A card as `catalog` builds it: its name, then cells with a key and JSON, one for each printing."""
    cells = [(key, value) for key, value in record.items() if key not in ("name", "printings")]
    cells += [("printings", printing) for printing in record.get("printings", ())]
    return "\t".join([record["name"], *(_cell(key, value) for key, value in cells)])


def _cell(key: str, value: Any) -> str:
    # The path of the user's own file may be no text, which SQLite can't hold.
    return f"{key}={json.dumps(value) if key == 'own' else to_json(value)}"


def _dated(record: dict[str, Any], dates: Dates) -> dict[str, Any]:
    day = first_day(record, dates)
    if day is not None:
        record["released"] = day
    if "printings" in record:
        record["printings"] = [
            item
            if "released" in item or item["set"] not in dates
            else {**item, "released": dates[item["set"]]}
            for item in record["printings"]
        ]
    return record


def _made_of(
    item: Located, numbers: Mapping[str, list[int]], records: list[dict[str, Any]], fold: Fold
) -> list[int]:
    """The numbers of the cards that together show a name."""
    problems: list[Problem] = []
    found: list[int] = []
    for place, name in enumerate(item.record["made_of"]):
        cards = numbers.get(fold(name), [])
        if not cards:
            hint = did_you_mean(name, [record["name"] for record in records])
            problems.append(item.problem(_("no such card: {name}", name=name), ("made_of", place), hint))
        found += cards
    if problems:
        raise UserError(problems[:MOST_PROBLEMS])
    return found


def _names(record: Record) -> tuple[list[str], list[str], list[str]]:
    """The names that are the whole card's, those of its sides joined, and those of its halves."""
    faces, halves = ([part["name"] for part in record.get(key, ())] for key in ("faces", "parts"))
    joined = [f"{record['name']}/{face}" for face in faces]
    joined += ["/".join(sides) for sides in ([record["name"], *faces], halves) if sides]
    return [record["name"], *record.get("aliases", ()), *faces], joined, halves


def _add_without_readings(keys: dict[str, dict[int, int]]) -> None:
    """Names without a reading in parentheses, where only one card has that name."""
    short: dict[str, set[int]] = defaultdict(set)
    for key, found in keys.items():
        without = _READING.sub("", key)
        if without != key:
            short[without].update(number for number, strength in found.items() if strength == _NAME)
    for key, numbers in short.items():
        if len(numbers) == 1 and key not in keys:
            keys[key] = {numbers.pop(): _NAME}


def compiled(parts: Mapping[str, list[str]]) -> sqlite3.Connection:
    """A database in memory that holds these rows."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    with database:
        for part, contents in parts.items():
            database.execute(f"CREATE TABLE {part} (number INTEGER PRIMARY KEY, content TEXT, mark INTEGER)")
            rows = [(at, content, checksum(part, at, content)) for at, content in enumerate(contents)]
            database.executemany(f"INSERT INTO {part} VALUES (?, ?, ?)", rows)
    return database


def write(file: Path, database: sqlite3.Connection) -> bool:
    """Put the database at `file`, whole or not at all; False where that can't be done."""
    try:
        write_atomically(file, database.serialize())
    except (OSError, sqlite3.Error, AttributeError):
        # Some builds of SQLite can't give out a database as bytes.
        return False
    # Every other set of card files leaves a table behind, and a killed process half of one.
    with contextlib.suppress(OSError):
        game = file.stem.rpartition("-")[0]
        tables = sorted(file.parent.glob(f"{game}-????????.sqlite"), key=lambda file: -file.stat().st_mtime)
        for old in tables[_MOST_TABLES:]:
            old.unlink(missing_ok=True)
        for part in file.parent.glob(f"*{game}-????????.sqlite?*"):
            if part.stat().st_mtime < time.time() - _FORGOTTEN:
                part.unlink(missing_ok=True)
    return True
