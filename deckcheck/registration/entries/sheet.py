"""The rows of a CSV or TSV export."""

import csv
import io
from collections.abc import Iterator

from deckcheck.decklists.decode import decode
from deckcheck.registration.entries.rows import MOST_COLUMNS, MOST_ROWS, Line, plain_head
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import _

MOST_CELLS = 4_000_000
_DELIMITERS = ",\t;"


def rows_of_text(data: bytes, shown: str, wanted: frozenset[str]) -> list[Line]:
    """The rows of a sheet that hold anything, its head first; [] for an empty one.

    The encoding is told from the bytes, the delimiter from the head, which is
    to hold the `wanted` heads. Raises UserError, which never shows what stands
    in the sheet, where it can't be read.
    """
    text = decode(data, shown)
    # The limit is one of the whole process.
    before = csv.field_size_limit(max(len(text), 1))
    try:
        return _rows(text, _delimiter(text, shown, wanted), shown)
    finally:
        csv.field_size_limit(before)


def _rows(text: str, delimiter: str, shown: str) -> list[Line]:
    if text.count(delimiter) > MOST_CELLS:
        raise wrong(_("too many cells"), path=shown)
    rows: list[Line] = []
    for row in _filled(text, delimiter, shown):
        if not rows and len(row.cells) > MOST_COLUMNS:
            raise wrong(
                _("too many columns (at most {most_columns:,})", most_columns=MOST_COLUMNS), path=shown
            )
        if len(rows) > MOST_ROWS:
            raise too_many_rows(shown)
        rows.append(row)
    return rows


def too_many_rows(shown: str) -> UserError:
    """The user's mistake of giving a sheet that can't be one of an event."""
    return wrong(_("too many rows (at most {most_rows:,})", most_rows=MOST_ROWS), path=shown)


def _filled(text: str, delimiter: str, shown: str) -> Iterator[Line]:
    """The rows that are not empty."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell and not cell.isspace() for cell in cells):
                yield Line(line, cells)
            line = reader.line_num + 1
    except csv.Error:
        # The cause would be shown with it, and the line is about a player.
        raise wrong(
            _("not readable as CSV: a quote is not closed, or something stands behind it"),
            path=shown,
            line=line,
        ) from None


def _delimiter(text: str, shown: str, wanted: frozenset[str]) -> str:
    """The one that makes the most of the head."""
    best, most = _DELIMITERS[0], (-1, -1)
    for delimiter in _DELIMITERS:
        try:
            head = next(_filled(text, delimiter, shown), None)
        except UserError:
            continue
        cells = [plain_head(cell) for cell in head.cells] if head is not None else []
        found = (len(wanted.intersection(cells)), len(cells))
        if found > most:
            best, most = delimiter, found
    return best
