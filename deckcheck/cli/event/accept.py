"""`deckcheck event accept`: lists in, receipts in the log, and a word on each list that was not accepted."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.errors import private_command
from deckcheck.cli.options import EventFile, JsonOrText, Lang
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Message, Words, _, n_, series

if TYPE_CHECKING:
    from deckcheck.registration.acceptance import Acceptance, Refused, Word
    from deckcheck.registration.model import Event

ALL_ACCEPTED, SOME_REFUSED = 0, 1


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command(
        "accept",
        no_args_is_help=True,
        help=_(
            "Accept the lists: each is frozen as a receipt in the log. What is already accepted does not change."
        ).key,
        epilog=_(
            "Exit status: 0 every list is accepted; 1 some are not; 2 something could not be read or written (the "
            "output shows what was accepted)."
        ).key,
    )(accept)


@private_command
def accept(
    event: EventFile,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER...]",
            help=_(
                "Accept only these players, by their number in `event check`, their ID or their name."
            ).key,
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="JUDGE",
            help=_("Judge who accepts lists that could not be accepted otherwise.").key,
        ),
    ] = None,
    reason: Annotated[
        str | None, typer.Option("--reason", metavar="TEXT", help=_("Why they are accepted.").key)
    ] = None,
    output_format: JsonOrText = "text",
    lang: Lang = None,
) -> int:
    from deckcheck.cli.language import user_language
    from deckcheck.cli.terminal import output, tell_first_time
    from deckcheck.registration import acceptance
    from deckcheck.registration.acceptance import write_receipts
    from deckcheck.registration.roster import EventSession
    from deckcheck.report.json import json_page
    from deckcheck.support.dates import now

    spoken = lang or user_language()
    word = _word(by, reason, players or ())
    tell_first_time(spoken)
    session = EventSession.open(Path(event))
    done = acceptance.accept(
        session,
        now=now(),
        only=players or (),
        word=word,
    )
    # Also those of a run that was cut off before it came so far.
    aside: Sequence[int] = ()
    unwritten = None
    try:
        aside = write_receipts(done.log, acceptance.receipts_folder(session.event)).aside
    except UserError as error:
        unwritten = error
    if aside:
        done = done._replace(notes=(*done.notes, _aside(aside)))
    with output(None, exact=output_format == "json") as write:
        if output_format == "json":
            write(json_page(_object(done, spoken)))
        else:
            for line in _lines(done, session.event):
                write(line.in_(spoken) + "\n")
    if unwritten is not None:
        # What was accepted stays so, and is told before.
        hint = _("the log is complete; fix this and run the command again to write the receipts")
        raise UserError([problem._replace(hint=hint) for problem in unwritten.problems])
    return SOME_REFUSED if done.refused else ALL_ACCEPTED


def _word(by: str | None, reason: str | None, players: Sequence[str]) -> "Word | None":
    """A judge's word, where one was given. Raises UserError for half of one."""
    if by is None and reason is None:
        return None
    from deckcheck.registration.acceptance import Word

    word = Word((by or "").strip(), (reason or "").strip())
    if not all(word):
        raise user_error(_("--by and --reason must be used together, and neither may be empty"))
    if not players:
        raise user_error(_("with --by, name the players whose lists are accepted"))
    return word


def _aside(numbers: Sequence[int]) -> Message:
    from deckcheck.registration.conditions import numbered

    return _(
        "the receipts folder contained receipts that differ from the log ({numbers}); they were renamed and kept: run "
        "`deckcheck event audit`",
        numbers=numbered(numbers),
    )


def _lines(done: "Acceptance", event: "Event") -> Iterator[Message]:
    from deckcheck.registration.acceptance import receipts_folder
    from deckcheck.registration.conditions import numbered
    from deckcheck.support.safetext import safe

    yield _("accepted: {new} new, {old} unchanged", new=len(done.added), old=done.unchanged)
    if done.refused:
        yield _("not accepted: {count}", count=len(done.refused))
        for refused in done.refused:
            yield _refused(refused)
        if any(all(failure.by_word for failure in refused.failures) for refused in done.refused):
            yield _(
                "to accept on a judge's decision: deckcheck event accept EVENT NUMBER --by "
                "JUDGE --reason TEXT"
            )
    if done.gone:
        numbers = numbered([row.submission.number for row in done.gone])
        yield _(
            "accepted, but no longer among the entries: {count} ({numbers})",
            count=len(done.gone),
            numbers=numbers,
        )
    for note in done.notes:
        yield _("note: {note}", note=note)
    yield n_(
        "log {path} ({n} entry)", "log {path} ({n} entries)", len(done.log.entries), path=safe(str(event.log))
    )
    yield _("receipts {path}", path=safe(str(receipts_folder(event))))
    yield _(
        "head {hash}\n  (write it down: `event audit --head` then shows whether anything was cut off or rewritten)",
        hash=done.log.head,
    )


def _refused(refused: "Refused") -> Message:
    from deckcheck.registration.roster_summary import worst_problem
    from deckcheck.support.safetext import safe

    submission, worst = refused.row.submission, worst_problem(refused.row)
    reasons: Words = series(failure.message for failure in refused.failures)
    if worst is not None:
        reasons = _("{reasons} — {finding}", reasons=reasons, finding=worst.message)
    return _(
        "  {number}  {name}  {reasons}",
        number=submission.number,
        name=safe(submission.player.name or ""),
        reasons=reasons,
    )


def _object(done: "Acceptance", lang: str) -> dict[str, object]:
    from deckcheck.registration.log import entry_object
    from deckcheck.report.json import TOOL

    return {
        "schema": 1,
        "tool": dict(TOOL),
        "accepted": [entry_object(entry) for entry in done.added],
        "unchanged": done.unchanged,
        "refused": [
            {
                "number": refused.row.submission.number,
                "place": refused.row.submission.place,
                "obstacles": [
                    {
                        "kind": failure.id,
                        "message": failure.message.in_(lang),
                        "by_word": failure.by_word,
                    }
                    for failure in refused.failures
                ],
            }
            for refused in done.refused
        ],
        "gone": [
            {"number": row.submission.number, "place": row.submission.place, "receipt": row.accepted}
            for row in done.gone
        ],
        "notes": [note.in_(lang) for note in done.notes],
        "entries": len(done.log.entries),
        "head": done.log.head,
    }
