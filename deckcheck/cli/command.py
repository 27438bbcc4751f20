"""What a command is, which there are, how the one that is named is run, and what happens when something goes wrong."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from deckcheck.cli import options as opt
from deckcheck.cli.options import (
    Parameter,
    UsageError,
    no_such_option,
    option_name,
    quoted,
    read_words,
    values_of,
)
from deckcheck.cli.terminal import (
    show,
    show_values,
    user_language,
    write_messages,
    write_problems,
    write_stderr,
)
from deckcheck.support.dates import day_of_option
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import working_folder
from deckcheck.support.messages import Message, _

PROGRAM = "deckcheck"
NOT_DONE = 2
STOPPED = 130
PIPE_CLOSED = 141
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_HELP: Parameter = opt.flag(_("Show this message and exit."), "--help", "-h").of("help", bool)


class Run:
    """A run of a command: the options that it shares with other commands, and the language of its output.

    Options that the command doesn't take have their defaults; `asked_lang` is None unless an option or a variable sets the
    language. `typed` are the values from the command line by parameter, `variables` those from environment variables.
    """

    format: str | None = opt.option(
        _(
            "Format (default: the deck's “# format: …” line, or the settings); `deckcheck formats` lists them."
        ),
        "ID|FILE",
        "--format",
        "-f",
        env="DECKCHECK_FORMAT",
    )
    as_of: str | None = opt.option(
        _("Apply the rules of this date (default: today)."),
        "YYYY-MM-DD",
        env="DECKCHECK_AS_OF",
        convert=day_of_option,
    )
    best_of: int | None = opt.option(_("Number of games in a match."), "N", min=1, env="DECKCHECK_BEST_OF")
    cards: list[str] = opt.option(
        _("Read more cards from this YAML or JSON Lines file (repeatable)."), "FILE"
    )
    games: list[str] = opt.option(_("Use the games in this folder, too (repeatable)."), "FOLDER")
    notation: Literal["text", opt.ForeignNotation] | None = opt.option(
        _("Notation of the decks (default: detected from their content).")
    )
    game: str | None = opt.option(_("Game ID (optional if there is only one game)."), "ID")
    event: str | None = opt.option(
        _("Event file to take the format, the date and additional cards from."), "EVENT"
    )
    config: str | None = opt.option(
        _("Settings file (default: the nearest deckcheck.toml or pyproject.toml)."),
        "FILE",
        env="DECKCHECK_CONFIG",
    )
    isolated: bool = opt.flag(_("Ignore settings files."))
    output_format: Literal["text", "json"] = opt.option(_("Output format."), default="text")
    output: str | None = opt.option(
        _("Write to this file instead of standard output."), "FILE", "--output", "-o"
    )
    exit_zero: bool = opt.flag(_("Exit with 0 even if problems are found."))
    quiet: bool = opt.flag(_("Show no progress and no details."), "--quiet", "-q")
    color: Literal["auto", "always", "never"] = opt.option(_("When to use colors."), default="auto")
    lang: str = opt.option(
        _("Output language (default: from the locale)."), env="DECKCHECK_LANG", choices=("ja", "en")
    )

    def __init__(
        self,
        lang: str | None = None,
        options: Mapping[str, Any] = _NOTHING,
        typed: Mapping[str, Any] = _NOTHING,
        variables: Mapping[str, Any] = _NOTHING,
    ) -> None:
        defaults = {name: shared_option(name).default_value for name in Run.__annotations__}
        vars(self).update(defaults, **options)
        self.typed, self.variables = typed, variables
        self.asked_lang = options.get("lang")
        self.lang = self.asked_lang or lang or user_language()

    def show(self, template: str, shown: Mapping[str, object], values: Mapping[str, object]) -> None:
        """Write the result: a template filled with `shown`, or a JSON object with `values`, also records and words."""
        if self.output_format == "json":
            show_values(values, self.lang)
            return
        from deckcheck.support.templates import render

        show(render(template, self.lang, **shown))

    def repeated(self) -> list[str]:
        """The options, as words, with which another command judges the same lists alike."""
        words = []
        for name in ("format", "as_of", "best_of", "cards", "games", "notation", "config"):
            value = getattr(self, name)
            values = value if isinstance(value, list) else [] if value is None else [value]
            words += [word for each in values for word in (option_name(name), str(each))]
        return [*words, "--isolated"] if self.isolated else words


def shared_option(name: str) -> Parameter:
    """The option that commands share under this name."""
    parameter: Parameter = vars(Run)[name]
    return parameter.of(name, Run.__annotations__[name])


class Command(NamedTuple):
    """A function that takes a `Run` and its own parameters and returns an exit status, and the texts of its help.

    `options` names those of `Run` that it takes, with * for the place of its own in the help (default: first).
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
            *map(shared_option, first.split()),
            *(parameter.of(name, annotations[name]) for name, parameter in declared),
            *map(shared_option, last.split()),
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
        return [shared_option("lang"), _HELP] if self.default is None else self.default.parameters

    def find(self, name: str) -> "Command | Group":
        """The command with this name. Raises UsageError if there is none."""
        found = self.commands.get(name)
        if found is None:
            from difflib import get_close_matches

            others = get_close_matches(name, self.commands)
            if others:
                message = _(
                    "No such command {name!r}. Did you mean {others}?", name=name, others=quoted(others)
                )
            else:
                message = _("No such command {name!r}.", name=name)
            raise UsageError(message)
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


def command(help: Message, options: str = "lang", **more: Any) -> Callable[[Callable[..., int]], Command]:
    """Make a `Command` of a function, each of whose parameters but the first has an option or an argument as its default."""
    return lambda function: Command(function, help, options, **more)


@command(_("Check decklists against format rules and banlists."), "* lang", help_if_bare=True)
def _program(_run: Run, version: bool = opt.flag(_("Show the version."))) -> int:
    if version:
        from deckcheck.support import VERSION

        show(f"{PROGRAM} {VERSION}\n")
    return 0


COMMANDS: Mapping[str, LazyCommand] = MappingProxyType(
    {
        "check": LazyCommand("check", _("Check decks.")),
        "import": LazyCommand("import_command", _("Import cards and banlists.")),
        "fmt": LazyCommand("fmt", _("Rewrite decklists in one canonical notation.")),
        "convert": LazyCommand("convert", _("Convert a decklist to another notation.")),
        "init": LazyCommand("init", _("Set up checking for a folder of decks.")),
        "rule": LazyCommand("rule", _("Explain a rule, or list all rules.")),
        "which": LazyCommand("which", _("Find the formats in which a deck is legal.")),
        "repair": LazyCommand("repair", _("Find the legal deck nearest to an illegal one.")),
        "completion": LazyCommand("completion", _("Print a completion script for your shell.")),
        "impact": LazyCommand("impact", _("Find the decks that a change of the banlists affects.")),
        "bulk": LazyCommand("bulk", _("Judge stored decks by the million.")),
        "sheet": LazyCommand("sheet", _("Make printable decklist sheets.")),
        "verify": LazyCommand("event", _("Compare a deck at the table with the registered list.")),
        "formats": LazyCommand("formats", _("List, explain and test formats.")),
        "cards": LazyCommand("cards", _("Look up and import cards.")),
        "banlists": LazyCommand("import_command", _("Work with dated banlists.")),
        "event": LazyCommand("event", _("Run deck registration for an event.")),
    }
)
"""Each command with its module in this package and its line in the help, in the order of the help."""

ROOT = Group(_program.help, COMMANDS, _program)


class CommandLine:
    """The words of a command line, read from left to right, and the command that they name so far with its `path`.

    `typed` are the values for the command's parameters.
    """

    def __init__(self) -> None:
        self.item: Command | Group = ROOT
        self.path = PROGRAM
        self.typed: dict[str, Any] = {}

    def read(self, words: Sequence[str]) -> None:
        """Read all words, or as far as they make sense. Raises UsageError."""
        while True:
            parameters = self.item.parameters
            found, rest = read_words(words, parameters, group=isinstance(self.item, Group))
            for name, value in found.items():
                self.typed[name] = [*self.typed.get(name, ()), *value] if isinstance(value, list) else value
            for name in self.typed.keys() - {parameter.name for parameter in parameters}:
                raise no_such_option(option_name(name), parameters)
            if (
                not isinstance(self.item, Group)
                or not rest
                or not self.typed.keys().isdisjoint(("help", "version"))
            ):
                return
            name, *words = rest
            self.item, self.path = self.item.find(name), f"{self.path} {name}"


def run_words(words: Sequence[str], lang: str) -> int:
    """Run the command that the words name, and return its status; `lang` is the language until its options are read."""
    line = CommandLine()
    try:
        line.read(words)
        item, typed = line.item, line.typed
        if "help" in typed:
            show(_help(line, lang))
            return 0
        this = item.default if isinstance(item, Group) else item
        if this is None or (this.help_if_bare and typed.keys() <= {"lang"}):
            if this is not None and not isinstance(this.help_if_bare, bool):
                write_messages(lang, *this.help_if_bare)
            else:
                write_stderr(_help(line, lang))
            return NOT_DONE
        values = values_of(item.parameters, typed)
    except UsageError as error:
        from deckcheck.cli.help import usage

        shown = usage(line.path, line.item.parameters, lang, group=isinstance(line.item, Group))
        write_stderr(f"{shown}\n")
        hint = _("Try '{command}' for help.", command=f"{line.path} --help")
        told = _("Error: {error}", error=error.message)
        write_stderr(f"{hint.in_(lang)}\n\n{told.in_(lang)}\n")
        return NOT_DONE
    own = {name: value for name, value in values.all.items() if name != "help"}
    shared = {name: own.pop(name) for name in this.options.replace("*", "").split()}
    run = Run(lang, shared, values.typed, values.variables)
    return exit_status_of(lambda: this.function(run, **own), run, private=this.private)


def _help(line: CommandLine, lang: str) -> str:
    from deckcheck.cli.help import help_page

    item = line.item
    commands = item.commands if isinstance(item, Group) else {}
    return help_page(
        line.path,
        item.help,
        item.parameters,
        lang,
        commands={name: inner.help for name, inner in commands.items()},
        epilog=item.epilog if isinstance(item, Command) else None,
    )


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
