"""An event's log: receipts for accepted lists and checks of decks at the table, each carrying the hash of the one before.

The log is a file of JSON lines. It is only ever replaced as a whole by a longer
one, while a lock is held, so a crash leaves the log before or the log after and
nothing between, and two desks at once wait for each other.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.model.finding import Verdict
from deckcheck.registration.canonical import CanonicalList, Provenance, Stamp, list_from, list_object
from deckcheck.registration.model import FIELDS, Accepted, Player
from deckcheck.registration.seals import STAMP, VERDICT
from deckcheck.report.json import json_line
from deckcheck.support import VERSION, strictjson
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import cannot_write, read_bytes, write_atomically
from deckcheck.support.messages import Words, _
from deckcheck.support.strictjson import digest

FORM = 1
"""The "deckcheck_log" of an entry; raised when a key changes its meaning or goes."""

BEGINNING = "0" * 64
"""What the first entry carries in the place of the hash of the one before."""

MOST_BYTES = 512 * 1024 * 1024
"""A log of twenty thousand players is a tenth of this."""

PATIENCE = 60.0
"""Seconds to wait for another desk."""

_ENTRY = _("entry of a log")


class Receipt(NamedTuple):
    """A list as it was accepted.

    `at` is the moment in UTC (ISO, seconds). `place` and `submitted` tell where the
    list came from and when. `cards` is the version of the card table. `faults`
    are the ids of the rules that make it illegal or undecided, in the order of
    the findings. Exactly one of `listed`, the canonical list, and `sealed`, a
    commitment, is there. `by` and `reason` are a judge's word for accepting it
    `despite` what stood in the way. `replaces` is the number of the receipt of the same
    player that no longer stands. `tool` is the version of deckcheck.
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


class Checked(NamedTuple):
    """A deck that was compared with its receipt (by number) at the table.

    `between_games` tells that cards may have been exchanged as they may between games.
    """

    event: str
    at: str
    receipt: int
    result: Literal["same", "different"]
    between_games: bool = False
    by: str | None = None
    tool: str = VERSION


New = Receipt | Checked


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
        Checked,
        {
            "receipt": strictjson.number,
            "result": strictjson.choice("same", "different"),
            "between_games": strictjson.flag,
            "by": strictjson.optional(strictjson.text),
        },
    ),
}
"""The kinds of entries, and their fields in the order in which they are written. What is read is written again and
compared, so that no value has to be read which follows from others."""

_ATTRIBUTES = {"list": "listed", "commitment": "sealed"}
"""What fields are called in records, where that differs."""


def entry_of(number: int, previous: str, value: New) -> Entry:
    """The entry that says `value` behind the one with the hash `previous`.

    Raises UserError where something in it is no text: half of a surrogate pair, as a command line may hold one.
    """
    try:
        return Entry(number, previous, value, digest("entry", _unsigned(number, previous, value)))
    except ValueError as error:
        raise user_error(_("this contains text that a log can't store")) from error


def entry_line(entry: Entry) -> str:
    """The entry as JSON on one line, without anything that a terminal obeys; its hash doesn't depend on this text."""
    return json_line(entry_object(entry))


def entry_object(entry: Entry) -> dict[str, object]:
    """The entry as plain values for JSON; its shape is published in schemas/receipt.schema.json."""
    return _unsigned(entry.number, entry.previous, entry.value) | {"hash": entry.hash}


def _unsigned(number: int, previous: str, value: New) -> dict[str, object]:
    [(kind, fields)] = [(kind, fields) for kind, (made, fields) in _FIELDS.items() if isinstance(value, made)]
    head = {"deckcheck_log": FORM, "kind": kind, "number": number, "previous": previous}
    return head | {key: _plain(getattr(value, _ATTRIBUTES.get(key, key))) for key in (*_HEAD, *fields)}


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
    """The entry that `entry_object` wrote. Raises UserError for anything else, an entry whose hash is wrong included."""
    if data.get("deckcheck_log") != FORM:
        raise strictjson.malformed(_ENTRY, path, "deckcheck_log")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise strictjson.malformed(_ENTRY, path, "kind")
    make, fields = _FIELDS[kind]
    values = strictjson.read_fields(data, {**_HEAD, **fields}, _ENTRY, path)
    if kind == "receipt":
        del values["fingerprint"]
        if (values["list"] is None) == (values["commitment"] is None):
            raise strictjson.malformed(_ENTRY, path, "list")
        if values["list"] is not None:
            try:
                values["list"] = list_from(values["game"], values["list"], path)
            except ValueError as error:
                raise strictjson.malformed(_ENTRY, path, "list") from error
    value = make(**{_ATTRIBUTES.get(key, key): field for key, field in values.items()})
    place = strictjson.read_fields(
        data, {"number": strictjson.number, "previous": strictjson.sha256}, _ENTRY, path
    )
    entry = entry_of(place["number"], place["previous"], value)
    own = entry_object(entry)
    # What is not read here must not be there: it would be covered by no hash that we make. Not by ==, for which
    # True is 1.
    here, there = (
        {key: json.dumps(value, sort_keys=True) for key, value in one.items()} for one in (own, data)
    )
    if here != there:
        raise strictjson.malformed(
            _ENTRY, path, next(key for key in {**own, **data} if here.get(key) != there.get(key))
        )
    return entry


def read_entry(path: Path) -> Entry:
    """The receipt, or whatever entry of a log stands in a file of its own. Raises UserError."""
    return entry_from(strictjson.read_object(path), str(path))


class Log(NamedTuple):
    """Entries that hang together, oldest first."""

    entries: tuple[Entry, ...] = ()

    @property
    def head(self) -> str:
        """The hash of the last entry: whoever knows it can tell whether anything before it was changed."""
        return self.entries[-1].hash if self.entries else BEGINNING


class Examined(NamedTuple):
    """What was read of a log, and what is wrong with it, line by line."""

    log: Log
    problems: tuple[Problem, ...]


def read_log(path: Path, event: str) -> Log:
    """The log of the event with that id; an empty one where there is no file.

    Raises UserError with every line that doesn't hang together with the one
    before, and for the log of another event.
    """
    if not path.exists():
        return Log()
    found = examine(read_bytes(path, most=MOST_BYTES), str(path), event)
    if found.problems:
        raise UserError(found.problems)
    return found.log


def examine(data: bytes, path: str, event: str) -> Examined:
    """All that can be read of a log, and every place where something was altered, removed or reordered."""
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
        # By which characters are escaped for terminals a log may not break.
        if strictjson.unescaped(entry_line(entry)) != strictjson.unescaped(written):
            # Blanks, the order of keys: nothing that says something else, and yet not what was written.
            problems.append(Problem(_("this is not as it was written"), path, at))
        last = entries[-1] if entries else None
        problems += [Problem(message, path, at) for message in _misplaced(entry, last, event)]
        entries.append(entry)
    return Examined(Log(tuple(entries)), tuple(problems))


def _misplaced(entry: Entry, last: Entry | None, event: str) -> list[Words]:
    found: list[Words] = []
    before, previous = (0, BEGINNING) if last is None else (last.number, last.hash)
    number = entry.number
    if number != before + 1:
        found.append(
            _("entry {number} follows entry {last}: one was removed or moved", number=number, last=before)
        )
    elif entry.previous != previous:
        found.append(_("the entry before entry {number} is not the original one", number=number))
    if entry.value.event != event:
        found.append(_("entry {number} belongs to another event", number=number))
    return found


def extend(path: Path, event: str, make: Callable[[Log], Sequence[New]]) -> tuple[Log, tuple[Entry, ...]]:
    """Add to the log of the event what `make` returns for it; the new log, and what was added.

    Nobody else adds anything meanwhile. All of it is on the disk when this
    returns, or nothing has changed. Raises UserError when the log is broken,
    when it can't be written, or when another desk holds it for a minute.
    """
    from filelock import FileLock, Timeout

    # A link stays a link, and those who come by another way wait at the same lock.
    path = path.resolve() if path.is_symlink() else path
    lock = path.with_name(f".{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(lock, timeout=PATIENCE):
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
    except Timeout as error:
        hint = _("wait a moment and try again")
        raise user_error(_("another desk is writing to the log"), path=str(path), hint=hint) from error
    except OSError as error:
        raise cannot_write(path, error) from error


def standing(log: Log) -> dict[int, Receipt]:
    """The receipts that stand, by number: those that no later one replaces."""
    receipts = {entry.number: entry.value for entry in log.entries if isinstance(entry.value, Receipt)}
    replaced = {receipt.replaces for receipt in receipts.values()}
    return {number: receipt for number, receipt in receipts.items() if number not in replaced}


def accepted_in(log: Log) -> list[Accepted]:
    """What a roster needs to know of the receipts that stand."""
    return [
        Accepted(
            number, receipt.player, receipt.mark, receipt.place, Provenance(receipt.format, receipt.banlists)
        )
        for number, receipt in standing(log).items()
    ]
