"""Audit: was anything altered, removed or reordered, do entries contradict each other, does every receipt still hold?"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.checking.judge import check
from deckcheck.model.finding import Report
from deckcheck.registration.acceptance import holds, receipt_file, receipt_page, receipts_folder
from deckcheck.registration.canonical import Stamp, deck_of
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
from deckcheck.registration.precedence import groups, id_key, name_key
from deckcheck.registration.roster import EventSession, Rules
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Message, Words, _, n_
from deckcheck.support.strictjson import is_hash

Faults = Iterator[Message]
"""What is wrong with entries, whose numbers are the field `number`. Nobody is named."""

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
        results = {again.standing for again in self.rechecked}
        if self.problems or "wrong" in results:
            return "altered"
        return "open" if "open" in results else "intact"


def audit(session: EventSession, *, heads: Sequence[str] = (), receipts: Iterable[Path] = ()) -> Audit:
    """Look through the event's log, and judge every receipt again by the format that it names.

    `heads` are hashes of entries that somebody noted down, `receipts` files
    that somebody kept: each must be in the log. Raises UserError when a head
    is no hash, the log can't be read at all or is none, or a format's file is broken.
    """
    event = session.event
    path, noted = str(event.log), _hashes(heads)
    data = read_bytes(event.log, most=MOST_BYTES) if event.log.exists() else b""
    log, broken = examine(data, path, event.id)
    if data.strip() and b'"deckcheck_log"' not in data:
        raise user_error(_("this is not the log of an event"), path=path)
    faults = [*_references(log), *_words(log), *_against(session, log), *_doubles(log)]
    problems = [*broken, *(Problem(fault, path, _number(fault)) for fault in sorted(faults, key=_number))]
    known = {BEGINNING, *(entry.hash for entry in log.entries)}
    cut = _("the entry with the noted hash is not in the log: its end was cut off, or it was rewritten")
    problems += [Problem(cut, path) for head in noted if head not in known]
    folder = receipts_folder(event)
    accepted = [entry for entry in log.entries if isinstance(entry.value, Receipt)]
    files = {receipt_file(folder, entry.number): entry for entry in accepted}
    there = sorted(folder.glob("*.json")) if folder.is_dir() else []
    for file in there:
        entry = files.get(file)
        if entry is None or not holds(file, receipt_page(entry)):
            problems += _kept(log, file, None if entry is None else entry.number)
    problems += [problem for file in receipts for problem in _kept(log, file)]
    rules = _Rules(session)
    rechecked = tuple(_again(entry, rules) for entry in accepted)
    notes = [*_shared_names(log), *_without_file([files[file].number for file in files.keys() - set(there)])]
    return Audit(log, tuple(problems), rechecked, tuple(notes))


def _number(fault: Message) -> int:
    return int(str(dict(fault.fields)["number"]))


def _hashes(heads: Sequence[str]) -> list[str]:
    """The noted heads in small letters. Raises UserError for one that is no hash as a whole: its beginning proves little."""
    bare = [head.strip().lower() for head in heads]
    for at, head in enumerate(bare, 1):
        if not is_hash(head):
            message = _("--head: this is not the hash of an entry")
            if len(bare) > 1:
                message = _("--head (no. {at}): this is not the hash of an entry", at=at)
            raise user_error(message, hint=_("give all of its 64 digits"))
    return bare


def _references(log: Log) -> Faults:
    """Entries that speak of a receipt which does not stand at that moment, or is somebody else's."""
    stood: dict[int, Receipt] = {}
    for number, _previous, value, _hash in log.entries:
        about = value.receipt if isinstance(value, Checked) else value.replaces
        if about is not None and about not in stood:
            yield _(
                "entry {number} refers to receipt {about}, which was not valid at that time",
                number=number,
                about=about,
            )
        if isinstance(value, Checked):
            continue
        old = None if about is None else stood.pop(about, None)
        if old is not None and len(set(groups([old.player, value.player]))) > 1:
            yield _(
                "entry {number} replaces receipt {about}, which is another player's",
                number=number,
                about=about,
            )
        stood[number] = value


def _words(log: Log) -> Faults:
    """Entries that lack the word of a judge, or a part of it, and so could not have been written."""
    for number, _previous, value, _hash in log.entries:
        by = bool((value.by or "").strip())
        if isinstance(value, Checked):
            if not by:
                yield _("entry {number} doesn't say who checked the deck", number=number)
            continue
        word = [by, bool((value.reason or "").strip()), bool(value.despite)]
        if value.verdict != "legal" and not (all(word) and value.verdict in value.despite):
            yield _(
                "entry {number} is not legal, and no judge gives a reason for accepting it",
                number=number,
            )
        elif any(word) and not all(word):
            yield _("entry {number} lacks the judge, the reason or what was overridden", number=number)


def _against(session: EventSession, log: Log) -> Faults:
    """Receipts that don't fit the event's file. Those that were replaced may be why the file was mended."""
    event = session.event
    expected = {
        "date": event.date,
        "format": session.format.format.id,
        "as_of": event.as_of,
        "best_of": event.best_of,
    }
    for number, receipt in standing(log).items():
        found = receipt._asdict() | {"format": receipt.format.id}
        odd = ", ".join(key for key, value in expected.items() if found[key] != value)
        if odd:
            yield _("entry {number} differs from the event's file ({said})", number=number, said=odd)
        when = receipt.submitted and datetime.fromisoformat(receipt.submitted)
        if event.deadline and when and when > event.deadline and "late" not in receipt.despite:
            yield _(
                "the list of entry {number} came after the deadline, and no judge gives a reason for accepting it",
                number=number,
            )
        if event.sealed and receipt.sealed is None:
            yield _("lists are sealed at this event, but entry {number} is not", number=number)
        elif receipt.sealed is not None and not event.sealed:
            yield _("lists are open at this event, but entry {number} is sealed", number=number)


def _doubles(log: Log) -> Faults:
    """Receipts that can't stand beside each other."""
    for numbers in (numbers for keys in _of_players(log) for numbers in keys.values()):
        for before, number in pairwise(numbers):
            yield _(
                "receipts {before} and {number} are both valid for one player", before=before, number=number
            )
    sealed: dict[str, int] = {}
    for number, receipt in standing(log).items():
        if receipt.sealed is None:
            continue
        if receipt.sealed in sealed:
            yield _(
                "receipts {before} and {number} have the same commitment",
                before=sealed[receipt.sealed],
                number=number,
            )
        sealed[receipt.sealed] = number


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


def _shared_names(log: Log) -> Iterator[Words]:
    """That receipts may be of one player, where only some of them have an id.

    This is no fault: whoever gave a name alone was somebody else where several players with ids bore it then.
    """
    named = [numbers[0] for keys in _of_players(log) if len(keys) > 1 for numbers in keys.values()]
    if named:
        yield _(
            "receipts with and without an id have the same name ({said}); they may belong to one player",
            said=numbered(sorted(named)),
        )


def _without_file(numbers: Iterable[int]) -> Iterator[Words]:
    """That receipts have no file of their own."""
    missing = sorted(numbers)
    if missing:
        yield n_(
            "{n} receipt has no file ({named}); the next event accept writes them anew from the log",
            "{n} receipts have no file ({named}); the next event accept writes them anew from the log",
            len(missing),
            named=numbered(missing),
        )


def _kept(log: Log, file: Path, number: int | None = None) -> list[Problem]:
    """What is wrong with a receipt that somebody kept; `number` is the one that it must have."""
    try:
        entry = read_entry(file)
    except UserError as error:
        return list(error.problems)
    mine = log.entries[entry.number - 1] if entry.number <= len(log.entries) else None
    if number not in (None, entry.number):
        message = _(
            "this should be receipt {number}, but it is receipt {entry_number}",
            number=number,
            entry_number=entry.number,
        )
    elif mine == entry:
        return []
    elif mine is None:
        message = _("this receipt (no. {number}) is not in the log", number=entry.number)
    else:
        message = _("this receipt differs from entry {number} of the log", number=entry.number)
    return [Problem(message, str(file))]


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


def _again(entry: Entry, known: _Rules) -> Rechecked:
    receipt = entry.value
    assert isinstance(receipt, Receipt)
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
    faults = {finding.rule for finding in report.findings if finding.severity == "error"}
    if report.verdict == receipt.verdict and faults == set(receipt.faults):
        return Rechecked(entry, "same" if changed else "proven", changed, report)
    return Rechecked(entry, "open" if changed else "wrong", changed, report)


def _changed(receipt: Receipt, rules: Rules) -> Iterator[Words]:
    """The rules behind a receipt that are no longer what they were."""
    if receipt.format != rules.provenance.format:
        yield _("the format {id!r} has changed", id=receipt.format.id)
    now: dict[str, Stamp] = {stamp.id: stamp for stamp in rules.provenance.banlists}
    was = {stamp.id: stamp for stamp in receipt.banlists}
    for id in sorted(now.keys() | was.keys()):
        if now.get(id) != was.get(id):
            yield _("the banlist {id!r} has changed", id=id)
    if receipt.cards != rules.format.game_data.catalog.version:
        yield _("the card table has changed")
