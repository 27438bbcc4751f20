"""Scryfall's bulk data: one array of cards. Oracle cards (one object per card), default and all cards (one per printing)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deckcheck.importers.json_stream import Advance, items, json_events, read_value
from deckcheck.importers.magic import (
    BOTH_HALVES,
    COLOURS,
    TWO_SIDES,
    Face,
    banlists_of,
    card_of,
    colours_of,
    mappings_in,
    number_of,
    printing_of,
    string_or_none,
    strings_in,
)
from deckcheck.importers.source_kinds import Omission, SourceCard, StatedList
from deckcheck.support.messages import _

_SUPERTYPES = frozenset({"Basic", "Elite", "Host", "Legendary", "Ongoing", "Snow", "World"})
_TWO_WORDS = ("Time Lord",)
_MOST_CARD = 8 * 1024 * 1024
_NESTED = frozenset(
    (
        *("all_parts", "card_faces", "color_identity", "color_indicator", "colors", "games", "keywords"),
        *("legalities", "promo_types"),
    )
)
"""The keys of a card whose lists and mappings are read; the others are large."""


def read(path: Path, advance: Advance) -> Iterator[SourceCard | Omission]:
    """Yields the cards in the file. Raises UserError if it can't be read to its end."""
    refusal = _("not a list of cards from Scryfall")
    with json_events(path, advance, "start_array", refusal, _MOST_CARD) as (events, reader):
        for event in items(events):
            card = read_value(events, event, _NESTED)
            reader.limit_next(_MOST_CARD)
            is_card = isinstance(card, dict) and card.get("object", "card") == "card"
            found = _card(card) if is_card else Omission("flawed")
            if found is not None:
                yield found


def banlists(path: Path, advance: Advance) -> list[StatedList]:
    """A list for each format. Raises UserError as `read` does."""
    return banlists_of(read(path, advance), path)


def _card(card: Mapping[str, Any]) -> SourceCard | Omission | None:
    layout = string_or_none(card.get("layout")) or "normal"
    sides = mappings_in(card.get("card_faces"))
    twice = layout == "reversible_card"
    if twice and sides:
        # The same card on both sides, with different pictures.
        layout, card, sides = string_or_none(sides[0].get("layout")) or "normal", {**card, **sides[0]}, []
    faces = [_face(side) for side in sides] or [_face(card)]
    melds = (
        string_or_none(part.get("name"))
        for part in mappings_in(card.get("all_parts"))
        if part.get("component") == "meld_result"
    )
    code = str(card.get("set")).upper()
    printing = printing_of(code, card.get("released_at"), card.get("games"), card.get("rarity"))
    return card_of(
        layout,
        faces,
        value=number_of(card.get("cmc")),
        identity=strings_in(card.get("color_identity")),
        keywords=_keywords(strings_in(card.get("keywords")), layout, faces),
        legalities=card.get("legalities"),
        source_id=string_or_none(card.get("oracle_id")) or "",
        aliases=dict.fromkeys(_aliases(card, layout, sides)),
        printings=[printing] if string_or_none(card.get("set")) else [],
        is_fallback=twice,
        meld=next(melds, None) if layout == "meld" else None,
        is_rebalanced="rebalanced" in (strings_in(card.get("promo_types")) or ())
        or faces[0].name.startswith("A-"),
    )


def _face(card: Mapping[str, Any]) -> Face:
    line, cost = string_or_none(card.get("type_line")), string_or_none(card.get("mana_cost"))
    colours = strings_in(card.get("colors", card.get("color_indicator")))
    if colours is None and cost is not None:
        colours = [letter for letter, colour in COLOURS.items() if colour in colours_of(cost)]
    face = Face(
        name=string_or_none(card.get("name")) or "",
        cost=cost,
        value=number_of(card.get("cmc")),
        colours=colours,
        text=string_or_none(card.get("oracle_text")),
        has_power=string_or_none(card.get("power")) is not None,
    )
    if line is None:
        return face
    # "Legendary Creature — Human Wizard"
    before, _dash, behind = line.partition(" — ")
    pairs = [pair for pair in _TWO_WORDS if pair in behind]
    for pair in pairs:
        behind = behind.replace(pair, "")
    return face._replace(
        supertypes=[string_or_none for string_or_none in before.split() if string_or_none in _SUPERTYPES],
        types=[string_or_none for string_or_none in before.split() if string_or_none not in _SUPERTYPES],
        subtypes=[*pairs, *behind.split()],
    )


def _keywords(found: Sequence[str] | None, layout: str, faces: Sequence[Face]) -> Sequence[str] | None:
    """The keywords of the front; `found` are those of all faces together. None if unknown."""
    if found is None or len(faces) == 1 or layout in BOTH_HALVES:
        return found
    text = faces[0].text
    return None if text is None else [keyword for keyword in found if keyword.lower() in text.lower()]


def _aliases(card: Mapping[str, Any], layout: str, sides: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    keys = ["flavor_name", *(["printed_name"] if card.get("lang") == "ja" else [])]
    for key in keys:
        names = [name for side in (sides or [card]) if (name := string_or_none(side.get(key)))]
        own = string_or_none(card.get(key))
        if own:
            yield own
        if len(names) == len(sides) > 1:
            yield " // ".join(names)
        if layout in TWO_SIDES:
            yield from names
        elif names and layout not in BOTH_HALVES:
            yield names[0]
