"""`deckcheck event audit` on the command line: its options. What it does stands in auditing.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Lang
from deckcheck.cli.event.arguments import EventFile, Output
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say


def add_audit(group: typer.Typer) -> None:
    group.command(
        "audit",
        no_args_is_help=True,
        help=say(
            "記録が書きかえ・削除・並べかえされていないか確かめ、受付証をすべて判定し直します。",
            "Prove that nothing in the log was altered, removed or reordered, and judge every receipt again.",
        ),
        epilog=say(
            "終了ステータス: 0 問題なし、1 書きかえなどあり、2 実行できなかった、3 ルールが変わっていて確かめられない受付証あり。",
            "Exit status: 0 all holds; 1 something was altered; 2 it could not be looked at; 3 some receipts can't be proven, for the rules have changed.",
        ),
    )(_audit)


def _audit(
    event: EventFile,
    receipts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RECEIPT...]",
            help=say(
                "記録にあるはずの受付証（プレイヤーの控えなど）。",
                "Receipts that must be in the log, such as players have kept.",
            ),
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(
            "--head",
            metavar="HASH",
            help=say(
                "書きとめておいた控え（64桁すべて、何度でも）。",
                "A head that was noted down, all of its 64 digits (repeatable).",
            ),
        ),
    ] = None,
    output_format: Output = "text",
    lang: Lang = None,
) -> None:
    def work() -> int:
        from deckcheck.cli.event.auditing import run

        return run(event, receipts or [], head or [], output_format, lang)

    raise typer.Exit(guarded(work, lang, private=True))
