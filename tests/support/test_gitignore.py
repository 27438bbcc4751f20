"""Patterns mean what they mean to git."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from factories.events import put
from factories.examples import within
from factories.scratch_repositories import git

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.support.gitignore import MOST_CHARACTERS, Patterns, compiled

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def left_by_git(folder: Path) -> set[str]:
    listed = git(folder, "ls-files", "-z", "--others", "--exclude-per-directory=.gitignore")
    return {path for path in listed.split("\0") if path.endswith(".txt")}


def left_by_us(folder: Path) -> set[str]:
    found = [one for one in find_decks([str(folder)]) if isinstance(one, DeckFile)]
    return {os.path.relpath(one.path, folder) for one in found}


def test_a_repository_as_people_have_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    put(
        tmp_path,
        {
            ".gitignore": "\ufeffdrafts/\n/out\n*.old.txt\n!keep.old.txt\nlogs/*\n!logs/kept.txt\n",
            "league/.gitignore": "*\n!.gitignore\n!one.txt\n!old/\n",
            "vendor/.gitignore": "# nothing\n",
            **dict.fromkeys(
                [
                    *("a.txt", "drafts/a.txt", "x/drafts/a.txt", "x/drafts.txt", "out/a.txt", "x/out/a.txt"),
                    *("a.old.txt", "keep.old.txt", "drafts/keep.old.txt", "logs/a.txt", "logs/kept.txt"),
                    *("league/one.txt", "league/two.txt", "league/old/one.txt", "league/old/two.txt"),
                    "vendor/a.old.txt",
                ],
                "1 x\n",
            ),
        },
    )
    left = {"a.txt", "x/drafts.txt", "x/out/a.txt", "keep.old.txt", "logs/kept.txt", "league/one.txt", "league/old/one.txt"}  # fmt: skip
    assert left_by_git(tmp_path) == left
    assert left_by_us(tmp_path) == left
    # The files above a folder hold for it, too; what is named itself is looked through all the same.
    assert left_by_us(tmp_path / "x") == {"drafts.txt", "out/a.txt"}
    assert left_by_us(tmp_path / "drafts") == {"a.txt", "keep.old.txt"}


def test_a_folder_taken_back_brings_nothing_back_that_lies_in_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    put(tmp_path, {".gitignore": "*.txt\nd/\n!d/\n", "e/.gitignore": "!f\n"})
    put(tmp_path, dict.fromkeys(["d/a.txt", "e/f/a.txt", "d/b.csv", "e/f/b.csv"], "1 x\n"))
    assert left_by_us(tmp_path) == {"d/b.csv", "e/f/b.csv"}
    assert left_by_git(tmp_path) == set()


def test_another_repository_within_has_its_own_say(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    put(tmp_path, {".gitignore": "a.txt\n", "inner/.gitignore": "b.txt\n"})
    put(tmp_path, dict.fromkeys(["a.txt", "b.txt", "inner/a.txt", "inner/b.txt"], "1 x\n"))
    assert left_by_us(tmp_path) == {"b.txt"}
    git(tmp_path / "inner", "init", "-q")
    assert left_by_us(tmp_path) == {"b.txt", "inner/a.txt"}
    assert left_by_us(tmp_path / "inner") == {"a.txt"}


def test_outside_of_a_repository_the_file_says_nothing(tmp_path: Path) -> None:
    put(tmp_path, {".gitignore": "*\n", "a.txt": "1 x\n"})
    assert left_by_us(tmp_path) == {"a.txt"}


def test_whatever_bytes_stand_in_the_file(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    put(tmp_path, {"a.txt": "1 x\n", "b.txt": "1 x\n"})
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\0*\n[\n\\\n\n!\nb.txt\n" + b"*" * 5000 + b"x\n")
    assert left_by_us(tmp_path) == left_by_git(tmp_path) == {"a.txt"}
    (tmp_path / ".gitignore").write_bytes(b"a" * 9_000_000)
    assert left_by_us(tmp_path) == {"a.txt", "b.txt"}, "a file that large is no list of patterns"
    (tmp_path / ".gitignore").unlink()
    put(tmp_path, {"patterns": "a.txt\n"})
    (tmp_path / ".gitignore").symlink_to("patterns")
    assert left_by_us(tmp_path) == left_by_git(tmp_path) == {"a.txt", "b.txt"}, (
        "git follows no link to patterns"
    )


@pytest.mark.parametrize("line", ["*a*a*ab", "**/a/" * 4 + "x", "[^b]" * 50, "?" * MOST_CHARACTERS])
def test_no_pattern_takes_long(line: str) -> None:
    pattern = compiled(line)
    assert pattern is not None
    patterns = Patterns("/", [pattern])
    with within(5):
        for path in ("/" + "a" * 255, "/" + "a/" * 120 + "a"):
            patterns.excluded(path)
