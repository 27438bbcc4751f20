"""Corrections of `deckcheck check` as people run it, and the files that they are written to."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.checking.session import CheckOptions
from deckcheck.report.results import RenderOptions
from deckcheck.rewriting.diff_and_save import Rewriter, rewrite_lists

FORMAT = str(Path(__file__).parent.parent / "fixtures" / "format.yaml")
A = "天災 デドダム"

SLIPS = f"3 x {A}\r\n2 x 天災 デドダン\r\n4 x 青銅の鎧 # 自然\r\n"
RIGHT = f"3 x {A}\r\n2 x {A}\r\n4 x 青銅の鎧 # 自然\r\n"


OPTIONS = CheckOptions(format=FORMAT)


def corrected(*files: Path, diff: bool = False, options: CheckOptions = OPTIONS) -> tuple[int, int]:
    """How many of the lists were (or would be) changed, and how many failed."""
    items = [item for item in find_decks(map(str, files)) if diff or isinstance(item, DeckFile)]
    correct = partial(Rewriter(options).correct, strict=diff)
    done = rewrite_lists(items, correct, options, RenderOptions("en"), "diff" if diff else "write")
    return done.changed, done.failed


def test_corrections_are_written_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "slips.txt").write_bytes(SLIPS.encode("cp932"))
    (tmp_path / "right.txt").write_bytes(RIGHT.encode())
    assert corrected(tmp_path / "slips.txt", tmp_path / "right.txt") == (1, 0)
    assert (tmp_path / "slips.txt").read_bytes() == RIGHT.encode("cp932")
    assert (tmp_path / "right.txt").read_bytes() == RIGHT.encode()
    out, err = capsys.readouterr()
    path = tmp_path / "slips.txt"
    assert out == ""
    assert err == f"{path}:2: 天災 デドダン → {A}\n"


def test_what_cannot_be_checked_is_left_for_the_check_to_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bytes.txt").write_bytes(b"\x00")
    files = tmp_path / "bytes.txt", tmp_path / "none.txt"
    assert corrected(*files) == (0, 0)
    assert capsys.readouterr().err == ""
    assert corrected(*files, diff=True) == (0, 2)
    assert "not readable" in capsys.readouterr().err


@pytest.mark.usefixtures("fewer_cards")
def test_a_name_that_the_files_encoding_does_not_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A list in CP932 that would need another encoding stays as it is."""
    (tmp_path / "cards.yaml").write_text(
        "cards:\n  - name: あか♡さたなは\n    home: main\n", encoding="utf-8"
    )
    data = "4 x あかさたなは\n4 x 青銅の鎧\n".encode("cp932")
    (tmp_path / "deck.txt").write_bytes(data)
    assert corrected(tmp_path / "deck.txt") == (0, 1)
    assert "cp932" in capsys.readouterr().err
    assert (tmp_path / "deck.txt").read_bytes() == data
    assert corrected(tmp_path / "deck.txt", diff=True) == (0, 1)
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("fewer_cards")
def test_lines_that_may_be_in_two_zones_stay(tmp_path: Path) -> None:
    """An empty line, and nothing else, may part the sideboard from the main deck."""
    text = "29x Mountain\n1x Brainstrom\n\n8x Mountain\n3x Duress\n"
    (tmp_path / "deck.txt").write_text(text, encoding="utf-8")
    assert corrected(tmp_path / "deck.txt", options=CheckOptions(format="magic/limited")) == (1, 0)
    assert (tmp_path / "deck.txt").read_text("utf-8") == text.replace("strom", "storm")
