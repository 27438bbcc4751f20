"""What a change of lists affects: cards that a format treats differently on two days, and decks with such cards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from deckcheck.analysis.card_classes import counts_of
from deckcheck.bulk.batches import Coding, list_rows
from deckcheck.bulk.stored_files import are_lists
from deckcheck.checking.judge import LoadedFormat, read_deck
from deckcheck.decklists.header import games_of
from deckcheck.model.card import Card, Catalog
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
from deckcheck.rules.evaluator import PreparedClause
from deckcheck.rules.predicates import NO, World, holds
from deckcheck.support.errors import UserError, placed_at

_MOST_GAMES = 16


class Moment(NamedTuple):
    """A format on a day."""

    format: LoadedFormat
    day: str


def changed_cards(before: Moment, after: Moment, best_of: int | None = None) -> frozenset[str] | None:
    """The names of the cards that a rule treats differently at the later moment; None if that affects all decks.

    Both moments have the same game and cards. The verdict and the ids of a deck certainly without these cards are
    the same at both. Only rules matter: a changed status that no rule uses changes nothing.
    """
    first, last = (moment.format.prepared(moment.day, best_of) for moment in (before, after))
    if (first.partial is None) != (last.partial is None):
        return None
    by_key = [_by_key(prepared.clauses) for prepared in (first, last)]
    names, leaf_pairs = set[str](), dict[Predicate, None]()
    for here, there in (by_key, by_key[::-1]):
        for key, clauses in here.items():
            for clause in clauses[len(there.get(key, ())) :]:
                if not _allows_none(clause.clause):
                    return None
                names |= _selected(clause)
    for key in by_key[0].keys() & by_key[1].keys():
        for one, other in zip(by_key[0][key], by_key[1][key], strict=False):
            leaf_pairs |= dict.fromkeys(_leaves(one.clause))
            names |= _other_combinations(one, other)
    for leaf in leaf_pairs:
        names |= _answered_otherwise(leaf, first.world, last.world)
    return frozenset(names)


def _by_key(clauses: Sequence[PreparedClause]) -> dict[tuple[str, Clause], list[PreparedClause]]:
    found: dict[tuple[str, Clause], list[PreparedClause]] = {}
    for clause in clauses:
        found.setdefault((clause.rule.id, clause.clause), []).append(clause)
    return found


def _allows_none(clause: Clause) -> bool:
    """Whether a deck without any of the cards that the clause selects certainly keeps it."""
    where, low, high = clause.selection.where, clause.low, clause.high
    return (
        where is not None
        and not zones_needed(where)
        and not (clause.loop or clause.sides or clause.either or clause.terms)
        and (low is None or low == 0)
        and (high is None or (isinstance(high, int) and high >= 0))
        and (clause.one_of is None or 0 in clause.one_of)
    )


def _selected(clause: PreparedClause) -> set[str]:
    where, world = clause.clause.selection.where, clause.world
    assert where is not None
    return {card.name for card in world.catalog if holds(where, card, world) != NO}


def _leaves(clause: Clause) -> Iterator[Predicate]:
    """The conditions on cards in the clause and all its parts."""
    for count in counts_of(clause):
        sides = count.sides if isinstance(count.sides, tuple) else ()
        for predicate in (count.selection.where, *sides):
            yield from leaves(predicate)


def _other_combinations(one: PreparedClause, other: PreparedClause) -> set[str]:
    """The cards of combinations that only one of two prepared clauses has."""
    first, last = (
        Counter(tuple(side.predicate for side in sides) for sides, _listing in clause.combinations)
        for clause in (one, other)
    )
    described = {side for sides in ((first - last) + (last - first)) for side in sides}
    found = {name for side in described if isinstance(side, Named) for name in side.names}
    for way, other_way in zip(one.either, other.either, strict=False):
        found |= _other_combinations(way, other_way)
    return found


def _answered_otherwise(leaf: Predicate, first: World, last: World) -> set[str]:
    """The cards for which the answer of a leaf differs between two worlds."""
    match leaf:
        case HasStatus(statuses):
            listed = first.statuses.keys() | last.statuses.keys()
            return {
                name
                for name in listed
                if (first.statuses.get(name) in statuses) != (last.statuses.get(name) in statuses)
            }
        case Rank():
            return {
                card.name for card in first.catalog if holds(leaf, card, first) != holds(leaf, card, last)
            }
        case Has(attribute):
            return {
                card.name
                for card in first.catalog
                if attribute in card.dated and holds(leaf, card, first) != holds(leaf, card, last)
            }
        case NoOtherCard(same, where):
            days = sorted((first.as_of, last.as_of))
            names = {name for inner in leaves(where) for name in _answered_otherwise(inner, first, last)}
            others = [
                card
                for card in first.catalog
                if card.name in names or days[0] < (card.released or "") <= days[1]
            ]
            return _perhaps_alike(same, others, first.catalog)
    # Nothing else depends on the day.
    return set()


def _perhaps_alike(same: str, others: Sequence[Card], catalog: Catalog) -> set[str]:
    """The cards that may have the same values of an attribute as one of the others."""
    if not others:
        return set()
    facts = {card.facts.get(same) for card in others}
    unsure = None in facts or any(same in card.partial for card in others)
    return {
        card.name
        for card in catalog
        if unsure or same in card.partial or card.facts.get(same) is None or card.facts.get(same) in facts
    }


class AffectedDecks:
    """Finds the decks that a change between two moments may affect, or `every` one."""

    def __init__(
        self, before: Moment, after: Moment, best_of: int | None = None, *, every: bool = False
    ) -> None:
        self._after, self._best_of = after, best_of
        self.cards = lru_cache(_MOST_GAMES)(
            lambda best_of: None if every else changed_cards(before, after, best_of)
        )
        """Returns `changed_cards` for the games of a match."""
        data = after.format.game_data
        self._coding = Coding(data, after.format.prepared(after.day, best_of).names.zones)
        cards = self.cards(best_of)
        # The last value is for names that aren't certain.
        self._affected = np.array(
            [cards is None or card.name in cards for card in self._coding.cards]
            + [cards is None or bool(cards)]
        )

    def of(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, int]:
        """The rows of the decks that may be affected, and the total number of decks. Raises UserError.

        The rows of a deck follow each other. A deck with a name that isn't certain may be affected.
        """
        if are_lists(batch.schema.names):
            _decks, texts = list_rows(batch)
            chosen = [self._may_affect(text, f"list {row}") for row, text in enumerate(texts, 1)]
            return batch.filter(pa.array(chosen, pa.bool_())), len(texts)
        rows = self._coding.rows(batch)
        affected = self._affected[rows.card_of_name][rows.names.number]
        if not len(affected):
            return batch, 0
        decks = np.logical_or.reduceat(affected, rows.starts[:-1])
        return batch.filter(pa.array(np.repeat(decks, np.diff(rows.starts)))), len(decks)

    def _may_affect(self, text: str, place: str) -> bool:
        try:
            deck = read_deck(self._after.format, text, place)
            cards = self.cards(games_of(deck, self._best_of))
        except UserError as error:
            raise placed_at(error, place) from error
        if cards is None or not cards:
            return cards is None
        return bool(deck.diagnostics) or any(
            len(entry.cards) != 1 or entry.cards[0].name in cards for entry in deck.entries
        )
