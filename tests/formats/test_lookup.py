"""A project's own formats, lists and rules: which are found by which names, and how a change of them is noticed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from factories.errors import problems_of
from factories.files import put
from factories.garden_game import GARDEN, IRIS, ROSE, deck_of, opened, table_of

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.formats import lookup
from deckcheck.formats.loading import load_format
from deckcheck.formats.lookup import (
    BUNDLED_ONLY,
    Folders,
    FormatEntry,
    any_broken,
    banlist_file,
    bundled_formats,
    format_file,
    known_banlists,
    known_formats,
    load,
    searched_files,
    unread_formats,
)
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped

ZONES = "zones: {main: {}, leader: {}, side: {}}\n"
TEXT = (
    "format: {id}\nname: {{ja: 庭の{name}, en: {name}}}\naliases: [{alias}]\n"
    "zones: {{main: {{}}, leader: {{}}, side: {{}}}}\nrules: [{{id: most, at_most: {most}}}]\n"
)
BANNED = "banlist: {id}\nname: L\ncards: [{{card: {card}, history: [{{from: 2000-01-01, status: out}}]}}]\n"
FORMATS = Folders((Path("formats"),), ())
BOTH = Folders((Path("formats"),), (Path("lists"),))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def own(name: str, id: str, *, most: int = 9, alias: str = "nick", title: str = "Bed") -> Path:
    return put(name, TEXT.format(id=id, most=most, alias=alias, name=title))


def loaded(reference: str, folders: Folders) -> LoadedFormat:
    return LoadedFormat(load_format(reference, opened(), folders), table_of(GARDEN))


def most(reference: str, folders: Folders) -> object:
    """How many cards a format of the garden allows."""
    [rule] = loaded(reference, folders).format.rules
    return rule.clauses[0].high


def refused(action: Callable[[], object]) -> list[str]:
    return [problem.in_("en").replace(os.sep, "/") for problem in problems_of(action)]


# Bundled ones.


def names_of(entry: FormatEntry) -> set[str]:
    names = (entry.id, entry.id.rpartition("/")[2], *entry.name.both, *entry.aliases)
    return {name.casefold() for name in names if name}


@pytest.mark.parametrize("entry", bundled_formats(), ids=lambda entry: entry.id)
def test_a_bundled_format_goes_by_all_its_names(entry: FormatEntry) -> None:
    """What formats of several games are called by is no name of one."""
    others = {name for other in bundled_formats() if other.id != entry.id for name in names_of(other)}
    names = names_of(entry) - others
    assert entry.id in names
    for name in (*names, *(name.upper() for name in names)):
        assert format_file(name) == shipped("formats") / f"{entry.id}.yaml"


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("commander", "'commander' may be any of duel-masters/commander, magic/commander"),
        ("duel-masters/comander", "(did you mean DM Commander (duel-masters/commander)?)"),
        ("DMCC", "(did you mean DM Commander (duel-masters/commander)?)"),
        ("xyzzy-xyzzy-xyzzy", "(`deckcheck formats` lists them)"),
        ("", "(`deckcheck formats` lists them)"),
        ("../../../../etc/passwd", "(`deckcheck formats` lists them)"),
        ("a" * 5000, "(`deckcheck formats` lists them)"),
        ("a\0b", "(`deckcheck formats` lists them)"),
        ("nowhere.yaml", "no such file"),
        ("formats.yaml", "can't be read: Is a directory"),
    ],
)
def test_a_name_that_means_no_format_is_told_with_near_ones(reference: str, said: str) -> None:
    Path("formats.yaml").mkdir()
    [problem] = refused(lambda: load_format(reference, opened()))
    assert problem.endswith(said)


# Own ones.


@pytest.mark.parametrize("reference", ["garden/own", "own", "OWN", "nick", "Bed", "庭のBed"])
def test_a_format_is_found_by_all_its_names_at_any_depth(reference: str) -> None:
    file = own("formats/deep/er/whatever.yml", "garden/own")
    assert format_file(reference, folders=FORMATS) == file
    assert most(reference, FORMATS) == 9
    assert refused(lambda: format_file(reference))


def test_what_is_no_format_is_passed_over() -> None:
    own("formats/a.yaml", "garden/a")
    for name in (".hidden.yaml", ".git/x.yaml", ".examples/deep/x.yaml", "a.cases/x.yaml", "a.txt"):
        own(f"formats/{name}", "garden/none")
    put("formats/deck.yaml", "format: garden/none\nname: My deck\nmain: [4 x Rose]\n")
    put("formats/list.yaml", BANNED.format(id="garden/none", card="Rose"))
    put("formats/other.yaml", "- 1\n")
    put("formats/empty.yaml", "")
    Path("formats/loop").symlink_to(Path("formats").absolute(), target_is_directory=True)
    named = [entry.id for entry in known_formats(FORMATS) if not entry.file.is_absolute()]
    assert named == ["garden/a"]
    assert most("garden/a", FORMATS) == 9, "links to folders are not followed"


def test_a_folder_that_is_not_there_holds_nothing_until_it_is_there() -> None:
    assert known_formats(FORMATS) == bundled_formats()
    file = own("formats/a.yaml", "garden/a")
    assert format_file("garden/a", folders=FORMATS) == file


def test_of_one_id_ones_own_comes_before_the_bundled_one_which_it_may_extend() -> None:
    file = own("formats/o.yaml", "duel-masters/original", alias="DMC")
    for name in ("duel-masters/original", "original", "DMC"):
        assert format_file(name, folders=FORMATS) == file
    assert format_file("duel-masters/commander", folders=FORMATS).is_relative_to(shipped("formats"))
    ids = [entry.id for entry in known_formats(FORMATS)]
    assert ids.count("duel-masters/original") == 1 and len(ids) == len(bundled_formats())
    bundled = shipped("formats") / "duel-masters" / "original.yaml"
    assert format_file("duel-masters/original", file, FORMATS) == bundled
    assert format_file("duel-masters/original", Path("formats/other.yaml"), FORMATS) == file


def test_one_id_in_two_files_is_a_mistake_that_names_both() -> None:
    own("formats/a.yaml", "garden/own")
    own("formats/b/c.yaml", "garden/own", alias="b")
    own("formats/fine.yaml", "garden/fine", alias="c")
    said = ["'garden/own' is in 2 files: formats/a.yaml, formats/b/c.yaml"]
    assert refused(lambda: format_file("garden/own", folders=FORMATS)) == said
    assert refused(lambda: known_formats(FORMATS)) == said
    assert most("garden/fine", FORMATS) == 9
    two = Folders((Path("formats"), Path("formats/b")), ())
    Path("formats/a.yaml").unlink()
    assert format_file("garden/own", folders=two) == Path("formats/b/c.yaml"), "seen in two folders"


# Broken ones.


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("garden/shape", "formats/shape.yaml:3:1: unknown key 'rulez'"),
        ("garden/nameless", "formats/nameless.yaml:1:1: missing: name"),
        ("garden/yaml", "formats/yaml.yaml:4:1: not valid YAML"),
        # One name for two formats is a question, and one for none gets a suggestion.
        ("nick", "'nick' may be any of garden/bog, garden/fine"),
        ("garden/bgo", "there is no format 'garden/bgo' (did you mean Bed (garden/bog)?)"),
    ],
)
def test_a_broken_format_hides_neither_itself_nor_others(name: str, said: str) -> None:
    own("formats/fine.yaml", "garden/fine")
    own("formats/bog.yaml", "garden/bog")
    put("formats/shape.yaml", "format: garden/shape\nname: S\nrulez: []\n")
    put("formats/nameless.yaml", "format: garden/nameless\nrules: []\n")
    put("formats/yaml.yaml", "# a list\nformat: 'garden/yaml'\nrules: [\n")
    assert most("garden/fine", FORMATS) == 9
    assert refused(lambda: load_format(name, opened(), FORMATS))[0].startswith(said)


def test_what_cannot_be_read_at_all_is_told_to_whoever_looks_in_vain() -> None:
    put("formats/a.yaml", "rules: [\n")
    Path("formats/b.yaml").write_bytes(b"\xff\xfe")
    own("formats/fine.yaml", "garden/fine")
    assert most("garden/fine", FORMATS) == 9
    first, *others = refused(lambda: format_file("garden/lost", folders=FORMATS))
    assert first.startswith("there is no format 'garden/lost'")
    assert [problem.partition(":")[0] for problem in others] == ["formats/a.yaml", "formats/b.yaml"]
    put("formats/b.yaml", "banlist: garden/list\ncards: [\n")
    assert [problem.path for problem in unread_formats(FORMATS.formats)] == [
        "formats/a.yaml",
        "formats/b.yaml",
    ]
    assert any_broken(FORMATS.formats)
    put("child.yaml", "format: garden/child\nname: C\nextends: garden/lost\n")
    first, *others = refused(lambda: load_format("child.yaml", opened(), FORMATS))
    assert first.startswith("child.yaml:3:1: ") and len(others) == 2


def test_rules_without_the_id_of_a_format_are_told_to_whoever_looks_in_vain() -> None:
    put("formats/slip.yaml", "fromat: garden/slip\nname: S\nrules: []\n")
    own("formats/fine.yaml", "garden/fine")
    assert most("garden/fine", FORMATS) == 9
    said = refused(lambda: format_file("garden/slip", folders=FORMATS))
    assert said[1] == "formats/slip.yaml:1:1: unknown key 'fromat' (did you mean 'format'?)"


@pytest.mark.parametrize("key", ["banlist: [house]\nrules: []", "banlist: [house]", "banlist: garden/house"])
def test_a_key_of_banlists_makes_a_format_no_banlist(key: str) -> None:
    """Else its bundled namesake would judge, and nobody would be told."""
    put("formats/o.yaml", f"format: duel-masters/original\nname: O\nreplaces_bundled: true\n{key}\n")
    [problem] = refused(lambda: load_format("duel-masters/original", opened(), FORMATS))
    assert problem.startswith("formats/o.yaml:4:1: unknown key 'banlist'")


def test_a_key_of_formats_makes_a_banlist_no_other_file() -> None:
    listed = put("lists/l.yaml", BANNED.format(id="duel-masters/hall-of-fame", card="Rose"))
    put("lists/l.yaml", f"format: garden/x\n{listed.read_text()}")
    assert banlist_file("duel-masters/hall-of-fame", Path("x.yaml"), BOTH) == listed
    with pytest.raises(UserError, match="unknown key 'format'"):
        load(listed, "banlist")


def test_a_whole_disk_is_no_folder_of_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "MOST_FILES", 50)
    for number in range(40):
        put(f"many/{number % 11}/{number}.yaml", "")
    [problem] = refused(lambda: known_formats(Folders((Path("many"),))))
    assert problem == "many: too many files, or nested too deeply"


def test_folders_of_formats_are_searched_to_a_bounded_depth() -> None:
    own(f"formats/{'deep/' * lookup.MOST_DEEP}a.yaml", "garden/a")
    assert most("garden/a", FORMATS) == 9
    own(f"formats/{'deep/' * (lookup.MOST_DEEP + 1)}b.yaml", "garden/b")
    [problem] = refused(lambda: known_formats(FORMATS))
    assert problem == "formats: too many files, or nested too deeply"


# What formats name.


def test_what_is_extended_and_what_lists_are_named_is_found_there_too() -> None:
    base = put(
        "formats/base/b.yaml",
        f"format: garden/base\nname: B\nabstract: true\n{ZONES}rules: [{{id: most, at_most: 7}}]\n",
    )
    file = put(
        "formats/x.yaml",
        "format: garden/x\nname: X\nextends: base\nbanlists: [garden/list]\n"
        "rules: [{id: ban, where: {status: out}, at_most: 0}]\n",
    )
    listed = put("lists/any/name.yaml", BANNED.format(id="garden/list", card="Iris"))
    format = loaded("garden/x", BOTH)
    assert [rule.source.path for rule in format.format.rules] == [str(base), str(file)]
    report = check(deck_of((IRIS, 1), (ROSE, 7)), format, as_of="2020-01-01")
    assert [finding.rule for finding in report.findings] == ["most", "ban"]
    assert report.findings[1].source is not None and report.findings[1].source.path == str(listed)
    put("formats/base/b.yaml", f"format: garden/base\nname: B\n{ZONES}rulez: 1\n")
    for reference in ("garden/x", "formats/x.yaml"):
        [problem] = refused(lambda reference=reference: loaded(reference, BOTH))  # type: ignore[misc]
        assert problem.startswith("formats/base/b.yaml:4:1: "), "as it would be written"


def test_lists_are_found_by_id() -> None:
    assert "duel-masters/hall-of-fame" in known_banlists()
    first = put("lists/l.yaml", BANNED.format(id="duel-masters/hall-of-fame", card="Rose"))
    assert banlist_file("duel-masters/hall-of-fame", Path("x.yaml"), BOTH) == first
    assert banlist_file("duel-masters/hall-of-fame", Path("x.yaml")).is_absolute()
    put("lists/m.yaml", BANNED.format(id="duel-masters/hall-of-fame", card="Iris"))
    put("lists/n.yaml", BANNED.format(id="garden/winter", card="Rose"))
    assert "garden/winter" in known_banlists(BOTH)
    for name, said in (
        (
            "duel-masters/hall-of-fame",
            "'duel-masters/hall-of-fame' is in 2 files: lists/l.yaml, lists/m.yaml",
        ),
        ("garden/wintr", "there is no banlist 'garden/wintr' (did you mean 'garden/winter'?)"),
    ):
        put(
            "x.yaml",
            f"format: garden/x\nname: X\n{ZONES}banlists: [{name}]\nrules: [{{id: a, at_most: 1}}]\n",
        )
        assert refused(lambda: load_format("x.yaml", opened(), BOTH)) == [f"x.yaml:4:12: {said}"]


# What is kept between runs.


def test_files_that_come_change_and_go_are_noticed() -> None:
    for number in (3, 5):
        own("formats/a.yaml", "garden/a", most=number)
        assert most("garden/a", FORMATS) == number
    own("formats/deep/b.yaml", "garden/b", most=4)
    assert most("garden/b", FORMATS) == 4
    own("formats/a.yaml", "garden/c", most=2)
    assert most("garden/c", FORMATS) == 2
    assert refused(lambda: most("garden/a", FORMATS))
    Path("formats/deep/b.yaml").unlink()
    assert refused(lambda: most("garden/b", FORMATS))


def test_a_kept_format_is_not_used_when_what_it_names_is_another_file() -> None:
    put("x.yaml", "format: garden/x\nname: X\nextends: garden/base\n")
    for name, number in (("one", 3), ("two", 4)):
        own(f"{name}/base.yaml", "garden/base", most=number)
    one, two = Folders((Path("one"),), ()), Folders((Path("two"),), ())
    assert [most("x.yaml", folders) for folders in (one, two, one)] == [3, 4, 3]
    assert refused(lambda: load_format("x.yaml", opened(), BUNDLED_ONLY))
    # Another file takes its place.
    Path("one/base.yaml").rename("one/old.yaml")
    own("one/old.yaml", "garden/old", most=1)
    own("one/new.yaml", "garden/base", most=6)
    assert most("x.yaml", one) == 6
    own("one/new.yaml", "garden/newer", most=6)
    for number in (2, 5):
        own("one/old.yaml", "garden/base", most=number)
        assert most("x.yaml", one) == number


def test_a_kept_format_is_not_used_when_its_list_is_another_file() -> None:
    rule = "rules: [{id: ban, where: {status: out}, at_most: 0}]\n"
    put("x.yaml", f"format: garden/x\nname: X\n{ZONES}banlists: [garden/list]\n{rule}")
    put("lists/l.yaml", BANNED.format(id="garden/list", card="Rose"))

    def banned() -> list[str]:
        report = check(deck_of((ROSE, 1), (IRIS, 1)), loaded("x.yaml", BOTH), as_of="2020-01-01")
        return [card.name for finding in report.findings for card in finding.cards]

    assert banned() == ["Rose"]
    put("lists/l.yaml", BANNED.format(id="garden/other", card="Rose"))
    put("lists/m.yaml", BANNED.format(id="garden/list", card="Iris"))
    assert banned() == ["Iris"]
    put("lists/m.yaml", BANNED.format(id="garden/list", card="Rose"))
    assert banned() == ["Rose"]
    names = {path.as_posix() for path in searched_files(BOTH)}
    assert names == {"formats", "lists", "lists/l.yaml", "lists/m.yaml"}
