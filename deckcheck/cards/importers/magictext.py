"""What the rules of decks ask of a card and its data doesn't say in a field: read from its costs and its text."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

COLOURS = {"W": "White", "U": "Blue", "B": "Black", "R": "Red", "G": "Green"}

_SYMBOL = re.compile(r"\{([^{}]*)\}")
_REMINDER = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”")
_NUMBER = re.compile(r"(\d*(?:\.\d+)?)([½⅓¼])?")
_PIECES = {"½": 1 / 2, "⅓": 1 / 3, "¼": 1 / 4}

_ACTIVATED = "|".join(
    (
        "aura swap|channel|commander ninjutsu|craft|crew|embalm|encore|equip|eternalize|forecast|fortify",
        "level up|ninjutsu|outlast|reconfigure|reinforce|saddle|scavenge|transfigure|transmute|unearth",
        "[a-z ]*cycling",
    )
)
# "Equip {2}", "Equip—Pay 3 life", "Equip legendary creature {3}", "Crew 2"; but not "Equip costs you pay cost {1}
# less", which goes on behind the cost.
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
_ANY_NUMBER = re.compile(r"\bdecks? can have any number of cards named\b", re.IGNORECASE)
_UP_TO = re.compile(r"\bdecks? can have up to ([a-z]+) cards named\b", re.IGNORECASE)
_LEADS = re.compile(r"\bcan be (?:your|a) commander\b", re.IGNORECASE)
_CREATURE_ELSEWHERE = re.compile(
    r"^As long as [^.]* isn't on the battlefield, it's an? (?:[0-9]+/[0-9]+ )?((?:[A-Z][A-Za-z-]* )+)creature\b"
)
_PARTNER_WITH = re.compile(r"partner with (.+)", re.IGNORECASE)
_LAND_TYPES = frozenset({"Plains", "Island", "Swamp", "Mountain", "Forest"})

# The whole line, so that what a card only gives to others or speaks of doesn't count.
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
    """The symbols of a mana cost without their braces, in capitals; both halves' where two costs stand together."""
    return [symbol.upper() for symbol in _SYMBOL.findall(cost)]


def most_of_one_symbol(cost: str) -> int:
    """How often that symbol stands in a mana cost that stands there most often.

    Each symbol is only like itself: {W/U} is neither {W} nor {U}, and {W/P} is
    not {W}. Generic numbers and {X} are mana symbols as well ({X}{X}{R} has
    two of one), and the costs of a split card's halves are looked at together,
    symbol by symbol (rule 709.4b): {1}{R} with {1}{U} has {1} twice.
    """
    return max(Counter(symbols(cost)).values(), default=0)


def colours_of(cost: str) -> list[str]:
    """The colours of the symbols in a cost."""
    letters = {letter for symbol in symbols(cost) for letter in re.split(r"[/]|(?<=H)", symbol)}
    return [colour for letter, colour in COLOURS.items() if letter in letters]


def value_of(cost: str) -> float:
    """The mana value of a cost: X counts nothing, half a symbol a half, {2/W} two."""
    return sum(map(_value, symbols(cost)))


def _value(symbol: str) -> float:
    first = symbol.partition("/")[0]
    if first in ("X", "Y", "Z"):
        return 0
    if first.startswith("H") and len(first) == 2:
        return 0.5
    number = number_of(first)
    return 1 if number is None else number


def number_of(value: object) -> float | None:
    """A number as it may stand in the data: 3, 0.5, "2", "½", "3½", "∞"; None for what is none."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return None if value != value else value
    if not isinstance(value, str):
        return None
    if value.strip() in ("∞", "Infinity"):
        return float("inf")
    found = _NUMBER.fullmatch(value.strip())
    if found is None or not found[0]:
        return None
    return float(found[1] or 0) + _PIECES.get(found[2], 0)


def abilities(text: str) -> Iterator[str]:
    """The lines of a card's text, each an ability, without reminders and without what is only quoted."""
    for line in _QUOTED.sub('""', text).split("\n"):
        bare = _REMINDER.sub("", line).strip()
        if bare:
            yield bare


def has_activated_ability(text: str, subtypes: Iterable[str] = ()) -> bool:
    """Whether some ability is an activated one: "cost: effect", or a keyword that stands for one.

    The basic land types bring one along that is nowhere printed.
    """
    if not _LAND_TYPES.isdisjoint(subtypes):
        return True
    return any(_is_activated(line) for line in abilities(text))


def _is_activated(line: str) -> bool:
    before, colon, _ = line.partition(":")
    if colon:
        # "Boast — {1}: …" has the name of the ability before its cost.
        cost = before.rpartition("—")[2].strip()
        if _SYMBOL.search(cost) or _LOYALTY.fullmatch(cost):
            return True
        if "." not in cost and "•" not in before and _COST.match(cost):
            return True
    return any(_KEYWORD.fullmatch(piece.strip().rstrip(".")) for piece in _pieces(line))


def _pieces(line: str) -> list[str]:
    return [line, line.partition(". ")[0], *re.split(r"[,;]", line)]


def has_every_creature_type(text: str, name: str) -> bool:
    """Whether the card itself, wherever it is, has them all: changelings, and the few whose text says so."""
    said = rf"(?:{re.escape(name)}|{re.escape(name.partition(',')[0])}|this card|this creature) is every creature type\b"
    return any(
        "changeling" in (piece.strip().rstrip(".").casefold() for piece in _pieces(line))
        or re.match(said, line, re.IGNORECASE)
        for line in abilities(text)
    )


def types_elsewhere(text: str) -> list[str]:
    """The creature types of what is a creature card everywhere but on the battlefield; none for all others."""
    hits = (_CREATURE_ELSEWHERE.search(line) for line in abilities(text))
    return [word for hit in hits if hit is not None for word in hit[1].split()]


def tags_of(text: str, types: Iterable[str], subtypes: Iterable[str], name: str = "") -> list[str]:
    """What the text makes of a card of that name for the rules of decks, as the values of `tag`."""
    found: dict[str, None] = {}
    lines = list(abilities(text))
    for line in lines:
        word = line.rstrip(".").replace("’", "'").casefold()
        for piece in (word, *(piece.strip() for piece in word.split(","))):
            if piece in _LINES:
                found[_LINES[piece]] = None
        if word.startswith("companion —"):
            found["companion"] = None
    whole = "\n".join(lines)
    if _ANY_NUMBER.search(whole):
        found["any-number"] = None
    for hit in _UP_TO.finditer(whole):
        found[f"up-to-{hit[1].lower()}"] = None
    if _LEADS.search(whole) or ("Creature" not in types and types_elsewhere(text)):
        found["can-be-commander"] = None
    if name and has_every_creature_type(text, name):
        found["every-creature-type"] = None
    if has_activated_ability(text, subtypes):
        found["has-activated-ability"] = None
    return list(found)


def partners_of(text: str) -> list[str]:
    """The names that "Partner with" names."""
    hits = (_PARTNER_WITH.fullmatch(line.rstrip()) for line in abilities(text))
    return [hit[1].strip() for hit in hits if hit is not None]
