"""`deckcheck verify` on the command line: its options. What it does stands in verifying.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Cards, Config, Isolated, Lang
from deckcheck.cli.event.arguments import OfEvent, Output
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say


def add_verify(app: typer.Typer) -> None:
    app.command(
        "verify",
        no_args_is_help=True,
        help=say(
            "卓上のデッキを書きとったリストを、登録されたリストと比べます。--event をつけると、大会の記録にあるものかも確かめ、結果を記録に残します（--by が必要）。"
            "最後の確認が登録どおりだったデッキは、event draw の抽選から外れます。",
            "Compare what was typed from the deck on the table with the registered list. With --event it must also be in the "
            "event's log, and the result is kept there (--by is needed). A deck that was as registered when it was last "
            "checked is left out by event draw.",
        ),
        epilog=say(
            "終了ステータス: 0 登録どおり、1 違う、2 読めなかった、3 読めない行か分からない名前があり比べられない。",
            "Exit status: 0 as registered; 1 different; 2 something could not be read; 3 lines that can't be read, or names that nobody knows, leave it open.",
        ),
    )(_verify)


def _verify(
    receipt: Annotated[
        str,
        typer.Argument(
            metavar="RECEIPT",
            help=say(
                "受付証、または封印を開ける開封用のファイル。",
                "The receipt, or the file that opens a sealed list.",
            ),
        ),
    ],
    deck: Annotated[
        str,
        typer.Argument(
            metavar="DECK",
            help=say(
                "デッキを書きとったファイル、または -（標準入力）。",
                "What was typed from the deck: a file, or - (standard input).",
            ),
        ),
    ],
    between_games: Annotated[
        bool,
        typer.Option(
            "--after-sideboarding",
            help=say(
                "対戦の間の入れ替えを認めます（登録されたカードで、ルールに合う分け方だけ）。",
                "Admit any legal exchange between games of the registered cards, and nothing else.",
            ),
        ),
    ] = False,
    event: OfEvent = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="JUDGE",
            help=say(
                "確認したジャッジ。--event の記録に残します。",
                "Who checked it; kept in the log of --event.",
            ),
        ),
    ] = None,
    output_format: Output = "text",
    lang: Lang = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.ruling import Asked
        from deckcheck.cli.verifying import run

        asked = Asked(None, event, None, None, tuple(cards or ()), config, isolated)
        return run(receipt, deck, asked, between_games=between_games, by=by, form=output_format, lang=lang)

    raise typer.Exit(guarded(work, lang, private=True))
