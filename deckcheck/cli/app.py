"""The entry point, and which commands there are."""

import atexit
import gc
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, NoReturn

from deckcheck.support.messages import Message, _

if TYPE_CHECKING:
    import typer

    from deckcheck.cli.command import Command, Group

STOPPED = 130
GC_THRESHOLD = 100_000
"""Allocations between two garbage collections. Little is freed at the start, so more frequent ones would only take time."""

COMMANDS: Mapping[str, tuple[str, Message]] = MappingProxyType(
    {
        "check": ("check", _("Check decks.")),
        "import": ("import_command", _("Import cards and banlists.")),
        "fmt": ("fmt", _("Rewrite decklists in one canonical notation.")),
        "convert": ("convert", _("Convert a decklist to another notation.")),
        "init": ("init", _("Set up checking for a folder of decks.")),
        "rule": ("rule", _("Explain a rule, or list all rules.")),
        "which": ("which", _("Find the formats in which a deck is legal.")),
        "repair": ("repair", _("Find the legal deck nearest to an illegal one.")),
        "completion": ("completion", _("Print a completion script for your shell.")),
        "impact": ("impact", _("Find the decks that a change of the banlists affects.")),
        "bulk": ("bulk", _("Judge stored decks by the million.")),
        "sheet": ("sheet", _("Make printable decklist sheets.")),
        "seal": ("seal", _("Register a list without showing it.")),
        "unseal": ("seal", _("Prove that an opened list is the sealed one.")),
        "verify": ("verify", _("Compare a deck at the table with the registered list.")),
        "formats": ("formats", _("List, explain and test formats.")),
        "cards": ("cards", _("Look up and import cards.")),
        "banlists": ("import_command", _("Work with dated banlists.")),
        "event": ("event", _("Run deck registration for an event.")),
    }
)
"""Each command with its module beside this one and its line in the help, in the order of the help."""


def program() -> NoReturn:
    """Run `main` and end the process without cleaning up."""
    gc.set_threshold(GC_THRESHOLD, 20, 20)
    try:
        main()
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            raise
        _leave(end.code or 0)


def main() -> NoReturn:
    """Run the command line and exit with its status: ^C is 130, a closed pipe 141, and there is never a traceback."""
    try:
        from deckcheck.cli.command import Run, guarded
        from deckcheck.cli.terminal import language_of_arguments

        arguments = sys.argv[1:]
        lang = language_of_arguments(arguments)
        sys.exit(guarded(lambda: _run(arguments, lang), Run(lang=lang)))
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def _run(arguments: Sequence[str], lang: str) -> int:
    if os.environ.get("_DECKCHECK_COMPLETE"):
        from deckcheck.cli.completion import complete, typed_words

        complete(make_app(typed_words(), lang), lang)
    from deckcheck.cli.command import NOT_DONE, Command, run_typer

    name, *rest = re.sub(r"\n--lang[=\n](?:ja|en)(?=\n|$)", "", "\n".join(["", *arguments]))[1:].split("\n")
    if name in COMMANDS and not rest:
        item = getattr(import_module(f"deckcheck.cli.{COMMANDS[name][0]}"), name)
        if isinstance(item, Command) and not isinstance(item.help_if_bare, bool):
            from deckcheck.cli.terminal import tell

            tell(lang, *item.help_if_bare)
            return NOT_DONE
    return run_typer(make_app(arguments, lang), lang)


def make_app(arguments: Sequence[str] | None = None, lang: str = "en") -> "typer.Typer":
    """The command that the arguments name, without its siblings.

    If they name none, every command with its line in the help; without arguments every command as it is.
    """
    import typer

    from deckcheck.cli.command import Command

    app = typer.Typer(
        name="deckcheck",
        help=_("Check decklists against format rules and banlists.").in_(lang),
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

    named = arguments[0] if arguments else None
    for name, (module, summary) in COMMANDS.items():
        if arguments is None or name == named:
            # `import` is a reserved word in Python.
            attribute = "import_" if name == "import" else name
            _add(app, name, getattr(import_module(f"deckcheck.cli.{module}"), attribute), lang)
        elif named not in COMMANDS:
            _add(app, name, Command(_nothing, summary), lang)
    return app


def _add(app: "typer.Typer", name: str, item: "Command | Group", lang: str) -> None:
    import typer

    from deckcheck.cli.command import Command

    if isinstance(item, Command):
        app.command(
            name,
            help=item.help.in_(lang),
            # Typer doesn't recognise 。 as the end of a sentence.
            short_help=re.split(r"(?<=。)|(?<=[.])\s", item.help.in_(lang), maxsplit=1)[0],
            epilog=None if item.epilog is None else item.epilog.in_(lang),
            no_args_is_help=item.help_if_bare is True,
        )(item.run)
        return
    default = item.default
    group = typer.Typer(
        help=item.help.in_(lang),
        rich_markup_mode=None,
        no_args_is_help=default is None,
        invoke_without_command=default is not None,
    )
    # Without a callback, typer makes a group with one command that command.
    group.callback()(_nothing if default is None else default.run)
    for inner, below in item.commands.items():
        _add(group, inner, below, lang)
    app.add_typer(group, name=name)


def _nothing() -> None:
    pass


def _version(wanted: bool) -> None:
    if wanted:
        import typer

        from deckcheck.support import VERSION

        typer.echo(f"deckcheck {VERSION}")
        raise typer.Exit


def _leave(status: int) -> NoReturn:
    """Exit at once: cleaning up every object takes Python longer than checking a deck.

    If a thread still runs or something can't be written, Python ends as usual.
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
