"""XLSX workbooks of forms: what their cells say; and those that are too large, broken, or made to do harm."""

from __future__ import annotations

import io
import os
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from factories.examples import within
from factories.workbooks import (
    DECK,
    HEAD,
    NAME,
    ROW,
    SENT,
    SHEET,
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

from deckcheck.registration import forms as entries
from deckcheck.registration.forms import LARGEST_UNPACKED
from deckcheck.support.errors import UserError

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


def test_a_zip_bomb_is_not_opened(tmp_path: Path) -> None:
    def bomb(**members: int) -> bytes:
        return repacked(plain(), lambda _, old: old, {name: b"0" * size for name, size in members.items()})

    data = bomb(one=LARGEST_UNPACKED + 1)
    assert len(data) < 200_000
    assert "grows too large" in mistake(tmp_path, data).message.en
    # Each alone would pass.
    assert (
        "grows too large"
        in mistake(tmp_path, bomb(a=LARGEST_UNPACKED // 2, b=LARGEST_UNPACKED // 2 + 1)).message.en
    )
    # Not large, but packed as no workbook is.
    assert "grows too large" in mistake(tmp_path, bomb(a=20_000_000)).message.en


def test_a_member_that_lies_about_its_size_is_read_no_further(tmp_path: Path) -> None:
    """Which is what the look at the declared sizes relies on."""
    content = b"<" + b"0" * 30_000_000
    data = repacked(plain(), lambda name, old: content if name == SHEET else old)
    true, lie = struct.pack("<I", len(content)), struct.pack("<I", 1000)
    assert data.count(true) == 2
    lying = data.replace(true, lie)
    with zipfile.ZipFile(io.BytesIO(lying)) as archive, archive.open(SHEET) as member:
        told = b""
        with pytest.raises(zipfile.BadZipFile):
            while part := member.read(100):
                told += part
        assert len(told) <= 1000
    assert mistake(tmp_path, lying).message.en == "not readable as XLSX"


def test_members_that_share_their_bytes_are_not_opened(tmp_path: Path) -> None:
    """Many entries for one compressed kernel: each is small, together they are not."""
    content = b"0" * 1_000_000
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    crc = zlib.crc32(content)
    sizes = struct.pack("<III", crc, len(packed), len(content))
    local = (
        b"PK\x03\x04"
        + struct.pack("<HHHHH", 20, 0, 8, 0, 0)
        + sizes
        + struct.pack("<HH", 1, 0)
        + b"a"
        + packed
    )
    entry = b"PK\x01\x02" + struct.pack("<HHHHHH", 20, 20, 0, 8, 0, 0) + sizes
    entry += struct.pack("<HHHHHII", 1, 0, 0, 0, 0, 0, 0) + b"a"
    central = entry * 150
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 150, 150, len(central), len(local), 0)
    assert mistake(tmp_path, local + central + end).message.en in (
        "it grows too large when it is unpacked",
        # Newer Pythons see that themselves.
        "not readable as XLSX",
    )


@pytest.mark.parametrize(
    "above",
    [
        '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd" [<!ENTITY % b SYSTEM "file:///etc/passwd"> %b;]>',
    ],
)
def test_entities_are_refused(tmp_path: Path, above: str) -> None:
    row = '<row r="2"><c r="B2" t="inlineStr"><is><t>&b;</t></is></c></row>'
    assert mistake(tmp_path, with_rows(row, above=above)).message.en == "not readable as XLSX"


def test_what_a_sheet_says_of_its_size_is_not_believed(tmp_path: Path) -> None:
    row = '<row r="2"><c r="B2" t="inlineStr"><is><t>A</t></is></c></row>'
    for dimension in ("A1", "A1:XFD1048576", "A1:A1"):
        [one] = read(tmp_path, with_rows(row, dimension=f'<dimension ref="{dimension}"/>'))
        assert one.player.name == "A"


def test_rows_and_columns_at_the_end_of_the_world_are_reached_soon(tmp_path: Path) -> None:
    cells = '<c r="B{0}" t="inlineStr"><is><t>A</t></is></c><c r="XFD{0}"><v>1</v></c>'

    def row(number: int) -> str:
        return f'<row r="{number}">{cells.format(number)}</row>'

    with within(25):
        for number in (1_048_576, 99_999_999_999):
            [one] = read(tmp_path, with_rows(row(number)))
            assert (one.place, one.player.name) == (f"form.xlsx:{number}", "A")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not readable as XLSX"),
        (b"a,b\n1,2\n", "not readable as XLSX"),
        (b"PK\x03\x04" + b"\x00" * 100, "not readable as XLSX"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\x00" * 600, "this is not XLSX"),
    ],
)
def test_broken_files_are_told_in_one_sentence(tmp_path: Path, data: bytes, said: str) -> None:
    problem = mistake(tmp_path, data)
    assert (problem.path, problem.message.en) == ("form.xlsx", said)


@pytest.mark.parametrize(
    "change",
    [
        lambda name, old: b"" if name == SHEET else old,
        lambda name, old: old[: len(old) // 2] if name == SHEET else old,
        lambda name, old: b"<a/>" if name == "xl/workbook.xml" else old,
        lambda _, old: old.replace(b"<v>12</v>", b"<v>1e999</v>").replace(b"</sheetData>", b"</a>"),
    ],
)
def test_broken_members_are_told_in_one_sentence(
    tmp_path: Path, change: Callable[[str, bytes], bytes]
) -> None:
    data = repacked(plain(), change)
    assert mistake(tmp_path, data).message.en in ("not readable as XLSX", "there is no sheet in it")


def test_rows_out_of_order_lose_nobody(tmp_path: Path) -> None:
    def row(number: int, name: str) -> str:
        cells = (("B", name), ("D", DECK))
        inner = (f'<c r="{at}{number}" t="inlineStr"><is><t>{text}</t></is></c>' for at, text in cells)
        return f'<row r="{number}">{"".join(inner)}</row>'

    found = read(tmp_path, with_rows(row(9, "A"), row(3, "B"), row(5, "C"), row(5, "D")))
    assert [(one.place, one.player.name, one.problem) for one in found] == [
        ("form.xlsx:9", "A", None),
        ("form.xlsx:3", "B", None),
        ("form.xlsx:5", "C", None),
        ("form.xlsx:5", "D", None),
    ]


def test_however_many_empty_cells_are_refused_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST_CELLS", 50_000)
    for row in ("<row><c/></row>" * 60_000, f"<row>{'<c/>' * 60_000}</row>"):
        data = repacked(plain(), lambda _, old: old, {"pad": os.urandom(800_000)})
        sheet = f"<worksheet><sheetData>{row}</sheetData></worksheet>".encode()
        data = repacked(data, lambda name, old, sheet=sheet: sheet if name == SHEET else old)  # type: ignore[misc]
        with within(25):
            assert mistake(tmp_path, data).message.en.startswith(
                ("too many cells", "not readable", "'form.xlsx'")
            )


@given(st.binary(max_size=300), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_bytes_make_it_stumble(tmp_path: Path, data: bytes, like_an_archive: bool) -> None:
    with pytest.raises(UserError):
        read(tmp_path, b"PK\x03\x04" + data if like_an_archive else data)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_changed_byte_makes_it_stumble(tmp_path: Path, changes: list[tuple[float, int]]) -> None:
    data = bytearray(plain())
    for at, value in changes:
        data[int(at * (len(data) - 1))] = value
    try:
        assert len(read(tmp_path, bytes(data))) <= 1
    except UserError as error:
        assert NAME not in str(error)
