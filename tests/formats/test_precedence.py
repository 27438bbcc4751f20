"""Formats that extend several others: the specific one stands, and of equals the last."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from factories.examples import examples
from factories.extended_formats import bounds, garden, problems_of, put
from factories.format_families import (
    DEFINITIONS,
    DROPPED,
    RULES,
    Family,
    Member,
    MemberError,
    beneath,
    equals,
    families,
    require_right,
    write_family,
)
from factories.garden_game import load
from hypothesis import HealthCheck, assume, event, given

from deckcheck.formats.inheritance import Inheritance, inherit
from deckcheck.support.errors import UserError
from deckcheck.support.messages import localized

TRIED = examples(400, suppress_health_check=[HealthCheck.filter_too_much])


def merged(family: Family, name: str) -> Inheritance:
    with tempfile.TemporaryDirectory() as folder:
        write_family(family, Path(folder))
        return inherit(Path(folder) / f"{name}.yaml")


def words(one: Inheritance) -> dict[str, dict[str, tuple[Any, str]]]:
    """What stands, and in whose words."""
    return {
        section: {name: (piece.data, Path(piece.path).stem) for name, piece in pieces.items()}
        for section, pieces in (
            ("rules", one.rules),
            ("definitions", one.pieces("definitions")),
            ("beside", one.pieces("beside")),
        )
    }


@given(families())
@TRIED
def test_what_stands_is_what_a_naive_reading_says(family: Family) -> None:
    last = list(family)[-1]
    try:
        require_right(family, last)
    except MemberError as wrong:
        event(str(wrong)[3:].split("f")[0].split("r")[0])
        with pytest.raises(UserError):
            merged(family, last)
        return
    event("right")
    found = merged(family, last)
    told = words(found)
    for section, names in (("rules", RULES), ("definitions", DEFINITIONS), ("beside", ("b",))):
        wanted = {}
        for name in names:
            left = equals(family, last, section, name)
            if left and left[-1][1] != DROPPED:
                _, value, whose = left[-1]
                wanted[name] = (value, whose)
        assert {name: whose for name, (_, whose) in told[section].items()} == {
            name: whose for name, (_, whose) in wanted.items()
        }
        for name, (value, _) in wanted.items():
            data = told[section][name][0]
            if section == "rules":
                assert data == {"id": name, "where": {"ref": f"for-{name}"}, **value}
            else:
                assert value in (data.get("cost"), int(str(data.get("names", "0"))[-3:-2] or 0))
    joined = {
        key: [one for _, value, _ in equals(family, last, key, "") for one in value]
        for key in ("zones", "banlists")
    }
    assert list(found.zones) == list(dict.fromkeys(joined["zones"]))
    assert [one.data for one in found.banlists] == list(dict.fromkeys(joined["banlists"]))
    exchange = equals(family, last, "exchange", "")
    assert (found.exchange.data if found.exchange else None) == (exchange[-1][1] if exchange else None)


@given(families())
@TRIED
def test_without_a_word_the_order_of_equals_changes_no_bound(family: Family) -> None:
    """It may change in whose words a bound is told."""
    last = list(family)[-1]
    assume(not any(one.override for one in family.values()))
    try:
        before = merged(family, last)
    except UserError:
        return
    turned = {name: Member(**{**vars(one), "extends": one.extends[::-1]}) for name, one in family.items()}
    after = merged(turned, last)
    for section in ("rules", "definitions"):
        here, there = words(before)[section], words(after)[section]
        assert {name: data for name, (data, _) in here.items()} == {
            name: data for name, (data, _) in there.items()
        }
    assert set(before.zones) == set(after.zones)
    assert {one.data for one in before.banlists} == {one.data for one in after.banlists}


@given(families())
@TRIED
def test_an_untouched_format_between_changes_nothing(family: Family) -> None:
    last = list(family)[-1]
    try:
        before = merged(family, last)
    except UserError:
        return
    longer = dict(family) | {"between": Member([last]), "child": Member(["between"])}
    after = merged(longer, "child")
    assert words(before) == words(after)
    assert list(before.rules) == list(after.rules)
    assert set(before.zones) == set(after.zones)
    assert [one.data for one in before.banlists] == [one.data for one in after.banlists]


@given(families())
@TRIED
def test_a_rule_remembers_its_file_and_line_and_what_it_took_the_place_of(family: Family) -> None:
    last = list(family)[-1]
    with tempfile.TemporaryDirectory() as folder:
        write_family(family, Path(folder))
        try:
            found = inherit(Path(folder) / f"{last}.yaml")
        except UserError:
            return
        for name, piece in found.rules.items():
            line = piece.lines[piece.line() - 1]
            assert f'"id": "{name}"' in line
            said = found.statements["rules", name][-1]
            assert said.by.stem in {last, *beneath(family, last)}
            for before in said.replaces:
                assert f'"id": "{name}"' in before.lines[before.line() - 1]
                assert before is not piece


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return garden(tmp_path)


@pytest.mark.parametrize("order", ["small.yaml, plain.yaml", "plain.yaml, small.yaml"])
def test_an_untouched_copy_undoes_no_change(folder: Path, order: str) -> None:
    put(
        folder,
        "small",
        "extends: base.yaml\nzones: {main: {}}\nexchange: []\nbanlists: [more.yaml]\n"
        "override: [costly]\ndefinitions: {costly: {cost: 2}}\ndrop: [few]\n"
        "rules: [{id: size, in: main, at_most: 40}, {id: twos, where: {ref: costly}, at_most: 5}]\n"
        "beside: [{id: tools, names: [Rake], message: M}]\n",
    )
    found = load(put(folder, "x", f"extends: [{order}]\n")).format
    assert {rule.id for rule in found.rules} == {"size", "out", "twos"}
    assert {rule.id: rule.clauses[0].high for rule in found.rules}["size"] == 40
    assert (list(found.zones), found.exchange) == (["main"], ())
    assert [one.id for one in found.banlists] == ["garden/more"]
    assert [one.names for one in found.set_aside] == [("Rake",)]
    assert "frozenset({2})" in str(next(rule for rule in found.rules if rule.id == "twos"))


def test_the_last_way_to_equals_tells_which_of_them_is_last(folder: Path) -> None:
    for name in ("one", "two"):
        put(folder, name, f"zones: {{main: {{}}}}\nrules: [{{id: r, at_most: 4, message: {name}}}]\n")
    put(folder, "left", "extends: [one.yaml, two.yaml]\n")
    put(folder, "right", "extends: [two.yaml, one.yaml]\n")
    for order, last in (("left.yaml, right.yaml", "one"), ("right.yaml, left.yaml", "two")):
        [rule] = load(put(folder, "x", f"extends: [{order}]\n")).format.rules
        assert Path(rule.source.path).stem == last


def test_a_rule_stands_where_the_last_who_says_something_new_of_it_has_it(folder: Path) -> None:
    put(
        folder,
        "one",
        "zones: {main: {}}\nrules: [{id: r, at_most: 4}, {id: s, at_most: 5, where: {cost: 1}}]\n",
    )
    put(folder, "same", "extends: one.yaml\n")
    put(folder, "new", "extends: one.yaml\nrules: [{id: r, at_most: 3}]\n")
    for order, ids in (("one.yaml", "rs"), ("same.yaml, new.yaml", "sr"), ("new.yaml, same.yaml", "rs")):
        found = load(put(folder, "x", f"extends: [{order}]\n")).format
        assert "".join(rule.id for rule in found.rules) == ids


def test_a_diamond_in_which_both_sides_change_something(folder: Path) -> None:
    put(folder, "left", "extends: base.yaml\nrules: [{id: size, in: main, at_most: 40}]\n")
    put(folder, "right", "extends: base.yaml\ndrop: [few]\nrules: [{id: more, in: side, at_most: 3}]\n")
    for order in ("left.yaml, right.yaml", "right.yaml, left.yaml"):
        found = bounds(put(folder, "x", f"extends: [{order}]\n"))
        assert set(found) == {"size", "out", "more"}
        assert (found["size"], found["more"]) == (40, 3)


def test_the_specific_one_stands_at_whatever_distance(folder: Path) -> None:
    put(folder, "small", "extends: base.yaml\nrules: [{id: size, in: main, at_most: 40}]\n")
    put(folder, "smaller", "extends: small.yaml\nrules: [{id: size, in: main, at_most: 30}]\n")
    put(folder, "between", "extends: smaller.yaml\n")
    put(folder, "other", "extends: small.yaml\n")
    for order in ("between.yaml, other.yaml, plain.yaml", "plain.yaml, other.yaml, between.yaml"):
        assert bounds(put(folder, "x", f"extends: [{order}]\n"))["size"] == 30


def test_what_a_parent_drops_stays_dropped_until_it_is_given_again(folder: Path) -> None:
    put(folder, "free", "extends: base.yaml\ndrop: [size]\n")
    assert "size" not in bounds(put(folder, "x", "extends: [free.yaml, plain.yaml]\n"))
    assert "size" not in bounds(put(folder, "x", "extends: [plain.yaml, free.yaml]\n"))
    again = put(folder, "y", "extends: x.yaml\nrules: [{id: size, in: side, at_most: 7}]\n")
    assert bounds(again)["size"] == 7


def test_the_lists_and_zones_of_equals_are_joined(folder: Path) -> None:
    put(
        folder,
        "one",
        "zones: {main: {}}\nbanlists: [list.yaml]\nrules: [{id: a, where: {status: out}, at_most: 0}]\n",
    )
    put(folder, "two", "zones: {side: {}, main: {}}\nbanlists: [more.yaml]\nrules: [{id: b, where: {status: out}, at_most: 0, severity: warning}]\n")  # fmt: skip
    found = load(put(folder, "x", "extends: [one.yaml, two.yaml]\n")).format
    assert list(found.zones) == ["main", "side"]
    assert [one.id for one in found.banlists] == ["garden/list", "garden/more"]


def test_equals_that_differ_in_words_only_let_the_last_one_speak(folder: Path) -> None:
    for name, said in (("one", "first"), ("two", "second")):
        put(folder, name, f"zones: {{main: {{}}}}\nrules: [{{id: size, in: [main], at_most: 9, message: {said}, cite: {said}}}]\n")  # fmt: skip
    assert load(put(folder, "x", "extends: [one.yaml, two.yaml]\n")).format.rules[0].cite == localized(
        "second"
    )
    assert load(put(folder, "x", "extends: [two.yaml, one.yaml]\n")).format.rules[0].cite == localized(
        "first"
    )


EQUALS = ("extends: base.yaml\nrules: [{id: size, in: main, at_most: 40}]\n", "extends: base.yaml\nrules: [{id: size, in: main, at_most: 50}]\n")  # fmt: skip


def test_of_equals_the_last_one_stands_and_not_without_a_word(folder: Path) -> None:
    put(folder, "one", EQUALS[0])
    put(folder, "two", EQUALS[1])
    [problem] = problems_of(put(folder, "x", "extends: [one.yaml, two.yaml]\n"))
    assert problem.in_("en") == (
        f"{folder}/x.yaml:3:21: {folder}/one.yaml:4 / {folder}/two.yaml:4 define 'size' differently "
        "(define it here, drop it, or write override: [size] to use the last of them)"
    )
    assert problem.in_("ja") == (
        f"{folder}/x.yaml:3:21: 「size」について、{folder}/one.yaml:4 / {folder}/two.yaml:4 が違うことを決めています"
        "（ここで書くか外すか、override: [size] で最後のものにします）"
    )
    head = "extends: [one.yaml, two.yaml]\n"
    assert bounds(put(folder, "x", head + "override: [size]\n"))["size"] == 50
    assert bounds(put(folder, "x", "extends: [two.yaml, one.yaml]\noverride: [size]\n"))["size"] == 40
    assert bounds(put(folder, "x", head + "rules: [{id: size, in: main, at_most: 45}]\n"))["size"] == 45
    assert "size" not in bounds(put(folder, "x", head + "drop: [size]\n"))
    # Who has chosen speaks for all below.
    put(folder, "x", head + "override: [size]\n")
    assert bounds(put(folder, "y", "extends: [x.yaml, plain.yaml]\n"))["size"] == 50


def test_equals_that_differ_in_a_definition_or_an_exchange_or_a_game(folder: Path) -> None:
    put(folder, "one", "zones: {main: {}, side: {}, leader: {}}\nexchange: [main, side]\ndefinitions: {d: {cost: 1}}\nrules: [{id: a, where: {ref: d}, at_most: 1}]\n")  # fmt: skip
    put(folder, "two", "zones: {main: {}, side: {}, leader: {}}\nexchange: [main, leader]\ndefinitions: {d: {cost: 2}}\nrules: [{id: b, where: {ref: d}, at_most: 1}]\n")  # fmt: skip
    head = "extends: [one.yaml, two.yaml]\n"
    told = [one.message.en.rpartition(" define ")[2] for one in problems_of(put(folder, "x", head))]
    assert told == ["'d' differently", "'exchange' differently"]
    fixed = put(folder, "x", head + "override: [d]\nexchange: [side, leader]\ndrop: [a]\n")
    assert load(fixed).format.exchange == ("side", "leader")
    put(folder, "three", "game: duel-masters\nzones: {main: {}}\nrules: [{id: a, at_most: 2}]\n")
    [problem] = problems_of(put(folder, "x", "extends: [one.yaml, three.yaml]\n"))
    assert (problem.line, problem.message.en) == (3, "formats of several games are extended"), "nothing else"


def test_a_drop_and_a_change_by_equals_are_no_agreement(folder: Path) -> None:
    put(folder, "one", EQUALS[0])
    put(folder, "free", "extends: base.yaml\ndrop: [size]\n")
    [problem] = problems_of(put(folder, "x", "extends: [one.yaml, free.yaml]\n"))
    assert f"{folder}/free.yaml:4 (drop) define 'size' differently" in problem.message.en
    assert "size" not in bounds(put(folder, "x", "extends: [one.yaml, free.yaml]\noverride: [size]\n"))
    assert bounds(put(folder, "x", "extends: [free.yaml, one.yaml]\noverride: [size]\n"))["size"] == 40
