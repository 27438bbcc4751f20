"""Which notations of other tools there are, and which one a text is written in."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from deckcheck.decklists.lexer import compiled
from deckcheck.support.messages import Words, _, series

if TYPE_CHECKING:
    from deckcheck.decklists.notations.common import Notation
    from deckcheck.decklists.vocabulary import Vocabulary


class _Known(NamedTuple):
    """A notation: what it is, the module that has it, the ending of its files ("" for any)."""

    what: Words
    module: str
    ending: str = ""


_KNOWN = {
    "mtgo": _Known(_("Magic Online's text, the sideboard below an empty line"), "arena_moxfield_mtgo"),
    "dek": _Known(_("Magic Online's .dek"), "cockatrice_dek", "dek"),
    "arena": _Known(_("Magic Arena's text"), "arena_moxfield_mtgo"),
    "moxfield": _Known(_("Moxfield's text"), "arena_moxfield_mtgo"),
    "cockatrice": _Known(_("Cockatrice's .cod"), "cockatrice_dek", "cod"),
    "forge": _Known(_("Forge's .dck"), "forge_xmage_ydk", "dck"),
    "xmage": _Known(_("XMage's .dck"), "forge_xmage_ydk", "dck"),
    "ydk": _Known(_("YGOPro's and EDOPro's .ydk"), "forge_xmage_ydk", "ydk"),
}
NAMES = tuple(_KNOWN)
_XML_NAMES = ("cockatrice", "dek")
_BY_CONTENT = ("forge", "xmage", "ydk", "moxfield", "arena", "mtgo")
_XML = r"\s*+(?:<\?xml\b|<(?:cockatrice_deck|Deck)\b[^>]*+>\s*+(?:<!--[^>]*+>\s*+)*+<[A-Za-z/])"
_TREE = r"\s*+<[A-Za-z?!]"
_SECTION = r"(?m)^[ \t]*+(?:\[[A-Za-z]++\]|[#!](?:main|extra|side))[ \t]*+$"


def notation(name: str) -> Notation:
    """A notation in NAMES."""
    module = import_module(f"deckcheck.decklists.notations.{_KNOWN[name].module}")
    return cast("Notation", module.NOTATIONS[name])


def notation_of(words: Vocabulary, text: str, path: str) -> str | None:
    """The notation of a text by its content, with the ending of `path` as a hint; None for none of NAMES.

    A notation that looks like what people type in any game is only believed
    where the game says that its lists come in it.
    """
    ending = path.rpartition(".")[2].lower()
    hinted = [name for name, known in _KNOWN.items() if ending and known.ending == ending]
    named_xml = ending in ("dek", "cod")
    if compiled(_XML).match(text) or (named_xml and compiled(_TREE).match(text)):
        # Whichever it says to be; what is neither is refused when it is read.
        detected = (name for name in _XML_NAMES if notation(name).detects(text, expected=False))
        return next(detected, hinted[0] if hinted else "dek")
    for name in dict.fromkeys((*hinted, *_BY_CONTENT)):
        if name not in _XML_NAMES and notation(name).detects(text, expected=name in words.notations):
            return name
    if hinted and not named_xml and compiled(_SECTION).search(text):
        return hinted[0]
    return None


def all_of_them() -> Words:
    """Every notation of another tool with what it is, in one sentence."""
    return series(_("{name} ({what})", name=name, what=known.what) for name, known in _KNOWN.items())
