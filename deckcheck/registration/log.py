"""The log of an event: a chain of entries, each with the hash of the one before; its receipt files, and its audit.

A file of JSON lines, replaced as a whole under a lock: a crash leaves either the old or the new log, and
concurrent writers wait for each other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.model.finding import Report
from deckcheck.registration.event import Event, EventSession, Rules
from deckcheck.registration.receipts import (
    BEGINNING,
    Entry,
    EntryValue,
    Receipt,
    Withdrawal,
    check_list,
    entry_from,
    entry_line,
    entry_of,
    read_entry,
)
from deckcheck.report.json import json_page, problem_object
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import locked, read_bytes, real_path, write_atomically, write_many
from deckcheck.support.hashes import is_hash
from deckcheck.support.messages import Words, _, n_
from deckcheck.support.strict_json import parse_object

MOST_BYTES = 512 * 1024 * 1024
"""The largest log; one of 20,000 players is a tenth of this."""


class Log(Struct, frozen=True):
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
            entry = entry_from(parse_object(line.decode(), path), path)
        except UnicodeDecodeError:
            problems.append(Problem(_("not UTF-8"), path, index))
            continue
        except UserError as error:
            problems += [replace(problem, path=path, line=index, column=None) for problem in error.problems]
            continue
        message = _fault(entry, entries[-1] if entries else None, event)
        problems += [Problem(message, path, index)] if message is not None else []
        entries.append(entry)
    return Log(tuple(entries), tuple(problems))


def _fault(entry: Entry, last: Entry | None, event: str) -> Words | None:
    """What is wrong with an entry after the `last` one; None if nothing is."""
    before, previous = (0, BEGINNING) if last is None else (last.number, last.hash)
    if (entry.number, entry.previous) != (before + 1, previous):
        return _(
            "entry {number} does not follow entry {last}: one was altered, removed or moved",
            number=entry.number,
            last=before,
        )
    if entry.value.event != event:
        return _("entry {number} belongs to another event", number=entry.number)
    return None


class Writer:
    """A log that nobody else writes to meanwhile, and the entries that are added to it."""

    def __init__(self, before: Log) -> None:
        self.before = before
        self.added: list[Entry] = []

    @property
    def log(self) -> Log:
        """The log with what was added."""
        return Log((*self.before.entries, *self.added))

    def add(self, value: EntryValue) -> Entry:
        """Add an entry that says this. Raises UserError for text that a log can't store."""
        previous = self.added[-1].hash if self.added else self.before.head
        entry = entry_of(len(self.before.entries) + len(self.added) + 1, previous, value)
        self.added.append(entry)
        return entry


@contextmanager
def open_log(event: Event) -> Iterator[Writer]:
    """The event's log, to add to; it is locked until the end, and what was added is on disk then.

    Raises UserError, with nothing changed, for a log that is broken, lacks entries or can't be written.
    """
    # Keep a symbolic link, and use one lock for all paths to the file.
    path = real_path(event.log) if event.log.is_symlink() else event.log
    with locked(path, _("another desk is writing to the log")):
        writer = Writer(read_log(path, event.id))
        _require_whole(writer.before, event)
        yield writer
        if writer.added:
            old = read_bytes(path, most=MOST_BYTES) if path.exists() else b""
            lines = "".join(entry_line(entry) + "\n" for entry in writer.added)
            write_atomically(path, old + lines.encode(), durable=True)


def _require_whole(log: Log, event: Event) -> None:
    """Raises UserError if there are receipt files for entries that the log lacks."""
    stems = [file.stem for file in event.receipts.glob("*.json")]
    numbers = [int(stem) for stem in stems if stem.isascii() and stem.isdigit()]
    if max(numbers, default=0) > len(log.entries):
        raise user_error(
            _("there are receipts for entries that the log lacks: it was lost or cut off"),
            path=str(event.log),
            hint=_("run `deckcheck event audit` for details"),
        )


# Receipt files, for players and judges


def receipt_file(folder: Path, number: int) -> Path:
    """The file of the receipt with that number."""
    return folder / f"{number:04}.json"


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
            file, page = receipt_file(folder, entry.number), json_page(entry.content).encode()
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


# Auditing

ReceiptStatus = Literal["proven", "same", "open", "wrong"]
"""The result of checking a receipt again; "open" if the verdict differs because rules have changed or are missing."""


class Recheck(Struct, frozen=True):
    """The entry of a receipt checked again; `changed` are messages on rules that have changed since."""

    entry: Entry
    receipt: Receipt
    status: ReceiptStatus
    changed: tuple[Words, ...] = ()
    report: Report | None = None


class Audit(Struct, frozen=True):
    """The result of an audit: the problems of the log, and every receipt checked again."""

    log: Log
    problems: tuple[Problem, ...]
    rechecks: tuple[Recheck, ...]

    @property
    def verdict(self) -> Literal["intact", "altered", "open"]:
        """ "altered" for any fault, "open" if the log is intact but some receipt can't be proven."""
        results = {recheck.status for recheck in self.rechecks}
        if self.problems or "wrong" in results:
            return "altered"
        return "open" if "open" in results else "intact"

    @property
    def counts(self) -> Counter[ReceiptStatus]:
        """The numbers of receipts by status."""
        return Counter(recheck.status for recheck in self.rechecks)

    @property
    def changes(self) -> dict[Words, None]:
        """The messages on rules that have changed since."""
        return dict.fromkeys(change for recheck in self.rechecks for change in recheck.changed)


def audit(session: EventSession, *, heads: Sequence[str] = (), receipts: Iterable[Path] = ()) -> Audit:
    """Examine the event's log, and check every receipt again by its format.

    The log must contain `heads`, hashes noted earlier, and the `receipts` in these files and in the event's folder.
    Raises UserError for a malformed hash, a file that isn't a log, or a broken format.
    """
    event = session.event
    path, noted = str(event.log), _hashes(heads)
    data = read_bytes(event.log, most=MOST_BYTES) if event.log.exists() else b""
    if data.strip() and b'"deckcheck_log"' not in data:
        raise user_error(_("this is not the log of an event"), path=path)
    log = examine(data, path, event.id)
    problems = list(log.problems)
    known = {BEGINNING, *(entry.hash for entry in log.entries)}
    if not known.issuperset(noted):
        cut = _("the entry with the noted hash is not in the log: its end was cut off, or it was rewritten")
        problems.append(Problem(cut, path))
    for file in (*receipts, *sorted(event.receipts.glob("*.json"))):
        problems += _receipt_problems(file, known)
    rechecks = tuple(
        _check_again(entry, entry.value, session) for entry in log.entries if isinstance(entry.value, Receipt)
    )
    return Audit(log, tuple(problems), rechecks)


def _hashes(heads: Sequence[str]) -> list[str]:
    """The hashes in lower case. Raises UserError for a malformed or shortened one."""
    bare = [head.strip().lower() for head in heads]
    if not all(map(is_hash, bare)):
        message = _("--head: this is not the hash of an entry")
        raise user_error(message, hint=_("give all of its 64 digits"))
    return bare


def _receipt_problems(file: Path, known: set[str]) -> list[Problem]:
    """The problems of a receipt's file, which must be one of the log's entries."""
    try:
        entry = read_entry(file)
    except UserError as error:
        return list(error.problems)
    if entry.hash in known:
        return []
    message = _("this receipt (no. {number}) is not in the log", number=entry.number)
    return [Problem(message, str(file))]


def _check_again(entry: Entry, receipt: Receipt, session: EventSession) -> Recheck:
    """The receipt, checked again by the present version of its format."""
    rules = session.find_rules(receipt.format.id)
    if rules is None:
        return Recheck(entry, receipt, "open", (_("there is no format {id!r} here", id=receipt.format.id),))
    changed = tuple(_changed(receipt, rules))
    try:
        path = f"#{entry.number}"
        report = check_list(receipt.listed, rules.format, path, receipt.as_of.isoformat(), receipt.best_of)
    except UserError as error:
        return Recheck(entry, receipt, "wrong", (*changed, error.problems[0].message))
    faults = {finding.rule for finding in report.errors}
    is_same = report.verdict == receipt.verdict and faults == set(receipt.faults)
    if is_same:
        return Recheck(entry, receipt, "same" if changed else "proven", changed, report)
    return Recheck(entry, receipt, "open" if changed else "wrong", changed, report)


def _changed(receipt: Receipt, rules: Rules) -> Iterator[Words]:
    """Messages on the rules of a receipt that have changed since."""
    if receipt.format != rules.provenance.format:
        yield _("the format {id!r} has changed", id=receipt.format.id)
    now, then = (
        {stamp.id: stamp for stamp in lists} for lists in (rules.provenance.banlists, receipt.banlists)
    )
    for id in sorted(now.keys() | then.keys()):
        if now.get(id) != then.get(id):
            yield _("the banlist {id!r} has changed", id=id)
    if receipt.cards != rules.format.game_data.catalog.version:
        yield _("the card table has changed")


def audit_values(audit: Audit, lang: str) -> dict[str, object]:
    """The result of the audit as values for JSON."""
    return {
        "verdict": audit.verdict,
        "entries": len(audit.log.entries),
        "head": audit.log.head,
        "problems": [problem_object(problem, lang) for problem in audit.problems],
        "receipts": [
            {
                "number": recheck.entry.number,
                "hash": recheck.entry.hash,
                "fingerprint": recheck.receipt.fingerprint,
                "standing": recheck.status,
                "changed": recheck.changed,
                "verdict": recheck.report and recheck.report.verdict,
            }
            for recheck in audit.rechecks
        ],
    }
