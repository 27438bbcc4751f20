"""The settings of a project as records."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from deckcheck.formats.find import Folders
from deckcheck.report.suppress import Grading
from deckcheck.rules.clauses import Source


class ForDeck(NamedTuple):
    """What the settings say of one deck.

    `format` is a reference as on the command line (a file's path is already
    one from the working folder), `format_source` the line that gives it, shown
    where a report tells why a deck was judged by it. `as_of` is an ISO date.
    """

    format: str | None = None
    format_source: Source | None = None
    as_of: str | None = None
    best_of: int | None = None
    grading: Grading | None = None


SettingsFor = Callable[[str], ForDeck]
"""From the path of a deck, as named or found, to what the settings say of it."""


class Settings(NamedTuple):
    """One project's settings.

    `file` is how messages name the file, None where there is none; `root` the
    folder from which its paths count. `excluded` tells of a path (as named or
    found; whether it is a folder) if it is to be passed over.
    """

    file: str | None = None
    root: Path = Path()
    folders: Folders = Folders()
    cards: tuple[Path, ...] = ()
    lang: str | None = None
    unknown: str | None = None
    output_format: str | None = None
    force_exclude: bool = False
    excluded: Callable[[str, bool], bool] | None = None
    for_deck: SettingsFor | None = None
