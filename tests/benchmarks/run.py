"""The three promised figures, each beside its yardstick, measured in one run.

    python tests/benchmarks/run.py [--rounds N]

1. One deck, whole process, against a typer program that only prints a word.
   Promise: at most 1.4 times.
2. `check` through the API on a loaded format, from text, one core, against a
   loop that only splits the same lines and adds up their counts.
   Promise: 10,000 forty-line decks a second.
3. A folder of 10,000 decks from the command line, against a program that only
   reads the same files, with the peak memory of the largest process.
   Promise: faster than 12,000 decks a second on two cores.

Each is measured for forty cards of the first format and for a hundred single
cards with one that leads them. The promised rates are those of forty cards, so
beside the rate of the others stands how many forty-card decks have as many lines.

Times vary with the machine; the ratios to the yardsticks vary less. Figures
are medians; the runs of a pair follow each other, so that both see the same
machine.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from deckcheck import LoadedFormat, check, load_format

FORMAT = "duel-masters/original"
SINGLES = "magic/commander"
LEADER = "Kenrith, the Returned King"
AS_OF = "2026-01-01"
DECKS = 10_000

WORD = """
import typer
app = typer.Typer(add_completion=False)
@app.command()
def main(word: str = "legal") -> None:
    typer.echo(word)
app()
"""

READ_ALL = """
import sys
from pathlib import Path
print(sum(len(file.read_bytes()) for file in sorted(Path(sys.argv[1]).iterdir())))
"""


PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def decklists(format: LoadedFormat, number: int, copies: int) -> list[str]:
    """Made-up decks of forty cards, so many copies a line, always the same."""
    chance = random.Random(40)
    cards = [
        card.name
        for card in format.game_data.catalog
        if card.home == "main" and not card.made_of and card.released and card.released < AS_OF
    ]
    pool = chance.sample(cards, 2_000)
    lines = 40 // copies
    return ["".join(f"{copies} x {name}\n" for name in chance.sample(pool, lines)) for _ in range(number)]


def single_decks(format: LoadedFormat, number: int) -> list[str]:
    """Made-up decks of a hundred cards on as many lines, led by one of all colours, always the same."""
    chance = random.Random(100)
    banned = {entry.card for banlist in format.format.banlists for entry in banlist.cards}
    pool = []
    for card in format.game_data.catalog:
        played, sure = card.facts.get("pool"), "identity" not in card.partial
        if card.name not in {LEADER, *banned} and sure and isinstance(played, frozenset):
            pool += [card.name] if "commander" in played else []
    head = f"Commander\n1 x {LEADER}\nDeck\n"
    return [
        head + "".join(f"1 x {name}\n" for name in sorted(chance.sample(pool, 99))) for _ in range(number)
    ]


def command(format: str, path: Path) -> tuple[str, ...]:
    """The command that was installed beside this interpreter, with what it is asked."""
    program = str(Path(sys.executable).with_name("deckcheck"))
    return (program, "check", "--format", format, "--as-of", AS_OF, str(path))


def seconds(run: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def program(*words: str) -> Callable[[], object]:
    """A call that runs a program to its end and drops what it prints.

    Both of a pair keep their compiled modules, as installed programs do.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    quiet = subprocess.DEVNULL
    return lambda: subprocess.run(words, stdout=quiet, stderr=quiet, check=False, env=environment)


def paired(
    ours: Callable[[], object], yardstick: Callable[[], object], rounds: int
) -> tuple[float, float, float]:
    """Median seconds of both, and the median of the ratios of each pair."""
    ours(), yardstick()
    pairs = [(seconds(ours), seconds(yardstick)) for _ in range(rounds)]
    return (
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
    )


def verdicts(decks: list[str], format: LoadedFormat) -> Counter[str]:
    """What somebody with many decks asks: each is checked, and its report looked at and dropped."""
    return Counter(check(deck, format, as_of=AS_OF).verdict for deck in decks)


def only_count(decks: list[str]) -> int:
    """What no checker can do without: split the lines and add up the counts."""
    total = 0
    for deck in decks:
        for line in deck.splitlines():
            count, found, _ = line.partition(" x ")
            total += int(count) if found else 0
    return total


def show(title: str, figure: str, yardstick: str, promise: str) -> None:
    """One block of the result."""
    print(f"{title}\n  deckcheck  {figure}\n  yardstick  {yardstick}\n  promise    {promise}\n", flush=True)


def _as_forty(lines: int, rate: float) -> str:
    return f" (as many lines as {rate * lines / 40:,.0f} of forty)" if lines > 40 else ""


def one_deck(folder: Path, format: str, lines: int, deck: str, rounds: int) -> None:
    """The first figure."""
    word, file = folder / "word.py", folder / f"{lines}.txt"
    word.write_text(WORD, encoding="utf-8")
    file.write_text(deck, encoding="utf-8")
    ours, other, ratio = paired(program(*command(format, file)), program(sys.executable, str(word)), rounds)
    show(
        f"1. one deck of {lines} lines, {format}, whole process",
        f"{ours * 1000:6.1f} ms   {ratio:.2f} times the yardstick",
        f"{other * 1000:6.1f} ms   a typer program that prints a word",
        "at most 1.40 times",
    )


def from_text(format: LoadedFormat, lines: int, decks: list[str]) -> None:
    """The second figure."""
    ours, other, ratio = paired(lambda: verdicts(decks, format), lambda: only_count(decks), 3)
    show(
        f"2. {len(decks):,} decks of {lines} lines, {format.format.id}, through the API, one core",
        f"{len(decks) / ours:9,.0f} decks a second{_as_forty(lines, len(decks) / ours)}   "
        f"{ratio:.1f} times the yardstick's time",
        f"{len(decks) / other:9,.0f} decks a second   only splitting lines and adding counts",
        "10,000 decks a second",
    )


def whole_folder(folder: Path, format: str, lines: int, decks: list[str]) -> None:
    """The third figure."""
    read_all, many = folder / "read_all.py", folder / f"decks-{lines}"
    read_all.write_text(READ_ALL, encoding="utf-8")
    many.mkdir()
    for at, deck in enumerate(decks):
        (many / f"{at:05}.txt").write_text(deck, encoding="utf-8")
    python = sys.executable
    ours, other, ratio = paired(program(*command(format, many)), program(python, str(read_all), str(many)), 5)
    # Asked of a small program, for a process counts with the memory of the one that started it.
    measured = subprocess.run((python, "-c", PEAK, *command(format, many)), capture_output=True, check=True)
    show(
        f"3. a folder of {DECKS:,} decks of {lines} lines, {format}, {len(os.sched_getaffinity(0))} cores",
        f"{DECKS / ours:9,.0f} decks a second{_as_forty(lines, DECKS / ours)}   {ratio:.1f} times the yardstick's time   "
        f"{int(measured.stdout) / 1024:.0f} MB at most",
        f"{DECKS / other:9,.0f} decks a second   only reading the files, one core",
        "more than 12,000 decks a second on two cores",
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15, help="pairs of runs for the single deck")
    rounds = parser.parse_args().rounds
    first, singles = load_format(FORMAT), load_format(SINGLES)
    measured = [(first, lines, decklists(first, DECKS, 40 // lines)) for lines in (10, 40)]
    measured.append((singles, 100, single_decks(singles, DECKS)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for format, lines, decks in measured:
            one_deck(folder, format.format.id, lines, decks[0], rounds)
        for format, lines, decks in measured[1:]:
            from_text(format, lines, decks)
        for format, lines, decks in measured:
            whole_folder(folder, format.format.id, lines, decks)


if __name__ == "__main__":
    main()
