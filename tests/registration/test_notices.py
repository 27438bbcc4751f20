"""What each player is told, and the files in which that is."""

from __future__ import annotations

import csv
import io
import os
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from factories.events import ILLEGAL as FIVE
from factories.events import JUDGE, a_list, accept, an_event, put, run
from factories.events import UNDECIDED as UNKNOWN
from factories.examples import examples
from factories.rosters import EVENT, HOSTILE, ILLEGAL, IN_TIME, LEGAL, OPEN_END, UNDECIDED, entry, judged
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.registration.notices import notice, notices, notices_csv, write_notices
from deckcheck.registration.roster import Roster
from deckcheck.registration.submissions import NOTICES_MARK, Submission
from deckcheck.support.errors import UserError
from deckcheck.support.safe_text import safe


def told(roster: Roster, lang: str = "en") -> str:
    """The letter for the first submission."""
    return notice(roster.rows[0], roster, lang)


def test_without_a_deadline_lists_are_due_by_the_event() -> None:
    roster = judged(entry(1, ILLEGAL), event=OPEN_END)
    assert "By the day of the event (2024-03-03)" in told(roster)
    assert "大会の日（2024年3月3日）までに" in told(roster, "ja")


@pytest.mark.parametrize("before", [(), (entry(1, LEGAL, "青木", IN_TIME),)])
def test_what_came_in_place_of_a_list_is_quoted_and_no_list_is_demanded(
    before: tuple[Submission, ...],
) -> None:
    roster = judged(*before, entry(2, "参加を辞退します", "青木", IN_TIME + timedelta(hours=1)))
    [sent] = notices(roster)
    text = notice(sent.row, roster, "en")
    assert "“参加を辞退します”" in text and "take part" in text and "not arrived" not in text


def test_lines_of_a_form_with_a_column_for_each_zone_are_those_of_the_column() -> None:
    listed = replace(entry(1, "■メイン\n" + UNDECIDED), columns=((1, "Main deck"),))
    roster = judged(listed)
    assert "“Main deck”, line 2: 4 フェアリー・ライプ" in notice(roster.rows[0], roster, "en")


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


@examples(40)
@given(st.text(max_size=200) | st.sampled_from(HOSTILE))
@example("\ud800")
@example("&lt;b&gt;")
def test_nothing_in_a_notice_plays_tricks(name: str) -> None:
    roster = judged(
        entry(1, f"{UNDECIDED}1 {' '.join(name.split())}\n", name), event=replace(EVENT, organiser=name)
    )
    for lang in ("ja", "en"):
        text = told(roster, lang)
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
    """One a player, who may have sent several lists, or be known by an id alone."""
    out = tmp_path / "letters"
    twice = entry(1, name="青木 葵"), entry(2, name="青木 葵")
    before = os.umask(0)
    try:
        number = write(judged(*twice, entry(3, name="", id="J-014"), entry(4, None)), out)
    finally:
        os.umask(before)
    assert names(out) == [NOTICES_MARK, "J-014 3.txt", "参加者4 4.txt", "青木 葵 2.txt"]
    assert number == 3
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


def test_names_of_files_are_safe_and_those_for_a_mail_merge_are_no_formulas() -> None:
    made = notices(judged(entry(1, name="../火野 a/b:c"), entry(2, name="=1+1", email="a@example.org")))
    assert made[0].file == "_火野 a_b_c 1.txt"
    _heads, first, second = csv.reader(io.StringIO(notices_csv(made).removeprefix("\ufeff"), newline=""))
    assert (first[:2], second[:2]) == (["", "../火野 a/b:c"], ["a@example.org", "'=1+1"])
    assert second[3].startswith("'=1+1 様\n\n")


def test_other_files_and_notices_of_another_event_are_left_alone_without_a_name(tmp_path: Path) -> None:
    letters, mine, file = tmp_path / "letters", tmp_path / "mine", tmp_path / "file"
    write(judged(entry(1), entry(2)), letters)
    put(tmp_path, {"file": "a list", "mine/a.txt": "a list"})
    roster = judged(entry(1, name="青木"), event=replace(EVENT, id="other"))
    for folder, said in ((letters, "another event"), (mine, "other files"), (file, "can't be written")):
        with pytest.raises(UserError, match=said) as caught:
            write(roster, folder)
        assert "青木" not in repr(caught.value.problems)
    assert names(letters) == [NOTICES_MARK, "参加者1 1.txt", "参加者2 2.txt"]
    assert names(mine) == ["a.txt"] and (mine / "a.txt").read_text() == "a list"


# The smallest change that makes a list legal


def letters(folder: Path, *lists: str) -> list[str]:
    """The letters to the players of these lists."""
    an_event(folder, *lists)
    assert run(folder, "event", "check", "event.yaml", "--letters", "letters").status in (1, 2, 3)
    return [path.read_text("utf-8") for path in sorted((folder / "letters").glob("*.txt"))]


@pytest.mark.parametrize(
    "text",
    [
        FIVE.replace("3 x アクア・ナイト", "3 x 誰も知らない新カード"),
        FIVE.replace("\n\n", "\n&&&& ???? 12:\n\n"),
        '{"main": [',
        "",
        UNKNOWN,
    ],
)
def test_a_list_that_is_not_known_for_certain_gets_no_change(tmp_path: Path, text: str) -> None:
    [letter] = letters(tmp_path, a_list("乙", text, language="en"))
    assert "makes it legal" not in letter and "→" not in letter


def test_an_accepted_list_gets_no_change(tmp_path: Path) -> None:
    given = a_list("乙", FIVE, language="en")
    an_event(tmp_path, given)
    accept(tmp_path, "乙", *JUDGE)
    [letter] = letters(tmp_path, given)
    assert "has been accepted" in letter and "makes it legal" not in letter
