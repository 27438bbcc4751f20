"""Arguments that the commands for events share."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.language import say
from deckcheck.support.messages import _

EventFile = Annotated[
    str,
    typer.Argument(metavar="EVENT", help=say(_("The event's file (event.yaml)."))),
]
Output = Annotated[
    Literal["text", "json"],
    typer.Option("--output-format", help=say(_("Form of the output."))),
]
OfEvent = Annotated[
    str | None,
    typer.Option(
        "--event",
        metavar="EVENT",
        help=say(_("The event's file, which gives the format, the day and cards of its own.")),
    ),
]
