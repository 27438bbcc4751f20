"""Decks by the million: how many a second `deckcheck.bulk.judge` judges, of which the evaluator sees a few.

    python tests/benchmarks/bulk.py [--decks N] [--stored N] [--rounds N] [FORMAT...]
    python tests/benchmarks/bulk.py --engines [--stored N]

1. Decks in long form, as text columns and with cards and zones as dictionaries, by one process and by two. Promise: 100,000
   a second by two.
2. The same decks as lists of text, by one process.
3. So many stored decks judged on the day after a change of list, by two processes. Promise: a million in 10 seconds.

Each figure is the best of the rounds. A batch has 20,000 decks, mostly legal ones that are made here.

With --engines: so many stored decks in Parquet files, judged by `deckcheck bulk` on one processor and on all, and by the recipe
of each engine that is installed. Start-up is the time for 1000 decks, and the rate that of the others, by the clock and by the
processor time of all processes. Memory is the most that these have together, on Linux; what they share counts once.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from factories.recipes import ENGINES, FORMAT, command_of, environment_of, missing
from factories.stored_decks import DAY, SHAPES, many

from deckcheck import LoadedFormat
from deckcheck.bulk import by_deck, judge, verdicts
from deckcheck.support.workers import map_in_processes

BATCH = 20_000
FEW = 1000
FILES = 16
COMMAND = f"-m deckcheck bulk decks --format {FORMAT} --as-of {DAY} --output verdicts --exit-zero".split()


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


def usage_of(mark: bytes) -> tuple[int, dict[str, float]]:
    """The memory in MB of the processes with something in their environment, and the seconds of processor time of each."""
    memory, used = 0, dict[str, float]()
    for process in Path("/proc").glob("[0-9]*"):
        # They come and go.
        with contextlib.suppress(OSError):
            if mark in (process / "environ").read_bytes():
                memory += int((process / "smaps_rollup").read_text().partition("\nPss:")[2].split()[0])
                ticks = (process / "stat").read_text().rpartition(")")[2].split()[11:13]
                used[process.name] = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    return memory // 1024, used


def run_watched(command: list[str], folder: Path) -> tuple[float, float, int]:
    """The seconds that a command takes in a folder, those of processor time, and the most memory of its processes in MB."""
    env = environment_of(folder) | {"DECKCHECK_BENCHMARK": str(folder)}
    most, used, start = 0, dict[str, float](), time.perf_counter()
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=output, stderr=subprocess.STDOUT)
        while process.poll() is None:
            memory, now = usage_of(f"DECKCHECK_BENCHMARK={folder}".encode())
            most, used = max(most, memory), used | now
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.3)
    if process.returncode:
        sys.exit((folder / "output.txt").read_text("utf-8", errors="replace")[-5000:])
    return time.perf_counter() - start, sum(used.values()), most


def compare_engines(stored: int) -> None:
    """Print a row for one process, for all, and for each engine."""
    batches = [many(FORMAT, size)[1] for size in (FEW, stored)]
    print(f"{stored:,} decks of {FORMAT}, {batches[1].num_rows:,} rows")
    print(f"{'':16} {'start-up':>9} {'a second':>9} {'ratio':>6} {'a core s':>9} {'memory':>9}")
    first = None
    for name in ("one process", "all processors", *ENGINES):
        lacking = missing(name) if name in ENGINES else None
        if lacking:
            print(f"{name:16} {lacking}")
            continue
        found = []
        for batch in batches:
            with tempfile.TemporaryDirectory(prefix="dc-", ignore_cleanup_errors=True) as scratch:
                folder, command = Path(scratch), [sys.executable, *COMMAND]
                (folder / "decks").mkdir()
                for at, part in enumerate(by_deck([batch], batch.num_rows // FILES + 1)):
                    pq.write_table(pa.Table.from_batches([part]), folder / "decks" / f"{at}.parquet")
                if name in ENGINES:
                    command = command_of(name, folder)
                elif name == "one process":
                    command = ["taskset", "--cpu-list", "0", *command]
                found.append(run_watched(command, folder))
        (startup, few_used, _), (whole, used, memory) = found
        rate, of_core = ((stored - FEW) / took for took in (whole - startup, used - few_used))
        first = first or rate
        print(
            f"{name:16} {startup:7.1f} s {rate:9,.0f} {rate / first:6.2f} {of_core:9,.0f} {memory:6,} MB",
            flush=True,
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--decks", type=int, default=200_000)
    parser.add_argument("--stored", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engines", action="store_true")
    parser.add_argument("formats", nargs="*", default=list(SHAPES), metavar="FORMAT")
    given = parser.parse_args()
    if given.engines:
        compare_engines(given.stored)
        return
    print(
        f"{'decks a second':24} {'rows':>6} {'text':>9} {'coded':>9} {'text, 2':>9} {'coded, 2':>9} {'checked':>7} {'lists':>8} {'stored':>8}"
    )
    for format_id in given.formats:
        measure(format_id, given.decks, given.stored, given.rounds)
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
