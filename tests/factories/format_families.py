"""Families of small formats that extend one another, and a second opinion on what stands in each.

Nothing here is clever: who extends whom is found by walking every way, and of
several sayings of one name those are left over which no more specific one
overrules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

RULES = ("r", "s")
DEFINITIONS = ("d", "e")
DROPPED = "dropped"


@dataclass
class Member:
    """One format: what it extends, and what it says itself."""

    extends: list[str]
    rules: dict[str, dict[str, int]] = field(default_factory=dict)
    definitions: dict[str, int] = field(default_factory=dict)
    beside: dict[str, int] = field(default_factory=dict)
    drop: list[str] = field(default_factory=list)
    override: list[str] = field(default_factory=list)
    zones: list[str] | None = None
    banlists: list[str] | None = None
    exchange: list[str] | None = None


Family = dict[str, Member]
"""By name; each extends members before it only."""


class MemberError(Exception):
    """A member that may not be as it is."""


@st.composite
def families(draw: st.DrawFn, *, most: int = 6) -> Family:
    """A family in which much goes wrong, and much doesn't."""
    found: Family = {}
    bounds = st.sampled_from((*["at_most"] * 6, "exactly", "at_least"))
    for at in range(draw(st.integers(2, most))):
        before = list(found)
        parents = draw(st.permutations(before)) if before else []
        parents = parents[: draw(st.integers(0 if at < 2 else 1, min(3, len(parents))))]
        if draw(st.integers(0, 9)):
            parents = [one for one in parents if not any(one in beneath(found, other) for other in parents)]
        one = Member(extends=parents)
        for name in RULES:
            if draw(st.integers(0, 2)) == 0:
                one.rules[name] = {draw(bounds): draw(st.integers(1, 3))}
        for name in DEFINITIONS:
            if draw(st.integers(0, 5)) == 0:
                one.definitions[name] = draw(st.integers(1, 3))
        if draw(st.integers(0, 3)) == 0:
            one.beside["b"] = draw(st.integers(1, 3))
        # What is not there can't be dropped, so that mostly is what may be.
        names = sorted({name for parent in parents for name in _spoken(found, parent)})
        if names and draw(st.integers(0, 3)) == 0:
            one.drop = [name for name in [draw(st.sampled_from(names))] if name in RULES]
        if names and draw(st.integers(0, 3)) == 0:
            one.override = sorted(draw(st.sets(st.sampled_from(names), min_size=1, max_size=2)))
        for key, choices in (
            ("zones", [["main"], ["main", "side"], ["main", "leader"]]),
            ("banlists", [[], ["x"], ["y", "x"], ["z"]]),
            ("exchange", [[], ["main", "side"], ["side", "main"], ["main", "leader"]]),
        ):
            if draw(st.integers(0, 5)) == 0:
                setattr(one, key, draw(st.sampled_from(choices)))
        found[f"f{at}"] = one
    return found


def _spoken(family: Family, name: str) -> set[str]:
    return {
        key
        for one in [name, *beneath(family, name)]
        for key in (*family[one].rules, *family[one].definitions)
    }


def write_family(family: Family, folder: Path) -> None:
    """Each member as a file of its name; every rule counts other cards than the others."""
    for name, one in family.items():
        data: dict[str, Any] = {"format": f"garden/{name}", "name": name.upper()}
        if one.extends:
            data["extends"] = [f"{parent}.yaml" for parent in one.extends]
        for key in ("drop", "override"):
            if getattr(one, key):
                data[key] = getattr(one, key)
        if one.zones is not None:
            data["zones"] = {zone: {} for zone in one.zones}
        for key in ("banlists", "exchange"):
            if getattr(one, key) is not None:
                data[key] = getattr(one, key)
        if one.definitions:
            data["definitions"] = {key: {"cost": value} for key, value in one.definitions.items()}
        if one.rules:
            data["rules"] = [
                {"id": key, "where": {"ref": f"for-{key}"}, **value} for key, value in one.rules.items()
            ]
        if one.beside:
            data["beside"] = [
                {"id": key, "names": [f"Spade {value}"], "message": "M"} for key, value in one.beside.items()
            ]
        # JSON is YAML, a line a key.
        lines = (f"{key}: {json.dumps(value)}\n" for key, value in data.items())
        (folder / f"{name}.yaml").write_text("".join(lines), encoding="utf-8")


def ways(family: Family, start: str, end: str) -> Iterator[tuple[int, ...]]:
    """Every way from one member down to another, as the places under `extends`."""
    if start == end:
        yield ()
    for at, parent in enumerate(family[start].extends):
        for way in ways(family, parent, end):
            yield (at, *way)


def beneath(family: Family, name: str) -> set[str]:
    """All that a member extends, by whatever way."""
    return {other for other in family if other != name and any(True for _ in ways(family, name, other))}


def equals(
    family: Family, name: str, section: str, key: str, *, own: bool = True
) -> list[tuple[str, Any, str]]:
    """Who says what of a name and in whose words, without what a more specific member overrules; the last way last.

    `own` False: as if the member itself said nothing.
    """
    said = {}
    for one in beneath(family, name) | ({name} if own else set()):
        value = says(family, one, section, key)
        if value is not None:
            said[one] = value
    left = [one for one in said if not any(one in beneath(family, other) for other in said)]
    left.sort(key=lambda one: max(ways(family, name, one)))
    return [(one, *said[one]) for one in left]


def says(family: Family, name: str, section: str, key: str) -> tuple[Any, str] | None:
    """What a member itself says of a name, and whose words these are."""
    one = family[name]
    if section in ("zones", "banlists", "exchange"):
        value = getattr(one, section)
        return None if value is None else (value, name)
    own = getattr(one, section)
    if key in own:
        return own[key], name
    if section == "rules" and key in one.drop:
        return DROPPED, name
    if section != "beside" and key in one.override:
        found = equals(family, name, section, key, own=False)
        if differ(section, found):
            return found[-1][1:]
    return None


def differ(section: str, found: list[tuple[str, Any, str]]) -> bool:
    """Whether members that are equals say different things."""
    values = [sorted(value) if section == "exchange" else value for _, value, _ in found]
    return section not in ("beside", "zones", "banlists") and any(value != values[0] for value in values)


def require_right(family: Family, name: str) -> None:
    """Raise MemberError for a member that may not stand, or that extends one."""
    one = family[name]
    for parent in one.extends:
        require_right(family, parent)
        if one.extends.count(parent) > 1 or any(parent in beneath(family, other) for other in one.extends):
            raise MemberError(f"{name} extends {parent} in vain")
    for key in one.drop:
        below = equals(family, name, "rules", key, own=False)
        if key in one.rules or all(value == DROPPED for _, value, _ in below):
            raise MemberError(f"{name} drops {key}")
    for key in one.override:
        if not any(_overrides(family, name, section, key) for section in ("rules", "definitions")):
            raise MemberError(f"{name} overrides {key} in vain")
    for section, keys in (("rules", RULES), ("definitions", DEFINITIONS), ("exchange", ("",))):
        for key in keys:
            _require_right_of(family, name, section, key)


def _overrides(family: Family, name: str, section: str, key: str) -> bool:
    below = equals(family, name, section, key, own=False)
    if key in getattr(family[name], section):
        return any(value != DROPPED for _, value, _ in below)
    return key not in family[name].drop and differ(section, below)


def _require_right_of(family: Family, name: str, section: str, key: str) -> None:
    if differ(section, equals(family, name, section, key)):
        raise MemberError(f"{name} leaves {key} open")
    own = getattr(family[name], section)
    if section == "exchange" or key not in own:
        return
    below = [value for _, value, _ in equals(family, name, section, key, own=False)]
    if below == [own[key]]:
        raise MemberError(f"{name} says {key} again")
    if key not in family[name].override:
        for value in below:
            if value != DROPPED and (
                value != own[key] if section == "definitions" else _loses(value, own[key])
            ):
                raise MemberError(f"{name} loses what was said of {key}")


def _loses(old: dict[str, int], new: dict[str, int]) -> bool:
    ends = {"at_most": {"upper"}, "at_least": {"lower"}, "exactly": {"upper", "lower"}}
    [was], [now] = old, new
    return not ends[was] <= ends[now]
