"""Rows of tables that were flattened into text: `4 | name | cost | 3 | name | cost`."""

from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.decklists.columns import ZoneColumn, zone_columns
from deckcheck.decklists.lexer import PRICE, compiled, trim
from deckcheck.decklists.line import BAD_COUNT, Cell, Holds
from deckcheck.decklists.parser import Parser, Reading, left_over
from deckcheck.decklists.vocabulary import Vocabulary, is_label

MOST_CELLS = 64
_MOST_GUESSED = 16
"""A row with more cells, none of which holds a known name, is no card's."""

_BAR = r"\t|(?:(?<=[ \t])|^)\|(?=[ \t]|$)"
_TIGHT = r"[\t|]"


def _split(shape: str) -> list[tuple[int, int]]:
    start, end = trim(shape, 0, len(shape))
    # A row may be fenced with bars: between two of them these part cells without a blank, too.
    fenced = end - start > 2 and shape[start] == "|" == shape[end - 1]
    if fenced:
        start, end = trim(shape, start + 1, end - 1)
    pattern = compiled(_BAR if compiled(_BAR).search(shape, start, end) else _TIGHT)
    places: list[tuple[int, int]] = []
    at = start
    for found in pattern.finditer(shape, start, end):
        places.append(trim(shape, at, found.start()))
        at = found.end()
    places.append(trim(shape, at, end))
    if not fenced and places and places[0][0] >= places[0][1]:
        places = places[1:]
    if not fenced and places and places[-1][0] >= places[-1][1]:
        places = places[:-1]
    return places


def head_of(words: Vocabulary, shape: str) -> tuple[Cell, ...] | None:
    """What the columns under this line hold; None where it is no table's head."""
    places = _split(shape)
    if not 2 <= len(places) <= MOST_CELLS:
        return None
    cells = [Cell(column_role(words, shape[first:last]), text=shape[first:last]) for first, last in places]
    roles = {cell.holds for cell in cells}
    return tuple(cells) if "name" in roles or {"count", "zone"} <= roles else None


def column_role(words: Vocabulary, head: str) -> Holds:
    """What the column under `head` holds."""
    folded = words.fold(head) if len(head) < 40 else ""
    # "name 2" heads a second column of names.
    role = words.columns.get(folded) or words.columns.get(folded.rstrip("23456789"))
    return "count" if role == "count" else "name" if role == "name" else "zone" if role == "zone" else "other"


def cells_of(words: Vocabulary, parser: Parser, line: str, shape: str) -> tuple[Cell, ...] | None:
    """The cells of a row; None where there are too many."""
    places = _split(shape)
    if len(places) > MOST_CELLS:
        return None
    cells: list[Cell] = []
    at = 0
    # Beside a number in a cell of its own, the digits of a name are the name's.
    counted = any(number_of(words, shape[first:last]) is not None for first, last in places)
    guess = len(places) <= _MOST_GUESSED
    while at < len(places):
        first, last = places[at]
        cell, size = _cell(words, parser, line, shape, first, last, counted=counted, guessed=guess), 1
        if cell.holds in ("text", "empty"):
            # A name may hold the very bars.
            for more in range(min(3, len(places) - at), 1, -1):
                whole = parser.exactly(
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
    found = compiled(words.patterns.alone).fullmatch(shape)
    return (int(found["n"]) if len(found["n"]) < 9 else 10**9) if found else None


def _cell(
    words: Vocabulary,
    parser: Parser,
    line: str,
    shape: str,
    first: int,
    last: int,
    *,
    counted: bool,
    guessed: bool,
) -> Cell:
    if first >= last:
        return Cell("empty")
    text = shape[first:last]
    number = number_of(words, text)
    if number is not None:
        return Cell("number", number, None, line[first:last])
    found = parser.single(line, shape, first, last, counted=counted)
    if found is not None:
        return Cell("card", 0, found, line[first:last])
    if compiled(PRICE).fullmatch(text):
        return Cell("fact", 0, None, line[first:last])
    if not any(char.isalnum() for char in text):
        return Cell("empty", 0, None, line[first:last])
    if len(text) < 40 and is_label(words, words.fold(text), words.facts):
        return Cell("fact", 0, None, line[first:last])
    guess = parser.guess(line, shape, first, last) if guessed else None
    # With a number beside it a card's name is more than a remark.
    counts = guess is not None and (guess.copies is not None or any(map(str.isdigit, text)))
    if (
        guess is not None
        and counts
        and any(token.kind == "name" for token in parser.lexer.tokens(line, shape, first, last))
    ):
        return Cell("card", 0, guess._replace(trouble=left_over([line[first:last]])), line[first:last])
    return Cell("text", 0, guess, line[first:last])


class Row(NamedTuple):
    """An entry of a row: its reading and the count from the cell beside it.

    `most` is given where more than one number could be the count. `place` says
    which of the columns of names it stands in, counted from 0.
    """

    reading: Reading
    copies: int | None
    most: int | None
    place: int = 0


def name_columns(rows: Sequence[tuple[Cell, ...]]) -> frozenset[int]:
    """The columns in which known cards stand."""
    return frozenset(at for row in rows for at, cell in enumerate(row) if cell.holds == "card")


def rows_under(head: tuple[Cell, ...], row: tuple[Cell, ...]) -> list[Row]:
    """The entries of a row under a head that says what each column holds."""
    of: dict[str, list[int]] = {"name": [], "count": []}
    for at, cell in enumerate(head):
        if cell.holds in of:
            of[cell.holds].append(at)
    found: list[Row] = []
    # Beside one count, a second name is the same card's.
    names = of["name"] if len(of["count"]) != 1 else of["name"][:1]
    for place, at in enumerate(names):
        shift = _lost_cells(head, row, at) if len(names) == 1 else 0
        at += shift
        reading = row[at].reading if at < len(row) else None
        if reading is None:
            continue
        counts = [count + shift * (count > at) for count in of["count"][place : place + 1]]
        beside = row[counts[0]] if counts and counts[0] < len(row) else None
        number = beside.number if beside is not None and beside.holds == "number" else None
        if number is None and beside is not None and beside.holds != "empty" and reading.trouble is None:
            reading = reading._replace(trouble=BAD_COUNT)
        found.append(Row(reading, number, None, place))
    return found


def _lost_cells(head: Sequence[Cell], row: Sequence[Cell], name: int) -> int:
    """How far the only card of a row that lost cells stands from its column; 0 where it stands there."""
    cards = [at for at, cell in enumerate(row) if cell.holds == "card"]
    lost = len(cards) == 1 and len(row) < len(head) and cards[0] < name and row[name].holds != "card"
    # A cell that was lost before the count would have moved it, too.
    counted = any(cell.holds == "count" and at == 0 for at, cell in enumerate(head))
    return cards[0] - name if lost and counted else 0


def zone_columns_under(
    words: Vocabulary, head: Sequence[Cell], rows: Sequence[tuple[Cell, ...]]
) -> tuple[ZoneColumn, ...]:
    """The columns under a head that may tell the zone of the cards in its rows."""
    columns = [{row[at].text for row in rows if at < len(row)} for at in range(len(head))]
    names = [at for at, cell in enumerate(head) if cell.holds == "name"]
    counts = [at for at, cell in enumerate(head) if cell.holds == "count"]
    return zone_columns(words, [cell.text for cell in head], columns, names, counts)


def with_counts(
    words: Vocabulary, head: tuple[Cell, ...], rows: Sequence[tuple[Cell, ...]]
) -> tuple[Cell, ...] | None:
    """The head with a column of counts: the one it names, else the only one that can be; None where none can."""
    if any(cell.holds == "count" for cell in head):
        return head
    columns = [[row[at] for row in rows if at < len(row)] for at in range(len(head))]
    at = count_column(
        [
            [cell.number if cell.holds == "number" else None for cell in column]
            if is_open(words, cell)
            else []
            for cell, column in zip(head, columns, strict=True)
        ]
    )
    return None if at is None else (*head[:at], head[at]._replace(holds="count"), *head[at + 1 :])


def is_open(words: Vocabulary, cell: Cell) -> bool:
    """Whether nobody knows what the column under this head holds."""
    folded = words.fold(cell.text)
    known = words.columns.get(folded) == "other" or folded.strip("0123456789") in words.facts
    return cell.holds == "other" and not known


def count_column(columns: Sequence[Sequence[int | None]]) -> int | None:
    """Which column holds the counts: the only one of small numbers, or the only one as small as counts are."""
    small = [
        at
        for at, column in enumerate(columns)
        if column and all(number is not None and 0 < number <= _MOST_LIKELY for number in column)
    ]
    usual = [at for at in small if all((number or 0) <= _USUAL for number in columns[at])]
    return small[0] if len(small) == 1 else usual[0] if len(usual) == 1 else None


_MOST_LIKELY = 99
_USUAL = 4
"""Few games allow more copies of a card, and other columns (costs, power) go further."""
_ENOUGH = 3
"""So many rows make a pattern."""


def _places(row: tuple[Cell, ...], names: frozenset[int]) -> list[int]:
    places = [
        at
        for at, cell in enumerate(row)
        if cell.reading is not None
        and (cell.holds == "card" or (cell.holds == "text" and (not names or at in names)))
    ]
    return places or [at for at, cell in enumerate(row) if cell.reading is not None][:1]


def count_offset(rows: Sequence[tuple[Cell, ...]], names: frozenset[int]) -> int | None:
    """How far from a name its count stands in a table without a head; None where that isn't certain.

    It stands at the only distance at which every name has a number, or at the
    only one where all of them are as small as counts are. Of several of those
    it is the one right before the names, where people put it, if it makes a
    round sum.
    """
    found: dict[int, list[int]] = {}
    total = 0
    for row in rows:
        places = _places(row, names)
        total += len(places)
        for place, at in enumerate(places):
            first = places[place - 1] + 1 if place else 0
            last = places[place + 1] if place + 1 < len(places) else len(row)
            for other in range(first, last):
                if row[other].holds == "number":
                    found.setdefault(other - at, []).append(row[other].number)
    full = {step: numbers for step, numbers in found.items() if len(numbers) == total}
    if len(found) == 1 and full:
        step = next(iter(full))
        return step if abs(step) == 1 or (total >= _ENOUGH and max(full[step]) <= _USUAL) else None
    # A number beside each name and only there: what stands elsewhere is missing for some.
    beside = [step for step in full if abs(step) == 1]
    usual = [step for step, numbers in full.items() if max(numbers) <= _USUAL]
    if len(full) == 1 and beside and total > 1:
        return beside[0]
    if total < _ENOUGH:
        return None
    if len(usual) > 1:
        usual = [step for step in usual if step == -1 and sum(full[step]) % 10 == 0]
    return usual[0] if len(usual) == 1 else None


def rows_of(row: tuple[Cell, ...], names: frozenset[int], step: int | None) -> list[Row]:
    """The entries of a row without a head; `names` are the columns that hold cards elsewhere.

    `step` comes from count_offset; where it is None, every number that could be
    a name's count is one.
    """
    places = _places(row, names)
    found: list[Row] = []
    for place, at in enumerate(places):
        reading = row[at].reading
        if reading is None:
            continue
        if step is not None and 0 <= at + step < len(row) and row[at + step].holds == "number":
            found.append(Row(reading, row[at + step].number, None))
            continue
        first = places[place - 1] + 1 if place else 0
        last = places[place + 1] if place + 1 < len(places) else len(row)
        numbers = [row[other].number for other in range(first, last) if row[other].holds == "number"]
        beside = any(0 <= near < len(row) and row[near].holds == "number" for near in (at - 1, at + 1))
        if len(numbers) == 1 and not beside:
            # It may be anything, a count among others.
            numbers.append(1)
        unread = [
            cell.text
            for other, cell in enumerate(row)
            if cell.holds == "text"
            and other not in places
            and cell.reading
            and cell.reading.copies is not None
        ]
        if unread and not numbers:
            reading = reading._replace(trouble=left_over(unread))
        found.append(Row(reading, min(numbers, default=None), max(numbers, default=None)))
    return found
