"""What accepting, auditing, drawing, checking at the table and sealing came to, in words and as values for JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from deckcheck.model.finding import Report
from deckcheck.registration.acceptance import Acceptance, receipt_file, receipts_folder
from deckcheck.registration.audit import Audit, ReceiptStatus, Rechecked
from deckcheck.registration.conditions import failures, numbered
from deckcheck.registration.log import Receipt, entry_object
from deckcheck.registration.model import FIELD_NAMES, Event, Row, Seal
from deckcheck.registration.roster_outputs import worst_problem
from deckcheck.registration.submissions import TIME, Sender
from deckcheck.registration.tablechecks import Draw, Reference, Verified
from deckcheck.report.json import problem_object
from deckcheck.report.wording import VERDICTS
from deckcheck.support.errors import Problem
from deckcheck.support.messages import OR, Message, Words, _, n_, series

Values = dict[str, object]

# Acceptance


def acceptance_lines(done: Acceptance, event: Event) -> Iterator[Message]:
    """What was accepted, what not and why, and where it is written down."""
    yield _("accepted: {new} new, {old} unchanged", new=len(done.added), old=done.unchanged)
    if done.refused:
        yield _("not accepted: {count}", count=len(done.refused))
        yield from map(_refused, done.refused)
        if any(all(failure.by_word for failure in failures(row)) for row in done.refused):
            yield _(
                "to accept on a judge's decision: deckcheck event accept EVENT NUMBER --by JUDGE --reason TEXT"
            )
    if done.gone:
        yield _(
            "accepted, but no longer among the entries: {count} ({numbers})",
            count=len(done.gone),
            numbers=numbered([row.submission.number for row in done.gone]),
        )
    for note in done.notes:
        yield _("note: {note}", note=note)
    yield n_("log {path} ({n} entry)", "log {path} ({n} entries)", len(done.log.entries), path=str(event.log))
    yield _("receipts {path}", path=str(receipts_folder(event)))
    yield _("head {hash}", hash=done.log.head)
    yield _("  (write it down: `event audit --head` then shows whether anything was cut off or rewritten)")


def set_aside_note(numbers: Sequence[int]) -> Message:
    """A note of receipts that were not those of the log."""
    return _(
        "the receipts folder contained receipts that differ from the log ({numbers}); they were renamed and kept: run "
        "`deckcheck event audit`",
        numbers=numbered(numbers),
    )


def _refused(row: Row) -> Message:
    worst = worst_problem(row)
    reasons: Words = series(failure.message for failure in failures(row))
    if worst is not None:
        reasons = _("{reasons} — {finding}", reasons=reasons, finding=worst.message)
    submission = row.submission
    name = submission.player.name or ""
    return _("  {number}  {name}  {reasons}", number=submission.number, name=name, reasons=reasons)


def acceptance_values(done: Acceptance, lang: str) -> Values:
    """As `acceptance_lines`."""
    return {
        "accepted": [entry_object(entry) for entry in done.added],
        "unchanged": done.unchanged,
        "refused": [
            {
                "number": row.submission.number,
                "place": row.submission.place,
                "obstacles": [failure.object(lang) for failure in failures(row)],
            }
            for row in done.refused
        ],
        "gone": [
            {"number": row.submission.number, "place": row.submission.place, "receipt": row.accepted}
            for row in done.gone
        ],
        "notes": [note.in_(lang) for note in done.notes],
        "entries": len(done.log.entries),
        "head": done.log.head,
    }


# Audit

_RECEIPTS: Mapping[ReceiptStatus, Message] = {
    "proven": _("same verdict by the same rules"),
    "same": _("same verdict, though the rules have changed"),
    "open": _("cannot be proven because the rules have changed"),
    "wrong": _("different verdict or findings by the same rules"),
    "sealed": _("sealed"),
}
_AUDITS: Mapping[str, Message] = {
    "intact": _("nothing was altered, removed or reordered"),
    "altered": _("something was altered, removed or reordered"),
    "open": _("the log is intact, but some receipts cannot be proven"),
}


def audit_lines(found: Audit) -> Iterator[Words | Problem]:
    """What is wrong with the log and its receipts, and what was found of how many receipts."""
    yield from found.problems
    yield from (_doubt(one) for one in found.rechecked if one.standing in ("open", "wrong"))
    yield from dict.fromkeys(change for one in found.rechecked for change in one.changed)
    yield from found.notes
    counts = Counter(one.standing for one in found.rechecked)
    parts = [
        _("{standing} {count}", standing=words, count=counts[name])
        for name, words in _RECEIPTS.items()
        if counts[name]
    ]
    values = [one.entry.value for one in found.rechecked]
    on_word = sum(isinstance(value, Receipt) and value.by is not None for value in values)
    yield _("receipts: {count} ({parts})", count=len(found.rechecked), parts=series(parts))
    if on_word:
        yield _("accepted on a judge's decision: {count}", count=on_word)
    yield _AUDITS[found.verdict]
    yield _("entries: {count}, head {hash}", count=len(found.log.entries), hash=found.log.head)


def _doubt(one: Rechecked) -> Message:
    was = one.entry.value
    old = VERDICTS[was.verdict] if isinstance(was, Receipt) else "?"
    new = _("no verdict") if one.report is None else VERDICTS[one.report.verdict]
    why = _RECEIPTS[one.standing]
    if one.standing == "wrong" and old == new:
        # A false reason is as bad as a false verdict.
        why = _("different findings by the same rules")
    return _(
        "receipt {number}: {why} (then {old}, now {new})", number=one.entry.number, why=why, old=old, new=new
    )


def audit_values(found: Audit, lang: str) -> Values:
    """As `audit_lines`."""
    return {
        "verdict": found.verdict,
        "entries": len(found.log.entries),
        "head": found.log.head,
        "problems": [problem_object(problem, lang) for problem in found.problems],
        "notes": [note.in_(lang) for note in found.notes],
        "receipts": [
            {
                "number": one.entry.number,
                "standing": one.standing,
                "changed": [change.in_(lang) for change in one.changed],
                "verdict": None if one.report is None else one.report.verdict,
            }
            for one in found.rechecked
        ],
    }


# Draw


def draw_lines(found: Draw, event: Event, head: str, share: str, seed: str) -> Iterator[str | Message]:
    """The drawn decks, and from what they were drawn."""
    folder = receipts_folder(event)
    for drawn in found.drawn:
        player = drawn.receipt.player
        who = "  ".join(filter(None, (player.table, player.name, player.id)))
        yield f"{receipt_file(folder, drawn.number)}  {who}"
    how: str | Message = share
    if found.checked:
        how = _("{share}, without the {count} found as registered", share=share, count=found.checked)
    yield _(
        "{drawn} of {total} accepted ({how}), seed “{seed}”, log head {head}",
        drawn=len(found.drawn),
        total=found.total,
        how=how,
        seed=seed,
        head=head,
    )


def draw_values(found: Draw, head: str, share: str, seed: str) -> Values:
    """As `draw_lines`."""
    return {
        "share": share,
        "seed": seed,
        "head": head,
        "accepted": found.total,
        "checked": found.checked,
        "drawn": [{"number": drawn.number, "player": drawn.receipt.player.given} for drawn in found.drawn],
    }


# A deck at the table

_DIFFERENCES: Mapping[str, Message] = {
    "missing": _("missing  {copies} {card} ({zone})"),
    "extra": _("extra  {copies} {card} ({zone})"),
    "moved": _("moved  {copies} {card} (registered: {before}, now: {after})"),
}
_UNKNOWN = _("line {line}: “{name}” is neither on the registered list nor in the card table")
_UNKNOWN_AND_NEAR = _(
    "line {line}: “{name}” is neither on the registered list nor in the card table (did you mean {near}?)"
)


def verified_lines(
    found: Verified, reference: Reference, zones: Mapping[str, Words], *, between_games: bool
) -> Iterator[Words]:
    """What differs from the registered list, and what follows from it. `zones` are names by ids."""
    for kind, card, copies, registered, now in found.differences:
        was, here = (None if id is None else zones.get(id, id) for id in (registered, now))
        yield _DIFFERENCES[kind].filled(copies=copies, card=card, zone=was or here, before=was, after=here)
    for finding in found.findings:
        yield finding.message
    for line in found.unread:
        yield _("line {line} is unreadable: {text}", line=line.line, text=line.written)
    for name in found.unknown:
        template = _UNKNOWN if not name.near else _UNKNOWN_AND_NEAR
        yield template.filled(line=name.line, name=name.written, near=series(name.near, OR))
    if reference.source == "opening":
        yield _(
            "compared with the opening file only; use --event to see whether the organiser has accepted its seal"
        )
    elif reference.number is not None and isinstance(reference.what, str):
        yield _("the seal is that of receipt {number} in the log", number=reference.number)
    if found.result == "different":
        yield _("this is not the registered list")
    elif found.result == "undecided":
        if found.unread:
            yield _("undecided because of unreadable lines")
        else:
            yield _("undecided because of unknown names")
        if reference.number is not None:
            yield _("nothing was recorded in the log; fix this and check again")
    elif between_games:
        yield _("these are the registered cards, divided as the rules allow")
    else:
        yield _("this is the registered list")


def verified_values(found: Verified, reference: Reference, lang: str) -> Values:
    """As `verified_lines`."""
    return {
        "result": found.result,
        "differences": [one._asdict() for one in found.differences],
        "findings": [{"rule": one.rule, "message": one.message.in_(lang)} for one in found.findings],
        "unread": [{"line": one.line, "written": one.written} for one in found.unread],
        "unknown": [
            {"line": one.line, "written": one.written, "near": list(one.near)} for one in found.unknown
        ],
        "source": reference.source,
        "receipt": reference.number,
        "kept": reference.number is not None and found.result != "undecided",
    }


# Seals


def sealed_lines(
    made: Seal, report: Report, sender: Sender, to_hand_in: Path, to_keep: Path
) -> Iterator[Message]:
    """The verdict of a seal, its two files, and what it shows."""
    yield _(
        "{verdict} ({format}, by the rules of {day})",
        verdict=VERDICTS[made.verdict],
        format=report.format_name,
        day=made.as_of,
    )
    if made.verdict != "legal":
        yield _("`deckcheck check` shows why")
    yield _("commitment {hash}", hash=made.commitment)
    yield _("hand in: {path}", path=str(to_hand_in))
    names = [FIELD_NAMES[field] for field in sender.player.given]
    names += [TIME] if sender.submitted else []
    if names:
        yield _("  (does not show the list; besides the verdict it shows: {fields})", fields=series(names))
    yield _("keep, and show nobody until it is opened: {path}", path=str(to_keep))


def opened_lines(sealed: Seal, report: Report, *, same_list: bool, changed: bool) -> Iterator[Message]:
    """Whether an opened list is the sealed one, and what has changed since."""
    if not same_list:
        yield _("this is not the list that was sealed")
        return
    yield _("this is the list that was sealed")
    if changed:
        yield _("the format has changed since the list was sealed")
    if report.verdict != sealed.verdict:
        was, now = VERDICTS[sealed.verdict], VERDICTS[report.verdict]
        yield _("the seal says “{sealed}”, but the list is “{checked}”", sealed=was, checked=now)
