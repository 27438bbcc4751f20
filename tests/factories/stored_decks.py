"""Decks as a database stores them, some with mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pyarrow as pa

DAY = "2026-08-20"

Row = tuple[str, str | None, str, int]
"""A deck, a zone, a card and its copies."""


def batch_of(rows: Sequence[Row]) -> pa.RecordBatch:
    """Rows in long form."""
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    types = (pa.string(), pa.string(), pa.string(), pa.int32())
    arrays = [pa.array(column, type) for column, type in zip(columns, types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=["deck", "zone", "card", "copies"])


def mishandled(
    rows: Sequence[Row], name: str, chance: Random, names: Sequence[str], zones: Sequence[str | None]
) -> list[Row]:
    """The rows of a deck, a few of them with fewer copies and, beside them, some of other cards or zones; in any order."""
    found = [(name, zone, card, copies) for _deck, zone, card, copies in rows]
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        spoilt = (name, zones[0], names[0], 1)
        if found:
            spoilt = found.pop(chance.randrange(len(found)))
        _deck, zone, card, copies = spoilt
        kept = chance.choice((0, copies, copies // 2))
        zone = chance.choice((zone, chance.choice(zones)))
        other = chance.choice((card, chance.choice(names)))
        found.append((name, spoilt[1], card, kept))
        found.append((name, zone, other, chance.choice((copies - kept, copies - kept, 0, 1, 4))))
    if chance.random() < 0.05:
        zone = chance.choice((*zones, "Shed", None))
        found.append((name, zone, chance.choice((*names[:9], "???")), 40_000))
    chance.shuffle(found)
    return found or [(name, zones[0], names[0], 0)]
