"""Which files on the command line are decks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.config.settings import NO_SETTINGS, Settings, settings_of
from deckcheck.support.errors import UserError


def put(folder: Path, *names: str, content: str = "1 x 天災 デドダム\n") -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")


def names(folder: Path, *paths: str) -> list[str]:
    found = list(find_decks(paths or [str(folder)]))
    return [
        str(Path(one.path).relative_to(folder))
        if isinstance(one, DeckFile)
        else "!" + one.problems[0].message.en
        for one in found
    ]


def test_a_folder_is_walked_in_the_order_of_names(tmp_path: Path) -> None:
    put(tmp_path, "b.txt", "a/2.csv", "a/10.tsv", "c/x/y.yml", "C.json")
    assert names(tmp_path) == ["C.json", "a/10.tsv", "a/2.csv", "b.txt", "c/x/y.yml"]


def test_hidden_files_and_other_endings_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path, ".hidden.txt", ".git/deck.txt", "picture.png", "notes.md", "DECK.TXT")
    assert names(tmp_path) == ["DECK.TXT"]


@pytest.mark.parametrize(
    "content",
    [
        "format: x\nrules: []\n",
        "format: x\nextends: y\n",
        "banlist: x\ncards: []\n",
        "game: x\nattributes: {}\n",
        "corrections: []\n",
    ],
)
def test_formats_lists_and_games_are_no_decks(tmp_path: Path, content: str) -> None:
    put(tmp_path, "one.yaml", content=content)
    put(tmp_path, "deck.yaml", content="format: x\ncards:\n  - 4 x 天災 デドダム\n")
    assert names(tmp_path) == ["deck.yaml"]


def test_a_report_of_our_own_is_no_deck(tmp_path: Path) -> None:
    put(tmp_path, "report.json", content='{"schema": 1, "tool": {}, "decks": []}')
    put(tmp_path, "deck.json", content='{"main": ["天災 デドダム"]}')
    put(tmp_path, "broken.json", content='{"main": [')
    assert names(tmp_path) == ["broken.json", "deck.json"]


def test_cards_beside_the_decks_go_with_those_of_their_folder(tmp_path: Path) -> None:
    put(tmp_path, "a/deck.txt", "b/deck.txt")
    put(tmp_path, "a/cards.yaml", content="cards: []\n")
    cards = [one.cards for one in find_decks([str(tmp_path)]) if isinstance(one, DeckFile)]
    assert cards == [(str(tmp_path / "a" / "cards.yaml"),), ()]
    [alone] = find_decks([str(tmp_path / "a" / "deck.txt")])
    assert isinstance(alone, DeckFile)
    assert alone.cards == cards[0]


def test_what_is_no_deck_is_passed_over_when_it_is_named_among_others(tmp_path: Path) -> None:
    put(tmp_path, "deck.txt", "cards.yaml")
    assert names(tmp_path, str(tmp_path / "cards.yaml"), str(tmp_path / "deck.txt")) == ["deck.txt"]
    assert names(tmp_path, str(tmp_path / "cards.yaml")) == ["!not a decklist"]


def test_an_empty_folder_and_a_missing_file_say_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = list(find_decks([str(tmp_path / "empty"), str(tmp_path / "none.txt"), "bad\0name"]))
    assert [isinstance(one, UserError) for one in found] == [True, True, True]
    said = [one.problems[0].message.en for one in found if isinstance(one, UserError)]
    assert said[:2] == ["no decks in this folder", "no such file or folder"]


def test_a_link_to_a_folder_above_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "deck.txt")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert names(tmp_path) == ["deck.txt"]


def test_standard_input_is_a_path() -> None:
    assert list(find_decks(["-"])) == [DeckFile("-")]


def test_what_is_passed_over_is_remembered(tmp_path: Path) -> None:
    put(tmp_path, "deck.txt", "deck.md", "noending")
    put(tmp_path, "cards.yaml", content="cards: []\n")
    put(tmp_path, "house.yaml", content="format: x\nrules: []\n")
    passed_over: list[str] = []
    assert len(list(find_decks([str(tmp_path)], passed_over))) == 1
    assert [Path(path).name for path in passed_over] == ["deck.md", "house.yaml", "noending"]


@pytest.mark.parametrize("key", ["event", "tool", "words", "drop"])
def test_a_deck_may_have_keys_of_its_own(tmp_path: Path, key: str) -> None:
    put(tmp_path, "deck.yaml", content=f"{key}: x\nmain:\n  - 4 x 天災 デドダム\n")
    assert names(tmp_path, str(tmp_path / "deck.yaml")) == ["deck.yaml"]


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    put(tmp_path, "deck.txt")
    for name in ("pipe.txt", "pipe.yaml"):
        os.mkfifo(tmp_path / name)
    assert names(tmp_path) == ["deck.txt"]


def test_folders_in_folders_come_to_an_end(tmp_path: Path) -> None:
    put(tmp_path, "deck.txt")
    deep = tmp_path
    for _ in range(260):
        deep = deep / "d"
    deep.mkdir(parents=True)
    assert names(tmp_path) == ["!folders nested too deeply", "deck.txt"]


# What is excluded.


def with_patterns(folder: Path, *patterns: str, **more: object) -> Settings:
    listed = ", ".join(f"'{pattern}'" for pattern in patterns)
    (folder / "deckcheck.toml").write_text(f"exclude = [{listed}]\n", encoding="utf-8")
    return settings_of(str(folder / "deckcheck.toml"))._replace(**more)  # type: ignore[arg-type]


class Walked(NamedTuple):
    found: list[str]
    passed_over: list[str]
    excluded: list[str]


def walked(folder: Path, settings: Settings, *paths: str) -> Walked:
    passed_over: list[str] = []
    excluded: list[str] = []
    items = list(find_decks([str(folder / path) for path in paths or ("",)], passed_over, settings, excluded))
    told = [
        os.path.relpath(one.path, folder) if isinstance(one, DeckFile) else "!" + one.problems[0].in_("en")
        for one in items
    ]
    return Walked(told, *([os.path.relpath(one, folder) for one in left] for left in (passed_over, excluded)))


def test_what_is_excluded_is_neither_found_nor_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "a.txt", "drafts/b.txt", "x/drafts/deep/c.txt", "x/d.old.txt", "notes.md", "readme.rst")
    settings = with_patterns(tmp_path, "drafts/", "*.old.txt", "*.md")
    assert walked(tmp_path, settings) == (["a.txt"], ["readme.rst"], ["drafts", "x/d.old.txt", "x/drafts"])


def test_what_is_meant_twice_is_found_once(tmp_path: Path) -> None:
    put(tmp_path, "a.txt", "x/b.txt")
    same = [str(tmp_path / "x/../a.txt"), "-", str(tmp_path), str(tmp_path / "x"), "-"]
    found = [one.path for one in find_decks(same) if isinstance(one, DeckFile)]
    assert found == [same[0], "-", str(tmp_path / "x/b.txt")]


def test_standard_input_is_excluded_as_the_file_that_it_is_called(tmp_path: Path) -> None:
    settings = with_patterns(tmp_path, "drafts/")
    name = str(tmp_path / "drafts/b.txt")
    for force, found in ((False, [DeckFile("-")]), (True, [])):
        forced = settings._replace(force_exclude=force)
        assert list(find_decks(["-"], settings=forced, stdin_name=name)) == found
    assert list(find_decks(["-"], settings=settings._replace(force_exclude=True))) == [DeckFile("-")]


def test_what_is_named_is_not_excluded_unless_forced(tmp_path: Path) -> None:
    put(tmp_path, "a.txt", "drafts/b.txt")
    settings = with_patterns(tmp_path, "drafts/", "a.txt")
    named = ("drafts/b.txt", "a.txt", "drafts")
    assert walked(tmp_path, settings, *named).found == ["drafts/b.txt", "a.txt"]
    forced = walked(tmp_path, settings._replace(force_exclude=True), *named)
    assert forced == ([], [], ["drafts/b.txt", "a.txt", "drafts"])


def test_where_all_is_excluded_that_is_told(tmp_path: Path) -> None:
    put(tmp_path, "drafts/b.txt", "c.txt")
    settings = with_patterns(tmp_path, "drafts/", "c.txt")
    assert walked(tmp_path, settings).found == [
        f"!{tmp_path}: no decks in this folder (excluded: {tmp_path}/c.txt and 1 more)"
    ]
    assert walked(tmp_path, settings, "drafts/").found == ["drafts/b.txt"]
    (tmp_path / "empty").mkdir()
    assert walked(tmp_path, settings, "empty").found == [f"!{tmp_path}/empty: no decks in this folder"]


def test_git_has_a_say_over_named_files_only_by_force(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, ".gitignore", content="out/\n*.old.txt\n")
    put(tmp_path, "x/.gitignore", content="!keep.old.txt\n")
    names = ["a.txt", "out/b.txt", "x/out/b.txt", "x/c.old.txt", "x/keep.old.txt"]
    put(tmp_path, *names)
    assert walked(tmp_path, NO_SETTINGS, *names).found == names
    assert walked(tmp_path, NO_SETTINGS).found == ["a.txt", "x/keep.old.txt"]
    forced = NO_SETTINGS._replace(force_exclude=True)
    assert walked(tmp_path, forced, *names).found == ["a.txt", "x/keep.old.txt"]
    free = NO_SETTINGS._replace(respect_gitignore=False)
    assert sorted(walked(tmp_path, free).found) == sorted(names)
    assert walked(tmp_path, free._replace(force_exclude=True), *names).found == names


def test_settings_may_take_back_what_git_leaves_out(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, ".gitignore", content="*.txt\n")
    put(tmp_path, "a.txt", "b.txt")
    assert walked(tmp_path, with_patterns(tmp_path, "!a.txt")).found == ["a.txt"]


def test_the_projects_own_files_are_no_decks_and_not_worth_a_word(tmp_path: Path) -> None:
    put(tmp_path, "deck.txt")
    put(tmp_path, "cards/new.yaml", "more.yaml", content="cards: []\n")
    put(tmp_path, "formats/own.yaml", content="format: club/own\nrules: []\n")
    put(tmp_path, "formats/own.cases/wrong.txt")
    put(tmp_path, "other.cases/deck.txt")
    put(tmp_path, "lists/own.yaml", content="banlist: club/own\ncards: []\n")
    put(tmp_path, "deckcheck.toml", content='formats = ["formats"]\nbanlists = ["lists"]\ncards = ["cards", "more.yaml"]\n')  # fmt: skip
    settings = settings_of(str(tmp_path / "deckcheck.toml"))
    assert walked(tmp_path, settings) == (["deck.txt", "other.cases/deck.txt"], [], ["formats/own.cases"])
    assert walked(tmp_path, settings, "formats/own.cases").found == ["formats/own.cases/wrong.txt"]
    named = walked(tmp_path, settings, "more.yaml", "deck.txt")
    assert (named.found, named.passed_over) == (["deck.txt"], ["more.yaml"])


def test_by_force_files_that_are_no_decks_are_no_mistake(tmp_path: Path) -> None:
    """Whoever hands over every file that was changed knows not what they are."""
    put(tmp_path, "cards.yaml", "own.yaml", content="format: x\nrules: []\n")
    forced = NO_SETTINGS._replace(force_exclude=True)
    assert walked(tmp_path, forced, "own.yaml", "cards.yaml") == ([], ["own.yaml", "cards.yaml"], [])
    assert walked(tmp_path, NO_SETTINGS, "own.yaml").found[0].endswith("own.yaml: not a decklist")
