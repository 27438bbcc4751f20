"""Options and arguments that several commands share, with their environment variables and what a shell completes."""

import re
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal

import typer

from deckcheck.checking.session import CheckOptions
from deckcheck.cli.run import Status
from deckcheck.config import settings_for
from deckcheck.formats.loading import known_games
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, known_formats
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.dates import day_of_option
from deckcheck.support.errors import UserError, user_error
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


def same_options(options: CheckOptions, config: str | None) -> list[str]:
    """The options, as words, with which another command judges the same lists alike."""
    words = [("--format", options.format), ("--as-of", options.as_of), ("--best-of", options.best_of)]
    words += [("--notation", options.notation), ("--config", config)]
    return [word for option, value in words if value is not None for word in (option, str(value))]


def status_of(verdicts: Container[object]) -> Status:
    """The exit status for verdicts: the worst one counts."""
    if "illegal" in verdicts:
        return Status.PROBLEMS
    return Status.UNDECIDED if "undecided" in verdicts else Status.OK


# What a shell is offered, written so that none takes it for a command


def _folders() -> Folders:
    """The folders of the project; only those that are bundled if its settings can't be read."""
    try:
        return settings_for([]).folders
    except UserError:
        return BUNDLED_ONLY


def complete_formats(incomplete: str) -> list[str]:
    """The ids of formats and, once something is typed, their other names."""
    known = [named for named in known_formats(_folders()) if not named.abstract]
    ids = [named.id for named in known]
    called = [name for named in known for name in (named.id.rpartition("/")[2], *named.aliases) if incomplete]
    # Letter case doesn't matter, but shells compare words as typed.
    called += [name.lower() for name in called]
    return [name for name in dict.fromkeys(ids + called) if is_plain(name)]


def complete_rules(incomplete: str) -> list[str]:
    """The ids of rules; after a comma, the next one."""
    before = "".join(incomplete.rpartition(",")[:2])
    own = {rule for named in known_formats(_folders()) for rule in named.rules}
    return [before + name for name in sorted(own | ENGINE_IDS) if is_plain(name)]


def complete_games(incomplete: str) -> list[str]:
    """The ids of games that begin as typed."""
    return [name for name in known_games(_folders()) if name.startswith(incomplete)]


def is_plain(word: str) -> bool:
    """Whether every shell takes the word literally; a word from an untrusted file could be a command otherwise."""
    return re.fullmatch(r"[\w./][\w./-]*", word) is not None


# Arguments

Paths = Annotated[
    list[str], typer.Argument(metavar="PATH...", help=N_("Decklist files, folders, or - for standard input."))
]
Deck = Annotated[str, typer.Argument(metavar="DECK", help=N_("Decklist file, or - for standard input."))]
Event = Annotated[Path, typer.Argument(metavar="EVENT", help=N_("Event file (event.yaml)."))]
FormatName = Annotated[
    str, typer.Argument(metavar="ID|FILE", autocompletion=complete_formats, help=N_("The format."))
]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", autocompletion=complete_games, help=N_("The game's ID."))
]
AttributeName = Annotated[
    str | None, typer.Argument(metavar="ATTRIBUTE", help=N_("Show all values of this attribute only."))
]
FormatNames = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ID|FILE...",
        autocompletion=complete_formats,
        help=N_("The formats (default: those in the folders of the settings, or else all bundled ones)."),
    ),
]
RuleName = Annotated[
    str | None, typer.Argument(metavar="RULE", autocompletion=complete_rules, help=N_("Rule ID."))
]

# Options: by what is judged

Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="ID|FILE",
        envvar="DECKCHECK_FORMAT",
        autocompletion=complete_formats,
        help=N_(
            "Format (default: the deck's “# format: …” line, or the settings); `deckcheck formats` lists them."
        ),
    ),
]
FormatChosen = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="ID|FILE",
        autocompletion=complete_formats,
        help=N_("Format; `deckcheck formats` lists them."),
    ),
]
"""The format that a command is about, not what lists are judged by."""

AsOf = Annotated[
    str | None,
    typer.Option(
        metavar="YYYY-MM-DD",
        envvar="DECKCHECK_AS_OF",
        callback=day,
        help=N_("Apply the rules of this date (default: today)."),
    ),
]
BestOf = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        envvar="DECKCHECK_BEST_OF",
        help=N_("Number of games in a match."),
    ),
]

# Options: with which facts, and what lists are written in

ForeignNotation = Literal[
    "csv", "tsv", "yaml", "json", "mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk"
]
"""The notations of other tools, which can be read and written."""

Game = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        autocompletion=complete_games,
        help=N_("Game ID (optional if there is only one game)."),
    ),
]
Notation = Annotated[
    Literal["text", ForeignNotation] | None,
    typer.Option(help=N_("Notation of the decks (default: detected from their content).")),
]
EventFile = Annotated[
    str | None,
    typer.Option(
        "--event",
        metavar="EVENT",
        help=N_("Event file to take the format, the date and additional cards from."),
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        envvar="DECKCHECK_CONFIG",
        help=N_("Settings file (default: the nearest deckcheck.toml or pyproject.toml)."),
    ),
]

# Options: where results go, and how they look

TextOrJson = Annotated[
    Literal["text", "json"],
    typer.Option("--output-format", help=N_("Output format.")),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help=N_("Write to this file instead of standard output."),
    ),
]
Color = Annotated[
    Literal["auto", "always", "never"],
    typer.Option(help=N_("When to use colors.")),
]
Lang = Annotated[
    Literal["ja", "en"] | None,
    typer.Option(
        "--lang",
        envvar="DECKCHECK_LANG",
        expose_value=False,
        help=N_("Output language (default: from the locale)."),
    ),
]
"""Every command takes it (see `Command`), but has no use for it: the run has read it before any command was loaded."""
