"""What a command is: its texts, its status, and what is said, by typer too, when something goes wrong."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial, wraps
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from deckcheck.cli.terminal import complain, tell_problems, user_language
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import working_folder
from deckcheck.support.messages import Message, _

if TYPE_CHECKING:
    import typer

NOT_DONE = 2
STOPPED = 130
PIPE_CLOSED = 141


class Command(NamedTuple):
    """A function as typer calls it, and the texts of its help. `help_if_bare`: without arguments the help is shown."""

    run: Callable[..., None]
    help: Message
    epilog: Message | None = None
    help_if_bare: bool = False


class Group(NamedTuple):
    """Commands below one word; `default` takes the options of the word itself."""

    help: Message
    commands: Mapping[str, Command]
    default: Callable[..., None] | None = None


def command(
    help: Message, *, epilog: Message | None = None, help_if_bare: bool = False, private: bool = False
) -> Callable[[Callable[..., int]], Command]:
    """Make a command of a function that returns an exit status.

    Of an internal error in a `private` command only the kind is told: its words may hold what nobody else may see.
    """

    def decorate(function: Callable[..., int]) -> Command:
        @wraps(function)
        def run(**options: Any) -> None:
            from typer import Exit

            raise Exit(guarded(lambda: function(**options), options.get("lang"), private=private))

        return Command(run, help, epilog, help_if_bare)

    return decorate


def guarded(work: Callable[[], int], lang: str | None, *, private: bool = False) -> int:
    """The status that `work` returns; for what goes wrong a message and the status that belongs to it."""
    try:
        return work()
    except UserError as error:
        problems = error.problems
    except BrokenPipeError:
        abandon_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return STOPPED
    except OSError as error:
        abandon_output()
        try:
            working_folder()
            # Errors of reading are caught where files are read, so this is about writing.
            problems = (Problem(_("can't be written: {reason}", reason=error.strerror or str(error))),)
        except UserError as gone:
            problems = gone.problems
    except MemoryError:
        problems = (Problem(_("out of memory")),)
    except Exception as error:
        # A mistake of ours must not look like an illegal deck.
        kind = type(error).__name__
        shown = kind if private else f"{kind}: {error}"
        problems = (Problem(_("internal error in deckcheck ({error})", error=shown)),)
    tell_problems(problems, lang or user_language())
    return NOT_DONE


def abandon_output() -> None:
    """Keep the interpreter from writing to the closed pipe once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Typer's side of it

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
    from typer import BadParameter
    from typer.main import get_command

    # What every mistake in the use of a command is; typer has no name for it.
    usage_error: type[Any] = BadParameter.__mro__[1]
    command = get_command(app)
    localize(command, lang)
    try:
        return int(command(standalone_mode=False) or 0)
    except usage_error as error:
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
        make = getattr(command, name)
        setattr(command, name, lambda context, make=make: translated(make(context), lang))
    for inner in getattr(command, "commands", {}).values():
        localize(inner, lang)


def translated(text: str, lang: str) -> str:
    """What typer wrote, with its own words in the language."""
    if lang == "en":
        return text

    def reworded(match: re.Match[str], message: Message) -> str:
        fields = match.groupdict()
        for name in fields.keys() & {"error", "reason"}:
            for known in _ERRORS:
                pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(known.key))
                if mistake := re.fullmatch(pattern, fields[name], re.DOTALL):
                    fields[name] = reworded(mistake, known)
                    break
        return message.filled(**fields).in_(lang)

    def extras(match: re.Match[str]) -> str:
        found = match[0]
        for pattern, message in _EXTRAS:
            found = re.sub(pattern, message.in_(lang), found)
        return found

    for pattern, message in _FRAME:
        text = re.sub(pattern, partial(reworded, message=message), text, flags=re.MULTILINE)
    return re.sub(r"\[(?:default|env\s+var|required)\b[^]]*\]", extras, text)
