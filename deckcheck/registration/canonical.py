"""A list apart from its notation: what is registered, hashed, sealed and compared."""

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import canonical_text

UNKNOWN = "?"
"""Stands before a name that the card table doesn't have; the name follows as a JSON string."""


MOST_COPIES = 100_000
"""No deck holds so many copies of a card."""


class Copies(NamedTuple):
    """So many copies of a card in a zone. `known` tells whether `card` is a canonical name or only what was written."""

    zone: str
    card: str
    copies: int
    known: bool = True


class CanonicalList(NamedTuple):
    """The cards of a deck, sorted by zone and name; each zone and name stands there once."""

    game: str
    cards: tuple[Copies, ...]

    @property
    def text(self) -> str:
        """The text that is hashed: that of a fingerprint, with names that nobody knows written as ?"NAME"."""
        named = {
            (one.zone, one.card if one.known else UNKNOWN + json.dumps(one.card)): one.copies
            for one in self.cards
        }
        return canonical_text(named, self.game)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of `text` in hex: for a list of known cards, the fingerprint of the deck."""
        return sha256(self.text.encode()).hexdigest()


def canonical_list(game: str, cards: Iterable[Copies]) -> CanonicalList:
    """The list of these cards in their order, equal ones added up, none of 0 copies among them."""
    added: dict[tuple[str, str, bool], int] = {}
    for one in cards:
        key = (one.zone, one.card, one.known)
        added[key] = added.get(key, 0) + one.copies
    sums = (Copies(zone, card, copies, known) for (zone, card, known), copies in added.items() if copies)
    return CanonicalList(game, tuple(sorted(sums)))


def list_of(deck: Deck, game: str) -> CanonicalList | None:
    """The canonical list of a deck; None while a line can't be read or a count is uncertain.

    Names that the card table doesn't have, or that may mean several cards,
    stay as they are written.
    """
    if any(remark.id in ("invalid-line", "unknown-zone") for remark in deck.remarks):
        return None
    cards = []
    for entry in deck.entries:
        if entry.copies != entry.most:
            return None
        known = len(entry.cards) == 1
        name = entry.cards[0].name if known else entry.written
        cards.append(Copies(entry.zone, name, entry.copies, known))
    return canonical_list(game, cards)


def deck_of(
    listed: CanonicalList, find: Callable[[str], tuple[Card, ...]], zones: Iterable[str], path: str
) -> Deck:
    """The deck that a canonical list tells of, one line a card, `zones` in this order and others behind."""
    order = {zone: at for at, zone in enumerate(zones)}
    cards = sorted(listed.cards, key=lambda one: (order.get(one.zone, len(order)), one.zone, one.card))
    lines = tuple(f"{one.copies} {one.card}" for one in cards)
    entries = tuple(
        Entry(one.card, _cards(one, find), one.copies, one.copies, one.zone, at, len(str(one.copies)) + 2)
        for at, one in enumerate(cards, 1)
    )
    return Deck(path, entries, (), {}, "canonical", lines)


def _cards(one: Copies, find: Callable[[str], tuple[Card, ...]]) -> tuple[Card, ...]:
    found = find(one.card)
    if not one.known:
        return found
    # The name is that of one card; another card's alias or half must not take its place.
    same = tuple(card for card in found if card.name == one.card)
    return same or found


def list_object(listed: CanonicalList) -> dict[str, list[dict[str, object]]]:
    """The list as plain values for JSON: zones, in each its cards."""
    zones: dict[str, list[dict[str, object]]] = {}
    for one in listed.cards:
        told: dict[str, object] = {"card": one.card, "copies": one.copies}
        zones.setdefault(one.zone, []).append(told if one.known else told | {"unknown": True})
    return zones


def list_from(game: str, zones: Mapping[str, object]) -> CanonicalList:
    """The list that `list_object` wrote. Raises ValueError for anything else."""
    cards = []
    for zone, listed in zones.items():
        if not isinstance(listed, list):
            raise ValueError(zone)
        for one in listed:
            match one:
                case {"card": str() as card, "copies": int() as copies, **rest} if (
                    type(copies) is int and 0 < copies <= MOST_COPIES and rest in ({}, {"unknown": True})
                ):
                    # Half a surrogate pair is no text; that is a ValueError, too.
                    (zone + ("" if rest else card)).encode()
                    cards.append(Copies(zone, card, copies, not rest))
                case _:
                    raise ValueError(zone)
    found = canonical_list(game, cards)
    if len(found.cards) != len(cards):
        raise ValueError("twice")
    return found
