"""What is found out about each submission, and which one stands for its player."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckcheck.checking import load_format
from deckcheck.errors import UserError
from deckcheck.registration.model import Accepted, Event, Player, Roster
from deckcheck.registration.obstacles import obstacles
from deckcheck.registration.players import groups
from deckcheck.registration.rivals import mark_of
from deckcheck.registration.roster import judge_event
from deckcheck.registration.sealfile import sealed_object
from deckcheck.registration.seals import Seal
from deckcheck.text import Text
from registration.rosters import (
    EVENT,
    ILLEGAL,
    IN_TIME,
    LEGAL,
    OPEN_END,
    OTHER,
    RULES,
    SAME_AS_LEGAL,
    TOO_LATE,
    UNDECIDED,
    UNREADABLE,
    UNSETTLED,
    entry,
    golden,
    judged,
    mark,
    row,
)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (LEGAL, "legal"),
        (ILLEGAL, "illegal"),
        (UNDECIDED, "undecided"),
        (UNSETTLED, "undecided"),
        (UNREADABLE, "unreadable"),
        (None, "missing"),
        (" \n\t　\ufeff", "missing"),
        ("# deck: 空っぽ\n", "missing"),
    ],
)
def test_each_state(text: str | None, state: str) -> None:
    found = row(text)
    assert found.state == state
    assert (found.report is not None) == (state in ("legal", "illegal", "undecided"))
    assert bool(found.problems) == (state == "unreadable")
    assert found.seal is None


def test_what_is_unreadable_tells_where() -> None:
    [problem] = row(UNREADABLE).problems
    assert problem.path == "lists/01.txt"
    [problem] = row(None, problem=Text("大きすぎます", "too large")).problems
    assert (problem.path, problem.message.en) == ("lists/01.txt", "too large")
    assert row("4 天災 デドダム", problem=Text("変", "odd")).state == "unreadable"


def test_a_list_names_its_place_in_the_report() -> None:
    report = row(ILLEGAL).report
    assert report is not None and report.deck.path == "lists/01.txt"


def test_inline_suppressions_do_not_count() -> None:
    found = row("5 天災 デドダム # deckcheck: ignore copies\n4 フェアリー・ライフ\n")
    assert found.state == "illegal"
    assert found.report is not None and not found.report.suppressed
    assert any("ignore" in note.en for note in found.notes)


@pytest.mark.parametrize("said", ["2021-01-01", "someday"])
def test_the_day_is_the_events(said: str) -> None:
    hall = "2 青銅の鎧\n3 天災 デドダム\n3 フェアリー・ライフ\n"
    for key in ("as-of", "date"):
        assert row(f"# {key}: {said}\n{hall}").state == "legal"
        assert row(f"# {key}: {said}\n{hall}", EVENT._replace(as_of="2023-06-01")).state == "illegal"


@pytest.mark.parametrize("said", ["1", "3", "soon"])
def test_the_games_of_a_match_are_the_events(said: str) -> None:
    found = row(f"# best-of: {said}\n{LEGAL}", EVENT._replace(best_of=None))
    assert found.state == "legal"
    assert found.report is not None and "best-of" not in found.report.deck.header
    assert len(golden().days) <= 64


def test_best_of_reaches_the_rules() -> None:
    format = load_format("duel-masters/duemagic")
    before = len(format.days)
    judge_event(EVENT._replace(best_of=3), [entry(1)], format)
    assert any(dict(key[1]) == {"best_of": 3} for key in format.days)
    assert len(format.days) == before + 1


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("オリジナル", True),
        ("duel-masters/original", True),
        ("ｏｒｉｇｉｎａｌ", True),
        ("golden", False),
        ("試しの 場", False),
        ("Golden", False),
        ("どこにもない形式", False),
        ("other.yaml", False),
        ("../../secret.yaml", False),
    ],
)
def test_a_list_for_another_format_is_noted(said: str, noted: bool) -> None:
    found = row(f"# format: {said}\n{LEGAL}")
    assert found.state == "legal"
    assert [note.en for note in found.notes] == (
        ["the list says it is for Original; it was judged as Golden"] if noted else []
    )


def test_late_needs_a_deadline_and_a_time() -> None:
    assert row().late is False
    assert row(submitted=EVENT.deadline).late is False
    assert row(submitted=TOO_LATE).late is True
    assert row(submitted=None).late is None
    assert row(event=OPEN_END, submitted=None).late is False


def test_what_is_not_there_is_not_late() -> None:
    assert row(None, submitted=TOO_LATE).late is False
    assert row("# deck: x\n", submitted=None).late is False
    assert row(UNREADABLE, submitted=TOO_LATE).late is True
    assert row(None, submitted=TOO_LATE, problem=Text("変", "odd")).late is True


def test_lacking_fields_in_the_order_in_which_they_are_asked() -> None:
    event = EVENT._replace(required=("name", "id", "table", "handle"))
    [found] = judged(entry(1, name="　", table="3"), event=event).rows
    assert found.lacking == ("name", "id", "handle")


def standing(roster: Roster) -> list[int]:
    return [one.submission.number for one in roster.rows if one.counts]


LATER = IN_TIME + timedelta(hours=1)


@pytest.mark.parametrize(
    ("lists", "counts"),
    [
        ([(LEGAL, IN_TIME), (OTHER, LATER)], [2]),
        ([(LEGAL, LATER), (OTHER, IN_TIME)], [1]),
        ([(LEGAL, IN_TIME), (OTHER, IN_TIME)], [2]),
        ([(LEGAL, IN_TIME), (OTHER, TOO_LATE)], [1]),
        ([(LEGAL, TOO_LATE), (OTHER, TOO_LATE + timedelta(hours=1))], [2]),
        ([(LEGAL, None), (OTHER, None)], []),
        ([(LEGAL, IN_TIME), (OTHER, None)], []),
        ([(LEGAL, None), (SAME_AS_LEGAL, None)], [2]),
        ([(LEGAL, None), (SAME_AS_LEGAL, TOO_LATE)], [1]),
        ([(LEGAL, IN_TIME), (SAME_AS_LEGAL, None), (OTHER, None)], []),
        ([(LEGAL, IN_TIME), (None, LATER)], [1]),
        ([(LEGAL, None), (None, None)], [1]),
        ([(None, IN_TIME), (None, LATER)], [2]),
        ([(LEGAL, IN_TIME), (UNREADABLE, LATER)], [2]),
        ([(UNREADABLE, None), (UNREADABLE, None)], []),
        ([(UNSETTLED, None), (UNSETTLED, None)], [2]),
        ([(UNDECIDED, None), (UNDECIDED + "\n", None)], [2]),
    ],
)
def test_which_list_counts(lists: Sequence[tuple[str | None, datetime | None]], counts: list[int]) -> None:
    roster = judged(*(entry(at, text, "青木", when) for at, (text, when) in enumerate(lists, 1)))
    assert standing(roster) == counts
    for one in roster.rows:
        assert one.others == tuple(n for n in range(1, len(lists) + 1) if n != one.submission.number)
        assert one.instead == (None if one.counts or not counts else counts[0])


def test_without_a_deadline_the_last_one_counts() -> None:
    entries = [entry(1, LEGAL, "青木", LATER), entry(2, OTHER, "青木", IN_TIME)]
    assert standing(judged(*entries, event=OPEN_END)) == [1]


@pytest.mark.parametrize(("late", "changed"), [(OTHER, "deadline"), (SAME_AS_LEGAL, None), (None, None)])
def test_another_list_after_the_deadline(late: str | None, changed: str | None) -> None:
    roster = judged(entry(1, LEGAL, "青木"), entry(2, late, "青木", TOO_LATE))
    assert [one.changed for one in roster.rows] == [changed, None]


def test_what_was_accepted_is_compared() -> None:
    accepted = [
        Accepted(1, Player("参加者1"), "0" * 64),
        Accepted(4, Player("参加者1"), mark()),
        Accepted(2, Player("参加者2", id="9"), mark()),
        Accepted(3, Player("誰か"), mark()),
    ]
    roster = judged(entry(1), entry(2, OTHER), entry(3), accepted=accepted)
    assert [(one.accepted, one.changed, one.state) for one in roster.rows] == [
        (4, None, "legal"),
        (2, "acceptance", "legal"),
        (None, None, "legal"),
        (3, None, "gone"),
    ]


def test_only_the_list_that_counts_can_be_changed() -> None:
    accepted = [Accepted(1, Player("青木"), mark())]
    roster = judged(entry(1, LEGAL, "青木", LATER), entry(2, OTHER, "青木", IN_TIME), accepted=accepted)
    assert [(one.accepted, one.changed) for one in roster.rows] == [(1, None), (1, None)]


def test_a_change_since_acceptance_is_graver_than_one_after_the_deadline() -> None:
    accepted = [Accepted(1, Player("青木"), "0" * 64)]
    roster = judged(entry(1, LEGAL, "青木"), entry(2, OTHER, "青木", TOO_LATE), accepted=accepted)
    assert roster.rows[0].changed == "acceptance"


def test_a_list_of_unknown_cards_has_a_mark_and_one_with_unread_lines_has_none() -> None:
    assert mark_of(row()) == mark()
    assert mark_of(row(UNDECIDED)) is not None
    assert mark_of(row(UNSETTLED)) is None
    assert mark_of(row(None)) is None


SEALED = EVENT._replace(sealed=True)
SEAL = Seal("ab" * 32, "legal", "duel-masters", "golden", "cd" * 32, "2024-03-02")


def sealed(**changes: Any) -> str:
    return json.dumps(sealed_object(SEAL._replace(**changes), RULES.banlists, {}))


@pytest.mark.parametrize("verdict", ["legal", "illegal", "undecided"])
def test_a_seal_says_its_own_verdict(verdict: Any) -> None:
    found = row("\ufeff\n" + sealed(verdict=verdict), SEALED)
    assert (found.state, found.problems, found.report) == (verdict, (), None)
    assert found.seal == SEAL._replace(verdict=verdict)
    assert mark_of(found) == SEAL.commitment


@pytest.mark.parametrize(
    ("text", "event", "said"),
    [
        (sealed(format="original"), SEALED, "sealed for another format (original)"),
        (sealed(game="garden"), SEALED, "sealed for another format"),
        (sealed(as_of="2024-01-01"), SEALED, "by the rules of 2024-01-01"),
        (sealed(), EVENT, "asks for the list itself"),
        (sealed(commitment="x"), SEALED, ""),
        (json.dumps({"opening": 1, "seal": {}}), SEALED, "stays with the player"),
        (LEGAL, SEALED, "handed in sealed"),
    ],
)
def test_a_seal_that_says_nothing_for_this_event(text: str, event: Event, said: str) -> None:
    found = row(text, event)
    assert (found.state, found.report) == ("unreadable", None)
    assert said in found.problems[0].message.en
    assert found.problems[0].path == "lists/01.txt"


def test_nothing_of_an_open_list_gets_into_the_roster_of_a_sealed_event() -> None:
    assert "デドダム" not in repr(row(ILLEGAL, SEALED)._replace(submission=entry(1, None)))


@pytest.mark.parametrize("text", ['{"seal": ', "{" * 100_000, '{"a": "seal"}', "[" * 50_000 + '"seal"'])
def test_what_only_looks_like_a_seal_is_no_seal(text: str) -> None:
    assert row(text, EVENT).seal is None


def test_a_format_that_can_only_be_extended_is_told_at_once() -> None:
    with pytest.raises(UserError, match="only there to be extended"):
        judge_event(EVENT, [entry(1)], load_format("duel-masters/main-deck-only"))


def test_a_time_that_should_be_there_and_cannot_be_read_needs_a_word() -> None:
    empty = entry(1, submitted=None)._replace(timed=True)
    odd = entry(2, submitted=None)._replace(submitted_as="きのう")
    none, fine = entry(3, submitted=None), entry(4)._replace(timed=True)
    rows = judged(empty, odd, none, fine).rows
    assert [one.untimed for one in rows] == [True, True, False, False]
    assert [[(against.kind, against.by_word) for against in obstacles(one)] for one in rows] == [
        [("untimed", True)],
        [("untimed", True)],
        [],
        [],
    ]
    assert not any(one.untimed for one in judged(empty, odd, event=OPEN_END).rows)
    [nothing] = judged(entry(1, None, submitted=None)._replace(timed=True)).rows
    assert [against.kind for against in obstacles(nothing)] == ["missing"]


def test_names_like_unknown_ones_are_looked_for_so_often_and_that_is_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("deckcheck.registration.roster.MOST_SUGGESTED", 2)
    entries = [entry(at, LEGAL + f"1 天災 デドダ{char}\n") for at, char in enumerate("アイウア", 1)]
    roster = judged(*entries)
    hints = [one.hint for row in roster.rows if row.report for one in row.report.findings if one.hint]
    assert len(hints) == 3
    assert [note.en[:40] for note in roster.notes] == ["so many names are not in the card table "]
    assert judged(*entries[:2]).notes == ()


ASKED = EVENT._replace(required=("name", "reading", "table"))


def test_a_required_field_that_was_given_before_is_taken_over() -> None:
    first = entry(1, LEGAL, "青木", reading="あおき", table="1", handle="x", id="7")
    second = entry(2, None, "青木", LATER, table="2", id="7")
    third = entry(3, OTHER, "青木", LATER + timedelta(hours=1), id="7")
    *_, last = judged(first, second, third, event=ASKED).rows
    assert last.counts and last.lacking == ()
    assert last.submission.player == Player("青木", "あおき", None, "7", "2")
    assert [note.en for note in last.notes] == [
        "reading of the name: left empty here, taken from the earlier submission no. 1",
        "table: left empty here, taken from the earlier submission no. 2",
    ]


@pytest.mark.parametrize("when", [TOO_LATE, LATER])
def test_nothing_is_taken_from_later_submissions_or_from_others(when: datetime) -> None:
    rows = judged(
        entry(1, OTHER, "青木", when, id="7"),
        entry(2, None, "青木", when + timedelta(hours=1), reading="あおき", table="1", id="7"),
        entry(3, LEGAL, "青木", IN_TIME, reading="べつじん", table="9", id="8"),
        event=ASKED,
    ).rows
    assert rows[0].counts
    assert rows[0].lacking == ("reading", "table")
    assert rows[0].notes == ()


def test_what_a_player_wrote_anew_stays() -> None:
    rows = judged(
        entry(1, LEGAL, "青木", None, reading="あおき", table="1"),
        entry(2, LEGAL, "青木", None, reading="アオキ", table=" "),
        event=ASKED,
    ).rows
    assert (rows[1].submission.player.reading, rows[1].submission.player.table) == ("アオキ", "1")


texts = st.sampled_from([LEGAL, OTHER, SAME_AS_LEGAL, ILLEGAL, UNDECIDED, UNSETTLED, UNREADABLE, None])
times = st.sampled_from([None, IN_TIME, LATER, TOO_LATE])
few = st.sampled_from([None, "a", "b"])
entries = st.lists(st.tuples(texts, times, few, few), max_size=7)


@settings(max_examples=60, deadline=None)
@given(entries, st.booleans())
def test_of_one_player_no_two_submissions_count(given: list[Any], with_deadline: bool) -> None:
    submissions = [
        entry(at, text, submitted=when)._replace(player=Player(name, id=id))
        for at, (text, when, name, id) in enumerate(given, 1)
    ]
    roster = judged(*submissions, event=EVENT if with_deadline else OPEN_END)
    # A field that was left empty may have been given before.
    bare = Player()
    assert [one.submission._replace(player=bare) for one in roster.rows] == [
        one._replace(player=bare) for one in submissions
    ]
    assert [one.group for one in roster.rows] == groups([one.player for one in submissions])
    for group in {one.group for one in roster.rows}:
        mine = [one for one in roster.rows if one.group == group]
        counting = [one for one in mine if one.counts]
        assert len(counting) <= 1
        assert len(counting) == 1 or len(mine) > 1
        if counting and counting[0].state == "missing":
            assert {one.state for one in mine} == {"missing"}
        if counting and counting[0].late:
            assert all(one.late or one.state == "missing" for one in mine)
