"""Where a large file is taken apart: a database beside the user's cards, which outlives an import that was cut off."""

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.cardfile import Record
from deckcheck.cards.importers.registry import Item, LeftOut, Stamp
from deckcheck.support.version import VERSION

FORM = 2
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
    status = path.stat()
    with path.open("rb") as file:
        ends = hashlib.sha256(file.read(_ENDS))
        file.seek(max(status.st_size - _ENDS, 0))
        ends.update(file.read(_ENDS))
    return f"{VERSION} {FORM} {kind} {status.st_size} {status.st_mtime_ns} {ends.hexdigest()}"


class Staging:
    """The things found in one file, of which `done` are in already; `complete` says whether that is all.

    `file` is where they are kept, `of` the file's identity; what is kept of
    another file is dropped. Raises sqlite3.Error when that can't be done.
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
        self._hashes: dict[int, int] = {}

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
        meta = {"done": str(self.done), "date": self.date}
        meta |= {"complete": "yes" if self.complete else None, "repeated": "yes" if self.repeated else None}
        rows = [(key, value) for key, value in meta.items() if value is not None]
        self.database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)
        self.database.executemany("INSERT OR REPLACE INTO left_out VALUES (?, ?)", self.left_out.items())
        self.database.commit()

    def _card(self, item: Item) -> None:
        name = item.record["name"]
        by_same = self._same.get(item.same) if item.same else None
        number = self._name.get(name) if by_same is None else by_same
        text = _text(item.record)
        execute = self.database.execute
        if number is None:
            values = (item.same, name, text, item.weak, item.melds, item.code)
            number = execute(
                "INSERT INTO cards (same, name, record, weak, melds, code) VALUES (?, ?, ?, ?, ?, ?)", values
            ).lastrowid
            assert number is not None
            self._name[name] = number
            self._hashes[number] = hash(text)
        else:
            self.repeated = self.repeated or not item.weak
            if self._hashes.get(number) != hash(text):
                self._join(number, item, text, same=by_same is not None)
        if item.same and by_same is None:
            self._same[item.same] = number
            execute("INSERT OR IGNORE INTO sames VALUES (?, ?)", (item.same, number))
        for alias in item.aliases:
            execute("INSERT OR IGNORE INTO aliases VALUES (?, ?)", (number, alias))
        for printing in item.printings:
            execute("INSERT OR IGNORE INTO printings VALUES (?, ?)", (number, _text(printing)))

    def _join(self, number: int, item: Item, text: str, *, same: bool) -> None:
        row = self.database.execute("SELECT record, weak FROM cards WHERE id = ?", (number,)).fetchone()
        before, weak = json.loads(row[0]), bool(row[1])
        if item.weak > weak:
            return
        if item.weak < weak:
            made = {**item.record, "name": before["name"]}
        else:
            made = _joined(before, item.record, self._united, same=same)
        merged = _text(made)
        self._hashes[number] = hash(text if merged == row[0] else merged)
        self.database.execute(
            "UPDATE cards SET record = ?, weak = ? WHERE id = ?", (merged, item.weak, number)
        )

    def heads(self) -> Iterator[tuple[int, str, int]]:
        """Number, name and how many words the united facts hold, in order."""
        for number, name, text in self.database.execute("SELECT id, name, record FROM cards ORDER BY id"):
            record = json.loads(text)
            yield number, name, sum(len(record.get(key, ())) for key in self._united)

    def aliases(self) -> Iterator[tuple[int, str]]:
        """Every alias with the number of its card."""
        yield from self.database.execute("SELECT card, alias FROM aliases ORDER BY card, alias")

    def cards(self) -> Iterator[Staged]:
        """The cards in the order in which they came first."""
        execute = self.database.execute
        for row in execute("SELECT id, record, melds, code FROM cards ORDER BY id"):
            number, record, melds, code = row
            aliases = execute("SELECT alias FROM aliases WHERE card = ? ORDER BY alias", (number,))
            printings = execute("SELECT printing FROM printings WHERE card = ?", (number,))
            yield Staged(
                number,
                json.loads(record),
                [alias for (alias,) in aliases],
                [json.loads(printing) for (printing,) in printings],
                melds,
                code,
            )

    def forget_earlier(self) -> None:
        """Make room for another table as it was."""
        self.database.execute("DELETE FROM earlier")
        self.database.execute("DELETE FROM earlier_aliases")

    def remember(self, key: str, record: Record, *, own: bool) -> None:
        """Add a card of the table as it was; a later one of the same key takes its place."""
        text = json.dumps(record, ensure_ascii=False)
        self.database.execute("INSERT OR REPLACE INTO earlier VALUES (?, ?, ?)", (key, text, own))
        for alias in record.get("aliases", ()):
            self.database.execute("INSERT OR IGNORE INTO earlier_aliases VALUES (?, ?)", (alias, key))

    def earlier(self, key: str) -> dict[str, Any] | None:
        """The card of that key in the table as it was."""
        row = self.database.execute("SELECT record FROM earlier WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def earlier_key(self, alias: str) -> str | None:
        """The key of the one card in the table as it was that has this alias."""
        rows = self.database.execute("SELECT key FROM earlier_aliases WHERE alias = ?", (alias,)).fetchall()
        return rows[0][0] if len(rows) == 1 else None

    def own_earlier(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The user's own cards in the table as it was, with their keys."""
        for key, text in self.database.execute("SELECT key, record FROM earlier WHERE own ORDER BY key"):
            yield key, json.loads(text)

    def close(self) -> None:
        """Let go of the file; what wasn't committed is gone."""
        self.database.close()


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _joined(
    first: Mapping[str, Any], second: Mapping[str, Any], united: frozenset[str], *, same: bool
) -> dict[str, Any]:
    """Two versions of a card: what both agree on.

    Where sets of words differ, what both have is a part of the truth; other
    facts that differ are not known. The attributes in `united` are those of
    which each version may know another part. Where it is certainly the `same`
    card, what only one version tells is true as well.
    """
    made: dict[str, Any] = {}
    partial = dict.fromkeys([*first.get("partial", ()), *second.get("partial", ())])
    for key in dict.fromkeys([*first, *second]):
        value, other = first.get(key), second.get(key)
        if key == "partial":
            continue
        if key in ("name", "parts", "faces") or value == other:
            made[key] = value if key in first else other
        elif value is None or other is None:
            if same:
                made[key] = other if value is None else value
        elif isinstance(value, list):
            both = [word for word in value if word in other]
            if key in united:
                both = sorted({*value, *other})
            elif len(both) < max(len(value), len(other)):
                partial[key] = None
            made[key] = both
    if partial:
        made["partial"] = list(partial)
    return made


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
    remove(file)
    database = sqlite3.connect(file)
    database.executescript(_LAYOUT)
    database.execute("INSERT INTO meta VALUES ('of', ?)", (of,))
    database.commit()
    return database


def remove(file: Path) -> None:
    """Take away what was kept in `file`."""
    for end in ("", "-journal", "-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
