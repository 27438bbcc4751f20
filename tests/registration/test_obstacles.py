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
from deckcheck.registration.submissions import Player


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


def test_late_and_lacking_and_changed() -> None:
    event = EVENT._replace(required=("name", "id", "table"))
    [found] = judged(
        entry(1, OTHER, submitted=TOO_LATE), event=event, accepted=[receipt(1, Player("参加者1"), ANOTHER)]
    ).rows
    told = failures(found, EVENT)
    assert [(one.id, one.by_word) for one in told] == [("changed", True), ("late", True), ("lacking", True)]
    assert told[2].message.ja == "記入がありません: プレイヤーID、卓番号"
    assert told[2].message.en == "not filled in: player id, table"


def test_every_message_is_written_in_both_languages() -> None:
    told = [one.message for found in sample().rows for one in failures(found, EVENT)]
    assert len({one.en for one in told}) >= 8
    for one in told:
        assert one.en.isascii() and not one.ja.isascii()
