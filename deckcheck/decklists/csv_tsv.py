"""Decklists as CSV or TSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader, section_of
from deckcheck.decklists.column_heads import MOST_CELLS, is_head
from deckcheck.decklists.header import header_line
from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.line import COMMENT, NO_COUNTS, NOT_READ, Line, invalid
from deckcheck.decklists.tables import Table, cell_at, line_of_row, table_with_head, table_without_head
from deckcheck.decklists.vocabulary import heading_of
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_TRIED = 50
_MOST_ABOVE = 5


class _Row(NamedTuple):
    number: int
    cells: tuple[str, ...]
    raw: str

    @property
    def is_comment(self) -> bool:
        return self.raw.lstrip().startswith(("#", "//"))

    def column(self, at: int) -> int:
        """The column, 1-based, where a cell's text begins, after its quote."""
        start = 0
        for cell in self.cells[:at]:
            start = max(self.raw.find(cell, start), start) + len(cell) + 1
        return max(self.raw.find(cell_at(self.cells, at), start), 0) + 1


def read_csv(reader: LineReader, text: str, path: str, notation: str) -> list[tuple[int, Line]] | None:
    """The rows of a CSV or TSV text with their line numbers; None for a sheet of one column.

    Columns are recognized by their heads, else by their contents. Raises UserError, with line and column, for
    broken quoting.
    """
    source = text.split("\n")
    delimiter = "\t" if notation == "tsv" else _delimiter(source)
    rows = list(_rows(source, delimiter, path)) if delimiter else []
    if delimiter is None or all(len(row.cells) < 2 for row in rows):
        return None
    first, table, head = _table(reader, rows)
    numbered: list[tuple[int, Line]] = []
    for at, row in enumerate(rows):
        if at < first and not row.is_comment:
            numbered.append((row.number, _above(reader, row)))
        elif at == first and head is not None:
            numbered.append((row.number, head))
        else:
            numbered.append((row.number, _below(reader, row, table)))
    return numbered


def _delimiter(source: Sequence[str]) -> str | None:
    sample = [line for line in islice(source, _TRIED) if line.strip() and not line.startswith(("#", "//"))]
    counts = {char: sum(char in line for line in sample) for char in "\t,;"}
    best = max(counts, key=lambda char: counts[char])
    return best if counts[best] else None


def _rows(source: Sequence[str], delimiter: str, path: str) -> Iterator[_Row]:
    reader = csv.reader((line + "\n" for line in source), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield _Row(line, tuple(cells[:MOST_CELLS]), source[line - 1])
            line = reader.line_num + 1
    except csv.Error as error:
        at = min(max(line, 1), len(source))
        raise user_error(
            _("not readable as CSV: {error}", error=str(error)),
            path=path,
            line=at,
            column=max(source[at - 1].find('"') + 1, 1),
            excerpt=source[at - 1],
        ) from error


def _table(reader: LineReader, rows: Sequence[_Row]) -> tuple[int, Table, Line | None]:
    """The index of the head or first card, how the rows are read, and the line of the head, if any."""
    top = [at for at, row in enumerate(rows[:_TRIED]) if not row.is_comment][:_MOST_ABOVE]
    for at in top:
        if is_head(reader.words, rows[at].cells):
            table = table_with_head(
                reader, rows[at].cells, [row.cells for row in rows[at + 1 :] if _is_card(reader, row)]
            )
            return at, table, COMMENT if table.counted else invalid(rows[at].raw, NO_COUNTS)
        if _names_card(reader, rows[at]):
            break
    first = top[0] if top else 0
    cards = [row for row in rows[first : first + _TRIED] if _is_card(reader, row) or _names_card(reader, row)]
    if not cards:
        return first, Table(), None
    if (
        cards[0] is rows[first]
        and not _names_card(reader, cards[0])
        and not any(map(str.isdigit, cards[0].raw))
    ):
        # An unknown head is still recognized by the numbers below it.
        table = table_without_head(reader, [row.cells for row in cards[1:]], cards[0].cells)
        if table.step is not None and table.names:
            return first, table, COMMENT
    return first, table_without_head(reader, [row.cells for row in cards]), None


def _is_card(reader: LineReader, row: _Row) -> bool:
    return not row.is_comment and _heading(reader, row) is None


def _names_card(reader: LineReader, row: _Row) -> bool:
    return any(map(reader.parser.name, row.cells))


def _heading(reader: LineReader, row: _Row) -> Line | None:
    """The row as a heading, label or sum; None for other rows."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    written = " ".join(filled)
    heading = heading_of(reader.words, shape_of(written)) if len(filled) < 3 else None
    return None if heading is None else section_of(reader.words, heading, written, 0)


def _above(reader: LineReader, row: _Row) -> Line:
    """A row above the head: the deck's name, or invalid if it names a card."""
    if _names_card(reader, row):
        return invalid(row.raw, NOT_READ)
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    return Line("title", filled[-1] if filled else "")


def _below(reader: LineReader, row: _Row, table: Table) -> Line:
    if row.is_comment:
        return reader.classify(row.raw) if header_line(row.raw) else COMMENT
    section = _heading(reader, row)
    if section is not None and not _names_card(reader, row):
        return section
    return line_of_row(reader, table, row.cells, row.raw, row.column)
