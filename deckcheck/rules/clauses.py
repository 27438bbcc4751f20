"""Clauses prepared for a day, which are tried on many decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.model import format as model
from deckcheck.model.banlist import Banlist, Listing, listing_on
from deckcheck.model.card import Card
from deckcheck.model.finding import State
from deckcheck.model.format import NAMES, AnyOf, Bound, Clause, Named, Predicate, Rule, Term, zones_needed
from deckcheck.rules.counting import (
    INFINITY,
    Answers,
    Group,
    Interval,
    Limits,
    Tally,
    Zones,
    groups,
    how_many,
    interval,
    judge,
    knows_all,
    measured,
)
from deckcheck.rules.predicates import FREE, NO, UNKNOWN, YES, Answer, Binding, World, ZoneValues, missing

MOST_BINDINGS = 512
_NOTHING = Interval(0, 0)

ZonedValues = Mapping[tuple[str, str], ZoneValues]
"""By attribute and zone: the values on the cards of the zone."""


class OpenFacts(Struct, frozen=True):
    """Attributes of a card that are unknown and would decide a clause."""

    card: Card
    attributes: frozenset[str]


class Outcome(Struct, frozen=True):
    """A clause that a deck breaks or leaves undecided, with the number that it counts and its bounds in this deck."""

    prepared: PreparedClause
    state: State
    number: Interval
    limits: Limits
    cards: tuple[Card, ...]
    subject: Card | None = None
    """The card that breaks it by itself."""
    label: str | None = None
    """The value of a loop."""
    open_facts: tuple[OpenFacts, ...] = ()
    listed: Listing | None = None
    """Where a broken combination is listed."""
    name: str = ""
    """An unknown name that breaks it."""

    @property
    def rule(self) -> Rule:
        """The rule of the clause."""
        return self.prepared.rule

    @property
    def clause(self) -> Clause:
        """The clause; of alternatives, the one that is closest."""
        return self.prepared.clause

    @property
    def is_short(self) -> bool:
        """Whether every possible number is under all that is allowed, and not over it as well."""
        limits = self.limits
        least = -INFINITY if limits.low is None else limits.low.low
        most = INFINITY if limits.high is None else limits.high.high
        if limits.one_of:
            least, most = min(limits.one_of), max(limits.one_of)
        return self.number.high < least and self.number.low <= most

    @property
    def about(self) -> tuple[Card | None, str | None, Listing | None]:
        """What the clause bounds here, among all that it bounds."""
        return self.subject, self.label, self.listed


def compile_rules(
    rules: Iterable[Rule], banlists: tuple[Banlist, ...], world: World, best_of: int | None
) -> tuple[PreparedClause, ...]:
    """The clauses in force on the world's day, in a match of `best_of` games."""
    prepared = []
    for rule in rules:
        for clause in rule.clauses:
            since, until = clause.since or world.as_of, clause.until or world.as_of
            wanted = None if clause.when is None else clause.when.best_of
            if since <= world.as_of <= until and wanted in (None, best_of):
                prepared.append(PreparedClause(rule, clause, banlists, world))
    return tuple(prepared)


class PreparedClause:
    """A clause prepared for a day, to be tried on many decks."""

    def __init__(self, rule: Rule, clause: Clause, banlists: tuple[Banlist, ...], world: World) -> None:
        self.rule = rule
        self.clause = clause
        self.either = tuple(PreparedClause(rule, way, banlists, world) for way in clause.either)
        self._zoned = zones_needed(clause.selection.where).union(
            *(zones_needed(term.clause.selection.where) for term in clause.terms)
        )
        self.combinations = tuple(_combinations(clause, banlists, world))
        self._is_ban = clause.is_ban
        self._fixed = self._fixed_limits(clause)
        self._fixed_condition = self._fixed_limits(clause.condition)
        self.world, self._banlists = world, banlists
        self._assuming: PreparedClause | None = None
        self._answer_cache: dict[object, Answers] = {}
        sides = (answers.predicate for sides, _listing in self.combinations for answers in sides)
        self._in_combinations = Answers(AnyOf(tuple(side for side in sides if side)), world, FREE)
        # Nothing depends on the rest of the deck, and there is no condition.
        is_plain = not (clause.loop or clause.when or self._zoned or self.either)
        self._plain = Answers(clause.selection.where, world, FREE) if is_plain else None

    def _answers(self, key: object, predicate: Predicate | None, binding: Binding = FREE) -> Answers:
        """The cached answers of a predicate; `key` identifies it and what the deck contributes."""
        cache = self._answer_cache
        answers = cache.get(key)
        if answers is None:
            if len(cache) >= MOST_BINDINGS:
                cache.clear()
            answers = cache[key] = Answers(predicate, self.world, binding)
        return answers

    def assuming(self, absent: Mapping[str, frozenset[str]]) -> PreparedClause:
        """The clause if cards lack the values `absent` (always the same ones) unless they are known to have them."""
        if self._assuming is None:
            world = replace(self.world, assumed_absent=absent)
            self._assuming = PreparedClause(self.rule, self.clause, self._banlists, world)
        return self._assuming

    def outcomes(self, deck: Tally) -> list[Outcome]:
        """The outcomes for what the deck breaks or leaves open in the clause."""
        plain = self._plain
        if plain is not None:
            # The common case, kept short.
            is_kept = self.is_clearly_kept(deck, plain)
            return [] if is_kept else list(self._outcomes_of_value(deck, plain, None))
        condition = self.clause.condition
        if condition is None:
            return self._outcomes_if_applied(deck)
        answers = self._answers("when", condition.selection.where)
        group = measured(condition, deck, answers)
        limits = self._fixed_condition or self._limits(condition, deck, FREE)
        match judge(group.number, limits):
            case State.KEPT:
                return self._outcomes_if_applied(deck)
            case State.UNDECIDED:
                open_facts = self._open_facts(condition, group, answers, deck)
                return as_undecided(self._outcomes_if_applied(deck), open_facts)
            case State.VIOLATED:
                return []

    def _outcomes_if_applied(self, deck: Tally) -> list[Outcome]:
        """The outcomes if the condition holds."""
        return self._outcomes_of_alternatives(deck) if self.either else self._outcomes_of_count(deck)

    def is_clearly_kept(self, deck: Tally, answers: Answers) -> bool:
        """A quick check that settles most clauses for a legal deck; False settles nothing."""
        clause, fixed = self.clause, self._fixed
        if deck.uncertain:
            return False
        copies = deck.copies_in(clause.selection.zones)
        if self._is_ban:
            return not any(map(answers.__getitem__, copies))
        match clause.measure:
            case model.AllCopies() if fixed is not None and answers.predicate is None:
                total = sum(copies.values())
                return judge(Interval(total, total), fixed) == State.KEPT
            case model.CopiesOfEach() if clause.low is None and isinstance(clause.high, int):
                over_cap = [card for card, number in copies.items() if number > clause.high]
                return not any(map(answers.__getitem__, over_cap))
            case model.Sides() | model.Combinations() if fixed is not None:
                is_kept_without_sides = judge(_NOTHING, fixed) == State.KEPT
                return is_kept_without_sides and not any(map(self._in_combinations.__getitem__, copies))
            case _:
                return False

    def limits(self, deck: Tally) -> Limits:
        """The bounds of the clause in numbers, for this deck."""
        return self._limits(self.clause, deck, Binding(None, self.zone_values(deck)))

    def zone_values(self, deck: Tally) -> ZonedValues:
        return {(attribute, zone): deck.values_in(attribute, (zone,)) for attribute, zone in self._zoned}

    def _limits(self, clause: Clause, deck: Tally, binding: Binding) -> Limits:
        return Limits(
            self._bound(clause.low, deck, binding), self._bound(clause.high, deck, binding), clause.one_of
        )

    def _fixed_limits(self, clause: Clause | None) -> Limits | None:
        """The bounds in numbers, if they are the same for every deck."""
        return None if clause is None or clause.terms else self._limits(clause, Tally({}), FREE)

    def _bound(self, bound: Bound | None, deck: Tally, binding: Binding) -> Interval | None:
        if bound is None:
            return None
        if isinstance(bound, int):
            return Interval(bound, bound)
        low = high = float(bound.base)
        for term in bound.plus:
            number = measured(term.clause, deck, self._term_answers(term, binding)).number
            least, most = number.low, number.high
            if term.step > 1:
                least, most = _whole_steps(least, term.step), _whole_steps(most, term.step)
            if term.times < 0:
                least, most = most, least
            low += term.times * least
            high += term.times * most
        return interval(low, high)

    def _term_answers(self, term: Term, binding: Binding) -> Answers:
        # The term lives as long as this object.
        key: object = id(term)
        if binding is not FREE:
            key = (key, binding.each, *(binding.zones[pair] for pair in sorted(binding.zones)))
        return self._answers(key, term.clause.selection.where, binding)

    def _outcomes_of_alternatives(self, deck: Tally) -> list[Outcome]:
        """The outcomes of the closest way if none holds; without bounds, since those of a single way would mislead."""
        tried: list[list[Outcome]] = []
        for way in self.either:
            outcomes = way._outcomes_of_count(deck)
            if not outcomes:
                return []
            tried.append(outcomes)
        of_closest = closest(tried)
        zones = of_closest[0].clause.selection.zones
        cards_there = () if zones is None else tuple(deck.copies_in(zones))
        return [
            replace(outcome, limits=Limits(), cards=outcome.cards or cards_there) for outcome in of_closest
        ]

    def _outcomes_of_count(self, deck: Tally) -> list[Outcome]:
        """The outcomes for each value of the loop, if there is one."""
        loop = self.clause.loop
        zoned = self.zone_values(deck)
        values: Sequence[str | None] = [None] if loop is None else loop.listed
        is_loop_open = False
        if loop is not None and loop.zones:
            in_zones = deck.values_in(loop.attribute, loop.zones)
            values = sorted(in_zones.values)
            is_loop_open = not in_zones.sure
        by_value = [self._outcomes_for(value, deck, zoned) for value in values]
        if loop is None or not loop.some:
            outcomes = [outcome for of_value in by_value for outcome in of_value]
        elif by_value and all(by_value):
            # No value will do; the closest one says why.
            outcomes = as_undecided(closest(by_value)) if is_loop_open else closest(by_value)
        else:
            outcomes = []
        is_undecided = any(outcome.state == State.UNDECIDED for outcome in outcomes)
        if not all(values_there.sure for values_there in zoned.values()):
            outcomes = [outcome for outcome in outcomes if outcome.state == State.VIOLATED]
        if is_undecided or is_loop_open:
            outcomes += self._open_zones(zoned if is_undecided else {}, deck)
        return outcomes

    def _outcomes_for(self, value: str | None, deck: Tally, zoned: ZonedValues) -> list[Outcome]:
        """The outcomes for a value of the loop."""
        of_deck = tuple(zoned[pair] for pair in sorted(zoned))
        answers = self._answers((value, of_deck), self.clause.selection.where, Binding(value, zoned))
        if self.is_clearly_kept(deck, answers):
            return []
        return list(self._outcomes_of_value(deck, answers, value))

    def _open_zones(self, zoned: ZonedValues, deck: Tally) -> Iterator[Outcome]:
        """Yields an open outcome for each unsettled attribute of the cards in zones on which the clause depends."""
        unsettled = {(attribute, (zone,)) for (attribute, zone), values in zoned.items() if not values.sure}
        loop = self.clause.loop
        looped = {(loop.attribute, loop.zones)} if loop is not None and loop.zones else set()
        for attribute, zones in sorted(unsettled | looped):
            # The names of known cards are known.
            cards = deck.copies_in(zones) if attribute != NAMES else ()
            unsure = tuple(card for card in cards if not knows_all(card, attribute))
            if unsure:
                facts = tuple(OpenFacts(card, frozenset([attribute])) for card in unsure)
                number = Interval(0, INFINITY)
                yield Outcome(self, State.UNDECIDED, number, Limits(), unsure, open_facts=facts)

    def _outcomes_of_value(self, deck: Tally, answers: Answers, value: str | None) -> Iterator[Outcome]:
        clause = self.clause
        limits = self._fixed or self._limits(clause, deck, answers.binding)
        bounded = self._sides(deck) if clause.is_of_sides else groups(clause, deck, answers)
        for group in bounded:
            state = judge(group.number, limits)
            if state == State.KEPT:
                continue
            if group.open:
                state = State.UNDECIDED
            facts: tuple[OpenFacts, ...] = ()
            cards = group.cards
            if state == State.UNDECIDED:
                facts = self._open_facts(clause, group, answers, deck)
            if group.subject is None:
                cards = tuple(dict.fromkeys((*cards, *(fact.card for fact in facts))))
            yield Outcome(
                self,
                state,
                group.number,
                limits,
                cards,
                group.subject,
                value,
                facts,
                group.listed,
                group.name,
            )

    def _sides(self, deck: Tally) -> Iterator[Group]:
        """Yields, for each combination, how many of its sides the deck has."""
        zones = self.clause.selection.zones
        for sides, listed in self.combinations:
            number = how_many([_has_card(answers, deck, zones) for answers in sides])
            held = deck.copies_in(zones)
            cards = tuple(card for card in held if any(answers[card] != NO for answers in sides))
            yield Group(number, cards, listed=listed)

    def _open_facts(
        self, clause: Clause, group: Group, answers: Answers, deck: Tally
    ) -> tuple[OpenFacts, ...]:
        """The unknown facts of the counted cards and of those counted for the bounds."""
        by_card = {fact.card: fact.attributes for fact in _unknown_facts(clause, group.cards, answers)}
        for term in clause.terms:
            of_term = self._term_answers(term, answers.binding)
            cards = measured(term.clause, deck, of_term).cards
            for fact in _unknown_facts(term.clause, cards, of_term):
                by_card[fact.card] = by_card.get(fact.card, frozenset()) | fact.attributes
        return tuple(OpenFacts(card, names) for card, names in by_card.items())


def _whole_steps(number: float, step: int) -> float:
    """The number divided by `step`, rounded down; infinity stays."""
    return number if number in (INFINITY, -INFINITY) else number // step


def _unknown_facts(clause: Clause, cards: Iterable[Card], answers: Answers) -> Iterator[OpenFacts]:
    """Yields the unknown facts of the cards that keep their count open."""
    measure = clause.measure
    for card in cards:
        names = frozenset[str]()
        if answers.predicate is not None:
            names = missing(answers.predicate, card, answers.world, answers.binding)
        if isinstance(measure, model.Sum) and not isinstance(card.facts.get(measure.attribute), int | float):
            names |= {measure.attribute}
        if names:
            yield OpenFacts(card, names)


def _combinations(
    clause: Clause, banlists: Iterable[Banlist], world: World
) -> Iterator[tuple[list[Answers], Listing | None]]:
    """Yields the answers for the sides of each combination, and where it is listed (None: in the format itself)."""
    match clause.measure:
        case model.Sides(descriptions):
            yield [Answers(side, world, FREE) for side in descriptions], None
        case model.Combinations(status):
            entries = (
                (entry, listing_on(banlist, entry.history, world.as_of))
                for banlist in banlists
                for entry in banlist.entries
                if entry.is_combination
            )
            for entry, listing in entries:
                if listing is not None and listing.status == status:
                    yield [Answers(Named(names), world, FREE) for names in entry.sides], listing


def _has_card(answers: Answers, deck: Tally, zones: Zones) -> Answer:
    """Whether the zones have a card for which the answer is yes."""
    best = max(map(answers.__getitem__, deck.copies_in(zones)), default=NO)
    for entry in deck.uncertain_in(zones):
        # An entry that may be in another zone, or may not be a card, settles nothing.
        is_sure = entry.is_card and entry.low > 0 and entry.zone is not None
        best = max(best, min(YES if is_sure else UNKNOWN, answers.of_entry(entry)))
    return best


def closest(tried: Iterable[list[Outcome]]) -> list[Outcome]:
    """Of several ways to keep a clause, the outcomes of one that may still hold, else of the one that fails least."""

    def distance(outcomes: list[Outcome]) -> tuple[bool, int]:
        return any(outcome.state == State.VIOLATED for outcome in outcomes), len(outcomes)

    return min(tried, key=distance)


def as_undecided(outcomes: Iterable[Outcome], open_facts: tuple[OpenFacts, ...] = ()) -> list[Outcome]:
    """The outcomes as undecided ones, for lack of these facts."""
    return [
        replace(outcome, state=State.UNDECIDED, open_facts=outcome.open_facts or open_facts)
        for outcome in outcomes
    ]
