"""Files are written whole or not at all; folders are walked in order, past what can't be followed."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from factories.scratch_repositories import deckcheck, example, outside, put

from deckcheck.support.errors import UserError
from deckcheck.support.files import open_atomically, open_output, walk, write_atomically, write_new

KILLED = """
import os, signal, sys
from pathlib import Path
from deckcheck.support.files import open_atomically
with open_atomically(Path(sys.argv[1])) as stream:
    stream.write(b"half")
    stream.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
FULL_DISK = """
import resource, sys
from pathlib import Path
from deckcheck.support.files import write_atomically
# A module that is imported from here on must not be cached in part.
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
try:
    write_atomically(Path(sys.argv[1]), b"new" * 100_000, durable=True)
except OSError as error:
    raise SystemExit(7) from error
"""


def python(code: str, *arguments: str, folder: Path) -> int:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, env=outside(), capture_output=True, timeout=60
    ).returncode


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_writer_that_fails_or_is_killed_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"one")
    with pytest.raises(KeyError), open_atomically(file) as stream:
        stream.write(b"half")
        raise KeyError
    assert (file.read_bytes(), names(tmp_path)) == (b"one", ["file"])
    assert python(KILLED, str(file), folder=tmp_path) == -signal.SIGKILL
    assert file.read_bytes() == b"one"
    write_atomically(file, b"two")
    assert file.read_bytes() == b"two"


def test_many_writers_leave_one_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "file"

    def write(letter: str) -> None:
        for _ in range(20):
            write_atomically(file, letter.encode() * 5000)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, "abcdef"))
    assert len(file.read_bytes()) == 5000
    assert len(set(file.read_bytes())) == 1
    assert names(tmp_path) == ["file"]


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "table"
    file.write_bytes(b"good")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert python(FULL_DISK, str(file), folder=tmp_path) == 7
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_who_may_read_what_is_written(tmp_path: Path) -> None:
    def mode(file: Path) -> int:
        return stat.S_IMODE(file.stat().st_mode)

    private, public = tmp_path / "private", tmp_path / "public"
    write_atomically(private, b"")
    assert mode(private) == 0o600
    mask = os.umask(0o022)
    try:
        write_atomically(public, b"", private=False)
    finally:
        os.umask(mask)
    assert mode(public) == 0o644
    public.chmod(0o640)
    write_atomically(public, b"x", private=False)
    assert mode(public) == 0o640
    write_atomically(public, b"x")
    assert mode(public) == 0o600


def test_a_file_of_a_long_name(tmp_path: Path) -> None:
    name = "あ" * 83 + ".txt"
    write_atomically(tmp_path / name, b"one")
    assert names(tmp_path) == [name]


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    file, link = tmp_path / "deep" / "file", tmp_path / "link"
    assert write_new(file, b"one")
    assert not write_new(file, b"two")
    link.symlink_to(tmp_path / "nowhere")
    assert not write_new(link, b"three"), "a link that leads nowhere is there, too"
    assert not (tmp_path / "nowhere").exists()
    assert (file.read_bytes(), names(file.parent)) == (b"one", ["file"])


def test_output_goes_through_links_and_says_what_is_wrong(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"one")
    link.symlink_to(target)
    with open_output(str(link)) as stream:
        stream.write(b"two")
    assert link.is_symlink()
    assert target.read_bytes() == b"two"
    with open_output(os.devnull) as stream:
        stream.write(b"gone")
    (tmp_path / "loop").symlink_to("loop")
    for path in (str(tmp_path), str(tmp_path / "no" / "file"), "a\0b", str(tmp_path / "loop")):
        with pytest.raises(UserError, match="can't be written"), open_output(path) as stream:
            stream.write(b"")
    assert (tmp_path / "loop").is_symlink()


# Folders


def test_all_below_a_folder_comes_in_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a/2", "a/10", "a/.hidden", ".git/x", "c/d/e", "z"):
        put(tmp_path, name, "")
    (tmp_path / "file-link").symlink_to(tmp_path / "z")
    (tmp_path / "folder-link").symlink_to(tmp_path / "a")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    found = [(item.path.removeprefix(f"{tmp_path}/"), item.kind, item.depth) for item in walk(str(tmp_path))]
    assert found == [
        ("a", "folder", 0),
        ("a/10", "file", 1),
        ("a/2", "file", 1),
        ("b.txt", "file", 0),
        ("c", "folder", 0),
        ("c/d", "folder", 1),
        ("c/d/e", "file", 2),
        ("file-link", "file", 0),
        ("folder-link", "other", 0),
        ("loop", "other", 0),
        ("z", "file", 0),
    ]
    entered = [item.name for item in walk(str(tmp_path), lambda item: item.name != "a")]
    assert "2" not in entered
    assert "e" in entered


def test_a_folder_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    [item] = walk(str(tmp_path / "none"))
    assert item.kind == "unreadable"
    assert isinstance(item.error, FileNotFoundError)


def test_a_loop_of_links_is_left_out_with_a_note_and_the_rest_is_checked(tmp_path: Path) -> None:
    put(tmp_path, "decks/deck.txt", "# format: original\n40 x 天災 デドダム\n")
    for name in ("loop", "loop.txt"):
        (tmp_path / "decks" / name).symlink_to(tmp_path / "decks" / name)
    done = deckcheck(tmp_path, "check", "decks")
    assert done.returncode == 1
    assert "decks/deck.txt" in done.stdout
    assert done.stderr.count("\n") == 1
    assert "decks/loop and 1 more" in done.stderr


def test_no_folder_is_made_beside_the_decks(tmp_path: Path) -> None:
    put(tmp_path, "here/deck.txt", example("red-original.csv"))
    deckcheck(
        tmp_path / "here",
        "check",
        "deck.txt",
        HOME="relative",
        XDG_CACHE_HOME="relative",
        DECKCHECK_CACHE_DIR=str(tmp_path / "cache"),
        DECKCHECK_DATA_DIR="",
    )
    assert [file.name for file in (tmp_path / "here").iterdir()] == ["deck.txt"]


@pytest.mark.parametrize("arguments", [["check", "deck.txt"], ["fmt", "deck.txt"], ["formats"]])
def test_a_working_folder_that_was_deleted_is_told(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "gone").mkdir()
    script = 'cd gone && rmdir ../gone && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "deckcheck", *arguments],
        cwd=tmp_path,
        env=outside(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (2, "error: the working directory no longer exists\n")
