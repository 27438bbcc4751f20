"""Cockatrice's .cod: XML with a zone for the main deck, one for the sideboard and one for tokens."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import (
    SIDE,
    Listing,
    Numbered,
    counted,
    main_of,
    placed,
    section,
    zone_of,
)
from deckcheck.decklists.notations.markup import escaped, tree_of
from deckcheck.decklists.seen import NOT_READ, Seen, invalid
from deckcheck.support.messages import _

NAME = _("Cockatrice's .cod")
ROOT = "cockatrice_deck"
MAIN = ("main",)
SIDES = ("side", *SIDE)
TOKENS = "tokens"
_HEAD = f"""<?xml version="1.0" encoding="UTF-8"?>
<{ROOT} version="1">
"""


def detects(text: str, *, expected: bool) -> bool:  # noqa: ARG001 - see Notation
    """Whether it is such a deck's XML."""
    return f"<{ROOT}" in text[:4096]


def seen_in(lines: Lines, text: str, path: str) -> Iterator[Numbered]:
    """See Notation. Tokens are no cards of a deck and are left out."""
    tree = tree_of(text, path, ROOT)
    words = lines.words
    zone: str | None = None
    within: str | None = None
    for element in tree.elements:
        title = " ".join(element.text.split())
        if element.name == "deckname" and title:
            yield element.line, Seen("header", title, column=element.column, key="deck")
        elif element.name == "zone":
            within = element.attributes.get("name", "")
            line, column = tree.place(element, "name")
            called = within.strip().casefold()
            if called in MAIN:
                zone = main_of(words, MAIN)
            else:
                zone = zone_of(words, SIDES if called in SIDES else (within,))
            if called != TOKENS:
                heading = section(
                    words, within or "zone", column, SIDES if called in SIDES else (), main=called in MAIN
                )
                yield line, heading
        elif element.name == "card" and element.around[-1:] == ("zone",) and within is not None:
            if within.strip().casefold() == TOKENS:
                continue
            line, column = tree.place(element, "name")
            name, number = (element.attributes.get(key, "") for key in ("name", "number"))
            yield line, counted(lines, name, number, column, zone, raw=tree.raw(element))
        elif {"name", "number"} <= element.attributes.keys():
            yield element.line, invalid(tree.raw(element), NOT_READ, element.column)


def written(listing: Listing) -> str:
    """See Notation."""
    title = f"    <deckname>{escaped(listing.title)}</deckname>\n" if listing.title else ""
    zones = []
    for word, rows in placed(listing, NAME, MAIN, [SIDES]):
        cards = "".join(f'        <card number="{row.copies}" name="{escaped(row.name)}"/>\n' for row in rows)
        if rows or word == MAIN[0]:
            zones.append(f'    <zone name="{word}">\n{cards}    </zone>\n')
    return f"{_HEAD}{title}{''.join(zones)}</{ROOT}>\n"
