"""A Magic card of whatever source, made into the facts that the formats ask for."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from deckcheck.cards.importers.found import Item, LeftOut, Reason
from deckcheck.cards.importers.magictext import (
    COLOURS,
    colours_of,
    most_of_one_symbol,
    partners_of,
    tags_of,
    types_elsewhere,
    value_of,
)
from deckcheck.cards.record import INFINITY

BOTH_HALVES = frozenset({"split", "aftermath"})
"""Layouts of cards that are both halves everywhere but on the stack, and bear both names."""

TWO_SIDES = frozenset({"transform", "modal_dfc", "double_faced", "reversible_card", "meld"})
"""Layouts whose second face is the card's back. Whatever else has two faces has both on its front: flip, adventure."""

UNITED = frozenset({"pool"})
"""A printing that isn't tournament legal (gold borders, square corners) may be told as legal nowhere."""

RELEASED = frozenset({"legal", "restricted", "banned"})

_LEFT_OUT: dict[str, Reason] = {
    "token": "token",
    "double_faced_token": "token",
    "emblem": "token",
    "art_series": "art",
    "planar": "beside",
    "scheme": "beside",
    "vanguard": "beside",
    "sticker": "beside",
}
_LEFT_OUT_TYPES: dict[str, Reason] = {
    "Token": "token",
    "Emblem": "token",
    "Card": "art",
    "Plane": "beside",
    "Phenomenon": "beside",
    "Scheme": "beside",
    "Vanguard": "beside",
    "Dungeon": "beside",
    "Stickers": "beside",
}
_MOST_TEXT = 20_000
"""Characters of a face's text or cost: many times those of the longest card."""

_SUPERTYPES = frozenset({"Basic", "Elite", "Host", "Legendary", "Ongoing", "Snow", "World"})
_TWO_WORDS = ("Time Lord",)


class Face(NamedTuple):
    """A face or half; what is None is not known."""

    name: str
    cost: str | None = None
    value: float | None = None
    colours: Sequence[str] | None = None
    supertypes: Sequence[str] | None = None
    types: Sequence[str] | None = None
    subtypes: Sequence[str] | None = None
    text: str | None = None
    fights: bool = False
    """Whether it has power and toughness."""


class Found(NamedTuple):
    """One card as a source tells it; what is None is not known.

    `colours` and `identity` are letters. `legalities` maps formats to
    words as they stand there. `leads` is what the source itself says of
    leading a deck. `meld` is the name of what it becomes a half of, its own
    name for that itself.
    """

    layout: str
    faces: Sequence[Face]
    value: float | None = None
    identity: Sequence[str] | None = None
    keywords: Sequence[str] | None = None
    legalities: Mapping[str, str] | None = None
    leads: bool = False
    same: str = ""
    aliases: Sequence[str] = ()
    printings: Sequence[dict[str, Any]] = ()
    weak: bool = False
    meld: str | None = None
    remade: bool = False
    """Whether it is the other version of a card that only Arena has, under a name of its own."""


def card_of(found: Found) -> Item | LeftOut | None:
    """The card, or why it is none; None where others say all there is to say: what two cards become together."""
    reason = _LEFT_OUT.get(found.layout)
    for face in found.faces:
        for word in (*(face.supertypes or ()), *(face.types or ())):
            reason = reason or _LEFT_OUT_TYPES.get(word)
    if reason is None and found.remade:
        reason = "remade"
    if reason is not None:
        return LeftOut(reason)
    if not found.faces or not found.faces[0].name or any(map(_is_endless, found.faces)):
        return LeftOut("flawed")
    if found.meld == found.faces[0].name:
        return None
    whole = " // ".join(face.name for face in found.faces)
    joined = found.layout in BOTH_HALVES and len(found.faces) > 1
    front = found.faces if joined else found.faces[:1]
    record: dict[str, Any] = {"name": whole if joined else front[0].name}
    record |= _facts(front, found.value)
    record |= _tags(front, found)
    if found.identity is not None:
        record["identity"] = _colours(found.identity)
    if found.keywords is not None:
        record["keyword"] = sorted({word.lower() for word in found.keywords})
    if found.legalities is not None:
        legal = found.legalities.items()
        record["pool"] = sorted(format for format, said in legal if said.lower() in RELEASED)
    if len(found.faces) > 1 and found.meld is None:
        others = [{"name": face.name, **_facts([face], face.value)} for face in found.faces]
        if found.layout in TWO_SIDES:
            for face, facts in zip(found.faces, others, strict=True):
                # A back without a cost has the mana value of its front.
                if not face.cost:
                    facts.pop("mana_value", None)
            record["faces"] = others[1:]
        else:
            record["parts"] = others
    aliases = (whole, *found.aliases) if len(found.faces) > 1 else tuple(found.aliases)
    return Item(record, found.same, aliases, tuple(found.printings), found.weak, found.meld)


def _is_endless(face: Face) -> bool:
    # What reads a text takes its time with a long one.
    return max(len(face.text or ""), len(face.cost or "")) > _MOST_TEXT


def _facts(faces: Sequence[Face], value: float | None) -> dict[str, Any]:
    """The facts that one face has, or that halves have together."""
    facts: dict[str, Any] = {}
    colours = [face.colours for face in faces]
    if None not in colours:
        facts["colour"] = _colours(letter for one in colours for letter in one or ())
    for key in ("supertype", "type", "subtype"):
        words = [getattr(face, f"{key}s") for face in faces]
        if None not in words:
            facts[key] = list(dict.fromkeys(word for one in words for word in one))
    for word in [word for face in faces for word in types_elsewhere(face.text or "")]:
        for key, said in (("type", "Creature"), ("subtype", word)):
            if key in facts and said not in facts[key]:
                facts[key].append(said)
    costs = [face.cost for face in faces]
    if None not in costs:
        cost = "".join(one or "" for one in costs)
        # A cost that isn't there may be none, or not told; of a land it is none.
        if value is None and (cost or "Land" in facts.get("type", ())):
            value = value_of(cost)
        facts["same_symbols"] = most_of_one_symbol(cost)
    if value is not None:
        facts["mana_value"] = number(value)
    return facts


def number(value: float) -> float | str:
    """A number as card files write it."""
    if math.isinf(value):
        return INFINITY
    return int(value) if value == int(value) else value


def _tags(faces: Sequence[Face], found: Found) -> dict[str, Any]:
    tags: dict[str, None] = {}
    partners: list[str] = []
    for face in faces:
        if face.text is not None:
            tags |= dict.fromkeys(tags_of(face.text, face.types or (), face.subtypes or (), face.name))
            partners += partners_of(face.text)
    front = faces[0]
    if "Legendary" in (front.supertypes or ()) and "Creature" not in (front.types or ()):
        rides = not {"Vehicle", "Spacecraft"}.isdisjoint(front.subtypes or ()) and front.fights
        if found.leads or rides:
            tags["can-be-commander"] = None
    facts: dict[str, Any] = {"tag": sorted(tags), "partner_with": partners}
    if any(face.text is None for face in faces):
        facts["partial"] = ["tag", "partner_with"]
    return facts


def _colours(letters: Iterable[str]) -> list[str]:
    found = set(letters)
    known = [colour for letter, colour in COLOURS.items() if letter in found]
    return known + sorted(found - COLOURS.keys())


def face_of_line(
    name: str, line: str | None, cost: str | None, colours: Sequence[str] | None, **more: Any
) -> Face:
    """A face whose types stand in one line, "Legendary Creature — Human Wizard".

    Where the colours aren't told the cost tells them.
    """
    if colours is None and cost is not None:
        colours = [letter for letter, colour in COLOURS.items() if colour in colours_of(cost)]
    if line is None:
        return Face(name, cost, colours=colours, **more)
    before, _, behind = line.partition(" — ")
    words = before.split()
    return Face(
        name,
        cost,
        colours=colours,
        supertypes=[word for word in words if word in _SUPERTYPES],
        types=[word for word in words if word not in _SUPERTYPES],
        subtypes=_subtypes(behind),
        **more,
    )


def _subtypes(words: str) -> list[str]:
    found = []
    for pair in _TWO_WORDS:
        if pair in words:
            words = words.replace(pair, "")
            found.append(pair)
    return found + words.split()
