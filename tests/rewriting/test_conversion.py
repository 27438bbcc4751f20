"""The notations as people meet them on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from factories.notations import ENDINGS, SAMPLES

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.checking.judge import load_format
from deckcheck.cli import options as opt
from deckcheck.decklists.notations.registry import NAMES
from deckcheck.rewriting.conversion import TARGETS, convert
from deckcheck.support.errors import UserError


def test_the_options_name_every_notation() -> None:
    assert {"text", *get_args(opt.ForeignNotation)} == {"text", "csv", "tsv", "yaml", "json", *NAMES}
    assert {"canonical", *get_args(opt.ForeignNotation)} == {*TARGETS}


def test_folders_hold_these_files_too(tmp_path: Path) -> None:
    for name, text in SAMPLES.items():
        (tmp_path / f"{name}.{ENDINGS[name].upper()}").write_text(text, encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    found = [Path(one.path).name for one in find_decks([str(tmp_path)]) if isinstance(one, DeckFile)]
    assert found == sorted(f"{name}.{ENDINGS[name].upper()}" for name in SAMPLES)


@pytest.mark.parametrize("to", ["canonical", "yaml"])
def test_a_sum_that_contradicts_the_list_is_not_dropped(to: str) -> None:
    modern, sheet = load_format("magic/modern"), "Count,Name\n4,Opt\n56,Island\nTotal: {},\n"
    with pytest.raises(UserError, match="the rows add up to 60; the list is not converted"):
        convert(modern.game_data, sheet.format(70), "red.csv", to, format=modern)
    assert "Opt" in convert(modern.game_data, sheet.format(60), "red.csv", to, format=modern).text


def test_headers_have_an_order() -> None:
    modern, sheet = load_format("magic/modern"), "# deck: Red\n# format: magic/modern\nCount,Name\n4,Opt\n"
    made = convert(modern.game_data, sheet, "red.csv", "canonical", format=modern)
    assert made.text.startswith("# format: magic/modern\n# deck: Red\n")
