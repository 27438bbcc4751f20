"""Cards found by a part of a name."""

from deckcheck.model.card import Card, Catalog


def search(catalog: Catalog, text: str, limit: int) -> list[Card]:
    """At most `limit` cards with `text`, folded, in a name, an alias, or the name of a face or a half.

    Cards whose name begins with it come first, then the oldest. An empty text finds nothing.
    """
    key = catalog.fold(text)
    found: list[tuple[bool, int, Card]] = []
    for place, card in enumerate(catalog if key else ()):
        keys = list(map(catalog.fold, card.names))
        if any(key in name for name in keys):
            found.append((not any(name.startswith(key) for name in keys), place, card))
    found.sort(key=lambda hit: hit[:2])
    return [card for _, _, card in found[: max(limit, 0)]]
