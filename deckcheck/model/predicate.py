"""Which cards a rule speaks of: a small tree that answers yes, no or unknown for a card."""

from typing import Literal, NamedTuple

EACH = "$each"
"""What a condition writes for the value that a loop is at."""
NAMES = "$names"
"""Stands for an attribute where the names of the cards in a zone are wanted."""


class All(NamedTuple):
    """Every part holds."""

    parts: "tuple[Predicate, ...]"
    tag: Literal["all"] = "all"


class AnyOf(NamedTuple):
    """At least one part holds."""

    parts: "tuple[Predicate, ...]"
    tag: Literal["any"] = "any"


class Not(NamedTuple):
    """The part does not hold."""

    part: "Predicate"
    tag: Literal["not"] = "not"


class AnyPart(NamedTuple):
    """The part holds for one half of the card; a card without halves is its own only half."""

    part: "Predicate"
    tag: Literal["any_part"] = "any_part"


class Has(NamedTuple):
    """One of these words is among the values of the attribute."""

    attribute: str
    values: frozenset[str]
    tag: Literal["has"] = "has"


class HasEach(NamedTuple):
    """The value that the loop is at is among the values of the attribute."""

    attribute: str
    tag: Literal["each"] = "each"


class Containing(NamedTuple):
    """Some value of the attribute contains the text."""

    attribute: str
    text: str
    tag: Literal["containing"] = "containing"


class Outside(NamedTuple):
    """Some value of the attribute is found on no card of the zone."""

    attribute: str
    zone: str
    tag: Literal["outside"] = "outside"


class Naming(NamedTuple):
    """Some value of the attribute is the name of a card in the zone."""

    attribute: str
    zone: str
    tag: Literal["naming"] = "naming"


class Between(NamedTuple):
    """The number is within bounds, either of which may be open."""

    attribute: str
    low: float | None
    high: float | None
    tag: Literal["between"] = "between"


class Rank(NamedTuple):
    """Some printing that was out by the date bears a rank within bounds, either of which may be open."""

    attribute: str
    order: tuple[tuple[str, ...], ...]
    at_least: str | None
    at_most: str | None = None
    tag: Literal["rank"] = "rank"


class Home(NamedTuple):
    """The card belongs in one of the zones; the attribute is what its home is called."""

    zones: frozenset[str]
    attribute: str
    tag: Literal["home"] = "home"


class Named(NamedTuple):
    """The card is one of these."""

    names: frozenset[str]
    tag: Literal["name"] = "name"


class HasStatus(NamedTuple):
    """A banlist gives the card one of these statuses."""

    statuses: frozenset[str]
    tag: Literal["status"] = "status"


class NoOtherCard(NamedTuple):
    """No other card that is out by the date has the same values and fits the description."""

    same: str
    where: "Predicate"
    tag: Literal["no_other_card"] = "no_other_card"


Predicate = (
    All | AnyOf | Not | AnyPart | Has | HasEach | Containing | Outside | Naming | Between | Rank | Home | Named
    | HasStatus | NoOtherCard
)  # fmt: skip


def parts_of(predicate: Predicate) -> "tuple[Predicate, ...]":
    """The predicates right below one that is made of others and looks at the same card."""
    match predicate:
        case All(parts) | AnyOf(parts):
            return parts
        case Not(part) | AnyPart(part):
            return (part,)
        case _:
            return ()


def leaves(predicate: Predicate | None) -> "list[Predicate]":
    """The predicates at the ends of the tree, from left to right; none for None."""
    if predicate is None:
        return []
    parts = parts_of(predicate)
    return [leaf for part in parts for leaf in leaves(part)] if parts else [predicate]


def attributes(predicate: Predicate) -> frozenset[str]:
    """Every attribute that the predicate looks at."""
    found: set[str] = set()
    for leaf in leaves(predicate):
        match leaf:
            case NoOtherCard(same, where):
                found |= {same} | attributes(where)
            case Named() | HasStatus() | All() | AnyOf() | Not() | AnyPart():
                pass
            case _:
                found.add(leaf.attribute)
    return frozenset(found)


def zones_needed(predicate: Predicate | None) -> frozenset[tuple[str, str]]:
    """The (attribute, zone) pairs that the deck itself must supply; NAMES stands for an attribute."""
    outside = {(leaf.attribute, leaf.zone) for leaf in leaves(predicate) if isinstance(leaf, Outside)}
    naming = {(NAMES, leaf.zone) for leaf in leaves(predicate) if isinstance(leaf, Naming)}
    return frozenset(outside | naming)


def statuses_in(predicate: Predicate | None) -> frozenset[str]:
    """Every status that the predicate looks at."""
    found = (leaf.statuses for leaf in leaves(predicate) if isinstance(leaf, HasStatus))
    return frozenset().union(*found)
