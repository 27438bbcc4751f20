"""An event of 2,000 players: its CSV checked, accepted and audited, each by a command of its own.

    python tests/benchmarks/registration.py [--rounds N] [--players N]

Promise: all three together in less than ten seconds on two cores. A program
that only reads the same rows and takes a SHA-256 of each list is timed beside
them. Figures are medians.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from deckcheck.checking.judge import load_format

COMMAND = str(Path(sys.executable).with_name("deckcheck"))
EVENT = """\
event: benchmark
name: Benchmark
date: 2026-11-28
as_of: 2026-11-27
format: duel-masters/duemagic
deadline: 2026-11-27 20:00
entries:
  - file: form.csv
    columns: {submitted: time, name: name, reading: reading, id: id, deck: deck}
"""
READ_ALL = """
import csv, hashlib
with open("form.csv", encoding="utf-8", newline="") as file:
    print(len([hashlib.sha256(row[-1].encode()).hexdigest() for row in csv.reader(file)]))
"""


def make_event(folder: Path, players: int) -> None:
    """An event.yaml and its form: lists of 50 and 12 cards, one in twenty with a card too many."""
    names = [
        card.name for card in load_format("duel-masters/duemagic").game_data.catalog if card.home == "main"
    ]
    with (folder / "form.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["time", "name", "reading", "id", "deck"])
        for player in range(players):
            chosen = [names[(player * 17 + at * 61) % len(names)] for at in range(16)]
            main = [f"4 x {name}" for name in chosen[:12]] + [f"{2 + (player % 20 == 0)} x {chosen[12]}"]
            side = [f"4 x {name}" for name in chosen[13:]]
            deck = "\n".join(["メインデッキ", *main, "サイドボード", *side])
            writer.writerow(
                [f"2026/11/20 12:{player % 60:02}:00", f"選手{player}", "せんしゅ", f"{player:05}", deck]
            )
    (folder / "event.yaml").write_text(EVENT, encoding="utf-8")


def timed(arguments: list[str], folder: Path) -> float:
    start = time.perf_counter()
    done = subprocess.run(arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--players", type=int, default=2000)
    asked = parser.parse_args()
    steps: dict[str, Callable[[Path], float]] = {
        "read": lambda folder: timed([sys.executable, "-c", READ_ALL], folder),
        **{
            name: lambda folder, name=name: timed([COMMAND, "event", name, "event.yaml"], folder)
            for name in ("check", "accept", "audit")
        },
    }
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(asked.rounds):
        with tempfile.TemporaryDirectory() as name:
            make_event(Path(name), asked.players)
            for step, work in steps.items():
                times[step].append(work(Path(name)))
    for step, seconds in times.items():
        print(f"{step:8} {statistics.median(seconds):6.2f} s")
    whole = [
        sum(round) for round in zip(*(times[name] for name in ("check", "accept", "audit")), strict=True)
    ]
    ratio = statistics.median(whole) / statistics.median(times["read"])
    print(
        f"{'together':8} {statistics.median(whole):6.2f} s for {asked.players} players (promise: 10 s for 2,000)"
    )
    print(f"{'':8} {ratio:6.1f} times reading and hashing alone")


if __name__ == "__main__":
    main()
