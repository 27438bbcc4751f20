"""What each player is told, and the files in which that is."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from factories.examples import examples
from factories.rosters import (
    ANOTHER,
    EVENT,
    HOSTILE,
    ILLEGAL,
    LEGAL,
    OPEN_END,
    OTHER,
    TOO_LATE,
    UNDECIDED,
    UNREADABLE,
    entry,
    judged,
    listed,
    receipt,
    sample,
)
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.registration.notices import notice, notices, write_notices
from deckcheck.registration.roster import Roster
from deckcheck.registration.submissions import NOTICES_MARK, Player
from deckcheck.support.errors import UserError
from deckcheck.support.safe_text import safe


def told(roster: Roster, lang: str = "en", number: int = 1) -> str:
    """The letter for the submission with that number."""
    row = roster.rows[number - 1]
    return notice(row, roster, lang)


def test_a_notice_says_exactly_what_to_mend_and_until_when() -> None:
    text = told(judged(entry(1, ILLEGAL, "青木 葵")), "ja")
    assert text.startswith("青木 葵 様\n")
    assert "「春の玩具店杯」（2024年3月3日）" in text
    assert "《フェアリー・ライフ》が5枚あります（4枚まで）" in text
    assert "2行目: 3 フェアリー・ライフ" in text and "3行目: 2 フェアリー・ライフ" in text
    assert "2024年3月1日 18:00（JST）までに、直したリストをお送りください。" in text
    assert "主催者（まちの玩具店）" in text
    english = told(judged(entry(1, ILLEGAL, "Ueda")))
    assert english.startswith("Dear Ueda,\n")
    assert "5 copies of フェアリー・ライフ; at most 4 allowed" in english
    assert "By 2024-03-01 18:00 (JST), please send a corrected list." in english


def test_without_a_deadline_lists_are_due_by_the_event() -> None:
    roster = judged(entry(1, ILLEGAL), event=OPEN_END)
    assert "By the day of the event (2024-03-03)" in told(roster)
    assert "大会の日（2024年3月3日）までに" in told(roster, "ja")


@pytest.mark.parametrize(
    ("roster", "ja", "en"),
    [
        (lambda: judged(entry(1)), "このままで問題ありません", "You don't need to send anything else"),
        (lambda: judged(entry(1, None)), "まだ届いていません", "please send your list"),
        (lambda: judged(entry(1, UNREADABLE)), "読み取れませんでした", "not readable as JSON"),
        (lambda: judged(entry(1, UNDECIDED)), "もしかして: 《フェアリー・ライフ》", "did you mean フェアリー・ライフ"),
        (lambda: judged(entry(1, submitted=TOO_LATE)), "締切を過ぎて", "came after the deadline"),
        (lambda: judged(entry(1, table=""), event=replace(EVENT, required=("table", "id"))), "卓番号", "table, player id"),
        (lambda: judged(entry(1, LEGAL, "青木"), entry(2, OTHER, "青木", TOO_LATE)), "2件届いて", "You have submitted 2 lists"),
        (lambda: judged(entry(1, LEGAL, "青木"), entry(2, OTHER, "青木", TOO_LATE)), "締切後に届いた別のリスト", "is not used"),
        (lambda: judged(entry(1, LEGAL), accepted=[receipt(1, Player("参加者1"), ANOTHER)]), "主催者の承諾", "consent"),
        (lambda: judged(entry(1, LEGAL), accepted=[receipt(1, Player("参加者1"), listed())]), "受付は済んでいます", "has been accepted"),
        (lambda: judged(entry(1, LEGAL, "青木", None), entry(2, OTHER, "青木", None)), "どのリストを使うか", "please tell the organiser"),
        (lambda: judged(replace(entry(1, submitted=None), timed=True)), "確かめられないため", "The time of submission can't be read"),
        (lambda: judged(entry(1, LEGAL, "青木"), entry(2, LEGAL, "青木", id="7"), entry(3, LEGAL, "青木", id="8")), "同じお名前かプレイヤーID", "Others have the same name"),
        (lambda: judged(accepted=[receipt(1, Player("青木"), listed())]), "受付は済んでいます", "has been accepted"),
    ],
)  # fmt: skip
def test_each_matter_is_told(roster: Callable[[], Roster], ja: str, en: str) -> None:
    assert ja in told(roster(), "ja")
    assert en in told(roster())


def test_a_warning_is_worth_a_look_and_nothing_to_mend() -> None:
    text = told(judged(entry(1, "1 アクア・ガード\n" + LEGAL)))
    assert "Please also look at this:" in text and "costs very little" in text
    assert "Please correct" not in text


@pytest.mark.parametrize(
    ("player", "event", "begins"),
    [("en", "ja", "Dear"), ("ja", "en", "参加者1 様"), (None, "en", "Dear"), (None, None, "参加者1 様"), ("fr", None, "参加者1 様")],
)  # fmt: skip
def test_a_notice_is_in_the_players_language(
    player: str | None, event: str | None, begins: str, tmp_path: Path
) -> None:
    one = entry(1)
    one = replace(one, player=replace(one.player, language=player))
    write(judged(one, event=replace(EVENT, language=event)), tmp_path / "out")
    assert (tmp_path / "out" / "参加者1 1.txt").read_text("utf-8").startswith(begins)


def test_a_player_without_a_name_is_greeted_all_the_same() -> None:
    assert told(judged(entry(1, name="")), "ja").startswith("ご登録の方へ\n")
    assert told(judged(entry(1, name="", handle="れん")), "ja").startswith("れん 様\n")


@examples(40)
@given(st.text(max_size=200) | st.sampled_from(HOSTILE))
def test_nothing_in_a_notice_plays_tricks(name: str) -> None:
    event = replace(EVENT, organiser=name)
    one = entry(1, f"{UNDECIDED}1 {' '.join(name.split())}\n", name)
    for lang in ("ja", "en"):
        text = notice(judged(one, event=event).rows[0], judged(one, event=event), lang)
        assert all(safe(line) == line for line in text.split("\n"))
        assert text.endswith("\n") and "\n\n\n" not in text
        assert len(text.split("\n")[0]) < 90 * 10


def write(roster: Roster, folder: Path) -> int:
    """Writes the notices of a roster; returns how many there are."""
    made = notices(roster)
    write_notices(made, folder, roster.event)
    return len(made)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_notices_are_named_by_player_and_only_their_owner_may_read_them(tmp_path: Path) -> None:
    out = tmp_path / "letters"
    before = os.umask(0)
    try:
        number = write(sample(), out)
    finally:
        os.umask(before)
    # One a player: 9 is superseded by 8, and of 10 and 11 nobody knows which stands.
    found = names(out)
    assert {name.removesuffix(".txt").split()[-1] for name in found if name != NOTICES_MARK} == {
        *(str(at) for at in range(1, 21) if at not in (9, 11)),
        "3",
    }
    assert "青木 葵 1.txt" in found and "14.txt" not in found and "J-014 14.txt" in found
    assert number == len(found) - 1
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in out.iterdir()} == {0o600}


def test_notices_of_an_earlier_run_do_not_stay(tmp_path: Path) -> None:
    out = tmp_path / "letters"
    write(judged(entry(1, ILLEGAL), entry(2, ILLEGAL), entry(1000, ILLEGAL)), out)
    assert names(out) == [NOTICES_MARK, "参加者1 1.txt", "参加者1000 1000.txt", "参加者2 2.txt"]
    (out / "notes.txt").write_text("mine")
    write(judged(entry(1, LEGAL)), out)
    assert names(out) == [NOTICES_MARK, "notes.txt", "参加者1 1.txt"]
    assert "問題ありません" in (out / "参加者1 1.txt").read_text("utf-8")


def test_a_folder_of_somebody_elses_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a list")
    with pytest.raises(UserError, match="other files"):
        write(judged(entry(1)), tmp_path)
    assert names(tmp_path) == ["a.txt"] and (tmp_path / "a.txt").read_text() == "a list"


def test_notices_of_another_event_are_left_alone(tmp_path: Path) -> None:
    write(judged(entry(1), entry(2)), tmp_path)
    with pytest.raises(UserError, match="another event"):
        write(judged(entry(1), event=replace(EVENT, id="other")), tmp_path)
    assert names(tmp_path) == [NOTICES_MARK, "参加者1 1.txt", "参加者2 2.txt"]


def test_a_place_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="can't be written") as caught:
        write(judged(entry(1, name="青木")), tmp_path / "file")
    assert "青木" not in repr(caught.value.problems)
