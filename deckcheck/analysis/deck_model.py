"""A format on a day as a constraint model: which decks keep its clauses, break them or are exactly on a bound.

This is a second implementation of the format language, beside `rules.evaluator`. A deck keeps a clause here only if
the evaluator certainly finds nothing, whatever the unknown facts are.

A search has as few of the clauses in the model as possible. A deck keeps most clauses of a format by chance, and each clause splits classes of cards. So a clause is added to the
model only after a deck that doesn't keep it was found. Decks that a model excludes are also excluded with further
clauses, and its nearest deck is no farther than the nearest one that keeps all clauses.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import ceil, floor
from typing import Literal as Word
from typing import NamedTuple

from deckcheck.analysis.card_classes import CardClass, ClauseOnDay, is_fixed
from deckcheck.analysis.constraints import (
    Cap,
    Literal,
    Logic,
    NameVariables,
    Number,
    Solution,
    Values,
    literal_id,
    negation,
    solve,
    variables_of,
)
from deckcheck.analysis.witness import Copies, tally_of
from deckcheck.checking.judge import LoadedFormat
from deckcheck.model import format as model
from deckcheck.model.card import Card
from deckcheck.model.format import NAMES, Bound, Clause, Predicate
from deckcheck.rules.counting import INFINITY, Tally, Zones, known_values, knows_all, worth_of
from deckcheck.rules.evaluator import PreparedClause, evaluate
from deckcheck.rules.predicates import NO, YES, Binding, World, holds

MOST_COPIES = 300
"""The most copies of a name in a zone of a model's deck."""

State = Word["kept", "violated"]
_ENDLESS = 10_000
"""More than any bound: used as the lower limit of an infinite number."""


class Answer(NamedTuple):
    """Whether a condition holds for certain, and whether it may hold."""

    surely: Literal
    maybe: Literal


class Count(NamedTuple):
    """The smallest and largest value that a count may have.

    There is no upper limit if `unbounded`, itself a count, isn't 0, and no lower limit if `unbounded_below` isn't 0.
    """

    least: Number
    most: Number
    unbounded: Number = 0
    unbounded_below: Number = 0


def may_be_listed(card: Card, zone: str, default_zone: str | None) -> bool:
    """Whether a list can have the card in the zone: a card listed in the default zone is read as one of its home."""
    return zone != default_zone or card.home in (None, default_zone)


class DeckModel:
    """A model of all decks of some cards in the zones of a format, which can be required to keep or break its clauses.

    Every deck keeps the `firm` clauses, whose caps bound the variables. Caps of `relaxed` clauses may be exceeded by
    one copy. The `default_zone` has only cards that `may_be_listed` there.
    """

    def __init__(
        self,
        zones: Sequence[str],
        classes: Iterable[CardClass],
        firm: Sequence[ClauseOnDay],
        relaxed: Sequence[ClauseOnDay] = (),
        default_zone: str | None = None,
    ) -> None:
        self.logic = Logic()
        self.zones = tuple(zones)
        self._answer_cache: dict[tuple[int, int, str | None, int], Answer] = {}
        self._held_cache: dict[tuple[str, Zones, str], Literal] = {}
        self._count_cache: dict[tuple[int, int, str | None], Count] = {}
        self._kept_alive: list[object] = []
        caps = [(clause, 0) for clause in firm] + [(clause, 1) for clause in relaxed]
        caps = [(clause, more) for clause, more in caps if caps_each(clause.assuming.clause)]
        self.names: list[NameVariables] = []
        for names in classes:
            allowed = [zone for zone in self.zones if may_be_listed(names.card, zone, default_zone)]
            self.names += variables_of(
                self.logic, names, allowed, list(self._caps(names.card, caps)), MOST_COPIES
            )
        for clause in firm:
            self.require_kept(clause)

    def _caps(self, card: Card, clauses: Iterable[tuple[ClauseOnDay, int]]) -> Iterator[Cap]:
        """Yields the caps that clauses set on a card's copies in every deck, each raised by the clause's number."""
        for (_, prepared), more in clauses:
            clause = prepared.clause
            where = clause.selection.where
            if where is None or holds(where, card, prepared.world) != NO:
                assert isinstance(clause.high, int)
                yield Cap(clause.selection.zones, clause.high + more)

    # Conditions on cards.

    def answer(
        self, predicate: Predicate | None, names: NameVariables, world: World, each: str | None
    ) -> Answer:
        """Whether a condition holds for the cards of a class; `each` is the value of the loop."""
        if predicate is None:
            return Answer(True, True)
        key = (id(predicate), id(names), each, id(world))
        found = self._answer_cache.get(key)
        if found is None:
            found = self._answer_cache[key] = self._judge(predicate, names.card_class.card, world, each)
            self._kept_alive.append((predicate, world))
        return found

    def _judge(self, predicate: Predicate, card: Card, world: World, each: str | None) -> Answer:
        logic = self.logic
        if not any(isinstance(leaf, model.Outside | model.Naming) for leaf in model.leaves(predicate)):
            answer = holds(predicate, card, world, Binding(each))
            return Answer(answer == YES, answer != NO)
        match predicate:
            case model.All(parts):
                judged = [self._judge(part, card, world, each) for part in parts]
                return Answer(
                    logic.all_of(part.surely for part in judged), logic.all_of(part.maybe for part in judged)
                )
            case model.AnyOf(parts):
                judged = [self._judge(part, card, world, each) for part in parts]
                return Answer(
                    logic.any_of(part.surely for part in judged), logic.any_of(part.maybe for part in judged)
                )
            case model.Not(part):
                surely, maybe = self._judge(part, card, world, each)
                return Answer(negation(maybe), negation(surely))
            case model.AnyPart(part):
                halves = [card._replace(facts=half.facts, parts=()) for half in card.parts] or [card]
                judged = [self._judge(part, half, world, each) for half in halves]
                return Answer(
                    logic.any_of(half.surely for half in judged), logic.any_of(half.maybe for half in judged)
                )
            case model.Outside(attribute, zone):
                return self._outside(card, attribute, (zone,))
            case model.Naming(attribute, zone):
                return self._naming(card, attribute, (zone,))
        raise TypeError(predicate)

    def _outside(self, card: Card, attribute: str, zones: Zones) -> Answer:
        logic, values = self.logic, card.facts.get(attribute)
        is_held = self.is_held(zones)
        if not isinstance(values, frozenset):
            return Answer(False, is_held)
        missing = logic.any_of(
            negation(self.holds_value(attribute, zones, value)) for value in sorted(values)
        )
        surely = logic.all_of((is_held, missing, self.knows(attribute, zones)))
        maybe = is_held if attribute in card.partial else logic.all_of((is_held, missing))
        return Answer(surely, maybe)

    def _naming(self, card: Card, attribute: str, zones: Zones) -> Answer:
        values, is_held = card.facts.get(attribute), self.is_held(zones)
        if not isinstance(values, frozenset):
            return Answer(False, is_held)
        named = self.logic.any_of(self.holds_value(NAMES, zones, value) for value in sorted(values))
        return Answer(named, is_held if attribute in card.partial else named)

    # What zones hold.

    def is_held(self, zones: Zones) -> Literal:
        """Whether any card is in the zones."""
        return self._is_held(("", zones, ""), self.names)

    def knows(self, attribute: str, zones: Zones) -> Literal:
        """Whether all values of an attribute on the cards in the zones are known."""
        if attribute == NAMES:
            return True
        key = (attribute, zones, "?")
        if key not in self._held_cache:
            unsure = [names for names in self.names if not knows_all(names.card_class.card, attribute)]
            self._is_held(key, unsure)
        return negation(self._held_cache[key])

    def holds_value(self, attribute: str, zones: Zones, value: str) -> Literal:
        """Whether any card in the zones has the value, or with NAMES the name."""
        key = (attribute, zones, f"={value}")
        if key in self._held_cache:
            return self._held_cache[key]
        if attribute == NAMES:
            having = [names for names in self.names if value in names.card_class.names]
        else:
            having = [
                names for names in self.names if value in known_values(names.card_class.card, attribute)
            ]
        return self._is_held(key, having)

    def _is_held(self, key: tuple[str, Zones, str], names: Iterable[NameVariables]) -> Literal:
        if key not in self._held_cache:
            self._held_cache[key] = self.logic.at_least(sum(each.copies(key[1]) for each in names), 1)
        return self._held_cache[key]

    def values_of(self, attribute: str, zones: Zones) -> list[str]:
        """The values of an attribute that cards in the zones can have."""
        values = set[str]()
        for names in self.names:
            if not isinstance(names.copies(zones), int):
                card = names.card_class
                values |= set(card.names) if attribute == NAMES else known_values(card.card, attribute)
        return sorted(values)

    # Counts.

    def measure(self, clause: Clause, world: World, each: str | None) -> Count:
        """The count of a clause over all of its cards."""
        key = (id(clause), id(world), each)
        if key not in self._count_cache:
            self._count_cache[key] = self._measure(clause, world, each)
            self._kept_alive.append((clause, world))
        return self._count_cache[key]

    def _measure(self, clause: Clause, world: World, each: str | None) -> Count:
        least, most, unbounded = _Sum(self.logic), _Sum(self.logic), _Sum(self.logic)
        for names in self.names:
            surely, maybe = self.answer(clause.selection.where, names, world, each)
            if maybe is False:
                continue
            number = self._number(clause, names)
            low, high = _worth(names.card_class.card, clause.counted) if clause.summed else (1, 1)
            least.add(surely, low, number)
            most.add(surely, high or 0, number)
            if surely is not True:
                unsure = self.logic.all_of((maybe, negation(surely)))
                least.add(unsure, min(low, 0), number)
                most.add(unsure, max(high or 0, 0), number)
            if high is None:
                unbounded.add(maybe, 1, number)
        return Count(least.total(), most.total(), unbounded.total())

    def _number(self, clause: Clause, names: NameVariables) -> Number:
        """How many copies or names of a class a clause counts."""
        zones = clause.selection.zones
        if clause.summed == "names" or (clause.counted == "names" and not clause.summed):
            least, most = (1, None) if clause.having is None else clause.having
            return names.number_of_names(zones, max(least, 1), most)
        return names.copies(zones)

    def _limits(self, clause: Clause, world: World, each: str | None) -> Iterator[Count | None]:
        """The lower and the upper bound of a clause, each itself a count."""
        for bound in (clause.low, clause.high):
            yield None if bound is None else self._bound(bound, world, each)

    def _bound(self, bound: Bound, world: World, each: str | None) -> Count:
        if isinstance(bound, int):
            return Count(bound, bound)
        least: Number = bound.base
        most: Number = bound.base
        above: Number = 0
        below: Number = 0
        for term in bound.plus:
            low, high, more, _ = self.measure(term.clause, world, each)
            low, high = self._steps(low, term.step), self._steps(high, term.step)
            if term.times < 0:
                low, high, below = high, low, below + more
            else:
                above = above + more
            least, most = least + term.times * low, most + term.times * high
        return Count(least, most, above, below)

    def _steps(self, number: Number, step: int) -> Number:
        """The number divided by `step`, rounded down."""
        if step == 1:
            return number
        if isinstance(number, int):
            return number // step
        steps = self.logic.number(-MOST_COPIES, MOST_COPIES * MOST_COPIES)
        self.logic.require(step * steps <= number)
        self.logic.require(number <= step * steps + step - 1)
        return steps

    # Clauses.

    def require_kept(self, clause: ClauseOnDay, when: Literal = True) -> None:
        """Require that the deck certainly keeps the clause, if `when` is true."""
        self._require(clause.assuming, "kept", when)

    def require_violated(self, clause: ClauseOnDay, when: Literal = True) -> None:
        """Require that the deck certainly breaks the clause, if `when` is true."""
        self._require(clause.clause, "violated", when)

    def _require(self, prepared: PreparedClause, state: State, when: Literal) -> None:
        condition = prepared.clause.condition
        if condition is not None:
            is_met, is_not_met = self.logic.literal(), self.logic.literal()
            if state == "violated":
                self._require_measure(condition, prepared.world, None, "kept", when)
            else:
                self._require_measure(condition, prepared.world, None, "violated", is_not_met)
                self.logic.require_any((is_not_met, is_met), when)
                when = is_met
        if not prepared.either:
            self._require_bound(prepared, state, when)
        elif state == "violated":
            for way in prepared.either:
                self._require_bound(way, state, when)
        else:
            ways = [self.logic.literal() for _ in prepared.either]
            for literal, way in zip(ways, prepared.either, strict=True):
                self._require_bound(way, state, literal)
            self.logic.require_any(ways, when)

    def _require_bound(self, prepared: PreparedClause, state: State, when: Literal) -> None:
        """Require that the deck keeps or breaks a clause's bounds for the values of its loop."""
        logic, loop = self.logic, prepared.clause.loop
        if loop is None:
            self._require_groups(prepared, None, state, when)
            return
        values = loop.listed or self.values_of(loop.attribute, loop.zones)
        holding = {
            value: self.holds_value(loop.attribute, loop.zones, value) if loop.zones else True
            for value in values
        }
        if loop.zones and (state == "kept" or loop.some):
            logic.require_any((self.knows(loop.attribute, loop.zones),), when)
        # A loop over all values is kept if every value keeps it, and broken if any breaks it; over some, vice versa.
        if loop.some == (state == "kept"):
            ways = []
            for value, is_held in holding.items():
                way = logic.literal()
                logic.require_any((is_held,), way)
                self._require_groups(prepared, value, state, way)
                ways.append(way)
            none_held = logic.all_of(negation(is_held) for is_held in holding.values())
            logic.require_any([*ways, none_held] if state == "kept" else ways, when)
        else:
            for value, is_held in holding.items():
                self._require_groups(prepared, value, state, logic.all_of((when, is_held)))
            if state == "violated":
                logic.require_any(holding.values(), when)

    def _require_groups(
        self, prepared: PreparedClause, each: str | None, state: State, when: Literal
    ) -> None:
        """Require that the deck keeps or breaks a clause's bounds for one value of its loop."""
        clause, world = prepared.clause, prepared.world
        if clause.sides is not None:
            self._require_sides(prepared, state, when)
        elif clause.per is None and not clause.is_ban:
            self._require_measure(clause, world, each, state, when)
        else:
            self._require_names(prepared, each, state, when)

    def _require_names(self, prepared: PreparedClause, each: str | None, state: State, when: Literal) -> None:
        """Require that each counted name keeps a clause's bounds, or that some name breaks them."""
        clause, world, logic = prepared.clause, prepared.world, self.logic
        zones, ways = clause.selection.zones, list[Literal]()
        low, high = self._limits(clause, world, each)
        if state == "kept":
            self._require_finite(low, high, when)
        outside: list[tuple[Number | None, Number | None, Number]]
        outside = [(first, last, 0) for first, last in _gaps(clause.one_of or ())]
        if clause.one_of is None:
            outside = [(None, low.least - 1, low.unbounded_below)] if low is not None else []
            outside += [(high.most + 1, None, high.unbounded)] if high is not None else []
        for names in self.names:
            surely, maybe = self.answer(clause.selection.where, names, world, each)
            if maybe is False or isinstance(names.copies(zones), int):
                continue
            if state == "kept" and clause.one_of is None:
                least, most = None if low is None else low.most, None if high is None else high.least
                names.require_each(zones, least, most, logic.all_of((when, maybe)))
            elif state == "kept":
                for first, last in _gaps(clause.one_of or ()):
                    forbidden = names.number_of_names(zones, max(first or 1, 1), last)
                    logic.require(forbidden == 0, logic.all_of((when, maybe)))
            else:
                for least, most, unbounded in outside if surely is not False else ():
                    way = logic.literal()
                    logic.require(unbounded == 0, way)
                    logic.require_any((surely,), way)
                    names.require_some(zones, least, most, way)
                    ways.append(way)
        if state == "violated":
            logic.require_any(ways, when)

    def _require_sides(self, prepared: PreparedClause, state: State, when: Literal) -> None:
        """Require that the sides in the deck keep the bounds for each combination, or break them for some."""
        logic, clause = self.logic, prepared.clause
        ways: list[Literal] = []
        for sides, _listing in prepared.combinations:
            held = [self._side(answers.predicate, clause, prepared.world) for answers in sides]
            count = Count(
                sum(logic.number_if(side.surely, 1) for side in held),
                sum(logic.number_if(side.maybe, 1) for side in held),
            )
            way: Literal = when if state == "kept" else logic.literal()
            self._require_count(count, clause, prepared.world, None, state, way)
            ways.append(way)
        if state == "violated":
            logic.require_any(ways, when)

    def _side(self, predicate: Predicate | None, clause: Clause, world: World) -> Answer:
        """Whether the deck has a card of a side."""
        zones, logic = clause.selection.zones, self.logic
        found: tuple[list[Literal], list[Literal]] = [], []
        for names in self.names:
            answer = self.answer(predicate, names, world, None)
            if answer.maybe is not False:
                is_held = logic.at_least(names.copies(zones), 1)
                found[0].append(logic.all_of((answer.surely, is_held)))
                found[1].append(logic.all_of((answer.maybe, is_held)))
        return Answer(*map(logic.any_of, found))

    def _require_measure(
        self, clause: Clause, world: World, each: str | None, state: State, when: Literal
    ) -> None:
        self._require_count(self.measure(clause, world, each), clause, world, each, state, when)

    def _require_count(
        self, count: Count, clause: Clause, world: World, each: str | None, state: State, when: Literal
    ) -> None:
        """Require that a count is within the bounds of a clause, or outside them."""
        logic = self.logic
        if clause.one_of is not None:
            ranges = _runs(clause.one_of) if state == "kept" else _gaps(clause.one_of)
            ways = []
            for first, last in ranges:
                way = logic.literal()
                if first is not None:
                    logic.require(count.least >= first, way)
                if last is not None:
                    logic.require(count.most <= last, way)
                    logic.require(count.unbounded == 0, way)
                ways.append(way)
            logic.require_any(ways, when)
            return
        low, high = self._limits(clause, world, each)
        if state == "kept":
            self._require_finite(low, high, when)
            if low is not None:
                logic.require(count.least >= low.most, when)
            if high is not None:
                logic.require(count.most <= high.least, when)
                logic.require(count.unbounded == 0, when)
            return
        over, under = logic.literal(), logic.literal()
        if low is not None:
            logic.require(count.most <= low.least - 1, under)
            logic.require(low.unbounded_below == 0, under)
            logic.require(count.unbounded == 0, under)
        if high is not None:
            logic.require(count.least >= high.most + 1, over)
            logic.require(high.unbounded == 0, over)
        logic.require_any([way for way, bound in ((under, low), (over, high)) if bound is not None], when)

    def _require_finite(self, low: Count | None, high: Count | None, when: Literal) -> None:
        """Require that a count can certainly be within the bounds."""
        if low is not None:
            self.logic.require(low.unbounded == 0, when)
        if high is not None:
            self.logic.require(high.unbounded_below == 0, when)

    # Solutions.

    def solve(self, seconds: float, minimize: Number | None = None) -> Solution:
        """A deck, or the one with the least objective, within a time limit in seconds."""
        return solve(self.logic, seconds, minimize)

    def deck(
        self, values: Values, choose: Callable[[Sequence[str], int], Sequence[str]] | None = None
    ) -> dict[str, dict[str, int]]:
        """The copies by zone and name of a solution.

        `choose` picks a number of names from those of a class; without it, the oldest are taken.
        """
        deck: dict[str, dict[str, int]] = {zone: {} for zone in self.zones}
        for names in self.names:
            held, among = names.solution(values), names.card_class.names
            for name, copies in zip(choose(among, len(held)) if choose else among, held, strict=False):
                for zone, number in copies.items():
                    if number:
                        deck[zone][name] = deck[zone].get(name, 0) + number
        return deck


class _Sum:
    """A sum of numbers, each of which counts only if a literal is true."""

    def __init__(self, logic: Logic) -> None:
        self._logic = logic
        self._terms: dict[int, tuple[Literal, list[Number]]] = {}

    def add(self, literal: Literal, factor: int, number: Number) -> None:
        """Add the number `factor` times, if the literal is true."""
        if literal is not False and factor and not (isinstance(number, int) and not number):
            self._terms.setdefault(literal_id(literal), (literal, []))[1].append(factor * number)

    def total(self) -> Number:
        """The sum."""
        return sum(self._logic.number_if(literal, sum(numbers)) for literal, numbers in self._terms.values())


def caps_each(clause: Clause) -> bool:
    """Whether the clause caps the copies of the same cards in every deck."""
    where = clause.selection.where
    return _is_cap(clause) and (where is None or is_fixed(where))


def _is_cap(clause: Clause) -> bool:
    """Whether the clause caps the copies of each name that it selects in every deck."""
    is_certain = clause.when is None and clause.loop is None and not clause.either and clause.one_of is None
    counts_copies = clause.counted == "copies" and not clause.summed and clause.sides is None
    return (
        is_certain
        and counts_copies
        and isinstance(clause.high, int)
        and (clause.per is not None or clause.high == 0)
    )


def _worth(card: Card, attribute: str) -> tuple[int, int | None]:
    """The smallest and largest value that a card's attribute may have, as integers; None for no upper limit."""
    low, high = worth_of(attribute, (card,))
    return _ENDLESS if low == INFINITY else floor(low), None if high == INFINITY else ceil(high)


def _runs(numbers: Iterable[int]) -> list[tuple[int | None, int | None]]:
    """The runs of consecutive numbers, each as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return [*runs]


def _gaps(numbers: Iterable[int]) -> list[tuple[int | None, int | None]]:
    """The ranges (first, last) before, between and after the runs of consecutive numbers; None for no limit."""
    runs = _runs(numbers)
    firsts = [None, *(last + 1 for _, last in runs if last is not None)]
    lasts = [*(first - 1 for first, _ in runs if first is not None), None]
    return list(zip(firsts, lasts, strict=True))


# Searches


Wish = Callable[[DeckModel], Number | None]
"""Adds a wish to a model, and returns the number to minimize, or None."""


class Found(NamedTuple):
    """The last model with its solution and clauses. `copies` is the deck, which keeps all clauses; None for no deck."""

    model: DeckModel
    solution: Solution
    clauses: tuple[ClauseOnDay, ...]
    copies: Copies | None = None


class DeckSearch:
    """Searches the decks of a format. `classes` returns the classes of cards that some clauses can't tell apart."""

    def __init__(
        self, format: LoadedFormat, classes: Callable[[Collection[ClauseOnDay]], list[CardClass]]
    ) -> None:
        self._format, self._classes = format, classes

    def find(
        self,
        kept: Sequence[ClauseOnDay],
        wish: Wish,
        seconds: float,
        *,
        concerned: Sequence[ClauseOnDay] = (),
        relaxed: Sequence[ClauseOnDay] = (),
        first: Collection[ClauseOnDay] = (),
        default_zone: str | None = None,
    ) -> Found:
        """A deck that keeps all clauses `kept`, or a proof that there is none, within a time limit in seconds.

        The clauses in `first` and all caps are in the model from the start. The wish may be about the clauses in
        `concerned`. For `relaxed` and `default_zone` see `DeckModel`.
        """
        deadline = time.monotonic() + seconds
        chosen = [clause for clause in kept if clause in first or caps_each(clause.assuming.clause)]
        while True:
            classes = self._classes([*chosen, *concerned, *relaxed])
            model = DeckModel(tuple(self._format.format.zones), classes, chosen, relaxed, default_zone)
            objective = wish(model)
            solution = model.solve(max(deadline - time.monotonic(), 0.05), objective)
            if solution.values is None:
                return Found(model, solution, tuple(chosen))
            copies = model.deck(solution.values)
            failing = set(self._not_kept(copies, kept)).difference(chosen)
            if not failing:
                return Found(model, solution, tuple(chosen), copies)
            chosen = [clause for clause in kept if clause in failing or clause in chosen]

    def find_in_any_zone(
        self, kept: Sequence[ClauseOnDay], wish: Wish, seconds: float, **more: Sequence[ClauseOnDay]
    ) -> Found:
        """Like `find`, but if there is no such deck, cards may also be in zones where lists can't have them."""
        for default_zone in dict.fromkeys((self._format.game_data.game.default_zone, None)):
            found = self.find(kept, wish, seconds, default_zone=default_zone, **more)
            if found.solution.status != "infeasible":
                break
        return found

    def keeps(self, copies: Copies, clauses: Iterable[ClauseOnDay]) -> bool:
        """Whether a deck certainly keeps all of the clauses."""
        return next(self._not_kept(copies, clauses), None) is None

    def breaks(self, copies: Copies, clause: ClauseOnDay) -> bool:
        """Whether a deck certainly breaks a clause."""
        outcomes = clause.clause.outcomes(tally_of(copies, self._format))
        return any(outcome.state == "violated" for outcome in outcomes)

    def _not_kept(self, copies: Copies, clauses: Iterable[ClauseOnDay]) -> Iterator[ClauseOnDay]:
        """The clauses that the deck breaks or leaves undecided."""
        contents = tally_of(copies, self._format)
        absent = self._format.game_data.game.assumed_absent
        return (clause for clause in clauses if evaluate([clause.clause], contents, absent)[0])


def is_condition_unmet(clause: ClauseOnDay, contents: Tally) -> bool:
    """Whether the condition of the clause certainly doesn't hold for a deck."""
    prepared = clause.clause
    condition = prepared.clause.condition
    if condition is None:
        return False
    outcomes = PreparedClause(prepared.rule, condition, (), prepared.world).outcomes(contents)
    return any(outcome.state == "violated" for outcome in outcomes)
