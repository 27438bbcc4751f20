"""Streams of batches, cut between decks."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from deckcheck.bulk.columns import Array, decks_of
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _

ROWS = 2**18
"""The usual number of rows in a batch; smaller batches are judged more slowly."""


_MOST_SORTED = 2**22
"""The largest arrays to be merged, which takes three times their memory."""


class WholeDecks(NamedTuple):
    """The rows of whole decks, and the decks, each once."""

    rows: pa.RecordBatch
    decks: pa.Array


def by_deck(batches: Iterable[pa.RecordBatch], rows: int = ROWS) -> Iterator[pa.RecordBatch]:
    """Yields the same rows in batches of whole decks; each but the last has about `rows` rows.

    The rows of a deck have to follow each other, across batches too. Raises UserError for a deck that comes again after
    other decks, and for a column `deck` that can't be read. It keeps a batch of rows, and 12 bytes for each deck.
    """
    index = DeckIndex()
    for whole in whole_decks(batches, rows):
        duplicate = index.add(whole.decks)
        if duplicate is not None:
            raise comes_again(duplicate.deck)
        yield whole.rows


def whole_decks(batches: Iterable[pa.RecordBatch], rows: int = ROWS) -> Iterator[WholeDecks]:
    """Like `by_deck`, but a deck may come again in another batch of the result."""
    parts, count, wanted = list[pa.RecordBatch](), 0, rows
    for batch in batches:
        for start in range(0, batch.num_rows, rows):
            parts.append(batch.slice(start, rows))
            count += parts[-1].num_rows
            if count >= wanted:
                joined = _joined(parts)
                decks, deck = _in_order(joined)
                cut = int(np.searchsorted(deck, len(decks) - 1))
                if cut:
                    yield WholeDecks(joined.slice(0, cut), decks[:-1])
                parts, count = [joined.slice(cut)], joined.num_rows - cut
                wanted = count + rows
    if parts:
        joined = _joined(parts)
        yield WholeDecks(joined, _in_order(joined)[0])


def _joined(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    [whole] = pa.Table.from_batches(parts).combine_chunks().to_batches()
    return whole


def _in_order(batch: pa.RecordBatch) -> tuple[pa.Array, Array]:
    """The decks of a batch, and the number of the deck in each row. Raises UserError if a deck comes again."""
    decks, deck = decks_of(batch)
    again = np.flatnonzero(deck[1:] < deck[:-1])
    if len(again):
        raise comes_again(str(decks[int(deck[again[0] + 1])]))
    return decks, deck


def comes_again(deck: str) -> UserError:
    """The error for a deck whose rows don't follow each other."""
    message = _("deck {deck} comes again after other decks", deck=deck)
    return user_error(message, hint=_("sort the rows by deck"))


class Duplicate(NamedTuple):
    """A deck that was found before, and the path of the file with it."""

    deck: str
    path: str


class DeckIndex:
    """The decks of files as hashes, in sorted arrays that are each at least twice as long as the next."""

    def __init__(self) -> None:
        self._hashes: list[Array] = []
        self._files: list[Array] = []
        self._paths: list[str] = []

    def add(self, decks: pa.Array, path: str = "") -> Duplicate | None:
        """Add decks of a file that are all different; returns the first of them that was found before."""
        if not len(decks):
            return None
        if path not in self._paths[-1:]:
            self._paths.append(path)
        # A deck may be a number in one file and text in another.
        names = decks.cast(pa.string()).cast(pa.binary()).to_pylist()
        hashes = np.fromiter(map(hash, names), np.int64, len(names))
        for known, files in zip(self._hashes, self._files, strict=True):
            at = np.searchsorted(known, hashes).clip(max=len(known) - 1)
            again = np.flatnonzero(known[at] == hashes)
            if len(again):
                return Duplicate(str(decks[int(again[0])]), self._paths[files[at[again[0]]]])
        self._push(hashes, np.full(len(hashes), len(self._paths) - 1, np.int32))
        while len(self._hashes) > 1 and len(self._hashes[-2]) < min(2 * len(self._hashes[-1]), _MOST_SORTED):
            last = self._hashes.pop(), self._files.pop()
            before = self._hashes.pop(), self._files.pop()
            self._push(*map(np.concatenate, zip(before, last, strict=True)))
        return None

    def _push(self, hashes: Array, files: Array) -> None:
        order = np.argsort(hashes, kind="stable")
        self._hashes.append(hashes[order])
        self._files.append(files[order])
