"""Lists that zones in columns and in words beside cards must leave as they are."""

from __future__ import annotations

import pytest

from deckcheck.checking.judge import load_format, read_deck


def told(text: str, path: str = "-", format: str = "duel-masters/duemagic") -> list[str]:
    deck = read_deck(load_format(format), text, path)
    entries = [
        f"{one.zone} {one.copies} {one.cards[0].name if one.cards else '?' + one.written}"
        for one in deck.entries
    ]
    return entries + [f"{one.id} {one.line}" for one in deck.diagnostics]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "4 超GR・チャージャー | 3 フェアリー・ライフ\n",
            ["main 4 超GR・チャージャー", "main 3 フェアリー・ライフ"],
        ),
        (
            "フェアリー・ライフ×3\t超GR・チャージャー×2\n",
            ["main 3 フェアリー・ライフ", "main 2 超GR・チャージャー"],
        ),
        (
            "カード名,枚数,ゾーン,備考\nフェアリー・ライフ,4,メイン,エクストラウィン\n",
            ["main 4 フェアリー・ライフ"],
        ),
        ("カード名,枚数,ゾーン,役割\nフェアリー・ライフ,4,サイド,GR\n", ["side 4 フェアリー・ライフ"]),
        ("カード名,枚数,役割\nフェアリー・ライフ,4,GR召喚\n", ["main 4 フェアリー・ライフ"]),
        ("カード名,枚数,役割\nフェアリー・ライフ,4,超次元\n", ["main 4 フェアリー・ライフ"]),
        ("カード名,枚数,役割\nフェアリー・ライフ,4,サイド\n", ["side 4 フェアリー・ライフ"]),
        (
            "カード名,枚数,サイド\nフェアリー・ライフ,4,0\n青銅の鎧,4,1\n",
            ["main 4 フェアリー・ライフ", "invalid-line 3"],
        ),
    ],
)
def test_names_and_remarks_that_hold_words_of_zones(text: str, expected: list[str]) -> None:
    assert told(text, "a.csv" if "," in text else "a.txt") == expected


def test_an_unreadable_line_among_numbered_ones_makes_no_counts_of_the_numbers() -> None:
    text = "1. フェアリー・ライフ\n2. 謎の言葉（サイド/メイン）\n3. 青銅の鎧\n4. 天災 デドダム\n"
    found = told(text)
    assert "main 1 青銅の鎧" in found and "main 1 天災 デドダム" in found


@pytest.mark.parametrize(
    "text",
    [
        "4 天災 デドダム\nサイド: 1 フェアリー・ライフ　3 青銅の鎧\n",
        "4 天災 デドダム\nサイド: 1枚 フェアリー・ライフ 3枚 青銅の鎧\n",
        "4 天災 デドダム\n[サイド] 1 x フェアリー・ライフ　3 x 青銅の鎧\n",
    ],
)
def test_a_zones_word_ahead_holds_for_all_behind_it(text: str) -> None:
    assert told(text) == ["main 4 天災 デドダム", "side 1 フェアリー・ライフ", "side 3 青銅の鎧"]


@pytest.mark.parametrize("mark", ["統率者枠", "統率者！", "統率者"])
def test_a_mark_of_the_commander(mark: str) -> None:
    assert told(f"1 天災 デドダム（{mark}）\n", format="duel-masters/commander") == [
        "commander 1 天災 デドダム"
    ]


@pytest.mark.parametrize(
    "line", ["サイド 4×フェアリー・ライフ | 4×青銅の鎧", "サイド 4 フェアリー・ライフ | 4 青銅の鎧"]
)
def test_a_card_in_a_cell_that_says_more_is_not_lost(line: str) -> None:
    found = told(f"4 天災 デドダム\n{line}\n")
    assert found[0] == "main 4 天災 デドダム"
    assert "invalid-line 2" in found


def test_cards_in_two_columns_of_a_sheet_are_not_lost() -> None:
    rows = "4,天災 デドダム,2,フェアリー・ライフ\n3,青銅の鎧,1,アクア・ハルカス\n"
    assert sorted(told(rows, "a.csv")) == [
        "main 1 アクア・ハルカス",
        "main 2 フェアリー・ライフ",
        "main 3 青銅の鎧",
        "main 4 天災 デドダム",
    ]
    assert sorted(told("枚数,メイン,枚数,サイド\n" + rows, "a.csv")) == [
        "main 3 青銅の鎧",
        "main 4 天災 デドダム",
        "side 1 アクア・ハルカス",
        "side 2 フェアリー・ライフ",
    ]
    assert "invalid-line 2" in told("4,天災 デドダム\n3,青銅の鎧,アクア・ハルカス\n", "a.csv")


def test_a_card_named_twice_in_a_row_is_one_card() -> None:
    assert told("4,天災 デドダム,天災デドダム\n3,青銅の鎧,青銅の鎧\n", "a.csv") == [
        "main 4 天災 デドダム",
        "main 3 青銅の鎧",
    ]


@pytest.mark.parametrize(
    "line", ["サイド：4 フェアリー・ライフ\t3 青銅の鎧", "【サイド】フェアリー・ライフ×4 | 青銅の鎧×3"]
)
def test_a_zones_word_at_the_head_of_a_row_holds_for_the_row(line: str) -> None:
    assert told(f"4 天災 デドダム\n{line}\n") == [
        "main 4 天災 デドダム",
        "side 4 フェアリー・ライフ",
        "side 3 青銅の鎧",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("4 Fire // Ice, 3 Opt", ["main 4 Fire // Ice", "main 3 Opt"]),
        ("Fire // Ice×4 ・ Opt×4", ["main 4 Fire // Ice", "main 4 Opt"]),
        ("4 Opt // Ice, 3 Duress", ["invalid-line 2"]),
    ],
)
def test_a_card_behind_what_may_be_a_comment_is_not_lost(line: str, expected: list[str]) -> None:
    found = told(f"36 Mountain\n{line}\n", format="magic/limited")
    assert found == ["main 36 Mountain", *expected]


def test_a_comment_behind_a_card_stays_one() -> None:
    found = told("36 Mountain\n4 Fire // Ice // 2 of them are foil\n", format="magic/limited")
    assert found == ["main 36 Mountain", "main 4 Fire // Ice"]
