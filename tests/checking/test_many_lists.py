"""Many decks: the same bytes however many processes work on them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from factories.commands import run_here

from deckcheck.checking import many_lists
from deckcheck.checking.deck_files import find_decks
from deckcheck.checking.many_lists import Request, check_lists, check_paths
from deckcheck.checking.session import CheckOptions, OpenedDeck
from deckcheck.model.finding import Report
from deckcheck.report.writer import RenderOptions, Results

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


def told(folder: Path, request: Request, processes: int) -> list[Results]:
    return list(check_paths(list(find_decks([str(folder)])), request, processes=processes))


def joined(all_done: list[Results]) -> tuple[list[str], list[object], int]:
    texts = [text for done in all_done for text in done.records]
    return (
        texts,
        [problem for done in all_done for problem in done.problems],
        sum(one.size for one in all_done),
    )


@pytest.mark.parametrize("output", ["text", "json"])
def test_several_processes_tell_the_same_as_one(many: Path, output: str) -> None:
    request = Request(CheckOptions(FORMAT, "2024-03-02"), output, RenderOptions(brief=True))
    alone, together = told(many, request, 1), told(many, request, 3)
    assert joined(alone) == joined(together)
    texts, problems, size = joined(alone)
    assert (len(texts), len(problems), size) == (398, 2, 400)
    lists = [dict.fromkeys(one for done in all_done for one in done.lists) for all_done in (alone, together)]
    assert list(lists[0]) == list(lists[1])


def test_an_unknown_format_is_one_mistake_however_many_lists_there_are(
    many: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_here("check", "--format", "orignal", str(many)) == 2
    out, err = capfd.readouterr()
    # Two of the files are damaged.
    assert not out and err.count("error:") == 3
    assert err.count("--format: error: there is no format 'orignal'") == 1


def test_a_run_is_deterministic(
    many: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    for processors in (1, 2, 4):
        monkeypatch.setattr(many_lists, "processors", lambda count=processors: count)
        request = Request(CheckOptions(FORMAT, "2024-03-02"), render=RenderOptions("ja", brief=True))
        results = check_lists(list(find_decks([str(many)])), request, (None,))
        seen.append((results.failed, *capsysbinary.readouterr()))
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][0] > 0
    assert "398件のデッキ" in seen[0][1].decode()


def test_a_process_that_is_killed_is_one_message(
    many: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, check = os.getpid(), OpenedDeck.check

    def killed(opened: OpenedDeck) -> Report:
        if os.getpid() != here:
            os._exit(1)
        return check(opened)

    monkeypatch.setattr(OpenedDeck, "check", killed)
    monkeypatch.setattr(many_lists, "processors", lambda: 2)
    assert run_here("check", "-f", FORMAT, "--lang", "en", many) == 2
    assert "ended before its work was done" in capfd.readouterr().err


def test_memory_that_runs_out_in_a_process_is_one_message(
    many: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, check = os.getpid(), OpenedDeck.check

    def starved(opened: OpenedDeck) -> Report:
        if os.getpid() != here:
            raise MemoryError
        return check(opened)

    monkeypatch.setattr(OpenedDeck, "check", starved)
    monkeypatch.setattr(many_lists, "processors", lambda: 2)
    assert run_here("check", "-f", FORMAT, "--lang", "en", many) == 2
    # Of the lists that come first one can't be read.
    broken, error = capfd.readouterr().err.splitlines()
    assert "017.txt" in broken
    assert error == "error: out of memory"


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
