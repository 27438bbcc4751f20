"""What rules ask, at random: predicates, bounds, conditions and whole rules."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from factories.garden_game import COLOURS, KINDS, RANKS, ZONES


@st.composite
def predicates(draw: st.DrawFn, depth: int = 2, bound: bool = False, plain: bool = False) -> dict[str, Any]:
    """A predicate in plain values.

    `bound` allows `$each`, `outside` and `naming`, `plain` leaves out the question to the
    other cards.
    """
    kinds = [
        "colour",
        "colour",
        "kind",
        "containing",
        "cost",
        "cost-range",
        "rarity",
        "home",
        "name",
        "status",
    ]
    kinds += ["each", "outside", "outside", "naming"] if bound else []
    kinds += ["all", "any", "not", "any_part", "two-keys"] if depth else []
    kinds += ["no_other_card"] if depth and not plain else []
    kind = draw(st.sampled_from(kinds))

    def below(plain: bool = plain, bound: bool = bound) -> dict[str, Any]:
        return draw(predicates(depth - 1, bound, plain))

    one_or_more = {"min_size": 1, "max_size": 2, "unique": True}
    match kind:
        case "colour":
            return {"colour": draw(st.lists(st.sampled_from(COLOURS), **one_or_more))}
        case "kind":
            return {"kind": draw(st.sampled_from(KINDS))}
        case "containing":
            return {"kind": {"containing": draw(st.sampled_from(["flow", "tree", "r"]))}}
        case "cost":
            return {"cost": draw(st.sampled_from([1, 2, [0, 3]]))}
        case "cost-range":
            return {"cost": {draw(st.sampled_from(["at_least", "at_most"])): draw(st.integers(0, 3))}}
        case "rarity":
            low, high = sorted(draw(st.tuples(*[st.sampled_from(RANKS)] * 2)), key=RANKS.index)
            spans = [{"at_least": low}, {"at_most": high}, {"at_least": low, "at_most": high}]
            return {"rarity": draw(st.sampled_from(spans))}
        case "home":
            return {"home": draw(st.sampled_from(ZONES))}
        case "name":
            return {"name": [f"Card {draw(st.integers(0, 3))}"]}
        case "status":
            return {"status": draw(st.sampled_from(["rare", "out"]))}
        case "each":
            return {"colour": "$each"}
        case "outside":
            return {"colour": {"outside": "leader"}}
        case "naming":
            return {"kind": {"naming": draw(st.sampled_from(ZONES))}}
        case "all" | "any":
            return {kind: [below(), below()]}
        case "two-keys":
            return {**below(), **below()}
        case "no_other_card":
            same = draw(st.sampled_from(["colour", "cost"]))
            return {"no_other_card": {"same": same, "where": below(plain=True, bound=False)}}
        case _:
            return {kind: below()}


@st.composite
def bounds(draw: st.DrawFn) -> dict[str, Any]:
    """One or two bounds that make sense together."""
    number = st.integers(0, 6)
    kind = draw(st.sampled_from(["most", "most", "least", "both", "exactly", "one_of", "growing"]))
    match kind:
        case "most":
            return {"at_most": draw(number)}
        case "least":
            return {"at_least": draw(st.integers(1, 6))}
        case "both":
            low, high = sorted((draw(number), draw(number)))
            return {"exactly": low} if low == high else {"at_least": low, "at_most": high}
        case "exactly":
            return {"exactly": draw(number)}
        case "one_of":
            return {"exactly": draw(st.lists(number, min_size=2, max_size=3))}
        case _:
            plus = draw(terms() | st.lists(terms(), min_size=1, max_size=3))
            grows = {"base": draw(st.integers(-3, 6)), "plus": plus}
            return {draw(st.sampled_from(["at_most", "at_least", "exactly"])): grows}


@st.composite
def terms(draw: st.DrawFn) -> dict[str, Any]:
    """A count in a bound."""
    where = _without_each(draw(predicates(1, bound=True)))
    term: dict[str, Any] = {"in": draw(st.sampled_from(ZONES)), "where": where}
    term |= draw(st.sampled_from([{}, {"times": 2}, {"step": 2}, {"times": 2, "step": 3}]))
    # Costs may be infinite, and infinity less infinity is no number.
    less: dict[str, Any] = draw(st.sampled_from([{}, {"times": -1}, {"times": -2, "step": 2}]))
    counts: list[dict[str, Any]] = [
        less, less, {"count": "names"} | less, {"count": "names", "having": {"at_least": 2}} | less,
        {"count": {"sum": "cost"}}, {"count": {"sum": "cost", "of": "names"}},
    ]  # fmt: skip
    return term | draw(st.sampled_from(counts))


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    """A rule of one clause, as a format would write it."""
    if draw(st.integers(0, 6)) == 0:
        ways = draw(st.lists(ways_to_count(), min_size=2, max_size=3))
        return {**draw(conditions()), "either": ways}
    return {**draw(ways_to_count()), **draw(conditions())}


@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Any]:
    """Sometimes a `when`."""
    if draw(st.integers(0, 4)):
        return {}
    count: list[dict[str, Any]] = [
        {}, {}, {"at_least": 2}, {"at_most": 0}, {"exactly": [0, 2]}, {"count": "names", "at_least": 2},
        {"count": {"sum": "cost"}, "at_most": 3}, {"at_most": {"plus": {"in": "side", "step": 2}}},
    ]  # fmt: skip
    when = {"in": draw(st.sampled_from(ZONES)), "where": draw(predicates(1))}
    return {"when": when | draw(st.sampled_from(count))}


@st.composite
def ways_to_count(draw: st.DrawFn) -> dict[str, Any]:
    """One count and its bounds."""
    rule: dict[str, Any] = draw(bounds())
    looped = draw(st.sampled_from([None, None, None, "for_each", "for_some"]))
    if looped:
        of = draw(st.sampled_from([{"of": "leader"}, "every", ["red", "blue"]]))
        rule[looped] = {"colour": of}
    if draw(st.booleans()):
        rule["in"] = draw(st.sampled_from(["main", "leader", ["main", "side"], ["main", "leader"]]))
    if draw(st.integers(0, 3)):
        rule["where"] = draw(predicates(2, bound=True))
        if not looped:
            rule["where"] = _without_each(rule["where"])
    kind = draw(st.sampled_from(["copies", "copies", "name", "names", "names-range", "sum", "sides"]))
    match kind:
        case "name":
            rule["per"] = kind
        case "names":
            rule["count"] = "names"
        case "names-range":
            low = draw(st.integers(1, 3))
            rule |= {"count": "names", "having": {"at_least": low, "at_most": low + draw(st.integers(0, 2))}}
        case "sum":
            rule["count"] = {"sum": "cost"}
        case "sides":
            rule.pop("where", None)
            rule["sides"] = [draw(predicates(1)), draw(predicates(1))]
    return rule


def _without_each(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_each(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_without_each(item) for item in data]
    return "red" if data == "$each" else data
