"""`deckcheck banlists` on the command line: dated lists of restrictions."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Cards, Config, Isolated, Lang
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_banlists(app: typer.Typer) -> None:
    group = typer.Typer(
        help=say(_("Work with dated lists of restrictions.")),
        rich_markup_mode=None,
        no_args_is_help=True,
    )
    # With a callback the group stays a group, though it has one command only.
    group.callback()(_nothing)
    group.command(
        "import",
        help=say(
            _(
                "Take in lists of restrictions, with a date: lflist.conf of EDOPro and YGOPro, and what "
                "MTGJSON and Scryfall say of each format. What the earlier list told is kept, and a card "
                "that isn't listed any more is free from that day."
            )
        ),
    )(_import)
    app.add_typer(group, name="banlists")


def _nothing() -> None:
    pass


def _import(
    file: Annotated[str, typer.Argument(metavar="FILE", help=say(_("The file with the lists.")))],
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="YYYY-MM-DD",
            help=say(_("From when the lists hold (default: the date in the data or in the list's name).")),
        ),
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--list",
            metavar="NAME",
            help=say(_("A list to take in (default: all; repeatable).")),
        ),
    ] = None,
    id: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="GAME/NAME",
            help=say(_("The id of the list to write (if it is one).")),
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help=say(_("The folder to write to (default: the first under banlists in the settings).")),
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SOURCE",
            help=say(
                _("Whose data it is: mtgjson, scryfall or lflist (default: told by what stands in it).")
            ),
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help=say(_("Show no progress.")))] = False,
    cards: Cards = None,
    lang: Lang = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.banlists_import import Asked, take_in
        from deckcheck.cli.project import language_of, project

        settings = project([], config=config, isolated=isolated)
        asked = Asked(file, since, tuple(lists or ()), id, to, source, tuple(cards or ()), quiet)
        return take_in(asked, settings, language_of(settings, lang))

    raise typer.Exit(guarded(work, lang))
