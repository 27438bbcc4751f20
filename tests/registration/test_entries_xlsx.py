"""Entries as rows of an XLSX workbook: what its cells say."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from factories.workbooks import (
    DECK,
    HEAD,
    NAME,
    ROW,
    SENT,
    book,
    mistake,
    plain,
    read,
    repacked,
    saved,
    with_rows,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

SHARED = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"


def test_a_workbook_is_read(tmp_path: Path) -> None:
    [one] = read(tmp_path, plain())
    assert one.place == "form.xlsx:2"
    assert (one.player.name, one.player.id, one.text) == (NAME, "12", DECK)
    assert (one.submitted, one.submitted_as) == (
        datetime(2026, 11, 27, 10, 59, 3, tzinfo=UTC),
        "2026-11-27 19:59:03",
    )


@pytest.mark.parametrize(
    ("value", "shown_as", "text"),
    [
        (12, "General", "12"),
        (12.0, "General", "12"),
        (12.5, "General", "12.5"),
        (12, "0000", "0012"),
        ("0012", "@", "0012"),
        (123456789012345, "General", "123456789012345"),
        (True, "General", "TRUE"),
        ("=1+1", "General", None),
        ("#N/A", "General", None),
        (None, "General", None),
    ],
)
def test_an_id_is_what_the_cell_shows(tmp_path: Path, value: Any, shown_as: str, text: str | None) -> None:
    def change(sheet: Any) -> None:
        sheet["C2"].value = value
        sheet["C2"].number_format = shown_as

    [one] = read(tmp_path, book([HEAD, ROW], change))
    assert one.player.id == text


@pytest.mark.parametrize(
    ("value", "when", "text"),
    [
        (datetime(2026, 11, 27, 0, 0), datetime(2026, 11, 26, 15, tzinfo=UTC), "2026-11-27 00:00:00"),
        # A day alone says nothing of the hour.
        (date(2026, 11, 27), None, "2026-11-27"),
        ("2026/11/27 午後 7:59:03", datetime(2026, 11, 27, 10, 59, 3, tzinfo=UTC), "2026/11/27 午後 7:59:03"),
        (None, None, ""),
    ],
)
def test_times_in_cells_are_times(tmp_path: Path, value: Any, when: datetime | None, text: str) -> None:
    [one] = read(tmp_path, book([HEAD, (value, *ROW[1:])]))
    assert (one.submitted, one.submitted_as) == (when, text)


def test_texts_that_cells_share_are_read_without_their_furigana(tmp_path: Path) -> None:
    """As Excel writes them; what it knows of how a name is read stands beside it."""
    strings = (
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        "<si><t>4 x 天災 デドダム\n</t></si><si><r><t>山田</t></r><r><t>花子</t></r>"
        '<rPh sb="0" eb="2"><t>ヤマダ</t></rPh></si></sst>'
    )
    row = '<row r="2"><c r="B2" t="s"><v>1</v></c><c r="D2" t="s"><v>0</v></c></row>'

    def change(name: str, old: bytes) -> bytes:
        part = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s"/></Types>' % SHARED
        return old.replace(b"</Types>", part) if name == "[Content_Types].xml" else old

    more = {"xl/sharedStrings.xml": strings.encode()}
    [one] = read(tmp_path, repacked(with_rows(row), change, more))
    assert (one.player.name, one.text) == (NAME, "4 x 天災 デドダム\n")
    row = row.replace("<v>1</v>", "<v>2</v>")
    assert mistake(tmp_path, repacked(with_rows(row), change, more)).message.en == "not readable as XLSX"


def test_line_breaks_of_all_kinds_come_out_alike(tmp_path: Path) -> None:
    [one] = read(tmp_path, book([HEAD, (*ROW[:3], "a\r\nb_x000D_\nc\nd")]))
    assert one.text == "a\nb\nc\nd"


def test_empty_rows_are_skipped_and_places_stay(tmp_path: Path) -> None:
    rows: list[Sequence[Any]] = [(), (None, " "), HEAD, ROW, (), (None, "", "  "), ROW]
    assert [one.place for one in read(tmp_path, book(rows))] == ["form.xlsx:4", "form.xlsx:7"]


def test_a_row_may_end_before_the_head_but_not_go_on_behind_it(tmp_path: Path) -> None:
    short, long = read(tmp_path, book([HEAD, (SENT, NAME), (*ROW, "surplus")]))
    assert (short.player.name, short.text, short.problem) == (NAME, None, None)
    assert long.text is None and long.problem is not None


def test_the_first_sheet_counts_unless_one_is_named(tmp_path: Path) -> None:
    made = Workbook()
    made.active.append(HEAD)
    other = made.create_sheet("回答 1")
    for row in (HEAD, ROW):
        other.append(row)
    assert read(tmp_path, saved(made)) == []
    [one] = read(tmp_path, saved(made), "    sheet: 回答 1\n")
    assert (one.place, one.player.name) == ("form.xlsx!回答 1:2", NAME)
    problem = mistake(tmp_path, saved(made), "    sheet: 回答 2\n")
    assert (problem.path, problem.line, problem.column) == (str(tmp_path / "event.yaml"), 8, 5)
    assert problem.hint is not None and problem.hint.en == "did you mean '回答 1'?"


def test_nothing_installed_to_read_it_with_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    problem = mistake(tmp_path, plain())
    assert problem.hint is not None and "pip install 'deckcheck[xlsx]'" in problem.hint.en


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20).filter(
    lambda text: (
        not text.startswith(("=", "#")) and "_x" not in text and "\ufffe" not in text and "\uffff" not in text
    )
)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_was_written_is_read_back(tmp_path: Path, rows: list[tuple[str, str, str]]) -> None:
    found = read(tmp_path, book([HEAD, *((None, *row) for row in rows)]))
    kept = [row for row in rows if any(cell.strip() for cell in row)]
    assert [one.text for one in found] == [row[2] if row[2].strip() else None for row in kept]
    assert len({one.id for one in found}) == len(found)
