"""Arguments and options that several commands share."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import typer

from deckcheck.support.messages import _


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


Lang = Annotated[
    Literal["ja", "en"] | None,
    typer.Option(
        "--lang", envvar="DECKCHECK_LANG", help=_("Output language (default: from the locale).").key
    ),
]
Cards = Annotated[
    list[str] | None,
    typer.Option(
        "--cards",
        metavar="FILE",
        help=_("Read more cards from this YAML or JSON Lines file (repeatable).").key,
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="YYYY-MM-DD",
        envvar="DECKCHECK_AS_OF",
        callback=day,
        help=_("Apply the rules of this date (default: today).").key,
    ),
]
Game = Annotated[
    str | None,
    typer.Option("--game", metavar="ID", help=_("Game ID (optional if there is only one game).").key),
]
Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="DECKCHECK_CONFIG",
        help=_("Settings file (default: the nearest deckcheck.toml or pyproject.toml).").key,
    ),
]
Isolated = Annotated[bool, typer.Option("--isolated", help=_("Ignore settings files.").key)]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="ID|FILE",
        envvar="DECKCHECK_FORMAT",
        help=_(
            "Format (default: the deck's “# format: …” line, or the settings); `deckcheck formats` lists them."
        ).key,
    ),
]
BestOf = Annotated[
    int | None,
    typer.Option(
        "--best-of", metavar="N", min=1, envvar="DECKCHECK_BEST_OF", help=_("Number of games in a match.").key
    ),
]
ForeignNotation = Literal[
    "csv", "tsv", "yaml", "json", "mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk"
]
"""The notations that decks come in and can be converted to."""
Notation = Annotated[
    Literal["text", ForeignNotation] | None,
    typer.Option("--notation", help=_("Notation of the decks (default: detected from their content).").key),
]
OutputFile = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help=_("Write to this file instead of standard output.").key
    ),
]
JsonOrText = Annotated[Literal["text", "json"], typer.Option("--output-format", help=_("Output format.").key)]
ColorChoice = Annotated[
    Literal["auto", "always", "never"], typer.Option("--color", help=_("When to use colors.").key)
]
ExitZero = Annotated[bool, typer.Option("--exit-zero", help=_("Exit with 0 even if problems are found.").key)]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help=_("Show no progress and no details.").key)]
Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH...", help=_("Decklist files, folders, or - for standard input.").key),
]
DeckFile = Annotated[
    str, typer.Argument(metavar="DECK", help=_("Decklist file, or - for standard input.").key)
]
EventFile = Annotated[str, typer.Argument(metavar="EVENT", help=_("Event file (event.yaml).").key)]
OfEvent = Annotated[
    str | None,
    typer.Option(
        "--event",
        metavar="EVENT",
        help=_("Event file to take the format, the date and additional cards from.").key,
    ),
]
