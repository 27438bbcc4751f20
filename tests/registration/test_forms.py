"""CSV and TSV exports of forms: as they are, wrong, too large, or sent by somebody who means harm."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from factories.forms import DECK, GAME, HEAD, NAMES, ROW, SENT, event_at, mistakes, read, sheet
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.registration.event import read_event
from deckcheck.registration.forms import LARGEST_FILE, MOST_ROWS
from deckcheck.registration.roster import read_entries
from deckcheck.registration.submissions import LARGEST_LIST, Player, Submission
from deckcheck.support.errors import UserError


@cache
def table() -> GameData:
    return open_game_data("duel-masters")


def test_a_form_is_read(tmp_path: Path) -> None:
    [one] = read(tmp_path, sheet(HEAD, ROW))
    assert [one] == [
        Submission(
            id=one.id,
            place="form.csv:2",
            player=Player("山田花子", "やまだはなこ", None, "M-4711"),
            text=DECK,
            submitted=datetime(2026, 11, 27, 10, 59, 3, tzinfo=UTC),
            submitted_as=SENT,
            timed=True,
        )
    ]


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
    assert (one.player, one.place, one.text) == (
        Player("山田花子", "やまだはなこ", None, "M-4711"),
        "form.csv:3",
        DECK,
    )


def test_a_place_is_the_line_on_which_the_row_begins(tmp_path: Path) -> None:
    found = read(tmp_path, sheet(HEAD, ROW, ROW, ("", "", "", "", " "), ("",) * 5, ROW))
    assert [one.place for one in found] == ["form.csv:2", "form.csv:4", "form.csv:8"]
    # Equal rows are told apart by their order.
    assert len({one.id for one in found}) == 3


# One column a zone


def test_zones_in_columns_read_back_as_they_were(tmp_path: Path) -> None:
    zones = list(GAME.zones)
    columns = "{name: N, zones: {" + ", ".join(f"{zone}: Z-{zone}" for zone in zones) + "}}"
    head = ("N", *(f"Z-{zone}" for zone in zones))
    rows = [("A", *("4 x 天災 デドダム\n2 x 青銅の鎧" for _ in zones))]
    rows += [(zone, *("3 x 青銅の鎧" if one == zone else "" for one in zones)) for zone in zones]
    full, *single = read(tmp_path, sheet(head, *rows), columns)
    assert full.text is not None
    deck = table().read(full.text, full.place)
    assert not deck.diagnostics
    assert [(one.zone, one.copies) for one in deck.entries] == [
        (zone, copies) for zone in zones for copies in (4, 2)
    ]
    for one, zone in zip(single, zones, strict=True):
        # Without a heading for zones that hold nothing.
        assert one.text is not None and one.text.count("■") == 1
        deck = table().read(one.text, one.place)
        assert [(entry.zone, entry.copies) for entry in deck.entries] == [(zone, 3)]
        assert not deck.diagnostics


def test_a_zone_that_the_game_lacks_is_told_where_it_is_named(tmp_path: Path) -> None:
    columns = "{name: お名前, zones: {mian: メイン}}"
    [problem] = mistakes(tmp_path, sheet(("お名前", "メイン")), columns)
    assert (problem.path, problem.line, problem.column) == (str(tmp_path / "event.yaml"), 7, 34)
    assert problem.hint is not None and problem.hint.en == "did you mean 'main'?"


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
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
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
    st.one_of(
        st.binary(max_size=300), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
    ),
    st.booleans(),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_bytes_make_it_stumble(tmp_path: Path, data: bytes, headed: bool) -> None:
    try:
        found = read(tmp_path, sheet(HEAD).encode() + data if headed else data)
    except UserError:
        return
    assert all(one.problem is None or one.text is None for one in found)


# What is wrong with a form


def test_a_column_that_is_not_there_is_told_where_it_is_named(tmp_path: Path) -> None:
    head = ("タイムスタンプ", "氏名", "ふりがな", "会員番號", "デッキリスト")
    name, id = mistakes(tmp_path, sheet(head, ROW))
    assert {name.path, id.path} == {str(tmp_path / "event.yaml")}
    assert (name.line, id.line) == (7, 7)
    assert name.excerpt is not None and name.excerpt[(name.column or 0) - 1 :].startswith("name: お名前")
    assert name.message.en == "there is no column 'お名前'"
    assert id.hint is not None and id.hint.en.startswith("did you mean '会員番號'?; the columns are “")


def test_the_first_line_is_never_shown_where_it_may_be_a_player(tmp_path: Path) -> None:
    """The export has no head, and a player is called nearly as a column."""
    columns = "{name: 山田花, deck: M-4712}"
    problems = mistakes(tmp_path, sheet(ROW), columns)
    assert len(problems) == 2
    assert all(one.hint is not None and "first line" in one.hint.en for one in problems)


def test_a_column_that_is_there_twice_is_told(tmp_path: Path) -> None:
    [problem] = mistakes(tmp_path, sheet((*HEAD, "お名前 "), (*ROW, "x")))
    assert (problem.line, problem.message.en) == (7, "there are 2 columns 'お名前'")


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


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (sheet(HEAD, ROW) + f'x,"{NAMES[0]}" y,,,\n', 4),
        (sheet(HEAD, ROW) + f'x,"{NAMES[0]}\n,,,\n\n', 4),
        (f'"お名前,{NAMES[0]}\n', 1),
    ],
)
def test_broken_quoting_is_told_with_its_line_and_without_what_stands_there(
    tmp_path: Path, text: str, line: int
) -> None:
    [problem] = mistakes(tmp_path, text)
    assert (problem.path, problem.line, problem.excerpt) == ("form.csv", line, None)
    assert "quote" in problem.message.en


@pytest.mark.parametrize("data", [b"", b"\n\n,,,\n", b"\xff\xfe\x00", b"a\x00b", b"\x81\x00" * 50])
def test_what_is_no_form_is_told(tmp_path: Path, data: bytes) -> None:
    assert mistakes(tmp_path, data)


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


def test_lists_that_are_too_large_together_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deckcheck.registration.roster.LARGEST_TOGETHER", 2 * len(DECK))
    assert len(read(tmp_path, sheet(HEAD, ROW, ROW))) == 2
    [problem] = mistakes(tmp_path, sheet(HEAD, ROW, ROW, ROW))
    assert problem.message.en == "all lists together are too large"


def test_a_form_of_too_many_rows_or_bytes_is_told(tmp_path: Path) -> None:
    row = f"{SENT},{NAMES[0]},,,1\n"
    assert len(read(tmp_path, sheet(HEAD) + row * MOST_ROWS)) == MOST_ROWS
    [problem] = mistakes(tmp_path, sheet(HEAD) + row * (MOST_ROWS + 1))
    assert "too many rows" in problem.message.en
    with (tmp_path / "form.csv").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(UserError, match="too large"):
        read_entries(event_at(tmp_path), GAME)


def test_a_form_of_nothing_but_delimiters_is_told(tmp_path: Path) -> None:
    [problem] = mistakes(tmp_path, sheet(HEAD) + "," * 5_000_000)
    assert "too many cells" in problem.message.en
    [problem] = mistakes(tmp_path, "," * 2_000 + "お名前\n")
    assert "too many columns" in problem.message.en


def test_a_nul_in_one_cell_is_told_with_its_row_and_the_others_go_on(tmp_path: Path) -> None:
    bad = [DECK + "\0" if cell == DECK else cell for cell in ROW]
    found = read(tmp_path, sheet(HEAD, bad, ROW))
    assert [one.place for one in found] == ["form.csv:2", f"form.csv:{3 + DECK.count(chr(10))}"]
    column = ROW.index(DECK) + 1
    assert found[0].problem is not None
    assert found[0].problem.en == f"the cell in column {column} of this row can't be read"
    assert (found[1].problem, found[1].text) == (None, DECK)
