"""Scryfall's bulk data: one array of cards. Oracle cards (one object per card), default and all cards (one per printing)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.importers.magic_texts import (
    COLOURS,
    colours_of,
    mana_value,
    most_of_one_symbol,
    number_of,
    partners_of,
    tags_of,
    types_elsewhere,
)
from deckcheck.importers.source_files import (
    LEGAL_IN,
    Advance,
    Reason,
    SourceCard,
    SourceEntry,
    SourceKind,
    StatedList,
    day_in,
    json_items,
)
from deckcheck.model.card import INFINITY

_BOTH_HALVES = frozenset({"split", "aftermath"})
"""Layouts of cards that have the facts and names of both halves except on the stack."""

_TWO_SIDES = frozenset({"transform", "modal_dfc", "double_faced", "reversible_card", "meld"})
"""Layouts whose second face is the card's back. Other layouts have both faces on the front: flip, adventure."""

_NOT_IN_DECKS = (
    *("token", "double_faced_token", "emblem", "art_series", "planar", "scheme", "vanguard", "sticker"),
    *("Token", "Emblem", "Card", "Plane", "Phenomenon", "Scheme", "Vanguard", "Dungeon", "Stickers"),
)
"""Layouts and types that aren't cards for a deck."""

_RELEASED = ("legal", "restricted", "banned")
_LISTED = ("banned", "restricted")
_SUPERTYPES = frozenset({"Basic", "Elite", "Host", "Legendary", "Ongoing", "Snow", "World"})
_TWO_WORDS = ("Time Lord",)

_MOST_TEXT = 20_000
"""The most characters of a face's text or cost: many times those of the longest card."""


def read(path: Path, advance: Advance = lambda _count: None) -> Iterator[SourceEntry]:
    """Yields the cards in the file. Raises UserError if it can't be read to its end."""
    for item in json_items(path, advance):
        is_card = isinstance(item, dict) and item.get("object", "card") == "card"
        entry = _card(Fields(item)) if is_card else "flawed"
        if entry is not None:
            yield entry


def banlists(path: Path, entries: Iterable[SourceEntry]) -> list[StatedList]:
    """A list for each format in which any card of the file is banned or restricted, with the day in the file's name."""
    statuses: dict[str, dict[str, str]] = {}
    legal: dict[str, set[str]] = {}
    for entry in entries:
        if not isinstance(entry, SourceCard):
            continue
        for format, status in (entry.statuses or {}).items():
            listed, free = statuses.setdefault(format, {}), legal.setdefault(format, set())
            # Some entries for a card may be legal nowhere.
            if status in _LISTED:
                listed[entry.record["name"]] = status
            else:
                free.add(entry.record["name"])
    return [
        StatedList(
            id=format,
            title=format,
            date=day_in(path.name),
            statuses=dict(sorted(listed.items())),
            free=frozenset(legal[format] - listed.keys()),
        )
        for format, listed in sorted(statuses.items())
        if listed
    ]


SCRYFALL = SourceKind(
    "scryfall",
    "Scryfall",
    "magic",
    begins=re.compile(rb"\s*\[\s*[{\]]"),
    read_cards=read,
    read_lists=banlists,
    some_printings=True,
)


# Fields


class Fields(dict[str, Any]):
    """An object of the data; a value of the wrong type counts as missing."""

    def text(self, key: str) -> str | None:
        """The string under the key."""
        value = self.get(key)
        return value if isinstance(value, str) else None

    def texts(self, *keys: str) -> list[str] | None:
        """The strings in the list under the first of these keys that it has."""
        value = next((self[key] for key in keys if key in self), None)
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else None

    def objects(self, key: str) -> "list[Fields]":
        """The objects in the list under the key; none if it is missing."""
        value = self.get(key)
        if not isinstance(value, list):
            return []
        return [Fields(item) for item in value if isinstance(item, dict)]


class Face(Struct, frozen=True):
    """A face or half; None means unknown. `has_power` says whether it has power and toughness."""

    name: str
    cost: str | None = None
    value: float | None = None
    colours: Sequence[str] | None = None
    supertypes: Sequence[str] | None = None
    types: Sequence[str] | None = None
    subtypes: Sequence[str] | None = None
    text: str | None = None
    has_power: bool = False


def _face(card: Fields) -> Face:
    line, cost = card.text("type_line"), card.text("mana_cost")
    colours = card.texts("colors", "color_indicator")
    if colours is None and cost is not None:
        colours = [letter for letter, colour in COLOURS.items() if colour in colours_of(cost)]
    face = Face(
        name=card.text("name") or "",
        cost=cost,
        value=number_of(card.get("cmc")),
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
    return replace(
        face,
        supertypes=[word for word in before.split() if word in _SUPERTYPES],
        types=[word for word in before.split() if word not in _SUPERTYPES],
        subtypes=[*pairs, *behind.split()],
    )


# Cards


def _card(card: Fields) -> SourceEntry | None:
    """The card, or why it is left out; None for a card that two others meld into, since those describe it."""
    layout, sides = card.text("layout") or "normal", card.objects("card_faces")
    is_twice = layout == "reversible_card"
    if is_twice and sides:
        # The same card on both sides, with different pictures.
        layout, card, sides = sides[0].text("layout") or "normal", Fields(card | sides[0]), []
    faces = [_face(side) for side in sides] or [_face(card)]
    reason = _why_left_out(card, layout, faces)
    if reason is not None:
        return reason
    meld = _meld_result(card) if layout == "meld" else None
    if meld == faces[0].name:
        return None
    return SourceCard(
        record=_record(card, layout, faces, has_faces=meld is None),
        source_id=card.text("oracle_id") or "",
        aliases=tuple(dict.fromkeys(_aliases(card, layout, sides, faces))),
        printings=tuple(_printings(card)),
        is_fallback=is_twice,
        melds=meld,
        statuses=_statuses(card),
    )


def _why_left_out(card: Fields, layout: str, faces: Sequence[Face]) -> Reason | None:
    words = [layout]
    for face in faces:
        words += [*(face.supertypes or ()), *(face.types or ())]
    is_remade = "rebalanced" in (card.texts("promo_types") or ()) or faces[0].name.startswith("A-")
    if is_remade or any(word in _NOT_IN_DECKS for word in words):
        return "unplayable"
    # The patterns are slow for long texts.
    longest = max(len(text or "") for face in faces for text in (face.text, face.cost))
    return "flawed" if longest > _MOST_TEXT or not faces[0].name else None


def _meld_result(card: Fields) -> str | None:
    results = [part for part in card.objects("all_parts") if part.get("component") == "meld_result"]
    return results[0].text("name") if results else None


def _statuses(card: Fields) -> dict[str, str] | None:
    """The status in each format, in lower case; None if unknown."""
    legalities = card.get("legalities")
    if not isinstance(legalities, dict):
        return None
    return {format: status.lower() for format, status in legalities.items() if isinstance(status, str)}


def _record(card: Fields, layout: str, faces: Sequence[Face], *, has_faces: bool) -> dict[str, Any]:
    """The record of a card file; `has_faces` says whether its other faces are its own."""
    is_joined = layout in _BOTH_HALVES and len(faces) > 1
    front = faces if is_joined else faces[:1]
    name = " // ".join(face.name for face in faces) if is_joined else faces[0].name
    record: dict[str, Any] = {"name": name, "home": "main"}
    record |= _facts(front, number_of(card.get("cmc"))) | _tags(front)
    identity, keywords = card.texts("color_identity"), _keywords(card.texts("keywords"), layout, faces)
    if identity is not None:
        record["identity"] = _colours(identity)
    if keywords is not None:
        record["keyword"] = sorted({keyword.lower() for keyword in keywords})
    statuses = _statuses(card)
    if statuses is not None:
        record[LEGAL_IN] = sorted(format for format, status in statuses.items() if status in _RELEASED)
    if len(faces) > 1 and has_faces:
        others = [{"name": face.name, **_facts([face], face.value)} for face in faces]
        if layout in _TWO_SIDES:
            for face, facts in zip(faces, others, strict=True):
                # A back without a cost has the mana value of its front.
                if not face.cost:
                    facts.pop("mana_value", None)
            record["faces"] = others[1:]
        else:
            record["parts"] = others
    return record


def _facts(faces: Sequence[Face], value: float | None) -> dict[str, Any]:
    """The facts of one face, or of halves together; `value` is the mana value if the data has it."""
    facts: dict[str, Any] = {}
    colours = [face.colours for face in faces]
    if None not in colours:
        facts["colour"] = _colours(letter for letters in colours for letter in letters or ())
    for key in ("supertype", "type", "subtype"):
        of_faces = [getattr(face, f"{key}s") for face in faces]
        if None not in of_faces:
            facts[key] = list(dict.fromkeys(word for words in of_faces for word in words))
    for subtype in (word for face in faces for word in types_elsewhere(face.text or "")):
        for key, word in (("type", "Creature"), ("subtype", subtype)):
            if key in facts and word not in facts[key]:
                facts[key].append(word)
    costs = [face.cost for face in faces]
    if None not in costs:
        cost = "".join(cost or "" for cost in costs)
        # An empty cost may mean none or unknown; for a land it means none.
        if value is None and (cost or "Land" in facts.get("type", ())):
            value = mana_value(cost)
        facts["same_symbols"] = most_of_one_symbol(cost)
    if value == float("inf"):
        facts["mana_value"] = INFINITY
    elif value is not None:
        facts["mana_value"] = int(value) if value == int(value) else value
    return facts


def _tags(faces: Sequence[Face]) -> dict[str, Any]:
    tags: set[str] = set()
    partners: list[str] = []
    for face in faces:
        if face.text is not None:
            tags |= tags_of(face.text, face.types or (), face.subtypes or (), face.name)
            partners += partners_of(face.text)
    front = faces[0]
    is_creature = "Creature" in (front.types or ())
    is_legendary = "Legendary" in (front.supertypes or ())
    if "Spacecraft" in (front.subtypes or ()) and front.has_power and is_legendary and not is_creature:
        tags.add("can-be-commander")
    if {*(front.subtypes or ())} == {"Time Lord", "Doctor"} and is_creature:
        tags.add("time-lord-doctor")
    facts: dict[str, Any] = {"tag": sorted(tags), "partner_with": partners}
    if any(face.text is None for face in faces):
        facts["partial"] = ["tag", "partner_with"]
    return facts


def _colours(letters: Iterable[str]) -> list[str]:
    given = set(letters)
    known = [colour for letter, colour in COLOURS.items() if letter in given]
    return known + sorted(given - COLOURS.keys())


def _keywords(written: Sequence[str] | None, layout: str, faces: Sequence[Face]) -> Sequence[str] | None:
    """The keywords of the front; `written` are those of all faces together. None if unknown."""
    if written is None or len(faces) == 1 or layout in _BOTH_HALVES:
        return written
    text = faces[0].text
    return None if text is None else [keyword for keyword in written if keyword.lower() in text.lower()]


def _printings(card: Fields) -> Iterator[dict[str, str | None]]:
    code = card.text("set")
    if not code:
        return
    fields = {"set": code.upper(), "released": card.text("released_at"), "rarity": card.text("rarity")}
    printing = {key: value for key, value in fields.items() if value}
    if card.texts("games") == ["arena"]:
        # It doesn't count as a printing in the formats of paper and Magic Online.
        yield {**printing, "rarity": None}
    else:
        yield {**printing}


def _aliases(card: Fields, layout: str, sides: Sequence[Fields], faces: Sequence[Face]) -> Iterator[str]:
    if len(faces) > 1:
        yield " // ".join(face.name for face in faces)
    for key in ("flavor_name", *(["printed_name"] if card.get("lang") == "ja" else [])):
        names = [name for side in (sides or [card]) if (name := side.text(key))]
        if own := card.text(key):
            yield own
        if len(names) == len(sides) > 1:
            yield " // ".join(names)
        if layout in _TWO_SIDES:
            yield from names
        elif names and layout not in _BOTH_HALVES:
            yield names[0]
