"""The format language: its words, what each takes, where it may stand, how a sentence says it, and examples.

The table is the JSON Schema of format files, whose keys `said`, `excludes`,
`needs` and `default` say what a schema can't. The loader, the checks of which
words go together, the descriptions of rules and the reference page of the
documentation are made from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from deckcheck.support.messages import Localized, Message, _, localized
from deckcheck.support.schema import load_schema

MESSAGE_FIELDS = ("card", "found", "allowed", "zone", "each")
COMPARED = {
    "values": ("containing", "outside", "naming"),
    "number": ("at_least", "at_most"),
    "rank": ("at_least", "at_most"),
    "home": (),
}
"""By the kind of an attribute the comparisons that it takes."""


class Word(NamedTuple):
    """One word of the language.

    `excludes` are words that don't go with it, `needs` a word and the value
    that it must have, `default` is what is meant where the word is left out,
    `said` how a sentence says it, with fields.
    """

    name: str
    meaning: Localized
    examples: tuple[Any, ...]
    excludes: tuple[str, ...]
    needs: tuple[str, str] | None
    default: str | None
    said: Localized | None


class Grammar:
    """The words of rules, of conditions and of comparisons, by name."""

    def __init__(self) -> None:
        definitions = load_schema("format")["definitions"]
        self.places: Mapping[str, frozenset[str]] = {
            place: frozenset(definitions[place]["properties"]) for place in ("rule", "clause", "way")
        }
        self.rules = _words(definitions, definitions["clause"]["properties"])
        self.conditions = _words(definitions, definitions["predicate"]["properties"])
        self.comparisons = _words(definitions, definitions["comparison"]["properties"])

    def clashing(self, written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Pairs of words in a clause that don't go together; what says the default anyway goes with all."""
        used = {name for name, value in written.items() if value != self.rules[name].default}
        for name in written:
            yield from ((name, other) for other in self.rules[name].excludes if {name, other} <= used)

    def unmet(self, written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Words in a clause that lack what they need, with that as it is written."""
        for name in written:
            needs = self.rules[name].needs
            if needs is not None and written.get(needs[0]) != needs[1]:
                yield name, ": ".join(needs)


def _words(definitions: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Word]:
    return {name: _word(name, resolved(definitions, value)) for name, value in properties.items()}


def resolved(definitions: Mapping[str, Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A property with what its `$ref` says, where it says nothing itself."""
    while "$ref" in value and "description" not in value:
        value = definitions[value["$ref"].removeprefix("#/definitions/")]
    return value


def _word(name: str, data: Mapping[str, Any]) -> Word:
    needs, said = data.get("needs"), data.get("said")
    return Word(
        name,
        Localized(data["ja"], data["description"]),
        tuple(data.get("examples", ())),
        tuple(data.get("excludes", ())),
        None if needs is None else (needs[0], needs[1]),
        data.get("default"),
        None if said is None else localized(said),
    )


class Retired(NamedTuple):
    """A way to write something that the language no longer has, how it is written now, and why."""

    before: str
    now: str
    why: Message


RETIRED = (
    Retired("one_of: [40, 60]", "exactly: [40, 60]", _("`exactly` also takes a set of numbers.")),
    Retired("one_of: [40]", "exactly: 40", _("A set of one number is that number.")),
    Retired("at_least: 40, at_most: 40", "exactly: 40", _("`exactly` is both bounds at once.")),
    Retired("count: sides, sides: [...]", "sides: [...]", _("`sides` alone says what is counted.")),
    Retired(
        "copies: {at_least: 2}", "having: {at_least: 2}", _("`having` filters the names that are counted.")
    ),
    Retired(
        "per: ATTRIBUTE",
        "for_each: {ATTRIBUTE: every}, where: {ATTRIBUTE: $each}",
        _("Counting by the values of an attribute is a loop over them."),
    ),
)


def retired_words(clause: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The retired words of a rule, clause or count as a file writes it, each with what to write instead."""
    for word in ("one_of", "exactly"):
        numbers = clause.get(word)
        if isinstance(numbers, list) and len(numbers) == 1:
            yield word, f"exactly: {_flow(numbers[0])}"
        elif word == "one_of" and word in clause:
            yield word, f"exactly: {_flow(numbers)}"
    low = clause.get("at_least")
    if isinstance(low, int) and low == clause.get("at_most"):
        yield "at_least", f"exactly: {low}"
    if clause.get("count") == "sides":
        yield "count", f"sides: {_flow(clause.get('sides', []))}"
    if "copies" in clause:
        yield "copies", f"having: {_flow(clause['copies'])}"
    per = clause.get("per")
    if isinstance(per, str) and per != "name":
        yield "per", RETIRED[-1].now.replace("ATTRIBUTE", per)


def _flow(value: Any) -> str:
    """A value as YAML in one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return value if isinstance(value, str) else json.dumps(value)
