"""A best-first search for the legal deck nearest to a deck, with the evaluator as its judge.

One fault of a deck at a time proposes moves: copies out of the deck, into it, or to another zone. Of all decks that are as
far from the list and have the same faults, only the first is followed.
"""

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.analysis.faults import MOST_COPIES, Count, DeckCards, Fault, RulesOfDay, Wish
from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.card import Card
from deckcheck.model.format import All, Has, Predicate
from deckcheck.rules.counting import Tally, known_values
from deckcheck.rules.predicates import YES

MOST_EVALUATIONS = 6000
"""The limit of a search: not a time, so that answers don't depend on the machine."""

_MOST_FLAWED = 30
"""How many new cards with a fault of their own are passed over for a better one."""

_MOST_STAND_INS = 60
"""How many new cards are tried in the place of one."""


class Move(Struct, frozen=True):
    """Copies from one zone to another; None is outside of the deck."""

    card: Card
    copies: int
    source: str | None
    target: str | None
    helps: tuple[Count, ...] = ()
    """Of a new card, which is in neither the list nor the pool: the counts for which it comes."""


class State(Struct, frozen=True):
    """A deck on the way to a legal one, with the moves so far."""

    deck: DeckCards
    contents: Tally
    faults: list[Fault]
    moves: tuple[Move, ...] = ()

    def new_cards(self) -> list[Move]:
        """The moves of new cards that are still where they came."""
        return [
            move for move in self.moves if move.helps and move.card in self.deck.get(move.target or "", {})
        ]


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
        self._usable: dict[tuple[str, Card], bool] = {}
        self._evaluations = 0

    def run(self) -> SearchResult:
        """The nearest deck found without faults, or else the one with the least left to do."""
        kept = {
            zone: {card: copies for card, copies in held.items() if card not in self._without}
            for zone, held in self._before.items()
        }
        start, removed = self._state(kept), self.distance(kept)
        bound = removed + self._rules.least_changes(start.faults, start.contents)
        ahead = self._rules.estimate(start.faults, start.contents)
        queue = [_Candidate(removed + ahead, ahead, 0, start)]
        nearest, seen, pushed = queue[0], set[object](), 0
        while queue and self._evaluations < MOST_EVALUATIONS:
            candidate = heapq.heappop(queue)
            state = candidate.state
            if not state.faults:
                return SearchResult(state, self.distance(state.deck), bound)
            nearest = min(nearest, candidate, key=lambda other: (other.ahead, other.total))
            for after in self._next_states(state, candidate.total):
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

    def is_legal(self, deck: DeckCards) -> bool:
        """Whether a deck has no faults."""
        return not self._state(deck).faults

    def needed(self, move: Move, state: State) -> Predicate | None:
        """What makes a new card one that helps: what it is counted for, and what it shares with the deck; None for nothing."""
        parts = [count.where for count in move.helps]
        rest = tuple(zone for zone in self._rules.zones if zone != move.target)
        for attribute in sorted(self._rules.leading.get(move.target or "", ())):
            shared = known_values(move.card, attribute) & state.contents.values_in(attribute, rest).values
            parts += [Has(attribute, frozenset([value])) for value in sorted(shared)]
        known = tuple(dict.fromkeys(part for part in parts if part is not None))
        return All(known) if known else None

    def stand_ins(self, state: State, move: Move, most: int) -> list[str]:
        """The names of up to `most` other new cards that could take the place of one, all copies of it."""
        names: list[str] = []
        tries, zone = _MOST_STAND_INS, move.target or ""
        copies = state.deck[zone][move.card]
        without = _changed(state.deck, Move(move.card, copies, zone, None))
        for card in self._new_cards(zone, state):
            if len(names) == most or not tries:
                break
            if all(count.answer(card, state.contents) == YES for count in move.helps):
                tries -= 1
                if self.is_legal(_changed(without, Move(card, copies, None, zone))):
                    names.append(card.name)
        return names

    def _state(self, deck: DeckCards, moves: tuple[Move, ...] = ()) -> State:
        self._evaluations += 1
        contents = Tally({zone: held for zone, held in deck.items() if held})
        return State(deck, contents, self._rules.faults(contents), moves)

    def _next_states(self, state: State, total: int) -> Iterator[State]:
        """Yields the decks after each move; new cards come in only if no other move leads on at the estimated distance."""
        # Any copies end a fault of size, so those that help with the other faults come first.
        fault = min(state.faults, key=lambda fault: fault.count.is_size)
        for wish in self._rules.wishes(fault, state.contents):
            if wish.copies < 0:
                yield from self._after_each(self._out(wish, state), state)
            else:
                yield from self._with_more(wish, state, total)

    def _with_more(self, wish: Wish, state: State, total: int) -> Iterator[State]:
        """Yields the decks after moves of counted cards into the zones, until one leads on at the estimated distance."""
        zones = [zone for zone in wish.count.zones if zone in self._rules.zones]
        zones.sort(key=lambda zone: -sum(state.deck.get(zone, {}).values()))
        for zone in zones:
            leads_on = False
            for after in self._after_each(self._into(wish, zone, state), state):
                leads_on = leads_on or self._estimated(after) <= total
                yield after
            if leads_on:
                return
            for after in self._after_each(self._new_moves(wish, zone, state), state):
                yield after
                if self._estimated(after) <= total:
                    return

    def _after_each(self, moves: Iterable[Move], state: State) -> Iterator[State]:
        """Yields the decks after each of these moves that is possible."""
        for move in moves:
            after = self._after(state, move)
            if after is not None:
                yield after

    def _estimated(self, state: State) -> int:
        return self.distance(state.deck) + self._rules.estimate(state.faults, state.contents)

    def _after(self, state: State, move: Move) -> State | None:
        """The state after a move, of fewer copies if the card would be over a limit of its own; None if of none."""
        known = {fault.bound for fault in state.faults}
        while move.copies > 0:
            after = self._state(_changed(state.deck, move), (*state.moves, move))
            over = [
                fault.surplus
                for fault in after.faults
                if fault.subject is move.card and fault.bound not in known
            ]
            if move.target is None or not over:
                return after
            move = replace(move, copies=move.copies - max(*over, 1))
        return None

    # Moves of cards of the list and the pool

    def _out(self, wish: Wish, state: State) -> Iterator[Move]:
        """Yields moves of a card's copies out of the deck or to another zone."""
        clause, zones = wish.count.clause, wish.count.zones
        most, left = -wish.copies, 0
        if wish.count.is_of_names:
            # A name no longer counts with fewer copies than `having` asks for.
            most, left = MOST_COPIES, clause.having.low - 1 if clause.having else 0
        for zone in zones:
            for card in wish.cards:
                held = state.deck.get(zone, {}).get(card, 0)
                copies = min(held - left, most)
                if copies <= 0:
                    continue
                if card not in self._keep:
                    yield Move(card, copies, zone, None)
                for target in self._rules.zones:
                    if target not in zones and self._fits(card, target):
                        yield Move(card, copies, zone, target)

    def _into(self, wish: Wish, zone: str, state: State) -> Iterator[Move]:
        """Yields moves of counted cards of the list and the pool into a zone."""
        count, deck = wish.count, state.deck
        for card in self._most:
            held = deck.get(zone, {}).get(card, 0)
            copies = count.missing(held) if count.is_of_names else wish.copies
            if copies <= 0 or not self._fits(card, zone) or count.answer(card, state.contents) != YES:
                continue
            yield Move(card, min(copies, self._most[card] - held), None, zone)
            for source in deck:
                if source not in count.zones and card in deck[source]:
                    yield Move(card, min(copies, deck[source][card]), source, zone)

    def _fits(self, card: Card, zone: str) -> bool:
        """Whether a list can have a card in a zone: in the default zone it is read as one of its home."""
        return zone != self._game.default_zone or card.home in (None, zone)

    # New cards

    def _new_moves(self, wish: Wish, zone: str, state: State) -> Iterator[Move]:
        """Yields moves of the first new card of each kind that matters to the faults into a zone.

        Cards that bring a fault of their own come last.
        """
        count, known = wish.count, {fault.bound for fault in state.faults}
        copies = count.missing(0) if count.is_of_names else wish.copies
        short = [fault.count for fault in state.faults if fault.shortage and zone in fault.count.zones]
        lacking = [other for other in dict.fromkeys(short) if not other.is_size]
        read = sorted(self._rules.leading.get(zone, ()))
        # Leading cards are of as many kinds as there are combinations of their facts.
        most = inf if read else 2 ** max(len(lacking) - 1, 0)
        kinds, flawed = set[object](), list[tuple[object, Move]]()
        for card in self._new_cards(zone, state):
            if len(kinds) >= most:
                return
            if count.answer(card, state.contents) != YES:
                continue
            helped = [other for other in lacking if other.answer(card, state.contents) == YES]
            helps = tuple(dict.fromkeys((*helped, count)))
            kind = (helps, *(card.facts.get(attribute) for attribute in read))
            move = Move(card, copies, None, zone, helps)
            after = None if kind in kinds else self._after(state, replace(move, copies=1))
            if after is None:
                continue
            if len(flawed) < _MOST_FLAWED and any(fault.bound not in known for fault in after.faults):
                flawed.append((kind, move))
                continue
            kinds.add(kind)
            yield move
        for flawed_kind, move in flawed:
            if flawed_kind not in kinds:
                kinds.add(flawed_kind)
                yield move

    def _new_cards(self, zone: str, state: State) -> Iterator[Card]:
        """Yields the cards that neither the list nor the deck or the pool has, and that a zone may have."""
        # All cards of the game take a while to load.
        self._all_cards = self._all_cards or tuple(self._catalog)
        held = {card for cards in state.deck.values() for card in cards} | self._most.keys()
        for card in self._all_cards:
            if card not in held and self._is_usable(card, zone):
                yield card

    def _is_usable(self, card: Card, zone: str) -> bool:
        """Whether a new card is out, a list can have it in the zone, and no ban applies to it by itself."""
        usable = self._usable.get((zone, card))
        if usable is None:
            usable = not card.made_of and (card.released or "") <= self._as_of and self._fits(card, zone)
            usable = usable and not self._rules.is_forbidden(card, zone)
            self._usable[zone, card] = usable
        return usable


def _changed(deck: DeckCards, move: Move) -> DeckCards:
    changed = dict(deck)
    for zone, more in ((move.source, -move.copies), (move.target, move.copies)):
        if zone is not None:
            held = {**changed.get(zone, {}), move.card: changed.get(zone, {}).get(move.card, 0) + more}
            changed[zone] = {card: copies for card, copies in held.items() if copies}
    return changed
