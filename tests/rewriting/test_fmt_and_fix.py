"""`fmt`: lines in one form, in place, and what is left alone. `check --fix`: names that are certain are corrected, and nothing else changes."""

from __future__ import annotations

from functools import cache

import pytest
from factories.notations import COCKATRICE, DEK, FORGE, SAMPLES, XMAGE, magic
from factories.reader_lists import told

from deckcheck.checking.judge import GameData, Loader
from deckcheck.rewriting.fmt_and_fix import Fix, Fixer, formatted, spelt_in
from deckcheck.support.errors import UserError

A, B, C = "青銅の鎧", "フェアリー・ライフ", "デーモン・ハンド"


@cache
def _table(game: str) -> GameData:
    return Loader().game(game)


def fmt(text: str, game: str = "duel-masters", path: str = "deck.txt") -> str:
    return formatted(_table(game), text, path).text


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (f"４×{A}", f"4 x {A}"),
        (f"・{A} ×4枚", f"4 x {A}"),
        (f"[4] {A}", f"4 x {A}"),
        (f"4 x {A} # 初動", f"4 x {A} # 初動"),
        (f"4枚 {A} ¥300", f"4 x {A} # ¥300"),
        (f"4 {A} [サイド]", f"4 x {A} (サイドボード)"),
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


@pytest.mark.parametrize(
    "line",
    [f"{A} ?", f"4 {A} 3", f"~~4 {A}~~", "4 Foo # side", f"4x {A[:3]}", "Page 2", f"4 {A} # x\f4 {B}", f"2 {A}, 1 {B} # deckcheck: ignore[x] y"],
)  # fmt: skip
def test_a_line_that_is_not_clear_stays(line: str) -> None:
    done = formatted(_table("duel-masters"), f"# {A}\n4 {B}\n{line}\n4 {C}\n", "deck.txt")
    assert done.text == f"# {A}\n4 x {B}\n{line}\n4 x {C}\n"
    assert [(one.line, one.excerpt) for one in done.unclear] == [(3, line)]
    assert formatted(_table("duel-masters"), done.text, "deck.txt").text == done.text


def test_what_may_be_no_card_does_not_become_one() -> None:
    with pytest.raises(UserError, match="would be read otherwise"):
        fmt(f"4枚 {A}\n4 x Foo\n4枚 {B}\n4枚 {C}\n")


def test_an_instruction_stays_on_its_line() -> None:
    text = f"{A} ×4 # deckcheck: ignore[copies] because\n{B} ×4\n"
    assert fmt(text) == f"4 x {A} # deckcheck: ignore[copies] because\n4 x {B}\n"


# Corrections


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


@pytest.mark.parametrize(
    ("notation", "before", "spelt"),
    [
        ("json", '{"', r"Ach! \"Hans,\" Run!"),
        ("yaml", '- "4 ', r"Ach! \"Hans,\" Run!"),
        ("yaml", "- 4 ", 'Ach! "Hans," Run!'),
        ("yaml", "main: [4 ", None),
        ("csv", '4,"', 'Ach! ""Hans,"" Run!'),
        ("csv", "4,", None),
        ("text", '4 "', 'Ach! "Hans," Run!'),
    ],
)
def test_a_name_with_quotes_fits_its_notation(notation: str, before: str, spelt: str | None) -> None:
    assert spelt_in(notation, before, 'Ach! "Hans," Run!') == spelt


def test_two_lines_of_a_card_stay_two_in_another_tools_file() -> None:
    text = "[Main]\n2 Mountain|M10\n[Sideboard]\n1 Mountain\n[Main]\n2 Mountain|ICE\n"
    assert Fixer(magic()).fix(text, "a.dck").text == text
