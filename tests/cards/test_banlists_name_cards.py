"""Every entry of a bundled banlist names one card of its game, once; and the descriptions of the cards give their true numbers."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from deckcheck.cards.sources import DATA
from deckcheck.checking.judge import open_game_data
from deckcheck.support.files import shipped

GAMES = ("duel-masters", "magic", "yugioh")
LISTS = [file for game in GAMES for file in sorted((shipped("banlists") / game).glob("*.yaml"))]


@pytest.mark.parametrize("file", LISTS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_entry_of_a_list_names_one_card_once_and_each_of_its_changes_is_one(file: Path) -> None:
    data = yaml.load(file.read_text("utf-8"), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    table = open_game_data(file.parent.name).catalog
    names = [entry["card"] for entry in data["cards"]]
    sides = [name for pair in data.get("combinations", ()) for side in pair["sides"] for name in side]
    changed = [change["card"] for change in data.get("unconfirmed", {}).get("changes", ())]
    unknown = [
        name for name in (*names, *sides, *changed) if [card.name for card in table.find(name)] != [name]
    ]
    assert names
    assert unknown == []
    assert len(names) == len(set(names))
    for entry in (*data["cards"], *data.get("combinations", ())):
        days = [change["from"] for change in entry["history"]]
        assert days == sorted(set(days)), entry
        statuses = ["free", *(change["status"] for change in entry["history"])]
        if "others" in data:
            del statuses[0]
        assert all(before != after for before, after in pairwise(statuses)), entry


def records_of(game: str) -> list[dict[str, Any]]:
    lines = (DATA / game / "cards.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("game", GAMES)
def test_a_description_gives_the_number_of_records_and_of_cards(game: str) -> None:
    said = (DATA / game / "README.md").read_text("utf-8")
    assert f"{len(records_of(game)):,} records" in said
    assert f"{len(open_game_data(game).catalog):,}" in said


def test_the_description_of_yugioh_tells_its_cards_apart() -> None:
    frames = [record.get("frame") for record in records_of("yugioh")]
    skills, tokens = frames.count(["Skill"]), frames.count(["Token"])
    said = (DATA / "yugioh" / "README.md").read_text("utf-8")
    assert f"{len(frames) - skills - tokens:,} cards, {skills} Skill Cards and {tokens} Tokens" in said


@pytest.mark.parametrize("id", ["ocg", "advanced"])
def test_the_description_of_yugioh_gives_the_size_of_its_lists(id: str) -> None:
    text = (shipped("banlists") / "yugioh" / f"{id}.yaml").read_text("utf-8")
    said = (DATA / "yugioh" / "README.md").read_text("utf-8")
    [paragraph] = [part for part in said.split("\n- ") if part.startswith(f"`{id}.yaml`: every list")]
    assert f"{text.count('  - card: ')} cards" in paragraph
