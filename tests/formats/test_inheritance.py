"""Formats that extend others: the last one wins, and what replaces an inherited rule has to say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from factories.errors import problem_of, problems_of
from factories.garden_game import IRIS, OAK, ROSE, Held, deck_of, load

from deckcheck.checking.judge import check
from deckcheck.formats import inheritance
from deckcheck.formats.description import describe_format
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized, localized

BASE = """\
format: garden/base
name: Base
zones: {main: {}, side: {name: {ja: 小屋, en: Hut}}}
banlists: [list.yaml]
exchange: [main, side]
definitions: {costly: {cost: {at_least: 3}}}
rules:
  - {id: size, in: main, at_most: 60, cite: 第1条}
  - {id: few, where: {ref: costly}, at_most: 9}
  - {id: out, where: {status: out}, at_most: 0}
  - {id: both, in: [main, side], at_most: 70}
beside:
  - {id: tools, names: [Spade], message: {ja: 道具です, en: a tool}}
"""
LISTED = (
    "banlist: garden/{0}\nname: L\ncards:\n- card: Rose\n  history: [{{from: 2020-01-01, status: out}}]\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A base, a format that says nothing more, two that replace its size, and one that drops it."""
    (tmp_path / "base.yaml").write_text(BASE)
    for name in ("list", "more"):
        (tmp_path / f"{name}.yaml").write_text(LISTED.format(name))
    put(tmp_path, "plain", "extends: base.yaml\n")
    for name, size in (("one", 30), ("two", 40)):
        rule = f"rules: [{{id: size, in: main, at_most: {size}}}]\n"
        put(tmp_path, name, f"extends: base.yaml\noverride: [size]\n{rule}")
    put(tmp_path, "free", "extends: base.yaml\ndrop: [size]\n")
    return tmp_path


def put(folder: Path, name: str, text: str) -> Path:
    (folder / f"{name}.yaml").write_text(f"format: garden/{name}\nname: {name}\n{text}")
    return folder / f"{name}.yaml"


def mistake_in(file: Path) -> Problem:
    return problem_of(load, file)


def bounds(file: Path) -> dict[str, Any]:
    return {rule.id: rule.clauses[0].high for rule in load(file).format.rules}


def broken(file: Path, *held: Held) -> list[str]:
    return [finding.rule for finding in check(deck_of(*held), load(file), as_of="2020-01-01").findings]


def test_everything_is_inherited(folder: Path) -> None:
    format = load(folder / "plain.yaml").format
    assert [rule.id for rule in format.rules] == ["size", "few", "out", "both"]
    assert format.rules[0].cite == localized("第1条")
    assert format.zones == {"main": Localized("花壇", "Bed"), "side": Localized("小屋", "Hut")}
    assert [banlist.id for banlist in format.banlists] == ["garden/list"]
    assert format.exchange == ("main", "side")
    assert broken(folder / "plain.yaml", ("spade", 1), (ROSE, 1), (OAK, 10)) == ["tools", "out", "few"]


def test_what_is_replaced_keeps_its_place_and_says_what_it_replaces(folder: Path) -> None:
    more = "rules: [{id: size, in: main, at_most: 2}, {id: more, at_least: 1}]\n"
    file = put(folder, "x", f"extends: base.yaml\noverride: [size]\n{more}")
    size, *others = load(file).format.rules
    assert [rule.id for rule in others] == ["few", "out", "both", "more"]
    assert (size.id, size.clauses[0].high, size.cite) == ("size", 2, None)
    assert size.replaces is not None and (size.replaces.path, size.replaces.line) == (
        str(folder / "base.yaml"),
        8,
    )
    file = put(folder, "y", "extends: [one.yaml, two.yaml]\n")
    text = describe_format(load(file).format, load(file).game_data.game, "en")
    assert f"(in place of {folder}/one.yaml:5)" in text


def test_a_definition_changes_inherited_rules(folder: Path) -> None:
    definition = "definitions: {costly: {colour: blue}}\n"
    file = put(folder, "x", f"extends: base.yaml\noverride: [costly]\n{definition}")
    assert broken(file, (OAK, 10)) == []
    assert broken(file, (IRIS, 10)) == ["few"]


MISTAKES = [
    ("extends: base.yaml\nrules: [{id: size, at_most: 9}]\n", "4:9", "'size' is already defined in {base}:8 (to replace that, write override: [size]; to add a rule, choose another name)", "「size」は{base}:8にもあります"),
    ("extends: base.yaml\ndefinitions: {costly: {cost: 5}}\n", "4:15", "'costly' is already defined in {base}:6 (to replace that, write override: [costly]; to add a rule, choose another name)", "「costly」は{base}:6にもあります"),
    ("extends: base.yaml\noverride: [sise]\n", "4:12", "no extended format defines 'sise' (did you mean 'size'?)", "「sise」というものは継承していません（「size」のことですか）"),
    ("extends: base.yaml\noverride: [size]\n", "4:12", "nothing here overrides 'size' (define it here; drop: [size] removes a rule)", "「size」を置きかえるものが書かれていません（ここに書いてください。規則を外すなら drop: [size]）"),
    ("extends: base.yaml\ndrop: [sise]\n", "4:8", "no extended format has a rule 'sise' to drop (did you mean 'size'?)", "「sise」という規則は継承していません（「size」のことですか）"),
    ("extends: base.yaml\ndrop: [size]\nrules: [{id: size, at_most: 9}]\n", "4:8", "'size' is both dropped and defined (to replace it, write override: [size] instead of the drop)", "「size」を外しながら、新しく書いています（置きかえるつもりなら、drop ではなく override: [size]）"),
    ("extends: base.yaml\ndrop: [size, size]\n", "4:14", "'size' is listed twice", "「size」が二度あります"),
    ("extends: base.yaml\nrules: [{id: mine, in: main, at_most: 70}]\n", "4:9", "'size' ({base}:8) counts the same and allows no more, so this has no effect (to replace it, give it the id 'size' and write override: [size])", "「size」（{base}:8）が同じものをもっと厳しく数えるので、効果がありません（置きかえるなら、idを「size」にして override: [size] と書いてください）"),
    ("extends: base.yaml\nrules: [{id: mine, in: main, at_least: 70}]\n", "4:9", "no deck can keep both this and 'size' ({base}:8) (to replace it, give it the id 'size' and write override: [size])", "「size」（{base}:8）と両方を守れるデッキはありません（置きかえるなら、idを「size」にして override: [size] と書いてください）"),
    ("extends: [one.yaml, one.yaml]\n", "3:21", "'one.yaml' is listed twice", "「one.yaml」が二度あります"),
    ("extends: [base.yaml, x.yaml]\n", "3:22", "'x.yaml' extends itself", "「x.yaml」を継承すると輪になります"),
    ("extends: [base.yaml, yard.yaml]\n", "3:22", "formats of several games are extended (say which game it is with `game`)", "ゲームの違うフォーマットを継承しています（どのゲームかを game に書きます）"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "en", "ja"), MISTAKES)
def test_mistakes(folder: Path, text: str, place: str, en: str, ja: str) -> None:
    (folder / "yard.yaml").write_text("format: yard/y\nname: Y\ngame: yard\nabstract: true\n")
    file, base = put(folder, "x", text), folder / "base.yaml"
    problem = mistake_in(file)
    assert problem.in_("en") == f"{file}:{place}: {en.format(base=base)}"
    assert problem.in_("ja").startswith(f"{file}:{place}: {ja.format(base=base)}")


def test_a_rule_beside_the_deck_has_no_id_of_a_rule(folder: Path) -> None:
    file = put(folder, "x", "extends: base.yaml\nrules: [{id: tools, at_most: 3}]\n")
    problem = mistake_in(file)
    assert problem.in_("en").startswith(f"{file}:4:9: 'tools' is already defined in {folder}/base.yaml:13")


def test_the_game_may_be_said(folder: Path) -> None:
    (folder / "yard.yaml").write_text("format: yard/y\nname: Y\ngame: yard\nabstract: true\n")
    assert load(put(folder, "x", "game: garden\nextends: [base.yaml, yard.yaml]\n"))


@pytest.mark.parametrize(
    ("extends", "size"),
    [
        ("[one.yaml, two.yaml]", 40),
        ("[two.yaml, one.yaml]", 30),
        # Whatever extends a format stands over it, wherever both are listed.
        ("[one.yaml, plain.yaml]", 30),
        ("[plain.yaml, one.yaml]", 30),
        ("[one.yaml, base.yaml]", 30),
        # A rule that one drops and a later one defines counts.
        ("[one.yaml, free.yaml]", None),
        ("[free.yaml, plain.yaml]", None),
        ("[free.yaml, one.yaml]", 30),
    ],
)
def test_the_last_one_wins(folder: Path, extends: str, size: int | None) -> None:
    assert bounds(put(folder, "x", f"extends: {extends}\n")).get("size") == size
    # So it is through formats that say nothing themselves.
    put(folder, "between", f"extends: {extends}\n")
    assert bounds(put(folder, "x", "extends: between.yaml\n")).get("size") == size


def test_what_lies_beside_the_deck_may_be_dropped_or_replaced(folder: Path) -> None:
    deck = ("spade", 1)
    assert broken(put(folder, "x", "extends: base.yaml\ndrop: [tools]\n"), deck) == ["unknown-card"]
    file = put(folder, "y", "extends: base.yaml\noverride: [tools]\nrules: [{id: tools, at_least: 3}]\n")
    assert broken(file, (OAK, 1)) == ["tools"]


def test_a_dropped_rule_may_be_defined_by_those_that_extend_it(folder: Path) -> None:
    file = put(folder, "x", "extends: free.yaml\nrules: [{id: size, at_most: 9}]\n")
    assert list(bounds(file)) == ["few", "out", "both", "size"]


def test_zones_and_banlists_are_joined_unless_stated(folder: Path) -> None:
    put(folder, "other", "abstract: true\nzones: {leader: {}, main: {name: Beds}}\nbanlists: [more.yaml]\n")
    format = load(put(folder, "x", "extends: [base.yaml, other.yaml]\n")).format
    assert list(format.zones) == ["main", "side", "leader"] and format.zones["main"] == localized("Beds")
    assert [banlist.id for banlist in format.banlists] == ["garden/list", "garden/more"]
    text = "zones: {main: {}}\nbanlists: [more.yaml]\nexchange: []\n"
    file = put(folder, "y", f"extends: [base.yaml, other.yaml]\n{text}")
    assert broken(file, (OAK, 1, "side")) == ["unknown-zone"]
    format = load(file).format
    assert (list(format.zones), format.exchange) == (["main"], ())
    assert [banlist.id for banlist in format.banlists] == ["garden/more"]
    zones = {rule.id: rule.clauses[0].selection.zones for rule in format.rules}
    assert zones["both"] == ("main",), "zones that are not played hold no cards"


ZONED = """\
abstract: true
zones: {main: {}, leader: {}}
rules:
- {id: few, in: [leader, main], at_most: 1}
- {id: grow, when: {in: [leader, main], where: {kind: tree}}, at_least: {plus: {times: 2, in: [leader, main]}}}
"""


def test_conditions_and_bounds_count_in_the_zones_that_are_left(folder: Path) -> None:
    put(folder, "zoned", ZONED)
    file = put(folder, "x", "extends: zoned.yaml\nzones: {main: {}, side: {}}\n")
    assert broken(file, (ROSE, 1)) == []
    assert broken(file, (ROSE, 2)) == ["few"]
    assert broken(file, (OAK, 1)) == ["grow"]


@pytest.mark.parametrize(
    ("base", "own", "said"),
    [
        (ZONED, "zones: {side: {}}\n", "base2.yaml:6:13: this format has none of these zones"),
        (ZONED.replace("[leader, main], at_most", "[main, side], at_most"), "", "base2.yaml:6:24: this format has no zone 'side'"),
        (ZONED.replace("[leader, main], at_most", "side, at_most"), "", "base2.yaml:6:13: this format has no zone 'side'"),
        (ZONED.replace("[leader, main], at_most", "leader, at_most"), "zones: {main: {}}\n", "base2.yaml:6:13: this format has no zone 'leader'"),
        (ZONED, "zones: {main: {}}\nrules: [{id: own, in: [main, leader], at_most: 9}]\n", "x.yaml:5:30: this format has no zone 'leader'"),
    ],
)  # fmt: skip
def test_a_zone_that_a_rules_own_format_lacks_is_wrong(folder: Path, base: str, own: str, said: str) -> None:
    put(folder, "base2", base)
    told = problems_of(load, put(folder, "x", f"extends: base2.yaml\n{own}"))
    assert told[0].in_("en").startswith(f"{folder}/{said}")


# Many files.


def test_a_chain_of_files_without_end(folder: Path) -> None:
    for number in range(120):
        put(folder, f"f{number}", f"extends: f{number + 1}.yaml\n")
    problem = mistake_in(folder / "f0.yaml")
    assert problem.in_("en") == f"{folder}/f100.yaml:3:1: more than 100 files are extended"


def test_files_that_extend_one_another_many_times_are_read_once(folder: Path) -> None:
    """Two to the power of fifteen ways lead to the last file."""
    for number in range(15):
        parents = f"[a{number + 1}.yaml, b{number + 1}.yaml]" if number < 14 else "base.yaml"
        for side in "ab":
            put(folder, f"{side}{number}", f"extends: {parents}\n")
    assert bounds(put(folder, "x", "extends: [a0.yaml, b0.yaml]\n"))["size"] == 60


def test_too_many_files(folder: Path) -> None:
    for number in range(120):
        put(folder, f"f{number}", "extends: base.yaml\n")
    for number in range(6):
        names = ", ".join(f"f{file}.yaml" for file in range(number * 20, number * 20 + 20))
        put(folder, f"g{number}", f"extends: [{names}]\n")
    assert load(folder / "g0.yaml")
    groups = ", ".join(f"g{number}.yaml" for number in range(6))
    problem = mistake_in(put(folder, "x", f"extends: [{groups}]\n"))
    assert problem.message.en == "more than 100 files are extended"
    assert problem.message.ja == "継承が100ファイルを超えています"
    names = ", ".join(f"f{number}.yaml" for number in range(21))
    problem = mistake_in(put(folder, "x", f"extends: [{names}]\n"))
    assert problem.in_("en") == f"{folder}/x.yaml:3:1: at most 20 entries are allowed"
    assert problem.message.ja == "20個までです"


def test_a_family_with_too_many_rules_is_left_before_it_takes_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inheritance, "MOST_RULES", 50)
    for number in range(12):
        rules = "".join(
            f"- {{id: r{number}-{rule}, at_most: 9, where: {{name: Rose}}}}\n" for rule in range(10)
        )
        put(folder, f"f{number}", f"zones: {{main: {{}}}}\nabstract: true\nrules:\n{rules}")
    extended = ", ".join(f"f{number}.yaml" for number in range(12))
    problem = mistake_in(put(folder, "x", f"extends: [{extended}]\n"))
    assert problem.message.en == "more than 50 rules are extended"
    assert problem.message.ja == "継承する規則が50件を超えています"
    assert (problem.line, problem.column) == (3, 56), "where the sixth of them is asked for"
