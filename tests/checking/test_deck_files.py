"""Which files on the command line are decks."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from deckcheck.checking.deck_files import DeckFile, DeckSearch, find_decks, is_decklist
from deckcheck.checking.judge import Loader
from deckcheck.config import NO_SETTINGS, Settings, settings_of

DECK = "1 x 天災 デドダム\n"
FORMAT = "format: x\nrules: []\n"
FORCED = replace(NO_SETTINGS, force_exclude=True)


def put(folder: Path, files: Sequence[str] | Mapping[str, str]) -> None:
    for name in files:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(files[name] if isinstance(files, Mapping) else DECK, encoding="utf-8")


class Walked(NamedTuple):
    """The paths of decks, or messages with “!”; the paths that were passed over and that are excluded."""

    decks: list[str]
    passed_over: list[str]
    excluded: list[str]


def walked(folder: Path, *paths: str, settings: Settings = NO_SETTINGS) -> Walked:
    search = DeckSearch(settings)
    items = search.decks([str(folder / path) for path in paths or ("",)])
    told = [
        os.path.relpath(item.path, folder) if isinstance(item, DeckFile) else "!" + item.problems[0].in_("en")
        for item in items
    ]
    return Walked(
        told,
        *([os.path.relpath(path, folder) for path in left] for left in (search.passed_over, search.excluded)),
    )


def excluding(folder: Path, *patterns: str) -> Settings:
    listed = ", ".join(f"'{pattern}'" for pattern in patterns)
    (folder / "deckcheck.toml").write_text(f"exclude = [{listed}]\n", encoding="utf-8")
    return settings_of(str(folder / "deckcheck.toml"))


@pytest.mark.parametrize(
    ("files", "decks", "passed_over"),
    [
        (
            ["b.txt", "a/2.csv", "a/10.tsv", "c/x/y.yml", "C.json", "DECK.TXT"],
            ["C.json", "DECK.TXT", "a/10.tsv", "a/2.csv", "b.txt", "c/x/y.yml"],
            [],
        ),
        (
            ["a.txt", ".hidden.txt", ".git/deck.txt", "picture.png", "notes.md", "noending"],
            ["a.txt"],
            ["noending", "notes.md", "picture.png"],
        ),
        # Formats, lists, games and corrections, told by their keys.
        *(
            ({"a.txt": DECK, "one.yaml": text}, ["a.txt"], ["one.yaml"])
            for text in (
                FORMAT,
                "format: x\nextends: y\n",
                "banlist: x\ncards: []\n",
                "game: x\nattributes: {}\n",
                "corrections: []\n",
            )
        ),
        ({"a.txt": DECK, "cards.yaml": "cards: []\n"}, ["a.txt"], []),
        *(
            ({"one.yaml": f"{head}:\n  - 4 {DECK}"}, ["one.yaml"], [])
            for head in ("format: x\ncards", "event: x\nmain", "tool: x\nmain", "format: x\nrules: Bo3\nmain")
        ),
        # A report of our own, and JSON that may be a deck.
        (
            {"report.json": '{"schema": 1, "tool": {}, "decks": []}', "a.txt": DECK},
            ["a.txt"],
            ["report.json"],
        ),
        ({"broken.json": '{"main": [', "deck.json": '{"main": ["x"]}'}, ["broken.json", "deck.json"], []),
    ],
)
def test_which_files_of_a_folder_are_decks(
    tmp_path: Path, files: Sequence[str] | Mapping[str, str], decks: list[str], passed_over: list[str]
) -> None:
    put(tmp_path, files)
    assert walked(tmp_path) == (decks, passed_over, [])


def test_cards_beside_the_decks_go_with_those_of_their_folder(tmp_path: Path) -> None:
    put(tmp_path, ["a/deck.txt", "b/deck.txt"])
    put(tmp_path, {"a/cards.yaml": "cards: []\n"})
    cards = [item.cards for item in find_decks([str(tmp_path)]) if isinstance(item, DeckFile)]
    assert cards == [(tmp_path / "a" / "cards.yaml",), ()]
    [alone] = find_decks([str(tmp_path / "a" / "deck.txt")])
    assert isinstance(alone, DeckFile) and alone.cards == cards[0]


def test_what_is_named_is_a_deck_once_or_an_error(tmp_path: Path) -> None:
    put(tmp_path, ["deck.txt", "cards.yaml", "x/b.txt"])
    (tmp_path / "empty").mkdir()
    assert walked(tmp_path, "cards.yaml", "deck.txt").decks == ["deck.txt"]
    assert walked(tmp_path, "cards.yaml").decks == [f"!{tmp_path}/cards.yaml: not a decklist"]
    assert walked(tmp_path, "empty", "none.txt").decks == [
        f"!{tmp_path}/empty: no decks in this folder",
        f"!{tmp_path}/none.txt: no such file or folder",
    ]
    assert walked(tmp_path, "bad\0name").decks[0].startswith("!")
    twice = [str(tmp_path / "x/../deck.txt"), "-", str(tmp_path), str(tmp_path / "x"), "-"]
    paths = [item.path for item in find_decks(twice) if isinstance(item, DeckFile)]
    assert paths == [twice[0], "-", str(tmp_path / "x/b.txt")]


def test_links_pipes_and_depths_are_not_followed_for_ever(tmp_path: Path) -> None:
    put(tmp_path, ["deck.txt"])
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    for name in ("pipe.txt", "pipe.yaml"):
        os.mkfifo(tmp_path / name)
    assert walked(tmp_path).decks == ["deck.txt"]
    tmp_path.joinpath(*["d"] * 260).mkdir(parents=True)
    too_deep, deck = walked(tmp_path).decks
    assert too_deep.endswith("folders nested too deeply") and deck == "deck.txt"


# What is excluded.


def test_what_is_excluded_is_neither_found_nor_passed_over(tmp_path: Path) -> None:
    put(tmp_path, ["a.txt", "drafts/b.txt", "x/drafts/c/c.txt", "x/d.old.txt", "notes.md", "readme.rst"])
    settings = excluding(tmp_path, "drafts/", "*.old.txt", "*.md")
    assert walked(tmp_path, settings=settings) == (
        ["a.txt"],
        ["readme.rst"],
        ["drafts", "x/d.old.txt", "x/drafts"],
    )
    settings = excluding(tmp_path, "drafts/", "a.txt", "x/")
    assert walked(tmp_path, settings=settings).decks == [
        f"!{tmp_path}: no decks in this folder (excluded: {tmp_path}/a.txt and 2 more)"
    ]
    # What is named is excluded only by force.
    named = ("drafts/b.txt", "a.txt", "drafts")
    assert walked(tmp_path, *named, settings=settings).decks == ["drafts/b.txt", "a.txt"]
    forced = replace(settings, force_exclude=True)
    assert walked(tmp_path, *named, settings=forced) == ([], [], [*named])


def test_standard_input_is_excluded_as_the_file_that_it_is_called(tmp_path: Path) -> None:
    settings, name = excluding(tmp_path, "drafts/"), str(tmp_path / "drafts/b.txt")
    forced = replace(settings, force_exclude=True)
    assert list(DeckSearch(settings, name).decks(["-"])) == [DeckFile("-")]
    assert list(DeckSearch(forced, name).decks(["-"])) == []
    assert list(find_decks(["-"], forced)) == [DeckFile("-")]


def test_git_has_a_say_over_named_files_only_by_force(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    put(tmp_path, {".gitignore": "out/\n*.old.txt\n", "x/.gitignore": "!keep.old.txt\n"})
    names = ["a.txt", "out/b.txt", "x/out/b.txt", "x/c.old.txt", "x/keep.old.txt"]
    put(tmp_path, names)
    free = replace(NO_SETTINGS, respect_gitignore=False)
    kept = ["a.txt", "x/keep.old.txt"]
    assert walked(tmp_path, *names).decks == names
    assert walked(tmp_path).decks == kept
    assert walked(tmp_path, *names, settings=FORCED).decks == kept
    assert sorted(walked(tmp_path, settings=free).decks) == sorted(names)
    assert walked(tmp_path, *names, settings=replace(free, force_exclude=True)).decks == names
    # Settings may take back what git leaves out.
    assert walked(tmp_path, settings=excluding(tmp_path, "!c.old.txt")).decks == ["a.txt", *names[3:]]


def test_the_projects_own_files_are_no_decks_and_not_worth_a_word(tmp_path: Path) -> None:
    put(tmp_path, ["deck.txt", "formats/own.cases/wrong.txt", "other.cases/deck.txt"])
    put(
        tmp_path,
        {
            "cards/new.yaml": "cards: []\n",
            "more.yaml": "cards: []\n",
            "formats/own.yaml": "format: club/own\nrules: []\n",
            "lists/own.yaml": "banlist: club/own\ncards: []\n",
            "deckcheck.toml": 'formats = ["formats"]\nbanlists = ["lists"]\ncards = ["cards", "more.yaml"]\n',
        },
    )
    own = settings_of(str(tmp_path / "deckcheck.toml"))
    assert walked(tmp_path, settings=own) == (["deck.txt", "other.cases/deck.txt"], [], ["formats/own.cases"])
    assert walked(tmp_path, "formats/own.cases", settings=own).decks == ["formats/own.cases/wrong.txt"]
    assert walked(tmp_path, "more.yaml", "deck.txt", settings=own) == (["deck.txt"], ["more.yaml"], [])


def test_by_force_files_that_are_no_decks_are_no_mistake(tmp_path: Path) -> None:
    """Whoever hands over every file that was changed knows not what they are."""
    put(tmp_path, {"cards.yaml": FORMAT, "own.yaml": FORMAT})
    assert walked(tmp_path, "own.yaml", "cards.yaml", settings=FORCED) == ([], ["own.yaml", "cards.yaml"], [])
    assert walked(tmp_path, "own.yaml").decks == [f"!{tmp_path}/own.yaml: not a decklist"]


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("owned,name,qty\n1,青銅の鎧,4\n1,フェアリー・ライフ,4\n1,天災 デドダム,4\n", True),
        ("- [x] 4 青銅の鎧\n- [x] 4 フェアリー・ライフ\n- [x] 4 天災 デドダム\n", True),
        ("Results\n\nAnna won with 天災 デドダム\nBen was second\nCleo\nDan\n", False),
    ],
)
def test_a_text_that_names_cards_is_a_list_although_no_line_is_read(text: str, is_list: bool) -> None:
    data = Loader().game("duel-masters")
    deck = data.read(text, "a.csv" if "," in text else "a.txt")
    assert is_decklist(deck, data.catalog) == is_list
