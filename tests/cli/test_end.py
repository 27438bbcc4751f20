"""How the program ends: quickly, and yet with everything done that belongs to an end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BEFORE = """
import atexit, sys, threading, time
{}
sys.argv = ["deckcheck", *{!r}]
from deckcheck.cli.app import main
main()
"""


def ended(before: str, *words: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    """The program run to its end, with something done before."""
    code = BEFORE.format(before, list(words))
    return subprocess.run((sys.executable, "-c", code), capture_output=True, timeout=120, **more)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("words", [("--version",), ("formats",), ("check",)])
def test_what_was_asked_to_be_done_at_the_end_is_done(words: tuple[str, ...]) -> None:
    run = ended("atexit.register(lambda: sys.stdout.write('at the end\\n'))", *words)

    assert run.stdout.decode().endswith("at the end\n")


def test_a_thread_that_still_runs_is_waited_for() -> None:
    late = "threading.Thread(target=lambda: (time.sleep(2), sys.stdout.write('late\\n'))).start()"
    run = ended(late, "--version")

    assert run.stdout.decode().splitlines()[-1] == "late"
    assert run.returncode == 0


def test_what_waits_in_memory_is_written_before_the_end() -> None:
    run = ended("sys.stdout.write('first ' * 100); sys.stderr.write('second')", "--version")

    assert run.stdout.startswith(b"first " * 100)
    assert b"second" in run.stderr


@pytest.mark.parametrize("list_, status", [("4 x No Such Card\n", 1), ("", 2)])
def test_the_status_is_that_of_the_check(list_: str, status: int, tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text(list_, "utf-8")

    assert ended("", "check", "--format", "duel-masters/original", str(deck)).returncode == status


def test_standard_output_that_is_closed_is_no_crash() -> None:
    run = subprocess.run(
        f"'{sys.executable}' -m deckcheck --version >&-", shell=True, capture_output=True, timeout=120
    )

    assert b"Traceback" not in run.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_a_full_disk_is_told_in_one_line_even_before_a_command_begins(asked: str) -> None:
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run(
            (sys.executable, "-m", "deckcheck", asked), stdout=full, stderr=subprocess.PIPE, timeout=120
        )

    assert run.returncode == 2
    assert run.stderr.decode().count("\n") == 1
