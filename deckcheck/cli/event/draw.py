"""`deckcheck event draw`: which decks are checked at the table."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Lang
from deckcheck.cli.event.arguments import EventFile, Output
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_draw(group: typer.Typer) -> None:
    group.command(
        "draw",
        no_args_is_help=True,
        help=say(
            _(
                "Draw the decks to check at the table; the same seed and log always draw the same. A "
                "deck that was as registered when it was last checked (verify --event) is left out; one "
                "that differed can be drawn again."
            )
        ),
    )(_draw)


def _draw(
    event: EventFile,
    seed: Annotated[
        str,
        typer.Option(
            "--seed",
            metavar="TEXT",
            help=say(_("Any text, best decided in public, such as by dice at the event.")),
        ),
    ],
    share: Annotated[
        str,
        typer.Option(
            "--share",
            metavar="N%",
            help=say(_("So much of all accepted decks.")),
        ),
    ] = "10%",
    output_format: Output = "text",
    lang: Lang = None,
) -> None:
    def work() -> int:
        from deckcheck.cli.event.drawing import run

        return run(event, share, seed, output_format, lang)

    raise typer.Exit(guarded(work, lang, private=True))
