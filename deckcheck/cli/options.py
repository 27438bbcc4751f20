"""Options and arguments that several commands share, with their environment variables and what a shell completes."""

from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import typer

from deckcheck.checking.judge import open_game_data
from deckcheck.checking.session import CheckOptions
from deckcheck.cli.help import DATA, OUTPUT, RULES
from deckcheck.cli.run import Status
from deckcheck.config.settings import settings_for
from deckcheck.formats.loading import known_games
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, known_formats
from deckcheck.model.card import Catalog
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.dates import day_of_option
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import N_, _

T = TypeVar("T")

_MOST_CARDS = 100
_HARMLESS = "-_./"
_QUOTES = "‘’‚‛“”„‟"
_TO_WIDE = 0xFEE0

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


def _from_folders(look_up: Callable[[Folders], list[T]]) -> list[T]:
    """What is found in the folders of the project, if its settings can be read, and among what is bundled."""
    try:
        return look_up(settings_for([]).folders)
    except UserError:
        return look_up(BUNDLED_ONLY)


def complete_formats(incomplete: str) -> list[str]:
    """The ids of formats and, once something is typed, their other names."""
    known = [named for named in _from_folders(known_formats) if not named.abstract]
    ids = [named.id for named in known]
    called = [name for named in known for name in (named.id.rpartition("/")[2], *named.aliases) if incomplete]
    # Letter case doesn't matter, but shells compare words as typed.
    called += [name.lower() for name in called]
    return [name for name in dict.fromkeys(ids + called) if is_plain(name)]


def complete_rules(incomplete: str) -> list[str]:
    """The ids of rules; after a comma, the next one."""
    before = "".join(incomplete.rpartition(",")[:2])
    own = {rule for named in _from_folders(known_formats) for rule in named.rules}
    return [before + name for name in sorted(own | ENGINE_IDS) if is_plain(name)]


def _catalogs(folders: Folders) -> list[Catalog]:
    return [open_game_data(game, folders=folders).catalog for game in known_games(folders)]


def complete_cards(incomplete: str) -> list[str]:
    """Card names that continue what was typed, without blanks (which don't matter), so that no shell splits them."""
    if not incomplete.strip() or not is_plain(incomplete):
        return []
    offered = []
    for catalog in _from_folders(_catalogs):
        begun = catalog.fold(incomplete)
        for card in catalog.search(incomplete, _MOST_CARDS):
            ends = [
                index for index in range(1, len(card.name) + 1) if catalog.fold(card.name[:index]) == begun
            ]
            names = (incomplete + plain_word(card.name[index:]) for index in ends[:1])
            offered += [name for name in names if catalog.find(name) == (card,)]
    return offered


def complete_games(incomplete: str) -> list[str]:
    """The ids of games that begin as typed."""
    return [name for name in _from_folders(known_games) if name.startswith(incomplete)]


def is_plain(word: str) -> bool:
    """Whether every shell takes the word literally; a word from an untrusted file could be a command otherwise."""
    return word == plain_word(word) and not word.startswith("-")


def plain_word(word: str) -> str:
    """The word without blanks and quotes, and with full-width forms of characters that are special to a shell."""
    kept = (char for char in word if char.isprintable() and not char.isspace() and char not in _QUOTES)
    return "".join(
        chr(ord(char) + _TO_WIDE) if char.isascii() and not char.isalnum() and char not in _HARMLESS else char
        for char in kept
    )


# Arguments

Paths = Annotated[
    list[str], typer.Argument(metavar="PATH...", help=N_("Decklist files, folders, or - for standard input."))
]
Deck = Annotated[str, typer.Argument(metavar="DECK", help=N_("Decklist file, or - for standard input."))]
Event = Annotated[Path, typer.Argument(metavar="EVENT", help=N_("Event file (event.yaml)."))]
CardName = Annotated[
    str, typer.Argument(metavar="NAME", autocompletion=complete_cards, help=N_("Card name."))
]
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
        rich_help_panel=RULES,
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

Game = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        autocompletion=complete_games,
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
Color = Annotated[
    Literal["auto", "always", "never"],
    typer.Option(rich_help_panel=OUTPUT, help=N_("When to use colors.")),
]
Lang = Annotated[
    Literal["ja", "en"] | None,
    typer.Option(
        "--lang",
        envvar="DECKCHECK_LANG",
        rich_help_panel=OUTPUT,
        help=N_("Output language (default: from the locale)."),
    ),
]
"""The run has read it before any command was loaded, so commands have no use for its value."""
