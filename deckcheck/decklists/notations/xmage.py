"""XMage's .dck: `4 [SET:123] Name`, with `SB:` before what is in the sideboard."""

from __future__ import annotations

import re

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import (
    SIDE,
    Listing,
    Numbered,
    Row,
    counted,
    line_safe,
    placed,
    source_of,
    zone_of,
)
from deckcheck.decklists.seen import BLANK, COMMENT, LONGEST_LINE, NOT_READ, TOO_LONG, Seen, invalid
from deckcheck.decklists.shapes import compiled
from deckcheck.support.messages import _

NAME = _("XMage's .dck")
MAIN = ("Main", "Deck")
# Possessive throughout: a line of blanks must not be tried in every way in which they can be shared out.
_BEFORE = r"[ \t]*+(?P<side>SB:)?+[ \t]*+(?:NR:)?+[ \t]*+"
_CARD = _BEFORE + r"(?P<n>[0-9]++)[ \t]*+(?:\[[^\[\]:\s]*+:[^\[\]:\s]*+\])?+[ \t]*+"
_OWN = rf"(?m)^{_BEFORE}[0-9]{{1,3}}+[ \t]*+\[[A-Za-z0-9_]++:[^\[\]:\s]++\][ \t]*+\S"
_TITLE = "NAME:"
_OTHER = (_TITLE, "AUTHOR:")
_LAYOUT = "LAYOUT "
_SET = r"[A-Z0-9]{2,6}"
_NO_SET, _NO_NUMBER = "XXX", "0"


def detects(text: str, *, expected: bool) -> bool:  # noqa: ARG001 - see Notation
    """Whether a card stands behind its set and number in brackets."""
    return "[" in text and compiled(_OWN).search(text) is not None


def seen_in(lines: Lines, text: str, path: str) -> list[Numbered]:
    """See Notation."""
    return [(number, _line(lines, line)) for number, line in enumerate(source_of(text, path), 1)]


def _line(lines: Lines, line: str) -> Seen:
    bare = line.strip()
    if not bare or bare.startswith(_LAYOUT):
        return BLANK
    if len(line) > LONGEST_LINE:
        return invalid(line, TOO_LONG, LONGEST_LINE + 1)
    if bare.startswith(("#", "//")):
        seen = lines.classify(line)
        return seen if seen.kind == "header" else COMMENT
    if bare.startswith(_OTHER):
        title = bare.removeprefix(_TITLE).strip()
        if not title or not bare.startswith(_TITLE):
            return COMMENT
        return Seen(
            "header", title, column=line.index(title, line.index(_TITLE) + len(_TITLE)) + 1, key="deck"
        )
    found = compiled(_CARD).match(line)
    name = line[found.end() :].rstrip() if found is not None else ""
    if found is None or not name:
        return invalid(line, NOT_READ, len(line) - len(line.lstrip()) + 1)
    words = lines.words
    zone = words.default if not found["side"] else zone_of(words, SIDE) or SIDE[0]
    return counted(lines, name, found["n"], found.end() + 1, zone, raw=line)


def written(listing: Listing) -> str:
    """See Notation. The numbers within sets aren't known, so the name has to tell."""
    parts = [f"NAME:{line_safe(NAME, listing.title)}\n"] if listing.title else []
    for word, rows in placed(listing, NAME, MAIN, [SIDE]):
        mark = "SB: " if word == SIDE[0] else ""
        parts += [
            f"{mark}{row.copies} [{_set(row)}:{_NO_NUMBER}] {line_safe(NAME, row.name)}\n" for row in rows
        ]
    return "".join(parts)


def _set(row: Row) -> str:
    sets = [one.set for one in row.card.printings] if row.card is not None else []
    return next((one for one in reversed(sets) if re.fullmatch(_SET, one)), _NO_SET)
