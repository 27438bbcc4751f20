"""Tables: rows of heads within a text, and CSV and TSV, with the rows below."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest

from msgspec.structs import replace

from deckcheck.decklists.columns_and_fields import NO_COLUMN, Field, RecordReader, columns_of, is_head
from deckcheck.decklists.decoding import Source, compiled, shape_of, sources_of
from deckcheck.decklists.header_directives_comments import header_line
from deckcheck.decklists.line_reader import LineReader, section_line
from deckcheck.decklists.lines import (
    BLANK,
    COMMENT,
    Comment,
    Heading,
    Line,
    Numbered,
    Taken,
    Title,
    Why,
    stretch,
    told,
    told_line,
)
from deckcheck.decklists.vocabulary import zone_in_heads
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_MOST_CELLS, _MOST_HEADS = 64, 60
_TRIED, _MOST_ABOVE = 50, 6
_SEPARATOR_LINE = r"(?i)[\"']?sep=.[\"']?"
"""Matches a spreadsheet's line that says what parts its cells."""


class TableReader:
    """Reads rows below heads."""

    def __init__(self, reader: LineReader) -> None:
        self._reader, self._words, self._records = reader, reader.words, RecordReader(reader)
        self.has_heads = self._is_zoned = False

    def heads(self, source: Source, texts: Sequence[str]) -> Line:
        """A line of heads, told if none of several is that of the counts, or it lacks the zone that one above has."""
        self.has_heads = self.has_heads or len(texts) > 1
        zone = zone_in_heads(self._words, texts)
        if zone is not None:
            self._is_zoned = True
            return replace(zone, written=source.text.strip(), stretches=stretch(Taken.HEAD, source.text))
        if self._is_zoned:
            return told_line(source, Why.NOT_READ, may_head=True)
        if len(texts) > 1 and not any(
            column.role in ("count", "=") for column in columns_of(self._words, texts)
        ):
            return told_line(source, Why.NO_COUNTS)
        return Comment(source.text.strip(), stretches=stretch(Taken.HEAD, source.text))

    def placed(
        self, heads: Sequence[str], rows: Mapping[int, Sequence[Field]]
    ) -> Iterator[tuple[int, list[Field], str | None]]:
        """The fields of each row, also empty ones, with the zone of a card that lacks one where others have it: anywhere."""
        columns = columns_of(self._words, heads)
        zoned = [
            nth
            for nth, column in enumerate(columns)
            if column.role == "zone" and any(nth < len(cells) and cells[nth].text for cells in rows.values())
        ]
        for index, cells in rows.items():
            end = cells[-1].place + len(cells[-1].text) if cells else 1
            fields = [
                Field(column or NO_COLUMN, "", index + 1, end)
                if cell is None
                else replace(cell, column=column or NO_COLUMN)
                for column, cell in zip_longest(columns, cells)
            ]
            unplaced = next((fields[nth].column.head for nth in zoned if not fields[nth].text), None)
            yield index, fields, None if unplaced is None else f"{unplaced}?"

    def record(self, source: Source, fields: Sequence[Field], within: str | None) -> Line:
        """The line of a row."""
        if any(field.text for field in fields[_MOST_CELLS:]):
            return told_line(source, Why.NOT_READ)
        return self._records.read(fields, source.raw, within)


class TextTables(TableReader):
    """The tables in a text, each from a row of heads to the next; `lines` are those that say themselves what they are."""

    def __init__(self, reader: LineReader, sources: Sequence[Source], lines: Sequence[Line | None]) -> None:
        super().__init__(reader)
        self._sources, self._lines = sources, lines

    def read(self) -> dict[int, Line]:
        """The lines of tables, by index."""
        read: dict[int, Line] = {}
        for index, source in enumerate(self._sources):
            if index in read or not isinstance(self._lines[index], Heading | None):
                continue
            delimiter = "|" if "|" in source.text else "\t" if "\t" in source.text else ""
            heads = source.text.split()
            if delimiter:
                read |= self._table(index, delimiter, read)
            elif index < _MOST_HEADS and self._lines[index] is None and self._has_only_heads(heads):
                read[index] = self.heads(source, heads)
        return read

    def _table(self, head: int, delimiter: str, read: Mapping[int, Line]) -> dict[int, Line]:
        """The lines of the table with its heads on that line; none if there are no heads."""
        heads = self._heads_in(_cells(self._sources[head], delimiter))
        if not heads:
            return {}
        lines = {head: self.heads(self._sources[head], heads)}
        rows: dict[int, Sequence[Field]] = {}
        for index in range(head + 1, len(self._lines)):
            cells = _cells(self._sources[index], delimiter)
            if self._heads_in(cells):
                break
            if self._lines[index] is None and index not in read:
                rows[index] = cells
        is_heading = isinstance(self._lines[head], Heading)
        if is_heading and not any(len(cells) == len(heads) for cells in rows.values()):
            # Without rows below, a line that names zones heads no table.
            return {}
        for index, fields, within in self.placed(heads, rows):
            line = self._row(index, fields, within, is_whole=len(rows[index]) == len(heads))
            beyond = next((field for field in fields[len(heads) :] if field.text), None)
            if beyond is not None and line is not None:
                line = told(self._sources[index].raw, Why.UNEXPLAINED.filled(part=beyond.text), beyond.place)
            if line is not None:
                lines[index] = line
        return lines

    def _heads_in(self, cells: Sequence[Field]) -> list[str]:
        """The heads in a row of them; none in other rows."""
        texts = _texts(cells)
        # In free text a cell with digits is rather a card with its count.
        may_count = any(any(map(str.isdigit, text[:-1])) for text in texts)
        return texts if is_head(columns_of(self._words, texts), texts) and not may_count else []

    def _has_only_heads(self, cells: Sequence[str]) -> bool:
        words = self._words
        roles = [words.columns.get(words.fold(cell)) for cell in cells]
        known = all(role or words.fold(cell) in words.facts for role, cell in zip(roles, cells, strict=True))
        return known and "name" in roles and not (len(cells) == 1 and self._reader.find(cells[0]))

    def _row(self, index: int, fields: Sequence[Field], within: str | None, *, is_whole: bool) -> Line | None:
        """The line of a row below heads; None if it is rather free text."""
        source = self._sources[index]
        names = [field.text for field in fields if field.column.role in ("name", "=") and field.text]
        if (not names or not is_whole) and not any(self._reader.row(name).names for name in names):
            return None
        return self.record(source, fields, within)


def _cells(source: Source, delimiter: str) -> list[Field]:
    """The cells of a line with this delimiter; none without it."""
    text = source.text
    if delimiter not in text:
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


_Rows = Mapping[int, Sequence[Field]]
"""The rows of a CSV or TSV text, by the index of their first line."""


def read_sheet(reader: LineReader, text: str, path: str, notation: str) -> list[Numbered] | None:
    """The numbered lines of a CSV or TSV text; None for one without a row of heads.

    Raises UserError, with line and column, for broken quoting.
    """
    tables, sources = TableReader(reader), sources_of(text)
    source = text.split("\n")
    delimiter = "\t" if notation == "tsv" else _delimiter(source)
    rows = dict(_csv_rows(source, delimiter, path)) if delimiter else {}
    head = _head(reader, source, rows)
    if head is None:
        return None
    lines = {index: line for index in range(head) if (line := _alone(reader, rows, head, sources[index]))}
    others = [index for index in rows if index > head and zone_in_heads(reader.words, _texts(rows[index]))]
    for begin, end in pairwise([head, *others, len(sources)]):
        heads = _texts(rows[begin])
        lines[begin] = tables.heads(sources[begin], heads)
        for index in range(begin + 1, end):
            line = _alone(reader, rows, begin, sources[index])
            if line is not None:
                lines[index] = line
        records = {index: rows[index] for index in range(begin, end) if index not in lines}
        for index, fields, within in tables.placed(heads, records):
            lines[index] = tables.record(sources[index], fields, within)
    return [(source.number, lines[index]) for index, source in enumerate(sources)]


def _texts(cells: Sequence[Field]) -> list[str]:
    return [cell.text for cell in cells]


def _head(reader: LineReader, source: Sequence[str], rows: _Rows) -> int | None:
    """The index of the row with the heads; None without one."""
    above = 0
    for index in list(rows)[:_TRIED]:
        texts = _texts(rows[index])
        if not any(texts) or source[index].lstrip().startswith(("#", "//")):
            continue
        if is_head(columns_of(reader.words, texts), texts):
            return index
        above += 1
        if above > _MOST_ABOVE or any(map(reader.find, filter(None, texts))):
            return None
    return None


def _alone(reader: LineReader, rows: _Rows, head: int, source: Source) -> Line | None:
    """A line of a sheet that is no record: a comment, a heading or a sum, or above the heads the deck's name."""
    index = source.number - 1
    if index not in rows:
        # A cell of the row above has several lines.
        return COMMENT
    texts = [cell.text for cell in rows[index] if cell.text]
    if not texts:
        return BLANK
    if compiled(_SEPARATOR_LINE).fullmatch(source.raw):
        return COMMENT
    if source.raw.lstrip().startswith(("#", "//")):
        return header_line(source.raw) or Comment(source.raw.strip())
    if index < head:
        is_name = len(texts) == 1 and not reader.find(texts[0]) and not _may_be_card(reader, texts[0])
        return Title(texts[0]) if is_name else told_line(source, Why.NOT_READ)
    columns = columns_of(reader.words, _texts(rows[head]))
    names = [
        cell.text
        for column, cell in zip(columns, rows[index], strict=False)
        if cell.text and column.role in ("name", "=")
    ]
    may_head = len(texts) == 1 or (len(texts) == 2 and names)
    is_card = any(map(reader.find, texts))
    return section_line(reader.words, " ".join(texts)) if may_head and not is_card else None


def _may_be_card(reader: LineReader, text: str) -> bool:
    """Whether a text has a card's name, perhaps misspelt, and may have its count."""
    is_card = bool(reader.row(text).names) or reader.is_near(text)
    return is_card and reader.words.may_say_count(shape_of(text))


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
