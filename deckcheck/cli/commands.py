"""The command line: which commands and options there are. What they do stands in a module each."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Callable
from typing import Annotated, Literal

import typer

from deckcheck.cli.arguments import AsOf, Cards, Lang
from deckcheck.cli.groups import add_cards, add_formats
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say


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
        "formats": add_formats,
        "cards": add_cards,
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
    as_of: AsOf = None,
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
    lang: Lang = None,
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
    cards: Cards = None,
    exit_zero: Annotated[
        bool,
        typer.Option(
            "--exit-zero",
            help=say(
                "違反や判定できないものがあっても終了ステータスを0にします。",
                "Exit with 0 even if decks are illegal or undecided.",
            ),
        ),
    ] = False,
) -> None:
    from deckcheck.cli.check import NOT_CHECKED, check_decks

    def work() -> int:
        status = check_decks(
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
        return 0 if exit_zero and status != NOT_CHECKED else status

    raise typer.Exit(guarded(work, lang))
