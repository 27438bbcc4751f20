"""The command line: which commands and options there are. What they do stands in a module each."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Callable
from typing import Annotated, Literal

import typer

from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say, user_language

Language = Literal["ja", "en"]


def make_app(arguments: list[str]) -> typer.Typer:
    """The commands: only the one asked for where that is plain, for making them all takes time."""
    app = typer.Typer(
        name="deckcheck",
        help=say(
            "デッキがルールに合っているか、合っていなければどこがなぜかを調べます。",
            "Is a deck legal, if not why not, and where?",
        ),
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback()(_root)
    adders: dict[str, Callable[[typer.Typer], None]] = {
        "check": _add_check,
        "formats": _add_formats,
        "cards": _add_cards,
    }
    asked = arguments[0] if arguments else ""
    for name, add in adders.items():
        if asked == name or asked not in adders:
            add(app)
    return app


def _version(asked: bool) -> None:
    if asked:
        from deckcheck.version import VERSION

        typer.echo(f"deckcheck {VERSION}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help=say("バージョンを表示します。", "Show the version."),
        ),
    ] = False,
) -> None:
    pass


_Lang = Annotated[
    Language | None,
    typer.Option(
        "--lang",
        help=say(
            "表示の言語（省略時はロケールから）。", "Language of the output (default: from the locale)."
        ),
    ),
]
_Cards = Annotated[
    list[str] | None,
    typer.Option(
        "--cards",
        metavar="FILE",
        help=say(
            "追加のカードのファイル（YAMLかJSON lines、何度でも）。",
            "A file with more cards (YAML or JSON lines, repeatable).",
        ),
    ),
]
_AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="YYYY-MM-DD",
        help=say(
            "この日のルールで調べます（省略時は今日）。", "Check by the rules of this day (default: today)."
        ),
    ),
]
_Game = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="ID",
        help=say(
            "ゲームのid（1つだけなら省略可）。", "Id of the game (may be left out if there is one only)."
        ),
    ),
]


def _add_check(app: typer.Typer) -> None:
    app.command(
        "check",
        no_args_is_help=True,
        help=say("デッキを調べます。", "Check decks."),
        epilog=say(
            "終了ステータス: 0 すべて問題なし、1 違反あり、2 調べられなかった、3 違反はないが判定できないものあり。",
            "Exit status: 0 every deck legal; 1 some deck illegal; 2 something could not be checked; 3 none illegal, some undecided.",
        ),
    )(_check)


def _check(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help=say(
                "デッキのファイル、フォルダ、または -（標準入力）。",
                "A deck's file, a folder, or - (standard input).",
            ),
        ),
    ],
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="ID|FILE",
            help=say(
                "フォーマット（省略時はデッキの先頭行「# format: …」）。一覧は deckcheck formats。",
                "The format (default: as the deck says in “# format: …”); deckcheck formats lists them.",
            ),
        ),
    ] = None,
    as_of: _AsOf = None,
    best_of: Annotated[
        int | None,
        typer.Option("--best-of", metavar="N", min=1, help=say("何本勝負か。", "Games in a match.")),
    ] = None,
    output_format: Annotated[
        Literal["text", "json"],
        typer.Option("--output-format", help=say("出力の形式。", "Form of the output.")),
    ] = "text",
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=say("結果をこのファイルに書きます。", "Write the results to this file."),
        ),
    ] = None,
    lang: _Lang = None,
    unknown: Annotated[
        Literal["error", "warn"],
        typer.Option(
            "--unknown",
            help=say(
                "不明なことがあるデッキの扱い。warn なら警告にとどめ、終了ステータス3にしません。",
                "What to make of facts that nobody knows; with warn they don't lead to exit status 3.",
            ),
        ),
    ] = "error",
    color: Annotated[
        Literal["auto", "always", "never"],
        typer.Option("--color", help=say("色をつけるか。", "Whether to use colours.")),
    ] = "auto",
    cards: _Cards = None,
) -> None:
    from deckcheck.cli.check import check_decks

    def work() -> int:
        return check_decks(
            paths,
            format=format,
            as_of=as_of,
            best_of=best_of,
            output_format=output_format,
            output=output,
            lang=lang,
            unknown=unknown,
            color=color,
            cards=cards,
        )

    raise typer.Exit(guarded(work, lang))


def _add_formats(app: typer.Typer) -> None:
    group = typer.Typer(
        help=say("フォーマットの一覧と説明、検査。", "List, explain and test formats."),
        rich_markup_mode=None,
        invoke_without_command=True,
    )
    group.callback()(_formats)
    group.command(
        "show", help=say("フォーマットの規則を言葉で説明します。", "Explain every rule of a format in words.")
    )(_formats_show)
    group.command(
        "test",
        help=say(
            "フォーマットのファイルを検査し、事例を実行します。", "Validate format files and run their cases."
        ),
    )(_formats_test)
    app.add_typer(group, name="formats")


def _formats(context: typer.Context, lang: _Lang = None) -> None:
    if context.invoked_subcommand is None:
        from deckcheck.cli.formats import listing

        raise typer.Exit(guarded(lambda: listing(lang or user_language()), lang))


def _formats_show(
    format: Annotated[str, typer.Argument(metavar="ID|FILE", help=say("フォーマット。", "The format."))],
    lang: _Lang = None,
) -> None:
    from deckcheck.cli.formats import show

    raise typer.Exit(guarded(lambda: show(format, lang or user_language()), lang))


def _formats_test(
    formats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID|FILE...",
            help=say(
                "フォーマット（省略時は同梱のものすべて）。", "The formats (default: all that are bundled)."
            ),
        ),
    ] = None,
    lang: _Lang = None,
) -> None:
    from deckcheck.cli.formats import test

    raise typer.Exit(guarded(lambda: test(formats or [], lang or user_language()), lang))


def _add_cards(app: typer.Typer) -> None:
    group = typer.Typer(
        help=say("カードの情報を調べます。", "Look up cards."), rich_markup_mode=None, no_args_is_help=True
    )
    group.command(
        "show",
        help=say("カードの情報と制限を表示します。", "Show what is known of a card, and its legal status."),
    )(_cards_show)
    group.command("search", help=say("名前の一部からカードを探します。", "Find cards by a piece of a name."))(
        _cards_search
    )
    group.command(
        "import",
        help=say(
            "カードを自分のカード表に加えます（JSON linesかYAML）。",
            "Add cards to your own card table (JSON lines or YAML).",
        ),
    )(_cards_import)
    app.add_typer(group, name="cards")


def _cards_show(
    name: Annotated[str, typer.Argument(metavar="NAME", help=say("カード名。", "The card's name."))],
    as_of: _AsOf = None,
    game: _Game = None,
    lang: _Lang = None,
    cards: _Cards = None,
) -> None:
    def work() -> int:
        from deckcheck.cli.cards import show
        from deckcheck.cli.options import day

        return show(name, game, day(as_of), cards or [], lang or user_language())

    raise typer.Exit(guarded(work, lang))


def _cards_search(
    text: Annotated[str, typer.Argument(metavar="TEXT", help=say("名前の一部。", "A piece of a name."))],
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help=say("表示する件数。", "How many to show."))
    ] = 50,
    game: _Game = None,
    lang: _Lang = None,
    cards: _Cards = None,
) -> None:
    from deckcheck.cli.cards import find

    raise typer.Exit(guarded(lambda: find(text, limit, game, cards or [], lang or user_language()), lang))


def _cards_import(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help=say("カードのファイル。", "The file with the cards."))
    ],
    game: _Game = None,
    lang: _Lang = None,
) -> None:
    from deckcheck.cli.cards import take_in

    raise typer.Exit(guarded(lambda: take_in(file, game, lang or user_language()), lang))
