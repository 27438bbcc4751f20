"""The made-up cards as a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.card_tables import CARDS, write_table
from factories.garden_game import GAME

from deckcheck.cards.catalog import CardTable, open_catalog


@pytest.fixture
def table(tmp_path: Path) -> CardTable:
    return open_catalog(GAME, bundled=write_table(tmp_path / "bundle", CARDS))
