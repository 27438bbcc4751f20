"""`by_deck`: batches that are cut anywhere in, batches of whole decks out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck import UserError
from deckcheck.bulk import by_deck


def stream(decks: Sequence[Any], cuts: Sequence[int] = (), type: Any = None) -> Iterator[pa.RecordBatch]:
    """A row for each deck, with its number, in batches that are cut at these places."""
    for start, end in zip([0, *cuts], [*cuts, len(decks)], strict=True):
        column = pa.array(decks[start:end], type)
        yield pa.RecordBatch.from_pydict({"deck": column, "row": list(range(start, end))})


DECKS = st.lists(st.integers(1, 6), max_size=30)
"""How many rows each deck has."""


@given(
    sizes=DECKS,
    cuts=st.lists(st.integers(0, 60)),
    rows=st.integers(1, 20),
    text=st.booleans(),
    data=st.data(),
)
def test_all_rows_come_in_their_order_and_each_deck_in_a_single_batch(
    sizes: list[int], cuts: list[int], rows: int, text: bool, data: st.DataObject
) -> None:
    names = data.draw(st.lists(st.integers(-3, 300), min_size=len(sizes), max_size=len(sizes), unique=True))
    decks = [
        str(name) if text else name for name, size in zip(names, sizes, strict=True) for _ in range(size)
    ]
    cuts = sorted(min(cut, len(decks)) for cut in cuts)
    found = list(by_deck(stream(decks, cuts, pa.string() if text else pa.int64()), rows))
    assert [row for batch in found for row in batch.column("row").to_pylist()] == list(range(len(decks)))
    held = [{*batch.column("deck").to_pylist()} for batch in found]
    assert sum(map(len, held)) == len(sizes)
    assert all(batch.num_rows >= rows - 6 for batch in found[:-1])
    assert all(batch.num_rows < 2 * rows + 6 for batch in found)


@given(sizes=st.lists(st.integers(1, 3), min_size=2, max_size=30), rows=st.integers(1, 20), data=st.data())
def test_a_deck_that_comes_again_is_an_error_wherever_it_is(
    sizes: list[int], rows: int, data: st.DataObject
) -> None:
    decks = [f"d{name}" for name, size in enumerate(sizes) for _ in range(size)]
    again = data.draw(st.integers(0, len(sizes) - 2))
    last = decks.index(f"d{again}") + sizes[again]
    at = data.draw(st.integers(last + 1, len(decks)))
    decks.insert(at, f"d{again}")
    # The deck that is cut comes again, too.
    cut = decks[at - 1]
    with pytest.raises(UserError) as caught:
        list(by_deck(stream(decks, range(1, len(decks))), rows))
    message = caught.value.problems[0].in_("en")
    assert message in {
        f"deck {deck} comes again after other decks (sort the rows by deck)" for deck in (f"d{again}", cut)
    }


def test_many_decks_in_any_order_are_told_apart() -> None:
    names = Random(1).sample(range(10**9), 20_000)
    decks = [f"{name:x}" for name in names for _ in range(2)]
    assert sum(batch.num_rows for batch in by_deck(stream(decks), 100)) == len(decks)
    for again in (decks[0], decks[20_000], decks[-3]):
        with pytest.raises(UserError, match=f"deck {again} comes again"):
            list(by_deck(stream([*decks, again]), 100))


def test_columns_of_codes_may_have_different_dictionaries() -> None:
    parts = [
        pa.RecordBatch.from_pydict({"deck": pa.array(decks).dictionary_encode()})
        for decks in (["b", "a"], ["a", "c"], ["c"])
    ]
    [found] = by_deck(parts)
    assert found.column("deck").to_pylist() == ["b", "a", "a", "c", "c"]
    assert list(by_deck(())) == []


def test_a_stream_without_decks_is_an_error() -> None:
    batch = pa.RecordBatch.from_pydict({"card": ["Island"]})
    with pytest.raises(UserError, match="column deck: it is missing"):
        list(by_deck([batch]))
    with pytest.raises(UserError, match="column deck, row 2: it is null"):
        list(by_deck(stream(["a", None])))
