"""The command line: which commands there are. Each stands in a module with a function that adds it."""

# The annotations are read by typer, so they are no strings here.

import os
from importlib import import_module
from typing import Annotated

import typer

from deckcheck.cli.language import say
from deckcheck.support.messages import _


def make_app(arguments: list[str]) -> typer.Typer:
    """The commands: only the one asked for where that is plain, for making them all takes time."""
    app = typer.Typer(
        name="deckcheck",
        help=say(_("Is a deck legal, if not why not, and where?")),
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback()(_root)
    # In the order in which the help shows them; each module has a function add_NAME(app).
    modules = {
        "check": "checks",
        "fmt": "fmt",
        "convert": "convert",
        "formats": "lookup",
        "cards": "lookup",
        "banlists": "banlists",
        "init": "init",
        "rule": "rule",
        "which": "which",
        "completion": "completion",
        "impact": "impact",
        "sheet": "sheet",
        "event": "event.group",
        "seal": "seal",
        "unseal": "seal",
        "verify": "verify",
    }
    completing = bool(os.environ.get("_DECKCHECK_COMPLETE"))
    asked = arguments[0] if arguments and not completing else ""
    for name, module in modules.items():
        if asked == name or asked not in modules:
            getattr(import_module(f"deckcheck.cli.{module}"), f"add_{name}")(app)
    if completing:
        from deckcheck.cli.completion import answer

        answer(app)
    return app


def _version(asked: bool) -> None:
    if asked:
        from deckcheck.support.version import VERSION

        typer.echo(f"deckcheck {VERSION}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help=say(_("Show the version.")),
        ),
    ] = False,
) -> None:
    pass
