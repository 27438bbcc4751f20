"""The settings of a project as records."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.formats.find import BUNDLED_ONLY, Folders
from deckcheck.model.rule import Source

if TYPE_CHECKING:
    from deckcheck.config.written import Setting
    from deckcheck.report.suppressions import Grading


class DeckSettings(NamedTuple):
    """What the settings say of one deck.

    `format` is a reference as on the command line (a file's path is already
    one from the working folder), `format_source` the line that gives it, shown
    where a report tells why a deck was judged by it. `as_of` is an ISO date.
    """

    format: str | None = None
    format_source: Source | None = None
    as_of: str | None = None
    best_of: int | None = None
    grading: "Grading | None" = None


SettingsFor = Callable[[str], DeckSettings]
"""From the path of a deck, as named or found, to what the settings say of it."""

Excluded = Callable[[str, bool], bool | None]
"""Whether a path (as named or found; and whether it is a folder) is to be passed over; None: they don't say."""


class Settings(NamedTuple):
    """One project's settings.

    `file` is how messages name the file, None where there is none; `root` the
    folder from which its paths count. `formats` are the references to formats
    that it names. `written` is what it says, for people to look at.
    """

    file: str | None = None
    root: Path = Path()
    folders: Folders = BUNDLED_ONLY
    cards: tuple[Path, ...] = ()
    lang: str | None = None
    unknown: str | None = None
    output_format: str | None = None
    respect_gitignore: bool = True
    force_exclude: bool = False
    excluded: Excluded | None = None
    for_deck: SettingsFor | None = None
    formats: tuple[str, ...] = ()
    written: tuple["Setting", ...] = ()


NO_SETTINGS = Settings()
