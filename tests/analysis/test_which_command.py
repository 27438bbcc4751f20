"""`deckcheck which` as people run it: its statuses, what it is given, and the formats of a project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories import commands
from factories.analysis_runs import LISTS
from factories.analysis_runs import which as run_which
from factories.commands import Done
from jsonschema import Draft7Validator

from deckcheck.formats.lookup import bundled_formats
from deckcheck.support.documents import load_schema

# The command.


@pytest.mark.parametrize(
    ("decks", "status"),
    [
        (["blog.txt"], 0),
        (["slips.txt"], 3),
        (["blog.txt", "slips.txt"], 3),
        (["slips.txt", "nowhere.txt", "blog.txt"], 1),
        (["nowhere.txt", "none.txt"], 2),
    ],
)
def test_exit_status(decks: list[str], status: int) -> None:
    done = run_which(*decks, "--lang", "en")
    assert done.returncode == status
    assert (b"none.txt: error: no such file" in done.stderr) == (status == 2)
    for deck in decks:
        assert (f"\n{deck}: " in f"\n{done.stdout.decode()}") == (deck != "none.txt")


def test_a_bad_list_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\xfd\x00\x81")
    (tmp_path / "b.txt").write_text("4 x 青銅の鎧\n", "utf-8")
    done = run_which("a.txt", "b.txt", "--output-format", "json", "--lang", "en", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, b"")
    told = json.loads(done.stdout)
    Draft7Validator(load_schema("which")).validate(told)
    assert [deck["path"] for deck in told["decks"]] == ["b.txt"]
    assert [error["path"] for error in told["errors"]] == ["a.txt"]


def test_a_hostile_file_name_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    name = "a\x1b[2J'; rm -rf x; '.txt"
    (tmp_path / name).write_text("4 x 青銅の鎧\n", "utf-8")
    done = run_which(name, "--lang", "en", cwd=tmp_path)
    told = done.stdout.decode()
    assert "\x1b" not in told
    assert "check 'a\\x1b[2J'\"'\"'; rm -rf x; '\"'\"'.txt' --format" in told


@pytest.mark.usefixtures("fewer_cards")
def test_cards_beside_the_deck_are_known(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(
        "cards:\n  - name: 作りかけの竜\n    civilization: [火]\n    type: [クリーチャー]\n", "utf-8"
    )
    (tmp_path / "deck.txt").write_text("4 x 作りかけの竜\n", "utf-8")
    done = run_which("deck.txt", "--lang", "en", cwd=tmp_path)
    assert done.returncode in (1, 3)
    assert b"unknown-card" not in done.stdout


def test_every_bundled_format_that_can_be_played_is_asked() -> None:
    done = run_which("blog.txt", "--output-format", "json")
    [deck] = json.loads(done.stdout)["decks"]
    asked = {one["format"] for game in deck["games"] for one in game["formats"]}
    # All of the one game that knows the list.
    assert asked == {
        one.id for one in bundled_formats() if not one.abstract and one.id.startswith("duel-masters/")
    }


# In a project.

OWN = """\
format: club/friday
game: duel-masters
name: Friday
zones: {main: {}}
rules:
  - {id: friday-size, in: main, exactly: 40}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("formats", "decks"):
        (tmp_path / name).mkdir()
    (tmp_path / "deckcheck.toml").write_text('formats = ["formats"]\nexclude = ["old*"]\n', "utf-8")
    (tmp_path / "formats" / "friday.yaml").write_text(OWN, "utf-8")
    for name in ("new", "old"):
        (tmp_path / "decks" / f"{name}.txt").write_bytes((LISTS / "blog.txt").read_bytes())
    return tmp_path


def run_in(folder: Path, *words: str) -> Done:
    return commands.deckcheck("which", *words, "--lang", "en", cwd=folder)


def test_formats_of_a_project_are_asked_too(project: Path) -> None:
    done = run_in(project, "decks")
    assert (done.status, done.err) == (0, "")
    assert "\nlegal in:\n  club/friday " in done.out
    assert "old.txt" not in done.out


def test_what_is_left_out_is_told_where_nothing_else_is(project: Path) -> None:
    (project / "decks" / "new.txt").unlink()
    done = run_in(project, "decks")
    assert "Skipped (not a decklist, or excluded): decks" in done.err or "no decks" in done.err
    done = run_in(project, "decks/old.txt", "formats/friday.yaml")
    assert done.status == 0
    assert done.err == "Skipped (not a decklist, or excluded): formats/friday.yaml\n"


def test_a_format_that_is_broken_is_told_and_the_others_asked(project: Path) -> None:
    (project / "formats" / "friday.yaml").write_text(OWN + "rules: 7\n", "utf-8")
    done = run_in(project, "decks")
    assert done.status == 0
    assert "friday.yaml:7:1: error" in done.err
    (project / "decks" / "new.txt").write_text("9 x 青銅の鎧\n", "utf-8")
    # It might have been legal there.
    assert run_in(project, "decks").status == 2
