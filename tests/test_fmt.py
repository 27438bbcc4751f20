"""The canonical notation: what is written, that it says the same, and what is left alone."""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from decklists.listmaker import AWAY, HARD, PLAIN, TWINS, cards, content, duel_masters, reader
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from deckcheck import check, load_format
from deckcheck.checking import Table, open_table
from deckcheck.decklists.decode import decode
from deckcheck.decks import Deck
from deckcheck.errors import UserError
from deckcheck.files import shipped
from deckcheck.report.violation import fingerprint
from deckcheck.rewriting.canonical import Formatter, make_formatter

GOLDEN = Path(__file__).parent / "golden"
GIVEN = sorted((GOLDEN / "fmt" / "given").iterdir())
A, B, C = "天災 デドダム", "フェアリー・ライフ", "斬隠オロチ"


@cache
def small() -> Table:
    return Table(duel_masters(), cards(), reader())


@cache
def formatter() -> Formatter:
    return make_formatter(small())


@cache
def real() -> tuple[Table, Formatter]:
    table = open_table("duel-masters")
    return table, make_formatter(table)


def fmt(text: str, path: str = "deck.txt") -> str:
    return formatter()(text, path)


def read(text: str, path: str = "deck.txt") -> Deck:
    return small().read(text, path)


def ids(deck: Deck) -> Counter[str]:
    return Counter(remark.id for remark in deck.remarks if remark.id != "unknown-zone")


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


# Properties


NAMES = st.sampled_from([*PLAIN, *HARD, *AWAY, "だれも知らないカード", "半分"])
LINES = st.sampled_from(
    [
        "{n} x {c}",
        "{n} {c}",
        "《{c}》×{n}",
        "{c} ×{n}枚",
        "・{c} ×{n}",
        "{n}枚 {c}",
        "{n} | {c}",
        "{c}\t{n}",
        "SB: {n} x {c}",
        "{n} x {c} (殿)",
        "４ {c}",
    ]
)
HEADINGS = st.sampled_from(
    [
        "メインデッキ",
        "■メイン",
        "[Main]",
        "#main",
        "サイドボード",
        "!side",
        "●統率者",
        "【超次元】",
        "[ふしぎ]",
    ]
)
WORDS = st.text("あいうえおかきくけこABC4 ", min_size=1, max_size=6).map(str.strip).filter(bool)


@st.composite
def lists(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    """A list, and of each comment above or behind an entry a mark of its own and the entry's."""
    rows: list[str] = []
    marks: list[tuple[str, str]] = []
    if draw(st.booleans()):
        rows += [f"# format: {draw(WORDS)}"] + [""] * draw(st.integers(0, 1))
    for at in range(draw(st.integers(1, 10))):
        kind = draw(st.integers(0, 9))
        if kind == 0 and rows:
            rows += [*[""] * draw(st.integers(0, 1)), draw(HEADINGS)]
        if kind in (1, 2):
            rows.append(draw(st.sampled_from(["# {}", "//{}", "#{}"])).format(f"うえ{at}え{draw(WORDS)}"))
            marks.append((f"うえ{at}え", f"わけ{at}わ"))
            rows += [""] * draw(st.integers(0, 1))
        line = draw(LINES).format(c=draw(NAMES), n=draw(st.integers(1, 60)))
        if kind in (3, 4) and not any(bar in line for bar in "|\t"):
            line += draw(st.sampled_from([" # {}", " //{}", "　# {}"])).format(f"うしろ{at}ろ{draw(WORDS)}")
            marks.append((f"うしろ{at}ろ", f"わけ{at}わ"))
        rows.append(f"{line} # deckcheck: ignore[copies] わけ{at}わ")
        rows += [""] * draw(st.integers(0, 1))
    return "\n".join(rows), marks


def reasons(deck: Deck) -> dict[str, tuple[str, tuple[object, ...]]]:
    """Of each entry with a reason of its own: its zone, and what stands there."""
    of_line = {one.line: one.reason for one in deck.directives}
    return {
        of_line[entry.line]: (
            entry.zone.strip("[]"),
            (entry.cards or entry.written, entry.copies, entry.most),
        )
        for entry in deck.entries
        if entry.line in of_line
    }


@settings(max_examples=200, deadline=None)
@given(lists())
def test_a_list_says_the_same_and_keeps_its_comments(made: tuple[str, list[tuple[str, str]]]) -> None:
    text, marks = made
    old = read(text)
    assume("invalid-line" not in ids(old))
    found = fmt(text)
    new = read(found)
    assert fmt(found) == found
    assert fingerprint(old, "x") == fingerprint(new, "x")
    assert reasons(old) == reasons(new)
    assert len(old.entries) == len(new.entries) and ids(old) == ids(new) and old.header == new.header
    assert found.endswith("\n") and not found.endswith("\n\n") and "\n\n\n" not in found
    lines = found.split("\n")
    for comment, reason in marks:
        mine = next(at for at, line in enumerate(lines) if reason in line)
        (at,) = [at for at, line in enumerate(lines) if comment in line]
        if comment.startswith("うしろ"):
            assert at == mine
        elif at > mine:
            raise AssertionError(found)
    # Within a zone nobody changes places.
    for zone in {entry.zone for entry in new.entries} - set(AWAY.values()) - {"main"}:
        order = [entry.cards or entry.written for entry in old.entries if entry.zone == zone]
        assert order == [entry.cards or entry.written for entry in new.entries if entry.zone == zone]


PIECES = st.one_of(
    NAMES,
    st.text(max_size=8),
    st.sampled_from([*'4x×《》()[]【】|\t#:：■・-0『』、/＊\u3000{}",; ', *TWINS]),
    st.sampled_from(
        [
            "3枚",
            "//",
            "-1",
            "合計",
            "計4枚",
            "メイン",
            "サイド",
            "統率者",
            "クリーチャー 4",
            "コスト3",
            "零龍",
            "(殿)",
        ]
    ),
    st.sampled_from(
        ["1.", "==", "¥100", "枚数", "# deckcheck: ignore[copies]", "# format: x", "\n", "\n\n", "名前"]
    ),
)
ANY = st.lists(
    st.lists(PIECES, max_size=6).map(" ".join) | st.lists(PIECES, max_size=6).map("".join), max_size=8
)


@settings(max_examples=300, deadline=None)
@given(ANY.map("\n".join), st.sampled_from(["a.txt", "a.txt", "-", "a.csv", "a.yaml"]))
def test_whatever_comes_is_kept_or_left_alone(text: str, path: str) -> None:
    try:
        found = fmt(text, path)
    except UserError as error:
        assert error.problems
        return
    old, new = read(text, path), read(found)
    assert fmt(found) == found
    assert fingerprint(old, "x") == fingerprint(new, "x")
    assert sum(entry.copies for entry in old.entries) == sum(entry.copies for entry in new.entries)
    assert ids(old) == ids(new)
    assert {one.reason for one in old.directives} == {one.reason for one in new.directives}
    if old.notation == "text":
        # No word is lost, but where a zone or a heading is called otherwise.
        said = [word for line in old.lines for word in re.findall("[ぁ-んa-z]{4,}", line)]
        assert all(word in found for word in said if word not in ("main", "side", "deck", "deckcheck"))


def cases() -> list[Path]:
    files = [*shipped("formats").glob("duel-masters/*.cases/*.txt"), *shipped("examples").glob("*.txt")]
    return sorted(files)


def test_bundled_lists_get_the_same_report() -> None:
    """All cases of all formats of a game: verdict, findings, what is left out, and the fingerprint."""
    table, format = real()
    tables = {"duel-masters": table}
    loaded = {}
    seen = left = 0
    for file in cases():
        if (file.parent / "cards.yaml").exists():
            continue
        text = decode(file.read_bytes(), file.name)
        reference = table.read(text, file.name).header.get("format")
        if reference is None:
            reference = f"duel-masters/{file.parent.name.removesuffix('.cases')}"
        if reference not in loaded:
            loaded[reference] = load_format(reference, tables=tables)
        try:
            found = format(text, file.name)
        except UserError:
            left += 1
            continue
        before, after = (check(one, loaded[reference], path="a.txt") for one in (text, found))
        assert before.verdict == after.verdict, file
        assert {one.rule for one in before.findings} == {one.rule for one in after.findings}, file
        assert len(before.suppressed) == len(after.suppressed)
        assert before.fingerprint == after.fingerprint
        seen += 1
    assert seen > 100 and left < 10


def test_a_directive_still_leaves_out_the_same() -> None:
    loaded = load_format(GOLDEN / "format.yaml")
    text = (
        f"サイドボード\n3 青銅の鎧 # deckcheck: ignore[rare] 二\n# この枚数でよい\n"
        f"メインデッキ\n{B} 4枚\n《{A}》×5 （主力）# deckcheck: ignore[copies, hall] 三\n"
    )
    reports = [check(one, loaded, as_of="2024-01-20") for one in (text, real()[1](text, "deck.txt"))]
    before, after = (
        {
            (one.finding.rule, one.reason, *(card.name for card in one.finding.cards))
            for one in report.suppressed
        }
        for report in reports
    )
    assert before == after == {("rare", "二", "青銅の鎧"), ("copies", "三", A)}
    assert {one.rule for one in reports[0].findings} == {one.rule for one in reports[1].findings}


def test_windows_files() -> None:
    data = f"【メイン】\r\n・{A} ×4枚\r\n".encode("cp932")
    assert fmt(decode(data, "a.txt")) == f"メインデッキ\n4 x {A}\n"
    assert fmt(f"\ufeffメイン\n4 {A}\n") == f"メインデッキ\n4 x {A}\n"


@pytest.mark.parametrize("piece", ["#", "[", "《", "1. ", "(殿)", "//", "【", "※", "| "])
def test_long_lines_take_no_longer_than_their_length_asks(piece: str) -> None:
    line = f"4 x {A} " + (piece * 2000)[:1900]
    begin = time.perf_counter()
    with contextlib.suppress(UserError):
        fmt("\n".join([line + str(number) for number in range(10)]))
    assert time.perf_counter() - begin < 5
