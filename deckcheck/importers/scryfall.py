"""Scryfall's bulk data: one array of cards. Oracle cards (one object per card), default and all cards (one per printing)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deckcheck.importers.json_stream import Advance, items, json_events, value_of
from deckcheck.importers.magic import (
    BOTH_HALVES,
    COLOURS,
    TWO_SIDES,
    Face,
    banlists_of,
    card_of,
    colours_of,
    maps,
    number_of,
    printing_of,
    word,
    words,
)
from deckcheck.importers.source_kinds import Item, Omission, StatedList
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


def read(path: Path, advance: Advance) -> Iterator[Item | Omission]:
    """Yields the cards in the file. Raises UserError if it can't be read to its end."""
    refusal = _("not a list of cards from Scryfall")
    with json_events(path, advance, "start_array", refusal, _MOST_CARD) as (events, reader):
        for event in items(events):
            card = value_of(events, event, _NESTED)
            reader.limit_next(_MOST_CARD)
            is_card = isinstance(card, dict) and card.get("object", "card") == "card"
            found = _card(card) if is_card else Omission("flawed")
            if found is not None:
                yield found


def banlists(path: Path, advance: Advance) -> list[StatedList]:
    """A list for each format. Raises UserError as `read` does."""
    return banlists_of(read(path, advance), path)


def _card(card: Mapping[str, Any]) -> Item | Omission | None:
    layout = word(card.get("layout")) or "normal"
    sides = maps(card.get("card_faces"))
    twice = layout == "reversible_card"
    if twice and sides:
        # The same card on both sides, with different pictures.
        layout, card, sides = word(sides[0].get("layout")) or "normal", {**card, **sides[0]}, []
    faces = [_face(side) for side in sides] or [_face(card)]
    melds = (
        word(part.get("name"))
        for part in maps(card.get("all_parts"))
        if part.get("component") == "meld_result"
    )
    code = str(card.get("set")).upper()
    printing = printing_of(code, card.get("released_at"), card.get("games"), card.get("rarity"))
    return card_of(
        layout,
        faces,
        value=number_of(card.get("cmc")),
        identity=words(card.get("color_identity")),
        keywords=_keywords(words(card.get("keywords")), layout, faces),
        legalities=card.get("legalities"),
        same=word(card.get("oracle_id")) or "",
        aliases=dict.fromkeys(_aliases(card, layout, sides)),
        printings=[printing] if word(card.get("set")) else [],
        weak=twice,
        meld=next(melds, None) if layout == "meld" else None,
        is_rebalanced="rebalanced" in (words(card.get("promo_types")) or ())
        or faces[0].name.startswith("A-"),
    )


def _face(card: Mapping[str, Any]) -> Face:
    line, cost = word(card.get("type_line")), word(card.get("mana_cost"))
    colours = words(card.get("colors", card.get("color_indicator")))
    if colours is None and cost is not None:
        colours = [letter for letter, colour in COLOURS.items() if colour in colours_of(cost)]
    face = Face(
        name=word(card.get("name")) or "",
        cost=cost,
        value=number_of(card.get("cmc")),
        colours=colours,
        text=word(card.get("oracle_text")),
        has_power=word(card.get("power")) is not None,
    )
    if line is None:
        return face
    # "Legendary Creature — Human Wizard"
    before, _dash, behind = line.partition(" — ")
    pairs = [pair for pair in _TWO_WORDS if pair in behind]
    for pair in pairs:
        behind = behind.replace(pair, "")
    return face._replace(
        supertypes=[word for word in before.split() if word in _SUPERTYPES],
        types=[word for word in before.split() if word not in _SUPERTYPES],
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
        names = [name for side in (sides or [card]) if (name := word(side.get(key)))]
        own = word(card.get(key))
        if own:
            yield own
        if len(names) == len(sides) > 1:
            yield " // ".join(names)
        if layout in TWO_SIDES:
            yield from names
        elif names and layout not in BOTH_HALVES:
            yield names[0]
