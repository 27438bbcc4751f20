"""Every count is an interval that holds the true number, however a list may be read, and is judged as such."""

from __future__ import annotations

import math
from typing import Any

import pytest
from factories.garden_game import (
    GHOST,
    IRIS,
    MOSS,
    OAK,
    PLUM,
    ROSE,
    ZONES,
    Held,
    Shelf,
    card,
    deck_of,
    read_rules,
    unread,
)
from factories.random_cards import often
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.model.deck import Deck
from deckcheck.model.format import Clause
from deckcheck.rules.counting import Answers, Group, Interval, Limits, Tally, groups, judge, tally
from deckcheck.rules.predicates import FREE, World

STATUSES = {"Card 0": "rare", "Card 1": "out"}


def clause_of(data: dict[str, Any]) -> Clause:
    """The clause that plain values write, bounded so that nothing is read as a ban."""
    [rule] = read_rules({"at_least": 1, **data})
    return rule.clauses[0]


def grouped(data: dict[str, Any], deck: Deck, shelf: Shelf, day: str = "2020-01-01") -> list[Group]:
    clause = clause_of(data)
    held = tallied(deck)
    return list(groups(clause, held, Answers(clause.selection.where, World(day, STATUSES, shelf), FREE)))


def tallied(deck: Deck) -> Tally:
    unreadable = sum(diagnostic.id == "invalid-line" for diagnostic in deck.diagnostics)
    return tally(deck.entries, unreadable, frozenset(ZONES))


FOREST: tuple[Held, ...] = ((ROSE, 2), (IRIS, 3), (OAK, 1), (ROSE, 1, "leader"))


@pytest.mark.parametrize(
    ("asked", "held", "number"),
    [
        ({}, FOREST, (7, 7)),
        ({"in": "main"}, FOREST, (6, 6)),
        ({"count": "names"}, FOREST, (3, 3)),
        ({"count": "names", "having": {"at_least": 3}}, FOREST, (2, 2)),
        ({"count": {"sum": "cost"}}, FOREST, (14, 14)),
        ({"where": {"colour": "red"}}, FOREST, (4, 4)),
        ({"where": {"colour": "red"}}, (*FOREST, (GHOST, 2)), (4, 6)),
        ({"count": "names", "where": {"colour": "red"}}, (*FOREST, (GHOST, 2)), (2, 3)),
        ({"count": {"sum": "cost"}}, (*FOREST, (GHOST, 1)), (14, math.inf)),
        ({"count": {"sum": "cost"}}, ((MOSS, 1),), (math.inf, math.inf)),
        ({"count": {"sum": "cost"}}, ((MOSS, 0), (ROSE, 1)), (2, 2)),
        ({"count": "names"}, ((ROSE, 0), (IRIS, 1)), (1, 1)),
        ({}, ((ROSE, 1), ("nobody", 2)), (1, 3)),
        ({"where": {"colour": "red"}}, ((ROSE, 1), ("nobody", 2)), (1, 3)),
        ({"where": {"colour": "red"}}, ((ROSE, 1), ((ROSE, OAK), 2)), (3, 3)),
        ({"where": {"colour": "red"}}, ((ROSE, 1), ((ROSE, IRIS), 2)), (1, 3)),
        ({"where": {"colour": "red"}}, ((ROSE, 1), ((PLUM, IRIS), 2)), (1, 1)),
        ({"count": "names", "having": {"at_least": 3}}, ((ROSE, 1), ("nobody", 2)), (0, 2)),
        ({"in": "main"}, ((ROSE, 1), (IRIS, 2, "Shed")), (1, 3)),
    ],
)
def test_counts(asked: dict[str, Any], held: tuple[Held, ...], number: tuple[float, float]) -> None:
    [group] = grouped(asked, deck_of(*held), Shelf([ROSE, IRIS, OAK, GHOST, MOSS, PLUM]))
    assert group.number == Interval(*number)


def test_a_line_that_cannot_be_read_may_hold_any_number_of_cards() -> None:
    deck = deck_of((ROSE, 3), diagnostics=[unread("main")])
    assert grouped({"in": "main"}, deck, Shelf([ROSE]))[0].number == Interval(3, math.inf)
    # It may have been a heading, too.
    assert grouped({"in": "leader"}, deck, Shelf([ROSE]))[0].number == Interval(0, math.inf)


def test_numbers_below_zero_are_added_up_too() -> None:
    debt, gift = card("Debt", cost=-2.0), card("Gift", cost=3.0, colour=None)
    maybe_debt = card("Maybe", cost=-5.0, colour=None)
    shelf = Shelf([debt, gift, maybe_debt])
    asked = {"count": {"sum": "cost"}}
    red = {"where": {"any": [{"name": ["Debt"]}, {"colour": "red"}]}}
    assert grouped(asked, deck_of((debt, 2), (gift, 1)), shelf)[0].number == Interval(-1, -1)
    assert grouped(asked | red, deck_of((debt, 2), (gift, 1)), shelf)[0].number == Interval(-4, -1)
    assert grouped(asked | red, deck_of((debt, 2), (maybe_debt, 1)), shelf)[0].number == Interval(-9, -4)


def test_lines_of_one_card_are_added_up() -> None:
    [group] = grouped({"per": "name"}, deck_of((ROSE, 2), (ROSE, 1, "leader"), (ROSE, 1)), Shelf([ROSE]))
    assert (group.subject, group.number) == (ROSE, Interval(4, 4))


def test_further_copies_of_a_loose_name_may_stand_on_other_lines() -> None:
    deck = deck_of((ROSE, 2), ((ROSE, IRIS), 1), ("nobody", 3))
    loose = {
        group.cards: (group.number.low, group.number.high)
        for group in grouped({"per": "name"}, deck, Shelf([ROSE, IRIS]))
    }
    assert loose == {(ROSE,): (2, 6), (ROSE, IRIS): (1, 6), (): (0, 6)}


# Intervals against bounds.

ENDLESS = 30
"""Stands for infinity when numbers are tried one by one."""


@st.composite
def intervals(draw: st.DrawFn, endless: bool = True) -> Interval:
    low = draw(st.integers(0, 8))
    high = draw(st.sampled_from([low, low + 1, low + 3, *([math.inf] if endless else [])]))
    return Interval(low, high)


def numbers(interval: Interval) -> range:
    return range(int(interval.low), (ENDLESS if interval.high == math.inf else int(interval.high)) + 1)


@often(400)
@given(
    intervals(),
    st.none() | intervals(),
    st.none() | intervals(),
    st.none() | st.lists(st.integers(0, 9), min_size=1, max_size=4).map(tuple),
)
def test_a_verdict_is_true_of_every_possible_count_and_bound(
    count: Interval, low: Interval | None, high: Interval | None, listed: tuple[int, ...] | None
) -> None:
    state = judge(count, Limits(low, high, listed))
    for number in numbers(count):
        for at_least in numbers(low) if low else [0]:
            for at_most in numbers(high) if high else [math.inf]:
                kept = at_least <= number <= at_most and (listed is None or number in listed)
                if state == "kept":
                    assert kept
                if state == "violated":
                    assert not kept


@often(200)
@given(intervals(), intervals(endless=False), intervals(endless=False))
def test_a_single_fixed_bound_is_decided_whenever_it_can_be(
    count: Interval, low: Interval, high: Interval
) -> None:
    for limits in (
        Limits(low=Interval(low.low, low.low)),
        Limits(high=Interval(high.low, high.low)),
        Limits(one_of=(int(low.low), int(high.high))),
    ):
        kept = {
            (limits.low is None or number >= limits.low.low)
            and (limits.high is None or number <= limits.high.low)
            and (limits.one_of is None or number in limits.one_of)
            for number in numbers(count)
        }
        assert judge(count, limits) == (
            "undecided" if len(kept) == 2 else "kept" if kept == {True} else "violated"
        )
