"""The notations as people meet them on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from factories.notations import ENDINGS, SAMPLES

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.cli import options as opt
from deckcheck.decklists.notations.registry import NAMES
from deckcheck.rewriting.conversion import TARGETS


def test_the_options_name_every_notation() -> None:
    assert {"text", *get_args(opt.ForeignNotation)} == {"text", "csv", "tsv", "yaml", "json", *NAMES}
    assert {"canonical", *get_args(opt.ForeignNotation)} == {*TARGETS}


def test_folders_hold_these_files_too(tmp_path: Path) -> None:
    for name, text in SAMPLES.items():
        (tmp_path / f"{name}.{ENDINGS[name].upper()}").write_text(text, encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    found = [Path(one.path).name for one in find_decks([str(tmp_path)]) if isinstance(one, DeckFile)]
    assert found == sorted(f"{name}.{ENDINGS[name].upper()}" for name in SAMPLES)
