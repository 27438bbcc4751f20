"""The promise of the reader: every character is part of an entry, a heading, a printing, a comment, a title or a told line.

`explain` says of each line what its parts were taken for.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import yaml
from factories.reader_lists import AWAY, COUNTED, PLAIN, cards, duel_masters, reader
from hypothesis import given
from hypothesis import strategies as st

from deckcheck import LoadedFormat, UserError, explain, load_format
from deckcheck.checking.judge import GameData
from deckcheck.decklists.decoding import clean_line
from deckcheck.decklists.read import ReadLine
from deckcheck.decklists.unexplained import SEPARATORS

FORMATS = {"duel-masters": "duel-masters/duemagic", "magic": "magic/commander", "yugioh": "yugioh/ocg"}
CASES = [
    case
    for path in sorted((Path(__file__).parent / "lists").glob("*.yaml"))
    for case in yaml.safe_load(path.read_text("utf-8"))
    if path.stem not in ("records", "files", "notations", "format_zones", "pasted")
]
NAMES = [*PLAIN, *AWAY]
MARKS = [
    "?", "★★", "→", "~~", "×", "x", "+", "-", "=", "@", "#", "//", "※", "…", "~", "❌", "✗", "☐",
    "^", "%", "_", "4", "03", "3〜4", "½", "IV", "二", "④", "(2)", "[3]", "{1}", "12", "1.",
    "99999", "4.5", "two", "フル", "〃", "同上", "(抜いた)", "(not in deck)", "(1 proxy)", "(MVP)",
    "強い", "サイド", "(サイド)", "候補:", "[DM-01]", "¥300", "\t", "|", "  ", "<s>", "</s>", "[s]",
    "<b>", "&#39;", "&amp;", "%20", "\u200b", "\u202e", "\u0336", "/*", "*/", "<!--", "-->",
]  # fmt: skip
PIECES = st.one_of(st.sampled_from(NAMES), st.sampled_from(MARKS))
ODD_LINES = st.lists(PIECES, min_size=1, max_size=6).map(" ".join) | st.lists(
    PIECES, min_size=1, max_size=5
).map("".join)
PLAIN_LINES = st.builds(
    lambda form, name, copies: form.format(n=copies, c=name),
    st.sampled_from(COUNTED),
    st.sampled_from(NAMES),
    st.integers(1, 4),
)
LISTS = st.lists(ODD_LINES | PLAIN_LINES | st.just(""), min_size=1, max_size=8).map("\n".join)
DECORATION = {*SEPARATORS, *"+＋^±≤≥≦≧"}


@cache
def _small() -> LoadedFormat:
    """A format with the few cards of the lists here."""
    return LoadedFormat(
        load_format("duel-masters/original").format, GameData(duel_masters(), cards(), reader())
    )


def _require_all_is_explained(line: ReadLine) -> None:
    """What no part of a line holds only separates or decorates, or the line is told."""
    if line.kind == "unread":
        assert line.why is not None and not line.parts
        return
    rest = clean_line(line.text)[0]
    for part in line.parts:
        assert part.text in rest, line
        rest = rest.replace(part.text, "", 1)
    assert not any(map(str.isalnum, rest)), line
    assert all(char in DECORATION or char.isspace() for char in rest), line


@pytest.mark.parametrize("game", FORMATS)
def test_of_the_lists_in_the_tables_every_character_is_explained(game: str) -> None:
    format = load_format(FORMATS[game])
    for case in (case for case in CASES if case["game"] == game and "refused" not in case):
        for line in explain(case["text"], format, path=case.get("path", "list.txt")):
            _require_all_is_explained(line)


@given(LISTS)
def test_every_character_is_explained_and_every_card_and_count_is_its_lines(text: str) -> None:
    try:
        lines, deck = explain(text, _small()), reader()(text, "-")
    except UserError:
        # No card can be read.
        return
    titles = {one.line for one in deck.diagnostics if one.id == "name-as-title"}
    counted_elsewhere = any(line.kind == "count" for line in lines)
    for line in lines:
        _require_all_is_explained(line)
        taken = {part.taken for part in line.parts}
        if line.kind == "cards" and "count" not in taken and not counted_elsewhere:
            # No number of copies is made up: it is a numeral, or one copy where nothing could be a count.
            assert {entry.copies for entry in deck.entries if entry.line == line.number} <= {1}, (text, line)
        if any(name in clean_line(line.text)[0] for name in NAMES) and line.kind != "unread":
            _require_card_or_reason(text, line, line.number in titles)


def _require_card_or_reason(text: str, line: ReadLine, told: bool) -> None:
    """A line that names a card is that card, or says why it isn't."""
    taken = {part.taken for part in line.parts}
    if line.kind == "title":
        assert told or re.search("名|name|title", line.text, re.IGNORECASE), (text, line)
    elif line.kind == "comment":
        is_marked = line.text.lstrip().startswith(("#", "//", "/*", "<!--", "＃", "／／"))
        assert is_marked or "*/" in text or "-->" in text or "0" in line.text or "remark" in taken, (
            text,
            line,
        )
    else:
        covered = taken & {"comment", "title", "header", "head", "sum"}
        assert line.kind in ("cards", "header", "count") or covered, (text, line)


@pytest.mark.parametrize(
    "line",
    [
        "4 青銅の鎧 ?",
        "青銅の鎧 ★★★★",
        "~~青銅の鎧~~ 4",
        "青銅の鎧 → 4",
        "4 青銅の鎧 ☠",
        "4 青銅の鎧 4",
    ],
)
def test_a_line_of_which_a_character_is_left_is_told(line: str) -> None:
    first, second, _blank = explain(f"4 アクア・ガード\n{line}\n", load_format("duel-masters/original"))
    assert (first.kind, second.kind) == ("cards", "unread")


def test_each_part_of_each_line() -> None:
    text = (
        "【速攻】\n"
        "メインデッキ 8枚\n"
        "・青銅の鎧 (DM-01) ×4 # 切り札\n"
        "フェアリー・ライフ\n"
        "×4\n"
        "合計 8枚\n"
        "アクア・ガード ★★★★\n"
    )
    lines = explain(text, load_format("duel-masters/original"))
    assert [(line.number, line.kind) for line in lines] == [
        (1, "title"),
        (2, "zone"),
        (3, "cards"),
        (4, "cards"),
        (5, "count"),
        (6, "sum"),
        (7, "unread"),
        (8, "blank"),
    ]
    assert [(part.taken, part.text, part.column) for part in lines[2].parts] == [
        ("card", "青銅の鎧", 2),
        ("printing", "(DM-01)", 7),
        ("count", "×4", 15),
        ("comment", "# 切り札", 18),
    ]
    assert lines[6].why is not None and "枚数が書かれていません" in lines[6].why.in_("ja")


def test_places_are_those_of_the_line_as_written() -> None:
    [line] = explain("4 x Look at Me, I&#39;m R&amp;D", load_format("magic/vintage"))
    assert [(part.taken, part.column) for part in line.parts] == [("count", 1), ("card", 5)]


def test_a_count_on_another_line_is_told_as_one() -> None:
    text = "フェアリー・ライフ\n×4\n青銅の鎧\n×4\nアクア・ガード\n×2 # メモ\n"
    lines = explain(text, load_format("duel-masters/original"))
    assert [line.kind for line in lines] == ["cards", "count", "cards", "count", "cards", "count", "blank"]


def test_what_cannot_be_read_at_all_is_refused() -> None:
    with pytest.raises(UserError):
        explain("だれか\nなにか\n", load_format("duel-masters/original"))
