"""Several ways to count under `either`: what is lost, what has no effect, and what sits on a bound; some at random."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from factories.extended_formats import problems_of, put
from factories.garden_game import ZONES, load, read_rules
from factories.naive_evaluator import Known, is_broken
from factories.random_cards import DAYS, decks, often, pools
from factories.time_limits import within
from hypothesis import assume, event, given
from hypothesis import strategies as st

from deckcheck.formats.parsing import written_clauses
from deckcheck.model.card import Card
from deckcheck.model.format import Clause
from deckcheck.rules.implication import lost, tighter
from deckcheck.support.documents import Document
from deckcheck.support.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@st.composite
def changed(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """A rule all of whose bounds are the one number, so that only what is counted tells rules apart."""
    if draw(st.integers(0, 3)) == 0:
        return {"id": "r", "either": [draw(ways(number)), draw(ways(number))], **draw(conditions())}
    clauses = [{**draw(ways(number)), **draw(conditions())} for _ in range(draw(st.integers(1, 2)))]
    return {"id": "r", "clauses": clauses}


WHERE = ({"colour": "red"}, {"cost": {"at_most": 1}})


@st.composite
def ways(draw: st.DrawFn, number: int) -> dict[str, Any]:
    way: dict[str, Any] = {}
    for bound in draw(
        st.sampled_from([["at_most"], ["at_least"], ["exactly"], ["set"], ["at_most", "at_least"]])
    ):
        way["exactly" if bound == "set" else bound] = [number, number] if bound == "set" else number
    count: dict[str, Any] = draw(
        st.sampled_from([{}, {}, {"per": "name"}, {"count": "names", "having": {"at_most": 1}}])
    )
    if draw(st.booleans()):
        way["in"] = draw(st.sampled_from(["main", ["main", "side"], ["main", "leader"]]))
    return way | count | draw(st.sampled_from([{}, {}, *({"where": one} for one in WHERE)]))


@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if draw(st.integers(0, 4)) == 0:
        found["when"] = {"in": draw(st.sampled_from(["main", "side"]))}
    for key in ("since", "until"):
        if draw(st.integers(0, 4)) == 0:
            found[key] = draw(st.sampled_from(DAYS))
    return found


def written(rule: dict[str, Any]) -> tuple[Clause, ...]:
    return written_clauses(Document("x.yaml", rule, {}, ()))


def held(deck: Any) -> list[tuple[Card, str]]:
    return [(one.cards[0], one.zone) for one in deck.entries for _ in range(one.copies)]


@given(st.data())
@often(400)
def test_what_loses_nothing_allows_no_deck_that_was_refused(data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 3))
    old = data.draw(changed(number))
    new = data.draw(st.one_of(changed(number), near(old, number)))
    gap = lost(written(old), written(new), ZONES)
    event("lost" if gap else "kept")
    if gap is not None:
        return
    pool = data.draw(pools(hide=False))
    for deck in data.draw(st.lists(decks(pool, loose=False), min_size=8, max_size=8)):
        for day in DAYS:
            world = Known(day, {}, tuple(pool))
            if is_broken(old, held(deck), world):
                assert is_broken(new, held(deck), world), (old, new)


@st.composite
def near(draw: st.DrawFn, old: dict[str, Any], number: int) -> dict[str, Any]:
    """The rule with one thing in it changed."""
    clauses = [
        dict(one) for one in old.get("clauses", [{key: one for key, one in old.items() if key != "id"}])
    ]
    one = draw(st.sampled_from(clauses))
    if "either" in one:
        one["either"] = [dict(way) for way in one["either"]]
        one = draw(st.sampled_from(one["either"]))
    key = draw(st.sampled_from(["in", "where", "when", "since", "bound", "either"]))
    if key == "bound":
        for bound in ("at_most", "at_least"):
            one.pop(bound, None)
        one["exactly"] = number
    elif key == "either" and "either" not in clauses[0]:
        clauses[0] = {
            **{key: value for key, value in clauses[0].items() if key in ("when", "since", "until")},
            "either": [
                {key: value for key, value in clauses[0].items() if key not in ("when", "since", "until")},
                draw(ways(number)),
            ],
        }
    else:
        one.pop(key, None)
        if key == "in" and draw(st.booleans()):
            one["in"] = draw(st.sampled_from(["main", ["main", "side", "leader"]]))
    return {"id": "r", "clauses": clauses}


@given(st.data())
@often(300)
def test_a_way_that_is_called_idle_changes_no_verdict(data: st.DataObject) -> None:
    counts = [data.draw(counted_ways()) for _ in range(2)]
    rule: dict[str, Any] = {"id": "r", "message": "M", "either": []}
    for _ in range(data.draw(st.integers(2, 4))):
        low, high = sorted((data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))))
        bound = data.draw(
            st.sampled_from(
                [
                    {"at_most": low},
                    {"at_least": high},
                    {"at_least": low, "at_most": high} if low < high else {"exactly": low},
                    {"exactly": [low, high]},
                ]
            )
        )
        rule["either"].append(data.draw(st.sampled_from(counts)) | bound)
    with tempfile.TemporaryDirectory() as folder:
        lines = ",\n".join(map(json.dumps, rule["either"]))
        head = "zones: {main: {}, leader: {}, side: {}}\nrules:\n- {id: r, message: M, either: ["
        file = put(Path(folder), "x", f"{head}\n{lines}]}}\n")
        try:
            load(file)
        except UserError as error:
            told = list(error.problems)
        else:
            told = []
    # A way that makes no sense by itself is no matter here.
    assume(not any("every name" in one.message.en for one in told))
    assert all("has no effect" in one.message.en for one in told)
    event(f"{min(len(told), 2)} told")
    pool = data.draw(pools(hide=False))
    for deck in data.draw(st.lists(decks(pool, loose=False), min_size=8, max_size=8)) if told else ():
        world = Known(DAYS[-1], {}, tuple(pool))
        if "always holds" in told[0].message.en:
            assert not is_broken(rule, held(deck), world)
            continue
        gone = {one.line - 6 for one in told if one.line}
        left = [way for at, way in enumerate(rule["either"]) if at not in gone]
        assert left
        assert is_broken(rule, held(deck), world) == is_broken({"id": "r", "either": left}, held(deck), world)


@st.composite
def counted_ways(draw: st.DrawFn) -> dict[str, Any]:
    way = draw(ways(1))
    return {key: way[key] for key in ("in", "count", "having", "per", "where") if key in way}


@pytest.mark.parametrize(
    ("ways", "line", "en", "ja"),
    [
        (
            "[{at_most: 3}, {at_most: 5}]",
            6,
            "{0}:7 counts the same and allows all of it",
            "{0}:7 の数え方がこれを含む",
        ),
        (
            "[{at_most: 5}, {exactly: 2}]",
            7,
            "{0}:6 counts the same and allows all of it",
            "{0}:6 の数え方がこれを含む",
        ),
        (
            "[{exactly: [3, 4]}, {exactly: [4, 3]}]",
            6,
            "{0}:7 counts the same and allows all of it",
            "{0}:7 の数え方がこれを含む",
        ),
        ("[{at_most: 3}, {at_least: 4}]", 5, "one of these always holds", "この中のどれかがいつも成り立つ"),
        (
            "[{count: {sum: cost}, at_most: 3}, {count: {sum: cost}, at_least: 3}]",
            5,
            "one of these always holds",
            "この中のどれかがいつも成り立つ",
        ),
    ],
)
def test_a_way_without_effect_is_told(folder: Path, ways: str, line: int, en: str, ja: str) -> None:
    file = put_ways(folder, ways)
    [problem] = problems_of(file)
    assert (problem.line, problem.hint) == (line, None)
    assert en.format(file) in problem.message.en
    assert ja.format(file) in problem.message.ja
    assert problem.message.en.endswith("so this has no effect")
    assert problem.message.ja.endswith("効果がありません")


@pytest.mark.parametrize(
    "ways",
    [
        "[{at_most: 3}, {at_least: 5}]",
        "[{in: main, at_most: 3}, {in: side, at_most: 5}]",
        # There may be a cost between them; of groups one may hold little and another much.
        "[{count: {sum: cost}, at_most: 3}, {count: {sum: cost}, at_least: 4}]",
        "[{per: name, at_most: 3}, {per: name, at_least: 4}]",
        "[{exactly: [3, 4]}, {exactly: [4, 5]}]",
        "[{exactly: 3}, {at_most: {base: 2, plus: {in: side}}}]",
    ],
)
def test_ways_that_each_have_an_effect(folder: Path, ways: str) -> None:
    assert load(put_ways(folder, ways))


def put_ways(folder: Path, ways: str) -> Path:
    """A format with one rule, whose first way stands on line 6 and its second on line 7."""
    first, _, last = ways[1:-1].replace("}, {", "}\n{").partition("\n")
    head = "zones: {main: {}, side: {}}\nrules:\n- {id: r, message: M, either: ["
    return put(folder, "x", f"{head}\n{first},\n{last}]}}\n")


def test_more_ways_than_anybody_needs(folder: Path) -> None:
    ways = ", ".join(f"{{where: {{cost: {at}}}, exactly: 1}}" for at in range(51))
    [problem] = problems_of(
        put(folder, "x", f"zones: {{main: {{}}}}\nrules: [{{id: r, either: [{ways}], message: M}}]\n")
    )
    assert "50" in problem.message.en


def test_a_crowd_of_rules_that_count_the_same_is_refused_at_once(folder: Path) -> None:
    rules = "".join(
        f"  - {{id: r{at}, since: '{1000 + at}-01-01', until: '{1000 + at}-12-31', at_most: 4}}\n"
        for at in range(3000)
    )
    with within(20):
        [problem] = problems_of(put(folder, "x", f"zones: {{main: {{}}}}\nrules:\n{rules}"))
    assert problem.message.en == "more than 200 rules count the same thing"
    assert problem.message.ja == "同じものを数える規則が200を超えています"


@given(st.data())
@often(60)
def test_what_sits_on_a_bound_is_what_no_way_allows_when_it_is_tightened(data: st.DataObject) -> None:
    found = data.draw(st.lists(ways(3), min_size=2, max_size=4))
    [clause] = read_rules({"either": found})[0].clauses
    [tightened] = tighter(clause)
    for way, before in zip(tightened.either, clause.either, strict=True):
        if before.one_of is not None:
            assert way == before._replace(one_of=(-1,))
        else:
            low, high = (None if end is None else 4 if end is way.low else 2 for end in (way.low, way.high))
            assert way == before._replace(low=low, high=high)


def test_many_ways_with_two_ends_are_tightened_together() -> None:
    many = [{"where": {"cost": at}, "at_least": 2, "at_most": 5} for at in range(50)]
    [clause] = read_rules({"either": many})[0].clauses
    [tightened] = tighter(clause)
    assert {(one.low, one.high) for one in tightened.either} == {(3, 4)}
