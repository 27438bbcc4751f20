"""Whether a predicate holds for a card: yes, no or unknown, by Kleene's logic."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.model import format as model
from deckcheck.model.card import NO_RANK, Card, Catalog, Fact, Part, Printing
from deckcheck.model.format import EACH, NAMES, Predicate, attributes, parts_of

NO, UNKNOWN, YES = 0, 1, 2
Answer = int
"""NO < UNKNOWN < YES: `all` is the least of its parts, `any` the greatest, `not` is 2 minus."""


class World(NamedTuple):
    """What a predicate may depend on besides the card."""

    as_of: str
    statuses: Mapping[str, str]
    """Maps a card's name to its status on that date."""
    catalog: Catalog
    assumed_absent: Mapping[str, frozenset[str]] = MappingProxyType({})
    """Maps an attribute to the values that cards lack unless they are known to have them."""


class ZoneValues(NamedTuple):
    """The values of an attribute on the cards of some zones."""

    values: frozenset[str]
    sure: bool
    """Whether all of them are known."""
    held: bool = False
    """Whether any card is known to be in the zones."""


class Binding(NamedTuple):
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
    """Whether `predicate` is true of `card`, or of a part of it with these facts: NO, UNKNOWN or YES."""
    facts = card.facts if part is None else part
    match predicate:
        case model.Has(attribute, values):
            fact = facts.get(attribute)
            if isinstance(fact, frozenset):
                if not values.isdisjoint(fact) or (EACH in values and binding.each in fact):
                    answer = _held_by_day(predicate, card, world, binding) if attribute in card.dated else YES
                    if answer != NO:
                        return answer
                if attribute not in card.partial:
                    return NO
            elif fact is not None:
                return YES if fact in values else NO
            return NO if values <= world.assumed_absent.get(attribute, _NO_VALUES) else UNKNOWN
        case model.HasStatus(statuses):
            return YES if world.statuses.get(card.name) in statuses else NO
        case model.All(parts) | model.AnyOf(parts):
            settling = NO if isinstance(predicate, model.All) else YES
            answer = YES - settling
            for each in parts:
                found = holds(each, card, world, binding, facts)
                if found == settling:
                    return settling
                answer = found if found == UNKNOWN else answer
            return answer
        case model.Not(negated):
            return YES - holds(negated, card, world, binding, facts)
        case model.Named(names):
            return YES if card.name in names else NO
        case model.Home(zones):
            return UNKNOWN if card.home is None else YES if card.home in zones else NO
        case model.Rank():
            return rank_within(card, predicate, world.as_of)
        case model.Between(attribute, low, high):
            number = facts.get(attribute)
            if not isinstance(number, int | float):
                return UNKNOWN
            return YES if (low is None or number >= low) and (high is None or number <= high) else NO
        case model.AnyPart(wanted):
            halves: tuple[Part, ...] = card.parts or (Part(card.name, facts),)
            return max(holds(wanted, card, world, binding, half.facts) for half in halves)
        case model.NoOtherCard(same, where):
            return _no_other(same, where, card, world)
        case model.Outside(attribute, zone):
            return _outside(card, facts, attribute, binding.zones[attribute, zone])
        case model.Naming(attribute, zone):
            return _naming(card, facts, attribute, binding.zones[NAMES, zone])
        case model.Containing(attribute, text):
            return _among(card, facts, attribute, lambda value: text in value)


_NO_VALUES: frozenset[str] = frozenset()


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


def merged(predicate: Predicate) -> Predicate:
    """The same predicate, faster to evaluate: nested alternatives are flattened, names and homes combined."""
    if not isinstance(predicate, model.AnyOf):
        return predicate
    names: model.Named | None = None
    homes: model.Home | None = None
    others: list[Predicate] = []
    for part in map(merged, predicate.parts):
        for each in part.parts if isinstance(part, model.AnyOf) else (part,):
            if isinstance(each, model.Named):
                names = each if names is None else model.Named(names.names | each.names)
            elif isinstance(each, model.Home):
                homes = each if homes is None else model.Home(homes.zones | each.zones, each.attribute)
            else:
                others.append(each)
    parts = tuple(part for part in (homes, names, *others) if part is not None)
    return parts[0] if len(parts) == 1 else model.AnyOf(parts)


def names_of(predicate: Predicate, world: World) -> frozenset[str] | None:
    """The names of the cards for which the predicate holds, if it depends only on names."""
    match predicate:
        case model.Named(names):
            return names
        case model.HasStatus(statuses):
            return frozenset(name for name, status in world.statuses.items() if status in statuses)
    return None


def _among(card: Card, facts: Mapping[str, Fact], attribute: str, wanted: Callable[[str], bool]) -> Answer:
    values = facts.get(attribute)
    if not isinstance(values, frozenset):
        return UNKNOWN
    if any(wanted(value) for value in values):
        return YES
    return UNKNOWN if attribute in card.partial else NO


def _outside(card: Card, facts: Mapping[str, Fact], attribute: str, found: ZoneValues) -> Answer:
    values = facts.get(attribute)
    if found.sure and not found.values and not found.held:
        # An empty zone limits nothing; another rule reports that it is empty.
        return NO
    if not isinstance(values, frozenset):
        return UNKNOWN
    if not values <= found.values:
        return YES if found.sure else UNKNOWN
    return UNKNOWN if attribute in card.partial else NO


def _naming(card: Card, facts: Mapping[str, Fact], attribute: str, found: ZoneValues) -> Answer:
    if found.sure and not found.values:
        return NO
    named = _among(card, facts, attribute, found.values.__contains__)
    return named if found.sure else max(named, min(UNKNOWN, _among(card, facts, attribute, lambda _: True)))


def _no_other(same: str, where: Predicate, card: Card, world: World) -> Answer:
    mine = card.facts.get(same)
    answer = YES
    for other in world.catalog:
        if other is card or other.made_of or (other.released is not None and other.released > world.as_of):
            continue
        equal = _alike(mine, same in card.partial, other.facts.get(same), same in other.partial)
        if equal == NO:
            continue
        out = UNKNOWN if other.released is None else YES
        answer = min(answer, 2 - min(equal, out, holds(where, other, world)))
        if answer == NO:
            break
    return answer


def _alike(mine: Fact | None, mine_partial: bool, theirs: Fact | None, theirs_partial: bool) -> Answer:
    """Whether two facts, each of which may be partial, are equal."""
    if mine is None or theirs is None:
        return UNKNOWN
    if isinstance(mine, frozenset) and isinstance(theirs, frozenset) and (mine_partial or theirs_partial):
        apart = (not theirs_partial and mine - theirs) or (not mine_partial and theirs - mine)
        return NO if apart else UNKNOWN
    return YES if mine == theirs else NO


def rank_within(card: Card, rank: model.Rank, as_of: str) -> Answer:
    """Whether a printing out by `as_of` has a rank within the bounds. A card without known printings may have any rank."""
    if not card.printings:
        return UNKNOWN
    place = {code: at for at, codes in enumerate(rank.order) for code in codes}
    first = 0 if rank.at_least is None else place[rank.at_least]
    last = len(rank.order) - 1 if rank.at_most is None else place[rank.at_most]
    best = NO
    for printing in card.printings:
        # No printing is older than the card.
        released = printing.released or card.released or ""
        is_out = NO if released > as_of else YES if printing.released is not None else UNKNOWN
        best = max(best, min(is_out, _has_rank(printing, rank.attribute, place, range(first, last + 1))))
    return best


def _has_rank(printing: Printing, attribute: str, place: Mapping[str, int], wanted: range) -> Answer:
    code = printing.ranks.get(attribute)
    if code is None or code.startswith("?"):
        return UNKNOWN
    if code == NO_RANK:
        return NO
    if code.startswith("<="):
        within = [at in wanted for at in range(place[code[2:]] + 1)]
        return YES if all(within) else UNKNOWN if any(within) else NO
    return YES if place[code] in wanted else NO


def missing(predicate: Predicate, card: Card, world: World, binding: Binding = FREE) -> frozenset[str]:
    """The attributes whose absence keeps the answer for `card` open; empty when it is settled."""
    if holds(predicate, card, world, binding) != UNKNOWN:
        return frozenset()
    if isinstance(predicate, model.All | model.AnyOf | model.Not):
        return frozenset().union(*(missing(part, card, world, binding) for part in parts_of(predicate)))
    return attributes(predicate)
