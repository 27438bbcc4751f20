"""The card facts, corrections and banlists that ship for Duel Masters."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from deckcheck.cards.catalog import CardTable, open_catalog
from deckcheck.cards.names import make_fold
from deckcheck.formats.loading import load_game
from deckcheck.model.card import Card
from deckcheck.model.game import Folding

ROOT = Path(__file__).parent.parent.parent
DATA = ROOT / "deckcheck" / "data" / "duel-masters"
GAME: dict[str, Any] = yaml.safe_load(
    (ROOT / "formats" / "duel-masters" / "game.yaml").read_text(encoding="utf-8")
)


# What these sets are is known (promotional cards of a year, decks, art editions), when they came out is not.
UNDATED = ("PROMO", "DMART-", "SUPERDECK-")


def lines() -> list[str]:
    return (DATA / "cards.jsonl").read_text(encoding="utf-8").splitlines()


RECORDS: list[dict[str, Any]] = [json.loads(line) for line in lines()]
SETS: dict[str, Any] = json.loads((DATA / "sets.json").read_text(encoding="utf-8"))
CORRECTIONS: list[dict[str, Any]] = yaml.safe_load((DATA / "corrections.yaml").read_text(encoding="utf-8"))[
    "corrections"
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardTable]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("DECKCHECK_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        yield open_catalog(load_game("duel-masters"))


def fold(name: str) -> str:
    return make_fold(Folding(GAME["names"]["drop"], GAME["names"]["replace"]))(name)


def is_date(value: object) -> bool:
    return isinstance(value, str) and datetime.date.fromisoformat(value).isoformat() == value


def names_of(record: dict[str, Any]) -> list[str]:
    """Every name by which the source knows the record."""
    inside = [part["name"] for key in ("parts", "faces") for part in record.get(key, ())]
    return [record["name"], *record.get("aliases", ()), *inside]


def only(table: CardTable, name: str) -> Card:
    found = table.find(name)
    assert len(found) == 1, f"{name}: {[card.name for card in found]}"
    return found[0]


def test_what_goes_without_saying_is_left_out() -> None:
    for record in RECORDS:
        assert record.get("home") != next(iter(GAME["zones"])), record["name"]
        assert record.get("verified") is not True, record["name"]
        for holder in (record, *record.get("parts", ()), *record.get("faces", ())):
            assert holder.get("civilization") != [], "no civilization at all is unknown, ゼロ is one"
            assert holder.get("type") != [], record["name"]
        for key in ("aliases", "partial", "printings", "parts", "faces", "made_of"):
            assert record.get(key) != [], record["name"]


def test_the_dates_are_days_and_the_records_stand_oldest_first() -> None:
    days = [record.get("released", "9999-12-31") for record in RECORDS]
    assert all(map(is_date, days))
    assert days == sorted(days)
    assert all(map(is_date, SETS["released"].values()))
    newest = max(SETS["released"].values())
    assert newest.startswith(SETS["newest"])
    assert max(day for day in days if day < "9999") <= newest
    assert set(SETS["approximate"]) <= set(SETS["released"])


def test_a_set_is_dated_or_of_a_kind_whose_day_nobody_has_told() -> None:
    printed = {printing["set"] for record in RECORDS for printing in record.get("printings", ())}
    undated = printed - set(SETS["released"])
    assert all(code.startswith(UNDATED) for code in undated), sorted(undated)


def test_no_two_records_or_faces_have_one_name() -> None:
    names = [
        name
        for record in RECORDS
        for name in (record["name"], *(face["name"] for face in record.get("faces", ())))
    ]
    assert [name for name, count in Counter(map(fold, names)).items() if count > 1] == []
    # The source lists 11,960 names, each of them a card or a side of one.
    assert len(names) == 11_960


def test_an_alias_is_no_other_record() -> None:
    owner = {fold(record["name"]): record["name"] for record in RECORDS}
    for record in RECORDS:
        for alias in record.get("aliases", ()):
            assert owner.get(fold(alias), record["name"]) == record["name"], alias


def test_every_name_of_the_source_finds_a_card_once_corrected(table: CardTable) -> None:
    lost = [name for record in RECORDS for name in names_of(record) if not table.find(name)]
    assert lost == []


def test_a_record_names_one_card_or_what_it_is_made_of(table: CardTable) -> None:
    corrected = {
        entry["card"]: entry["set"]["made_of"] for entry in CORRECTIONS if "made_of" in entry.get("set", ())
    }
    assert corrected
    # A name that decklists use for the whole stands for itself.
    corrected |= {entry["card"]: [None] for entry in CORRECTIONS if "made_of" in entry.get("unset", ())}
    for record in RECORDS:
        made_of = corrected.get(record["name"]) or record.get("made_of") or [None]
        assert len(table.find(record["name"])) == len(made_of), record["name"]


def test_a_card_in_two_spellings_is_one_card_with_one_printing_a_set(table: CardTable) -> None:
    joined = [entry for entry in CORRECTIONS if "same_as" in entry]
    assert joined
    for entry in joined:
        assert only(table, entry["card"]) is only(table, entry["same_as"])
    for card in table:
        sets = [printing.set for printing in card.printings]
        assert len(sets) == len(set(sets)), card.name


def test_no_date_is_older_than_the_kind_of_card(table: CardTable) -> None:
    first = {
        "GR": "2019-03-16",
        "サイキック": "2010-06-26",
        "ドラグハート": "2014-05-24",
        "スター進化": "2020-12-18",
    }
    for card in table:
        kinds = card.facts.get("type", frozenset())
        days = [card.released, *(printing.released for printing in card.printings)]
        for word, day in first.items():
            if isinstance(kinds, frozenset) and any(word in kind for kind in kinds):
                assert min((known for known in days if known), default=day) >= day, card.name


@pytest.mark.parametrize(
    ("written", "name", "home"),
    [
        ("青銅の鎧(ブロンズ・アーム・トライブ)", "青銅の鎧", "main"),
        ("終焉の禁断 ドルマゲドンX", "FORBIDDEN STAR ～世界最後の日～", "start"),
        ("伝説の禁断 ドキンダムX", "禁断～封印されしX～", "main"),
        ("サファイア・ミスティ", "13番目の計画", "hyperspatial"),
        ("爆熱DX バトライ武神", "爆熱剣 バトライ刃", "hyperspatial"),
        ("C.A.P. アアルカイト", "C.A.P. アアルカイト", "gr"),
    ],
)
def test_a_side_or_spelling_names_its_card(table: CardTable, written: str, name: str, home: str) -> None:
    card = only(table, written)
    assert (card.name, card.home) == (name, home)


def test_what_lies_outside_before_the_game_is_tagged(table: CardTable) -> None:
    tagged = {card.name for card in table if "set-out-before-the-game" in card.facts.get("tag", ())}
    assert {"禁断～封印されしX～", "FORBIDDEN STAR ～世界最後の日～", "滅亡の起源 零無", "墓地の儀"} <= tagged
    assert {card.name for card in table.find("零龍")} <= tagged
    assert [card.name for card in table.find("零龍")] == ["零龍"]


def test_a_twinpact_counts_with_the_cost_of_its_first_half(table: CardTable) -> None:
    halved = [card for card in table if card.parts and "cost" in card.parts[0].facts]
    assert len(halved) > 500
    assert [card.name for card in halved if card.facts["cost"] != card.parts[0].facts["cost"]] == []


def banlist(path: Path) -> dict[str, Any]:
    # Loaded without dates: what a list says is compared as it is written.
    data: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return data


@pytest.mark.parametrize(
    ("card", "before", "after"),
    [
        ("フェアリー・ギフト", "hall", "premium"),
        ("蝕王の晩餐", "hall", "premium"),
        ("奇跡の精霊ミルザム", "premium", "hall"),
        ("“龍装”チュリス", "hall", "free"),
        ("邪神M・ロマノフ", "hall", "free"),
        ("お目覚めメイ様", "free", "hall"),
        ("俳句爵 Drache der’Bande", "free", "hall"),
    ],
)
def test_the_changes_of_august_2026_hold_from_their_day(card: str, before: str, after: str) -> None:
    data = banlist(ROOT / "banlists" / "duel-masters" / "hall-of-fame.yaml")
    (history,) = (entry["history"] for entry in data["cards"] if entry["card"] == card)
    statuses = ["free", *(change["status"] for change in history)]
    assert (history[-1]["from"], statuses[-2], statuses[-1]) == ("2026-08-10", before, after)
    assert data["complete_through"] >= "2026-08-10" and "unconfirmed" not in data


def test_the_official_list_is_whole() -> None:
    data = banlist(ROOT / "banlists" / "duel-masters" / "hall-of-fame.yaml")
    assert (len(data["cards"]), len(data["combinations"])) == (185, 6)
    standing = Counter(entry["history"][-1]["status"] for entry in data["cards"])
    assert standing["premium"] < standing["hall"]
