"""Magic Online's .dek: XML with a `<Cards Quantity Sideboard Name>` for each line."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import SIDE, Listing, Numbered, counted, placed, zone_of
from deckcheck.decklists.notations.markup import Element, Tree, escaped, tree_of
from deckcheck.decklists.notations.mtgo import MAIN, joined
from deckcheck.decklists.seen import NOT_READ, Seen, invalid
from deckcheck.decklists.shapes import compiled
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.decklists.zonecolumns import YES
from deckcheck.support.messages import _

NAME = _("Magic Online's .dek")
ROOT = "Deck"
_READ = (SIDE[0], "Name", "Quantity")
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


def seen_in(lines: Lines, text: str, path: str) -> Iterator[Numbered]:
    """See Notation."""
    tree = tree_of(text, path, ROOT)
    for element in tree.elements:
        keys = {key.casefold() for key in element.attributes}
        if element.around and element.name.casefold() == "cards":
            yield _card(lines, tree, element)
        elif element.around and {"name", "quantity"} & keys:
            yield element.line, invalid(tree.raw(element), NOT_READ, element.column)


def _key(element: Element, called: str) -> str:
    """What an element calls the attribute `called`: that, or else the same in other letters' case."""
    if called in element.attributes:
        return called
    return next((key for key in element.attributes if key.casefold() == called.casefold()), called)


def _card(lines: Lines, tree: Tree, element: Element) -> tuple[int, Seen]:
    side, name, quantity = (_key(element, called) for called in _READ)
    said = element.attributes.get(side, "false").strip().lower()
    words = lines.words
    zone = words.default if said == "false" else zone_of(words, SIDE) or SIDE[0]
    wrong = (
        side if said not in ("true", "false") else _elsewhere(words, element, {side, name, quantity}, zone)
    )
    if wrong is not None:
        line, column = tree.place(element, wrong)
        return line, invalid(tree.raw(element), NOT_READ, column)
    line, column = tree.place(element, name)
    digits = element.attributes.get(quantity, "")
    seen = counted(lines, element.attributes.get(name, ""), digits, column, zone, raw=tree.raw(element))
    return line, seen


def _elsewhere(words: Vocabulary, element: Element, read: set[str], zone: str) -> str | None:
    """An attribute that nobody knows and that says, by its name or by its value, that the card is elsewhere than in `zone`."""
    for key, value in element.attributes.items():
        if key in read:
            continue
        folded = words.fold(key)
        if value.strip().casefold() in YES | {"1"}:
            told = {place for word, place in words.zones.items() if len(word) > 1 and word in folded}
        else:
            told = {words.zones.get(words.fold(value), zone)}
        if told - {zone, words.default}:
            return key
    return None


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
