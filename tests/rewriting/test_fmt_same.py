"""Whatever list is written canonically says the same, keeps its comments and gets the same report."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from factories.canonical_lists import GOLDEN, A, B, fmt, ids, read, real
from factories.examples import amount, examples
from factories.reader_lists import AWAY, HARD, PLAIN, TWINS, USUAL
from factories.time_limits import within
from hypothesis import assume, given
from hypothesis import strategies as st

from deckcheck import check, load_format
from deckcheck.decklists.decode import decode
from deckcheck.model.deck import Deck
from deckcheck.model.finding import fingerprint
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped

NAMES = st.sampled_from([*PLAIN, *HARD, *AWAY, "だれも知らないカード", "半分"])
LINES = st.sampled_from([*USUAL, "SB: {n} x {c}", "{n} x {c} (殿)", "４ {c}"])
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


@examples(200)
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


@examples(300)
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
    for file in cases()[:: amount(1, 4)]:
        if (file.parent / "cards.yaml").exists():
            continue
        text = decode(file.read_bytes(), file.name)
        reference = table.read(text, file.name).header.get("format")
        if reference is None:
            reference = f"duel-masters/{file.parent.name.removesuffix('.cases')}"
        if reference not in loaded:
            loaded[reference] = load_format(reference, games=tables)
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
    assert seen > amount(100, 25) and left < 10


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
    with within(5), contextlib.suppress(UserError):
        fmt("\n".join([line + str(number) for number in range(amount(10, 3))]))
