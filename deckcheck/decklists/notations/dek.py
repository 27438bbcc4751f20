"""Magic Online's .dek: XML with a `<Cards Quantity Sideboard Name>` for each line."""

from __future__ import annotations

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import SIDE, Listing, Numbered, counted, placed, zone_of
from deckcheck.decklists.notations.markup import Element, Tree, escaped, tree_of
from deckcheck.decklists.notations.mtgo import MAIN, joined
from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.seen import NOT_READ, Seen, invalid
from deckcheck.text import Text

NAME = Text("Magic Onlineの.dek", "Magic Online's .dek")
ROOT = "Deck"
_ROOT = rf"<{ROOT}[\s/>]"
_SCHEMA = "http://www.w3.org/2001/XMLSchema"
_HEAD = f"""<?xml version="1.0" encoding="utf-8"?>
<{ROOT} xmlns:xsd="{_SCHEMA}" xmlns:xsi="{_SCHEMA}-instance">
  <NetDeckID>0</NetDeckID>
  <PreconstructedDeckID>0</PreconstructedDeckID>
"""


def detects(text: str, *, expected: bool) -> bool:  # noqa: ARG001 - see Notation
    """Whether its outermost element may be that of a deck."""
    return compiled(_ROOT).search(text, 0, 4096) is not None


def seen_in(lines: Lines, text: str, path: str) -> list[Numbered]:
    """See Notation."""
    tree = tree_of(text, path, ROOT)
    found = []
    for element in tree.elements:
        if element.name == "Cards":
            found.append(_card(lines, tree, element))
        elif element.around and {"Name", "Quantity"} & element.attributes.keys():
            found.append((element.line, invalid(tree.raw(element), NOT_READ, element.column)))
    return found


def _card(lines: Lines, tree: Tree, element: Element) -> tuple[int, Seen]:
    said = element.attributes.get("Sideboard", "false").strip().lower()
    name = element.attributes.get("Name", "")
    if said not in ("true", "false"):
        line, column = tree.place(element, "Sideboard")
        return line, invalid(tree.raw(element), NOT_READ, column)
    words = lines.words
    zone = words.default if said == "false" else zone_of(words, SIDE) or SIDE[0]
    line, column = tree.place(element, "Name")
    seen = counted(lines, name, element.attributes.get("Quantity", ""), column, zone, raw=tree.raw(element))
    return line, seen


def written(listing: Listing) -> str:
    """See Notation. Magic Online's own numbers of cards aren't known; the names tell."""
    rows = []
    for word, cards in placed(listing, NAME, MAIN, [SIDE]):
        side = str(word == SIDE[0]).lower()
        for row in cards:
            name = escaped(joined(listing, row.name))
            rows.append(
                f'  <Cards CatID="0" Quantity="{row.copies}" Sideboard="{side}" Name="{name}" Annotation="0" />\n'
            )
    return _HEAD + "".join(rows) + f"</{ROOT}>\n"
