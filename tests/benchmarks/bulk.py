"""Decks by the million: how many a second `deckcheck.bulk.judge` judges, beside the evaluator alone, and each engine.

    python tests/benchmarks/bulk.py [--decks N] [FORMAT...]
    python tests/benchmarks/bulk.py --engines [--decks N]

The first prints, for each format, the decks a second of one core: those of the evaluator on decks that are read already, and
those of `judge`. The second runs the recipe of each engine that is installed on so many decks in Parquet files. Start-up is
the time for 1000 decks, and the rate that of the others, by the clock and by the processor time of all processes. Memory is
the most that these have together, on Linux; what they share counts once.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from factories.recipes import ENGINES, FORMAT, command_of, environment_of, missing
from factories.stored_decks import DAY, SHAPES, deck_of_rows, many

from deckcheck.bulk import judge
from deckcheck.rules.counting import tally
from deckcheck.rules.evaluator import evaluate

FEW = 1000
FILES = 16


def cpu_seconds(work: Callable[[], object]) -> float:
    """The processor time that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(format_id: str, decks: int) -> None:
    """Print the row of a format."""
    format, batch = many(format_id, decks)
    judge(batch.slice(0, 1000), format, as_of=DAY)
    by_deck: dict[str, list[tuple[str, str | None, str, int]]] = {}
    for row in batch.to_pylist():
        by_deck.setdefault(row["deck"], []).append((row["deck"], row["zone"], row["card"], row["copies"]))
    prepared, zones = format.prepared(DAY), frozenset(format.format.zones)
    read = [tally(deck_of_rows(rows, format, {}).entries, 0, zones) for rows in by_deck.values()]

    def evaluate_all() -> None:
        for contents in read:
            evaluate(prepared.clauses, contents, format.game_data.game.assumed_absent)

    alone = len(read) / cpu_seconds(evaluate_all)
    whole = len(read) / cpu_seconds(lambda: judge(batch, format, as_of=DAY))
    print(f"{format_id:24} {batch.num_rows / len(read):6.1f} {alone:10,.0f} {whole:10,.0f}", flush=True)


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


def compare_engines(decks: int) -> None:
    """Print a row for each engine."""
    batches = [many(FORMAT, size)[1] for size in (FEW, decks)]
    print(f"{decks:,} decks of {FORMAT}, {batches[1].num_rows:,} rows")
    print(f"{'':16} {'start-up':>9} {'a second':>9} {'a core s':>9} {'memory':>9}")
    for name in ENGINES:
        lacking = missing(name)
        if lacking:
            print(f"{name:16} {lacking}")
            continue
        found = []
        for batch in batches:
            with tempfile.TemporaryDirectory(prefix="dc-", ignore_cleanup_errors=True) as scratch:
                folder, rows = Path(scratch), batch.num_rows // FILES + 1
                (folder / "decks").mkdir()
                for at in range(FILES):
                    part = pa.Table.from_batches([batch.slice(at * rows, rows)])
                    pq.write_table(part, folder / "decks" / f"{at}.parquet")
                found.append(run_watched(command_of(name, folder), folder))
        (startup, few_used, _), (whole, used, memory) = found
        rate, of_core = ((decks - FEW) / took for took in (whole - startup, used - few_used))
        print(f"{name:16} {startup:7.1f} s {rate:9,.0f} {of_core:9,.0f} {memory:6,} MB", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--decks", type=int, default=20_000)
    parser.add_argument("--engines", action="store_true")
    parser.add_argument("formats", nargs="*", default=list(SHAPES), metavar="FORMAT")
    given = parser.parse_args()
    if given.engines:
        compare_engines(given.decks)
        return
    print(f"{'decks a second of a core':24} {'rows':>6} {'evaluator':>10} {'judge':>10}")
    for format_id in given.formats:
        measure(format_id, given.decks)


if __name__ == "__main__":
    main()
