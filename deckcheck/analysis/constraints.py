"""A constraint model of decks: literals, variables for the copies of names, and the solver.

Nothing here depends on formats: `deck_model` translates their clauses.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Literal as Word
from typing import NamedTuple

from ortools.sat.python import cp_model

from deckcheck.analysis.card_classes import CardClass
from deckcheck.rules.counting import Zones

Literal = cp_model.BoolVarT | bool
"""A 0/1 variable or its negation, or a constant."""
Number = cp_model.LinearExpr | int
Values = Callable[[Number], int]
"""The value of a number in a solution."""

LARGE = 1_000_000
"""More than any count or sum in a deck."""
_MOST_PROFILES = 250
Status = Word["optimal", "feasible", "infeasible", "unknown"]


class Logic:
    """A solver's model with literals; constants add nothing to it."""

    def __init__(self) -> None:
        self.model = cp_model.CpModel()
        self._any_cache: dict[frozenset[int], Literal] = {}

    def literal(self) -> cp_model.BoolVarT:
        """A new literal."""
        return self.model.new_bool_var("")

    def number(self, least: int, most: int) -> cp_model.IntVar:
        """A new integer variable from `least` to `most`."""
        return self.model.new_int_var(least, most, "")

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """A literal that is true if and only if all of these are."""
        return negation(self.any_of(map(negation, literals)))

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """A literal that is true if and only if at least one of these is."""
        given = {literal_id(literal): literal for literal in literals}
        if literal_id(True) in given:
            return True
        variables = [literal for literal in given.values() if not isinstance(literal, bool)]
        if not variables:
            return False
        if len(variables) == 1:
            return variables[0]
        key = frozenset(map(literal_id, variables))
        found = self._any_cache.get(key)
        if found is None:
            found = self._any_cache[key] = self.literal()
            self.model.add_bool_or(variables).only_enforce_if(found)
            for variable in variables:
                self.model.add_implication(variable, found)
        return found

    def require(self, relation: cp_model.BoundedLinearExpression | bool, when: Literal = True) -> None:
        """Require a linear relation if `when` is true."""
        if when is False or relation is True:
            return
        if isinstance(relation, bool):
            self.require_any((), when)
            return
        constraint = self.model.add(relation)
        if when is not True:
            constraint.only_enforce_if(when)

    def require_any(self, literals: Iterable[Literal], when: Literal = True) -> None:
        """Require at least one of the literals if `when` is true."""
        given = [negation(when), *literals]
        if not any(literal is True for literal in given):
            self.model.add_bool_or([literal for literal in given if literal is not False])

    def number_if(self, literal: Literal, number: Number) -> Number:
        """The number if the literal is true, else 0."""
        if isinstance(literal, bool):
            return number if literal else 0
        result = self.number(-LARGE, LARGE)
        self.require(result == number, literal)
        self.require(result == 0, negation(literal))
        return result

    def at_least(self, number: Number, least: int) -> Literal:
        """A literal that is true if and only if the number is at least `least`."""
        if isinstance(number, int):
            return number >= least
        found: Literal = self.literal()
        self.require(number >= least, found)
        self.require(number <= least - 1, negation(found))
        return found


def negation(literal: Literal) -> Literal:
    """The negation of a literal."""
    return not literal if isinstance(literal, bool) else literal.negated()


def literal_id(literal: Literal) -> int:
    """A number that identifies a literal."""
    if isinstance(literal, bool):
        return _CONSTANT if literal else -_CONSTANT
    return int(literal.index)


_CONSTANT = 1 << 60


class Cap(NamedTuple):
    """The most copies of a name in some zones together."""

    zones: Zones
    most: int

    def allows(self, copies: Sequence[int], zones: Sequence[str]) -> bool:
        """Whether a name may have these numbers of copies in these zones."""
        return copies_in(self.zones, copies, zones) <= self.most


def copies_in(wanted: Zones, copies: Sequence[int], zones: Sequence[str]) -> int:
    """The copies in the wanted zones of a name that has these numbers of copies in these zones."""
    return sum(number for number, zone in zip(copies, zones, strict=True) if includes(wanted, zone))


def includes(zones: Zones, zone: str) -> bool:
    """Whether the zone is one of the zones; None means all of them."""
    return zones is None or zone in zones


class SingleName:
    """The copies of one name: a variable for each zone."""

    def __init__(self, logic: Logic, names: CardClass, copies: dict[str, cp_model.IntVar]) -> None:
        self.card_class, self.variables = names, copies
        self._logic = logic
        self._at_least_cache: dict[tuple[object, ...], Literal] = {}

    def copies(self, zones: Zones) -> Number:
        """The number of copies in the zones."""
        return sum(number for zone, number in self.variables.items() if includes(zones, zone))

    def _at_least(self, zones: Zones, least: int) -> Literal:
        held = tuple(zone for zone in self.variables if includes(zones, zone))
        key = (held, least)
        if key not in self._at_least_cache:
            self._at_least_cache[key] = self._logic.at_least(self.copies(held), least) if held else least <= 0
        return self._at_least_cache[key]

    def number_of_names(self, zones: Zones, least: int, most: int | None) -> Number:
        """How many names, 0 or 1, have `least` to `most` copies in the zones; None for no limit."""
        enough = self._at_least(zones, least)
        few = True if most is None else negation(self._at_least(zones, most + 1))
        return _as_number(self._logic.all_of((enough, few)))

    def require_each(self, zones: Zones, least: Number | None, most: Number | None, when: Literal) -> None:
        """Require `least` to `most` copies of each name that is in the zones, if `when` is true; None for no limit."""
        copies = self.copies(zones)
        if most is not None:
            self._logic.require(copies <= most, when)
        if least is not None:
            self._logic.require(copies >= least, self._logic.all_of((when, self._at_least(zones, 1))))

    def require_some(self, zones: Zones, least: Number | None, most: Number | None, when: Literal) -> None:
        """Require some name with 1 or more, and `least` to `most`, copies in the zones, if `when` is true."""
        copies = self.copies(zones)
        self._logic.require(copies >= 1, when)
        if least is not None:
            self._logic.require(copies >= least, when)
        if most is not None:
            self._logic.require(copies <= most, when)

    def solution(self, value: Values) -> list[dict[str, int]]:
        """The copies by zone of each name in the deck."""
        held = {zone: value(number) for zone, number in self.variables.items()}
        return [held] if any(held.values()) else []


class ManyNames:
    """The copies of names that no rule tells apart: a variable for how many of them have each possible profile.

    A profile is the number of copies in each zone.
    """

    def __init__(
        self, logic: Logic, names: CardClass, zones: Sequence[str], profiles: Sequence[tuple[int, ...]]
    ) -> None:
        self.card_class = names
        self._logic, self._zones = logic, zones
        most = len(names.names)
        self._numbers = [(profile, logic.number(0, most)) for profile in profiles]
        logic.require(sum(number for _, number in self._numbers) <= most)

    def _with_copies(self, zones: Zones) -> list[tuple[int, cp_model.IntVar]]:
        """For each profile, its copies in the zones and how many names have it."""
        return [(copies_in(zones, profile, self._zones), number) for profile, number in self._numbers]

    def copies(self, zones: Zones) -> Number:
        """The number of copies in the zones."""
        return sum(copies * number for copies, number in self._with_copies(zones) if copies)

    def number_of_names(self, zones: Zones, least: int, most: int | None) -> Number:
        """How many names have `least` to `most` copies in the zones; None for no limit."""
        return sum(
            number
            for copies, number in self._with_copies(zones)
            if copies >= least and (most is None or copies <= most)
        )

    def require_each(self, zones: Zones, least: Number | None, most: Number | None, when: Literal) -> None:
        """Require `least` to `most` copies of each name that is in the zones, if `when` is true; None for no limit."""
        fixed = all(bound is None or isinstance(bound, int) for bound in (least, most))
        outside = []
        for copies, number in self._with_copies(zones):
            if not copies:
                continue
            if fixed:
                if not _within(copies, least, most):
                    outside.append(number)
                continue
            used = self._logic.all_of((when, self._logic.at_least(number, 1)))
            self._logic.require(copies >= (0 if least is None else least), used)
            self._logic.require(copies <= (LARGE if most is None else most), used)
        if outside:
            self._logic.require(sum(outside) == 0, when)

    def require_some(self, zones: Zones, least: Number | None, most: Number | None, when: Literal) -> None:
        """Require some name with 1 or more, and `least` to `most`, copies in the zones, if `when` is true."""
        ways: list[Literal] = []
        for copies, number in self._with_copies(zones):
            if copies:
                way = self._logic.literal()
                self._logic.require(number >= 1, way)
                self._logic.require(copies >= (0 if least is None else least), way)
                self._logic.require(copies <= (LARGE if most is None else most), way)
                ways.append(way)
        self._logic.require_any(ways, when)

    def solution(self, value: Values) -> list[dict[str, int]]:
        """The copies by zone of each name in the deck."""
        found: list[dict[str, int]] = []
        for profile, number in self._numbers:
            found += [dict(zip(self._zones, profile, strict=True))] * (value(number) if any(profile) else 0)
        return found


NameVariables = SingleName | ManyNames


def _within(number: int, least: Number | None, most: Number | None) -> bool:
    assert least is None or isinstance(least, int)
    assert most is None or isinstance(most, int)
    return (least is None or number >= least) and (most is None or number <= most)


def _as_number(literal: Literal) -> Number:
    return int(literal) if isinstance(literal, bool) else literal


def variables_of(
    logic: Logic, names: CardClass, zones: Sequence[str], caps: Sequence[Cap], most: int
) -> list[NameVariables]:
    """Variables for the copies of a class within caps, at most `most` of a name in a zone; [] if none are allowed.

    If some zone has no small cap, one of the names stands for all: it may have any number of copies there.
    """
    open_zones = [
        zone for zone in zones if not any(includes(cap.zones, zone) and not cap.most for cap in caps)
    ]
    if not open_zones:
        return []
    bounds = {
        zone: min([most, *(cap.most for cap in caps if includes(cap.zones, zone))]) for zone in open_zones
    }
    single = SingleName(
        logic,
        CardClass(names.card, names.names[:1]),
        {zone: logic.number(0, bounds[zone]) for zone in open_zones},
    )
    if len(names.names) == 1:
        return [single]
    is_capped = all(bound < most for bound in bounds.values())
    ranges = [range(min(bounds[zone], 9) + 1 if bounds[zone] < most else 5) for zone in open_zones]
    allowed = []
    for profile in product(*ranges):
        if any(profile) and all(cap.allows(profile, open_zones) for cap in caps):
            allowed.append(profile)
            if len(allowed) > _MOST_PROFILES:
                return [single]
    if is_capped:
        return [ManyNames(logic, names, open_zones, allowed)]
    return [single, ManyNames(logic, CardClass(names.card, names.names[1:]), open_zones, allowed)]


class Solution(NamedTuple):
    """What the solver found. `bound` is a proven lower bound of the objective."""

    status: Status
    values: Values | None = None
    objective: int = 0
    bound: int = 0


def solve(logic: Logic, seconds: float, minimize: Number | None = None) -> Solution:
    """A solution or, with `minimize`, the least one found within a time limit, always the same on one machine.

    Raises KeyboardInterrupt if the user presses ^C.
    """
    if minimize is not None:
        logic.model.minimize(minimize)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_time_in_seconds = seconds
    # The solver's own handler of ^C allocates memory, so it may never return. Python's handler only runs in a thread that
    # isn't solving.
    solver.parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as thread:
        try:
            status = thread.submit(solver.solve, logic.model).result()
        except KeyboardInterrupt:
            solver.stop_search()
            raise
    if status == cp_model.INFEASIBLE:
        return Solution("infeasible")
    assert status != cp_model.MODEL_INVALID
    if status == cp_model.UNKNOWN:
        return Solution("unknown")
    word: Status = "optimal" if status == cp_model.OPTIMAL else "feasible"
    if minimize is None:
        return Solution(word, solver.value)
    return Solution(word, solver.value, round(solver.objective_value), round(solver.best_objective_bound))
