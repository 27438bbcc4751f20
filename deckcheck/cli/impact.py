"""`deckcheck impact` on the command line: its options. What it does stands in impacts.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.arguments import (
    BestOf,
    Cards,
    ColorChoice,
    Config,
    Format,
    Isolated,
    Lang,
    Notation,
    ResultFile,
)
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_impact(app: typer.Typer) -> None:
    app.command(
        "impact",
        no_args_is_help=True,
        help=say(
            _(
                "Which decks change their verdict when the lists change between two days, and which "
                "entry does it?"
            )
        ),
        epilog=say(
            _(
                "Exit status: 0 no deck has a worse verdict; 1 some deck has; 2 something could not be "
                "checked."
            )
        ),
    )(_impact)


def _impact(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help=say(
                _(
                    "A deck's file, a folder, or - (standard input). The day that a deck itself tells (# "
                    "date: …) is ignored here."
                )
            ),
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="DATE|FILE.yaml",
            help=say(
                _("The later day, or a banlist file that announces changes which are not yet in force.")
            ),
        ),
    ],
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="DATE",
            help=say(_("The earlier day (default: today).")),
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="DATE",
            help=say(_("The later day when --to is a file (default: the newest day in it).")),
        ),
    ] = None,
    format: Format = None,
    best_of: BestOf = None,
    output_format: Annotated[
        Literal["text", "json", "markdown"],
        typer.Option("--output-format", help=say(_("Form of the output."))),
    ] = "text",
    output: ResultFile = None,
    lang: Lang = None,
    color: ColorChoice = "auto",
    cards: Cards = None,
    notation: Notation = None,
    config: Config = None,
    isolated: Isolated = False,
    exit_zero: Annotated[
        bool,
        typer.Option(
            "--exit-zero",
            help=say(_("Exit with 0 even if decks have a worse verdict.")),
        ),
    ] = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.impacts import NOT_CHECKED, Asked, run

        own = tuple(cards or ())
        asked = Asked(from_, to, on, format, best_of, own, lang, output_format, output, color, notation)
        status = run(paths, asked, config=config, isolated=isolated)
        return 0 if exit_zero and status != NOT_CHECKED else status

    raise typer.Exit(guarded(work, lang))
