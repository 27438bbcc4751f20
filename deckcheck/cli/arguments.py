"""Options that several commands share."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.language import say

Language = Literal["ja", "en"]

Lang = Annotated[
    Language | None,
    typer.Option(
        "--lang",
        envvar="DECKCHECK_LANG",
        help=say(
            "表示の言語（省略時はロケールから）。", "Language of the output (default: from the locale)."
        ),
    ),
]
Cards = Annotated[
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
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="YYYY-MM-DD",
        envvar="DECKCHECK_AS_OF",
        help=say(
            "この日のルールで調べます（省略時は今日）。", "Check by the rules of this day (default: today)."
        ),
    ),
]
Game = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="ID",
        help=say(
            "ゲームのid（1つだけなら省略可）。", "Id of the game (may be left out if there is one only)."
        ),
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="DECKCHECK_CONFIG",
        help=say(
            "設定ファイル（省略時は一番近い deckcheck.toml か pyproject.toml）。",
            "The settings file (default: the nearest deckcheck.toml or pyproject.toml).",
        ),
    ),
]
Isolated = Annotated[
    bool,
    typer.Option("--isolated", help=say("設定ファイルを読みません。", "Read no settings file.")),
]
