"""`deckcheck banlists` on the command line: dated lists of restrictions."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Cards, Config, Isolated, Lang
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say


def add_banlists(app: typer.Typer) -> None:
    group = typer.Typer(
        help=say("禁止・制限のリストを扱います。", "Work with dated lists of restrictions."),
        rich_markup_mode=None,
        no_args_is_help=True,
    )
    # With a callback the group stays a group, though it has one command only.
    group.callback()(_nothing)
    group.command(
        "import",
        help=say(
            "禁止・制限のリストを日付つきで取り込みます: EDOPro・YGOProのlflist.conf、MTGJSONとScryfallの各フォーマットの"
            "禁止・制限。前のリストの経過は残し、載っていないカードはその日から解除とします。",
            "Take in lists of restrictions, with a date: lflist.conf of EDOPro and YGOPro, and what MTGJSON and "
            "Scryfall say of each format. What the earlier list told is kept, and a card that isn't listed any more "
            "is free from that day.",
        ),
    )(_import)
    app.add_typer(group, name="banlists")


def _nothing() -> None:
    pass


def _import(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help=say("リストのファイル。", "The file with the lists."))
    ],
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="YYYY-MM-DD",
            help=say(
                "リストが有効になる日（省略時はファイルやリストの名前にある日付）。",
                "From when the lists hold (default: the date in the data or in the list's name).",
            ),
        ),
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--list",
            metavar="NAME",
            help=say(
                "取り込むリスト（省略時はすべて、何度でも）。",
                "A list to take in (default: all; repeatable).",
            ),
        ),
    ] = None,
    id: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="GAME/NAME",
            help=say("書くリストのid（1つのときだけ）。", "The id of the list to write (if it is one)."),
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help=say(
                "書き込むフォルダ（省略時は設定の banlists の最初のもの）。",
                "The folder to write to (default: the first under banlists in the settings).",
            ),
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SOURCE",
            help=say(
                "何のデータか: mtgjson、scryfall、lflist（省略時は中身から判断）。",
                "Whose data it is: mtgjson, scryfall or lflist (default: told by what stands in it).",
            ),
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help=say("進み具合を表示しません。", "Show no progress."))
    ] = False,
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
