"""Arguments and options: how commands declare them, and those that several commands share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple

from deckcheck.support.dates import day_of_option
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Message, _

REQUIRED: Any = ...
"""The default of required parameters."""


class Parameter(NamedTuple):
    """An option or argument of a command: what its help shows, and which values it takes.

    An argument has no `names`. `off` is the name that turns a flag off. `convert` takes the name of an option and its value.
    """

    help: Message
    metavar: str | None = None
    names: tuple[str, ...] = ()
    off: str | None = None
    default: Any = None
    env: str | None = None
    min: float | None = None
    max: float | None = None
    convert: Callable[[str, str], Any] | None = None
    name: str = ""
    kind: type = str
    choices: tuple[str, ...] = ()
    is_list: bool = False

    def of(self, name: str, annotation: Any) -> "Parameter":
        """The parameter with this name, whose values the annotation describes."""
        members = getattr(annotation, "__args__", ())
        # A union has no origin, or one that is neither a type nor Literal.
        kind = (
            next(member for member in members if member is not NoneType)
            if NoneType in members
            else annotation
        )
        origin = getattr(kind, "__origin__", kind)
        return self._replace(
            name=name,
            names=tuple(one or "--" + name.replace("_", "-") for one in self.names),
            kind=origin if origin in (bool, int, float) else str,
            choices=kind.__args__ if origin is Literal else (),
            is_list=origin is list,
        )


def option(help: Message, metavar: str | None = None, *names: str, **more: Any) -> Any:
    """An option, as the default of a function's parameter; it has the parameter's name unless `names` are given."""
    return Parameter(help, metavar, names or ("",), **more)


def argument(help: Message, metavar: str | None = None, *, default: Any = REQUIRED) -> Any:
    """An argument of a command, as the default of a function's parameter."""
    return Parameter(help, metavar, default=default)


def flag(
    name: str, help: Message, *, short: str | None = None, off: str | None = None, default: bool = False
) -> Any:
    """An option without a value; `off` is the option that turns it off."""
    return Parameter(help, None, (name,) if short is None else (name, short), off, default)


def split(values: Iterable[str] | None) -> list[str]:
    """Every value of an option that may be given several times, each with several values separated by commas."""
    parts = (part.strip() for value in values or () for part in value.split(","))
    return list(dict.fromkeys(part for part in parts if part))


def refuse_pairs(typed: Mapping[str, Any], pairs: Mapping[str, Sequence[str]]) -> None:
    """Raises UserError for two options that exclude each other; `pairs` has the excluded ones by parameter.

    Environment variables are silently ignored in that case.
    """
    used = {name for name, value in typed.items() if value}
    if typed.get("output_format") == "text":
        used.discard("output_format")
    for pair in ((name, other) for name, others in pairs.items() for other in others):
        if used.issuperset(pair):
            first, second = ("--" + name.replace("_", "-") for name in pair)
            raise user_error(_("{first} cannot be used with {second}", first=first, second=second))


# Options that several commands share.

ForeignNotation = Literal[
    "csv", "tsv", "yaml", "json", "mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk"
]
"""The notations of other tools, which can be read and written."""

PATHS: Any = argument(_("Decklist files, folders, or - for standard input."), "PATH...")
DECK: Any = argument(_("Decklist file, or - for standard input."), "DECK")
EVENT: Any = argument(_("Event file (event.yaml)."), "EVENT")


class Options(NamedTuple):
    """The options that several commands share; options that a command doesn't take have their defaults."""

    format: Annotated[
        str | None,
        option(
            _(
                "Format (default: the deck's “# format: …” line, or the settings); `deckcheck formats` lists them."
            ),
            "ID|FILE",
            "--format",
            "-f",
            env="DECKCHECK_FORMAT",
        ),
    ] = None
    as_of: Annotated[
        str | None,
        option(
            _("Apply the rules of this date (default: today)."),
            "YYYY-MM-DD",
            env="DECKCHECK_AS_OF",
            convert=day_of_option,
        ),
    ] = None
    best_of: Annotated[
        int | None, option(_("Number of games in a match."), "N", min=1, env="DECKCHECK_BEST_OF")
    ] = None
    cards: Annotated[
        list[str] | None,
        option(_("Read more cards from this YAML or JSON Lines file (repeatable)."), "FILE"),
    ] = None
    games: Annotated[
        list[str] | None,
        option(_("Use the games in this folder, too (repeatable)."), "FOLDER"),
    ] = None
    notation: Annotated[
        Literal["text", ForeignNotation] | None,
        option(_("Notation of the decks (default: detected from their content).")),
    ] = None
    game: Annotated[str | None, option(_("Game ID (optional if there is only one game)."), "ID")] = None
    event: Annotated[
        str | None,
        option(_("Event file to take the format, the date and additional cards from."), "EVENT"),
    ] = None
    config: Annotated[
        str | None,
        option(
            _("Settings file (default: the nearest deckcheck.toml or pyproject.toml)."),
            "FILE",
            env="DECKCHECK_CONFIG",
        ),
    ] = None
    isolated: Annotated[bool, flag("--isolated", _("Ignore settings files."))] = False
    output_format: Annotated[Literal["text", "json"], option(_("Output format."))] = "text"
    output: Annotated[
        str | None, option(_("Write to this file instead of standard output."), "FILE", "--output", "-o")
    ] = None
    exit_zero: Annotated[bool, flag("--exit-zero", _("Exit with 0 even if problems are found."))] = False
    quiet: Annotated[bool, flag("--quiet", _("Show no progress and no details."), short="-q")] = False
    color: Annotated[Literal["auto", "always", "never"], option(_("When to use colors."))] = "auto"
    lang: Annotated[
        Literal["ja", "en"] | None,
        option(_("Output language (default: from the locale)."), env="DECKCHECK_LANG"),
    ] = None

    @property
    def card_files(self) -> tuple[str, ...]:
        """The files of `cards`."""
        return tuple(self.cards or ())

    def repeated(self) -> list[str]:
        """The options, as words, with which another command judges the same lists alike."""
        pairs = [
            ("--format", self.format),
            ("--as-of", self.as_of),
            ("--best-of", None if self.best_of is None else str(self.best_of)),
            *(("--cards", file) for file in self.card_files),
            *(("--games", folder) for folder in self.games or ()),
            ("--notation", self.notation),
            ("--config", self.config),
        ]
        words = [word for name, value in pairs if value is not None for word in (name, value)]
        return [*words, "--isolated"] if self.isolated else words
