"""The card facts and banlists that ship: nothing stands twice, every name finds its card, and what they say agrees."""

from __future__ import annotations

import json
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from deckcheck.cards.catalog import DATA, CardTable
from deckcheck.cards.names import Fold
from deckcheck.checking.judge import Loader, check, load_format
from deckcheck.formats.loading import load_game
from deckcheck.model.card import Card
from deckcheck.support.files import shipped

GAMES = ("duel-masters", "magic", "yugioh")
UNDATED = ("PROMO", "DMART-", "SUPERDECK-")
"""Promotional cards of a year, decks, art editions: when these sets came out nobody has told."""
Record = dict[str, Any]


@cache
def records(game: str) -> list[Record]:
    return [json.loads(line) for line in (DATA / game / "cards.jsonl").read_text("utf-8").splitlines()]


@cache
def table(game: str) -> CardTable:
    found = Loader().game(game).catalog
    assert isinstance(found, CardTable)
    return found


@cache
def said(game: str) -> str:
    """The description of a game's cards."""
    return (DATA / game / "README.md").read_text("utf-8")


@cache
def fold(game: str) -> Fold:
    """Folds names as the table does, each once."""
    return cache(table(game).fold)


def released(game: str) -> dict[str, str]:
    """The days of sets."""
    file = DATA / game / "sets.json"
    days: dict[str, str] = json.loads(file.read_text("utf-8"))["released"] if file.exists() else {}
    return days


def corrections(game: str) -> list[Record]:
    file = DATA / game / "corrections.yaml"
    listed: list[Record] = yaml.safe_load(file.read_text("utf-8"))["corrections"] if file.exists() else []
    return listed


def named(record: Record, *inside: str) -> list[str]:
    """The names of a record, and those of what is inside."""
    parts = [part["name"] for key in inside for part in record.get(key, ())]
    return [record["name"], *record.get("aliases", ()), *parts]


def only(game: str, name: str) -> Card:
    [card] = table(game).find(name)
    return card


# Of every game


@pytest.mark.parametrize(
    ("game", "alike"),
    [
        ("duel-masters", []),
        ("magic", []),
        # An exact spelling decides.
        ("yugioh", [["Hero Flash!!", "H.E.R.O. Flash!"], ["Raimei", "Rai-Mei"]]),
    ],
)
def test_no_name_means_two_cards(game: str, alike: list[list[str]]) -> None:
    holders: dict[str, list[str]] = {}
    for record in records(game):
        for key in set(map(fold(game), named(record, "faces"))):
            holders.setdefault(key, []).append(record["name"])
    assert sorted(names for names in holders.values() if len(names) > 1) == alike
    for name in (name for names in alike for name in names):
        assert only(game, name).name == name


@pytest.mark.parametrize("game", GAMES)
def test_every_name_finds_a_card_and_a_record_names_one_or_what_it_is_made_of(game: str) -> None:
    lost = [
        name
        for record in records(game)
        for name in named(record, "parts", "faces")
        if not table(game).has(fold(game)(name))
    ]
    assert lost == []
    corrected: dict[str, list[Any]] = {}
    for entry in corrections(game):
        if "made_of" in entry.get("set", ()):
            corrected[entry["card"]] = entry["set"]["made_of"]
        if "made_of" in entry.get("unset", ()):
            # A name that decklists use for the whole stands for itself.
            corrected[entry["card"]] = [None]
    made = [record for record in records(game) if "made_of" in record or record["name"] in corrected]
    for record in [*made, *records(game)[::10]]:
        made_of = corrected.get(record["name"]) or record.get("made_of") or [None]
        assert len(table(game).find(record["name"])) == len(made_of), record["name"]


@pytest.mark.parametrize("game", GAMES)
def test_sets_have_days(game: str) -> None:
    days = [*released(game).values(), *(one["released"] for one in records(game) if "released" in one)]
    assert [day for day in days if date.fromisoformat(day).isoformat() != day] == []
    printed = {printing["set"] for record in records(game) for printing in record.get("printings", ())}
    undated = printed - released(game).keys()
    assert [code for code in undated if game != "duel-masters" or not code.startswith(UNDATED)] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_description_gives_the_number_of_records_and_of_cards(game: str) -> None:
    assert f"{len(records(game)):,} records" in said(game)
    assert f"{len(table(game)):,}" in said(game)


@pytest.mark.parametrize(
    ("game", "written", "name"),
    [
        ("duel-masters", "青銅の鎧(ブロンズ・アーム・トライブ)", "青銅の鎧"),
        ("duel-masters", "終焉の禁断 ドルマゲドンX", "FORBIDDEN STAR ～世界最後の日～"),
        ("duel-masters", "伝説の禁断 ドキンダムX", "禁断～封印されしX～"),
        ("duel-masters", "サファイア・ミスティ", "13番目の計画"),
        ("duel-masters", "爆熱DX バトライ武神", "爆熱剣 バトライ刃"),
        ("magic", "稲妻", "Lightning Bolt"),
        ("magic", "火+氷", "Fire // Ice"),
        ("magic", "火 // 氷", "Fire // Ice"),
        ("magic", "Fire", "Fire // Ice"),
        ("magic", "樫倒しの伊馳我", "Budoka Pupil"),
        ("magic", "秘密を掘り下げる者", "Delver of Secrets"),
        ("magic", "Delver of Secrets // Insectile Aberration", "Delver of Secrets"),
        ("magic", "Kavaero, Mind-Bitten", "Superior Spider-Man"),
        ("magic", "Rick, Steadfast Leader", "Greymond, Avacyn's Stalwart"),
        ("magic", "The Upside Down", "Havengul Laboratory"),
        ("yugioh", "blue eyes white dragon", "Blue-Eyes White Dragon"),
        ("yugioh", "青眼の白龍", "Blue-Eyes White Dragon"),
        ("yugioh", "89631140", "Blue-Eyes White Dragon"),
        ("yugioh", "ハーピィ・レディ2", "Harpie Lady"),
        ("yugioh", "増殖するＧ", 'Maxx "C"'),
        ("yugioh", "No39希望皇ホープ", "Number 39: Utopia"),
        ("yugioh", "雷鳴", "Raimei"),
    ],
)
def test_a_card_is_known_under_the_names_that_people_write(game: str, written: str, name: str) -> None:
    assert only(game, written).name == name


# Duel Masters


def test_a_card_in_two_spellings_is_one_card_with_one_printing_a_set() -> None:
    joined = [entry for entry in corrections("duel-masters") if "same_as" in entry]
    assert joined
    for entry in joined:
        assert only("duel-masters", entry["card"]) is only("duel-masters", entry["same_as"])
    for card in table("duel-masters"):
        sets = [printing.set for printing in card.printings]
        assert len(sets) == len(set(sets)), card.name


def test_no_date_is_older_than_the_kind_of_card() -> None:
    first = {
        "GR": "2019-03-16",
        "サイキック": "2010-06-26",
        "ドラグハート": "2014-05-24",
        "スター進化": "2020-12-18",
    }
    for card in table("duel-masters"):
        kinds = card.facts.get("type", frozenset())
        days = [card.released, *(printing.released for printing in card.printings)]
        for word, day in first.items():
            if isinstance(kinds, frozenset) and any(word in kind for kind in kinds):
                assert min((known for known in days if known), default=day) >= day, card.name


def test_what_lies_outside_before_the_game_is_tagged_and_a_twinpact_costs_what_its_first_half_does() -> None:
    cards = list(table("duel-masters"))
    tagged = {card.name for card in cards if "set-out-before-the-game" in card.facts.get("tag", ())}  # type: ignore[operator]
    outside = {
        "禁断～封印されしX～",
        "FORBIDDEN STAR ～世界最後の日～",
        "滅亡の起源 零無",
        "墓地の儀",
        "零龍",
    }
    assert outside <= tagged
    halved = [card for card in cards if card.parts and "cost" in card.parts[0].facts]
    assert len(halved) > 500
    assert [card.name for card in halved if card.facts["cost"] != card.parts[0].facts["cost"]] == []
    homes = {
        name: only("duel-masters", name).home for name in ("13番目の計画", "C.A.P. アアルカイト", "青銅の鎧")
    }
    assert homes == {"13番目の計画": "hyperspatial", "C.A.P. アアルカイト": "gr", "青銅の鎧": "main"}


# Magic


@cache
def magic_cards() -> list[Record]:
    return [record for record in records("magic") if "made_of" not in record]


def test_every_fact_of_a_magic_card_is_said() -> None:
    facts = {"colour", "supertype", "type", "subtype", "same_symbols", "mana_value", "tag", "partner_with"}
    pools = {"standard", "pioneer", "modern", "legacy", "vintage", "pauper", "commander", "brawl", "oathbreaker"}  # fmt: skip
    tags = {*load_game("magic").attributes["tag"].values}
    for card in magic_cards():
        pool = {*card["pool"]}
        assert facts | {"identity", "pool", "printings"} <= card.keys(), card["name"]
        assert card["type"] and card["printings"] and {*card["tag"]} <= tags, card["name"]
        assert {*card["colour"]} <= {*card["identity"]} or "identity" in card.get("partial", ()), card["name"]
        assert pool <= pools, card["name"]
        assert ("standard" in pool) <= ("pioneer" in pool) <= ("modern" in pool) <= ("legacy" in pool)
        assert ("legacy" in pool) == ("vintage" in pool) == ("commander" in pool) == ("oathbreaker" in pool)
        assert "Conspiracy" not in card["type"] or not pool, card["name"]
    printings = sum(len(card["printings"]) for card in magic_cards())
    assert all(f"{figure:,}" in said("magic") for figure in (printings, len(released("magic"))))


def test_who_may_lead_by_its_tags_and_partners_name_each_other() -> None:
    doctors = {card["name"] for card in magic_cards() if "time-lord-doctor" in card["tag"]}
    assert "The Tenth Doctor" in doctors and "Missy" not in doctors and len(doctors) == 17
    leaders = {card["name"]: card for card in magic_cards() if "can-be-commander" in card["tag"]}
    creatures = {name for name, card in leaders.items() if "Creature" in card["type"]}
    vehicles = {name for name, card in leaders.items() if "Vehicle" in card["subtype"]}
    assert (creatures, vehicles) == ({"Grist, the Hunger Tide"}, {"Shorikai, Genesis Engine"})
    partners = {card["name"]: card["partner_with"] for card in magic_cards() if card["partner_with"]}
    for name, others in partners.items():
        assert all(name in partners[other] for other in others), name
    found = table("magic").find("Brisela, Voice of Nightmares")
    assert {card.name for card in found} == {"Bruna, the Fading Light", "Gisela, the Broken Blade"}


# Yu-Gi-Oh


def test_every_record_of_yugioh_says_what_a_card_is() -> None:
    frames = [record["frame"] for record in records("yugioh")]
    for record in records("yugioh"):
        assert bool(record["frame"]) == (record["type"] not in (["Spell"], ["Trap"])), record
        # Those four are in the Extra Deck, all else in the main one.
        is_extra = bool({"Fusion", "Synchro", "Xyz", "Link"} & set(record["frame"]))
        assert (record.get("home") == "extra") == is_extra, record
    skills, tokens = frames.count(["Skill"]), frames.count(["Token"])
    told = f"{len(frames) - skills - tokens:,} cards, {skills} Skill Cards and {tokens} Tokens"
    assert told in said("yugioh")
    played = [record for record in records("yugioh") if record["pool"]]
    codes = {one["name"]: [name for name in one.get("aliases", ()) if name.isdecimal()] for one in played}
    assert all(len(code) < 9 and code[0] != "0" for held in codes.values() for code in held)
    assert [name for name, held in codes.items() if not held] == ["The Magical King of Dimension Zeta"]


def test_a_spelling_of_two_cards_is_told() -> None:
    report = check("1 Raimei\n1 raimei\n", load_format("yugioh/ocg"), as_of="2026-01-01")
    [finding] = [finding for finding in report.findings if finding.rule == "ambiguous-name"]
    assert (finding.line, finding.message.en) == (2, "'raimei' may be any of Raimei, Rai-Mei")


# Banlists

LISTS = [file for game in GAMES for file in sorted((shipped("banlists") / game).glob("*.yaml"))]


def listed(file: Path) -> dict[str, Any]:
    # Loaded without dates: what a list says is compared as it is written.
    data: dict[str, Any] = yaml.load(
        file.read_text("utf-8"), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    )
    return data


@pytest.mark.parametrize("file", LISTS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_entry_of_a_list_names_one_card_once_and_each_of_its_changes_is_one(file: Path) -> None:
    data = listed(file)
    names = [entry["card"] for entry in data["cards"]]
    sides = [name for pair in data.get("combinations", ()) for side in pair["sides"] for name in side]
    changed = [change["card"] for change in data.get("unconfirmed", {}).get("changes", ())]
    find = table(file.parent.name).find
    assert names and "partial" not in data
    assert [name for name in (*names, *sides, *changed) if [card.name for card in find(name)] != [name]] == []
    assert len(names) == len(set(names))
    for entry in (*data["cards"], *data.get("combinations", ())):
        days = [change["from"] for change in entry["history"]]
        assert days == sorted(set(days)), entry
        statuses = [change["status"] for change in entry["history"]]
        assert all(before != after for before, after in pairwise(statuses)), entry
        assert "others" in data or statuses[0] != "free", entry


@pytest.mark.parametrize(
    ("list_name", "cards", "combinations"),
    [("duel-masters/hall-of-fame", 185, 6), ("yugioh/ocg", None, 0), ("yugioh/advanced", None, 0)],
)
def test_the_official_lists_are_whole(list_name: str, cards: int | None, combinations: int) -> None:
    data = listed(shipped("banlists") / f"{list_name}.yaml")
    assert len(data.get("combinations", ())) == combinations
    if cards is None:
        name = list_name.partition("/")[2]
        [paragraph] = [
            part for part in said("yugioh").split("\n- ") if part.startswith(f"`{name}.yaml`: every list")
        ]
        assert f"{len(data['cards'])} cards" in paragraph
    else:
        assert len(data["cards"]) == cards
