"""Audit: was anything altered, removed or reordered, and does every receipt still hold?"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.model.finding import Report
from deckcheck.registration.accept import receipt_file, receipt_page, receipts_folder
from deckcheck.registration.canonical import deck_of
from deckcheck.registration.contradictions import contradictions, maybe_twice
from deckcheck.registration.log import MOST_BYTES, Log, examine, read_entry
from deckcheck.registration.model import Event
from deckcheck.registration.obstacles import numbered
from deckcheck.registration.provenance import Provenance, Stamp
from deckcheck.registration.receipts import BEGINNING, Entry, Receipt
from deckcheck.support.errors import Problem, UserError, wrong
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Words, _, n_
from deckcheck.support.strictjson import is_hash
from deckcheck.support.text import Text


class Rules(NamedTuple):
    """A format that a receipt names, as it stands now."""

    format: LoadedFormat
    provenance: Provenance


Find = Callable[[str], Rules]
"""From a format's id, or what the event says of its own, to the format; raises UserError where there is none."""

CardStatus = Literal["proven", "same", "open", "wrong", "sealed"]
"""What the second check of a receipt says.

"proven": the same rules give the same verdict. "same": the rules have changed
since and give the same verdict. "open": the rules have changed and give another
one, or are not there. "wrong": the same rules give another verdict. "sealed": the
list is a secret.
"""


class Rechecked(NamedTuple):
    """A receipt, judged again; `changed` are the rules that are no longer what they were."""

    entry: Entry
    standing: CardStatus
    changed: tuple[Words, ...] = ()
    report: Report | None = None


class Audit(NamedTuple):
    """What an audit found: `problems` are faults of the log and of receipts, in their order; `notes` are no faults."""

    log: Log
    problems: tuple[Problem, ...]
    rechecked: tuple[Rechecked, ...]
    notes: tuple[Words, ...] = ()

    @property
    def verdict(self) -> Literal["intact", "altered", "open"]:
        """ "altered" for any fault, "open" when the log is intact but some receipt can't be proven."""
        if self.problems or any(one.standing == "wrong" for one in self.rechecked):
            return "altered"
        return "open" if any(one.standing == "open" for one in self.rechecked) else "intact"


def audit(event: Event, find: Find, *, heads: Sequence[str] = (), receipts: Iterable[Path] = ()) -> Audit:
    """Look through the event's log, and judge every receipt again by the format that it names.

    `heads` are hashes of entries that somebody noted down, `receipts` files
    that somebody kept: each must be in the log. Raises UserError when a head
    is no hash, the log can't be read at all, or a format's file is broken.
    """
    path, noted = str(event.log), _hashes(heads)
    own = find(event.format).format.format.id
    data = read_bytes(event.log, most=MOST_BYTES) if event.log.exists() else b""
    found = examine(data, path, event.id)
    problems = [*found.problems, *contradictions(event, own, found.log, path)]
    problems += [one for head in noted for one in _noted(found.log, head, path)]
    copies, notes = _copies(event, found.log)
    problems += copies
    problems += [one for file in receipts for one in _kept(found.log, file)]
    known = cache(_finding(find))
    rechecked = tuple(
        _again(entry, entry.value, known) for entry in found.log.entries if isinstance(entry.value, Receipt)
    )
    twice = maybe_twice(found.log)
    return Audit(found.log, tuple(problems), rechecked, (*([] if twice is None else [twice]), *notes))


def _finding(find: Find) -> Callable[[str], Rules | None]:
    def found(reference: str) -> Rules | None:
        try:
            return find(reference)
        except UserError as error:
            if any(problem.path is not None for problem in error.problems):
                raise
            return None

    return found


def _hashes(heads: Sequence[str]) -> list[str]:
    """The noted heads in small letters. Raises UserError for one that is no hash as a whole: its beginning proves little."""
    bare = [head.strip().lower() for head in heads]
    for at, head in enumerate(bare, 1):
        if not is_hash(head):
            nth = f"（{at}つ目）" if len(bare) > 1 else ""
            of_all = f" (no. {at})" if len(bare) > 1 else ""
            raise wrong(
                Text(
                    f"--head{nth}: 控えのハッシュではありません",
                    f"--head{of_all}: this is no hash of an entry",
                ),
                hint=_("it is written with all of its 64 digits"),
            )
    return bare


def _noted(log: Log, head: str, path: str) -> list[Problem]:
    if head in (BEGINNING, *(entry.hash for entry in log.entries)):
        return []
    gone = _("the entry with the noted hash is not in the log: its end was cut off, or it was rewritten")
    return [Problem(gone, path)]


def _copies(event: Event, log: Log) -> tuple[list[Problem], tuple[Words, ...]]:
    """What is wrong with the receipts in files of their own, beside the log; and a note of those that are missing."""
    folder = receipts_folder(event)
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    written = {
        receipt_file(folder, entry.number): entry for entry in log.entries if isinstance(entry.value, Receipt)
    }
    problems: list[Problem] = []
    for file in files:
        entry = written.get(file)
        if not _as_written(file, entry):
            problems += _kept(log, file, None if entry is None else entry.number)
    missing = [entry.number for file, entry in written.items() if file not in set(files)]
    if not missing:
        return problems, ()
    named = numbered(missing)
    note = n_(
        "{n} receipt has no file ({named}); the next event accept writes them anew from the log",
        "{n} receipts have no file ({named}); the next event accept writes them anew from the log",
        len(missing),
        named=named,
    )
    return problems, (note,)


def _as_written(file: Path, entry: Entry | None) -> bool:
    """Whether the file is byte for byte what we write: then there is no need to read it."""
    if entry is None:
        return False
    page = receipt_page(entry).encode()
    try:
        return read_bytes(file, most=len(page)) == page
    except UserError:
        return False


def _kept(log: Log, file: Path, number: int | None = None) -> list[Problem]:
    """What is wrong with a receipt that somebody kept; `number` is the one that it must have."""
    try:
        entry = read_entry(file)
    except UserError as error:
        return list(error.problems)
    if number not in (None, entry.number):
        swapped = _(
            "this should be receipt {number}, and is receipt {entry_number}",
            number=number,
            entry_number=entry.number,
        )
        return [Problem(swapped, str(file))]
    mine = log.entries[entry.number - 1] if entry.number <= len(log.entries) else None
    if mine == entry:
        return []
    gone = _("this receipt (no. {number}) is not in the log", number=entry.number)
    other = _("this receipt differs from entry {number} of the log", number=entry.number)
    return [Problem(gone if mine is None else other, str(file))]


def _again(entry: Entry, receipt: Receipt, find: Callable[[str], Rules | None]) -> Rechecked:
    rules = find(receipt.format.id)
    if rules is None:
        gone = _("there is no format {id!r} here", id=receipt.format.id)
        return Rechecked(entry, "open" if receipt.listed is not None else "sealed", (gone,))
    changed = tuple(_changed(receipt, rules))
    if receipt.listed is None:
        return Rechecked(entry, "sealed", changed)
    format = rules.format
    table = format.game_data
    deck = deck_of(receipt.listed, table.catalog.find, format.format.zones, f"#{entry.number}")
    try:
        report = check(deck, format, as_of=receipt.as_of, best_of=receipt.best_of, suppressions=False)
    except UserError as error:
        return Rechecked(entry, "wrong", (*changed, error.problems[0].message))
    same = report.verdict == receipt.verdict and _faults(report) == set(receipt.faults)
    if same:
        return Rechecked(entry, "same" if changed else "proven", changed, report)
    return Rechecked(entry, "open" if changed else "wrong", changed, report)


def _faults(report: Report) -> set[str]:
    return {said.rule for said in report.findings if said.severity == "error"}


def _changed(receipt: Receipt, rules: Rules) -> Iterable[Words]:
    """The rules behind a receipt that are no longer what they were."""
    if receipt.format != rules.provenance.format:
        yield _("the format {id!r} has changed", id=receipt.format.id)
    now = {stamp.id: stamp for stamp in rules.provenance.banlists}
    was = {stamp.id: stamp for stamp in receipt.banlists}
    for id in sorted(now.keys() | was.keys()):
        if now.get(id, Stamp(id, "")) != was.get(id, Stamp(id, "")):
            yield _("the banlist {id!r} has changed", id=id)
    if receipt.cards != rules.format.game_data.catalog.version:
        yield _("the card table has changed")
