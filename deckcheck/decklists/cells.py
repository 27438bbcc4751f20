"""A card that stands in a cell of a sheet or in a scalar of a tree, with its count beside it."""

from __future__ import annotations

from deckcheck.decklists.leftovers import two_numbers
from deckcheck.decklists.lines import Lines, entry_of
from deckcheck.decklists.seen import NOT_READ, Seen
from deckcheck.decklists.several import SEVERAL, may_be_several
from deckcheck.decklists.shapes import shape_of


def entry_in(lines: Lines, cell: str, copies: int | None, column: int) -> Seen:
    """The entry that a cell or a scalar holds; `copies` is the count beside it, None for one within."""
    shape = shape_of(cell)
    reader, span = lines.reader, (cell, shape, 0, len(shape))
    if copies is not None:
        found = reader.named(*span)
        other = None if found is not None else reader.exactly(*span) or reader.known(*span)
        if other is not None and other.copies not in (None, copies):
            other = other._replace(trouble=two_numbers((copies, other.copies or 0)))
        found = found or other or reader.guess(*span)
        found = found and found._replace(copies=copies, most=copies)
    else:
        found = reader.exactly(*span) or reader.known(*span) or reader.guess(*span)
    if found is not None and not found.cards and may_be_several(lines.words, reader, *span):
        return Seen("invalid", cell.strip(), column=column, why=SEVERAL)
    if found is None:
        return Seen("invalid", cell.strip(), column=column, why=NOT_READ)
    seen = entry_of(lines.words, found)
    return seen._replace(column=seen.column - 1 + column)
