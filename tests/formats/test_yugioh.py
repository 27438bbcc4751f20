"""Yu-Gi-Oh, which shares nothing with the other games: its facts, its lists, and its rules against a naive reading of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from deckcheck.cards.names import make_fold
from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.formats.loading import load_game

ROOT = Path(__file__).parent.parent.parent
RECORDS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (ROOT / "deckcheck/data/yugioh/cards.jsonl").read_text(encoding="utf-8").splitlines()
]
FRAMES = {"Normal", "Effect", "Ritual", "Fusion", "Synchro", "Xyz", "Pendulum", "Link", "Token", "Skill"}
EXTRA = {"Fusion", "Synchro", "Xyz", "Link"}
FORMATS = ("yugioh/advanced", "yugioh/traditional", "yugioh/ocg")


@pytest.fixture(scope="module")
def formats() -> dict[str, LoadedFormat]:
    return {name: load_format(name) for name in FORMATS}


def test_every_record_says_what_a_card_is() -> None:
    for one in RECORDS:
        assert next(iter(one)) == "name"
        assert set(one) <= {"name", "aliases", "home", "type", "frame", "tag", "pool", "partial"}, one
        assert one["type"] in (["Monster"], ["Spell"], ["Trap"]) or one["frame"] == ["Skill"], one
        assert set(one["frame"]) <= FRAMES
        assert bool(one["frame"]) == (one["type"] not in (["Spell"], ["Trap"])), one
        # Those four are in the Extra Deck, all else in the main one.
        assert (one.get("home") == "extra") == bool(EXTRA & set(one["frame"])), one
    assert {frame for one in RECORDS for frame in one["frame"]} == FRAMES


def test_no_two_cards_share_a_name_or_a_passcode() -> None:
    names = Counter(name for one in RECORDS for name in {one["name"], *one.get("aliases", ())})
    assert [name for name, times in names.items() if times > 1] == []


def test_two_pairs_of_names_fold_alike_and_an_exact_spelling_decides(
    formats: dict[str, LoadedFormat],
) -> None:
    fold = make_fold(load_game("yugioh").folding)
    alike: dict[str, list[str]] = {}
    for one in RECORDS:
        for key in {fold(name) for name in (one["name"], *one.get("aliases", ()))}:
            alike.setdefault(key, []).append(one["name"])
    pairs = sorted(names for names in alike.values() if len(names) > 1)
    assert pairs == [["Hero Flash!!", "H.E.R.O. Flash!"], ["Raimei", "Rai-Mei"]]
    catalog = formats["yugioh/ocg"].game_data.catalog
    for name in (name for pair in pairs for name in pair):
        assert [card.name for card in catalog.find(name)] == [name]
    assert [card.name for card in catalog.find("雷鳴")] == ["Raimei"]
    report = check("1 Raimei\n1 raimei\n", formats["yugioh/ocg"], as_of="2026-01-01")
    (finding,) = [finding for finding in report.findings if finding.rule == "ambiguous-name"]
    assert (finding.line, finding.message.en) == (2, "'raimei' may be any of Raimei, Rai-Mei")


def test_nearly_every_card_that_is_played_has_a_passcode_and_a_japanese_name() -> None:
    played = [one for one in RECORDS if one["pool"]]
    codes = {one["name"]: [name for name in one.get("aliases", ()) if name.isdecimal()] for one in played}
    assert all(len(code) < 9 and code[0] != "0" for held in codes.values() for code in held)
    assert [name for name, held in codes.items() if not held] == ["The Magical King of Dimension Zeta"]
    western = [
        one["name"]
        for one in played
        if not any(ord(letter) > 0x3000 for name in (one["name"], *one.get("aliases", ())) for letter in name)
    ]
    assert len(western) == 105


def test_one_card_under_all_its_pictures_and_names(formats: dict[str, LoadedFormat]) -> None:
    catalog = formats["yugioh/advanced"].game_data.catalog
    for names in (
        ("Blue-Eyes White Dragon", "blue eyes white dragon", "青眼の白龍", "89631139", "89631140"),
        ("Harpie Lady", "Harpie Lady 1", "ハーピィ・レディ2", "54415063"),
        ("Mystical Space Typhoon", "サイクロン", "5318639"),
        ('Maxx "C"', "Maxx C", "増殖するＧ"),
        ("Number 39: Utopia", "No.39 希望皇ホープ", "No39希望皇ホープ"),
    ):
        assert len({catalog.find(name)[0].name for name in names}) == 1, names
    assert catalog.find("Dark Magician") != catalog.find("Dark Magician Girl")
