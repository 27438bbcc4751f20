"""Typer's commands with help in the user's language, and Japanese wrapped by its width."""

import gettext
import os
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from deckcheck.support.messages import LOCALE, N_, Message
from deckcheck.support.safe_text import cells

_COMMANDS = N_("Commands")
_EXAMPLES = N_("Examples")
_USAGE = N_("Usage: ")
_HELP = N_("Show this message and exit.")

TYPER_WORDS = (
    N_("Arguments"),
    N_("Options"),
    N_("default: {default}"),
    N_("env var: {var}"),
    N_("required"),
    N_("Install completion for the current shell."),
    N_("Show completion for the current shell, to copy it or customize the installation."),
)
"""What typer says in help pages, for which our catalogue has the Japanese."""

# Japanese may be broken anywhere but here.
_NOT_BEFORE = "、。，．・：；？！）」』”ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_NOT_AFTER = "（「『“"
_JOINT = "\0"

Function = TypeVar("Function", bound=Callable[..., Any])

# Typer exports its context, but not what that writes help pages with.
_HelpFormatter: Any = typer.Context.formatter_class


def speak(lang: str) -> None:
    """From here on help is in this language, also what typer says in it."""
    os.environ["LANGUAGE"] = lang
    gettext.bindtextdomain("deckcheck", LOCALE)
    gettext.textdomain("deckcheck")


def spoken(text: str | None) -> str:
    """A text of the catalogue in the language of the help."""
    return Message(text).template(os.environ["LANGUAGE"]) if text else ""


def translate(command: Any) -> None:
    """Put the help of a command, of its options and of the commands below it into the language of the help."""
    command.help = spoken(command.help)
    for parameter in command.params:
        parameter.help = spoken(parameter.help)
    if isinstance(command, TyperGroup):
        for inner in command.commands.values():
            translate(inner)


def first_sentence(text: str) -> str:
    """The first sentence of a help text."""
    return re.split(r"(?<=。)|(?<=[.])\s", text, maxsplit=1)[0]


class Page(_HelpFormatter):  # type: ignore[misc]
    """A help page on which a wide character takes two cells.

    Typer counts characters, so each wide one gets a second while the text is wrapped: a blank, at which a line may be
    broken, or a joint.
    """

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or spoken(_USAGE))

    def write_text(self, text: str) -> None:
        super().write_text(_widened(text))

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl([(name, _widened(text)) for name, text in rows], col_max, col_spacing)

    def getvalue(self) -> str:
        return re.sub("(.) ", _without_blank, super().getvalue().replace(_JOINT, ""))


def _widened(text: str) -> str:
    wide = []
    for char, following in zip(text, f"{text[1:]} ", strict=True):
        wide.append(char)
        if cells(char) == 2:
            wide.append(_JOINT if char in _NOT_AFTER or following in _NOT_BEFORE else " ")
    return "".join(wide)


def _without_blank(match: re.Match[str]) -> str:
    return match[1] if cells(match[1]) == 2 else match[0]


class Context(typer.Context):
    formatter_class = Page


class _Translated:
    """What `Command` and `Group` share. The epilog of a command is its examples, one a line."""

    context_class: Any = Context

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, with the language, which every command takes as the program itself does."""
        own = super().get_params(ctx)  # type: ignore[misc]
        program = ctx.find_root().command.params
        return [*own, *(param for param in program if param.name == "_lang" and param not in own)]

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        option.help = spoken(_HELP)
        return option

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        if self.epilog:  # type: ignore[attr-defined]
            with formatter.section(spoken(_EXAMPLES)):
                for example in self.epilog.splitlines():  # type: ignore[attr-defined]
                    formatter.write(f"  {_widened(example)}\n")


class Command(_Translated, TyperCommand):
    """A command."""


class Group(_Translated, TyperGroup):
    """Commands below one word."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section(spoken(_COMMANDS)):
            formatter.write_dl(self.summaries(ctx))

    def summaries(self, ctx: Any) -> list[tuple[str, str]]:
        """Each command with the first sentence of its help."""
        return [(name, first_sentence(self.commands[name].help or "")) for name in self.list_commands(ctx)]


class App(typer.Typer):
    """A command of the program, or a group of commands."""

    def __init__(self, **options: Any) -> None:
        super().__init__(add_completion=False, rich_markup_mode=None, **options)

    def command(
        self, name: str | None = None, *, no_args_is_help: bool = True, **options: Any
    ) -> Callable[[Function], Function]:
        """Make a function a command, which shows its help where nothing is typed behind it.

        The object of its context is the run. What the function returns is the exit status; without one it is 0.
        """
        return super().command(name, cls=Command, no_args_is_help=no_args_is_help, **options)
