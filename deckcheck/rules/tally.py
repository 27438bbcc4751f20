"""A deck prepared for counting: sure copies by zone and card, and whatever is not sure beside them."""

from collections.abc import Iterable
from typing import NamedTuple

from deckcheck.model.card import Card
from deckcheck.model.deck import Entry
from deckcheck.model.rule import NAMES
from deckcheck.rules.judging import Found

Copies = dict[Card, int]
ALL_ZONES = None


class Loose(NamedTuple):
    """Copies that may be of several cards or of any (`cards` empty), or of unsure number.

    `low` and `high` bound the copies; `high` is infinite for a line that
    can't be read. `zone` None: nobody knows where they stand.
    """

    cards: tuple[Card, ...]
    low: int
    high: float
    zone: str | None
    is_card: bool


class Tally(NamedTuple):
    """Sure copies in `zones` (zone id, then card), unsure ones in `loose`.

    `merged` keeps what `copies_in` has added up already.
    """

    zones: dict[str, Copies]
    loose: tuple[Loose, ...]
    merged: dict[tuple[str, ...] | None, Copies]


def tally(entries: Iterable[Entry], unread: int, known_zones: frozenset[str]) -> Tally:
    """Add up the entries of a deck.

    `unread` is how many lines can't be read. Entries under a zone that is not
    among `known_zones` may belong anywhere.
    """
    zones: dict[str, Copies] = {}
    loose: list[Loose] = []
    held: Copies | None = None
    current: str | None = None
    for written, cards, copies, most, zone, _line, _column in entries:
        if zone != current:
            current = zone
            held = zones.setdefault(zone, {}) if zone in known_zones else None
        if held is not None and copies == most and len(cards) == 1:
            # A line that says 0 copies holds no card, so its name is not in the deck.
            if copies:
                card = cards[0]
                held[card] = held.get(card, 0) + copies
        else:
            # What bears no known name may be no card at all.
            low = copies if cards else 0
            loose.append(Loose(cards, low, most, None if held is None else zone, bool(written)))
    # A line that can't be read may have named its zone, too.
    loose += [Loose((), 0, float("inf"), None, False)] * unread
    return Tally(zones, tuple(loose), {})


def copies_in(deck: Tally, zones: tuple[str, ...] | None) -> Copies:
    """The sure copies of each card in the zones together; None means all zones."""
    done = deck.merged.get(zones)
    if done is not None:
        return done
    held = [copies for zone, copies in deck.zones.items() if zones is None or zone in zones]
    if len(held) == 1:
        total = held[0]
    else:
        total = {}
        for copies in held:
            for card, number in copies.items():
                total[card] = total.get(card, 0) + number
    deck.merged[zones] = total
    return total


def loose_in(deck: Tally, zones: tuple[str, ...] | None) -> list[Loose]:
    """What is not sure and may stand in the zones."""
    return [one for one in deck.loose if zones is None or one.zone is None or one.zone in zones]


def values_in(deck: Tally, attribute: str, zone: str) -> Found:
    """The values of an attribute on the cards of a zone, or their names."""
    values: set[str] = set()
    sure = not (deck.loose and loose_in(deck, (zone,)))
    held = copies_in(deck, (zone,))
    if attribute == NAMES:
        return Found(frozenset(card.name for card in held), sure, bool(held))
    for card in held:
        fact = card.facts.get(attribute)
        values |= fact if isinstance(fact, frozenset) else frozenset()
        sure = sure and surely_has(card, attribute)
    return Found(frozenset(values), sure, bool(held))


def surely_has(card: Card, attribute: str) -> bool:
    """Whether all values of the card's attribute are known."""
    return isinstance(card.facts.get(attribute), frozenset) and attribute not in card.partial
