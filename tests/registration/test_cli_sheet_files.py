"""Where `deckcheck sheet` writes to, and what never gets out."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from factories.commands import run_here
from factories.sheet_runs import SECRETS, deck_file, event_file, made, refused


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return deck_file(tmp_path)


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return event_file(tmp_path)


@pytest.mark.parametrize("target", ["event.yaml", "lists/01.txt", "lists/new.html"])
def test_an_event_is_never_written_over(event: Path, target: str) -> None:
    before = (event / "event.yaml").read_bytes(), (event / "lists" / "01.txt").read_bytes()
    assert "will not be overwritten" in refused(event, "event.yaml", "-o", target)
    assert ((event / "event.yaml").read_bytes(), (event / "lists" / "01.txt").read_bytes()) == before
    assert not (event / "lists" / "new.html").exists()


@pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")
def test_a_file_with_names_is_for_its_owner_alone(event: Path) -> None:
    (event / "sheets.html").touch(mode=0o644)
    assert made(event, "event.yaml", "-o", "sheets.html") == ""
    assert stat.S_IMODE((event / "sheets.html").stat().st_mode) == 0o600
    assert not list(event.glob(".*"))


def test_an_error_of_ours_tells_no_name(
    monkeypatch: pytest.MonkeyPatch, deck: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(pages: object) -> str:
        raise RuntimeError(str(pages))

    monkeypatch.setattr("deckcheck.cli.sheet.render_html", broken)
    assert run_here("sheet", deck / "deck.txt") == 2
    said = capsys.readouterr().err
    assert "RuntimeError" in said and not any(word in said for word in SECRETS)


def test_a_link_stays_a_link(deck: Path) -> None:
    (deck / "real.html").write_text("old", encoding="utf-8")
    (deck / "link.html").symlink_to("real.html")
    made(deck, "deck.txt", "-o", "link.html")
    assert (deck / "link.html").is_symlink() and "水野" in (deck / "real.html").read_text("utf-8")
