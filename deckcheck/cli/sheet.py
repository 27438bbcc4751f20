"""`deckcheck sheet` on the command line: its options. What it does stands in sheets.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import AsOf, BestOf, Cards, Config, Format, Isolated, Lang, Notation
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_sheet(app: typer.Typer) -> None:
    app.command(
        "sheet",
        no_args_is_help=True,
        help=say(
            _(
                "Make decklist sheets of A4 for print, in HTML or PDF, one page a player; of an event's "
                "file one for each player, in the order of the tables. What a list asks to ignore is on "
                "the sheet all the same."
            )
        ),
        epilog=say(
            _(
                "Exit status: 0 written (the sheet of an illegal deck says so); 2 something can't be "
                "read. Sheets hold names, so the file of -o is made for its owner alone to read."
            )
        ),
    )(_sheet)


def _sheet(
    context: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="DECK|EVENT",
            show_default=False,
            help=say(_("A deck's file, - (a deck on standard input), or an event's file (event.yaml).")),
        ),
    ] = None,
    format: Format = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help=say(_("Write to this file."))),
    ] = None,
    pdf: Annotated[
        bool,
        typer.Option(
            "--pdf",
            help=say(
                _(
                    "Make a PDF (as a name of -o in .pdf does); needs more libraries: pip install "
                    "'deckcheck[pdf]'."
                )
            ),
        ),
    ] = False,
    font: Annotated[
        str | None,
        typer.Option(
            "--font",
            metavar="FILE[#N]",
            help=say(
                _(
                    "The font to embed in the PDF (default: one for Japanese that is installed); in a .ttc "
                    "counted from 0."
                )
            ),
        ),
    ] = None,
    empty: Annotated[
        bool,
        typer.Option(
            "--empty",
            help=say(_("Make an empty sheet to fill in by hand (with --format or an event's file).")),
        ),
    ] = False,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            metavar="TEXT",
            help=say(
                _(
                    "Name (default: “# player: …” of the list, which may give the other fields, too: “# "
                    "table: …”)."
                )
            ),
        ),
    ] = None,
    reading: Annotated[
        str | None,
        typer.Option("--reading", metavar="TEXT", help=say(_("The name's reading in kana."))),
    ] = None,
    handle: Annotated[str | None, typer.Option("--handle", metavar="TEXT", help=say(_("Handle.")))] = None,
    id: Annotated[str | None, typer.Option("--id", metavar="TEXT", help=say(_("Player ID.")))] = None,
    table: Annotated[str | None, typer.Option("--table", metavar="TEXT", help=say(_("Table.")))] = None,
    lang: Lang = None,
    as_of: AsOf = None,
    best_of: BestOf = None,
    cards: Cards = None,
    notation: Notation = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.options import day
        from deckcheck.cli.sheets import Asked, run
        from deckcheck.registration.model import Player

        typed = frozenset(
            key
            for key in context.params
            if (source := context.get_parameter_source(key)) is not None and source.name == "COMMANDLINE"
        )
        player = Player(name, reading, handle, id, table)
        asked = Asked(
            path,
            format,
            output,
            pdf,
            font,
            empty,
            player,
            lang,
            day(as_of),
            best_of,
            tuple(cards or ()),
            notation,
            config,
            isolated,
            typed,
        )
        return run(asked)

    raise typer.Exit(guarded(work, lang, private=True))
