"""`check --fix`: names that are certain are corrected, and nothing else changes."""

from __future__ import annotations

from functools import cache

import pytest
from factories.notations import COCKATRICE, DEK, FORGE, SAMPLES, XMAGE, magic
from factories.reader_lists import told

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.rewriting.fmt_and_fix import Fix, Fixer

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
    result = Fixer(_table("duel-masters")).fix(text, "deck.txt")
    assert (result.text, result.fixes) == (text.replace(wrong, B), (Fix(2, wrong, B),))
    # A name to be left stays.
    assert fixed(text, leave=(wrong,)) == text


@pytest.mark.parametrize("text", [f"4 x {A}\n4 x ぜんぜんちがう\n", f"3 x {A}\n1 x {A}\n"])
def test_what_is_not_certain_stays(text: str) -> None:
    assert fixed(text) == text


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (DEK, "a.dek"),
        (COCKATRICE, "a.cod"),
        (FORGE, "a.dck"),
        (XMAGE, "a.dck"),
        (SAMPLES["arena"], "a.txt"),
        (SAMPLES["moxfield"], "a.txt"),
        (SAMPLES["mtgo"], "a.txt"),
    ],
)
def test_a_misspelt_name_is_put_right_in_its_own_notation(text: str, path: str) -> None:
    fixer = Fixer(magic()).fix
    wrong = text.replace("Pyroblast", "Pyroblest")
    fixed = fixer(wrong, path)
    assert fixed.text == text
    assert [(fix.was, fix.now) for fix in fixed.fixes] == [("Pyroblest", "Pyroblast")]
    assert fixer(text, path).fixes == ()


def test_a_correction_is_escaped_where_it_has_to_be() -> None:
    wrong = DEK.replace("Mountain", "Erase (Nott the Urzas Legacy One)")
    fixed = Fixer(magic()).fix(wrong, "a.dek")
    read = magic().read(fixed.text, "a.dek")
    assert 'Name="Erase (Not the Urza&#x27;s Legacy One)"' in fixed.text
    assert told(read)[1] == "6:62 main 20 Erase (Not the Urza's Legacy One)"
    # What is escaped in the file isn't touched.
    odd = DEK.replace("Mountain", "Erase (Nott the Urza&apos;s Legacy One)")
    assert Fixer(magic()).fix(odd, "a.dek").text == odd


def test_two_lines_of_a_card_stay_two_in_another_tools_file() -> None:
    text = "[Main]\n2 Mountain|M10\n[Sideboard]\n1 Mountain\n[Main]\n2 Mountain|ICE\n"
    assert Fixer(magic()).fix(text, "a.dck").text == text
