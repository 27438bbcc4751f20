"""Folders of a test's own, and files taken in as what they are recognised for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deckcheck.formats.loading import load_game
from deckcheck.importers.importer import kind_of
from deckcheck.importers.own_cards import ImportResult, import_card_pool
from deckcheck.importers.source_files import unpacked

Take = Callable[..., ImportResult]


@pytest.fixture(autouse=True)
def _apart(own_folders: None) -> None:
    """Imports of one test are nothing to another."""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A bundled table without cards."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    return folder


@pytest.fixture
def take(tmp_path: Path, bundle: Path) -> Take:
    """Imports the cards of a content, or of a file."""

    def taking(content: bytes | Path, name: str = "cards.json") -> ImportResult:
        file = content if isinstance(content, Path) else tmp_path / name
        if isinstance(content, bytes):
            file.write_bytes(content)
        with unpacked(file) as plain:
            kind = kind_of(plain)
            assert kind is not None and kind.read_cards is not None
            entries = kind.read_cards(plain, lambda _count: None)
            return import_card_pool(load_game(kind.game), kind, entries, bundled=bundle)

    return taking


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "data" / "magic" / "cards.jsonl"


@pytest.fixture
def stored(store: Path) -> Callable[[], dict[str, Any]]:
    """The user's own Magic cards by name."""

    def read() -> dict[str, Any]:
        return {card["name"]: card for card in map(json.loads, store.read_text("utf-8").splitlines())}

    return read
