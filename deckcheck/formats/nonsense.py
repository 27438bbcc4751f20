"""Clauses that make no sense, or have no effect, whatever the deck."""

from collections.abc import Iterator, Mapping
from typing import Any

from deckcheck.support.messages import Words, _

BOUNDS = ("at_most", "at_least", "exactly", "one_of")


def nonsense(clause: Mapping[str, Any], *, loops: bool) -> Iterator[Words]:
    """What is wrong with a settled clause whose words are all right by themselves.

    `loops` tells that its condition looks at `$each`.
    """
    bounds = [key for key in BOUNDS if key in clause]
    if bounds and "either" in clause:
        yield _("bounds stand inside of either, not beside it")
    elif not bounds and "either" not in clause:
        yield _("one of at_most, at_least, exactly, one_of is needed")
    if "either" in clause and ("for_each" in clause or "for_some" in clause):
        # Whether one way is to hold for all values or each value may have its own can't be seen.
        yield _("for_each and for_some stand inside of either, not beside it")
    if "either" in clause and "message" not in clause:
        # Of several ways that fail no single one says what is wrong.
        yield _("either needs a message")
    elif "either" in clause and any(field in str(clause["message"]) for field in ("{found}", "{allowed}")):
        yield _(
            "the message of either takes no {{found}} and no {{allowed}}, which differ from count to count"
        )
    if "exactly" in bounds and len(bounds) > 1:
        yield _("exactly stands alone, without other bounds")
    if "one_of" in bounds and len(bounds) > 1:
        yield _("one_of stands alone, without other bounds")
    low, high = clause.get("at_least"), clause.get("at_most")
    if isinstance(low, int) and isinstance(high, int) and low > high:
        yield _("at_least {low} is over at_most {high}", low=low, high=high)
    if low == 0:
        yield _("at_least: 0 has no effect")
    if low == 1 and "per" in clause and "at_most" not in clause:
        # A group of which there is nothing is no group.
        yield _("every group that there is holds at least 1, so this has no effect")
    copies = clause.get("copies")
    if copies is not None:
        if clause.get("count") != "names":
            yield _("copies goes with count: names")
        if copies.get("at_least", 1) > copies.get("at_most", float("inf")):
            yield _("the at_least of copies is over its at_most")
    if ("sides" in clause) != (clause.get("count") == "sides"):
        yield _("sides goes with count: sides")
    if clause.get("count") == "sides" and "where" in clause:
        yield _("count: sides takes no where")
    if "per" in clause and clause.get("count", "copies") != "copies":
        yield _("per groups copies only")
    if "for_each" in clause and "for_some" in clause:
        yield _("for_each and for_some don't go together")
    elif ("for_each" in clause or "for_some" in clause) and not loops:
        loop = "for_each" if "for_each" in clause else "for_some"
        yield _("there is no $each in where, so {loop} has no effect", loop=loop)
    if clause.get("since", "") > clause.get("until", "9"):
        yield _("since is after until")
    yield from _growing(clause)
    yield from _sides(clause)
    yield from _inside_out(clause)


def _growing(clause: Mapping[str, Any]) -> Iterator[Words]:
    for key in ("at_most", "at_least", "exactly"):
        bound = clause.get(key)
        if not isinstance(bound, Mapping):
            continue
        base, plus = bound["base"], bound["plus"]
        if plus == 0:
            yield _("with plus: 0 {key} doesn't grow", key=key)
        elif base == 0 and plus < 0 and key == "at_least":
            yield _("at_least is never over 0, so it has no effect")
        elif base + plus < 0 and key != "at_least" and not isinstance(clause.get("count"), Mapping):
            yield _("a single copy takes {key} below 0, which nothing can keep", key=key)


def _sides(clause: Mapping[str, Any]) -> Iterator[Words]:
    sides = clause.get("sides")
    if not isinstance(sides, list):
        return
    low, high = clause.get("at_least", 0), clause.get("at_most", 0)
    if isinstance(high, int) and high >= len(sides):
        yield _("there are only {n} sides, so at_most has no effect", n=len(sides))
    if isinstance(low, int) and low > len(sides):
        yield _("there are only {n} sides, so nothing can keep this", n=len(sides))


def _inside_out(clause: Mapping[str, Any]) -> Iterator[Words]:
    """No card in a zone has a value that no card in that zone has."""
    zones = clause.get("in")
    alone = zones if isinstance(zones, str) else zones[0] if zones and len(zones) == 1 else None
    waiting = [clause.get("where", {})]
    while waiting:
        where = waiting.pop()
        waiting += where.get("all", ())
        for value in where.values():
            if isinstance(value, Mapping) and alone is not None and value.get("outside") == alone:
                yield _(
                    "no card in {alone!r} has a value outside of {alone!r}, so this has no effect",
                    alone=alone,
                )
