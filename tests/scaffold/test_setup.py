"""`deckcheck init`: what it finds, what it writes, and what it refuses."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from factories.scratch_repositories import (
    DECKS,
    FORMATS,
    ILLEGAL,
    OWN_BANLIST,
    OWN_FORMAT,
    deck_repository,
    deckcheck,
    git,
    put,
    put_illegal,
)

from deckcheck.support import VERSION

WRITTEN = ("deckcheck.toml", ".pre-commit-config.yaml", ".github/workflows/deckcheck.yml")


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
        assert re.search(rf"(?m)^{re.escape(path)}: written(; .+)?$", done.stdout)
    assert done.stdout.splitlines()[-4:] == [
        f"installs: deckcheck=={VERSION}",
        "next: deckcheck check .",
        "next: pre-commit install (enables the hook)",
        "next: git push (starts the workflow)",
    ]
    for path in WRITTEN:
        assert (repository / path).is_file()
    said = {one["path"]: one["format"] for one in toml(repository)["decks"]}
    assert said == {f"{folder}/**": format for folder, format in FORMATS.items()}, (
        "a list in gauntlet says its own"
    )
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


def test_what_is_illegal_is_reported_after_init(repository: Path) -> None:
    put_illegal(repository)
    assert deckcheck(repository, "init").returncode == 0
    checked = deckcheck(repository, "check", ".")
    assert checked.returncode == 1
    assert f"{ILLEGAL}:3:5: error[copies]" in checked.stdout


def test_names_of_folders_in_either_language_are_names_of_formats(tmp_path: Path) -> None:
    """By the same look-up as everywhere else; several formats of one name say nothing."""
    for folder in ("Duel Party", "デュエパ", "w/dmc", "w/x", "original/old"):
        put(tmp_path, f"{folder}/a.txt", "1 x アクア・ハルカス\n")
    put(tmp_path, "standard/notes.md", "no list in here\n")
    assert deckcheck(tmp_path, "init").returncode == 0
    assert {one["path"]: one["format"] for one in toml(tmp_path)["decks"]} == {
        "Duel Party/**": "duel-masters/duel-party",
        "original/**": "duel-masters/original",
        "w/dmc/**": "duel-masters/commander",
        "デュエパ/**": "duel-masters/duel-party",
    }


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
    assert "the settings are in [tool.deckcheck]" in done.stdout
    assert not (repository / "deckcheck.toml").exists()
    put(repository, "pyproject.toml", "[tool.ruff]\n")
    assert "deckcheck.toml: written" in deckcheck(repository, "init").stdout


def test_what_git_ignores_is_not_looked_at(repository: Path) -> None:
    put(repository, ".gitignore", "bygone/\n")
    for number in range(3):
        put(repository, f"bygone/original/{number}.txt", "no card at all\n")
    done = deckcheck(repository, "init")
    assert "original/: duel-masters/original\n" in done.stdout
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
    assert done.returncode == 0
    for path in (*WRITTEN[1:], ".gitlab-ci.yml"):
        assert "deckcheck formats test" in (tmp_path / path).read_text("utf-8")
    assert deckcheck(tmp_path, "check", ".").returncode == 0
    tried = deckcheck(tmp_path, "formats", "test")
    assert (tried.returncode, tried.stderr) == (0, "")
    assert "friday.cases/two.txt: illegal, singleton" in tried.stdout


# What it refuses


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere: error: no such folder"),
        (["--format", "duemagik"], "there is no format 'duemagik'"),
        (["--format", "nowhere.yaml"], "nowhere.yaml: error: no such file"),
        (["--requirement", "--index-url=http://localhost"], "pip cannot install"),
        (["--requirement", "a\nb"], "pip cannot install"),
        (["--requirement", "${{ github.token }}"], "pip cannot install"),
        (["--requirement", ""], "pip cannot install"),
        (["--requirement", "x" * 2000], "pip cannot install"),
        (["--facts", "--into=x"], "--facts: '--into=x' names no file or address"),
        (["--facts", "${{ github.token }}"], "names no file or address"),
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
