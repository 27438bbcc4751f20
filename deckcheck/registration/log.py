"""The log of an event: receipts of accepted lists, withdrawals and deck checks, each with the hash of the one before.

A file of JSON lines, replaced as a whole under a lock: a crash leaves either the old or the new log, and
concurrent writers wait for each other.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.model.finding import Verdict
from deckcheck.registration.canonical import (
    STAMP,
    VERDICT,
    CanonicalList,
    Provenance,
    Stamp,
    list_from,
    list_object,
)
from deckcheck.registration.event import Event
from deckcheck.registration.submissions import Player
from deckcheck.report.json import json_line, json_page
from deckcheck.support import VERSION, strict_json
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import locked, read_bytes, real_path, write_atomically, write_many
from deckcheck.support.hashes import digest
from deckcheck.support.messages import Words, _, n_

FORM = 1
"""The "deckcheck_log" of an entry; increased when a key changes its meaning or is removed."""

TIME_FORM = "%Y-%m-%dT%H:%M:%SZ"
"""How entries write a time in UTC."""

BEGINNING = "0" * 64
"""The previous hash in the first entry."""

MOST_BYTES = 512 * 1024 * 1024
"""The largest log; one of 20,000 players is a tenth of this."""

_ENTRY = _("entry of a log")
_PRIVATE = ("email",)
"""Fields of a player that no entry contains."""


class Receipt(NamedTuple):
    """An accepted list with the time in UTC.

    `cards` and `tool` are versions. `faults` are the rules that make the list illegal or undecided, `despite`
    the conditions that a judge overrode. `replaces` is the number of the player's previous receipt. `submission` is
    the id of the submission, `own` the user's own files that decided on cards or lists; older receipts have neither.
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
    listed: CanonicalList
    faults: tuple[str, ...] = ()
    by: str | None = None
    reason: str | None = None
    despite: tuple[str, ...] = ()
    replaces: int | None = None
    submission: str | None = None
    own: tuple[str, ...] = ()
    tool: str = VERSION

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the list."""
        return self.listed.fingerprint

    @property
    def rules(self) -> Provenance:
        """The format and banlists by which it was checked."""
        return Provenance(self.format, self.banlists)

    @property
    def time(self) -> datetime:
        """When it was written."""
        return datetime.fromisoformat(self.at)


class Withdrawal(NamedTuple):
    """A player who no longer takes part, with the `receipt` that this revokes and the ids of their submissions."""

    event: str
    at: str
    player: Player
    receipt: int | None
    submissions: tuple[str, ...]
    by: str
    reason: str
    tool: str = VERSION


class DeckCheck(NamedTuple):
    """A deck compared with a receipt (by number), `between_games` or before the first one."""

    event: str
    at: str
    receipt: int
    result: Literal["same", "different"]
    between_games: bool = False
    by: str | None = None
    tool: str = VERSION


EntryValue = Receipt | Withdrawal | DeckCheck


class Entry(NamedTuple):
    """An entry of a log: its number (from 1), the previous entry's hash, its value, and its own hash."""

    number: int
    previous: str
    value: EntryValue
    hash: str


# Entries as JSON


def entry_of(number: int, previous: str, value: EntryValue) -> Entry:
    """The entry after the one with the hash `previous`. Raises UserError for a lone surrogate."""
    try:
        return Entry(number, previous, value, digest("entry", _unsigned(number, previous, value)))
    except ValueError as error:
        raise user_error(_("this contains text that a log can't store")) from error


def entry_object(entry: Entry) -> dict[str, object]:
    """The entry as values for JSON, by schemas/receipt.schema.json."""
    return _unsigned(entry.number, entry.previous, entry.value) | {"hash": entry.hash}


def entry_line(entry: Entry) -> str:
    """The entry as one line of JSON, safe for terminals; the hash doesn't depend on this text."""
    return json_line(entry_object(entry))


def _unsigned(number: int, previous: str, value: EntryValue) -> dict[str, object]:
    fields: dict[str, object]
    match value:
        case Receipt():
            kind, fields = "receipt", _receipt_object(value)
        case Withdrawal():
            kind, fields = "withdrawal", _withdrawal_object(value)
        case DeckCheck():
            kind, fields = "check", value._asdict()
    head = {"deckcheck_log": FORM, "kind": kind, "number": number, "previous": previous}
    return head | {"event": value.event, "at": value.at, "tool": value.tool} | fields


def _withdrawal_object(withdrawal: Withdrawal) -> dict[str, object]:
    player, submissions = _player_object(withdrawal.player), list(withdrawal.submissions)
    return withdrawal._asdict() | {"player": player, "submissions": submissions}


def _receipt_object(receipt: Receipt) -> dict[str, object]:
    added = {"submission": receipt.submission, "own": list(receipt.own)}
    return {
        "date": receipt.date,
        "player": _player_object(receipt.player),
        "place": receipt.place,
        "submitted": receipt.submitted,
        "game": receipt.game,
        "format": receipt.format._asdict(),
        "banlists": [stamp._asdict() for stamp in receipt.banlists],
        "cards": receipt.cards,
        "as_of": receipt.as_of,
        "best_of": receipt.best_of,
        "verdict": receipt.verdict,
        "faults": list(receipt.faults),
        "list": list_object(receipt.listed),
        "fingerprint": receipt.fingerprint,
        # Part of the final form of receipts.
        "commitment": None,
        "by": receipt.by,
        "reason": receipt.reason,
        "despite": list(receipt.despite),
        "replaces": receipt.replaces,
        **{key: value for key, value in added.items() if value},
    }


def _player_object(player: Player) -> dict[str, str]:
    return {field: value for field, value in player.filled.items() if field not in _PRIVATE}


_text, _optional = strict_json.text, strict_json.optional
_HEAD: Mapping[str, strict_json.Reader] = {
    "number": strict_json.number,
    "previous": strict_json.sha256,
    "hash": strict_json.sha256,
}


def _player(value: Any) -> Player:
    given = strict_json.fitting(lambda _fields: True, dict)(value)
    for field, text in given.items():
        _text(field)
        _text(text)
    return Player().with_fields(given)


def _absent_or(read: strict_json.Reader) -> strict_json.Reader:
    """Reads a list that is left out where it is empty."""
    return lambda value: () if value is None else strict_json.several(read)(value)


_VALUE: Mapping[str, strict_json.Reader] = {"event": _text, "at": strict_json.moment, "tool": _text}
_RECEIPT: Mapping[str, strict_json.Reader] = {
    **_VALUE,
    "date": strict_json.day,
    "player": _player,
    "place": _text,
    "submitted": _optional(strict_json.moment),
    "game": _text,
    "format": STAMP,
    "banlists": strict_json.several(STAMP),
    "cards": _text,
    "as_of": strict_json.day,
    "best_of": _optional(strict_json.number),
    "verdict": VERDICT,
    "faults": strict_json.several(_text),
    "by": _optional(_text),
    "reason": _optional(_text),
    "despite": strict_json.several(_text),
    "replaces": _optional(strict_json.number),
    "submission": _optional(_text),
    "own": _absent_or(_text),
}
_WITHDRAWAL: Mapping[str, strict_json.Reader] = {
    **_VALUE,
    "receipt": _optional(strict_json.number),
    "player": _player,
    "submissions": strict_json.several(_text),
    "by": _text,
    "reason": _text,
}
_CHECK: Mapping[str, strict_json.Reader] = {
    **_VALUE,
    "receipt": strict_json.number,
    "result": strict_json.choice("same", "different"),
    "between_games": strict_json.flag,
    "by": _optional(_text),
}


def entry_from(data: Mapping[str, Any], path: str | None = None) -> Entry:
    """The entry from values that `entry_object` wrote. Raises UserError, at `path`, also for a wrong hash."""
    if data.get("deckcheck_log") != FORM or isinstance(data.get("deckcheck_log"), bool):
        raise strict_json.malformed(_ENTRY, path, "deckcheck_log")
    head = strict_json.read_fields(data, _HEAD, _ENTRY, path)
    value: EntryValue
    match data.get("kind"):
        case "receipt":
            fields = strict_json.read_fields(data, _RECEIPT, _ENTRY, path)
            value = Receipt(**fields, listed=list_from(fields["game"], data.get("list"), _ENTRY, path))
            if data.get("fingerprint") != value.fingerprint:
                raise strict_json.malformed(_ENTRY, path, "fingerprint")
        case "withdrawal":
            value = Withdrawal(**strict_json.read_fields(data, _WITHDRAWAL, _ENTRY, path))
        case "check":
            value = DeckCheck(**strict_json.read_fields(data, _CHECK, _ENTRY, path))
        case _:
            raise strict_json.malformed(_ENTRY, path, "kind")
    # The hash covers everything that was written, also what a later version adds.
    try:
        actual = digest("entry", {key: field for key, field in data.items() if key != "hash"})
    except ValueError:
        actual = ""
    if actual != head["hash"]:
        raise strict_json.malformed(_ENTRY, path, "hash")
    return Entry(head["number"], head["previous"], value, head["hash"])


def read_entry(path: Path) -> Entry:
    """The entry in a receipt's file. Raises UserError."""
    return entry_from(strict_json.read_object(path), str(path))


# The log


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
        """The receipts in force, which no later entry replaces or revokes, by number."""
        receipts: dict[int, Receipt] = {}
        for entry in self.entries:
            match entry.value:
                case Receipt(replaces=before):
                    receipts.pop(before or 0, None)
                    receipts[entry.number] = entry.value
                case Withdrawal(receipt=before):
                    receipts.pop(before or 0, None)
        return receipts

    @property
    def withdrawals(self) -> dict[int, Withdrawal]:
        """The withdrawals by number."""
        return {entry.number: entry.value for entry in self.entries if isinstance(entry.value, Withdrawal)}


NO_LOG = Log()


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
    for index, line in enumerate(lines, 1):
        try:
            entry = entry_from(strict_json.parse_object(line.decode(), path), path)
        except UnicodeDecodeError:
            problems.append(Problem(_("not UTF-8"), path, index))
            continue
        except UserError as error:
            problems += [problem._replace(path=path, line=index, column=None) for problem in error.problems]
            continue
        message = _fault(entry, entries[-1] if entries else None, event)
        problems += [Problem(message, path, index)] if message is not None else []
        entries.append(entry)
    return Log(tuple(entries), tuple(problems))


def _fault(entry: Entry, last: Entry | None, event: str) -> Words | None:
    """What is wrong with an entry after the `last` one; None if nothing is."""
    number = entry.number
    before, previous = (0, BEGINNING) if last is None else (last.number, last.hash)
    if number != before + 1:
        return _("entry {number} follows entry {last}: one was removed or moved", number=number, last=before)
    if entry.previous != previous:
        return _("the entry before entry {number} is not the original one", number=number)
    if entry.value.event != event:
        return _("entry {number} belongs to another event", number=number)
    return None


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


def receipt_file(folder: Path, number: int) -> Path:
    """The file of the receipt with that number."""
    return folder / f"{number:04}.json"


def require_whole(log: Log, event: Event) -> None:
    """Raises UserError if there are receipt files for entries that the log lacks."""
    stems = [file.stem for file in event.receipts.glob("*.json")]
    numbers = [int(stem) for stem in stems if stem.isascii() and stem.isdigit()]
    if max(numbers, default=0) > len(log.entries):
        raise user_error(
            _("there are receipts for entries that the log lacks: it was lost or cut off"),
            path=str(event.log),
            hint=_("run `deckcheck event audit` for details"),
        )


def write_receipts(log: Log, folder: Path) -> Words | None:
    """Write the missing and broken receipt files of the log, with fsync. Raises UserError.

    A valid receipt that differs from the log may prove that the log was rewritten, so it is kept. Returns a note if
    there are any.
    """
    with locked(folder, _("another desk is writing the receipts")):
        folder.mkdir(mode=0o700, exist_ok=True)
        wanted: dict[str, bytes] = {}
        differing = 0
        for entry in log.entries:
            file, page = receipt_file(folder, entry.number), json_page(entry_object(entry)).encode()
            if not isinstance(entry.value, Receipt) or _has_content(file, page):
                continue
            if _is_other_receipt(file, entry):
                differing += 1
            else:
                wanted[file.name] = page
        if wanted:
            write_many(folder, wanted)
    if not differing:
        return None
    return n_(
        "{n} receipt in {folder} differs from the log and was kept; run `deckcheck event audit`",
        "{n} receipts in {folder} differ from the log and were kept; run `deckcheck event audit`",
        differing,
        folder=folder.name,
    )


def _has_content(file: Path, page: bytes) -> bool:
    try:
        return read_bytes(file, most=len(page)) == page
    except UserError:
        return False


def _is_other_receipt(file: Path, entry: Entry) -> bool:
    """Whether a file holds a valid receipt that isn't this entry."""
    try:
        return read_entry(file) != entry
    except UserError:
        return False
