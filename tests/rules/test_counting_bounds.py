"""Intervals against bounds, compared with trying every number in them."""

from __future__ import annotations

import math

import pytest
from factories.random_cards import often
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.rules.counting import Interval, Limits, judge

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


@pytest.mark.parametrize(
    ("count", "limits", "state"),
    [
        ((3, 3), Limits(one_of=(0, 3)), "kept"),
        ((2, 2), Limits(one_of=(0, 3)), "violated"),
        ((2, 3), Limits(one_of=(0, 3)), "undecided"),
        ((2, 3), Limits(one_of=(3, 2, 2)), "kept"),
        ((0, math.inf), Limits(one_of=(0, 3)), "undecided"),
        ((4, 4), Limits(low=Interval(1, 5)), "undecided"),
        ((math.inf, math.inf), Limits(high=Interval(5, 5)), "violated"),
        ((math.inf, math.inf), Limits(low=Interval(5, 5)), "kept"),
        ((7, 7), Limits(low=Interval(0, 9), high=Interval(6, 6)), "violated"),
        ((0, 0), Limits(), "kept"),
    ],
)
def test_counts_at_the_edges(count: tuple[float, float], limits: Limits, state: str) -> None:
    assert judge(Interval(*count), limits) == state
