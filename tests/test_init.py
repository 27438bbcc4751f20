"""`deckcheck init`: what it finds, what it writes, and what it leaves alone."""

from __future__ import annotations

import os
import re
import stat
import string
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scratch import DECKS, FORMATS, ILLEGAL, ROOT, deck_repository, deckcheck, example, git, put, put_illegal

from deckcheck.errors import UserError
from deckcheck.formats.find import bundled_formats
from deckcheck.scaffold import contents
from deckcheck.scaffold.guess import Guess, Mapped, called, guess, known_formats
from deckcheck.scaffold.put import put as put_once
from deckcheck.scaffold.survey import FoundDeck, Survey

WRITTEN = ("deckcheck.toml", ".pre-commit-config.yaml", ".github/workflows/deckcheck.yml")
KNOWN = known_formats(bundled_formats(), ())


def toml(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "deckcheck.toml").read_text("utf-8"))


def contents_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts[:1]
    }


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    deck_repository(tmp_path)
    git(tmp_path, "init", "--quiet")
    return tmp_path


# What it does, from the outside


def test_three_formats_are_told_apart_and_the_check_is_green(repository: Path) -> None:
    done = deckcheck(repository, "init")
    assert (done.returncode, done.stderr) == (0, "")
    for path in WRITTEN:
        assert f"{path}: written\n" in done.stdout
    assert done.stdout.endswith("\nnext: deckcheck check .\n")
    for path in WRITTEN:
        assert (repository / path).is_file()
    said = {one["path"]: one["format"] for one in toml(repository)["decks"]}
    assert said == {f"{folder}/**": format for folder, format in FORMATS.items()} | {
        "gauntlet/2021/**": "duel-masters/commander"
    }
    checked = deckcheck(repository, "check", ".", "--output-format", "json-lines")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert all(name.rpartition("/")[2] in checked.stdout for name in DECKS)
    assert "notes.txt" not in checked.stdout + checked.stderr


def test_a_list_of_cards_that_nobody_knows_yet_stays_a_deck(repository: Path) -> None:
    (repository / "spoilers.txt").write_text("4 x まだないカードA\n36 x まだないカードB\n", encoding="utf-8")
    assert deckcheck(repository, "init").returncode == 0
    assert "spoilers.txt" not in (repository / "deckcheck.toml").read_text("utf-8")
    checked = deckcheck(repository, "check", "spoilers.txt", "-f", "original")
    assert checked.returncode in (1, 3)
    assert "unknown-card" in checked.stdout


def test_what_is_written_can_be_read_however_many_files_there_are(repository: Path) -> None:
    (repository / "data").mkdir()
    for number in range(1_100):
        (repository / "data" / f"{number}.json").write_text("{}", encoding="utf-8")
    assert deckcheck(repository, "init").returncode == 0
    assert deckcheck(repository, "check", "--show-settings").returncode == 0 or toml(repository)
    assert deckcheck(repository, "check", next(iter(DECKS))).returncode == 0


def test_what_is_illegal_is_reported_after_init(repository: Path) -> None:
    put_illegal(repository)
    assert deckcheck(repository, "init").returncode == 0
    checked = deckcheck(repository, "check", ".")
    assert checked.returncode == 1
    assert f"{ILLEGAL}:3:5: error[copies]" in checked.stdout


def test_a_second_run_has_nothing_to_do(repository: Path) -> None:
    deckcheck(repository, "init")
    before = contents_of(repository)
    done = deckcheck(repository, "init", "--format", "duemagic", "--lang", "ja")
    assert (done.returncode, done.stderr) == (0, "")
    assert contents_of(repository) == before
    assert (
        done.stdout
        == "".join(f"{path}: 変えていません\n" for path in WRITTEN) + "書くものはありませんでした\n"
    )


def test_files_that_are_there_are_kept_and_what_to_add_is_shown(repository: Path) -> None:
    old = "repos:\n  - repo: local\n    hooks: []\n"
    config = put(repository, ".pre-commit-config.yaml", old)
    workflow = put(repository, ".github/workflows/deckcheck.yml", "name: mine\n")
    done = deckcheck(repository, "init")
    assert (done.returncode, config.read_text(), workflow.read_text()) == (0, old, "name: mine\n")
    assert "deckcheck.toml: written\n" in done.stdout
    assert ".github/workflows/deckcheck.yml: kept\n" in done.stdout
    added = done.stdout.partition('add this below "repos:"\n')[2].partition(".github")[0]
    both = yaml.safe_load(old + added)["repos"]
    assert [hook["id"] for one in both for hook in one["hooks"]] == ["deckcheck"]
    config.write_text(old + added, encoding="utf-8")
    assert "add this" not in deckcheck(repository, "init").stdout


def test_settings_in_pyproject_are_not_hidden(repository: Path) -> None:
    put(repository, "pyproject.toml", "[tool.deckcheck]\nlang = 'ja'\n")
    done = deckcheck(repository, "init", "--no-github", "--no-pre-commit")
    assert done.returncode == 0
    assert "[tool.deckcheck] holds the settings" in done.stdout
    assert not (repository / "deckcheck.toml").exists()
    put(repository, "pyproject.toml", "[tool.ruff]\n")
    assert "deckcheck.toml: written" in deckcheck(repository, "init").stdout


def test_what_git_ignores_is_not_looked_at(repository: Path) -> None:
    put(repository, ".gitignore", "bygone/\n")
    for number in range(3):
        put(repository, f"bygone/original/{number}.txt", "no card at all\n")
    done = deckcheck(repository, "init")
    assert "  3 decks found\n" in done.stdout
    assert "bygone" not in done.stdout


def test_options_say_what_is_written(repository: Path) -> None:
    done = deckcheck(repository, "init", "--no-github", "--no-pre-commit", "--gitlab", "--lang", "ja")
    assert done.returncode == 0
    assert contents_of(repository).keys() - {*DECKS, "README.md", "notes.txt"} == {
        "deckcheck.toml",
        ".gitlab-ci.yml",
    }
    assert toml(repository)["lang"] == "ja", "CI knows no locale"
    assert re.search("[ぁ-ん]", (repository / ".gitlab-ci.yml").read_text("utf-8"))


def test_a_folder_may_be_named(tmp_path: Path) -> None:
    deck_repository(tmp_path / "decks of ours")
    done = deckcheck(tmp_path, "init", "decks of ours")
    assert done.returncode == 0
    assert (tmp_path / "decks of ours" / "deckcheck.toml").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["decks of ours"]


def test_the_hook_and_the_workflow_belong_to_the_top_of_a_repository(repository: Path) -> None:
    done = deckcheck(repository, "init", "original")
    assert done.returncode == 0
    assert f"the repository begins at {repository}" in done.stdout
    assert sorted(path.name for path in (repository / "original").iterdir()) == ["deckcheck.toml", "red.csv"]
    assert not (repository / ".github").exists()


def test_an_empty_folder_gets_an_example_and_is_green(tmp_path: Path) -> None:
    done = deckcheck(tmp_path, "init")
    assert done.returncode == 0
    assert "decks/red-original.csv: written\n  an example" in done.stdout
    assert deckcheck(tmp_path, "check", ".").returncode == 0
    (tmp_path / "decks" / "red-original.csv").unlink()
    assert "an example" not in deckcheck(tmp_path, "init").stdout, "nobody wants it twice"


@pytest.mark.parametrize(
    ("format", "game"),
    [
        (None, "duel-masters"),
        ("yugioh/ocg", "yugioh"),
        ("magic/modern", "magic"),
        ("original", "duel-masters"),
    ],
)
def test_the_examples_in_comments_are_of_the_game_at_hand(
    tmp_path: Path, format: str | None, game: str
) -> None:
    asked = () if format is None else ("--format", format)
    assert deckcheck(tmp_path, "init", *asked).returncode == 0
    said = re.findall(r'(?m)^# format = "(.+)/.+"', (tmp_path / "deckcheck.toml").read_text("utf-8"))
    assert said and set(said) == {game}


def test_an_example_is_of_the_format_that_was_asked_for(tmp_path: Path) -> None:
    assert "decks/white-dragon-commander.txt: written" in deckcheck(tmp_path, "init", "-f", "DMC").stdout
    assert toml(tmp_path)["format"] == "duel-masters/commander"
    assert deckcheck(tmp_path, "check", ".").returncode == 0
    other = tmp_path / "other"
    other.mkdir()
    assert "an example" not in deckcheck(other, "init", "-f", "duemagic").stdout, "none of those is legal"


def test_formats_and_banlists_of_ones_own_are_used(tmp_path: Path) -> None:
    put(tmp_path, "rules/friday.yaml", OWN_FORMAT)
    put(tmp_path, "rules/lists/club.yaml", OWN_BANLIST)
    put(tmp_path, "announcement.yaml", OWN_BANLIST.replace("club/list", "duel-masters/hall-of-fame"))
    put(tmp_path, "Friday highlander/a.txt", "1 x アクア・ハルカス\n")
    done = deckcheck(tmp_path, "init")
    assert "formats of your own: rules/friday.yaml\n" in done.stdout
    said = toml(tmp_path)
    assert (said["formats"], said["banlists"]) == (["rules"], ["rules/lists"])
    assert said["decks"] == [{"path": "Friday highlander/**", "format": "club/friday"}]
    assert "deckcheck-formats" not in (tmp_path / ".pre-commit-config.yaml").read_text("utf-8"), (
        "it has no cases"
    )
    assert deckcheck(tmp_path, "check", ".").returncode == 0


def test_formats_with_cases_are_tried_and_cases_are_no_decks(tmp_path: Path) -> None:
    put(tmp_path, "friday.yaml", OWN_FORMAT)
    put(tmp_path, "lists/club.yaml", OWN_BANLIST)
    put(tmp_path, "friday.cases/legal.txt", "# expect: legal\n1 x アクア・ハルカス\n")
    put(tmp_path, "friday.cases/two.txt", "# expect: singleton\n2 x アクア・ハルカス\n")
    put(tmp_path, "friday/a.txt", "1 x アクア・ハルカス\n")
    done = deckcheck(tmp_path, "init", "--gitlab")
    assert "  1 deck found\n" in done.stdout
    for path in (*WRITTEN[1:], ".gitlab-ci.yml"):
        assert "deckcheck formats test" in (tmp_path / path).read_text("utf-8")
    assert deckcheck(tmp_path, "check", ".").returncode == 0
    tried = deckcheck(tmp_path, "formats", "test")
    assert (tried.returncode, tried.stderr) == (0, "")
    assert "friday.cases/two.txt: illegal, singleton" in tried.stdout


OWN_FORMAT = """\
format: club/friday
game: duel-masters
name: Friday highlander
banlists: [club/list]
zones:
  main: {}
rules:
  - id: singleton
    per: name
    at_most: 1
  - id: listed
    where: {status: premium}
    at_most: 0
"""
OWN_BANLIST = """\
banlist: club/list
name: Club list
cards:
  - card: フェアリー・ライフ
    history: [{from: 2020-01-01, status: premium}]
"""


# What it refuses


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere: error: no such folder"),
        (["--format", "duemagik"], "there is no format 'duemagik'"),
        (["--format", "nowhere.yaml"], "nowhere.yaml: error: no such file"),
        (["--requirement", "--index-url=http://localhost"], "pip can't be given"),
        (["--requirement", "a\nb"], "pip can't be given"),
        (["--requirement", "${{ github.token }}"], "pip can't be given"),
        (["--requirement", ""], "pip can't be given"),
        (["--requirement", "x" * 2000], "pip can't be given"),
    ],
)
def test_mistakes_are_status_2_and_nothing_is_written(
    repository: Path, arguments: list[str], said: str
) -> None:
    before = contents_of(repository)
    done = deckcheck(repository, "init", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert contents_of(repository) == before


def test_a_folder_that_cannot_be_written_is_told(repository: Path) -> None:
    put(repository, ".github", "a file, no folder\n")
    done = deckcheck(repository, "init")
    assert done.returncode == 2
    assert ".github/workflows/deckcheck.yml: error: can't be written" in done.stderr


# Each file by itself


def test_nothing_is_written_over_or_left_behind(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b.txt"
    assert put_once(file, "one\n")
    assert not put_once(file, "two\n")
    assert (file.read_bytes(), [one.name for one in file.parent.iterdir()]) == (b"one\n", ["b.txt"])
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~mask
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    assert not put_once(link, "three\n"), "a link that leads nowhere is there, too"
    assert not (tmp_path / "nowhere").exists()


def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = put(tmp_path, "a.txt", "theirs\n")
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    assert not put_once(file, "ours\n")
    assert (file.read_text(), len(list(tmp_path.iterdir()))) == ("theirs\n", 1)


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Path, __: Path) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    assert put_once(tmp_path / "a.txt", "ours\n")
    assert not put_once(tmp_path / "a.txt", "again\n")
    assert [one.read_text() for one in tmp_path.iterdir()] == ["ours\n"]


@pytest.mark.parametrize("formats", [False, True])
def test_both_languages_say_the_same_to_machines(formats: bool) -> None:
    for make in (contents.workflow, contents.gitlab, contents.pre_commit):
        ja, en = (make("deckcheck==1.0", lang, formats=formats) for lang in ("ja", "en"))
        assert ja != en
        assert "@" not in re.sub(r"@v\d+", "", ja + en), "a marker was left"
        assert without_names(yaml.safe_load(ja)) == without_names(yaml.safe_load(en))


def without_names(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_names(value) for key, value in data.items() if key != "name"}
    return [without_names(one) for one in data] if isinstance(data, list) else data


def test_the_hooks_are_those_that_are_published() -> None:
    published = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    [local] = yaml.safe_load(contents.pre_commit("x", "en", formats=True))["repos"]
    for ours, theirs in zip(local["hooks"], published, strict=True):
        assert ours.pop("additional_dependencies") == ["x"]
        del theirs["description"]
        assert ours == theirs


@given(st.text(min_size=1, max_size=60))
def test_a_requirement_is_one_word_wherever_it_stands(text: str) -> None:
    import shlex

    try:
        contents.require_requirement(text)
    except UserError:
        return
    [local] = yaml.safe_load(contents.pre_commit(text, "ja", formats=False))["repos"]
    assert local["hooks"][0]["additional_dependencies"] == [text]
    steps = yaml.safe_load(contents.workflow(text, "en", formats=True))["jobs"]["decks"]["steps"]
    gitlab = yaml.safe_load(contents.gitlab(text, "en", formats=True))["deckcheck"]["before_script"]
    for script in (steps[2]["run"], *gitlab):
        assert shlex.split(script) == ["python", "-m", "pip", "install", text]


# Guessing


def decks(*said: str) -> list[FoundDeck]:
    """From "path" and "path=format"."""
    split = [one.partition("=") for one in said]
    return [FoundDeck(tuple(path.split("/")), format or None) for path, _, format in split]


@pytest.mark.parametrize(
    ("found", "format", "folders", "left_open"),
    [
        (["a.txt"], None, {}, 1),
        (["a.txt=original", "b.txt"], "duel-masters/original", {}, 0),
        (["x/a.txt=original", "x/b.txt"], None, {"x": "duel-masters/original"}, 0),
        (["x/a.txt=original", "y/b.txt"], None, {"x": "duel-masters/original"}, 1),
        (["x/a.txt=original", "y/b.txt=オリジナル"], "duel-masters/original", {}, 0),
        (["x/a.txt=original", "x/b.txt=advance"], None, {}, 0),
        (["x/a.txt=no such", "x/b.txt"], None, {}, 1),
        (["Duel Party/a.txt", "デュエパ/b.txt", "duel-masters-duemagic/c.txt"], None, {
            "Duel Party": "duel-masters/duel-party",
            "duel-masters-duemagic": "duel-masters/duemagic",
            "デュエパ": "duel-masters/duel-party",
        }, 0),
        (["DMC/a.txt=original", "b.txt"], None, {"DMC": "duel-masters/commander"}, 1),
        (["w/x/a.txt=original", "w/y/b.txt=original", "w/dmc/c.txt"], None, {
            "w": "duel-masters/original",
            "w/dmc": "duel-masters/commander",
        }, 0),
        (["original/old/a.txt=advance", "original/b.txt"], None, {
            "original": "duel-masters/original",
            "original/old": "duel-masters/advance",
        }, 0),
    ],
)  # fmt: skip
def test_guesses(found: list[str], format: str | None, folders: dict[str, str], left_open: int) -> None:
    guessed = guess(decks(*found), KNOWN)
    assert guessed.format == format
    assert {"/".join(one.parts): one.format for one in guessed.folders} == folders
    assert guessed.open == left_open


def test_a_name_that_two_formats_have_says_nothing() -> None:
    one, other = KNOWN[0], KNOWN[1]._replace(calls=KNOWN[0].calls)
    assert called(one.id, [one]) == one.id
    assert called(one.id, [one, other]) is None


# Hostile names

names = st.text(
    st.one_of(
        st.sampled_from(string.punctuation.replace("/", "") + " \n\r\t\x7f\x85\u2028\u202e"),
        st.characters(exclude_characters="/\0", exclude_categories=["Cs"]),
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: name not in (".", ".."))


@given(st.lists(st.lists(names, min_size=1, max_size=3), max_size=4), st.lists(names, max_size=3))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_no_name_breaks_out_of_its_string(folders: list[list[str]], files: list[str]) -> None:
    guessed = Guess("a/b", tuple(Mapped(tuple(parts), "c/d", False) for parts in folders), 0)
    found = Survey(no_decks=tuple((name,) for name in files))
    said = tomllib.loads(contents.settings(guessed, found, "ja", "e/f"))
    assert said.keys() <= {"format", "lang", "exclude", "decks"}
    assert [one.keys() for one in said.get("decks", [])] == [{"path", "format"}] * len(folders)
    assert [one["path"] for one in said.get("decks", [])] == [
        contents.all_below(tuple(one)) for one in folders
    ]
    assert len(said.get("exclude", [])) == len(files)


HOSTILE = [
    "a' b",
    'q"uote',
    "${{ github.token }}",
    "[x]*?",
    "!no",
    "#c",
    " lead",
    "back\\slash",
    "-rf",
    "$(x);`y`",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_folder_of_any_name_is_mapped_to_its_format(tmp_path: Path, name: str) -> None:
    for path, with_format in ((f"{name}/said.csv", True), (f"{name}/inner/open.csv", False)):
        put(tmp_path, path, example("red-original.csv", header=with_format))
    put(tmp_path, "other/white.txt", example("white-dragon-commander.txt"))
    put(tmp_path, f"other/{name}.txt", "not a card in here\n")
    done = deckcheck(tmp_path, "init")
    assert done.returncode == 0
    checked = deckcheck(tmp_path, "check", ".")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "open.csv" in checked.stdout
    for path in WRITTEN[1:]:
        assert name not in (tmp_path / path).read_text("utf-8").replace("${{ !cancelled()", "")


def test_names_that_are_no_text_are_left_alone(tmp_path: Path) -> None:
    deck_repository(tmp_path)
    folder = os.path.join(os.fsencode(tmp_path), b"\xff\xfe")  # noqa: PTH118 - a name that is no text
    try:
        os.mkdir(folder)  # noqa: PTH102 - as above
    except OSError:
        pytest.skip("this file system has no such names")
    with open(os.path.join(folder, b"a.txt"), "wb") as file:  # noqa: PTH118, PTH123 - as above
        file.write(b"4 x nothing\n")
    done = deckcheck(tmp_path, "init")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(toml(tmp_path)["decks"]) == 3
