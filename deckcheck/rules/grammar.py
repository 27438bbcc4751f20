"""The words of the format language as schemas/format.schema.json defines them, and the retired ones.

Beside the JSON Schema's own keys each word has `said` (its sentence), `excludes`, `needs`, `default` and `retired`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from deckcheck.support.documents import load_schema
from deckcheck.support.errors import suggest
from deckcheck.support.messages import Message

MESSAGE_FIELDS = ("card", "found", "allowed", "zone", "each")
COMPARED = {
    "values": ("containing", "outside", "naming"),
    "number": ("at_least", "at_most"),
    "rank": ("at_least", "at_most"),
    "home": (),
}
"""The comparisons that each kind of attribute accepts."""


class Word(NamedTuple):
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
        definitions = load_schema("format")["definitions"]

        def word(data: Mapping[str, Any]) -> Word:
            while "$ref" in data and "description" not in data:
                data = definitions[data["$ref"].removeprefix("#/definitions/")]
            needs, said = data.get("needs"), data.get("said", {"en": "", "ja": ""})
            return Word(
                tuple(data.get("excludes", ())),
                None if needs is None else (needs[0], needs[1]),
                data.get("default"),
                Message(said["en"], japanese=said["ja"]),
            )

        self.rules, self.conditions, self.comparisons = (
            {name: word(value) for name, value in definitions[place]["properties"].items()}
            for place in ("clause", "predicate", "comparison")
        )

    def clashing(self, written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yields pairs of words in a clause that can't be used together; words with default values go with all."""
        used = {name for name, value in written.items() if value != self.rules[name].default}
        for name in written:
            yield from ((name, other) for other in self.rules[name].excludes if {name, other} <= used)

    def unmet(self, written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yields words in a clause without what they need, and how that is written."""
        for name in (name for name in written if name in self.rules):
            needs = self.rules[name].needs
            if needs is not None and written.get(needs[0]) != needs[1]:
                yield name, ": ".join(needs)


def retired_words(clause: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yields the keys to retired words of a rule, clause or count in a file, each with the replacement to write."""
    for word in ("one_of", "exactly"):
        numbers = clause.get(word)
        if isinstance(numbers, list) and len(numbers) == 1:
            yield (word,), f"exactly: {_flow(numbers[0])}"
        elif word == "one_of" and word in clause:
            yield (word,), f"exactly: {_flow(numbers)}"
    low = clause.get("at_least")
    if isinstance(low, int) and low == clause.get("at_most"):
        yield ("at_least",), f"exactly: {low}"
    if clause.get("count") == "sides":
        yield ("count",), f"sides: {_flow(clause.get('sides', []))}"
    if "copies" in clause:
        yield ("copies",), f"having: {_flow(clause['copies'])}"
    per = clause.get("per")
    # A word similar to the only valid one is mistyped.
    if isinstance(per, str) and per != "name" and not suggest(per, ["name"]):
        yield ("per",), f"for_each: {{{per}: every}}, where: {{{per}: $each}}"
    for word in ("at_most", "at_least", "exactly"):
        bound = clause.get(word)
        if isinstance(bound, Mapping) and "for_each_copy" in bound:
            counted = bound["for_each_copy"]
            term = {"times": bound.get("plus", 1), **(counted if isinstance(counted, Mapping) else {})}
            yield (word, "for_each_copy"), f"plus: {_flow(term)}"


def _flow(value: Any) -> str:
    """A value as YAML in one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return value if isinstance(value, str) else json.dumps(value)
