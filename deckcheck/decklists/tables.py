"""Rows of tables that were flattened into text: `4 | name | cost | 3 | name | cost`."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.reading import Read, Reader, Reading
from deckcheck.decklists.shapes import trim
from deckcheck.decklists.vocabulary import Vocabulary, is_label

MOST_CELLS = 64

Holds = Literal["number", "card", "fact", "text", "empty", "count", "name", "zone", "other"]


class Cell(NamedTuple):
    """A cell of a row, and what it holds; in a head, what its column holds."""

    holds: Holds
    number: int = 0
    reading: Reading | None = None
    text: str = ""


_BAR = r"\t|(?:(?<=[ \t])|^)\|(?=[ \t]|$)"
_TIGHT = r"[\t|]"


def _split(shape: str) -> list[tuple[int, int]]:
    start, end = trim(shape, 0, len(shape))
    pattern = compiled(_BAR if compiled(_BAR).search(shape, start, end) else _TIGHT)
    places: list[tuple[int, int]] = []
    at = start
    for found in pattern.finditer(shape, start, end):
        places.append(trim(shape, at, found.start()))
        at = found.end()
    places.append(trim(shape, at, end))
    # A row may be fenced with bars.
    if places and places[0][0] >= places[0][1]:
        places = places[1:]
    if places and places[-1][0] >= places[-1][1]:
        places = places[:-1]
    return places


def head_of(words: Vocabulary, shape: str) -> tuple[Cell, ...] | None:
    """What the columns under this line hold; None where it is no table's head."""
    places = _split(shape)
    if not 2 <= len(places) <= MOST_CELLS:
        return None
    cells = [Cell(column_role(words, shape[first:last])) for first, last in places]
    roles = {cell.holds for cell in cells}
    return tuple(cells) if "name" in roles or {"count", "zone"} <= roles else None


def column_role(words: Vocabulary, head: str) -> Holds:
    """What the column under `head` holds."""
    role = words.columns.get(words.fold(head)) if len(head) < 40 else None
    return "count" if role == "count" else "name" if role == "name" else "zone" if role == "zone" else "other"


def cells_of(words: Vocabulary, reader: Reader, line: str, shape: str) -> tuple[Cell, ...] | None:
    """The cells of a row; None where there are too many."""
    places = _split(shape)
    if len(places) > MOST_CELLS:
        return None
    cells: list[Cell] = []
    at = 0
    # Beside a number in a cell of its own, the digits of a name are the name's.
    numbers = any(number_of(words, shape[first:last]) is not None for first, last in places)
    reads = (reader.named, reader.exactly, reader.known) if numbers else (reader.exactly, reader.known)
    while at < len(places):
        first, last = places[at]
        cell, size = _cell(words, reader, reads, line, shape, first, last), 1
        if cell.holds in ("text", "empty"):
            # A name may hold the very bars.
            for more in range(min(3, len(places) - at), 1, -1):
                whole = reader.exactly(
                    line, shape, first, max(places[at + more - 1][1], places[at + more - 1][0])
                )
                if whole is not None and whole.cards and "|" in whole.written:
                    cell, size = Cell("card", 0, whole, whole.written), more
                    break
        cells.append(cell)
        at += size
    return tuple(cells)


def number_of(words: Vocabulary, shape: str) -> int | None:
    """The count that a cell holds alone (`4`, `x4`, `4枚`); None for any other cell."""
    found = words.counts.alone.fullmatch(shape)
    return (int(found["n"]) if len(found["n"]) < 9 else 10**9) if found else None


def _cell(
    words: Vocabulary, reader: Reader, reads: Sequence[Read], line: str, shape: str, first: int, last: int
) -> Cell:
    if first >= last:
        return Cell("empty")
    text = shape[first:last]
    number = number_of(words, text)
    if number is not None:
        return Cell("number", number, None, line[first:last])
    found = next(filter(None, (read(line, shape, first, last) for read in reads)), None)
    if found is not None:
        return Cell("card", 0, found, line[first:last])
    if not any(char.isalnum() for char in text):
        return Cell("empty", 0, None, line[first:last])
    if len(text) < 40 and is_label(words, words.fold(text), words.facts):
        return Cell("fact", 0, None, line[first:last])
    return Cell("text", 0, reader.guess(line, shape, first, last), line[first:last])


class Row(NamedTuple):
    """An entry of a row: its reading, the count from the cell beside it, the zone from another."""

    reading: Reading
    copies: int | None
    zone: str | None


def name_columns(rows: Sequence[tuple[Cell, ...]]) -> frozenset[int]:
    """The columns in which known cards stand."""
    return frozenset(at for row in rows for at, cell in enumerate(row) if cell.holds == "card")


def rows_under(head: tuple[Cell, ...], row: tuple[Cell, ...]) -> list[Row]:
    """The entries of a row under a head that says what each column holds."""
    of: dict[str, list[int]] = {"name": [], "count": [], "zone": []}
    for at, cell in enumerate(head):
        if cell.holds in of:
            of[cell.holds].append(at)
    found: list[Row] = []
    for place, at in enumerate(of["name"]):
        reading = row[at].reading if at < len(row) else None
        if reading is None:
            continue
        counts = of["count"][place : place + 1]
        beside = row[counts[0]] if counts and counts[0] < len(row) else None
        zones = of["zone"][place : place + 1]
        zone = row[zones[0]].text if zones and zones[0] < len(row) else None
        found.append(
            Row(reading, beside.number if beside and beside.holds == "number" else None, zone or None)
        )
    return found


def rows_of(row: tuple[Cell, ...], names: frozenset[int]) -> list[Row]:
    """The entries of a row without a head; `names` are the columns that hold cards elsewhere.

    The count stands before the name where the first name has a number before
    it, else behind.
    """
    places = [
        at
        for at, cell in enumerate(row)
        if cell.reading is not None
        and (cell.holds == "card" or (cell.holds == "text" and (not names or at in names)))
    ]
    if not places:
        places = [at for at, cell in enumerate(row) if cell.reading is not None][:1]
    if not places:
        return []
    step = -1 if places[0] > 0 and row[places[0] - 1].holds == "number" else 1
    found: list[Row] = []
    for at in places:
        beside = row[at + step] if 0 <= at + step < len(row) else None
        reading = row[at].reading
        if reading is not None:
            found.append(Row(reading, beside.number if beside and beside.holds == "number" else None, None))
    return found
