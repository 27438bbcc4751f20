"""`deckcheck event check` on the command line: its options. What it does stands in checking.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.arguments import ColorChoice, Lang, ResultFile
from deckcheck.cli.event.arguments import EventFile
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _

Output = Literal["text", "json", "csv", "html"]


def add_check(group: typer.Typer) -> None:
    group.command(
        "check",
        no_args_is_help=True,
        help=say(_("Check all lists that came in and show the table of players.")),
        epilog=say(
            _(
                "Exit status: 0 all is well with every player; 1 a list is illegal, missing or late, a "
                "field is empty, or the like; 2 a list (or the event) can't be read; 3 some lists are "
                "undecided, and that is all. The output holds names: the file of --output and the folder "
                "of --letters are made for their owner alone to read."
            )
        ),
    )(_check)


def _check(
    event: EventFile,
    output_format: Annotated[
        Output, typer.Option("--output-format", help=say(_("Form of the output.")))
    ] = "text",
    output: ResultFile = None,
    letters: Annotated[
        str | None,
        typer.Option(
            "--letters",
            metavar="DIR",
            help=say(_("Write a short text for each player into this folder.")),
        ),
    ] = None,
    exit_zero: Annotated[
        bool,
        typer.Option(
            "--exit-zero",
            help=say(_("Exit with 0 even if something is wrong with a list.")),
        ),
    ] = False,
    lang: Lang = None,
    color: ColorChoice = "auto",
) -> None:
    def work() -> int:
        from deckcheck.cli.event.checking import Asked, run

        return run(Asked(event, output_format, output, letters, exit_zero, lang, color))

    raise typer.Exit(guarded(work, lang, private=True))
