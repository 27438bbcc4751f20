"""A catalog of cards in memory, for games that are made up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckcheck.cards.names import Fold
from deckcheck.model.card import Card
from deckcheck.support.errors import suggest


class MemoryCatalog:
    """What a card table says of these cards."""

    version = "1"
    sets: frozenset[str] = frozenset()

    def __init__(self, fold: Fold, cards: Iterable[Card]) -> None:
        self.fold = fold
        self.cards = list(cards)
        self._found: dict[str, tuple[Card, ...]] = {}
        for card in self.cards:
            parts = [part.name for part in (*card.parts, *card.faces)]
            for key in dict.fromkeys(map(self.fold, (card.name, *card.aliases, *parts))):
                self._found[key] = (*self._found.get(key, ()), card)

    def find(self, name: str) -> tuple[Card, ...]:
        return self._found.get(self.fold(name), ())

    def has(self, key: str) -> bool:
        return key in self._found

    def beginning(self, start: str) -> frozenset[str]:
        return frozenset(key for key in self._found if key.startswith(start))

    def words(self, attribute: str) -> frozenset[str]:
        holders = [holder for card in self.cards for holder in (card, *card.parts, *card.faces)]
        facts = (holder.facts.get(attribute) for holder in holders)
        return frozenset[str]().union(*(fact for fact in facts if isinstance(fact, frozenset)))

    def suggest(self, name: str) -> list[str]:
        return suggest(name, [card.name for card in self.cards])

    def search(self, text: str, limit: int) -> list[Card]:
        key = self.fold(text)
        keys_by_card = {card: [self.fold(name) for name in card.names] for card in self.cards if key}
        having = [card for card, keys in keys_by_card.items() if any(key in name for name in keys)]
        having.sort(key=lambda card: not any(name.startswith(key) for name in keys_by_card[card]))
        return having[:limit]

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)
