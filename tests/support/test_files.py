"""Where things are kept for the user."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

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
