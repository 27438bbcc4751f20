"""A second opinion: what a format's plain values mean for a deck of which everything is known.

Nothing here is clever and nothing is shared with the engine: facts are read off
one by one, and a deck is a plain list of physical cards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from deckcheck.model.card import Card
from factories.garden_game import RANKS

LADDER = {"C": 0, "U": 1, "R": 2, "SR": 3, "SSR": 3, "L": 4}


class Known(NamedTuple):
    """A world without gaps: the day, the statuses by name, every card that exists."""

    as_of: str
    statuses: Mapping[str, str]
    cards: tuple[Card, ...]


Copy = tuple[Card, str]
"""One physical card and its zone."""


def is_so(
    data: Mapping[str, Any],
    card: Card,
    world: Known,
    deck: Iterable[Copy] = (),
    each: str | None = None,
    facts: Mapping[str, Any] | None = None,
) -> bool:
    """Whether the predicate is true of the card; all keys must hold."""
    facts = card.facts if facts is None else facts
    return all(_one(key, value, card, world, deck, each, facts) for key, value in data.items())


def _one(
    key: str,
    value: Any,
    card: Card,
    world: Known,
    deck: Iterable[Copy],
    each: str | None,
    facts: Mapping[str, Any],
) -> bool:
    def below(data: Mapping[str, Any], one: Card = card, its: Mapping[str, Any] = facts) -> bool:
        return is_so(data, one, world, deck, each, its)

    words = value if isinstance(value, list) else [value]
    if key == "all":
        return all(below(part) for part in value)
    if key == "any":
        return any(below(part) for part in value)
    if key == "not":
        return not below(value)
    if key == "any_part":
        halves = [half.facts for half in card.parts] or [facts]
        return any(below(value, card, half) for half in halves)
    if key == "name":
        return card.name in words
    if key == "status":
        return world.statuses.get(card.name) in words
    if key == "home":
        return card.home in words
    if key == "no_other_card":
        return not any(
            other.name != card.name
            and not other.made_of
            and str(other.released) <= world.as_of
            and other.facts[value["same"]] == card.facts[value["same"]]
            and below(value["where"], other, other.facts)
            for other in world.cards
        )
    if key == "rarity":
        low, high = LADDER[value.get("at_least", "C")], LADDER[value.get("at_most", "L")]
        return any(
            str(one.released) <= world.as_of
            and one.ranks["rarity"] in RANKS
            and low <= LADDER[one.ranks["rarity"]] <= high
            for one in card.printings
        )
    fact = facts[key]
    if key == "cost":
        if isinstance(value, dict):
            return value.get("at_least", fact) <= fact <= value.get("at_most", fact)
        return fact in words
    if isinstance(value, dict) and "containing" in value:
        return any(value["containing"] in word for word in fact)
    if isinstance(value, dict):
        if "naming" in value:
            return any(other.name in fact for other, zone in deck if zone == value["naming"])
        there = [other.facts[key] for other, zone in deck if zone == value["outside"]]
        return bool(there) and not fact <= frozenset[str]().union(*there)
    return any((each if word == "$each" else word) in fact for word in words)


def is_broken(rule: Mapping[str, Any], deck: list[Copy], world: Known) -> bool:
    """Whether some clause of the rule is broken."""
    shared = {key: value for key, value in rule.items() if key not in ("id", "cite", "clauses")}
    return any(_clause_broken({**shared, **one}, deck, world) for one in rule.get("clauses", [{}]))


def _clause_broken(clause: Mapping[str, Any], deck: list[Copy], world: Known) -> bool:
    if not clause.get("since", "") <= world.as_of <= clause.get("until", "9"):
        return False
    when = clause.get("when")
    if when is not None:
        bounds = {} if {"at_most", "at_least", "exactly"} & when.keys() else {"at_least": 1}
        if not _kept({**when, **bounds}, deck, world, None):
            return False
    if "either" in clause:
        shared = {key: value for key, value in clause.items() if key not in ("either", "when")}
        return all(_clause_broken({**shared, **one}, deck, world) for one in clause["either"])
    loop = clause.get("for_each") or clause.get("for_some")
    if loop is None:
        return not _kept(clause, deck, world, None)
    [(attribute, of)] = loop.items()
    if isinstance(of, dict):
        tried = {word for card, zone in deck if zone == of["of"] for word in card.facts[attribute]}
    else:
        tried = {"red", "blue", "green"} if of == "every" else set(of)
    kept = [_kept(clause, deck, world, value) for value in tried]
    return not all(kept) if "for_each" in clause else bool(kept) and not any(kept)


def _chosen(data: Mapping[str, Any], deck: list[Copy], world: Known, each: str | None) -> list[Card]:
    zones = data.get("in")
    zones = [zones] if isinstance(zones, str) else zones
    return [
        card
        for card, zone in deck
        if (zones is None or zone in zones) and is_so(data.get("where", {}), card, world, deck, each)
    ]


def _kept(clause: Mapping[str, Any], deck: list[Copy], world: Known, each: str | None) -> bool:
    def allowed(number: float) -> bool:
        def bound(key: str) -> float:
            value = clause[key]
            if isinstance(value, list):
                return number if number in value else math.nan
            if isinstance(value, dict):
                terms = value["plus"] if isinstance(value["plus"], list) else [value["plus"]]
                return value.get("base", 0) + sum(added(term) for term in terms)
            return float(value)

        def added(term: Mapping[str, Any]) -> float:
            [found] = counted(term, deck, world, each)
            # Copy by copy, to be unlike division.
            steps = 0
            while found >= (steps + 1) * term.get("step", 1) and found != math.inf:
                steps += 1
            return float(term.get("times", 1) * (math.inf if found == math.inf else steps))

        tests: dict[str, Callable[[], bool]] = {
            "at_most": lambda: number <= bound("at_most"),
            "at_least": lambda: number >= bound("at_least"),
            "exactly": lambda: number == bound("exactly"),
        }
        return all(test() for key, test in tests.items() if key in clause)

    return all(allowed(number) for number in counted(clause, deck, world, each))


def counted(
    clause: Mapping[str, Any], deck: list[Copy], world: Known, each: str | None = None
) -> list[float]:
    """The numbers that the clause bounds: one, or one a group."""
    if "sides" in clause:
        there = _chosen({**clause, "where": {}}, deck, world, each)
        return [sum(any(is_so(side, card, world, deck, each) for card in there) for side in clause["sides"])]
    cards = _chosen(clause, deck, world, each)
    copies = Counter(card.name for card in cards)
    count = clause.get("count", "copies")
    if count == "names":
        span = clause.get("having", {})
        return [
            sum(
                span.get("at_least", 1) <= number <= span.get("at_most", number) for number in copies.values()
            )
        ]
    if isinstance(count, dict):
        if count.get("of") == "names":
            cards = list({card.name: card for card in cards}.values())
        return [sum(card.facts[count["sum"]] for card in cards)]
    if clause.get("per") == "name":
        return [*copies.values()]
    return [len(cards)]
