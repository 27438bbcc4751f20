"""What gets lost when one rule takes the place of another of the same id.

A rule that is given again may say another number and other words. What the
old one bounded has to stay bounded, from the same side, no less gravely and on
the same days; whoever means something else says so with `override`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from typing import Any, Literal

from deckcheck.formats.build import alternative, clauses_of
from deckcheck.support.messages import Words, _

End = Literal["upper", "lower"]

COUNTED = ("count", "per", "copies", "sides", "for_each", "for_some")
GRAVITY = ("info", "warning", "error")
FIRST, LAST = "0001-01-01", "9999-12-31"

_SPAN = ("since", "until")
_BOUNDS: dict[End, tuple[str, ...]] = {
    "upper": ("at_most", "exactly", "one_of"),
    "lower": ("at_least", "exactly", "one_of"),
}
_OPEN: dict[End, Words] = {
    "upper": _("no upper bound"),
    "lower": _("no lower bound"),
}
_ZONES = _("other zones")
_WHERE = _("other cards")
_COUNT = _("another count")
_WHEN = _("another `when`")
_GRAVE = _("less grave")
_DAYS = _("not on all of its days")


def same_bounds(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two rules, as files write them, differ in words at most."""
    return _bounds(one) == _bounds(other)


def _bounds(rule: Mapping[str, Any]) -> list[str]:
    clauses = [
        {key: value for key, value in clause.items() if key != "message"} for clause in clauses_of(rule)
    ]
    return sorted(json.dumps(_full(clause), sort_keys=True) for clause in clauses)


def _full(clause: Mapping[str, Any]) -> dict[str, Any]:
    zones = {"in": sorted(listed_zones(clause["in"]))} if "in" in clause else {}
    return {"count": "copies", "severity": "error", **clause, **zones}


def listed_zones(zones: str | list[str]) -> list[str]:
    """One zone or several, as a list."""
    return [zones] if isinstance(zones, str) else zones


def left_open(old: Mapping[str, Any], new: Mapping[str, Any], zones: Collection[str]) -> Words | None:
    """In what the new rule fails to bound what the old one bounds; None where nothing is lost.

    Both are as files write them; `zones` are all zones of the format that has the new one.
    """
    after = [(_days(clause), _ways(clause)) for clause in clauses_of(new)]
    for clause in clauses_of(old):
        before = _ways(clause)
        # What bounds something by itself may be bounded from above by one clause and from below by another.
        apart: list[list[End]] = [[end] for end in _ends(clause)] if "either" not in clause else [[*_BOUNDS]]
        for ends in apart:
            near = [(days, _worst(before, ways, ends, zones)) for days, ways in after]
            kept = [days for days, missing in near if not missing]
            if not kept:
                return min((missing for _, missing in near), key=len)[0]
            if not _covered(_days(clause), kept):
                return _DAYS
    return None


def _ways(clause: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The counts under `either`, with the conditions that stand above them; else the clause itself."""
    shared = {key: clause[key] for key in ("when", *_SPAN) if key in clause}
    return [shared | alternative(clause, one) for one in clause.get("either", ())] or [clause]


def _ends(clause: Mapping[str, Any]) -> list[End]:
    return [end for end, keys in _BOUNDS.items() if any(key in clause for key in keys)]


def _worst(
    before: Iterable[Mapping[str, Any]],
    after: Iterable[Mapping[str, Any]],
    ends: Collection[End],
    zones: Collection[str],
) -> list[Words]:
    """What the one of the new ways leaves open that leaves most open: each has to do what some old way did."""
    return max(
        (
            min(
                (
                    [one for end in ends if end in _ends(old) for one in _differences(old, new, end, zones)]
                    for old in before
                ),
                key=len,
            )
            for new in after
        ),
        key=len,
    )


def _differences(
    old: Mapping[str, Any], new: Mapping[str, Any], end: End, zones: Collection[str]
) -> list[Words]:
    found = []
    if end not in _ends(new):
        found.append(_OPEN[end])
    if any(_default(old, key) != _default(new, key) for key in COUNTED):
        found.append(_COUNT)
    was, now = _zones(old, zones), _zones(new, zones)
    # What is too many in some zones is too many in more; too few in more are too few in some. But of a group that is
    # looked at only where it is, or of a name with so many copies and no more, other zones tell another thing.
    same = "at_most" in old.get("copies", ()) or (end == "lower" and "per" in old)
    if not (was == now if same else was <= now if end == "upper" else now <= was):
        found.append(_ZONES)
    if old.get("where") != new.get("where") and not (end == "upper" and "where" not in new):
        found.append(_WHERE)
    if "when" in new and new["when"] != old.get("when"):
        found.append(_WHEN)
    if gravity(new) < gravity(old):
        found.append(_GRAVE)
    return found


def gravity(clause: Mapping[str, Any]) -> int:
    """How grave it is to break a clause, as a number."""
    return GRAVITY.index(clause.get("severity", "error"))


def _default(clause: Mapping[str, Any], key: str) -> Any:
    return clause.get(key, "copies" if key == "count" else None)


def _zones(clause: Mapping[str, Any], zones: Collection[str]) -> set[str]:
    # Zones that the format no longer has hold no card.
    return set(listed_zones(clause["in"])) & set(zones) if "in" in clause else set(zones)


def _days(clause: Mapping[str, Any]) -> tuple[str, str]:
    return clause.get("since", FIRST), clause.get("until", LAST)


def _covered(wanted: tuple[str, str], days: list[tuple[str, str]]) -> bool:
    first, last = wanted
    for since, until in sorted(days):
        if since <= first <= until:
            first = _day_after(until)
        if first > last:
            return True
    return False


def _day_after(day: str) -> str:
    try:
        return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    except OverflowError:
        return "~"
    except ValueError:
        # That there is no such day is told elsewhere.
        return day
