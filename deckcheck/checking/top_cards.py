"""The zones whose cards stand on top of a list without a heading (`on_top`): the first cards that keep the rules of the zone."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import FindingId
from deckcheck.model.format import Format
from deckcheck.rules.clauses import PreparedClause
from deckcheck.rules.counting import tally
from deckcheck.rules.evaluator import evaluate
from deckcheck.support.messages import Words, _, series

_WITHOUT_HEADINGS = frozenset({"text", "moxfield", "arena"})
"""The notations in which the first cards may stand under no heading."""
_MOST_CARDS = 3
_MOST_TRIED = 200


class TopCards:
    """Finds the cards of the zones `on_top` in lists that don't name these zones; `first` is the default zone."""

    def __init__(self, format: Format, clauses: Sequence[PreparedClause], first: str) -> None:
        self._format, self._clauses, self._first = format, clauses, first
        self._zones = format.on_top

    def placed(self, deck: Deck) -> Deck:
        """The deck with its first cards in the zones `on_top`, and a diagnostic; the deck itself if it names one of them."""
        entries, placed = deck.entries, 0
        names_one = any(entry.zone in self._zones for entry in entries)
        if names_one or deck.notation not in _WITHOUT_HEADINGS:
            return deck
        for zone in self._zones:
            count = self._count_of(entries, placed, zone)
            entries = _in_zone(entries, range(placed, placed + count), zone)
            placed += count
            if not count:
                break
        if not placed:
            return deck
        deck = replace(deck, entries=entries)
        for zone in dict.fromkeys(entry.zone for entry in entries[:placed]):
            moved = [entry for entry in entries[:placed] if entry.zone == zone]
            message = _(
                "on top without a heading, so counted in “{zone}”: {cards}",
                zone=self._format.zones[zone],
                cards=series([_("“{card}”", card=entry.written) for entry in moved]),
            )
            deck = deck.with_diagnostic(_diagnostic(FindingId.MOVED_TO_HOME_ZONE, message, moved[0], zone))
        return deck

    def doubted(self, deck: Deck, is_open: Callable[[Deck], bool]) -> Deck | None:
        """The deck with no cards in the zones `on_top` and a diagnostic, if with others there it `is_open` or legal.

        None if the list says itself which these are, or if no others may be there.
        """
        own = [
            item
            for item in deck.diagnostics
            if item.id == FindingId.MOVED_TO_HOME_ZONE and item.zone in self._zones
        ]
        top = sum(entry.zone in self._zones for entry in deck.entries)
        if (top and not own) or deck.notation not in _WITHOUT_HEADINGS or _is_apart(deck, top):
            return None
        bare = replace(
            deck,
            entries=_in_zone(deck.entries, range(top), self._first),
            diagnostics=tuple(item for item in deck.diagnostics if item not in own),
        )
        others = self._others(bare, range(top))
        if top and not any(map(is_open, others)):
            return None
        if not top and next(others, None) is None:
            return None
        zone = self._zones[0]
        name = self._format.zones[zone]
        message = _("it isn't clear which cards are in “{zone}” (write that heading above them)", zone=name)
        return bare.with_diagnostic(
            _diagnostic(FindingId.UNKNOWN_ZONE, message, bare.entries[0], self._first)
        )

    def _count_of(self, entries: Sequence[Entry], start: int, zone: str) -> int:
        """How many cards from an index on are in a zone, of whose rules they keep all; 0 if none are."""
        for count in range(min(_MOST_CARDS, len(entries) - start), 0, -1):
            places = range(start, start + count)
            first = entries[start : start + count]
            may_stand = all(entry.zone == self._first and entry.cards for entry in first)
            if may_stand and self.keeps_rules(_in_zone(entries, places, zone), zone):
                return count
        return 0

    def keeps_rules(self, entries: Iterable[Entry], zone: str) -> bool:
        """Whether those of the entries in a zone and in the zones on top before it keep all rules about these zones."""
        earlier = self._zones[: self._zones.index(zone) + 1]
        there = [entry for entry in entries if entry.zone in earlier]
        clauses = [
            prepared
            for prepared in self._clauses
            if prepared.clause.selection.zones
            and set(prepared.clause.selection.zones).issubset(earlier)
            and prepared.clause.when is None
        ]
        contents = tally(there, 0, frozenset(earlier))
        outcomes, _assumptions = evaluate(clauses, contents)
        return not outcomes

    def _others(self, deck: Deck, taken: range) -> Iterator[Deck]:
        """The deck with each other card that alone keeps the rules of the first zone there."""
        zone = self._zones[0]
        for place, entry in enumerate(deck.entries[:_MOST_TRIED]):
            alone = range(place, place + 1)
            entries = _in_zone(deck.entries, alone, zone)
            if alone != taken and entry.cards and self.keeps_rules(entries, zone):
                yield replace(deck, entries=entries)


def _in_zone(entries: Sequence[Entry], places: range, zone: str) -> tuple[Entry, ...]:
    return tuple(
        replace(entry, zone=zone) if place in places else entry for place, entry in enumerate(entries)
    )


def _is_apart(deck: Deck, top: int) -> bool:
    """Whether an empty line parts the first cards from the others."""
    if not 0 < top < len(deck.entries):
        return False
    rows = deck.lines[deck.entries[top - 1].line : deck.entries[top].line - 1]
    return any(not row.strip() for row in rows)


def _diagnostic(id: FindingId, message: Words, entry: Entry, zone: str) -> Diagnostic:
    return Diagnostic(id, message, entry.line, entry.column, zone, entry.written)
