"""`deckcheck event check`: an event's file in; the roster, notices and an exit status out."""

# The annotations are read by typer, so they are no strings here.

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli.errors import private_command
from deckcheck.cli.options import ColorChoice, EventFile, ExitZero, Lang, OutputFile
from deckcheck.support.messages import _, n_

if TYPE_CHECKING:
    from deckcheck.registration.model import Roster

ALL_WELL, SOME_WRONG, NOT_READ, SOME_UNDECIDED = 0, 1, 2, 3


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command(
        "check",
        no_args_is_help=True,
        help=_("Check all lists of an event, and show the players in a table.").key,
        epilog=_(
            "Exit status: 0 every player is fine; 1 a list is illegal, missing or late, a field is empty, or similar; "
            "2 a list (or the event) could not be read; 3 some lists are undecided, and nothing else is wrong. The "
            "output contains names: the output file and the --letters folder are readable by their owner only."
        ).key,
    )(check)


@private_command
def check(
    event: EventFile,
    output_format: Annotated[
        Literal["text", "json", "csv", "html"],
        typer.Option("--output-format", help=_("Output format.").key),
    ] = "text",
    output: OutputFile = None,
    letters: Annotated[
        str | None,
        typer.Option(
            "--letters", metavar="DIR", help=_("Write a notice for each player into this folder.").key
        ),
    ] = None,
    exit_zero: ExitZero = False,
    lang: Lang = None,
    color: ColorChoice = "auto",
) -> int:
    from deckcheck.cli.language import user_language
    from deckcheck.cli.project import protect_event
    from deckcheck.cli.terminal import complain, tell_first_time, wants_color, write_private
    from deckcheck.cli.terminal import output as writing
    from deckcheck.registration.log import read_log
    from deckcheck.registration.roster import EventSession
    from deckcheck.registration.roster_outputs import render_csv, render_json, render_text
    from deckcheck.support.safetext import safe

    spoken = lang or user_language()
    tell_first_time(spoken)
    session = EventSession.open(Path(event))
    for target in (output, letters):
        if target is not None:
            protect_event(target, session.event)
    roster = session.roster(read_log(session.event.log, session.event.id))
    if output_format == "text":
        stream = sys.stdout if output is None else None
        text = render_text(roster, spoken, color=wants_color(color, stream))
    elif output_format == "html":
        from deckcheck.registration.roster_html import render

        text = render(roster, spoken)
    else:
        text = (render_csv if output_format == "csv" else render_json)(roster, spoken)
    if output is None and output_format == "text":
        with writing(None, exact=False) as write:
            write(text)
    else:
        write_private(text.encode("utf-8", "backslashreplace"), output)
    if letters is not None:
        from deckcheck.registration.notices import write_notices

        number = write_notices(roster, Path(letters))
        said = n_(
            "{n:,} notice written to {folder}",
            "{n:,} notices written to {folder}",
            number,
            folder=safe(letters),
        )
        complain(said.in_(spoken) + "\n")
    status = status_of(roster)
    return ALL_WELL if exit_zero and status != NOT_READ else status


def status_of(roster: "Roster") -> int:
    """The exit status: how it stands with the lists that count for players."""
    from deckcheck.registration.conditions import failures

    kinds = {
        against.id for row in roster.rows if row.counts or row.instead is None for against in failures(row)
    }
    if "unreadable" in kinds:
        return NOT_READ
    if kinds - {"undecided", "unsettled"}:
        return SOME_WRONG
    return SOME_UNDECIDED if kinds else ALL_WELL
