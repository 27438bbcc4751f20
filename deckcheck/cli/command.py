"""What a command is: its texts, its options and its status, and what is written, by typer too, when something goes wrong."""

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from deckcheck.cli.options import Options
from deckcheck.cli.terminal import complain, tell_problems, user_language
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import working_folder
from deckcheck.support.messages import Message, _

if TYPE_CHECKING:
    import typer

PROGRAM = "deckcheck"
NOT_DONE = 2
STOPPED = 130
PIPE_CLOSED = 141
LOCALE = Path(__file__).parents[1] / "locale"


class Run:
    """A run of a command: the options that it shares with others, and the language of what it writes."""

    def __init__(self, options: Options = Options(), lang: str | None = None) -> None:
        self.options = options
        self.lang = lang or options.lang or user_language()


class Command(NamedTuple):
    """A function as typer calls it, and the texts of its help.

    `help_if_bare`: without arguments the help is shown, or those lines.
    """

    run: Callable[..., None]
    help: Message
    epilog: Message | None = None
    help_if_bare: bool | Sequence[Message] = False


class Group(NamedTuple):
    """Commands below one word; `default` runs before each of them, and where none follows."""

    help: Message
    commands: Mapping[str, Command]
    default: Command | None = None


def command(
    help: Message,
    options: str = "lang",
    *,
    epilog: Message | None = None,
    help_if_bare: bool | Sequence[Message] = False,
    private: bool = False,
) -> Callable[[Callable[..., int]], Command]:
    """Make a command of a function that takes a `Run` and its own options, and returns an exit status.

    `options` names those of `Options` that the command takes, with * where its own stand in the help (default: first).
    Internal errors of a `private` command show only their kind.
    """

    def decorate(function: Callable[..., int]) -> Command:
        @wraps(function)
        def run(**values: Any) -> None:
            from typer import Exit

            this = Run(Options(**{name: values.pop(name) for name in options.split() if name != "*"}))
            if status := guarded(lambda: function(this, **values), this, private=private):
                raise Exit(status)

        _run, *own = inspect.signature(function).parameters.values()

        def shared(name: str) -> inspect.Parameter:
            default, annotation = Options._field_defaults[name], Options.__annotations__[name]
            return _run.replace(name=name, default=default, annotation=annotation)

        first, _star, last = options.rpartition("*")
        parameters = [*map(shared, first.split()), *own, *map(shared, last.split())]
        # Python wants those without a default first; they are arguments, whose place among options doesn't matter.
        parameters.sort(key=lambda parameter: parameter.default is not parameter.empty)
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return Command(run, help, epilog, help_if_bare)

    return decorate


def guarded(work: Callable[[], int], run: Run, *, private: bool = False) -> int:
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
    tell_problems(problems, run.lang)
    return NOT_DONE


def abandon_output() -> None:
    """Keep the interpreter from writing to the closed pipe once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Typer's own words

_WORDS = (
    _("Arguments"),
    _("Options"),
    _("Commands"),
    _("default: {default}"),
    _("env var: {var}"),
    _("required"),
)
"""What typer takes from the catalogue itself, by gettext."""

_SENTENCES = (
    _("Show this message and exit."),
    _("{value} is not one of {choices}."),
    _("{value} is not a whole number."),
    _("{value} is too small: at least {least}."),
    _("Invalid value for {name} (env var: {variable}): {reason}"),
    _("Invalid value for {name}: {reason}"),
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
    _("Try '{command}' for help."),
    _("Error: {error}"),
    _("Usage: {usage}"),
)
"""What typer can write only in English: those that are part of others first, and of two that fit the longer one."""

_PLAINER = {
    r"is not a valid int(?:eger)?(?: range)?\.": "is not a whole number.",
    r"is not in the range x>=(\d+)\.": r"is too small: at least \1.",
}
"""What typer words for programmers."""

_FIELDS = {
    **dict.fromkeys(("value", "name", "variable"), r"'[^']*'|\"[^\"]*\"|\S+"),
    "choices": r"(?:.|\n)+",
}


def run_typer(app: "typer.Typer", lang: str) -> int:
    """Run the command that the arguments of the process name, and return its status."""
    from typer import BadParameter
    from typer.main import get_command

    # The error of every mistake in the use of a command; typer has no name for it.
    usage_error: type[Any] = BadParameter.__mro__[1]
    command = get_command(app)
    localize(command, lang)
    try:
        return int(command(prog_name=PROGRAM, standalone_mode=False) or 0)
    except usage_error as error:
        text = StringIO()
        with _gettext_in(lang):
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
    for parameter in command.params:
        if getattr(parameter, "help", None):
            parameter.help = Message(parameter.help).in_(lang)

    def in_language(make: Callable[[Any], str]) -> Callable[[Any], str]:
        def made(context: Any) -> str:
            with _gettext_in(lang):
                return translated(make(context), lang)

        return made

    for name in ("get_help", "get_usage"):
        setattr(command, name, in_language(getattr(command, name)))
    for inner in getattr(command, "commands", {}).values():
        localize(inner, lang)


@contextmanager
def _gettext_in(lang: str) -> Iterator[None]:
    """Let typer's own words come from our catalogue; whatever else the process does has its language as before."""
    import gettext

    gettext.bindtextdomain("deckcheck", str(LOCALE))
    domain, language = gettext.textdomain(), os.environ.get("LANGUAGE")
    gettext.textdomain("deckcheck")
    os.environ["LANGUAGE"] = lang
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if language is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = language


def translated(text: str, lang: str) -> str:
    """What typer wrote, with its sentences in the language."""
    for pattern, plain in _PLAINER.items():
        text = re.sub(pattern, plain, text)
    if lang == "en":
        return text
    for message in _SENTENCES:
        parts = re.split(r"\{(\w+)\}", message.key)
        parts[::2] = map(re.escape, parts[::2])
        parts[1::2] = (f"(?P<{name}>{_FIELDS.get(name, '.+')})" for name in parts[1::2])
        if found := re.search("".join(parts), text):
            text = text.replace(found[0], message.filled(**found.groupdict()).in_(lang))
    return text
