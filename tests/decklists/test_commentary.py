"""What follows a whole deck on a page: commentary on its cards, links, buttons. Only what can't be a card is a remark."""

from __future__ import annotations

from functools import cache

import pytest
from factories.reader_lists import content, ids

from deckcheck.checking.judge import GameData, check, load_format, open_game_data
from deckcheck.model.deck import Deck

NAMES = [
    *("アクア・ガード", "フェアリー・ライフ", "青銅の鎧", "デーモン・ハンド", "斬隠オロチ", "天災 デドダム"),
    *("コッコ・ルピア", "ボルシャック・ドラゴン", "終末の時計 ザ・クロック", "光牙忍ハヤブサマル"),
]
WHOLE = {("main", name): 4 for name in NAMES}
LAYOUTS = {
    "count first": "4 x {}",
    "count last": "{}　4枚",
    "glued": "{}4",
    "brackets": "《{}》×4",
    "next line": "{}\n×4",
    "line before": "4\n{}",
    "tab": "{}\t4",
    "table": "| {} | 4 |",
}
PAGE = [
    *(
        "コメント",
        "関連デッキ",
        "このデッキの解説",
        "© 2024",
        "公開日：2024年3月10日",
        "前の記事",
        "シェアする",
    ),
    *("プライバシーポリシー", "マナカーブ", "タグ：速攻、赤単", "もっと見る", "いいね！", "#デュエマ"),
]


@cache
def _game() -> GameData:
    return open_game_data("duel-masters")


def _read(*lines: str) -> Deck:
    return _game().read("\n".join(lines) + "\n", "-")


def _rows(layout: str, names: list[str] = NAMES) -> list[str]:
    head = ["| カード名 | 枚数 |", "|---|---|"] if layout == "table" else []
    return [*head, *(LAYOUTS[layout].format(name) for name in names)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_rest_of_a_page_is_no_card(layout: str) -> None:
    for line in PAGE:
        deck = _read(*_rows(layout), "", line)
        assert (content(deck), set(ids(deck)) <= {"remarks"}) == (WHOLE, True), line
    deck = _read("【速攻】", "40枚", *_rows(layout), *PAGE)
    assert (content(deck), ids(deck)) == (WHOLE, ["remarks"])
    [remark] = deck.diagnostics
    # A line of tags is a comment.
    assert remark.message.en == f"not read as cards: {len(PAGE) - 1} lines of text"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_below_a_deck_that_lacks_a_card_nothing_is_a_remark(layout: str) -> None:
    for line in ("もっと見る", "関連デッキ"):
        assert "remarks" not in ids(_read(*_rows(layout, NAMES[:-1]), line))


def test_below_names_without_counts_nothing_is_a_remark() -> None:
    deck = _read(*(name for name in NAMES for _copy in range(4)), "もっと見る")
    assert "remarks" not in ids(deck)


@pytest.mark.parametrize(
    "line",
    [
        *("4 みすすぺる", "みすすぺる 4", "みすすぺる×", "・みすすぺる", "④みすすぺる", "みすすぺる2枚"),
        *("アクア・ガート", "サイドボート", "サイドは自由", "クリスタル・ランサー", "青銅の鎧"),
    ],
)
def test_what_may_be_a_card_or_a_zone_is_no_remark(line: str) -> None:
    for layout in LAYOUTS:
        deck = _read(*_rows(layout), line)
        unread = {"invalid-line", "unknown-zone"} & set(ids(deck))
        assert unread or any(not entry.cards for entry in deck.entries), (layout, line)


def test_a_card_below_a_zone_is_no_remark() -> None:
    deck = _read(*_rows("count first"), "超次元", "もっと見る")
    assert "remarks" not in ids(deck)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "ハヤブサ 4x(foil)",
            "ハヤブサ4(R)",
            "ハヤブサ4積み",
            "ハヤブサ,4,DM06",
            "ハヤブサ②枚",
            "ハヤブサ 四",
            "ハヤブサ 正",
        ),
        *("ハヤブサ●●●●", "ハヤブサ||||", "ハヤブサ IV", "ハヤブサ\n4枚", "ハヤブサ\n\n4枚", "コメント 3件"),
        *(
            "サイド：天災 デドダム",
            "天災 デドダム（サイド）",
            "もう一枚 天災 デドダム",
            "天災 デドダム・ネオ",
            "天災 デドダム",
        ),
    ],
)
def test_a_line_with_a_number_a_zone_or_a_card_is_no_remark(line: str) -> None:
    for sum_line in ("", "計40枚"):
        deck = _read(*_rows("count last"), sum_line, line)
        unread = {"invalid-line", "unknown-zone", "total-mismatch"} & set(ids(deck))
        is_open = unread or any(not entry.cards for entry in deck.entries) or content(deck) != WHOLE
        assert is_open and ids(deck) != ["remarks"], (sum_line, line)


def test_cards_on_lines_with_counts_below_each_are_kept() -> None:
    deck = _read(*(f"{name}\n4枚" for name in NAMES), "みすすぺる", "4枚")
    assert any(not entry.cards for entry in deck.entries) or "invalid-line" in ids(deck)


@pytest.mark.parametrize("head", ["Maybeboard", "候補", "[Maybeboard]"])
def test_what_is_not_in_the_deck_is_no_remark(head: str) -> None:
    deck = _read(*_rows("count first"), head, "2 みすすぺる")
    assert ids(deck) == ["not-in-deck"]


def test_text_below_does_not_change_a_card_of_another_zone() -> None:
    card = "超次元：時空の英雄アンタッチャブル"
    alone, beside = _read(*_rows("count first"), card), _read(*_rows("count first"), card, "もっと見る")
    assert content(alone) == content(beside) == WHOLE | {("hyperspatial", "時空の英雄アンタッチャブル"): 1}


def test_a_deck_with_a_page_below_is_judged() -> None:
    report = check(
        "\n".join([*_rows("next line"), *PAGE]), load_format("duel-masters/original"), as_of="2016-01-01"
    )
    assert [finding.rule for finding in report.findings if finding.verdict == "undecided"] == []
    assert {finding.rule for finding in report.findings if finding.severity == "info"} >= {"remarks"}


@pytest.mark.parametrize("count", ["×4", "4枚", "x4"])
def test_a_name_below_marked_counts_does_not_shift_them(count: str) -> None:
    deck = _read(*(f"{name}\n{count}" for name in NAMES), "クリスタル・ランサー")
    assert (content(deck), ids(deck), deck.header) == (WHOLE, ["invalid-line"], {})
