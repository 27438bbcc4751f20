"""What stands in a list and is no card: heads of tables, titles, marks of zones, headings and sums."""

from __future__ import annotations

import pytest
from factories.reader_lists import Asked, Cards, asking, both, content, duel_masters, ids, read, told

from deckcheck.checking.judge import check, load_format
from deckcheck.decklists.read import make_reader
from deckcheck.model.card import Card

A, B, C = "天災 デドダム", "アクア・ガード", "斬隠オロチ"


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
    (diagnostic,) = read(text, path).diagnostics
    assert (diagnostic.id, diagnostic.line) == ("invalid-line", 1)
    assert "枚数" in diagnostic.message.ja and "counts" in diagnostic.message.en
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
    catalog = Asked(duel_masters())
    deck = make_reader(duel_masters(), catalog)(f"赤単速攻\n4 {A}\n4 {B}", "a")
    assert deck.header == {"deck": "赤単速攻"} and catalog.asked == 1
    assert make_reader(duel_masters(), catalog)(f"★赤単速攻★\n4 {A}", "a").header


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
        assert content(deck) == {("main", A): 4} and deck.diagnostics == () and deck.header == {}


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
        assert content(deck) == {("commander", A): 1, ("main", B): 4} and deck.diagnostics == ()


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
        (diagnostic,) = read(f"# date: 2020-01-01\n4 {A}\n{later}\n4 {B}").diagnostics
        assert (diagnostic.id, diagnostic.line) == ("invalid-line", 3)
        assert "先頭" in diagnostic.message.ja and "top" in diagnostic.message.en
    assert read(f"# date: 2020-01-01\n4 {A}\n# date: 2020-01-01").diagnostics == ()


@pytest.mark.parametrize(("word", "meant"), [("datee", "date"), ("fromat", "format"), ("Playr", "player")])
def test_misspelt_headers(word: str, meant: str) -> None:
    (diagnostic,) = read(f"# {word}: 2020-01-10\n4 {A}").diagnostics
    assert (
        diagnostic.id == "invalid-line" and meant in diagnostic.message.en and meant in diagnostic.message.ja
    )
    assert read(f"# memo: x\n# see: y\n# {word}\n4 {A}\n# {word}: below").diagnostics == ()


ASIDE = [
    "不採用",
    "候補",
    "控え",
    "メモ",
    "■不採用カード",
    "【候補】",
    "検討中",
    "トークン",
    "Maybeboard",
    "[Tokens] 3",
]


@pytest.mark.parametrize("heading", ASIDE)
def test_headings_of_what_is_not_in_the_deck(heading: str) -> None:
    text = f"4 {A}\n{heading}\n2 {B}\n1 nobody knows this\n"
    assert content(read(text))["main", B] == 0 and "not-in-deck" in ids(read(text))
    report = check(text, load_format("duel-masters/duemagic"), as_of="2026-01-01")
    assert [(entry.written, entry.copies, entry.zone) for entry in report.deck.entries] == [(A, 4, "main")]
    [finding] = [one for one in report.findings if one.rule == "not-in-deck"]
    assert (finding.severity, finding.line) == ("info", 3)
    assert "3 cards" in finding.message.in_("en") and "3枚" in finding.message.in_("ja")
    assert {one.rule for one in report.findings} == {"not-in-deck", "main-size"}


LAND = "60 Mountain\n\nSideboard\n15 Plains\n\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{LAND}Considering\n3 Shock\n",
        f"{LAND}// Maybeboard\n3 Shock\n",
        "60 Mountain (ZEN) 242\n\nSIDEBOARD:\n15 Plains (ZEN) 230\n\nMAYBEBOARD:\n3 Shock (M21) 159\n",
        "60x Mountain (zen) 242 [Land]\n15x Plains (zen) 230 [Sideboard]\n3x Shock (m21) 159 [Maybeboard{noDeck}]\n",
        "Count,Name,Board\n60,Mountain,main\n15,Plains,side\n3,Shock,Maybeboard\n",
        "60x Mountain\n\n15x Plains\n\nTokens\n3x Shock\n",
    ],
)
def test_tools_write_what_is_not_in_the_deck(text: str) -> None:
    report = check(text, load_format("magic/modern"), as_of="2026-01-01")
    assert report.verdict == "legal"
    assert [(entry.written, entry.zone) for entry in report.deck.entries] == [
        ("Mountain", "main"),
        ("Plains", "side"),
    ]
    assert "not-in-deck" in {finding.rule for finding in report.findings}


def test_a_label_below_what_is_not_in_the_deck_may_go_on_with_the_deck() -> None:
    report = check(
        "60 Mountain\nTokens\n3 Shock\nLands\n4 Plains\n", load_format("magic/modern"), as_of="2026-01-01"
    )
    assert report.verdict == "undecided"
    assert [(one.rule, one.line) for one in report.findings] == [("not-in-deck", 3), ("unknown-zone", 4)]


@pytest.mark.parametrize("rule", ["---", "===", "***", "――――", "☆☆☆"])
def test_a_rule_means_nothing(rule: str) -> None:
    deck = read(f"4 {A}\n{rule}\n2 {B}")
    assert content(deck) == {("main", A): 4, ("main", B): 2} and deck.diagnostics == ()


def test_what_was_moved_home_is_told_once_a_zone() -> None:
    game = duel_masters()
    table = Cards(game)
    names = [f"ほし{number}ごう" for number in "あいうえおか"]
    for name in names:
        table.cards.append(Card(name, "hyperspatial", {}))
        table._found[table.fold(name)] = (table.cards[-1],)
    deck = make_reader(game, table)("\n".join([f"4 {A}", *(f"2 {n}" for n in names), "1 零龍"]), "a")
    assert [(diagnostic.id, diagnostic.line) for diagnostic in deck.diagnostics] == [
        ("moved-to-home-zone", 2),
        ("moved-to-home-zone", 8),
    ]
    message = deck.diagnostics[0].message
    assert all(f"「{name}」2枚" in message.ja and f"2 x {name}" in message.en for name in names[:4])
    assert names[4] not in message.ja and "2種類" in message.ja and "2 more" in message.en
    assert "カードのカード" not in deck.diagnostics[1].message.ja


@pytest.mark.parametrize(
    "title",
    ["【デッキ名】赤単", "【デッキ名】 赤単", "デッキ名：赤単", "■デッキ名：赤単", "【デッキ名：赤単】", "「デッキ名」赤単", "# デッキ名: 赤単", "[Deck name] 赤単"],
)  # fmt: skip
def test_the_word_for_the_decks_name_is_no_part_of_it(title: str) -> None:
    deck = read(f"{title}\n4 {A}\n2 {B}\n")
    assert (deck.header, ids(deck)) == ({"deck": "赤単"}, [])


@pytest.mark.parametrize("title", ["赤単", "【赤単】速攻", "ラッカ：改", "デッキ名人"])
def test_other_words_are_the_decks_name(title: str) -> None:
    assert read(f"{title}\n4 {A}\n2 {B}\n").header["deck"].endswith(title[-2:])
    assert read(f"{title}\n4 {A}\n2 {B}\n").header["deck"].lstrip("【").startswith(title.lstrip("【")[:2])
