"""Whether a predicate holds for a card: no, unknown or yes, by Kleene's logic."""

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from types import MappingProxyType

from msgspec import Struct

from deckcheck.model import format as model
from deckcheck.model.card import NO_RANK, Card, Catalog, Fact, Part, Printing
from deckcheck.model.format import EACH, NAMES, Predicate, attributes, parts_of


class Answer(IntEnum):
    """An answer of three-valued logic: `min` of several is their "and", `max` their "or"."""

    NO = 0
    UNKNOWN = 1
    YES = 2


NO, UNKNOWN, YES = Answer


def opposite(answer: Answer) -> Answer:
    """The "not" of an answer."""
    return _OPPOSITES[answer]


_OPPOSITES = (YES, UNKNOWN, NO)


class World(Struct, frozen=True):
    """What a predicate may depend on besides the card."""

    as_of: str
    statuses: Mapping[str, str]
    """Maps a card's name to its status on that date."""
    catalog: Catalog
    assumed_absent: Mapping[str, frozenset[str]] = MappingProxyType({})
    """Maps an attribute to the values that cards lack unless they are known to have them."""


class ZoneValues(Struct, frozen=True):
    """The values of an attribute on the cards of some zones."""

    values: frozenset[str]
    sure: bool
    """Whether all of them are known."""
    held: bool = False
    """Whether any card is known to be in the zones."""


class Binding(Struct, frozen=True):
    """What a deck contributes: the current value of a loop, and the values in its zones."""

    each: str | None = None
    zones: Mapping[tuple[str, str], ZoneValues] = MappingProxyType({})


FREE = Binding()


def holds(
    predicate: Predicate,
    card: Card,
    world: World,
    binding: Binding = FREE,
    part: Mapping[str, Fact] | None = None,
) -> Answer:
    """Whether `predicate` is true of `card`, or of a part of it with these facts."""
    facts = card.facts if part is None else part
    match predicate:
        case model.Has():
            return _has(predicate, card, facts, world, binding)
        case model.HasStatus(statuses):
            return YES if world.statuses.get(card.name) in statuses else NO
        case model.All(parts):
            return _of_parts(parts, NO, card, facts, world, binding)
        case model.AnyOf(parts):
            return _of_parts(parts, YES, card, facts, world, binding)
        case model.Not(negated):
            return opposite(holds(negated, card, world, binding, facts))
        case model.Named(names):
            return YES if card.name in names else NO
        case model.Home(zones):
            return _is_home(card, zones)
        case model.Rank():
            return rank_within(card, predicate, world.as_of)
        case model.Between():
            return _is_between(predicate, facts)
        case model.AnyPart(wanted):
            halves = card.parts or (Part(card.name, facts),)
            return max(holds(wanted, card, world, binding, half.facts) for half in halves)
        case model.NoOtherCard(same, where):
            return _no_other(same, where, card, world)
        case model.Outside(attribute, zone):
            return _outside(card, facts, attribute, binding.zones[attribute, zone])
        case model.Naming(attribute, zone):
            return _naming(card, facts, attribute, binding.zones[NAMES, zone])
        case model.Containing(attribute, text):
            return _any_value(card, facts, attribute, lambda value: text in value)


def _of_parts(
    parts: Iterable[Predicate],
    decisive: Answer,
    card: Card,
    facts: Mapping[str, Fact],
    world: World,
    binding: Binding,
) -> Answer:
    """The answer for several predicates together, which any part with the `decisive` answer settles."""
    answer = opposite(decisive)
    for part in parts:
        of_part = holds(part, card, world, binding, facts)
        if of_part == decisive:
            return decisive
        if of_part == UNKNOWN:
            answer = UNKNOWN
    return answer


def _has(has: model.Has, card: Card, facts: Mapping[str, Fact], world: World, binding: Binding) -> Answer:
    fact = facts.get(has.attribute)
    if isinstance(fact, float | int):
        return YES if fact in has.values else NO
    if fact is not None:
        is_there = not has.values.isdisjoint(fact) or (EACH in has.values and binding.each in fact)
        if is_there:
            is_dated = has.attribute in card.dated
            answer = _held_by_day(has, card, world, binding) if is_dated else YES
            if answer != NO:
                return answer
        if has.attribute not in card.partial:
            return NO
    absent = world.assumed_absent.get(has.attribute)
    return NO if absent is not None and has.values <= absent else UNKNOWN


def _held_by_day(has: model.Has, card: Card, world: World, binding: Binding) -> Answer:
    """Whether the card has one of the wanted values on the world's day. Those without a day it has on any."""
    fact, dated = card.facts[has.attribute], card.dated[has.attribute]
    best = NO
    for value in fact if isinstance(fact, frozenset) else ():
        if value in has.values or (EACH in has.values and value == binding.each):
            days = dated.get(value)
            if days is None or days.sure <= world.as_of:
                return YES
            if days.first <= world.as_of:
                best = UNKNOWN
    return best


def _is_home(card: Card, zones: frozenset[str]) -> Answer:
    if card.home is None:
        return UNKNOWN
    return YES if card.home in zones else NO


def _is_between(bounds: model.Between, facts: Mapping[str, Fact]) -> Answer:
    number = facts.get(bounds.attribute)
    if not isinstance(number, int | float):
        return UNKNOWN
    if bounds.low is not None and number < bounds.low:
        return NO
    return NO if bounds.high is not None and number > bounds.high else YES


def _any_value(
    card: Card, facts: Mapping[str, Fact], attribute: str, is_wanted: Callable[[str], bool]
) -> Answer:
    """Whether any value of the attribute is wanted."""
    values = facts.get(attribute)
    if not isinstance(values, frozenset):
        return UNKNOWN
    if any(is_wanted(value) for value in values):
        return YES
    return UNKNOWN if attribute in card.partial else NO


def _outside(card: Card, facts: Mapping[str, Fact], attribute: str, in_zone: ZoneValues) -> Answer:
    values = facts.get(attribute)
    if in_zone.sure and not in_zone.values and not in_zone.held:
        # An empty zone limits nothing; another rule reports that it is empty.
        return NO
    if not isinstance(values, frozenset):
        return UNKNOWN
    if not values <= in_zone.values:
        return YES if in_zone.sure else UNKNOWN
    return UNKNOWN if attribute in card.partial else NO


def _naming(card: Card, facts: Mapping[str, Fact], attribute: str, in_zone: ZoneValues) -> Answer:
    if in_zone.sure and not in_zone.values:
        return NO
    named = _any_value(card, facts, attribute, in_zone.values.__contains__)
    if in_zone.sure or named != NO:
        return named
    # The card may name one of the unknown cards, if it names any.
    return min(UNKNOWN, _any_value(card, facts, attribute, lambda _: True))


def _no_other(same: str, where: Predicate, card: Card, world: World) -> Answer:
    fact = card.facts.get(same)
    is_partial = same in card.partial
    answer = YES
    for other in world.catalog:
        if other is card or other.made_of or (other.released is not None and other.released > world.as_of):
            continue
        equal = _equal(fact, is_partial, other.facts.get(same), same in other.partial)
        if equal == NO:
            continue
        released = UNKNOWN if other.released is None else YES
        answer = min(answer, opposite(min(equal, released, holds(where, other, world))))
        if answer == NO:
            break
    return answer


def _equal(fact: Fact | None, is_partial: bool, other: Fact | None, other_is_partial: bool) -> Answer:
    """Whether two facts are equal; either may be unknown, or partial."""
    if fact is None or other is None:
        return UNKNOWN
    if isinstance(fact, frozenset) and isinstance(other, frozenset) and (is_partial or other_is_partial):
        lacks_value = not other_is_partial and not fact <= other
        other_lacks_value = not is_partial and not other <= fact
        return NO if lacks_value or other_lacks_value else UNKNOWN
    return YES if fact == other else NO


def rank_within(card: Card, rank: model.Rank, as_of: str) -> Answer:
    """Whether a printing released by `as_of` has a rank within the bounds.

    A card without known printings may have any rank.
    """
    if not card.printings:
        return UNKNOWN
    positions = {code: position for position, codes in enumerate(rank.order) for code in codes}
    first = 0 if rank.at_least is None else positions[rank.at_least]
    last = len(rank.order) - 1 if rank.at_most is None else positions[rank.at_most]
    best = NO
    for printing in card.printings:
        # No printing is older than the card.
        if (printing.released or card.released or "") > as_of:
            continue
        released = UNKNOWN if printing.released is None else YES
        ranked = _has_rank(printing, rank.attribute, positions, range(first, last + 1))
        best = max(best, min(released, ranked))
    return best


def _has_rank(printing: Printing, attribute: str, positions: Mapping[str, int], wanted: range) -> Answer:
    code = printing.ranks.get(attribute)
    if code is None or code.startswith("?"):
        return UNKNOWN
    if code == NO_RANK:
        return NO
    if code.startswith("<="):
        possible = [position in wanted for position in range(positions[code[2:]] + 1)]
        if all(possible):
            return YES
        return UNKNOWN if any(possible) else NO
    return YES if positions[code] in wanted else NO


def missing(predicate: Predicate, card: Card, world: World, binding: Binding = FREE) -> frozenset[str]:
    """The attributes whose absence keeps the answer for `card` open; empty when it is settled."""
    if holds(predicate, card, world, binding) != UNKNOWN:
        return frozenset()
    if isinstance(predicate, model.All | model.AnyOf | model.Not):
        return frozenset().union(*(missing(part, card, world, binding) for part in parts_of(predicate)))
    return attributes(predicate)
