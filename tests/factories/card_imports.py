"""Files of cards taken in, and what an import leaves beside the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from deckcheck.importers.card_imports import ImportResult

Take = Callable[..., ImportResult]


def left_beside(store: Path) -> set[str]:
    return {file.name for file in store.parent.iterdir()} - {"cards.jsonl", ".import.lock"}
