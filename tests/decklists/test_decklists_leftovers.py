"""Nothing beside a card's name is dropped in silence: it is understood, another entry, or told."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from listmaker import Cards, content, duel_masters, ids, read, told
from test_decklists_names import COUNTED

from deckcheck.cards import Card
from deckcheck.decklists.read import make_reader
from deckcheck.decks import Deck
from deckcheck.names import suggest

A, B, C = "天災 デドダム", "アクア・ガード", "斬隠オロチ"
D = "終末の時計 ザ・クロック"


class Asked(Cards):
    """Cards that can be asked for names like another; it counts how often it was."""

    asked = 0

    def suggest(self, name: str) -> list[str]:
        self.asked += 1
        found = suggest(self.fold(name), [self.fold(card.name) for card in self.cards])
        return [card.name for key in found for card in self.cards if self.fold(card.name) == key]


@cache
def asking() -> Callable[[str, str], Deck]:
    return make_reader(duel_masters(), Asked(duel_masters()))


def both(deck: Deck) -> dict[str, tuple[int, int]]:
    """The fewest and the most copies of each name."""
    return {
        entry.cards[0].name if entry.cards else f"?{entry.written}": (entry.copies, entry.most)
        for entry in deck.entries
    }


@pytest.mark.parametrize(
    "line",
    [
        f"{A} ×4    {B} ×4",
        f"{A} ×4　{B} ×4",
        f"{A} ×4　　{B} ×4",
        f"4 {A}    4 {B}",
        f"4  {A}  4  {B}",
        f"{A}  4  {B}  4",
        f"{A} ×4;{B} ×4",
        f"{A} ×4】【{B} ×4",
        f"{A} ×4 ({B} ×4)",
        f"{A} ×4 ※{B} ×4",
        f"4《{A}》 4《{B}》",
        f"4《{A}》4《{B}》",
        f"《{A}》×4と《{B}》×4",
    ],
)
def test_the_second_card_of_a_line_counts(line: str) -> None:
    deck = read(line)
    assert content(deck) == {("main", A): 4, ("main", B): 4}
    assert deck.remarks == ()


@pytest.mark.parametrize("line", [f"{A} ×4 【{B}】", f"{A} ×4 ({B})", f"《{A}》×4と《{B}》"])
def test_a_second_name_without_a_count_is_one_copy(line: str) -> None:
    assert content(read(line)) == {("main", A): 4, ("main", B): 1}


@pytest.mark.parametrize(
    "line",
    [
        "{a} ×4    {b} ×4",
        "{a} ×4　{b} ×4",
        "4 {a}    4 {b}",
        "4  {a}  4  {b}",
        "{a}  4  {b}  4",
        "{a} ×4;{b} ×4",
        "{a} ×4】【{b} ×4",
        "{a} ×4 ({b} ×4)",
        "{a} ×4 ※{b} ×4",
        "4《{a}》 4《{b}》",
        "{a} ×4 {b}",
        "{a} ×4    {b}",
    ],
)
@pytest.mark.parametrize("other", ["みすすぺる", "アクア・カード"])
def test_an_unknown_second_name_is_told(line: str, other: str) -> None:
    deck = read(f"4 {C}\n" + line.format(a=A, b=other))
    unknown = any(not entry.cards for entry in deck.entries)
    assert unknown or "invalid-line" in ids(deck)


CERTAIN = [
    (f"({n}) {A} ×5", 5) for n in (1, 4, 5)
] + [
    (f"［4］{A} x5", 5),
    (f"(2) {A} ×4", 4),
    (f"{A}   4   80円   在庫1", 4),
    (f"{A} 四枚", 4),
    (f"四枚 {A}", 4),
    (f"{A} ④", 4),
    (f"{A}4️⃣", 4),
    (f"{A} 4枚。", 4),
    (f"・{A} 4枚！", 4),
    (f"{A} ×4 ★★★", 4),
    (f"{A} 4積み", 4),
    (f"{A} ×4 (コスト3)", 4),
    (f"{A} ×4 (主力)", 4),
    (f"{A} ×4 # {B} ×4", 4),
    (f"{A} ×4 // {B}", 4),
    (f"①{A}", 1),
]  # fmt: skip


@pytest.mark.parametrize(("line", "copies"), CERTAIN)
def test_what_is_certain_is_read(line: str, copies: int) -> None:
    for text in (line, f"{line}\n4 {C}"):
        deck = read(text)
        assert both(deck)[A] == (copies, copies)
        assert deck.remarks == () and "deck" not in deck.header


def test_circled_numbers_before_names_number_the_lines() -> None:
    assert content(read(f"①{A}\n②{B}\n③{C}")) == {("main", A): 1, ("main", B): 1, ("main", C): 1}


@pytest.mark.parametrize(
    "line",
    [
        f"{A} ×5 ×4",
        f"{A} 5 4",
        f"4 {A} ×5",
        f"4 {A} 5",
        f"{A} ×4.5",
        f"{A} 3-5枚",
        f"{A} 4~5",
        f"{A} 4～5枚",
        f"{A} 4/5",
        f"{A} ×4 (x5)",
        f"4\t{A}\t5",
        f"|4|{A}|5|",
        f"{A}\t2\t4",
        f"{A}\t火\t2\t4",
        f"{A} ×4 | 3",
    ],
)
def test_two_numbers_are_never_one_count(line: str) -> None:
    for text in (line, f"{line}\n4 {C}"):
        deck = read(text)
        low, high = both(deck).get(A, (0, 1))
        assert low != high
        assert A in both(deck) or ids(deck) == ["invalid-line"]


@pytest.mark.parametrize("tail", [" NEW", " どうぞ", "  どうぞ", " - 主力"])
def test_words_that_nobody_knows_are_told(tail: str) -> None:
    for text in (f"{A} ×4{tail}", f"{A} ×4{tail}\n4 {C}"):
        deck = read(text)
        assert A not in both(deck) and ("invalid-line" in ids(deck) or not deck.entries[0].cards)


def test_the_message_says_what_is_wrong() -> None:
    (remark,) = read(f"{A} ×5 ×4").remarks
    assert "4と5" in remark.message.ja and "4 and 5" in remark.message.en
    (remark,) = read(f"4 {C}\n{A} ×4  どうぞ").remarks
    assert "どうぞ" in remark.message.ja and "どうぞ" in remark.message.en
    (remark,) = asking()(f"4 {C}\n終末の時計 ザ・クロッグを入れる", "a").remarks
    assert remark.message.ja.endswith(f"もしかして: {D}") and remark.message.en.endswith(f"did you mean {D}?")


def test_a_tables_counts_are_the_column_that_can_only_be_counts() -> None:
    costs = [3, 7, 2, 5]
    rows = list(zip([A, B, C, "750男"], [4, 4, 3, 1], costs, strict=True))
    wanted = {("main", name): copies for name, copies, _ in rows}
    for row in ("{c}\t火\t{k}\t{n}", "{n} | {c} | {k}", "{c} | {k} | {n}", "| {k} | {c} | {n} |"):
        text = "\n".join(row.format(c=name, n=copies, k=cost) for name, copies, cost in rows)
        assert (content(read(text)), row) == (wanted, row)
    # Where both columns could be counts, both are.
    text = "\n".join(f"{n} | {c} | {k}" for c, n, k in [(A, 4, 2), (B, 4, 3), (C, 3, 1), ("750男", 2, 4)])
    assert both(read(text)) == {A: (2, 4), B: (3, 4), C: (1, 3), "750男": (2, 4)}


@pytest.mark.parametrize("head", ["数量", "個数", "採用枚数", "必要枚数", "投入枚数", "ほしい数", "なに"])
@pytest.mark.parametrize("path", ["a.csv", "-"])
def test_a_column_of_counts_by_any_head(head: str, path: str) -> None:
    wanted = {("main", A): 4, ("main", B): 3}
    assert content(read(f"カード,{head}\n{A},4\n{B},3", path)) == wanted
    assert content(read(f"商品名\t型番\t価格\t{head}\n{A}\tDM-01\t80\t4\n{B}\tDM-02\t90\t3", "-")) == wanted
    assert content(read(f"カード名,コスト,{head}\n{A},3,4\n{B},1,3", path)) == wanted
    assert content(read(f"カード名 | コスト | {head}\n---|---|---\n{A} | 3 | 4\n{B} | 1 | 3", "-")) == wanted
    assert content(read(f"{head},あれ\n4,{A}\n3,{B}", "a.csv")) == wanted


def test_a_title_row_over_the_head_of_a_sheet() -> None:
    for path in ("a.csv", "-"):
        deck = read(f"デッキ名,赤単,,\nカード名,コスト,文明,枚数\n{A},2,火,4\n{B},3,水,3", path)
        assert told(deck) == [f"3:1 main 4 {A}", f"4:1 main 3 {B}"]
        assert deck.header == {"deck": "赤単"}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (f"名前,なにか\n{A},い\n{B},ろ", "a.csv"),
        (f"カード名,コスト\n{A},4\n{B},3", "a.csv"),
        (f"カード名 | コスト\n---|---\n{A} | 4\n{B} | 3", "a.txt"),
    ],
)
def test_a_table_without_counts_is_told_once(text: str, path: str) -> None:
    (remark,) = read(text, path).remarks
    assert (remark.id, remark.line) == ("invalid-line", 1)
    assert "枚数" in remark.message.ja and "counts" in remark.message.en
    # Counts within the cells need no column.
    assert ids(read(f"カード名,コスト\n4 {A},3\n{B} x3,1", "a.csv")) == []


@pytest.mark.parametrize(
    "line",
    [
        "・みすすぺる",
        "終末の時計 ザ・クロッグ",
        "アクア・ガードいれたい",
        "みすすぺる 四枚くらい",
        "みすすぺるV4デッキ",
        "統率者 みすすぺる",
    ],
)
def test_a_first_line_that_may_be_a_card_is_no_title(line: str) -> None:
    deck = asking()(f"{line}\n4 {A}", "a")
    assert "deck" not in deck.header
    assert ids(deck) == ["invalid-line"] or not all(e.cards for e in deck.entries)


def test_a_title_is_asked_for_once() -> None:
    catalogue = Asked(duel_masters())
    deck = make_reader(duel_masters(), catalogue)(f"赤単速攻\n4 {A}\n4 {B}", "a")
    assert deck.header == {"deck": "赤単速攻"} and catalogue.asked == 1
    assert make_reader(duel_masters(), catalogue)(f"★赤単速攻★\n4 {A}", "a").header


@pytest.mark.parametrize(
    "line",
    [
        "https://example.com/a/40",
        "http://example.com/?x=4",
        "www.example.com",
        "2023/06/01",
        "2023/06/01 12:30",
        "2023年6月1日",
        "2023-06-01(木)",
        "12:30",
        "総枚数 4",
        "枚数：4",
        "合計枚数：4枚",
        "4/4",
    ],
)
def test_furniture_that_says_nothing(line: str) -> None:
    for text in (f"4 {A}\n{line}", f"{line}\n4 {A}"):
        deck = read(text)
        assert content(deck) == {("main", A): 4} and deck.remarks == () and deck.header == {}


@pytest.mark.parametrize(
    "line", ["40/40", "コメント(5)", "デッキコード: gnLngL-x3T9-4", "作成日：2023/06/01", "閲覧数: 512"]
)
def test_furniture_that_can_not_be_read(line: str) -> None:
    assert told(read(f"4 {A}\n{line}"))[1:] == [f"! 2:1 invalid-line {line}"]


@pytest.mark.parametrize("line", ["いいね 12", "1位 CS"])
def test_furniture_that_looks_like_a_card_is_an_unknown_one(line: str) -> None:
    assert [entry.cards for entry in read(f"4 {A}\n{line}").entries[1:]] == [()]


@pytest.mark.parametrize(
    "line",
    [
        f"統率者＝{A}",
        f"統率者「{A}」",
        f"統率者,{A}",
        f"コマンダー → {A}",
        f"ジェネラル：{A}",
        f"{A} ←統率者",
        f"{A} *CMDR*",
        f"1 {A} *CMDR*",
        f"統率者＝1 {A}",
    ],
)
def test_zone_marks(line: str) -> None:
    for text in (f"{line}\n4 {B}", f"4 {B}\n{line}"):
        deck = read(text)
        assert content(deck) == {("commander", A): 1, ("main", B): 4} and deck.remarks == ()


def test_the_sideboards_mark() -> None:
    assert content(read(f"SB: 4 {A}\n4 {B}")) == {("side", A): 4, ("main", B): 4}


@pytest.mark.parametrize(
    "line", ["統率者 みすすぺる", f"統率者は {A}", f"統率者(1) {A}", "コマンダー、みすすぺる"]
)
def test_a_mark_without_a_card_is_told(line: str) -> None:
    for text in (f"{line}\n4 {B}", f"4 {B}\n{line}"):
        deck = read(text)
        assert content(deck)["main", A] == 0
        assert "invalid-line" in ids(deck) or any(
            entry.zone == "commander" and not entry.cards for entry in deck.entries
        )


def test_a_row_of_a_card_that_is_called_like_a_heading() -> None:
    for text in (f"| 零龍 | 1 |\n| {A} | 4 |", f"零龍\n4 {A}", f"零龍\t1\n{A}\t4", f"零龍 1\n4 {A}"):
        assert content(read(text)) == {("start", "零龍"): 1, ("main", A): 4}


def test_headers_below_the_top() -> None:
    for later in ("# date: 2021-01-01", "# format: x", "// player: Jo"):
        (remark,) = read(f"# date: 2020-01-01\n4 {A}\n{later}\n4 {B}").remarks
        assert (remark.id, remark.line) == ("invalid-line", 3)
        assert "先頭" in remark.message.ja and "top" in remark.message.en
    assert read(f"# date: 2020-01-01\n4 {A}\n# date: 2020-01-01").remarks == ()


@pytest.mark.parametrize(("word", "meant"), [("datee", "date"), ("fromat", "format"), ("Playr", "player")])
def test_misspelt_headers(word: str, meant: str) -> None:
    (remark,) = read(f"# {word}: 2020-01-10\n4 {A}").remarks
    assert remark.id == "invalid-line" and meant in remark.message.en and meant in remark.message.ja
    assert read(f"# memo: x\n# see: y\n# {word}\n4 {A}\n# {word}: below").remarks == ()


@pytest.mark.parametrize("heading", ["不採用", "候補", "予備", "控え", "メモ", "■不採用カード", "【候補】"])
def test_headings_of_what_is_not_in_the_deck(heading: str) -> None:
    deck = read(f"4 {A}\n{heading}\n2 {B}")
    assert content(deck)["main", B] == 0 and ids(deck) == ["unknown-zone"]


@pytest.mark.parametrize("rule", ["---", "===", "***", "――――", "☆☆☆"])
def test_a_rule_means_nothing(rule: str) -> None:
    deck = read(f"4 {A}\n{rule}\n2 {B}")
    assert content(deck) == {("main", A): 4, ("main", B): 2} and deck.remarks == ()


def test_what_was_moved_home_is_told_once_a_zone() -> None:
    game = duel_masters()
    table = Cards(game)
    names = [f"ほし{number}ごう" for number in "あいうえおか"]
    for name in names:
        table.cards.append(Card(name, "hyperspatial", {}))
        table._found[table.fold(name)] = (table.cards[-1],)
    deck = make_reader(game, table)("\n".join([f"4 {A}", *(f"2 {n}" for n in names), "1 零龍"]), "a")
    assert [(remark.id, remark.line) for remark in deck.remarks] == [
        ("moved-to-home-zone", 2),
        ("moved-to-home-zone", 8),
    ]
    message = deck.remarks[0].message
    assert all(f"「{name}」2枚" in message.ja and f"2 x {name}" in message.en for name in names[:4])
    assert names[4] not in message.ja and "2種類" in message.ja and "2 more" in message.en
    assert "カードのカード" not in deck.remarks[1].message.ja


NASTY = [
    f" {B}",
    f"　{B}",
    f"  {B}",
    f" {B} ×4",
    f"  4 {B}",
    f";{B}",
    f" 【{B}】",
    f" ({B})",
    f"（{B}4）",
    f" ※{B}",
    f" ← {B}",
    f" / {B}",
    f" -- {B}",
    f" <{B}>",
    "  みすすぺる",
    "  みすすぺる ×4",
    " (みすすぺる ×4)",
    " ※みすすぺる 4枚",
    " ;みすすぺる4",
    " 9",
    " ×9",
    " (9)",
    "-9",
    "~9枚",
    "/9",
    ".9",
    " or 9",
    " @9",
    " どうぞ",
    "  どうぞ",
    " 要検討",
    " ⑨",
    " 九枚",
    "9️⃣",
]
NOTED = [
    "",
    " (殿)",
    " # 9",
    " // みすすぺる ×4",
    " ¥900",
    " 900円",
    " (主力)",
    " ★★★",
    "！",
    " (DMR-01)",
    " *F*",
]


@settings(max_examples=400, deadline=None)
@given(
    name=st.sampled_from([A, C, "斬隠オロチ", "からみカズラ", "バングリッドX7", "その子供、凶暴につき"]),
    copies=st.integers(1, 4),
    notation=st.sampled_from([one for one in COUNTED if not set(one) & set("#/※←")]),
    tail=st.sampled_from(NASTY),
    counted=st.booleans(),
)
def test_no_tail_is_dropped_in_silence(
    name: str, copies: int, notation: str, tail: str, counted: bool
) -> None:
    # Digits behind a set's number or a price go on with it.
    assume(tail[0] not in "-~/.9" or not any(word in notation for word in ("DMR", "M21", "¥", "円")))
    line = notation.format(c=name, n=copies) + tail
    deck = read(f"{line}\n4 アクア・ガード" if counted else line)
    here = [entry for entry in deck.entries if entry.line == 1]
    alone = len(here) == 1 and [card.name for card in here[0].cards] == [name]
    exact = alone and here[0].copies == here[0].most == copies
    assert not exact or any(remark.line == 1 for remark in deck.remarks), told(deck)


@settings(max_examples=200, deadline=None)
@given(
    name=st.sampled_from([A, C, "からみカズラ", "バングリッドX7", "その子供、凶暴につき"]),
    copies=st.integers(1, 4),
    notation=st.sampled_from(
        ["{n} x {c}", "{n} {c}", "《{c}》×{n}", "{c} ×{n}", "・{c} ×{n}枚", "{n}枚 {c}"]
    ),
    tail=st.sampled_from(NOTED),
)
def test_what_is_no_leftover_is_passed_over(name: str, copies: int, notation: str, tail: str) -> None:
    deck = read(notation.format(c=name, n=copies) + tail)
    assert content(deck) == {("main", name): copies} and deck.remarks == ()
