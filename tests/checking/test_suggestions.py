"""Suggestions for many names: the same ones, sooner, once for each name, and not without end."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import cache

import pytest
from factories.examples import amount
from rapidfuzz import fuzz

from deckcheck.checking.judge import check, load_format, open_game_data
from deckcheck.support.errors import suggest


@cache
def known() -> list[str]:
    catalogue = open_game_data("duel-masters").catalog
    return [catalogue.fold(card.name) for card in catalogue]


KINDS = {"change": 0.97, "drop": 0.97, "add": 0.97, "swap": 0.97, "begin": 0.9, "end": 0.85}
"""How often the card that was meant must be among the suggestions, by what was done to its name."""


def misspelt(name: str, kind: str, chance: random.Random) -> str:
    """The name with a mistake of that kind."""
    at, letter = chance.randrange(len(name)), chance.choice("アカサタナンザ炎龍王")
    match kind:
        case "change":
            return name[:at] + letter + name[at + 1 :]
        case "drop":
            return name[:at] + name[at + 1 :]
        case "add":
            return name[:at] + letter + name[at:]
        case "swap":
            return name[:at] + name[at : at + 2][::-1] + name[at + 2 :]
        case "begin":
            return name[: len(name) * 2 // 3]
        case _:
            return name[len(name) // 3 :]


@pytest.mark.parametrize("kind", KINDS)
def test_who_was_meant_is_suggested(kind: str) -> None:
    """Whatever letters are wrong, and even where only a part of a name stands."""
    catalogue, chance = open_game_data("duel-masters").catalog, random.Random(kind)
    cards = [card for card in catalogue if len(catalogue.fold(card.name)) > 6]
    asked = [(card, misspelt(card.name, kind, chance)) for card in chance.sample(cards, amount(150, 50))]
    unknown = [(card, name) for card, name in asked if not catalogue.find(name)]
    hits = sum(card.name in catalogue.suggest(name) for card, name in unknown)
    assert len(unknown) > amount(75, 25)
    assert hits >= KINDS[kind] * len(unknown)


@pytest.mark.usefixtures("fewer_cards")
@pytest.mark.parametrize("game", ["duel-masters", "magic", "yugioh"])
def test_the_nearest_names_are_those_that_comparing_with_every_name_gives(game: str) -> None:
    """Nine times of ten one of the suggestions is as like as the best of all names."""
    catalogue, chance = open_game_data(game).catalog, random.Random(7)
    names: dict[str, list[str]] = {}
    for card in catalogue:
        faces = [part.name for part in (*card.faces, *card.parts)]
        for name in (card.name, *card.aliases, *faces):
            names.setdefault(card.name, []).append(catalogue.fold(name))
    every = sorted({key for keys in names.values() for key in keys if not key.isdecimal()})
    asked = [misspelt(name, "change", chance) for name in chance.sample(every, 60) if len(name) > 4]
    right = total = 0
    for name in asked:
        best = suggest(catalogue.fold(name), every, most=1)
        if best and not catalogue.find(name):
            total += 1
            found = [key for card in catalogue.suggest(name) for key in names[card]]
            likeness = [fuzz.WRatio(catalogue.fold(name), key) for key in (*best, *found)]
            right += max(likeness[1:], default=0) >= likeness[0]
    assert total > 20
    assert right >= 0.9 * total


def test_an_unknown_name_costs_a_fraction_of_comparing_all() -> None:
    catalogue = open_game_data("duel-masters").catalog
    names, asked = known(), [f"{name[:-1]}ズ" for name in known()[::1200]]
    for name in asked[:3]:
        catalogue.suggest(name)

    def seconds(work: Callable[[str], object]) -> float:
        start = time.process_time()
        for name in asked:
            work(name)
        return time.process_time() - start

    # Side by side, so that both see the same machine.
    rounds = [
        (seconds(catalogue.suggest), seconds(lambda name: suggest(name, names, most=15))) for _ in range(3)
    ]
    assert min(ours / every for ours, every in rounds) < 2 / 3


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("magic", "Author: John Smith"),
        ("magic", "by John Smith"),
        ("yugioh", "99999999"),
        ("yugioh", "399999999"),
    ],
)
def test_where_the_nearest_name_is_far_none_is_suggested(game: str, name: str) -> None:
    assert open_game_data(game).catalog.suggest(name) == []


@pytest.mark.parametrize(
    ("game", "text", "ja", "en"),
    [
        ("yugioh/ocg", "3 ブラック・マジシャソ\n", "《ブラック・マジシャン》", "Dark Magician"),
        ("yugioh/ocg", "3 Drak Magician\n", "《Dark Magician》", "Dark Magician"),
        ("magic/modern", "4 稲妻の連鏁\n", "《稲妻の連鎖》", "Chain Lightning"),
    ],
)
def test_a_japanese_name_is_suggested_for_a_japanese_one(game: str, text: str, ja: str, en: str) -> None:
    report = check(text, load_format(game), as_of="2026-09-20")
    [finding] = [one for one in report.findings if one.rule == "unknown-card"]
    assert finding.hint is not None
    assert (
        ja in finding.hint.in_("ja") and en in finding.hint.in_("en") and "《" not in finding.hint.in_("en")
    )
