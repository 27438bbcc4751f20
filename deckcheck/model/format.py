"""A format: its rules as typed clauses over predicates, its zones and banlists, with their sources."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from deckcheck.model.banlist import Banlist, Edition, edition_on
from deckcheck.support.messages import Localized

EACH = "$each"
"""The placeholder for a loop's current value in a condition."""
NAMES = "$names"
"""Used in place of an attribute for the names of the cards in a zone."""


class _Predicate(Struct, frozen=True, tag=True):
    """Kept between runs with the name of its type."""


class _OfParts(_Predicate, frozen=True):
    parts: "tuple[Predicate, ...]"


class All(_OfParts, frozen=True):
    """Every part holds."""


class AnyOf(_OfParts, frozen=True):
    """At least one part holds."""


class _OfPart(_Predicate, frozen=True):
    part: "Predicate"


class Not(_OfPart, frozen=True):
    """The part does not hold."""


class AnyPart(_OfPart, frozen=True):
    """The part holds for one half of the card, or for a card without halves."""


class Has(_Predicate, frozen=True):
    """The values include one of these words (EACH: the loop's current value), or the number is one of these."""

    attribute: str
    values: frozenset[str | float]


class Containing(_Predicate, frozen=True):
    """Some value of the attribute contains the text."""

    attribute: str
    text: str


class _OfCardsInZone(_Predicate, frozen=True):
    attribute: str
    zone: str


class Outside(_OfCardsInZone, frozen=True):
    """Some value of the attribute is on no card in the zone."""


class Naming(_OfCardsInZone, frozen=True):
    """Some value of the attribute is the name of a card in the zone."""


class Between(_Predicate, frozen=True):
    """The number is within bounds, either of which may be open."""

    attribute: str
    low: float | None
    high: float | None


class Rank(_Predicate, frozen=True):
    """Some printing released by the date has a rank within bounds, either of which may be open."""

    attribute: str
    order: tuple[tuple[str, ...], ...]
    at_least: str | None
    at_most: str | None = None


class Home(_Predicate, frozen=True):
    """The card's home is one of the zones; `attribute` is the id of the home attribute."""

    zones: frozenset[str]
    attribute: str


class Named(_Predicate, frozen=True):
    """The card is one of these."""

    names: frozenset[str]


class HasStatus(_Predicate, frozen=True):
    """A banlist gives the card one of these statuses."""

    statuses: frozenset[str]


class NoOtherCard(_Predicate, frozen=True):
    """No other card released by the date has the same values of `same` and meets `where`."""

    same: str
    where: "Predicate"


Predicate = (
    All | AnyOf | Not | AnyPart | Has | Containing | Outside | Naming | Between | Rank | Home | Named | HasStatus
    | NoOtherCard
)  # fmt: skip


def parts_of(predicate: Predicate) -> "tuple[Predicate, ...]":
    """The direct parts of a predicate that apply to the same card."""
    match predicate:
        case All(parts) | AnyOf(parts):
            return parts
        case Not(part) | AnyPart(part):
            return (part,)
        case _:
            return ()


def leaves(predicate: Predicate | None) -> "list[Predicate]":
    """The leaves of a predicate, from left to right; [] for None."""
    if predicate is None:
        return []
    parts = parts_of(predicate)
    return [leaf for part in parts for leaf in leaves(part)] if parts else [predicate]


def attributes(predicate: Predicate) -> frozenset[str]:
    """The attributes that the predicate uses."""
    names: set[str] = set()
    for leaf in leaves(predicate):
        if isinstance(leaf, NoOtherCard):
            names |= {leaf.same} | attributes(leaf.where)
        elif not isinstance(leaf, Named | HasStatus | All | AnyOf | Not | AnyPart):
            names.add(leaf.attribute)
    return frozenset(names)


def zones_needed(predicate: Predicate | None) -> frozenset[tuple[str, str]]:
    """The (attribute, zone) pairs whose values come from the deck; the attribute may be NAMES."""
    outside = {(leaf.attribute, leaf.zone) for leaf in leaves(predicate) if isinstance(leaf, Outside)}
    naming = {(NAMES, leaf.zone) for leaf in leaves(predicate) if isinstance(leaf, Naming)}
    return frozenset(outside | naming)


def statuses_in(predicate: Predicate | None) -> frozenset[str]:
    """The statuses that the predicate uses."""
    statuses = (leaf.statuses for leaf in leaves(predicate) if isinstance(leaf, HasStatus))
    return frozenset().union(*statuses)


class Severity(StrEnum):
    """How grave a finding is; only errors affect the verdict."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Source(Struct, frozen=True):
    """A place: the path for messages, and the 1-based line."""

    path: str
    line: int

    @property
    def place(self) -> str:
        """`path:line`; the path alone for an option of the command line, which has no lines."""
        return self.path if self.path.startswith("--") else f"{self.path}:{self.line}"


class Selection(Struct, frozen=True):
    """Cards in zones. `zones` None: every zone; `where` None: every card."""

    zones: tuple[str, ...] | None = None
    where: Predicate | None = None


class Term(Struct, frozen=True):
    """A term of a bound: `times` the number of whole steps in a count."""

    clause: "Clause"
    """The count, without bounds."""
    times: int = 1
    step: int = 1


class Linear(Struct, frozen=True):
    """A bound: `base` plus the terms."""

    base: int
    plus: tuple[Term, ...]


Bound = int | Linear


class Range(Struct, frozen=True):
    """Copies from `low` to `high` (None: no limit)."""

    low: int
    high: int | None = None


class _Measure(Struct, frozen=True, tag=True):
    """Kept between runs with the name of its type."""


class AllCopies(_Measure, frozen=True):
    """The copies of all cards together."""


class CopiesOfEach(_Measure, frozen=True):
    """The copies of each name, which are bounded by themselves."""


class DifferentNames(_Measure, frozen=True):
    """The names, with `having` only those of which there are so many copies."""

    having: Range | None = None


class Sum(_Measure, frozen=True):
    """A number added up over all copies, or `once` for each name."""

    attribute: str
    once: bool = False


class Sides(_Measure, frozen=True):
    """How many of these descriptions some card meets."""

    descriptions: tuple[Predicate, ...]


class Combinations(_Measure, frozen=True):
    """Of each combination to which a banlist gives this status: how many sides some card is on."""

    status: str


Measure = AllCopies | CopiesOfEach | DifferentNames | Sum | Sides | Combinations


class Loop(Struct, frozen=True):
    """The values of `attribute` over which a rule loops: those of the cards in `zones`, or those in `listed`."""

    attribute: str
    zones: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    some: bool = False
    """Whether the rule only has to hold for one value."""


class When(Struct, frozen=True):
    """The rule applies only if the clause holds, and only in matches of `best_of` games."""

    clause: "Clause | None"
    best_of: int | None = None


class Clause(Struct, frozen=True):
    """A count and its bounds."""

    selection: Selection = Selection()
    measure: Measure = AllCopies()
    low: Bound | None = None
    high: Bound | None = None
    """Equal to `low` for `exactly`."""
    one_of: tuple[int, ...] | None = None
    """The allowed numbers, instead of bounds."""
    loop: Loop | None = None
    when: When | None = None
    since: str | None = None
    until: str | None = None
    severity: Severity = Severity.ERROR
    message: Localized | None = None
    says: Localized | None = None
    """The file's own description, instead of the generated one."""
    line: int | None = None
    either: "tuple[Clause, ...]" = ()
    """Alternative counts, one of which must hold, instead of bounds; with its message, without conditions or days."""

    @property
    def condition(self) -> "Clause | None":
        """The count of `when`."""
        return None if self.when is None else self.when.clause

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of both bounds."""
        return tuple(
            term for bound in (self.low, self.high) if isinstance(bound, Linear) for term in bound.plus
        )

    @property
    def is_ban(self) -> bool:
        """Whether it bans each of the cards, rather than limiting their total."""
        is_of_copies = isinstance(self.measure, AllCopies | CopiesOfEach)
        is_of_some = self.selection.where is not None
        return self.high == 0 and self.low is None and is_of_copies and is_of_some

    @property
    def is_of_sides(self) -> bool:
        """Whether it counts how many of some descriptions are met."""
        return isinstance(self.measure, Sides | Combinations)


class Rule(Struct, frozen=True):
    """A rule: a public id and one or more clauses. `replaces` is the inherited rule that it overrides."""

    id: str
    clauses: tuple[Clause, ...]
    source: Source
    cite: Localized | None = None
    replaces: Source | None = None


class RuleInfo(Struct, frozen=True):
    """A rule of a format in words; `summary` has a line for each clause."""

    format: str
    format_name: Localized
    id: str
    severity: Severity
    summary: Localized
    cite: Localized | None
    source: Source


class SetAside(Struct, frozen=True):
    """Names of cards that are set aside and not part of the deck."""

    id: str
    names: tuple[str, ...]
    message: Localized
    source: Source
    cite: Localized | None = None


class ListedAs(Struct, frozen=True):
    """Where lists without a word for a zone put its cards: in which zone, at most how many, and which."""

    zone: str
    most: int
    where: Predicate | None


class Format(Struct, frozen=True):
    """A format, with everything that it inherits."""

    id: str
    name: Localized
    game: str
    aliases: tuple[str, ...]
    abstract: bool
    """Whether it can only be extended."""
    title: str | None
    """The title of the rule text."""
    editions: tuple[Edition, ...]
    """The editions of the rule text, oldest first."""
    zones: Mapping[str, Localized]
    """Zone names by id, in display order."""
    rules: tuple[Rule, ...]
    set_aside: tuple[SetAside, ...]
    banlists: tuple[Banlist, ...]
    source: Source
    """The beginning of the format in its file."""
    exchange: tuple[str, ...] = ()
    """The zones between which cards may be exchanged between games."""
    listed_as: Mapping[str, ListedAs] = MappingProxyType({})
    """By zone: where lists without a word for it put its cards."""
    on_top: tuple[str, ...] = ()
    """The zones whose cards stand on top of lists without a heading."""
    suggested: bool = True
    """Whether it is named for a list that other formats fit."""
    descriptions: tuple[tuple[Predicate, Localized], ...] = ()
    """Words for the cards that meet these conditions, for generated sentences."""
    replaces_bundled: bool = False
    """Whether it is used in place of the bundled format with its id."""

    def edition(self, as_of: str) -> str | None:
        """The edition in force on a day; None if there is none."""
        return edition_on(self.editions, as_of)
