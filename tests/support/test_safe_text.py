"""Excerpts: the caret stands under the name, and nothing hidden reaches a terminal."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.report.text import excerpt
from deckcheck.support.safe_text import cells, safe


@pytest.mark.parametrize(
    ("line", "column", "length", "carets"),
    [
        ("4 x 天災 デドダム", 5, 8, "    ^^^^^^^^^^^^^"),
        ("\t２\t天災", 4, 2, "          ^^^^"),
        ("ﾎﾞﾙﾒﾃｳｽ x", 1, 7, "^^^^^^^"),
        ("か\u3099ん x 竜", 7, 1, "       ^^"),
        ("x", 2, 0, " ^"),
        ("", 1, 3, "^"),
    ],
)
def test_carets_stand_under_the_name(line: str, column: int, length: int, carets: str) -> None:
    assert excerpt(line, column, length, 80).carets == carets


def test_a_long_line_is_cut_around_the_place() -> None:
    shown = excerpt("あ" * 5000 + "天災" + "い" * 5000, 5001, 2, 60)
    assert cells(shown.line) <= 60
    assert shown.line.startswith("…")
    assert shown.line.endswith("…")
    at = len(shown.carets) - len(shown.carets.lstrip())
    before = shown.line[: shown.line.index("天災")]
    assert cells(before) == at
    assert shown.carets.strip() == "^^^^"


@pytest.mark.parametrize("char", ["\U000e0001", "\u202e", "\x1b", "天", "a", "\t"])
@pytest.mark.parametrize("width", [20, 29, 60, 61, 62, 63, 80])
def test_a_character_is_shown_whole_or_not_at_all(char: str, width: int) -> None:
    shown = excerpt(f"x{char * 300}x", 150, 2, width)
    escape = safe(char) if char != "\t" else " " * 4
    assert cells(shown.line) <= width
    assert re.fullmatch(f"…(?:{re.escape(escape)})+…", shown.line)
    blanks = len(shown.carets) - len(shown.carets.lstrip())
    assert (blanks - 1) % cells(escape) == 0 < len(shown.carets)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m赤\x07", "\\x1b[31m赤\\x07"),
        ("\u202e逆\u2066", "\\u202e逆\\u2066"),
        ("a\u200bb\ufeff\r", "a\\u200bb\\ufeff\\x0d"),
        ("\udc80", "\\udc80"),
        ("\x9b", "\\x9b"),
        ("\U000e0041", "\\U000e0041"),
        ("葛\U000e0100　×", "葛\U000e0100　×"),
    ],
)
def test_what_is_hidden_is_written_out(text: str, shown: str) -> None:
    assert safe(text) == shown


@given(st.text(), st.integers(1, 60), st.integers(0, 60), st.integers(20, 100))
def test_an_excerpt_is_one_safe_line_that_fits(line: str, column: int, length: int, width: int) -> None:
    shown = excerpt(line, column, length, width)
    assert safe(shown.line) == shown.line
    assert "\n" not in shown.line
    assert shown.carets.strip(" ").strip("^") == ""
    assert "^" in shown.carets
    # One sign alone may be wider than all the room that is left.
    assert cells(shown.line) <= width + 10
