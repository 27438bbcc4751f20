"""Where a large file is taken apart: a database beside the user's cards, which outlives an import that was cut off."""

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.importers.fit import joined
from deckcheck.cards.importers.found import Item, LeftOut, Stamp
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import _
from deckcheck.support.version import VERSION

FORM = 1
"""Raised whenever what is kept there would read differently."""

_STEP = 2000
_ENDS = 1024 * 1024
_LAYOUT = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cards (
  id INTEGER PRIMARY KEY, same TEXT NOT NULL, name TEXT NOT NULL, record TEXT NOT NULL, weak INTEGER NOT NULL,
  melds TEXT, code TEXT
);
CREATE TABLE sames (same TEXT PRIMARY KEY, card INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE aliases (card INTEGER, alias TEXT, PRIMARY KEY (card, alias)) WITHOUT ROWID;
CREATE TABLE printings (card INTEGER, printing TEXT, PRIMARY KEY (card, printing)) WITHOUT ROWID;
CREATE TABLE left_out (reason TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE earlier (key TEXT PRIMARY KEY, record TEXT NOT NULL, own INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE earlier_aliases (alias TEXT, key TEXT, PRIMARY KEY (alias, key)) WITHOUT ROWID;
"""


class Staged(NamedTuple):
    """A card as its appearances tell it together."""

    id: int
    record: dict[str, Any]
    aliases: list[str]
    printings: list[dict[str, Any]]
    melds: str | None
    code: str | None


def identity(path: Path, kind: str) -> str:
    """What tells a file from another one or another state of it, without reading it all. Raises OSError."""
    said = path.stat()
    with path.open("rb") as file:
        ends = hashlib.sha256(file.read(_ENDS))
        file.seek(max(said.st_size - _ENDS, 0))
        ends.update(file.read(_ENDS))
    return f"{VERSION} {FORM} {kind} {said.st_size} {said.st_mtime_ns} {ends.hexdigest()}"


class Staging:
    """The things found in one file, of which `done` are in already; `complete` says whether that is all.

    `file` is where they are kept, `of` the file's identity; what is kept of
    another file is forgotten. Raises sqlite3.Error when that can't be done.
    """

    def __init__(self, file: Path, of: str, united: frozenset[str]) -> None:
        self._united = united
        self.database = _opened(file, of)
        meta = dict(self.database.execute("SELECT key, value FROM meta"))
        self.done = int(meta.get("done", 0))
        self.complete = "complete" in meta
        self.repeated = "repeated" in meta
        self.date: str | None = meta.get("date")
        self.left_out = Counter(dict(self.database.execute("SELECT reason, count FROM left_out")))
        self._same: dict[str, int] = dict(self.database.execute("SELECT same, card FROM sames"))
        self._name: dict[str, int] = dict(self.database.execute("SELECT name, id FROM cards"))
        self._told: dict[int, int] = {}

    def add(self, found: Item | LeftOut | Stamp | None) -> None:
        """One thing more."""
        if isinstance(found, Item):
            self._card(found)
        elif isinstance(found, LeftOut):
            self.left_out[found.reason] += found.number
        elif isinstance(found, Stamp):
            self.date = found.date
        self.done += 1
        if self.done % _STEP == 0:
            self._commit()

    def finish(self) -> None:
        """That was all."""
        self.complete = True
        self._commit()

    def _commit(self) -> None:
        said = {"done": str(self.done), "date": self.date}
        said |= {"complete": "yes" if self.complete else None, "repeated": "yes" if self.repeated else None}
        rows = [(key, value) for key, value in said.items() if value is not None]
        self.database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)
        self.database.executemany("INSERT OR REPLACE INTO left_out VALUES (?, ?)", self.left_out.items())
        self.database.commit()

    def _card(self, item: Item) -> None:
        name = item.record["name"]
        by_same = self._same.get(item.same) if item.same else None
        number = self._name.get(name) if by_same is None else by_same
        text = json.dumps(item.record, ensure_ascii=False, sort_keys=True)
        execute = self.database.execute
        if number is None:
            values = (item.same, name, text, item.weak, item.melds, item.code)
            number = execute(
                "INSERT INTO cards (same, name, record, weak, melds, code) VALUES (?, ?, ?, ?, ?, ?)", values
            ).lastrowid
            assert number is not None
            self._name[name] = number
            self._told[number] = hash(text)
        else:
            self.repeated = self.repeated or not item.weak
            if self._told.get(number) != hash(text):
                self._join(number, item, text, one=by_same is not None)
        if item.same and by_same is None:
            self._same[item.same] = number
            execute("INSERT OR IGNORE INTO sames VALUES (?, ?)", (item.same, number))
        for alias in item.aliases:
            execute("INSERT OR IGNORE INTO aliases VALUES (?, ?)", (number, alias))
        for printing in item.printings:
            said = json.dumps(printing, ensure_ascii=False, sort_keys=True)
            execute("INSERT OR IGNORE INTO printings VALUES (?, ?)", (number, said))

    def _join(self, number: int, item: Item, text: str, *, one: bool) -> None:
        row = self.database.execute("SELECT record, weak FROM cards WHERE id = ?", (number,)).fetchone()
        before, weak = json.loads(row[0]), bool(row[1])
        if item.weak > weak:
            return
        if item.weak < weak:
            made = {**item.record, "name": before["name"]}
        else:
            made = joined(before, item.record, self._united, one=one)
        merged = json.dumps(made, ensure_ascii=False, sort_keys=True)
        self._told[number] = hash(text if merged == row[0] else merged)
        self.database.execute(
            "UPDATE cards SET record = ?, weak = ? WHERE id = ?", (merged, item.weak, number)
        )

    def heads(self) -> Iterator[tuple[int, str, int, str | None]]:
        """Number, name, how many words the united facts hold, and what it becomes a half of, in order."""
        for number, name, record, melds in self.database.execute(
            "SELECT id, name, record, melds FROM cards ORDER BY id"
        ):
            said = json.loads(record)
            yield number, name, sum(len(said.get(key, ())) for key in self._united), melds

    def aliases(self) -> Iterator[tuple[int, str]]:
        """Every alias with the number of its card."""
        yield from self.database.execute("SELECT card, alias FROM aliases ORDER BY card, alias")

    def cards(self) -> Iterator[Staged]:
        """The cards in the order in which they came first."""
        rows = self.database.execute("SELECT id, record, melds, code FROM cards ORDER BY id")
        for number, record, melds, code in rows:
            one = (number,)
            aliases = self.database.execute("SELECT alias FROM aliases WHERE card = ? ORDER BY alias", one)
            printings = self.database.execute("SELECT printing FROM printings WHERE card = ?", one)
            yield Staged(
                number,
                json.loads(record),
                [alias for (alias,) in aliases],
                [json.loads(printing) for (printing,) in printings],
                melds,
                code,
            )

    def close(self) -> None:
        """Let go of the file; what wasn't committed is gone."""
        self.database.close()


def _opened(file: Path, of: str) -> sqlite3.Connection:
    database = sqlite3.connect(file)
    try:
        found = database.execute("SELECT value FROM meta WHERE key = 'of'").fetchone()
        if found is not None and found[0] == of:
            return database
    except sqlite3.DatabaseError:
        # New, or spoilt.
        pass
    database.close()
    forget(file)
    database = sqlite3.connect(file)
    database.executescript(_LAYOUT)
    database.execute("INSERT INTO meta VALUES ('of', ?)", (of,))
    database.commit()
    return database


def forget(file: Path) -> None:
    """Take away what was kept in `file`."""
    for end in ("", "-journal", "-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)


def cannot_keep(file: Path, error: sqlite3.Error | OSError) -> UserError:
    """What to say when nothing can be written there."""
    said = getattr(error, "strerror", None) or str(error)
    return wrong(_("can't be written: {said}", said=said), path=str(file))
