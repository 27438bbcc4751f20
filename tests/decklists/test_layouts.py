"""Lists whose lines only mean something together: slots, counts on other lines, columns, rows of code, titles."""

from __future__ import annotations

import json
from functools import cache

import pytest
from factories.reader_lists import content, ids

from deckcheck.checking.judge import open_game_data
from deckcheck.model.deck import Deck

NAMES = [
    *("アクア・ガード", "フェアリー・ライフ", "青銅の鎧", "デーモン・ハンド", "斬隠オロチ", "天災 デドダム"),
    *("コッコ・ルピア", "ボルシャック・ドラゴン", "終末の時計 ザ・クロック", "光牙忍ハヤブサマル"),
]
COUNTS = [4, 3, 4, 2, 1, 4, 3, 2, 4, 1]
OTHER = "からみカズラ"
WANTED = {("main", name): copies for name, copies in zip(NAMES, COUNTS, strict=True)}
PLAIN = "".join(f"{copies} x {name}\n" for name, copies in zip(NAMES, COUNTS, strict=True))


@cache
def _table(game: str):  # type: ignore[no-untyped-def]
    return open_game_data(game)


def _read(text: str, game: str = "duel-masters", path: str = "-") -> Deck:
    deck: Deck = _table(game).read(text, path)
    return deck


def _canonical(deck: Deck) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for entry in deck.entries:
        key = entry.zone, entry.cards[0].name if len(entry.cards) == 1 else f"?{entry.written}"
        found[key] = found.get(key, 0) + entry.copies
    return found


@pytest.mark.parametrize(
    "form",
    ["{c}\n×{n}", "{c}\n{n}枚", "{c}\n{n}", "{n}\n{c}", "x{n}\n{c}", "{c}\n\n×{n}\n", "{c}\n{n}\n\n"],
)
@pytest.mark.parametrize(
    "above", ["", "速攻デッキ\n", "速攻デッキ\n28枚\n共有する\nカードリスト\n", "青銅の鎧\n"]
)
def test_counts_on_the_line_beside(form: str, above: str) -> None:
    rows = [form.format(c=name, n=copies) for name, copies in zip(NAMES, COUNTS, strict=True)]
    deck = _read(above + "\n".join(rows))
    assert _canonical(deck) == WANTED
    assert ids(deck) == []


def test_a_count_that_belongs_to_nobody_is_told() -> None:
    rows = [f"{name}\n×{copies}" for name, copies in zip(NAMES, COUNTS, strict=True)]
    deck = _read("\n".join([*rows[:4], "×3", *rows[4:]]))
    assert _canonical(deck) == WANTED
    assert [(one.id, one.line) for one in deck.diagnostics] == [("invalid-line", 9)]


def _sheet() -> list[str]:
    return [name for name, copies in zip(NAMES, COUNTS, strict=True) for _ in range(copies)]


@pytest.mark.parametrize("form", ["- {c}\n  - {n}枚", "* {c}\n    * {n}", "・{c}\n　・×{n}"])
def test_counts_in_points_below_the_names(form: str) -> None:
    rows = {"青銅の鎧": 4, "フェアリー・ライフ": 3, "デーモン・ハンド": 2}
    text = "\n".join(form.format(c=name, n=copies) for name, copies in rows.items())
    for above in ({}, {"アクア・ガード": 2}):
        # A card with its count above is no title.
        deck = _read("".join(f"{copies} x {name}\n" for name, copies in above.items()) + text)
        assert _canonical(deck) == {("main", name): copies for name, copies in (above | rows).items()}
        assert deck.diagnostics == () and deck.header == {}


def test_the_same_card_in_two_languages_is_one() -> None:
    for text in ("4 | 青銅の鎧 | Bronze-Arm Tribe\n", "4 x 青銅の鎧 | Bronze-Arm Tribe\n"):
        assert _canonical(_read(text + "3 x フェアリー・ライフ"))["main", "青銅の鎧"] == 4


@pytest.mark.parametrize("ditto", [None, "〃", "同上"])
@pytest.mark.parametrize("layout", ["one", "two", "beside"])
def test_the_numbers_of_slots_are_no_counts(ditto: str | None, layout: str) -> None:
    cards = _sheet()
    written = [
        ditto if ditto and at and cards[at - 1] == name and (layout != "two" or at != 14) else name
        for at, name in enumerate(cards)
    ]
    if layout == "one":
        rows = [f"{at} {name}" for at, name in enumerate(written, 1)]
    elif layout == "beside":
        rows = [f"{at}\n{name}" for at, name in enumerate(written, 1)]
    else:
        rows = [
            f"{at} {one} {at + 14} {two}"
            for at, (one, two) in enumerate(zip(written[:14], written[14:], strict=True), 1)
        ]
    deck = _read("\n".join(rows))
    assert _canonical(deck) == WANTED and ids(deck) == []


def test_ditto_marks_without_numbers() -> None:
    cards = _sheet()
    rows = ["〃" if at and cards[at - 1] == name else name for at, name in enumerate(cards)]
    assert _canonical(_read("\n".join(rows))) == WANTED


HEAD = "文明 カード名 種類 コスト 枚数 パワー"


def test_columns_that_blanks_part() -> None:
    rows = [
        f"{name} クリーチャー {at + 2} {n} 2000"
        for at, (name, n) in enumerate(zip(NAMES, COUNTS, strict=True))
    ]
    assert _canonical(_read("\n".join([HEAD, *rows]))) == WANTED
    # Without a head it is the only column as small as counts are.
    rows = [f"{name} 火 {n} 2000 DM-01" for name, n in zip(NAMES, COUNTS, strict=True)]
    assert _canonical(_read("\n".join(rows))) == WANTED


def test_two_columns_that_could_be_counts_are_told() -> None:
    rows = [f"{name} 火 {n} {5 - n} 2000" for name, n in zip(NAMES, COUNTS, strict=True)]
    deck = _read("\n".join(rows))
    assert _canonical(deck) != WANTED
    assert "invalid-line" in ids(deck) or any(not entry.cards for entry in deck.entries)


@pytest.mark.parametrize(
    "form",
    ["  ['{c}', {n}],", '"{c}": {n},', "('DM-01', '3/110', '{c}', {n}),", '{{"name": "{c}", "num": {n}}},'],
)
def test_rows_of_source_code(form: str) -> None:
    rows = [form.format(c=name, n=copies) for name, copies in zip(NAMES, COUNTS, strict=True)]
    deck = _read("\n".join(rows))
    assert _canonical(deck) == WANTED and ids(deck) == []


@pytest.mark.parametrize("joint", ["", " "])
def test_names_with_nothing_between_them(joint: str) -> None:
    rows = [f"{one}{joint}{two}" for one, two in zip(NAMES[::2], NAMES[1::2], strict=True)]
    assert _canonical(_read("\n".join(rows))) == {("main", name): 1 for name in NAMES}


def test_notes_in_brackets_behind_names_without_counts() -> None:
    rows = [f"【{name}】(火、第{at}弾)" for at, name in enumerate(NAMES, 1)]
    deck = _read("\n".join(rows))
    assert _canonical(deck) == {("main", name): 1 for name in NAMES} and ids(deck) == []


TITLES = [
    *(
        "除去コントロール",
        "4Cビート",
        "青銅の鎧",
        "ver.2.5 改",
        "7つの海へ",
        "50%の力",
        "斬隠オロチ!",
        "シノビがゆく",
    ),
    *("♪うたう森♪", "①わたしの一番"),
]


@pytest.mark.parametrize("form", ["{}", "【{}】", "■{}", "＜{}＞", "『{}』", "デッキ名：{}", "# {}"])
@pytest.mark.parametrize("title", TITLES)
def test_a_title_is_a_title(form: str, title: str) -> None:
    deck = _read(f"{form.format(title)}\n{PLAIN}")
    assert _canonical(deck) == WANTED and ids(deck) == []


def test_a_title_that_is_like_a_card_needs_its_marks() -> None:
    assert ids(_read(f"【デーモン・バンド】\n{PLAIN}")) == []
    assert ids(_read(f"デーモン・バンド\n{PLAIN}")) == ["invalid-line"]


def test_what_looks_like_a_card_in_another_style_is_told() -> None:
    deck = _read(f"{PLAIN}3弾など\n")
    assert _canonical(deck) == WANTED and ids(deck) == ["invalid-line"]
    # In the list's own style it is a card that nobody knows.
    assert _canonical(_read(f"{PLAIN}3 x 弾など\n")) == {**WANTED, ("main", "?弾など"): 3}


def test_noise_changes_no_other_row() -> None:
    for noise in ("おまけの話", "http://example.com/12", "#タグ", "閲覧 1234", "------"):
        for at in (0, 3, 10):
            lines = PLAIN.splitlines()
            deck = _read("\n".join([*lines[:at], noise, *lines[at:]]))
            assert _canonical(deck) == WANTED


JOINTS = ["/", "／", " / ", " // ", "⇔", "→"]


@pytest.mark.parametrize("joint", JOINTS)
def test_links_are_the_card_that_all_sides_can_mean(joint: str) -> None:
    front, back = "勝利のリュウセイ・カイザー", "唯我独尊ガイアール・オレドラゴン"
    for line in (f"1 x {front}{joint}{back}", f"《{front}{joint}{back}》×1", f"{front}{joint}{back} 1枚"):
        (entry,) = _read(line).entries
        assert [card.name for card in entry.cards] == [front] and entry.copies == 1


@pytest.mark.parametrize("game", ["duel-masters", "magic", "yugioh"])
def test_every_face_and_half_and_link(game: str) -> None:
    table = _table(game)
    wrong = []
    for card in table.catalog:
        sides = [part.name for part in card.parts] or [card.name, *(face.name for face in card.faces)]
        if len(sides) < 2:
            continue
        for place, joint in enumerate(JOINTS if game == "duel-masters" else JOINTS[:1]):
            line = ("4 x {}", "{} ×4", "《{}》×4")[place % 3].format(joint.join(sides[:2]))
            found = [
                (tuple(one.name for one in entry.cards), entry.copies) for entry in _read(line, game).entries
            ]
            if found != [((card.name,), 4)]:
                wrong.append(line)
    assert len(wrong) <= 2, wrong[:10]


@pytest.mark.parametrize(
    "line",
    [
        "4x Lightning Bolt (m10) 146 [Counterspell]",
        "4 Lightning Bolt (ICE)",
        "4 Lightning Bolt [4ED:*]",
        "4 Lightning Bolt [POR:96†]",
        "Lightning Bolt (ICE) * 4",
        "4 Lightning Bolt*",
        "4 Lightning Bolt [M10:146] [foil]",
        "4x Lightning Bolt (ice) 146 [Removal]",
        "4 [ICE] Lightning Bolt",
        "4 (ICE) Lightning Bolt",
        "4 [2X2#117] Lightning Bolt",
    ],
)
def test_words_in_brackets_beside_a_card_are_no_cards(line: str) -> None:
    deck = _read(f"{line}\n20 Mountain", "magic")
    assert content(deck) == {("main", "Lightning Bolt"): 4, ("main", "Mountain"): 20} and ids(deck) == []


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Basara (card) ×4", "バサラ"),
        ("貝獣 カイバシラ // コバシーラ・ポコポーコ ×4", "貝獣 カイバシラ／コバシーラ・ポコポーコ"),
        ("悪魔神バロム // バロム砲4枚", "悪魔神バロム／バロム砲"),
        ("電脳 メディクリ-14枚", "電脳 メディクリ-1"),
        ("H.D.2.4枚", "ラルド・ワースピーダ／H.D.2."),
        ("4 x 7777777", "キング・ザ・スロットン7／7777777"),
    ],
)
def test_counts_behind_hard_names(line: str, name: str) -> None:
    for text in (line, f"{line}\n3 x 青銅の鎧", f"3 x 青銅の鎧\n{line}"):
        deck = _read(text)
        assert content(deck)["main", name] == 4 and deck.diagnostics == () and deck.header == {}


@pytest.mark.parametrize(
    "line",
    ["3 Sasuke Samurai #3", "Sasuke Samurai #3 x3", "Sasuke Samurai #3 ×3 # a note", "Sasuke Samurai #3 3枚"],
)
def test_a_number_sign_in_a_name_begins_no_comment(line: str) -> None:
    deck = _read(line, "yugioh")
    assert content(deck) == {("main", "Sasuke Samurai #3"): 3} and ids(deck) == []


@pytest.mark.parametrize(
    "line",
    ["Lightning Bolt (ice) 4", "4 [Ice] Lightning Bolt", "[ICE] Lightning Bolt", "4 Lightning Bolt (ice)"],
)
def test_a_name_in_brackets_that_may_be_a_card_is_told(line: str) -> None:
    assert ids(_read(f"{line}\n20 Mountain", "magic")) == ["invalid-line"]


@pytest.mark.parametrize("facts", ["（水/3）", "(水文明 3)", "[闇/自然/3]", "（コスト3）"])
def test_facts_in_brackets_beside_a_count_are_no_counts(facts: str) -> None:
    for line in (f"4 x 天災 デドダム{facts}", f"天災 デドダム{facts}×4"):
        deck = _read(line)
        assert content(deck) == {("main", "天災 デドダム"): 4} and deck.diagnostics == ()


@pytest.mark.parametrize(
    "line",
    [
        "天災 デドダム（水/3）",
        "4 x 天災 デドダム（水/2）",
        "4 x 天災 デドダム（or 3）",
        "4 x 天災 デドダム（水+3）",
        "4 x 天災 デドダム（水 3枚）",
        "4 x 天災 デドダム（サイド3）",
        "4 x 天災 デドダム（水 2/3）",
    ],
)
def test_numbers_in_brackets_that_may_be_counts_are_told(line: str) -> None:
    assert ids(_read(line)) == ["invalid-line"]


@pytest.mark.parametrize("line", ["4 Foil", "4x Foil (PCY) [foil]", "Foil x4", "4 Foil (foil)"])
def test_a_card_whose_name_is_a_note_elsewhere(line: str) -> None:
    assert content(_read(line, "magic")) == {("main", "Foil"): 4}


@pytest.mark.parametrize(
    ("game", "line", "counts"),
    [
        ("duel-masters", "機怪人形ガチャック24枚", (4, 24)),
        ("magic", "Counterspell (ICE) 64", (1, 64)),
        ("yugioh", "Harpie Lady 2", (1, 2)),
        ("yugioh", "ハーピィ・レディ13枚", (3, 13)),
    ],
)
def test_counts_that_can_be_read_in_two_ways(game: str, line: str, counts: tuple[int, int]) -> None:
    (entry,) = _read(line, game).entries
    assert (entry.copies, entry.most) == counts


@pytest.mark.parametrize(
    "line",
    [
        "サイバー・オーガ・21枚",
        "メタル・デビルゾアX 2",
        "シューティング・スター・ドラゴン・TG-EX1",
        "3 Jinzo #7 - great",
        "3x Jinzo #7 (MP21-EN001) Ultra Rare",
    ],
)
def test_a_longer_name_that_a_count_or_remark_may_hide_is_told(line: str) -> None:
    (entry,) = _read(line, "yugioh").entries
    assert len(entry.cards) == 2


@pytest.mark.parametrize(
    "line", ["3 Jinzo # good", "Jinzo ×3", "3 Jinzo #1", "人造人間-サイコ・ショッカー3枚"]
)
def test_a_remark_that_no_name_goes_on_with_is_one(line: str) -> None:
    (entry,) = _read(line, "yugioh").entries
    assert len(entry.cards) == 1 and entry.copies == 3


@pytest.mark.parametrize("line", ["ﾃﾞｰﾓﾝ･ﾊﾝﾄﾞ 4", "ﾃﾞｰﾓﾝ･ﾊﾝﾄﾞ×4", "4枚 ﾃﾞｰﾓﾝ･ﾊﾝﾄﾞ", "ﾃﾞｰﾓﾝ･ﾊﾝﾄﾞ4枚"])
def test_names_that_end_with_a_half_width_mark(line: str) -> None:
    assert _canonical(_read(line)) == {("main", "デーモン・ハンド"): 4}


@pytest.mark.parametrize("code", ["DM06 88/110", "DM-06 88/110", "DMRP09 S9/S11", "(DM06 88/110)"])
def test_the_number_of_a_printing_is_no_count(code: str) -> None:
    for form in ("4 {c} {code}", "{c} {code} 4枚", "{c} {code} ×4"):
        deck = _read(form.format(c="フェアリー・ライフ", code=code))
        assert (_canonical(deck), ids(deck)) == ({("main", "フェアリー・ライフ"): 4}, [])


@pytest.mark.parametrize("below", ["デッキをシェア", "デッキをシェア\nログイン"])
@pytest.mark.parametrize("above", ["", "共有\n"])
def test_a_page_around_counts_on_lines_of_their_own(above: str, below: str) -> None:
    rows = [f"{name}\n{copies}枚" for name, copies in zip(NAMES, COUNTS, strict=True)]
    deck = _read(above + "\n".join([*rows, below]))
    assert _canonical(deck) == WANTED and set(ids(deck)) == {"invalid-line"}


@pytest.mark.parametrize(
    "head", ["入替候補", "抜いたカード", "# 抜いたカード", "Cuts", "// Cuts", "不採用理由"]
)
def test_more_words_for_what_is_not_in_the_deck(head: str) -> None:
    deck = _read(f"{PLAIN}{head}\n2 {OTHER}\n")
    aside = [one for one in deck.diagnostics if one.id == "not-in-deck"]
    assert len(aside) == 1 and {("main", name) for name in NAMES} <= _canonical(deck).keys()
    assert ("main", OTHER) not in _canonical(deck)


@pytest.mark.parametrize("line", ["青銅の鎧 4体", "青銅の鎧 4枚差し", "青銅の鎧4枚挿し"])
def test_more_counters(line: str) -> None:
    assert _canonical(_read(line)) == {("main", "青銅の鎧"): 4}


@pytest.mark.parametrize(
    ("text", "commanders"),
    [
        ("Commander\n1 Krenko, Mob Boss\n# Ramp\n1 Sol Ring\n", 1),
        ("Commander\n1 Krenko, Mob Boss\n// Ramp\n1 Sol Ring\n# Lands\n9 Mountain\n", 1),
        ("# Commander\n1 Krenko, Mob Boss\n## Ramp\n1 Sol Ring\n## Lands\n9 Mountain\n", 1),
        ("Commander\n# the boss\n1 Krenko, Mob Boss\n# Ramp (1)\n1 Sol Ring\n", 1),
        ("Commander\n1 Krenko, Mob Boss\n# with\n1 Sol Ring\n\n9 Mountain\n", 2),
        ("Commander\n1 Krenko, Mob Boss\n# with\n1 Sol Ring\nDeck\n9 Mountain\n", 2),
    ],
)
def test_a_comment_below_the_commander_may_begin_the_main_deck(text: str, commanders: int) -> None:
    """Where nothing else begins it, or where comments are the labels of the list."""
    zones = [entry.zone for entry in _read(text, "magic").entries]
    assert zones == ["commander"] * commanders + ["main"] * (len(zones) - commanders) and "main" in zones


@pytest.mark.parametrize("line", ["青銅の鎧 2コスト 4枚", "4 青銅の鎧 コスト2", "青銅の鎧 ×4 2コスト"])
def test_costs_in_words_are_no_counts(line: str) -> None:
    assert _canonical(_read(line)) == {("main", "青銅の鎧"): 4}


@pytest.mark.parametrize("remark", ["ピン差し", "ピン挿し"])
def test_a_word_for_one_copy(remark: str) -> None:
    deck = _read(f"{PLAIN}{OTHER} {remark}\n")
    assert (_canonical(deck)["main", OTHER], ids(deck)) == (1, [])


def test_a_card_in_the_brackets_of_a_heading_is_told() -> None:
    deck = _read("青眼の白龍×3\n【融合】\n青眼の究極竜×1\n", "yugioh")
    assert [entry.line for entry in deck.entries] == [1, 3]
    assert ("invalid-line", 2) in [(one.id, one.line) for one in deck.diagnostics]
    assert len(_read("【青眼の白龍】\n【融合】\n", "yugioh").entries) == 2


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("融合（1枚）", "青眼の究極竜×1"),
        ("融合 (2)", "1 青眼の究極竜\n1 ブラック・マジシャン"),
        ("魔法カード：融合", "青眼の究極竜×1"),
    ],
)
def test_what_may_head_the_cards_below_is_told(head: str, rows: str) -> None:
    deck = _read(f"青眼の白龍×3\n{head}\n{rows}\n", "yugioh")
    assert ("invalid-line", 2) in [(one.id, one.line) for one in deck.diagnostics]
    assert 2 not in [entry.line for entry in deck.entries]


def test_counts_in_brackets_are_counts() -> None:
    deck = _read("青眼の白龍（3枚）\n融合（1枚）\nブラック・マジシャン（1枚）\n", "yugioh")
    assert [entry.copies for entry in deck.entries] == [3, 1, 1] and ids(deck) == []


def test_passcodes_are_names() -> None:
    deck = _read("24224830 x2\n3 46986415\n1 [60082869]", "yugioh")
    assert [entry.copies for entry in deck.entries] == [2, 3, 1] and all(one.cards for one in deck.entries)
    assert deck.diagnostics == () and deck.header == {}


@pytest.mark.parametrize("line", ["2+2 x {c}", "3〜4 x {c}", "3～4枚 {c}", "2-3 {c}", "2~3枚 {c}"])
def test_two_numbers_for_a_count_are_told(line: str) -> None:
    deck = _read(line.format(c=NAMES[0]))
    assert deck.entries == () and ids(deck) == ["invalid-line"]


def test_a_slip_in_angle_brackets_is_not_the_card_without_them() -> None:
    for line in ("4 x アクア・ジェット<突撃・ブラサー!>", "アクア・ジェット〈突撃〉 ×4"):
        deck = _read(line)
        assert deck.entries == () and ids(deck) == ["invalid-line"]


def test_a_second_card_of_a_sheets_row_is_read_or_told() -> None:
    a, b, c, d = NAMES[:4]
    for head in ("カード名,枚数,カード名2,枚数2", "カード名,枚数,カード名,枚数"):
        assert _canonical(_read(f"{head}\n{a},4,{b},3\n{c},2,{d},1\n", path="a.csv")) == {
            ("main", name): copies for name, copies in zip(NAMES[:4], (4, 3, 2, 1), strict=True)
        }
    deck = _read(f"カード名,枚数,あれ,これ\n{a},4,{b},3\n{c},2,{d},1\n", path="a.csv")
    assert deck.entries == () and ids(deck) == ["invalid-line"] * 2


def test_a_row_that_lost_a_cell() -> None:
    deck = _read(f"枚数 | コスト | レア | 文明 | 名前 | 弾 |\n40 | 3 | 火 | 《{NAMES[0]}》 | DMR12 |")
    assert _canonical(deck) == {("main", NAMES[0]): 40}


def test_the_format_in_the_words_of_the_game() -> None:
    assert _read(f"フォーマット：DMコマンダー\n4 x {NAMES[0]}").header == {"format": "DMコマンダー"}


def test_other_words_for_counts() -> None:
    for key in ("num", "n", "cnt", "cardCount", "総数"):
        text = json.dumps([{"name": NAMES[0], key: 3}], ensure_ascii=False)
        assert _canonical(_read(text, path="a.json")) == {("main", NAMES[0]): 3}
        assert _canonical(_read(f"name,{key}\n{NAMES[0]},3\n", path="a.csv")) == {("main", NAMES[0]): 3}


def test_english_names() -> None:
    deck = _read("4 x Aqua Guard\n2 Bronze-Arm Tribe\nBolshack Dragon x3")
    assert _canonical(deck) == {
        ("main", "アクア・ガード"): 4,
        ("main", "青銅の鎧"): 2,
        ("main", "ボルシャック・ドラゴン"): 3,
    }


def test_a_span_is_no_count_in_whatever_column() -> None:
    deck = _read("天災 デドダム 4-5枚\n" * 3)
    assert not deck.entries and ids(deck) == ["invalid-line"] * 3


@pytest.mark.parametrize(
    "top", ["天災 デドダン", "天災 デドダン4", "・天災 デドダン4枚", "《天災 デドダン》×4"]
)
def test_a_misspelt_first_card_is_no_title(top: str) -> None:
    """A slip in the first name may not make a deck legal."""
    deck = _read(f"{top}\n{PLAIN}")
    assert "deck" not in deck.header and ids(deck) in (["unknown-card"], ["invalid-line"], [])
    assert ids(deck) or any(not entry.cards for entry in deck.entries)


@pytest.mark.parametrize(
    "top",
    [
        "天災 デドダム 4枚 初動",
        "4 天災 デドダム（3ターン目に出す）",
        "《天災 デドダム》*1×4",
        "4 天災 デドダム→3",
        "4 天災 デドダム (3)",
        "天災 デドダム ピン差し",
    ],
)
@pytest.mark.parametrize("form", ["{n} {c}", "{c} {n}枚"])
def test_a_first_card_with_a_count_and_a_remark_is_no_title(top: str, form: str) -> None:
    rest = [
        form.format(n=n, c=name) for name, n in zip(NAMES, COUNTS, strict=True) if name != "天災 デドダム"
    ]
    deck = _read("\n".join([top, *rest]))
    assert (ids(deck), [one.line for one in deck.diagnostics], deck.header) == (["invalid-line"], [1], {})


@pytest.mark.parametrize("count", ["1~2 x ", "2+1 x ", "3/4 x ", "3→2 ", "3か4 ", "-1 "])
@pytest.mark.parametrize("first", [True, False])
def test_a_count_that_nobody_can_read_is_no_title(count: str, first: bool) -> None:
    line = f"{count}天災 デドダム\n"
    rest = PLAIN.replace("4 x 天災 デドダム\n", "")
    deck = _read(line + rest if first else rest + line)
    assert ("main", "天災 デドダム") not in _canonical(deck) and ids(deck) == ["invalid-line"]
    assert deck.header == {}


@pytest.mark.parametrize("form", ["~~{}~~", "- ~~{}~~", "<s>{}</s>", "<del>{}</del>", "❌{}", "🚫 {}"])
def test_a_line_that_is_struck_out_is_told(form: str) -> None:
    deck = _read(form.format("4 x 天災 デドダム") + "\n" + PLAIN)
    assert _canonical(deck) == WANTED and ids(deck) == ["invalid-line"]


@pytest.mark.parametrize(
    "top",
    [
        "各4枚",
        "×4",
        "以下すべて4枚",
        "下のカードを全部3枚ずつ",
        "以下すべて四枚",
        "すべて ×4",
        "4枚ずつ入れる",
    ],
)
def test_a_count_over_names_is_told(top: str) -> None:
    deck = _read("\n".join([top, *NAMES]))
    assert "deck" not in deck.header
    assert ids(deck) in (["invalid-line"], ["total-mismatch"]) or not deck.entries[0].cards


def test_a_zone_over_bare_names_holds_beside_a_remark_with_a_number() -> None:
    deck = _read("\n".join([f"統率者：{OTHER}（3ターン目に出す）", *NAMES]))
    assert ids(deck) == []
    assert _canonical(deck) == {("main", name): 1 for name in NAMES} | {("commander", OTHER): 1}


def test_characters_that_nobody_sees_part_no_name() -> None:
    assert _canonical(_read("\u200b4 x 天災 デ\u200bドダム")) == {("main", "天災 デドダム"): 4}


@pytest.mark.parametrize("form", ["{n} x {c}", "{c}\n×{n}", "・{c} {n}枚"])
def test_a_card_alone_over_a_list_is_told_unless_the_deck_is_named_after_one_of_its_cards(form: str) -> None:
    rest = "\n".join(form.format(c=name, n=n) for name, n in zip(NAMES[:6], COUNTS, strict=False))
    deck = _read(f"{NAMES[8]}\n{rest}")
    assert ids(deck) == ["invalid-line"] and deck.header == {} and len(deck.entries) == 6
    deck = _read(f"{NAMES[2]}\n{rest}")
    assert ids(deck) == [] and deck.header == {"deck": NAMES[2]}


@pytest.mark.parametrize("form", ["{n} x {c}", "{c}\n×{n}", "・{c} {n}枚"])
def test_a_card_alone_over_a_full_deck_is_its_title(form: str) -> None:
    title = "クリスタル・メモリー"
    for counts, side, is_title in (
        ([4] * 10, "", True),
        ([4] * 10, "サイド\n", True),
        ([4] * 9 + [3], "", False),
    ):
        rows = [form.format(c=name, n=n) for name, n in zip(NAMES, counts, strict=True)]
        deck = _read("\n".join([title, *rows, *([side, form.format(c="750男", n=3)] if side else [])]))
        assert ("deck" in deck.header) is is_title
        assert ids(deck) == (["name-as-title"] if is_title else ["invalid-line"])


@pytest.mark.parametrize(
    "tails",
    [
        ("　　天災デドダン×3", "　　コッコルピヤ×1", ""),
        ("→3", "→1", ""),
        (" サイド2", " サイド1", ""),
        (" サイド", " サイド", ""),
        (" 抜く", " 抜く", ""),
        (" 2", " 3", ""),
        (" (or コッコ・ルピア)", "", ""),
        (" 天災デドダン 2", " コッコルピヤ 1", " みすすぺる 3"),
        (" → コッコ・ルピア ×4", "", ""),
    ],
)
@pytest.mark.parametrize("counts", [("×4", "×2", "×4"), (" 4", " 2", " 4")])
def test_what_is_left_over_in_some_rows_is_never_a_column(
    tails: tuple[str, ...], counts: tuple[str, ...]
) -> None:
    rows = [name + n + tail for name, n, tail in zip(NAMES, counts, tails, strict=False)]
    deck = _read("\n".join(rows))
    told = {one.line for one in deck.diagnostics} | {
        one.line for one in deck.entries if not one.cards or one.copies != one.most or one.zone != "main"
    }
    assert {at for at, tail in enumerate(tails, 1) if tail} <= told


@pytest.mark.parametrize("heading", ["サイドボ一ド", "Sidebord", "メインデツキ"])
def test_a_misspelt_heading_over_a_list_is_no_title(heading: str) -> None:
    deck = _read(f"{heading}\n{PLAIN}")
    assert "deck" not in deck.header and ids(deck) in (["invalid-line"], ["unknown-zone"])


@pytest.mark.parametrize("title", ["【速攻】", "＜速攻＞", "■速攻デッキ"])
@pytest.mark.parametrize("form", ["{c}\n×{n}", "{c}", "{n} x {c}"])
def test_a_marked_title_over_a_short_list(title: str, form: str) -> None:
    rows = [form.format(c=name, n=n) for name, n in zip(NAMES[:4], COUNTS, strict=False)]
    deck = _read("\n".join([title, *rows]))
    assert {entry.zone for entry in deck.entries} == {"main"} and len(deck.entries) == 4
    assert ids(deck) == [] and deck.header["deck"].startswith("速攻")


@pytest.mark.parametrize("sign", ["{}", "/{}", "＋{}", "({})", "　{}"])
def test_the_other_face_on_a_line_of_its_own_is_no_second_card(sign: str) -> None:
    table = _table("duel-masters")
    card = next(card for card in table.catalog if len(card.parts) == 2 and card.home == "main")
    deck = _read(f"3 {card.parts[0].name}\n{sign.format(card.parts[1].name)}\n{PLAIN}")
    assert _canonical(deck) == {**WANTED, ("main", card.name): 3}


@pytest.mark.parametrize("tail", [" (DM01) 50円", " (DM01) 67 50円", " 1,20 €", " 2.35$", "🔥", " 🔥🔥"])
def test_prices_behind_sets_and_pictures_say_nothing(tail: str) -> None:
    deck = _read(f"4 x コッコ・ルピア{tail}\n1 x 青銅の鎧")
    assert _canonical(deck) == {("main", "コッコ・ルピア"): 4, ("main", "青銅の鎧"): 1} and ids(deck) == []


def test_a_remark_in_a_cell_beside_a_number_is_no_second_card() -> None:
    text = """Name,Set code,Collector number,Foil,Quantity
Lightning Bolt,CLU,141,normal,4
Counterspell,MH2,267,foil,2
Foil,MH2,266,etched,1
"""
    deck = _read(text, "magic")
    assert _canonical(deck) == {
        ("main", "Lightning Bolt"): 4,
        ("main", "Counterspell"): 2,
        ("main", "Foil"): 1,
    }
    assert ids(deck) == []
    doubled = _read(text.replace("267,foil", "1,Foil"), "magic")
    assert ids(doubled) == ["invalid-line"]


@pytest.mark.parametrize("line", ["Cut:", "Cut：", "【Cut】"])
def test_a_card_with_the_sign_of_a_heading_is_told(line: str) -> None:
    deck = _read(f"4 Goblin Guide\n56 Mountain\n\n{line}\n2 Fireblast\n1 Opt", "magic")
    assert ids(deck) == ["invalid-line"] and len(deck.entries) == 4


def test_a_card_that_is_quoted_above_names_is_told_unless_it_is_among_them() -> None:
    rest = [f"《{name}》" for name in NAMES]
    deck = _read("\n".join([f"今回の切り札は《{OTHER}》です！", *rest]))
    assert ids(deck) == ["invalid-line"] and len(deck.entries) == len(NAMES)
    deck = _read("\n".join([f"《{NAMES[0]}》を使ったデッキ", *rest]))
    assert ids(deck) == [] and len(deck.entries) == len(NAMES)


@pytest.mark.parametrize("price", ["$1.20", "€2,35", "4,10€", "$.04", "€", "1.2 €"])
def test_a_price_behind_a_count_is_no_count(price: str) -> None:
    deck = _read(f"コッコ・ルピア 4 {price}\n青銅の鎧 1 50円")
    assert ids(deck) in ([], ["invalid-line"])
    assert _canonical(deck) | {("main", "コッコ・ルピア"): 4} == {
        ("main", "コッコ・ルピア"): 4,
        ("main", "青銅の鎧"): 1,
    }
    assert ids(deck) or len(deck.entries) == 2


@pytest.mark.parametrize("row", ["{},4,1.20€", "{} 4/20", "4/20 {}", "{} 4 €", "4$ {}"])
def test_what_may_be_a_price_or_a_day_takes_no_count(row: str) -> None:
    deck = _read(row.format("コッコ・ルピア") + "\n1 青銅の鎧")
    assert ids(deck) == ["invalid-line"] and [entry.written for entry in deck.entries] == ["青銅の鎧"]


@pytest.mark.parametrize("title", ["11/23 CS 優勝", "11/23(日) 秋葉原CS", "12/10 ベスト8"])
@pytest.mark.parametrize("form", ["{n} x {c}", "{c}\n×{n}"])
def test_days_over_a_list_are_no_counts(title: str, form: str) -> None:
    rest = "\n".join(form.format(c=name, n=n) for name, n in zip(NAMES, COUNTS, strict=False))
    deck = _read(f"{title}\n{rest}")
    assert _canonical(deck) == WANTED and ids(deck) == []


@pytest.mark.parametrize("over", ["4枚", "■4枚", "【4枚】", "4枚積み：", "×4", "各4枚", "4枚ずつ"])
@pytest.mark.parametrize("above", ["", "赤単速攻\n", "26枚\n"])
def test_a_count_over_a_group_of_names(over: str, above: str) -> None:
    groups = [(4, NAMES[:5]), (3, NAMES[5:7])]
    rows = [row for copies, names in groups for row in (over.replace("4", str(copies)), *names)]
    deck = _read(above + "\n".join(rows))
    assert _canonical(deck) == {("main", name): copies for copies, names in groups for name in names}
    assert ids(deck) == [] and (deck.header == {"deck": "赤単速攻"}) is (above == "赤単速攻\n")


@pytest.mark.parametrize(
    "groups",
    [
        # Costs, and a sum that is wrong among others.
        [("1", 3), ("2", 3), ("3", 2), ("4", 2)],
        [("3枚", 3), ("2枚", 2), ("4枚", 3)],
        [("4枚", 10)],
    ],
)
def test_numbers_over_names_that_may_be_something_else_are_told(groups: list[tuple[str, int]]) -> None:
    names = iter(NAMES)
    lines = [line for over, size in groups for line in (over, *(next(names) for _ in range(size)))]
    deck = _read("\n".join(lines))
    assert all(entry.copies == 1 for entry in deck.entries) and "invalid-line" in ids(deck)


def test_a_row_with_a_count_beside_groups_leaves_them_in_doubt() -> None:
    deck = _read("\n".join(["4枚:", *NAMES[:5], f"{NAMES[6]} 2"]))
    assert ids(deck) == ["invalid-line"] and deck.diagnostics[0].line == 1


def test_half_a_row_of_tables_side_by_side_is_told() -> None:
    head = "メイン\t枚数\tサイド\t枚数"
    for row in (f"{NAMES[0]}\t\t{NAMES[1]}\t4", f"\t4\t{NAMES[1]}\t4", f"4\t\t{NAMES[1]}\t4"):
        deck = _read(f"{head}\n{NAMES[2]}\t4\t{NAMES[3]}\t3\n{row}")
        assert ("side", NAMES[1]) in _canonical(deck) and "invalid-line" in ids(deck)


@pytest.mark.parametrize(
    "head", ["メイン\t\tサイド\t", "\tメイン\t\tサイド", "メイン\t枚数\tサイド\t枚数", "メイン\t\tサイド"]
)
def test_zones_over_tables_side_by_side(head: str) -> None:
    pairs = [f"{NAMES[at]}\t{COUNTS[at]}" for at in range(3)]
    if head.startswith("\t"):
        pairs = ["\t".join(pair.split("\t")[::-1]) for pair in pairs]
    deck = _read(f"{head}\n{pairs[0]}\t{pairs[1]}\n\t\t{pairs[2]}")
    zones = zip(("main", "side", "side"), NAMES, COUNTS, strict=False)
    assert _canonical(deck) == {(zone, name): copies for zone, name, copies in zones} and ids(deck) == []


def test_a_zone_s_word_in_the_first_of_several_rows_is_not_taken_for_all() -> None:
    deck = _read(f"メイン\t{NAMES[0]}\t4\n\t{NAMES[1]}\t4\nサイド\t{NAMES[2]}\t2\n\t{NAMES[3]}\t2")
    assert ids(deck) == ["unknown-zone"] * 2 and [one.line for one in deck.diagnostics] == [2, 4]
    # Where all rows are set in, the tabs mean nothing.
    assert ids(_read(f"\t{NAMES[0]}\t4\n\t{NAMES[1]}\t4\n\t{NAMES[2]}\t2")) == []


def test_what_makes_counts_of_a_table_unclear_is_told() -> None:
    deck = _read(f"カード\t枚数\t枚数\n{NAMES[0]}\t4\t2\n{NAMES[1]}\t3\t3")
    assert [(entry.copies, entry.most) for entry in deck.entries] == [(2, 4), (3, 3)]
    # Under other heads stands how many are owned or wanted.
    deck = _read(f"カード,枚数,必要枚数\n{NAMES[0]},4,\n{NAMES[1]},,4", path="a.csv")
    assert _canonical(deck) == {("main", NAMES[0]): 4} and ids(deck) == ["invalid-line"]
    deck = _read(f"カード,枚数,備考\n{NAMES[0]},4,うち1枚サイド\n{NAMES[1]},4,強い", path="a.csv")
    assert ids(deck) == ["unknown-zone"] and [one.line for one in deck.diagnostics] == [2]


@pytest.mark.parametrize("line", ["天災 デドダム # 4枚", "天災 デドダム // 4"])
def test_a_comment_that_may_be_the_count_is_told(line: str) -> None:
    deck = _read(f"{line}\n4 x アクア・ガード")
    assert _canonical(deck) == {("main", "アクア・ガード"): 4} and ids(deck) == ["invalid-line"]


def test_a_card_marked_as_cut_is_not_in_the_main_deck() -> None:
    deck = _read("4 x 天災 デドダム ※抜く\n4 x アクア・ガード")
    assert ("main", "天災 デドダム") not in _canonical(deck) and ids(deck) == ["not-in-deck"]


@pytest.mark.parametrize("line", ["{} 4?", "{} 4枚？", "4? {}", "4枚? {}"])
def test_a_count_with_a_question_mark_is_told(line: str) -> None:
    deck = _read("\n".join([line.format(NAMES[0]), *(f"4 x {name}" for name in NAMES[1:])]))
    assert ids(deck) == ["invalid-line"] and ("main", NAMES[0]) not in _canonical(deck)


def test_changes_to_a_deck_are_no_list() -> None:
    deck = _read(f"-4 {NAMES[0]}\n+ 4 {NAMES[1]}\n- 2 {NAMES[2]}\n4 {NAMES[3]}")
    assert ids(deck) == ["invalid-line"] * 3 and _canonical(deck) == {("main", NAMES[3]): 4}
    # One of the signs alone is a bullet.
    assert ids(_read(f"- 4 {NAMES[0]}\n- 4 {NAMES[1]}")) == []
    assert ids(_read(f"+4 {NAMES[0]}\n+4 {NAMES[1]}")) == []
    for plus in ("+2 ", "+ 2 "):
        deck = _read(f"{plus}{NAMES[0]}\n4 {NAMES[1]}\n4 {NAMES[2]}")
        assert ids(deck) == ["invalid-line"] and len(deck.entries) == 2


def test_a_name_without_a_count_below_a_full_list_is_told() -> None:
    full = "".join(f"4 x {name}\n" for name in NAMES[:9]) + f"4 x {NAMES[9]}\n"
    deck = _read(f"{full}\n《{NAMES[0]}》\n{OTHER}")
    assert ids(deck) == ["invalid-line"] * 2 and sum(_canonical(deck).values()) == 40
    # It is a card where one is missing.
    deck = _read(f"{full.replace('4 x', '3 x')}\n{OTHER}")
    assert ids(deck) == [] and _canonical(deck)["main", OTHER] == 1


def test_a_marked_name_over_a_list_that_lacks_one_card_is_told() -> None:
    names = [*NAMES[1:], OTHER]
    lacking = "".join(f"4 x {name}\n" for name in names[:9]) + f"3 x {names[9]}"
    assert ids(_read(f"■{NAMES[0]}\n{lacking}")) == ["invalid-line"]
    deck = _read(f"■{NAMES[0]}\n{lacking.replace('3 x', '4 x')}")
    assert "invalid-line" not in ids(deck) and deck.header["deck"] == NAMES[0]


@pytest.mark.parametrize("head", ["備考", "コスト"])
def test_a_further_column_beside_tables_side_by_side(head: str) -> None:
    deck = _read(
        f"メイン\t枚数\tサイド\t枚数\t{head}\n{NAMES[0]}\t4\t{NAMES[1]}\t2\t3\n{NAMES[2]}\t4\t{NAMES[3]}\t1\t5"
    )
    assert _canonical(deck) == {
        ("main", NAMES[0]): 4,
        ("side", NAMES[1]): 2,
        ("main", NAMES[2]): 4,
        ("side", NAMES[3]): 1,
    }


def test_a_sign_behind_the_count_of_the_line_above() -> None:
    deck = _read("\n".join(f"{copies}\nx {name}" for name, copies in zip(NAMES, COUNTS, strict=True)))
    assert _canonical(deck) == WANTED and ids(deck) == []
