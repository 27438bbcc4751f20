"""Stored decks: how many a second `deckcheck.bulk.judge` judges, beside the evaluator alone on decks that are read already.

    python tests/benchmarks/bulk.py [--decks N]

Promise: as fast as the evaluator, on every core that an engine gives it. Both are measured in processor time.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from deckcheck.bulk import judge
from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.model.deck import Entry
from deckcheck.rules.counting import tally
from deckcheck.rules.evaluator import evaluate

sys.path.insert(0, str(Path(__file__).parent))
from run import AS_OF, FORMAT, LEADER, SINGLES, cards_of_a_deck, main_names, single_cards

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=20_000)
    asked = parser.parse_args()
    print(f"{'decks a second of a core':24} {'rows':>6} {'evaluator':>10} {'judge':>10}")
    for format_id in (FORMAT, SINGLES):
        measure(format_id, asked.decks)


if __name__ == "__main__":
    main()
