"""Decklists in the notations of other tools."""

from __future__ import annotations

from collections.abc import Mapping

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.told import notation as module_of
from deckcheck.decklists.walk import walk
from deckcheck.decks import Deck
from deckcheck.text import Text


def read_foreign(lines: Lines, names: Mapping[str, Text], text: str, path: str, notation: str) -> Deck:
    """The deck in a text of one of notations.told.NAMES.

    Raises UserError, with the place, for what is malformed or too large.
    """
    return walk(
        module_of(notation).seen_in(lines, text, path),
        path=path,
        notation=notation,
        default=lines.words.default,
        names=names,
        lines=text.split("\n"),
        near=lines.near,
    )
