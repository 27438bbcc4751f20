"""Lists with headings and sums below their cards in the canonical notation, which has them above."""

from __future__ import annotations

import pytest
from factories.canonical_lists import fmt
from factories.examples import examples
from factories.headings_below import (
    MAIN,
    OFFICIAL,
    READ,
    SECTIONS,
    A,
    B,
    C,
    D,
    Sections,
    laid,
    limited,
    wanted,
    zones,
)
from factories.reader_lists import content, ids, read
from hypothesis import given

from deckcheck.checking.judge import read_deck
from deckcheck.rewriting.formatter import Formatter
from deckcheck.support.errors import UserError


@examples(100)
@given(SECTIONS)
def test_the_canonical_form_has_the_headings_above(sections: Sections) -> None:
    again = fmt(laid(sections, below=True))
    assert content(read(again)) == wanted(sections)
    assert ids(read(again)) == []
    assert fmt(again) == again


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            f"# deck: 水\n# これは青い\n\n4 {A} # サイドから\n水(4)\n# 2枚だけ\n2 {B}\n闇(2)\nメイン 6\n\n1 {C} # サイド要員\nサイド 1\n# おわり\n",
            f"# deck: 水\n# これは青い\n\nメインデッキ 6\n# 水(4)\n4 x {A} # サイドから\n# 2枚だけ\n# 闇(2)\n2 x {B}\n\n"
            f"サイドボード 1\n1 x {C} # サイド要員\n# おわり\n",
        ),
        # Rows beside the labels of a zone, and a label that no zone's heading sums up.
        (f"4 {A}\n水(4)\n2 {B}\nサイド 6\n", f"サイドボード 6\n2 x {B}\n# 水(4)\n4 x {A}\n"),
        (
            f"1 {A}\n統率者(1)\n3 {C}\n合計(3)\n1 {D}\n闇(1)\n",
            f"メインデッキ\n3 x {C}\n# 合計(3)\n# 闇(1)\n1 x {D}\n\n統率者 1\n1 x {A}\n",
        ),
        (
            f"4 {A}\nメイン 4\n1 {B} 1 {C}\n合計サイド 2\n1 {D}\n超次元 1\n",
            f"メインデッキ 4\n4 x {A}\n\nサイドボード\n1 x {B}\n1 x {C}\n# 合計サイド 2\n\n超次元ゾーン 1\n1 x {D}\n",
        ),
    ],
)  # fmt: skip
def test_the_canonical_form_of_each(text: str, wanted: str) -> None:
    assert fmt(text) == wanted
    old, new = read(text), read(wanted)
    assert content(old) == content(new)
    assert ids(old) == ids(new) == []


@pytest.mark.parametrize("notation", [None, "moxfield"])
@pytest.mark.parametrize("main", ["", MAIN])
def test_fmt_writes_the_same_deck_that_check_reads(notation: str | None, main: str) -> None:
    text = OFFICIAL.format(main=main).replace("《", "").replace("》", "")
    found = Formatter(limited().game_data).format(text, "deck.txt", (), notation)
    deck = read_deck(limited(), found, "-")
    assert zones(deck) == READ
    assert deck.diagnostics == ()


@pytest.mark.parametrize(
    "text",
    [
        # The sum of a label holds a card that stands in another zone, or ends where no other label begins.
        f"4 {A}\nSB: 2 {B}\n水(6)\n",
        f"2 {B}\n水(2)\n3 {C}\n合計(5)\n1 {D}\n闇(1)\n",
    ],
)
def test_what_has_no_form_with_headings_above_is_left_alone(text: str) -> None:
    assert ids(read(text)) == []
    with pytest.raises(UserError):
        fmt(text)
