"""Decks by the million: Arrow in, Arrow out. It needs `deckcheck[arrow]`."""

from deckcheck.bulk.streams import by_deck
from deckcheck.bulk.verdicts import SCHEMA, judge

__all__ = ["SCHEMA", "by_deck", "judge"]
