"""Many decks: the same bytes however many processes work on them."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from factories.commands import run_here

from deckcheck.checking import many_lists
from deckcheck.checking.deck_files import find_decks
from deckcheck.checking.many_lists import Target, check_lists
from deckcheck.checking.session import CheckOptions, OpenedDeck
from deckcheck.model.finding import Report
from deckcheck.report.results import RenderOptions

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is one process only")

FORMAT = str(Path(__file__).parent.parent / "fixtures" / "format.yaml")
NAMES = [
    "天災 デドダム",
    "青銅の鎧",
    "フェアリー・ライフ",
    "アクア・ハルカス",
    "誰も知らないカード",
    "\x1b[31m赤い線",
]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    for number in range(400):
        lines = [
            f"{(number * place) % 5 + 1} x {name}\n"
            for place, name in enumerate(NAMES[: 4 if number % 40 else 6])
        ]
        (folder / f"{number:03}.txt").write_text("".join(lines), encoding="utf-8")
    (folder / "017.txt").write_bytes(b"\0")
    (folder / "390.txt").write_bytes(b"\xff\xff")
    return folder


@pytest.mark.parametrize("output", ["text", "json"])
def test_several_processes_tell_the_same_as_one(
    many: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    output: str,
) -> None:
    options, target = CheckOptions(FORMAT, "2024-03-02"), Target(output, RenderOptions("ja", brief=True))
    seen = []
    for processors in (1, 3):
        monkeypatch.setattr(many_lists, "processors", lambda count=processors: count)
        results = check_lists(list(find_decks([str(many)])), options, [target])
        seen.append(
            (
                results.failed,
                results.decks + results.failed,
                [*results.problems],
                [*results.lists],
                *capsysbinary.readouterr(),
            )
        )
    assert seen[0] == seen[1]
    failed, size, problems, lists, out, _err = seen[0]
    assert (failed > 0, size, len(problems), len(lists)) == (True, 400, 2, 1)
    assert ("398件のデッキ" if output == "text" else '"legal"') in out.decode()


def count_submitted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is given to other processes from now on."""
    submitted, submit = [], ProcessPoolExecutor.submit

    def counted(executor: ProcessPoolExecutor, *arguments: Any) -> Any:
        submitted.append(arguments)
        return submit(executor, *arguments)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", counted)
    return submitted


@pytest.mark.parametrize("place", [0, 100, 400])
def test_standard_input_is_read_in_its_place_and_the_other_lists_by_several_processes(
    many: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    monkeypatch.setattr(many_lists, "processors", lambda: 2)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("9 x 天災 デドダム\n".encode())))
    submitted = count_submitted(monkeypatch)
    paths = [str(path) for path in sorted(many.iterdir())]
    paths.insert(place, "-")
    run_here("check", "-f", FORMAT, "--output-format", "concise", *paths)
    # The last line is about the run.
    lines = capfd.readouterr().out.splitlines()[:-1]
    told = list(dict.fromkeys(line.partition(":")[0] for line in lines))
    assert told == [path for path in paths if path in told] and "-" in told
    assert len(submitted) >= 5


def test_only_a_few_results_wait_to_be_written(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_lists, "processors", lambda: 2)
    monkeypatch.setattr(many_lists, "_CHUNK", 4)
    submitted = count_submitted(monkeypatch)
    checker = many_lists._Checker(CheckOptions(FORMAT, "2024-03-02"), [Target()])
    results = many_lists._checked(list(find_decks([str(many)])), checker)
    for number in range(60):
        next(results)
        # The first results come from this process.
        assert len(submitted) <= number + 2 * many_lists._AHEAD
    assert sum(1 for _results in results) == 38


def test_an_unknown_format_is_one_mistake_however_many_lists_there_are(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for number in range(30):
        (tmp_path / f"{number}.txt").write_text("4 x 青銅の鎧\n" if number else "\0", encoding="utf-8")
    assert run_here("check", "--format", "orignal", tmp_path) == 2
    out, err = capfd.readouterr()
    # One of the files is damaged.
    assert not out and err.count("error:") == 2
    assert err.count("--format: error: there is no format 'orignal'") == 1


def test_there_are_as_many_processors_as_the_system_lets_this_process_use() -> None:
    assert 1 <= many_lists.processors() <= (os.cpu_count() or 1)


def no_memory() -> None:
    raise MemoryError


@pytest.mark.parametrize(
    ("accident", "said"),
    [(lambda: os._exit(1), "ended before its work was done"), (no_memory, "error: out of memory")],
)
def test_a_process_that_is_killed_or_out_of_memory_is_one_message(
    many: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    accident: Callable[[], None],
    said: str,
) -> None:
    here, check = os.getpid(), OpenedDeck.check

    def struck(opened: OpenedDeck) -> Report:
        if os.getpid() != here:
            accident()
        return check(opened)

    monkeypatch.setattr(OpenedDeck, "check", struck)
    monkeypatch.setattr(many_lists, "processors", lambda: 2)
    assert run_here("check", "-f", FORMAT, "--lang", "en", many) == 2
    # Of the lists that come first one can't be read.
    *broken, error = capfd.readouterr().err.splitlines()
    assert said in error
    assert all("017.txt" in line for line in broken)


def test_an_interrupt_ends_all_processes(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / f"{number}.txt").write_text("9 x 天災 デドダム\n" * 20, encoding="utf-8")
    command = [sys.executable, "-m", "deckcheck", "check", "-f", FORMAT, str(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    # Nobody reads on, so that it can't come to an end by itself.
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == b""
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
