"""Where output goes, as far as a test without a terminal can tell."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest
from factories.commands import deckcheck
from factories.events import put

from deckcheck.report import text
from deckcheck.support.terminal import no_command, user_language


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_a_bar_shows_up_after_a_second_and_goes_and_only_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    progress = text.Progress(2)
    clock[0] += 60
    progress.advance(1)
    assert capsys.readouterr().err == ""
    # No fixture, since pytest puts its own back before a test begins.
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = text.Progress(4000)
    clock[0] += 0.9
    progress.advance(1000)
    assert terminal.getvalue() == ""
    clock[0] += 0.2
    progress.advance(1000)
    assert terminal.getvalue() == "\r[############............] 2,000/4,000"
    progress.clear()
    progress.clear()
    assert terminal.getvalue().endswith("4,000\r\x1b[K")
    assert terminal.getvalue().count("\x1b[K") == 1


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
        ("　::error::x", "　: :error::x"),
        ("a ##[error]b", "a ## [error]b"),
        ("a::b\n", "a::b\n"),
    ],
)
def test_what_the_runner_of_github_would_obey_is_only_text(text: str, shown: str) -> None:
    assert no_command(text, {"GITHUB_ACTIONS": "true"}) == shown
    assert no_command(text, {}) == text


@pytest.mark.parametrize(
    "options", [(), ("-f", "original"), ("-f", "original", "--output-format", "concise")]
)
def test_a_files_name_gives_no_command(tmp_path: Path, options: tuple[str, ...]) -> None:
    name = "::error::ha.txt"
    put(tmp_path, {name: "4 x 天災 デドダム\n"})
    done = deckcheck("check", *options, name, cwd=tmp_path, GITHUB_ACTIONS="true")
    lines = (done.out + done.err).splitlines()
    assert any("ha.txt" in line for line in lines)
    assert not [line for line in lines if line.lstrip().startswith("::")]
