"""Audit: was anything altered, removed or reordered, do entries contradict each other, does every receipt still hold?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.checking.judge import check
from deckcheck.model.finding import Report
from deckcheck.registration.acceptance import is_written, receipt_file, receipts_folder
from deckcheck.registration.canonical import deck_of
from deckcheck.registration.conditions import numbered
from deckcheck.registration.log import (
    BEGINNING,
    MOST_BYTES,
    Checked,
    Entry,
    Log,
    Receipt,
    examine,
    read_entry,
    standing,
)
from deckcheck.registration.model import Event
from deckcheck.registration.precedence import groups, id_key, name_key
from deckcheck.registration.provenance import Stamp
from deckcheck.registration.roster import EventSession, Rules
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Words, _, n_
from deckcheck.support.strictjson import is_hash

Found = tuple[int, Words]
"""The number of an entry, and what is wrong with it. Nobody is named."""


def _inconsistencies(event: Event, format: str, log: Log, path: str) -> list[Problem]:
    """Entries that contradict each other, the event or the rules of acceptance, in their order.

    `format` is the id of the event's format, `path` the log's file.
    """
    found = [*_replaced(log), *_by_themselves(log), *_against(event, format, log), *_beside_others(log)]
    found.sort(key=lambda one: one[0])
    return [Problem(said, path, number) for number, said in found]


def _replaced(log: Log) -> Iterator[Found]:
    """Entries that speak of a receipt which does not stand at that moment, or is somebody else's."""
    stood: dict[int, Receipt] = {}
    for number, _unused, value, _unused in log.entries:
        about = value.receipt if isinstance(value, Checked) else value.replaces
        if about is not None and about not in stood:
            yield (
                number,
                _(
                    "entry {number} refers to receipt {about}, which was not valid at that time",
                    number=number,
                    about=about,
                ),
            )
        if isinstance(value, Checked):
            continue
        old = None if about is None else stood.pop(about, None)
        if old is not None and len(set(groups([old.player, value.player]))) > 1:
            yield (
                number,
                _(
                    "entry {number} replaces receipt {about}, which is another player's",
                    number=number,
                    about=about,
                ),
            )
        stood[number] = value


def _by_themselves(log: Log) -> Iterator[Found]:
    """Entries that could not have been written as they are."""
    for number, _unused, value, _unused in log.entries:
        if isinstance(value, Checked):
            if not (value.by or "").strip():
                yield (
                    number,
                    _("entry {number} doesn't say who checked the deck", number=number),
                )
            continue
        word = [bool((value.by or "").strip()), bool((value.reason or "").strip()), bool(value.despite)]
        if value.verdict != "legal" and not (all(word) and value.verdict in value.despite):
            yield (
                number,
                _(
                    "entry {number} is not legal, and no judge gives a reason for accepting it",
                    number=number,
                ),
            )
        elif any(word) and not all(word):
            yield (
                number,
                _("entry {number} lacks the judge, the reason or what was overridden", number=number),
            )


def _against(event: Event, format: str, log: Log) -> Iterator[Found]:
    """Receipts that don't fit the event's file. Those that were replaced may be why the file was mended."""
    for number, value in standing(log).items():
        pairs: Mapping[str, tuple[object, object]] = {
            "date": (value.date, event.date),
            "format": (value.format.id, format),
            "as_of": (value.as_of, event.as_of),
            "best_of": (value.best_of, event.best_of),
        }
        odd = [key for key, (was, now) in pairs.items() if was != now]
        if odd:
            said = ", ".join(odd)
            yield (
                number,
                _("entry {number} differs from the event's file ({said})", number=number, said=said),
            )
        if _is_late(event, value) and "late" not in value.despite:
            yield (
                number,
                _(
                    "the list of entry {number} came after the deadline, and no judge gives a "
                    "reason for accepting it",
                    number=number,
                ),
            )
        if event.sealed and value.sealed is None:
            yield (
                number,
                _("lists are sealed at this event, but entry {number} is not", number=number),
            )
        elif value.sealed is not None and not event.sealed:
            yield (
                number,
                _("lists are open at this event, but entry {number} is sealed", number=number),
            )


def _is_late(event: Event, receipt: Receipt) -> bool:
    if event.deadline is None or receipt.submitted is None:
        return False
    return datetime.fromisoformat(receipt.submitted) > event.deadline


def _shared_names(log: Log) -> Words | None:
    """That receipts may be of one player, where only some of them have an id; None where there are none.

    This is no fault: whoever gave a name alone was somebody else where several players with ids bore it then.
    """
    named = [numbers[0] for keys in _of_players(log) if len(keys) > 1 for numbers in keys.values()]
    if not named:
        return None
    said = numbered(sorted(named))
    return _(
        "receipts with and without an id have the same name ({said}); they may belong to one player",
        said=said,
    )


def _of_players(log: Log) -> list[dict[str, list[int]]]:
    """For each player the receipts that stand, parted by id; those without any by the name."""
    receipts = standing(log)
    found: dict[int, dict[str, list[int]]] = {}
    persons = groups([receipt.player for receipt in receipts.values()])
    for (number, receipt), person in zip(receipts.items(), persons, strict=True):
        player = receipt.player
        key = f"id {id_key(player)}" if id_key(player) else f"name {name_key(player.name)}"
        found.setdefault(person, {}).setdefault(key, []).append(number)
    return list(found.values())


def _beside_others(log: Log) -> Iterator[Found]:
    """Receipts that can't stand beside each other."""
    of_seal: dict[str, list[int]] = {}
    for number, receipt in standing(log).items():
        if receipt.sealed is not None:
            of_seal.setdefault(receipt.sealed, []).append(number)
    for numbers in (numbers for keys in _of_players(log) for numbers in keys.values()):
        for before, number in pairwise(numbers):
            yield (
                number,
                _(
                    "receipts {before} and {number} are both valid for one player",
                    before=before,
                    number=number,
                ),
            )
    for numbers in of_seal.values():
        for before, number in pairwise(numbers):
            yield (
                number,
                _("receipts {before} and {number} have the same commitment", before=before, number=number),
            )


ReceiptStatus = Literal["proven", "same", "open", "wrong", "sealed"]
"""What the second check of a receipt says.

"proven": the same rules give the same verdict. "same": the rules have changed
since and give the same verdict. "open": the rules have changed and give another
one, or are not there. "wrong": the same rules give another verdict. "sealed": the
list is a secret.
"""


class Rechecked(NamedTuple):
    """A receipt, judged again; `changed` are the rules that are no longer what they were."""

    entry: Entry
    standing: ReceiptStatus
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


def audit(session: EventSession, *, heads: Sequence[str] = (), receipts: Iterable[Path] = ()) -> Audit:
    """Look through the event's log, and judge every receipt again by the format that it names.

    `heads` are hashes of entries that somebody noted down, `receipts` files
    that somebody kept: each must be in the log. Raises UserError when a head
    is no hash, the log can't be read at all or is none, or a format's file is broken.
    """
    event = session.event
    path, noted = str(event.log), _hashes(heads)
    own = session.format.format.id
    data = read_bytes(event.log, most=MOST_BYTES) if event.log.exists() else b""
    found = examine(data, path, event.id)
    if data.strip() and b'"deckcheck_log"' not in data:
        raise user_error(_("this is not the log of an event"), path=path)
    problems = [*found.problems, *_inconsistencies(event, own, found.log, path)]
    problems += [problem for head in noted for problem in _noted(found.log, head, path)]
    copies, notes = _copies(event, found.log)
    problems += copies
    problems += [problem for file in receipts for problem in _kept(found.log, file)]
    rules = _Rules(session)
    rechecked = tuple(
        _again(entry, entry.value, rules) for entry in found.log.entries if isinstance(entry.value, Receipt)
    )
    twice = _shared_names(found.log)
    return Audit(found.log, tuple(problems), rechecked, (*([] if twice is None else [twice]), *notes))


class _Rules:
    """The formats that receipts name, each looked for once."""

    def __init__(self, session: EventSession) -> None:
        self._session = session
        self._known: dict[str, Rules | None] = {}

    def find(self, reference: str) -> Rules | None:
        """The format with that id; None where there is none. Raises UserError for one that is broken."""
        if reference not in self._known:
            try:
                self._known[reference] = self._session.find_rules(reference)
            except UserError as error:
                if any(problem.path is not None for problem in error.problems):
                    raise
                self._known[reference] = None
        return self._known[reference]


def _hashes(heads: Sequence[str]) -> list[str]:
    """The noted heads in small letters. Raises UserError for one that is no hash as a whole: its beginning proves little."""
    bare = [head.strip().lower() for head in heads]
    for at, head in enumerate(bare, 1):
        if not is_hash(head):
            message = (
                _("--head (no. {at}): this is not the hash of an entry", at=at)
                if len(bare) > 1
                else _("--head: this is not the hash of an entry")
            )
            raise user_error(message, hint=_("give all of its 64 digits"))
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
        if entry is None or not is_written(file, entry):
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


def _kept(log: Log, file: Path, number: int | None = None) -> list[Problem]:
    """What is wrong with a receipt that somebody kept; `number` is the one that it must have."""
    try:
        entry = read_entry(file)
    except UserError as error:
        return list(error.problems)
    if number not in (None, entry.number):
        swapped = _(
            "this should be receipt {number}, but it is receipt {entry_number}",
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


def _again(entry: Entry, receipt: Receipt, known: _Rules) -> Rechecked:
    rules = known.find(receipt.format.id)
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
