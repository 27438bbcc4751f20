"""A card's row in a sheet, or its record in a tree: which cells hold its name and its count, and what the others say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader, entry_in
from deckcheck.decklists.columns import ZoneColumn, with_zone, zone_columns
from deckcheck.decklists.lexer import MOST_COPIES, compiled, shape_of
from deckcheck.decklists.line import BAD_COUNT, NOT_READ, Line, invalid
from deckcheck.decklists.tables import number_of
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Card
from deckcheck.support.messages import _

Place = Callable[[int], tuple[int, int]]
"""From a cell of a row to its line and column."""

_LONGEST_CARD = 200
# A number and a blank or a sign, ahead of a word or behind it.
_COUNTED = r"[0-9]{1,3}[x ].*[^\W\d_].*|.*[^\W\d_].*[x ][0-9]{1,3}"
_TWO_CARDS = _("one row names two cards")


class Columns(NamedTuple):
    """Where the name of one card in each row stands, and its count; what may tell its zone; what else may name it."""

    name: int
    counts: int | None
    zones: tuple[ZoneColumn, ...] = ()
    also: tuple[int, ...] = ()


def columns_of(
    reader: LineReader, heads: Sequence[str], roles: Sequence[str], rows: Sequence[Sequence[str]]
) -> list[Columns]:
    """The columns of one card, or of several beside one another with a count for each.

    `roles` are "name", "count", "zone" or anything else. Of several names beside one count, the first column
    with known cards is read.
    """
    names, counts, zones = (
        [at for at, role in enumerate(roles) if role == wanted] for wanted in ("name", "count", "zone")
    )
    columns = [[row[at] for row in rows if at < len(row)] for at in range(len(heads))]
    also: tuple[int, ...] = ()
    if len(counts) != len(names):
        named = (at for at in names if any(map(reader.parser.name, columns[at])))
        name = next(named, names[0]) if counts and len(names) > 1 else names[0]
        also = tuple(at for at in names if at != name)
        names, counts = [name], counts[:1]
    found = zone_columns(reader.words, heads, columns, names, counts, zones)
    return [
        Columns(
            name,
            counts[place] if counts else None,
            tuple(one for one in found if one.of in (None, place)),
            also,
        )
        for place, name in enumerate(names)
    ]


def cell_at(row: Sequence[str], at: int) -> str:
    """A cell of a row; "" where the row ends before it."""
    return row[at] if at < len(row) else ""


def count_in(words: Vocabulary, cell: str) -> int | None:
    """The count that a cell holds alone, None for any other cell."""
    return number_of(words, shape_of(cell).strip())


def entries_of(
    reader: LineReader, row: Sequence[str], cards: Sequence[Columns], written: str, place: Place
) -> list[tuple[int, Line]]:
    """The entries of a row, with lines; `written` is shown where one can't be read."""
    filled = [columns for columns in cards if len(cards) == 1 or cell_at(row, columns.name).strip()]
    read = {at for columns in cards for at in (columns.name, columns.counts)}
    return [_entry(reader, row, columns, read, written, place) for columns in filled]


def _entry(
    reader: LineReader,
    row: Sequence[str],
    columns: Columns,
    read: Collection[int | None],
    written: str,
    place: Place,
) -> tuple[int, Line]:
    name, counts = cell_at(row, columns.name), columns.counts
    line, column = place(columns.name)
    if not name.strip():
        return line, invalid(written, NOT_READ)
    copies = None if counts is None else count_in(reader.words, cell_at(row, counts))
    if counts is not None and copies is None:
        line, column = place(counts)
        return line, invalid(written, BAD_COUNT, column)
    entry = entry_in(reader, name, copies, column)
    if entry.cards and _names_another(reader, row, columns, read, entry):
        return line, invalid(written, _TWO_CARDS)
    return line, with_zone(reader.words, reader.parser.name, entry, columns.zones, row)


def _names_another(
    reader: LineReader, row: Sequence[str], columns: Columns, read: Collection[int | None], entry: Line
) -> bool:
    """Whether a cell that isn't read holds another card, with a number in it or beside it or in a column of names."""
    rest = [at for at, cell in enumerate(row) if at not in read and cell.strip()]
    if not rest:
        return False
    numbers = {at for at in rest if 0 < (count_in(reader.words, row[at]) or 0) <= MOST_COPIES}
    for at in rest:
        cell = row[at]
        cards: tuple[Card, ...] = ()
        if at in columns.also or not numbers.isdisjoint((at - 1, at + 1)):
            cards = reader.parser.name(cell)
        shape = shape_of(cell) if len(cell) <= _LONGEST_CARD else ""
        if not cards and compiled(_COUNTED).fullmatch(shape):
            reading = reader.parser.exactly(cell, shape, 0, len(shape))
            cards = reading.cards if reading is not None and reading.copies is not None else ()
        if cards and set(cards).isdisjoint(entry.cards):
            return True
    return False
