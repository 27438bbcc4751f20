"""`deckcheck check` on the command line: its options. What it does stands in check.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.arguments import (
    AsOf,
    BestOf,
    Cards,
    ColorChoice,
    Config,
    Format,
    Isolated,
    Lang,
    Notation,
    ResultFile,
)
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
    context: typer.Context,
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
    format: Format = None,
    as_of: AsOf = None,
    best_of: BestOf = None,
    output_format: Annotated[
        OutputFormat | None,
        typer.Option(
            "--output-format",
            envvar="DECKCHECK_OUTPUT_FORMAT",
            help=say("出力の形式（省略時は text）。", "Form of the output (default: text)."),
        ),
    ] = None,
    output: ResultFile = None,
    lang: Lang = None,
    unknown: Annotated[
        Literal["error", "warn"] | None,
        typer.Option(
            "--unknown",
            envvar="DECKCHECK_UNKNOWN",
            help=say(
                "不明なことがあるデッキの扱い（省略時は error）。warn なら警告にとどめ、終了ステータス3にしません。",
                "What to make of facts that nobody knows (default: error); with warn they don't lead to exit status 3.",
            ),
        ),
    ] = None,
    color: ColorChoice = "auto",
    cards: Cards = None,
    notation: Notation = None,
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
    config: Config = None,
    isolated: Isolated = False,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            metavar="RULE,...",
            help=say("この規則だけを報告します。", "Tell of these rules only."),
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore",
            metavar="RULE,...",
            help=say("この規則は報告しません。", "Don't tell of these rules."),
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude",
            metavar="PATTERN",
            help=say(
                "調べないもの（.gitignore と同じ書き方、何度でも）。",
                "What to pass over, written as in .gitignore (repeatable).",
            ),
        ),
    ] = None,
    force_exclude: Annotated[
        bool,
        typer.Option(
            "--force-exclude",
            help=say(
                "名前を挙げたファイルも除外の対象にします。",
                "Exclude even what is named on the command line.",
            ),
        ),
    ] = False,
    stdin_filename: Annotated[
        str | None,
        typer.Option(
            "--stdin-filename",
            metavar="NAME",
            help=say("標準入力のファイル名。", "What standard input is called."),
        ),
    ] = None,
    statistics: Annotated[
        bool,
        typer.Option(
            "--statistics",
            help=say("規則ごとの件数だけを表示します。", "Only count the findings of each rule."),
        ),
    ] = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help=say("ファイルが変わるたびに調べ直します。", "Check again whenever a file changes."),
        ),
    ] = False,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help=say(
                "確実な間違いだけを直してから調べます: 5文字以上の名前で、編集距離1のカードが1枚だけあり、距離2以内にほかのカードがないもの"
                "（数字は直しません）。同じ置き場所に2行ある同じカードは1行にまとめます。標準入力は、直したリストを標準出力に書くだけで調べません。",
                "Correct what is certain, then check: names of at least 5 characters with one card at edit distance 1 "
                "and no other within 2 (numbers are never corrected), and two lines of one card in one zone. "
                "Standard input is written to standard output corrected, and not checked.",
            ),
        ),
    ] = False,
    diff: Annotated[
        bool,
        typer.Option(
            "--diff",
            help=say(
                "--fix で直るところを差分で表示するだけで、書き換えず、調べません。",
                "Only show as a diff what --fix would correct; nothing is written or checked.",
            ),
        ),
    ] = False,
    show_settings: Annotated[
        bool,
        typer.Option("--show-settings", help=say("有効な設定を表示します。", "Show the settings in force.")),
    ] = False,
    show_files: Annotated[
        bool,
        typer.Option("--show-files", help=say("調べるファイルを表示します。", "Show what would be checked.")),
    ] = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.checked import Asked, start

        asked = Asked(
            paths,
            format,
            as_of,
            best_of,
            output_format,
            output,
            lang,
            unknown,
            color,
            tuple(cards or ()),
            exit_zero,
            config,
            isolated,
            tuple(select or ()),
            tuple(ignore or ()),
            tuple(exclude or ()),
            force_exclude,
            stdin_filename,
            statistics,
            watch,
            fix,
            diff,
            show_settings,
            show_files,
            _variables(context),
            notation,
        )
        return start(asked)

    raise typer.Exit(guarded(work, lang))


def _variables(context: typer.Context) -> tuple[str, ...]:
    """The options that the environment gave."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return tuple(
        name for name, source in sources.items() if source is not None and source.name == "ENVIRONMENT"
    )
