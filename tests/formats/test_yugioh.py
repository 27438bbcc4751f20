"""Yu-Gi-Oh, which shares nothing with the other games: its facts, its lists, and its rules against a naive reading of them."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from factories.garden_game import deck_from
from factories.random_cards import often
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.cards.names import make_fold
from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.formats.loading import load_game
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import FindingId
from deckcheck.support.files import shipped

ROOT = Path(__file__).parent.parent.parent
RECORDS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (ROOT / "deckcheck/data/yugioh/cards.jsonl").read_text(encoding="utf-8").splitlines()
]
CARDS = {one["name"]: one for one in RECORDS}
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


ZONES = ("main", "extra", "side")
LISTS = {"yugioh/advanced": "advanced", "yugioh/traditional": "advanced", "yugioh/ocg": "ocg"}
COMPLETE = {"advanced": "2021-07-01", "ocg": "2004-09-01"}
DAYS = (
    "2004-01-01",
    "2005-12-01",
    "2010-01-01",
    "2021-06-30",
    "2021-07-01",
    "2024-06-01",
    "2026-09-21",
    "2026-09-30",
)


@cache
def history_of(list_name: str) -> dict[str, list[tuple[str, str]]]:
    text = (shipped("banlists") / "yugioh" / f"{list_name}.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=yaml.CSafeLoader)
    return {
        one["card"]: [(str(change["from"]), change["status"]) for change in one["history"]]
        for one in data["cards"]
    }


def status_of(list_name: str, card: str, day: str) -> str:
    changes = history_of(list_name).get(card, [])
    return next((status for since, status in reversed(changes) if since <= day), "free")


def naive(name: str, held: list[tuple[str, int, str]], day: str) -> set[str]:
    """What a player would say of the deck."""
    found = set()
    size = Counter[str]()
    copies = Counter[str]()
    for card, count, zone in held:
        size[zone] += count
        copies[card] += count
    if not 40 <= size["main"] <= 60:
        found.add("main-size")
    found |= {f"{zone}-size" for zone in ("extra", "side") if size[zone] > 15}
    for card, count in copies.items():
        if count == 0:
            continue
        record = CARDS[card]
        status = status_of(LISTS[name], card, day)
        most = {"forbidden": 0, "limited": 1, "semi-limited": 2}.get(status, 3)
        if status == "forbidden" and name == "yugioh/traditional":
            most = 1
        if count > 3:
            found.add("copies")
        if count > most and status != "free":
            found.add(status)
        if record["frame"] == ["Token"]:
            found.add("token")
        if LISTS[name].replace("advanced", "tcg") not in record["pool"]:
            found.add("pool")
    for card, count, zone in held:
        lives = CARDS[card].get("home", "main")
        if count and zone != "side" and lives != zone:
            found.add("wrong-deck")
    return found


WHOLE = [one for one in RECORDS if "partial" not in one]
NAMED = [one["name"] for one in WHOLE]
MAIN = [
    one["name"] for one in WHOLE if "home" not in one and one["frame"] != ["Token"] and len(one["pool"]) == 2
]
LISTED = ["Pot of Greed", "Abyss Soldier", "Exodia the Forbidden One", "Change of Heart", "Heavy Storm"]
ODD = [*LISTED, "Sheep Token", "Twisted Personality", "Stardust Dragon", "Odd-Eyes Pendulum Dragon"]


@st.composite
def held_cards(draw: st.DrawFn) -> list[tuple[str, int, str]]:
    """A deck that is nearly right: forty or so in the main deck, a few elsewhere, something odd."""
    size = draw(st.sampled_from([13, 14, 20, 21]))
    chosen = draw(st.lists(st.sampled_from(MAIN), min_size=size, max_size=size, unique=True))
    held = [(card, 3, "main") for card in chosen]
    for _ in range(draw(st.integers(0, 8))):
        card = draw(st.sampled_from([*NAMED, *ODD * 5]))
        held.append((card, draw(st.integers(0, 4)), draw(st.sampled_from(ZONES))))
    return held


@given(held_cards(), st.sampled_from(FORMATS), st.sampled_from(DAYS))
@often(300)
def test_what_is_found_is_what_a_player_would_say(
    formats: dict[str, LoadedFormat], held: list[tuple[str, int, str]], name: str, day: str
) -> None:
    loaded = formats[name]
    report = check(deck_of_names(loaded, held), loaded, as_of=day)
    wanted = naive(name, held, day)
    sure = {one.rule for one in report.findings if one.severity == "error"} - {FindingId.PARTIAL_BANLIST}
    # Of several limits on one card only the strictest is told.
    assert sure <= wanted
    is_complete = day >= COMPLETE[LISTS[name]]
    assert report.verdict == ("illegal" if wanted else "legal" if is_complete else "undecided")
    assert {"main-size", "extra-size", "side-size", "wrong-deck"} & wanted <= sure


def deck_of_names(loaded: LoadedFormat, held: list[tuple[str, int, str]]) -> Deck:
    find = loaded.game_data.catalog.find
    return deck_from(
        Entry(card, find(card), count, zone, line, 1) for line, (card, count, zone) in enumerate(held, 1)
    )
