"""Walks of new users over the command line, with what each of them sees.

After a change that is meant, DECKCHECK_UPDATE_DOCS=1 writes what the commands print into the pages.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from factories.documents import as_run

HERE = Path(__file__).parent
WALKS = {
    "duel-masters": "ja",
    "magic": "en",
    "maintainer": "en",
    "programmer": "en",
    "yugioh": "ja",
}


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_shows_what_the_page_says(name: str, tmp_path: Path) -> None:
    file = HERE / f"{name}.md"
    page = file.read_text(encoding="utf-8")
    found = as_run(page, tmp_path, WALKS[name])
    if os.environ.get("DECKCHECK_UPDATE_DOCS"):
        file.write_text(found, encoding="utf-8")
    assert found == page


def test_every_walk_is_run() -> None:
    assert sorted(file.stem for file in HERE.glob("*.md")) == sorted(WALKS)
