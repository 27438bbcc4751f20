"""Entries as rows of a CSV or TSV export."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from factories.forms import DECK, GAME, HEAD, ROW, SENT, mistakes, read, sheet
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.registration.submissions import Player, Submission
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
