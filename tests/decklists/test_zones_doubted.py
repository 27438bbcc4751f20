"""Zones that a list leaves open: each is read in one way or told, and nothing is counted elsewhere in silence."""

from __future__ import annotations

from collections import Counter

import pytest

from deckcheck.checking.judge import check, load_format, read_deck
from deckcheck.decklists.header import read_header
from deckcheck.model.deck import Deck

A, B, C = "青銅の鎧", "フェアリー・ライフ", "デーモン・ハンド"


def read(text: str, path: str = "-", format: str = "duel-masters/commander") -> Deck:
    return read_deck(load_format(format), text, path)


def zones(deck: Deck) -> dict[str, int]:
    found: Counter[str] = Counter()
    for entry in deck.entries:
        found[entry.zone] += entry.copies
    return dict(found)


def ids(deck: Deck) -> list[tuple[str, int]]:
    return [(one.id, one.line) for one in deck.diagnostics]


@pytest.mark.parametrize("between", ["", "\n"])
def test_a_zone_in_front_of_a_card_holds_for_its_line_and_that_is_told(between: str) -> None:
    deck = read(f"{A}×4\nサイドボード：{B}×4\n{between}{C}×3\n{A}×1\n")
    assert zones(deck) == {"main": 8, "side": 4}
    [told] = deck.diagnostics
    line = deck.entries[2].line
    assert (told.id, told.line) == ("zone-of-one-line", line) and told.written == C
    assert told.message.en.startswith(
        "counted in “Main deck”, for “Sideboard” above holds for its own line only"
    )


@pytest.mark.parametrize(
    "text",
    [
        # On a line of its own, with several cards, at the top, or as a mark of single cards it leaves no doubt.
        f"{A}×4\nサイドボード\n{B}×4\n{C}×3\n",
        f"{A}×4\nサイドボード：{B}×4、{C}×1\n{C}×3\n",
        f"サイドボード：{B}×4\n{A}×4\n{C}×3\n",
        f"{A}×4\nSB: 4 {B}\n{C}×3\n",
        f"{A}×4\n統率者：{B}\n{C}×3\n",
        f"{A}×4\nサイドボード：{B}×4\nメイン\n{C}×3\n",
        f"{A}×4\nサイドボード：{B}×4\nメイン：{C}×3\n",
        f"{A}×4\nサイドボード：{B}×4\n",
    ],
)
def test_where_the_zone_is_clear_nothing_is_told(text: str) -> None:
    assert read(text).diagnostics == ()


@pytest.mark.parametrize("heading", ["統率者", "パートナー"])
def test_the_types_below_the_commander_are_the_main_deck(heading: str) -> None:
    deck = read(f"{heading}\n1 {A}\nクリーチャー\n4 {B}\n呪文\n2 {C}\n")
    assert zones(deck) == {"commander" if heading == "統率者" else "partner": 1, "main": 6}
    assert deck.diagnostics == ()


@pytest.mark.parametrize("label", ["クリーチャー", "クリーチャー(8)", "■呪文"])
def test_a_type_below_the_cards_of_the_sideboard_is_told_where_nothing_else_is_the_main_deck(
    label: str,
) -> None:
    deck = read(f"サイドボード\n4 {A}\n{label}\n4 {B}\n4 {C}\n")
    assert ids(deck) == [("invalid-line", 3)]
    assert check(deck, load_format("duel-masters/commander"), as_of="2025-09-01").verdict != "legal"


@pytest.mark.parametrize(
    "text",
    [
        f"サイドボード\nクリーチャー\n4 {A}\n呪文\n4 {B}\n",
        f"サイドボード 8\n4 {A}\nクリーチャー 4\n4 {B}\n",
        f"4 {C}\nサイドボード\n4 {A}\nクリーチャー\n4 {B}\n",
        f"サイドボード\n4 {A}\nクリーチャー\n4 {B}\nメイン\n4 {C}\n",
    ],
)
def test_types_within_the_sideboard_stay_there(text: str) -> None:
    deck = read(text)
    assert deck.diagnostics == () and zones(deck)["side"] == 8


def test_an_explicit_sideboard_without_a_commander_is_told() -> None:
    deck = read("99 Plains\nSideboard\n1 Lightning Bolt\n", format="magic/commander")
    assert zones(deck) == {"main": 99, "commander": 1}
    [told] = deck.diagnostics
    assert told.id == "moved-to-home-zone"
    assert told.message.en.startswith("counted in “Commander”, for this format has no “Sideboard”")
    report = check(deck, load_format("magic/commander"), as_of="2025-12-01")
    assert "commander-kind" in [one.rule for one in report.findings] and report.verdict == "illegal"


def test_a_zone_in_a_column_without_a_head_is_named_as_it_stands() -> None:
    text = f"火,4,{A},メイン?\n水,4,{B},メイン\n火,3,{C},サイド\n"
    [told] = [one for one in read(text, "a.csv").diagnostics if one.line == 3]
    assert (told.id, told.zone) == ("unknown-zone", "サイド?")
    assert told.message.en == "it isn't clear which zone “サイド?” means"
    [told] = read(f"Count,Name,Foo\n4,{A},サイド\n", "a.csv").diagnostics
    assert told.message.en == "it isn't clear which zone “Foo: サイド” means"


@pytest.mark.parametrize("above", ["速攻", "【速攻】", "https://example.com/deck/1", "速攻\n\n2025年の大会"])
def test_a_format_below_a_title_is_that_of_the_list(above: str) -> None:
    text = f"{above}\nフォーマット：オリジナル\n4 {A}\n4 {B}\n"
    assert read_header(text) == {"format": "オリジナル"}


def test_a_comment_below_a_title_and_a_line_far_below_are_no_header() -> None:
    assert read_header(f"速攻\n# format: original\n4 {A}\n") == {}
    assert read_header(f"4 {A}\n" * 6 + "フォーマット：オリジナル\n") == {}


@pytest.mark.parametrize("head", ["Category", "備考"])
@pytest.mark.parametrize("cell", ["候補", "控え", "呪文、候補", "呪文、Maybeboard"])
def test_a_cell_that_may_set_a_card_aside_leaves_its_zone_open(head: str, cell: str) -> None:
    deck = read(f"Count,Name,{head}\n4,{A},獣\n3,{B},{cell}\n")
    assert ids(deck) == [("unknown-zone", 3)]
    assert zones(deck)["main"] == 4


@pytest.mark.parametrize("head", ["Category", "備考", "状態", "Condition", "Foo"])
@pytest.mark.parametrize("cell", ["Maybeboard", "不採用", "Considering"])
@pytest.mark.parametrize("row", ["{},{},{}\n", "{}\t{}\t{}\n", "| {} | {} | {} |\n"])
def test_a_cell_whose_word_is_no_role_sets_its_card_aside_under_any_head(
    row: str, cell: str, head: str
) -> None:
    rows = [("枚数", "カード名", head), (4, A, "NM"), (3, B, cell), (2, C, "")]
    deck = read("".join(row.format(*cells) for cells in rows))
    assert ids(deck) == [("not-in-deck", 3)]
    assert zones(deck) == {"main": 6}


def test_a_card_that_a_record_sets_aside_is_not_in_its_zone() -> None:
    deck = read(f'[{{"name": "{A}", "count": 4}}, {{"name": "{B}", "count": 3, "状態": "不採用"}}]', "a.json")
    assert zones(deck) == {"main": 4} and ids(deck) == [("not-in-deck", 1)]
    [told] = read(f"Count,Name,Zone,状態\n4,{A},サイド,不採用\n", "a.csv").diagnostics
    assert (told.id, told.message.en) == ("invalid-line", "two zones are named")
