"""The legal deck nearest to an illegal one: a best-first search with the evaluator as its judge, and what is free to choose.

One fault of a deck at a time proposes moves: copies out of the deck, into it, or to another zone. Of all decks that are as
far from the list and have the same faults, only the first is followed.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import inf
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.analysis.repair_estimates import MOST_COPIES, Count, DeckCards, Fault, RulesOfDay
from deckcheck.checking.judge import LoadedFormat
from deckcheck.formats.description import described_cards
from deckcheck.model.card import Card, card_named
from deckcheck.model.finding import Finding
from deckcheck.model.format import All, Has, Predicate
from deckcheck.rewriting.deck_edits import Copies, judged
from deckcheck.rules.counting import Tally, known_values
from deckcheck.rules.predicates import YES
from deckcheck.support.messages import Words

MOST_EVALUATIONS = 6000
"""The limit of a search: not a time, so that answers don't depend on the machine."""

MOST_EXAMPLES = 3

_MOST_FLAWED = 30
"""How many new cards with a fault of their own are passed over for a better one."""

_MOST_STAND_INS = 60
"""How many new cards are tried in the place of one."""


class Change(Struct, frozen=True):
    """The copies of a card in a zone, before and after the repair."""

    zone: str
    name: str
    before: int
    after: int

    def to_dict(self, _lang: str) -> dict[str, str | int]:
        """The change as plain values."""
        return {"zone": self.zone, "name": self.name, "from": self.before, "to": self.after}


class Choice(Struct, frozen=True):
    """Copies that go ("out") or come ("in"), for which other cards would do.

    The first of the `examples` are those of the repaired deck. For one of the copies of the card with a `name` any of the
    others, of the list, would do. Without a `name` they are new: any of these `cards` would do in place of the first.
    """

    zone: str
    direction: Literal["in", "out"]
    copies: int
    name: str | None
    examples: tuple[str, ...]
    cards: Words | None = None


class Repair(Struct, frozen=True):
    """The nearest legal deck found. No legal deck is nearer than `bound`; changes don't contain new cards."""

    distance: int
    bound: int
    copies: dict[str, dict[str, int]]
    changes: tuple[Change, ...] = ()
    choices: tuple[Choice, ...] = ()

    @property
    def is_proven(self) -> bool:
        """Whether no legal deck is nearer."""
        return self.bound == self.distance


def repair(
    copies: Copies,
    format: LoadedFormat,
    as_of: str,
    best_of: int | None = None,
    *,
    keep: Iterable[str] = (),
    without: Iterable[str] = (),
    pool: Mapping[str, int] = MappingProxyType({}),
) -> Repair | tuple[Finding, ...]:
    """The deck nearest to these copies that is legal on an ISO date, or else the findings that remain in the best attempt.

    All copies of the cards to `keep` stay in the deck, and it has none of those to do `without`; cards of the `pool` are put
    in before others. The distance is the number of copies that go or come, where a move between zones counts once. A deck is
    near rather than nearest if the search had to stop before it could try everything; see `Repair.is_proven`.
    """

    def card(name: str) -> Card:
        known = card_named(format.game_data.catalog, name)
        if known is None:
            raise KeyError(name)
        return known

    before = {
        zone: {card(name): number for name, number in held.items() if number} for zone, held in copies.items()
    }
    pool_cards = {card(name): number for name, number in pool.items()}
    search = _Search(
        before, format, as_of, best_of, set(map(card, keep)), set(map(card, without)), pool_cards
    )
    state = search.run()
    after = {
        zone: {held.name: number for held, number in cards.items()} for zone, cards in state.deck.items()
    }
    report = judged(after, format, as_of, best_of)
    # What the search can't see, such as a list of which only a part is known, remains too.
    if state.faults or report.verdict != "legal":
        return report.errors
    changes = search.changes(state)
    choices = (*search.choices(changes, state), *search.additions(state))
    bound = min(search.bound, state.distance)
    return Repair(state.distance, bound, after, tuple(changes.values()), choices)


class _Move(Struct, frozen=True):
    """Copies from one zone to another; None is outside of the deck."""

    card: Card
    copies: int
    source: str | None
    target: str | None
    helps: tuple[Count, ...] = ()
    """Of a new card, which is in neither the list nor the pool: the counts for which it comes."""


class _State(Struct, frozen=True, order=True):
    """A deck on the way to a legal one, with the moves so far; that with the least `total` distance is followed first.

    `ahead` is the part of that which is probably left to do. No two states have the same `number`, so that what follows is
    never compared.
    """

    total: int
    ahead: int
    number: int
    deck: DeckCards
    contents: Tally
    faults: list[Fault]
    moves: tuple[_Move, ...]

    @property
    def distance(self) -> int:
        """The distance from the list."""
        return self.total - self.ahead

    def new_cards(self) -> list[_Move]:
        """The moves of new cards that are still where they came."""
        return [
            move for move in self.moves if move.helps and move.card in self.deck.get(move.target or "", {})
        ]


class _Search:
    """A search for legal decks by their distance from a deck."""

    def __init__(
        self,
        deck: DeckCards,
        format: LoadedFormat,
        as_of: str,
        best_of: int | None,
        keep: set[Card],
        without: set[Card],
        pool: Mapping[Card, int],
    ) -> None:
        self._before, self._keep, self._without = deck, keep, without
        self._format, self._as_of = format, as_of
        self._game = format.game_data.game
        self._rules = RulesOfDay(format, as_of, best_of, deck)
        self._most: dict[Card, int] = dict.fromkeys(Tally(deck).copies_in(None), MOST_COPIES)
        """How many copies may be put in of the cards of the list and the pool."""
        for card, copies in pool.items():
            self._most.setdefault(card, copies)
        self._most.update(dict.fromkeys(without, 0))
        self._usable: dict[tuple[str, Card], bool] = {}
        self._evaluations = 0
        start = self._state(
            {
                zone: {card: copies for card, copies in held.items() if card not in without}
                for zone, held in deck.items()
            }
        )
        self._start = start
        self.bound = start.distance + self._rules.least_changes(start.faults, start.contents)
        """No legal deck is nearer than this."""

    def run(self) -> _State:
        """The nearest deck found without faults, or else the one with the least left to do."""
        queue, seen = [self._start], set[object]()
        nearest = self._start
        while queue and self._evaluations < MOST_EVALUATIONS:
            state = heapq.heappop(queue)
            if not state.faults:
                return state
            nearest = min(nearest, state, key=lambda other: (other.ahead, other.total))
            for after in self._next_states(state):
                faults = frozenset((left.bound, left.surplus, left.shortage) for left in after.faults)
                key = (after.distance, faults)
                if key not in seen:
                    seen.add(key)
                    heapq.heappush(queue, after)
        return nearest

    def _state(self, deck: DeckCards, moves: tuple[_Move, ...] = ()) -> _State:
        self._evaluations += 1
        contents = Tally({zone: held for zone, held in deck.items() if held})
        faults = self._rules.faults(contents)
        ahead = self._rules.estimate(faults, contents)
        total = self._distance(deck) + ahead
        return _State(total, ahead, self._evaluations, deck, contents, faults, moves)

    def _distance(self, deck: DeckCards) -> int:
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

    def _next_states(self, state: _State) -> Iterator[_State]:
        """Yields the decks after each move; new cards come in only if no other move leads on at the estimated distance."""
        # Any copies end a fault of size, so those that help with the other faults come first.
        fault = min(state.faults, key=lambda fault: fault.count.is_size)
        for way in self._rules.ways_out(fault, state.contents):
            if way.surplus:
                yield from self._after(self._out(way, state), state)
            if way.shortage:
                yield from self._with_more(way, state)

    def _with_more(self, way: Fault, state: _State) -> Iterator[_State]:
        """Yields the decks after moves of counted cards into the zones, until one leads on at the estimated distance."""
        zones = [zone for zone in way.count.zones if zone in self._rules.zones]
        zones.sort(key=lambda zone: -sum(state.deck.get(zone, {}).values()))
        for zone in zones:
            leads_on = False
            for after in self._after(self._into(way, zone, state), state):
                leads_on = leads_on or after.total <= state.total
                yield after
            if leads_on:
                return
            for after in self._after(self._new_moves(way, zone, state), state):
                yield after
                if after.total <= state.total:
                    return

    def _after(self, moves: Iterable[_Move], state: _State) -> Iterator[_State]:
        """Yields the decks after each of these moves, of fewer copies if the card would be over a limit of its own."""
        known = {fault.bound for fault in state.faults}
        for move in moves:
            while move.copies > 0:
                after = self._state(_changed(state.deck, move), (*state.moves, move))
                new = [fault for fault in after.faults if fault.bound not in known]
                over = [fault.surplus for fault in new if fault.subject is move.card]
                if move.target is None or not over:
                    yield after
                    break
                move = replace(move, copies=move.copies - max(*over, 1))

    # Moves of cards of the list and the pool

    def _out(self, way: Fault, state: _State) -> Iterator[_Move]:
        """Yields moves of a card's copies out of the deck or to another zone."""
        count, most, left = way.count, way.surplus, 0
        if count.is_of_names:
            # A name no longer counts with fewer copies than `having` asks for.
            most, left = MOST_COPIES, count.missing(0) - 1
        for zone in count.zones:
            for card in way.cards:
                copies = min(state.deck.get(zone, {}).get(card, 0) - left, most)
                if copies <= 0:
                    continue
                if card not in self._keep:
                    yield _Move(card, copies, zone, None)
                for target in self._rules.zones:
                    if target not in count.zones and self._fits(card, target):
                        yield _Move(card, copies, zone, target)

    def _into(self, way: Fault, zone: str, state: _State) -> Iterator[_Move]:
        """Yields moves of counted cards of the list and the pool into a zone."""
        count, deck = way.count, state.deck
        for card in self._most:
            held = deck.get(zone, {}).get(card, 0)
            copies = count.missing(held) if count.is_of_names else way.shortage
            if copies <= 0 or not self._fits(card, zone) or count.answer(card, state.contents) != YES:
                continue
            yield _Move(card, min(copies, self._most[card] - held), None, zone)
            for source in deck:
                if source not in count.zones and card in deck[source]:
                    yield _Move(card, min(copies, deck[source][card]), source, zone)

    def _fits(self, card: Card, zone: str) -> bool:
        """Whether a list can have a card in a zone: in the default zone it is read as one of its home."""
        return zone != self._game.default_zone or card.home in (None, zone)

    # New cards

    def _new_moves(self, way: Fault, zone: str, state: _State) -> Iterator[_Move]:
        """Yields moves of the first new card of each kind that matters to the faults into a zone.

        Cards that bring a fault of their own come last.
        """
        count, known = way.count, {fault.bound for fault in state.faults}
        copies = count.missing(0) if count.is_of_names else way.shortage
        short = [fault.count for fault in state.faults if fault.shortage and zone in fault.count.zones]
        lacking = [other for other in dict.fromkeys(short) if not other.is_size]
        read = sorted(self._rules.leading.get(zone, ()))
        # Leading cards are of as many kinds as there are combinations of their facts.
        most = inf if read else 2 ** max(len(lacking) - 1, 0)
        kinds, flawed, passed_over = set[object](), dict[object, _Move](), 0
        for card in self._new_cards(zone, state):
            if len(kinds) >= most:
                return
            if count.answer(card, state.contents) != YES:
                continue
            helped = [other for other in lacking if other.answer(card, state.contents) == YES]
            move = _Move(card, copies, None, zone, tuple(dict.fromkeys((*helped, count))))
            kind = (move.helps, *(card.facts.get(attribute) for attribute in read))
            after = None if kind in kinds else next(self._after([replace(move, copies=1)], state), None)
            if after is None:
                continue
            if passed_over < _MOST_FLAWED and any(fault.bound not in known for fault in after.faults):
                passed_over += 1
                flawed.setdefault(kind, move)
                continue
            kinds.add(kind)
            yield move
        yield from (move for kind, move in flawed.items() if kind not in kinds)

    def _new_cards(self, zone: str, state: _State) -> Iterator[Card]:
        """Yields the cards that neither the list nor the deck or the pool has, and that a zone may have."""
        held = {card for cards in state.deck.values() for card in cards} | self._most.keys()
        for card in self._all_cards:
            if card not in held and self._is_usable(card, zone):
                yield card

    @cached_property
    def _all_cards(self) -> tuple[Card, ...]:
        """All cards of the game, which take a while to load."""
        return tuple(self._format.game_data.catalog)

    def _is_usable(self, card: Card, zone: str) -> bool:
        """Whether a new card is out, a list can have it in the zone, and no ban applies to it by itself."""
        usable = self._usable.get((zone, card))
        if usable is None:
            usable = not card.made_of and (card.released or "") <= self._as_of and self._fits(card, zone)
            usable = usable and not self._rules.is_forbidden(card, zone)
            self._usable[zone, card] = usable
        return usable

    # What was changed, and what would do as well

    def _is_legal(self, deck: DeckCards) -> bool:
        return not self._state(deck).faults

    def changes(self, state: _State) -> dict[tuple[str, Card], Change]:
        """The changes of cards of the list and the pool by zone and card, in the order of the list."""
        new = {(move.target, move.card) for move in state.new_cards()}
        changes: dict[tuple[str, Card], Change] = {}
        for zone in self._rules.all_zones:
            old, held = self._before.get(zone, {}), state.deck.get(zone, {})
            for card in dict.fromkeys((*old, *held)):
                change = Change(zone, card.name, old.get(card, 0), held.get(card, 0))
                if change.before != change.after and (zone, card) not in new:
                    changes[zone, card] = change
        return changes

    def choices(self, changes: Mapping[tuple[str, Card], Change], state: _State) -> Iterator[Choice]:
        """Yields the changes of which a copy may stay as it is for one of another card of the list."""
        changed = [card for _zone, card in changes]
        for (zone, card), change in changes.items():
            is_own = any(card in held for held in self._before.values())
            # A card that changes in two zones moves.
            if not is_own or changed.count(card) > 1 or zone not in state.deck or card in self._without:
                continue
            is_more = change.after > change.before
            fixed = {*changed, *self._without, *(() if is_more else self._keep)}
            others = [other for other in self._before.get(zone, {}) if other not in fixed]
            names = [other.name for other in others if self._is_free(card, other, change, state)]
            if names:
                copies = abs(change.after - change.before)
                yield Choice(zone, "in" if is_more else "out", copies, card.name, (card.name, *names))

    def _is_free(self, card: Card, other: Card, change: Change, state: _State) -> bool:
        """Whether the deck stays legal if a copy of the other card changes in place of one of the card."""
        step = 1 if change.after > change.before else -1
        without = _changed(state.deck, _Move(card, step, change.zone, None))
        return self._is_legal(_changed(without, _Move(other, step, None, change.zone)))

    def additions(self, state: _State) -> Iterator[Choice]:
        """Yields the new cards, together where they serve the same purpose in the same zone."""
        together: dict[tuple[str, Predicate | None], list[_Move]] = {}
        for move in state.new_cards():
            together.setdefault((move.target or "", self._needed(move, state)), []).append(move)
        for (zone, where), moves in together.items():
            cards = list(dict.fromkeys(move.card for move in moves))
            names = [card.name for card in cards]
            names += self._stand_ins(state, moves[0], MOST_EXAMPLES - len(names))
            copies = sum(state.deck[zone][card] for card in cards)
            described = described_cards(self._format.format, self._game, where, copies)
            yield Choice(zone, "in", copies, None, tuple(names), described)

    def _needed(self, move: _Move, state: _State) -> Predicate | None:
        """What makes a new card one that helps: what it is counted for, and what it shares with the deck; None for nothing."""
        parts = [count.where for count in move.helps]
        rest = tuple(zone for zone in self._rules.zones if zone != move.target)
        for attribute in sorted(self._rules.leading.get(move.target or "", ())):
            shared = known_values(move.card, attribute) & state.contents.values_in(attribute, rest).values
            parts += [Has(attribute, frozenset([value])) for value in sorted(shared)]
        known = tuple(dict.fromkeys(part for part in parts if part is not None))
        return All(known) if known else None

    def _stand_ins(self, state: _State, move: _Move, most: int) -> list[str]:
        """The names of up to `most` other new cards that could take the place of one, all copies of it."""
        names: list[str] = []
        tries, zone = _MOST_STAND_INS, move.target or ""
        copies = state.deck[zone][move.card]
        without = _changed(state.deck, _Move(move.card, copies, zone, None))
        for card in self._new_cards(zone, state):
            if len(names) >= most or not tries:
                break
            if all(count.answer(card, state.contents) == YES for count in move.helps):
                tries -= 1
                if self._is_legal(_changed(without, _Move(card, copies, None, zone))):
                    names.append(card.name)
        return names


def _changed(deck: DeckCards, move: _Move) -> DeckCards:
    """A deck after a move."""
    changed = dict(deck)
    for zone, more in ((move.source, -move.copies), (move.target, move.copies)):
        if zone is not None:
            held = {**changed.get(zone, {}), move.card: changed.get(zone, {}).get(move.card, 0) + more}
            changed[zone] = {card: copies for card, copies in held.items() if copies}
    return changed
