"""A format that looks only once for names like an unknown one, however many lists of an event write it."""

from collections.abc import Iterator
from functools import lru_cache

from deckcheck.cards import Card, Catalogue
from deckcheck.checking import LoadedFormat

_MOST = 10_000


class _Remembering:
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.version = catalogue.version
        self.fold = catalogue.fold
        self.find = catalogue.find
        self.suggest = lru_cache(maxsize=_MOST)(catalogue.suggest)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._catalogue)

    def __len__(self) -> int:
        return len(self._catalogue)


def remembering(format: LoadedFormat) -> LoadedFormat:
    """The same format with such a memory; what was prepared for some day stays prepared."""
    changed = LoadedFormat(
        format.format, format.table._replace(catalogue=_Remembering(format.table.catalogue))
    )
    changed.days = format.days
    return changed
