"""Decks by the million: how many a second `deckcheck.bulk.judge` judges, of which the evaluator sees a few.

    python tests/benchmarks/bulk.py [--decks N] [--stored N] [--rounds N] [FORMAT...]

1. Decks in long form, as text columns and with cards and zones as dictionaries, by one process and by two. Promise: 100,000
   a second by two.
2. The same decks as lists of text, by one process.
3. So many stored decks judged on the day after a change of list, by two processes. Promise: a million in 10 seconds.

Each figure is the best of the rounds. A batch has 20,000 decks, mostly legal ones that are made here.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from functools import partial

import pyarrow as pa
from factories.stored import DAY, SHAPES, many

from deckcheck import LoadedFormat
from deckcheck.bulk import judge, verdicts
from deckcheck.support.workers import map_in_processes

BATCH = 20_000


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The least time that some work takes."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def decks_judged(batch: pa.RecordBatch, format: LoadedFormat, as_of: str) -> int:
    """How many decks of a batch were judged."""
    return int(judge(batch, format, as_of=as_of).num_rows)


def coded(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch with its cards and zones as dictionaries, as Parquet has them."""
    for name in ("zone", "card"):
        at = batch.schema.get_field_index(name)
        batch = batch.set_column(at, name, batch.column(at).dictionary_encode())
    return batch


def as_lists(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The decks of a batch as lists of text, each zone below its id."""
    decks: dict[str, dict[str, list[str]]] = {}
    for row in batch.to_pylist():
        rows = decks.setdefault(row["deck"], {}).setdefault(row["zone"], [])
        rows.append(f"{row['copies']} x {row['card']}")
    texts = [
        "\n".join(line for zone, rows in deck.items() for line in (f"{zone}:", *rows))
        for deck in decks.values()
    ]
    return pa.RecordBatch.from_pydict({"deck": list(decks), "list": texts})


def measure(format_id: str, decks: int, stored: int, rounds: int) -> None:
    """Print the row of a format."""
    format, batch = many(format_id, min(decks, BATCH))
    asked: list[object] = []
    check = verdicts.check
    verdicts.check = lambda *given, **more: asked.append(None) or check(*given, **more)  # type: ignore[func-returns-value]
    size = decks_judged(batch, format, DAY)
    verdicts.check = check
    work = partial(decks_judged, format=format, as_of=DAY)

    def by_two(batch: pa.RecordBatch, wanted: int) -> int:
        return sum(map_in_processes(work, [batch] * max(wanted // size, 2), 2))

    plain, dictionaries = (size / seconds(partial(work, each), rounds) for each in (batch, coded(batch)))
    two = [
        max(decks // size, 2) * size / seconds(partial(by_two, each, decks), rounds)
        for each in (batch, coded(batch))
    ]
    some = as_lists(many(format_id, 2000)[1])
    text = some.num_rows / seconds(partial(work, some), rounds)
    night = seconds(partial(by_two, coded(batch), stored), 1) if stored else 0
    print(
        f"{format_id:24} {batch.num_rows / size:6.1f} {plain:9,.0f} {dictionaries:9,.0f} {two[0]:9,.0f} {two[1]:9,.0f} "
        f"{len(asked) / size:7.2%} {text:8,.0f} {night:8.1f}",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--decks", type=int, default=100_000)
    parser.add_argument("--stored", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("formats", nargs="*", default=list(SHAPES), metavar="FORMAT")
    given = parser.parse_args()
    print(
        f"{'decks a second':24} {'rows':>6} {'text':>9} {'coded':>9} {'text, 2':>9} {'coded, 2':>9} {'checked':>7} {'lists':>8} {'stored':>8}"
    )
    for format_id in given.formats:
        measure(format_id, given.decks, given.stored, given.rounds)
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
