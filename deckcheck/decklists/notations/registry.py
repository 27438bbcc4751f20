"""Which notations of other tools there are, and which one a text is written in."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from deckcheck.decklists.lexer import compiled
from deckcheck.support.messages import Words, _, series

if TYPE_CHECKING:
    from deckcheck.decklists.notations.common import Notation
    from deckcheck.decklists.vocabulary import Vocabulary

_MODULES = {
    "mtgo": "arena_moxfield_mtgo",
    "dek": "cockatrice_dek",
    "arena": "arena_moxfield_mtgo",
    "moxfield": "arena_moxfield_mtgo",
    "cockatrice": "cockatrice_dek",
    "forge": "forge_xmage_ydk",
    "xmage": "forge_xmage_ydk",
    "ydk": "forge_xmage_ydk",
}
NAMES = tuple(_MODULES)
_BY_ENDING = {"dek": ("dek",), "cod": ("cockatrice",), "dck": ("forge", "xmage"), "ydk": ("ydk",)}
ENDINGS = frozenset(_BY_ENDING)
_XML_NAMES = ("cockatrice", "dek")
_BY_CONTENT = ("forge", "xmage", "ydk", "moxfield", "arena", "mtgo")
_XML = r"\s*+(?:<\?xml\b|<(?:cockatrice_deck|Deck)\b[^>]*+>\s*+(?:<!--[^>]*+>\s*+)*+<[A-Za-z/])"
_TREE = r"\s*+<[A-Za-z?!]"
_SECTION = r"(?m)^[ \t]*+(?:\[[A-Za-z]++\]|[#!](?:main|extra|side))[ \t]*+$"


def notation(name: str) -> Notation:
    """A notation in NAMES."""
    module = import_module(f"deckcheck.decklists.notations.{_MODULES[name]}")
    return cast("Notation", module.NOTATIONS[name])


def notation_of(words: Vocabulary, text: str, path: str) -> str | None:
    """The notation of a text by its content, with the ending of `path` as a hint; None for none of NAMES.

    A notation that looks like what people type in any game is only believed
    where the game says that its lists come in it.
    """
    hinted = _BY_ENDING.get(path.rpartition(".")[2].lower(), ())
    named_xml = not set(hinted).isdisjoint(_XML_NAMES)
    if compiled(_XML).match(text) or (named_xml and compiled(_TREE).match(text)):
        # Whichever it says to be; what is neither is refused when it is read.
        detected = (name for name in _XML_NAMES if notation(name).detects(text, expected=False))
        return next(detected, hinted[0] if hinted else "dek")
    for name in dict.fromkeys((*hinted, *_BY_CONTENT)):
        if name not in _XML_NAMES and notation(name).detects(text, expected=name in words.notations):
            return name
    return hinted[0] if hinted and not named_xml and compiled(_SECTION).search(text) else None


def all_of_them() -> Words:
    """Every notation of another tool with what it is, in one sentence."""
    return series(_("{name} ({what})", name=name, what=notation(name).name) for name in NAMES)
