"""A rule as the evaluator takes it: typed clauses, each one count and its bounds."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from deckcheck.model import predicate as predicates
from deckcheck.model.predicate import Predicate
from deckcheck.support.messages import Localized

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


class When(NamedTuple):
    """The rule applies only if some zone holds such a card and every option has its value."""

    selection: Selection | None
    options: tuple[tuple[str, int], ...] = ()


class Clause(NamedTuple):
    """One count and its bounds.

    `counted` is "copies", "names", "sides", or with `summed` the attribute
    that is added up. `per` "name" bounds each name by itself; with `having`
    only names in so many copies are counted. `sides` are descriptions, or the
    status of the banlists' combinations. `low` and `high` are equal where the
    file says `exactly`; `one_of` lists the numbers that are allowed instead.
    `line` is where the file begins to speak of the clause. With `either` the
    clause holds if one of those does, and bounds nothing by itself; they bear
    its message and severity, and no condition or days of their own.
    """

    selection: Selection = Selection()
    counted: str = "copies"
    summed: bool = False
    per: Literal["name"] | None = None
    having: Range | None = None
    sides: tuple[Predicate, ...] | str | None = None
    low: Bound | None = None
    high: Bound | None = None
    one_of: tuple[int, ...] | None = None
    for_each: Loop | None = None
    for_some: Loop | None = None
    when: When | None = None
    since: str | None = None
    until: str | None = None
    severity: Severity = "error"
    message: Localized | None = None
    line: int | None = None
    either: "tuple[Clause, ...]" = ()

    @property
    def loop(self) -> Loop | None:
        """The values that the clause is tried for, be it for each or for some of them."""
        return self.for_each or self.for_some

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


_RECORDS = {
    record.__name__: record
    for record in (
        *predicates.Predicate.__args__,
        Source,
        Selection,
        Growing,
        Range,
        Loop,
        When,
        Clause,
        Rule,
        Localized,
    )
}


def to_plain(value: Any) -> Any:
    """Records as JSON values; what is as by default is left out."""
    if isinstance(value, frozenset):
        return {"": "set", "of": sorted(value)}
    if not isinstance(value, tuple):
        return value
    if not hasattr(value, "_fields"):
        return [to_plain(item) for item in value]
    return {"": type(value).__name__, **{key: to_plain(item) for key, item in _given(value)}}


def _given(record: Any) -> Iterator[tuple[str, Any]]:
    defaults = record._field_defaults
    for key, item in zip(record._fields, record, strict=True):
        if key not in defaults or item != defaults[key]:
            yield key, item


def from_plain(value: Any) -> Any:
    """The records that `to_plain` made plain."""
    if isinstance(value, list):
        return tuple(map(from_plain, value))
    if not isinstance(value, dict):
        return value
    fields = {key: from_plain(item) for key, item in value.items() if key}
    return frozenset(fields["of"]) if value[""] == "set" else _RECORDS[value[""]](**fields)
