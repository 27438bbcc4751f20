"""`deckcheck seal` and `deckcheck unseal` on the command line: their options. What they do stands in sealing.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import AsOf, BestOf, Cards, Config, Format, Isolated, Lang
from deckcheck.cli.event.arguments import OfEvent, Output
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_seal(app: typer.Typer) -> None:
    app.command(
        "seal",
        no_args_is_help=True,
        help=say(
            _(
                "Register a list without showing it: a seal with the verdict to hand in, and a file to "
                "open it, to keep."
            )
        ),
        epilog=say(_("Exit status: 0 the deck is legal; 1 illegal; 2 it could not be sealed; 3 undecided.")),
    )(_seal)


def add_unseal(app: typer.Typer) -> None:
    app.command(
        "unseal",
        no_args_is_help=True,
        help=say(_("Prove that an opened list is the sealed one; show it and judge it again.")),
        epilog=say(
            _(
                "Exit status: 0 it is the sealed list, with the verdict told; 1 it is not, or the "
                "verdict differs; 2 something could not be read."
            )
        ),
    )(_unseal)


def _seal(
    deck: Annotated[
        str,
        typer.Argument(
            metavar="DECK",
            help=say(_("The deck's file, or - (standard input).")),
        ),
    ],
    format: Format = None,
    event: OfEvent = None,
    as_of: AsOf = None,
    best_of: BestOf = None,
    folder: Annotated[
        str | None,
        typer.Option(
            "--folder",
            metavar="DIR",
            help=say(_("Where the two files go (default: beside the deck).")),
        ),
    ] = None,
    output_format: Output = "text",
    lang: Lang = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.options import day
        from deckcheck.cli.sealing import Asked, seal

        asked = Asked(format, event, day(as_of), best_of, tuple(cards or ()), config, isolated)
        return seal(deck, asked, folder, output_format, lang)

    raise typer.Exit(guarded(work, lang))


def _unseal(
    seal: Annotated[
        str,
        typer.Argument(
            metavar="SEAL",
            help=say(_("The seal, or the receipt of a sealed list.")),
        ),
    ],
    opening: Annotated[
        str,
        typer.Argument(metavar="OPENING", help=say(_("The file that opens it."))),
    ],
    event: OfEvent = None,
    lang: Lang = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.sealing import Asked, unseal

        asked = Asked(None, event, None, None, tuple(cards or ()), config, isolated)
        return unseal(seal, opening, asked, lang)

    raise typer.Exit(guarded(work, lang, private=True))
