"""Cards that users import stay with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories.card_tables import CARDS, names, write_table
from factories.errors import problem_of, problems_of
from factories.files import put
from factories.garden_game import GAME

from deckcheck.cards.catalog import open_catalog
from deckcheck.importers.own_cards import ImportResult, import_cards

pytestmark = pytest.mark.usefixtures("own_folders")


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return write_table(tmp_path / "bundle", CARDS)


def lines(folder: Path, *cards: object) -> Path:
    return put(folder / "new.jsonl", "".join(json.dumps(card) + "\n" for card in cards))


def test_an_import_is_told_kept_and_found(tmp_path: Path, bundle: Path) -> None:
    before = open_catalog(GAME, bundled=bundle)
    file = lines(
        tmp_path,
        {
            "name": "新しい凧",
            "printings": [{"set": "K9", "rarity": "?R", "released": "2009-09-09"}, {"set": "K1"}],
        },
        {"name": "左の翼", "cost": 7},
        {"name": "青い凧", "home": "side", "cost": "∞", "aliases": [], "verified": True},
    )
    store = tmp_path / "data" / "garden" / "cards.jsonl"
    assert import_cards(GAME, file, bundled=bundle) == ImportResult(1, 1, 1, store)
    table = open_catalog(GAME, bundled=bundle)
    assert table.version != before.version
    (card,) = table.find("新しい凧")
    assert card.released == "2001-01-01"
    assert card.printings[0].ranks == {"rarity": "?R"}
    assert table.find("左の翼")[0].facts == {"cost": 7.0}
    assert names(table, "対の片方") == ["右の翼"]


def test_importing_again_changes_nothing_and_a_later_import_replaces_and_adds(
    tmp_path: Path, bundle: Path
) -> None:
    file = lines(tmp_path, {"name": "甲の凧", "cost": 1}, {"name": "左の翼", "cost": 7})
    first = import_cards(GAME, file, bundled=bundle)
    written = (first.path.read_bytes(), first.path.stat().st_ino)
    assert import_cards(GAME, file, bundled=bundle) == ImportResult(0, 0, 2, first.path)
    assert (first.path.read_bytes(), first.path.stat().st_ino) == written
    later = lines(tmp_path, {"name": "甲の・凧", "cost": 2}, {"name": "丙の凧"})
    assert import_cards(GAME, later, bundled=bundle) == ImportResult(1, 1, 0, first.path)
    table = open_catalog(GAME, bundled=bundle)
    assert (table.find("甲の凧")[0].facts, table.find("甲の凧")[0].name) == ({"cost": 2.0}, "甲の・凧")
    assert names(table, "左の翼") == ["左の翼"] and names(table, "丙の凧") == ["丙の凧"]


def test_imported_cards_stand_over_corrected_ones_and_under_extra_files(tmp_path: Path) -> None:
    correction = "corrections:\n  - {card: 左の翼, reason: r, set: {cost: 1}}\n"
    bundle = write_table(tmp_path / "bundle", CARDS, correction)
    import_cards(GAME, lines(tmp_path, {"name": "左の翼", "cost": 7}), bundled=bundle)
    (card,) = open_catalog(GAME, bundled=bundle).find("左の翼")
    assert (card.facts, card.corrections) == ({"cost": 7.0}, ())
    extra = put(tmp_path / "mine.yaml", "cards: [{name: 左の翼, cost: 8}]")
    assert open_catalog(GAME, bundled=bundle, extra=[extra]).find("左の翼")[0].facts == {"cost": 8.0}


@pytest.mark.parametrize(
    ("cards", "wrong"),
    [
        ([{"name": "新しい凧"}, {"name": "弓", "colour": ["up"]}, {"name": "矢", "cots": 1}], [2, 3]),
        ([{"name": "新しい凧"}, {"name": "組の凧", "made_of": ["新しい凧", "古い凧"]}], [2]),
    ],
)
def test_one_wrong_line_and_nothing_is_stored(
    tmp_path: Path, bundle: Path, cards: list[object], wrong: list[int]
) -> None:
    file = lines(tmp_path, *cards)
    told = problems_of(import_cards, GAME, file, bundled=bundle)
    assert [(one.path, one.line) for one in told] == [(str(file), line) for line in wrong]
    assert not (tmp_path / "data").exists()


def test_an_import_may_be_made_of_cards_it_brings_and_of_known_ones(tmp_path: Path, bundle: Path) -> None:
    import_cards(GAME, lines(tmp_path, {"name": "新しい凧"}), bundled=bundle)
    import_cards(GAME, lines(tmp_path, {"name": "組の凧", "made_of": ["新しい凧", "裏の月"]}), bundled=bundle)
    assert sorted(names(open_catalog(GAME, bundled=bundle), "組の凧")) == ["新しい凧", "表の月"]


def test_a_store_that_was_spoilt_is_told_with_its_line(tmp_path: Path, bundle: Path) -> None:
    store = import_cards(GAME, lines(tmp_path, {"name": "新しい凧"}), bundled=bundle).path
    store.write_text('{"name":"新しい凧"}\n{"name":', encoding="utf-8")
    for attempt in (
        lambda: open_catalog(GAME, bundled=bundle),
        lambda: import_cards(GAME, lines(tmp_path, {"name": "別の凧"}), bundled=bundle),
    ):
        problem = problem_of(attempt)
        assert (problem.path, problem.line) == (str(store), 2)
