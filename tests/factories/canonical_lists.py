"""Small lists brought into the canonical notation, and read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.model.deck import Deck
from deckcheck.rewriting.formatter import Formatter
from factories.reader_lists import cards, duel_masters, reader

GOLDEN = Path(__file__).parent.parent / "golden"
A, B, C = "天災 デドダム", "フェアリー・ライフ", "斬隠オロチ"


@cache
def small() -> GameData:
    return GameData(duel_masters(), cards(), reader())


@cache
def formatter() -> Formatter:
    return Formatter(small())


@cache
def real() -> tuple[GameData, Callable[..., str]]:
    table = open_game_data("duel-masters")
    return table, Formatter(table).format


def fmt(text: str, path: str = "deck.txt") -> str:
    return formatter().format(text, path)


def read(text: str, path: str = "deck.txt") -> Deck:
    return small().read(text, path)


def ids(deck: Deck) -> Counter[str]:
    return Counter(diagnostic.id for diagnostic in deck.diagnostics if diagnostic.id != "unknown-zone")
