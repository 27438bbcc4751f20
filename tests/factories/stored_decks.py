"""Decks as a database stores them."""

from __future__ import annotations

from collections.abc import Sequence

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
