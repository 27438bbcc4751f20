"""`deckcheck event`: registration for an event, one module a command."""

import typer

from deckcheck.support.messages import _


def register(app: typer.Typer) -> None:
    """Add the commands, in the order in which the help shows them."""
    from deckcheck.cli.event import accept, audit, check, draw, init

    group = typer.Typer(
        help=_("Run deck registration for an event, from the first list to the deck checks.").key,
        rich_markup_mode=None,
        no_args_is_help=True,
    )
    for module in (init, check, accept, audit, draw):
        module.register(group)
    app.add_typer(group, name="event")
