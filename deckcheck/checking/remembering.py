"""Formats that look only once for names like an unknown one, however many lists or formats ask."""

from collections.abc import Iterator

from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.card import Card, Catalog

_MOST = 10_000
"""Names that are kept in memory, where nothing else bounds the search."""


class Remembering:
    """A catalog that remembers its suggestions.

    With `budget` it searches for so many names at most; for others it suggests
    nothing, and `left_out` says that it came to that.
    """

    def __init__(self, catalog: Catalog, budget: int | None = None) -> None:
        self._catalog = catalog
        self._budget = budget
        self._suggested: dict[str, list[str]] = {}
        self.left_out = False
        self.version = catalog.version
        self.fold = catalog.fold
        self.find = catalog.find
        self.beginning = catalog.beginning

    def suggest(self, name: str) -> list[str]:
        """The names that the catalog suggests."""
        found = self._suggested.get(name)
        if found is not None:
            return found
        if self._budget is not None and len(self._suggested) >= self._budget:
            self.left_out = True
            return []
        found = self._catalog.suggest(name)
        if len(self._suggested) < (_MOST if self._budget is None else self._budget):
            self._suggested[name] = found
        return found

    def __iter__(self) -> Iterator[Card]:
        return iter(self._catalog)

    def __len__(self) -> int:
        return len(self._catalog)


def with_catalog(format: LoadedFormat, catalog: Catalog) -> LoadedFormat:
    """The format with another way to its cards; what was prepared for some day stays prepared."""
    changed = LoadedFormat(format.format, format.table._replace(catalog=catalog))
    changed.days = format.days
    return changed
