"""`deckcheck init`: what it finds, what it writes, and what it refuses."""

from __future__ import annotations

import os
import re
import string
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from factories.scratch_repositories import (
    DECKS,
    FORMATS,
    ILLEGAL,
    ROOT,
    deck_repository,
    deckcheck,
    example,
    git,
    put,
    put_illegal,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckcheck import scaffold
from deckcheck.support import VERSION

HOOK, WORKFLOW, GITLAB = ".pre-commit-config.yaml", ".github/workflows/deckcheck.yml", ".gitlab-ci.yml"
WRITTEN = ("deckcheck.toml", HOOK, WORKFLOW)


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


def test_a_repository_is_set_up_and_its_decks_are_checked(repository: Path) -> None:
    put(repository, ".gitignore", "bygone/\n")
    put(repository, "bygone/original/red.csv", example("red-original.csv", header=False))
    done = deckcheck(repository, "init")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.partition(":")[0] for line in done.stdout.splitlines() if ": written" in line] == [*WRITTEN]
    decks = [{"path": f"{path}/**", "format": format} for path, format in FORMATS.items()]
    assert tomllib.loads((repository / "deckcheck.toml").read_text("utf-8"))["decks"] == decks
    checked = deckcheck(repository, "check", ".", "--output-format", "json-lines")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert all(name.rpartition("/")[2] in checked.stdout for name in DECKS)
    assert "notes.txt" not in checked.stdout + checked.stderr
    put_illegal(repository)
    assert f"{ILLEGAL}:3:5: error[copies]" in deckcheck(repository, "check", ".").stdout

    before = contents_of(repository)
    again = deckcheck(repository, "init", "--format", "duemagic", "--lang", "ja")
    assert (again.returncode, again.stderr) == (0, "")
    kept = "".join(f"{path}: 変えていません\n" for path in WRITTEN)
    assert again.stdout == f"{kept}書くものはありませんでした\n"
    assert contents_of(repository) == before


def test_files_that_are_there_are_kept_and_what_to_add_is_shown(repository: Path) -> None:
    old = "repos:\n  - repo: local\n    hooks: []\n"
    config = put(repository, HOOK, old)
    workflow = put(repository, WORKFLOW, "name: mine\n")
    done = deckcheck(repository, "init")
    assert (done.returncode, config.read_text(), workflow.read_text()) == (0, old, "name: mine\n")
    assert "deckcheck.toml: written\n" in done.stdout
    assert f"{WORKFLOW}: kept\n" in done.stdout
    added = done.stdout.partition('add this below "repos:"\n')[2].partition(".github")[0]
    both = yaml.safe_load(old + added)["repos"]
    assert [hook["id"] for repo in both for hook in repo["hooks"]] == ["deckcheck"]
    config.write_text(old + added, encoding="utf-8")
    assert "add this" not in deckcheck(repository, "init").stdout


def test_a_folder_may_be_named_and_pipelines_belong_to_the_top_of_a_repository(tmp_path: Path) -> None:
    folder = deck_repository(tmp_path / "decks of ours")
    done = deckcheck(tmp_path, "init", folder.name)
    assert "next: deckcheck check 'decks of ours'\n" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]
    assert (folder / WORKFLOW).is_file()
    git(folder, "init", "--quiet")
    done = deckcheck(folder, "init", "original")
    assert f"the repository begins at {folder}" in done.stdout
    assert sorted(path.name for path in (folder / "original").iterdir()) == ["deckcheck.toml", "red.csv"]


# Pipelines


def pipeline(kind: scaffold.Pipeline, lang: str) -> Any:
    """The pipeline as its tool reads it, with the lines in comments."""
    return yaml.safe_load(re.sub(r"(?m)^(\s+)# (- |  )", r"\1\2", scaffold.pipeline(kind, lang)))


def without_names(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_names(value) for key, value in data.items() if key != "name"}
    return [without_names(item) for item in data] if isinstance(data, list) else data


@pytest.mark.parametrize("kind", get_args(scaffold.Pipeline))
def test_both_languages_say_the_same_to_machines(kind: scaffold.Pipeline) -> None:
    ja, en = (pipeline(kind, lang) for lang in ("ja", "en"))
    assert without_names(ja) == without_names(en)
    assert "deckcheck formats test" in str(en)


def test_the_hooks_are_those_that_are_published() -> None:
    published = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    [local] = pipeline("pre_commit", "en")["repos"]
    for ours, theirs in zip(local["hooks"], published, strict=True):
        assert ours.pop("additional_dependencies") == [f"deckcheck=={VERSION}"]
        del theirs["description"]
        assert ours == theirs
    assert published[0]["args"] == ["--"], "no file's name is taken for an option"


# Hostile names

names = st.text(
    st.one_of(
        st.sampled_from(string.punctuation.replace("/", "") + " \n\r\t\x7f\x85\u2028\u202e"),
        st.characters(exclude_characters="/\0", exclude_categories=["Cs"]),
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: name not in (".", ".."))


@given(st.lists(st.lists(names, min_size=1, max_size=3), max_size=4, unique_by=tuple))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_no_name_breaks_out_of_its_string(folders: list[list[str]]) -> None:
    formats = {"/".join(parts): "c/d" for parts in folders}
    said = tomllib.loads(scaffold.settings("a/b", formats, "ja"))
    assert said.keys() <= {"format", "lang", "decks"}
    paths = [table["path"] for table in said.get("decks", [])]
    assert paths == [scaffold.folder_pattern(folder) for folder in formats]


HOSTILE = (
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
)


def test_a_folder_of_any_name_is_mapped_to_its_format(tmp_path: Path) -> None:
    for name in HOSTILE:
        put(tmp_path, f"{name}/original/open.csv", example("red-original.csv", header=False))
        put(tmp_path, f"other/{name}.txt", "not a card in here\n")
    assert deckcheck(tmp_path, "init").returncode == 0
    checked = deckcheck(tmp_path, "check", ".")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"{len(HOSTILE)} decks: {len(HOSTILE)} legal" in checked.stdout
    for path in (HOOK, WORKFLOW):
        text = (tmp_path / path).read_text("utf-8").replace("${{ !cancelled()", "")
        assert not any(name in text for name in HOSTILE)


def test_names_that_are_no_text_are_left_alone(tmp_path: Path) -> None:
    deck_repository(tmp_path)
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system has no such names")
    (folder / "a.txt").write_text("4 x nothing\n", encoding="utf-8")
    done = deckcheck(tmp_path, "init")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "deckcheck.toml").read_text("utf-8").count("\n[[decks]]") == 2
