"""`fmt`: lines in one form, in place, and what is left alone."""

from __future__ import annotations

from functools import cache

import pytest

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.rewriting.fmt_and_fix import formatted
from deckcheck.support.errors import UserError

A, B, C = "青銅の鎧", "フェアリー・ライフ", "デーモン・ハンド"


@cache
def _table(game: str) -> GameData:
    return open_game_data(game)


def fmt(text: str, game: str = "duel-masters", path: str = "deck.txt") -> str:
    return formatted(_table(game), text, path)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (f"４×{A}", f"4 x {A}"),
        (f"・{A} ×4枚", f"4 x {A}"),
        (f"[4] {A}", f"4 x {A}"),
        (f"4 x {A} # 初動", f"4 x {A} # 初動"),
        (f"4枚 {A} ¥300", f"4 x {A} # ¥300"),
        (f"サイド: 4 {A}", f"サイドボード: 4 x {A}"),
    ],
)
def test_a_card(line: str, wanted: str) -> None:
    assert fmt(f"4 x {B}\n{line}\n4 x {C}\n") == f"4 x {B}\n{wanted}\n4 x {C}\n"


def test_order_comments_and_headings_stay_in_their_language() -> None:
    text = f"速攻デッキ\n\n# 初動\n4x {A}\n// 受け\n{B} ×4\n\nSideboard\n{C} 2\n"
    wanted = f"# deck: 速攻デッキ\n\n# 初動\n4 x {A}\n// 受け\n4 x {B}\n\nSideboard\n2 x {C}\n"
    assert fmt(text) == wanted
    assert fmt(wanted) == wanted


def test_counts_on_other_lines_and_several_cards_on_one() -> None:
    assert fmt(f"{A}\n×4\n{B}\n×3\n{C}\n×2\n") == f"4 x {A}\n3 x {B}\n2 x {C}\n"
    assert fmt(f"4 {A}、2 {B}\n3 {C}\n") == f"4 x {A}\n2 x {B}\n3 x {C}\n"


@pytest.mark.parametrize("line", [f"{A} ?", f"4 {A} 3", f"~~4 {A}~~"])
def test_a_list_with_an_unread_line_is_left_alone(line: str) -> None:
    with pytest.raises(UserError) as caught:
        fmt(f"4 x {B}\n{line}\n4 x {C}\n")
    assert caught.value.problems[0].line == 2


def test_an_instruction_stays_on_its_line() -> None:
    text = f"{A} ×4 # deckcheck: ignore[copies] because\n{B} ×4\n"
    assert fmt(text) == f"4 x {A} # deckcheck: ignore[copies] because\n4 x {B}\n"
