"""What one clause implies about another: whether it is no looser, and whether a deck can keep both."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from datetime import date
from typing import Literal

from deckcheck.model.format import Bound, Clause, Linear, Selection

End = Literal["upper", "lower"]
Gap = Literal["upper", "lower", "count", "zones", "cards", "when", "severity", "days"]
"""How a clause is looser than another: it lacks the bound at that end, bounds something else, or not always."""

ENDS: tuple[End, ...] = ("upper", "lower")
SEVERITIES = ("info", "warning", "error")
FIRST, LAST = "0001-01-01", "9999-12-31"
INFINITY = float("inf")


Ranges = tuple[tuple[float, float], ...]


def allowed(clause: Clause) -> Ranges | None:
    """The ranges of numbers that a clause allows; None if they depend on the deck."""
    low, high = clause.low, clause.high
    if clause.either or isinstance(low, Linear) or isinstance(high, Linear):
        return None
    if clause.one_of is not None:
        return tuple((number, number) for number in clause.one_of)
    return ((-INFINITY if low is None else low, INFINITY if high is None else high),)


def _ends(clause: Clause) -> list[End]:
    """The ends at which it bounds its count."""
    bounds = {"upper": clause.high, "lower": clause.low}
    return [end for end in ENDS if clause.one_of is not None or bounds[end] is not None]


def _days(clause: Clause) -> tuple[str, str]:
    """The first and the last day on which it is in force."""
    return clause.since or FIRST, clause.until or LAST


def same_meaning(rule: Iterable[Clause], other: Iterable[Clause]) -> bool:
    """Whether two rules differ at most in wording."""
    return Counter(map(_meaning, rule)) == Counter(map(_meaning, other))


def _meaning(clause: Clause) -> Hashable:
    zones, where = clause.selection
    bare = clause._replace(selection=Selection(), message=None, says=None, line=None, either=())
    return zones and frozenset(zones), where, bare, frozenset(map(_meaning, clause.either))


def what_is_counted(clause: Clause, zones: Iterable[str]) -> Hashable:
    """A key that is equal for clauses that count exactly the same; `zones` are all zones of the format."""
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
        before = _alternatives(clause)
        # The upper and the lower bound may come from different clauses, except under `either`.
        apart: list[Sequence[End]] = [ENDS] if clause.either else [[end] for end in _ends(clause)]
        for together in apart:
            near = [(_days(other), _worst(before, _alternatives(other), together, zones)) for other in new]
            kept = [span for span, missing in near if not missing]
            if not kept:
                return min((missing for _span, missing in near), key=len)[0]
            if not _covered(_days(clause), kept):
                return "days"
    return None


def _alternatives(clause: Clause) -> list[Clause]:
    """The counts under `either`, with their common condition; else the clause itself."""
    return [way._replace(when=clause.when) for way in clause.either] or [clause]


def _worst(
    before: Sequence[Clause], after: Sequence[Clause], together: Sequence[End], zones: Collection[str]
) -> list[Gap]:
    """The gaps of the loosest new way: each has to be as strict as some old way."""
    return max((min((_gaps(old, new, together, zones) for old in before), key=len) for new in after), key=len)


def _gaps(old: Clause, new: Clause, together: Sequence[End], zones: Collection[str]) -> list[Gap]:
    """How the new clause is looser than the old one at these ends, regardless of numbers and days."""
    was, now = (
        set(zones) if selection.zones is None else set(selection.zones) & set(zones)
        for selection in (old.selection, new.selection)
    )
    where, capped = new.selection.where, old.having is not None and old.having.high is not None
    gaps: list[Gap] = []
    for end in (end for end in together if end in _ends(old)):
        # Too many in some zones are too many in more; too few in more are too few in some. But for a group that only
        # counts where it is, or a name with a limited number of copies, other zones mean something else.
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
    """Whether each day of a span is in one of the other spans."""
    try:
        (first, last), *others = (
            [date.fromisoformat(day).toordinal() for day in span] for span in (wanted, *sorted(spans))
        )
    except ValueError:
        # An invalid day is reported as another error.
        return True
    for since, until in others:
        if since <= first <= until:
            first = until + 1
    return first > last


def makes_idle(strict: Clause, idle: Clause, zones: Collection[str]) -> bool:
    """For clauses that count exactly the same: whether decks that break `idle` break `strict`, no less severely."""
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
    """For clauses that count exactly the same: whether there are days on which no deck can keep both."""
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
    """Whether each has bounds, rather than a set of numbers or alternatives."""
    return all(clause.one_of is None and not clause.either for clause in clauses)


def never_over(bound: Bound | None, other: Bound | None) -> bool:
    """Whether one bound is at most the other for every deck; False if uncertain."""
    if bound is None or other is None:
        return False
    base, times = 0, Counter[tuple[Clause, int]]()
    for sign, each in ((1, other), (-1, bound)):
        terms = each.plus if isinstance(each, Linear) else ()
        base += sign * (each.base if isinstance(each, Linear) else each)
        for term in terms:
            times[term.clause, term.step] += sign * term.times
    # Numbers of copies and names are never negative, but a sum may be.
    return base >= 0 and all(
        number == 0 or (number > 0 and not counted.summed) for (counted, _step), number in times.items()
    )


def always_holds(ways: Sequence[Clause]) -> bool:
    """For ways that count exactly the same: whether one of them holds for every number."""
    if any(map(_is_grouped, ways)):
        return False
    spans = [span for way in ways for span in allowed(way) or ()]
    most = max((high for low, high in spans if low <= 0), default=-1)
    least = min((low for low, high in spans if high == INFINITY), default=INFINITY)
    whole = not ways[0].summed
    return least <= most + whole


def tighter(clause: Clause) -> Iterator[Clause]:
    """Yields the clause with one bound tighter by one, so that a deck exactly on the bound breaks it."""
    if clause.either:
        # All ways are tightened, each at both ends, to avoid a large number of combinations.
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
