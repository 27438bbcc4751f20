"""The promise of the reader: every character is part of an entry, a heading, a printing, a comment, a title or a told line."""

from __future__ import annotations

import re
from functools import cache

import pytest
from factories.reader_lists import AWAY, COUNTED, PLAIN, cards, duel_masters
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.decklists.auditor import SEPARATORS, leftover
from deckcheck.decklists.lines import (
    Blank,
    CardLine,
    Comment,
    CountLine,
    HeaderLine,
    Line,
    Taken,
    Title,
    Told,
)
from deckcheck.decklists.rows import LineReader
from deckcheck.decklists.source import clean_line, sources_of
from deckcheck.decklists.text import read_text
from deckcheck.decklists.vocabulary import Vocabulary

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
COVERING = (Taken.COMMENT, Taken.TITLE, Taken.HEADER, Taken.HEAD, Taken.SUM)


@cache
def _reader() -> LineReader:
    return LineReader(Vocabulary(duel_masters()), cards())


def _read(text: str) -> list[tuple[int, Line]]:
    return read_text(_reader(), text)


@given(LISTS)
def test_every_character_is_accounted_for_and_every_card_and_count_is_its_lines(text: str) -> None:
    cleaned = {source.number: source.text for source in sources_of(text)}
    lines = _read(text)
    elsewhere = any(isinstance(line, CountLine) for _number, line in lines)
    for number, line in lines:
        if isinstance(line, Told):
            continue
        stretches = getattr(line, "stretches", ())
        if not isinstance(line, Blank):
            covered = {at for part in stretches for at in range(part.start, part.end)}
            rest = [
                char for at, char in enumerate(cleaned[number]) if at not in covered and not char.isspace()
            ]
            assert all(char in SEPARATORS or char in "+＋^±≤≥≦≧" for char in rest), (text, line)
            assert not any(char.isalnum() for char in rest), (text, line)
        _require_named_cards(text, clean_line(text.split("\n")[number - 1])[0], line)
        if isinstance(line, CardLine):
            # No number of copies is made up: it is a numeral, or one copy where nothing could be a count.
            counted = elsewhere or any(part.taken is Taken.COUNT for part in stretches)
            assert counted or all(item.copies == 1 for item in line.items), (text, line)


def _require_named_cards(text: str, cleaned: str, line: Line) -> None:
    """A line that names a card is that card, or says why it isn't."""
    named = [name for name in _reader().row(cleaned).names if name.cards]
    for name in named:
        stretches = getattr(line, "stretches", ())
        taken = {part.taken for part in stretches if part.start < name.end and name.start < part.end}
        assert taken, (text, line)
        if isinstance(line, Title):
            titled = re.search("名|name|title", cleaned, re.IGNORECASE)
            assert line.why is not None or titled, (text, line)
        else:
            cards = isinstance(line, CardLine | Comment | HeaderLine | CountLine)
            assert cards or taken & {*COVERING}, (text, line)
    if named and isinstance(line, Comment) and not line.remark:
        is_marked = cleaned.lstrip().startswith(("#", "//", "/*", "<!--", "＃", "／／"))
        assert is_marked or "*/" in text or "-->" in text or "0" in cleaned, (text, line)


@pytest.mark.parametrize(
    "text",
    [
        "4 青銅の鎧 ?",
        "青銅の鎧 ★★★★",
        "~~青銅の鎧~~ 4",
        "4 青銅の鎧 強い",
        "青銅の鎧 → 4",
        "4 青銅の鎧 ☠",
        "4 青銅の鎧 4",
    ],
)
def test_the_auditor_has_the_last_word(text: str) -> None:
    """Whatever a reader claims of these lines, a character is left."""
    row = _reader().row(text)
    for number in row.numbers[:1]:
        number.taken = Taken.COUNT
    assert leftover(text, row.stretches(row.names)) is not None
