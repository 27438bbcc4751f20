"""Turns Magic cards of any source into the facts that the formats need, and reads the banlists in the same data.

Facts that have no field in the data are read from costs and texts.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.importers.source_kinds import DataDate, Omission, Reason, SourceCard, StatedList, day_in
from deckcheck.model.card import INFINITY

COLOURS = {"W": "White", "U": "Blue", "B": "Black", "R": "Red", "G": "Green"}

BOTH_HALVES = frozenset({"split", "aftermath"})
"""Layouts of cards that have the facts and names of both halves except on the stack."""

TWO_SIDES = frozenset({"transform", "modal_dfc", "double_faced", "reversible_card", "meld"})
"""Layouts whose second face is the card's back. Other layouts have both faces on the front: flip, adventure."""

_RELEASED = ("legal", "restricted", "banned")
_LISTED = ("banned", "restricted")
_NO_CARDS: Mapping[Reason, tuple[str, ...]] = {
    "token": ("token", "double_faced_token", "emblem", "Token", "Emblem"),
    "art": ("art_series", "Card"),
    "beside": (
        *("planar", "scheme", "vanguard", "sticker"),
        *("Plane", "Phenomenon", "Scheme", "Vanguard", "Dungeon", "Stickers"),
    ),
}
"""Layouts and types that aren't cards for a deck, by reason."""

_LEFT_OUT = {word: reason for reason, words in _NO_CARDS.items() for word in words}

_MOST_TEXT = 20_000
"""The most characters of a face's text or cost: many times those of the longest card."""


Printing = dict[str, str | None]
"""A printing as in a card file."""


class Fields(dict[str, Any]):
    """An object in Magic data; a value of the wrong type counts as missing."""

    def text(self, key: str, default: str | None = None) -> str | None:
        """The string under the key."""
        value = self.get(key, default)
        return value if isinstance(value, str) else None

    def texts(self, *keys: str) -> list[str] | None:
        """The strings in the list under the first of these keys that it has."""
        value = next((self[key] for key in keys if key in self), None)
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else None

    def number(self, *keys: str) -> float | None:
        """The number under the first of these keys that it has."""
        return number_of(next((self[key] for key in keys if key in self), None))

    def object(self, key: str) -> "Fields":
        """The object under the key; an empty one if it is missing."""
        value = self.get(key)
        return Fields(value) if isinstance(value, dict) else Fields()

    def objects(self, key: str) -> "list[Fields]":
        """The objects in the list under the key; none if it is missing."""
        return objects_in(self.get(key))


def objects_in(value: Any) -> list[Fields]:
    """The objects in a list; none for anything else."""
    return [Fields(item) for item in value if isinstance(item, dict)] if isinstance(value, list) else []


class Face(NamedTuple):
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


def card_of(
    layout: str,
    faces: Sequence[Face],
    *,
    value: float | None = None,
    identity: Sequence[str] | None = None,
    keywords: Sequence[str] | None = None,
    legalities: object = None,
    may_lead: bool = False,
    source_id: str = "",
    aliases: Iterable[str] = (),
    printings: Sequence[Printing] = (),
    is_fallback: bool = False,
    meld: str | None = None,
    is_rebalanced: bool = False,
) -> SourceCard | Omission | None:
    """The card, or why it is left out; None for a card that two others meld into, since those describe it.

    None means unknown. `identity` is letters, `legalities` the source's words by format, `may_lead` whether the source
    says that it may be a commander. `meld` names the card that it melds into (for that card, itself). `is_rebalanced` marks
    Arena's own version of a card, which has its own name.
    """
    kinds = [kind for face in faces for kind in (*(face.supertypes or ()), *(face.types or ()))]
    reasons = [_LEFT_OUT[word] for word in (layout, *kinds) if word in _LEFT_OUT]
    if reasons or is_rebalanced:
        return Omission(reasons[0] if reasons else "remade")
    # The patterns are slow for long texts.
    longest = max((len(text or "") for face in faces for text in (face.text, face.cost)), default=0)
    if longest > _MOST_TEXT or not faces or not faces[0].name:
        return Omission("flawed")
    if meld == faces[0].name:
        return None
    whole = " // ".join(face.name for face in faces)
    joined = layout in BOTH_HALVES and len(faces) > 1
    front = faces if joined else faces[:1]
    record: dict[str, Any] = {"name": whole if joined else front[0].name, "home": "main"}
    record |= _facts(front, value) | _tags(front, may_lead)
    if identity is not None:
        record["identity"] = _colours(identity)
    if keywords is not None:
        record["keyword"] = sorted({keyword.lower() for keyword in keywords})
    statuses = None
    if isinstance(legalities, dict):
        statuses = {key: status.lower() for key, status in legalities.items() if isinstance(status, str)}
        record["pool"] = sorted(key for key, status in statuses.items() if status in _RELEASED)
    if len(faces) > 1 and meld is None:
        others = [{"name": face.name, **_facts([face], face.value)} for face in faces]
        if layout in TWO_SIDES:
            for face, facts in zip(faces, others, strict=True):
                # A back without a cost has the mana value of its front.
                if not face.cost:
                    facts.pop("mana_value", None)
            record["faces"] = others[1:]
        else:
            record["parts"] = others
    names = (whole, *aliases) if len(faces) > 1 else aliases
    return SourceCard(record, source_id, tuple(names), tuple(printings), is_fallback, meld, statuses=statuses)


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
    if value is not None:
        facts["mana_value"] = INFINITY if math.isinf(value) else int(value) if value == int(value) else value
    return facts


def _tags(faces: Sequence[Face], may_lead: bool) -> dict[str, Any]:
    tags: set[str] = set()
    partners: list[str] = []
    for face in faces:
        if face.text is not None:
            tags |= tags_of(face.text, face.types or (), face.subtypes or (), face.name)
            partners += partners_of(face.text)
    front = faces[0]
    subtypes = {*(front.subtypes or ())}
    # The formats say since when legendary Vehicles may be commanders, unless a card's text does.
    may_lead = "Vehicle" not in subtypes and (may_lead or ("Spacecraft" in subtypes and front.has_power))
    if may_lead and "Legendary" in (front.supertypes or ()) and "Creature" not in (front.types or ()):
        tags.add("can-be-commander")
    if subtypes == {"Time Lord", "Doctor"} and "Creature" in (front.types or ()):
        tags.add("time-lord-doctor")
    facts: dict[str, Any] = {"tag": sorted(tags), "partner_with": partners}
    if any(face.text is None for face in faces):
        facts["partial"] = ["tag", "partner_with"]
    return facts


def _colours(letters: Iterable[str]) -> list[str]:
    found = set(letters)
    known = [colour for letter, colour in COLOURS.items() if letter in found]
    return known + sorted(found - COLOURS.keys())


def printing_of(
    code: str, released: str | None, places: Sequence[str] | None, rarity: str | None
) -> Printing:
    """The printing in the set `code`, with release day, places where it is available, and rarity."""
    fields = {"set": code, "released": released, "rarity": rarity}
    found: Printing = {key: value for key, value in fields.items() if value}
    if places == ["arena"]:
        # It doesn't count as a printing in the formats of paper and Magic Online.
        found["rarity"] = None
    return found


def banlists_of(found: Iterable[Any], path: Path) -> list[StatedList]:
    """A list for each format in which any card in `found` is banned or restricted."""
    date: str | None = None
    statuses: dict[str, dict[str, str]] = {}
    legal: dict[str, set[str]] = {}
    for item in found:
        if isinstance(item, DataDate):
            date = item.date and day_in(item.date)
        if not isinstance(item, SourceCard):
            continue
        for format, status in (item.statuses or {}).items():
            listed, free = statuses.setdefault(format, {}), legal.setdefault(format, set())
            # Some entries for a card may be legal nowhere.
            if status in _LISTED:
                listed[item.record["name"]] = status
            else:
                free.add(item.record["name"])
    date = date or day_in(path.name)
    return [
        StatedList(
            format, format, date, dict(sorted(listed.items())), frozenset(legal[format] - listed.keys())
        )
        for format, listed in sorted(statuses.items())
        if listed
    ]


_SYMBOL = re.compile(r"\{([^{}]*)\}")
_REMINDER = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”")
_NUMBER = re.compile(r"(\d*(?:\.\d+)?)([½⅓¼])?")

_ACTIVATED = "|".join(
    (
        "aura swap|channel|commander ninjutsu|craft|crew|embalm|encore|equip|eternalize|forecast|fortify",
        "level up|ninjutsu|outlast|reconfigure|reinforce|saddle|scavenge|transfigure|transmute|unearth",
        "[a-z ]*cycling",
    )
)
# "Equip {2}", "Equip—Pay 3 life", "Equip legendary creature {3}", "Crew 2"; but not "Equip costs you pay cost {1}
# less", which continues after the cost.
_KEYWORD = re.compile(
    rf"station|(?:{_ACTIVATED})(?:\s*—.+|(?: [a-z' -]*)?\s(?:(?:\{{[^{{}}]*\}})+|[0-9x]+(?:\s*—.+)?))",
    re.IGNORECASE,
)
_COST = re.compile(
    r"(?:attach|behold|blight|clap|collect|discard|exert|exile|flip|forage|mill|pay|put|remove|return|reveal|"
    r"sacrifice|say|skip|tap|unattach|untap|waterbend)\b(?!.*\bnamed\b)",
    re.IGNORECASE,
)
_LOYALTY = re.compile(r"\[?[+−–-]?(?:\d+|x)\]?", re.IGNORECASE)
_UP_TO = re.compile(r"\bdecks? can have up to ([a-z]+) cards named\b", re.IGNORECASE)
_PHRASES = {
    "companion": re.compile(r"^companion —", re.IGNORECASE | re.MULTILINE),
    "any-number": re.compile(r"\bdecks? can have any number of cards named\b", re.IGNORECASE),
    "can-be-commander": re.compile(r"\bcan be (?:your|a) commander\b", re.IGNORECASE),
}
_CREATURE_ELSEWHERE = re.compile(
    r"^As long as [^.]* isn't on the battlefield, it's an? (?:[0-9]+/[0-9]+ )?((?:[A-Z][A-Za-z-]* )+)creature\b"
)
_PARTNER_WITH = re.compile(r"partner with (.+)", re.IGNORECASE)
_LAND_TYPES = frozenset({"Plains", "Island", "Swamp", "Mountain", "Forest"})

# Only whole lines or items, so that abilities that a card gives to others or only mentions don't count.
_LINES = {
    "partner": "partner",
    "friends forever": "friends-forever",
    "partner—friends forever": "friends-forever",
    "partner—survivors": "partner-survivors",
    "partner—father & son": "partner-father-and-son",
    "partner—character select": "partner-character-select",
    "choose a background": "choose-a-background",
    "doctor's companion": "doctors-companion",
}


def symbols(cost: str) -> list[str]:
    """The symbols of a mana cost (or of two) without braces, in upper case."""
    return [symbol.upper() for symbol in _SYMBOL.findall(cost)]


def most_of_one_symbol(cost: str) -> int:
    """How often the most frequent symbol occurs in a mana cost.

    A symbol equals only itself ({W/U} isn't {W}); generic numbers and {X} count, too.
    """
    return max(Counter(symbols(cost)).values(), default=0)


def colours_of(cost: str) -> list[str]:
    """The colours of the symbols in a cost."""
    letters = {letter for symbol in symbols(cost) for letter in re.split(r"[/]|(?<=H)", symbol)}
    return [colour for letter, colour in COLOURS.items() if letter in letters]


def mana_value(cost: str) -> float:
    """The mana value of a cost: X counts 0, half a symbol 0.5, {2/W} 2."""
    total: float = 0
    for symbol in symbols(cost):
        first = symbol.partition("/")[0]
        if first.startswith("H") and len(first) == 2:
            total += 0.5
        elif first not in ("X", "Y", "Z"):
            number = number_of(first)
            total += 1 if number is None else number
    return total


def number_of(value: object) -> float | None:
    """A number in any of the data's notations (3, 0.5, "2", "½", "3½", "∞"); None for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return None if value != value else value
    if not isinstance(value, str):
        return None
    if value.strip() in ("∞", "Infinity"):
        return float("inf")
    found = _NUMBER.fullmatch(value.strip())
    if found is None or not found[0]:
        return None
    return float(found[1] or 0) + (unicodedata.numeric(found[2]) if found[2] else 0)


def abilities(text: str) -> Iterator[str]:
    """Yields the lines of a card's text, each an ability, without reminder text and the content of quotes."""
    for line in _QUOTED.sub('""', text).split("\n"):
        bare = _REMINDER.sub("", line).strip()
        if bare:
            yield bare


def has_activated_ability(text: str, subtypes: Iterable[str] = ()) -> bool:
    """Whether any ability is activated: "cost: effect", a keyword for one, or that of a basic land type."""
    return not _LAND_TYPES.isdisjoint(subtypes) or any(map(_is_activated, abilities(text)))


def _is_activated(line: str) -> bool:
    before, colon, _ = line.partition(":")
    # "Boast — {1}: …" has the name of the ability before its cost.
    cost = before.rpartition("—")[2].strip()
    if colon and (_SYMBOL.search(cost) or _LOYALTY.fullmatch(cost)):
        return True
    if colon and "." not in cost and "•" not in before and _COST.match(cost):
        return True
    return any(_KEYWORD.fullmatch(piece.strip().rstrip(".")) for piece in _pieces(line))


def _pieces(line: str) -> list[str]:
    return [line, line.partition(". ")[0], *re.split(r"[,;]", line)]


def has_every_creature_type(text: str, name: str) -> bool:
    """Whether the card itself is every creature type in any zone: changelings, and the few whose text says so."""
    pattern = rf"(?:{re.escape(name)}|{re.escape(name.partition(',')[0])}|this card|this creature) is every creature type\b"
    return any(
        "changeling" in (piece.strip().rstrip(".").casefold() for piece in _pieces(line))
        or re.match(pattern, line, re.IGNORECASE)
        for line in abilities(text)
    )


def types_elsewhere(text: str) -> list[str]:
    """The creature types of a card that is a creature everywhere except on the battlefield; none for any other."""
    hits = (_CREATURE_ELSEWHERE.search(line) for line in abilities(text))
    return [word for hit in hits if hit is not None for word in hit[1].split()]


def tags_of(text: str, types: Iterable[str], subtypes: Iterable[str], name: str = "") -> set[str]:
    """The values of `tag` for a card of that name: what its text means to deck rules."""
    whole = "\n".join(abilities(text))
    found = {tag for tag, pattern in _PHRASES.items() if pattern.search(whole)}
    for line in whole.replace("’", "'").casefold().split("\n"):
        pieces = (piece.strip() for piece in line.rstrip(".").split(","))
        found |= {_LINES[piece] for piece in (line.rstrip("."), *pieces) if piece in _LINES}
    found |= {f"up-to-{hit[1].lower()}" for hit in _UP_TO.finditer(whole)}
    if "Creature" not in types and types_elsewhere(text):
        found.add("can-be-commander")
    if name and has_every_creature_type(text, name):
        found.add("every-creature-type")
    if has_activated_ability(text, subtypes):
        found.add("has-activated-ability")
    return found


def partners_of(text: str) -> list[str]:
    """The names after "Partner with"."""
    hits = (_PARTNER_WITH.fullmatch(line.rstrip()) for line in abilities(text))
    return [hit[1].strip() for hit in hits if hit is not None]
