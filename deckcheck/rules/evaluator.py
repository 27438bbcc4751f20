"""The evaluator: tries the clauses in force on a day on decks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.model.banlist import Banlist, Listing, listing_on
from deckcheck.model.card import Card
from deckcheck.model.format import (
    NAMES,
    AnyOf,
    Bound,
    Clause,
    Has,
    Named,
    Predicate,
    Rule,
    Term,
    leaves,
    zones_needed,
)
from deckcheck.rules.counting import (
    INFINITY,
    Answers,
    Group,
    Interval,
    Limits,
    Miss,
    State,
    Tally,
    Zones,
    groups,
    how_many,
    interval,
    judge,
    knows_all,
    measured,
    miss_of,
)
from deckcheck.rules.predicates import (
    FREE,
    NO,
    UNKNOWN,
    YES,
    Answer,
    Binding,
    World,
    ZoneValues,
    missing,
    names_of,
)

MOST_BINDINGS = 512
_NOTHING = Interval(0, 0)

Zoned = Mapping[tuple[str, str], ZoneValues]


class Outcome(NamedTuple):
    """A clause that a deck breaks or leaves undecided, with the number that it counts and its bounds in this deck.

    `subject` is the card that breaks it by itself, `label` the value of a loop, `open_facts` are the unknown attributes
    that would decide it, `listed` is where a broken combination is listed, and `name` an unknown name that breaks it.
    """

    prepared: "PreparedClause"
    state: State
    number: Interval
    limits: Limits
    cards: tuple[Card, ...]
    subject: Card | None = None
    label: str | None = None
    open_facts: tuple[tuple[Card, frozenset[str]], ...] = ()
    listed: Listing | None = None
    name: str = ""

    @property
    def rule(self) -> Rule:
        """The rule of the clause."""
        return self.prepared.rule

    @property
    def clause(self) -> Clause:
        """The clause; of alternatives, the one that is closest."""
        return self.prepared.clause

    @property
    def miss(self) -> Miss | None:
        """Whether the number is certainly over or under all that is allowed; None if neither is certain."""
        return miss_of(self.number, self.limits)

    @property
    def about(self) -> tuple[Card | None, str | None, Listing | None]:
        """What the clause bounds here, among all that it bounds."""
        return self.subject, self.label, self.listed


class Assumption(NamedTuple):
    """An assumption by which a clause is kept: these cards lack the `values` of `attribute`, which are unknown."""

    attribute: str
    values: frozenset[str]
    cards: tuple[Card, ...]


def compile_rules(
    rules: Iterable[Rule], banlists: tuple[Banlist, ...], world: World, best_of: int | None
) -> "tuple[PreparedClause, ...]":
    """The clauses in force on the world's day, in a match of `best_of` games."""
    prepared = []
    for rule in rules:
        for clause in rule.clauses:
            since, until = clause.since or world.as_of, clause.until or world.as_of
            wanted = None if clause.when is None else clause.when.best_of
            if since <= world.as_of <= until and wanted in (None, best_of):
                prepared.append(PreparedClause(rule, clause, banlists, world))
    return tuple(prepared)


class ClausesByCard(dict[Card, int]):
    """For each card, the clauses of a format that concern it, as bits, to find those that a deck may break.

    Most clauses that forbid cards or combinations concern few cards, and so few decks.
    """

    def __init__(self, clauses: "Sequence[PreparedClause]") -> None:
        super().__init__()
        self._clauses = [(1 << at, clause) for at, clause in enumerate(clauses)]
        self._by_card: list[tuple[int, Answers]] = []
        self._by_name: dict[str, int] = {}
        self._others = 0
        for bit, clause in self._clauses:
            concerning = clause.concerning
            if concerning is None or concerning.predicate is None:
                self._others |= bit
            elif (names := names_of(concerning.predicate, concerning.world)) is None:
                self._by_card.append((bit, concerning))
            else:
                self._by_name.update((name, self._by_name.get(name, 0) | bit) for name in names)

    def __missing__(self, card: Card) -> int:
        bits = self._by_name.get(card.name, 0)
        for bit, concerning in self._by_card:
            if concerning[card] != NO:
                bits |= bit
        self[card] = bits
        return bits

    def of_deck(self, deck: Tally) -> "list[PreparedClause]":
        """The clauses that a deck may break or leave open, in the order of the format."""
        bits = -1 if deck.uncertain else self._others
        for copies in deck.zones.values():
            for card in copies:
                bits |= self[card]
        return [clause for bit, clause in self._clauses if bits & bit]


def evaluate(
    clauses: "Iterable[PreparedClause]",
    deck: Tally,
    assumed_absent: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> tuple[list[Outcome], list[Assumption]]:
    """Every clause that the deck breaks or that stays open, in the order of the format, and what had to be assumed.

    Values that are `assumed_absent` are only assumed if a clause stays open without that and is kept with it.
    """
    outcomes: list[Outcome] = []
    assumptions: list[Assumption] = []
    sure = Tally(deck.zones, unplaced=deck.unplaced) if deck.uncertain else None
    least = deck.without_unplaced() if deck.unplaced else None
    for clause in clauses:
        found = clause.outcomes(deck)
        if found and sure is not None:
            found = list(_certain_outcomes(found, clause.outcomes(sure)))
        if found and least is not None:
            found = list(_open_without_unplaced(found, clause.outcomes(least)))
        if found and assumed_absent and any(outcome.state == "undecided" for outcome in found):
            found, more = _without_assumed(clause, deck, found, assumed_absent)
            assumptions += more
        outcomes += found
    return outcomes, assumptions


def _without_assumed(
    clause: "PreparedClause", deck: Tally, found: list[Outcome], assumed_absent: Mapping[str, frozenset[str]]
) -> tuple[list[Outcome], list[Assumption]]:
    """The outcomes without those that are open only because of facts that may be assumed absent.

    Only the clause's selection is searched for such facts, not its condition or alternatives.
    """
    absent = absent_facts(clause.clause, assumed_absent)
    if not absent:
        return found, []
    still = {other.about for other in clause.assuming(absent).outcomes(deck)}
    kept, assumptions = [], []
    for outcome in found:
        made = [
            Assumption(attribute, values, cards)
            for attribute, values in absent.items()
            if (cards := tuple(card for card, facts in outcome.open_facts if attribute in facts))
        ]
        if outcome.state == "undecided" and made and outcome.about not in still:
            assumptions += made
        else:
            kept.append(outcome)
    return kept, assumptions


def absent_facts(clause: Clause, assumed_absent: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """For each attribute, the values by which the clause selects and that cards may be assumed to lack."""
    absent: dict[str, frozenset[str]] = {}
    for leaf in leaves(clause.selection.where):
        if isinstance(leaf, Has) and leaf.values <= assumed_absent.get(leaf.attribute, frozenset()):
            absent[leaf.attribute] = absent.get(leaf.attribute, frozenset()) | set(map(str, leaf.values))
    return absent


def _certain_outcomes(outcomes: Iterable[Outcome], surely: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes without those that only uncertain entries leave open; `surely` are those without such entries.

    If one of these settles a single card or combination, it is reported instead of the whole interval.
    """
    alone = {outcome.about: outcome for outcome in surely}
    for outcome in outcomes:
        other = alone.get(outcome.about)
        if outcome.state == "undecided" and (other is None or other.state != "undecided"):
            continue
        single = outcome.subject is not None or outcome.clause.sides is not None
        if other is not None and single and judge(other.number, outcome.limits) == outcome.state:
            outcome = outcome._replace(number=other.number)
        written = Interval(outcome.number.low, outcome.number.low)
        if outcome.name and judge(written, outcome.limits) == outcome.state:
            # All unknown names may be the same card, but that isn't worth reporting.
            outcome = outcome._replace(number=written)
        yield outcome


def _open_without_unplaced(outcomes: Iterable[Outcome], least: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes, undecided if the deck may keep the clause without its unplaced cards; `least` are those without."""
    lows: dict[object, float] = {}
    violated: set[object] = set()
    for outcome in least:
        key = (*outcome.about, outcome.name)
        lows[key] = max(outcome.number.low, lows.get(key, 0))
        if outcome.state == "violated":
            violated.add(key)
    for outcome in outcomes:
        key = (*outcome.about, outcome.name)
        if outcome.state == "violated" and key not in violated:
            found = Interval(lows.get(key, 0), outcome.number.low)
            outcome = outcome._replace(state="undecided", number=found)
        yield outcome


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
        self._fixed = self._fixed_limits(clause)
        self._fixed_when = self._fixed_limits(clause.condition)
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
        found = cache.get(key)
        if found is None:
            if len(cache) >= MOST_BINDINGS:
                cache.clear()
            found = cache[key] = Answers(predicate, self.world, binding)
        return found

    def assuming(self, absent: Mapping[str, frozenset[str]]) -> "PreparedClause":
        """The clause if cards lack the values `absent` (always the same ones) unless they are known to have them."""
        if self._assuming is None:
            world = self.world._replace(assumed_absent=absent)
            self._assuming = PreparedClause(self.rule, self.clause, self._banlists, world)
        return self._assuming

    def outcomes(self, deck: Tally) -> list[Outcome]:
        """The outcomes for what the deck breaks or leaves open in the clause."""
        plain = self._plain
        if plain is not None:
            # The common case, kept short.
            return [] if self.is_clearly_kept(deck, plain) else list(self._try(deck, plain, None))
        when = self.clause.condition
        if when is None:
            return self._found(deck)
        answers = self._answers("when", when.selection.where)
        group, limits = measured(when, deck, answers), self._fixed_when or self._limits(when, deck, FREE)
        match judge(group.number, limits):
            case "kept":
                return self._found(deck)
            case "undecided":
                return _as_undecided(self._found(deck), self._open_facts(when, group, answers, deck))
        return []

    def _found(self, deck: Tally) -> list[Outcome]:
        """The outcomes if the condition holds."""
        return self._try_either(deck) if self.either else self._try_bound(deck)

    @property
    def concerning(self) -> Answers | None:
        """Whether a card may break the clause or be in a combination; None if a deck without such cards may break it."""
        if self._plain is None or self.clause.selection.zones is not None:
            return None
        if self.clause.is_ban:
            return self._plain
        return self._in_combinations if self._is_kept_without_sides else None

    @property
    def _is_kept_without_sides(self) -> bool:
        """Whether the clause counts sides of combinations, and a deck without any keeps it."""
        fixed = self._fixed
        return self.clause.sides is not None and fixed is not None and judge(_NOTHING, fixed) == "kept"

    def is_clearly_kept(self, deck: Tally, answers: Answers) -> bool:
        """A quick check that settles most clauses for a legal deck; False settles nothing."""
        clause, fixed = self.clause, self._fixed
        if deck.uncertain:
            return False
        copies = deck.copies_in(clause.selection.zones)
        if clause.is_ban:
            return not any(map(answers.__getitem__, copies))
        if clause.sides is not None:
            return self._is_kept_without_sides and not any(map(self._in_combinations.__getitem__, copies))
        if clause.per is not None:
            high = clause.high
            if clause.low is not None or clause.one_of is not None or not isinstance(high, int):
                return False
            over = [card for card, number in copies.items() if number > high]
            return not any(map(answers.__getitem__, over))
        if answers.predicate is None and clause.counted == "copies" and not clause.summed and fixed:
            total = sum(copies.values())
            return judge(Interval(total, total), fixed) == "kept"
        return False

    def limits(self, deck: Tally) -> Limits:
        """The bounds of the clause in numbers, for this deck."""
        return self._limits(self.clause, deck, Binding(None, self.zone_values(deck)))

    def zone_values(self, deck: Tally) -> Zoned:
        return {(attribute, zone): deck.values_in(attribute, (zone,)) for attribute, zone in self._zoned}

    def _limits(self, clause: Clause, deck: Tally, binding: Binding) -> Limits:
        low, high = self._bound(clause.low, deck, binding), self._bound(clause.high, deck, binding)
        return Limits(low, high, clause.one_of)

    def _fixed_limits(self, clause: Clause | None) -> Limits | None:
        """The bounds in numbers, if they are the same for every deck."""
        return None if clause is None or clause.terms else self._limits(clause, Tally({}), FREE)

    def _bound(self, bound: Bound | None, deck: Tally, binding: Binding) -> Interval | None:
        if bound is None or isinstance(bound, int):
            return None if bound is None else Interval(bound, bound)
        low = high = float(bound.base)
        for term in bound.plus:
            least, most = measured(term.clause, deck, self._term_answers(term, binding)).number
            if term.step > 1:
                least, most = _whole_steps(least, term.step), _whole_steps(most, term.step)
            if term.times < 0:
                least, most = most, least
            low, high = low + term.times * least, high + term.times * most
        return interval(low, high)

    def _term_answers(self, term: Term, binding: Binding) -> Answers:
        # The term lives as long as this object.
        key: object = id(term)
        if binding is not FREE:
            key = (key, binding.each, *(binding.zones[pair] for pair in sorted(binding.zones)))
        return self._answers(key, term.clause.selection.where, binding)

    def _try_either(self, deck: Tally) -> list[Outcome]:
        """The outcomes of the closest way if none holds; without bounds, since those of a single way would mislead."""
        tried: list[list[Outcome]] = []
        for way in self.either:
            tried.append(way._try_bound(deck))
            if not tried[-1]:
                return []
        closest = _closest(tried)
        zones = closest[0].clause.selection.zones
        held = () if zones is None else tuple(deck.copies_in(zones))
        return [outcome._replace(limits=Limits(), cards=outcome.cards or held) for outcome in closest]

    def _try_bound(self, deck: Tally) -> list[Outcome]:
        clause, loop, looped = self.clause, self.clause.loop, None
        zoned = self.zone_values(deck)
        of_deck = tuple(zoned[pair] for pair in sorted(zoned))
        values: Sequence[str | None] = [None] if loop is None else loop.listed
        if loop is not None and loop.zones:
            looped = deck.values_in(loop.attribute, loop.zones)
            values = sorted(looped.values)
        by_value: list[list[Outcome]] = []
        for value in values:
            answers = self._answers((value, of_deck), clause.selection.where, Binding(value, zoned))
            kept = self.is_clearly_kept(deck, answers)
            by_value.append([] if kept else list(self._try(deck, answers, value)))
        unsure = looped is not None and not looped.sure
        if loop is None or not loop.some:
            outcomes = [outcome for tried in by_value for outcome in tried]
        else:
            # If no value will do, the closest one says why.
            outcomes = _closest(by_value) if by_value and all(by_value) else []
            outcomes = _as_undecided(outcomes) if unsure else outcomes
        hang = any(outcome.state == "undecided" for outcome in outcomes)
        if not all(found.sure for found in zoned.values()):
            outcomes = [outcome for outcome in outcomes if outcome.state == "violated"]
        if hang or unsure:
            outcomes += self._open_zones(zoned if hang else {}, deck)
        return outcomes

    def _open_zones(self, zoned: Zoned, deck: Tally) -> Iterator[Outcome]:
        """Yields an open outcome for each unsettled attribute of the cards in zones on which the clause depends."""
        unsettled = {(attribute, (zone,)) for (attribute, zone), found in zoned.items() if not found.sure}
        loop = self.clause.loop
        looped = {(loop.attribute, loop.zones)} if loop is not None and loop.zones else set()
        for attribute, zones in sorted(unsettled | looped):
            # The names of known cards are known.
            held = deck.copies_in(zones) if attribute != NAMES else ()
            unsure = tuple(card for card in held if not knows_all(card, attribute))
            if unsure:
                facts = tuple((card, frozenset([attribute])) for card in unsure)
                number = Interval(0, INFINITY)
                yield Outcome(self, "undecided", number, Limits(), unsure, open_facts=facts)

    def _try(self, deck: Tally, answers: Answers, each: str | None) -> Iterator[Outcome]:
        clause, limits = self.clause, self._fixed or self._limits(self.clause, deck, answers.binding)
        for group in groups(clause, deck, answers) if clause.sides is None else self._sides(deck):
            state = judge(group.number, limits)
            if state == "violated" and group.open:
                state = "undecided"
            if state != "kept":
                facts = self._open_facts(clause, group, answers, deck) if state == "undecided" else ()
                number, cards, subject, _open, listed, name = group
                if subject is None:
                    cards = tuple(dict.fromkeys((*cards, *(card for card, _names in facts))))
                yield Outcome(self, state, number, limits, cards, subject, each, facts, listed, name)

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
    ) -> tuple[tuple[Card, frozenset[str]], ...]:
        """The unknown facts of the counted cards and of those counted for the bounds."""
        found = dict(_unknown_facts(clause, group.cards, answers))
        for term in clause.terms:
            of_term = self._term_answers(term, answers.binding)
            cards = measured(term.clause, deck, of_term).cards
            for card, names in _unknown_facts(term.clause, cards, of_term):
                found[card] = found.get(card, frozenset()) | names
        return tuple(found.items())


def _whole_steps(number: float, step: int) -> float:
    """The number divided by `step`, rounded down; infinity stays."""
    return number if number in (INFINITY, -INFINITY) else number // step


def _unknown_facts(
    clause: Clause, cards: Iterable[Card], answers: Answers
) -> Iterator[tuple[Card, frozenset[str]]]:
    """Yields the unknown facts of the cards that keep their count open."""
    for card in cards:
        names = frozenset[str]()
        if answers.predicate is not None:
            names = missing(answers.predicate, card, answers.world, answers.binding)
        if clause.summed and not isinstance(card.facts.get(clause.counted), int | float):
            names |= {clause.counted}
        if names:
            yield card, names


def _combinations(
    clause: Clause, banlists: Iterable[Banlist], world: World
) -> Iterator[tuple[list[Answers], Listing | None]]:
    """Yields the answers for the sides of each combination, and where it is listed (None: in the format itself)."""
    if clause.sides is None:
        return
    if not isinstance(clause.sides, str):
        yield [Answers(side, world, FREE) for side in clause.sides], None
        return
    for banlist in banlists:
        for entry in banlist.entries:
            listing = listing_on(banlist, entry.history, world.as_of) if entry.is_combination else None
            if listing is not None and listing.status == clause.sides:
                yield [Answers(Named(names), world, FREE) for names in entry.sides], listing


def _has_card(answers: Answers, deck: Tally, zones: Zones) -> Answer:
    """Whether the zones have a card for which the answer is yes."""
    best = max(map(answers.__getitem__, deck.copies_in(zones)), default=NO)
    for entry in deck.uncertain_in(zones):
        # An entry that may be in another zone, or may not be a card, settles nothing.
        sure = entry.is_card and entry.low > 0 and entry.zone is not None
        best = max(best, min(YES if sure else UNKNOWN, answers.of_entry(entry)))
    return best


def _closest(tried: Iterable[list[Outcome]]) -> list[Outcome]:
    """The failing way that may still hold, else the one that fails least."""
    return min(tried, key=lambda found: (any(outcome.state == "violated" for outcome in found), len(found)))


def _as_undecided(
    outcomes: Iterable[Outcome], facts: tuple[tuple[Card, frozenset[str]], ...] = ()
) -> list[Outcome]:
    """The outcomes as undecided ones, for lack of these facts."""
    return [
        outcome._replace(state="undecided", open_facts=outcome.open_facts or facts) for outcome in outcomes
    ]


def one_per_cause(
    outcomes: Iterable[Outcome],
) -> tuple[list[Outcome], list[tuple[Outcome, tuple[str, ...]]]]:
    """The outcomes that say something new, and those superseded (strictest first) by the rules of others. Bans stay."""
    outcomes = _open_once(outcomes)
    caps: dict[Card | None, list[tuple[float, int, Outcome]]] = {}
    for at, outcome in enumerate(outcomes):
        if outcome.state == "violated" and _is_over_cap(outcome):
            caps.setdefault(outcome.subject, []).append((_cap(outcome), at, outcome))
    kept: list[Outcome] = []
    superseded: list[tuple[Outcome, tuple[str, ...]]] = []
    for at, outcome in enumerate(outcomes):
        rivals = caps.get(outcome.subject, ()) if _is_over_cap(outcome) and not outcome.clause.is_ban else ()
        by = tuple(
            other.rule.id
            for cap, before, other in rivals
            if (cap, before) < (_cap(outcome), at) and _covers(other, outcome)
        )
        if by:
            superseded.append((outcome, by))
        else:
            kept.append(outcome)
    return kept, sorted(superseded, key=lambda pair: _cap(pair[0]))


def _is_over_cap(outcome: Outcome) -> bool:
    """Whether a single card has too many copies, with severity error."""
    is_error = outcome.clause.severity == "error"
    return is_error and outcome.subject is not None and outcome.number.high > _cap(outcome)


def _cap(outcome: Outcome) -> float:
    return INFINITY if outcome.limits.high is None else outcome.limits.high.high


def _covers(first: Outcome, second: Outcome) -> bool:
    """Whether fixing the first also fixes the second, which counts in no other zone.

    A card that may not be in some zones can be moved to another, which doesn't change its number of copies.
    """
    a, b = first.clause.selection.zones, second.clause.selection.zones
    return a is None or (not first.clause.is_ban and b is not None and set(b) <= set(a))


def _open_once(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes without those that depend on the same cards as an earlier one of their rule and are no more severe."""
    errors: dict[tuple[str, frozenset[Card]], bool] = {}
    kept = []
    for outcome in outcomes:
        if outcome.state == "undecided":
            key, error = (outcome.rule.id, frozenset(outcome.cards)), outcome.clause.severity == "error"
            if key in errors and (errors[key] or not error):
                continue
            errors[key] = error
        kept.append(outcome)
    return kept
