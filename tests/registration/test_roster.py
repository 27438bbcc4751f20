"""What is found out about each submission."""

from __future__ import annotations

import re

import pytest
from factories.rosters import (
    EVENT,
    ILLEGAL,
    LEGAL,
    OPEN_END,
    TOO_LATE,
    UNDECIDED,
    UNREADABLE,
    UNSETTLED,
    entry,
    judge_event,
    judged,
    row,
)

from deckcheck.checking.judge import load_format
from deckcheck.registration.acceptance import failures
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized


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


def test_what_is_unreadable_tells_where() -> None:
    [problem] = row(UNREADABLE).problems
    assert problem.path == "lists/01.txt"
    [problem] = row(None, problem=Localized("大きすぎます", "too large")).problems
    assert (problem.path, problem.message.en) == ("lists/01.txt", "too large")
    assert row("4 天災 デドダム", problem=Localized("変", "odd")).state == "unreadable"


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


@pytest.mark.parametrize(("best_of", "rules"), [(1, {"side-in-best-of-one"}), (3, set())])
def test_best_of_reaches_the_rules(best_of: int, rules: set[str]) -> None:
    case = shipped("formats") / "duel-masters" / "duemagic.cases" / "side-in-best-of-one.txt"
    text = re.sub("(?m)^#.*\\n", "", case.read_text("utf-8"))
    format = load_format("duel-masters/duemagic")
    event = EVENT._replace(format="duel-masters/duemagic", as_of="2020-08-01", best_of=best_of)
    [found] = judge_event(event, [entry(1, text=text)], format).rows
    assert found.report is not None
    assert {finding.rule for finding in found.report.findings} == rules


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("オリジナル", True),
        ("duel-masters/original", True),
        ("ｏｒｉｇｉｎａｌ", True),
        ("toy", False),
        ("試しの 場", False),
        ("Toy", False),
        ("どこにもない形式", False),
        ("other.yaml", False),
        ("../../secret.yaml", False),
    ],
)
def test_a_list_for_another_format_is_noted(said: str, noted: bool) -> None:
    found = row(f"# format: {said}\n{LEGAL}")
    assert found.state == "legal"
    assert [note.en for note in found.notes] == (
        ["the list says it is for Original; it was judged as Toy"] if noted else []
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
    assert row(None, submitted=TOO_LATE, problem=Localized("変", "odd")).late is True


def test_lacking_fields_in_the_order_in_which_they_are_asked() -> None:
    event = EVENT._replace(required=("name", "id", "table", "handle"))
    [found] = judged(entry(1, name="　", table="3"), event=event).rows
    assert found.lacking == ("name", "id", "handle")


def test_a_time_that_should_be_there_and_cannot_be_read_needs_a_word() -> None:
    empty = entry(1, submitted=None)._replace(timed=True)
    odd = entry(2, submitted=None)._replace(submitted_as="きのう")
    none, fine = entry(3, submitted=None), entry(4)._replace(timed=True)
    rows = judged(empty, odd, none, fine).rows
    assert [one.untimed for one in rows] == [True, True, False, False]
    assert [[(against.id, against.by_word) for against in failures(one, EVENT)] for one in rows] == [
        [("untimed", True)],
        [("untimed", True)],
        [],
        [],
    ]
    assert not any(one.untimed for one in judged(empty, odd, event=OPEN_END).rows)
    [nothing] = judged(entry(1, None, submitted=None)._replace(timed=True)).rows
    assert [against.id for against in failures(nothing, EVENT)] == ["missing"]
