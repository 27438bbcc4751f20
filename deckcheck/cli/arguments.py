"""Options that several commands share."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.language import say
from deckcheck.support.messages import _

Language = Literal["ja", "en"]

Lang = Annotated[
    Language | None,
    typer.Option(
        "--lang",
        envvar="DECKCHECK_LANG",
        help=say(_("Language of the output (default: from the locale).")),
    ),
]
Cards = Annotated[
    list[str] | None,
    typer.Option(
        "--cards",
        metavar="FILE",
        help=say(_("A file with more cards (YAML or JSON lines, repeatable).")),
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="YYYY-MM-DD",
        envvar="DECKCHECK_AS_OF",
        help=say(_("Check by the rules of this day (default: today).")),
    ),
]
Game = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="ID",
        help=say(_("Id of the game (may be left out if there is one only).")),
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="DECKCHECK_CONFIG",
        help=say(_("The settings file (default: the nearest deckcheck.toml or pyproject.toml).")),
    ),
]
Isolated = Annotated[
    bool,
    typer.Option("--isolated", help=say(_("Read no settings file."))),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="ID|FILE",
        envvar="DECKCHECK_FORMAT",
        help=say(
            _(
                "The format (default: as the deck says in “# format: …”, or the settings); deckcheck "
                "formats lists them."
            )
        ),
    ),
]
BestOf = Annotated[
    int | None,
    typer.Option(
        "--best-of",
        metavar="N",
        min=1,
        envvar="DECKCHECK_BEST_OF",
        help=say(_("Games in a match.")),
    ),
]
Written = Literal[
    "csv", "tsv", "yaml", "json", "mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk"
]
"""The notations that decks come in and can be converted to."""
Notation = Annotated[
    Literal["text", Written] | None,
    typer.Option(
        "--notation",
        help=say(_("The notation of the decks (default: as their content tells).")),
    ),
]
ResultFile = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help=say(_("Write the results to this file.")),
    ),
]
ColorChoice = Annotated[
    Literal["auto", "always", "never"],
    typer.Option("--color", help=say(_("Whether to use colours."))),
]
