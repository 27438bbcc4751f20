"""Stored decks: how many a second `deckcheck.bulk.judge` judges, beside the evaluator alone on decks that are read already.

    python tools/benchmarks/bulk.py [--decks N] [--engines]

Promise: as fast as the evaluator, on every core that an engine gives it. Both are measured in processor time.

With `--engines`, the recipe of each engine that is installed runs on so many decks in Parquet files. Start-up is the time
for 1000 decks, and the rate that of the others, by the clock and by the processor time of all processes. Memory is the
most that these have together, on Linux; what they share counts once.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from deckcheck.bulk import judge
from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.model.deck import Entry
from deckcheck.rules.counting import tally
from deckcheck.rules.evaluator import evaluate

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from factories.recipes import ENGINES, command_of, environment_of, missing
from factories.recipes import FORMAT as FORMAT_OF_RECIPES
from run import AS_OF, FORMAT, LEADER, SINGLES, cards_of_a_deck, main_names, single_cards

FEW = 1000
FILES = 16

Row = tuple[str, int, str]
"""A zone, copies and a card."""


def stored_decks(format: LoadedFormat, number: int) -> list[list[Row]]:
    """The rows of so many decks."""
    if format.format.id == SINGLES:
        leader = ("commander", 1, LEADER)
        return [[leader, *(("main", 1, name) for name in names)] for names in single_cards(format, number)]
    chance, names = random.Random(40), main_names(format)
    return [
        [("main", copies, name) for copies, name in cards_of_a_deck(chance, names)] for _ in range(number)
    ]


def batch_of(decks: list[list[Row]]) -> pa.RecordBatch:
    rows = [
        {"deck": str(number), "zone": zone, "card": name, "copies": copies}
        for number, deck in enumerate(decks)
        for zone, copies, name in deck
    ]
    return pa.RecordBatch.from_pylist(rows)


def cpu_seconds(work: Callable[[], object]) -> float:
    """The processor time that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(format_id: str, number: int) -> None:
    """Print the row of a format."""
    format = load_format(format_id)
    decks = stored_decks(format, number)
    batch, catalog = batch_of(decks), format.game_data.catalog
    judge(batch.slice(0, 1000), format, as_of=AS_OF)
    prepared, zones = format.prepared(AS_OF), frozenset(format.format.zones)
    read = []
    for deck in decks:
        entries = [Entry(name, catalog.find(name), copies, zone, 1, 1) for zone, copies, name in deck]
        read.append(tally(entries, 0, zones))

    def evaluate_all() -> None:
        for contents in read:
            evaluate(prepared.clauses, contents, format.game_data.game.assumed_absent)

    alone = number / cpu_seconds(evaluate_all)
    whole = number / cpu_seconds(lambda: judge(batch, format, as_of=AS_OF))
    print(f"{format_id:24} {batch.num_rows / number:6.1f} {alone:10,.0f} {whole:10,.0f}", flush=True)


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


def write_decks(folder: Path, batch: pa.RecordBatch) -> None:
    """Write the rows of decks into several files."""
    folder.mkdir()
    rows = batch.num_rows // FILES + 1
    for number in range(FILES):
        part = pa.Table.from_batches([batch.slice(number * rows, rows)])
        pq.write_table(part, folder / f"{number}.parquet")


def compare_engines(number: int) -> None:
    """Print a row for each engine."""
    decks = stored_decks(load_format(FORMAT_OF_RECIPES), number)
    print(f"{number:,} decks of {FORMAT_OF_RECIPES}, {sum(map(len, decks)):,} rows")
    print(f"{'':16} {'start-up':>9} {'a second':>9} {'a core s':>9} {'memory':>9}")
    for engine in ENGINES:
        lacking = missing(engine)
        if lacking:
            print(f"{engine:16} {lacking}")
            continue
        runs = []
        for size in (FEW, number):
            with tempfile.TemporaryDirectory(prefix="dc-", ignore_cleanup_errors=True) as scratch:
                write_decks(Path(scratch) / "decks", batch_of(decks[:size]))
                runs.append(run_watched(command_of(engine, Path(scratch)), Path(scratch)))
        (startup, few_used, _), (whole, used, memory) = runs
        rate, of_core = ((number - FEW) / took for took in (whole - startup, used - few_used))
        print(f"{engine:16} {startup:7.1f} s {rate:9,.0f} {of_core:9,.0f} {memory:6,} MB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=20_000)
    parser.add_argument("--engines", action="store_true")
    asked = parser.parse_args()
    if asked.engines:
        compare_engines(asked.decks)
        return
    print(f"{'decks a second of a core':24} {'rows':>6} {'evaluator':>10} {'judge':>10}")
    for format_id in (FORMAT, SINGLES):
        measure(format_id, asked.decks)


if __name__ == "__main__":
    main()
