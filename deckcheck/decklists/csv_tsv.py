"""Decklists as CSV or TSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader, section_of
from deckcheck.decklists.header import header_line
from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.line import COMMENT, MOST_LINES, NO_COUNTS, NOT_READ, Cell, Line, invalid
from deckcheck.decklists.plain import too_many_lines
from deckcheck.decklists.records import Columns, cell_at, columns_of, count_in, entries_of
from deckcheck.decklists.tables import MOST_CELLS, column_role, count_column, with_counts
from deckcheck.decklists.vocabulary import heading_of
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_TRIED = 50
_MOST_ABOVE = 5
_MOST_COUNTED = 999


class _Row(NamedTuple):
    number: int
    cells: tuple[str, ...]
    raw: str

    @property
    def is_comment(self) -> bool:
        return self.raw.lstrip().startswith(("#", "//"))

    def place(self, at: int) -> tuple[int, int]:
        """The line and the column where a cell begins, 1-based; behind its quote."""
        start = 0
        for cell in self.cells[:at]:
            start = max(self.raw.find(cell, start), start) + len(cell) + 1
        return self.number, max(self.raw.find(cell_at(self.cells, at), start), 0) + 1


class _Layout(NamedTuple):
    """The place of the first row that isn't above the cards, the columns, and what that row is if it is a head."""

    first: int
    cards: list[Columns]
    head: Line | None = None


def read_csv(reader: LineReader, text: str, path: str, notation: str) -> list[tuple[int, Line]] | None:
    """What each row of a CSV or TSV text is, with its line; None for a sheet of one column.

    Columns are found by their heads, else by what they hold. Raises UserError
    with the line where the quoting is broken or the sheet is too large.
    """
    source = text.split("\n")
    if len(source) > MOST_LINES:
        raise too_many_lines(path)
    delimiter = "\t" if notation == "tsv" else _delimiter(source)
    rows = list(_rows(source, delimiter, path)) if delimiter else []
    if delimiter is None or all(len(row.cells) < 2 for row in rows):
        return None
    layout = _layout(reader, rows)
    found: list[tuple[int, Line]] = []
    for at, row in enumerate(rows):
        if at < layout.first and not row.is_comment:
            found.append((row.number, _above(reader, row)))
        elif at == layout.first and layout.head is not None:
            found.append((row.number, layout.head))
        else:
            found.append((row.number, _below(reader, row, layout.cards)))
    return found


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


def _layout(reader: LineReader, rows: Sequence[_Row]) -> _Layout:
    top = [at for at, row in enumerate(rows[:_TRIED]) if not row.is_comment][:_MOST_ABOVE]
    for at in top:
        found = _under_head(reader, rows, at)
        if found is not None:
            return found
        if _names_card(reader, rows[at]):
            break
    first = top[0] if top else 0
    cards = [
        row
        for row in rows[first : first + _TRIED]
        if not row.is_comment and (_heading(reader, row) is None or _names_card(reader, row))
    ]
    if not cards:
        return _Layout(first, [Columns(0, None)])
    whole = _guessed(reader, cards)
    if whole[0].counts is None and cards[0] is rows[first] and not _names_card(reader, cards[0]):
        # A head that nobody understands stands over numbers all the same.
        rest = _guessed(reader, cards[1:], cards[0].cells)
        if rest[0].counts is not None and any(_names_card(reader, row) for row in cards):
            return _Layout(first, rest, COMMENT)
    return _Layout(first, whole)


def _under_head(reader: LineReader, rows: Sequence[_Row], at: int) -> _Layout | None:
    """The layout whose head is the row at `at`; None where that is none."""
    words, row = reader.words, rows[at]
    head = tuple(Cell(column_role(words, shape_of(cell).strip()), text=cell.strip()) for cell in row.cells)
    name = next((at for at, cell in enumerate(head) if cell.holds == "name"), None)
    if name is None or sum(bool(cell.text) for cell in head) < 2:
        return None
    below = [
        row.cells
        for row in rows[at + 1 :]
        if not row.is_comment and _heading(reader, row) is None and len(row.cells) > name
    ]
    numbers = [[count_in(words, cell) for cell in cells[: len(head)]] for cells in below]
    filled = [
        tuple(Cell("text") if number is None else Cell("number", number) for number in cells)
        for cells in numbers
    ]
    head = with_counts(words, head, filled) or head
    cards = columns_of(reader, [cell.text for cell in head], [cell.holds for cell in head], below)
    if cards[0].counts is None and not all(_counted(reader, cells[name]) for cells in below):
        return _Layout(at, cards, Line("invalid", row.raw.strip(), why=NO_COUNTS))
    return _Layout(at, cards, COMMENT)


def _counted(reader: LineReader, cell: str) -> bool:
    """Whether a name's cell holds a count of its own."""
    shape = shape_of(cell)
    found = reader.parser.exactly(cell, shape, 0, len(shape))
    return found is not None and found.copies is not None


def _guessed(reader: LineReader, rows: Sequence[_Row], head: Sequence[str] = ()) -> list[Columns]:
    """The columns of rows whose head, if there is one, names none of them."""
    words = reader.words
    width = max((len(row.cells) for row in rows), default=1)
    cells = [[text for row in rows if (text := cell_at(row.cells, at).strip())] for at in range(width)]
    numbers = [[count_in(words, text) for text in column] for column in cells]
    counts = count_column(numbers)
    known = [[bool(reader.parser.name(text)) for text in column] for column in cells]
    roles = ["text"] * width
    for at, column in enumerate(cells):
        if column and all(0 < (number or 0) <= _MOST_COUNTED for number in numbers[at]):
            roles[at] = "count" if at == counts else "number"
        elif column and all(words.fold(text) in words.zones for text in column) and not any(known[at]):
            roles[at] = "zone"
    texts = [at for at, role in enumerate(roles) if role == "text"] or [0]
    name = max(texts, key=lambda at: (sum(known[at]), sum(map(len, cells[at]))))
    roles[name] = "name"
    heads = [cell_at(head, at).strip() for at in range(width)]
    [columns] = columns_of(reader, heads, roles, [row.cells for row in rows])
    # Where cards stand in two columns, the others must not get lost.
    also = (at for at in texts if at != name and 2 * sum(known[at]) >= max(len(known[at]), 1))
    return [columns._replace(also=tuple(also))]


def _names_card(reader: LineReader, row: _Row) -> bool:
    return any(map(reader.parser.name, row.cells))


def _heading(reader: LineReader, row: _Row) -> Line | None:
    """The row as a heading or a sum, None for a card's row."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    written = " ".join(filled)
    heading = heading_of(reader.words, shape_of(written)) if len(filled) < 3 else None
    return None if heading is None else section_of(heading, written, 0)


def _above(reader: LineReader, row: _Row) -> Line:
    """A row over the head: the deck's name, unless it names a card."""
    if _names_card(reader, row):
        return invalid(row.raw, NOT_READ)
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    return Line("title", filled[-1] if filled else "")


def _below(reader: LineReader, row: _Row, cards: Sequence[Columns]) -> Line:
    if row.is_comment:
        return reader.classify(row.raw) if header_line(row.raw) else COMMENT
    section = _heading(reader, row)
    if section is not None and not reader.parser.name(cell_at(row.cells, cards[0].name)):
        return section
    found = [entry for _line, entry in entries_of(reader, row.cells, cards, row.raw, row.place)]
    if len(found) > 1:
        return Line("several", row.raw.strip(), more=tuple(found))
    return found[0] if found else invalid(row.raw, NOT_READ)
