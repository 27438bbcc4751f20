"""The commands that look things up: formats and cards."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Callable
from functools import partial
from typing import Annotated

import typer

from deckcheck.cli.arguments import AsOf, Cards, Config, Game, Isolated, Lang
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say, user_language
from deckcheck.config.settings import Settings
from deckcheck.support.messages import _


def add_formats(app: typer.Typer) -> None:
    group = typer.Typer(
        help=say(_("List, explain and test formats.")),
        rich_markup_mode=None,
        invoke_without_command=True,
    )
    group.callback()(_formats)
    group.command("show", help=say(_("Explain every rule of a format in words.")))(_formats_show)
    group.command(
        "test",
        help=say(_("Validate format files and run their cases.")),
    )(_formats_test)
    app.add_typer(group, name="formats")


def _formats(
    context: typer.Context, lang: Lang = None, config: Config = None, isolated: Isolated = False
) -> None:
    if context.invoked_subcommand is None:
        from deckcheck.cli.formats import listing

        raise typer.Exit(_in_project(listing, lang, config, isolated))


def _formats_show(
    format: Annotated[str, typer.Argument(metavar="ID|FILE", help=say(_("The format.")))],
    lang: Lang = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    from deckcheck.cli.formats import show

    raise typer.Exit(_in_project(partial(show, format), lang, config, isolated))


def _formats_test(
    formats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID|FILE...",
            help=say(
                _("The formats (default: those in the folders of the settings, else all that are bundled).")
            ),
        ),
    ] = None,
    lang: Lang = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    from deckcheck.cli.formats import test

    raise typer.Exit(_in_project(partial(test, formats or []), lang, config, isolated))


def _in_project(
    work: Callable[[Settings, str], int], lang: str | None, config: str | None, isolated: bool
) -> int:
    """The status of `work`, which takes the settings of the working folder and the language of the output."""

    def within() -> int:
        from deckcheck.cli.project import language_of, project

        settings = project([], config=config, isolated=isolated)
        spoken = language_of(settings, lang)
        return guarded(lambda: work(settings, spoken), spoken)

    return guarded(within, lang)


def add_cards(app: typer.Typer) -> None:
    group = typer.Typer(help=say(_("Look up cards.")), rich_markup_mode=None, no_args_is_help=True)
    group.command(
        "show",
        help=say(_("Show what is known of a card, and its legal status.")),
    )(_cards_show)
    group.command("search", help=say(_("Find cards by a piece of a name.")))(_cards_search)
    group.command(
        "import",
        help=say(
            _(
                "Add cards to your own card table: JSON lines and YAML, and MTGJSON, Scryfall's bulk "
                "data and the .cdb of EDOPro and YGOPro, packed or not."
            )
        ),
    )(_cards_import)
    app.add_typer(group, name="cards")


def _cards_show(
    name: Annotated[str, typer.Argument(metavar="NAME", help=say(_("The card's name.")))],
    as_of: AsOf = None,
    game: Game = None,
    lang: Lang = None,
    cards: Cards = None,
) -> None:
    def work() -> int:
        from deckcheck.cli.cards import show
        from deckcheck.cli.options import day

        return show(name, game, day(as_of), cards or [], lang or user_language())

    raise typer.Exit(guarded(work, lang))


def _cards_search(
    text: Annotated[str, typer.Argument(metavar="TEXT", help=say(_("A piece of a name.")))],
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help=say(_("How many to show.")))] = 50,
    game: Game = None,
    lang: Lang = None,
    cards: Cards = None,
) -> None:
    from deckcheck.cli.cards import find

    raise typer.Exit(guarded(lambda: find(text, limit, game, cards or [], lang or user_language()), lang))


def _cards_import(
    file: Annotated[str, typer.Argument(metavar="FILE", help=say(_("The file with the cards.")))],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SOURCE",
            help=say(
                _("Whose data it is: mtgjson, scryfall or ygopro (default: told by what stands in it).")
            ),
        ),
    ] = None,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            "-q",
            help=say(_("Show no progress, and only the result.")),
        ),
    ] = False,
    game: Game = None,
    lang: Lang = None,
) -> None:
    def work() -> int:
        from deckcheck.cli.cards_import import take_in

        return take_in(file, source, game, lang or user_language(), quiet=quiet)

    raise typer.Exit(guarded(work, lang))
