"""A project's own formats and banlists, in its own folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from engine.small import GARDEN, IRIS, ROSE, deck_of, opened, table_of

from deckcheck.checking import LoadedFormat, check
from deckcheck.errors import UserError
from deckcheck.files import shipped
from deckcheck.formats.find import (
    BUNDLED_ONLY,
    Folders,
    banlist_file,
    bundled_formats,
    format_file,
    known_banlists,
    known_formats,
)
from deckcheck.formats.folders import MOST_FILES, looked_through
from deckcheck.formats.load import load_format
from deckcheck.formats.ruleids import rule_ids

ZONES = "zones: {main: {}, leader: {}, side: {}}\n"
TEXT = (
    "format: {id}\nname: {{ja: 庭の{name}, en: {name}}}\naliases: [{alias}]\n"
    "zones: {{main: {{}}, leader: {{}}, side: {{}}}}\nrules: [{{id: most, at_most: {most}}}]\n"
)
BANNED = "banlist: {id}\nname: L\ncards: [{{card: {card}, history: [{{from: 2000-01-01, status: out}}]}}]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, content: str) -> Path:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_text(content, encoding="utf-8")
    # Another time, even where two writes fall into one tick of the clock.
    os.utime(file, ns=(before + 10**9, before + 10**9))
    return file


def own(name: str, id: str, *, most: int = 9, alias: str = "nick", title: str = "Bed") -> Path:
    return put(name, TEXT.format(id=id, most=most, alias=alias, name=title))


def most(reference: str, folders: Folders) -> int:
    """How many cards a format of the garden allows."""
    loaded = LoadedFormat(load_format(reference, opened(), folders), table_of(GARDEN))
    return next(
        number - 1
        for number in range(1, 99)
        if check(deck_of((ROSE, number)), loaded, as_of="2020-01-01").findings
    )


FORMATS = Folders((Path("formats"),), ())
BOTH = Folders((Path("formats"),), (Path("lists"),))


@pytest.mark.parametrize("reference", ["garden/own", "own", "OWN", "nick", "Bed", "庭のBed"])
def test_a_format_is_found_by_all_its_names_at_any_depth(reference: str) -> None:
    file = own("formats/deep/er/whatever.yml", "garden/own")
    assert format_file(reference, folders=FORMATS) == file
    assert most(reference, FORMATS) == 9
    with pytest.raises(UserError):
        format_file(reference)


def test_what_is_no_format_is_passed_over() -> None:
    own("formats/a.yaml", "garden/a")
    own("formats/.hidden.yaml", "garden/hidden")
    own("formats/.git/x.yaml", "garden/hidden")
    own("formats/a.cases/x.yaml", "garden/case")
    own("formats/a.txt", "garden/text")
    put("formats/deck.yaml", "format: garden/deck\nname: My deck\nmain: [4 x Rose]\n")
    put("formats/list.yaml", BANNED.format(id="garden/list", card="Rose"))
    put("formats/other.yaml", "- 1\n")
    put("formats/empty.yaml", "")
    named = [one.id for one in known_formats(FORMATS) if not one.file.is_absolute()]
    assert named == ["garden/a"]
    for name in ("garden/hidden", "garden/case", "garden/text", "garden/list"):
        with pytest.raises(UserError, match="there is no format"):
            format_file(name, folders=FORMATS)


def test_links_to_folders_are_not_followed() -> None:
    own("formats/a.yaml", "garden/a")
    Path("formats/loop").symlink_to(Path("formats").absolute(), target_is_directory=True)
    assert format_file("garden/a", folders=FORMATS) == Path("formats/a.yaml")


def test_a_folder_that_is_not_there_holds_nothing() -> None:
    assert known_formats(FORMATS) == bundled_formats()
    own("formats/a.yaml", "garden/a")
    assert format_file("garden/a", folders=FORMATS) == Path("formats/a.yaml"), "until it is there"


def test_of_one_id_ones_own_comes_before_the_bundled_one() -> None:
    own("formats/o.yaml", "duel-masters/original", alias="DMC")
    assert format_file("duel-masters/original", folders=FORMATS) == Path("formats/o.yaml")
    assert format_file("original", folders=FORMATS) == Path("formats/o.yaml")
    assert format_file("DMC", folders=FORMATS) == Path("formats/o.yaml"), "by any name"
    assert format_file("duel-masters/commander", folders=FORMATS).is_relative_to(shipped("formats"))
    ids = [one.id for one in known_formats(FORMATS)]
    assert ids.count("duel-masters/original") == 1
    assert len(ids) == len(bundled_formats())


def test_ones_own_may_extend_the_bundled_one_of_its_id() -> None:
    file = put("formats/o.yaml", "format: duel-masters/original\nname: O\nextends: duel-masters/original\n")
    bundled = shipped("formats") / "duel-masters" / "original.yaml"
    assert format_file("duel-masters/original", file, FORMATS) == bundled
    assert format_file("duel-masters/original", Path("formats/other.yaml"), FORMATS) == file


def test_one_id_in_two_files_is_a_mistake_that_names_both() -> None:
    own("formats/a.yaml", "garden/own")
    own("formats/b/c.yaml", "garden/own", alias="b")
    own("formats/fine.yaml", "garden/fine", alias="c")
    for ask in (lambda: format_file("garden/own", folders=FORMATS), lambda: known_formats(FORMATS)):
        with pytest.raises(UserError) as caught:
            ask()
        [problem] = caught.value.problems
        files = f"{Path('formats/a.yaml')}, {Path('formats/b/c.yaml')}"
        assert problem.message.en == f"'garden/own' stands in 2 files: {files}"
        assert problem.message.ja == f"「garden/own」が2つのファイルにあります: {files}"
    assert most("garden/fine", FORMATS) == 9
    two = Folders((Path("formats"), Path("formats/b")), ())
    assert format_file("garden/fine", folders=two) == Path("formats/fine.yaml")
    Path("formats/a.yaml").unlink()
    assert format_file("garden/own", folders=two) == Path("formats/b/c.yaml"), (
        "one file in two folders is one"
    )


def test_one_name_for_two_formats_is_a_question() -> None:
    own("formats/a.yaml", "garden/a")
    own("formats/b.yaml", "garden/b")
    with pytest.raises(UserError, match="'nick' may be any of garden/a, garden/b"):
        format_file("nick", folders=FORMATS)


def test_a_name_that_nobody_bears_gets_a_suggestion() -> None:
    own("formats/a.yaml", "garden/alpine", alias="rocks")
    with pytest.raises(UserError) as caught:
        format_file("garden/alpin", folders=FORMATS)
    assert caught.value.problems[0].hint is not None
    assert caught.value.problems[0].hint.en == "did you mean 'garden/alpine'?"


# Broken ones.


def test_a_broken_format_hides_neither_itself_nor_others() -> None:
    own("formats/fine.yaml", "garden/fine")
    put("formats/shape.yaml", "format: garden/shape\nname: S\nrulez: []\n")
    put("formats/nameless.yaml", "format: garden/nameless\nrules: []\n")
    put("formats/yaml.yaml", "# a list\nformat: 'garden/yaml'\nrules: [\n")
    assert most("garden/fine", FORMATS) == 9
    for name, said in (
        ("shape", "formats/shape.yaml:3:1: unknown key 'rulez'"),
        ("nameless", "formats/nameless.yaml:1:1: 'name' is missing"),
        ("yaml", "formats/yaml.yaml:4:1: not valid YAML"),
    ):
        with pytest.raises(UserError) as caught:
            load_format(f"garden/{name}", opened(), FORMATS)
        assert caught.value.problems[0].in_("en").replace(os.sep, "/").startswith(said)


def test_what_cannot_be_read_at_all_is_told_to_whoever_looks_in_vain() -> None:
    put("formats/a.yaml", "format: [\n")
    Path("formats/b.yaml").write_bytes(b"\xff\xfe")
    own("formats/fine.yaml", "garden/fine")
    assert most("garden/fine", FORMATS) == 9
    with pytest.raises(UserError) as caught:
        format_file("garden/lost", folders=FORMATS)
    first, *others = caught.value.problems
    assert first.message.en == "there is no format 'garden/lost'"
    assert [Path(one.path or "").name for one in others] == ["a.yaml", "b.yaml"]
    child = put("child.yaml", "format: garden/child\nname: C\nextends: garden/lost\n")
    with pytest.raises(UserError) as caught:
        load_format(str(child), opened(), FORMATS)
    assert caught.value.problems[0].path == "child.yaml"
    assert len(caught.value.problems) == 3


def test_a_disk_full_of_files_is_no_folder_of_formats() -> None:
    Path("formats").mkdir()
    for number in range(MOST_FILES + 1):
        Path(f"formats/{number}.yaml").touch()
    with pytest.raises(UserError, match="too many files"):
        known_formats(FORMATS)


def test_a_folder_without_end_is_no_folder_of_formats() -> None:
    Path("formats", *["d"] * 30).mkdir(parents=True)
    with pytest.raises(UserError, match="nested too deeply"):
        known_formats(FORMATS)


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
    assert "stands in 2 files" in problem.message.en


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
    seen = {path.as_posix() for path in looked_through(*BOTH)}
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
