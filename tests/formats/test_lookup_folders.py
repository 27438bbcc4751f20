"""A project's own formats, in its own folders: which are found, and what is told of broken ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from factories.garden_game import opened
from factories.own_formats import BANNED, FORMATS, most, own, put

from deckcheck.formats.loading import load_format
from deckcheck.formats.lookup import MOST_FILES, Folders, bundled_formats, format_file, known_formats
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
        assert problem.message.en == f"'garden/own' is in 2 files: {files}"
        assert problem.message.ja == f"「garden/own」が2つのファイルにあります: {files.replace(', ', '、')}"
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
    assert caught.value.problems[0].hint.en == "did you mean Bed (garden/alpine)?"


# Broken ones.


def test_a_broken_format_hides_neither_itself_nor_others() -> None:
    own("formats/fine.yaml", "garden/fine")
    put("formats/shape.yaml", "format: garden/shape\nname: S\nrulez: []\n")
    put("formats/nameless.yaml", "format: garden/nameless\nrules: []\n")
    put("formats/yaml.yaml", "# a list\nformat: 'garden/yaml'\nrules: [\n")
    assert most("garden/fine", FORMATS) == 9
    for name, said in (
        ("shape", "formats/shape.yaml:3:1: unknown key 'rulez'"),
        ("nameless", "formats/nameless.yaml:1:1: missing: name"),
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
