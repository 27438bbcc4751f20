"""Where things are kept for the user."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from factories.scratch_repositories import deckcheck, example, outside, put

from deckcheck.support.files import user_folder


def test_a_folder_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", "/a/cache")
    monkeypatch.setenv("DECKCHECK_DATA_DIR", "/some/data")
    assert user_folder("cache") == Path("/a/cache")
    assert user_folder("data") == Path("/some/data")


def test_no_folder_is_made_beside_the_decks(tmp_path: Path) -> None:
    put(tmp_path, "here/deck.txt", example("red-original.csv"))
    deckcheck(
        tmp_path / "here",
        "check",
        "deck.txt",
        HOME="relative",
        XDG_CACHE_HOME="relative",
        DECKCHECK_CACHE_DIR=str(tmp_path / "cache"),
        DECKCHECK_DATA_DIR="",
    )
    assert [file.name for file in (tmp_path / "here").iterdir()] == ["deck.txt"]


@pytest.mark.parametrize("arguments", [["check", "deck.txt"], ["fmt", "deck.txt"], ["formats"]])
def test_a_working_folder_that_was_deleted_is_told(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "gone").mkdir()
    script = 'cd gone && rmdir ../gone && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "deckcheck", *arguments],
        cwd=tmp_path,
        env=outside(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (2, "error: the working directory no longer exists\n")
