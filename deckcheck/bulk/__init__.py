"""Stored decks by the million: batches of Arrow in, verdicts out, and the cards that a change of list affects.

Files, partitions and parallelism are left to the engine that holds the decks. It needs `deckcheck[arrow]`.
"""

try:
    import pyarrow as _pyarrow  # noqa: F401
except ImportError as error:
    raise ImportError("deckcheck.bulk needs pyarrow: pip install 'deckcheck[arrow]'") from error

from deckcheck.bulk.batches import SCHEMA, judge
from deckcheck.bulk.changes import affected

__all__ = ["SCHEMA", "affected", "judge"]
