"""`deckcheck which` on the command line: its options. What it does stands in whiches.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.arguments import AsOf, BestOf, Cards, ColorChoice, Config, Isolated, Lang, Notation
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_which(app: typer.Typer) -> None:
    app.command(
        "which",
        no_args_is_help=True,
        help=say(_("In which formats is a deck legal, and what stands in the way of the others?")),
        epilog=say(
            _(
                "Exit status: 0 every deck is legal in some format; 1 some deck in none; 2 something "
                "could not be read; 3 none is surely out, some are undecided."
            )
        ),
    )(_which)


def _which(
    decks: Annotated[
        list[str],
        typer.Argument(
            metavar="DECK...",
            help=say(_("A deck's file, a folder, or - (standard input).")),
        ),
    ],
    as_of: AsOf = None,
    best_of: BestOf = None,
    output_format: Annotated[
        Literal["text", "json"],
        typer.Option("--output-format", help=say(_("Form of the output."))),
    ] = "text",
    lang: Lang = None,
    color: ColorChoice = "auto",
    cards: Cards = None,
    notation: Notation = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.options import day
        from deckcheck.cli.whiches import Asked, run

        asked = Asked(day(as_of), best_of, tuple(cards or ()), lang, output_format, color, notation)
        return run(decks, asked, config=config, isolated=isolated)

    raise typer.Exit(guarded(work, lang))
