"""Resolves lines by their context: cards named like headings, numbered lines, tables, remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader, is_prose
from deckcheck.decklists.header import without_label
from deckcheck.decklists.lexer import MOST_COPIES, compiled, shape_of
from deckcheck.decklists.line import (
    BAD_COUNT,
    CARDS,
    COMMENT,
    FINAL_KINDS,
    FULL_WITHOUT,
    NAME_OR_HEADING,
    NO_COUNTS,
    NO_TITLE,
    NOT_READ,
    NUMBER_OR_COUNT,
    REMARK,
    USUAL,
    Line,
    several,
)
from deckcheck.decklists.tables import Table, line_of_row, table_with_head, table_without_head
from deckcheck.decklists.titles import as_one, is_sentence, may_be_title, quoted_title
from deckcheck.decklists.vocabulary import Vocabulary, leading_zone

SILENT = ("comment", "blank", "header")
LEAST_FULL, _ROUND = 40, 10
_MOST_REMARKS = 40
"""So many lines around the cards are compared with the names of cards."""


def resolve(reader: LineReader, text: Sequence[str], lines: Sequence[Line]) -> list[Line]:
    """The lines with every provisional kind replaced by one of FINAL_KINDS; `text` is the source."""
    result = list(lines)
    kinds = {line.kind for line in lines}
    if kinds & {"table", "head"}:
        result = _tables(reader, text, result)
    if "numbered" in kinds:
        result = _numbered(text, result)
    counted = _writes_counts(result)
    if counted and "bare" in kinds:
        result = _without_remarks(result)
    first = next((at for at, line in enumerate(result) if line.kind not in SILENT), None)
    around = _Surroundings.of(result) if counted else None
    starts = [raw.lstrip()[:1] for raw in text]
    cards = {
        start
        for start, line in zip(starts, result, strict=True)
        if line.kind in ("entry", "bare", "several") and not start.isalnum()
    }
    for at, line in enumerate(result):
        if line.kind in FINAL_KINDS:
            continue
        if line.kind == "bare":
            if _is_other_face(reader, line, result[:at], starts[at], counted=counted):
                result[at] = Line("furniture", line.written)
            elif counted and _may_be_heading(text[at], line, is_first=at == first):
                result[at] = line._replace(kind="invalid", why=NAME_OR_HEADING)
            else:
                result[at] = line._replace(kind="entry")
        elif line.kind == "heading?":
            result[at] = line.more[1 if starts[at] in cards else 0]
            if result[at].kind == "unknown":
                result[at] = (
                    result[at]._replace(kind="invalid", why=NOT_READ) if counted else as_one(result[at])
                )
        elif line.kind == "either":
            after = next((other for other in result[at + 1 :] if other.kind not in SILENT), None)
            heads = counted and at != first and after is not None and after.kind in CARDS
            result[at] = line.more[0 if heads else 1]
        elif line.kind == "title?":
            result[at] = quoted_title(line, result[at + 1 :], starts, at == first, counted)
        elif line.kind == "total?":
            result[at] = line._replace(kind="total")
        elif line.kind == "unknown" and around is not None and around.is_remark(reader, line, text[at], at):
            result[at] = line._replace(kind="furniture", key=REMARK)
        elif line.kind == "unknown":
            result[at] = _unknown(reader, line, text[at], at == first, counted)
    return result


_MAY_BE_CARDS = frozenset(
    {"entry", "several", "bare", "numbered", "either", "heading?", "title?", "table", "head"}
)


class _Surroundings(NamedTuple):
    """Where remarks may be: above the first card, and below the last one up to `end`."""

    first: int
    last: int
    end: int

    @classmethod
    def of(cls, lines: Sequence[Line]) -> _Surroundings:
        """The surroundings of the cards in a list that has some."""
        cards = [at for at, line in enumerate(lines) if line.kind in _MAY_BE_CARDS]
        headings = [at for at, line in enumerate(lines) if line.kind in ("heading", "heading?", "either")]
        end = next((at for at in headings if at > cards[-1]), len(lines))
        return cls(cards[0], cards[-1], end)

    def is_remark(self, reader: LineReader, line: Line, raw: str, at: int) -> bool:
        """Whether a line without a count is a remark around the cards, one of the nearest."""
        below = min(self.end, self.last + _MOST_REMARKS + 1)
        is_near = self.first - _MOST_REMARKS <= at < self.first or self.last < at < below
        return is_near and line.zone is None and is_sentence(reader, raw)


def _without_remarks(lines: list[Line]) -> list[Line]:
    """Marks names without a count, below all names with one, as invalid if the deck is full without them."""
    last = max(at for at, line in enumerate(lines) if line.kind in CARDS)
    below = [line for line in lines[last:] if line.kind == "bare"]
    others = [line for line in lines if line.kind not in SILENT and line not in below]
    full = sum(line.copies for line in others if line.kind == "entry")
    bare = any(line.kind in ("bare", "several", "title?") or line.zone is not None for line in others)
    if bare or not is_round(full):
        return lines
    return lines[:last] + [
        line._replace(kind="invalid", why=FULL_WITHOUT) if line.kind == "bare" and line.home is None else line
        for line in lines[last:]
    ]


_FACE_SIGNS = frozenset("/／＋+⇔→⇒(（")


def _is_other_face(
    reader: LineReader, line: Line, above: Sequence[Line], start: str, *, counted: bool
) -> bool:
    """Whether a line without a count names the other face of the card on the line above it."""
    before = above[-1] if above else None
    if before is None or before.kind != "entry" or len(line.cards) != 1 or before.cards != line.cards:
        return False
    sides = line.cards[0].faces or line.cards[0].parts
    fold = reader.words.fold
    return bool(sides) and (counted or start in _FACE_SIGNS) and fold(line.written) != fold(before.written)


def _may_be_heading(raw: str, line: Line, *, is_first: bool) -> bool:
    """Whether a name without a count is in the brackets of headings, or beside a colon that marks no zone."""
    bare, before = raw.strip(), shape_of(raw[: line.column - 1]).rstrip(" \t《「『")
    is_framed = bare[:1] == "【" and bare[-1:] == "】" and line.written[:1] != "【"
    is_behind_word = before.endswith(":") and any(map(str.isalnum, before))
    heads = bare[-1:] in ":：" and line.written[-1:] not in ":："
    if line.zone is None and (heads or (is_behind_word and not is_first)):
        return True
    return is_framed and not is_first


_HEADED = r"[^0-9()]*[^0-9() ][ \t]*\([ \t]*[0-9]{1,3}[ \t]*(?:WORD)?[ \t]*\)[ \t]*:?"


def with_doubted_headings(words: Vocabulary, text: Sequence[str], lines: list[Line]) -> list[Line]:
    """The lines, where a card with a number in brackets that is the sum of the cards below becomes invalid.

    The cards below, to the next line of another kind, have their counts elsewhere.
    """
    headed = compiled(_HEADED.replace("WORD", words.patterns.counter))
    result, total = list(lines), 0
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if line.kind != "entry":
            total = 0
        elif headed.fullmatch(shape_of(text[at].strip())):
            if line.copies == total:
                result[at] = line._replace(kind="invalid", why=NAME_OR_HEADING)
            total = 0
        else:
            total += line.copies
    return result


_SIGNED = r".*[x*][ \t]*[0-9]+\W*"


def with_doubted_labels(text: Sequence[str], lines: list[Line]) -> list[Line]:
    """The lines, where a label with a number behind a sign for copies is invalid unless the cards below add up to it."""
    result, total = list(lines), 0
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if (
            line.kind == "label"
            and line.total not in (None, total)
            and compiled(_SIGNED).fullmatch(shape_of(text[at]))
        ):
            result[at] = line._replace(kind="invalid", why=NOT_READ)
        total = 0 if line.kind in ("label", "heading") else total + sum(part.copies for part in line.parts)
    return result


def _writes_counts(lines: Sequence[Line]) -> bool:
    """Whether the list usually writes counts."""
    counts = sum(line.kind in CARDS for line in lines)
    return counts > 0 and 4 * counts >= sum(line.kind == "bare" for line in lines)


def _unknown(reader: LineReader, line: Line, raw: str, first: bool, counted: bool) -> Line:
    if line.zone is not None:
        name = without_label(raw.strip())
        if first and counted and name != raw.strip() and may_be_title(reader, name):
            return line._replace(kind="title", written=name, zone=None)
        # Its line names a zone, so it must be a card.
        return as_one(line)
    if first and (counted or line.home is not None or without_label(raw.strip()) != raw.strip()):
        if may_be_title(reader, raw):
            return line._replace(kind="title", zone=line.home)
        return line._replace(kind="invalid", why=NO_TITLE)
    if counted or is_prose(reader.words, shape_of(raw.strip())):
        return line._replace(kind="invalid", why=NOT_READ)
    return as_one(line.more[0] if line.more else line)


def _numbered(text: Sequence[str], lines: Sequence[Line]) -> list[Line]:
    """Resolves numbered lines: one copy each if numbered consecutively, else the numbers are counts.

    Numbers that ascend with gaps, as in a list that lost a line, are invalid unless they can't be counts.
    """
    padded = any(
        line.kind == "numbered" and shape_of(raw).lstrip().startswith("0")
        for raw, line in zip(text, lines, strict=True)
    )
    result = _without_zeros(text, lines) if padded else list(lines)
    numbers = [line.total or 0 for line in result if line.kind == "numbered"]
    one_each = _is_consecutive(result, padded) and (len(numbers) == 1 or max(numbers) > 1)
    ascending = not one_each and len(numbers) > 1 and all(low < high for low, high in pairwise(numbers))
    one_each = one_each or (
        ascending and numbers[0] == 1 and len(numbers) > USUAL and numbers[-1] <= 2 * len(numbers)
    )
    unsure = ascending and not one_each and (numbers[0] == 1 or len(numbers) > 2)
    for at, line in enumerate(result):
        if line.kind != "numbered":
            continue
        copies = 1 if one_each else line.total or 0
        result[at] = line._replace(kind="entry", copies=copies, most=copies, total=None)
        if not 0 < copies <= MOST_COPIES:
            result[at] = line._replace(kind="invalid", why=BAD_COUNT)
        elif unsure and copies > 1:
            result[at] = line._replace(kind="invalid", why=NUMBER_OR_COUNT)
    return result


def _without_zeros(text: Sequence[str], lines: Sequence[Line]) -> list[Line]:
    """The lines with entries that continue the numbers 01 to 09 turned into numbered lines."""
    numbered = list(lines)
    previous = 0
    for at, line in enumerate(numbered):
        if line.kind == "numbered":
            previous = line.total or 0
        elif line.kind == "entry" and line.copies == previous + 1 > 9 and _starts_with(text[at], line.copies):
            numbered[at] = line._replace(kind="numbered", total=line.copies)
            previous += 1
    return numbered


def _starts_with(raw: str, number: int) -> bool:
    """Whether a line begins with this number, without a mark that makes it a count."""
    return compiled(rf"\W*{number}[ \t]+[^ \tx*]").match(shape_of(raw)) is not None


def _is_consecutive(lines: Sequence[Line], padded: bool) -> bool:
    """Whether the lines are numbered consecutively; the numbers may restart.

    Numbers `padded` with zeros restart only below a heading, since they may be counts.
    """
    previous, unread, may_restart = 0, 0, True
    for line in lines:
        if line.kind == "numbered":
            number = line.total or 0
            if not previous < number <= previous + 1 + unread and (number > 1 or not may_restart):
                return False
            previous, unread, may_restart = number, 0, not padded
        # An unreadable line may have had a number too.
        unread += line.kind == "invalid"
        may_restart = may_restart or line.kind in ("heading", "label")
    return True


def _tables(reader: LineReader, text: Sequence[str], lines: Sequence[Line]) -> list[Line]:
    """The lines with the rows of tables read, with or without a head."""
    result = list(lines)
    heads = [at for at, line in enumerate(lines) if line.kind == "head"]
    for at, end in zip([-1, *heads], [*heads, len(lines)], strict=True):
        rows = {
            row: lines[row] if lines[row].kind == "table" else reader.tabulate(text[row])
            for row in range(at + 1, end)
            if lines[row].kind == "table" or (at >= 0 and lines[row].kind in _ROWS and _has_bars(text[row]))
        }
        if at >= 0 and not _is_fenced(text[at]):
            # With an empty first and last cell, a row looks as if it were enclosed in bars.
            rows = {
                row: line._replace(cells=("", *line.cells)) if _is_fenced(text[row]) else line
                for row, line in rows.items()
            }
        tabs = {row: _leading_tabs(text[row]) for row in ([at] if at >= 0 else []) + [*rows]}
        indent = min(tabs.values(), default=0)
        rows = {
            row: line._replace(cells=("",) * (tabs[row] - indent) + line.cells) for row, line in rows.items()
        }
        cells = [row.cells for row in rows.values() if row.kind != "invalid"]
        if at < 0:
            table = table_without_head(reader, cells)
        else:
            table = table_with_head(reader, ("",) * (tabs[at] - indent) + lines[at].cells, cells)
            result[at] = (
                COMMENT if table.counted or not rows else lines[at]._replace(kind="invalid", why=NO_COUNTS)
            )
        for row, line in rows.items():
            result[row] = _row(reader, table, text[row], line)
    return result


_ROWS = ("entry", "bare", "several", "table")


def _is_fenced(raw: str) -> bool:
    return raw.strip()[:1] in "|｜"


def _leading_tabs(raw: str) -> int:
    """The number of leading tabs, each of which follows an empty cell."""
    return len(raw) - len(raw.lstrip("\t"))


def _has_bars(raw: str) -> bool:
    return any(bar in raw for bar in "|\t｜│┃")


def _row(reader: LineReader, table: Table, raw: str, line: Line) -> Line:
    """The line for a row of a table; a zone word at its start applies to all its cards."""
    if line.kind == "invalid":
        return line
    shape = shape_of(raw)
    leading = leading_zone(reader.words, shape, 0, len(shape))
    starts: list[int] = []
    for cell in line.cells:
        starts.append(max(raw.find(cell, starts[-1] + len(line.cells[len(starts) - 1]) if starts else 0), 0))
    read = line_of_row(reader, table, line.cells, raw, lambda at: starts[at] + 1 if at < len(starts) else 1)
    if leading is None:
        return read
    parts = [
        part._replace(zone=part.zone or leading.zone) if part.kind == "entry" else part for part in read.parts
    ]
    return several(raw, parts) if parts else read


def counts_by_section(lines: Sequence[Line]) -> Iterator[list[int]]:
    """The counts of the entries between headings that name no zone of their own."""
    counts: list[int] = []
    for line in lines:
        if line.kind == "heading":
            yield counts
            counts = []
        counts += [part.copies for part in line.parts if part.zone is None]
    yield counts


def fills_zone(lines: Sequence[Line], more: int = 0) -> bool:
    """Whether the first zone, with so many cards more, has the round number of a whole deck."""
    return is_round(sum(next(filter(None, counts_by_section(lines)), ())) + more)


def is_round(copies: int) -> bool:
    """Whether so many cards may be a whole deck."""
    return copies >= LEAST_FULL and copies % _ROUND == 0
