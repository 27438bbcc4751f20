"""Walking through folders: in order, without hidden things, and past what can't be followed."""

from __future__ import annotations

from pathlib import Path

from factories.scratch_repositories import deckcheck, put

from deckcheck.support.files import walk


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


def test_formats_beside_a_loop_of_links_are_found(tmp_path: Path) -> None:
    put(tmp_path, "deckcheck.toml", 'formats = ["formats"]\n')
    put(
        tmp_path,
        "formats/own.yaml",
        "format: club/own\ngame: duel-masters\nname: Own\nzones: {main: {}}\n"
        "rules: [{id: copies, count: copies, at_most: 4}]\n",
    )
    (tmp_path / "formats" / "loop.yaml").symlink_to(tmp_path / "formats" / "loop.yaml")
    assert "club/own" in deckcheck(tmp_path, "formats").stdout
