"""What is found out about each submission, which of a player's counts, and what stands in the way of accepting it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from factories.events import duemagic
from factories.examples import amount, examples
from factories.rosters import (
    ANOTHER,
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
    judge_event,
    judged,
    listed,
    receipt,
    row,
)
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.registration.acceptance import failures, state_of
from deckcheck.registration.players import groups
from deckcheck.registration.roster import Roster
from deckcheck.registration.submissions import Player
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized

ODD = Localized("変", "odd")


def test_the_day_and_the_games_of_a_match_are_the_events() -> None:
    hall = "2 青銅の鎧\n3 天災 デドダム\n3 フェアリー・ライフ\n"
    for said in ("as-of: 2021-01-01", "as-of: someday", "date: 2021-01-01", "date: someday"):
        assert row(f"# {said}\n{hall}").state == "legal"
        assert row(f"# {said}\n{hall}", replace(EVENT, as_of="2023-06-01")).state == "illegal"
    for said in ("1", "3", "soon"):
        found = row(f"# best-of: {said}\n{LEGAL}", replace(EVENT, best_of=None))
        assert found.state == "legal"
        assert found.report is not None and "best-of" not in found.report.deck.header


@pytest.mark.parametrize(("best_of", "rules"), [(1, {"side-in-best-of-one"}), (3, set())])
def test_best_of_reaches_the_rules(best_of: int, rules: set[str]) -> None:
    case = shipped("formats") / "duel-masters" / "duemagic.cases" / "side-in-best-of-one.txt"
    text = re.sub("(?m)^#.*\\n", "", case.read_text("utf-8"))
    event = replace(EVENT, as_of="2020-08-01", best_of=best_of)
    [found] = judge_event(event, [entry(1, text=text)], duemagic()).rows
    assert found.report is not None
    assert {finding.rule for finding in found.report.findings} == rules


def test_a_list_for_another_format_is_noted() -> None:
    for said in ("オリジナル", "duel-masters/original", "どこにもない形式", "../../secret.yaml"):
        [note] = row(f"# format: {said}\n{LEGAL}").notes
        assert note.en == f"the list says it is for {said}; it was judged as Toy"
    for said in ("toy", "試しの 場", "ＴＯＹ"):
        judged_as_own = row(f"# format: {said}\n{LEGAL}")
        assert (judged_as_own.state, judged_as_own.notes) == ("legal", ())


@pytest.mark.parametrize(
    ("late", "more"),
    [
        (False, {}),
        (False, {"submitted": EVENT.deadline}),
        (True, {"submitted": TOO_LATE}),
        (None, {"submitted": None}),
        (False, {"submitted": None, "event": OPEN_END}),
        # What is not there is not late.
        (False, {"text": None, "submitted": TOO_LATE}),
        (False, {"text": "# deck: x\n", "submitted": None}),
        (True, {"text": UNREADABLE, "submitted": TOO_LATE}),
        (True, {"text": None, "submitted": TOO_LATE, "problem": ODD}),
    ],
)
def test_late_is_a_list_that_came_after_the_deadline(late: bool | None, more: dict[str, Any]) -> None:
    assert row(**more).late is late


def test_a_time_that_should_be_there_and_cannot_be_read_needs_a_word() -> None:
    empty = replace(entry(1, submitted=None), timed=True)
    odd = replace(entry(2, submitted=None), submitted_as="きのう")
    rows = judged(empty, odd, entry(3, submitted=None), replace(entry(4), timed=True)).rows
    assert [[(one.kind, one.by_word) for one in failures(row, EVENT)] for row in rows] == [
        *[[("untimed", True)]] * 2,
        *[[]] * 2,
    ]
    assert not any(one.untimed for one in judged(empty, odd, event=OPEN_END).rows)


@pytest.mark.parametrize(
    ("text", "state", "kinds"),
    [
        (LEGAL, "legal", {}),
        (ILLEGAL, "illegal", {"illegal": True}),
        (UNDECIDED, "undecided", {"undecided": True}),
        (UNSETTLED, "undecided", {"unsettled": False, "undecided": True}),
        (LEGAL + "&&&& ???? 12:\n", "undecided", {"unsettled": False, "undecided": True}),
        # One copy of a card of that name, or two of another.
        (LEGAL + "機怪人形ガチャック2\n", "undecided", {"unsettled": False, "undecided": True}),
        (UNREADABLE, "unreadable", {"unreadable": False}),
        (None, "missing", {"missing": False}),
        (" \n\t　\ufeff", "missing", {"missing": False}),
        ("# deck: 空っぽ\n", "missing", {"missing": False}),
    ],
)
def test_the_state_of_a_list_and_what_a_judge_may_and_may_not_accept(
    text: str | None, state: str, kinds: dict[str, bool]
) -> None:
    found = row(text)
    assert (found.state, bool(found.problems)) == (state, state == "unreadable")
    assert (found.report is not None) == (state in ("legal", "illegal", "undecided"))
    assert {one.kind: one.by_word for one in failures(found, EVENT)} == kinds


def test_late_and_lacking_and_changed() -> None:
    """Fields are asked for in the order in which the event has them; a blank is nothing."""
    event = replace(EVENT, required=("name", "id", "table", "handle"))
    accepted = [receipt(1, Player("参加者1"), ANOTHER)]
    late = entry(1, OTHER, submitted=TOO_LATE, handle="　")
    [found] = judged(late, event=event, accepted=accepted).rows
    assert found.lacking == ("id", "table", "handle")
    told = failures(found, EVENT)
    assert [(one.kind, one.by_word) for one in told] == [("changed", True), ("late", True), ("lacking", True)]
    assert told[2].message.en == "not filled in: player id, table, handle"


def test_text_in_which_no_card_was_counted_is_noted() -> None:
    [noted] = judged(entry(1, LEGAL + "# 1 アクア・ガード\n")).rows
    assert noted.state == "legal"
    assert "commented out, so not counted: アクア・ガード" in noted.notes[0].in_("en")


LATER = IN_TIME + timedelta(hours=1)


def test_without_a_deadline_the_last_one_counts() -> None:
    entries = [entry(1, LEGAL, "青木", LATER), entry(2, OTHER, "青木", IN_TIME)]
    assert [one.counts for one in judged(*entries, event=OPEN_END).rows] == [True, False]


@pytest.mark.parametrize(
    ("lists", "counts"),
    [
        ([(LEGAL, IN_TIME), (OTHER, LATER)], [2]),
        ([(LEGAL, LATER), (OTHER, IN_TIME)], [1]),
        ([(LEGAL, IN_TIME), (OTHER, IN_TIME)], []),
        ([(LEGAL, IN_TIME), (SAME_AS_LEGAL, IN_TIME)], [2]),
        ([(LEGAL, IN_TIME), ("辞退します", LATER)], []),
        ([("辞退します", IN_TIME), (LEGAL, LATER)], [2]),
        ([(LEGAL, IN_TIME), ("DMで送りました", LATER)], []),
        ([(LEGAL, IN_TIME), ("https://example.org/deck/1", LATER)], []),
        ([("同じです", IN_TIME), (LEGAL, LATER)], [2]),
        ([(LEGAL, IN_TIME), ("4 誰も知らないカード", LATER)], [2]),
        ([(LEGAL, IN_TIME), ("辞退します", None)], []),
        ([(LEGAL, IN_TIME), (OTHER, IN_TIME), (LEGAL, TOO_LATE)], []),
        ([(LEGAL, IN_TIME), (OTHER, TOO_LATE), (UNDECIDED, TOO_LATE)], [1]),
        # Whichever of the last two came last, the list is the same.
        ([(OTHER, IN_TIME), (LEGAL, LATER), (SAME_AS_LEGAL, None)], [2]),
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
    assert [int(one.id) for one in roster.rows if one.counts] == counts
    for one in roster.rows:
        assert one.others == tuple(str(n) for n in range(1, len(lists) + 1) if str(n) != one.id)
        assert one.instead == (None if one.counts or not counts else str(counts[0]))


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


def test_names_like_unknown_ones_are_looked_for_only_so_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("deckcheck.registration.roster.MOST_IN_EVENT", 2)
    entries = [entry(at, LEGAL + f"1 天災 デドダ{char}\n") for at, char in enumerate("アイウア", 1)]
    roster = judged(*entries)
    hints = [one.hint for row in roster.rows if row.report for one in row.report.findings if one.hint]
    assert sum("did you mean" in hint.in_("en") for hint in hints) == 3


ASKED = replace(EVENT, required=("name", "reading", "table"))


def test_a_required_field_that_was_given_before_is_taken_over() -> None:
    """What a player wrote anew stays."""
    anew = [entry(1, LEGAL, "青木", None, reading="あおき"), entry(2, LEGAL, "青木", None, reading="アオキ")]
    assert judged(*anew, event=ASKED).rows[1].submission.player.reading == "アオキ"
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


texts = st.sampled_from([LEGAL, OTHER, SAME_AS_LEGAL, ILLEGAL, UNDECIDED, UNSETTLED, UNREADABLE, None])
times = st.sampled_from([None, IN_TIME, LATER, TOO_LATE])
some = st.sampled_from([None, "a", "b"])

entries = st.lists(st.tuples(texts, times, some, some), max_size=7)


@examples(60)
@given(entries, st.booleans())
def test_of_one_player_no_two_submissions_count(given: list[Any], with_deadline: bool) -> None:
    submissions = [
        replace(entry(at, text, submitted=when), player=Player(name, id=id))
        for at, (text, when, name, id) in enumerate(given, 1)
    ]
    roster = judged(*submissions, event=EVENT if with_deadline else OPEN_END)
    # A field that was left empty may have been given before.
    bare = Player()
    assert [replace(one.submission, player=bare) for one in roster.rows] == [
        replace(one, player=bare) for one in submissions
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


def test_who_gives_neither_name_nor_id_is_found_again_by_place_and_list() -> None:
    """Or every run would accept the same list once more."""
    nobody = replace(entry(1), player=Player())
    event = replace(EVENT, required=())
    same = receipt(1, Player(), listed(), nobody.place, RULES)
    [row] = judged(nobody, event=event, accepted=[same]).rows
    assert (row.accepted, row.changed) == (1, None)
    for other in (
        receipt(1, Player(), listed(), "lists/99.txt"),
        receipt(1, Player(), ANOTHER, nobody.place),
    ):
        rows = judged(nobody, event=event, accepted=[other]).rows
        assert [(one.accepted, one.state) for one in rows] == [(None, "legal"), (1, "gone")]


def test_another_player_with_the_same_list_in_the_same_row_is_not_the_accepted_one() -> None:
    accepted = [receipt(1, Player("甲", id="11111"), listed(), "lists/01.txt")]
    rows = judged(entry(1, LEGAL, "乙", id="22222"), accepted=accepted).rows
    assert [(row.player.name, row.accepted, row.state) for row in rows] == [
        ("乙", None, "legal"),
        ("甲", 1, "gone"),
    ]


def test_namesakes_that_come_or_go_after_acceptance_change_nothing() -> None:
    accepted = [receipt(1, Player("青木"), listed())]
    entries = (entry(1, LEGAL, "青木"), entry(2, LEGAL, "青木", id="1"), entry(3, LEGAL, "青木", id="2"))
    assert not failures(judged(*entries, accepted=accepted).rows[0], EVENT)
    assert [one.kind for one in failures(judged(*entries).rows[0], EVENT)] == ["whose"]
    gone = [receipt(1, Player("青木", id="2"), listed())]
    rows = judged(entry(1, LEGAL, "青木", id="1"), entry(2, LEGAL, "青木"), accepted=gone).rows
    assert rows[1].conflict == "player"


# Who is the same player


def together(*players: Player) -> list[set[int]]:
    """The positions of those who are one person."""
    found: dict[int, set[int]] = {}
    for at, group in enumerate(groups(players)):
        found.setdefault(group, set()).add(at)
    return sorted(found.values(), key=min)


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        (Player(id="DM-001"), Player(id="ｄｍ－００１ "), True),
        (Player(id="7", name="青木"), Player(id="7"), True),
        (Player(id="7", name="Tom O'Neil"), Player(id="7", name="TOM ONEIL"), True),
        (Player(name="青木　葵"), Player(name=" 青木 葵 "), True),
        (Player(name="青木葵"), Player(name="青木 葵"), True),
        (Player(name="ｱｵｷ"), Player(name="アオキ"), True),
        (Player(name="青木"), Player(name="青\u200b木\u202c"), True),
        (Player(name="青木"), Player(name="青木", id="7"), True),
        (Player(id="1", name="青木"), Player(id="2", name="青木"), False),
        (Player(name="Tom O'Neil"), Player(name="tom o’neil"), False),
        (Player(name="青木"), Player(name="伊藤"), False),
        (Player(id="7", name="青木"), Player(id="7", name="伊藤"), False),
        (Player(name=" ", id=""), Player(name="　", id=" "), False),
        (Player(handle="x"), Player(handle="x"), False),
        (Player(name="7"), Player(id="7"), False),
    ],
)
def test_who_is_the_same_player(one: Player, other: Player, are_one: bool) -> None:
    assert together(one, other) == ([{0, 1}] if are_one else [{0}, {1}])


few = st.sampled_from([None, "", "a", "A", " a", "b", "ｂ", "c"])


@given(st.lists(st.builds(Player, name=few, id=few), max_size=12), st.randoms())
def test_the_order_changes_nothing_and_two_ids_are_never_one_player(
    entries: list[Player], random: Any
) -> None:
    order = list(range(len(entries)))
    random.shuffle(order)
    shuffled = together(*(entries[at] for at in order))
    known = [sorted(group) for group in together(*entries)]
    assert sorted(sorted(order[at] for at in group) for group in shuffled) == sorted(known)
    for group in known:
        ids = [unicodedata.normalize("NFKC", entries[at].id or "").strip().lower() for at in group]
        assert len({id for id in ids if id}) <= 1


people = st.builds(Player, st.sampled_from([None, "a", "b"]), id=st.sampled_from([None, "1", "2"]))


@given(st.lists(people, max_size=5), st.lists(people, max_size=5))
def test_every_receipt_that_stands_shows_in_some_row(came: list[Player], were: list[Player]) -> None:
    entries = [replace(entry(at), player=one) for at, one in enumerate(came, 1)]
    accepted = [receipt(at, one, listed(), f"old/{at}", RULES) for at, one in enumerate(were, 1)]
    rows = judged(*entries, accepted=accepted).rows
    standing = {one.accepted for one in rows if one.accepted is not None}
    assert standing <= dict(accepted).keys()
    assert len({one.group for one in rows if one.accepted is not None}) == len(standing)
    assert bool(standing) == bool(accepted)


@pytest.mark.parametrize(
    ("make", "state"),
    [
        (lambda: judged(), "fine"),
        (lambda: judged(entry(1, submitted=None)), "fine"),
        # Of lists that don't count nothing is graded, and of those that can't be told apart everything.
        (lambda: judged(entry(1, ILLEGAL, "青木"), entry(2, LEGAL, "青木", LATER)), "fine"),
        (lambda: judged(entry(1, LEGAL, "青木", None), entry(2, OTHER, "青木", None)), "problems"),
        (lambda: judged(entry(1, submitted=TOO_LATE)), "problems"),
        (lambda: judged(entry(1, submitted=TOO_LATE), event=OPEN_END), "fine"),
        (lambda: judged(entry(1, name=" ")), "problems"),
        (lambda: judged(entry(1), accepted=[receipt(1, Player("参加者1"), ANOTHER)]), "problems"),
        (lambda: judged(entry(1, UNSETTLED), entry(2, UNDECIDED)), "undecided"),
        (lambda: judged(entry(1, ILLEGAL), entry(2, UNDECIDED)), "problems"),
        (lambda: judged(entry(1, None), entry(2, UNREADABLE)), "unreadable"),
    ],
)
def test_the_state_is_the_gravest_matter(make: Callable[[], Roster], state: str) -> None:
    assert state_of(make()) == state
