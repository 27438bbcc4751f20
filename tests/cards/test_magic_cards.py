"""The bundled facts of Magic cards: nothing twice, nothing half said, and what the facts say of each other agrees."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from deckcheck.checking.judge import open_game_data
from deckcheck.formats.loading import load_game

DATA = files("deckcheck") / "data" / "magic"


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / "cards.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("card", rows(), ids=lambda card: card["name"])
def test_every_fact_is_said_in_the_words_of_the_game(card: dict[str, Any]) -> None:
    game = load_game("magic")
    needed = {"colour", "identity", "supertype", "type", "subtype", "mana_value", "same_symbols", "tag"}
    assert {*needed, "partner_with", "pool"} <= card.keys()
    for key in ("colour", "identity", "tag"):
        assert {*card[key]} <= {*game.attributes[key].values}
    assert {*card["colour"]} <= {*card["identity"]}
    assert {*card.get("partial", ())} <= card.keys()
    assert card["type"]


def test_no_name_means_two_cards() -> None:
    catalog = open_game_data("magic").catalog
    for card in rows():
        for name in (card["name"], *card.get("aliases", ())):
            assert [one.name for one in catalog.find(name)] == [card["name"]], name


def test_printings_are_of_sets_with_a_day() -> None:
    sets = json.loads((DATA / "sets.json").read_text("utf-8"))["released"]
    assert {one["set"] for card in rows() for one in card.get("printings", ())} <= sets.keys()
