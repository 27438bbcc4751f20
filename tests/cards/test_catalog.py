"""The card table as it is used: opened, looked up, added to. The game is made up."""

from __future__ import annotations

import math
import threading

import pytest
from factories.kites_game import GAME, names
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckcheck.cards.catalog import CardTable, open_catalog
from deckcheck.cards.search import search
from deckcheck.model.card import NO_RANK

pytestmark = pytest.mark.usefixtures("own_folders")


def test_facts_come_through(table: CardTable) -> None:
    (card,) = table.find("天の ドラゴン凧")
    assert card.home == "sky"
    assert card.facts == {"wind": frozenset({"north"}), "cost": 3.0}
    assert [(item.set, item.released, item.ranks) for item in card.printings] == [
        ("K2", "2002-02-02", {"rank": "R"}),
        ("K1", "2001-01-01", {}),
        ("K1", "2001-01-01", {"rank": NO_RANK}),
    ]
    (ground,) = table.find("青い凧")
    assert (ground.home, ground.facts) == ("ground", {"cost": math.inf})
    (wing,) = table.find("白き翼(ホワイト・ウイング)")
    assert (wing.partial, wing.verified) == (frozenset({"kind"}), False)
    (halves,) = table.find("赤い凧／青い凧")
    assert halves.facts == {"kind": frozenset()}
    assert [(part.name, part.facts) for part in halves.parts] == [("赤い凧", {"cost": 1.0}), ("青い凧", {})]


def test_released_is_the_first_printing_only_when_all_are_dated(table: CardTable) -> None:
    assert table.find("天の ドラゴン凧")[0].released == "2001-01-01"
    assert table.find("右の翼")[0].released is None
    assert table.find("表の月")[0].released == "2005-05-05"
    assert table.find("左の翼")[0].released is None


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("天のドラゴン凧", ["天の ドラゴン凧"]),
        ("天の　ﾄﾞﾗｺﾞﾝ凧", ["天の ドラゴン凧"]),
        ("SKY-dragon", ["天の ドラゴン凧"]),
        ("赤い凧 / 青い凧", ["赤い凧／青い凧"]),
        ("赤い凧", ["赤い凧／青い凧"]),
        ("青い凧", ["青い凧"]),
        ("裏の月", ["表の月"]),
        ("表の月/影の月", ["表の月"]),
        ("表の月／裏の月／影の月", ["表の月"]),
        ("対の片方", ["左の翼", "右の翼"]),
        ("大きな翼", ["左の翼", "右の翼"]),
        ("白き翼", ["白き翼(ホワイト・ウイング)"]),
        ("白き翼（ホワイトウイング）", ["白き翼(ホワイト・ウイング)"]),
        ("弓", []),
        ("弓（ゆみ）", ["弓(ゆみ)"]),
        ("ドラゴン凧", []),
        ("", []),
        ("・ー", []),
        ("\ud800", []),
        ("翼\0", []),
        ("あ" * 100_000, []),
    ],
)
def test_what_a_name_can_mean(table: CardTable, written: str, found: list[str]) -> None:
    assert sorted(names(table, written)) == sorted(found)


SPELLINGS = st.lists(st.sampled_from(["'", "~", "・", "-", "ー", " ", "　"]), min_size=0, max_size=3)


def test_names_by_their_beginning(table: CardTable) -> None:
    every = table.beginning("")
    assert {table.fold(card.name) for card in table} <= every
    assert all(table.find(key) for key in every)
    for start in {key[:2] for key in every}:
        assert table.beginning(start) == {key for key in every if key.startswith(start)} != set()
    assert table.beginning("無い") == frozenset()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_spellings_that_fold_alike_give_the_very_same_card(table: CardTable, data: st.DataObject) -> None:
    card = data.draw(st.sampled_from([card for card in table if card.name != "弓(ゆみ)"]))
    written = "".join(char + "".join(data.draw(SPELLINGS)) for char in card.name)
    if data.draw(st.booleans()):
        written = written.upper()
    (found,) = table.find(written)
    assert found is card


def test_cards_come_oldest_first_and_only_real_ones(table: CardTable) -> None:
    listed = [card.name for card in table]
    assert len(table) == len(listed) == 9
    assert listed[:2] == ["天の ドラゴン凧", "表の月"]
    assert "大きな翼" not in listed
    assert all(card is table.find(card.name)[0] for card in table)


def test_many_different_misspellings_leave_the_cards_the_same(
    table: CardTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckcheck.cards.catalog._MOST_CACHED", 5)
    before = table.find("左の翼")[0]
    for number in range(20):
        assert table.find(f"x{number}") == ()
    assert table.find("左の翼")[0] is before
    assert len(table._meanings) <= 5


def test_search_looks_into_all_names_and_respects_its_limit(table: CardTable) -> None:
    assert [card.name for card in search(table, "の月", 9)] == ["表の月"]
    assert [card.name for card in search(table, "影", 9)] == ["表の月"]
    assert [card.name for card in search(table, "ｄｒａｇ", 9)] == ["天の ドラゴン凧"]
    assert [card.name for card in search(table, "青い", 9)] == ["赤い凧／青い凧", "青い凧"]
    assert [card.name for card in search(table, "赤い", 9)] == ["赤い凧／青い凧"]
    assert len(search(table, "翼", 2)) == 2
    assert search(table, "・", 9) == []


def test_no_table_at_all_is_an_empty_one() -> None:
    table = open_catalog(GAME)
    assert (len(table), list(table), table.find("凧"), table.suggest("凧")) == (0, [], (), [])


def test_threads_share_one_card(table: CardTable) -> None:
    cards: list[object] = []
    spellings = [f"左の{'・' * number}翼" for number in range(8)]
    threads = [
        threading.Thread(target=lambda name=name: cards.append(table.find(name)[0])) for name in spellings
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cards) == 8 and len(set(map(id, cards))) == 1
