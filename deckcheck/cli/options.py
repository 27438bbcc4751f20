"""Arguments and options: how commands declare them, and those that several commands share."""

# Typer reads annotations, so no module of a command turns them into strings.

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import typer

from deckcheck.support.errors import user_error
from deckcheck.support.messages import Message, _


def option(
    help: Message,
    metavar: str | None = None,
    *names: str,
    default: Any = None,
    env: str | None = None,
    **more: Any,
) -> Any:
    """An option, as the default of its parameter, whose name it has unless `names` are given; `...` makes it required."""
    return typer.Option(
        default,
        *names,
        metavar=metavar,
        envvar=env,
        help=help.key,
        autocompletion=_completion(metavar),
        **more,
    )


def argument(help: Message, metavar: str | None = None, *, default: Any = ..., **more: Any) -> Any:
    """An argument of a command, as the default of its parameter."""
    return typer.Argument(
        default, metavar=metavar, help=help.key, autocompletion=_completion(metavar), **more
    )


def flag(name: str, help: Message, *, default: Any = False) -> Any:
    """An option without a value."""
    return typer.Option(default, name, help=help.key)


def _completion(metavar: str | None) -> Callable[[str], list[str]] | None:
    """What a shell offers where this metavar stands."""
    kind = (metavar or "").rstrip(".,")
    if kind not in ("ID|FILE", "RULE", "NAME", "ID"):
        return None

    def offered(incomplete: str) -> list[str]:
        from deckcheck.cli.completion_words import WORDS

        return WORDS[kind](incomplete)

    return offered


def day(parameter: typer.CallbackParam, value: str | None) -> str | None:
    """The value of an option as an ISO date. Raises UserError if there is no such day."""
    if value is None:
        return None
    from deckcheck.support.dates import day_of_option

    return day_of_option(parameter.opts[0], value)


def split(values: Iterable[str] | None) -> list[str]:
    """Every value of an option that may be given several times and may hold several with commas between."""
    parts = (part.strip() for value in values or () for part in value.split(","))
    return list(dict.fromkeys(part for part in parts if part))


def parameters_from(source: Literal["COMMANDLINE", "ENVIRONMENT"], context: typer.Context) -> frozenset[str]:
    """The names of the parameters whose values come from there."""
    sources: dict[str, Any] = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(name for name, found in sources.items() if found is not None and found.name == source)


def refuse_pairs(context: typer.Context, pairs: Mapping[str, Sequence[str]]) -> None:
    """Raises UserError for two options of which one would do nothing, by parameter with those that it excludes.

    A variable gives way silently.
    """
    used = {name for name in parameters_from("COMMANDLINE", context) if context.params[name]}
    if context.params["output_format"] == "text":
        used.discard("output_format")
    for pair in ((name, other) for name, others in pairs.items() for other in others):
        if used.issuperset(pair):
            first, second = ("--" + name.replace("_", "-") for name in pair)
            raise user_error(_("{first} cannot be used with {second}", first=first, second=second))


# Those that several commands share.

_option = partial(option, default=...)
_flag = partial(flag, default=...)

ForeignNotation = Literal[
    "csv", "tsv", "yaml", "json", "mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk"
]
"""The notations that decks come in and can be converted to."""

Paths = Annotated[list[str], argument(_("Decklist files, folders, or - for standard input."), "PATH...")]
DeckPath = Annotated[str, argument(_("Decklist file, or - for standard input."), "DECK")]
EventFile = Annotated[str, argument(_("Event file (event.yaml)."), "EVENT")]


class Options(NamedTuple):
    """The options that several commands share, those of a command that doesn't take them with their defaults."""

    format: Annotated[
        str | None,
        _option(
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
        _option(
            _("Apply the rules of this date (default: today)."),
            "YYYY-MM-DD",
            env="DECKCHECK_AS_OF",
            callback=day,
        ),
    ] = None
    best_of: Annotated[
        int | None, _option(_("Number of games in a match."), "N", min=1, env="DECKCHECK_BEST_OF")
    ] = None
    cards: Annotated[
        list[str] | None,
        _option(_("Read more cards from this YAML or JSON Lines file (repeatable)."), "FILE"),
    ] = None
    games: Annotated[
        list[str] | None,
        _option(_("Use the games in this folder, too (repeatable)."), "FOLDER"),
    ] = None
    notation: Annotated[
        Literal["text", ForeignNotation] | None,
        _option(_("Notation of the decks (default: detected from their content).")),
    ] = None
    game: Annotated[str | None, _option(_("Game ID (optional if there is only one game)."), "ID")] = None
    event: Annotated[
        str | None,
        _option(_("Event file to take the format, the date and additional cards from."), "EVENT"),
    ] = None
    config: Annotated[
        str | None,
        _option(
            _("Settings file (default: the nearest deckcheck.toml or pyproject.toml)."),
            "FILE",
            env="DECKCHECK_CONFIG",
        ),
    ] = None
    isolated: Annotated[bool, _flag("--isolated", _("Ignore settings files."))] = False
    output_format: Annotated[Literal["text", "json"], _option(_("Output format."))] = "text"
    output: Annotated[
        str | None, _option(_("Write to this file instead of standard output."), "FILE", "--output", "-o")
    ] = None
    exit_zero: Annotated[bool, _flag("--exit-zero", _("Exit with 0 even if problems are found."))] = False
    quiet: Annotated[bool, _option(_("Show no progress and no details."), None, "--quiet", "-q")] = False
    color: Annotated[Literal["auto", "always", "never"], _option(_("When to use colors."))] = "auto"
    lang: Annotated[
        Literal["ja", "en"] | None,
        _option(_("Output language (default: from the locale)."), env="DECKCHECK_LANG"),
    ] = None

    @property
    def card_files(self) -> tuple[str, ...]:
        """The files of `cards`."""
        return tuple(self.cards or ())

    def repeated(self) -> list[str]:
        """The options that another command on the same lists needs to judge them alike, as words."""
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
