"""What rules ask, at random: predicates, bounds, conditions and whole rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from factories.garden_game import COLOURS, KINDS, RANKS, ZONES

Plain = st.SearchStrategy[dict[str, Any]]
"""Plain values, as a format has them."""
fields = st.fixed_dictionaries
choice = st.sampled_from
number = st.integers(0, 6)
some_colours = st.lists(choice(COLOURS), min_size=1, max_size=2, unique=True)
low_and_high = st.tuples(choice(range(len(RANKS))), choice(range(len(RANKS)))).map(sorted)


@cache
def predicates(depth: int = 2, bound: bool = False, plain: bool = False) -> Plain:
    """A predicate.

    `bound` allows `$each`, `outside` and `naming`, `plain` leaves out the question to the
    other cards.
    """
    kinds: list[Plain] = [
        fields({"colour": some_colours}),
        fields({"colour": some_colours}),
        fields({"kind": choice(KINDS)}),
        fields({"kind": fields({"containing": choice(["flow", "tree", "r"])})}),
        fields({"cost": choice([1, 2, [0, 3]])}),
        fields(
            {
                "cost": st.dictionaries(
                    choice(["at_least", "at_most"]), st.integers(0, 3), min_size=1, max_size=1
                )
            }
        ),
        fields(
            {"rarity": low_and_high.map(lambda ends: {"at_least": RANKS[ends[0]], "at_most": RANKS[ends[1]]})}
        ),
        fields({"rarity": fields({"at_least": choice(RANKS)}) | fields({"at_most": choice(RANKS)})}),
        fields({"home": choice(ZONES)}),
        fields({"name": st.integers(0, 3).map(lambda at: [f"Card {at}"])}),
        fields({"status": choice(["rare", "out"])}),
    ]
    if bound:
        outside = st.just({"colour": {"outside": "leader"}})
        kinds += [st.just({"colour": "$each"}), outside, outside]
        kinds.append(fields({"kind": fields({"naming": choice(ZONES)})}))
    if depth:
        below = predicates(depth - 1, bound, plain)
        two = st.lists(below, min_size=2, max_size=2)
        kinds += [fields({key: two}) for key in ("all", "any")]
        kinds += [fields({key: below}) for key in ("not", "any_part")]
        kinds.append(two.map(lambda both: {**both[0], **both[1]}))
    if depth and not plain:
        where = predicates(depth - 1, plain=True)
        kinds.append(fields({"no_other_card": fields({"same": choice(["colour", "cost"]), "where": where})}))
    return st.one_of(kinds)


@cache
def bounds() -> Plain:
    """One or two bounds that make sense together."""
    several = st.lists(number, min_size=2, max_size=3)
    plus = terms() | st.lists(terms(), min_size=1, max_size=3)
    grows = fields({"base": st.integers(-3, 6), "plus": plus})
    return st.one_of(
        fields({"at_most": number}),
        fields({"at_most": number}),
        fields({"at_least": st.integers(1, 6)}),
        fields({"at_least": st.integers(0, 2), "at_most": st.integers(3, 6)}),
        fields({"exactly": number | several}),
        *(fields({key: grows}) for key in ("at_most", "at_least", "exactly")),
    )


@cache
@st.composite
def terms(draw: st.DrawFn) -> dict[str, Any]:
    """A count in a bound."""
    term = {"in": draw(choice(ZONES)), "where": _without_each(draw(predicates(1, bound=True)))}
    term |= draw(choice([{}, {"times": 2}, {"step": 2}, {"times": 2, "step": 3}]))
    # Costs may be infinite, and infinity less infinity is no number.
    less: dict[str, Any] = draw(choice([{}, {"times": -1}, {"times": -2, "step": 2}]))
    counts: list[dict[str, Any]] = [
        less, less, {"count": "names"} | less, {"count": "names", "having": {"at_least": 2}} | less,
        {"count": {"sum": "cost"}}, {"count": {"sum": "cost", "of": "names"}},
    ]  # fmt: skip
    return term | draw(choice(counts))


@cache
@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    """A rule of one clause, as a format would write it."""
    if draw(number) == 0:
        return {**draw(conditions()), "either": draw(st.lists(ways_to_count(), min_size=2, max_size=3))}
    return {**draw(ways_to_count()), **draw(conditions())}


@cache
@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Any]:
    """Sometimes a `when`."""
    if draw(st.integers(0, 4)):
        return {}
    count: list[dict[str, Any]] = [
        {}, {}, {"at_least": 2}, {"at_most": 0}, {"exactly": [0, 2]}, {"count": "names", "at_least": 2},
        {"count": {"sum": "cost"}, "at_most": 3}, {"at_most": {"plus": {"in": "side", "step": 2}}},
    ]  # fmt: skip
    when = {"in": draw(choice(ZONES)), "where": draw(predicates(1))}
    return {"when": when | draw(choice(count))}


@cache
@st.composite
def ways_to_count(draw: st.DrawFn) -> dict[str, Any]:
    """One count and its bounds."""
    rule: dict[str, Any] = draw(bounds())
    looped = draw(choice([None, None, None, "for_each", "for_some"]))
    if looped:
        rule[looped] = {"colour": draw(choice([{"of": "leader"}, "every", ["red", "blue"]]))}
    if draw(st.booleans()):
        rule["in"] = draw(choice(["main", "leader", ["main", "side"], ["main", "leader"]]))
    if draw(st.integers(0, 3)):
        where = draw(predicates(2, bound=True))
        rule["where"] = where if looped else _without_each(where)
    measures: list[dict[str, Any]] = [
        {}, {}, {"per": "name"}, {"count": "names"}, {"count": {"sum": "cost"}},
        {"count": "names", "having": {"at_least": 1, "at_most": 2}}, {"count": "names", "having": {"at_least": 2, "at_most": 4}},
        {"sides": draw(st.lists(predicates(1), min_size=2, max_size=2))},
    ]  # fmt: skip
    rule |= draw(choice(measures))
    if "sides" in rule:
        rule.pop("where", None)
    return rule


def _without_each(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_each(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_without_each(item) for item in data]
    return "red" if data == "$each" else data
