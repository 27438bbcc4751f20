"""Which rules a verdict came from."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.organiser_format import BASE, CHILD, LIST

from deckcheck.registration.receipts import provenance


@pytest.fixture
def club(tmp_path: Path) -> Path:
    for name, text in (("x.yaml", CHILD), ("base.yaml", BASE), ("list.yaml", LIST)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_whatever_changes_the_rules_changes_the_hash(club: Path) -> None:
    before = provenance(str(club / "x.yaml"))
    assert before.format.id == "club/x"
    assert [stamp.id for stamp in before.banlists] == ["club/list"]
    for name in ("x.yaml", "base.yaml"):
        file = club / name
        text = file.read_text(encoding="utf-8")
        file.write_text(text + "# more\n", encoding="utf-8")
        changed = provenance(str(club / "x.yaml"))
        assert changed.format.sha256 != before.format.sha256
        assert changed.banlists == before.banlists
        file.write_text(text, encoding="utf-8")
    (club / "list.yaml").write_text(LIST.replace("01-01", "01-02"), encoding="utf-8")
    changed = provenance(str(club / "x.yaml"))
    assert changed.format == before.format
    assert changed.banlists != before.banlists


def test_line_ends_of_another_system_change_nothing(club: Path) -> None:
    before = provenance(str(club / "x.yaml"))
    for file in club.iterdir():
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert provenance(str(club / "x.yaml")) == before


def test_a_format_is_the_same_by_any_name() -> None:
    assert provenance("duel-masters/commander") == provenance("DMC") == provenance("DMコマンダー")
    assert provenance("duel-masters/commander").format.id == "duel-masters/commander"
