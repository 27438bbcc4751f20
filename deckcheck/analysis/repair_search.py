"""A best-first search for the legal deck nearest to a deck, with the evaluator as its judge.

One fault of a deck at a time proposes moves: copies out of the deck, into it, or to another zone. Of all decks that are as
far from the list and have the same faults, only the first is followed.
"""

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import ceil, floor
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.analysis.faults import (
    MOST_COPIES,
    Count,
    DeckCards,
    Fault,
    RulesOfDay,
    Zones,
    zones_read,
)
from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.card import Card
from deckcheck.model.format import EACH, All, AnyOf, Bound, Has, Linear, Predicate
from deckcheck.rules.counting import Tally, known_values
from deckcheck.rules.predicates import NO, YES

MOST_EVALUATIONS = 6000
"""The limit of a search: not a time, so that answers don't depend on the machine."""


_MOST_FLAWED = 30
"""How many new cards with a fault of their own are passed over for a better one."""


class Need(Struct, frozen=True):
    """What makes a new card one that helps: it adds to these counts, and shares these facts with the deck."""

    counts: tuple[Count, ...]
    facts: tuple[Predicate, ...]

    @property
    def predicate(self) -> Predicate | None:
        """Both as one condition; None if any card will do."""
        wanted = [_bound_to(count.clause.selection.where, count.value) for count in self.counts]
        parts = tuple(dict.fromkeys(part for part in (*wanted, *self.facts) if part is not None))
        return All(parts) if parts else None


class Move(Struct, frozen=True):
    """Copies from one zone to another; None is outside of the deck."""

    card: Card
    copies: int
    source: str | None
    target: str | None
    need: Need | None = None
    """Of a new card, which is in neither the list nor the pool."""


class Addition(Struct, frozen=True):
    """A new card in a zone."""

    zone: str
    card: Card


class State(Struct, frozen=True):
    """A deck on the way to a legal one."""

    deck: DeckCards
    contents: Tally
    faults: list[Fault]
    additions: Mapping[Addition, Need] = MappingProxyType({})
    """The new cards, with what each is needed for."""


class _Candidate(Struct, frozen=True, order=True):
    """A state of the search; `pushed` is its number, so that states with the same estimate are never compared."""

    total: int
    ahead: int
    pushed: int
    state: State


class SearchResult(Struct, frozen=True):
    """The deck found, or the one with the least left to do; no legal deck is nearer than `bound`."""

    state: State
    distance: int
    bound: int


class Search:
    """A search for legal decks by their distance from a deck.

    `pool` are the copies of cards that are put in before new ones. All copies of the cards in `keep` stay somewhere in the
    deck, and it has none of those in `without`.
    """

    def __init__(
        self,
        deck: DeckCards,
        format: LoadedFormat,
        as_of: str,
        best_of: int | None = None,
        *,
        pool: Mapping[Card, int],
        keep: Collection[Card],
        without: Collection[Card],
    ) -> None:
        self._before, self._keep, self._without = deck, keep, without
        self._as_of = as_of
        self._game, self._catalog = format.game_data.game, format.game_data.catalog
        self._rules = RulesOfDay(format, as_of, best_of, deck)
        self._most: dict[Card, int] = dict.fromkeys(Tally(deck).copies_in(None), MOST_COPIES)
        """How many copies may be put in of the cards of the list and the pool."""
        for card, copies in pool.items():
            self._most.setdefault(card, copies)
        self._most.update(dict.fromkeys(without, 0))
        self._all_cards: tuple[Card, ...] = ()
        self._usable: dict[Addition, bool] = {}
        self._evaluations = 0
        self._found_enough = False
        """Whether a move of the current fault leads on without detour, so that no others are needed."""

    def run(self) -> SearchResult:
        """The nearest deck found without faults, or else the one with the least left to do."""
        kept = {
            zone: {card: copies for card, copies in held.items() if card not in self._without}
            for zone, held in self._before.items()
        }
        start, removed = self._state(kept), self.distance(kept)
        bound = self._rules.least_changes(start.faults, start.contents) + removed
        ahead = self._rules.estimate(start.faults, start.contents)
        queue = [_Candidate(removed + ahead, ahead, 0, start)]
        nearest, seen, pushed = queue[0], set[object](), 0
        while queue and self._evaluations < MOST_EVALUATIONS:
            candidate = heapq.heappop(queue)
            state = candidate.state
            if not state.faults:
                return SearchResult(state, self.distance(state.deck), bound)
            nearest = min(nearest, candidate, key=lambda other: (other.ahead, other.total))
            # Any copies end a fault of size, so those that help with the other faults come first.
            fault = min(state.faults, key=lambda fault: fault.count.is_size)
            for after in self._next_states(state, fault, candidate.total):
                distance = self.distance(after.deck)
                ahead = self._rules.estimate(after.faults, after.contents)
                faults = frozenset((left.bound, left.surplus, left.shortage) for left in after.faults)
                key = (distance, faults)
                if key not in seen:
                    seen.add(key)
                    pushed += 1
                    heapq.heappush(queue, _Candidate(distance + ahead, ahead, pushed, after))
        return SearchResult(nearest.state, self.distance(nearest.state.deck), bound)

    def distance(self, deck: DeckCards) -> int:
        """The copies out of the list and into it; those of a card that only change zones count once."""
        out: dict[Card, int] = {}
        into: dict[Card, int] = {}
        for zone in dict.fromkeys((*deck, *self._before)):
            old, new = self._before.get(zone, {}), deck.get(zone, {})
            if old is new:
                continue
            for card in dict.fromkeys((*old, *new)):
                difference = new.get(card, 0) - old.get(card, 0)
                changed = into if difference > 0 else out
                changed[card] = changed.get(card, 0) + abs(difference)
        return sum(max(out.get(card, 0), into.get(card, 0)) for card in {**out, **into})

    def stand_ins(self, state: State, addition: Addition, most: int, tries: int = 60) -> list[str]:
        """The names of up to `most` other new cards that could take the place of one, all copies of it."""
        counts, names = state.additions[addition].counts, list[str]()
        copies = state.deck[addition.zone][addition.card]
        without = self._changed(state.deck, Move(addition.card, copies, addition.zone, None))
        held = {card for cards in state.deck.values() for card in cards} | self._most.keys()
        for card in self._cards():
            if len(names) == most or not tries:
                break
            if card in held or not self._is_usable(Addition(addition.zone, card)):
                continue
            if any(count.answer(card, state.contents) != YES for count in counts):
                continue
            tries -= 1
            if not self._state(self._changed(without, Move(card, copies, None, addition.zone))).faults:
                names.append(card.name)
        return names

    def is_legal(self, deck: DeckCards) -> bool:
        """Whether a deck has no faults."""
        return not self._state(deck).faults

    def _next_states(self, state: State, fault: Fault, total: int) -> Iterator[State]:
        """Yields the decks after each move for a fault; `total` is the estimated distance so far."""
        self._found_enough = False
        for move in self._moves(fault, state):
            after = self._after(state, move)
            if after is None:
                continue
            ahead = self._rules.estimate(after.faults, after.contents)
            self._found_enough = self._found_enough or self.distance(after.deck) + ahead <= total
            additions = state.additions
            if move.need is not None and move.target is not None:
                additions = {**additions, Addition(move.target, move.card): move.need}
            yield replace(after, additions=additions)

    def _state(self, deck: DeckCards) -> State:
        self._evaluations += 1
        contents = Tally({zone: held for zone, held in deck.items() if held})
        return State(deck, contents, self._rules.faults(contents))

    def _changed(self, deck: DeckCards, move: Move) -> DeckCards:
        changed = dict(deck)
        for zone, more in ((move.source, -move.copies), (move.target, move.copies)):
            if zone is not None:
                held = {**changed.get(zone, {}), move.card: changed.get(zone, {}).get(move.card, 0) + more}
                changed[zone] = {card: copies for card, copies in held.items() if copies}
        return changed

    def _after(self, state: State, move: Move) -> State | None:
        """The state after a move, of fewer copies if the card would be over a limit of its own; None if of none."""
        known = {fault.bound for fault in state.faults}
        while move.copies > 0:
            after = self._state(self._changed(state.deck, move))
            over = [
                fault.surplus
                for fault in after.faults
                if fault.subject is move.card and fault.bound not in known
            ]
            if move.target is None or not over:
                return after
            move = replace(move, copies=move.copies - max(*over, 1))
        return None

    # Moves.

    def _moves(self, fault: Fault, state: State) -> Iterator[Move]:
        """Yields moves that may end a fault, or lessen it."""
        for way in self._rules.alternatives(fault, state.contents):
            yield from self._moves_within(way, state)
        clause = fault.parent.clause
        if clause.condition is not None:
            yield from self._fewer(Count(clause.condition, fault.parent), MOST_COPIES, state)
        for zone in dict.fromkeys(zone for _attribute, zone in zones_read(clause)):
            yield from self._out(state.deck.get(zone, {}), (zone,), MOST_COPIES, state)

    def _moves_within(self, fault: Fault, state: State) -> Iterator[Move]:
        """Yields moves of the cards that are counted, and of those on which the bound depends."""
        count, clause = fault.count, fault.count.clause
        if fault.surplus:
            if clause.counted == "copies" or clause.summed:
                yield from self._out(fault.cards, fault.zones, fault.surplus, state)
            else:
                # A name no longer counts with fewer copies than `having` asks for.
                left = clause.having.low - 1 if clause.having else 0
                yield from self._out(fault.cards, fault.zones, MOST_COPIES, state, left)
            yield from self._with_bound(clause.high, fault, 1, state)
        if fault.shortage:
            yield from self._into(count, fault.shortage, state)
            yield from self._with_bound(clause.low, fault, -1, state)

    def _with_bound(self, bound: Bound | None, fault: Fault, direction: int, state: State) -> Iterator[Move]:
        """Yields moves that raise (direction 1) or lower (-1) a bound that depends on other cards."""
        if not isinstance(bound, Linear):
            return
        for term in bound.plus:
            copies = max(fault.surplus, fault.shortage) * term.step / abs(term.times)
            count = replace(fault.count, clause=term.clause)
            for number in dict.fromkeys((ceil(copies), floor(copies))):
                if number and term.times * direction > 0:
                    yield from self._into(count, number, state)
                elif number:
                    yield from self._fewer(count, number, state)

    def _fewer(self, count: Count, most: int, state: State) -> Iterator[Move]:
        """Yields moves of up to so many copies of the counted cards out of the zones."""
        zones = self._rules.zones_of(count.clause)
        cards = [
            card for card in state.contents.copies_in(zones) if count.answer(card, state.contents) == YES
        ]
        yield from self._out(cards, zones, most, state)

    def _out(
        self, cards: Iterable[Card], zones: Zones, most: int, state: State, left: int = 0
    ) -> Iterator[Move]:
        """Yields moves of up to `most` copies of a card, all but `left`, out of the deck or to another zone."""
        cards = tuple(cards)
        for zone in zones:
            for card in cards:
                held = state.deck.get(zone, {}).get(card, 0)
                copies = min(held - left, most)
                if copies <= 0:
                    continue
                if card not in self._keep:
                    yield Move(card, copies, zone, None)
                for target in self._rules.zones:
                    if target not in zones and self._fits(card, target):
                        yield Move(card, copies, zone, target)

    def _into(self, count: Count, copies: int, state: State) -> Iterator[Move]:
        """Yields moves of counted cards into the zones: those of the list first, then the pool's, then new ones."""
        clause, deck = count.clause, state.deck
        by_name = clause.counted == "names" and not clause.summed
        least = clause.having.low if clause.having else 1
        zones = self._rules.zones_of(clause)
        self._found_enough = False
        for zone in sorted(zones, key=lambda zone: -sum(deck.get(zone, {}).values())):
            if zone not in self._rules.zones:
                continue
            if self._found_enough:
                return
            for card in self._most:
                held = deck.get(zone, {}).get(card, 0)
                number = max(least - held, 0) if by_name else copies
                if not number or not self._fits(card, zone):
                    continue
                if count.answer(card, state.contents) == YES:
                    yield Move(card, min(number, self._most[card] - held), None, zone)
                    for source in deck:
                        if source not in zones and card in deck[source]:
                            yield Move(card, min(number, deck[source][card]), source, zone)
            for card, need in self._new_cards(count, zone, state):
                yield Move(card, least if by_name else copies, None, zone, need)

    # New cards.

    def _new_cards(self, count: Count, zone: str, state: State) -> Iterator[tuple[Card, Need]]:
        """Yields the first new card of each kind that matters to the faults, best one that brings no fault of its own."""
        short = [fault.count for fault in state.faults if fault.shortage and zone in fault.zones]
        lacking = [other for other in dict.fromkeys(short) if not other.is_size]
        read = sorted(self._rules.leading.get(zone, ()))
        # Leading cards are of as many kinds as there are combinations of their facts.
        most = len(self._cards()) if read else 2 ** max(len(lacking) - 1, 0)
        known = {fault.bound for fault in state.faults}
        kinds, flawed = set[object](), list[tuple[tuple[object, ...], Card, Need]]()
        held = {card for cards in state.deck.values() for card in cards} | self._most.keys()
        for card in self._cards():
            if len(kinds) >= most or (self._found_enough and (read or most == 1)):
                return
            addition = Addition(zone, card)
            if card in held or count.answer(card, state.contents) != YES or not self._is_usable(addition):
                continue
            helped = tuple(other for other in lacking if other.answer(card, state.contents) == YES)
            kind: tuple[object, ...] = (helped, *(card.facts.get(attribute) for attribute in read))
            after = None if kind in kinds else self._after(state, Move(card, 1, None, zone))
            if after is None:
                continue
            counts = tuple(dict.fromkeys((*helped, count)))
            need = Need(counts, tuple(self._shared_facts(card, zone, read, state)))
            if len(flawed) < _MOST_FLAWED and any(fault.bound not in known for fault in after.faults):
                flawed.append((kind, card, need))
                continue
            kinds.add(kind)
            yield card, need
        for kind, card, need in flawed:
            if kind not in kinds:
                kinds.add(kind)
                yield card, need

    def _shared_facts(self, card: Card, zone: str, read: Iterable[str], state: State) -> Iterator[Predicate]:
        """Yields the facts that a new leading card shares with the rest of the deck."""
        rest = tuple(other for other in self._rules.zones if other != zone)
        for attribute in read:
            shared = known_values(card, attribute) & state.contents.values_in(attribute, rest).values
            for value in sorted(shared):
                yield Has(attribute, frozenset([value]))

    def _cards(self) -> tuple[Card, ...]:
        """All cards of the game, which take a while to load."""
        self._all_cards = self._all_cards or tuple(self._catalog)
        return self._all_cards

    def _is_usable(self, addition: Addition) -> bool:
        """Whether a new card is out, a list can have it in the zone, and no ban applies to it by itself."""
        known = self._usable.get(addition)
        if known is None:
            zone, card = addition.zone, addition.card
            is_out = not card.made_of and (card.released or "") <= self._as_of
            known = is_out and self._fits(card, zone) and not self._is_forbidden(addition)
            self._usable[addition] = known
        return known

    def _is_forbidden(self, addition: Addition) -> bool:
        empty = Tally({})
        return any(
            addition.zone in self._rules.zones_of(ban.clause) and ban.answer(addition.card, empty) != NO
            for ban in self._rules.bans
        )

    def _fits(self, card: Card, zone: str) -> bool:
        """Whether a list can have a card in a zone: in the default zone it is read as one of its home."""
        return zone != self._game.default_zone or card.home in (None, zone)


def _bound_to(where: Predicate | None, value: str | None) -> Predicate | None:
    """A condition with the value of a loop in place of the placeholder."""
    if isinstance(where, Has) and EACH in where.values and value is not None:
        return Has(where.attribute, frozenset([value]))
    if isinstance(where, All | AnyOf):
        parts = tuple(part for old in where.parts if (part := _bound_to(old, value)) is not None)
        return type(where)(parts)
    return where
