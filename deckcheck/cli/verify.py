"""`deckcheck verify` on the command line: its options. What it does stands in verifying.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Cards, Config, Isolated, Lang
from deckcheck.cli.event.arguments import OfEvent, Output
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_verify(app: typer.Typer) -> None:
    app.command(
        "verify",
        no_args_is_help=True,
        help=say(
            _(
                "Compare what was typed from the deck on the table with the registered list. With "
                "--event it must also be in the event's log, and the result is kept there (--by is "
                "needed). A deck that was as registered when it was last checked is left out by event "
                "draw."
            )
        ),
        epilog=say(
            _(
                "Exit status: 0 as registered; 1 different; 2 something could not be read; 3 lines that "
                "can't be read, or names that nobody knows, leave it open."
            )
        ),
    )(_verify)


def _verify(
    receipt: Annotated[
        str,
        typer.Argument(
            metavar="RECEIPT",
            help=say(_("The receipt, or the file that opens a sealed list.")),
        ),
    ],
    deck: Annotated[
        str,
        typer.Argument(
            metavar="DECK",
            help=say(_("What was typed from the deck: a file, or - (standard input).")),
        ),
    ],
    between_games: Annotated[
        bool,
        typer.Option(
            "--after-sideboarding",
            help=say(_("Admit any legal exchange between games of the registered cards, and nothing else.")),
        ),
    ] = False,
    event: OfEvent = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="JUDGE",
            help=say(_("Who checked it; kept in the log of --event.")),
        ),
    ] = None,
    output_format: Output = "text",
    lang: Lang = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.ruling import Asked
        from deckcheck.cli.verifying import run

        asked = Asked(None, event, None, None, tuple(cards or ()), config, isolated)
        return run(receipt, deck, asked, between_games=between_games, by=by, form=output_format, lang=lang)

    raise typer.Exit(guarded(work, lang, private=True))
