"""The program: its commands in the order of their use, its language, and how it ends."""

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

import typer

from deckcheck.cli import options as opt
from deckcheck.cli.help import Group, first_sentence, speak, spoken, translate
from deckcheck.cli.run import Run, Status, errors_told
from deckcheck.support import VERSION
from deckcheck.support.errors import UserError, suggest, user_error
from deckcheck.support.messages import N_, _, series
from deckcheck.support.terminal import asked_language, show

PROGRAM = "deckcheck"


class Command(NamedTuple):
    """Where a command is, in this package, and its line in the help."""

    module: str
    summary: str


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "check": Command("check", N_("Check decks.")),
        "which": Command("which_and_impact", N_("Find the formats in which a deck is legal.")),
        "repair": Command("fmt_convert_repair", N_("Find the legal deck nearest to an illegal one.")),
        "fmt": Command("fmt_convert_repair", N_("Rewrite decklists in one canonical notation.")),
        "convert": Command("fmt_convert_repair", N_("Convert a decklist to another notation.")),
        "serve": Command("init_and_serve", N_("Serve a page on which players paste and check lists.")),
        "sheet": Command("event_sheet_verify", N_("Make printable decklist sheets.")),
        "formats": Command("formats_rules_banlists", N_("List, explain and test formats.")),
        "banlists": Command(
            "formats_rules_banlists", N_("List the banlists, and up to which day each is known.")
        ),
        "rule": Command("formats_rules_banlists", N_("Explain a rule, or list all rules.")),
        "cards": Command("cards_and_import", N_("Look up cards.")),
        "init": Command("init_and_serve", N_("Set up checking for a folder of decks.")),
        "impact": Command("which_and_impact", N_("Find the decks that a change of the banlists affects.")),
        "import": Command("cards_and_import", N_("Import cards and banlists.")),
        "event": Command("event_sheet_verify", N_("Run deck registration for an event.")),
        "verify": Command("event_sheet_verify", N_("Compare a deck at the table with the registered list.")),
    }
)
"""Every command, in the order of the help."""


def app_of(name: str) -> Any:
    """The app of a command, its module imported."""
    return getattr(importlib.import_module(f"deckcheck.cli.{COMMANDS[name].module}"), f"{name}_app")


class Program(Group):
    """`deckcheck`: its commands are imported when they are asked for."""

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        run = Run(asked_language(args))
        speak(run.lang)
        translate(self)
        with errors_told(run):
            return super().make_context(info_name, args, parent, obj=run, **extra)

    def invoke(self, ctx: Any) -> None:
        with errors_told(ctx.obj):
            raise typer.Exit(int(super().invoke(ctx) or Status.OK))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, name: str) -> Any:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        command = typer.main.get_command(app_of(name))
        translate(command)
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            raise _unknown_command(args[0])
        return super().resolve_command(ctx, args)

    def summaries(self, ctx: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(name, first_sentence(spoken(command.summary))) for name, command in COMMANDS.items()]


def _unknown_command(name: str) -> UserError:
    """The error for a word that is no command, with what was probably meant."""
    from shlex import quote

    hint = None
    if name == "-" or Path(name).exists():
        hint = _("did you mean: {command}", command=f"{PROGRAM} check {quote(name)}")
    elif similar := suggest(name, [*COMMANDS]):
        hint = _("did you mean: {command}", command=series(f"{PROGRAM} {other}" for other in similar))
    return user_error(_("there is no command {name!r}", name=name), hint=hint)


app = typer.Typer(
    cls=Program,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
    help=N_(
        "Check decklists against format rules and banlists. Every command ends with 0 if all is well, 1 if "
        "something is wrong with a deck, 2 if something could not be read or done, and 3 if something is undecided."
    ),
)


def _show_version(asked: bool) -> None:
    if asked:
        show(f"{PROGRAM} {VERSION}\n")
        raise typer.Exit()


@app.callback()
def program(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help=N_("Show the version.")),
    ] = False,
    _lang: opt.Lang = None,
) -> None:
    """What can stand before a command."""


def main() -> None:
    """Run the command line of this process, and exit with its status."""
    try:
        app(prog_name=PROGRAM)
    except KeyboardInterrupt:
        sys.exit(int(Status.INTERRUPTED))
    except Exception:
        # Only completion is outside of `errors_told`, and its user is still typing.
        sys.exit(int(Status.ERROR))
