"""XLSX workbooks that strangers send: too large, broken, or made to do harm."""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from factories.examples import amount
from factories.time_limits import within
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
    with_rows,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckcheck.registration import forms
from deckcheck.registration.forms import LARGEST_MEMBER, MOST_MEMBERS, MOST_ROWS
from deckcheck.support.errors import UserError


def test_a_cell_of_10_mb_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    large = f'<c r="D3" t="inlineStr"><is><t>{"4 x " * 2_600_000}</t></is></c>'
    rows = [
        f'<row r="{row}"><c r="B{row}" t="inlineStr"><is><t>A</t></is></c>{cell}</row>'
        for row, cell in ((2, '<c r="D2" t="inlineStr"><is><t>x</t></is></c>'), (3, large))
    ]
    found = read(tmp_path, with_rows(*rows))
    assert [one.text for one in found] == ["x", None]
    assert found[1].problem is not None and "too large" in found[1].problem.en


def test_a_zip_bomb_is_not_opened(tmp_path: Path) -> None:
    def bomb(**members: int) -> bytes:
        return repacked(plain(), lambda _, old: old, {name: b"0" * size for name, size in members.items()})

    data = bomb(one=LARGEST_MEMBER + 1)
    assert len(data) < 200_000
    assert "grows too large" in mistake(tmp_path, data).message.en
    # Each alone would pass.
    assert "grows too large" in mistake(tmp_path, bomb(a=LARGEST_MEMBER, b=LARGEST_MEMBER, c=1000)).message.en
    # Not large, but packed as no workbook is.
    assert "grows too large" in mistake(tmp_path, bomb(a=20_000_000)).message.en


def test_a_workbook_of_many_members_is_not_opened(tmp_path: Path) -> None:
    data = repacked(plain(), lambda _, old: old, {str(number): b"" for number in range(MOST_MEMBERS)})
    assert "grows too large" in mistake(tmp_path, data).message.en


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


def test_rows_and_columns_at_the_end_of_the_world_are_reached_at_once(tmp_path: Path) -> None:
    cells = '<c r="B{0}" t="inlineStr"><is><t>A</t></is></c><c r="XFD{0}"><v>1</v></c>'
    rows = [f'<row r="{row}">{cells.format(row)}</row>' for row in (1_048_576, 99_999_999_999)]
    found = read(tmp_path, with_rows(*rows))
    assert [(one.place, one.player.name) for one in found] == [
        ("form.xlsx:1048576", "A"),
        ("form.xlsx:99999999999", "A"),
    ]


def test_too_many_rows_are_told(tmp_path: Path) -> None:
    rows = "".join(f'<row r="{row}"><c r="B{row}"><v>1</v></c></row>' for row in range(2, MOST_ROWS + 3))
    assert "too many rows" in mistake(tmp_path, with_rows(rows)).message.en


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


CELL = "the cell in column {} of this row can't be read"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"<v>12</v>", b"<v>" + b"9" * 5000 + b"</v>", CELL.format(3)),
        (b"<v>12</v>", b"<v>NAME</v>", CELL.format(3)),
        (b'r="C2" t="n"', b'r="C2" t="s"', CELL.format(3)),
        (b'r="A2" s="1" t="n"', b'r="A2" t="d"', CELL.format(1)),
        (
            b'r="C2"',
            b'r="\xef\xbc\xa3?"',
            "the number of this row or the place of one of its cells can't be read",
        ),
        (
            b'<row r="2"',
            b'<row r="two"',
            "the number of this row or the place of one of its cells can't be read",
        ),
    ],
)
def test_one_bad_value_is_told_with_its_row_and_the_others_go_on(
    tmp_path: Path, old: bytes, new: bytes, said: str
) -> None:
    data = book([HEAD, ROW, (SENT, "乙", 13, DECK)])
    assert old in b"".join(zipfile.ZipFile(io.BytesIO(data)).read(name) for name in (SHEET,))
    found = read(tmp_path, repacked(data, lambda _, text: text.replace(old, new, 1)))
    assert [one.place for one in found] == ["form.xlsx:2", "form.xlsx:3"]
    assert found[0].problem is not None and found[0].problem.en == said
    assert (found[1].player.name, found[1].problem) == ("乙", None)


def test_rows_out_of_order_lose_nobody(tmp_path: Path) -> None:
    def row(number: int, name: str) -> str:
        cells = (("B", name), ("D", DECK))
        inner = (f'<c r="{at}{number}" t="inlineStr"><is><t>{text}</t></is></c>' for at, text in cells)
        return f'<row r="{number}">{"".join(inner)}</row>'

    found = read(tmp_path, with_rows(row(9, "A"), row(3, "B"), row(5, "C")))
    assert [(one.place, one.player.name, one.problem) for one in found] == [
        ("form.xlsx:3", "B", None),
        ("form.xlsx:5", "C", None),
        ("form.xlsx:9", "A", None),
    ]
    found = read(tmp_path, with_rows(row(3, "A"), row(4, "B"), row(3, "C")))
    assert [one.player.name for one in found] == ["A", "C", "B"]
    assert [one.problem is None or one.problem.en for one in found] == [
        "several rows of the sheet have this number",
        "several rows of the sheet have this number",
        True,
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("<row/>" * amount(5_000_000, 60_000), "too many cells"),
        ("<row><c/></row>" * amount(2_000_000, 60_000), "too many cells"),
        (f"<row>{'<c/>' * amount(5_000_000, 60_000)}</row>", "too many cells"),
    ],
)
def test_however_many_empty_rows_and_cells_are_refused_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: str, said: str
) -> None:
    monkeypatch.setattr(forms, "MOST_WORKSHEET_CELLS", amount(forms.MOST_WORKSHEET_CELLS, 50_000))
    data = repacked(plain(), lambda _, old: old, {"pad": os.urandom(800_000)})
    data = repacked(data, lambda name, old: _sheet_of(row) if name == SHEET else old)
    with within(25):
        assert said in mistake(tmp_path, data).message.en


def test_however_many_shared_texts_are_refused_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_TEXTS", amount(forms.MOST_TEXTS, 50_000))
    part = b'<Override PartName="/xl/texts.xml" ContentType="a.sharedStrings+xml"/></Types>'
    more = {
        "xl/texts.xml": b"<sst>" + b"<si/>" * amount(1_000_000, 60_000) + b"</sst>",
        "pad": os.urandom(400_000),
    }
    data = repacked(plain(), lambda _, old: old.replace(b"</Types>", part), more)
    assert "grows too large" in mistake(tmp_path, data).message.en


def _sheet_of(rows: str) -> bytes:
    return f"<worksheet><sheetData>{rows}</sheetData></worksheet>".encode()


def test_a_path_and_an_override_in_a_name_do_no_harm(tmp_path: Path) -> None:
    rows = [HEAD, (SENT, "../../etc/passwd", 1, DECK), (SENT, "\u202e山田\u202c花子", 2, DECK)]
    assert [one.player.name for one in read(tmp_path, book(rows))] == ["../../etc/passwd", "山田花子"]


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
