"""Headings, labels, sums, titles, comments and tables in plain text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from factories.reader_lists import content, ids, read, told

from deckcheck.decklists.read import make_reader
from deckcheck.model.card import Card
from deckcheck.model.game import Folding, Game, ListWords, Zone
from deckcheck.support.messages import Localized

HEADINGS = {
    "main": ["メインデッキ", "メイン", "Deck", "Main", "Mainboard", "main"],
    "side": ["サイドボード", "Sideboard", "SIDEBOARD", "Side", "サイド"],
    "hyperspatial": ["超次元ゾーン", "超次元", "エクストラデッキ", "Extra"],
    "gr": ["超GRゾーン", "GR", "ＧＲ"],
    "commander": ["統率者", "Commander", "統率"],
}
DRESSES = [
    "{}",
    "{}:",
    "{}：",
    "■{}",
    "●{}",
    "【{}】",
    "[{}]",
    "<{}>",
    "== {} ==",
    "--{}--",
    "#{}",
    "## {}",
    "//{}",
    "// {}",
    "!{}",
    "**{}**",
    "{} 4",
    "{}4",
    "{} (4)",
    "{}（4枚）",
    "{} 4枚",
    "{} 計4枚",
    "{}：4枚",
    "{} [4]",
    "■{}（1種4枚）",
    "[{} 4]",
    "{}: 4/40",
]


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("zone", HEADINGS)
def test_headings(zone: str, dress: str) -> None:
    for word in HEADINGS[zone]:
        deck = read(f"{dress.format(word)}\n4 天災 デドダム\n")
        assert (told(deck), word) == ([f"2:3 {zone} 4 天災 デドダム"], word)


def test_a_heading_without_cards_and_a_second_one() -> None:
    deck = read("メインデッキ\n\n4 天災 デドダム\n超次元ゾーン\nサイドボード\n2 750男\nメイン\n1 0点男")
    assert told(deck) == ["3:3 main 4 天災 デドダム", "6:3 side 2 750男", "8:3 main 1 0点男"]


def test_blank_lines_mean_nothing() -> None:
    assert told(read("4 天災 デドダム\n\n\n4 750男\n\n")) == ["1:3 main 4 天災 デドダム", "4:3 main 4 750男"]


LABELS = [
    "クリーチャー",
    "クリーチャー 4",
    "クリーチャー（4枚）",
    "[Fire--4]",
    "Spells (4)",
    "呪文：4",
    "■呪文（1種4枚）",
    "光/水 4枚",
    "水闇自然",
    "コスト3",
    "3コスト",
    "コスト5 4枚",
    "# クリーチャー",
    "//Creatures (4)",
    "【多色】",
]


@pytest.mark.parametrize("label", LABELS)
def test_labels_are_no_zones(label: str) -> None:
    assert told(read(f"サイドボード\n{label}\n4 天災 デドダム")) == ["3:3 side 4 天災 デドダム"]


@pytest.mark.parametrize(
    "line", ["合計 6枚", "計6枚", "合計：6", "Total cards = 6", "Total: 6", "6枚", "6", "メイン合計 6枚"]
)
def test_a_sum_that_is_right_says_nothing(line: str) -> None:
    assert ids(read(f"4 天災 デドダム\n2 750男\n{line}\n")) == []


@pytest.mark.parametrize(
    ("text", "said", "found"),
    [
        ("メインデッキ 40\n4 天災 デドダム", 40, 4),
        ("■サイドボード（12枚）\n4 天災 デドダム\nメイン\n8 750男", 12, 4),
        ("クリーチャー 20\n4 天災 デドダム\n呪文 3\n3 750男", 20, 4),
        ("コスト3 5枚\n4 天災 デドダム", 5, 4),
        ("4 天災 デドダム\n合計 40枚", 40, 4),
        ("Total cards = 40\n4 天災 デドダム", 40, 0),
    ],
)
def test_a_sum_that_is_wrong_is_told_with_both_numbers(text: str, said: int, found: int) -> None:
    (diagnostic,) = read(text).diagnostics
    assert diagnostic.id == "total-mismatch"
    assert str(said) in diagnostic.message.en and str(found) in diagnostic.message.en
    assert str(said) in diagnostic.message.ja and str(found) in diagnostic.message.ja


def test_sums_may_cover_the_deck_or_the_zone_or_the_section() -> None:
    text = "メイン 6\nクリーチャー 4\n4 天災 デドダム\n呪文 2\n2 750男\n計 6\nサイド\n1 0点男\n計 1\n合計 7"
    assert ids(read(text)) == []
    # A label over others sums them up.
    assert ids(read("クリーチャー 6\n火\n4 天災 デドダム\n水\n2 750男\nサイド\n1 0点男")) == []


def test_cards_go_home_from_the_default_zone_only() -> None:
    deck = read(
        "メイン 4\n4 天災 デドダム\n2 時空の凶兵ブラック・ガンヴィート\nサイド\n1 零龍 # 儀\n1 ゴルドンゴルドー"
    )
    assert told(deck) == [
        "2:3 main 4 天災 デドダム",
        "3:3 hyperspatial 2 時空の凶兵ブラック・ガンヴィート",
        "5:3 side 1 零龍",
        "6:3 side 1 ゴルドンゴルドー",
        "! 3:3 moved-to-home-zone 時空の凶兵ブラック・ガンヴィート",
    ]
    assert deck.diagnostics[0].zone == "main"
    assert (
        "超次元ゾーン" in deck.diagnostics[0].message.ja and "Hyperspatial" in deck.diagnostics[0].message.en
    )


def test_a_card_that_is_called_like_a_heading() -> None:
    assert told(read("メイン\n4 天災 デドダム\n零龍\n1 750男")) == [
        "2:3 main 4 天災 デドダム",
        "4:3 start 1 750男",
    ]
    assert content(read("《天災 デドダム》\n零龍\n《750男》"))["start", "零龍"] == 1
    assert content(read("4 天災 デドダム\n1 零龍"))["start", "零龍"] == 1
    assert content(read("4 天災 デドダム\n零龍"))["start", "零龍"] == 1
    assert content(read("■零龍\n4 天災 デドダム")) == {("start", "天災 デドダム"): 4}


@pytest.mark.parametrize(
    "line",
    [
        "天災 デドダム（統率者）",
        "天災 デドダム 統率者",
        "統率者: 天災 デドダム",
        "統率者：《天災 デドダム》",
        "統率者 《天災 デドダム》",
        "【統率者】天災 デドダム",
        "1 天災 デドダム (統率者)",
        "1 x 天災 デドダム *commander*",
        "Commander: 1 天災 デドダム",
        "1 [commander] 天災 デドダム",
    ],
)
def test_a_mark_on_the_cards_own_line(line: str) -> None:
    for rest in ("1 750男", "750男"):
        assert content(read(f"{line}\n{rest}")) == {("commander", "天災 デドダム"): 1, ("main", "750男"): 1}


def test_a_zone_before_a_card_holds_for_that_line() -> None:
    assert content(read("4 天災 デドダム\nサイドボード: 2 750男\n1 0点男")) == {
        ("main", "天災 デドダム"): 4,
        ("side", "750男"): 2,
        ("main", "0点男"): 1,
    }


def test_titles() -> None:
    assert told(read("赤青レクスターズ\n4 天災 デドダム")) == ["2:3 main 4 天災 デドダム"]
    assert read("赤青レクスターズ\n4 天災 デドダム").header["deck"] == "赤青レクスターズ"
    assert read("# deck: これ\n赤青レクスターズ\n4 天災 デドダム").header["deck"] == "これ"
    assert read("『天災 デドダム』\n4 天災 デドダム").header["deck"] == "天災 デドダム"
    assert told(read("4 天災 デドダム\n『みすすぺる』\n1 750男"))[2:] == []
    for title in ("デドダムの統率", "天災 デドダム統率"):
        deck = read(f"{title}\n《天災 デドダム》\n《750男》")
        assert told(deck) == ["2:2 commander 1 天災 デドダム", "3:2 main 1 750男"]
        assert deck.header["deck"] == title


def test_lines_without_counts() -> None:
    counted = read("4 天災 デドダム\n750男\nよくわからない行")
    assert told(counted) == [
        "1:3 main 4 天災 デドダム",
        "2:1 main 1 750男",
        "! 3:1 invalid-line よくわからない行",
    ]
    assert told(read("天災 デドダム\n\n750男\nみすすぺる")) == [
        "1:1 main 1 天災 デドダム",
        "3:1 main 1 750男",
        "4:1 main 1 ?みすすぺる",
    ]


NAMES = [
    "天災 デドダム",
    "アクア・ガード",
    "斬隠オロチ",
    "からみカズラ",
    "フェアリー・ライフ",
    "オールデリート",
]
NAMES += ["750男", "0点男", "完全不明", "13番目の計画", "天啓 CX-20", "E-GO55"]


@pytest.mark.parametrize(
    ("form", "numbers", "copies"),
    [
        ("{:02} {}", [1], [1]),
        ("{:02} {}", [4], [4]),
        ("{:02} {}", [1, 2, 3], [1, 1, 1]),
        ("{:02} {}", range(1, 13), [1] * 12),
        ("{:02} {} ×4", [1, 2, 3], [4, 4, 4]),
        ("{:02}. {}", [1, 2, 3], [1, 1, 1]),
        ("{:02} {}", [4, 4, 3, 1], [4, 4, 3, 1]),
        ("{:02} {}", [1, 1, 2], [1, 1, 2]),
        ("{:02} {}", [1, 2, 3, 3], [1, 2, 3, 3]),
        ("{:02}x {}", [1, 2, 3], [1, 2, 3]),
        ("{:02}枚 {}", [1, 2, 3], [1, 2, 3]),
        ("{}. {}", [4, 4, 3], [4, 4, 3]),
        ("{}. {}", [1, 2, 3, 4, 6, 7, 8], [1] * 7),
    ],
)
def test_numbers_of_lines_and_counts(form: str, numbers: Sequence[int], copies: list[int]) -> None:
    deck = read("\n".join(form.format(number, name) for number, name in zip(numbers, NAMES, strict=False)))
    assert [entry.copies for entry in deck.entries] == copies and deck.diagnostics == ()


@pytest.mark.parametrize("form", ["{}. {}", "{}) {}"])
@pytest.mark.parametrize("numbers", [[1, 2, 4], [1, 2, 3, 5], [1, 4], [1, 3, 4], [2, 3, 4], [1, 2, 3, 4, 20]])
def test_numbers_that_grow_with_a_gap_are_told(form: str, numbers: list[int]) -> None:
    deck = read("\n".join(form.format(number, name) for number, name in zip(numbers, NAMES, strict=False)))
    assert [entry.copies for entry in deck.entries] == [1] * (numbers[0] == 1)
    assert [one.line for one in deck.diagnostics] == [
        at for at, number in enumerate(numbers, 1) if number > 1
    ]


def test_numbered_lines_are_one_copy_each() -> None:
    assert content(read("1. 天災 デドダム\n2. 750男\n3. みすすぺる")) == {
        ("main", "天災 デドダム"): 1,
        ("main", "750男"): 1,
        ("main", "?みすすぺる"): 1,
    }
    assert content(read("4. 天災 デドダム\n2. 750男")) == {("main", "天災 デドダム"): 4, ("main", "750男"): 2}


def test_a_heading_that_names_no_zone() -> None:
    for heading in ("[おまけ]", "■おまけ", "おまけ：", "【おまけ】", "=== おまけ ==="):
        deck = read(f"4 天災 デドダム\n{heading}\n2 750男")
        assert told(deck) == [
            "1:3 main 4 天災 デドダム",
            f"3:3 {heading} 2 750男",
            f"! 2:1 unknown-zone {heading}",
        ]
    # Where that very sign stands before cards, it is a bullet.
    assert told(read("■天災 デドダム 4枚\n■みすすぺる 3枚\n■みす")) == [
        "1:2 main 4 天災 デドダム",
        "2:2 main 3 ?みすすぺる",
        "! 3:2 invalid-line みす",
    ]


def test_comments_and_rules_are_passed_over() -> None:
    deck = read("# みんなの 4 デッキ\n// 4 x 750男と\n4 天災 デドダム\n----\n＊＊＊\n# あとで\n1 750男")
    assert told(deck) == ["3:3 main 4 天災 デドダム", "7:3 main 1 750男"]
    assert deck.header == {}


def test_the_header() -> None:
    deck = read("# format: duel-masters/advance\n// Player: Jo\n# as_of: 2024-01-01\n\n4 天災 デドダム")
    assert deck.header == {"format": "duel-masters/advance", "player": "Jo", "as-of": "2024-01-01"}


def test_flattened_tables() -> None:
    table = "4 | 天災 デドダム | 3 | 3 | 終末の時計 ザ・クロック | 3\n2 | みすすぺる | 1 | 1 | 神聖十二神騎:|| | 水闇\n"
    expected = [
        "1:5 main 4 天災 デドダム",
        "1:23 main 3 終末の時計 ザ・クロック",
        "2:5 main 2 ?みすすぺる",
        "2:21 main 1 神聖十二神騎:||",
    ]
    assert told(read(table)) == expected
    assert [line.split(" ", 1)[1] for line in told(read(table.replace(" | ", "\t")))] == [
        line.split(" ", 1)[1] for line in expected
    ]
    assert content(read("天災 デドダム | 4 | 750男 | 3")) == {
        ("main", "天災 デドダム"): 4,
        ("main", "750男"): 3,
    }
    assert content(read("|4|天災 デドダム|火|\n|3|神聖十二神騎:|||水|")) == {
        ("main", "天災 デドダム"): 4,
        ("main", "神聖十二神騎:||"): 3,
    }
    assert content(read("4 | 天災 デドダム | 3 | 終末の時計 ザ・クロック")) == {
        ("main", "天災 デドダム"): 4,
        ("main", "終末の時計 ザ・クロック"): 3,
    }
    assert content(read("4 x 天災 デドダム | 3 x 750男\n《0点男》×2")) == {
        ("main", "天災 デドダム"): 4,
        ("main", "750男"): 3,
        ("main", "0点男"): 2,
    }


def test_a_tables_head_tells_the_columns() -> None:
    table = "コスト | カード名 | 枚数 | ゾーン\n---|---|---|---\n3 | 天災 デドダム | 4 | サイド\n2 | 750男 | 1 | おまけ"
    assert told(read(table)) == [
        "3:5 side 4 天災 デドダム",
        "4:5 おまけ 1 750男",
        "! 4:5 unknown-zone 750男",
    ]
    # A cost is no count.
    assert content(read("コスト | 名前\n3 | 天災 デドダム")) == {("main", "天災 デドダム"): 1}


def test_rows_without_a_card_are_shown() -> None:
    assert ids(read("4 天災 デドダム\n4 | 火 | 3")) == ["invalid-line"]


def test_a_long_line_and_a_long_list() -> None:
    deck = read(f"4 天災 デドダム\n{'あ' * 2001}")
    assert [(diagnostic.id, diagnostic.line, diagnostic.column) for diagnostic in deck.diagnostics] == [
        ("invalid-line", 2, 2001)
    ]
    assert "2000" in deck.diagnostics[0].message.en


def test_another_game_needs_no_change() -> None:
    game = Game(
        "toys",
        Localized("積み木", "Toys"),
        Folding(drop="-"),
        {},
        {
            "box": Zone("box", Localized("箱", "Box"), ("箱", "Box")),
            "shelf": Zone("shelf", Localized("棚", "Shelf"), ()),
        },
        {},
        ListWords(
            {"king": "shelf"}, frozenset({"red"}), frozenset({"sum"}), {"count": ("how many",)}, ("pcs",), ()
        ),
    )

    class Toys:
        version = "1"
        fold = staticmethod(str.casefold)
        behind_counts: frozenset[str] = frozenset()
        before_counts: frozenset[str] = frozenset()

        def find(self, name: str) -> tuple[Card, ...]:
            return (block,) if name.strip() == "Block" else ()

        def has(self, key: str) -> bool:
            return key == "block"

        def beginning(self, start: str) -> frozenset[str]:
            return frozenset({"block"} if "block".startswith(start) else ())

    block = Card("Block", "box", {})
    deck = make_reader(game, Toys())(
        "Shelf 3pcs\nred 3\n3 Block\nBox\nBlock 2pcs\n1 Block (king)\nsum 6\nメイン:\n", "a"
    )  # type: ignore[arg-type]
    assert told(deck) == [
        "3:3 shelf 3 Block",
        "5:1 box 2 Block",
        "6:3 shelf 1 Block",
        "! 8:1 unknown-zone メイン:",
    ]
