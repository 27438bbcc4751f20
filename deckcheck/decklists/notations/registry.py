"""Which notations of other tools there are, and which one a text is written in."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from deckcheck.decklists.shapes import compiled
from deckcheck.support.messages import Words, _, series

if TYPE_CHECKING:
    from deckcheck.decklists.notations.common import Notation
    from deckcheck.decklists.vocabulary import Vocabulary

NAMES = ("mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk")
_BY_ENDING = {"dek": ("dek",), "cod": ("cockatrice",), "dck": ("forge", "xmage"), "ydk": ("ydk",)}
_BY_CONTENT = ("forge", "xmage", "ydk", "moxfield", "arena", "mtgo")
_XML = r"\s*+(?:<\?xml\b|<(?:cockatrice_deck|Deck)\b[^>]*+>\s*+(?:<!--[^>]*+>\s*+)*+<[A-Za-z/])"
_TREE = r"\s*+<[A-Za-z?!]"
_SECTION = r"(?m)^[ \t]*+(?:\[[A-Za-z]++\]|[#!](?:main|extra|side))[ \t]*+$"


def notation(name: str) -> Notation:
    """The module of a notation in NAMES."""
    return cast("Notation", import_module(f"deckcheck.decklists.notations.{name}"))


def told(words: Vocabulary, text: str, path: str) -> str | None:
    """The notation of a text by its content, with the ending of `path` as a hint; None for none of NAMES.

    A notation that looks like what people type in any game is only believed
    where the game says that its lists come in it.
    """
    hinted = _BY_ENDING.get(path.rpartition(".")[2].lower(), ())
    if compiled(_XML).match(text) or (hinted in (("dek",), ("cockatrice",)) and compiled(_TREE).match(text)):
        # Whichever it says to be; what is neither is told by the reader.
        return next(
            (name for name in ("cockatrice", "dek") if notation(name).detects(text, expected=False)),
            (*hinted, "dek")[0],
        )
    for name in dict.fromkeys((*hinted, *_BY_CONTENT)):
        if name not in ("dek", "cockatrice") and notation(name).detects(
            text, expected=name in words.notations
        ):
            return name
    if hinted in (("forge", "xmage"), ("ydk",)) and compiled(_SECTION).search(text):
        return hinted[0]
    return None


WHAT = {
    "mtgo": _("Magic Online's text, the sideboard below an empty line"),
    "dek": _("Magic Online's .dek"),
    "arena": _("Magic Arena's text"),
    "moxfield": _("Moxfield's text"),
    "cockatrice": _("Cockatrice's .cod"),
    "forge": _("Forge's .dck"),
    "xmage": _("XMage's .dck"),
    "ydk": _("YGOPro's and EDOPro's .ydk"),
}


def all_of_them() -> Words:
    """Every notation of another tool with what it is, in one sentence."""
    return series(_("{name} ({what})", name=name, what=what) for name, what in WHAT.items())
