"""Which notation of another tool a text is written in, and where its module is."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from deckcheck.decklists.notations.common import Notation
from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.vocabulary import Vocabulary

NAMES = ("mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk")
_BY_ENDING = {"dek": ("dek",), "cod": ("cockatrice",), "dck": ("forge", "xmage"), "ydk": ("ydk",)}
_BY_CONTENT = ("forge", "xmage", "ydk", "moxfield", "arena", "mtgo")
_XML = r"\s*+(?:<\?xml\b|<(?:cockatrice_deck|Deck)\b[^>]*+>\s*+(?:<!--[^>]*+>\s*+)*+<[A-Za-z/])"
_TREE = r"\s*+<[A-Za-z?!]"
_SECTION = r"(?m)^[ \t]*+(?:\[[A-Za-z]++\]|[#!](?:main|extra|side))[ \t]*+$"


def notation(name: str) -> Notation:
    """The module of a notation in NAMES."""
    return cast(Notation, import_module(f"deckcheck.decklists.notations.{name}"))


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
