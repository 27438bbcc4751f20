"""A rule as the evaluator takes it: clauses, each one count and its bounds."""

from typing import Literal, NamedTuple

from deckcheck.model.predicate import Predicate
from deckcheck.support.messages import Words

Severity = Literal["error", "warning", "info"]


class Source(NamedTuple):
    """Where something was written down: a shown path and a 1-based line."""

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
    high: int | None


class Loop(NamedTuple):
    """The values of `attribute` for which a rule is tried.

    Those of the cards in `zone`, or else the words in `listed`.
    """

    attribute: str
    zone: str | None
    listed: tuple[str, ...]


class When(NamedTuple):
    """The rule applies only if `zone holds such a card` and every option has its value."""

    selection: Selection | None
    options: tuple[tuple[str, int], ...]


class Clause(NamedTuple):
    """One count and its bounds.

    `counted` is "copies", "names", "sides" or the id of the attribute that is
    summed, then with `summed` True. `per` is "name", an attribute's id or
    None. `exactly` is kept apart from `low` and `high` for the wording.
    `line` is where the rule's file begins to speak of the clause.
    `sides` are predicates, or the status of the banlists' combinations.
    With `either` the clause holds if one of those does, and bounds nothing
    by itself; they bear its message and severity and have no condition and no
    days of their own.
    """

    selection: Selection
    counted: str = "copies"
    summed: bool = False
    per: str | None = None
    copies: Range | None = None
    sides: tuple[Predicate, ...] | str | None = None
    low: Bound | None = None
    high: Bound | None = None
    exactly: Bound | None = None
    one_of: tuple[int, ...] | None = None
    for_each: Loop | None = None
    for_some: Loop | None = None
    when: When | None = None
    since: str | None = None
    until: str | None = None
    severity: Severity = "error"
    message: Words | None = None
    line: int | None = None
    either: "tuple[Clause, ...]" = ()


class Rule(NamedTuple):
    """A rule of one or more clauses under a public id. `instead_of` are the extended rules whose place it takes."""

    id: str
    clauses: tuple[Clause, ...]
    source: Source
    cite: str | None = None
    instead_of: tuple[Source, ...] = ()
