"""Audits the log of an event: whether the chain of its entries holds, and whether each list still gets its verdict."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.model.finding import Report
from deckcheck.registration.canonical import check_list
from deckcheck.registration.event import EventSession, Rules
from deckcheck.registration.log import BEGINNING, MOST_BYTES, Log, Receipt, examine, read_entry
from deckcheck.report.json import problem_object
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.hashes import is_hash
from deckcheck.support.messages import Words, _

ReceiptStatus = Literal["proven", "same", "open", "wrong"]
"""The result of checking a receipt again; "open" if the verdict differs because rules have changed or are missing."""


class Recheck(NamedTuple):
    """A receipt checked again; `changed` are messages on rules that have changed since."""

    number: int
    receipt: Receipt
    hash: str
    status: ReceiptStatus
    changed: tuple[Words, ...] = ()
    report: Report | None = None


class Audit(NamedTuple):
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
        _check_again(entry.number, entry.value, entry.hash, session)
        for entry in log.entries
        if isinstance(entry.value, Receipt)
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


def _check_again(number: int, receipt: Receipt, hash: str, session: EventSession) -> Recheck:
    """The receipt, checked again by the present version of its format."""
    rules = session.find_rules(receipt.format.id)
    if rules is None:
        missing = _("there is no format {id!r} here", id=receipt.format.id)
        return Recheck(number, receipt, hash, "open", (missing,))
    changed = tuple(_changed(receipt, rules))
    try:
        report = check_list(receipt.listed, rules.format, f"#{number}", receipt.as_of, receipt.best_of)
    except UserError as error:
        return Recheck(number, receipt, hash, "wrong", (*changed, error.problems[0].message))
    faults = {finding.rule for finding in report.errors}
    same = report.verdict == receipt.verdict and faults == set(receipt.faults)
    if changed:
        status: ReceiptStatus = "same" if same else "open"
    else:
        status = "proven" if same else "wrong"
    return Recheck(number, receipt, hash, status, changed, report)


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
                "number": recheck.number,
                "hash": recheck.hash,
                "fingerprint": recheck.receipt.fingerprint,
                "standing": recheck.status,
                "changed": recheck.changed,
                "verdict": recheck.report and recheck.report.verdict,
            }
            for recheck in audit.rechecks
        ],
    }
