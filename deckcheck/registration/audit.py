"""Audits the log of an event: altered, removed or contradictory entries, and receipts whose verdict has changed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.model.finding import Report
from deckcheck.registration.acceptance import numbered
from deckcheck.registration.commitments import check_list
from deckcheck.registration.event import EventSession, Rules
from deckcheck.registration.log import (
    BEGINNING,
    MOST_BYTES,
    DeckCheck,
    Log,
    Receipt,
    examine,
    has_content,
    read_entry,
    receipt_file,
    receipt_page,
    receipts_folder,
)
from deckcheck.registration.roster import groups, player_key
from deckcheck.report.json import problem_object
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.hashes import is_hash
from deckcheck.support.messages import Message, Value, Words, _, n_

Faults = Iterator[tuple[int, str, dict[str, Value]]]
"""Faults of entries: the entry's number, a key of _FAULTS, and the other fields of its message."""

_FAULTS: Mapping[str, Message] = {
    "reference": _("entry {number} refers to receipt {about}, which was not valid at that time"),
    "replaced": _("entry {number} replaces receipt {about}, which is another player's"),
    "checker": _("entry {number} doesn't say who checked the deck"),
    "illegal": _("entry {number} is not legal, and no judge gives a reason for accepting it"),
    "word": _("entry {number} lacks the judge, the reason or what was overridden"),
    "event": _("entry {number} differs from the event's file ({said})"),
    "late": _(
        "the list of entry {number} came after the deadline, and no judge gives a reason for accepting it"
    ),
    "open": _("lists are sealed at this event, but entry {number} is not"),
    "sealed": _("lists are open at this event, but entry {number} is sealed"),
    "double": _("receipts {before} and {number} are both valid for one player"),
    "copied": _("receipts {before} and {number} have the same commitment"),
}

ReceiptStatus = Literal["proven", "same", "open", "wrong", "sealed"]
"""The result of checking a receipt again; "open" if the rules have changed or are missing."""


class Recheck(NamedTuple):
    """A receipt checked again; `changed` are messages on rules that have changed since."""

    number: int
    receipt: Receipt
    status: ReceiptStatus
    changed: tuple[Words, ...] = ()
    report: Report | None = None


class Audit(NamedTuple):
    """The result of an audit: `problems` of the log and then of receipts, and `notes`, which are no faults."""

    log: Log
    problems: tuple[Problem, ...]
    rechecks: tuple[Recheck, ...]
    notes: tuple[Words, ...] = ()

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

    The log must contain `heads`, hashes noted earlier, and the files of `receipts`. Raises UserError for a
    malformed hash, a file that isn't a log, or a broken format.
    """
    event = session.event
    path, noted = str(event.log), _hashes(heads)
    data = read_bytes(event.log, most=MOST_BYTES) if event.log.exists() else b""
    log = examine(data, path, event.id)
    if data.strip() and b'"deckcheck_log"' not in data:
        raise user_error(_("this is not the log of an event"), path=path)
    in_force, players = log.receipts, _numbers_by_player(log.receipts)
    faults = [*_faults_of_entries(log), *_faults_in_force(session, in_force, players)]
    faults.sort(key=lambda fault: fault[0])
    problems = list(log.problems)
    problems += (
        Problem(_FAULTS[key].filled(number=number, **fields), path, number) for number, key, fields in faults
    )
    known = {BEGINNING, *(entry.hash for entry in log.entries)}
    cut = _("the entry with the noted hash is not in the log: its end was cut off, or it was rewritten")
    problems += [Problem(cut, path) for head in noted if head not in known]
    folder = receipts_folder(event)
    accepted = [entry for entry in log.entries if isinstance(entry.value, Receipt)]
    files = {receipt_file(folder, entry.number): entry for entry in accepted}
    there = sorted(folder.glob("*.json")) if folder.is_dir() else []
    for file in there:
        entry = files.get(file)
        if entry is None or not has_content(file, receipt_page(entry)):
            problems += _file_problems(log, file, None if entry is None else entry.number)
    problems += [problem for file in receipts for problem in _file_problems(log, file)]
    notes: list[Words] = []
    named = [numbers[0] for keys in players if len(keys) > 1 for numbers in keys.values()]
    if named:
        # It may be right: several players can share a name.
        message = _(
            "receipts with and without an id have the same name ({said}); they may belong to one player",
            said=numbered(sorted(named)),
        )
        notes.append(message)
    missing = sorted(files[file].number for file in files.keys() - set(there))
    if missing:
        message = n_(
            "{n} receipt has no file ({named}); the next event accept writes them anew from the log",
            "{n} receipts have no file ({named}); the next event accept writes them anew from the log",
            len(missing),
            named=numbered(missing),
        )
        notes.append(message)
    rechecks = tuple(
        _check_again(number, value, session)
        for number, _previous, value, _hash in accepted
        if isinstance(value, Receipt)
    )
    return Audit(log, tuple(problems), rechecks, tuple(notes))


def _hashes(heads: Sequence[str]) -> list[str]:
    """The hashes in lower case. Raises UserError for a malformed or shortened one."""
    bare = [head.strip().lower() for head in heads]
    for at, head in enumerate(bare, 1):
        if not is_hash(head):
            message = _("--head: this is not the hash of an entry")
            if len(bare) > 1:
                message = _("--head (no. {at}): this is not the hash of an entry", at=at)
            raise user_error(message, hint=_("give all of its 64 digits"))
    return bare


def _faults_of_entries(log: Log) -> Faults:
    """Faults of single entries, such as a reference to a receipt not in force or a missing judge's decision."""
    in_force: dict[int, Receipt] = {}
    for number, _previous, value, _hash in log.entries:
        about = value.receipt if isinstance(value, DeckCheck) else value.replaces
        if about is not None and about not in in_force:
            yield number, "reference", {"about": about}
        by = bool((value.by or "").strip())
        if isinstance(value, DeckCheck):
            if not by:
                yield number, "checker", {}
            continue
        old = None if about is None else in_force.pop(about, None)
        if old is not None and len(set(groups([old.player, value.player]))) > 1:
            yield number, "replaced", {"about": about}
        in_force[number] = value
        word = [by, bool((value.reason or "").strip()), bool(value.despite)]
        if value.verdict != "legal" and not (all(word) and value.verdict in value.despite):
            yield number, "illegal", {}
        elif any(word) and not all(word):
            yield number, "word", {}


def _faults_in_force(
    session: EventSession, receipts: Mapping[int, Receipt], players: Iterable[Mapping[str, Sequence[int]]]
) -> Faults:
    """Receipts in force that contradict the event's file or each other.

    Replaced receipts may differ from the file, since it may have been corrected.
    """
    event = session.event
    expected = {
        "date": event.date,
        "format": session.format.format.id,
        "as_of": event.as_of,
        "best_of": event.best_of,
    }
    sealed: dict[str, int] = {}
    for number, receipt in receipts.items():
        actual = receipt._asdict() | {"format": receipt.format.id}
        differing = ", ".join(key for key, value in expected.items() if actual[key] != value)
        if differing:
            yield number, "event", {"said": differing}
        when = receipt.submitted and datetime.fromisoformat(receipt.submitted)
        if event.deadline and when and when > event.deadline and "late" not in receipt.despite:
            yield number, "late", {}
        if event.sealed != (receipt.sealed is not None):
            yield number, "open" if event.sealed else "sealed", {}
        if receipt.sealed in sealed:
            yield number, "copied", {"before": sealed[receipt.sealed]}
        if receipt.sealed is not None:
            sealed[receipt.sealed] = number
    for keys in players:
        for before, number in (pair for numbers in keys.values() for pair in pairwise(numbers)):
            yield number, "double", {"before": before}


def _numbers_by_player(receipts: Mapping[int, Receipt]) -> list[dict[str, list[int]]]:
    """For each player, the numbers of the receipts by id, or by name if there is no id."""
    by_player: dict[int, dict[str, list[int]]] = {}
    persons = groups([receipt.player for receipt in receipts.values()])
    for (number, receipt), person in zip(receipts.items(), persons, strict=True):
        id, name = player_key(receipt.player)
        by_player.setdefault(person, {}).setdefault(f"id {id}" if id else f"name {name}", []).append(number)
    return list(by_player.values())


def _file_problems(log: Log, file: Path, number: int | None = None) -> list[Problem]:
    """The problems of a receipt's file; `number` is the one that it must have, if known."""
    try:
        entry = read_entry(file)
    except UserError as error:
        return list(error.problems)
    own = log.entries[entry.number - 1] if entry.number <= len(log.entries) else None
    if number not in (None, entry.number):
        message = _(
            "this should be receipt {number}, but it is receipt {entry_number}",
            number=number,
            entry_number=entry.number,
        )
    elif own == entry:
        return []
    elif own is None:
        message = _("this receipt (no. {number}) is not in the log", number=entry.number)
    else:
        message = _("this receipt differs from entry {number} of the log", number=entry.number)
    return [Problem(message, str(file))]


def _check_again(number: int, receipt: Receipt, session: EventSession) -> Recheck:
    """The receipt, checked again by the present version of its format."""
    rules = session.find_rules(receipt.format.id)
    if rules is None:
        missing = _("there is no format {id!r} here", id=receipt.format.id)
        return Recheck(number, receipt, "open" if receipt.listed is not None else "sealed", (missing,))
    changed = tuple(_changed(receipt, rules))
    if receipt.listed is None:
        return Recheck(number, receipt, "sealed", changed)
    try:
        report = check_list(receipt.listed, rules.format, f"#{number}", receipt.as_of, receipt.best_of)
    except UserError as error:
        return Recheck(number, receipt, "wrong", (*changed, error.problems[0].message))
    faults = {finding.rule for finding in report.errors}
    same = report.verdict == receipt.verdict and faults == set(receipt.faults)
    status: tuple[ReceiptStatus, ReceiptStatus] = ("same", "proven") if same else ("open", "wrong")
    return Recheck(number, receipt, status[not changed], changed, report)


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


def audit_values(found: Audit, lang: str) -> dict[str, object]:
    """The result of the audit as values for JSON."""
    return {
        "verdict": found.verdict,
        "entries": len(found.log.entries),
        "head": found.log.head,
        "problems": [problem_object(problem, lang) for problem in found.problems],
        "notes": found.notes,
        "receipts": [
            {
                "number": recheck.number,
                "standing": recheck.status,
                "changed": recheck.changed,
                "verdict": recheck.report and recheck.report.verdict,
            }
            for recheck in found.rechecks
        ],
    }
