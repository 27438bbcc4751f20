"""Writes a card table into the form in which cards are looked up."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
import zlib
from pathlib import Path

from deckcheck.cards.assemble import Table
from deckcheck.support.files import write_atomically

_MOST_TABLES = 12
_FORGOTTEN = 24 * 60 * 60

_LAYOUT = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cards (id INTEGER PRIMARY KEY, name TEXT NOT NULL, record TEXT NOT NULL, mark INTEGER NOT NULL);
CREATE TABLE keys (key TEXT, card INTEGER, strength INTEGER NOT NULL, PRIMARY KEY (key, card)) WITHOUT ROWID;
CREATE TABLE tails (key TEXT, card INTEGER, PRIMARY KEY (key, card)) WITHOUT ROWID;
"""


def compiled(table: Table, stamp: str) -> sqlite3.Connection:
    """A database in memory that holds `table`, made from sources of that stamp."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.executescript(_LAYOUT)
    with database:
        texts = (json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in table.records)
        database.executemany(
            "INSERT INTO cards VALUES (?, ?, ?, ?)",
            (
                (number, table.records[number]["name"], text, zlib.crc32(text.encode()))
                for number, text in enumerate(texts)
            ),
        )
        database.executemany(
            "INSERT INTO keys VALUES (?, ?, ?)",
            (
                (key, card, strength)
                for key in sorted(table.keys.cards)
                for card, strength in sorted(table.keys.cards[key].items())
            ),
        )
        database.executemany(
            "INSERT INTO tails VALUES (?, ?)",
            ((key, card) for key in sorted(table.keys.tails) for card in sorted(table.keys.tails[key])),
        )
        meta = {"stamp": stamp, "version": table.version, "count": str(len(table.records))}
        database.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    return database


def write(path: Path, database: sqlite3.Connection) -> bool:
    """Puts the database at `path`, whole or not at all; False where that can't be done.

    Another process may do the same at the same time: the last one stays.
    """
    try:
        write_atomically(path, database.serialize())
    except (OSError, sqlite3.Error, AttributeError):
        # Some builds of SQLite can't give out a database as bytes.
        return False
    _tidy(path)
    return True


def _tidy(path: Path) -> None:
    # Every other set of card files leaves a table behind, and a killed process half of one.
    with contextlib.suppress(OSError):
        game = path.stem.rpartition("-")[0]
        tables = sorted(path.parent.glob(f"{game}-????????.sqlite"), key=lambda file: -file.stat().st_mtime)
        for file in tables[_MOST_TABLES:]:
            file.unlink(missing_ok=True)
        for file in path.parent.glob(f"{game}-????????.sqlite?*"):
            if file.stat().st_mtime < time.time() - _FORGOTTEN:
                file.unlink(missing_ok=True)
