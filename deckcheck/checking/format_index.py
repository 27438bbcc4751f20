"""Every format that can be played: those that are bundled, and a project's own."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import GameData, LoadedFormat
from deckcheck.checking.session import Load
from deckcheck.formats.lookup import Folders, FormatEntry, bundled_formats, known_formats
from deckcheck.model.deck import Deck
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import shipped


class IndexedFormat(NamedTuple):
    """A format with its file."""

    file: Path
    format: LoadedFormat


class FormatIndex(NamedTuple):
    """All formats that can be played, by id, and what is wrong with those that can't be used."""

    formats: tuple[IndexedFormat, ...]
    problems: tuple[Problem, ...]


def index_formats(
    load: Load, folders: Folders, cards: tuple[str, ...] = (), games: Collection[str] | None = None
) -> FormatIndex:
    """The index of all formats, with the cards of extra files.

    With `games` only those bundled formats are loaded that are of one of them.
    Raises UserError when the folders can't be searched.
    """
    found: list[IndexedFormat] = []
    problems: list[Problem] = []
    for named in known_formats(folders):
        if named.abstract or (games is not None and is_bundled(named) and game_of(named) not in games):
            continue
        try:
            found.append(IndexedFormat(named.file, load(named.id, cards)))
        except UserError as error:
            problems += error.problems
    found.sort(key=lambda indexed: indexed.format.format.id)
    return FormatIndex(tuple(found), tuple(problems))


def games_that_know(load: Load, cards: tuple[str, ...], read: Callable[[GameData], Deck]) -> set[str]:
    """The bundled games that know a list, read with their cards: those that know all of it, else all that there are."""
    games: set[str] = set()
    knowing: set[str] = set()
    for named in bundled_formats():
        if named.abstract or game_of(named) in games:
            continue
        games.add(game_of(named))
        try:
            deck = read(load(named.id, cards).game_data)
        except UserError:
            # Whoever looks at its formats gets to know why.
            continue
        if deck.entries and all(entry.cards for entry in deck.entries):
            knowing.add(game_of(named))
    return knowing or games


def is_bundled(named: FormatEntry) -> bool:
    """Whether the format comes with deckcheck."""
    return named.file.is_relative_to(shipped("formats"))


def game_of(named: FormatEntry) -> str:
    """The game of a bundled format."""
    return named.id.partition("/")[0]
