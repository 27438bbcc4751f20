"""Rules as the evaluator takes them: predicates say which cards are meant, clauses count them and bound the count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from deckcheck.model.game import Attribute, Game
from deckcheck.support.messages import Localized

EACH = "$each"
"""What stands in a condition for the value for which a rule is being tried."""

NAMES = "$names"
"""What is asked of a zone whose cards' names are wanted; no attribute is called so."""

Severity = Literal["error", "warning", "info"]


# Predicates. Each bears a tag, so that two of different kinds are never equal.


class All(NamedTuple):
    """Every part holds."""

    parts: tuple[Predicate, ...]
    kind: Literal["all"] = "all"


class AnyOf(NamedTuple):
    """One of the parts holds."""

    parts: tuple[Predicate, ...]
    kind: Literal["any"] = "any"


class Not(NamedTuple):
    """The part doesn't hold."""

    part: Predicate
    kind: Literal["not"] = "not"


class Has(NamedTuple):
    """One of these words is among the values of the attribute."""

    attribute: str
    values: frozenset[str]
    kind: Literal["has"] = "has"


class HasEach(NamedTuple):
    """The word for which a rule is being tried is among the values."""

    attribute: str
    kind: Literal["each"] = "each"


class Containing(NamedTuple):
    """Some value of the attribute contains the text."""

    attribute: str
    text: str
    kind: Literal["containing"] = "containing"


class Outside(NamedTuple):
    """Some value of the attribute is found on no card of the zone."""

    attribute: str
    zone: str
    kind: Literal["outside"] = "outside"


class Naming(NamedTuple):
    """Some value of the attribute is the name of a card in the zone."""

    attribute: str
    zone: str
    kind: Literal["naming"] = "naming"


class Between(NamedTuple):
    """A number within bounds, either of which may be open."""

    attribute: str
    low: float | None
    high: float | None
    kind: Literal["between"] = "between"


class Rank(NamedTuple):
    """Some printing that was out by the date bears a rank within bounds, either of which may be open."""

    attribute: str
    order: tuple[tuple[str, ...], ...]
    at_least: str | None
    at_most: str | None = None
    kind: Literal["rank"] = "rank"


class Home(NamedTuple):
    """The card lives in one of these zones."""

    zones: frozenset[str]
    kind: Literal["home"] = "home"


class Named(NamedTuple):
    """The card has one of these names."""

    names: frozenset[str]
    kind: Literal["name"] = "name"


class HasStatus(NamedTuple):
    """A banlist gives the card one of these statuses."""

    statuses: frozenset[str]
    kind: Literal["status"] = "status"


class AnyPart(NamedTuple):
    """One half is so described; a card without halves is its own only half."""

    part: Predicate
    kind: Literal["any_part"] = "any_part"


class NoOtherCard(NamedTuple):
    """No other card out by the date has the same values and is so described."""

    same: str
    where: Predicate
    kind: Literal["no_other_card"] = "no_other_card"


Predicate = (
    All | AnyOf | Not | Has | HasEach | Containing | Outside | Naming | Between | Rank | Home | Named
    | HasStatus | AnyPart | NoOtherCard
)  # fmt: skip


def parts_of(predicate: Predicate | None) -> tuple[Predicate, ...]:
    """The predicate and every one that it is made of, which all speak of the same card; () for None."""
    inner: tuple[Predicate, ...] = ()
    match predicate:
        case None:
            return ()
        case All(parts) | AnyOf(parts):
            inner = parts
        case Not(part) | AnyPart(part):
            inner = (part,)
    return (predicate, *(found for part in inner for found in parts_of(part)))


def attributes(predicate: Predicate) -> frozenset[str]:
    """Every attribute that the predicate looks at."""
    found: set[str] = set()
    for part in parts_of(predicate):
        match part:
            case NoOtherCard(same, where):
                found |= {same} | attributes(where)
            case All() | AnyOf() | Not() | AnyPart() | Named() | HasStatus() | Home():
                pass
            case _:
                found.add(part.attribute)
    return frozenset(found)


def zones_needed(predicate: Predicate | None) -> frozenset[tuple[str, str]]:
    """The (attribute, zone) pairs that the deck itself must supply; NAMES stands for an attribute."""
    return frozenset(
        (part.attribute if isinstance(part, Outside) else NAMES, part.zone)
        for part in parts_of(predicate)
        if isinstance(part, Outside | Naming)
    )


def statuses_in(predicate: Predicate | None) -> frozenset[str]:
    """Every status that the predicate looks at."""
    return frozenset().union(*(part.statuses for part in parts_of(predicate) if isinstance(part, HasStatus)))


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


# Clauses


class Source(NamedTuple):
    """Where something was written down."""

    path: str
    """As it is shown."""
    line: int
    """Counted from 1."""


class Selection(NamedTuple):
    """Cards in zones."""

    zones: tuple[str, ...] | None = None
    """None: every zone."""
    where: Predicate | None = None
    """None: every card."""


class Growing(NamedTuple):
    """A bound that grows with copies of something."""

    base: int
    plus: int
    """How much more is allowed for each copy."""
    copies_of: Selection


Bound = int | Growing


class Range(NamedTuple):
    """Copies from `low` to `high` (None: no end)."""

    low: int
    high: int | None


class Loop(NamedTuple):
    """The values for which a rule is tried: those of the cards in a zone, or else the words in a list."""

    attribute: str
    zone: str | None
    listed: tuple[str, ...]


class When(NamedTuple):
    """The rule applies only if both hold."""

    selection: Selection | None
    """The deck holds such a card."""
    options: tuple[tuple[str, int], ...]
    """Every option has its value."""


class Clause(NamedTuple):
    """One count and its bounds."""

    selection: Selection
    """What is counted."""
    counted: str = "copies"
    """"copies", "names", "sides" or the id of the attribute that is summed."""
    summed: bool = False
    """Whether an attribute is summed."""
    per: str | None = None
    """"name" or an attribute's id, where each group is counted by itself."""
    copies: Range | None = None
    """Only groups of so many copies count."""
    sides: tuple[Predicate, ...] | str | None = None
    """Predicates of which it is counted how many are met, or the status of the banlists' combinations."""
    low: Bound | None = None
    high: Bound | None = None
    exactly: Bound | None = None
    """Kept apart from `low` and `high` for the wording."""
    one_of: tuple[int, ...] | None = None
    for_each: Loop | None = None
    for_some: Loop | None = None
    when: When | None = None
    since: str | None = None
    """The first ISO date on which it applies."""
    until: str | None = None
    """The last."""
    severity: Severity = "error"
    message: Localized | None = None
    line: int | None = None
    """Where the rule's file begins to speak of the clause."""
    either: tuple[Clause, ...] = ()
    """The clause holds if one of these does, and bounds nothing itself; they bear its message and severity, and
    have no condition and no days of their own."""


class Rule(NamedTuple):
    """A rule of one or more clauses."""

    id: str
    """Its public id."""
    clauses: tuple[Clause, ...]
    source: Source
    cite: str | None = None
    """The place in the rule text."""
    instead_of: tuple[Source, ...] = ()
    """The extended rules whose place it takes."""
