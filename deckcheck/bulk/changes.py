"""The cards that a format treats differently on two days, to find the stored decks that have to be judged anew."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.model.format import (
    Clause,
    Has,
    HasStatus,
    Named,
    NoOtherCard,
    Predicate,
    Rank,
    leaves,
    zones_needed,
)
from deckcheck.rules.clauses import PreparedClause
from deckcheck.rules.predicates import NO, World, holds
from deckcheck.support.dates import day_of_option


def affected(
    format: str | Path | LoadedFormat, since: str, until: str, *, best_of: int | None = None
) -> frozenset[str] | Literal["all"]:
    """Every name, as the card table spells it, of the cards that some rule treats differently on the second of two days.

    Or "all" if any deck may change.

    The verdict and the rules of a deck of known cards without these are the same on both days. The days are ISO dates. Raises
    UserError for a format that can't be loaded.
    """
    loaded = format if isinstance(format, LoadedFormat) else load_format(format)
    first, last = (
        loaded.prepared(day_of_option(name, day), best_of)
        for name, day in (("since", since), ("until", until))
    )
    if (first.partial is None) != (last.partial is None):
        return "all"
    earlier, later = _by_rule(first.clauses), _by_rule(last.clauses)
    names = set[str]()
    for own, other in ((earlier, later), (later, earlier)):
        for key, clauses in own.items():
            for clause in clauses[len(other.get(key, ())) :]:
                if not _allows_none(clause.clause):
                    return "all"
                names |= _selected(clause)
    conditions = dict[Predicate, None]()
    for key in earlier.keys() & later.keys():
        for clause, same_clause in zip(earlier[key], later[key], strict=False):
            conditions |= dict.fromkeys(_conditions(clause.clause))
            names |= _changed_combinations(clause, same_clause)
    for condition in conditions:
        changed = _answered_otherwise(condition, first.world, last.world)
        if changed is None:
            return "all"
        names |= changed
    cards = (card for card in loaded.game_data.catalog if card.name in names)
    return frozenset(name for card in cards for name in card.names)


def _by_rule(clauses: Sequence[PreparedClause]) -> dict[tuple[str, Clause], list[PreparedClause]]:
    by_rule: dict[tuple[str, Clause], list[PreparedClause]] = {}
    for clause in clauses:
        by_rule.setdefault((clause.rule.id, clause.clause), []).append(clause)
    return by_rule


def _allows_none(clause: Clause) -> bool:
    """Whether a deck without any of the cards that the clause selects certainly keeps it."""
    where, low, high = clause.selection.where, clause.low, clause.high
    if where is None or zones_needed(where) or clause.loop or clause.sides or clause.either or clause.terms:
        return False
    has_no_minimum = low is None or low == 0
    has_fixed_maximum = high is None or (isinstance(high, int) and high >= 0)
    return has_no_minimum and has_fixed_maximum and (clause.one_of is None or 0 in clause.one_of)


def _selected(clause: PreparedClause) -> set[str]:
    where, world = clause.clause.selection.where, clause.world
    assert where is not None
    return {card.name for card in world.catalog if holds(where, card, world) != NO}


def _conditions(clause: Clause) -> Iterator[Predicate]:
    """Yields the conditions on cards in the clause and in its bounds, its condition and its alternatives."""
    sides = clause.sides if isinstance(clause.sides, tuple) else ()
    for predicate in (clause.selection.where, *sides):
        yield from leaves(predicate)
    inner = [term.clause for term in clause.terms] + list(clause.either)
    if clause.condition is not None:
        inner.append(clause.condition)
    for other in inner:
        yield from _conditions(other)


def _changed_combinations(clause: PreparedClause, later: PreparedClause) -> set[str]:
    """The cards of combinations that only one of two prepared clauses has."""
    before, after = (
        Counter(tuple(side.predicate for side in sides) for sides, _listing in prepared.combinations)
        for prepared in (clause, later)
    )
    described = {side for sides in ((before - after) + (after - before)) for side in sides}
    names = {name for side in described if isinstance(side, Named) for name in side.names}
    for way, later_way in zip(clause.either, later.either, strict=False):
        names |= _changed_combinations(way, later_way)
    return names


def _answered_otherwise(condition: Predicate, first: World, last: World) -> set[str] | None:
    """The cards for which the answer differs between two worlds; None for perhaps any."""
    match condition:
        case HasStatus(statuses):
            names = first.statuses.keys() | last.statuses.keys()
            return {
                name
                for name in names
                if (first.statuses.get(name) in statuses) != (last.statuses.get(name) in statuses)
            }
        case Rank():
            cards = first.catalog
            return {
                card.name for card in cards if holds(condition, card, first) != holds(condition, card, last)
            }
        case Has(attribute):
            dated = [card for card in first.catalog if attribute in card.dated]
            return {
                card.name for card in dated if holds(condition, card, first) != holds(condition, card, last)
            }
        case NoOtherCard():
            # A new card may be alike to any.
            days = sorted((first.as_of, last.as_of))
            is_same = not any(days[0] < (card.released or "") <= days[1] for card in first.catalog)
            inner = [_answered_otherwise(leaf, first, last) for leaf in leaves(condition.where)]
            return set() if is_same and not any(inner) and None not in inner else None
    # Nothing else depends on the day.
    return set()
