"""The one card that a misspelt name can mean, where there is no doubt."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from deckcheck.model.card import Card, Catalog

NEAR = 1
"""A misspelling is so many edits away from the name that was meant: a character more, less, other, or two swapped."""

APART = 2
"""Within so many edits no other card may have a name."""

SHORTEST = 5
"""Shorter names (folded) are too much alike."""


class Correction(NamedTuple):
    """A card and how it is spelt."""

    card: Card
    name: str


# A letter alone and Roman numerals tell cards apart as digits do.
_NUMERALS = r"(?<![a-z])(?:[a-z]|[ivxlcdm]+)(?![a-z])"


def make_speller(catalog: Catalog) -> Callable[[str], Correction | None]:
    """A function from a name that no card has to the certain correction, None where there is none.

    Every name under which a card is found counts: aliases, halves and faces,
    too. Numbers are never corrected, for they tell cards apart.
    """
    keys: list[str] = []
    owners: list[Correction] = []

    def spelt(name: str) -> Correction | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        key = catalog.fold(name)
        if len(key) < SHORTEST:
            return None
        if not keys:
            for card in catalog:
                spellings = [card.name, *card.aliases, *(part.name for part in (*card.faces, *card.parts))]
                keys.extend(map(catalog.fold, spellings))
                owners.extend(Correction(card, spelling) for spelling in spellings)
        hits = process.extract(key, keys, scorer=OSA.distance, score_cutoff=APART, limit=None)
        if not hits or len({owners[at].card for _, _, at in hits}) > 1:
            return None
        found, distance, at = min(hits, key=lambda hit: (hit[1], hit[2]))
        if distance != NEAR or len(found) < SHORTEST or _numerals(found) != _numerals(key):
            return None
        return owners[at] if catalog.find(owners[at].name) == (owners[at].card,) else None

    return spelt


def _numerals(key: str) -> tuple[list[str], list[str]]:
    return [char for char in key if char.isnumeric()], re.findall(_NUMERALS, key)
