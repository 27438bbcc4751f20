"""Where a large file is taken apart: a database beside the user's cards, which outlives an import that was cut off."""

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.importers.registry import Item, LeftOut, Stamp
from deckcheck.support.version import VERSION

FORM = 3
"""Raised whenever the database would read differently."""

_STEP = 2000
_ENDS = 1024 * 1024
# Of `parts`, `kind` is "record", "weak" (a record of a weak item), "alias" or "printing".
_LAYOUT = """
CREATE TABLE meta (file TEXT NOT NULL, state TEXT NOT NULL);
CREATE TABLE cards (id INTEGER PRIMARY KEY, name TEXT NOT NULL, melds TEXT, code TEXT);
CREATE TABLE numbers (word TEXT PRIMARY KEY, card INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE parts (
  id INTEGER PRIMARY KEY, card INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, same INTEGER NOT NULL,
  UNIQUE (card, kind, text)
);
"""


class Staged(NamedTuple):
    """A card as all its items tell it together."""

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
    """The items of one file, kept in a database.

    `done` counts what was added, `complete` says whether that is all of the
    file, `repeated` whether some card came several times. What the database
    holds of another file is dropped. Raises sqlite3.Error.
    """

    def __init__(self, database: Path, file_id: str, united: frozenset[str]) -> None:
        self.united = united
        self._database, state = _opened(database, file_id)
        self.done: int = state.get("done", 0)
        self.complete: bool = state.get("complete", False)
        self.repeated: bool = state.get("repeated", False)
        self.date: str | None = state.get("date")
        self.left_out = Counter[str](state.get("left_out", {}))
        # From a name, or an id of the source behind a NUL, to the number of its card.
        self._numbers: dict[str, int] = dict(self._database.execute("SELECT word, card FROM numbers"))

    def add(self, found: Item | LeftOut | Stamp | None) -> None:
        """Add what comes next in the file; None is something that says nothing."""
        if isinstance(found, Item):
            self._add_item(found)
        elif isinstance(found, LeftOut):
            self.left_out[found.reason] += found.number
        elif isinstance(found, Stamp):
            self.date = found.date
        self.done += 1
        if self.done % _STEP == 0:
            self._commit()

    def finish(self) -> None:
        """Note that nothing more comes."""
        self.complete = True
        self._commit()

    def _commit(self) -> None:
        state = {key: getattr(self, key) for key in ("done", "complete", "repeated", "date", "left_out")}
        self._database.execute("UPDATE meta SET state = ?", (json.dumps(state),))
        self._database.commit()

    def _add_item(self, item: Item) -> None:
        name, id = item.record["name"], f"\0{item.same}"
        same = bool(item.same) and id in self._numbers
        number = self._numbers.get(id if same else name)
        if number is None:
            values = (name, item.melds, item.code)
            number = self._database.execute(
                "INSERT INTO cards (name, melds, code) VALUES (?, ?, ?)", values
            ).lastrowid
            assert number is not None
            self._remember(name, number)
        elif not item.weak:
            self.repeated = True
        if item.same and not same:
            self._remember(id, number)
        parts = [("weak" if item.weak else "record", _text(item.record))]
        parts += [("alias", alias) for alias in item.aliases]
        parts += [("printing", _text(printing)) for printing in item.printings]
        self._database.executemany(
            "INSERT OR IGNORE INTO parts (card, kind, text, same) VALUES (?, ?, ?, ?)",
            [(number, kind, text, same) for kind, text in parts],
        )

    def _remember(self, word: str, number: int) -> None:
        self._numbers[word] = number
        self._database.execute("INSERT OR REPLACE INTO numbers VALUES (?, ?)", (word, number))

    def cards(self) -> Iterator[Staged]:
        """The cards in the order in which they came first."""
        execute = self._database.execute
        for number, name, melds, code in execute("SELECT id, name, melds, code FROM cards ORDER BY id"):
            parts: dict[str, list[tuple[str, bool]]] = {"record": [], "weak": [], "alias": [], "printing": []}
            for kind, text, same in execute(
                "SELECT kind, text, same FROM parts WHERE card = ? ORDER BY id", (number,)
            ):
                parts[kind].append((text, bool(same)))
            versions = parts["record"] or parts["weak"]
            record: dict[str, Any] = json.loads(versions[0][0])
            for text, same in versions[1:]:
                record = _joined(record, json.loads(text), self.united, same=same)
            aliases, printings = (
                sorted(text for text, _same in parts[kind]) for kind in ("alias", "printing")
            )
            yield Staged(
                number, record | {"name": name}, aliases, list(map(json.loads, printings)), melds, code
            )

    def close(self) -> None:
        """Let go of the file; what wasn't committed is gone."""
        self._database.close()


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _joined(
    first: Mapping[str, Any], second: Mapping[str, Any], united: frozenset[str], *, same: bool
) -> dict[str, Any]:
    """What two versions of a card agree on.

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


def _opened(file: Path, file_id: str) -> tuple[sqlite3.Connection, dict[str, Any]]:
    """The database and its state, made anew unless it is of this file."""
    database = sqlite3.connect(file)
    try:
        kept, state = database.execute("SELECT file, state FROM meta").fetchone()
        if kept == file_id:
            return database, json.loads(state)
    except (sqlite3.DatabaseError, TypeError, ValueError):
        # New, or damaged.
        pass
    database.close()
    remove(file)
    database = sqlite3.connect(file)
    database.executescript(_LAYOUT)
    database.execute("INSERT INTO meta VALUES (?, '{}')", (file_id,))
    database.commit()
    return database, {}


def remove(file: Path) -> None:
    """Delete a database, with what SQLite may have put beside it."""
    for end in ("", "-journal", "-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
