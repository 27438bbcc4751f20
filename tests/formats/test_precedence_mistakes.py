"""Mistakes of formats that extend others: bounds that get lost unsaid, words without effect, circles, and what no deck can keep."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.extended_formats import bounds, garden, problems_of, put
from factories.garden_game import GAME, load

from deckcheck.formats.description import describe_format


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return garden(tmp_path)


def test_a_circle_through_the_second_of_two(folder: Path) -> None:
    put(folder, "loop", "extends: [plain.yaml, x.yaml]\n")
    for first in ("plain.yaml", "base.yaml"):
        [problem] = problems_of(put(folder, "x", f"extends: [{first}, loop.yaml]\n"))
        assert problem.in_("en") == f"{folder}/loop.yaml:3:23: 'x.yaml' extends itself through other formats"
        assert problem.message.ja == "「x.yaml」を継承すると輪になります"


def test_a_format_that_extends_itself(folder: Path) -> None:
    [problem] = problems_of(put(folder, "x", "extends: [base.yaml, x.yaml]\n"))
    assert problem.in_("en") == f"{folder}/x.yaml:3:22: 'x.yaml' extends itself through other formats"


KEPT = [
    "{id: r, in: main, at_most: 99}",
    "{id: r, in: [main, side], at_most: 40}",
    "{id: r, at_most: 40}",
    "{id: r, in: main, exactly: 40}",
    "{id: r, in: main, exactly: [40, 60]}",
    "{id: r, in: main, at_most: 40, message: M, cite: C}",
    "{id: r, in: main, clauses: [{until: 2024-12-31, at_most: 40}, {since: 2025-01-01, at_most: 50}]}",
    "{id: r, clauses: [{in: side, at_most: 3}, {in: main, at_most: 40}]}",
]


@pytest.mark.parametrize("rule", KEPT)
def test_a_rule_may_be_given_again_that_bounds_what_it_bounded(folder: Path, rule: str) -> None:
    put(folder, "one", "zones: {main: {}, side: {}}\nrules: [{id: r, in: main, at_most: 60}]\n")
    found = load(put(folder, "x", f"extends: one.yaml\nrules: [{rule}]\n")).format.rules[0]
    assert [(Path(one.path).name, one.line) for one in found.replaces] == [("one.yaml", 4)]


LOST = [
    ("{in: main, at_most: 60}", "{in: side, at_most: 40}", "other zones", "ゾーンが違う"),
    ("{at_most: 60}", "{in: main, at_most: 40}", "other zones", "ゾーンが違う"),
    ("{in: main, at_least: 6}", "{at_least: 6}", "other zones", "ゾーンが違う"),
    ("{in: main, exactly: 40}", "{in: main, at_most: 40}", "no lower bound", "下限がない"),
    ("{in: main, exactly: 40}", "{in: main, at_least: 40}", "no upper bound", "上限がない"),
    ("{in: main, exactly: [4, 5]}", "{in: main, at_least: 4}", "no upper bound", "上限がない"),
    ("{per: name, at_most: 4}", "{at_most: 4}", "another count", "数え方が違う"),
    ("{at_most: 4}", "{count: names, at_most: 4}", "another count", "数え方が違う"),
    ("{where: {cost: 1}, at_most: 4}", "{where: {cost: 2}, at_most: 4}", "other cards", "カードの条件が違う"),
    ("{where: {cost: 1}, at_least: 4}", "{at_least: 4}", "other cards", "カードの条件が違う"),
    ("{at_most: 4}", "{at_most: 3, when: {best_of: 1}}", "another `when`", "when が違う"),
    ("{at_most: 4}", "{at_most: 3, since: 2026-04-01}", "not on all of its days", "その期間にない日がある"),
    ("{at_most: 4}", "{clauses: [{until: 2024-12-30, at_most: 3}, {since: 2025-01-01, at_most: 5}]}", "not on all of its days", "その期間にない日がある"),
    ("{at_most: 4}", "{at_most: 3, severity: warning}", "less severe", "重さが下がる"),
    ("{clauses: [{in: main, at_most: 4}, {in: side, at_most: 2}]}", "{in: main, at_most: 4, message: M}", "other zones", "ゾーンが違う"),
    # A card that stands once in each zone is no group of two in both of them.
    ("{in: main, per: name, at_least: 2}", "{per: name, at_least: 2}", "other zones", "ゾーンが違う"),
    ("{per: name, at_least: 2}", "{in: main, per: name, at_least: 2}", "other zones", "ゾーンが違う"),
    # What stands there twice stands three times in more zones, and is then no longer counted.
    ("{in: main, count: names, having: {at_most: 2}, at_most: 4}", "{count: names, having: {at_most: 2}, at_most: 4}", "other zones", "ゾーンが違う"),
    # Each of several ways has to bound what was bounded.
    ("{exactly: 1}", "{either: [{at_most: 5}, {at_least: 7}], message: M}", "no upper bound", "上限がない"),
    ("{at_most: 4}", "{either: [{at_most: 3}, {in: main, at_most: 3}], message: M}", "other zones", "ゾーンが違う"),
    ("{either: [{in: main, exactly: 1}, {in: side, exactly: 2}], message: M}", "{either: [{in: main, exactly: 1}, {at_most: 2}], message: M}", "no lower bound", "下限がない"),
    ("{either: [{in: main, exactly: 1}, {in: side, exactly: 2}], message: M}", "{either: [{in: main, exactly: 1}, {in: side, exactly: 3}], message: M, severity: info}", "less severe", "重さが下がる"),
    ("{either: [{in: main, exactly: 1}, {in: side, exactly: 2}], message: M}", "{in: main, at_least: 1}", "no upper bound", "上限がない"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "en", "ja"), LOST)
def test_a_bound_that_gets_lost_needs_a_word(folder: Path, old: str, new: str, en: str, ja: str) -> None:
    put(folder, "one", f"zones: {{main: {{}}, side: {{}}}}\nrules: [{{id: r, {old[1:]}]\n")
    text = f"extends: one.yaml\nrules:\n  - {{id: r, {new[1:]}\n"
    [problem] = problems_of(put(folder, "x", text))
    assert problem.in_("en") == (
        f"{folder}/x.yaml:5:5: 'r' replaces {folder}/one.yaml:4 but loses part of it: {en} "
        "(if that is intended, write override: [r]; to add a rule instead, choose another name)"
    )
    assert f"（{ja}）" in problem.message.ja
    assert load(put(folder, "x", text + "override: [r]\n")).format.rules


@pytest.mark.parametrize(
    "rule",
    [
        "{id: r, either: [{in: main, exactly: 5}, {in: side, exactly: 6}], message: M}",
        "{id: r, either: [{in: side, exactly: 1}, {in: side, exactly: 2}], message: M}",
        # What asks for one of the ways asks for more.
        "{id: r, in: side, exactly: 2}",
    ],
)
def test_several_ways_may_be_given_again_that_bound_no_less(folder: Path, rule: str) -> None:
    ways = "{id: r, either: [{in: main, exactly: 1}, {in: side, exactly: 2}], message: M}"
    put(folder, "one", f"zones: {{main: {{}}, side: {{}}}}\nrules: [{ways}]\n")
    assert load(put(folder, "x", f"extends: one.yaml\nrules: [{rule}]\n"))


def test_zones_that_are_no_longer_played_lose_no_bound(folder: Path) -> None:
    put(folder, "one", "zones: {main: {}, side: {}}\nrules: [{id: r, in: [main, side], at_most: 60}]\n")
    assert load(
        put(folder, "x", "extends: one.yaml\nzones: {main: {}}\nrules: [{id: r, in: main, at_most: 40}]\n")
    )


def test_a_definition_given_again_needs_a_word(folder: Path) -> None:
    head = "extends: base.yaml\ndefinitions: {costly: {cost: 2}}\n"
    [problem] = problems_of(put(folder, "x", head))
    assert (problem.line, problem.column) == (4, 15)
    assert problem.message.en.endswith("loses part of it: another condition")
    assert load(put(folder, "x", head + "override: [costly]\n")).format.rules


def test_what_is_said_already_has_no_effect(folder: Path) -> None:
    put(folder, "one", "zones: {main: {}}\ndefinitions: {d: {cost: 1}}\nrules: [{id: r, at_most: 60}, {id: s, where: {ref: d}, at_most: 1}]\n")  # fmt: skip
    for text, line in (("rules: [{id: r, at_most: 60}]\n", 5), ("definitions: {d: {cost: 1}}\n", 4)):
        [problem] = problems_of(put(folder, "x", f"extends: one.yaml\n{text}"))
        assert (
            problem.message.en
            == f"{folder}/one.yaml:{line} already says exactly this, so it has no effect here"
        )
        assert problem.message.ja == f"{folder}/one.yaml:{line} と同じことを書いているので、効果がありません"
    assert load(put(folder, "x", "extends: one.yaml\nrules: [{id: r, at_most: 60, cite: C}]\n"))


@pytest.mark.parametrize(
    ("text", "at", "en", "ja"),
    [
        ("extends: [one.yaml, one.yaml]\n", "3:21", "'garden/one' is listed twice", "「garden/one」が二度あります"),
        ("extends: [base.yaml, one.yaml]\n", "3:11", "'garden/one' already extends 'garden/base', so this has no effect", "「garden/one」が「garden/base」を継承しているので、ここに書いても効果がありません"),
        ("extends: one.yaml\noverride: [sise]\n", "4:12", "there is nothing to override in 'sise' (did you mean 'size'?)", "「sise」には上書きするものがありません（「size」のことですか）"),
        ("extends: one.yaml\noverride: [size]\n", "4:12", "there is nothing to override in 'size'", "「size」には上書きするものがありません"),
        ("extends: one.yaml\noverride: [new]\nrules: [{id: new, at_most: 9}]\n", "4:12", "there is nothing to override in 'new'", "「new」には上書きするものがありません"),
        ("extends: one.yaml\noverride: [size, size]\nrules: [{id: size, in: side, at_most: 9}]\n", "4:18", "'size' is listed twice", "「size」が二度あります"),
        ("extends: one.yaml\ndrop: [size, size]\n", "4:14", "'size' is listed twice", "「size」が二度あります"),
        ("extends: one.yaml\ndrop: [size]\nrules: [{id: size, in: side, at_most: 9}]\n", "4:8", "'size' is both dropped and defined (to replace it, write override: [size] instead of the drop)", "「size」を外しながら、新しく書いています（置きかえるつもりなら、drop ではなく override: [size]）"),
        ("extends: one.yaml\nbeside: [{id: size, names: [Pot], message: M}]\n", "4:10", "the rule 'size' is also in {0}/base.yaml:8", "規則「size」が {0}/base.yaml:8 にもあります"),
    ],
)  # fmt: skip
def test_a_word_without_effect_is_told(folder: Path, text: str, at: str, en: str, ja: str) -> None:
    put(folder, "one", "extends: base.yaml\n")
    [problem] = problems_of(put(folder, "x", text))
    assert problem.in_("en") == f"{folder}/x.yaml:{at}: {en.format(folder)}"
    assert problem.in_("ja") == f"{folder}/x.yaml:{at}: {ja.format(folder)}"


def test_a_format_that_shows_what_it_replaces(folder: Path) -> None:
    found = load(put(folder, "x", "extends: base.yaml\nrules: [{id: size, in: main, at_most: 40}]\n")).format
    assert f"  (in place of {folder}/base.yaml:8)\n" in describe_format(found, GAME, "en")
    assert f"  （{folder}/base.yaml:8 を置きかえ）\n" in describe_format(found, GAME, "ja")
    assert describe_format(found, GAME, "en").count("in place of") == 1


IDLE = [
    ("{in: main, exactly: 40}", "{in: main, at_most: 60}", True),
    ("{in: main, at_most: 40}", "{in: main, at_most: 40, message: M}", True),
    ("{in: main, at_most: 40, severity: warning}", "{in: main, at_most: 60}", False),
    ("{in: main, at_most: 40}", "{in: main, at_most: 60, severity: warning}", True),
    ("{in: main, at_most: 40, since: 2020-01-01}", "{in: main, at_most: 60}", False),
    ("{in: main, at_most: 40}", "{in: main, at_most: 60, until: 2020-01-01}", True),
    ("{in: main, at_most: 40}", "{in: side, at_most: 60}", False),
    ("{in: [side, main], at_most: 40}", "{at_most: 60}", True),
    ("{per: name, at_most: 1}", "{per: name, at_most: 4}", True),
    ("{per: name, at_most: 1}", "{at_most: 60}", False),
    ("{per: name, at_most: 1}", "{per: name, where: {cost: 1}, at_most: 1}", False),
    ("{where: {cost: 1}, at_most: 1}", "{where: {cost: 1}, at_most: 3}", True),
    ("{in: main, exactly: [40, 60]}", "{in: main, at_least: 30}", True),
    ("{in: main, exactly: 40}", "{in: main, exactly: [40, 60]}", True),
    ("{in: main, at_least: 40, at_most: 50}", "{in: main, exactly: [40, 60]}", False),
    ("{in: main, at_most: {base: 40, plus: {in: side}}}", "{in: main, at_most: 60}", False),
    ("{count: names, at_most: 5}", "{at_most: 6}", False),
    ("{when: {best_of: 1}, at_most: 5}", "{at_most: 6}", False),
    ("{at_most: 5}", "{when: {best_of: 1}, at_most: 6}", True),
    ("{when: {best_of: 1}, at_most: 5}", "{when: {best_of: 1}, at_most: 6}", True),
    ("{when: {best_of: 1}, at_most: 5}", "{when: {best_of: 3}, at_most: 6}", False),
]  # fmt: skip


@pytest.mark.parametrize(("first", "last", "idle"), IDLE)
def test_a_rule_that_another_outdoes_has_no_effect(folder: Path, first: str, last: str, idle: bool) -> None:
    put(folder, "one", f"zones: {{main: {{}}, side: {{}}}}\nrules:\n  - {{id: a, {first[1:]}\n")
    child = put(folder, "x", f"extends: one.yaml\nrules:\n  - {{id: b, {last[1:]}\n")
    together = put(folder, "y", f"zones: {{main: {{}}, side: {{}}}}\nrules:\n  - {{id: a, {first[1:]}\n  - {{id: b, {last[1:]}\n")  # fmt: skip
    if not idle:
        assert load(child) and load(together)
        return
    [problem] = problems_of(child)
    assert problem.in_("en") == (
        f"{folder}/x.yaml:5:5: 'a' ({folder}/one.yaml:5) counts the same and allows no more, so this has no effect "
        "(to replace it, give it the id 'a')"
    )
    assert problem.in_("ja") == (
        f"{folder}/x.yaml:5:5: 「a」（{folder}/one.yaml:5）が同じものをもっと厳しく数えるので、効果がありません"
        "（置きかえるなら id を「a」にします）"
    )
    [problem] = problems_of(together)
    assert (problem.line, problem.hint) == (6, None)
    # Of equals that are composed neither is at fault.
    put(folder, "two", f"zones: {{main: {{}}, side: {{}}}}\nrules:\n  - {{id: b, {last[1:]}\n")
    assert load(put(folder, "z", "extends: [one.yaml, two.yaml]\n"))


def test_a_rule_that_is_taken_over_may_be_outdone(folder: Path) -> None:
    assert (
        bounds(put(folder, "x", "extends: base.yaml\nrules: [{id: fewer, in: main, at_most: 40}]\n"))["size"]
        == 60
    )
    text = "zones: {main: {}}\nrules:\n  - {id: loose, at_most: 9}\n  - {id: tight, at_most: 8}\n"
    [problem] = problems_of(put(folder, "y", text))
    assert (problem.line, "'tight'" in problem.message.en) == (5, True)


@pytest.mark.parametrize(
    ("first", "last", "clash"),
    [
        ("{in: main, exactly: 40}", "{in: main, exactly: 60}", True),
        ("{in: main, at_most: 40}", "{in: main, at_least: 41}", True),
        ("{in: main, exactly: [4, 5]}", "{in: main, at_least: 6}", True),
        ("{in: main, exactly: [4, 5]}", "{in: main, exactly: [5, 6]}", False),
        ("{in: main, exactly: 40, until: 2020-01-01}", "{in: main, exactly: 60, since: 2020-01-02}", False),
        ("{in: main, exactly: 40, until: 2020-01-01}", "{in: main, exactly: 60, since: 2020-01-01}", True),
        ("{in: main, exactly: 40}", "{in: main, exactly: 60, severity: warning}", False),
        ("{per: name, exactly: 4}", "{per: name, exactly: 6}", False),
        ("{in: main, exactly: 40}", "{in: side, exactly: 60}", False),
        ("{in: main, exactly: 40}", "{in: main, exactly: 60, when: {best_of: 1}}", False),
        ("{in: main, exactly: 40, when: {best_of: 1}}", "{in: main, exactly: 60}", False),
    ],
)
def test_rules_that_no_deck_can_keep_together(folder: Path, first: str, last: str, clash: bool) -> None:
    put(folder, "one", f"zones: {{main: {{}}, side: {{}}}}\nrules:\n  - {{id: a, {first[1:]}\n")
    child = put(folder, "x", f"extends: one.yaml\nrules:\n  - {{id: b, {last[1:]}\n")
    if not clash:
        assert load(child)
        return
    [problem] = problems_of(child)
    assert problem.in_("en").startswith(f"{folder}/x.yaml:5:5: no deck can keep both this and 'a' ({folder}/one.yaml:5)")  # fmt: skip
    assert problem.message.ja == f"「a」（{folder}/one.yaml:5）と両方を守れるデッキはありません"
    put(folder, "two", f"zones: {{main: {{}}, side: {{}}}}\nrules:\n  - {{id: b, {last[1:]}\n")
    [problem] = problems_of(put(folder, "z", "extends: [one.yaml, two.yaml]\n"))
    assert problem.path == f"{folder}/two.yaml"
