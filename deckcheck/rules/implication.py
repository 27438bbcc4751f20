"""What one clause implies about another that counts the same, and stricter versions of a clause."""

from collections.abc import Hashable, Iterable, Iterator

from deckcheck.model.format import Bound, Clause, Linear

SEVERITIES = ("info", "warning", "error")
FIRST, LAST = "0001-01-01", "9999-12-31"
INFINITY = float("inf")

Ranges = tuple[tuple[float, float], ...]


def what_is_counted(clause: Clause, zones: Iterable[str]) -> Hashable:
    """A key that is equal for clauses that count exactly the same; `zones` are all zones of the format."""
    counted = frozenset(zones if clause.selection.zones is None else clause.selection.zones)
    measure = clause.counted, clause.summed, clause.per, clause.having
    return counted, clause.selection.where, measure, clause.sides, clause.loop


def allowed(clause: Clause) -> Ranges | None:
    """The ranges of numbers that a clause allows; None if they depend on the deck."""
    low, high = clause.low, clause.high
    if clause.either or isinstance(low, Linear) or isinstance(high, Linear):
        return None
    if clause.one_of is not None:
        return tuple((number, number) for number in clause.one_of)
    return ((-INFINITY if low is None else low, INFINITY if high is None else high),)


def _days(clause: Clause) -> tuple[str, str]:
    """The first and the last day on which it is in force."""
    return clause.since or FIRST, clause.until or LAST


def makes_idle(strict: Clause, idle: Clause) -> bool:
    """For clauses that count exactly the same: whether decks that break `idle` break `strict`, no less severely."""
    numbers, others = allowed(strict), allowed(idle)
    if numbers is None or others is None:
        return False
    if strict.when is not None and strict.when != idle.when:
        return False
    (since, until), (first, last) = _days(strict), _days(idle)
    is_severe = SEVERITIES.index(strict.severity) >= SEVERITIES.index(idle.severity)
    is_in_force = since <= first <= last <= until
    is_within = all(any(low <= least and most <= high for low, high in others) for least, most in numbers)
    return is_severe and is_in_force and is_within


def exclude_each_other(clause: Clause, other: Clause) -> bool:
    """For clauses that count exactly the same: whether there are days on which no deck can keep both."""
    for count in (clause, other):
        # There may be no group, so that nothing is bounded.
        is_grouped = count.per is not None or count.loop is not None or count.sides is not None
        if count.severity != "error" or count.when is not None or is_grouped:
            return False
    (since, until), (first, last) = _days(clause), _days(other)
    if max(since, first) > min(until, last):
        return False
    numbers, others = allowed(clause), allowed(other)
    if numbers is None or others is None:
        return False
    return not any(max(low, least) <= min(high, most) for low, high in numbers for least, most in others)


def tighter(clause: Clause) -> Iterator[Clause]:
    """Yields the clause with one bound tighter by one, so that a deck exactly on the bound breaks it."""
    if clause.either:
        # All ways are tightened, each at both ends, to avoid a large number of combinations.
        yield clause._replace(either=tuple(map(_tightened, clause.either)))
    elif clause.one_of is not None:
        yield _tightened(clause)
    else:
        if clause.high is not None:
            yield clause._replace(high=_moved(clause.high, -1))
        if clause.low is not None:
            yield clause._replace(low=_moved(clause.low, 1))


def _tightened(clause: Clause) -> Clause:
    if clause.one_of is not None:
        return clause._replace(one_of=(-1,))
    return clause._replace(low=_moved(clause.low, 1), high=_moved(clause.high, -1))


def _moved(bound: Bound | None, by: int) -> Bound | None:
    if isinstance(bound, Linear):
        return bound._replace(base=bound.base + by)
    return None if bound is None else bound + by
