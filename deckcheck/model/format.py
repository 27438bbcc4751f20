"""A format: its rules, which are typed clauses over predicates, its zones and banlists, and where each is written."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from deckcheck.model.banlist import Banlist, BanlistEntry, Change, Edition, Unconfirmed, edition_on
from deckcheck.support.messages import Localized, Words

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
    """One of these words, or with EACH the value that a loop is at, is among the values; or it is one of these numbers."""

    attribute: str
    values: frozenset[str] | frozenset[float]
    tag: Literal["has"] = "has"


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
    All | AnyOf | Not | AnyPart | Has | Containing | Outside | Naming | Between | Rank | Home | Named | HasStatus
    | NoOtherCard
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
        if isinstance(leaf, NoOtherCard):
            found |= {leaf.same} | attributes(leaf.where)
        elif not isinstance(leaf, Named | HasStatus | All | AnyOf | Not | AnyPart):
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


Severity = Literal["error", "warning", "info"]


class Source(NamedTuple):
    """Where something is written: the path that messages show, and a 1-based line."""

    path: str
    line: int


class Selection(NamedTuple):
    """Cards in zones. `zones` None: every zone; `where` None: every card."""

    zones: tuple[str, ...] | None = None
    where: Predicate | None = None


class Growing(NamedTuple):
    """A bound of `base`, and `plus` more for each copy of something."""

    base: int
    plus: int
    copies_of: Selection


Bound = int | Growing


class Range(NamedTuple):
    """Copies from `low` to `high` (None: no end)."""

    low: int
    high: int | None = None


class Loop(NamedTuple):
    """The values of `attribute` for which a rule is tried: those of the cards in `zones`, or else those `listed`."""

    attribute: str
    zones: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    some: bool = False
    """Whether the rule has to hold for one of them only."""


class When(NamedTuple):
    """The rule applies only if some zone holds such a card, and in a match of so many games."""

    selection: Selection | None
    best_of: int | None = None


class Clause(NamedTuple):
    """One count and its bounds."""

    selection: Selection = Selection()
    counted: str = "copies"
    """"copies", "names", "sides", or with `summed` the attribute that is added up."""
    summed: bool = False
    per: Literal["name"] | None = None
    """Whether each name is bounded by itself."""
    having: Range | None = None
    """Only names in so many copies are counted."""
    sides: tuple[Predicate, ...] | str | None = None
    """Descriptions, or the status of the banlists' combinations."""
    low: Bound | None = None
    high: Bound | None = None
    """The same as `low` where the file says `exactly`."""
    one_of: tuple[int, ...] | None = None
    """The numbers that are allowed, in place of bounds."""
    loop: Loop | None = None
    when: When | None = None
    since: str | None = None
    until: str | None = None
    severity: Severity = "error"
    message: Localized | None = None
    line: int | None = None
    either: "tuple[Clause, ...]" = ()
    """Counts of which one has to hold, in place of bounds: with its message and severity, without conditions or days."""

    @property
    def exact(self) -> bool:
        """Whether one number is allowed and no other."""
        return self.low is not None and self.low == self.high

    @property
    def is_ban(self) -> bool:
        """Whether it forbids cards, each for itself, rather than bounding how many there are together."""
        return (
            self.high == 0
            and self.low is None
            and self.counted == "copies"
            and not self.summed
            and self.selection.where is not None
        )


class Rule(NamedTuple):
    """A rule of one or more clauses under a public id. `replaces` are the extended rules whose place it takes."""

    id: str
    clauses: tuple[Clause, ...]
    source: Source
    cite: str | None = None
    replaces: tuple[Source, ...] = ()


class RuleInfo(NamedTuple):
    """A rule of a format in words: `summary` says what it asks, each clause in a line of its own."""

    format: str
    format_name: Localized
    id: str
    severity: Severity
    summary: Localized
    cite: str | None
    source: Source


class SetAside(NamedTuple):
    """Names of things that lie beside the deck and are no part of it."""

    id: str
    names: tuple[str, ...]
    message: Localized
    source: Source
    cite: str | None = None


class Format(NamedTuple):
    """A format with all that it extends."""

    id: str
    name: Localized
    game: str
    aliases: tuple[str, ...]
    abstract: bool
    """Whether it is only there to be extended."""
    title: str | None
    """What the rule text is called."""
    editions: tuple[Edition, ...]
    """Those of the rule text, oldest first."""
    zones: Mapping[str, Words]
    """From zone ids to their names, in the order in which they are shown."""
    rules: tuple[Rule, ...]
    set_aside: tuple[SetAside, ...]
    banlists: tuple[Banlist, ...]
    source: Source
    """Where the file begins to speak of the format."""
    exchange: tuple[str, ...] = ()
    """The zones between which cards may be exchanged between games."""
    listed_as: Mapping[str, tuple[str, int, Predicate | None]] = MappingProxyType({})
    """From a zone to the one in which lists put its cards that have no word for it, up to how many copies, and which."""

    def edition(self, as_of: str) -> str | None:
        """The edition in force on a day; None before the first, and where none is given."""
        return edition_on(self.editions, as_of)


_RECORDS: Mapping[str, Callable[..., Any]] = {
    "set": lambda *items: frozenset(items),
    "tuple": lambda *items: items,
} | {
    record.__name__: record
    for record in (
        *Predicate.__args__, Source, Selection, Growing, Range, Loop, When, Clause, Rule, Localized, Edition, SetAside,
        Format, Banlist, BanlistEntry, Change, Unconfirmed,
    )
}  # fmt: skip


def to_plain(value: Any) -> Any:
    """Records as JSON values; a list begins with the name of what it holds."""
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return ["set", *sorted(value)]
    if isinstance(value, tuple):
        return [type(value).__name__, *map(to_plain, value)]
    return value


def from_plain(value: Any) -> Any:
    """The records that `to_plain` made plain."""
    if isinstance(value, list):
        return _RECORDS[value[0]](*map(from_plain, value[1:]))
    if isinstance(value, dict):
        return {key: from_plain(item) for key, item in value.items()}
    return value
