"""Folders of a test's own, and a table of a made-up game."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.kites_game import CARDS, GAME, write_table

from deckcheck.cards.catalog import CardTable, open_catalog


@pytest.fixture
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("DECKCHECK_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def table(tmp_path: Path) -> CardTable:
    return open_catalog(GAME, bundled=write_table(tmp_path / "bundle", CARDS))
