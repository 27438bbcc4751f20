"""An event's log: receipts of accepted lists and checks of decks at the table, each with the hash of the entry before.

A file of JSON lines, only ever replaced as a whole by a longer one and under a lock: a crash leaves the old log or the
new one, and two desks wait for each other.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.model.finding import Verdict
from deckcheck.registration.event import Event
from deckcheck.registration.seals import (
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
from deckcheck.registration.submissions import FIELDS, Player
from deckcheck.report.json import json_line, json_page
from deckcheck.support import VERSION, strictjson
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import cannot_write, read_bytes, write_atomically, write_many
from deckcheck.support.hashes import digest
from deckcheck.support.messages import Words, _

FORM = 1
"""The "deckcheck_log" of an entry; raised when a key changes its meaning or goes."""

BEGINNING = "0" * 64
"""Stands in the first entry for the hash of the one before."""

MOST_BYTES = 512 * 1024 * 1024
"""A log of twenty thousand players is a tenth of this."""

PATIENCE = 60.0
"""Seconds to wait for another desk."""

_MOST_ASIDE = 1000
_ENTRY = _("entry of a log")


class Receipt(NamedTuple):
    """A list as it was accepted at a moment in UTC: either `listed` or `sealed` (a commitment) is there.

    `cards` and `tool` are versions. `faults` are the rules that make the list illegal or undecided, `despite` the conditions
    overridden by a judge's word. `replaces` is the number of the player's receipt before this one.
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
        """That of an open list."""
        return None if self.listed is None else self.listed.fingerprint

    @property
    def mark(self) -> str:
        """What tells this list from others: its fingerprint, or the commitment of a sealed one."""
        return self.fingerprint or str(self.sealed)

    @property
    def rules(self) -> Provenance:
        """The format and the banlists that it was judged by."""
        return Provenance(self.format, self.banlists)


class DeckCheck(NamedTuple):
    """A deck that was compared with its receipt (by number) at the table, `between_games` or before the first."""

    event: str
    at: str
    receipt: int
    result: Literal["same", "different"]
    between_games: bool = False
    by: str | None = None
    tool: str = VERSION


New = Receipt | DeckCheck


class Entry(NamedTuple):
    """A line of a log: its number (from 1), the hash of the one before, what it says, and its own hash."""

    number: int
    previous: str
    value: New
    hash: str


_HEAD: Mapping[str, strictjson.Reader] = {
    "event": strictjson.text,
    "at": strictjson.moment,
    "tool": strictjson.text,
}
_FIELDS: Mapping[str, tuple[type[New], Mapping[str, strictjson.Reader]]] = {
    "receipt": (
        Receipt,
        {
            "date": strictjson.day,
            "player": strictjson.record(Player, dict.fromkeys(FIELDS, strictjson.optional(strictjson.text))),
            "place": strictjson.text,
            "submitted": strictjson.optional(strictjson.moment),
            "game": strictjson.text,
            "format": STAMP,
            "banlists": strictjson.several(STAMP),
            "cards": strictjson.text,
            "as_of": strictjson.day,
            "best_of": strictjson.optional(strictjson.number),
            "verdict": VERDICT,
            "faults": strictjson.several(strictjson.text),
            "list": lambda value: value,
            "fingerprint": lambda _value: None,
            "commitment": strictjson.optional(strictjson.sha256),
            "by": strictjson.optional(strictjson.text),
            "reason": strictjson.optional(strictjson.text),
            "despite": strictjson.several(strictjson.text),
            "replaces": strictjson.optional(strictjson.number),
        },
    ),
    "check": (
        DeckCheck,
        {
            "receipt": strictjson.number,
            "result": strictjson.choice("same", "different"),
            "between_games": strictjson.flag,
            "by": strictjson.optional(strictjson.text),
        },
    ),
}
"""The kinds of entries, with their fields in the order in which they are written. An entry that is read is written
again and compared, so a value that follows from others needs no reader."""

_ATTRIBUTES = {"list": "listed", "commitment": "sealed"}
"""The names of fields in records, where they differ."""


def entry_of(number: int, previous: str, value: New) -> Entry:
    """The entry behind the one with the hash `previous`. Raises UserError for half of a surrogate pair."""
    try:
        return Entry(number, previous, value, digest("entry", _unsigned(number, previous, value)))
    except ValueError as error:
        raise user_error(_("this contains text that a log can't store")) from error


def entry_line(entry: Entry) -> str:
    """The entry as JSON on one line, safe for terminals; its hash doesn't depend on this text."""
    return json_line(entry_object(entry))


def entry_object(entry: Entry) -> dict[str, object]:
    """The entry as plain values for JSON; its shape is published in schemas/receipt.schema.json."""
    return _unsigned(entry.number, entry.previous, entry.value) | {"hash": entry.hash}


def _unsigned(number: int, previous: str, value: New) -> dict[str, object]:
    kind = "receipt" if isinstance(value, Receipt) else "check"
    head = {"deckcheck_log": FORM, "kind": kind, "number": number, "previous": previous}
    keys = (*_HEAD, *_FIELDS[kind][1])
    return head | {key: _plain(getattr(value, _ATTRIBUTES.get(key, key))) for key in keys}


def _plain(value: object) -> object:
    match value:
        case CanonicalList():
            return list_object(value)
        case Player():
            return value.given
        case Stamp():
            return value._asdict()
        case tuple():
            return [_plain(inner) for inner in value]
    return value


def entry_from(data: Mapping[str, Any], path: str | None = None) -> Entry:
    """The entry that `entry_object` wrote. Raises UserError for anything else, such as a wrong hash."""
    if data.get("deckcheck_log") != FORM:
        raise strictjson.malformed(_ENTRY, path, "deckcheck_log")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise strictjson.malformed(_ENTRY, path, "kind")
    make, fields = _FIELDS[kind]
    place = {"number": strictjson.number, "previous": strictjson.sha256}
    values = strictjson.read_fields(data, {**_HEAD, **fields}, _ENTRY, path)
    values |= strictjson.read_fields(data, place, _ENTRY, path)
    number, previous = (values.pop(key) for key in place)
    if kind == "receipt":
        del values["fingerprint"]
        if (values["list"] is None) == (values["commitment"] is None):
            raise strictjson.malformed(_ENTRY, path, "list")
        if values["list"] is not None:
            values["list"] = list_from(values["game"], values["list"], _ENTRY, path)
    value = make(**{_ATTRIBUTES.get(key, key): field for key, field in values.items()})
    entry = entry_of(number, previous, value)
    # A field that is not read must not be there: no hash of ours would cover it. Not by ==, for which True is 1.
    here, there = (
        {key: json.dumps(value, sort_keys=True) for key, value in fields.items()}
        for fields in (entry_object(entry), data)
    )
    if here != there:
        odd = next(key for key in {**here, **there} if here.get(key) != there.get(key))
        raise strictjson.malformed(_ENTRY, path, odd)
    return entry


def read_entry(path: Path) -> Entry:
    """The entry in a file of its own, such as a receipt. Raises UserError."""
    return entry_from(strictjson.read_object(path), str(path))


def read_seal(path: Path) -> tuple[Seal, int | None]:
    """The seal in its file or in a receipt, and the games of a match if those are given. Raises UserError."""
    data = strictjson.read_object(path)
    if "deckcheck_log" not in data:
        return seal_from_file(data, str(path)), None
    receipt = entry_from(data, str(path)).value
    if not isinstance(receipt, Receipt) or receipt.sealed is None:
        raise user_error(_("not the receipt of a sealed list"), path=str(path))
    rules = receipt.format, receipt.as_of, receipt.banlists
    return Seal(receipt.sealed, receipt.verdict, receipt.game, *rules), receipt.best_of


class Log(NamedTuple):
    """The entries of a log, oldest first, and every place where something was altered, removed or reordered."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def head(self) -> str:
        """The hash of the last entry: whoever knows it can tell whether anything before it was changed."""
        return self.entries[-1].hash if self.entries else BEGINNING

    @property
    def receipts(self) -> dict[int, Receipt]:
        """The receipts in force, by number: those that no later one replaces."""
        found = {entry.number: entry.value for entry in self.entries if isinstance(entry.value, Receipt)}
        replaced = {receipt.replaces for receipt in found.values()}
        return {number: receipt for number, receipt in found.items() if number not in replaced}


def read_log(path: Path, event: str) -> Log:
    """The log of the event with that id; an empty one where there is no file. Raises UserError with all problems."""
    log = examine(read_bytes(path, most=MOST_BYTES), str(path), event) if path.exists() else Log()
    if log.problems:
        raise UserError(log.problems)
    return log


def examine(data: bytes, path: str, event: str) -> Log:
    """All that can be read of a log with this content, with its problems."""
    problems: list[Problem] = []
    entries: list[Entry] = []
    lines = data.split(b"\n")
    if lines.pop():
        problems.append(Problem(_("the last line is cut off"), path, len(lines) + 1))
    for at, line in enumerate(lines, 1):
        try:
            written = line.decode()
            entry = entry_from(strictjson.parse_object(written, path), path)
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
    """What is wrong with the line of an entry behind the `last` one."""
    # Which characters are escaped for terminals may change; blanks and the order of keys may not.
    if strictjson.unescaped(entry_line(entry)) != strictjson.unescaped(written):
        yield _("this is not as it was written")
    number = entry.number
    before, previous = (0, BEGINNING) if last is None else (last.number, last.hash)
    if number != before + 1:
        yield _("entry {number} follows entry {last}: one was removed or moved", number=number, last=before)
    elif entry.previous != previous:
        yield _("the entry before entry {number} is not the original one", number=number)
    if entry.value.event != event:
        yield _("entry {number} belongs to another event", number=number)


@contextmanager
def locked(path: Path, busy: Words) -> Iterator[None]:
    """Hold the lock of a file. Raises UserError where that can't be written, or (`busy`) another desk holds it."""
    from filelock import FileLock, Timeout

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f".{path.name}.lock"), timeout=PATIENCE):
            yield
    except Timeout as error:
        raise user_error(busy, path=str(path), hint=_("wait a moment and try again")) from error
    except OSError as error:
        raise cannot_write(path, error) from error


def extend(path: Path, event: str, make: Callable[[Log], Sequence[New]]) -> tuple[Log, tuple[Entry, ...]]:
    """Add to the log what `make` returns for it, and return the new log and what was added.

    Nobody else adds anything meanwhile, and all of it is on the disk or nothing has changed. Raises UserError.
    """
    # A link stays a link, and those who come by another way wait at the same lock.
    path = path.resolve() if path.is_symlink() else path
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


# The receipts' own files, for players and judges


def receipts_folder(event: Event) -> Path:
    """The folder of the receipts' own files, beside the log."""
    return event.log.with_name(event.log.name.removesuffix(".jsonl").removesuffix(".log") + ".receipts")


def receipt_file(folder: Path, number: int) -> Path:
    """The file of the receipt of that number."""
    return folder / f"{number:04}.json"


def receipt_page(entry: Entry) -> bytes:
    """The content of a receipt's file."""
    return json_page(entry_object(entry)).encode()


def holds(file: Path, page: bytes) -> bool:
    """Whether a file is byte for byte this page."""
    try:
        return read_bytes(file, most=len(page)) == page
    except UserError:
        return False


def write_receipts(log: Log, folder: Path) -> tuple[int, tuple[int, ...]]:
    """Write each receipt of the log into a file of its own, where that isn't done yet, and fsync them. Raises UserError.

    A valid receipt that differs from the log may prove that the log was rewritten, so it is renamed and kept for the audit.
    Returns how many were written and the numbers of those that were renamed.
    """
    with locked(folder, _("another desk is writing the receipts")):
        folder.mkdir(mode=0o700, exist_ok=True)
        for part in folder.glob(".*.part"):
            part.unlink(missing_ok=True)
        stale: dict[str, bytes] = {}
        aside = []
        for entry in log.entries:
            file, page = receipt_file(folder, entry.number), receipt_page(entry)
            if isinstance(entry.value, Receipt) and not holds(file, page):
                stale[file.name] = page
                if _put_aside(file, entry):
                    aside.append(entry.number)
        if stale:
            write_many(folder, stale)
        return len(stale), tuple(aside)


def _put_aside(file: Path, entry: Entry) -> bool:
    """Whether the file held a valid receipt that differs from the entry, and was renamed."""
    try:
        if read_entry(file) == entry:
            return False
    except UserError:
        return False
    for at in range(1, _MOST_ASIDE):
        free = file.with_name(f"{file.stem}.replaced{f'-{at}' if at > 1 else ''}.json")
        if not free.exists():
            file.rename(free)
            return True
    raise OSError("too many receipts were put aside")
