"""Where `deckcheck sheet` writes to, and what never gets out."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from factories.event_lists import a_list, legal
from factories.printed_sheets import font_file, printed
from factories.sheet_runs import SECRETS, deck_file, event_file, made, refused, run

FONT = str(font_file())


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
@pytest.mark.parametrize("target", ["sheets.html", "sheets.pdf"])
def test_a_file_with_names_is_for_its_owner_alone(event: Path, target: str) -> None:
    (event / target).touch(mode=0o644)
    more = ["--font", FONT] if target.endswith(".pdf") else []
    assert made(event, "event.yaml", "-o", target, *more) == ""
    assert stat.S_IMODE((event / target).stat().st_mode) == 0o600
    assert not list(event.glob(".*"))


def test_a_pdf_goes_to_a_file_or_a_pipe(event: Path) -> None:
    done = run(event, "event.yaml", "--pdf", "--font", FONT)
    assert done.returncode == 0 and done.stdout.startswith(b"%PDF-")
    made(event, "event.yaml", "-o", "sheets.PDF", "--font", FONT)
    assert (event / "sheets.PDF").read_bytes() == done.stdout
    papers = printed(done.stdout, dots=72)
    assert len(papers) == 5 and "水野光" in papers[2].text


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of POSIX")
def test_a_pdf_never_goes_to_a_terminal(deck: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "deckcheck", "sheet", "deck.txt", "--pdf", "--font", FONT, "--lang", "en"],
        cwd=deck,
        stdout=theirs,
        stderr=subprocess.PIPE,
        timeout=120,
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2 and b"write it to a file with -o" in done.stderr


def test_an_emoji_in_one_name_stops_no_sheet_and_no_name_gets_into_a_message(event: Path) -> None:
    lists = event / "lists"
    (lists / "06.txt").write_text(a_list("水野\U0001f600", legal(5)), encoding="utf-8")
    done = run(event, "event.yaml", "--pdf", "--font", FONT)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(printed(done.stdout, dots=72)) == 6


def test_an_error_of_ours_tells_no_name(
    monkeypatch: pytest.MonkeyPatch, deck: Path, capsys: pytest.CaptureFixture[str]
) -> None:

    from factories.commands import run_here

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
