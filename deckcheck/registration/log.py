"""An event's log: entries in the order in which they came, each carrying the hash of the one before.

The log is a file of JSON lines. It is only ever replaced as a whole by a longer
one, while a lock is held, so a crash leaves the log before or the log after and
nothing between, and two desks at once wait for each other.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from deckcheck.registration.model import Accepted
from deckcheck.registration.provenance import Provenance
from deckcheck.registration.receipts import (
    BEGINNING,
    Checked,
    Entry,
    Receipt,
    entry_from,
    entry_line,
    entry_of,
)
from deckcheck.support.errors import Problem, UserError, wrong
from deckcheck.support.files import read_bytes, write_atomically
from deckcheck.support.messages import Words, _
from deckcheck.support.strictjson import parse_object, unescaped

MOST_BYTES = 512 * 1024 * 1024
"""A log of twenty thousand players is a tenth of this."""

PATIENCE = 60.0
"""Seconds to wait for another desk."""

New = Receipt | Checked


class Log(NamedTuple):
    """Entries that hang together, oldest first."""

    entries: tuple[Entry, ...] = ()

    @property
    def head(self) -> str:
        """The hash of the last entry: whoever knows it can tell whether anything before it was changed."""
        return self.entries[-1].hash if self.entries else BEGINNING


class Broken(NamedTuple):
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


def examine(data: bytes, path: str, event: str) -> Broken:
    """All that can be read of a log, and every place where something was altered, removed or reordered."""
    problems: list[Problem] = []
    entries: list[Entry] = []
    previous, last = BEGINNING, 0
    lines = data.split(b"\n")
    if lines.pop():
        said = _("the last line is cut off")
        problems.append(Problem(said, path, len(lines) + 1))
    for at, line in enumerate(lines, 1):
        entry = _entry(line, path, at, problems)
        if entry is None:
            continue
        for wrong_with in _misplaced(entry, previous, last, event):
            problems.append(Problem(wrong_with, path, at))
        previous, last = entry.hash, entry.number
        entries.append(entry)
    return Broken(Log(tuple(entries)), tuple(problems))


def _entry(line: bytes, path: str, at: int, problems: list[Problem]) -> Entry | None:
    try:
        text = line.decode()
        entry = entry_from(parse_object(text, path), path)
    except UnicodeDecodeError:
        problems.append(Problem(_("not UTF-8"), path, at))
        return None
    except UserError as error:
        problems += [problem._replace(path=path, line=at, column=None) for problem in error.problems]
        return None
    # By which characters are escaped for terminals a log may not break.
    if unescaped(entry_line(entry)) != unescaped(text):
        # Blanks, the order of keys: nothing that says something else, and yet not what was written.
        said = _("this is not as it was written")
        problems.append(Problem(said, path, at))
    return entry


def _misplaced(entry: Entry, previous: str, last: int, event: str) -> list[Words]:
    found: list[Words] = []
    if entry.number != last + 1:
        found.append(
            _("entry {number} follows entry {last}: one was removed or moved", number=entry.number, last=last)
        )
    elif entry.previous != previous:
        found.append(
            _("the entry before entry {number} is not the one that stood there", number=entry.number)
        )
    if entry.value.event != event:
        found.append(_("entry {number} belongs to another event", number=entry.number))
    return found


def extend(path: Path, event: str, make: Callable[[Log], Sequence[New]]) -> tuple[Log, tuple[Entry, ...]]:
    """Add to the log of the event what `make` says when it sees it; the new log, and what was added.

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
            added = _chained(before, make(before))
            after = Log(before.entries + added)
            if added:
                old = read_bytes(path, most=MOST_BYTES) if path.exists() else b""
                lines = "".join(entry_line(entry) + "\n" for entry in added)
                write_atomically(path, old + lines.encode(), durable=True)
            return after, added
    except Timeout as error:
        hint = _("wait a moment and try again")
        raise wrong(
            _("another desk is writing to the log"),
            path=str(path),
            hint=hint,
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise wrong(_("can't be written: {reason}", reason=reason), path=str(path)) from error


def _chained(before: Log, values: Sequence[New]) -> tuple[Entry, ...]:
    previous, number = before.head, len(before.entries)
    added = []
    for value in values:
        number += 1
        entry = entry_of(number, previous, value)
        previous = entry.hash
        added.append(entry)
    return tuple(added)


def standing(log: Log) -> dict[int, Receipt]:
    """The receipts that stand, by number: those that no later one replaces."""
    receipts = {entry.number: entry.value for entry in log.entries if isinstance(entry.value, Receipt)}
    gone = {receipt.replaces for receipt in receipts.values()}
    return {number: receipt for number, receipt in receipts.items() if number not in gone}


def accepted_in(log: Log) -> list[Accepted]:
    """What a roster needs to know of the receipts that stand."""
    return [
        Accepted(number, one.player, one.mark, one.place, Provenance(one.format, one.banlists))
        for number, one in standing(log).items()
    ]


def read_entry(path: Path) -> Entry:
    """The receipt, or whatever entry of a log stands in a file of its own. Raises UserError."""
    from deckcheck.support.strictjson import read_object

    return entry_from(read_object(path), str(path))
