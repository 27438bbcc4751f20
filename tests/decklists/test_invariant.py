"""The promise of the reader: every character is part of an entry, a heading, a printing, a comment, a title or a told line."""

from __future__ import annotations

import re
from functools import cache

import pytest
from factories.reader_lists import AWAY, COUNTED, PLAIN, cards, duel_masters
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.decklists.auditor import SEPARATORS, leftover
from deckcheck.decklists.line_reader import LineReader
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
from deckcheck.decklists.source import clean_line, sources_of
from deckcheck.decklists.text import TextReader
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
    return TextReader(_reader()).read(text)


@given(LISTS)
def test_every_character_is_accounted_for(text: str) -> None:
    sources = {source.number: source for source in sources_of(text)}
    for number, line in _read(text):
        if isinstance(line, Told | Blank):
            continue
        cleaned = sources[number].text
        covered = {at for part in line.stretches for at in range(part.start, part.end)}
        rest = [char for at, char in enumerate(cleaned) if at not in covered and not char.isspace()]
        assert all(char in SEPARATORS or char in "+＋^±≤≥≦≧" for char in rest), (text, line)
        assert not any(char.isalnum() for char in rest), (text, line)


@given(LISTS)
def test_a_line_that_names_a_card_is_that_card_or_told(text: str) -> None:
    for number, line in _read(text):
        raw = text.split("\n")[number - 1]
        cleaned = clean_line(raw)[0]
        row = _reader().row(cleaned)
        named = [name for name in row.names if name.cards]
        if not named or isinstance(line, Told):
            continue
        stretches = getattr(line, "stretches", ())
        for name in named:
            taken = {part.taken for part in stretches if part.start < name.end and name.start < part.end}
            assert taken, (text, line)
            if isinstance(line, Title):
                assert line.why is not None or re.search("名|name|title", cleaned, re.IGNORECASE), (
                    text,
                    line,
                )
            else:
                assert isinstance(line, CardLine | Comment | HeaderLine | CountLine) or taken & {*COVERING}, (
                    text,
                    line,
                )
        if isinstance(line, Comment) and not line.remark:
            is_marked = (
                cleaned.lstrip().startswith(("#", "//", "/*", "<!--", "＃", "／／"))
                or "*/" in text
                or "-->" in text
            )
            assert is_marked or "0" in cleaned, (text, line)


@given(LISTS)
def test_a_count_is_a_numeral_of_its_line(text: str) -> None:
    """No number of copies is made up: it stands on the line, or is one copy where nothing could be a count."""
    lines = dict(_read(text))
    for line in lines.values():
        if not isinstance(line, CardLine):
            continue
        counts = [part for part in line.stretches if part.taken is Taken.COUNT]
        elsewhere = [other for other in lines.values() if isinstance(other, CountLine)]
        for item in line.items:
            assert item.copies == 1 or counts or elsewhere, (text, line)


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
