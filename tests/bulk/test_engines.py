"""The recipes for engines: each gives the verdicts of one process, however the rows of a deck are scattered.

`pytest -m engines` runs those whose engines are installed (`pip install 'deckcheck[engines]'`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from factories.recipes import DAY, ENGINES, FORMAT, missing, recipes, run
from factories.stored_decks import Row, batch_of

from deckcheck.bulk import SCHEMA, judge

FILES = 4
LANDS: list[Row] = [("", "main", land, 3) for land in ("Plains", "Island", "Swamp", "Mountain", "Forest")] * 4
"""A legal deck with rows in each file."""
MORE: list[Row] = [
    ("", None, "Lightning Bolt", 4),
    ("", "main", "Lightning Bolt", 5),
    ("", "side", "Black Lotus", 1),
    ("", "side", "Island", 16),
    ("", "main", "???", 1),
]
"""What some of the decks hold besides; the first breaks no rule, the last is unknown."""


def test_the_recipes_are_short_and_the_same_in_both_languages() -> None:
    found = recipes()
    assert found == recipes("ja")
    for engine, code in found.items():
        assert len(code.splitlines()) <= 20, engine
        assert f'"{FORMAT}", as_of="{DAY}"' in code, engine


def rows_of(table: pa.Table) -> list[dict[str, Any]]:
    """The verdicts in the order of their decks."""
    return table.select(SCHEMA.names).sort_by("deck").to_pylist()


@pytest.fixture(scope="module")
def scattered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of decks, some of them wrong, whose rows are nowhere together."""
    folder, chance = tmp_path_factory.mktemp("scattered") / "decks", Random(1)
    rows: list[Row] = []
    for number in range(300):
        deck = [*LANDS, *chance.sample(MORE, chance.choice((0, 1, 2)))]
        rows += [(f"deck {number}", *row[1:]) for row in deck]
    # The rows of a deck are dealt to the files, and in each they are anywhere.
    order = chance.sample(range(len(rows)), len(rows))
    folder.mkdir()
    for at in range(FILES):
        part = batch_of([rows[row] for row in order if row % FILES == at])
        pq.write_table(pa.Table.from_batches([part]), folder / f"{at}.parquet")
    return folder


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder with a short path, as sockets need it."""
    with tempfile.TemporaryDirectory(prefix="dc-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.mark.engines
@pytest.mark.parametrize("engine", ENGINES)
def test_a_recipe_gives_the_verdicts_of_one_process(
    engine: str, scattered: Path, scratch: Path, tmp_path: Path
) -> None:
    reason = missing(engine)
    if reason:
        pytest.skip(reason)
    decks = ds.dataset(scattered).to_table()
    expected = rows_of(judge(decks, FORMAT, as_of=DAY))
    assert {row["verdict"] for row in expected} == {"legal", "illegal", "undecided"}
    # No batch that a reader makes of its own accord has a whole deck, and a batch that lacks rows is judged otherwise.
    for file in sorted(scattered.iterdir()):
        part = ds.dataset(file).to_table()
        assert pc.count_distinct(part.column("deck")).as_py() == len(expected)
        assert pc.sum(pc.equal(part.column("deck")[1:], part.column("deck")[:-1])).as_py() < len(expected) / 2
        assert rows_of(judge(part, FORMAT, as_of=DAY)) != expected
    (tmp_path / "decks").symlink_to(scattered, target_is_directory=True)
    assert rows_of(run(engine, tmp_path, scratch)) == expected


@pytest.mark.engines
def test_a_frame_of_pandas_is_a_batch() -> None:
    pytest.importorskip("pandas", reason="pandas comes with dask")
    batch = batch_of([("a", "main", "青銅の鎧", 4), ("b", "main", "青銅の鎧", 5)])
    # Releases of pandas differ in the type of text, so the values are compared.
    assert rows_of(judge(batch.to_pandas(), FORMAT, as_of=DAY)) == rows_of(judge(batch, FORMAT, as_of=DAY))
