"""Files are known by their content, and days by names."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.scryfall import scryfall

from deckcheck.importers.importer import kind_named, kind_of
from deckcheck.importers.reading import day_in, month_in
from deckcheck.support.errors import UserError


@pytest.mark.parametrize(
    ("content", "id"),
    [
        (scryfall(), "scryfall"),
        (b"\xef\xbb\xbf \n" + scryfall(), "scryfall"),
        (b'{"name": "Own Card"}\n', None),
        (b"cards: []\n", None),
        (b"", None),
    ],
)
def test_files_are_known_by_their_content(tmp_path: Path, content: bytes, id: str | None) -> None:
    file = tmp_path / "x"
    file.write_bytes(content)
    kind = kind_of(file)
    assert (kind and kind.id) == id


def test_a_source_is_named_by_its_id() -> None:
    assert kind_named("Scryfall").id == "scryfall"
    with pytest.raises(UserError, match="choose from scryfall, ygopro, lflist"):
        kind_named("somebody")


def test_days_in_names() -> None:
    assert day_in("2024.4.8 TCG") == "2024-04-08"
    assert day_in("oracle-cards-20261118100506.json") == "2026-11-18"
    assert day_in("from 2024/12/09") == "2024-12-09"
    for none in ("2024.12 TCG", "GOAT", "2024.13.45", "12024-01-01", ""):
        assert day_in(none) is None, none
    assert month_in("2024.12 TCG") == "2024-12-01" and month_in("GOAT 2005-4") == "2005-04-01"
    for none in ("2024.13 TCG", "2024", "12024.1", "2024.123", "2024.4.31", ""):
        assert month_in(none) is None, none
