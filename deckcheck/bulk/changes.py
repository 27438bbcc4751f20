"""The cards that a format treats differently on two days, to find the stored decks that have to be judged anew."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.model import format as model
from deckcheck.model.card import Card
from deckcheck.model.finding import State
from deckcheck.model.format import Clause, Predicate, leaves, zones_needed
from deckcheck.rules.clauses import PreparedClause
from deckcheck.rules.counting import Interval, Tally, judge
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
    first = loaded.prepared(day_of_option("since", since), best_of)
    last = loaded.prepared(day_of_option("until", until), best_of)
    if (first.partial is None) != (last.partial is None):
        return "all"
    earlier = {(clause.rule.id, clause.clause): clause for clause in first.clauses}
    later = {(clause.rule.id, clause.clause): clause for clause in last.clauses}
    names, conditions = set[str](), set[Predicate]()
    # A pass over all cards takes seconds.
    cards = tuple(loaded.game_data.catalog)
    for key in earlier.keys() ^ later.keys():
        clause = earlier.get(key) or later[key]
        where = clause.clause.selection.where
        if where is None or not _allows_none(clause):
            return "all"
        names |= {card.name for card in cards if holds(where, card, clause.world) != NO}
    for key in earlier.keys() & later.keys():
        conditions |= set(_conditions(earlier[key].clause))
        for _clause, sides in _combinations(earlier[key]) ^ _combinations(later[key]):
            names |= {name for side in sides if isinstance(side, model.Named) for name in side.names}
    for condition in conditions:
        changed = _answered_otherwise(condition, cards, first.world, last.world)
        if changed is None:
            return "all"
        names |= changed
    return frozenset(name for card in cards if card.name in names for name in card.names)


def _allows_none(prepared: PreparedClause) -> bool:
    """Whether a deck without any of the cards that the clause selects certainly keeps it."""
    clause = prepared.clause
    if zones_needed(clause.selection.where) or clause.loop or clause.sides or clause.either or clause.terms:
        return False
    return judge(Interval(0, 0), prepared.limits(Tally({}))) == State.KEPT


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


def _combinations(clause: PreparedClause) -> set[tuple[Clause, tuple[Predicate | None, ...]]]:
    """The combinations that the clause and its alternatives bound, by their sides."""
    combinations = {
        (clause.clause, tuple(side.predicate for side in sides)) for sides, _listing in clause.combinations
    }
    return combinations.union(*map(_combinations, clause.either))


def _answered_otherwise(
    condition: Predicate, cards: Sequence[Card], first: World, last: World
) -> set[str] | None:
    """The cards for which the answer differs between two worlds; None for perhaps any."""
    if isinstance(condition, model.NoOtherCard):
        # A new card may be alike to any.
        start, end = sorted((first.as_of, last.as_of))
        is_same = not any(start < (card.released or "") <= end for card in cards)
        inner = [_answered_otherwise(leaf, cards, first, last) for leaf in leaves(condition.where)]
        return set() if is_same and all(changed == set() for changed in inner) else None
    if not isinstance(condition, model.HasStatus | model.Rank | model.Has):
        # Nothing else depends on the day.
        return set()
    ways: list[Predicate] = [condition]
    if isinstance(condition, model.Has) and model.EACH in condition.values:
        # A loop asks for any of the values, one after the other.
        values = {value for card in cards for value in card.dated.get(condition.attribute, ())}
        ways = [model.Has(condition.attribute, frozenset([value])) for value in values]
    return {
        card.name for card in cards if any(holds(way, card, first) != holds(way, card, last) for way in ways)
    }
