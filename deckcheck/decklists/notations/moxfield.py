"""Moxfield's text: `1 Name (SET) 123 *F*`, with `SIDEBOARD:` and the like above what isn't the main deck."""

from __future__ import annotations

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import SIDE, Listing, Names, Numbered, source_of
from deckcheck.decklists.notations.typed import blocks, is_coded, numbered, seen_lines
from deckcheck.decklists.shapes import compiled
from deckcheck.support.messages import _

NAME = _("Moxfield's text")
MAIN = ("Main", "Mainboard", "Deck")
OTHERS: tuple[Names, ...] = (("Commander",), ("Companion",), SIDE)
_SIGN = r"(?m)\*[FE]\*|^(?:SIDEBOARD|COMMANDER|COMPANION|MAYBEBOARD|CONSIDERING|TOKENS)S?:[ \t]*+$"
_TAGGED = r"\)[ \t]++[^\s()]++[ \t]++#"


def detects(text: str, *, expected: bool) -> bool:
    """Whether most lines carry a set and a number, and something that only Moxfield writes."""
    if not is_coded(text):
        return False
    return compiled(_SIGN).search(text) is not None or (
        expected and compiled(_TAGGED).search(text) is not None
    )


def seen_in(lines: Lines, text: str, path: str) -> list[Numbered]:
    """See Notation."""
    return numbered(seen_lines(lines, source_of(text, path)))


def written(listing: Listing) -> str:
    """See Notation. The main deck comes first and has no heading."""
    found = dict(blocks(listing, NAME, MAIN, OTHERS))
    parts = [found.pop(MAIN[0])] if MAIN[0] in found else []
    parts += [[f"{word.upper()}:", *rows] for word, rows in found.items()]
    return "\n\n".join(map("\n".join, parts)) + "\n"
