"""One card as it stands in a file: a plain mapping in the source form."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from deckcheck.model.card import Card, Fact, Part, Printing
from deckcheck.model.game import Game

Record = Mapping[str, Any]
"""A card in the source form, checked: the keys and types are known to be right."""

INFINITY = "∞"
"""How a number that a card prints as infinite is written."""

LISTS = ("aliases", "partial", "printings", "parts", "faces", "made_of")
"""The keys whose empty list says as much as no key at all."""


def card_of(game: Game) -> Callable[[Record], Card]:
    """A function from a checked record to its `Card`."""
    home = game.default_zone
    facts = tuple(item.id for item in game.attributes.values() if item.kind in ("values", "number"))
    ranks = tuple(item.id for item in game.attributes.values() if item.kind == "rank")

    def facts_of(record: Record) -> dict[str, Fact]:
        return {key: _fact(record[key]) for key in facts if key in record}

    def parts_of(records: Iterable[Record]) -> tuple[Part, ...]:
        return tuple(Part(record["name"], facts_of(record)) for record in records)

    def printing(record: Record) -> Printing:
        known = {key: record[key] or "" for key in ranks if key in record}
        return Printing(record["set"], record.get("released"), known)

    def build(record: Record) -> Card:
        get = record.get
        return Card(
            name=record["name"],
            home=get("home", home),
            facts=facts_of(record),
            partial=frozenset(get("partial", ())),
            aliases=tuple(get("aliases", ())),
            released=get("released"),
            printings=tuple(map(printing, get("printings", ()))),
            parts=parts_of(get("parts", ())),
            faces=parts_of(get("faces", ())),
            made_of=tuple(get("made_of", ())),
            verified=get("verified", True),
            mended=tuple(get("mended", ())),
            own=get("own"),
        )

    return build


def _fact(value: Any) -> Fact:
    if isinstance(value, list):
        return frozenset(value)
    return math.inf if value == INFINITY else float(value)


def normal(record: Record, game: Game) -> dict[str, Any]:
    """The record without the keys that only say what goes without saying."""
    return {
        key: value
        for key, value in record.items()
        if not (key in LISTS and value == [])
        and not (key == "home" and value == game.default_zone)
        and not (key == "verified" and value is True)
    }
