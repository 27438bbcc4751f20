"""The legal deck nearest to an illegal one, and which of its changes are free to choose."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from deckcheck.analysis.faults import DeckCards
from deckcheck.analysis.repair_search import Addition, Search, SearchResult
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
    """The copies of a card in a zone, before and after the repair."""

    zone: str
    name: str
    before: int
    after: int


class Choice(Struct, frozen=True):
    """Cards of which any would do for some of the copies that go or come in a zone.

    Where `changed` is a card of the list, one copy of it may stay as it is for one of another of the `examples`, the others
    of the list; it is the first of them. New cards have no `changed`: `where` is what the rules ask of them, None if nothing.
    The first of their examples are those of the repaired deck; the others would do in place of the first.
    """

    zone: str
    copies: int
    is_added: bool
    changed: str | None
    examples: tuple[str, ...]
    where: Predicate | None = None


class Repair(Struct, frozen=True):
    """The nearest legal deck found. No legal deck is nearer than `bound`; changes don't contain new cards."""

    distance: int
    bound: int
    copies: ZoneCopies
    changes: tuple[Change, ...]
    choices: tuple[Choice, ...] = ()

    @property
    def is_proven(self) -> bool:
        """Whether no legal deck is nearer."""
        return self.bound == self.distance


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
    return _Repairer(copies, format, as_of, options, best_of).repair()


class _Repairer:
    def __init__(
        self, copies: Copies, format: LoadedFormat, as_of: str, options: RepairOptions, best_of: int | None
    ) -> None:
        self._format, self._as_of, self._best_of = format, as_of, best_of
        self._before: DeckCards = {
            zone: {self._card(name): number for name, number in held.items() if number}
            for zone, held in copies.items()
        }
        self._keep = {self._card(name) for name in options.keep}
        self._without = {self._card(name) for name in options.without}
        pool = {self._card(name): number for name, number in (options.pool or {}).items()}
        self._search = Search(
            self._before, format, as_of, best_of, pool=pool, keep=self._keep, without=self._without
        )

    def _card(self, name: str) -> Card:
        card = card_named(self._format.game_data.catalog, name)
        if card is None:
            raise KeyError(name)
        return card

    def repair(self) -> Repair | NotRepaired:
        result = self._search.run()
        state = result.state
        copies = {
            zone: {card.name: number for card, number in held.items()} for zone, held in state.deck.items()
        }
        report = judged(copies, self._format, self._as_of, self._best_of)
        # What the search can't see, such as a list of which only a part is known, remains too.
        if state.faults or report.verdict != "legal":
            return NotRepaired(report.errors)
        changes = tuple(self._changes(result))
        return Repair(
            result.distance,
            min(result.bound, result.distance),
            copies,
            changes,
            (*self._alternatives(changes, state.deck), *self._additions(result)),
        )

    def _changes(self, result: SearchResult) -> Iterator[Change]:
        """Yields the changes of cards of the list and the pool, in the order of the list."""
        deck = result.state.deck
        for zone in dict.fromkeys((*self._format.format.zones, *self._before)):
            old, new = self._before.get(zone, {}), deck.get(zone, {})
            for card in dict.fromkeys((*old, *new)):
                is_addition = Addition(zone, card) in result.state.additions
                if old.get(card, 0) != new.get(card, 0) and not is_addition:
                    yield Change(zone, card.name, old.get(card, 0), new.get(card, 0))

    def _alternatives(self, changes: tuple[Change, ...], deck: DeckCards) -> Iterator[Choice]:
        """Yields, for each card of the list that changes in one zone only, the others that can take its place."""
        changed = [change.name for change in changes]
        for change in changes:
            card, held = self._card(change.name), self._before.get(change.zone, {})
            is_own = any(card in cards for cards in self._before.values())
            if (
                changed.count(change.name) > 1
                or change.zone not in deck
                or not is_own
                or card in self._without
            ):
                continue
            step = 1 if change.after > change.before else -1
            names = []
            for other in held:
                is_kept = step < 0 and other in self._keep
                if other.name in changed or is_kept or other in self._without:
                    continue
                zone = {**deck[change.zone]}
                zone[card] = zone.get(card, 0) - step
                zone[other] = zone.get(other, 0) + step
                if self._search.is_legal({**deck, change.zone: {c: n for c, n in zone.items() if n}}):
                    names.append(other.name)
            if names:
                copies = abs(change.after - change.before)
                yield Choice(change.zone, copies, step > 0, change.name, (change.name, *names))

    def _additions(self, result: SearchResult) -> Iterator[Choice]:
        """Yields the new cards, together where they serve the same purpose in the same zone."""
        deck, together = result.state.deck, dict[tuple[str, Predicate | None], list[Card]]()
        for new, need in result.state.additions.items():
            # A later move may have taken it out again.
            if new.card in deck.get(new.zone, {}):
                together.setdefault((new.zone, need.predicate), []).append(new.card)
        for (zone, where), cards in together.items():
            names = [card.name for card in cards]
            more = MOST_EXAMPLES - len(names)
            if more > 0:
                names += self._search.stand_ins(result.state, Addition(zone, cards[0]), more)
            yield Choice(zone, sum(deck[zone][card] for card in cards), True, None, tuple(names), where)
