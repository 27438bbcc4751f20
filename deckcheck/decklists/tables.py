"""Tables: rows of heads within a text, and CSV and TSV, with the rows below."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from deckcheck.decklists.columns_and_fields import (
    NO_COLUMN,
    Field,
    RecordReader,
    columns_of,
    count_in,
    is_head,
)
from deckcheck.decklists.decoding import Source, compiled
from deckcheck.decklists.line_reader import LineReader
from deckcheck.decklists.lines import (
    BLANK,
    COMMENT,
    Comment,
    Heading,
    Label,
    Line,
    Stretch,
    Taken,
    Total,
    Why,
    items_of,
    stretch,
    told,
    told_line,
)
from deckcheck.decklists.unexplained import odd_marks
from deckcheck.decklists.vocabulary import zone_in_heads
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_MOST_CELLS, _MOST_HEADS = 64, 60
_TRIED, _MOST_ABOVE = 50, 6
_SEPARATOR_LINE = r"(?i)[\"']?sep=.[\"']?"
"""Matches a spreadsheet's line that says what parts its cells."""

Cells = Mapping[int, Sequence[Field]]
"""The cells of rows, by the index of their line."""


class Tables:
    """The tables in a text, each from a row of heads to the next; `lines` are those that say themselves what they are.

    `sheet` are the cells of a CSV or TSV text, in which every row below heads is a record.
    """

    def __init__(
        self, reader: LineReader, sources: Sequence[Source], lines: Sequence[Line | None], sheet: Cells | None
    ) -> None:
        self._reader, self._words, self._records = reader, reader.words, RecordReader(reader)
        self._sources, self._lines, self._sheet = sources, lines, sheet
        self.has_heads = self._is_zoned = False

    def read(self) -> dict[int, Line]:
        """The lines of tables, by index."""
        read: dict[int, Line] = {}
        if self._sheet is not None:
            # Lines on which no row begins are in cells of several.
            read = {
                index: COMMENT
                for index, source in enumerate(self._sources)
                if index not in self._sheet or compiled(_SEPARATOR_LINE).fullmatch(source.raw)
            }
        for index, source in enumerate(self._sources):
            if index in read or not isinstance(self._lines[index], Heading | None):
                continue
            delimiter = "|" if "|" in source.text else "\t" if "\t" in source.text else ""
            heads = source.text.split()
            if delimiter or self._sheet is not None:
                read |= self._table(index, delimiter, read)
            elif index < _MOST_HEADS and self._lines[index] is None and self._has_only_heads(heads):
                read[index] = self._heads(source, heads)
        return read

    def _cells(self, index: int, delimiter: str) -> Sequence[Field]:
        return _cells(self._sources[index], delimiter) if self._sheet is None else self._sheet.get(index, ())

    def _table(self, head: int, delimiter: str, read: Mapping[int, Line]) -> dict[int, Line]:
        """The lines of the table with its heads on that line; none if there are no heads."""
        heads = self._heads_in(self._cells(head, delimiter))
        if not heads:
            return {}
        lines = {head: self._heads(self._sources[head], heads)}
        rows: dict[int, Sequence[Field]] = {}
        for index in range(head + 1, len(self._lines)):
            cells = self._cells(index, delimiter)
            if self._heads_in(cells):
                break
            if index not in read and (self._lines[index] is None or self._is_record(index, heads, cells)):
                rows[index] = cells
        is_heading = isinstance(self._lines[head], Heading)
        if is_heading and not any(len(cells) == len(heads) for cells in rows.values()):
            # Without rows below, a line that names zones heads no table.
            return {}
        names: dict[int, Field] = {}
        for index, fields, within in self._placed(heads, rows):
            name = next((field for field in fields if field.column.role == "name" and field.text), None)
            if name is not None:
                names[index] = name
            line = self._row(index, fields, within, is_whole=len(rows[index]) == len(heads))
            beyond = next((field for field in fields[len(heads) :] if field.text), None)
            if beyond is not None and line is not None and self._sheet is None:
                line = told(self._sources[index].raw, Why.UNEXPLAINED.filled(part=beyond.text), beyond.place)
            if line is not None:
                lines[index] = line
        return lines | self._odd_names(lines, names)

    def _odd_names(self, lines: Mapping[int, Line], names: Mapping[int, Field]) -> dict[int, Line]:
        """The lines of cards, told, with a sign in front of the name that most of a table lack."""
        texts, cards = dict[int, str](), dict[int, Sequence[Stretch]]()
        for index, field in names.items():
            items = items_of(lines.get(index, BLANK))
            start = field.text.find(items[0].written) if len(items) == 1 else -1
            if start >= 0:
                texts[index] = field.text
                cards[index] = (Stretch(Taken.CARD, start, start + len(items[0].written)),)
        return {
            index: told(self._sources[index].raw, odd.why, names[index].place + odd.start)
            for index, odd in odd_marks(texts, cards).items()
        }

    def _is_record(self, index: int, heads: Sequence[str], cells: Sequence[Field]) -> bool:
        """Whether a line of a sheet that seems to be a heading or a sum has cells as a record has them."""
        if self._sheet is None or not isinstance(self._lines[index], Heading | Label | Total):
            return False
        columns = zip(columns_of(self._words, heads), cells, strict=False)
        names = [cell.text for column, cell in columns if column.role in ("name", "=") and cell.text]
        is_named = bool(names) and not self._says_total(names[0])
        return not is_named and sum(bool(cell.text) for cell in cells) > 1

    def _heads_in(self, cells: Sequence[Field]) -> list[str]:
        """The heads in a row of them; none in other rows."""
        texts = _texts(cells)
        # In free text a cell with digits is rather a card with its count.
        may_count = self._sheet is None and any(any(map(str.isdigit, text[:-1])) for text in texts)
        return texts if is_head(columns_of(self._words, texts), texts) and not may_count else []

    def _has_only_heads(self, cells: Sequence[str]) -> bool:
        words = self._words
        roles = [words.columns.get(words.fold(cell)) for cell in cells]
        known = all(role or words.fold(cell) in words.facts for role, cell in zip(roles, cells, strict=True))
        return known and "name" in roles and not (len(cells) == 1 and self._reader.find(cells[0]))

    def _heads(self, source: Source, texts: Sequence[str]) -> Line:
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

    def _placed(
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

    def _row(self, index: int, fields: Sequence[Field], within: str | None, *, is_whole: bool) -> Line | None:
        """The line of a row below heads; None if it is rather free text."""
        source = self._sources[index]
        names = [field.text for field in fields if field.column.role in ("name", "=") and field.text]
        is_record = self._sheet is not None or (bool(names) and is_whole)
        if not is_record and not any(self._reader.row(name).names for name in names):
            return None
        if not any(field.text for field in fields):
            return BLANK
        if any(field.text for field in fields[_MOST_CELLS:]):
            return told_line(source, Why.NOT_READ)
        if len(names) == 1 and self._says_total(names[0]):
            return self._total(source, fields)
        return self._records.read(fields, source.raw, within)

    def _says_total(self, name: str) -> bool:
        """Whether the name in a row is a word for the sum of all rows."""
        return self._words.fold(name) in self._words.totals and not self._reader.find(name)

    def _total(self, source: Source, fields: Sequence[Field]) -> Line:
        """A row that sums up those above: their copies, prices and so on."""
        counts = [field for field in fields if field.column.role == "count" and field.text]
        if not counts:
            return Comment(source.raw.strip())
        total = count_in(self._words, counts[0].text)
        if total is None or len(counts) > 1:
            return told_line(source, Why.NOT_READ)
        return Total(source.raw.strip(), total, None, counts[0].place)


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


def _texts(cells: Sequence[Field]) -> list[str]:
    return [cell.text for cell in cells]


def cells_of_sheet(text: str, path: str, notation: str) -> Cells:
    """The cells of a CSV or TSV text, by the index of the line on which each row begins.

    Raises UserError, with line and column, for broken quoting.
    """
    source = text.split("\n")
    delimiter = "\t" if notation == "tsv" else _delimiter(source)
    return dict(_csv_rows(source, delimiter, path)) if delimiter else {}


def has_heads(reader: LineReader, source: Sequence[str], sheet: Cells) -> bool:
    """Whether a sheet has a row of heads, with nothing above but a few lines without cards."""
    above = 0
    for index in list(sheet)[:_TRIED]:
        texts = _texts(sheet[index])
        if not any(texts) or source[index].lstrip().startswith(("#", "//")):
            continue
        if is_head(columns_of(reader.words, texts), texts):
            return True
        above += 1
        if above > _MOST_ABOVE or any(map(reader.find, filter(None, texts))):
            return False
    return False


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
