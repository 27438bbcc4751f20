"""The entry point, and which commands there are."""

# The annotations are read by typer, so they are no strings here.

import atexit
import gc
import os
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, NoReturn

if TYPE_CHECKING:
    import typer

STOPPED = 130
COLLECT_SELDOM = 100_000
"""Allocations between two garbage collections: what a start allocates stays, so looking at it is in vain."""

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "check": "check",
        "fmt": "fmt",
        "convert": "convert",
        "formats": "formats",
        "cards": "cards",
        "banlists": "banlists",
        "init": "init",
        "rule": "rule",
        "which": "which",
        "completion": "completion",
        "impact": "impact",
        "sheet": "sheet",
        "event": "event",
        "seal": "seal",
        "unseal": "seal",
        "verify": "verify",
    }
)
"""Each command with its module beside this one, in the order of the help. A module has a function `register(app)`."""


def program() -> NoReturn:
    """`main` as a process of its own, which ends with it, and at once."""
    gc.set_threshold(COLLECT_SELDOM, 20, 20)
    try:
        main()
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            raise
        _leave(end.code or 0)


def main() -> NoReturn:
    """Run the command line and exit with its status.

    However it ends, it ends without a traceback: ^C is 130, a closed pipe 141.
    """
    try:
        from deckcheck.cli.errors import guarded
        from deckcheck.cli.language import language_of_arguments

        arguments = sys.argv[1:]
        lang = language_of_arguments(arguments)
        sys.exit(guarded(lambda: _run(arguments, lang), lang))
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def _run(arguments: list[str], lang: str) -> int:
    if os.environ.get("_DECKCHECK_COMPLETE"):
        from deckcheck.cli.completion import complete

        complete(make_app([]), lang)
    from deckcheck.cli.usage import run_typer

    return run_typer(make_app(arguments), lang)


def make_app(arguments: list[str]) -> "typer.Typer":
    """The command that the arguments name; all of them where none is named, which takes longer."""
    from importlib import import_module

    import typer

    from deckcheck.support.messages import _

    app = typer.Typer(
        name="deckcheck",
        help=_("Check decklists against format rules and banlists.").key,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    option = typer.Option("--version", callback=_version, is_eager=True, help=_("Show the version.").key)

    @app.callback()
    def root(version: Annotated[bool, option] = False) -> None:
        pass

    named = COMMANDS.get(arguments[0]) if arguments else None
    for module in [named] if named else dict.fromkeys(COMMANDS.values()):
        import_module(f"deckcheck.cli.{module}").register(app)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        import typer

        from deckcheck.support.version import VERSION

        typer.echo(f"deckcheck {VERSION}")
        raise typer.Exit


def _leave(status: int) -> NoReturn:
    """Exit without taking every object apart before, which takes Python longer than checking a deck.

    All else that belongs to an end is done; where some thread still runs or
    something can't be written, Python ends as it always does.
    """
    threads = sys.modules.get("threading")
    if threads is not None and threads.active_count() > 1:
        sys.exit(status)
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        sys.exit(status)
    os._exit(status)
