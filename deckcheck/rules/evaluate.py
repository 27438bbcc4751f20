"""The one evaluator: the clauses that stand on a day, tried on a deck."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckcheck.model.banlist import Banlist, Change
from deckcheck.model.card import Card
from deckcheck.model.rule import NAMES, Bound, Clause, Loop, Predicate, Rule
from deckcheck.rules.bounds import Interval, Limits, State, judge
from deckcheck.rules.counting import Answers, Group, groups, none_can_break
from deckcheck.rules.judging import FREE, NO, UNKNOWN, YES, Binding, Found, Trit, World, missing
from deckcheck.rules.program import Prepared, Program
from deckcheck.rules.tally import Loose, Tally, copies_in, loose_in, surely_has, values_in

MOST_BINDINGS = 512


class Outcome(NamedTuple):
    """A clause that a deck breaks, or of which nobody can tell.

    `subject` is the card that breaks it by itself, `label` the value of the
    group or of `for_each`, `cards` those counted, `open_facts` the attributes
    that are unknown and would settle it, by card. A broken combination brings
    the banlist and the line that names it.
    """

    rule: Rule
    clause: Clause
    state: State
    found: Interval
    limits: Limits
    cards: tuple[Card, ...]
    subject: Card | None = None
    label: str | None = None
    open_facts: tuple[tuple[Card, frozenset[str]], ...] = ()
    listed: tuple[Banlist, Change] | None = None


def evaluate(program: Program, deck: Tally) -> list[Outcome]:
    """Every clause that the deck breaks or that stays open, in the order of the format."""
    outcomes: list[Outcome] = []
    for prepared in program.clauses:
        found = _outcomes(prepared, program.world, deck)
        outcomes += _open_by_itself(found, prepared, program.world, deck) if found and deck.loose else found
    return outcomes


def _outcomes(prepared: Prepared, world: World, deck: Tally) -> list[Outcome]:
    if prepared.plain:
        # Nothing of the deck is bound: the common case, kept short.
        clause = prepared.clause
        answers = _answers(prepared, world, clause.selection.where, FREE, None)
        kept = none_can_break(clause, deck, answers)
        return [] if kept else list(_try(prepared, world, deck, answers, None))
    applies = _applies(prepared, world, deck)
    if applies == NO:
        return []
    tried = _try_either if prepared.either else _try_bound
    found = tried(prepared, world, deck)
    return found if applies == YES else _opened(found)


def _open_by_itself(found: list[Outcome], prepared: Prepared, world: World, deck: Tally) -> Iterator[Outcome]:
    """The outcomes without those that only loose copies keep open, which is told by their own finding."""
    sure: set[tuple[Card | None, str | None]] | None = None
    for one in found:
        if one.state == "undecided" and sure is None:
            rest = _outcomes(prepared, world, deck._replace(loose=()))
            sure = {(other.subject, other.label) for other in rest if other.state == "undecided"}
        if one.state != "undecided" or sure is None or (one.subject, one.label) in sure:
            yield one


def _answers(
    prepared: Prepared, world: World, predicate: Predicate | None, binding: Binding, key: object
) -> Answers:
    found = prepared.answers.get(key)
    if found is None:
        if len(prepared.answers) >= MOST_BINDINGS:
            prepared.answers.clear()
        found = prepared.answers[key] = Answers(predicate, world, binding)
    return found


def _try_either(prepared: Prepared, world: World, deck: Tally) -> list[Outcome]:
    """Outcomes where none of the counts is as it must be: those of the one that comes closest.

    They tell no bound, for that of one way alone would mislead.
    """
    tried: list[list[Outcome]] = []
    for one in prepared.either:
        tried.append(_try_bound(one, world, deck))
        if not tried[-1]:
            return []
    return [
        one._replace(limits=Limits(), cards=one.cards or _all_in(one.clause, deck)) for one in _closest(tried)
    ]


def _all_in(clause: Clause, deck: Tally) -> tuple[Card, ...]:
    zones = clause.selection.zones
    return () if zones is None else tuple(copies_in(deck, zones))


def _closest(tried: Iterable[list[Outcome]]) -> list[Outcome]:
    """Of several ways, each of which fails, the one that may yet hold, or that fails least."""
    return min(tried, key=lambda one: (any(outcome.state == "violated" for outcome in one), len(one)))


def _opened(outcomes: Iterable[Outcome]) -> list[Outcome]:
    return [one._replace(state="undecided") for one in outcomes]


def _try_bound(prepared: Prepared, world: World, deck: Tally) -> list[Outcome]:
    clause = prepared.clause
    zones = {pair: values_in(deck, *pair) for pair in prepared.asked}
    facts_key = tuple(zones[pair] for pair in sorted(zones))
    each = clause.for_each or clause.for_some
    by_value: list[list[Outcome]] = []
    for value in _tried(each, deck):
        binding = Binding(value, zones)
        answers = _answers(prepared, world, clause.selection.where, binding, (value, facts_key))
        kept = none_can_break(clause, deck, answers)
        by_value.append([] if kept else list(_try(prepared, world, deck, answers, value)))
    if clause.for_some is None:
        outcomes = [one for tried in by_value for one in tried]
    elif by_value and all(by_value):
        # No value will do: the one that comes closest says why.
        outcomes = _closest(by_value)
    else:
        outcomes = []
    unsure_values = (
        each is not None and each.zone is not None and not values_in(deck, each.attribute, each.zone).sure
    )
    if clause.for_some is not None and unsure_values:
        outcomes = _opened(outcomes)
    hang = any(one.state == "undecided" for one in outcomes)
    if not all(found.sure for found in zones.values()):
        outcomes = [one for one in outcomes if one.state == "violated"]
    if hang or unsure_values:
        outcomes += _unsure_zones(prepared, each, zones if hang else {}, deck)
    return outcomes


def _unsure_zones(
    prepared: Prepared, each: Loop | None, zones: Mapping[tuple[str, str], Found], deck: Tally
) -> Iterator[Outcome]:
    """One open outcome for all that hangs on an unknown fact of the cards in the zones that are asked."""
    pairs = {pair for pair, found in zones.items() if not found.sure}
    if each is not None and each.zone is not None:
        pairs.add((each.attribute, each.zone))
    for attribute, zone in sorted(pairs):
        # A card that is known has a known name.
        held = copies_in(deck, (zone,)) if attribute != NAMES else ()
        unsure = tuple(card for card in held if not surely_has(card, attribute))
        if unsure:
            facts = tuple((card, frozenset([attribute])) for card in unsure)
            open_count = Interval(0, float("inf"))
            yield Outcome(
                prepared.rule, prepared.clause, "undecided", open_count, Limits(), unsure, open_facts=facts
            )


def _tried(values: Loop | None, deck: Tally) -> Sequence[str | None]:
    if values is None:
        return [None]
    if values.zone is None:
        return list(values.listed)
    return sorted(values_in(deck, values.attribute, values.zone).values)


def _applies(prepared: Prepared, world: World, deck: Tally) -> Trit:
    """Whether some zone holds a card such as the clause's `when` describes."""
    when = prepared.clause.when
    if when is None or when.selection is None:
        return YES
    answers = _answers(prepared, world, when.selection.where, FREE, "when")
    best = max(map(answers.__getitem__, copies_in(deck, when.selection.zones)), default=NO)
    for one in loose_in(deck, when.selection.zones):
        best = max(best, _may_hold(one, answers))
    return best


def _may_hold(loose: Loose, answers: Answers) -> Trit:
    """Whether a loose line puts a card so described where it is looked for."""
    # A line that may stand elsewhere, or may be no card, settles nothing.
    sure = loose.is_card and loose.low > 0 and loose.zone is not None
    return min(YES if sure else UNKNOWN, answers.of_loose(loose))


def _try(
    prepared: Prepared, world: World, deck: Tally, answers: Answers, each: str | None
) -> Iterator[Outcome]:
    clause = prepared.clause
    if clause.counted == "sides":
        yield from _try_sides(prepared, world, deck)
        return
    limits = limits_of(prepared, world, deck)
    for group in groups(clause, deck, answers):
        state = _state(group, limits)
        if state == "kept":
            continue
        yield Outcome(
            prepared.rule,
            clause,
            state,
            _told(group, limits, state),
            limits,
            group.cards,
            subject=group.subject,
            label=group.label if each is None else each,
            open_facts=_open_facts(group, clause, answers) if state == "undecided" else (),
        )


def _state(group: Group, limits: Limits) -> State:
    """The state of a group. What only loose copies keep open is told by their own finding."""
    state = judge(group.number, limits)
    if state == "undecided" and judge(group.sure, limits) != "undecided":
        return "kept"
    return "undecided" if state == "violated" and group.open else state


def _told(group: Group, limits: Limits, state: State) -> Interval:
    """The count to tell: of one card what is sure, when that settles it alone, else the whole of it."""
    if group.subject is not None and judge(group.sure, limits) == state:
        return group.sure
    return group.number


def _open_facts(group: Group, clause: Clause, answers: Answers) -> tuple[tuple[Card, frozenset[str]], ...]:
    found = []
    for card in group.cards:
        names = frozenset[str]()
        if answers.predicate is not None:
            names = missing(answers.predicate, card, answers.world, answers.binding)
        if clause.summed and not isinstance(card.facts.get(clause.counted), int | float):
            names |= {clause.counted}
        if names:
            found.append((card, names))
    return tuple(found)


def limits_of(prepared: Prepared, world: World, deck: Tally) -> Limits:
    """The bounds of a clause in numbers, as they are for this deck."""
    clause = prepared.clause
    if clause.exactly is not None:
        exact = _bound(clause.exactly, prepared, world, deck)
        return Limits(exact, exact, exact=True)
    low = None if clause.low is None else _bound(clause.low, prepared, world, deck)
    high = None if clause.high is None else _bound(clause.high, prepared, world, deck)
    return Limits(low, high, clause.one_of)


def _bound(bound: Bound, prepared: Prepared, world: World, deck: Tally) -> Interval:
    if isinstance(bound, int):
        return Interval(bound, bound)
    clause = Clause(selection=bound.copies_of)
    # By identity: predicates of two kinds over the same parts are equal as tuples.
    answers = _answers(prepared, world, bound.copies_of.where, FREE, id(bound))
    [group] = groups(clause, deck, answers)
    if bound.plus == 0:
        return Interval(bound.base, bound.base)
    ends = sorted(bound.base + bound.plus * end for end in group.number)
    return Interval(ends[0], ends[1])


def _try_sides(prepared: Prepared, world: World, deck: Tally) -> Iterator[Outcome]:
    clause = prepared.clause
    limits = limits_of(prepared, world, deck)
    copies = copies_in(deck, clause.selection.zones)
    loose = loose_in(deck, clause.selection.zones) if deck.loose else []
    for combination in prepared.sides:
        held = [max(map(answers.__getitem__, copies), default=NO) for answers in combination.answers]
        sure = count = Interval(held.count(YES), held.count(YES) + held.count(UNKNOWN))
        if loose:
            held = [
                max(answer, *(_may_hold(one, answers) for one in loose))
                for answer, answers in zip(held, combination.answers, strict=True)
            ]
            count = Interval(held.count(YES), held.count(YES) + held.count(UNKNOWN))
        state = _state(Group(count, sure, ()), limits)
        if state == "kept":
            continue
        cards = tuple(card for card in copies if any(answers[card] != NO for answers in combination.answers))
        told = sure if judge(sure, limits) == state else count
        yield Outcome(prepared.rule, clause, state, told, limits, cards, listed=combination.listed)
