"""What the costs and texts of Magic cards mean to deck rules, for facts that have no field in the data."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

COLOURS = {"W": "White", "U": "Blue", "B": "Black", "R": "Red", "G": "Green"}

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
    match = _NUMBER.fullmatch(value.strip())
    if match is None or not match[0]:
        return None
    return float(match[1] or 0) + (unicodedata.numeric(match[2]) if match[2] else 0)


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
