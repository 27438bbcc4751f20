"""The legal deck nearest to an illegal one, and which of its changes are free to choose."""

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.analysis.faults import DeckCards
from deckcheck.analysis.repair_search import Move, Search, State
from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.card import Card, card_named
from deckcheck.model.finding import Finding
from deckcheck.model.format import Predicate
from deckcheck.rewriting.deck_edits import Copies, judged

MOST_EXAMPLES = 3

ZoneCopies = dict[str, dict[str, int]]


class RepairOptions(Struct, frozen=True):
    """Names of cards to keep and to leave out; `pool` are the copies that the deck's owner has, None if unknown."""

    keep: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    pool: Mapping[str, int] | None = None


NO_OPTIONS = RepairOptions()


class Change(Struct, frozen=True):
    """The copies of a card in a zone, before and after the repair.

    One of them may stay as it is for a copy of any of the cards `instead`, others of the list.
    """

    zone: str
    name: str
    before: int
    after: int
    instead: tuple[str, ...] = ()

    def to_dict(self, _lang: str) -> dict[str, str | int]:
        """The change as plain values, without the choice."""
        return {"zone": self.zone, "name": self.name, "from": self.before, "to": self.after}


class Addition(Struct, frozen=True):
    """Copies of new cards that serve the same purpose in a zone.

    The first of the `names` are those of the repaired deck; the others would do in place of the first. `where` is what the
    rules ask of them, None if nothing.
    """

    zone: str
    copies: int
    names: tuple[str, ...]
    where: Predicate | None


class Repair(Struct, frozen=True):
    """The nearest legal deck found. No legal deck is nearer than `bound`; changes don't contain new cards."""

    distance: int
    bound: int
    copies: ZoneCopies
    changes: tuple[Change, ...]
    additions: tuple[Addition, ...] = ()

    @property
    def is_change(self) -> bool:
        """Whether there is anything to change."""
        return bool(self.changes or self.additions)

    @property
    def is_proven(self) -> bool:
        """Whether no legal deck is nearer."""
        return self.bound == self.distance


NO_CHANGE = Repair(0, 0, {}, ())


class NotRepaired(Struct, frozen=True):
    """No legal deck was found; what remains in the best attempt."""

    findings: tuple[Finding, ...]


def repair(
    copies: Copies,
    format: LoadedFormat,
    as_of: str,
    options: RepairOptions = NO_OPTIONS,
    best_of: int | None = None,
) -> Repair | NotRepaired:
    """The deck nearest to these copies that is legal on an ISO date, or else what remains to be repaired.

    The distance is the number of copies that go or come, where a move between zones counts once. A deck is near rather than
    nearest if the search had to stop before it could try everything; see `Repair.is_proven`.
    """

    def card(name: str) -> Card:
        known = card_named(format.game_data.catalog, name)
        if known is None:
            raise KeyError(name)
        return known

    before: DeckCards = {
        zone: {card(name): number for name, number in held.items() if number} for zone, held in copies.items()
    }
    keep, without = {card(name) for name in options.keep}, {card(name) for name in options.without}
    pool = {card(name): number for name, number in (options.pool or {}).items()}
    search = Search(before, format, as_of, best_of, pool=pool, keep=keep, without=without)
    result = search.run()
    state = result.state
    after = {
        zone: {held.name: number for held, number in cards.items()} for zone, cards in state.deck.items()
    }
    report = judged(after, format, as_of, best_of)
    # What the search can't see, such as a list of which only a part is known, remains too.
    if state.faults or report.verdict != "legal":
        return NotRepaired(report.errors)
    zones = tuple(dict.fromkeys((*format.format.zones, *before)))
    changes = tuple(_changes(zones, before, state, search, keep, without))
    return Repair(
        result.distance, min(result.bound, result.distance), after, changes, tuple(_additions(state, search))
    )


def _changes(
    zones: tuple[str, ...],
    before: DeckCards,
    state: State,
    search: Search,
    keep: Collection[Card],
    without: Collection[Card],
) -> Iterator[Change]:
    """Yields the changes of cards of the list and the pool, in the order of the list."""
    new = {(move.target, move.card) for move in state.new_cards()}
    changed: list[tuple[Card, Change]] = []
    for zone in zones:
        old, held = before.get(zone, {}), state.deck.get(zone, {})
        for card in dict.fromkeys((*old, *held)):
            change = Change(zone, card.name, old.get(card, 0), held.get(card, 0))
            if change.before != change.after and (zone, card) not in new:
                changed.append((card, change))
    cards = [card for card, _change in changed]
    for card, change in changed:
        is_own = any(card in held for held in before.values())
        # A card that changes in two zones moves.
        if not is_own or cards.count(card) > 1 or change.zone not in state.deck or card in without:
            yield change
            continue
        fixed = {*cards, *without, *(keep if change.after < change.before else ())}
        others = [other for other in before.get(change.zone, {}) if other not in fixed]
        names = [other.name for other in others if _is_free(card, other, change, state, search)]
        yield replace(change, instead=tuple(names))


def _is_free(card: Card, other: Card, change: Change, state: State, search: Search) -> bool:
    """Whether the deck stays legal if a copy of the other card changes in place of one of the card."""
    step = 1 if change.after > change.before else -1
    zone = {**state.deck[change.zone]}
    zone[card] = zone.get(card, 0) - step
    zone[other] = zone.get(other, 0) + step
    return search.is_legal(
        {**state.deck, change.zone: {held: copies for held, copies in zone.items() if copies}}
    )


def _additions(state: State, search: Search) -> Iterator[Addition]:
    """Yields the new cards, together where they serve the same purpose in the same zone."""
    together: dict[tuple[str, Predicate | None], list[Move]] = {}
    for move in state.new_cards():
        together.setdefault((move.target or "", search.needed(move, state)), []).append(move)
    for (zone, where), moves in together.items():
        cards = list(dict.fromkeys(move.card for move in moves))
        names = [card.name for card in cards]
        more = MOST_EXAMPLES - len(names)
        if more > 0:
            names += search.stand_ins(state, moves[0], more)
        yield Addition(zone, sum(state.deck[zone][card] for card in cards), tuple(names), where)
