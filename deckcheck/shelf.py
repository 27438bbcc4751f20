"""Every format that can be played: those that are bundled, and a project's own."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckcheck.checking import LoadedFormat
from deckcheck.errors import Problem, UserError
from deckcheck.formats.find import Folders, known_formats
from deckcheck.opening import Load


class Shelved(NamedTuple):
    """A format with its file."""

    file: Path
    format: LoadedFormat


def every_format(
    load: Load, folders: Folders, cards: tuple[str, ...] = ()
) -> tuple[tuple[Shelved, ...], tuple[Problem, ...]]:
    """All formats that can be played, by id, and what is wrong with those that can't be used.

    Raises UserError when the folders can't be searched.
    """
    found: list[Shelved] = []
    problems: list[Problem] = []
    for named in known_formats(folders):
        if named.abstract:
            continue
        try:
            found.append(Shelved(named.file, load(named.id, cards)))
        except UserError as error:
            problems += error.problems
    found.sort(key=lambda one: one.format.format.id)
    return tuple(found), tuple(problems)
