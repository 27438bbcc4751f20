"""Where things are kept for the user."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest
from factories.scratch_repositories import deckcheck, example, outside, put

from deckcheck.support.files import user_folder

ASK = {"cache": platformdirs.user_cache_dir, "data": platformdirs.user_data_dir}


@pytest.mark.parametrize("base", [None, "", " ", "/somewhere/else"])
@pytest.mark.parametrize(("kind", "variable"), [("cache", "XDG_CACHE_HOME"), ("data", "XDG_DATA_HOME")])
def test_the_folder_is_the_one_that_every_program_would_use(
    kind: str, variable: str, base: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(f"DECKCHECK_{kind.upper()}_DIR", raising=False)
    if base is None:
        monkeypatch.delenv(variable, raising=False)
    else:
        monkeypatch.setenv(variable, base)
    for home in ("/home/somebody", "/root"):
        monkeypatch.setenv("HOME", home)
        assert user_folder(kind) == Path(ASK[kind]("deckcheck"))


def test_a_folder_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", "/a/cache")
    monkeypatch.setenv("DECKCHECK_DATA_DIR", "/some/data")
    assert user_folder("cache") == Path("/a/cache")
    assert user_folder("data") == Path("/some/data")


def test_elsewhere_the_system_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DECKCHECK_CACHE_DIR", raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: f"/Library/{name}")
    assert user_folder("cache") == Path("/Library/deckcheck")


@pytest.mark.parametrize("variable", ["HOME", "XDG_CACHE_HOME"])
def test_a_home_that_is_no_absolute_path_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    for name in ("DECKCHECK_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "relative")
    monkeypatch.chdir(tmp_path)
    folder = user_folder("cache")
    assert folder.is_absolute()
    assert "relative" not in folder.parts
    assert not list(tmp_path.iterdir())


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
