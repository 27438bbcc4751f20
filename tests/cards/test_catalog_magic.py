"""The bundled facts of Magic cards: nothing twice, nothing half said, and what the facts say of each other agrees."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from deckcheck.cards.names import make_fold
from deckcheck.checking.judge import open_game_data
from deckcheck.formats.loading import load_game

DATA = files("deckcheck") / "data" / "magic"
FACTS = ("colour", "supertype", "type", "subtype", "same_symbols", "mana_value", "tag", "partner_with")
SETS: dict[str, str] = json.loads((DATA / "sets.json").read_text("utf-8"))["released"]


@cache
def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / "cards.jsonl").read_text("utf-8").splitlines()]


@cache
def cards() -> list[dict[str, Any]]:
    return [record for record in records() if "made_of" not in record]


def test_the_table_is_as_large_as_its_description_says() -> None:
    japanese = [
        one
        for one in cards()
        if any(ord(letter) > 0x3000 for name in one.get("aliases", ()) for letter in name)
    ]
    assert (len(records()), len(cards()), len(japanese)) == (33_000, 32_993, 27_093)
    printings = [printing["set"] for one in cards() for printing in one["printings"]]
    assert (len(printings), len(SETS)) == (77_130, 558)
    said = (DATA / "README.md").read_text("utf-8")
    assert all(f"{figure:,}" in said for figure in (33_000, 32_993, 27_093, 77_130, 558))


def test_every_fact_is_said_in_the_words_of_the_game() -> None:
    game = load_game("magic")
    pools = {
        "standard",
        "pioneer",
        "modern",
        "legacy",
        "vintage",
        "pauper",
        "commander",
        "brawl",
        "oathbreaker",
    }
    # None: printed without one.
    rarities = {None, *(code for step in game.attributes["rarity"].order for code in step)}
    for card in cards():
        assert {*FACTS, "identity", "pool", "printings"} <= card.keys(), card["name"]
        for key in ("colour", "identity", "tag"):
            assert {*card[key]} <= {*game.attributes[key].values}, card["name"]
        assert {*card["colour"]} <= {*card["identity"]} or "identity" in card.get("partial", ()), card["name"]
        assert {*card.get("partial", ())} <= card.keys(), card["name"]
        assert card["type"] and card["printings"], card["name"]
        assert {*card["pool"]} <= pools, card["name"]
        assert {printing.get("rarity") for printing in card["printings"]} <= rarities, card["name"]
        assert {printing["set"] for printing in card["printings"]} <= SETS.keys(), card["name"]


def test_pools_agree_with_each_other() -> None:
    for card in cards():
        pool = {*card["pool"]}
        assert ("standard" in pool) <= ("pioneer" in pool) <= ("modern" in pool) <= ("legacy" in pool), card[
            "name"
        ]
        assert ("legacy" in pool) == ("vintage" in pool) == ("commander" in pool) == ("oathbreaker" in pool)
        assert "Conspiracy" not in card["type"] or not pool, card["name"]


def test_no_name_means_two_cards() -> None:
    fold = make_fold(load_game("magic").folding)
    names = Counter(
        key
        for one in records()
        for key in {
            fold(name)
            for name in (
                one["name"],
                *one.get("aliases", ()),
                *(face["name"] for face in one.get("faces", ())),
            )
        }
    )
    assert [name for name, times in names.items() if times > 1] == []


def test_who_may_lead_by_its_tags() -> None:
    doctors = {card["name"] for card in cards() if "time-lord-doctor" in card["tag"]}
    assert "The Tenth Doctor" in doctors and "Missy" not in doctors and len(doctors) == 17
    leaders = {card["name"] for card in cards() if "can-be-commander" in card["tag"]}
    assert {"Grist, the Hunger Tide", "Shorikai, Genesis Engine", "Hearthhull, the Worldseed"} <= leaders
    assert not any(
        "Creature" in card["type"] for card in cards() if card["name"] in leaders - {"Grist, the Hunger Tide"}
    )
    vehicles = {card["name"] for card in cards() if "Vehicle" in card["subtype"]}
    assert leaders & vehicles == {"Shorikai, Genesis Engine"}


def test_partners_by_name_name_each_other() -> None:
    partners = {card["name"]: card["partner_with"] for card in cards() if card["partner_with"]}
    for name, others in partners.items():
        assert all(name in partners[other] for other in others), name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("稲妻", "Lightning Bolt"),
        ("火+氷", "Fire // Ice"),
        ("火 // 氷", "Fire // Ice"),
        ("Fire", "Fire // Ice"),
        ("樫倒しの伊馳我", "Budoka Pupil"),
        ("武道家の学徒", "Budoka Pupil"),
        ("秘密を掘り下げる者", "Delver of Secrets"),
        ("昆虫の逸脱者", "Delver of Secrets"),
        ("Delver of Secrets // Insectile Aberration", "Delver of Secrets"),
        ("押し出し+引き抜き", "Push // Pull"),
        ("Kavaero, Mind-Bitten", "Superior Spider-Man"),
        ("Rick, Steadfast Leader", "Greymond, Avacyn's Stalwart"),
        ("The Upside Down", "Havengul Laboratory"),
        ("ajani vengeant", "Ajani Vengeant"),
        ("Jötun Grunt", "Jötun Grunt"),
    ],
)
def test_a_card_is_known_under_the_names_that_people_write(written: str, name: str) -> None:
    assert [card.name for card in open_game_data("magic").catalog.find(written)] == [name]


def test_what_two_cards_become_means_both() -> None:
    found = open_game_data("magic").catalog.find("Brisela, Voice of Nightmares")
    assert {card.name for card in found} == {"Bruna, the Fading Light", "Gisela, the Broken Blade"}
