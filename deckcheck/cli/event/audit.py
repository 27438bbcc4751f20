"""`deckcheck event audit`: the log in, what was done to it out."""

# The annotations are read by typer, so they are no strings here.

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.errors import private_command
from deckcheck.cli.options import EventFile, JsonOrText, Lang
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Message, _, series

if TYPE_CHECKING:
    from deckcheck.registration.audit import Audit, ReceiptStatus, Rechecked

STATUS = {"intact": 0, "altered": 1, "open": 3}

_STANDINGS: "Mapping[ReceiptStatus, Message]" = {
    "proven": _("same verdict by the same rules"),
    "same": _("same verdict, though the rules have changed"),
    "open": _("cannot be proven because the rules have changed"),
    "wrong": _("different verdict or findings by the same rules"),
    "sealed": _("sealed"),
}
_VERDICTS: Mapping[str, Message] = {
    "intact": _("nothing was altered, removed or reordered"),
    "altered": _("something was altered, removed or reordered"),
    "open": _("the log is intact, but some receipts cannot be proven"),
}


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command(
        "audit",
        no_args_is_help=True,
        help=_(
            "Prove that nothing in the log was altered, removed or reordered, and check every receipt again."
        ).key,
        epilog=_(
            "Exit status: 0 nothing was altered; 1 something was altered; 2 the audit could not run; 3 some receipts "
            "cannot be proven because the rules have changed."
        ).key,
    )(audit)


@private_command
def audit(
    event: EventFile,
    receipts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RECEIPT...]", help=_("Receipts that must be in the log, such as players' copies.").key
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(
            "--head", metavar="HASH", help=_("A head written down earlier, all 64 digits (repeatable).").key
        ),
    ] = None,
    output_format: JsonOrText = "text",
    lang: Lang = None,
) -> int:
    from deckcheck.cli.language import user_language
    from deckcheck.cli.terminal import output, tell_first_time
    from deckcheck.registration import audit as auditing
    from deckcheck.registration.roster import EventSession
    from deckcheck.report.json import json_page

    spoken = lang or user_language()
    tell_first_time(spoken)
    session = EventSession.open(Path(event))
    if not session.event.log.exists():
        raise user_error(_("there is no log yet"), path=str(session.event.log))
    paths = [Path(receipt) for receipt in receipts or ()]
    found = auditing.audit(session, heads=head or (), receipts=paths)
    with output(None, exact=output_format == "json") as write:
        if output_format == "json":
            write(json_page(_object(found, spoken)))
        else:
            for line in _lines(found, spoken):
                write(line + "\n")
    return STATUS[found.verdict]


def _lines(found: "Audit", lang: str) -> Iterator[str]:
    from deckcheck.registration.log import Receipt
    from deckcheck.support.safetext import safe

    yield from (safe(problem.in_(lang)) for problem in found.problems)
    yield from (safe(_doubt(one).in_(lang)) for one in found.rechecked if one.standing in ("open", "wrong"))
    changes = dict.fromkeys(change.in_(lang) for one in found.rechecked for change in one.changed)
    yield from map(safe, changes)
    yield from (safe(note.in_(lang)) for note in found.notes)
    counts = Counter(one.standing for one in found.rechecked)
    parts = [
        _("{standing} {count}", standing=words, count=counts[name])
        for name, words in _STANDINGS.items()
        if counts[name]
    ]
    receipts = [one.entry.value for one in found.rechecked if isinstance(one.entry.value, Receipt)]
    on_word = sum(receipt.by is not None for receipt in receipts)
    yield _("receipts: {count} ({parts})", count=len(found.rechecked), parts=series(parts)).in_(lang)
    if on_word:
        yield _("accepted on a judge's decision: {count}", count=on_word).in_(lang)
    yield _VERDICTS[found.verdict].in_(lang)
    yield _("entries: {count}, head {hash}", count=len(found.log.entries), hash=found.log.head).in_(lang)


def _doubt(one: "Rechecked") -> Message:
    from deckcheck.registration.log import Receipt
    from deckcheck.report.wording import VERDICTS

    was = one.entry.value
    old = VERDICTS[was.verdict] if isinstance(was, Receipt) else "?"
    new = _("no verdict") if one.report is None else VERDICTS[one.report.verdict]
    why = _STANDINGS[one.standing]
    if one.standing == "wrong" and old == new:
        # A false reason is as bad as a false verdict.
        why = _("different findings by the same rules")
    return _(
        "receipt {number}: {why} (then {old}, now {new})", number=one.entry.number, why=why, old=old, new=new
    )


def _object(found: "Audit", lang: str) -> dict[str, object]:
    from deckcheck.report.json import TOOL, problem_object

    return {
        "schema": 1,
        "tool": dict(TOOL),
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
