"""The hooks of pre-commit, run by pre-commit itself: those that this repository publishes and the one that init writes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from factories.scratch_repositories import (
    DECKS,
    ILLEGAL,
    ROOT,
    committed,
    deck_repository,
    deckcheck,
    fresh_copy,
    git,
    outside,
    put,
    put_illegal,
)
from pre_commit.clientlib import load_manifest

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
OWN = {
    "rules/friday.yaml": "format: club/friday\ngame: duel-masters\nname: Friday highlander\n"
    "banlists: [club/list]\nzones: {main: {}}\nrules:\n"
    "  - {id: singleton, per: name, at_most: 1}\n  - {id: listed, where: {status: premium}, at_most: 0}\n",
    "rules/club.yaml": "banlist: club/list\nname: Club list\n"
    "cards: [{card: フェアリー・ライフ, history: [{from: 2020-01-01, status: premium}]}]\n",
    "rules/friday.cases/legal.txt": "# expect: legal\n1 x アクア・ハルカス\n",
    "rules/friday.cases/two.txt": "# expect: singleton\n2 x アクア・ハルカス\n",
    "friday/a.txt": "1 x アクア・ハルカス\n",
    "requirements.txt": "deckcheck\n",
}
"""A format of the repository's own with its list, cases and a deck, and a text that is none."""


class Source(NamedTuple):
    """A commit of this project, a wheel of it, and where pre-commit keeps its environments."""

    copy: Path
    commit: str
    wheels: Path
    home: Path


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    folder = tmp_path_factory.mktemp("hooks")
    copy = fresh_copy(folder / "copy")
    commit = committed(copy)
    wheels = folder / "wheels"
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), str(copy)],
        env=outside(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return Source(copy, commit, wheels, folder / "home")


def pre_commit(folder: Path, source: Source, *arguments: str) -> tuple[int, str]:
    # Whatever index the machine uses stays in use; our wheel is found beside it.
    links = " ".join(filter(None, [os.environ.get("PIP_FIND_LINKS"), source.wheels.as_uri()]))
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", *arguments],
        cwd=folder,
        env=outside(
            PRE_COMMIT_HOME=str(source.home), PIP_FIND_LINKS=links, PYTHONUTF8="1", PRE_COMMIT_COLOR="never"
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
    )
    return done.returncode, done.stdout.decode()


def outcome(output: str, name: str) -> str:
    [line] = [line for line in output.splitlines() if re.match(rf"{re.escape(name)}\.\.+", line)]
    return line.rpartition(".")[2]


# Which files they look at


@pytest.mark.parametrize(
    ("id", "taken", "others"),
    [
        (
            "deckcheck",
            "a.txt x/デッキ.CSV b.tsv c.yml c.yaml d.json e.dek f.cod g.dck h.ydk reader/a.txt",
            "e.md f.jsonl .gitlab-ci.yml .github/workflows/check.yml x/.hidden/a.txt",
        ),
        (
            "deckcheck-formats",
            "friday.yaml banlists/club.yml formats/friday.cases/two.txt deckcheck.toml sub/pyproject.toml",
            "a.txt mydeckcheck.toml .github/workflows/check.yml",
        ),
    ],
)
def test_which_files_a_hook_looks_at(id: str, taken: str, others: str) -> None:
    files, exclude = HOOKS[id]["files"], HOOKS[id]["exclude"]
    paths = f"{taken} {others}".split()
    assert [one for one in paths if re.search(files, one) and not re.search(exclude, one)] == taken.split()


def test_the_hook_and_a_check_of_the_folder_agree_on_what_is_a_decklist(tmp_path: Path) -> None:
    deck_repository(tmp_path)
    others = {"results.csv": "player,points\nAnna,9\nBen,6\n", "data.json": '{"a": 1}\n'}
    others |= {"README.txt": "Decks of ours.\n", "notes.md": "# Notes\n"}
    for name, text in others.items():
        put(tmp_path, name, text)
    names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    check = ("check", "--output-format", "concise")
    alone, hook = (
        deckcheck(tmp_path, *check, "."),
        deckcheck(tmp_path, *check, "--force-exclude", "--", *names),
    )
    assert (hook.returncode, hook.stdout) == (alone.returncode, alone.stdout)
    assert deckcheck(tmp_path, "check", "--force-exclude", "--", *others).returncode == 0


def test_the_manifest_is_one() -> None:
    assert load_manifest(ROOT / ".pre-commit-hooks.yaml")


# The published hooks


@pytest.fixture
def repository(tmp_path: Path, source: Source) -> Path:
    """A repository of three formats and one of its own, that uses the published hooks."""
    folder = deck_repository(tmp_path / "decks of ours")
    for path, text in OWN.items():
        put(folder, path, text)
    hooks = [{"id": "deckcheck"}, {"id": "deckcheck-formats"}]
    config = {"repo": str(source.copy), "rev": source.commit, "hooks": hooks}
    put(folder, ".pre-commit-config.yaml", yaml.safe_dump({"repos": [config]}))
    assert deckcheck(folder, "init", "--no-github").returncode == 0
    settings = (folder / "deckcheck.toml").read_text("utf-8")
    settings = settings.replace('# formats = ["formats"]', 'formats = ["rules"]')
    settings = settings.replace('# banlists = ["banlists"]', 'banlists = ["rules"]')
    settings += '\n[[decks]]\npath = "friday/**"\nformat = "club/friday"\n'
    put(folder, "deckcheck.toml", settings)
    committed(folder)
    return folder


@pytest.mark.setup
def test_published_hooks_pass_over_what_is_fine_and_stop_what_is_not(
    repository: Path, source: Source
) -> None:
    status, output = pre_commit(repository, source, "run", "--all-files")
    assert status == 0, output
    assert [outcome(output, name) for name in ("deckcheck", "deckcheck formats")] == ["Passed"] * 2
    # A format, a file that the settings exclude, and a file of cards are no decks.
    with (repository / "rules/friday.yaml").open("a", encoding="utf-8") as file:
        file.write("  - {id: few, at_most: 60}\n")
    put(repository, "notes.txt", "next month: sell sleeves\n")
    put(repository, "cards.yaml", "cards: []\n")
    committed(repository)
    status, output = pre_commit(repository, source, "run", "--from-ref", "HEAD~", "--to-ref", "HEAD")
    assert (status, outcome(output, "deckcheck")) == (0, "Passed"), output
    put_illegal(repository)
    git(repository, "add", "--all")
    status, output = pre_commit(repository, source, "run")
    assert (status, outcome(output, "deckcheck")) == (1, "Failed"), output
    assert f"{ILLEGAL}:3:5: error[copies]" in output
    assert "red.csv" not in output, "only what changed is looked at"
    assert outcome(output, "deckcheck formats") == "(no files to check)Skipped"


@pytest.mark.setup
@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        ("rules/friday.yaml", "at_most: 1", "atmost: 1", "rules/friday.yaml:7:32"),
        ("rules/club.yaml", "premium", "premum", "rules/club.yaml:3"),
        ("rules/friday.cases/two.txt", "2 x", "1 x", "two.txt: expected singleton; found legal"),
    ],
)
def test_a_broken_format_is_stopped_whatever_breaks_it(
    repository: Path, source: Source, path: str, old: str, new: str, said: str
) -> None:
    file = repository / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    git(repository, "add", "--all")
    status, output = pre_commit(repository, source, "run", "deckcheck-formats")
    assert (status, outcome(output, "deckcheck formats")) == (1, "Failed"), output
    assert said in output


# The hook that init writes


@pytest.mark.setup
def test_a_wheel_holds_what_init_writes(source: Source) -> None:
    [wheel] = source.wheels.iterdir()
    held = set(zipfile.ZipFile(wheel).namelist())
    folder = ROOT / "deckcheck/templates"
    templates = {file.relative_to(ROOT).as_posix() for file in folder.rglob("*") if file.is_file()}
    assert len(templates) >= 10
    assert templates <= held


@pytest.mark.setup
def test_a_repository_set_up_by_init_alone_is_checked_by_its_hook(tmp_path: Path, source: Source) -> None:
    folder = deck_repository(tmp_path / "decks")
    git(folder, "init", "--quiet")
    assert deckcheck(folder, "init").returncode == 0
    committed(folder)
    status, output = pre_commit(folder, source, "run", "--all-files")
    assert (status, outcome(output, "deckcheck")) == (0, "Passed"), output
    put_illegal(folder)
    git(folder, "add", "--all")
    status, output = pre_commit(folder, source, "run", "--all-files")
    assert (status, outcome(output, "deckcheck")) == (1, "Failed"), output
    assert f"{ILLEGAL}:3:5: error[copies]" in output
    assert f"{len(DECKS) + 1} decks: {len(DECKS)} legal, 1 illegal, 0 undecided" in output
