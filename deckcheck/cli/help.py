"""Typer's commands with help in the user's language, options under headings, and Japanese wrapped by its width."""

import re
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from deckcheck.cli.run import Run
from deckcheck.support.messages import N_, Message, _
from deckcheck.support.safe_text import cells

# Headings of options, in the order of the help; the first is for those that name none.
OPTIONS = N_("Options")
RULES = N_("Format and date")
DATA = N_("Cards and settings")
FILES = N_("Which files")
OUTPUT = N_("Output")

_ARGUMENTS = N_("Arguments")
_HEADINGS = (_ARGUMENTS, OPTIONS, RULES, DATA, FILES, OUTPUT)
_EXAMPLES = N_("Examples:")
_HELP = N_("Show this message and exit.")

# Japanese may be broken anywhere but here.
_NOT_BEFORE = "、。，．・：；？！）」』”ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_NOT_AFTER = "（「『“"
_JOINT = "\0"

# Typer exports its context, but not what that writes help pages with.
_HelpFormatter: Any = typer.Context.formatter_class


def examples(*commands: str) -> str:
    """The beginning of an epilog: commands to copy."""
    lines = "".join(f"  {command}\n" for command in commands)
    # Typer doesn't wrap a block that begins so.
    return f"{_EXAMPLES}\n\n\b\n{lines}\n"


def translated(text: str, lang: str) -> str:
    """A help text in `lang`, paragraph by paragraph."""
    return "\n\n".join(Message(paragraph).in_(lang) for paragraph in text.split("\n\n")) if text else ""


def translate(command: Any, lang: str) -> None:
    """Put the texts of a command, of its options and of the commands below it into `lang`."""
    command.help = translated(command.help or "", lang)
    command.epilog = translated(command.epilog or "", lang)
    for parameter in command.params:
        parameter.help = translated(parameter.help or "", lang)
    if isinstance(command, TyperGroup):
        for inner in command.commands.values():
            translate(inner, lang)


class Page(_HelpFormatter):  # type: ignore[misc]
    """A help page on which a wide character takes two cells.

    Typer counts characters, so each wide one gets a second while the text is wrapped: a blank, at which a line may be
    broken, or a joint.
    """

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
    """What `Command` and `Group` share."""

    context_class: Any = Context

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, pieces, _("Usage: ").in_(_language(ctx)))

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        option.help = translated(_HELP, _language(ctx))
        return option

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in _HEADINGS}
        for parameter in self.get_params(ctx):  # type: ignore[attr-defined]
            is_argument = parameter.param_type_name == "argument"
            record = parameter.get_help_record(ctx)
            if record is not None:
                sections[_ARGUMENTS if is_argument else parameter.rich_help_panel or OPTIONS].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(translated(heading, _language(ctx))):
                    formatter.write_dl(records)


def _language(ctx: Any) -> str:
    run: Run = ctx.obj
    return run.lang


class Command(_Translated, TyperCommand):
    """A command."""


class Group(_Translated, TyperGroup):
    """Commands below one word."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section(_("Commands").in_(_language(ctx))):
            formatter.write_dl(self.summaries(ctx))

    def summaries(self, ctx: Any) -> list[tuple[str, str]]:
        """Each command with the first sentence of its help."""
        return [(name, first_sentence(self.commands[name].help or "")) for name in self.list_commands(ctx)]


def first_sentence(text: str) -> str:
    """The first sentence of a help text."""
    return re.split(r"(?<=。)|(?<=[.])\s", text, maxsplit=1)[0]
