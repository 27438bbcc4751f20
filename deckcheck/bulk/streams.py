"""Streams of batches, cut between decks."""

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from deckcheck.bulk.rows import Array, decks_of
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

ROWS = 2**18
"""Fewer rows in a batch are judged at a lower rate."""


def by_deck(
    batches: Iterable[pa.RecordBatch], rows: int = ROWS, seen: "Seen | None" = None
) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of whole decks; each but the last has about so many rows.

    The rows of a deck have to follow each other, across batches too. Raises UserError for a deck that comes again after
    other decks or was `seen` before, and for a column `deck` that can't be read. It keeps a batch of rows, and 8 bytes for each deck.
    """
    seen = Seen() if seen is None else seen
    parts, count, wanted = list[pa.RecordBatch](), 0, rows
    for batch in batches:
        for start in range(0, batch.num_rows, rows):
            parts.append(batch.slice(start, rows))
            count += parts[-1].num_rows
            if count >= wanted:
                whole = _joined(parts)
                names, deck = _in_order(whole)
                cut = int(np.searchsorted(deck, len(names) - 1))
                if cut:
                    seen.add(names[:-1])
                    yield whole.slice(0, cut)
                parts, count = [whole.slice(cut)], whole.num_rows - cut
                wanted = count + rows
    if parts:
        whole = _joined(parts)
        seen.add(_in_order(whole)[0])
        yield whole


def _joined(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    [whole] = pa.Table.from_batches(parts).combine_chunks().to_batches()
    return whole


def _in_order(batch: pa.RecordBatch) -> tuple[pa.Array, Array]:
    """The decks of a batch, and the number of the deck in each row. Raises UserError if a deck comes again."""
    names, deck = decks_of(batch)
    again = np.flatnonzero(deck[1:] < deck[:-1])
    if len(again):
        _raise_for(names[int(deck[again[0] + 1])])
    return names, deck


def _raise_for(name: pa.Scalar) -> None:
    message = _("deck {deck} comes again after other decks", deck=str(name))
    raise user_error(message, hint=_("sort the rows by deck"))


class Seen:
    """The hashes of decks, in sorted arrays of which each is at least twice as long as the next."""

    def __init__(self) -> None:
        self._hashes: list[Array] = []

    def add(self, names: pa.Array) -> None:
        """Decks that are all different. Raises UserError if one of them is here already."""
        if pa.types.is_integer(names.type):
            hashes = np.asarray(names).astype(np.int64)
        else:
            hashes = np.fromiter(map(hash, names.to_pylist()), np.int64, len(names))
        for known in self._hashes:
            again = known[np.searchsorted(known, hashes).clip(max=len(known) - 1)] == hashes
            if again.any():
                _raise_for(names[int(np.argmax(again))])
        self._hashes.append(np.sort(hashes))
        while len(self._hashes) > 1 and len(self._hashes[-2]) < 2 * len(self._hashes[-1]):
            last = self._hashes.pop()
            self._hashes[-1] = np.sort(np.concatenate([self._hashes[-1], last]), kind="stable")
