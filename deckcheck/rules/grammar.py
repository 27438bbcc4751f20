"""The words of the format language as schemas/format.schema.json defines them.

Beside the JSON Schema's own keys each word has `said` (its sentence), `excludes`, `needs` and `default`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from deckcheck.support.messages import Message

MESSAGE_FIELDS = ("card", "found", "allowed", "zone", "each")
COMPARED = {
    "values": ("containing", "outside", "naming"),
    "number": ("at_least", "at_most"),
    "rank": ("at_least", "at_most"),
    "home": (),
}
"""The comparisons that each kind of attribute accepts."""


class Word(Struct, frozen=True):
    """One word of the language."""

    excludes: tuple[str, ...]
    """The words that can't be used with it."""
    needs: tuple[str, str] | None
    """A word that it requires, and the value of that."""
    default: str | None
    """The meaning if the word is omitted."""
    said: Message
    """Its part of a sentence, with fields; empty if it has none."""


class Grammar:
    """The words of rules, of conditions and of comparisons, by name."""

    def __init__(self) -> None:
        from deckcheck.support.documents import load_schema

        definitions = load_schema("format")["definitions"]

        self.rules = _words(definitions, "clause")
        self.conditions = _words(definitions, "predicate")
        self.comparisons = _words(definitions, "comparison")

    def clashing(self, written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yields pairs of words in a clause that can't be used together; words with default values go with all."""
        used = {name for name, value in written.items() if value != self.rules[name].default}
        for name in written:
            for other in self.rules[name].excludes:
                if name in used and other in used:
                    yield name, other

    def unmet(self, written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yields words in a clause without what they need, and how that is written."""
        for name in written:
            needs = self.rules[name].needs if name in self.rules else None
            if needs is not None and written.get(needs[0]) != needs[1]:
                yield name, ": ".join(needs)


def _words(definitions: Mapping[str, Any], place: str) -> dict[str, Word]:
    """The words of a definition of the schema, by name."""
    return {name: _word(definitions, data) for name, data in definitions[place]["properties"].items()}


def _word(definitions: Mapping[str, Any], data: Mapping[str, Any]) -> Word:
    while "$ref" in data and "description" not in data:
        data = definitions[data["$ref"].removeprefix("#/definitions/")]
    needs, said = data.get("needs"), data.get("said", {"en": "", "ja": ""})
    return Word(
        tuple(data.get("excludes", ())),
        None if needs is None else (needs[0], needs[1]),
        data.get("default"),
        Message(said["en"], japanese=said["ja"]),
    )
