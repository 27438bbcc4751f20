"""Arguments and options: how commands declare them, and those that several commands share."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any, Literal

import typer

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
    """An argument of a command, as the default of the parameter."""
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
        from deckcheck.cli.completion import WORDS

        return WORDS[kind](incomplete)

    return offered


def day(parameter: typer.CallbackParam, value: str | None) -> str | None:
    """The ISO date that was given, if one was. Raises UserError if there is no such day."""
    if value is None:
        return None
    from deckcheck.support.dates import day_of_option

    return day_of_option(parameter.opts[0], value)


def split(values: Iterable[str] | None) -> list[str]:
    """Every value of an option that may be given several times and may hold several with commas between."""
    parts = (part.strip() for value in values or () for part in value.split(","))
    return list(dict.fromkeys(part for part in parts if part))


def given(context: typer.Context, source: Literal["COMMANDLINE", "ENVIRONMENT"]) -> frozenset[str]:
    """The names of the parameters whose values come from there."""
    sources: dict[str, Any] = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(name for name, found in sources.items() if found is not None and found.name == source)


# Those that several commands share.

_option = partial(option, default=...)
_flag = partial(flag, default=...)

ForeignNotation = Literal[
    "csv", "tsv", "yaml", "json", "mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk"
]
"""The notations that decks come in and can be converted to."""

Paths = Annotated[list[str], argument(_("Decklist files, folders, or - for standard input."), "PATH...")]
DeckFile = Annotated[str, argument(_("Decklist file, or - for standard input."), "DECK")]
EventFile = Annotated[str, argument(_("Event file (event.yaml)."), "EVENT")]
Lang = Annotated[
    Literal["ja", "en"] | None,
    _option(_("Output language (default: from the locale)."), env="DECKCHECK_LANG"),
]
Cards = Annotated[
    list[str] | None,
    _option(_("Read more cards from this YAML or JSON Lines file (repeatable)."), "FILE"),
]
AsOf = Annotated[
    str | None,
    _option(
        _("Apply the rules of this date (default: today)."), "YYYY-MM-DD", env="DECKCHECK_AS_OF", callback=day
    ),
]
Game = Annotated[str | None, _option(_("Game ID (optional if there is only one game)."), "ID")]
Config = Annotated[
    str | None,
    _option(
        _("Settings file (default: the nearest deckcheck.toml or pyproject.toml)."),
        "FILE",
        env="DECKCHECK_CONFIG",
    ),
]
Isolated = Annotated[bool, _flag("--isolated", _("Ignore settings files."))]
Format = Annotated[
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
]
BestOf = Annotated[int | None, _option(_("Number of games in a match."), "N", min=1, env="DECKCHECK_BEST_OF")]
Notation = Annotated[
    Literal["text", ForeignNotation] | None,
    _option(_("Notation of the decks (default: detected from their content).")),
]
OutputFile = Annotated[
    str | None, _option(_("Write to this file instead of standard output."), "FILE", "--output", "-o")
]
JsonOrText = Annotated[Literal["text", "json"], _option(_("Output format."))]
ColorChoice = Annotated[Literal["auto", "always", "never"], _option(_("When to use colors."))]
ExitZero = Annotated[bool, _flag("--exit-zero", _("Exit with 0 even if problems are found."))]
Quiet = Annotated[bool, _option(_("Show no progress and no details."), None, "--quiet", "-q")]
OfEvent = Annotated[
    str | None, _option(_("Event file to take the format, the date and additional cards from."), "EVENT")
]
