"""Formats that extend others: the last one wins, and what replaces an inherited rule has to say so."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.extended_formats import bounds, garden, problems_of, put
from factories.garden_game import load

from deckcheck.formats.description import describe_format
from deckcheck.support.messages import localized


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return garden(tmp_path)


def test_everything_is_inherited(folder: Path) -> None:
    format = load(put(folder, "x", "extends: plain.yaml\n")).format
    assert [rule.id for rule in format.rules] == ["size", "few", "out"]
    assert list(format.zones) == ["main", "side"]
    assert [banlist.id for banlist in format.banlists] == ["garden/list"]
    assert format.exchange == ("main", "side")
    assert [thing.id for thing in format.set_aside] == ["tools"]


def test_what_replaces_an_inherited_rule_needs_override(folder: Path) -> None:
    rule = "rules: [{id: size, in: main, at_most: 50}]\n"
    file = put(folder, "x", f"extends: base.yaml\n{rule}")
    [problem] = problems_of(file)
    base = folder / "base.yaml"
    assert problem.in_("en") == (
        f"{file}:4:9: 'size' is already defined in {base}:8 "
        "(to replace that, write override: [size]; to add a rule, choose another name)"
    )
    assert problem.message.ja == f"「size」は{base}:8にもあります"
    assert problem.hint is not None and "override: [size]" in problem.hint.ja
    put(folder, "x", f"extends: base.yaml\noverride: [size]\n{rule}")
    [size, *_others] = load(file).format.rules
    assert (size.clauses[0].high, size.id) == (50, "size")
    assert size.replaces is not None and (size.replaces.path, size.replaces.line) == (str(base), 8)


def test_definitions_need_override_too_and_change_inherited_rules(folder: Path) -> None:
    definition = "definitions: {costly: {cost: {at_least: 5}}}\n"
    [problem] = problems_of(put(folder, "x", f"extends: base.yaml\n{definition}"))
    assert problem.message.en.startswith("'costly' is already defined in")
    file = put(folder, "x", f"extends: base.yaml\noverride: [costly]\n{definition}")
    assert "with cost 5 or above" in describe_format(load(file).format, load(file).game_data.game, "en")


@pytest.mark.parametrize(
    ("text", "en", "ja"),
    [
        ("override: [sise]\n", "no extended format defines 'sise' (did you mean 'size'?)", "「sise」というものは継承していません（「size」のことですか）"),
        ("override: [size]\n", "nothing here overrides 'size' (define it here; drop: [size] removes a rule)", "「size」を置きかえるものが書かれていません（ここに書いてください。規則を外すなら drop: [size]）"),
        ("drop: [sise]\n", "no extended format has a rule 'sise' to drop (did you mean 'size'?)", "「sise」という規則は継承していません（「size」のことですか）"),
        ("drop: [size]\nrules: [{id: size, at_most: 9}]\n", "'size' is both dropped and defined (to replace it, write override: [size] instead of the drop)", "「size」を外しながら、新しく書いています（置きかえるつもりなら、drop ではなく override: [size]）"),
        ("drop: [size, size]\n", "'size' is listed twice", "「size」が二度あります"),
        ("rules: [{id: tools, at_most: 3}]\n", "the rule 'tools' is also in", "規則「tools」が"),
    ],
)  # fmt: skip
def test_mistakes(folder: Path, text: str, en: str, ja: str) -> None:
    [problem] = problems_of(put(folder, "x", f"extends: base.yaml\n{text}"))
    assert en in problem.in_("en")
    assert ja in problem.in_("ja")


def test_a_dropped_rule_is_gone_and_may_be_defined_by_those_that_extend_it(folder: Path) -> None:
    free = put(folder, "free", "extends: base.yaml\ndrop: [size]\n")
    assert bounds(free).keys() == {"few", "out"}
    file = put(folder, "x", "extends: free.yaml\nrules: [{id: size, at_most: 9}]\n")
    assert [rule.id for rule in load(file).format.rules] == ["few", "out", "size"]


def three_sizes(folder: Path) -> None:
    for name, size in (("one", 30), ("two", 40)):
        put(
            folder,
            name,
            f"extends: base.yaml\noverride: [size]\nrules: [{{id: size, in: main, at_most: {size}}}]\n",
        )


@pytest.mark.parametrize(
    ("extends", "size"),
    [
        ("[one.yaml, two.yaml]", 40),
        ("[two.yaml, one.yaml]", 30),
        # Whatever extends a format stands over it, wherever both are listed.
        ("[one.yaml, plain.yaml]", 30),
        ("[plain.yaml, one.yaml]", 30),
    ],
)
def test_the_last_one_wins(folder: Path, extends: str, size: int) -> None:
    three_sizes(folder)
    assert bounds(put(folder, "x", f"extends: {extends}\n"))["size"] == size
    # So it is through formats that say nothing themselves.
    put(folder, "between", f"extends: {extends}\n")
    assert bounds(put(folder, "x", "extends: between.yaml\n"))["size"] == size


def test_a_rule_that_one_drops_and_a_later_one_defines_counts(folder: Path) -> None:
    three_sizes(folder)
    put(folder, "free", "extends: base.yaml\ndrop: [size]\n")
    assert "size" not in bounds(put(folder, "x", "extends: [one.yaml, free.yaml]\n"))
    assert "size" not in bounds(put(folder, "x", "extends: [free.yaml, plain.yaml]\n"))
    assert bounds(put(folder, "x", "extends: [free.yaml, one.yaml]\n"))["size"] == 30


def test_formats_show_names_what_was_replaced(folder: Path) -> None:
    three_sizes(folder)
    file = put(folder, "x", "extends: [one.yaml, two.yaml]\n")
    text = describe_format(load(file).format, load(file).game_data.game, "en")
    assert f"(in place of {folder}/one.yaml:5)" in text


def test_zones_and_banlists_are_joined_unless_stated(folder: Path) -> None:
    put(folder, "other", "abstract: true\nzones: {leader: {}, main: {name: Beds}}\nbanlists: [more.yaml]\n")
    format = load(put(folder, "x", "extends: [base.yaml, other.yaml]\n")).format
    assert list(format.zones) == ["main", "side", "leader"] and format.zones["main"] == localized("Beds")
    assert [banlist.id for banlist in format.banlists] == ["garden/list", "garden/more"]
    text = (
        "extends: [base.yaml, other.yaml]\nzones: {main: {}, side: {}}\nbanlists: [more.yaml]\nexchange: []\n"
    )
    format = load(put(folder, "y", text)).format
    assert (list(format.zones), format.exchange) == (["main", "side"], ())
    assert [banlist.id for banlist in format.banlists] == ["garden/more"]


def test_zones_that_are_no_longer_played_hold_no_cards(folder: Path) -> None:
    put(folder, "both", "extends: base.yaml\nrules: [{id: all, in: [main, side], at_most: 70}]\n")
    text = "extends: both.yaml\nzones: {main: {}}\nexchange: []\n"
    rules = {rule.id: rule for rule in load(put(folder, "x", text)).format.rules}
    assert rules["all"].clauses[0].selection.zones == ("main",)


@pytest.mark.parametrize(
    ("extends", "column", "en", "ja"),
    [
        ("[one.yaml, one.yaml]", 21, "'garden/one' is listed twice", "「garden/one」が二度あります"),
        ("[base.yaml, one.yaml]", 11, "'garden/one' already extends 'garden/base', so this has no effect", "「garden/one」が「garden/base」を継承しているので、ここに書いても効果がありません"),
        ("[base.yaml, x.yaml]", 22, "'x.yaml' extends itself through other formats", "「x.yaml」を継承すると輪になります"),
        ("[one.yaml, loop.yaml]", 22, "'x.yaml' extends itself through other formats", "「x.yaml」を継承すると輪になります"),
    ],
)  # fmt: skip
def test_circles_and_repetitions(folder: Path, extends: str, column: int, en: str, ja: str) -> None:
    three_sizes(folder)
    put(folder, "loop", "extends: [one.yaml, x.yaml]\n")
    file = put(folder, "x", f"extends: {extends}\n")
    [problem] = problems_of(file)
    place = f"{folder}/loop.yaml:3:21" if "loop" in extends else f"{file}:3:{column}"
    assert problem.in_("en") == f"{place}: {en}"
    assert problem.message.ja == ja


def test_formats_of_two_games_need_one(folder: Path) -> None:
    (folder / "yard.yaml").write_text("format: yard/y\nname: Y\ngame: yard\nabstract: true\n")
    file = put(folder, "x", "extends: [base.yaml, yard.yaml]\n")
    [problem] = problems_of(file)
    assert problem.in_("en") == (
        f"{file}:3:22: formats of several games are extended (say which game it is with `game`)"
    )
    assert load(put(folder, "x", "game: garden\nextends: [base.yaml, yard.yaml]\n"))


@pytest.mark.parametrize(
    ("rule", "en", "ja"),
    [
        ("{id: mine, in: main, at_most: 70}", "'size' ({base}:8) counts the same and allows no more, so this has no effect", "「size」（{base}:8）が同じものをもっと厳しく数えるので、効果がありません"),
        ("{id: mine, in: main, at_least: 70}", "no deck can keep both this and 'size' ({base}:8)", "「size」（{base}:8）と両方を守れるデッキはありません"),
    ],
)  # fmt: skip
def test_a_rule_that_only_wants_to_replace_another_is_told_how(
    folder: Path, rule: str, en: str, ja: str
) -> None:
    [problem] = problems_of(put(folder, "x", f"extends: base.yaml\nrules: [{rule}]\n"))
    base = folder / "base.yaml"
    assert problem.message.en == en.format(base=base)
    assert problem.message.ja == ja.format(base=base)
    assert problem.hint is not None
    assert problem.hint.en == "to replace it, give it the id 'size' and write override: [size]"
    assert problem.hint.ja == "置きかえるなら、idを「size」にして override: [size] と書いてください"
