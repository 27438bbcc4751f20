"""Which of a player's submissions counts, and what is taken over from the others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from factories.examples import amount, examples
from factories.rosters import (
    ANOTHER,
    EVENT,
    ILLEGAL,
    IN_TIME,
    LEGAL,
    OPEN_END,
    OTHER,
    SAME_AS_LEGAL,
    TOO_LATE,
    UNDECIDED,
    UNREADABLE,
    UNSETTLED,
    entry,
    judged,
    listed,
    receipt,
)
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration.acceptance import failures
from deckcheck.registration.players import groups
from deckcheck.registration.roster import Roster
from deckcheck.registration.submissions import Player


def standing(roster: Roster) -> list[int]:
    return [int(one.id) for one in roster.rows if one.counts]


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
        assert one.others == tuple(str(n) for n in range(1, len(lists) + 1) if str(n) != one.id)
        assert one.instead == (None if one.counts or not counts else str(counts[0]))


def test_without_a_deadline_the_last_one_counts() -> None:
    entries = [entry(1, LEGAL, "青木", LATER), entry(2, OTHER, "青木", IN_TIME)]
    assert standing(judged(*entries, event=OPEN_END)) == [1]


@pytest.mark.parametrize(("late", "changed"), [(OTHER, "deadline"), (SAME_AS_LEGAL, None), (None, None)])
def test_another_list_after_the_deadline(late: str | None, changed: str | None) -> None:
    roster = judged(entry(1, LEGAL, "青木"), entry(2, late, "青木", TOO_LATE))
    assert [one.changed for one in roster.rows] == [changed, None]


def test_what_was_accepted_is_compared() -> None:
    accepted = [
        receipt(1, Player("参加者1"), ANOTHER),
        receipt(4, Player("参加者1"), listed()),
        receipt(2, Player("参加者2", id="9"), listed()),
        receipt(3, Player("誰か"), listed()),
    ]
    roster = judged(entry(1), entry(2, OTHER), entry(3), accepted=accepted)
    assert [(one.accepted, one.changed, one.state) for one in roster.rows] == [
        (4, None, "legal"),
        (2, None, "legal"),
        (None, None, "legal"),
        (3, None, "gone"),
    ]


def test_the_accepted_list_counts_and_later_ones_are_told() -> None:
    accepted = [receipt(1, Player("青木"), listed())]
    for when, changed in ((IN_TIME, None), (LATER, "acceptance"), (TOO_LATE, None)):
        roster = judged(
            entry(1, LEGAL, "青木", IN_TIME + timedelta(minutes=1)),
            entry(2, OTHER, "青木", when),
            accepted=accepted,
        )
        assert [(one.accepted, one.counts, one.is_frozen) for one in roster.rows] == [
            (1, True, True),
            (1, False, False),
        ]
        assert roster.rows[1].changed == changed
        assert roster.rows[0].changed == ("deadline" if when == TOO_LATE else None)


def test_an_accepted_list_that_is_not_among_the_entries_is_told() -> None:
    accepted = [receipt(1, Player("青木"), ANOTHER)]
    roster = judged(entry(1, LEGAL, "青木"), entry(2, OTHER, "青木", TOO_LATE), accepted=accepted)
    assert (roster.rows[0].is_frozen, roster.rows[0].accepted) == (False, 1)
    assert "changed" in [one.id for one in failures(roster.rows[0], EVENT)]


def test_names_like_unknown_ones_are_looked_for_so_often_and_that_is_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("deckcheck.registration.roster.MOST_IN_EVENT", 2)
    entries = [entry(at, LEGAL + f"1 天災 デドダ{char}\n") for at, char in enumerate("アイウア", 1)]
    roster = judged(*entries)
    hints = [one.hint for row in roster.rows if row.report for one in row.report.findings if one.hint]
    assert sum("did you mean" in hint.in_("en") for hint in hints) == 3
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
        "reading of the name: left empty here, taken from the earlier submission 1",
        "table: left empty here, taken from the earlier submission 2",
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


@examples(60)
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
        assert len(counting) == 1 or len(mine) > 1 or mine[0].conflict is not None
        if counting and counting[0].state == "missing":
            assert {one.state for one in mine} == {"missing"}
        if counting and counting[0].late:
            assert all(one.late or one.state == "missing" for one in mine)


def test_thousands_of_submissions_under_one_name_take_little_memory() -> None:
    import tracemalloc

    most = amount(6_000, 600)
    many = [entry(number, None, "青木") for number in range(1, most + 1)]
    tracemalloc.start()
    try:
        rows = judged(*many).rows
        _unused, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(rows) == most
    assert (len(rows[0].others), rows[0].others[:2]) == (100, ("2", "3"))
    assert peak < 10_000 * most
