"""`deckcheck convert` on the command line: its options. What it does stands in converting.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.arguments import Cards, Config, Format, Game, Isolated, Lang, Notation, Written
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.decklists.notations.names import all_of_them
from deckcheck.support.messages import _


def add_convert(app: typer.Typer) -> None:
    app.command(
        "convert",
        no_args_is_help=True,
        short_help=say(_("Write a decklist in another notation.")),
        help=say(
            _(
                "Write a decklist in the notation of another tool. Cards, counts and zones stay; what "
                "the notation can't hold is told, and then nothing is written. Only canonical keeps "
                "comments.\n\n"
                "Notations: canonical (that of fmt), csv, tsv, yaml, json, {all_of_them}.",
                all_of_them=all_of_them(),
            ),
        ),
        epilog=say(_("Exit status: 0 done; 2 it could not be done.")),
    )(_convert)


def _convert(
    deck: Annotated[
        str,
        typer.Argument(
            metavar="DECK",
            help=say(_("A deck's file, or - (standard input).")),
        ),
    ],
    to: Annotated[
        Literal["canonical", Written],
        typer.Option(
            "--to",
            help=say(_("The notation to write (canonical is that of fmt).")),
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=say(_("Write to this file (default: standard output).")),
        ),
    ] = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help=say(_("Write over the file of -o where it is there already.")),
        ),
    ] = False,
    notation: Notation = None,
    format: Format = None,
    game: Game = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
    lang: Lang = None,
) -> None:
    def work() -> int:
        from deckcheck.cli.converting import run
        from deckcheck.cli.project import language_of, project, wish_of

        settings = project([deck], config=config, isolated=isolated)
        wish = wish_of(settings, format=format, cards=cards or (), notation=notation)
        spoken = language_of(settings, lang)
        return run(deck, to, wish, spoken, game=game, target=output, force=force)

    raise typer.Exit(guarded(work, lang))
