"""`deckcheck event`: the commands for an event, each in a module with a function that adds it."""

from importlib import import_module

import typer

from deckcheck.cli.language import say
from deckcheck.support.messages import _

COMMANDS: tuple[str, ...] = ("init", "check", "accept", "audit", "draw")
"""In the order in which the help shows them."""


def add_event(app: typer.Typer) -> None:
    group = typer.Typer(
        help=say(_("Registration for an event, from the first list to the deck checks.")),
        rich_markup_mode=None,
        no_args_is_help=True,
    )
    for name in COMMANDS:
        getattr(import_module(f"deckcheck.cli.event.{name}"), f"add_{name}")(group)
    app.add_typer(group, name="event")
