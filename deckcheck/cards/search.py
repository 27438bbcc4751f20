"""Finds cards by a piece of a name, for people."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.model.card import Card, Catalog


def search(catalog: Catalog, text: str, limit: int) -> list[Card]:
    """At most `limit` cards with `text` in a name, an alias, a face's or a half's name.

    Folded like every look-up. Cards whose name begins with it come first, then
    the oldest. A text of which folding leaves nothing finds nothing.
    """
    fold = catalog.fold
    key = fold(text)
    if not key or limit < 1:
        return []
    found: list[tuple[bool, int, Card]] = []
    for place, card in enumerate(catalog):
        names = [fold(name) for name in _names(card)]
        if any(key in name for name in names):
            found.append((not any(name.startswith(key) for name in names), place, card))
    found.sort(key=lambda hit: hit[:2])
    return [card for _, _, card in found[:limit]]


def _names(card: Card) -> Iterator[str]:
    yield card.name
    yield from card.aliases
    yield from (part.name for part in (*card.faces, *card.parts))
