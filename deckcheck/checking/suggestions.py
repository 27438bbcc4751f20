"""Names like an unknown one, looked for only once, however many lists or formats ask."""

from collections.abc import Iterator

from deckcheck.model.card import Card, Catalog

_MOST = 10_000
"""Names that are kept in memory, where nothing else bounds the search."""


class MemoisedSuggestions:
    """A catalog that remembers its suggestions.

    With `budget` it searches for so many names at most; for others it suggests
    nothing, and `exhausted` says that it came to that.
    """

    def __init__(self, catalog: Catalog, budget: int | None = None) -> None:
        self._catalog = catalog
        self._budget = _MOST if budget is None else budget
        self._bounded = budget is not None
        self._suggested: dict[str, list[str]] = {}
        self.exhausted = False
        self.version = catalog.version
        self.fold = catalog.fold
        self.find = catalog.find
        self.beginning = catalog.beginning

    def suggest(self, name: str) -> list[str]:
        """The names that the catalog suggests."""
        found = self._suggested.get(name)
        if found is not None:
            return found
        full = len(self._suggested) >= self._budget
        if full and self._bounded:
            self.exhausted = True
            return []
        found = self._catalog.suggest(name)
        if not full:
            self._suggested[name] = found
        return found

    def __iter__(self) -> Iterator[Card]:
        return iter(self._catalog)

    def __len__(self) -> int:
        return len(self._catalog)
