"""Patterns mean what they mean to git."""

from __future__ import annotations

import os
import shutil
import subprocess
import warnings
from collections.abc import Mapping
from pathlib import Path

import pytest
from factories.examples import examples
from factories.time_limits import within
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.config.patterns import MOST_CHARACTERS, Patterns, make_relative, translate, translate_all

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

# What a user told git for all of a machine has no say here.
ALONE = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=folder, env=ALONE, check=True, capture_output=True, timeout=60
    ).stdout.decode()


def make(folder: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode())


def left_by_git(folder: Path) -> set[str]:
    listed = git(folder, "ls-files", "-z", "--others", "--exclude-per-directory=.gitignore")
    return {path for path in listed.split("\0") if path.endswith(".txt")}


def left_by_us(folder: Path) -> set[str]:
    found = [one for one in find_decks([str(folder)]) if isinstance(one, DeckFile)]
    return {os.path.relpath(one.path, folder) for one in found}


FOLDERS = ["a", "b", "cc", "a.d", "[a]", "#h", "!n", "b c"]
FILES = ["x.txt", "a.txt", "[a].txt", "#h.txt", "!n.txt", "b c.txt", "ab.txt", "a.d.txt", "1.txt"]
PIECES = [
    *("a", "b", "cc", "a.d", "*", "**", "***", "?", "*.txt", "x.txt", "a*", "*a*", "x*", "*.d", "?.txt"),
    *(
        "[ab]",
        "[!a]*",
        "[^a].txt",
        "[a-c]?",
        "[a].txt",
        "[[a]*",
        "[]a]*",
        "[^[^]*",
        "?[!a]x.txt",
        "a[^b]x.txt",
        "a[+-9]x.txt",
    ),
    *("[[:alpha:]].txt", "[[:digit:]a-c]*", "\\[a\\]", "\\#h", "\\!n", "#h*", "b c", "b\\ c", "\\*"),
]
LINES = st.builds(
    lambda sign, start, pieces, end, blank: sign + start + "/".join(pieces) + end + blank,
    st.sampled_from(["", "", "", "!"]),
    st.sampled_from(["", "", "/", "**/"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3),
    st.sampled_from(["", "", "/", "/**", "/*"]),
    st.sampled_from(["", "", " ", "\r"]),
)
ODD = st.sampled_from(
    [
        "",
        "# c",
        "!",
        "/",
        "\\",
        "*",
        "!*/",
        "!*.txt",
        "**/",
        "a//b",
        "[",
        "[a",
        "x[",
        "\\ ",
        "!!a",
        "a\\",
        "[z-a]*",
    ]
)
IGNORES = st.lists(st.one_of(LINES, LINES, LINES, ODD), min_size=1, max_size=4).map("\n".join)
PATHS = st.builds(
    lambda above, name: "/".join([*above, name]),
    st.lists(st.sampled_from(FOLDERS), max_size=3),
    st.sampled_from(FILES),
)


@examples(60)
@given(
    st.sets(PATHS, min_size=1, max_size=8),
    st.dictionaries(st.sampled_from(["", "a/", "b/", "a/b/", "cc/"]), IGNORES, min_size=1, max_size=3),
    st.sampled_from(["", "\n"]),
)
def test_a_folder_holds_what_git_sees_in_it(
    tmp_path_factory: pytest.TempPathFactory, paths: set[str], ignores: dict[str, str], end: str
) -> None:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q")
    make(folder, dict.fromkeys(paths, "1 x\n"))
    make(folder, {f"{place}.gitignore": text + end for place, text in ignores.items()})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert left_by_us(folder) == left_by_git(folder)


def test_a_repository_as_people_have_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(
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
    make(tmp_path, {".gitignore": "*.txt\nd/\n!d/\n", "e/.gitignore": "!f\n"})
    make(tmp_path, dict.fromkeys(["d/a.txt", "e/f/a.txt", "d/b.csv", "e/f/b.csv"], "1 x\n"))
    assert left_by_us(tmp_path) == {"d/b.csv", "e/f/b.csv"}
    assert left_by_git(tmp_path) == set()


def test_another_repository_within_has_its_own_say(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, {".gitignore": "a.txt\n", "inner/.gitignore": "b.txt\n"})
    make(tmp_path, dict.fromkeys(["a.txt", "b.txt", "inner/a.txt", "inner/b.txt"], "1 x\n"))
    assert left_by_us(tmp_path) == {"b.txt"}
    git(tmp_path / "inner", "init", "-q")
    assert left_by_us(tmp_path) == {"b.txt", "inner/a.txt"}
    assert left_by_us(tmp_path / "inner") == {"a.txt"}


def test_outside_of_a_repository_the_file_says_nothing(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "*\n", "a.txt": "1 x\n"})
    assert left_by_us(tmp_path) == {"a.txt"}


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, {"a.txt": "1 x\n", "b.txt": "1 x\n"})
    for at, (text, left) in enumerate(
        [("a.txt\n", {"b.txt"}), ("b.txt\n", {"a.txt"}), ("", {"a.txt", "b.txt"})]
    ):
        make(tmp_path, {".gitignore": text})
        os.utime(tmp_path / ".gitignore", ns=(10**9 * (at + 1),) * 2)
        assert left_by_us(tmp_path) == left
        assert left_by_us(tmp_path) == left
    (tmp_path / ".gitignore").unlink()
    assert left_by_us(tmp_path) == {"a.txt", "b.txt"}


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_git_follows_no_link_to_patterns(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, {"a.txt": "1 x\n", "patterns": "a.txt\n"})
    (tmp_path / ".gitignore").symlink_to("patterns")
    assert left_by_us(tmp_path) == left_by_git(tmp_path) == {"a.txt"}


def test_whatever_bytes_stand_in_the_file(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, {"a.txt": "1 x\n", "b.txt": "1 x\n"})
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\0*\n[\n\\\n\n!\nb.txt\n" + b"*" * 5000 + b"x\n")
    assert left_by_us(tmp_path) == left_by_git(tmp_path) == {"a.txt"}
    (tmp_path / ".gitignore").write_bytes(b"a" * 9_000_000)
    assert left_by_us(tmp_path) == {"a.txt", "b.txt"}, "a file that large is no list of patterns"


@pytest.mark.parametrize("line", ["", " ", "#", "# x", "!", "/", "!/", "a//b", "//a"])
def test_lines_that_mean_nothing(line: str) -> None:
    assert translate(line) is None


@pytest.mark.parametrize("line", ["a\\", "[z-a]", "x" * (MOST_CHARACTERS + 1)])
def test_lines_that_cannot_be_understood(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        translate(line)
    assert translate_all(f"{line}\nb\n") == translate_all("b\n")


@given(st.text(max_size=30), st.text(max_size=30))
def test_whatever_stands_in_a_pattern(line: str, path: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Patterns(translate_all(line)).verdict(path, False)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("*a" * 400 + "*b", "a" * 5_000 + "bc"),
        ("*a" * 20 + "*b", "a" * 5_000),
        ("*" + "?" * 200 + "*b", "a" * 5_000 + "bc"),
        ("**/a/" * 190 + "b", "a/" * 2_000 + "b/c"),
        ("**/*a*a/" * 100 + "*b", ("a" * 40 + "/") * 400 + "bc"),
        ("/**/a/**/*x*/**/b/**", "a/" * 2_000 + "c"),
    ],
)
def test_no_pattern_takes_long(line: str, path: str) -> None:
    """The ways to spread stars over a name are more than anyone can wait for."""
    patterns = Patterns(translate_all(line))
    with within(5):
        assert patterns.verdict(path, False) is None


PARTS = st.sampled_from(["a", "b.txt", ".", "..", "", "天災"])


@given(st.lists(PARTS, max_size=5), st.booleans(), st.sampled_from(["", "a", "a/b.txt"]))
def test_the_way_from_a_folder(parts: list[str], absolute: bool, root: str) -> None:
    here = str(Path.cwd())
    path = "/".join(parts) if not absolute else "/".join([here, *parts])
    start = str(Path(here, root))
    relative_to_it = make_relative(start)
    relative = os.path.relpath(os.path.normpath(os.path.join(here, path)), start).replace(os.sep, "/")  # noqa: PTH118
    expected = "" if relative == "." else None if relative.split("/")[0] == ".." else relative
    assert relative_to_it(path) == expected
    assert relative_to_it(path) == expected, "however often it is asked"
