"""Decks by the million: Arrow in, Arrow out. It needs `deckcheck[arrow]`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deckcheck.bulk.batches import by_deck
    from deckcheck.bulk.verdicts import SCHEMA, judge

__all__ = ["SCHEMA", "by_deck", "judge"]


def __getattr__(name: str) -> object:
    # Finding out which files hold decks needs no Arrow.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from deckcheck.bulk import batches, verdicts

    return getattr(batches if name == "by_deck" else verdicts, name)
