"""Options and arguments that several commands share, with their environment variables and completions."""

from collections.abc import Container, Iterable, Mapping
from typing import Annotated, Literal

import typer

from deckcheck.cli import completion
from deckcheck.cli.help import DATA, OUTPUT, RULES
from deckcheck.cli.run import Run, Status
from deckcheck.support.dates import day_of_option
from deckcheck.support.errors import user_error
from deckcheck.support.messages import N_, _

# What a value means


def day(ctx: typer.Context, param: typer.CallbackParam, value: str | None) -> str | None:
    """The ISO date of an option or of its variable."""
    if value is None:
        return None
    name = param.opts[0]
    if isinstance(param.envvar, str) and not typed(ctx, str(param.name)):
        name = param.envvar
    return day_of_option(name, value)


def _language(ctx: typer.Context, value: str | None) -> str | None:
    """From here on the run speaks the language that is asked for; a variable asks less than what is typed."""
    run: Run = ctx.obj
    if value is not None and (run.asked_lang is None or typed(ctx, "_lang")):
        run.asked_lang = run.lang = value
    return value


def typed(ctx: typer.Context, parameter: str) -> bool:
    """Whether the parameter was typed, and neither left out nor set by a variable."""
    source = ctx.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def split(values: Iterable[str] | None) -> list[str]:
    """Every value of an option that may be given several times, each with several values separated by commas."""
    parts = (part.strip() for value in values or () for part in value.split(","))
    return list(dict.fromkeys(part for part in parts if part))


def refuse_together(option: str, given: object, others: Mapping[str, object]) -> None:
    """Raises UserError if an option is given, and one of the others, with which it would have no effect."""
    for other, value in others.items():
        if given and value:
            raise user_error(_("{first} cannot be used with {second}", first=option, second=other))


def status_of(verdicts: Container[object]) -> Status:
    """The exit status for verdicts: the worst one counts."""
    if "illegal" in verdicts:
        return Status.PROBLEMS
    return Status.UNDECIDED if "undecided" in verdicts else Status.OK


# Arguments

Paths = Annotated[
    list[str], typer.Argument(metavar="PATH...", help=N_("Decklist files, folders, or - for standard input."))
]
Decks = Annotated[
    list[str], typer.Argument(metavar="DECK...", help=N_("Decklist files, folders, or - for standard input."))
]
Deck = Annotated[str, typer.Argument(metavar="DECK", help=N_("Decklist file, or - for standard input."))]
Event = Annotated[str, typer.Argument(metavar="EVENT", help=N_("Event file (event.yaml)."))]
CardName = Annotated[
    str, typer.Argument(metavar="NAME", autocompletion=completion.cards, help=N_("Card name."))
]
FormatName = Annotated[
    str, typer.Argument(metavar="ID|FILE", autocompletion=completion.formats, help=N_("The format."))
]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", autocompletion=completion.games, help=N_("The game's ID."))
]
AttributeName = Annotated[
    str | None, typer.Argument(metavar="ATTRIBUTE", help=N_("Show all values of this attribute only."))
]
FormatNames = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ID|FILE...",
        autocompletion=completion.formats,
        help=N_("The formats (default: those in the folders of the settings, or else all bundled ones)."),
    ),
]
RuleName = Annotated[
    str | None, typer.Argument(metavar="RULE", autocompletion=completion.rules, help=N_("Rule ID."))
]

# Options: by what is judged

Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="ID|FILE",
        envvar="DECKCHECK_FORMAT",
        autocompletion=completion.formats,
        rich_help_panel=RULES,
        help=N_(
            "Format (default: the deck's “# format: …” line, or the settings); `deckcheck formats` lists them."
        ),
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        metavar="YYYY-MM-DD",
        envvar="DECKCHECK_AS_OF",
        callback=day,
        rich_help_panel=RULES,
        help=N_("Apply the rules of this date (default: today)."),
    ),
]
BestOf = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        envvar="DECKCHECK_BEST_OF",
        rich_help_panel=RULES,
        help=N_("Number of games in a match."),
    ),
]

# Options: with which facts, and what lists are written in

ForeignNotation = Literal[
    "csv", "tsv", "yaml", "json", "mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk"
]
"""The notations of other tools, which can be read and written."""

Cards = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE",
        rich_help_panel=DATA,
        help=N_("Read more cards from this YAML or JSON Lines file (repeatable)."),
    ),
]
Games = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FOLDER", rich_help_panel=DATA, help=N_("Use the games in this folder, too (repeatable).")
    ),
]
Game = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        autocompletion=completion.games,
        rich_help_panel=DATA,
        help=N_("Game ID (optional if there is only one game)."),
    ),
]
Notation = Annotated[
    Literal["text", ForeignNotation] | None,
    typer.Option(
        rich_help_panel=DATA, help=N_("Notation of the decks (default: detected from their content).")
    ),
]
EventFile = Annotated[
    str | None,
    typer.Option(
        "--event",
        metavar="EVENT",
        rich_help_panel=DATA,
        help=N_("Event file to take the format, the date and additional cards from."),
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        envvar="DECKCHECK_CONFIG",
        rich_help_panel=DATA,
        help=N_("Settings file (default: the nearest deckcheck.toml or pyproject.toml)."),
    ),
]

# Options: where results go, and how they look

TextOrJson = Annotated[
    Literal["text", "json"],
    typer.Option("--output-format", rich_help_panel=OUTPUT, help=N_("Output format.")),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        rich_help_panel=OUTPUT,
        help=N_("Write to this file instead of standard output."),
    ),
]
ExitZero = Annotated[
    bool,
    typer.Option("--exit-zero", rich_help_panel=OUTPUT, help=N_("Exit with 0 even if problems are found.")),
]
Color = Annotated[
    Literal["auto", "always", "never"],
    typer.Option(rich_help_panel=OUTPUT, help=N_("When to use colors.")),
]
Lang = Annotated[
    Literal["ja", "en"] | None,
    typer.Option(
        "--lang",
        envvar="DECKCHECK_LANG",
        callback=_language,
        rich_help_panel=OUTPUT,
        help=N_("Output language (default: from the locale)."),
    ),
]
"""Its callback tells the run, so commands have no use for its value."""
