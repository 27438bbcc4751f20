"""A folder with a settings file, and what that says of a deck."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deckcheck.config.settings import DeckSettings, Settings, settings_of


def settled_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("formats", "lists", "cards"):
        (tmp_path / name).mkdir()
    (tmp_path / "new.yaml").write_text("cards: []\n")
    return tmp_path


def put(folder: Path, text: str | bytes, name: str = "deckcheck.toml") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    # Another time, even where two writes fall into one tick of the clock.
    os.utime(file, ns=(before + 10**9, before + 10**9))
    return file


def read(folder: Path, text: str | bytes) -> Settings:
    put(folder, text)
    return settings_of("deckcheck.toml")


def said(settings: Settings, path: str) -> DeckSettings:
    return settings.for_deck(path)
