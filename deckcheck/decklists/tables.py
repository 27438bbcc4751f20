"""Tables: rows of heads with the rows below, in a text or a sheet (CSV and TSV)."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from deckcheck.decklists.columns import NO_COLUMN, Column, Field, RecordReader, columns_of, is_head
from deckcheck.decklists.decoding import Source
from deckcheck.decklists.lines import (
    Comment,
    Heading,
    Label,
    Line,
    Taken,
    Total,
    Why,
    stretch,
    told,
    told_line,
)
from deckcheck.decklists.rows import LineReader
from deckcheck.decklists.vocabulary import zone_in_heads
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_MOST_CELLS, _MOST_HEADS = 64, 60
_TRIED = 50

Sheet = Mapping[int, Sequence[Field]]
"""The rows of a CSV or TSV text, by the index of their first line."""


class Tables:
    """The tables of a list, each from a row of heads to the next; `lines` are those that say themselves what they are.

    `sheet` has the cells of a CSV or TSV text (None: bars or tabs part them); `is_remark` tells words that can't change
    the deck.
    """

    def __init__(
        self,
        reader: LineReader,
        sources: Sequence[Source],
        lines: Sequence[Line | None],
        sheet: Sheet | None,
        is_remark: Callable[[str], bool],
    ) -> None:
        self._reader, self._words, self._records = reader, reader.words, RecordReader(reader)
        self._sources, self._lines, self._sheet, self._is_remark = sources, lines, sheet, is_remark
        self.has_heads = self._is_zoned = False

    def read(self) -> dict[int, Line]:
        """The lines of tables, by index."""
        read: dict[int, Line] = {}
        for index, source in enumerate(self._sources):
            if index in read or not isinstance(self._lines[index], Heading | None):
                continue
            delimiter = "|" if "|" in source.text else "\t" if "\t" in source.text else ""
            heads = self._heads_in(self._cells(index, delimiter))
            words = source.text.split()
            if heads:
                read |= self._table(index, heads, delimiter, read)
            elif (
                not delimiter
                and index < _MOST_HEADS
                and self._lines[index] is None
                and self._are_heads(words)
            ):
                read[index] = self._head_line(source, words)
        return read

    def _cells(self, index: int, delimiter: str) -> Sequence[Field]:
        """The cells of a line; none without this delimiter."""
        if self._sheet is not None:
            return self._sheet.get(index, ())
        return _split(self._sources[index], delimiter)

    def _heads_in(self, cells: Sequence[Field]) -> list[str]:
        """The heads in a row of them; none in other rows."""
        texts = [cell.text for cell in cells]
        # In free text a cell with digits is rather a card with its count.
        may_count = self._sheet is None and any(any(map(str.isdigit, text[:-1])) for text in texts)
        return texts if is_head(columns_of(self._words, texts), texts) and not may_count else []

    def _are_heads(self, words: Sequence[str]) -> bool:
        """Whether all words of a line are heads of columns, one of them that of the names."""
        roles = [self._words.columns.get(self._words.fold(word)) for word in words]
        known = all(
            role or self._words.fold(word) in self._words.facts
            for role, word in zip(roles, words, strict=True)
        )
        return known and "name" in roles and not (len(words) == 1 and self._reader.find(words[0]))

    def _head_line(self, source: Source, texts: Sequence[str]) -> Line:
        """A line of heads, told if none of several is that of the counts, or it lacks the zone that one above has."""
        self.has_heads = self.has_heads or len(texts) > 1
        zone = zone_in_heads(self._words, texts)
        if zone is not None:
            self._is_zoned = True
            return replace(zone, written=source.text.strip(), stretches=stretch(Taken.HEAD, source.text))
        if self._is_zoned:
            return told_line(source, Why.NOT_READ, may_head=True)
        has_counts = any(column.role in ("count", "=") for column in columns_of(self._words, texts))
        if len(texts) > 1 and not has_counts:
            return told_line(source, Why.NO_COUNTS)
        return Comment(source.text.strip(), stretches=stretch(Taken.HEAD, source.text))

    def _table(
        self, head: int, heads: Sequence[str], delimiter: str, read: Mapping[int, Line]
    ) -> dict[int, Line]:
        """The lines of the table with its heads on that line."""
        columns = columns_of(self._words, heads)
        rows: dict[int, Sequence[Field]] = {}
        for index in range(head + 1, len(self._lines)):
            cells = self._cells(index, delimiter)
            if self._heads_in(cells):
                break
            if index not in read and (self._lines[index] is None or self._lacks_name(index, columns, cells)):
                rows[index] = cells
        is_heading = isinstance(self._lines[head], Heading)
        if is_heading and not any(len(cells) == len(heads) for cells in rows.values()):
            # Without rows below, a line that names zones heads no table.
            return {}
        lines = {head: self._head_line(self._sources[head], heads)}
        # Where a column of zones is filled, a card without one may be in any.
        zoned = [
            nth
            for nth, column in enumerate(columns)
            if column.role == "zone" and any(nth < len(cells) and cells[nth].text for cells in rows.values())
        ]
        for index, cells in rows.items():
            fields = self._fields(index, columns, cells)
            unplaced = next((f"{columns[nth].head}?" for nth in zoned if not fields[nth].text), None)
            line = self._row(index, fields, unplaced, is_whole=len(cells) == len(heads))
            beyond = next((field for field in fields[len(heads) :] if field.text), None)
            if line is not None and beyond is not None:
                line = told(self._sources[index].raw, Why.UNEXPLAINED.filled(part=beyond.text), beyond.place)
            if line is not None:
                lines[index] = line
        return lines

    def _lacks_name(self, index: int, columns: Sequence[Column], cells: Sequence[Field]) -> bool:
        """Whether a line like a heading with a sum is a card without its name, by the columns of both."""
        filled = [column for column, cell in zip(columns, cells, strict=False) if cell.text]
        has_name = any(column.role in ("name", "=") for column in filled)
        return isinstance(self._lines[index], Heading | Label | Total) and len(filled) > 1 and not has_name

    def _fields(self, index: int, columns: Sequence[Column], cells: Sequence[Field]) -> list[Field]:
        """The fields of a row, also empty ones."""
        end = cells[-1].place + len(cells[-1].text) if cells else 1
        return [
            replace(cell or Field(NO_COLUMN, "", index + 1, end), column=column or NO_COLUMN)
            for column, cell in zip_longest(columns, cells)
        ]

    def _row(self, index: int, fields: Sequence[Field], within: str | None, *, is_whole: bool) -> Line | None:
        """The line of a row below heads; None if it is rather free text."""
        source = self._sources[index]
        names = [field.text for field in fields if field.column.role in ("name", "=") and field.text]
        if self._sheet is None and not (names and is_whole):
            if self._is_remark(source.text):
                return Comment(source.text.strip(), True, stretches=stretch(Taken.REMARK, source.text))
            if not any(self._reader.row(name).names for name in names):
                return None
        if any(field.text for field in fields[_MOST_CELLS:]):
            return told_line(source, Why.NOT_READ)
        return self._records.read(fields, source.raw, within)


def _split(source: Source, delimiter: str) -> list[Field]:
    """The cells of a line of text with this delimiter; none without it."""
    text = source.text
    if not delimiter or delimiter not in text:
        return []
    start, end = 0, len(text)
    if delimiter == "|":
        start = len(text) - len(text.lstrip())
        start += text[start : start + 1] == "|"
        end = len(text.rstrip())
        end -= end > start and text[end - 1] == "|"
    cells = []
    for part in text[start:end].split(delimiter):
        place = source.column(start + len(part) - len(part.lstrip()))
        cells.append(Field(NO_COLUMN, part.strip(), source.number, place))
        start += len(part) + 1
    return cells


def sheet_of(text: str, path: str, notation: str) -> Sheet:
    """The rows of a CSV or TSV text. Raises UserError, with line and column, for broken quoting."""
    source = text.split("\n")
    delimiter = "\t" if notation == "tsv" else _delimiter(source)
    return dict(_csv_rows(source, delimiter, path)) if delimiter else {}


def _delimiter(source: Sequence[str]) -> str | None:
    sample = [line for line in source[:_TRIED] if line.strip() and not line.startswith(("#", "//"))]
    counts = {char: sum(char in line for line in sample) for char in "\t,;"}
    best = max(counts, key=lambda char: counts[char])
    return best if counts[best] else None


def _csv_rows(source: Sequence[str], delimiter: str, path: str) -> Iterator[tuple[int, list[Field]]]:
    reader = csv.reader((line + "\n" for line in source), delimiter=delimiter, strict=True)
    index = 0
    try:
        for texts in reader:
            cells, start = [], 0
            for text in texts:
                start = max(source[index].find(text, start), start)
                place = start + len(text) - len(text.lstrip()) + 1
                cells.append(Field(NO_COLUMN, text.strip(), index + 1, place))
                start += len(text) + 1
            yield index, cells
            index = reader.line_num
    except csv.Error as error:
        index = min(index, len(source) - 1)
        raise user_error(
            _("not readable as CSV: {error}", error=str(error)),
            path=path,
            line=index + 1,
            column=max(source[index].find('"') + 1, 1),
            excerpt=source[index],
        ) from error
