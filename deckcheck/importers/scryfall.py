"""Scryfall's bulk data, one array of cards: oracle cards (one object per card), default and all cards (one per printing).

For facts that have no field in the data, the costs and texts of cards tell what they mean to deck rules.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict, replace

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

COLOURS = {"W": "White", "U": "Blue", "B": "Black", "R": "Red", "G": "Green"}

_BOTH_HALVES = frozenset({"split", "aftermath"})
"""Layouts of cards that have the facts and names of both halves except on the stack."""

_TWO_SIDES = frozenset({"transform", "modal_dfc", "double_faced", "meld"})
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


# Fields


class Face(Struct, frozen=True):
    """What the data says of a card, or of one of its faces; None is unknown."""

    name: str = ""
    layout: str | None = None
    oracle_id: str | None = None
    mana_cost: str | None = None
    cmc: float | None = None
    type_line: str | None = None
    oracle_text: str | None = None
    power: str | None = None
    colors: Sequence[str] | None = None
    color_indicator: Sequence[str] | None = None
    flavor_name: str | None = None
    printed_name: str | None = None

    @property
    def type_words(self) -> dict[str, list[str]]:
        """By attribute, the words of a type line such as "Legendary Creature — Human Wizard"; none if it is unknown."""
        before, _dash, behind = (self.type_line or "").partition(" — ")
        pairs = [pair for pair in _TWO_WORDS if pair in behind]
        for pair in pairs:
            behind = behind.replace(pair, "")
        words = before.split()
        return {
            "supertype": [word for word in words if word in _SUPERTYPES],
            "type": [word for word in words if word not in _SUPERTYPES],
            "subtype": [*pairs, *behind.split()],
        }

    @property
    def colour_letters(self) -> Sequence[str] | None:
        """The letters of its colours, those of its cost if the data doesn't say."""
        stated = self.color_indicator if self.colors is None else self.colors
        if stated is not None or self.mana_cost is None:
            return stated
        return [letter for letter, colour in COLOURS.items() if colour in colours_of(self.mana_cost)]


class RelatedCard(Struct, frozen=True):
    """A card that belongs to another one."""

    component: str = ""
    name: str | None = None


class Item(Face, frozen=True):
    """A card or a printing of one."""

    object: str = "card"
    lang: str | None = None
    card_faces: Sequence[Face] = ()
    all_parts: Sequence[RelatedCard] = ()
    legalities: dict[str, str] | None = None
    color_identity: Sequence[str] | None = None
    keywords: Sequence[str] | None = None
    promo_types: Sequence[str] = ()
    games: Sequence[str] = ()
    set: str = ""
    released_at: str | None = None
    rarity: str | None = None

    @property
    def statuses(self) -> dict[str, str] | None:
        """The status in each format, in lower case; None if unknown."""
        if self.legalities is None:
            return None
        return {format: status.lower() for format, status in self.legalities.items()}


# Cards


def read(path: Path, advance: Advance = lambda _count: None) -> Iterator[SourceEntry]:
    """Yields the cards in the file. Raises UserError if it can't be read to its end."""
    for value in json_items(path, advance):
        try:
            item = convert(value, Item)
        except ValidationError:
            yield "flawed"
            continue
        entry = _card(item) if item.object == "card" else "flawed"
        if entry is not None:
            yield entry


def _card(card: Item) -> SourceEntry | None:
    """The card, or why it is left out; None for a card that two others meld into, since those describe it."""
    is_twice = card.layout == "reversible_card" and bool(card.card_faces)
    if is_twice:
        # The same card on both sides, with different pictures.
        front = {key: value for key, value in asdict(card.card_faces[0]).items() if value is not None}
        card = replace(card, **{"layout": None, **front, "card_faces": ()})
    reason = _why_left_out(card)
    if reason is not None:
        return reason
    results = [part.name for part in card.all_parts if part.component == "meld_result"]
    meld = results[0] if results and card.layout == "meld" else None
    if meld == card.name:
        return None
    return SourceCard(
        record=_record(card, has_faces=meld is None),
        source_id=card.oracle_id or "",
        aliases=tuple(dict.fromkeys(_aliases(card))),
        printings=tuple(_printings(card)),
        is_fallback=is_twice,
        melds=meld,
        statuses=card.statuses,
    )


def _faces(card: Item) -> Sequence[Face]:
    return card.card_faces or (card,)


def _why_left_out(card: Item) -> Reason | None:
    faces = _faces(card)
    words = [card.layout]
    for face in faces:
        words += [*face.type_words["supertype"], *face.type_words["type"]]
    is_remade = "rebalanced" in card.promo_types or faces[0].name.startswith("A-")
    if is_remade or any(word in _NOT_IN_DECKS for word in words):
        return "unplayable"
    # The patterns are slow for long texts.
    longest = max(len(text or "") for face in faces for text in (face.oracle_text, face.mana_cost))
    return "flawed" if longest > _MOST_TEXT or not faces[0].name else None


def _record(card: Item, *, has_faces: bool) -> dict[str, Any]:
    """The record of a card file; `has_faces` says whether its other faces are its own."""
    faces = _faces(card)
    front = faces if card.layout in _BOTH_HALVES else faces[:1]
    record: dict[str, Any] = {"name": " // ".join(face.name for face in front), "home": "main"}
    record |= _facts(front, card.cmc) | _tags(front)
    if card.color_identity is not None:
        record["identity"] = _colours(card.color_identity)
    keywords = _keywords(card)
    if keywords is not None:
        record["keyword"] = sorted({keyword.lower() for keyword in keywords})
    if card.statuses is not None:
        record[LEGAL_IN] = sorted(format for format, status in card.statuses.items() if status in _RELEASED)
    if len(faces) > 1 and has_faces:
        others = [{"name": face.name, **_facts([face], face.cmc)} for face in faces]
        if card.layout in _TWO_SIDES:
            for face, facts in zip(faces, others, strict=True):
                # A back without a cost has the mana value of its front.
                if not face.mana_cost:
                    facts.pop("mana_value", None)
            record["faces"] = others[1:]
        else:
            record["parts"] = others
    return record


def _facts(faces: Sequence[Face], value: float | None) -> dict[str, Any]:
    """The facts of one face, or of halves together; `value` is the mana value if the data has it."""
    facts: dict[str, Any] = {}
    colours = [face.colour_letters for face in faces]
    if None not in colours:
        facts["colour"] = _colours(letter for letters in colours for letter in letters or ())
    if None not in [face.type_line for face in faces]:
        lines = [face.type_words for face in faces]
        facts |= {key: _each_once(line[key] for line in lines) for key in lines[0]}
        elsewhere = [word for face in faces for word in types_elsewhere(face.oracle_text or "")]
        if elsewhere:
            facts["type"] = _each_once([facts["type"], ["Creature"]])
            facts["subtype"] = _each_once([facts["subtype"], elsewhere])
    costs = [face.mana_cost for face in faces]
    if None not in costs:
        cost = "".join(cost or "" for cost in costs)
        # An empty cost may mean none or unknown; for a land it means none.
        if value is None and (cost or "Land" in facts.get("type", ())):
            value = mana_value(cost)
        facts["same_symbols"] = most_of_one_symbol(cost)
    if value is not None:
        facts["mana_value"] = int(value) if value.is_integer() else value
    return facts


def _each_once(lists: Iterable[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(word for words in lists for word in words))


def _tags(faces: Sequence[Face]) -> dict[str, Any]:
    tags: set[str] = set()
    partners: list[str] = []
    for face in faces:
        if face.oracle_text is not None:
            words = face.type_words
            tags |= tags_of(face.oracle_text, words["type"], words["subtype"], face.name)
            partners += partners_of(face.oracle_text)
    front, words = faces[0], faces[0].type_words
    is_creature, is_legendary = "Creature" in words["type"], "Legendary" in words["supertype"]
    if "Spacecraft" in words["subtype"] and front.power is not None and is_legendary and not is_creature:
        tags.add("can-be-commander")
    if {*words["subtype"]} == {"Time Lord", "Doctor"} and is_creature:
        tags.add("time-lord-doctor")
    facts: dict[str, Any] = {"tag": sorted(tags), "partner_with": partners}
    if any(face.oracle_text is None for face in faces):
        facts["partial"] = ["tag", "partner_with"]
    return facts


def _colours(letters: Iterable[str]) -> list[str]:
    given = set(letters)
    known = [colour for letter, colour in COLOURS.items() if letter in given]
    return known + sorted(given - COLOURS.keys())


def _keywords(card: Item) -> Sequence[str] | None:
    """The keywords of the front, since the data has those of all faces together; None if unknown."""
    if card.keywords is None or not card.card_faces or card.layout in _BOTH_HALVES:
        return card.keywords
    text = card.card_faces[0].oracle_text
    return None if text is None else [word for word in card.keywords if word.lower() in text.lower()]


def _printings(card: Item) -> Iterator[dict[str, str | None]]:
    if not card.set:
        return
    fields = {"set": card.set.upper(), "released": card.released_at, "rarity": card.rarity}
    printing: dict[str, str | None] = {key: value for key, value in fields.items() if value}
    if list(card.games) == ["arena"]:
        # It doesn't count as a printing in the formats of paper and Magic Online.
        printing["rarity"] = None
    yield printing


def _aliases(card: Item) -> Iterator[str]:
    faces = _faces(card)
    whole = [face.name for face in faces]
    if len(faces) > 1:
        yield " // ".join(whole)
    flavours = [face.flavor_name for face in (card, *card.card_faces)]
    printed = [face.printed_name for face in (card, *card.card_faces)] if card.lang == "ja" else []
    for own, *others in filter(None, (flavours, printed)):
        names = [name for name in (others or [own]) if name]
        if own:
            yield own
        if len(names) == len(others) > 1:
            yield " // ".join(names)
        if card.layout in _TWO_SIDES:
            yield from names
        elif names and card.layout not in _BOTH_HALVES:
            yield names[0]


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
    "Scryfall",
    "magic",
    begins=re.compile(rb"\s*\[\s*[{\]]"),
    read_cards=read,
    read_lists=banlists,
    some_printings=True,
)


# Costs and texts

_SYMBOL = re.compile(r"\{([^{}]*)\}")
_REMINDER = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”")

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
    return sum((_value_of(symbol.partition("/")[0]) for symbol in symbols(cost)), 0.0)


def _value_of(symbol: str) -> float:
    if symbol in ("X", "Y", "Z"):
        return 0
    if len(symbol) == 2 and symbol.startswith("H"):
        return 0.5
    return unicodedata.numeric(symbol, 1) if len(symbol) == 1 else float(symbol) if symbol.isdecimal() else 1


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
    tags = {tag for tag, pattern in _PHRASES.items() if pattern.search(whole)}
    for line in whole.replace("’", "'").casefold().split("\n"):
        pieces = (piece.strip() for piece in line.rstrip(".").split(","))
        tags |= {_LINES[piece] for piece in (line.rstrip("."), *pieces) if piece in _LINES}
    tags |= {f"up-to-{hit[1].lower()}" for hit in _UP_TO.finditer(whole)}
    if "Creature" not in types and types_elsewhere(text):
        tags.add("can-be-commander")
    if name and has_every_creature_type(text, name):
        tags.add("every-creature-type")
    if has_activated_ability(text, subtypes):
        tags.add("has-activated-ability")
    return tags


def partners_of(text: str) -> list[str]:
    """The names after "Partner with"."""
    hits = (_PARTNER_WITH.fullmatch(line.rstrip()) for line in abilities(text))
    return [hit[1].strip() for hit in hits if hit is not None]
