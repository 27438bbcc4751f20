"""`deckcheck fmt` on the command line: its options. What it does stands in formatting.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Cards, ColorChoice, Config, Isolated, Lang, Notation
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_fmt(app: typer.Typer) -> None:
    app.command(
        "fmt",
        no_args_is_help=True,
        short_help=say(_("Write decklists in one canonical notation.")),
        help=say(
            _(
                "Write decklists in one canonical notation. Cards, counts, zones and comments stay; a "
                "file with a line that can't be read is left alone."
            )
        ),
        epilog=say(
            _(
                "Exit status: 0 done (with --check or --diff: nothing would change); 1 with --check or "
                "--diff something would; 2 something could not be formatted."
            )
        ),
    )(_fmt)


def _fmt(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help=say(
                _(
                    "A deck's file, a folder, or - (standard input to standard output; CSV, YAML, JSON and "
                    "the notations of other tools become text, too)."
                )
            ),
        ),
    ],
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help=say(_("Write nothing, list the files that would change.")),
        ),
    ] = False,
    diff: Annotated[
        bool,
        typer.Option("--diff", help=say(_("Write nothing, show what would change."))),
    ] = False,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="ID|FILE",
            envvar="DECKCHECK_FORMAT",
            help=say(_("The format, for its game's cards (default: as the deck or the settings say).")),
        ),
    ] = None,
    cards: Cards = None,
    notation: Notation = None,
    config: Config = None,
    isolated: Isolated = False,
    color: ColorChoice = "auto",
    lang: Lang = None,
) -> None:
    def work() -> int:
        from deckcheck.cli.formatting import run
        from deckcheck.cli.project import language_of, project, wish_of

        settings = project(paths, config=config, isolated=isolated)
        wish = wish_of(settings, format=format, cards=cards or (), notation=notation)
        spoken = language_of(settings, lang)
        return run(paths, wish, spoken, settings=settings, check=check, diff=diff, color=color)

    raise typer.Exit(guarded(work, lang))
