"""The canonical notation: what is written, and what is left alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from factories.canonical_lists import GOLDEN, A, B, C, fmt, ids, read, real
from factories.reader_lists import AWAY, content

from deckcheck.model.finding import fingerprint
from deckcheck.support.errors import UserError

GIVEN = sorted((GOLDEN / "fmt" / "given").iterdir())


def refusal(text: str, path: str = "deck.txt") -> str:
    with pytest.raises(UserError) as caught:
        fmt(text, path)
    (problem,) = caught.value.problems
    assert problem.path == path
    return problem.in_("en")


# What is written


@pytest.mark.parametrize("file", GIVEN, ids=lambda file: file.name)
def test_golden(file: Path) -> None:
    expected = (
        GOLDEN / "fmt" / "expected" / (file.stem + ("" if file.suffix == ".txt" else file.suffix) + ".txt")
    )
    table, format = real()
    given_text = file.read_text("utf-8")
    found = format(given_text, file.name)
    assert found == expected.read_text("utf-8")
    assert format(found, "deck.txt") == found
    old, new = table.read(given_text, file.name), table.read(found, "deck.txt")
    assert fingerprint(old, "x") == fingerprint(new, "x")
    assert ids(old) == ids(new)


def test_every_golden_is_used() -> None:
    assert len(list((GOLDEN / "fmt" / "expected").iterdir())) == len(GIVEN) > 5


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (f"４×{A}", f"4 x {A}"),
        ("・天災デドダム ×4枚", f"4 x {A}"),
        (f"《{A}》", f"1 x {A}"),
        (f"[4] {A}", f"4 x {A}"),
        (f"「{A}」四枚", f"4 x {A}"),
        (f"{A} ④", f"4 x {A}"),
        (f"1. {A}", f"1 x {A}"),
        (f"4 x {A} (DM-01) 4", f"4 x {A} # (DM-01) 4"),
        (f"4 x {A} # ４枚目は 予備", f"4 x {A} # ４枚目は 予備"),
        (f"4 x {A}//速い", f"4 x {A} # 速い"),
        (f"4 x {A} https://example.com/a", f"4 x {A} https://example.com/a"),
        (f"《{A}》×4（主力）※要検討", f"4 x {A} # （主力）※要検討"),
        (f"4枚 {A} ¥300", f"4 x {A} # ¥300"),
        (f"4 | {A} | 3 | 水", f"4 | {A} | 3 | 水"),
        (f"4 | {A} | 水 | 300円", f"4 x {A} # 水 | 300円"),
        ("3 x だれも知らない", "3 x だれも知らない"),
        ("3 半分", "3 x 半分"),
        ("ガチャック2", "ガチャック2"),
        ("*/弐幻ケルベロック/* x2", "2 x */弐幻ケルベロック/*"),
        ("リツイーギョ #桜 #満開 ×2 # 花", "2 x リツイーギョ #桜 #満開 # 花"),
    ],
)
def test_an_entry(line: str, wanted: str) -> None:
    assert fmt(f"{line}\n4 x {B}\n") == f"メインデッキ\n{wanted}\n4 x {B}\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (f"4 {A}、2 {B}", [f"4 x {A}", f"2 x {B}"]),
        (f"4《{A}》 4《{B}》 # どちらも", [f"4 x {A}", f"4 x {B} # どちらも"]),
        (f"《{A}》×4と《{B}》×2", [f"4 x {A}", f"2 x {B}"]),
        (f"{A} ×4 (主力) / {B} ×2 (殿)", [f"4 x {A} # (主力)", f"2 x {B} # (殿)"]),
    ],
)
def test_a_line_with_several_entries_is_split(line: str, wanted: list[str]) -> None:
    assert fmt(f"3 {C}\n{line}\n").split("\n") == ["メインデッキ", f"3 x {C}", *wanted, ""]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("deck: 一\n# date: 2020-01-01\n# format: a/b\n", None),
        (
            "# Expect: legal\n# player: 甲\n#deck：乙\n// best_of: 3\n# as-of: 2020-02-02\n# date: 2020/1/1\n# format: a\n",
            "# format: a\n# date: 2020/1/1\n# as-of: 2020-02-02\n# best-of: 3\n# deck: 乙\n# player: 甲\n# expect: legal\n",
        ),
        ("『水の山』\n", "# deck: 水の山\n"),
        ("# deck: 一\n# deck: 一\n# deck: 二\n", "# deck: 一\n# deck: 二\n"),
    ],
)
def test_the_header(text: str, header: str | None) -> None:
    if header is None:
        refusal(f"{text}4 x {A}\n")
        return
    assert fmt(f"{text}4 x {A}\n") == f"{header}\nメインデッキ\n4 x {A}\n"


def test_a_title_that_looks_like_a_card_is_the_decks_name() -> None:
    text = f"アクア・ガード統率者\n《アクア・ガード》\n4 x {A}\n"
    old, new = read(text), read(fmt(text))
    assert new.header == old.header
    assert content(new) == content(old)


@pytest.mark.parametrize(
    "mark",
    [
        "クリーチャー",
        "クリーチャー 4",
        "クリーチャー (4枚)",
        "クリーチャー 9",
        "合計 4枚",
        "合計: 4/60",
        "計 9枚",
        "コスト3: 4枚",
        "光・水 4",
    ],
)
@pytest.mark.parametrize("around", ["{}", "■{}", "# {}", "【{}】", "==={}==="])
@pytest.mark.parametrize("above", [True, False])
def test_labels_and_sums_are_seen_as_before(mark: str, around: str, above: bool) -> None:
    line = around.format(mark)
    text = f"{line}\n4 x {A}\n" if above else f"4 x {A}\n{line}\n"
    old = read(text)
    if "invalid-line" in ids(old):
        refusal(text)
        return
    found = fmt(text)
    assert ids(read(found)) == ids(old)
    kept = next(line for line in found.split("\n") if line.startswith("#"))
    assert [char for char in kept if char.isalnum()] == [char for char in line if char.isalnum()]


def test_a_sum_alone_on_its_line_is_still_a_sum() -> None:
    found = fmt(f"4 x {A}\n4\n")
    assert found == f"メインデッキ\n4 x {A}\n# 4枚\n"
    assert ids(read(found.replace("4枚", "5枚"))) == Counter(["total-mismatch"])


@pytest.mark.parametrize("total", [7, 8])
@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_sum_over_everything_survives_a_new_order_of_zones(total: int, blank: str) -> None:
    text = f"サイドボード\n4 x {A}\nメインデッキ\n4 x {B}\n{blank}合計 {total}枚\n"
    found = fmt(text)
    assert found.index("メインデッキ") < found.index("サイドボード")
    assert total == 7 or found.endswith(f"\n\n# 合計 {total}枚\n")
    assert ids(read(found)) == ids(read(text)) == Counter(["total-mismatch"] * (total == 7))


def test_a_heading_says_what_it_said() -> None:
    assert fmt(f"◆メイン（4枚）\n4 {A}\n") == f"メインデッキ 4\n4 x {A}\n"
    # More than a zone and a sum: nobody else would say it.
    assert fmt(f"メイン 4枚 1種類\n4 {A}\n") == f"メイン 4枚 1種類\n4 x {A}\n"


def test_an_empty_zone_keeps_its_heading() -> None:
    assert fmt(f"4 {A}\nサイド:\n") == f"メインデッキ\n4 x {A}\n\nサイドボード\n"


def test_who_was_moved_home_stays_to_be_moved() -> None:
    """The remark is the reader's to make and the author's to act on."""
    away = next(iter(AWAY))
    text = f"1 {away}\n4 {A}\n"
    assert fmt(text) == f"メインデッキ\n1 x {away}\n4 x {A}\n"
    assert ids(read(fmt(text))) == Counter(["moved-to-home-zone"])
    told = f"メイン: 1 {away}\n4 {A}\n"
    assert fmt(told) == f"メインデッキ\nメインデッキ: 1 x {away}\n4 x {A}\n"
    assert content(read(fmt(told))) == content(read(told))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", '{"なぞ": ["4 x 天災 デドダム"], "main": {"だれも知らない": 2}}'),
        ("a.yaml", "なぞ:\n  - 4 x 天災 デドダム\nmain:\n  だれも知らない: 2\n"),
        ("a.csv", "Zone,Count,Name\nなぞ,4,天災 デドダム\nmain,2,だれも知らない\n"),
        ("a.tsv", "Zone\tCount\tName\nなぞ\t4\t天災 デドダム\nmain\t2\tだれも知らない\n"),
    ],
)
def test_other_notations_become_text(path: str, text: str) -> None:
    assert fmt(text, path) == f"メインデッキ\n2 x だれも知らない\n\n[なぞ]\n4 x {A}\n"


@pytest.mark.parametrize(
    "text",
    [
        '{"deck": "a\\n# format: x", "main": ["4 x 天災 デドダム"]}',
        '{"main": {"だれも\\n4 x 斬隠オロチ": 2}}',
        '{"一\\n二": {"天災 デドダム": 2}}',
        '{"main": {"だれも\\r知らない # deckcheck: ignore-file[copies]": 2}}',
    ],
)
def test_nothing_slips_in_from_other_notations(text: str) -> None:
    """A line feed in a string is no line of the list."""
    with pytest.raises(UserError):
        fmt(text, "a.json")


# What is left alone


def test_a_line_that_cannot_be_read() -> None:
    assert refusal(f"4 x {A}\nこれは読めない行です\n").startswith("deck.txt:2:1: ")
    assert refusal(f"4 x {A}\n# fromat: x\n4 x {B}\n").startswith("deck.txt:2:1: ")


def test_an_instruction_for_one_of_several_cards() -> None:
    text = f"4 {A}、4 {B} # deckcheck: ignore[copies] どちら\n"
    assert "instruction" in refusal(text) and ":1:1:" in refusal(text)


def test_a_format_that_is_named_too_late() -> None:
    assert "format" in refusal(f"メインデッキ\n# format: a/b\n4 {A}\n")


def test_a_count_that_reads_in_two_ways_and_cannot_stay() -> None:
    assert "two ways" in refusal('{"main": ["ガチャック2"]}', "-")


def test_counts_on_lines_of_their_own_and_rows_of_code() -> None:
    formatted = real()[1]
    wanted = "メインデッキ\n4 x 青銅の鎧\n3 x アクア・ガード\n1 x 斬隠オロチ\n"
    assert formatted("青銅の鎧\n×4\nアクア・ガード\n×3\n斬隠オロチ\n×1\n", "-") == wanted
    assert formatted("['青銅の鎧', 4],\n['アクア・ガード', 3],\n['斬隠オロチ', 1],\n", "-") == wanted
