"""Typer's side of the command line in the user's language: help texts and usage errors."""

from __future__ import annotations

import re
from functools import partial
from io import StringIO
from typing import Any

import typer
from typer.main import get_command

from deckcheck.cli.command import PIPE_CLOSED, abandon_output
from deckcheck.cli.terminal import complain
from deckcheck.support.messages import Message, _

UsageError: type[Any] = typer.BadParameter.__mro__[1]
"""What every mistake in the use of a command is; typer has no name for it."""

_FRAME = (
    (r"^Usage: (?P<usage>.*)$", _("Usage: {usage}")),
    (r"^Arguments:$", _("Arguments:")),
    (r"^Options:$", _("Options:")),
    (r"^Commands:$", _("Commands:")),
    (r"^Error: (?P<error>(?:.|\n)*\S)", _("Error: {error}")),
    (r"^Try '(?P<command>.*)' for help\.$", _("Try '{command}' for help.")),
    (r"\bShow this message and exit\.", _("Show this message and exit.")),
)
"""Patterns of what typer writes around our texts, line by line."""

_EXTRAS = (
    (r"\bdefault:", _("default:")),
    (r"\benv\s+var:", _("environment variable:")),
    (r"\brequired\b", _("required")),
)
"""The same for what stands in brackets behind the text of an option."""

_ERRORS = (
    _("No such command {name}. Did you mean {others}?"),
    _("No such command {name}."),
    _("No such option: {name} Did you mean {others}?"),
    _("No such option: {name} (Possible options: {others})"),
    _("No such option: {name}"),
    _("Missing command."),
    _("Missing argument {name}. Choose from:{choices}"),
    _("Missing argument {name}."),
    _("Missing option {name}. Choose from:{choices}"),
    _("Missing option {name}."),
    _("Got unexpected extra argument(s) ({words})"),
    _("Got unexpected extra argument ({words})"),
    _("Got unexpected extra arguments ({words})"),
    _("Option {name} requires an argument."),
    _("Option {name} does not take a value."),
    _("Invalid value for {name} (env var: {variable}): {reason}"),
    _("Invalid value for {name}: {reason}"),
    _("{value} is not one of {choices}."),
    _("{value} is not a valid {kind}."),
    _("{value} is not in the range {range}."),
)
"""What typer says of mistakes; of two that fit the first counts."""


def run_typer(app: typer.Typer, lang: str) -> int:
    """Run the command that the arguments of the process name, and return its status."""
    command = get_command(app)
    localize(command, lang)
    try:
        return int(command(standalone_mode=False) or 0)
    except UsageError as error:
        text = StringIO()
        error.show(text)
        complain(translated(text.getvalue(), lang))
        return int(error.exit_code)
    except SystemExit as end:
        # Typer turns a closed pipe into a failure.
        if isinstance(end.__context__, BrokenPipeError):
            abandon_output()
            return PIPE_CLOSED
        raise


def localize(command: Any, lang: str) -> None:
    """Put the help of a command and of all below it into the language."""
    if lang == "en":
        return
    for item in (command, *command.params):
        for name in ("help", "short_help", "epilog"):
            text = getattr(item, name, None)
            if text:
                setattr(item, name, Message(text).in_(lang))
    for name in ("get_help", "get_usage"):
        setattr(command, name, partial(_translated_result, getattr(command, name), lang))
    for inner in getattr(command, "commands", {}).values():
        localize(inner, lang)


def _translated_result(make: Any, lang: str, context: Any) -> str:
    return translated(make(context), lang)


def translated(text: str, lang: str) -> str:
    """What typer wrote, with its own words in the language."""
    if lang == "en":
        return text
    for pattern, message in _FRAME:
        text = re.sub(pattern, partial(_reworded, message, lang), text, flags=re.MULTILINE)
    return re.sub(r"\[(?:default|env\s+var|required)\b[^]]*\]", partial(_extras, lang), text)


def _reworded(message: Message, lang: str, match: re.Match[str]) -> str:
    fields = {
        name: _mistake(value, lang) if name in ("error", "reason") else value
        for name, value in match.groupdict().items()
    }
    return message._replace(fields=tuple(fields.items())).in_(lang)


def _mistake(text: str, lang: str) -> str:
    for message in _ERRORS:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(message.key))
        if match := re.fullmatch(pattern, text, re.DOTALL):
            return _reworded(message, lang, match)
    return text


def _extras(lang: str, match: re.Match[str]) -> str:
    text = match[0]
    for pattern, message in _EXTRAS:
        text = re.sub(pattern, message.in_(lang), text)
    return text
