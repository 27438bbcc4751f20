"""Decklists as CSV or TSV."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from deckcheck.decklists.header import header_line
from deckcheck.decklists.lines import (
    BAD_COUNT,
    MOST_LINES,
    NOT_READ,
    Lines,
    Seen,
    entry_in,
    in_zone,
    section_of,
)
from deckcheck.decklists.plain import too_many_lines
from deckcheck.decklists.shapes import shape_of
from deckcheck.decklists.tables import MOST_CELLS, column_role, number_of
from deckcheck.decklists.vocabulary import heading_of
from deckcheck.decklists.walk import walk
from deckcheck.decks import Deck
from deckcheck.errors import wrong
from deckcheck.text import Text

_TRIED = 50


class _Row(NamedTuple):
    number: int
    cells: tuple[str, ...]
    raw: str


class _Columns(NamedTuple):
    name: int
    counts: int | None
    zone: int | None


def read_sheet(
    lines: Lines,
    names: Mapping[str, Text],
    text: str,
    path: str,
    notation: str,
    plain: Callable[[str, str], Deck],
) -> Deck:
    """The deck in a CSV or TSV text; a sheet of one column is read as plain text with `plain`.

    Columns are found by their heads, else by what they hold. Raises UserError
    with the line where the quoting is broken or the sheet is too large.
    """
    source = text.split("\n")
    if len(source) > MOST_LINES:
        raise too_many_lines(path)
    delimiter = "\t" if notation == "tsv" else _delimiter(source)
    rows = list(_rows(source, delimiter, path)) if delimiter else []
    if delimiter is None or all(len(row.cells) < 2 for row in rows):
        return plain(text, path)
    at = next((place for place, row in enumerate(rows) if not _comment(row)), 0)
    columns, headed = _columns(lines, rows[at:])
    seen = [
        (row.number, Seen("comment") if headed and place == at else _seen(lines, row, columns))
        for place, row in enumerate(rows)
    ]
    return walk(seen, path=path, notation=notation, default=lines.words.default, names=names, lines=source)


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
        raise wrong(
            f"CSVとして読めません: {error}",
            f"not readable as CSV: {error}",
            path=path,
            line=at,
            column=max(source[at - 1].find('"') + 1, 1),
            excerpt=source[at - 1],
        ) from error


def _comment(row: _Row) -> bool:
    return row.raw.lstrip().startswith(("#", "//"))


def _columns(lines: Lines, rows: Sequence[_Row]) -> tuple[_Columns, bool]:
    """Which column holds what, and whether the first row is their head."""
    head = rows[0].cells if rows else ()
    roles = [column_role(lines.words, shape_of(cell).strip()) for cell in head]
    if "name" in roles:
        return _Columns(
            roles.index("name"),
            roles.index("count") if "count" in roles else None,
            roles.index("zone") if "zone" in roles else None,
        ), True
    cards = [
        row
        for row in rows[:_TRIED]
        if not _comment(row) and (_heading(lines, row) is None or any(map(lines.reader.name, row.cells)))
    ]
    return _guessed(lines, cards) if cards else _Columns(0, None, None), False


def _guessed(lines: Lines, rows: Sequence[_Row]) -> _Columns:
    width = max((len(row.cells) for row in rows), default=0)
    cells = [[row.cells[at].strip() for row in rows if at < len(row.cells)] for at in range(width)]
    filled = [[cell for cell in column if cell] for column in cells]
    words = lines.words
    numbers = [
        at
        for at, column in enumerate(filled)
        if column and all(0 <= (number_of(words, shape_of(cell)) or -1) <= 999 for cell in column)
    ]
    zones = [
        at
        for at, column in enumerate(filled)
        if column and all(words.fold(cell) in words.zones and not lines.reader.name(cell) for cell in column)
    ]
    left = [at for at in range(width) if at not in numbers and at not in zones] or [0]
    name = max(
        left,
        key=lambda at: (sum(bool(lines.reader.name(cell)) for cell in filled[at]), sum(map(len, filled[at]))),
    )
    beside = sorted(numbers, key=lambda at: (abs(at - name), at))
    return _Columns(name, beside[0] if beside else None, zones[0] if zones else None)


def _heading(lines: Lines, row: _Row) -> Seen | None:
    """The row as a heading or a sum, None for a card's row."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    written = " ".join(filled)
    heading = heading_of(lines.words, shape_of(written)) if len(filled) < 3 else None
    return None if heading is None else section_of(heading, written, 0)


def _seen(lines: Lines, row: _Row, columns: _Columns) -> Seen:
    words, raw = lines.words, row.raw
    bare = raw.strip()
    if _comment(row):
        return lines.classify(raw) if header_line(raw) else Seen("comment")
    cell = row.cells[columns.name] if columns.name < len(row.cells) else ""
    column = _column(row, columns.name)
    section = _heading(lines, row)
    if section is not None and not lines.reader.name(cell):
        return section
    if not cell.strip():
        return Seen("invalid", bare, why=NOT_READ)
    copies: int | None = None
    if columns.counts is not None:
        said = row.cells[columns.counts].strip() if columns.counts < len(row.cells) else ""
        copies = number_of(words, shape_of(said))
        if copies is None:
            return Seen("invalid", bare, column=_column(row, columns.counts), why=BAD_COUNT)
    seen = entry_in(lines, cell, copies, column)
    if columns.zone is not None and columns.zone < len(row.cells):
        return in_zone(words, seen, row.cells[columns.zone])
    return seen


def _column(row: _Row, place: int) -> int:
    """Where a cell begins in its line, 1-based; behind its quote."""
    at = 0
    for cell in row.cells[:place]:
        at = max(row.raw.find(cell, at), at) + len(cell) + 1
    cell = row.cells[place] if place < len(row.cells) else ""
    return max(row.raw.find(cell, at), 0) + 1
