"""Nothing beside a card's name is dropped in silence: it is understood, another entry, or told."""

from __future__ import annotations

import pytest
from factories.examples import examples
from factories.reader_lists import COUNTED, asking, both, content, ids, read, told
from hypothesis import assume, given
from hypothesis import strategies as st

A, B, C = "天災 デドダム", "アクア・ガード", "斬隠オロチ"
D = "終末の時計 ザ・クロック"


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
        f"※{A} ×4 ※{B} ×4",
        f"4《{A}》 4《{B}》",
        f"4《{A}》4《{B}》",
        f"《{A}》×4と《{B}》×4",
    ],
)
def test_the_second_card_of_a_line_counts(line: str) -> None:
    deck = read(line)
    assert content(deck) == {("main", A): 4, ("main", B): 4}
    assert deck.diagnostics == ()


def test_a_second_name_without_a_count_is_one_copy() -> None:
    assert content(read(f"《{A}》×4と《{B}》")) == {("main", A): 4, ("main", B): 1}


@pytest.mark.parametrize(
    "line",
    [
        f"{A} ×4 ※{B} ×4",
        f"{A} 3 ※{B} 2",
        f"{A} ×4 | {B}",
        f"4 x {A} | {B}",
        f"{A} | 4 | {B}",
        f"{A} ×4 (なし)",
        f"4 {A} (cut)",
        f"4 {A} [抜き]",
    ],
)
def test_what_may_not_be_in_the_deck_is_told(line: str) -> None:
    deck = read(f"4 {C}\n{line}")
    assert not any(
        entry.line == 2 and entry.cards != read(f"1 {A}").entries[0].cards for entry in deck.entries
    )
    assert {diagnostic.line for diagnostic in deck.diagnostics} == {2} and set(ids(deck)) == {"invalid-line"}


@pytest.mark.parametrize(
    "line", ["{a} ×4 2025/01/10", "2025-01-10 4 {a}", "4 {a} 2024年3月", "4 {a} (2025/01/10)"]
)
def test_a_day_is_no_count(line: str) -> None:
    deck = read(f"4 {C}\n" + line.format(a=A))
    assert content(deck) == {("main", C): 4, ("main", A): 4} and deck.diagnostics == ()


@pytest.mark.parametrize("line", [f"{A} ×4 【{B}】", f"{A} ×4 ({B})"])
def test_a_second_name_in_brackets_is_told(line: str) -> None:
    deck = read(f"4 {C}\n{line}")
    assert content(deck) == {("main", C): 4}
    assert [diagnostic.line for diagnostic in deck.diagnostics] == [2] and B in deck.diagnostics[0].message.en


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
    (f"{A} ×4 # {B}", 4),
    (f"{A} ×4 // {B}", 4),
    (f"①{A}", 1),
]  # fmt: skip


@pytest.mark.parametrize(("line", "copies"), CERTAIN)
def test_what_is_certain_is_read(line: str, copies: int) -> None:
    for text in (line, f"{line}\n4 {C}"):
        deck = read(text)
        assert both(deck)[A] == (copies, copies)
        assert deck.diagnostics == () and "deck" not in deck.header


@pytest.mark.parametrize(
    ("line", "read_as"),
    [
        (f"{A} 3 // {B} 4", {("main", A): 3}),
        (f"{A} 3 # {B} ×4", {("main", A): 3}),
        (f"#1 {B}", {}),
        (f"### 4 {B}", {}),
        (f"# ・{B} 4枚", {}),
        (f"// 2. {B}", {}),
        (f"＃４　{B}", {}),
    ],
)
def test_a_card_with_a_count_in_a_comment_is_told(line: str, read_as: dict[tuple[str, str], int]) -> None:
    deck = read(f"4 {C}\n{line}\n4 {D}")
    assert content(deck) == {("main", C): 4, **read_as, ("main", D): 4}
    (remark,) = deck.diagnostics
    assert (remark.id, remark.line) == ("card-in-comment", 2)
    assert remark.message.en == f"commented out, so not counted: {B}" and line[
        remark.column - 1 :
    ].startswith(B)


def test_cards_in_comments_are_told_once() -> None:
    names = [A, B, C, D, "からみカズラ"]
    (remark,) = read("4 完全不明\n" + "\n".join(f"# 4 {name}" for name in names)).diagnostics
    assert remark.message.en == f"commented out, so not counted: {A}, {B}, {C}, {D} and 1 more"


@pytest.mark.parametrize(
    ("first", "last"), [("/*", "*/"), ("/* maybe:", "*/"), ("<!--", "-->"), ("<!-- maybe", "-->")]
)
def test_a_comment_of_several_lines_is_no_card_and_its_cards_are_told(first: str, last: str) -> None:
    for inner, end in ((f"\n{first}\n2 x {B}\n{C}\n{last}\n", 5), (f"\n{first}\n2 x {B} {last}\n", 3)):
        deck = read(f"4 x {A}{inner}3 x {C}\n")
        assert content(deck) == {("main", A): 4, ("main", C): 3}
        assert [(one.id, one.line, one.written) for one in deck.diagnostics] == [("card-in-comment", 3, B)]
        assert deck.entries[-1].line == end + 1


@pytest.mark.parametrize("text", ["/*\n2 x {B}\n", "/* maybe\n2 x {B}\n*/ 3 x {C}\n", "*/\n2 x {B}\n/*\n"])
def test_a_comment_without_an_end_hides_no_card(text: str) -> None:
    deck = read(f"4 x {A}\n" + text.format(B=B, C=C))
    assert content(deck)["main", B] == 2
    assert not text.startswith("/*") or "invalid-line" in ids(deck)


@pytest.mark.parametrize(
    "comment", [f"# {A}", f"# {A}は4枚", "# 4枚ずつ", f"https://example.com/4/{B}", "# 4 みすすぺる"]
)
def test_other_comments_say_nothing(comment: str) -> None:
    assert read(f"4 {C}\n{comment}\n4 {D}").diagnostics == ()


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


@pytest.mark.parametrize("behind", ["(3)", "(138)", "[138]", "<138>", "(138) [DM01]"])
def test_a_number_in_brackets_behind_a_marked_count_in_front_is_a_printing(behind: str) -> None:
    for count in ("4x", "4 x", "4枚"):
        deck = read(f"{count} {A} {behind}\n4 {C}")
        assert (both(deck)[A], ids(deck)) == ((4, 4), [])
    assert both(read(f"4 {A} <138> [DM01]"))[A] == (4, 4)


@pytest.mark.parametrize("line", ["4x {c} (x3)", "4枚 {c} (3枚)", "4 {c} (3)", "4 {c} <138>", "{c} x4 (138)"])
def test_other_numbers_in_brackets_may_be_counts(line: str) -> None:
    deck = read(f"{line.format(c=A)}\n4 {C}")
    assert A not in both(deck) and ids(deck) == ["invalid-line"]


def test_numbers_in_brackets_are_printings_where_the_whole_list_shows_it() -> None:
    deck = read(f"4 {A} (138)\n3 {C} (7)\n2 {D} (12)\n1 {B}")
    assert (both(deck), ids(deck)) == ({A: (4, 4), C: (3, 3), D: (2, 2), B: (1, 1)}, [])
    # As long as all of them may be counts, nothing says which are.
    deck = read(f"4 {A} (3)\n3 {C} (4)\n2 {D} (1)")
    assert ids(deck) == ["invalid-line"] * 3


@pytest.mark.parametrize("tail", [" NEW", " どうぞ", "  どうぞ", " - 主力"])
def test_words_that_nobody_knows_are_told(tail: str) -> None:
    for text in (f"{A} ×4{tail}", f"{A} ×4{tail}\n4 {C}"):
        deck = read(text)
        assert A not in both(deck) and ("invalid-line" in ids(deck) or not deck.entries[0].cards)


def test_the_message_says_what_is_wrong() -> None:
    (diagnostic,) = read(f"{A} ×5 ×4").diagnostics
    assert "4と5" in diagnostic.message.ja and "4 and 5" in diagnostic.message.en
    (diagnostic,) = read(f"4 {C}\n{A} ×4  どうぞ").diagnostics
    assert "どうぞ" in diagnostic.message.ja and "どうぞ" in diagnostic.message.en
    (diagnostic,) = asking()(f"4 {C}\n終末の時計 ザ・クロッグを入れる", "a").diagnostics
    assert diagnostic.message.ja.endswith(f"もしかして: {D}") and diagnostic.message.en.endswith(
        f"did you mean {D}?"
    )


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


@examples(400)
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
    # Behind a name with a marked count in front, a number in brackets is that of the card in its set.
    assume(tail != " (9)" or notation.index("{c}") < notation.index("{n}"))
    line = notation.format(c=name, n=copies) + tail
    deck = read(f"{line}\n4 アクア・ガード" if counted else line)
    here = [entry for entry in deck.entries if entry.line == 1]
    alone = len(here) == 1 and [card.name for card in here[0].cards] == [name]
    exact = alone and here[0].copies == here[0].most == copies
    assert not exact or any(diagnostic.line == 1 for diagnostic in deck.diagnostics), told(deck)


@examples(200)
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
    assert content(deck) == {("main", name): copies} and deck.diagnostics == ()
