"""`deckcheck event accept` on the command line: its options. What it does stands in accepting.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Lang
from deckcheck.cli.event.arguments import EventFile, Output
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_accept(group: typer.Typer) -> None:
    group.command(
        "accept",
        no_args_is_help=True,
        help=say(
            _("Freeze the lists: each becomes a receipt in the log. What is accepted already stays as it is.")
        ),
        epilog=say(
            _(
                "Exit status: 0 every list is accepted; 1 some are not; 2 something can't be read or "
                "written (what was accepted is told)."
            )
        ),
    )(_accept)


def _accept(
    event: EventFile,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER...]",
            help=say(_("Only these players, by number in event check, by id or by name.")),
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="JUDGE",
            help=say(_("The judge who accepts lists that could not be accepted as they are.")),
        ),
    ] = None,
    reason: Annotated[
        str | None,
        typer.Option("--reason", metavar="TEXT", help=say(_("Why they are accepted."))),
    ] = None,
    output_format: Output = "text",
    lang: Lang = None,
) -> None:
    def work() -> int:
        from deckcheck.cli.event.accepting import Asked, run

        return run(event, Asked(tuple(players or ()), by, reason, output_format, lang))

    raise typer.Exit(guarded(work, lang, private=True))
