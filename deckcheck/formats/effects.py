"""Rules that can't have an effect beside others, and rules that no deck can keep together.

Only what is certain is told: two clauses that count the very same thing, of
which one allows all that the other allows, or nothing that it allows. A rule
that is taken over may be outdone by a more specific one; that is what
extending is for.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from deckcheck.formats.merged import Merged, Said
from deckcheck.formats.overriding import FIRST, LAST, gravity, listed_zones
from deckcheck.formats.placed import Placed
from deckcheck.formats.vocabulary import Context, inside
from deckcheck.support.messages import Words, _

MOST_ALIKE = 200
"""Clauses that count the very same thing; each is held against each."""

_COUNTED = ("count", "where", "per", "copies", "sides", "for_each", "for_some")
_GROUPED = ("per", "for_each", "for_some", "sides")
_WHOLE = (None, "copies", "names")


class _Allowed(NamedTuple):
    low: float
    high: float
    listed: frozenset[int] | None = None

    def holds(self, number: float) -> bool:
        return self.low <= number <= self.high and (self.listed is None or number in self.listed)


class _Bounded(NamedTuple):
    """A clause with plain numbers: the format that says it, its place, what it counts and what it allows."""

    said: Said
    rule: str
    place: Placed
    clause: Mapping[str, Any]
    counts: str
    allowed: _Allowed


def check_effects(merged: Merged, rules: Sequence[Mapping[str, Any]], context: Context) -> None:
    """Note problems with rules that change nothing, or that exclude one another.

    `rules` are the settled rules, in the order in which they stand.
    """
    for rule, piece in zip(rules, merged.rules.values(), strict=True):
        for at, clause in enumerate(rule["clauses"]):
            own = inside(piece, "clauses", at) if "clauses" in piece.data else piece
            _check_ways(clause, own if "either" in own.data else piece, merged.zones, context)
    groups: dict[str, list[_Bounded]] = {}
    for one in _bounded(merged, rules):
        groups.setdefault(one.counts, []).append(one)
    for group in groups.values():
        if len(group) > MOST_ALIKE:
            context.wrong(
                group[MOST_ALIKE].place,
                _("more than {most_alike} rules count the same thing", most_alike=MOST_ALIKE),
            )
            continue
        for one, other in combinations(group, 2):
            # Of two the more specific one is to be mended, or else the later.
            first, last = (other, one) if other.said.by in one.said.over else (one, other)
            if _excluded(first, last):
                _tell_excluded(first, last, context)
            elif first.said.by in (last.said.by, *last.said.over):
                if _is_idle(last, first):
                    _tell_idle(last, first, context)
                elif first.said.by == last.said.by and _is_idle(first, last):
                    _tell_idle(first, last, context)


def _bounded(merged: Merged, rules: Sequence[Mapping[str, Any]]) -> Iterator[_Bounded]:
    for rule, (name, piece) in zip(rules, merged.rules.items(), strict=True):
        for at, clause in enumerate(rule["clauses"]):
            allowed = _allowed(clause)
            if allowed is not None:
                place = inside(piece, "clauses", at) if "clauses" in piece.data else piece
                said = merged.said["rules"][name][-1]
                yield _Bounded(said, name, place, clause, _counts(clause, merged.zones), allowed)


def _counts(clause: Mapping[str, Any], zones: Iterable[str]) -> str:
    said = {key: clause[key] for key in _COUNTED if key in clause}
    held = set(listed_zones(clause["in"])) if "in" in clause else set(zones)
    return json.dumps({"count": "copies", **said, "in": sorted(held)}, sort_keys=True)


def _allowed(clause: Mapping[str, Any]) -> _Allowed | None:
    """The numbers that a clause allows; None where that hangs on the deck."""
    low, high = clause.get("at_least", float("-inf")), clause.get("at_most", float("inf"))
    if "exactly" in clause:
        low = high = clause["exactly"]
    if isinstance(low, Mapping) or isinstance(high, Mapping) or "either" in clause:
        return None
    if "one_of" in clause:
        listed = frozenset(clause["one_of"])
        return _Allowed(min(listed), max(listed), listed)
    return _Allowed(low, high)


def _is_idle(one: _Bounded, other: _Bounded) -> bool:
    """Whether whatever breaks the first clause breaks the second one as well, no less gravely."""
    a, b = one.clause, other.clause
    if gravity(a) > gravity(b) or ("when" in b and a.get("when") != b["when"]):
        return False
    if a.get("since", FIRST) < b.get("since", FIRST) or a.get("until", LAST) > b.get("until", LAST):
        return False
    return _within(other.allowed, one.allowed)


def _within(narrow: _Allowed, wide: _Allowed) -> bool:
    if wide.listed is None:
        return wide.low <= narrow.low and narrow.high <= wide.high
    listed = {narrow.low} if narrow.low == narrow.high else narrow.listed
    return listed is not None and listed <= wide.listed


def _check_ways(clause: Mapping[str, Any], place: Placed, zones: Collection[str], context: Context) -> None:
    """Note a way under `either` that another one makes idle, and two of which one always holds."""
    groups: dict[str, list[tuple[Placed, _Allowed]]] = {}
    for at, way in enumerate(clause.get("either", ())):
        allowed = _allowed(way)
        if allowed is not None:
            counts = groups.setdefault(_counts(way, zones), [])
            counts.append((inside(place, "either", at), allowed))
            if not any(key in way for key in _GROUPED) and _always(counts, whole=way.get("count") in _WHOLE):
                context.wrong(place, _("one of these always holds, so this has no effect"))
                return
    for ways in groups.values():
        for (first, narrow), (last, wide) in combinations(ways, 2):
            if _within(narrow, wide) or _within(wide, narrow):
                idle, by = (first, last) if _within(narrow, wide) else (last, first)
                context.wrong(
                    idle,
                    _("{place} counts the same and allows all of it, so this has no effect", place=by.place),
                )


def _always(ways: Iterable[tuple[Placed, _Allowed]], *, whole: bool) -> bool:
    spans = [allowed for _, allowed in ways if allowed.listed is None]
    most = max((one.high for one in spans if one.low <= 0), default=-1)
    least = min((one.low for one in spans if one.high == float("inf")), default=float("inf"))
    return least <= most + whole


def _excluded(one: _Bounded, other: _Bounded) -> bool:
    """Whether on some days no deck can keep both clauses."""
    a, b = one.clause, other.clause
    # What is counted by groups, or only sometimes, need not be there at all.
    if any(key in c for c in (a, b) for key in ("when", *_GROUPED)):
        return False
    if not a.get("severity", "error") == b.get("severity", "error") == "error":
        return False
    since, until = max(c.get("since", FIRST) for c in (a, b)), min(c.get("until", LAST) for c in (a, b))
    if since > until:
        return False
    if one.allowed.listed is not None:
        return not any(map(other.allowed.holds, one.allowed.listed))
    if other.allowed.listed is not None:
        return not any(map(one.allowed.holds, other.allowed.listed))
    return max(one.allowed.low, other.allowed.low) > min(one.allowed.high, other.allowed.high)


def _tell_idle(idle: _Bounded, by: _Bounded, context: Context) -> None:
    context.wrong(
        idle.place,
        _(
            "{rule!r} ({place}) counts the same and allows no more, so this has no effect",
            rule=by.rule,
            place=by.place.place,
        ),
        _same_id(idle, by),
    )


def _tell_excluded(first: _Bounded, last: _Bounded, context: Context) -> None:
    context.wrong(
        last.place,
        _("no deck can keep both this and {rule!r} ({place})", rule=first.rule, place=first.place.place),
        _same_id(last, first),
    )


def _same_id(one: _Bounded, other: _Bounded) -> Words | None:
    if one.rule == other.rule or one.said.by == other.said.by:
        return None
    name = other.rule
    return _("to replace it, give it the id {name!r}", name=name)
