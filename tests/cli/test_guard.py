"""However a command ends: a short message and a status that means it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from deckcheck.cli.command import Run, exit_status_of

from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


def test_what_was_done_gives_its_own_status() -> None:
    assert [exit_status_of(lambda status=status: status, Run(lang="en")) for status in (0, 1, 3)] == [0, 1, 3]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("error", "en", "ja"),
    [
        (
            user_error(_("no such folder"), path="x"),
            "x: error: no such folder",
            "x: エラー：フォルダがありません",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "can't be written: No space",
            "書き込めません: No space",
        ),
        (KeyError("rules"), "internal error in deckcheck (KeyError: 'rules')", "deckcheckの内部エラーです"),
    ],
)
def test_whatever_goes_wrong_is_told_without_a_traceback(
    error: Exception, en: str, ja: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckcheck.cli.command.abandon_output", lambda: None)

    def work() -> int:
        raise error

    for lang, wanted in (("en", en), ("ja", ja)):
        assert exit_status_of(work, Run(lang=lang)) == 2
        said = capfd.readouterr().err
        assert wanted in said
        assert "Traceback" not in said


def test_an_interrupt_is_130() -> None:
    def work() -> int:
        raise KeyboardInterrupt

    assert exit_status_of(work, Run(lang="en")) == 130


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("check -f original - <&-", "standard input is closed"),
        ("which - <&-", "standard input is closed"),
        ("check -f original decks.txt >&-", "standard output is closed"),
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
