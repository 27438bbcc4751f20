"""What formats of one's own name - parents, lists, rules - and how a change of it is noticed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from factories.garden_game import GARDEN, IRIS, ROSE, deck_of, opened, table_of
from factories.own_formats import BANNED, FORMATS, most, own, put

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.formats.inheritance import rule_ids
from deckcheck.formats.loading import load_format
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, banlist_file, known_banlists, searched_files
from deckcheck.support.errors import UserError

ZONES = "zones: {main: {}, leader: {}, side: {}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


BOTH = Folders((Path("formats"),), (Path("lists"),))


# What formats name.


def test_what_is_extended_and_what_lists_are_named_is_found_there_too() -> None:
    put(
        "formats/base/b.yaml",
        f"format: garden/base\nname: B\nabstract: true\n{ZONES}rules: [{{id: most, at_most: 7}}]\n",
    )
    put(
        "formats/x.yaml",
        "format: garden/x\nname: X\nextends: base\nbanlists: [garden/list]\n"
        "rules: [{id: ban, where: {status: out}, at_most: 0}]\n",
    )
    put("lists/any/name.yaml", BANNED.format(id="garden/list", card="Iris"))
    loaded = LoadedFormat(load_format("garden/x", opened(), BOTH), table_of(GARDEN))
    assert [rule.source.path.replace(os.sep, "/") for rule in loaded.format.rules] == [
        "formats/base/b.yaml",
        "formats/x.yaml",
    ]
    report = check(deck_of((IRIS, 1), (ROSE, 7)), loaded, as_of="2020-01-01")
    assert [one.rule for one in report.findings] == ["most", "ban"]
    assert report.findings[1].source is not None
    assert report.findings[1].source.path.replace(os.sep, "/") == "lists/any/name.yaml"


def test_ones_own_list_comes_before_the_bundled_one() -> None:
    put("lists/l.yaml", BANNED.format(id="duel-masters/hall-of-fame", card="Rose"))
    assert banlist_file("duel-masters/hall-of-fame", Path("x.yaml"), BOTH) == Path("lists/l.yaml")
    assert banlist_file("duel-masters/hall-of-fame", Path("x.yaml")).is_absolute()
    put("lists/m.yaml", BANNED.format(id="duel-masters/hall-of-fame", card="Iris"))
    put(
        "x.yaml",
        f"format: garden/x\nname: X\n{ZONES}banlists: [duel-masters/hall-of-fame]\nrules: [{{id: a, at_most: 1}}]\n",
    )
    with pytest.raises(UserError) as caught:
        load_format("x.yaml", opened(), BOTH)
    [problem] = caught.value.problems
    assert (problem.path, problem.line) == ("x.yaml", 4)
    assert "is in 2 files" in problem.message.en


def test_a_list_that_nobody_knows_gets_a_suggestion() -> None:
    put("lists/l.yaml", BANNED.format(id="garden/winter", card="Rose"))
    assert "garden/winter" in known_banlists(BOTH)
    put(
        "x.yaml",
        f"format: garden/x\nname: X\n{ZONES}banlists: [garden/wintr]\nrules: [{{id: a, at_most: 1}}]\n",
    )
    with pytest.raises(UserError) as caught:
        load_format("x.yaml", opened(), BOTH)
    assert caught.value.problems[0].in_("en") == (
        "x.yaml:4:12: there is no banlist 'garden/wintr' (did you mean 'garden/winter'?)"
    )


def test_paths_are_shown_as_they_would_be_written() -> None:
    put("formats/base.yaml", f"format: garden/base\nname: B\nabstract: true\n{ZONES}rulez: 1\n")
    put("formats/x.yaml", "format: garden/x\nname: X\nextends: base.yaml\n")
    for reference in ("garden/x", "formats/x.yaml"):
        with pytest.raises(UserError) as caught:
            load_format(reference, opened(), FORMATS)
        assert caught.value.problems[0].path == str(Path("formats/base.yaml"))


# What is kept between runs.


def test_files_that_come_change_and_go_are_noticed() -> None:
    own("formats/a.yaml", "garden/a", most=3)
    assert most("garden/a", FORMATS) == 3
    own("formats/a.yaml", "garden/a", most=5)
    assert most("garden/a", FORMATS) == 5
    own("formats/deep/b.yaml", "garden/b", most=4)
    assert most("garden/b", FORMATS) == 4
    own("formats/a.yaml", "garden/c", most=2)
    assert most("garden/c", FORMATS) == 2
    with pytest.raises(UserError):
        most("garden/a", FORMATS)
    Path("formats/deep/b.yaml").unlink()
    with pytest.raises(UserError):
        most("garden/b", FORMATS)


def test_a_kept_format_is_not_used_when_what_it_names_is_another_file() -> None:
    put("x.yaml", "format: garden/x\nname: X\nextends: garden/base\n")
    for name, number in (("one", 3), ("two", 4)):
        own(f"{name}/base.yaml", "garden/base", most=number)
    one, two = Folders((Path("one"),), ()), Folders((Path("two"),), ())
    assert [most("x.yaml", folders) for folders in (one, two, one)] == [3, 4, 3]
    with pytest.raises(UserError):
        load_format("x.yaml", opened(), BUNDLED_ONLY)
    # Another file takes its place.
    Path("one/base.yaml").rename("one/old.yaml")
    own("one/old.yaml", "garden/old", most=1)
    own("one/new.yaml", "garden/base", most=6)
    assert most("x.yaml", one) == 6
    own("one/new.yaml", "garden/newer", most=6)
    own("one/old.yaml", "garden/base", most=2)
    assert most("x.yaml", one) == 2


def test_a_kept_format_is_not_used_when_its_list_is_another_file() -> None:
    rule = "rules: [{id: ban, where: {status: out}, at_most: 0}]\n"
    put("x.yaml", f"format: garden/x\nname: X\n{ZONES}banlists: [garden/list]\n{rule}")
    put("lists/l.yaml", BANNED.format(id="garden/list", card="Rose"))

    def banned() -> list[str]:
        loaded = LoadedFormat(load_format("x.yaml", opened(), BOTH), table_of(GARDEN))
        found = check(deck_of((ROSE, 1), (IRIS, 1)), loaded, as_of="2020-01-01").findings
        return [card.name for one in found for card in one.cards]

    assert banned() == ["Rose"]
    put("lists/l.yaml", BANNED.format(id="garden/other", card="Rose"))
    put("lists/m.yaml", BANNED.format(id="garden/list", card="Iris"))
    assert banned() == ["Iris"]


def test_all_that_is_looked_at_is_named() -> None:
    own("formats/deep/a.yaml", "garden/a")
    put("lists/l.yaml", "banlist: garden/l\nname: L\n")
    seen = {path.as_posix() for path in searched_files(BOTH)}
    assert seen == {"formats", "formats/deep", "formats/deep/a.yaml", "lists", "lists/l.yaml"}


# Ids of rules.


def test_the_rules_of_all_formats_are_known() -> None:
    own("formats/a.yaml", "garden/a")
    put(
        "formats/b.yaml",
        f"format: garden/b\nname: B\n{ZONES}rules: [{{id: mine, at_most: 1}}, 7, {{}}]\nbeside: [{{id: tools}}]\n",
    )
    put(
        "c.yaml", f"format: garden/c\nname: C\nextends: garden/a\n{ZONES}rules: [{{id: there, at_most: 1}}]\n"
    )
    known = rule_ids(FORMATS, ["garden/a", "c.yaml"])
    assert known.all is not None
    assert {"most", "mine", "tools", "there", "copies", "unknown-card", "own-facts"} <= known.all
    assert "there" not in (rule_ids(FORMATS).all or ())
    assert Path("c.yaml") in known.files
    assert rule_ids(FORMATS, ["none.yaml"]).all is None
    put("formats/d.yaml", "format: [\n")
    assert rule_ids(FORMATS).all is None
