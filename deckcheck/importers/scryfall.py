"""Scryfall's bulk data: one array of cards. Oracle cards (one object per card), default and all cards (one per printing)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from deckcheck.importers.json_stream import Advance, items, json_events, read_value
from deckcheck.importers.magic import (
    BOTH_HALVES,
    COLOURS,
    TWO_SIDES,
    Face,
    Fields,
    banlists_of,
    card_of,
    colours_of,
    printing_of,
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
            found = _card(Fields(card)) if is_card else Omission("flawed")
            if found is not None:
                yield found


def banlists(path: Path, advance: Advance) -> list[StatedList]:
    """A list for each format. Raises UserError as `read` does."""
    return banlists_of(read(path, advance), path)


def _card(card: Fields) -> SourceCard | Omission | None:
    layout, sides = card.text("layout") or "normal", card.objects("card_faces")
    twice = layout == "reversible_card"
    if twice and sides:
        # The same card on both sides, with different pictures.
        layout, card, sides = sides[0].text("layout") or "normal", Fields(card | sides[0]), []
    faces = [_face(side) for side in sides] or [_face(card)]
    melds = (
        part.text("name") for part in card.objects("all_parts") if part.get("component") == "meld_result"
    )
    code = str(card.get("set")).upper()
    printing = printing_of(code, card.text("released_at"), card.texts("games"), card.text("rarity"))
    return card_of(
        layout,
        faces,
        value=card.number("cmc"),
        identity=card.texts("color_identity"),
        keywords=_keywords(card.texts("keywords"), layout, faces),
        legalities=card.get("legalities"),
        source_id=card.text("oracle_id") or "",
        aliases=dict.fromkeys(_aliases(card, layout, sides)),
        printings=[printing] if card.text("set") else [],
        is_fallback=twice,
        meld=next(melds, None) if layout == "meld" else None,
        is_rebalanced="rebalanced" in (card.texts("promo_types") or ()) or faces[0].name.startswith("A-"),
    )


def _face(card: Fields) -> Face:
    line, cost = card.text("type_line"), card.text("mana_cost")
    colours = card.texts("colors", "color_indicator")
    if colours is None and cost is not None:
        colours = [letter for letter, colour in COLOURS.items() if colour in colours_of(cost)]
    face = Face(
        name=card.text("name") or "",
        cost=cost,
        value=card.number("cmc"),
        colours=colours,
        text=card.text("oracle_text"),
        has_power=card.text("power") is not None,
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


def _aliases(card: Fields, layout: str, sides: Sequence[Fields]) -> Iterator[str]:
    for key in ("flavor_name", *(["printed_name"] if card.get("lang") == "ja" else [])):
        names = [name for side in (sides or [card]) if (name := side.text(key))]
        if own := card.text(key):
            yield own
        if len(names) == len(sides) > 1:
            yield " // ".join(names)
        if layout in TWO_SIDES:
            yield from names
        elif names and layout not in BOTH_HALVES:
            yield names[0]
