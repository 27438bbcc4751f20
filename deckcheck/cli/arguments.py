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
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="ID|FILE",
        envvar="DECKCHECK_FORMAT",
        help=say(
            "フォーマット（省略時はデッキの先頭行「# format: …」か設定）。一覧は deckcheck formats。",
            "The format (default: as the deck says in “# format: …”, or the settings); deckcheck formats lists them.",
        ),
    ),
]
BestOf = Annotated[
    int | None,
    typer.Option(
        "--best-of",
        metavar="N",
        min=1,
        envvar="DECKCHECK_BEST_OF",
        help=say("何本勝負か。", "Games in a match."),
    ),
]
Written = Literal[
    "csv", "tsv", "yaml", "json", "mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk"
]
"""The notations that decks come in and can be converted to."""
Notation = Annotated[
    Literal["text", Written] | None,
    typer.Option(
        "--notation",
        help=say(
            "デッキの書き方（省略時は内容から）。",
            "The notation of the decks (default: as their content tells).",
        ),
    ),
]
ResultFile = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help=say("結果をこのファイルに書きます。", "Write the results to this file."),
    ),
]
ColorChoice = Annotated[
    Literal["auto", "always", "never"],
    typer.Option("--color", help=say("色をつけるか。", "Whether to use colours.")),
]
