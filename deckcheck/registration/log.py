"""The log of an event: a chain of receipts of accepted lists, withdrawals and deck checks, each with the hash of the one
before; its receipt files, and its audit.

A file of JSON lines, replaced as a whole under a lock: a crash leaves either the old or the new log, and
concurrent writers wait for each other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert, field, json

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.session import Session
from deckcheck.model.card import Catalog, card_named
from deckcheck.model.deck import Deck
from deckcheck.model.deck import Entry as DeckEntry
from deckcheck.model.finding import CanonicalList, Report, Verdict
from deckcheck.registration.event import Event, EventSession, Hash, Provenance, Stamp
from deckcheck.registration.submissions import Player
from deckcheck.report.json import json_line, json_page
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.files import locked, read_bytes, real_path, write_atomically
from deckcheck.support.json import digest, is_hash, parse_object, read_object
from deckcheck.support.messages import Words, _, n_

FORM = 1
"""The "deckcheck_log" of an entry; increased when a key changes its meaning or is removed."""

BEGINNING = "0" * 64
"""The previous hash in the first entry."""

MOST_BYTES = 512 * 1024 * 1024
"""The largest log; one of 20,000 players is a tenth of this."""

# What may stand in an entry; also its hash refuses fractions and lone surrogates.
Number = Annotated[int, Meta(ge=1)]
Day = date
Moment = Annotated[datetime, Meta(tz=True)]


# Entries


class Statement(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every entry says: the event, the time, and the version of deckcheck that wrote it."""

    event: str
    at: Moment
    tool: str


class Receipt(Statement, frozen=True, kw_only=True, tag="receipt"):
    """An accepted list.

    `given` are the fields of the player, without the email address. `cards` is a version. `faults` are the rules that
    make the list illegal or undecided, `despite` the conditions that a judge overrode. `replaces` is the number of the
    player's previous receipt. `submission` is the id of the submission, which older receipts lack.
    """

    date: Day
    given: Mapping[str, str] = field(name="player")
    place: str
    submitted: str | None = None
    game: str
    format: Stamp
    banlists: tuple[Stamp, ...]
    cards: str
    as_of: Day
    best_of: Number | None = None
    verdict: Verdict
    faults: tuple[str, ...]
    listed: CanonicalList = field(name="list")
    fingerprint: Hash
    commitment: Any = None
    """Always null; earlier versions sealed lists with it."""
    by: str | None = None
    reason: str | None = None
    despite: tuple[str, ...]
    replaces: Number | None = None
    submission: str | None = None

    @property
    def player(self) -> Player:
        """The player."""
        return Player().with_fields(self.given)

    @property
    def rules(self) -> Provenance:
        """The format and banlists by which it was checked."""
        return Provenance(self.format, self.banlists)


class Withdrawal(Statement, frozen=True, kw_only=True, tag="withdrawal"):
    """A player who no longer takes part, with the `receipt` that this revokes and the ids of their submissions."""

    given: Mapping[str, str] = field(name="player")
    receipt: Number | None = None
    submissions: tuple[str, ...]
    by: str
    reason: str

    @property
    def player(self) -> Player:
        """The player."""
        return Player().with_fields(self.given)


class DeckCheck(Statement, frozen=True, kw_only=True, tag="check"):
    """A deck compared with a receipt (by number), `between_games` or before the first one."""

    receipt: Number
    result: Literal["same", "different"]
    between_games: bool
    by: str | None = None


EntryValue = Receipt | Withdrawal | DeckCheck


class _Head(Struct, frozen=True):
    """The place of an entry in the chain."""

    deckcheck_log: Literal[1]
    number: Number
    previous: Hash
    hash: Hash


class Entry(Struct, frozen=True):
    """An entry of a log: what it says, and all that is written in it, by schemas/receipt.schema.json.

    `hash` is the hash of everything else in it, `previous` that of the previous entry; `number` counts from 1.
    """

    number: int
    previous: str
    hash: str
    value: EntryValue
    content: Mapping[str, Any]

    @property
    def receipt(self) -> Receipt:
        """What it says, which must be a receipt."""
        assert isinstance(self.value, Receipt)
        return self.value


def utc(time: datetime) -> datetime:
    """A time as entries have it: in UTC, in whole seconds."""
    return time.astimezone(UTC).replace(microsecond=0)


def entry_of(number: int, previous: str, value: EntryValue) -> Entry:
    """The entry after the one with the hash `previous`. Raises UserError for a lone surrogate."""
    try:
        said: dict[str, Any] = json.decode(json.encode(value))
        # As in receipts from before there were ids.
        if said.get("submission", "") is None:
            del said["submission"]
        head = {"deckcheck_log": FORM, "kind": said["kind"], "number": number, "previous": previous}
        content = head | said
        hash = digest("entry", content)
    except ValueError as error:
        raise user_error(_("this contains text that a log can't store")) from error
    return Entry(number, previous, hash, value, content | {"hash": hash})


def entry_from(content: Mapping[str, Any]) -> Entry:
    """The entry with this content. Raises UserError, also for a wrong hash."""
    try:
        head = convert(content, _Head)
        value: EntryValue = convert(content, type=EntryValue)
    except ValidationError as error:
        # Without what stands there, which may be personal data.
        raise user_error(_("this is not an entry of a log")) from error
    # The hash covers everything that was written, also what a later version adds.
    written = {key: part for key, part in content.items() if key != "hash"}
    try:
        is_unaltered = digest("entry", written) == head.hash
    except ValueError:
        is_unaltered = False
    if isinstance(value, Receipt) and value.fingerprint != value.listed.fingerprint(value.game):
        is_unaltered = False
    if not is_unaltered:
        raise user_error(_("this entry was altered: its hash is not that of its content"))
    return Entry(head.number, head.previous, head.hash, value, content)


def read_entry(path: Path) -> Entry:
    """The entry in a receipt's file. Raises UserError."""
    try:
        return entry_from(read_object(path))
    except UserError as error:
        raise placed_at(error, str(path)) from error


# The chain


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


def read_log(event: Event) -> Log:
    """The event's log, empty without a file. Raises UserError with all problems, and if there are more receipt files."""
    path = event.log
    log = examine(read_bytes(path, most=MOST_BYTES), str(path), event.id) if path.exists() else Log()
    if log.problems:
        raise UserError(log.problems)
    stems = [file.stem for file in event.receipts.glob("*.json")]
    numbers = [int(stem) for stem in stems if stem.isascii() and stem.isdigit()]
    if max(numbers, default=0) > len(log.entries):
        raise user_error(
            _("there are receipts for entries that the log lacks: it was lost or cut off"),
            path=str(path),
            hint=_("run `deckcheck event audit` for details"),
        )
    return log


def examine(data: bytes, path: str, event: str) -> Log:
    """The readable entries of a log with this content, and its problems."""
    problems: list[Problem] = []
    entries: list[Entry] = []
    number, previous = 0, BEGINNING
    *lines, rest = data.split(b"\n")
    if rest:
        hint = _("restore a complete copy of the log, or delete this unfinished line")
        problems.append(Problem(_("the last line is cut off"), path, len(lines) + 1, hint=hint))
    for index, line in enumerate(lines, 1):
        try:
            entry = entry_from(parse_object(line, path, index))
        except UserError as error:
            problems += placed_at(error, path, index).problems
            continue
        if (entry.number, entry.previous) != (number + 1, previous):
            message = _(
                "entry {number} does not follow entry {last}: one was altered, removed or moved",
                number=entry.number,
                last=number,
            )
            problems.append(Problem(message, path, index))
        elif entry.value.event != event:
            message = _("entry {number} belongs to another event", number=entry.number)
            problems.append(Problem(message, path, index))
        entries.append(entry)
        number, previous = entry.number, entry.hash
    return Log(tuple(entries), tuple(problems))


class Writer:
    """A log that nobody else writes to meanwhile, with the entries that were `added` to it."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.added: list[Entry] = []

    def add(self, value: EntryValue) -> Entry:
        """Add an entry that says this. Raises UserError for text that a log can't store."""
        entry = entry_of(len(self.log.entries) + 1, self.log.head, value)
        self.added.append(entry)
        self.log = Log((*self.log.entries, entry))
        return entry


@contextmanager
def open_log(event: Event) -> Iterator[Writer]:
    """The event's log, to add to; it is locked until the end, and what was added is on disk then.

    Raises UserError, with nothing changed, for a log that is broken, lacks entries or can't be written.
    """
    # Keep a symbolic link, and use one lock for all paths to the file.
    path = real_path(event.log) if event.log.is_symlink() else event.log
    with locked(path, _("another desk is writing to the log")):
        writer = Writer(read_log(event))
        yield writer
        if writer.added:
            old = read_bytes(path, most=MOST_BYTES) if path.exists() else b""
            lines = "".join(json_line(entry.content) + "\n" for entry in writer.added)
            write_atomically(path, old + lines.encode(), durable=True)


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
        differing = 0
        for entry in log.entries:
            if isinstance(entry.value, Receipt):
                file = receipt_file(folder, entry.number)
                try:
                    differing += read_entry(file) != entry
                except UserError:
                    write_atomically(file, json_page(entry.content).encode(), durable=True)
    if not differing:
        return None
    return n_(
        "{n} receipt in {folder} differs from the log and was kept; run `deckcheck event audit`",
        "{n} receipts in {folder} differ from the log and were kept; run `deckcheck event audit`",
        differing,
        folder=folder.name,
    )


# Auditing


def format_of(receipt: Receipt, session: Session) -> LoadedFormat | None:
    """The format by which a list was accepted, as it is now; None if there is none. Raises UserError for a broken one."""
    try:
        return session.load(receipt.format.id)
    except UserError as error:
        # Mistakes in files have places.
        if any(problem.path is not None for problem in error.problems):
            raise
        return None


def check_receipt(receipt: Receipt, format: LoadedFormat) -> Report:
    """The report on a registered list. Raises UserError for a format that can't be played."""
    deck = deck_of(receipt.listed, format.game_data.catalog, format.format.zones)
    return check(deck, format, as_of=receipt.as_of.isoformat(), best_of=receipt.best_of)


def deck_of(listed: CanonicalList, catalog: Catalog, zones: Iterable[str] = ()) -> Deck:
    """The deck of a canonical list, one line per card, in the order of `zones`, then other zones."""
    order = {zone: index for index, zone in enumerate(zones)}
    entries = []
    in_order = sorted(listed.copies, key=lambda held: order.get(held.zone, len(order)))
    for number, held in enumerate(in_order, 1):
        # A canonical name takes precedence over aliases and halves of other cards.
        card = card_named(catalog, held.card) if held.known else None
        cards = tuple(catalog.find(held.card)) if card is None else (card,)
        entries.append(
            DeckEntry(held.card, cards, held.copies, held.zone, number, len(f"{held.copies} ") + 1)
        )
    lines = tuple(f"{entry.copies} {entry.written}" for entry in entries)
    return Deck("-", tuple(entries), (), {}, "canonical", lines)


ReceiptStatus = Literal["proven", "same", "open", "wrong"]
"""The result of checking a receipt again; "open" if the verdict differs because rules have changed or are missing."""


class Recheck(Struct, frozen=True):
    """The entry of a receipt checked again; `changed` are messages on rules that have changed since."""

    entry: Entry
    status: ReceiptStatus
    changed: tuple[Words, ...] = ()
    verdict: Verdict | None = None


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


def audit(session: EventSession, *, heads: Sequence[str] = (), receipts: Iterable[Path] = ()) -> Audit:
    """Examine the event's log, and check every receipt again by its format.

    The log must contain `heads`, hashes noted earlier, and the `receipts` in these files and in the event's folder.
    Raises UserError for a malformed hash, a file that isn't a log, or a broken format.
    """
    event = session.event
    path, noted = str(event.log), {head.strip().lower() for head in heads}
    if not all(map(is_hash, noted)):
        message = _("--head: this is not the hash of an entry")
        raise user_error(message, hint=_("give all of its 64 digits"))
    data = read_bytes(event.log, most=MOST_BYTES) if event.log.exists() else b""
    if data.strip() and b'"deckcheck_log"' not in data:
        raise user_error(_("this is not the log of an event"), path=path)
    log = examine(data, path, event.id)
    problems = list(log.problems)
    known = {BEGINNING, *(entry.hash for entry in log.entries)}
    if not noted <= known:
        cut = _("the entry with the noted hash is not in the log: its end was cut off, or it was rewritten")
        problems.append(Problem(cut, path))
    files = (*sorted(event.receipts.glob("*.json")), *receipts)
    for file in {real_path(file): file for file in files}.values():
        try:
            entry = read_entry(file)
        except UserError as error:
            problems += error.problems
            continue
        if entry.hash not in known:
            message = _("this receipt (no. {number}) is not in the log", number=entry.number)
            problems.append(Problem(message, str(file)))
    rechecks = [_check_again(entry, session) for entry in log.entries if isinstance(entry.value, Receipt)]
    return Audit(log, tuple(problems), tuple(rechecks))


def _check_again(entry: Entry, session: EventSession) -> Recheck:
    """The receipt, checked again by the present version of its format."""
    receipt = entry.receipt
    format = format_of(receipt, session)
    if format is None:
        return Recheck(entry, "open", (_("there is no format {id!r} here", id=receipt.format.id),))
    rules = session.provenance(receipt.format.id)
    changed: list[Words] = []
    if receipt.format != rules.format:
        changed.append(_("the format {id!r} has changed", id=receipt.format.id))
    banlists = {stamp.id for stamp in set(receipt.banlists) ^ set(rules.banlists)}
    changed += [_("the banlist {id!r} has changed", id=id) for id in sorted(banlists)]
    if receipt.cards != format.game_data.catalog.version:
        changed.append(_("the card table has changed"))
    try:
        report = check_receipt(receipt, format)
    except UserError as error:
        return Recheck(entry, "wrong", (*changed, error.problems[0].message))
    faults = {finding.rule for finding in report.errors}
    is_same = report.verdict == receipt.verdict and faults == set(receipt.faults)
    status: ReceiptStatus = "proven" if is_same else "wrong"
    if changed:
        status = "same" if is_same else "open"
    return Recheck(entry, status, tuple(changed), report.verdict)


def audit_values(audit: Audit) -> dict[str, object]:
    """The result of the audit as values for JSON."""
    return {
        "verdict": audit.verdict,
        "entries": len(audit.log.entries),
        "head": audit.log.head,
        "problems": audit.problems,
        "receipts": [
            {
                "number": recheck.entry.number,
                "hash": recheck.entry.hash,
                "fingerprint": recheck.entry.receipt.fingerprint,
                "standing": recheck.status,
                "changed": recheck.changed,
                "verdict": recheck.verdict,
            }
            for recheck in audit.rechecks
        ],
    }
