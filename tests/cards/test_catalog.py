"""The card table as it is used: opened, looked up, added to. The game is made up."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import yaml
from factories.kites_game import CARDS, GAME, NO_WORDS, names, write_table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckcheck.cards.catalog import CardTable, open_catalog
from deckcheck.cards.search import search
from deckcheck.model.card import NO_RANK
from deckcheck.model.format import Home
from deckcheck.model.game import Attribute, Folding, Game, Zone
from deckcheck.rules.predicates import NO, UNKNOWN, YES, World, holds, missing
from deckcheck.support.messages import localized

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
    assert len(table._found) <= 5


def test_suggestions_put_names_without_their_title_first(tmp_path: Path) -> None:
    cards = [
        {"name": name} for name in ("ドラゴン凧師", "ドラゴン凧壱", "地の ドラゴン凧", "天の ドラゴン凧")
    ]
    table = open_catalog(GAME, bundled=write_table(tmp_path / "bundle", cards))
    assert table.suggest("ドラゴン凧")[:2] == ["地の ドラゴン凧", "天の ドラゴン凧"]
    assert sorted(table.suggest("ドラゴン凧")) == sorted(card["name"] for card in cards)
    assert table.suggest("地のドラコン凧")[0] == "地の ドラゴン凧"
    assert table.suggest("wholly different") == []
    assert table.suggest("・") == []


def test_suggestions_are_canonical_names_and_five_at_most(table: CardTable, tmp_path: Path) -> None:
    assert table.suggest("sky dragom") == ["天の ドラゴン凧"]
    many = write_table(tmp_path / "many", [{"name": f"長い名前の凧{number}"} for number in range(9)])
    assert len(open_catalog(GAME, bundled=many).suggest("長い名前の凧")) == 5


def test_search_looks_into_all_names_and_respects_its_limit(table: CardTable) -> None:
    assert [card.name for card in search(table, "の月", 9)] == ["表の月"]
    assert [card.name for card in search(table, "影", 9)] == ["表の月"]
    assert [card.name for card in search(table, "ｄｒａｇ", 9)] == ["天の ドラゴン凧"]
    assert [card.name for card in search(table, "青い", 9)] == ["赤い凧／青い凧", "青い凧"]
    assert [card.name for card in search(table, "赤い", 9)] == ["赤い凧／青い凧"]
    assert len(search(table, "翼", 2)) == 2
    assert search(table, "・", 9) == []


def test_extra_files_replace_add_and_collide(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    extra = tmp_path / "mine.yaml"
    extra.write_text(
        "cards:\n"
        "  - name: 天のドラゴン凧\n    cost: 9\n    released: 2010-01-01\n"
        "  - {name: 新しい凧, aliases: [左の翼], printings: [{set: K1, rank: RR, released: 1999-09-09}]}\n",
        encoding="utf-8",
    )
    table = open_catalog(GAME, bundled=bundle, extra=[extra])
    (replaced,) = table.find("天の ドラゴン凧")
    assert (replaced.name, replaced.facts, replaced.released) == (
        "天のドラゴン凧",
        {"cost": 9.0},
        "2010-01-01",
    )
    assert table.find("sky dragon") == ()
    assert sorted(names(table, "左の翼")) == ["左の翼", "新しい凧"]
    assert table.find("新しい凧")[0].released == "1999-09-09"
    assert next(iter(table)).name == "新しい凧"
    assert len(table) == 10


def test_of_two_extra_files_the_last_one_wins(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text("cards:\n  - {name: 新しい凧, cost: 3}\n", encoding="utf-8")
    second.write_text("cards:\n  - {name: 新しい・凧, cost: 4}\n", encoding="utf-8")
    for order, cost in (([first, second], 4), ([second, first], 3)):
        assert open_catalog(GAME, bundled=bundle, extra=order).find("新しい凧")[0].facts["cost"] == cost


def test_where_a_card_of_ones_own_lives_is_unknown_unless_it_says_so(tmp_path: Path) -> None:
    extra = tmp_path / "mine.yaml"
    extra.write_text("cards: [{name: 新しい凧}, {name: 空の凧, home: sky}, {name: 左の翼}]", encoding="utf-8")
    table = open_catalog(GAME, bundled=write_table(tmp_path / "bundle", CARDS), extra=[extra])
    homes = {name: table.find(name)[0].home for name in ("新しい凧", "空の凧", "左の翼", "右の翼")}
    assert homes == {"新しい凧": None, "空の凧": "sky", "左の翼": None, "右の翼": "sky"}
    home = Home(frozenset({"ground"}), "home")
    world = World("2020-01-01", {}, table)
    for name, answer in (("新しい凧", UNKNOWN), ("空の凧", NO), ("青い凧", YES)):
        assert holds(home, table.find(name)[0], world) == answer
    assert missing(home, table.find("新しい凧")[0], world) == {"home"}


def test_no_table_at_all_is_an_empty_one() -> None:
    table = open_catalog(GAME)
    assert (len(table), list(table), table.find("凧"), table.suggest("凧")) == (0, [], (), [])


def test_the_bundled_table_opens() -> None:
    root = Path(__file__).parent.parent.parent
    told = yaml.safe_load((root / "formats" / "duel-masters" / "game.yaml").read_text(encoding="utf-8"))
    attributes = {
        key: Attribute(
            key,
            item["kind"],
            localized(key),
            tuple(item.get("values", ())),
            order=tuple(tuple(step) for step in item.get("order", ())),
        )
        for key, item in told["attributes"].items()
    }
    zones = {zone: Zone(zone, localized(zone)) for zone in told["zones"]}
    game = Game(told["game"], localized("dm"), Folding(**told["names"]), attributes, zones, {}, NO_WORDS)
    table = open_catalog(game)
    assert len(table) > 11_000
    assert names(table, "天災ﾃﾞﾄﾞﾀﾞﾑ") == ["天災 デドダム"]
    assert table.suggest("デドダム")[0] == "天災 デドダム"
    known = [card.released for card in table if card.released is not None]
    assert known == sorted(known)
    assert all(card in table.find(card.name) for card in table)
