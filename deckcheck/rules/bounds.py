"""Intervals against bounds: kept, violated, or undecided."""

from typing import Literal, NamedTuple

State = Literal["kept", "violated", "undecided"]


class Interval(NamedTuple):
    """From `low` to `high`, both possible; `high` may be infinite."""

    low: float
    high: float


class Limits(NamedTuple):
    """What a count may be. Each bound is itself an interval, since a bound may grow with a count."""

    low: Interval | None = None
    high: Interval | None = None
    one_of: tuple[int, ...] | None = None
    exact: bool = False


def judge(count: Interval, limits: Limits) -> State:
    """Violated if no possible count is within the limits, kept if all are, else undecided."""
    states = []
    if limits.one_of is not None:
        states.append(_judge_listed(count, limits.one_of))
    if limits.low is not None:
        states.append(_state(count.high < limits.low.low, count.low >= limits.low.high))
    if limits.high is not None:
        states.append(_state(count.low > limits.high.high, count.high <= limits.high.low))
    if "violated" in states:
        return "violated"
    return "undecided" if "undecided" in states else "kept"


def _state(violated: bool, kept: bool) -> State:
    return "violated" if violated else "kept" if kept else "undecided"


def _judge_listed(count: Interval, listed: tuple[int, ...]) -> State:
    within = [number for number in listed if count.low <= number <= count.high]
    return _state(not within, len(set(within)) == count.high - count.low + 1)
