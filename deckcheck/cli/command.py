"""What a command is: its texts, its parameters and its status, and what happens when something goes wrong."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from deckcheck.cli.options import Options, Parameter, flag
from deckcheck.cli.parsing import UsageError, no_such_option, quoted, read_words, values_of
from deckcheck.cli.terminal import show, user_language, write_messages, write_problems, write_stderr
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import working_folder
from deckcheck.support.messages import Message, _

PROGRAM = "deckcheck"
NOT_DONE = 2
STOPPED = 130
PIPE_CLOSED = 141
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_HELP: Parameter = flag("--help", _("Show this message and exit."), short="-h").of("help", bool)


class Run:
    """A run of a command: the options that it shares with other commands, and the language of its output.

    `typed` are the values from the command line by parameter, `variables` those from environment variables.
    """

    def __init__(
        self,
        options: Options = Options(),
        lang: str | None = None,
        typed: Mapping[str, Any] = _NOTHING,
        variables: Mapping[str, Any] = _NOTHING,
    ) -> None:
        self.options, self.typed, self.variables = options, typed, variables
        self.lang = options.lang or lang or user_language()

    def show(self, template: str, shown: Mapping[str, object], values: Mapping[str, object]) -> None:
        """Write the result: a template filled with `shown`, or a JSON object with `values`, also records and words."""
        if self.options.output_format == "json":
            from deckcheck.report.json import SCHEMA, TOOL, json_page, plain

            head = {"schema": SCHEMA, "tool": dict(TOOL)}
            show(json_page(head | plain(values, self.lang)), exact=True)
        else:
            from deckcheck.support.templates import render

            show(render(template, self.lang, **shown))


class Command(NamedTuple):
    """A function that takes a `Run` and its own parameters and returns an exit status, and the texts of its help.

    `options` names those of `Options` that it takes, with * for the place of its own in the help (default: first).
    `help_if_bare`: the help, or these lines, without arguments. Internal errors of a `private` command show only
    their kind.
    """

    function: Callable[..., int]
    help: Message
    options: str = "lang"
    epilog: Message | None = None
    help_if_bare: bool | Sequence[Message] = False
    private: bool = False

    @property
    def parameters(self) -> list[Parameter]:
        """What can be typed, in the order of the help."""
        code, annotations = self.function.__code__, self.function.__annotations__
        declared = zip(code.co_varnames[1 : code.co_argcount], self.function.__defaults__ or (), strict=True)
        first, _star, last = self.options.rpartition("*")
        return [
            *map(_shared, first.split()),
            *(parameter.of(name, annotations[name]) for name, parameter in declared),
            *map(_shared, last.split()),
            _HELP,
        ]


class Group(NamedTuple):
    """Commands below one word; `default` runs if none follows."""

    help: Message
    commands: "Mapping[str, Command | LazyCommand]"
    default: Command | None = None

    @property
    def parameters(self) -> list[Parameter]:
        """What can be typed before a command."""
        return [_shared("lang"), _HELP] if self.default is None else self.default.parameters

    def find(self, name: str) -> "Command | Group | None":
        """The command with this name; None if there is none."""
        found = self.commands.get(name)
        return found.load(name) if isinstance(found, LazyCommand) else found


class LazyCommand(NamedTuple):
    """A command whose module is loaded when it is needed."""

    module: str
    help: Message

    def load(self, name: str) -> Command | Group:
        """The command, from the module's attribute with its name."""
        # `import` is a reserved word in Python.
        attribute = "import_" if name == "import" else name
        found: Command | Group = getattr(import_module(f"deckcheck.cli.{self.module}"), attribute)
        return found


def _shared(name: str) -> Parameter:
    annotation = Options.__annotations__[name]
    declared: Parameter = annotation.__metadata__[0]
    return declared._replace(default=Options._field_defaults[name]).of(name, annotation.__origin__)


def command(
    help: Message,
    options: str = "lang",
    *,
    epilog: Message | None = None,
    help_if_bare: bool | Sequence[Message] = False,
    private: bool = False,
) -> Callable[[Callable[..., int]], Command]:
    """Make a `Command` of a function, each of whose parameters but the first has an option or an argument as its default."""
    return lambda function: Command(function, help, options, epilog, help_if_bare, private)


def run_words(item: Command | Group, words: Sequence[str], lang: str) -> int:
    """Run the command that the words name, and return its status; `lang` is the language until its options are read."""
    path, typed = PROGRAM, dict[str, Any]()
    try:
        while True:
            parameters = item.parameters
            found, rest = read_words(words, parameters, group=isinstance(item, Group))
            for name, value in found.items():
                typed[name] = [*typed.get(name, ()), *value] if isinstance(value, list) else value
            for name in typed.keys() - {parameter.name for parameter in parameters}:
                raise no_such_option("--" + name.replace("_", "-"), parameters)
            if "help" in typed:
                show(_help(path, item, lang))
                return 0
            if not isinstance(item, Group) or not rest or "version" in typed:
                break
            name, *words = rest
            below = item.find(name)
            if below is None:
                raise _no_such_command(name, item)
            item, path = below, f"{path} {name}"
        this = item.default if isinstance(item, Group) else item
        if this is None or (this.help_if_bare and typed.keys() <= {"lang"}):
            if this is not None and not isinstance(this.help_if_bare, bool):
                write_messages(lang, *this.help_if_bare)
            else:
                write_stderr(_help(path, item, lang))
            return NOT_DONE
        values = values_of(parameters, typed)
    except UsageError as error:
        from deckcheck.cli.help import usage

        hint = _("Try '{command}' for help.", command=f"{path} --help")
        told = _("Error: {error}", error=error.message)
        write_stderr(
            f"{usage(path, item.parameters, lang, group=isinstance(item, Group))}\n{hint.in_(lang)}\n\n{told.in_(lang)}\n"
        )
        return NOT_DONE
    own, names = values.all, this.options.replace("*", "").split()
    del own["help"]
    run = Run(Options(**{name: own.pop(name) for name in names}), lang, values.typed, values.variables)
    return exit_status_of(lambda: this.function(run, **own), run, private=this.private)


def _help(path: str, item: Command | Group, lang: str) -> str:
    from deckcheck.cli.help import help_page

    commands = item.commands if isinstance(item, Group) else {}
    return help_page(
        path,
        item.help,
        item.parameters,
        lang,
        commands={name: inner.help for name, inner in commands.items()},
        epilog=item.epilog if isinstance(item, Command) else None,
    )


def _no_such_command(name: str, group: Group) -> UsageError:
    from difflib import get_close_matches

    others = get_close_matches(name, group.commands)
    if others:
        return UsageError(
            _("No such command {name!r}. Did you mean {others}?", name=name, others=quoted(others))
        )
    return UsageError(_("No such command {name!r}.", name=name))


def exit_status_of(work: Callable[[], int], run: Run, *, private: bool = False) -> int:
    """The status that `work` returns; for an error, shows a message and returns its status."""
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
            # Read errors are caught where files are read, so this is a write error.
            problems = (Problem(_("can't be written: {reason}", reason=error.strerror or str(error))),)
        except UserError as gone:
            problems = gone.problems
    except MemoryError:
        problems = (Problem(_("out of memory")),)
    except Exception as error:
        # An internal error must not look like an illegal deck.
        kind = type(error).__name__
        shown = kind if private else f"{kind}: {error}"
        problems = (Problem(_("internal error in deckcheck ({error})", error=shown)),)
    write_problems(problems, run.lang)
    return NOT_DONE


def abandon_output() -> None:
    """Prevent the interpreter from writing to the closed pipe again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
