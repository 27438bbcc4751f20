"""Which cards a rule speaks of, as a format writes it.

A predicate is a small tree, made here from the plain values of a format;
judging.py answers it for a card.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from deckcheck.model.game import Attribute, Game

EACH = "$each"
NAMES = "$names"
"""What is asked of a zone whose cards' names are wanted; no attribute is called so."""


class All(NamedTuple):
    parts: "tuple[Predicate, ...]"


class AnyOf(NamedTuple):
    parts: "tuple[Predicate, ...]"


class Not(NamedTuple):
    part: "Predicate"


class Has(NamedTuple):
    """One of these words is among the values of the attribute."""

    attribute: str
    values: frozenset[str]


class HasEach(NamedTuple):
    """The word for which a rule is being tried is among the values."""

    attribute: str


class Containing(NamedTuple):
    """Some value of the attribute contains the text."""

    attribute: str
    text: str


class Outside(NamedTuple):
    """Some value of the attribute is found on no card of the zone."""

    attribute: str
    zone: str


class Naming(NamedTuple):
    """Some value of the attribute is the name of a card in the zone."""

    attribute: str
    zone: str


class Between(NamedTuple):
    """A number within bounds, either of which may be open."""

    attribute: str
    low: float | None
    high: float | None


class Rank(NamedTuple):
    """Some printing that was out by the date bears a rank within bounds, either of which may be open."""

    attribute: str
    order: tuple[tuple[str, ...], ...]
    at_least: str | None
    at_most: str | None = None


class Home(NamedTuple):
    zones: frozenset[str]


class Named(NamedTuple):
    names: frozenset[str]


class HasStatus(NamedTuple):
    statuses: frozenset[str]


class AnyPart(NamedTuple):
    """One half is so described; a card without halves is its own only half."""

    part: "Predicate"


class NoOtherCard(NamedTuple):
    """No other card out by the date has the same values and is so described."""

    same: str
    where: "Predicate"


Predicate = (
    All | AnyOf | Not | Has | HasEach | Containing | Outside | Naming | Between | Rank | Home | Named
    | HasStatus | AnyPart | NoOtherCard
)  # fmt: skip


def parse(data: Mapping[str, Any], game: Game) -> Predicate:
    """The predicate that a format's plain values write, `ref`s already replaced."""
    parts = [_parse_key(key, value, game) for key, value in data.items()]
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _parse_key(key: str, value: Any, game: Game) -> Predicate:
    match key:
        case "all" | "any":
            parts = tuple(parse(part, game) for part in value)
            if len(parts) == 1:
                return parts[0]
            return All(parts) if key == "all" else AnyOf(parts)
        case "not":
            return Not(parse(value, game))
        case "name":
            return Named(_words(value))
        case "status":
            return HasStatus(_words(value))
        case "any_part":
            return AnyPart(parse(value, game))
        case "no_other_card":
            return NoOtherCard(value["same"], parse(value["where"], game))
    return _parse_matcher(game.attributes[key], value)


def _parse_matcher(attribute: Attribute, value: Any) -> Predicate:
    name = attribute.id
    if attribute.kind == "home":
        return Home(_words(value))
    if attribute.kind == "rank":
        return Rank(name, attribute.order, value.get("at_least"), value.get("at_most"))
    if attribute.kind == "number":
        if isinstance(value, Mapping):
            return Between(name, value.get("at_least"), value.get("at_most"))
        numbers = value if isinstance(value, list) else [value]
        exact = tuple(Between(name, number, number) for number in numbers)
        return exact[0] if len(exact) == 1 else AnyOf(exact)
    if isinstance(value, Mapping):
        parts: list[Predicate] = []
        if "outside" in value:
            parts.append(Outside(name, value["outside"]))
        if "naming" in value:
            parts.append(Naming(name, value["naming"]))
        if "containing" in value:
            parts.append(Containing(name, value["containing"]))
        return parts[0] if len(parts) == 1 else All(tuple(parts))
    return HasEach(name) if value == EACH else Has(name, _words(value))


def _words(value: str | list[str]) -> frozenset[str]:
    return frozenset([value] if isinstance(value, str) else value)


def attributes(predicate: Predicate) -> frozenset[str]:
    """Every attribute that the predicate looks at."""
    match predicate:
        case All(parts) | AnyOf(parts):
            return frozenset().union(*map(attributes, parts))
        case Not(part) | AnyPart(part):
            return attributes(part)
        case NoOtherCard(same, where):
            return frozenset([same]) | attributes(where)
        case Named() | HasStatus() | Home():
            return frozenset()
        case _:
            return frozenset([predicate.attribute])


def zones_needed(predicate: Predicate | None) -> frozenset[tuple[str, str]]:
    """The (attribute, zone) pairs that the deck itself must supply; NAMES stands for an attribute."""
    match predicate:
        case All(parts) | AnyOf(parts):
            return frozenset().union(*map(zones_needed, parts))
        case Not(part) | AnyPart(part):
            return zones_needed(part)
        case Outside(attribute, zone):
            return frozenset([(attribute, zone)])
        case Naming(_, zone):
            return frozenset([(NAMES, zone)])
        case _:
            return frozenset()


def statuses_in(predicate: Predicate | None) -> frozenset[str]:
    """Every status that the predicate looks at."""
    match predicate:
        case All(parts) | AnyOf(parts):
            return frozenset().union(*map(statuses_in, parts))
        case Not(part) | AnyPart(part):
            return statuses_in(part)
        case HasStatus(statuses):
            return statuses
        case _:
            return frozenset()
