"""Suggestions for many names: the same ones, sooner, once for each name, and not without end."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import cache

import pytest
from factories.examples import amount

from deckcheck.checking.judge import check, load_format, open_game_data
from deckcheck.support.errors import suggest


@cache
def known() -> list[str]:
    catalogue = open_game_data("duel-masters").catalog
    return [catalogue.fold(card.name) for card in catalogue]


KINDS = [
    *(("duel-masters", kind, 0.97) for kind in ("change", "drop", "add", "swap")),
    *(("duel-masters", "begin", 0.9), ("duel-masters", "end", 0.85)),
    *((game, "change", 0.9) for game in ("magic", "yugioh")),
]
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


@pytest.mark.parametrize(("game", "kind", "share"), KINDS)
def test_who_was_meant_is_suggested(
    game: str, kind: str, share: float, request: pytest.FixtureRequest
) -> None:
    """Whatever letters are wrong, and even where only a part of a name stands."""
    if game != "duel-masters":
        request.getfixturevalue("fewer_cards")
    catalogue, chance = open_game_data(game).catalog, random.Random(kind)
    cards = [card for card in catalogue if len(catalogue.fold(card.name)) > 6]
    asked = [(card, misspelt(card.name, kind, chance)) for card in chance.sample(cards, amount(150, 50))]
    unknown = [(card, name) for card, name in asked if not catalogue.find(name)]
    hits = sum(card.name in catalogue.suggest(name) for card, name in unknown)
    assert len(unknown) > amount(75, 25)
    assert hits >= share * len(unknown)


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
        (seconds(catalogue.suggest), seconds(lambda name: suggest(name, names, most=15))) for _ in range(5)
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
