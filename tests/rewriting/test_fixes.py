"""`check --fix`: names that are certain are corrected, and nothing else changes."""

from __future__ import annotations

from functools import cache

import pytest

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.rewriting.fixes import Fix, Fixer

A, B = "青銅の鎧", "フェアリー・ライフ"


@cache
def _table(game: str) -> GameData:
    return open_game_data(game)


def fixed(text: str, path: str = "deck.txt", leave: tuple[str, ...] = (), game: str = "duel-masters") -> str:
    return Fixer(_table(game)).fix(text, path, leave).text


@pytest.mark.parametrize("form", ["4 x {}", "{} ×4", "・{}　4枚 # 初動", "《{}》×4"])
def test_a_misspelt_name_is_corrected_in_place(form: str) -> None:
    wrong = "フェアリー・ライブ"
    text = f"{form.format(A)}\n{form.format(wrong)}\n{form.format('斬隠オロチ')}\n"
    assert fixed(text) == text.replace(wrong, B)


@pytest.mark.parametrize("text", [f"4 x {A}\n4 x ぜんぜんちがう\n", f"3 x {A}\n1 x {A}\n"])
def test_what_is_not_certain_stays(text: str) -> None:
    assert fixed(text) == text


def test_names_to_be_left_stay() -> None:
    text = f"4 x {A}\n4 x フェアリー・ライブ\n"
    assert fixed(text, leave=("フェアリー・ライブ",)) == text


def test_what_was_corrected_is_said() -> None:
    result = Fixer(_table("duel-masters")).fix(f"4 x {A}\n4 x フェアリー・ライブ\n", "deck.txt")
    assert result.fixes == (Fix(2, "フェアリー・ライブ", B),)
