"""Columns of sheets and tables that tell a card's zone, or may tell it: read, or told, never passed over."""

from __future__ import annotations

from functools import cache

import pytest

from deckcheck.checking.judge import LoadedFormat, check, load_format, read_deck
from deckcheck.model.deck import Deck


@cache
def loaded(format: str) -> LoadedFormat:
    return load_format(format)


def read(text: str, path: str = "a.csv", format: str = "magic/limited") -> Deck:
    return read_deck(loaded(format), text, path)


def told(deck: Deck) -> list[str]:
    """Every entry as `zone copies name`, then the id of every remark with its line."""
    entries = [f"{e.zone} {e.copies} {e.cards[0].name if e.cards else '?' + e.written}" for e in deck.entries]
    return [*entries, *(f"{one.id} {one.line}" for one in deck.diagnostics)]


def verdict(text: str, path: str = "a.csv") -> str:
    return check(read(text, path), loaded("magic/limited"), as_of="2025-12-01").verdict


HEADS = [
    "Category",
    "Categories",
    "Type",
    "Tags",
    "Notes",
    "Deck",
    "Board",
    "Section",
    "Zone",
    "区分",
    "種類",
    "備考",
    "カテゴリ",
    "タグ",
    "デッキ",
    "ゾーン",
]


@pytest.mark.parametrize("head", HEADS)
def test_a_column_that_sorts_the_cards_names_a_zone_as_well(head: str) -> None:
    text = f"Count,Name,{head}\n29,Mountain,Land\n11,Swamp,Sideboard\n"
    assert told(read(text)) == ["main 29 Mountain", "side 11 Swamp"]
    assert verdict(text) == "illegal"
    bars = "".join(f"| {line.replace(',', ' | ')} |\n" for line in text.splitlines())
    assert told(read(bars, "a.txt")) == ["main 29 Mountain", "side 11 Swamp"]


@pytest.mark.parametrize(
    "cell", ["Sideboard", "sideboard", "サイド", "SB", '"Land, Sideboard"', "Sideboard/Land", "[Sideboard]"]
)
def test_a_zone_is_named_by_its_heading_a_mark_or_one_of_several_words(cell: str) -> None:
    for head in ("Zone", "Category"):
        assert told(read(f"Count,Name,{head}\n40,Mountain,\n3,Opt,{cell}\n")) == [
            "main 40 Mountain",
            "side 3 Opt",
        ]


@pytest.mark.parametrize(
    "cell", ["", "-", "Creature", "Red", "赤", "Instant/Sorcery", "Artifacts & Creatures"]
)
@pytest.mark.parametrize("head", HEADS)
def test_labels_and_empty_cells_name_no_zone(head: str, cell: str) -> None:
    assert told(read(f"Count,Name,{head}\n40,Mountain,{cell}\n")) == ["main 40 Mountain"]


@pytest.mark.parametrize(
    "cell", ["Ramp", "強い", "Legendary Creature — Elf", "my deck", "2024-01-01", "inside"]
)
def test_other_words_in_a_column_that_sorts_mean_nothing(cell: str) -> None:
    assert told(read(f"Count,Name,Category\n40,Mountain,{cell}\n")) == ["main 40 Mountain"]


@pytest.mark.parametrize(
    "cell", ["サイドから入れる", "sideboard or main", "ジェノサイドで破壊", "エクストラターン", "メモ書き"]
)
def test_a_remark_that_only_speaks_of_a_zone_moves_nothing(cell: str) -> None:
    assert told(read(f"Count,Name,備考\n40,Mountain,\n3,Opt,{cell}\n")) == ["main 40 Mountain", "main 3 Opt"]


@pytest.mark.parametrize("cell", ["Sideboard 2", "2 Sideboard"])
def test_a_cell_that_speaks_of_a_zone_without_naming_it_alone_is_told(cell: str) -> None:
    text = f"Count,Name,備考\n40,Mountain,\n3,Opt,{cell}\n"
    assert told(read(text)) == ["main 40 Mountain", f"備考: {cell} 3 Opt", "unknown-zone 3"]
    assert verdict(text) == "undecided"


def test_a_column_for_zones_that_names_none_is_told_as_before() -> None:
    assert told(read("Count,Name,Zone\n40,Mountain,\n3,Opt,Drawer\n"))[1:] == [
        "Drawer 3 Opt",
        "unknown-zone 3",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Zone,Category,Count,Name\nMain,Sideboard,3,Opt\n",
        "Count,Name,Zone\n3,Opt,Main/Sideboard\n",
        'Count,Name,Category\n3,Opt,"Sideboard, Main"\n',
        "Count,Name,Main,Sideboard\n3,Opt,x,x\n",
    ],
)
def test_two_zones_for_one_card_are_told(text: str) -> None:
    assert told(read(text)) == ["invalid-line 2"]


@pytest.mark.parametrize("head", ["Foo", "", "Karte", "色々"])
def test_a_zone_under_a_head_that_nobody_knows_is_told(head: str) -> None:
    text = f"Count,Name,{head}\n29,Mountain,Land\n11,Swamp,Sideboard\n2,Opt,Main\n"
    assert told(read(text)) == [
        "main 29 Mountain",
        f"{head}: Sideboard 11 Swamp" if head else "Sideboard? 11 Swamp",
        "main 2 Opt",
        "unknown-zone 3",
    ]
    assert verdict(text) == "undecided"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("29,Mountain,Land\n11,Swamp,Sideboard\n", "a.csv"),
        ("29\tMountain\tLand\n11\tSwamp\tSideboard\n", "a.txt"),
        ("29 | Mountain | Land\n11 | Swamp | Sideboard\n", "a.txt"),
        ("| Count | Name | Foo |\n|---|---|---|\n| 29 | Mountain | |\n| 11 | Swamp | Sideboard |\n", "a.txt"),
    ],
)
def test_a_zone_in_a_column_without_a_head_is_told(text: str, path: str) -> None:
    assert [line for line in told(read(text, path)) if line.startswith("unknown-zone")]
    assert verdict(text, path) == "undecided"


def test_columns_that_hold_something_else_are_left_alone() -> None:
    text = "Count,Name,Edition,Rarity,Condition,Collector Number\n40,Mountain,Commander,rare,NM,3\n3,Opt,Commander Legends,common,NM,9\n"
    assert told(read(text)) == ["main 40 Mountain", "main 3 Opt"]
    assert verdict(text) == "legal"
    # The name of a set in which a zone's word stands, under any head.
    assert told(read("Count,Name,Foo\n40,Mountain,Commander Legends\n")) == ["main 40 Mountain"]


@pytest.mark.parametrize("head", ["Sideboard", "サイド", "side"])
@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("true", "false"),
        ("TRUE", ""),
        ("x", ""),
        ("X", "-"),
        ("yes", "no"),
        ("○", "×"),
        ("✓", ""),
    ],
)
def test_a_zones_word_as_a_head_with_yes_and_no(head: str, yes: str, no: str) -> None:
    text = f"Count,Name,{head}\n29,Mountain,{no}\n11,Swamp,{yes}\n"
    assert told(read(text)) == ["main 29 Mountain", "side 11 Swamp"]
    bars = "".join(f"| {line.replace(',', ' | ')} |\n" for line in text.splitlines())
    assert told(read(bars, "a.txt")) == ["main 29 Mountain", "side 11 Swamp"]


@pytest.mark.parametrize("no", ["0", ""])
def test_a_number_beside_counts_is_not_guessed_to_be_a_yes(no: str) -> None:
    text = f"Count,Name,Sideboard\n29,Mountain,{no}\n11,Swamp,1\n"
    assert told(read(text)) == ["main 29 Mountain", "invalid-line 3"]


@pytest.mark.parametrize(
    ("cells", "lines"),
    [
        (("2", "1"), [2, 3]),
        (("0", "10"), [3]),
        (("Land", "x"), [2]),
        (("×", ""), [2]),
        (("x", "×"), [2, 3]),
        (("maybe", "no"), [2]),
    ],
)
def test_what_is_no_clear_yes_or_no_is_told(cells: tuple[str, str], lines: list[int]) -> None:
    text = f"Count,Name,Sideboard\n29,Mountain,{cells[0]}\n11,Swamp,{cells[1]}\n"
    assert sorted({one.line for one in read(text).diagnostics}) == lines
    assert verdict(text) != "legal"


@pytest.mark.parametrize(
    "text",
    [
        "Name,Count,Main,Sideboard\nMountain,40,40,0\nSwamp,4,3,1\n",
        "Name,Main count,Side count\nMountain,40,0\nSwamp,3,1\n",
        "Count,Name,Sideboard copies\n40,Mountain,0\n3,Swamp,2\n",
    ],
)
def test_copies_under_the_words_of_zones_are_not_guessed(text: str) -> None:
    assert told(read(text)) == ["main 40 Mountain", "invalid-line 3"]


def test_columns_of_copies_headed_by_zones_are_read() -> None:
    found = ["main 40 Mountain", "main 3 Swamp", "side 1 Swamp"]
    text = "Name,Main,Sideboard\nMountain,40,0\nSwamp,3,1\n"
    assert told(read(text)) == found
    assert told(read(text.replace(",", " | "))) == found
    assert told(read("Name,Main,Sideboard\nMountain,40,\nSwamp,3,1\n")) == found
    assert told(read("Main,Sideboard\n40 Mountain,1 Swamp\n3 Swamp,\n")) == [found[0], found[2], found[1]]


def test_copies_with_a_counter_under_a_zones_word_are_told() -> None:
    text = "枚数,カード名,サイド\n40,Mountain,0枚\n3,Opt,4枚\n3,Swamp,1枚\n"
    assert told(read(text)) == ["main 40 Mountain", "invalid-line 3", "invalid-line 4"]


def test_copies_under_a_zones_word_alone_are_told() -> None:
    assert told(read("Name,Sideboard\nMountain,4\nSwamp,3\n")) == ["invalid-line 2", "invalid-line 3"]
    assert told(read("Name,Main\nMountain,4\nSwamp,3\n")) == ["main 4 Mountain", "main 3 Swamp"]


@pytest.mark.parametrize("head", ["Is sideboard", "InSideboard", "サイド入り"])
def test_a_yes_under_a_head_that_holds_a_zones_word_is_told(head: str) -> None:
    text = f"Count,Name,{head}\n40,Mountain,\n3,Opt,no\n11,Swamp,x\n"
    assert told(read(text)) == ["main 40 Mountain", "main 3 Opt", f"{head}: x 11 Swamp", "unknown-zone 4"]


def test_the_first_zone_as_a_head() -> None:
    text = "Count,Name,Main,Side\n40,Mountain,1,0\n11,Swamp,0,1\n3,Opt,0,0\n"
    assert told(read(text)) == [
        "main 40 Mountain",
        "Main: 0 3 Opt",
        "invalid-line 3",
        "unknown-zone 4",
    ]


def test_cards_side_by_side_have_zones_of_their_own() -> None:
    text = "Count,Name,Zone,Count,Name,Zone\n40,Mountain,,3,Opt,Side\n2,Island,Side,,,\n,,,4,Plains,Main\n"
    assert told(read(text)) == ["main 40 Mountain", "side 3 Opt", "side 2 Island", "main 4 Plains"]


def test_a_second_name_is_the_same_cards() -> None:
    text = "カード名,英語名,枚数\n山,Mountain,40\nOpt,Opt,3\nOpt,Swamp,2\n"
    assert told(read(text)) == ["main 40 Mountain", "main 3 Opt", "invalid-line 4"]
    bars = "| カード名 | 英語名 | 枚数 |\n|---|---|---|\n| 山 | Mountain | 40 |\n"
    assert told(read(bars, "a.txt")) == ["main 40 Mountain"]


def test_a_row_that_is_fenced_without_blanks() -> None:
    text = "| Count | Name | Section |\n|---|---|---|\n|29 | Mountain | Land|\n|11 | Swamp | Sideboard|\n"
    assert told(read(text, "a.txt")) == ["main 29 Mountain", "side 11 Swamp"]
    text = "| Count | Name |\n|---|---|\n| many | Mountain |\n| 3 | Opt |\n"
    assert told(read(text, "a.txt")) == ["main 3 Opt", "invalid-line 3"]


def test_the_words_of_other_games() -> None:
    text = "枚数,カード名,種類,文明\n4,天災 デドダム,クリーチャー,水/闇/自然\n1,フェアリー・ライフ,呪文,自然\n1,零龍,GRクリーチャー,\n1,アクア・ハルカス,超次元,水\n1,光器カタリナ,呪文/超次元,光\n"
    found = told(read(text, format="duel-masters/original"))
    assert found[:2] == ["main 4 天災 デドダム", "main 1 フェアリー・ライフ"]
    # Where cards are at home in a zone, the card tells of it, and no word beside it.
    assert found[3:5] == ["main 1 アクア・ハルカス", "main 1 光器カタリナ"]
    text = '枚数,カード名,種類\n3,Ash Blossom & Joyous Spring,効果モンスター\n1,Maxx "C",サイド\n'
    found = told(read(text.replace('Maxx "C"', "Called by the Grave"), format="yugioh/ocg"))
    assert found == ["main 3 Ash Blossom & Joyous Spring", "side 1 Called by the Grave"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4 Opt\nSideboard\t2\tSwamp\n", ["main 4 Opt", "side 2 Swamp"]),
        ("Opt\t4\nSideboard\tSwamp\t2\n", ["main 4 Opt", "side 2 Swamp"]),
        (
            "Main\tOpt×4\tPlains×3\nSideboard\tSwamp×2\tIsland×1\n",
            ["main 4 Opt", "main 3 Plains", "side 2 Swamp", "side 1 Island"],
        ),
        ("Main\tCount\nOpt\t4\nSideboard\tCount\nSwamp\t2\n", ["main 4 Opt", "side 2 Swamp"]),
    ],
)
def test_zones_in_front_of_rows_and_in_heads_between_them(text: str, expected: list[str]) -> None:
    assert told(read(text, "a.txt")) == expected


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Zone,Name,Count\nMain,Opt,4\nSideboard,Swamp,2\n,Island,1\n", [4]),
        ("Zone  Name  Count\nMain  Opt  4\nSideboard  Swamp  3\nSideboard  Island  2\n", [2, 3, 4]),
        ("Main    Sideboard\nOpt×4    Swamp×2\nPlains×3    Island×1\n", [1]),
        ("Name  Main  Sideboard\nOpt    4\nSwamp          3\nIsland    2   1\n", [1, 4]),
        ("Name Cost\nOpt 3\nSwamp 2\nIsland 4\n", [1]),
        ("Opt,4\nPlains,3\nSwamp,\nIsland,1\n", [3]),
        ("Opt\t6\t4\nPlains\t8\t4\nSwamp\t6\t\nIsland\t8\t1\nMountain\t9\t2\n", [3]),
        ("No,Name\n1,Opt\n2,Swamp\n4,Island\n", [1]),
        ("Opt | 4 | Swamp\n", [1]),
    ],
)
def test_tables_that_leave_a_zone_or_a_count_open_are_told(text: str, lines: list[int]) -> None:
    deck = read(text, "a.csv" if "," in text else "a.txt")
    assert {one.line for one in deck.diagnostics} >= set(lines)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("カード名,枚数,採用\n{a},4,TRUE\n{b},3,FALSE\n", "a.csv"),
        ("採用,枚数,カード名\n○,4,{a}\n×,3,{b}\n", "a.csv"),
        ("採用\tカード名\t枚数\n✓\t{a}\t4\n☐\t{b}\t3\n", "-"),
        ("In deck,Count,Name\ntrue,4,{a}\nfalse,3,{b}\n", "a.csv"),
        ("カード名,枚数,デッキ\n{a},4,TRUE\n{b},3,FALSE\n", "a.csv"),
        ("| 採用 | カード名 | 枚数 |\n| 1 | {a} | 4 |\n| 0 | {b} | 3 |\n", "-"),
        ("- {{name: {a}, num: 4, 採用: true}}\n- {{name: {b}, num: 3, 採用: false}}\n", "a.yaml"),
    ],
)
def test_a_row_that_is_not_used_is_not_in_the_deck(text: str, path: str) -> None:
    a, b = "天災 デドダム", "アクア・ガード"
    report = check(text.format(a=a, b=b), load_format("duel-masters/duemagic"), as_of="2026-01-01", path=path)
    assert [(entry.written, entry.copies) for entry in report.deck.entries] == [(a, 4)]
    [finding] = [one for one in report.findings if one.rule == "not-in-deck"]
    assert "3 cards" in finding.message.in_("en")


@pytest.mark.parametrize(
    "text",
    [
        "カード名,枚数,採用\n{a},4,○\n{b},3,\n",
        "カード名,枚数,採用\n{a},4,TRUE\n{b},3,たぶん\n",
        "採用,カード名,枚数\nTRUE,{a},4\n2,{b},3\n",
        "TRUE,{a},4\nFALSE,{b},3\nTRUE,{a},1\n",
    ],
)
def test_a_row_that_may_be_used_is_told(text: str) -> None:
    a, b = "天災 デドダム", "アクア・ガード"
    report = check(
        text.format(a=a, b=b), load_format("duel-masters/duemagic"), as_of="2026-01-01", path="a.csv"
    )
    assert b not in {entry.written for entry in report.deck.entries}
    [finding] = [one for one in report.findings if one.rule == "invalid-line"]
    assert "means that the card is in the deck" in finding.message.in_("en")
    assert "デッキに入れるという意味か" in finding.message.in_("ja")
