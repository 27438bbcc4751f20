"""Decklists as CSV or TSV."""

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from deckcheck.decklists.columns import Teller, tellers_of, told_beside
from deckcheck.decklists.header import header_line
from deckcheck.decklists.lines import Lines, entry_in, section_of
from deckcheck.decklists.plain import too_many_lines
from deckcheck.decklists.seen import BAD_COUNT, COMMENT, MOST_LINES, NO_COUNTS, NOT_READ, Cell, Seen, invalid
from deckcheck.decklists.shapes import MOST_COPIES, shape_of
from deckcheck.decklists.tables import (
    MOST_CELLS,
    column_role,
    count_column,
    number_of,
    with_counts,
)
from deckcheck.decklists.vocabulary import Vocabulary, heading_of
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_TRIED = 50
_TWO_CARDS = _("one row names two cards")


class _Row(NamedTuple):
    number: int
    cells: tuple[str, ...]
    raw: str


class _Columns(NamedTuple):
    """Where the name of one card in each row stands, and its count; what may tell its zone; what else may name it."""

    name: int
    counts: int | None
    tellers: tuple[Teller, ...]
    also: tuple[int, ...] = ()


def seen_in_sheet(lines: Lines, text: str, path: str, notation: str) -> list[tuple[int, Seen]] | None:
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
    at, cards, head = _columns(lines, rows)
    seen: list[tuple[int, Seen]] = []
    for place, row in enumerate(rows):
        if place < at and not _comment(row):
            seen.append((row.number, _above(lines, row)))
        elif place == at and head is not None:
            seen.append((row.number, head))
        else:
            seen.append((row.number, _seen(lines, row, cards)))
    return seen


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


def _comment(row: _Row) -> bool:
    return row.raw.lstrip().startswith(("#", "//"))


_MOST_ABOVE = 5


def _columns(lines: Lines, rows: Sequence[_Row]) -> tuple[int, list[_Columns], Seen | None]:
    """The first row that counts, which columns hold the cards of a row, and what to say of that row if it is a head."""
    words = lines.words
    top = [place for place, row in enumerate(rows[:_TRIED]) if not _comment(row)][:_MOST_ABOVE]
    for place in top:
        head = rows[place].cells
        cells = [Cell(column_role(words, shape_of(cell).strip()), text=cell.strip()) for cell in head]
        roles = [cell.holds for cell in cells]
        if "name" in roles and sum(bool(cell.text) for cell in cells) > 1:
            name = roles.index("name")
            below = [
                row
                for row in rows[place + 1 :]
                if not _comment(row) and _heading(lines, row) is None and len(row.cells) > name
            ]
            known = with_counts(words, tuple(cells), [_numbers(words, row, len(cells)) for row in below])
            found = _under(words, tuple(known or cells), below)
            counts = found[0].counts
            said = COMMENT
            if counts is None and not all(_counted(lines, row.cells[name]) for row in below):
                raw = rows[place].raw
                said = Seen("invalid", raw.strip(), why=NO_COUNTS)
            return place, found, said
        if any(map(lines.reader.name, head)):
            break
    at = top[0] if top else 0
    cards = [
        row
        for row in rows[at : at + _TRIED]
        if not _comment(row) and (_heading(lines, row) is None or any(map(lines.reader.name, row.cells)))
    ]
    if not cards:
        return at, [_Columns(0, None, ())], None
    whole = _guessed(lines, cards)
    named = [any(map(lines.reader.name, row.cells)) for row in cards]
    if whole.counts is None and not named[0] and any(named) and cards[0] is rows[at]:
        # A head that nobody understands stands over numbers all the same.
        rest = _guessed(lines, cards[1:], cards[0].cells)
        if rest.counts is not None:
            return at, [rest], COMMENT
    return at, [whole], None


def _under(words: Vocabulary, head: Sequence[Cell], below: Sequence[_Row]) -> list[_Columns]:
    """The columns that a head names: those of one card, or of several beside one another with a count for each."""
    names = [at for at, cell in enumerate(head) if cell.holds == "name"]
    counts = [at for at, cell in enumerate(head) if cell.holds == "count"]
    also: tuple[int, ...] = ()
    if len(counts) != len(names):
        names, counts, also = names[:1], counts[:1], tuple(names[1:])
    columns = [{row.cells[at] for row in below if at < len(row.cells)} for at in range(len(head))]
    tellers = tellers_of(words, [cell.text for cell in head], columns, names, counts)
    return [
        _Columns(
            name,
            counts[place] if counts else None,
            tuple(one for one in tellers if one.of in (None, place)),
            also,
        )
        for place, name in enumerate(names)
    ]


def _numbers(words: Vocabulary, row: _Row, width: int) -> tuple[Cell, ...]:
    found = [number_of(words, shape_of(cell).strip()) for cell in row.cells[:width]]
    return tuple(Cell("text") if number is None else Cell("number", number) for number in found)


def _counted(lines: Lines, cell: str) -> bool:
    """Whether a name's cell holds a count of its own."""
    shape = shape_of(cell)
    found = lines.reader.exactly(cell, shape, 0, len(shape))
    return found is not None and found.copies is not None


def _above(lines: Lines, row: _Row) -> Seen:
    """A row over the head: the deck's name, unless it names a card."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    if any(map(lines.reader.name, row.cells)):
        return Seen("invalid", row.raw.strip(), why=NOT_READ)
    return Seen("title", filled[-1] if filled else "")


def _guessed(lines: Lines, rows: Sequence[_Row], head: Sequence[str] = ()) -> _Columns:
    """The columns of rows whose head, if there is one, names none of them."""
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
    known = [sum(bool(lines.reader.name(cell)) for cell in column) for column in filled] or [0]
    name = max(left, key=lambda at: (known[at], sum(map(len, filled[at]))))
    # Where cards stand in two columns, the others must not get lost.
    also = tuple(at for at in left if at != name and known[at] and 2 * known[at] >= len(filled[at]))
    counts = count_column(
        [
            [number_of(words, shape_of(cell)) for cell in filled[at]] if at in numbers else []
            for at in range(width)
        ]
    )
    heads = [head[at].strip() if at < len(head) else "" for at in range(width)]
    told = tellers_of(words, heads, cells, [name], [] if counts is None else [counts])
    sure = [Teller(at, heads[at], "zone") for at in zones]
    return _Columns(name, counts, (*sure, *(one for one in told if one.at not in zones)), also)


def _heading(lines: Lines, row: _Row) -> Seen | None:
    """The row as a heading or a sum, None for a card's row."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    written = " ".join(filled)
    heading = heading_of(lines.words, shape_of(written)) if len(filled) < 3 else None
    return None if heading is None else section_of(heading, written, 0)


def _seen(lines: Lines, row: _Row, cards: Sequence[_Columns]) -> Seen:
    raw = row.raw
    if _comment(row):
        return lines.classify(raw) if header_line(raw) else Seen("comment")
    section = _heading(lines, row)
    if section is not None and not lines.reader.name(_cell(row, cards[0].name)):
        return section
    filled = [columns for columns in cards if len(cards) == 1 or _cell(row, columns.name).strip()]
    if len(filled) == 1:
        return _card(lines, row, filled[0], cards)
    more = tuple(_card(lines, row, columns, cards) for columns in filled)
    return Seen("several", raw.strip(), more=more) if more else invalid(raw, NOT_READ)


def _cell(row: _Row, place: int) -> str:
    return row.cells[place] if place < len(row.cells) else ""


def _card(lines: Lines, row: _Row, columns: _Columns, every: Sequence[_Columns]) -> Seen:
    words, bare = lines.words, row.raw.strip()
    cell = _cell(row, columns.name)
    if not cell.strip():
        return Seen("invalid", bare, why=NOT_READ)
    copies: int | None = None
    if columns.counts is not None:
        copies = number_of(words, shape_of(_cell(row, columns.counts).strip()))
        if copies is None:
            return Seen("invalid", bare, column=_column(row, columns.counts), why=BAD_COUNT)
    seen = entry_in(lines, cell, copies, _column(row, columns.name))
    others = [lines.reader.name(_cell(row, at)) for at in columns.also]
    if any(cards and seen.cards and not set(cards) & set(seen.cards) for cards in others):
        return invalid(row.raw, _TWO_CARDS)
    if _second_card(lines, row, every, seen):
        return invalid(row.raw, _TWO_CARDS)
    return told_beside(words, lines.reader.name, seen, columns.tellers, row.cells)


def _second_card(lines: Lines, row: _Row, every: Sequence[_Columns], seen: Seen) -> bool:
    """Whether another card stands in the row, with a number of its own beside it, in columns that nobody asked for."""
    if len(row.cells) < 4 or not seen.cards:
        return False
    read = {place for columns in every for place in (columns.name, columns.counts)}
    numbers = {
        at
        for at, cell in enumerate(row.cells)
        if at not in read and 0 < (number_of(lines.words, shape_of(cell).strip()) or 0) <= MOST_COPIES
    }
    others = (at for at, cell in enumerate(row.cells) if at not in read and {at - 1, at + 1} & numbers)
    return any(
        cards and not set(cards) & set(seen.cards)
        for cards in (lines.reader.name(row.cells[at]) for at in others if row.cells[at].strip())
    )


def _column(row: _Row, place: int) -> int:
    """Where a cell begins in its line, 1-based; behind its quote."""
    at = 0
    for cell in row.cells[:place]:
        at = max(row.raw.find(cell, at), at) + len(cell) + 1
    return max(row.raw.find(_cell(row, place), at), 0) + 1
