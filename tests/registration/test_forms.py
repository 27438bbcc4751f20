"""Exports of forms, CSV and XLSX: as they are, wrong, too large, or sent by somebody who means harm."""

from __future__ import annotations

import csv
import io
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from factories.examples import within
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from openpyxl import Workbook

from deckcheck.checking.judge import GameData, Loader
from deckcheck.formats.loading import load_game
from deckcheck.registration import forms
from deckcheck.registration.event import Event, read_event
from deckcheck.registration.forms import LARGEST_FILE, LARGEST_UNPACKED
from deckcheck.registration.roster import read_entries
from deckcheck.registration.submissions import LARGEST_LIST, Player, Submission
from deckcheck.support.errors import Problem, UserError

GAME = load_game("duel-masters")
HEAD = ("タイムスタンプ", "お名前", "ふりがな", "会員番号", "デッキリスト")
COLUMNS = "{submitted: タイムスタンプ, name: お名前, reading: ふりがな, id: 会員番号, deck: デッキリスト}"
DECK = "4 x 天災 デドダム\n36 x 青銅の鎧"
SENT = "2026/11/27 19:59:03"
NAMES = ("山田花子", "やまだはなこ", "M-4711")
ROW = (SENT, *NAMES, DECK)
HANAKO = Player(*NAMES[:2], None, NAMES[2])
LENIENT = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def event_at(folder: Path, columns: str, file: str, more: str = "") -> Event:
    path = folder / "event.yaml"
    path.write_text(
        "event: friday\nname: 金曜杯\ndate: 2026-11-28\nformat: duel-masters/original\n"
        f"entries:\n  - file: {file}\n    columns: {columns}\n{more}",
        encoding="utf-8",
    )
    return read_event(path)


def read(folder: Path, data: str | bytes, columns: str = COLUMNS, file: str = "form.csv") -> list[Submission]:
    """What is read from an export."""
    (folder / file).write_bytes(data.encode() if isinstance(data, str) else data)
    return read_entries(event_at(folder, columns, file), GAME)


def mistakes(
    folder: Path, data: str | bytes, columns: str = COLUMNS, file: str = "form.csv"
) -> tuple[Problem, ...]:
    """What is told of an export that can't be used, in which no player is named."""
    with pytest.raises(UserError) as caught:
        read(folder, data, columns, file)
    for one in caught.value.problems:
        told = [one.in_("ja"), one.in_("en"), one.excerpt or "", str(caught.value)]
        assert not [name for name in NAMES for text in told if name in text]
    return caught.value.problems


def sheet(*rows: tuple[str, ...], delimiter: str = ",", end: str = "\r\n") -> str:
    """The text of a CSV export."""
    told = io.StringIO(newline="")
    csv.writer(told, delimiter=delimiter, lineterminator=end).writerows(rows)
    return told.getvalue()


@cache
def table() -> GameData:
    return Loader().game("duel-masters")


def test_a_form_is_read(tmp_path: Path) -> None:
    [one] = read(tmp_path, sheet(HEAD, ROW))
    when = datetime(2026, 11, 27, 10, 59, 3, tzinfo=UTC)
    assert one == Submission("form.csv:2", HANAKO, DECK, when, SENT, id=one.id, timed=True)


@pytest.mark.parametrize(
    ("written", "days"),
    [
        (("05/12/2026 19:00:00", "27/11/2026 19:00:00"), ["2026-12-05", "2026-11-27"]),
        (("05/12/2026 19:00:00", "11/27/2026 19:00:00"), ["2026-05-12", "2026-11-27"]),
        (("27/11/2026 19:00:00", "11/27/2026 19:00:00"), ["2026-11-27", "2026-11-27"]),
        # What can't be read says nothing.
        (("05/12/2026 19:00:00", "27/11/2026 19:00:00", "soon"), ["2026-12-05", "2026-11-27", None]),
    ],
)
def test_a_day_above_12_says_whether_days_or_months_come_first(
    tmp_path: Path, written: tuple[str, ...], days: list[str | None]
) -> None:
    rows = [(when, *NAMES[:2], f"M-{number}", DECK) for number, when in enumerate(written)]
    times = [one.submitted for one in read(tmp_path, sheet(HEAD, *rows))]
    assert [when and when.date().isoformat() for when in times] == days


@pytest.mark.parametrize(
    ("written", "is_asked"),
    [
        (["05/12/2026 19:00"], True),
        (["05/05/2026 19:00", "2026-11-05 19:00", "5. 12. 19:00"], False),
        (["10/12/2026 19:00", "13/01/2026 19:00"], False),
        # Days above 12 that don't agree.
        (["10/12/2026 19:00", "13/01/2026 19:00", "01/13/2026 19:00"], True),
    ],
)
def test_a_form_in_which_the_day_or_the_month_may_come_first_is_asked_about(
    tmp_path: Path, written: list[str], is_asked: bool
) -> None:
    rows = [(when, *NAMES[:2], f"M-{number}", DECK) for number, when in enumerate(written)]
    if not is_asked:
        assert len(read(tmp_path, sheet(HEAD, *rows))) == len(rows)
        return
    [problem] = mistakes(tmp_path, sheet(HEAD, *rows))
    assert (problem.path, problem.line) == (str(tmp_path / "event.yaml"), 6)
    assert "05/12/2026 can be read in two ways" in problem.message.en
    day, month = int(written[0][:2]), int(written[0][3:5])
    for dates, wanted in (("day-first", (month, day)), ("month-first", (day, month))):
        event = event_at(tmp_path, COLUMNS, "form.csv", f"    dates: {dates}\n")
        first = read_entries(event, GAME)[0].submitted
        assert first is not None and (first.month, first.day) == wanted


def test_dates_that_are_not_in_the_order_of_the_form_are_told(tmp_path: Path) -> None:
    rows = [(when, *NAMES, DECK) for when in ("05/12/2026 19:00", "27/11/2026 19:00", "2026-11-27 19:00")]
    (tmp_path / "form.csv").write_text(sheet(HEAD, *rows), "utf-8")
    event = event_at(tmp_path, COLUMNS, "form.csv", "    dates: month-first\n")
    times = [one.submitted for one in read_entries(event, GAME)]
    assert [when and (when.month, when.day) for when in times] == [(5, 12), None, (11, 27)]


def test_an_id_stays_when_a_later_row_says_that_days_come_first(tmp_path: Path) -> None:
    rows = [("05/12/2026 19:00:00", *NAMES, DECK), ("27/11/2026 19:00:00", "乙", "おつ", "M-2", DECK)]
    (tmp_path / "form.csv").write_text(sheet(HEAD, *rows), "utf-8")
    [first, _second] = read_entries(event_at(tmp_path, COLUMNS, "form.csv"), GAME)
    event = event_at(tmp_path, COLUMNS, "form.csv", "    dates: month-first\n")
    [other, _second] = read_entries(event, GAME)
    assert first.submitted != other.submitted and first.id == other.id


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_encodings_and_delimiters_are_found(tmp_path: Path, encoding: str, delimiter: str, end: str) -> None:
    text = sheet(HEAD, ROW, delimiter=delimiter, end=end)
    [one] = read(tmp_path, text.encode(encoding))
    assert (one.player.name, one.text) == ("山田花子", DECK)


def test_the_delimiter_is_that_of_the_head_whatever_the_cells_hold(tmp_path: Path) -> None:
    [one] = read(tmp_path, sheet(HEAD, (SENT, "a;b;c\td", "", "1,2", "x"), delimiter=";"))
    assert (one.player.name, one.player.id) == ("a;b;c d", "1,2")


def test_heads_are_compared_by_their_letters(tmp_path: Path) -> None:
    head = ("タイムスタンプ", " お名前\n（必須）", "ﾌﾘｶﾞﾅ", "ＩＤ", "デッキ　リスト")
    columns = (
        "{submitted: タイムスタンプ, name: お名前 (必須), reading: フリガナ, id: ID, deck: デッキ リスト}"
    )
    [one] = read(tmp_path, sheet(head, ROW), columns)
    assert (one.player, one.place, one.text) == (HANAKO, "form.csv:3", DECK)


def test_a_place_is_the_line_on_which_the_row_begins(tmp_path: Path) -> None:
    found = read(tmp_path, sheet(HEAD, ROW, ROW, ("", "", "", "", " "), ("",) * 5, ROW))
    assert [one.place for one in found] == ["form.csv:2", "form.csv:4", "form.csv:8"]
    # Equal rows are told apart by their order.
    assert len({one.id for one in found}) == 3


# One column a zone


def test_zones_in_columns_read_back_as_they_were(tmp_path: Path) -> None:
    zones = list(GAME.zones)
    columns = "{name: N, zones: {" + ", ".join(f"{zone}: Z-{zone}" for zone in zones) + "}}"
    rows = [("A", *("4 x 天災 デドダム\n2 x 青銅の鎧" for _ in zones))]
    rows += [(zone, *("3 x 青銅の鎧" if one == zone else "" for one in zones)) for zone in zones]
    wanted = [[(zone, copies) for zone in zones for copies in (4, 2)], *([(zone, 3)] for zone in zones)]
    head = ("N", *(f"Z-{zone}" for zone in zones))
    for one, held in zip(read(tmp_path, sheet(head, *rows), columns), wanted, strict=True):
        assert one.text is not None
        deck = table().read(one.text, one.place)
        assert [(entry.zone, entry.copies) for entry in deck.entries] == held and not deck.diagnostics
        # Without a heading for zones that hold nothing.
        assert one.text.count("■") == len({zone for zone, _copies in held})


# Whatever stands in it

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)

PLAIN = st.text(st.sampled_from("aé山花 -;,\t\"'=+@#■"), max_size=8)


def normal(text: str) -> str | None:
    """A list as it is to come out."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain if plain.strip() else None


@given(
    st.lists(st.tuples(CELLS, PLAIN, CELLS, PLAIN, CELLS), max_size=6),
    st.sampled_from(",\t;"),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@LENIENT
def test_whatever_was_written_as_csv_is_read_back(
    tmp_path: Path,
    rows: list[tuple[str, str, str, str, str]],
    delimiter: str,
    end: str,
    quoting: int,
    encoding: str,
) -> None:
    # Python's writer puts no quotes around a lone carriage return where lines end with a line feed.
    assume(end == "\r\n" or quoting == csv.QUOTE_ALL or not any("\r" in cell for row in rows for cell in row))
    told = io.StringIO(newline="")
    csv.writer(told, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows([HEAD, *rows])
    found = read(tmp_path, told.getvalue().encode(encoding))
    kept = [row for row in rows if any(cell.strip() for cell in row)]
    assert [one.text for one in found] == [normal(row[4]) for row in kept]
    assert [one.player.name for one in found] == [" ".join(row[1].split()) or None for row in kept]
    assert [one.player.id for one in found] == [" ".join(row[3].split()) or None for row in kept]
    assert len({one.id for one in found}) == len(found)
    assert all(one.problem is None for one in found)


@given(
    st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from([
        ("form.csv", b""), ("form.csv", ",".join(HEAD).encode() + b"\n"), ("form.xlsx", b""), ("form.xlsx", b"PK\x03\x04"),
    ]),
)  # fmt: skip
@LENIENT
def test_no_bytes_make_it_stumble(tmp_path: Path, data: bytes, form: tuple[str, bytes]) -> None:
    file, head = form
    try:
        found = read(tmp_path, head + data, file=file)
    except UserError:
        return
    assert all(one.problem is None or one.text is None for one in found)


# What is wrong with a form


COLUMNS_BY_OTHER_NAMES = ("タイムスタンプ", "氏名", "ふりがな", "会員番號", "デッキリスト")


@pytest.mark.parametrize(
    ("columns", "head", "told"),
    [
        (
            COLUMNS,
            COLUMNS_BY_OTHER_NAMES,
            ["7:35: there is no column 'お名前' (*", "7:*: there is no column '会員番号' (did you mean '会員番號'?; the columns are “*"],
        ),
        (COLUMNS, (*HEAD, "お名前 "), ["7:35: there are 2 columns 'お名前'*"]),
        ("{name: お名前, zones: {mian: メイン}}", ("お名前", "メイン"), ["7:34: *(did you mean 'main'?)"]),
    ],
    ids=["not there", "there twice", "a zone that the game lacks"],
)  # fmt: skip
def test_a_column_is_told_where_it_is_named(
    tmp_path: Path, columns: str, head: tuple[str, ...], told: list[str]
) -> None:
    problems = mistakes(tmp_path, sheet(head, ROW[: len(head)]), columns)
    assert {one.path for one in problems} == {str(tmp_path / "event.yaml")}
    for one, said in zip(problems, told, strict=True):
        assert fnmatchcase(replace(one, path=None).in_("en"), said.replace("?", "[?]"))


def test_the_first_line_is_never_shown_where_it_may_be_a_player(tmp_path: Path) -> None:
    """The export has no head, and a player is called nearly as a column."""
    columns = "{name: 山田花, deck: M-4712}"
    problems = mistakes(tmp_path, sheet(ROW), columns)
    assert len(problems) == 2
    assert all(one.hint is not None and "first line" in one.hint.en for one in problems)


def test_rows_that_do_not_fit_under_the_head_are_told_and_not_dropped(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        sheet((*HEAD, "備考"), (*ROW, "", "", ""), (*ROW, "", "surplus"), ROW[:3], ROW),
    )
    assert [one.problem.en if one.problem else None for one in found] == [
        None,
        "this row has more cells than there are columns",
        "this row ends before its last columns",
        None,
    ]
    assert [one.text for one in found] == [DECK, None, None, DECK]
    assert all(one.player.name == "山田花子" for one in found)


def test_all_sources_that_cannot_be_used_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "event.yaml"
    path.write_text(
        "event: friday\nname: X\ndate: 2026-11-28\nformat: duel-masters/original\nentries:\n"
        "- lists\n- {file: a.csv, columns: {name: N, deck: D}}\n",
        encoding="utf-8",
    )
    with pytest.raises(UserError) as caught:
        read_entries(read_event(path), GAME)
    assert [(one.path, one.line, one.column) for one in caught.value.problems] == [
        (str(path), 6, 3),
        (str(path), 7, 4),
    ]
    assert [one.message.en for one in caught.value.problems] == [
        "there is no folder 'lists'",
        "there is no file 'a.csv'",
    ]


# What strangers send


def test_a_cell_of_10_mb_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    large = "4 x 天災 デドダム\n" * 450_000
    assert len(large.encode()) > 10_000_000
    found = read(tmp_path, sheet(HEAD, ROW, (SENT, *NAMES, large), (SENT, large, "", "", DECK), ROW))
    assert [one.text for one in found] == [DECK, None, None, DECK]
    list_problem, name_problem = found[1].problem, found[2].problem
    assert list_problem is not None and list_problem.en == "the list is too large (at most 256 KiB)"
    assert name_problem is not None and name_problem.en.startswith("name is too long")
    assert name_problem.ja == "「名前」が長すぎます（1,000文字まで）"
    assert found[2].player.name is None
    assert csv.field_size_limit() == before


def test_a_list_is_measured_in_bytes(tmp_path: Path) -> None:
    letters = ("x", LARGEST_LIST), ("天", LARGEST_LIST // 3), ("𠮷", LARGEST_LIST // 4)
    rows = [(SENT, *NAMES, letter * (most + more)) for letter, most in letters for more in (0, 1)]
    assert [one.problem is None for one in read(tmp_path, sheet(HEAD, *rows))] == [True, False] * 3


def test_too_many_rows_or_bytes_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_ROWS", 100)
    row = f"{SENT},{NAMES[0]},,,1\n"
    assert len(read(tmp_path, sheet(HEAD) + row * 100)) == 100
    monkeypatch.setattr("deckcheck.registration.roster.LARGEST_TOGETHER", 2 * len(DECK))
    assert len(read(tmp_path, sheet(HEAD, ROW, ROW))) == 2
    for text, said in (
        (sheet(HEAD) + row * 101, "too many rows"),
        (sheet(HEAD, ROW, ROW, ROW), "all lists together are too large"),
    ):
        [problem] = mistakes(tmp_path, text)
        assert said in problem.message.en
    with (tmp_path / "form.csv").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(UserError, match="too large"):
        read_entries(event_at(tmp_path, COLUMNS, "form.csv"), GAME)


def test_a_nul_in_one_cell_is_told_with_its_row_and_the_others_go_on(tmp_path: Path) -> None:
    bad = [DECK + "\0" if cell == DECK else cell for cell in ROW]
    found = read(tmp_path, sheet(HEAD, bad, ROW))
    assert [one.place for one in found] == ["form.csv:2", f"form.csv:{3 + DECK.count(chr(10))}"]
    assert found[0].problem is not None
    assert found[0].problem.en == "the list has a character that is no text (NUL)"
    assert (found[1].problem, found[1].text) == (None, DECK)


# Workbooks

BOOK_HEAD = (*HEAD[:2], *HEAD[3:])
BOOK_COLUMNS = "{submitted: タイムスタンプ, name: お名前, id: 会員番号, deck: デッキリスト}"
NAME = NAMES[0]
BOOK_ROW = (datetime(2026, 11, 27, 19, 59, 3), NAME, 12, DECK)
SHEET = "xl/worksheets/sheet1.xml"
SHARED = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
NO_XLSX, GROWS = "not readable as XLSX", "grows too large"
HALF = b"0" * (LARGEST_UNPACKED // 2)
Change = Callable[[str, bytes], bytes]


def saved(made: Workbook) -> bytes:
    told = io.BytesIO()
    made.save(told)
    return told.getvalue()


def book(rows: Iterable[Sequence[Any]], shown_as: str = "General") -> bytes:
    """A workbook with these rows; the id in the second is shown as that."""
    made = Workbook()
    for row in rows:
        made.active.append(row)
    made.active["C2"].number_format = shown_as
    return saved(made)


@cache
def plain() -> bytes:
    return book([BOOK_HEAD, BOOK_ROW])


def repacked(data: bytes, change: Change, more: Mapping[str, bytes] | None = None) -> bytes:
    """A workbook with its members changed, and more of them."""
    told = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(told, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
        for name, content in (more or {}).items():
            new.writestr(name, content)
    return told.getvalue()


def changed(member: str, content: bytes) -> bytes:
    """A workbook of which a member is this."""
    return repacked(plain(), lambda name, old: content if name == member else old)


def with_more(**members: bytes) -> bytes:
    return repacked(plain(), lambda _name, old: old, members)


def with_rows(*rows: str, above: str = "", dimension: str = "") -> bytes:
    """A workbook with the usual head, these rows, and what stands above them."""
    head = "".join(cell(f"{column}1", text) for column, text in zip("ABCD", BOOK_HEAD, strict=True))
    xml = (
        f'<?xml version="1.0"?>{above}'
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f'{dimension}<sheetData><row r="1">{head}</row>{"".join(rows)}</sheetData></worksheet>'
    )
    return changed(SHEET, xml.encode())


def cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def read_book(folder: Path, data: bytes, more: str = "") -> list[Submission]:
    return read(folder, data, f"{BOOK_COLUMNS}\n{more}", "form.xlsx")


def mistake(folder: Path, data: bytes, more: str = "") -> Problem:
    [problem] = mistakes(folder, data, f"{BOOK_COLUMNS}\n{more}", "form.xlsx")
    return problem


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
    [one] = read_book(tmp_path, book([BOOK_HEAD, (*BOOK_ROW[:2], value, DECK)], shown_as))
    assert one.player.id == text


@pytest.mark.parametrize(
    ("value", "when", "text"),
    [
        (datetime(2026, 11, 27, 0, 0), datetime(2026, 11, 26, 15, tzinfo=UTC), "2026-11-27 00:00:00"),
        (BOOK_ROW[0], datetime(2026, 11, 27, 10, 59, 3, tzinfo=UTC), "2026-11-27 19:59:03"),
        # A day alone says nothing of the hour.
        (date(2026, 11, 27), None, "2026-11-27"),
        ("2026/11/27 午後 7:59:03", datetime(2026, 11, 27, 10, 59, 3, tzinfo=UTC), "2026/11/27 午後 7:59:03"),
        (None, None, ""),
    ],
)
def test_times_in_cells_are_times(tmp_path: Path, value: Any, when: datetime | None, text: str) -> None:
    [one] = read_book(tmp_path, book([BOOK_HEAD, (value, *BOOK_ROW[1:3], "a\r\nb_x000D_\nc\nd")]))
    assert (one.submitted, one.submitted_as, one.place) == (when, text, "form.xlsx:2")
    assert (one.player.name, one.player.id, one.text) == (NAME, "12", "a\nb\nc\nd")


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
    [one] = read_book(tmp_path, repacked(with_rows(row), change, more))
    assert (one.player.name, one.text) == (NAME, "4 x 天災 デドダム\n")
    row = row.replace("<v>1</v>", "<v>2</v>")
    assert mistake(tmp_path, repacked(with_rows(row), change, more)).message.en == NO_XLSX


def test_empty_rows_are_skipped_and_places_stay(tmp_path: Path) -> None:
    rows: list[Sequence[Any]] = [(), (None, " "), BOOK_HEAD, BOOK_ROW, (), (None, "", "  "), BOOK_ROW]
    assert [one.place for one in read_book(tmp_path, book(rows))] == ["form.xlsx:4", "form.xlsx:7"]


def test_a_row_of_a_workbook_may_end_before_the_head_but_not_go_on_behind_it(tmp_path: Path) -> None:
    short, long = read_book(tmp_path, book([BOOK_HEAD, (BOOK_ROW[0], NAME), (*BOOK_ROW, "surplus")]))
    assert (short.player.name, short.text, short.problem) == (NAME, None, None)
    assert long.text is None and long.problem is not None


def test_the_only_sheet_with_rows_counts_unless_one_is_named(tmp_path: Path) -> None:
    made = Workbook()
    other = made.create_sheet("回答 1")
    for row in (BOOK_HEAD, BOOK_ROW):
        other.append(row)
    [one] = read_book(tmp_path, saved(made))
    assert one.player.name == NAME
    made.create_sheet("hidden").append(BOOK_HEAD)
    made["hidden"].sheet_state = "hidden"
    assert len(read_book(tmp_path, saved(made))) == 1
    made.active.append(BOOK_HEAD)
    several = mistake(tmp_path, saved(made))
    assert several.message.en == "there are several sheets in it: “Sheet”, “回答 1”"
    assert several.hint is not None and "sheet: NAME" in several.hint.en
    [one] = read_book(tmp_path, saved(made), "    sheet: 回答 1\n")
    assert (one.place, one.player.name) == ("form.xlsx!回答 1:2", NAME)
    problem = mistake(tmp_path, saved(made), "    sheet: 回答 2\n")
    assert (problem.path, problem.line, problem.column) == (str(tmp_path / "event.yaml"), 8, 5)
    assert problem.hint is not None and problem.hint.en == "did you mean '回答 1'?"


def test_nothing_installed_to_read_it_with_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    problem = mistake(tmp_path, plain())
    assert problem.hint is not None and "pip install 'deckcheck[xlsx]'" in problem.hint.en


LETTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="=#_\ufffe\uffff")
TEXTS = st.text(LETTERS, max_size=20)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=5))
@LENIENT
def test_whatever_was_written_in_a_workbook_is_read_back(
    tmp_path: Path, rows: list[tuple[str, str, str]]
) -> None:
    found = read_book(tmp_path, book([BOOK_HEAD, *((None, *row) for row in rows)]))
    kept = [row for row in rows if any(cell.strip() for cell in row)]
    assert [one.text for one in found] == [row[2] if row[2].strip() else None for row in kept]
    assert len({one.id for one in found}) == len(found)


def with_numbers_too_large() -> bytes:
    pairs = ((b"<v>12</v>", b"<v>1e999</v>"), (b"</sheetData>", b"</a>"))
    return repacked(plain(), lambda _name, old: old.replace(*pairs[0]).replace(*pairs[1]))


def lying_about_a_size() -> bytes:
    content = b"<" + b"0" * 30_000_000
    data, true = changed(SHEET, content), struct.pack("<I", len(content))
    assert data.count(true) == 2
    return data.replace(true, struct.pack("<I", 1000))


def sharing_bytes() -> bytes:
    """Many entries for one compressed kernel: each is small, together they are not."""
    content = b"0" * 1_000_000
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    sizes = struct.pack("<III", zlib.crc32(content), len(packed), len(content))
    local = b"PK\x03\x04" + struct.pack("<HHHHH", 20, 0, 8, 0, 0) + sizes + struct.pack("<HH", 1, 0)
    local += b"a" + packed
    entry = b"PK\x01\x02" + struct.pack("<HHHHHH", 20, 20, 0, 8, 0, 0) + sizes
    entry += struct.pack("<HHHHHII", 1, 0, 0, 0, 0, 0, 0) + b"a"
    central = entry * 150
    return local + central + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 150, 150, len(central), len(local), 0)


def with_entity(above: str) -> bytes:
    return with_rows(f'<row r="2">{cell("B2", "&b;")}</row>', above=above)


def test_what_a_sheet_says_of_its_size_is_not_believed(tmp_path: Path) -> None:
    row = f'<row r="2">{cell("B2", "A")}</row>'
    for dimension in ("A1", "A1:XFD1048576", "A1:A1"):
        [one] = read_book(tmp_path, with_rows(row, dimension=f'<dimension ref="{dimension}"/>'))
        assert one.player.name == "A"


def test_rows_and_columns_at_the_end_of_the_world_are_reached_soon(tmp_path: Path) -> None:
    row = '<row r="{0}"><c r="B{0}" t="inlineStr"><is><t>A</t></is></c><c r="XFD{0}"><v>1</v></c></row>'
    with within(25):
        for number in (1_048_576, 99_999_999_999):
            [one] = read_book(tmp_path, with_rows(row.format(number)))
            assert (one.place, one.player.name) == (f"form.xlsx:{number}", "A")


NO_FORMS: dict[str, tuple[str, str | bytes | Callable[[], bytes], int | None, str]] = {
    "a quote within a cell": ("form.csv", sheet(HEAD, ROW) + f'x,"{NAME}" y,,,\n', 4, "quote"),
    "a quote that is not closed": ("form.csv", sheet(HEAD, ROW) + f'x,"{NAME}\n,,,\n\n', 4, "quote"),
    "a quote in the head": ("form.csv", f'"お名前,{NAME}\n', 1, "quote"),
    "nothing": ("form.csv", b"", None, ""),
    "empty lines": ("form.csv", b"\n\n,,,\n", None, ""),
    "half of UTF-16": ("form.csv", b"\xff\xfe\x00", None, ""),
    "a NUL": ("form.csv", b"a\x00b", None, ""),
    "no text": ("form.csv", b"\x81\x00" * 50, None, ""),
    "too many cells": ("form.csv", sheet(HEAD) + "," * 5_000_000, None, "too many cells"),
    "too many columns": ("form.csv", "," * 2_000 + "お名前\n", None, "too many columns"),
    "an empty workbook": ("form.xlsx", b"", None, NO_XLSX),
    "a text for a workbook": ("form.xlsx", b"a,b\n1,2\n", None, NO_XLSX),
    "a broken archive": ("form.xlsx", b"PK\x03\x04" + b"\x00" * 100, None, NO_XLSX),
    "an old workbook": ("form.xlsx", bytes.fromhex("d0cf11e0a1b11ae1") + b"\x00" * 600, None, "this is not XLSX"),
    "an empty sheet": ("form.xlsx", lambda: changed(SHEET, b""), None, NO_XLSX),
    "half a sheet": ("form.xlsx", lambda: changed(SHEET, b"<worksheet><sheetData>"), None, NO_XLSX),
    "no sheet": ("form.xlsx", lambda: changed("xl/workbook.xml", b"<a/>"), None, "there is no sheet in it"),
    "a number too large": ("form.xlsx", with_numbers_too_large, None, NO_XLSX),
    "a bomb": ("form.xlsx", lambda: with_more(one=HALF * 2 + b"00"), None, GROWS),
    # It would pass if each were looked at alone.
    "two halves of a bomb": ("form.xlsx", lambda: with_more(a=HALF, b=HALF + b"00"), None, GROWS),
    # Newer Pythons see that themselves.
    "members that share their bytes": ("form.xlsx", sharing_bytes, None, f"{GROWS}|{NO_XLSX}"),
    "a member that lies about its size": ("form.xlsx", lying_about_a_size, None, NO_XLSX),
    **{
        f"an entity {kind}": ("form.xlsx", partial(with_entity, above), None, NO_XLSX)
        for kind, above in {
            "that grows": '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>',
            "that is a file": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
            "of elsewhere": '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a" [<!ENTITY % b SYSTEM "file:///etc/passwd"> %b;]>',
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", NO_FORMS)
def test_what_is_no_form_is_told_in_one_sentence_without_what_stands_there(tmp_path: Path, kind: str) -> None:
    file, made, line, said = NO_FORMS[kind]
    data = made() if callable(made) else made
    problems = mistakes(tmp_path, data, COLUMNS if file == "form.csv" else BOOK_COLUMNS, file)
    if said:
        [problem] = problems
        assert (problem.path, problem.line, problem.excerpt) == (file, line, None)
        assert re.search(said, problem.message.en)


def test_rows_out_of_order_lose_nobody(tmp_path: Path) -> None:
    order = ((9, "A"), (3, "B"), (5, "C"), (5, "D"))
    rows = [f'<row r="{at}">{cell(f"B{at}", name)}{cell(f"D{at}", DECK)}</row>' for at, name in order]
    found = read_book(tmp_path, with_rows(*rows))
    wanted = [(f"form.xlsx:{at}", name, None) for at, name in order]
    assert [(one.place, one.player.name, one.problem) for one in found] == wanted


def test_however_many_empty_cells_are_refused_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_CELLS", 50_000)
    for row in ("<row><c/></row>" * 60_000, f"<row>{'<c/>' * 60_000}</row>"):
        xml = f"<worksheet><sheetData>{row}</sheetData></worksheet>".encode()
        with within(25):
            said = mistake(tmp_path, changed(SHEET, xml)).message.en
            assert said.startswith(("too many cells", "not readable", "'form.xlsx'"))


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=6))
@LENIENT
def test_no_changed_byte_makes_it_stumble(tmp_path: Path, changes: list[tuple[float, int]]) -> None:
    data = bytearray(plain())
    for at, value in changes:
        data[int(at * (len(data) - 1))] = value
    try:
        assert len(read_book(tmp_path, bytes(data))) <= 1
    except UserError as error:
        assert NAME not in str(error)
