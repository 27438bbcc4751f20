"""Repairs and proofs of every bundled format, each a whole process, beside a plain check of the same deck.

    python tests/benchmarks/proofs.py [--rounds N] [--only repair|prove] [FORMAT...]

1. An illegal deck: a smallest legal one of the format, drawn by its model, that lacks three copies and has five more
   of another card. Promise: repaired in less than two seconds, the first time included.
2. `formats prove` of each format. Promise: three minutes for all of them on two cores.

Figures are medians in seconds by the clock; a check and a repair follow each other.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from deckcheck import load_format
from deckcheck.analysis.card_classes import FormatOnDay
from deckcheck.analysis.constraints import Number
from deckcheck.analysis.deck_model import DeckModel, DeckSearch
from deckcheck.analysis.witness import judged, list_of
from deckcheck.formats.lookup import bundled_formats

AS_OF = "2026-08-20"


def illegal_deck(format_id: str) -> str:
    """The list of an illegal deck, always the same."""
    format, chance = load_format(format_id), Random(format_id)
    on_day = FormatOnDay(format, AS_OF)

    def size(model: DeckModel) -> Number:
        return sum(names.copies(None) for names in model.names)

    found = DeckSearch(format, on_day.classes_of).find(
        on_day.errors, size, 60, default_zone=on_day.default_zone
    )
    assert found.solution.values is not None
    copies = found.model.deck(found.solution.values, chance.sample)
    rows = [(zone, name) for zone, names in copies.items() for name in names]
    for zone, name in chance.sample(rows, min(3, len(rows))):
        copies[zone][name] -= 1
    chance.shuffle(rows)
    # Of some cards there may be any number.
    for more, (zone, name) in [*((5, row) for row in rows), (0, rows[0])]:
        held = {**copies, zone: {**copies[zone], name: copies[zone][name] + more}}
        if judged(held, format, AS_OF).verdict == "illegal":
            return list_of(held, format, "en", {"format": format_id, "as-of": AS_OF})
    raise ValueError(f"no illegal deck of {format_id} was found")


def seconds(*words: str) -> tuple[float, str]:
    """How long a command takes, and its first line."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "deckcheck", *words], capture_output=True, text=True, check=False
    )
    return time.perf_counter() - start, (done.stdout or done.stderr).partition("\n")[0]


def repairs(ids: list[str], rounds: int) -> None:
    """Print the table of repairs."""
    print(f"{'repair':24} {'check':>8} {'repair':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for format_id in ids:
            file = Path(folder) / "deck.txt"
            file.write_text(illegal_deck(format_id), encoding="utf-8")
            pairs = [
                (seconds("check", str(file)), seconds("repair", "--lang", "en", str(file)))
                for _ in range(rounds)
            ]
            plain, repair = (statistics.median(pair[at][0] for pair in pairs) for at in (0, 1))
            print(
                f"{format_id:24} {plain:8.2f} {repair:8.2f}  {pairs[0][1][1].partition(': ')[2]}", flush=True
            )


def proofs(ids: list[str], rounds: int) -> None:
    """Print the table of proofs."""
    print(f"{'prove':24} {'seconds':>8}")
    total = 0.0
    for format_id in ids:
        took = statistics.median(seconds("formats", "prove", format_id)[0] for _ in range(rounds))
        total += took
        print(f"{format_id:24} {took:8.2f}", flush=True)
    print(f"{'all':24} {total:8.2f}")


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("formats", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=("repair", "prove"))
    options = parser.parse_args()
    ids = options.formats or [entry.id for entry in bundled_formats() if not entry.abstract]
    if options.only != "prove":
        repairs(ids, options.rounds)
    if options.only != "repair":
        proofs(ids, options.rounds)


if __name__ == "__main__":
    main()
