"""Arguments that the commands for events share."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.language import say

EventFile = Annotated[
    str,
    typer.Argument(
        metavar="EVENT", help=say("大会のファイル（event.yaml）。", "The event's file (event.yaml).")
    ),
]
Output = Annotated[
    Literal["text", "json"],
    typer.Option("--output-format", help=say("出力の形式。", "Form of the output.")),
]
OfEvent = Annotated[
    str | None,
    typer.Option(
        "--event",
        metavar="EVENT",
        help=say(
            "大会のファイル。フォーマットと日付、追加のカードなどはここから。",
            "The event's file, which gives the format, the day and cards of its own.",
        ),
    ),
]
