"""Which names are suggested for an unknown one, and how quickly."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from factories.kites_game import GAME, write_table

from deckcheck.cards.catalog import CardTable, open_catalog
from deckcheck.checking.judge import open_game_data
from deckcheck.support.errors import suggest

MOST_SECONDS = 0.03


@pytest.mark.usefixtures("own_folders")
def test_names_without_their_title_come_first(tmp_path: Path) -> None:
    cards = [
        {"name": name} for name in ("ドラゴン凧師", "ドラゴン凧壱", "地の ドラゴン凧", "天の ドラゴン凧")
    ]
    table = open_catalog(GAME, bundled=write_table(tmp_path / "bundle", cards))
    assert set(table.suggest("ドラゴン凧")[:2]) == {"地の ドラゴン凧", "天の ドラゴン凧"}
    assert sorted(table.suggest("ドラゴン凧")) == sorted(card["name"] for card in cards)
    assert table.suggest("地のドラコン凧")[0] == "地の ドラゴン凧"
    assert table.suggest("wholly different") == table.suggest("・") == table.suggest("") == []


@pytest.mark.usefixtures("own_folders")
def test_suggestions_are_canonical_names_and_five_at_most(table: CardTable, tmp_path: Path) -> None:
    assert table.suggest("sky dragom") == ["天の ドラゴン凧"]
    many = write_table(tmp_path / "many", [{"name": f"長い名前の凧{number}"} for number in range(9)])
    assert len(open_catalog(GAME, bundled=many).suggest("長い名前の凧")) == 5


@pytest.mark.parametrize(
    ("game", "written", "name"),
    [
        ("duel-masters", "デドダム", "天災 デドダム"),
        ("duel-masters", "青銅の錘", "青銅の鎧"),
        ("duel-masters", "ボルメテウスホワイトドラゴソ", "ボルメテウス・ホワイト・ドラゴン"),
        ("magic", "Lightning Bolr", "Lightning Bolt"),
        ("magic", "Lightnig Bolt (foil)", "Lightning Bolt"),
        ("magic", "Llanowar Elf", "Llanowar Elves"),
        ("magic", "New Black Lotus", "Black Lotus"),
        ("yugioh", "Blue-Eyes Whit Dragon", "Blue-Eyes White Dragon"),
        ("yugioh", "Dark Magicain", "Dark Magician"),
    ],
)
def test_the_card_that_is_meant_is_among_them(game: str, written: str, name: str) -> None:
    assert name in open_game_data(game).catalog.suggest(written)


def test_numbers_are_like_no_other_number() -> None:
    assert open_game_data("yugioh").catalog.suggest("46986419") == []


def test_almost_every_name_with_an_error_is_found_and_soon() -> None:
    catalog = open_game_data("magic").catalog
    chance = random.Random(1)
    cards = chance.sample(list(catalog), 60)
    catalog.suggest("the first one reads all names")
    found, seconds = 0, []
    for card in cards:
        letters = list(card.name)
        letters[chance.randrange(len(letters))] = chance.choice("abcdefgh")
        start = time.process_time()
        found += card.name in catalog.suggest("".join(letters) + "x")
        seconds.append(time.process_time() - start)
    assert found >= 57
    assert sorted(seconds)[len(seconds) // 2] < MOST_SECONDS


def test_words_are_suggested_best_first() -> None:
    known = ["Great Oak", "Rose", "Rosemary", "Iris"]
    assert suggest("Rosee", known)[0] == "Rose"
    assert suggest("Graet Oak", known)[0] == "Great Oak"
    assert suggest("xyzzy", known) == suggest("", known) == []
    assert len(suggest("Rose", ["Rose"] * 9, most=2)) == 2
