"""What stands in the way of accepting a list."""

from __future__ import annotations

import pytest
from factories.rosters import (
    ANOTHER,
    EVENT,
    ILLEGAL,
    LEGAL,
    OTHER,
    TOO_LATE,
    UNDECIDED,
    UNREADABLE,
    UNSETTLED,
    entry,
    judged,
    receipt,
    row,
    sample,
)

from deckcheck.registration.acceptance import failures
from deckcheck.registration.submissions import FIELD_NAMES, FIELDS, Player


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (LEGAL, {}),
        (None, {"missing": False}),
        (UNREADABLE, {"unreadable": False}),
        (UNSETTLED, {"unsettled": False, "undecided": True}),
        (LEGAL + "&&&& ???? 12:\n", {"unsettled": False, "undecided": True}),
        # One copy of a card of that name, or two of another.
        (LEGAL + "機怪人形ガチャック2\n", {"unsettled": False, "undecided": True}),
        (ILLEGAL, {"illegal": True}),
        (UNDECIDED, {"undecided": True}),
    ],
)
def test_what_a_judge_may_and_may_not_accept(text: str | None, kinds: dict[str, bool]) -> None:
    assert {one.id: one.by_word for one in failures(row(text), EVENT)} == kinds


def test_an_unknown_card_alone_can_be_accepted_on_a_judges_word() -> None:
    found = row(UNDECIDED)
    assert found.report is not None and found.report.fingerprint is None
    assert all(one.by_word for one in failures(found, EVENT))


def test_unsettled_lines_are_named() -> None:
    [first, *_] = failures(row(UNSETTLED), EVENT)
    assert first.message.en == "some lines can't be read for certain (line 3)"
    assert first.message.ja == "どう読むのか決まらない行があります（3行目）"


def test_late_and_lacking_and_changed() -> None:
    event = EVENT._replace(required=("name", "id", "table"))
    [found] = judged(
        entry(1, OTHER, submitted=TOO_LATE), event=event, accepted=[receipt(1, Player("参加者1"), ANOTHER)]
    ).rows
    told = failures(found, EVENT)
    assert [(one.id, one.by_word) for one in told] == [("changed", True), ("late", True), ("lacking", True)]
    assert told[2].message.ja == "記入がありません: プレイヤーID、卓番号"
    assert told[2].message.en == "not filled in: player id, table"


def test_an_unknown_time_hinders_nothing() -> None:
    assert failures(row(submitted=None), EVENT) == ()


def test_of_several_lists_only_the_one_that_counts() -> None:
    old, new = judged(entry(1, LEGAL, "青木"), entry(2, OTHER, "青木")).rows
    assert [(one.id, one.by_word, one.message.en) for one in failures(old, EVENT)] == [
        ("superseded", True, "another list of the same player counts (2)")
    ]
    assert failures(new, EVENT) == ()
    for one in judged(entry(1, LEGAL, "青木", None), entry(2, OTHER, "青木", None)).rows:
        assert [(against.id, against.by_word) for against in failures(one, EVENT)] == [("unclear", True)]


def test_every_message_is_written_in_both_languages() -> None:
    told = [one.message for found in sample().rows for one in failures(found, EVENT)]
    assert len({one.en for one in told}) >= 8
    for one in told:
        assert one.en.isascii() and not one.ja.isascii()


def test_every_field_of_a_player_has_a_name() -> None:
    assert tuple(FIELD_NAMES) == FIELDS
