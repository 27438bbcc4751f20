"""The promised figures, each beside its yardstick, measured in one run.

    python tools/benchmarks/run.py [--rounds N] [--decks N] [--only one|api|folder] [--showdown FOLDER]

1. One deck, whole process, in each notation, against a typer program that only prints a word.
   Promise: at most 2.0 times; 2.5 for a hundred single cards and for a deck with two unknown names.
2. `check` through the API on a loaded format, from text that nobody saw before, one core,
   against a loop that only splits the same lines and adds up their counts. With node and a
   built checkout of Pokémon Showdown, its validator judges teams on the same core.
   Promise: at least 1.5 times as many decks a second as Showdown judges teams.
3. A folder of decks from the command line, all notations in turn, against a program that opens
   each file, takes each line apart and looks its name up in a dict, in processor time; and the
   wait with one process and with two, with the peak memory of the largest process.
   Promise: at most 10 times the processor time; two processes halve the wait.

Every deck has forty cards of the whole card table, each deck others, and each measurement
begins with nothing remembered: what is read again is easier. `magic/commander`, with a hundred
single cards, is measured beside them; how many forty-card decks have as many lines is said there.

Times vary with the machine; the ratios to the yardsticks vary less. The API and the folder are
measured in processor time, single decks by the clock. Figures are medians; the runs of a pair follow each
other, so that both see the same machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from deckcheck import LoadedFormat, check, load_format

FORMAT = "duel-masters/original"
SINGLES = "magic/commander"
LEADER = "Kenrith, the Returned King"
AS_OF = "2026-01-01"
USUAL = "{count} x {name}"
NOTATIONS = (
    USUAL,
    "{name} ×{count}",
    "《{name}》 {count}枚",
    "{name}{count}",
    "●{name}　×{count}",
    "{name}\n×{count}",
    "{count}\n{name}",
    "{count}枚：{name}",
)
COUNTS = (4, 4, 4, 4, 3, 3, 2, 1)

WORD = """
import typer
app = typer.Typer(add_completion=False)
@app.command()
def main(word: str = "legal") -> None:
    typer.echo(word)
app()
"""

LOOK_UP = """
import json, re, sys
from pathlib import Path
names = dict.fromkeys(json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")))
line_of_card = re.compile(
    "[●《 ]*(?:(?P<left>[0-9]{1,2})(?: ?x ?|枚：| )?)?"
    "(?P<name>.*?)(?:》? ?　?[×x]?(?P<right>[0-9]{1,2})枚?)?"
)
copies = known = 0
for file in sorted(Path(sys.argv[1]).iterdir()):
    for line in file.read_text(encoding="utf-8").splitlines():
        parts = line_of_card.fullmatch(line)
        copies += int(parts["left"] or parts["right"] or 0)
        known += parts["name"] in names
print(copies, known)
"""

SHOWDOWN = """
const {Teams, TeamValidator} = require(process.argv[1] + '/dist/sim');
const validator = TeamValidator.get('gen9ou');
const teams = Array.from({length: 2000}, () => Teams.generate('gen9randombattle'));
teams.slice(0, 200).forEach(team => validator.validateTeam(team));
const before = process.cpuUsage();
teams.forEach(team => validator.validateTeam(team));
const spent = process.cpuUsage(before);
console.log(teams.length * 1e6 / (spent.user + spent.system));
"""

PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def main_names(format: LoadedFormat) -> list[str]:
    """The cards that decks are made of."""
    return [card.name for card in format.game_data.catalog if card.home == "main" and not card.made_of]


def cards_of_a_deck(chance: random.Random, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Copies and names of forty cards."""
    missing = 40
    for name in chance.sample(names, 40):
        count = min(missing, chance.choice(COUNTS))
        if count:
            yield count, name
        missing -= count


def decklists(format: LoadedFormat, number: int, notations: Sequence[str], seed: int = 40) -> list[str]:
    """Made-up decks of forty cards in these notations in turn, always the same for a seed."""
    chance, names = random.Random(seed), main_names(format)
    decks = []
    for deck in range(number):
        notation = notations[deck % len(notations)]
        rows = [notation.format(count=count, name=name) for count, name in cards_of_a_deck(chance, names)]
        decks.append("\n".join(rows) + "\n")
    return decks


def single_cards(format: LoadedFormat, number: int) -> list[list[str]]:
    """The ninety-nine other cards of decks that one of all colours leads, always the same."""
    chance = random.Random(100)
    banned = {
        name for banlist in format.format.banlists for entry in banlist.entries for name in entry.sides[0]
    }
    pool = []
    for card in format.game_data.catalog:
        played, sure = card.facts.get("pool"), "identity" not in card.partial
        later = card.released is not None and card.released > AS_OF
        if card.name not in {LEADER, *banned} and sure and not later and isinstance(played, frozenset):
            pool += [card.name] if "commander" in played else []
    return [sorted(chance.sample(pool, 99)) for _ in range(number)]


def single_decks(format: LoadedFormat, number: int) -> list[str]:
    """Those decks as lists of a hundred cards on as many lines."""
    head = f"Commander\n1 x {LEADER}\nDeck\n"
    return [head + "".join(f"1 x {name}\n" for name in names) for names in single_cards(format, number)]


def command(format: str, path: Path) -> tuple[str, ...]:
    """The command that was installed beside this interpreter, with what it is asked."""
    program = str(Path(sys.executable).with_name("deckcheck"))
    return (program, "check", "--format", format, "--as-of", AS_OF, str(path))


def seconds(run: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long one call takes."""
    start = clock()
    run()
    return clock() - start


def program(*words: str, cores: Collection[int] = ()) -> Callable[[], object]:
    """A call that runs a program to its end, on these cores if any are given, and drops what it prints.

    Both of a pair keep their compiled modules, as installed programs do.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    quiet = subprocess.DEVNULL

    def run() -> None:
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, set(cores) & before or before)
        subprocess.run(words, stdout=quiet, stderr=quiet, check=False, env=environment)
        os.sched_setaffinity(0, before)

    return run


def paired(
    ours: Callable[[], object], yardstick: Callable[[], object], rounds: int
) -> tuple[float, float, float]:
    """Median seconds of both, and the median of the ratios of each pair."""
    ours(), yardstick()
    return medians([(seconds(ours), seconds(yardstick)) for _ in range(rounds)])


def medians(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """The median of each side, and that of the ratios."""
    return (
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
    )


def verdicts(decks: Sequence[str], format: LoadedFormat) -> Counter[str]:
    """What somebody with many decks asks: each is checked, and its report looked at and dropped."""
    return Counter(check(deck, format, as_of=AS_OF).verdict for deck in decks)


def only_count(decks: Sequence[str]) -> int:
    """What no checker can do without: split the lines and add up the counts."""
    return sum(
        int("0" + "".join(filter(str.isdigit, line[:2]))) for deck in decks for line in deck.splitlines()
    )


def show(title: str, figure: str, yardstick: str, promise: str) -> None:
    """One block of the result."""
    print(f"{title}\n  deckcheck  {figure}\n  yardstick  {yardstick}\n  promise    {promise}\n", flush=True)


def one_line(notation: str) -> str:
    """A notation as it is shown."""
    return notation.format(count="N", name="NAME").replace("\n", " ⏎ ")


def _as_forty(format: str, rate: float) -> str:
    return f" (as many lines as {rate * 7:,.0f} of forty cards)" if format == SINGLES else ""


def one_deck(
    folder: Path, format: str, notation: str, deck: str, rounds: int, *, most: float = 2.0, trait: str = ""
) -> None:
    """The first figure: `most` is the promise, `trait` says what is special about the deck."""
    word, file = folder / "word.py", folder / "one.txt"
    word.write_text(WORD, encoding="utf-8")
    file.write_text(deck, encoding="utf-8")
    ours, other, ratio = paired(program(*command(format, file)), program(sys.executable, str(word)), rounds)
    show(
        f"1. one deck of {len(deck.splitlines())} lines{trait}, {format}, {one_line(notation)}, whole process",
        f"{ours * 1000:6.1f} ms   {ratio:.2f} times the yardstick",
        f"{other * 1000:6.1f} ms   a typer program that prints a word",
        f"at most {most:.1f} times",
    )


def from_text(format: str, notations: str, decks: Sequence[str], rounds: int) -> None:
    """The second figure. Each round begins with a format that has seen nothing."""
    clock, pairs = time.process_time, []
    for _ in range(rounds):
        loaded = load_format(format)
        ours = seconds(lambda: verdicts(decks, loaded), clock)  # noqa: B023 - called at once
        pairs.append((ours, seconds(lambda: only_count(decks), clock)))
    ours, other, ratio = medians(pairs)
    show(
        f"2. {len(decks):,} decks, {format}, {notations}, through the API, one core",
        f"{len(decks) / ours:9,.0f} decks a second{_as_forty(format, len(decks) / ours)}   "
        f"{ratio:.1f} times the yardstick's time",
        f"{len(decks) / other:9,.0f} decks a second   only splitting lines and adding counts",
        "at least 1.5 times as many as Pokémon Showdown judges teams",
    )


def processor_seconds(*words: str) -> float:
    """The processor time of a program with all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program(*words)()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def whole_folder(
    folder: Path, format: str, names: Sequence[str], notations: str, decks: Sequence[str], rounds: int
) -> None:
    """The third figure."""
    look_up, table = folder / "look_up.py", folder / "names.json"
    many = folder / f"{format.partition('/')[0]}-{len(notations)}"
    look_up.write_text(LOOK_UP, encoding="utf-8")
    table.write_text(json.dumps(names), encoding="utf-8")
    many.mkdir()
    for at, deck in enumerate(decks):
        (many / f"{at:05}.txt").write_text(deck, encoding="utf-8")
    python, ours = sys.executable, command(format, many)
    pairs = [
        (processor_seconds(*ours), processor_seconds(python, str(look_up), str(many), str(table)))
        for _round in range(rounds)
    ]
    spent, other, ratio = medians(pairs)
    cores = sorted(os.sched_getaffinity(0))
    alone, together = (seconds(program(*ours, cores=cores[:number])) for number in (1, 2))
    # Asked of a small program, for a process counts with the memory of the one that started it.
    measured = subprocess.run((python, "-c", PEAK, *ours), capture_output=True, check=True)
    show(
        f"3. a folder of {len(decks):,} decks, {format}, {notations}",
        f"{spent:6.2f} s of processor time   {ratio:.1f} times the yardstick   one process {alone:.1f} s, "
        f"two {together:.1f} s   {int(measured.stdout) / 1024:.0f} MB at most",
        f"{other:6.2f} s of processor time   opening, taking lines apart, looking up names in a dict",
        "at most 10 times; two processes halve the wait",
    )


def showdown(folder: Path) -> None:
    """The rate of Pokémon Showdown's validator, from a built checkout."""
    measured = subprocess.run(
        ("node", "-e", SHOWDOWN, str(folder.resolve())), capture_output=True, check=True
    )
    print(f"   Pokémon Showdown's validator on one core: {float(measured.stdout):,.0f} teams a second\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15, help="pairs of runs for the single deck")
    parser.add_argument("--decks", type=int, default=10_000, help="decks for the others")
    parser.add_argument("--showdown", type=Path, help="a built checkout of Pokémon Showdown")
    parser.add_argument("--only", choices=("one", "api", "folder"), action="append", help="what to measure")
    asked = parser.parse_args()
    wanted = asked.only or ("one", "api", "folder")
    first, singles = load_format(FORMAT), load_format(SINGLES)
    mixed = f"{len(NOTATIONS)} notations"
    measured = [
        (FORMAT, mixed, decklists(first, asked.decks, NOTATIONS)),
        (FORMAT, one_line(USUAL), decklists(first, asked.decks, (USUAL,), seed=41)),
        (SINGLES, one_line(USUAL), single_decks(singles, asked.decks)),
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "one" in wanted:
            for notation in NOTATIONS:
                (deck,) = decklists(first, 1, (notation,))
                one_deck(folder, FORMAT, notation, deck, asked.rounds)
            (deck,) = decklists(first, 1, (USUAL,))
            lines = deck.splitlines()
            misspelt = [line[:-3] + line[-2:] for line in lines[-2:]]
            unknown = "\n".join([*lines[:-2], *misspelt]) + "\n"
            two = ", two of them with a letter left out, so that the names are unknown"
            one_deck(folder, FORMAT, USUAL, unknown, asked.rounds, most=2.5, trait=two)
            one_deck(folder, SINGLES, USUAL, measured[2][2][0], asked.rounds, most=2.5)
        if "api" in wanted:
            for format, notations, decks in measured:
                from_text(format, notations, decks, 3)
            if asked.showdown is not None:
                showdown(asked.showdown)
        if "folder" in wanted:
            for format, notations, decks in measured:
                cards = (first if format == FORMAT else singles).game_data.catalog
                whole_folder(folder, format, [card.name for card in cards], notations, decks, 3)


if __name__ == "__main__":
    main()
