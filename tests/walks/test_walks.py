"""Walks of new users over the command line, with what each of them sees.

After a change that is meant, DECKCHECK_UPDATE_DOCS=1 writes what the commands print into the pages.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.documents import shown_and_printed

HERE = Path(__file__).parent
LANGUAGES = {"duel-masters": "ja", "yugioh": "ja"}


@pytest.mark.parametrize("name", sorted(file.stem for file in HERE.glob("*.md")))
def test_a_walk_shows_what_the_page_says(name: str, tmp_path: Path) -> None:
    shown, printed = shown_and_printed(HERE / f"{name}.md", tmp_path, LANGUAGES.get(name, "en"))
    assert printed == shown
