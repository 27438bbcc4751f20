"""The log of an event: receipts of accepted lists and deck checks, each with the hash of the previous entry.

A file of JSON lines, replaced as a whole under a lock: a crash leaves either the old or the new log, and
concurrent writers wait for each other.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.model.finding import Verdict
from deckcheck.registration.commitments import (
    STAMP,
    VERDICT,
    CanonicalList,
    Provenance,
    Seal,
    Stamp,
    list_from,
    list_object,
    seal_from_file,
)
from deckcheck.registration.event import Event
from deckcheck.registration.submissions import FIELDS, Player
from deckcheck.report.json import json_line, json_page
from deckcheck.support import VERSION, strict_json
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import locked, read_bytes, real_path, write_atomically, write_many
from deckcheck.support.hashes import digest
from deckcheck.support.messages import Words, _

FORM = 1
"""The "deckcheck_log" of an entry; increased when a key changes its meaning or is removed."""

TIME_FORM = "%Y-%m-%dT%H:%M:%SZ"
"""How entries write a time in UTC."""

BEGINNING = "0" * 64
"""The previous hash in the first entry."""

MOST_BYTES = 512 * 1024 * 1024
"""The largest log; one of 20,000 players is a tenth of this."""

_ENTRY = _("entry of a log")


class Receipt(NamedTuple):
    """An accepted list with the time in UTC; it has either `listed` or `sealed`, a commitment.

    `cards` and `tool` are versions. `faults` are the rules that make the list illegal or undecided, `despite`
    the conditions that a judge overrode. `replaces` is the number of the player's previous receipt.
    """

    event: str
    date: str
    at: str
    player: Player
    place: str
    submitted: str | None
    game: str
    format: Stamp
    banlists: tuple[Stamp, ...]
    cards: str
    as_of: str
    best_of: int | None
    verdict: Verdict
    faults: tuple[str, ...] = ()
    listed: CanonicalList | None = None
    sealed: str | None = None
    by: str | None = None
    reason: str | None = None
    despite: tuple[str, ...] = ()
    replaces: int | None = None
    tool: str = VERSION

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of an open list; None for a sealed one."""
        return None if self.listed is None else self.listed.fingerprint

    @property
    def mark(self) -> str:
        """The list's identity: its fingerprint, or the commitment of a sealed one."""
        return self.fingerprint or str(self.sealed)

    @property
    def rules(self) -> Provenance:
        """The format and banlists by which it was checked."""
        return Provenance(self.format, self.banlists)


class DeckCheck(NamedTuple):
    """A deck compared with a receipt (by number), `between_games` or before the first one."""

    event: str
    at: str
    receipt: int
    result: Literal["same", "different"]
    between_games: bool = False
    by: str | None = None
    tool: str = VERSION


EntryValue = Receipt | DeckCheck


class Entry(NamedTuple):
    """An entry of a log: its number (from 1), the previous entry's hash, its value, and its own hash."""

    number: int
    previous: str
    value: EntryValue
    hash: str


_HEAD: Mapping[str, strict_json.Reader] = {
    "event": strict_json.text,
    "at": strict_json.moment,
    "tool": strict_json.text,
}
_FIELDS: Mapping[str, tuple[type[EntryValue], Mapping[str, strict_json.Reader]]] = {
    "receipt": (
        Receipt,
        {
            "date": strict_json.day,
            "player": strict_json.record(
                Player, dict.fromkeys(FIELDS, strict_json.optional(strict_json.text))
            ),
            "place": strict_json.text,
            "submitted": strict_json.optional(strict_json.moment),
            "game": strict_json.text,
            "format": STAMP,
            "banlists": strict_json.several(STAMP),
            "cards": strict_json.text,
            "as_of": strict_json.day,
            "best_of": strict_json.optional(strict_json.number),
            "verdict": VERDICT,
            "faults": strict_json.several(strict_json.text),
            "list": lambda value: value,
            "fingerprint": lambda _value: None,
            "commitment": strict_json.optional(strict_json.sha256),
            "by": strict_json.optional(strict_json.text),
            "reason": strict_json.optional(strict_json.text),
            "despite": strict_json.several(strict_json.text),
            "replaces": strict_json.optional(strict_json.number),
        },
    ),
    "check": (
        DeckCheck,
        {
            "receipt": strict_json.number,
            "result": strict_json.choice("same", "different"),
            "between_games": strict_json.flag,
            "by": strict_json.optional(strict_json.text),
        },
    ),
}
"""The kinds of entries with their fields, in writing order. Every entry is written again after reading and
compared, so derived values need no reader."""

_ATTRIBUTES = {"list": "listed", "commitment": "sealed"}
"""Attributes that differ from their JSON keys."""


def entry_of(number: int, previous: str, value: EntryValue) -> Entry:
    """The entry after the one with the hash `previous`. Raises UserError for a lone surrogate."""
    try:
        return Entry(number, previous, value, digest("entry", _unsigned(number, previous, value)))
    except ValueError as error:
        raise user_error(_("this contains text that a log can't store")) from error


def entry_line(entry: Entry) -> str:
    """The entry as one line of JSON, safe for terminals; the hash doesn't depend on this text."""
    return json_line(entry_object(entry))


def entry_object(entry: Entry) -> dict[str, object]:
    """The entry as values for JSON, by schemas/receipt.schema.json."""
    return _unsigned(entry.number, entry.previous, entry.value) | {"hash": entry.hash}


def _unsigned(number: int, previous: str, value: EntryValue) -> dict[str, object]:
    kind = "receipt" if isinstance(value, Receipt) else "check"
    head = {"deckcheck_log": FORM, "kind": kind, "number": number, "previous": previous}
    keys = (*_HEAD, *_FIELDS[kind][1])
    return head | {key: _plain(getattr(value, _ATTRIBUTES.get(key, key))) for key in keys}


def _plain(value: object) -> object:
    match value:
        case CanonicalList():
            return list_object(value)
        case Player():
            return value.filled
        case Stamp():
            return value._asdict()
        case tuple():
            return [_plain(inner) for inner in value]
    return value


def entry_from(data: Mapping[str, Any], path: str | None = None) -> Entry:
    """The entry from values that `entry_object` wrote. Raises UserError, at `path`, also for a wrong hash."""
    if data.get("deckcheck_log") != FORM:
        raise strict_json.malformed(_ENTRY, path, "deckcheck_log")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise strict_json.malformed(_ENTRY, path, "kind")
    make, fields = _FIELDS[kind]
    place = {"number": strict_json.number, "previous": strict_json.sha256}
    values = strict_json.read_fields(data, {**_HEAD, **fields}, _ENTRY, path)
    values |= strict_json.read_fields(data, place, _ENTRY, path)
    number, previous = (values.pop(key) for key in place)
    if kind == "receipt":
        del values["fingerprint"]
        if (values["list"] is None) == (values["commitment"] is None):
            raise strict_json.malformed(_ENTRY, path, "list")
        if values["list"] is not None:
            values["list"] = list_from(values["game"], values["list"], _ENTRY, path)
    value = make(**{_ATTRIBUTES.get(key, key): field for key, field in values.items()})
    entry = entry_of(number, previous, value)
    # Extra fields are refused, since no hash would cover them. Compared as JSON, since True == 1.
    expected, actual = (
        {key: json.dumps(value, sort_keys=True) for key, value in fields.items()}
        for fields in (entry_object(entry), data)
    )
    if expected != actual:
        wrong = next(key for key in {**expected, **actual} if expected.get(key) != actual.get(key))
        raise strict_json.malformed(_ENTRY, path, wrong)
    return entry


def read_entry(path: Path) -> Entry:
    """The entry in a receipt's file. Raises UserError."""
    return entry_from(strict_json.read_object(path), str(path))


def read_seal(path: Path) -> tuple[Seal, int | None]:
    """The seal in its own file or a receipt, and `best_of` if given there. Raises UserError."""
    data = strict_json.read_object(path)
    if "deckcheck_log" not in data:
        return seal_from_file(data, str(path)), None
    receipt = entry_from(data, str(path)).value
    if not isinstance(receipt, Receipt) or receipt.sealed is None:
        raise user_error(_("not the receipt of a sealed list"), path=str(path))
    rules = receipt.format, receipt.as_of, receipt.banlists
    return Seal(receipt.sealed, receipt.verdict, receipt.game, *rules), receipt.best_of


class Log(NamedTuple):
    """The entries of a log, oldest first, and the problems of altered, removed or reordered ones."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def head(self) -> str:
        """The hash of the last entry, with which any later change to the log can be detected."""
        return self.entries[-1].hash if self.entries else BEGINNING

    @property
    def receipts(self) -> dict[int, Receipt]:
        """The receipts in force, which no later one replaces, by number."""
        receipts = {entry.number: entry.value for entry in self.entries if isinstance(entry.value, Receipt)}
        replaced = {receipt.replaces for receipt in receipts.values()}
        return {number: receipt for number, receipt in receipts.items() if number not in replaced}


def read_log(path: Path, event: str) -> Log:
    """The log of the event with that id, empty without a file. Raises UserError with all problems."""
    log = examine(read_bytes(path, most=MOST_BYTES), str(path), event) if path.exists() else Log()
    if log.problems:
        raise UserError(log.problems)
    return log


def examine(data: bytes, path: str, event: str) -> Log:
    """The readable entries of a log with this content, and its problems."""
    problems: list[Problem] = []
    entries: list[Entry] = []
    lines = data.split(b"\n")
    if lines.pop():
        problems.append(Problem(_("the last line is cut off"), path, len(lines) + 1))
    for at, line in enumerate(lines, 1):
        try:
            written = line.decode()
            entry = entry_from(strict_json.parse_object(written, path), path)
        except UnicodeDecodeError:
            problems.append(Problem(_("not UTF-8"), path, at))
            continue
        except UserError as error:
            problems += [problem._replace(path=path, line=at, column=None) for problem in error.problems]
            continue
        last = entries[-1] if entries else None
        problems += [Problem(message, path, at) for message in _faults(entry, written, last, event)]
        entries.append(entry)
    return Log(tuple(entries), tuple(problems))


def _faults(entry: Entry, written: str, last: Entry | None, event: str) -> Iterator[Words]:
    """The faults of an entry's line after the `last` entry."""
    # Escapes for terminals may differ between versions, but not blanks or the order of keys.
    if strict_json.unescaped(entry_line(entry)) != strict_json.unescaped(written):
        yield _("this is not as it was written")
    number = entry.number
    before, previous = (0, BEGINNING) if last is None else (last.number, last.hash)
    if number != before + 1:
        yield _("entry {number} follows entry {last}: one was removed or moved", number=number, last=before)
    elif entry.previous != previous:
        yield _("the entry before entry {number} is not the original one", number=number)
    if entry.value.event != event:
        yield _("entry {number} belongs to another event", number=number)


def extend(
    path: Path, event: str, make: Callable[[Log], Sequence[EntryValue]]
) -> tuple[Log, tuple[Entry, ...]]:
    """Append the values that `make` returns for the log; returns the new log and the new entries.

    The log is locked meanwhile, and on disk afterwards. Raises UserError, with nothing changed.
    """
    # Keep a symbolic link, and use one lock for all paths to the file.
    path = real_path(path) if path.is_symlink() else path
    with locked(path, _("another desk is writing to the log")):
        before = read_log(path, event)
        entries = list(before.entries)
        for value in make(before):
            entries.append(entry_of(len(entries) + 1, Log(tuple(entries[-1:])).head, value))
        added = tuple(entries[len(before.entries) :])
        if added:
            old = read_bytes(path, most=MOST_BYTES) if path.exists() else b""
            lines = "".join(entry_line(entry) + "\n" for entry in added)
            write_atomically(path, old + lines.encode(), durable=True)
        return Log(tuple(entries)), added


# Receipt files, for players and judges


def receipts_folder(event: Event) -> Path:
    """The folder of the receipt files, next to the log."""
    return event.log.with_name(event.log.name.removesuffix(".jsonl").removesuffix(".log") + ".receipts")


def receipt_file(folder: Path, number: int) -> Path:
    """The file of the receipt with that number."""
    return folder / f"{number:04}.json"


def receipt_page(entry: Entry) -> bytes:
    """The content of a receipt file."""
    return json_page(entry_object(entry)).encode()


def has_content(file: Path, page: bytes) -> bool:
    """Whether a file's content is exactly `page`."""
    try:
        return read_bytes(file, most=len(page)) == page
    except UserError:
        return False


def write_receipts(log: Log, folder: Path) -> tuple[int, tuple[int, ...]]:
    """Write the missing and outdated receipt files of the log, with fsync. Raises UserError.

    A valid receipt that differs from the log may prove that the log was rewritten, so it is renamed and kept
    for the audit. Returns how many were written and the numbers of the renamed ones.
    """
    with locked(folder, _("another desk is writing the receipts")):
        folder.mkdir(mode=0o700, exist_ok=True)
        for part in folder.glob(".*.part"):
            part.unlink(missing_ok=True)
        stale: dict[str, bytes] = {}
        renamed = []
        for entry in log.entries:
            file, page = receipt_file(folder, entry.number), receipt_page(entry)
            if isinstance(entry.value, Receipt) and not has_content(file, page):
                stale[file.name] = page
                if _move_aside(file, entry):
                    renamed.append(entry.number)
        if stale:
            write_many(folder, stale)
        return len(stale), tuple(renamed)


def _move_aside(file: Path, entry: Entry) -> bool:
    """Rename a file with a valid receipt that differs from the entry; whether it did."""
    try:
        if read_entry(file) == entry:
            return False
    except UserError:
        return False
    numbers = chain([""], (f"-{at}" for at in count(2)))
    names = (file.with_name(f"{file.stem}.replaced{number}.json") for number in numbers)
    file.rename(next(name for name in names if not name.exists()))
    return True
