"""Text below a whole deck: commentary about its cards, and what else a page has there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.context import LEAST_FULL, fills_zone
from deckcheck.decklists.layout_rows import Row, furniture, rows_of
from deckcheck.decklists.lexer import BULLETS, CIRCLED, DATE, KANJI, compiled, shape_of
from deckcheck.decklists.line import (
    CARDS,
    FULL_WITHOUT,
    LEAST_ROWS,
    MOST_LINES,
    NOT_READ,
    REMARK,
    Line,
    invalid,
)
from deckcheck.decklists.titles import AMOUNT, has_count_or_zone, misspells_card, resembles_card

Read = Callable[[Sequence[str], list[Line]], list[Line]]
"""Reads the classified lines of a text together."""

_MOST_TEXT = 200
"""More lines of text than this are not compared with the names of cards."""
_KNOWN_SHARE = 0.75


def without_commentary(
    reader: LineReader, text: Sequence[str], lines: list[Line], whole: list[Line], read: Read
) -> list[Line]:
    """The lines of a list that is a whole deck with text below, which becomes remarks; `whole` for any other list.

    All cards of the deck have counts, so a line below without one is none of them. `lines` were classified on their own,
    `whole` is how they are read together. What may still be a card or a heading stays unread.
    """
    if len(text) > MOST_LINES or all(line.kind != "invalid" and _is_known(line) for line in whole):
        return whole
    rows = list(rows_of(reader, text, lines))
    # A sentence may have a name and a number, too.
    for counted in (_has_both, lambda row: _has_both(row) and row.line.kind != "invalid"):
        end = _end_of_cards(rows, counted)
        below = [row for row in rows if row.at >= end]
        if (
            not end
            or not below
            or len(below) > _MOST_TEXT
            or any(_begins_cards(reader, row) for row in below)
        ):
            continue
        deck = read(text[:end], lines[:end])
        if _is_whole(deck, [row for row in rows if row.at < end]):
            rest = zip(text[end:], lines[end:], whole[end:], strict=True)
            return [*deck, *(_below(reader, *line) for line in rest)]
    return whole


def _is_known(line: Line) -> bool:
    return all(part.cards for part in line.parts)


def _has_both(row: Row) -> bool:
    """Whether a line has a card and a number."""
    return bool(row.tokens_of("name")) and bool(row.tokens_of("number"))


def _begins_cards(reader: LineReader, row: Row) -> bool:
    """Whether a line heads a zone, or cards that aren't in the deck, or is the count of a neighbouring line."""
    is_heading = row.line.kind == "heading" and (row.line.known or row.line.zone in reader.words.aside)
    return is_heading or _is_count(row)


def _is_count(row: Row) -> bool:
    """Whether a line is the count of a neighbouring one; a larger number may be the sum."""
    return row.is_count and row.tokens[0].number < LEAST_FULL


def _end_of_cards(rows: Sequence[Row], counted: Callable[[Row], bool]) -> int:
    """The index of the line below the last card with a count, on its own line or on a neighbouring one; 0 without any."""
    end, before = 0, None
    count_first = next((_is_count(row) for row in rows if _is_count(row) or row.tokens_of("name")), False)
    for row in rows:
        if before is not None and _is_count(before) != _is_count(row):
            name = row if count_first else before
            end = row.at + 1 if _is_count(row) != count_first and name.tokens_of("name") else end
        if counted(row):
            end = row.at + 1
        before = row
    return end


def _is_whole(deck: Sequence[Line], rows: Sequence[Row]) -> bool:
    """Whether a list is one whole deck, every card of which has a count."""
    cards = [line for line in deck if line.kind in CARDS]
    apart = sum(line.kind == "count" for line in deck)
    counted = apart == len(cards) or all(
        row.tokens_of("number") for row in rows if deck[row.at].kind in CARDS
    )
    known = sum(map(_is_known, cards))
    return (
        len(cards) >= LEAST_ROWS
        and counted
        and known >= _KNOWN_SHARE * len(cards)
        and all(line.kind != "invalid" for line in deck)
        and fills_zone(deck)
    )


def _below(reader: LineReader, raw: str, line: Line, read: Line) -> Line:
    """A line below the deck, `read` with the whole list: a remark unless it may be a card or a heading."""
    if line.kind in ("blank", "comment", "header", "total", "total?"):
        return line._replace(kind="total") if line.kind == "total?" else line
    tokens = reader.parser.lexer.line_tokens(raw)
    if not any(token.kind == "name" for token in tokens):
        if line.zone is None and not _may_be_card(reader, raw):
            return furniture(raw)._replace(key=REMARK)
    elif line.zone is None and line.home is None and not any(token.kind == "number" for token in tokens):
        return line._replace(kind="invalid", written=raw.strip(), why=FULL_WITHOUT)
    is_counted = read.kind in ("entry", "several") and (
        _is_known(read) or any(token.kind == "number" for token in tokens)
    )
    return read if is_counted or read.kind == "invalid" else invalid(raw, NOT_READ)


def _may_be_card(reader: LineReader, raw: str) -> bool:
    """Whether a line that names no card may still be a card's line or a zone's heading."""
    bare = compiled(DATE).sub("", raw.strip().lstrip("※ \t>"))
    shape = shape_of(bare)
    return (
        (bare[:1] in BULLETS + "《→↓" and bare[-1:] not in BULLETS)
        or compiled(rf"[0-9{CIRCLED}]|{_END_FOR_COUNT}").search(shape) is not None
        or compiled(AMOUNT).search(shape) is not None
        or has_count_or_zone(reader.words, bare)
        or misspells_card(reader, bare)
        or resembles_card(reader, bare)
    )


_END_FOR_COUNT = (
    rf"(?:[x*]|[{KANJI}正]|\b[ivx]{{1,4}}|(?P<mark>[^\w\s。！!？?♪.…~〜)\]」』】])(?P=mark)+)\W*$"
)
"""Matches an end that may stand for a count: a sign for one, a numeral, a tally."""
