"""Where output goes, as far as a test without a terminal can tell."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest
from factories.commands import run_process

from deckcheck.report import screen
from deckcheck.support import terminal as streams
from deckcheck.support.errors import UserError
from deckcheck.support.terminal import no_command, user_language


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal as standard error; not a fixture, since pytest puts its own back before a test begins."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(screen.time, "monotonic", lambda: now[0])
    return now


def test_a_bar_shows_up_after_a_second_and_goes(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    stderr = watched(monkeypatch)
    progress = screen.Progress(4000)
    clock[0] += 0.9
    progress.advance(1000)
    assert stderr.getvalue() == ""
    clock[0] += 0.2
    progress.advance(1000)
    assert stderr.getvalue() == "\r[############............] 2,000/4,000"
    progress.clear()
    progress.clear()
    assert stderr.getvalue().endswith("4,000\r\x1b[K")
    assert stderr.getvalue().count("\x1b[K") == 1


def test_nobody_watches_no_bar(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    progress = screen.Progress(2)
    clock[0] += 60
    progress.advance(1)
    assert capsys.readouterr().err == ""


def test_a_file_appears_only_when_all_is_written(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_text("before", encoding="utf-8")
    file.chmod(0o640)
    with pytest.raises(ZeroDivisionError), streams.output(str(file), exact=False) as write:
        write("half")
        write(str(1 // 0))
    assert file.read_text(encoding="utf-8") == "before"
    with streams.output(str(file), exact=False) as write:
        write("whole \udc80")
    assert file.read_text(encoding="utf-8") == "whole \\udc80"
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_is_not_there_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError), streams.output(str(tmp_path / "no" / "out.txt"), exact=False):
        pass


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja"}, "ja"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "ja_JP.SJIS"}, "ja"),
        ({"LC_ALL": "C", "LANG": "ja_JP"}, "en"),
        ({"DECKCHECK_LANG": "ja", "LANG": "C"}, "ja"),
        ({"DECKCHECK_LANG": "en", "LANG": "ja_JP.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_language(environ: dict[str, str], lang: str) -> None:
    assert user_language(environ) == lang


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x\n", ": :error::x\n"),
        ("a\n \t::stop-commands::y", "a\n \t: :stop-commands::y"),
        ("a ##[error]b", "a ## [error]b"),
        ("a::b\n", "a::b\n"),
    ],
)
def test_what_the_runner_of_github_would_obey_is_only_text(text: str, shown: str) -> None:
    assert no_command(text, {"GITHUB_ACTIONS": "true"}) == shown
    assert no_command(text, {}) == text


def test_a_files_name_gives_no_command(tmp_path: Path) -> None:
    name = "::error::ha.txt"
    (tmp_path / name).write_text("4 x 天災 デドダム\n", encoding="utf-8")
    for arguments in (
        [name],
        ["-f", "original", name],
        ["-f", "original", "--output-format", "concise", name],
    ):
        done = run_process(
            ["check", *arguments],
            cwd=tmp_path,
            env=os.environ | {"GITHUB_ACTIONS": "true", "PYTHONUTF8": "1"},
            encoding="utf-8",
        )
        lines = (done.stdout + done.stderr).splitlines()
        assert any("ha.txt" in line for line in lines)
        assert not [line for line in lines if line.lstrip().startswith("::")]
