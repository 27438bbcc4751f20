"""Folders of a test's own, and what most tests of importers do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories.card_imports import Take
from factories.examples import THOROUGH
from factories.mtgjson import ATOMIC, atomic

from deckcheck.formats.loading import load_game
from deckcheck.importers.card_imports import ImportResult, import_card_pool
from deckcheck.importers.source_kinds import KINDS, kind_of


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
def most_bundled(bundle: Path) -> Path | None:
    """The bundled cards, and in a quick run none."""
    return None if THOROUGH else bundle


@pytest.fixture
def take(tmp_path: Path, bundle: Path) -> Take:
    """Takes a file's content in, as what it is recognised for."""

    def taking(content: bytes, name: str = "cards.json", **more: Any) -> ImportResult:
        file = tmp_path / name
        if not file.exists() or file.read_bytes() != content:
            file.write_bytes(content)
        kind = kind_of(file)
        assert kind is not None
        return import_card_pool(load_game(kind.game), kind, file, bundled=bundle, **more)

    return taking


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "data" / "magic" / "cards.jsonl"


@pytest.fixture
def good(take: Take, store: Path) -> bytes:
    """A good table that must stay; what it holds."""
    take(atomic({"Tin Kite": ATOMIC["Tin Kite"]}), "good.json")
    return store.read_bytes()


@pytest.fixture
def stored(tmp_path: Path) -> Callable[[], dict[str, Any]]:
    """The user's own cards by name."""

    def read() -> dict[str, Any]:
        lines = (tmp_path / "data" / KINDS["mtgjson"].game / "cards.jsonl").read_text("utf-8").splitlines()
        return {one["name"]: one for one in map(json.loads, lines)}

    return read
