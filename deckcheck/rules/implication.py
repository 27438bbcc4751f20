"""What one clause implies of another: whether it is no looser, and whether a deck can keep both."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from datetime import date
from typing import Literal

from deckcheck.model.format import Bound, Clause, Linear, Selection

End = Literal["upper", "lower"]
Gap = Literal["upper", "lower", "count", "zones", "cards", "when", "severity", "days"]
"""In what a clause is looser than another: it has no bound from that end, or bounds something else, or not always."""

ENDS: tuple[End, ...] = ("upper", "lower")
SEVERITIES = ("info", "warning", "error")
FIRST, LAST = "0001-01-01", "9999-12-31"
INFINITY = float("inf")


Ranges = tuple[tuple[float, float], ...]


def allowed(clause: Clause) -> Ranges | None:
    """The ranges of numbers that a clause allows; None where they depend on the deck."""
    low, high = clause.low, clause.high
    if clause.either or isinstance(low, Linear) or isinstance(high, Linear):
        return None
    if clause.one_of is not None:
        return tuple((number, number) for number in clause.one_of)
    return ((-INFINITY if low is None else low, INFINITY if high is None else high),)


def _ends(clause: Clause) -> list[End]:
    """From which ends it bounds its count."""
    bounds = {"upper": clause.high, "lower": clause.low}
    return [end for end in ENDS if clause.one_of is not None or bounds[end] is not None]


def _days(clause: Clause) -> tuple[str, str]:
    """The first and the last day on which it is in force."""
    return clause.since or FIRST, clause.until or LAST


def same_meaning(rule: Iterable[Clause], other: Iterable[Clause]) -> bool:
    """Whether two rules differ in words at most."""
    return Counter(map(_meaning, rule)) == Counter(map(_meaning, other))


def _meaning(clause: Clause) -> Hashable:
    zones, where = clause.selection
    bare = clause._replace(selection=Selection(), message=None, says=None, line=None, either=())
    return zones and frozenset(zones), where, bare, frozenset(map(_meaning, clause.either))


def what_is_counted(clause: Clause, zones: Iterable[str]) -> Hashable:
    """A key that is equal for clauses that count the very same thing; `zones` are all of the format."""
    held = frozenset(zones if clause.selection.zones is None else clause.selection.zones)
    return held, clause.selection.where, _measure(clause)


def _measure(clause: Clause) -> Hashable:
    measured = clause.counted, clause.summed, clause.per, clause.having
    return measured, clause.sides, clause.loop


def _is_grouped(clause: Clause) -> bool:
    """Whether it bounds each of several counts, of which there may be none."""
    return clause.per is not None or clause.loop is not None or clause.sides is not None


def lost(old: Iterable[Clause], new: Sequence[Clause], zones: Collection[str]) -> Gap | None:
    """What a rule fails to bound that another one bounds, if anything. `zones` are all zones of the format."""
    for clause in old:
        before = _ways(clause)
        # What bounds something by itself may be bounded from above by one clause and from below by another.
        apart: list[Sequence[End]] = [ENDS] if clause.either else [[end] for end in _ends(clause)]
        for together in apart:
            near = [(_days(other), _worst(before, _ways(other), together, zones)) for other in new]
            kept = [span for span, missing in near if not missing]
            if not kept:
                return min((missing for _span, missing in near), key=len)[0]
            if not _covered(_days(clause), kept):
                return "days"
    return None


def _ways(clause: Clause) -> list[Clause]:
    """The counts under `either`, with the condition that is theirs together; else the clause itself."""
    return [way._replace(when=clause.when) for way in clause.either] or [clause]


def _worst(
    before: Sequence[Clause], after: Sequence[Clause], together: Sequence[End], zones: Collection[str]
) -> list[Gap]:
    """What the loosest of the new ways leaves open: each has to do what some old way did."""
    return max((min((_gaps(old, new, together, zones) for old in before), key=len) for new in after), key=len)


def _gaps(old: Clause, new: Clause, together: Sequence[End], zones: Collection[str]) -> list[Gap]:
    """In what the new clause is looser than the old one from these ends, whatever the numbers and the days."""
    was, now = (
        set(zones) if selection.zones is None else set(selection.zones) & set(zones)
        for selection in (old.selection, new.selection)
    )
    where, capped = new.selection.where, old.having is not None and old.having.high is not None
    gaps: list[Gap] = []
    for end in (end for end in together if end in _ends(old)):
        # What is too many in some zones is too many in more; too few in more are too few in some. But of a group that is
        # looked at only where it is, or of a name with so many copies and no more, other zones tell another thing.
        same = capped or (end == "lower" and old.per is not None)
        within = was == now if same else was <= now if end == "upper" else now <= was
        looser: dict[Gap, bool] = {
            end: end not in _ends(new),
            "count": _measure(old) != _measure(new),
            "zones": not within,
            "cards": old.selection.where != where and not (end == "upper" and where is None),
            "when": new.when is not None and new.when != old.when,
            "severity": SEVERITIES.index(new.severity) < SEVERITIES.index(old.severity),
        }
        gaps += [gap for gap, is_looser in looser.items() if is_looser]
    return gaps


def _covered(wanted: tuple[str, str], spans: Iterable[tuple[str, str]]) -> bool:
    """Whether each day of a span is in one of the others."""
    try:
        (first, last), *others = (
            [date.fromisoformat(day).toordinal() for day in span] for span in (wanted, *sorted(spans))
        )
    except ValueError:
        # That there is no such day is an error of its own.
        return True
    for since, until in others:
        if since <= first <= until:
            first = until + 1
    return first > last


def makes_idle(strict: Clause, idle: Clause, zones: Collection[str]) -> bool:
    """Of two clauses that count the very same thing, whether what breaks `idle` breaks `strict`, no less gravely."""
    (since, until), (first, last) = _days(strict), _days(idle)
    if not since <= first <= last <= until or _gaps(idle, strict, ENDS, zones):
        return False
    numbers, others = allowed(strict), allowed(idle)
    if numbers is not None and others is not None:
        return all(any(low <= least and most <= high for low, high in others) for least, most in numbers)
    return (
        _are_bounds(strict, idle)
        and (idle.high is None or never_over(strict.high, idle.high))
        and (idle.low is None or never_over(idle.low, strict.low))
    )


def exclude_each_other(clause: Clause, other: Clause) -> bool:
    """Of two clauses that count the very same thing, whether on some days no deck can keep both."""
    if not clause.severity == other.severity == "error":
        return False
    (since, until), (first, last) = _days(clause), _days(other)
    is_conditional = any(_is_grouped(each) or each.when is not None for each in (clause, other))
    if is_conditional or max(since, first) > min(until, last):
        return False
    numbers, others = allowed(clause), allowed(other)
    if numbers is not None and others is not None:
        return not any(max(low, least) <= min(high, most) for low, high in numbers for least, most in others)
    return _are_bounds(clause, other) and any(
        high is not None and never_over(_moved(high, 1), low)
        for high, low in ((clause.high, other.low), (other.high, clause.low))
    )


def _are_bounds(*clauses: Clause) -> bool:
    """Whether each has bounds, and no set of numbers or alternatives in their place."""
    return all(clause.one_of is None and not clause.either for clause in clauses)


def never_over(bound: Bound | None, other: Bound | None) -> bool:
    """Whether one bound is at most the other, whatever the deck is; where that can't be told, False."""
    if bound is None or other is None:
        return False
    base, times = 0, Counter[tuple[Clause, int]]()
    for sign, each in ((1, other), (-1, bound)):
        terms = each.plus if isinstance(each, Linear) else ()
        base += sign * (each.base if isinstance(each, Linear) else each)
        for term in terms:
            times[term.clause, term.step] += sign * term.times
    # Copies and names are never fewer than none; a sum may be less.
    return base >= 0 and all(
        number == 0 or (number > 0 and not counted.summed) for (counted, _step), number in times.items()
    )


def always_holds(ways: Sequence[Clause]) -> bool:
    """Of counts of the very same thing, whether one of them holds whatever the number is."""
    if any(map(_is_grouped, ways)):
        return False
    spans = [span for way in ways for span in allowed(way) or ()]
    most = max((high for low, high in spans if low <= 0), default=-1)
    least = min((low for low, high in spans if high == INFINITY), default=INFINITY)
    whole = not ways[0].summed
    return least <= most + whole


def tighter(clause: Clause) -> Iterator[Clause]:
    """The clause with one bound tighter by one, so that a deck that is right on the bound breaks it."""
    if clause.either:
        # What none of the ways allows any more; each is tightened at both ends, or there would be a crowd of them.
        yield clause._replace(either=tuple(_tightened(way, ENDS) for way in clause.either))
    elif clause.one_of is not None:
        yield _tightened(clause, ENDS)
    else:
        for end in _ends(clause):
            yield _tightened(clause, [end])


def _tightened(clause: Clause, ends: Sequence[End]) -> Clause:
    if clause.one_of is not None:
        return clause._replace(one_of=(-1,))
    low = _moved(clause.low, 1) if "lower" in ends else clause.low
    return clause._replace(low=low, high=_moved(clause.high, -1) if "upper" in ends else clause.high)


def _moved(bound: Bound | None, by: int) -> Bound | None:
    if isinstance(bound, Linear):
        return bound._replace(base=bound.base + by)
    return None if bound is None else bound + by
