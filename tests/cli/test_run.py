"""However a command ends: a short message and a status that means it, whatever becomes of streams, signals and paths."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer
from factories.commands import deckcheck, environment
from factories.events import put
from factories.examples import amount, within

from deckcheck.cli.run import Run, errors_told
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

FORMAT = str(Path(__file__).parent.parent / "fixtures" / "format.yaml")
LEGAL = "4 x 天災 デドダム\n4 x 青銅の鎧\n"
PROGRAM = (sys.executable, "-m", "deckcheck")
PIPES: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def status_of(error: BaseException, run: Run) -> int:
    """The status with which a run ends that meets this error."""
    with pytest.raises(typer.Exit) as end, errors_told(run):
        raise error
    return end.value.exit_code


@pytest.mark.parametrize(
    ("error", "en", "ja"),
    [
        (
            user_error(_("no such folder"), path="x"),
            "x: error: no such folder",
            "x: エラー：フォルダがありません",
        ),
        (OSError(errno.ENOSPC, "No space left"), "can't be written: No space", "書き込めません: No space"),
        (KeyError("rules"), "internal error in deckcheck (KeyError: 'rules')", "deckcheckの内部エラーです"),
    ],
)
def test_whatever_goes_wrong_is_told_without_a_traceback(
    error: Exception, en: str, ja: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckcheck.cli.run._abandon_output", lambda: None)
    for lang, wanted in (("en", en), ("ja", ja)):
        assert status_of(error, Run(lang)) == 2
        said = capfd.readouterr().err
        assert wanted in said
        assert "Traceback" not in said


def test_a_private_run_tells_no_name(capfd: pytest.CaptureFixture[str]) -> None:
    run = Run("en")
    status_of(KeyError("水野 光"), run)
    assert "水野 光" in capfd.readouterr().err
    run.private = True
    status_of(KeyError("水野 光"), run)
    assert capfd.readouterr().err == "error: internal error in deckcheck (KeyError)\n"


# What only a process shows


def done(*command: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    given = {"env": environment(), "capture_output": True, "timeout": 120, **more}
    return subprocess.run(command, **given)


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    put(tmp_path, {f"{number}.txt": "9 x 天災 デドダム\n" * 20 for number in range(50)})
    command = [*PROGRAM, "check", "-f", FORMAT, str(tmp_path)]
    with subprocess.Popen(command, **PIPES, env=environment()) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_a_closed_pipe_has_one_status() -> None:
    program = f"'{sys.executable}' -m deckcheck"
    for words in ("--help", "formats"):
        ended = done("bash", "-c", f"{program} {words} | head -n0; echo ${{PIPESTATUS[0]}}")
        assert (ended.stdout.split(), ended.stderr) == ([b"141"], b"")


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_interrupt_is_130_without_a_traceback(tmp_path: Path) -> None:
    put(tmp_path, {"legal.txt": LEGAL})
    command = [*PROGRAM, "check", "-f", FORMAT, "legal.txt", "-"]
    process = subprocess.Popen(command, **PIPES, env=environment(), cwd=tmp_path)
    assert process.stdout is not None
    # Once the first deck is told it waits for its standard input, which never comes.
    assert process.stdout.readline().startswith(b"legal.txt")
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_interrupt_while_the_program_is_loaded_is_130() -> None:
    code = """
import builtins, sys
sys.modules["typer"] = None
import deckcheck.__main__ as program
load = builtins.__import__
def stop(name, *more):
    if name.startswith("deckcheck.cli"): raise KeyboardInterrupt
    return load(name, *more)
builtins.__import__ = stop
program.main()
"""
    ended = done(sys.executable, "-c", code)
    assert (ended.returncode, ended.stderr) == (130, b"")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("check -f original - <&-", b"standard input is closed"),
        ("which - <&-", b"standard input is closed"),
        ("check -f original decks.txt >&-", b"standard output is closed"),
        ("--version >&-", b"standard output is closed"),
    ],
)
def test_a_closed_stream_is_told(command: str, said: bytes, tmp_path: Path) -> None:
    put(tmp_path, {"decks.txt": "4 x 青銅の鎧\n"})
    ended = done("bash", "-c", f'"{sys.executable}" -m deckcheck {command}', cwd=tmp_path)
    assert ended.returncode == 2 and said in ended.stderr and b"internal" not in ended.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_a_full_disk_is_told_in_one_line_even_before_a_command_begins(asked: str) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = done(*PROGRAM, asked, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert ended.returncode == 2
    assert ended.stderr.count(b"\n") == 1


def test_what_is_suggested_is_the_same_every_time() -> None:
    """Whatever the order in which Python keeps its sets."""
    command = (*PROGRAM, "check", "-", "--ignore", "copis")
    hints = {done(*command, env=environment(PYTHONHASHSEED=seed), input=b"").stderr for seed in "12"}
    assert len(hints) == 1 and b"did you mean" in hints.pop()


def test_the_module_is_the_program() -> None:
    program = Path(sys.executable).with_name("deckcheck")
    if not program.exists():
        pytest.skip("it isn't installed")
    words = ("check", "-", "-f", FORMAT)
    ends = [done(*command, *words, input=LEGAL.encode()) for command in ((str(program),), PROGRAM)]
    one, other = ((end.returncode, end.stdout, end.stderr) for end in ends)
    assert one == other


# Paths that can't be what they are given as


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path, {"deck.txt": "4 Lightning Bolt\n56 Mountain\n", "cards.json": "[]"})
    (tmp_path / "loop").symlink_to("loop")
    return tmp_path


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize(
    "words",
    [
        "check deck.txt -f modern --output loop",
        "check deck.txt -f modern --report json=loop",
        "check deck.txt -f modern --output loop/report.txt",
        "sheet deck.txt -f modern --output loop",
        "convert deck.txt --game magic --to csv --output loop",
        "convert deck.txt --game magic --to csv --output loop --force",
        "impact deck.txt -f modern --from 2024-01-01 --to loop",
        "import cards.json --game magic --into loop",
        "import cards.json --game magic --into ",
        "check loop -f modern",
        "init loop",
        "event init loop",
    ],
)
def test_a_path_that_leads_nowhere_is_one_message_and_status_2(folder: Path, words: str) -> None:
    for lang, mark in (("en", "error: "), ("ja", "エラー：")):
        ended = deckcheck(*words.split(" "), "--lang", lang, cwd=folder)
        assert ended.status == 2
        assert "Traceback" not in ended.err
        assert len([line for line in ended.err.splitlines() if mark in line]) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
@pytest.mark.parametrize(
    "words", ["check deck -f modern", "check . -f modern", "which deck", "convert deck --game magic --to csv"]
)
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(folder: Path, words: str) -> None:
    os.mkfifo(folder / "deck")
    os.mkfifo(folder / "pipe.txt")
    start = time.monotonic()
    ended = deckcheck(*words.split(), cwd=folder)
    assert time.monotonic() - start < 60
    assert ended.status in (0, 2)
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    "line", ["Forest Mountain {n} x", "{n} 山 林 {n}", "4 Foo Bar {n}", "{n}a b 3 x c{n}", "4 Lightnin Bolt"]
)
def test_many_short_lines_take_seconds(folder: Path, line: str) -> None:
    lines = amount(4900, 1000)
    put(folder, {"long.txt": "".join(f"{line.format(n=number % 9)}\n" for number in range(lines))})
    # Some two seconds for 4,900; work that grows with the square of the lines would take minutes.
    with within(amount(20, 4)):
        ended = deckcheck("check", "long.txt", "-f", "modern", cwd=folder)
    assert ended.status in (1, 2, 3)
    assert "Traceback" not in ended.err
