"""What only a process shows: pipes, signals, streams that are closed, and a disk that is full."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from factories.commands import environment

FORMAT = str(Path(__file__).parent.parent / "fixtures" / "format.yaml")
LEGAL = "4 x 天災 デドダム\n4 x 青銅の鎧\n"
ILLEGAL = "9 x 天災 デドダム\n"


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number}.txt").write_text(ILLEGAL * 20, encoding="utf-8")
    command = [sys.executable, "-m", "deckcheck", "check", "-f", FORMAT, str(tmp_path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("words", ["--help", "check --help", "formats"])
def test_a_closed_pipe_has_one_status(words: str) -> None:
    command = f"set -o pipefail; '{sys.executable}' -m deckcheck {words} | head -n0; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, env=environment(), timeout=120)
    assert (done.stdout.split(), done.stderr) == ([b"141"], b"")


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_interrupt_is_130_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "legal.txt").write_text(LEGAL, encoding="utf-8")
    command = [sys.executable, "-m", "deckcheck", "check", "-f", FORMAT, "legal.txt", "-"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment(), cwd=tmp_path)
    assert process.stdout is not None
    # Once the first deck is told it waits for its standard input, which never comes.
    assert process.stdout.readline().startswith(b"legal.txt")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == b""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("check -f original - <&-", "standard input is closed"),
        ("which - <&-", "standard input is closed"),
        ("check -f original decks.txt >&-", "standard output is closed"),
        ("--version >&-", "standard output is closed"),
    ],
)
def test_a_closed_stream_is_told(command: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "decks.txt").write_text("4 x 青銅の鎧\n", encoding="utf-8")
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m deckcheck {command}'],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )
    assert (done.returncode, said in done.stderr, "internal" in done.stderr) == (2, True, False), done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_a_full_disk_is_told_in_one_line_even_before_a_command_begins(asked: str) -> None:
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run(
            (sys.executable, "-m", "deckcheck", asked), stdout=full, stderr=subprocess.PIPE, timeout=120
        )

    assert run.returncode == 2
    assert run.stderr.decode().count("\n") == 1


def test_what_is_suggested_is_the_same_every_time() -> None:
    """Whatever the order in which Python keeps its sets."""
    command = [sys.executable, "-m", "deckcheck", "check", "-", "--ignore", "c"]
    hints = {
        subprocess.run(
            command, env=environment(PYTHONHASHSEED=seed), input=b"", capture_output=True, check=False
        ).stderr
        for seed in ("1", "2", "3", "4", "5")
    }
    assert len(hints) == 1 and b"did you mean" in hints.pop()


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_interrupt_while_the_program_is_loaded_is_130() -> None:
    code = "import sys; sys.modules['typer'] = None; import deckcheck.__main__ as program\n"
    code += "import builtins; load = builtins.__import__\n"
    code += "def stop(name, *more):\n"
    code += "    if name.startswith('deckcheck.cli'): raise KeyboardInterrupt\n"
    code += "    return load(name, *more)\n"
    code += "builtins.__import__ = stop; program.main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), timeout=120)
    assert (done.returncode, done.stderr) == (130, b"")


@pytest.mark.parametrize("words", [["--version"], ["check", "-", "-f", FORMAT], ["--help"], ["chekc"]])
def test_the_module_is_the_program(words: list[str]) -> None:
    program = [str(Path(sys.executable).with_name("deckcheck")), *words]
    if not Path(program[0]).exists():
        pytest.skip("it isn't installed")
    module = [sys.executable, "-m", "deckcheck", *words]
    given = {"input": LEGAL.encode(), "capture_output": True, "env": environment(), "timeout": 120}
    ends = [subprocess.run(command, **given) for command in (program, module)]  # type: ignore[call-overload]
    assert [(end.returncode, end.stdout, end.stderr) for end in ends[:1]] == [
        (end.returncode, end.stdout, end.stderr) for end in ends[1:]
    ]
