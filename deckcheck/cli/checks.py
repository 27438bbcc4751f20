"""`deckcheck check` on the command line: its options. What it does stands in check.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.arguments import AsOf, Cards, Lang
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.report.outputs import OutputFormat


def add_check(app: typer.Typer) -> None:
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
        OutputFormat,
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
    def work() -> int:
        from deckcheck.batch import Request
        from deckcheck.cli.check import NOT_CHECKED, run
        from deckcheck.cli.language import user_language
        from deckcheck.cli.options import day
        from deckcheck.opening import Wish
        from deckcheck.report.writer import Look

        wish = Wish(format, day(as_of), best_of, tuple(cards or ()))
        look = Look(lang or user_language(), lenient=unknown == "warn")
        status = run(paths, Request(wish, output_format, look), file=output, color=color)
        return 0 if exit_zero and status != NOT_CHECKED else status

    raise typer.Exit(guarded(work, lang))
