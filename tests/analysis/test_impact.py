"""What a change of the lists does to a deck: the verdicts are those of two plain checks, and each turn has its cause."""

from __future__ import annotations

from typing import Any

import pytest
from factories.dated_lists import COPIES, DAYS, OUT, RARE, between, entry, histories, lists, pair, told
from factories.garden_game import (
    FERN,
    IRIS,
    OAK,
    PLUM,
    ROSE,
    Held,
    deck_of,
    format_of,
    unread,
)
from factories.random_cards import often
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.model.card import Card
from deckcheck.model.deck import Directive
from deckcheck.model.format import Source
from deckcheck.report.suppressions import Grading

CARDS = (ROSE, IRIS, FERN, OAK, PLUM)
PAIR = {"id": "pair", "count": "sides", "sides": "pair", "at_most": 1}


@pytest.mark.parametrize(
    ("history", "held", "verdicts", "change"),
    [
        ([("2012-01-01", "rare")], 2, ("legal", "illegal"), ("free", "rare")),
        ([("2010-01-01", "rare"), ("2012-01-01", "free")], 2, ("illegal", "legal"), ("rare", "free")),
        ([("2010-01-01", "rare"), ("2012-01-01", "out")], 1, ("legal", "illegal"), ("rare", "out")),
        ([("2010-01-01", "out"), ("2012-01-01", "rare")], 1, ("illegal", "legal"), ("out", "rare")),
    ],
)
def test_an_entry_that_turns_a_deck_is_named(
    history: list[tuple[str, str]], held: int, verdicts: tuple[str, str], change: tuple[str, str]
) -> None:
    format = format_of(OUT, RARE, banlists=[lists(entry("Rose", *history, line=7), entry("Iris", *history))])
    impact = between(format, deck_of((FERN, 1), (ROSE, held)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.after) == verdicts
    [effect] = impact.effects
    assert told(impact) == [(*change, "Rose")]
    assert effect.since == "2012-01-01"
    assert effect.source == Source("l.yaml", 6 + len(history))
    assert [(at.line, at.copies) for at in effect.cards] == [(2, held)]
    assert not impact.others


def test_of_several_changes_only_the_last_is_told() -> None:
    history = [("2011-01-01", "out"), ("2012-01-01", "rare"), ("2013-01-01", "free"), ("2014-01-01", "rare")]
    format = format_of(OUT, RARE, banlists=[lists(entry("Rose", *history))])
    impact = between(format, deck_of((ROSE, 2)), "2010-06-01", "2014-06-01")
    assert told(impact) == [("free", "rare", "Rose")]
    assert impact is not None
    assert impact.effects[0].since == "2014-01-01"
    assert between(format, deck_of((ROSE, 2)), "2012-06-01", "2014-06-01") is None
    assert between(format, deck_of((ROSE, 2)), "2010-06-01", "2013-06-01") is None


def test_a_pair_is_told_with_both_of_its_cards() -> None:
    sides = [["Rose"], ["Iris", "Fern"]]
    format = format_of(PAIR, banlists=[lists(combinations=[pair(sides, ("2012-01-01", "pair"), line=5)])])
    impact = between(format, deck_of((ROSE, 1), (FERN, 2), (PLUM, 1)), "2011-01-01", "2013-01-01")
    assert told(impact) == [("free", "pair", "Rose", "Fern")]
    assert impact is not None
    assert impact.effects[0].sides == (("Rose",), ("Fern", "Iris"))
    assert impact.effects[0].source.line == 5
    assert between(format, deck_of((IRIS, 1), (FERN, 2)), "2011-01-01", "2013-01-01") is None


def test_a_deck_that_stays_illegal_is_told_apart() -> None:
    format = format_of(COPIES, RARE, banlists=[lists(entry("Rose", ("2012-01-01", "rare")))])
    impact = between(format, deck_of((ROSE, 2), (IRIS, 9)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.changes_verdict, impact.worse) == ("illegal", False, False)
    [effect] = impact.effects
    assert (effect.gained, effect.lost, effect.decides) == (("rare",), (), False)
    # A card that the deck has too many of for another reason is told by the stricter cap from then on.
    impact = between(format, deck_of((ROSE, 4)), "2011-01-01", "2013-01-01")
    assert impact is not None
    [effect] = impact.effects
    assert (effect.gained, effect.lost) == (("rare",), ("copies",))


def test_warnings_have_no_say_in_the_verdict() -> None:
    warn = {"id": "warn", "where": {"status": ["rare"]}, "at_most": 0, "severity": "warning"}
    moved = [entry("Rose", ("2012-01-01", "rare")), entry("Iris", ("2012-01-01", "out"))]
    format = format_of(warn, OUT, banlists=[lists(*moved)])
    impact = between(format, deck_of((ROSE, 1), (IRIS, 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert [(one.cards[0].name, one.decides) for one in impact.effects] == [("Rose", False), ("Iris", True)]


def test_what_is_suppressed_does_not_count() -> None:
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    ignoring = Directive(False, ("out",), "", 1, 9)
    deck = deck_of((ROSE, 1))._replace(directives=(ignoring,))
    impact = between(format, deck, "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.after) == ("legal", "legal")
    assert [(one.gained, one.lost) for one in impact.effects] == [((), ("unused-suppression",))]


@pytest.mark.parametrize(
    ("asked", "after"),
    [
        ({"ignore": {"out": Source("s", 1)}}, None),
        ({"select": frozenset(["rare"])}, None),
        ({"severity": {"out": "info"}}, "legal"),
        ({}, "illegal"),
    ],
)
def test_the_settings_grading_counts(asked: dict[str, Any], after: str | None) -> None:
    grading = Grading(**{"select": None, "selected_at": Source("s", 1), "ignore": {}, "severity": {}} | asked)
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    impact = between(format, deck_of((ROSE, 1)), "2011-01-01", "2013-01-01", grading=grading)
    assert (None if impact is None else impact.after) == after


def test_best_of_counts() -> None:
    format = format_of(OUT | {"when": {"best_of": 3}}, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    assert between(format, deck_of((ROSE, 1)), "2011-01-01", "2013-01-01") is None
    impact = between(format, deck_of((ROSE, 1)), "2011-01-01", "2013-01-01", best_of=3)
    assert told(impact) == [("free", "out", "Rose")]


def test_what_is_unknown_stays_unknown() -> None:
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2010-01-01", "out"), ("2012-01-01", "free")))])
    impact = between(format, deck_of((ROSE, 1), ("Nobody knows", 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.after, impact.worse) == ("illegal", "undecided", False)
    assert told(impact) == [("out", "free", "Rose")]
    # A name that may mean either of two is judged as either.
    impact = between(format, deck_of(((ROSE, IRIS), 1)), "2011-01-01", "2013-01-01")
    assert impact is None or impact.before != impact.after


def test_a_line_that_says_no_copies_holds_no_card() -> None:
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    assert between(format, deck_of((ROSE, 0), (IRIS, 9)), "2011-01-01", "2013-01-01") is None


HOLDABLE: list[Card | str | tuple[Card, ...]] = [*CARDS, (ROSE, IRIS), "Nobody knows"]
held_cards: st.SearchStrategy[list[Held]] = st.lists(
    st.tuples(st.sampled_from(HOLDABLE), st.integers(0, 4)), max_size=6
)
RULES = [
    OUT,
    RARE,
    COPIES,
    PAIR,
    {"id": "few", "count": "names", "where": {"status": ["rare"]}, "at_most": 1},
    {"id": "others", "where": {"not": {"status": ["rare", "out"]}}, "at_least": 2},
    {"id": "when", "when": {"where": {"status": ["rare"]}}, "at_most": 5},
    {"id": "warn", "where": {"status": ["rare"]}, "at_most": 0, "severity": "warning"},
    {"id": "begins", "where": {"name": ["Iris"]}, "at_most": 1, "since": "2012-06-01"},
    {"id": "ends", "per": "name", "at_most": 2, "until": "2012-06-01"},
]


@st.composite
def turns(draw: st.DrawFn) -> tuple[LoadedFormat, list[Held], str, str, dict[str, list[Any]]]:
    chosen = draw(st.lists(st.sampled_from(RULES), min_size=1, max_size=5, unique_by=lambda one: one["id"]))
    given: dict[str, list[Any]] = {name: [] for name in ("a", "b")}
    banlists = []
    for name in given:
        cards = [entry(one.name, *draw(histories), line=10 * at) for at, one in enumerate(CARDS, 1)]
        pairs = [pair([["Rose"], ["Iris"]], *[(d, "pair" if s != "free" else s) for d, s in draw(histories)])]
        given[name] = cards
        banlists.append(lists(*cards, combinations=pairs, banlist=f"garden/{name}", path=f"{name}.yaml"))
    before, after = sorted([draw(st.sampled_from(DAYS)), draw(st.sampled_from(DAYS))])
    return format_of(*chosen, banlists=banlists), draw(held_cards), before, after, given


@often(400)
@given(turns())
def test_the_verdicts_are_those_of_two_checks_and_each_turn_has_a_cause(
    turn: tuple[LoadedFormat, list[Held], str, str, dict[str, list[Any]]],
) -> None:
    format, held, before, after, given = turn
    deck = deck_of(*held, diagnostics=[unread()] if len(held) == 6 else [])
    verdicts = [check(deck, format, as_of=day).verdict for day in (before, after)]
    impact = between(format, deck, before, after)
    if impact is None:
        assert verdicts[0] == verdicts[1]
        return
    assert [impact.before, impact.after] == verdicts
    assert impact == between(format, deck, before, after)
    deciding = [one for one in impact.effects if one.decides]
    if impact.changes_verdict:
        assert deciding or impact.others
    else:
        assert impact.effects
        assert not deciding
        assert not impact.others
    for one in impact.effects:
        assert one.gained or one.lost
        assert one.cards
        assert one.before != one.after
        if len(one.sides) == 1:
            [said] = [card for card in given[one.list[-1]] if card["card"] == one.sides[0][0]]
            past = [change for change in said["history"] if change["from"] <= after]
            assert (past[-1]["line"], past[-1]["from"], past[-1]["status"]) == (
                one.source.line,
                one.since,
                one.after.status,
            )
            assert one.source.path == f"{one.list[-1]}.yaml"


@often(300)
@given(st.lists(histories, min_size=3, max_size=3), st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_with_one_list_exactly_the_cards_that_change_are_named(
    given_histories: list[list[tuple[str, str]]], copies: list[int]
) -> None:
    """A second opinion: of bans and caps on single cards, the reasons are the cards, one by one."""
    cards = (ROSE, IRIS, FERN)
    format = format_of(
        OUT,
        RARE,
        banlists=[lists(*(entry(one.name, *h) for one, h in zip(cards, given_histories, strict=True) if h))],
    )
    before, after = DAYS[1], DAYS[4]

    def broken(day: str) -> set[str]:
        found = set()
        for one, history, number in zip(cards, given_histories, copies, strict=True):
            status = [status for since, status in history if since <= day][-1:] or ["free"]
            if (status == ["out"] and number) or (status == ["rare"] and number > 1):
                found.add(one.name)
        return found

    impact = between(format, deck_of(*zip(cards, copies, strict=True)), before, after)
    if bool(broken(before)) == bool(broken(after)):
        assert impact is None or not impact.changes_verdict
    else:
        assert {names[2] for names in told(impact)} == broken(before) | broken(after)
