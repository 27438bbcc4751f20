"""Reads the rows of tables in any notation: the cells of cards and counts, and each row's entries."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.decklists.classify import LineReader, entry_in
from deckcheck.decklists.column_heads import (
    Role,
    ZoneColumn,
    count_in,
    roles_of,
    with_zone,
    zone_columns,
    zone_of_head,
)
from deckcheck.decklists.lexer import KANJI, MOST_COPIES, PRICE, compiled, shape_of
from deckcheck.decklists.line import (
    LEAST_ROWS,
    MOST_LIKELY,
    NOT_READ,
    USUAL,
    Line,
    bad_count,
    invalid,
    several,
)
from deckcheck.decklists.parser import TALLY, left_over
from deckcheck.decklists.vocabulary import Vocabulary, is_label
from deckcheck.model.card import Card
from deckcheck.support.messages import _

Place = Callable[[int], tuple[int, int]]
"""Maps the index of a cell to its line and column."""

_MOST = 0.75
"""The share of the rows that shows what the others lack."""
_ROUND = 10
_LONGEST_CARD = 200
_LONGEST_FACT = 40
# A number, with a blank or a sign, before or after a word.
_COUNTED = r"[0-9]{1,3}[x ].*[^\W\d_].*|.*[^\W\d_].*[x ][0-9]{1,3}"
_TWO_CARDS = _("one row names two cards")


class Columns(NamedTuple):
    """The columns of one card in a row: its name, possible counts, zone columns and other names.

    `unsure`: the number may not be a count. `zone` is the zone in the head of the name or count.
    """

    name: int
    counts: tuple[int, ...] = ()
    zones: tuple[ZoneColumn, ...] = ()
    other_names: tuple[int, ...] = ()
    zone: str | None = None
    unsure: bool = False


class Table(NamedTuple):
    """How to read the rows of a table.

    With a head, `columns` are those of each row, which may lack some of its `width` cells. Without one,
    `names` are the columns with known cards, and each count is `step` cells after its name (negative:
    before); if that isn't certain, `step` is None and any number in the columns `numbers` may be a count.
    `counted` is false if the counts can't be found. `grid`: every cell is one copy of its card.
    """

    columns: tuple[Columns, ...] = ()
    width: int = 0
    names: frozenset[int] = frozenset()
    step: int | None = None
    zones: tuple[ZoneColumn, ...] = ()
    counted: bool = True
    numbers: frozenset[int] = frozenset()
    grid: bool = False


def cell_at(row: Sequence[str], at: int) -> str:
    """A cell of a row; "" after its end."""
    return row[at] if at < len(row) else ""


# Tables with a head.


def table_with_head(reader: LineReader, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """How to read rows under a head; the column of a zone holds its cards, or the counts of a card in it."""
    words = reader.words
    heads = [cell.strip() for cell in head]
    heads += [""] * (max(map(len, rows), default=0) - len(heads))
    roles = roles_of(words, heads)
    of_zones = {at: zone for at, text in enumerate(heads) if (zone := zone_of_head(words, text)) is not None}
    below = {at: [cell for row in rows if (cell := cell_at(row, at)).strip()] for at in range(len(heads))}
    if "name" not in roles:
        of_zones = _card_columns(reader, heads, of_zones, below)
        roles = ["name" if at in of_zones else role for at, role in enumerate(roles)]
        if not of_zones:
            return Table()
        if "count" not in roles:
            counts_at = _count_columns(words, heads, of_zones, below)
            roles = ["count" if at in counts_at else role for at, role in enumerate(roles)]
            heads = ["" if at in counts_at else text for at, text in enumerate(heads)]
    elif "count" not in roles:
        counts = {at: [count_in(words, cell) for cell in below[at]] for at in of_zones}
        of_zones = {at: zone for at, zone in of_zones.items() if 2 * counts[at].count(None) < len(counts[at])}
        if len(of_zones) > 1:
            others = ["" if at in of_zones else text for at, text in enumerate(heads)]
            card = columns_of(reader, others, roles, rows)[0]
            columns = [card._replace(counts=(at,), zone=zone) for at, zone in of_zones.items()]
            return Table(tuple(columns), len(heads))
        numbers = [[count_in(words, cell_at(row, at)) for row in rows] for at in range(len(heads))]
        is_open = [_may_head_counts(words, text, role) for text, role in zip(heads, roles, strict=True)]
        likely = count_column([column if is_open[at] else [] for at, column in enumerate(numbers)])
        roles = ["count" if at == likely else role for at, role in enumerate(roles)]
        of_zones = {}
        if likely is None and roles.count("name") > 1 and (grid := table_without_head(reader, rows)).grid:
            return grid
    cards = columns_of(reader, heads, roles, rows)
    columns = [card._replace(zone=of_zones.get(card.name)) for card in cards]
    counted = bool(columns[0].counts) or all(
        _holds_count(reader, cell) for card in columns for cell in below[card.name]
    )
    return Table(tuple(columns), len(heads), counted=counted)


def _card_columns(
    reader: LineReader, heads: Sequence[str], of_zones: Mapping[int, str], below: Mapping[int, Sequence[str]]
) -> dict[int, str]:
    """The columns of names with their zones: under the zone's head, or right of the counts under it."""
    names: dict[int, str] = {}
    for at, zone in of_zones.items():
        has_next = at + 1 < len(heads) and not heads[at + 1]
        for column in (at, at + 1) if has_next else (at,):
            if any(_is_card(reader, cell) for cell in below[column]):
                names[column] = zone
                break
    return names


def _count_columns(
    words: Vocabulary, heads: Sequence[str], names: Collection[int], below: Mapping[int, Sequence[str]]
) -> list[int]:
    """The columns of counts, all to the right or all to the left of their names; [] if that isn't certain."""
    candidates: list[list[int]] = []
    for step in (1, -1):
        columns = [at + step for at in names]
        free = all(
            at in below and at not in names and (not heads[at] or zone_of_head(words, heads[at]))
            for at in columns
        )
        if free and all(below[at] and all(count_in(words, cell) for cell in below[at]) for at in columns):
            candidates.append(columns)
    return candidates[0] if len(candidates) == 1 else []


def _may_head_counts(words: Vocabulary, head: str, role: Role) -> bool:
    """Whether the head is unknown, so that its column may hold counts."""
    folded = words.fold(head)
    return (
        role == "other"
        and words.columns.get(folded) != "other"
        and folded.strip("0123456789") not in words.facts
    )


def count_column(columns: Sequence[Sequence[int | None]]) -> int | None:
    """The column of counts: the only one with small numbers, or usual counts; None if it isn't certain."""
    small = [
        at
        for at, column in enumerate(columns)
        if column and all(0 < (number or 0) <= MOST_LIKELY for number in column)
    ]
    small = [at for at in small if not _are_row_numbers(columns[at])]
    usual = [at for at in small if max(number or 0 for number in columns[at]) <= USUAL]
    return small[0] if len(small) == 1 else usual[0] if len(usual) == 1 else None


def _are_row_numbers(numbers: Sequence[int | None]) -> bool:
    """Whether the numbers are those of the rows: 1, 2, 3 and so on."""
    return len(numbers) >= LEAST_ROWS and list(numbers) == list(range(1, len(numbers) + 1))


def _holds_count(reader: LineReader, cell: str) -> bool:
    """Whether a name's cell holds a count of its own; a name that isn't known may have one."""
    shape = shape_of(cell)
    reading = reader.parser.read_exact(cell, shape, 0, len(shape))
    return (
        compiled(_COUNTED).fullmatch(shape.strip()) is not None
        if reading is None
        else reading.copies is not None
    )


def columns_of(
    reader: LineReader, heads: Sequence[str], roles: Sequence[str], rows: Sequence[Sequence[str]]
) -> list[Columns]:
    """The columns of one card, or of several side by side with a count each.

    `roles` other than "name", "count" and "zone" are ignored. If several names share one count, the first
    column with known cards is read.
    """
    names, counts, zones = (
        [at for at, role in enumerate(roles) if role == wanted] for wanted in ("name", "count", "zone")
    )
    columns = [[cell_at(row, at) for row in rows] for at in range(len(heads))]
    other_names: tuple[int, ...] = ()
    of_zones = [at for at in names if zone_of_head(reader.words, heads[at]) is not None]
    if len(counts) != len(names) and not (of_zones and not counts):
        named = (at for at in names if any(map(reader.parser.name, columns[at])))
        name = next(named, names[0]) if len(names) > 1 else names[0]
        other_names = tuple(at for at in names if at != name)
        names = [name]
        # Columns under other heads may be numbers owned or wanted.
        counts = [at for at in counts if heads[at] == heads[counts[0]]]
    with_zones = zone_columns(reader.words, heads, columns, names, counts, zones)
    return [
        Columns(
            name,
            tuple(counts if len(names) == 1 else counts[place : place + 1]),
            tuple(column for column in with_zones if column.card in (None, place)),
            other_names,
        )
        for place, name in enumerate(names)
    ]


# Tables without a head.

Holds = Literal["number", "card", "zone", "fact", "text", "empty"]


class Cell(NamedTuple):
    """The contents of a cell without a head; `counted`: a card's cell has its count too."""

    holds: Holds
    number: int = 0
    cards: tuple[Card, ...] = ()
    counted: bool = False
    marked: bool = False


def cell_of(reader: LineReader, text: str) -> Cell:
    """The contents of a cell, classified on its own."""
    words, shape = reader.words, shape_of(text)
    number = count_in(words, text)
    if number is not None:
        return Cell("number", number, marked=not text.strip().isdecimal())
    reading = reader.parser.read_single(text, shape)
    if reading is not None:
        return Cell("card", 0, reading.cards, reading.copies is not None or reading.problem is not None)
    bare = shape.strip()
    if not any(map(str.isalnum, bare)):
        return Cell("empty")
    if zone_of_head(words, bare) is not None:
        return Cell("zone")
    if _names_card_and_number(reader, text):
        return Cell("card", counted=True)
    is_fact = len(bare) < _LONGEST_FACT and is_label(words, words.fold(bare), words.facts)
    return Cell("fact" if is_fact or compiled(PRICE).fullmatch(bare) else "text")


def _names_card_and_number(reader: LineReader, text: str) -> bool:
    """Whether a cell that can't be read as a card contains a known name and a number."""
    if len(text) > _LONGEST_CARD or not any(map(str.isdigit, text)):
        return False
    return any(token.kind == "name" for token in reader.parser.lexer.line_tokens(text))


def table_without_head(reader: LineReader, rows: Sequence[Sequence[str]], head: Sequence[str] = ()) -> Table:
    """How to read rows without a head, or under a `head` that names no column of cards."""
    words = reader.words
    cells = [[cell_of(reader, text) for text in row] for row in rows]
    names = frozenset(at for row in cells for at, cell in enumerate(row) if cell.holds == "card")
    width = max(map(len, rows), default=0)
    columns = [[cell_at(row, at).strip() for row in rows] for at in range(width)]
    of_zones = [
        at
        for at, column in enumerate(columns)
        if at not in names and any(column) and all(words.fold(text) in words.zones for text in column if text)
    ]
    with_cards = [row for row in cells if any(cell.holds == "card" for cell in row)]
    step = count_step(with_cards, names)
    heads = [cell_at(head, at).strip() for at in range(width)]
    counts = {name + step for name in names} if step is not None else set()
    zones = zone_columns(words, heads, columns, sorted(names), counts, of_zones)
    if len(names) > 1:
        # Cards side by side repeat the same columns.
        period = sorted(names)[1] - min(names)
        zones = tuple(column._replace(card=column.at // period) for column in zones)
    numbers = [
        [cell for row in cells if at < len(row) and (cell := row[at]).holds != "empty"] for at in range(width)
    ]
    return Table(
        names=names,
        step=step,
        zones=zones,
        numbers=frozenset(at for at in range(width) if _may_count(numbers[at])),
        grid=_is_grid(rows, cells),
    )


def _is_grid(texts: Sequence[Sequence[str]], rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether the rows hold several cards side by side, or one card more than twice, and no numbers."""
    if any(cell.holds == "number" or cell.counted for row in rows for cell in row):
        return False
    cards = [{cell.cards for cell in row if cell.cards} for row in rows]
    copies = [max(map(row.count, filter(str.strip, row)), default=0) for row in texts]
    several = sum(len(row) > 1 or number > 2 for row, number in zip(cards, copies, strict=True))
    return 2 * several >= len(cards)


def _may_count(column: Sequence[Cell]) -> bool:
    """Whether the numbers of a column may be counts, not facts or the numbers of the rows."""
    numbers = [cell.number for cell in column]
    running = _are_row_numbers(numbers) and max(numbers) > USUAL
    return all(cell.holds != "fact" for cell in column) and not running


def count_step(rows: Sequence[Sequence[Cell]], names: frozenset[int]) -> int | None:
    """The distance in cells from a name to its count in rows without a head; None if it isn't certain.

    It is the only distance at which every name has a number, or has a usual count. Of several, it is -1 if
    those counts have a round sum.
    """
    by_step: dict[int, list[int]] = {}
    total = 0
    for row in rows:
        places = _names_in(row, names)
        total += len(places)
        for place, at in enumerate(places):
            first, last = _cells_between(places, place, len(row))
            for other in range(first, last):
                if row[other].holds == "number":
                    by_step.setdefault(other - at, []).append(row[other].number)
    full = {
        step: numbers
        for step, numbers in by_step.items()
        if _is_complete(numbers, total) and (len(by_step) == 1 or not _are_row_numbers(numbers))
    }
    if len(by_step) == 1 and full:
        [(step, numbers)] = full.items()
        if _are_row_numbers(numbers) and max(numbers) > USUAL:
            return None
        return step if abs(step) == 1 or (total >= LEAST_ROWS and max(numbers) <= USUAL) else None
    # Only the numbers next to the names are complete; those elsewhere are missing for some.
    if len(full) == 1 and total > 1:
        step = next(iter(full))
        if abs(step) == 1:
            return step
    usual = [step for step, numbers in full.items() if max(numbers) <= USUAL]
    if total < LEAST_ROWS:
        return None
    if len(usual) > 1:
        usual = [step for step in usual if step == -1 and sum(full[step]) % _ROUND == 0]
    return usual[0] if len(usual) == 1 else None


def _is_complete(numbers: Sequence[int], total: int) -> bool:
    """Whether each of `total` names has a number; a few may lack one if all are usual counts."""
    return len(numbers) == total or (len(numbers) >= max(_MOST * total, LEAST_ROWS) and max(numbers) <= USUAL)


def _names_in(row: Sequence[Cell], names: frozenset[int], *, grid: bool = False) -> list[int]:
    """The cells of a row's cards, known or not; a card named twice without a count between counts once, unless in a grid."""
    places: list[int] = []
    for at, cell in enumerate(row):
        if cell.holds == "card" or (cell.holds == "text" and (not names or at in names)):
            same = not grid and bool(places) and cell.cards and row[places[-1]].cards == cell.cards
            if not same or any(between.holds == "number" for between in row[places[-1] : at]):
                places.append(at)
    return places or [at for at, cell in enumerate(row) if cell.holds == "text"][:1]


def _cells_between(places: Sequence[int], place: int, width: int) -> tuple[int, int]:
    """The range of cells between the previous and the next name."""
    return (places[place - 1] + 1 if place else 0), (places[place + 1] if place + 1 < len(places) else width)


def _columns_in(reader: LineReader, table: Table, row: Sequence[str]) -> list[Columns]:
    """The columns of the cards in a row without a head."""
    cells = [cell_of(reader, text) for text in row]
    places = _names_in(cells, table.names, grid=table.grid)
    result: list[Columns] = []
    counted: list[bool] = []
    # A zone word at the start of a row applies to all its cards.
    zoned = [at for at in range(min(places, default=0)) if cells[at].holds == "zone"]
    leading = tuple(ZoneColumn(at, "", "zone") for at in zoned)
    for place, at in enumerate(places):
        first, last = _cells_between(places, place, len(row))
        numbers = tuple(other for other in range(first, last) if cells[other].holds == "number")
        rank = sorted(table.names).index(at) if at in table.names else place
        zones = (
            *leading,
            *(column for column in table.zones if column.card in (None, rank) and column.at not in zoned),
        )
        step = at + table.step if table.step is not None else -1
        if step in numbers:
            numbers = (step,)
        elif table.step is not None and not cells[at].counted:
            # The cell where all other rows have the count has none here.
            numbers = (step if first <= step < last else len(row),)
        elif len(marked := tuple(other for other in numbers if cells[other].marked)) == 1:
            numbers = marked
        else:
            numbers = tuple(other for other in numbers if other in table.numbers)
        # A number that isn't next to the name may or may not be a count.
        unsure = (
            (step,) != numbers
            and len(numbers) == 1
            and table.step is None
            and abs(numbers[0] - at) > 1
            and not cells[numbers[0]].marked
        )
        result.append(Columns(at, numbers, zones, unsure=unsure))
        counted.append(bool(numbers) or cells[at].counted)
    unread = (
        text for at, text in enumerate(row) if cells[at].holds in ("text", "empty") and at not in places
    )
    if not any(counted) and any(map(_may_be_count, unread)):
        return []
    counts = [at for columns in result for at in columns.counts]
    if any(counted) and (not all(counted) or len(set(counts)) < len(counts)):
        return [result[counted.index(True)]._replace(other_names=tuple(places))]
    return result


def _may_be_count(text: str) -> bool:
    """Whether a cell that holds no number may be meant as one: 4.0, 3+1, four or four marks."""
    written = compiled(rf"{TALLY}|[ \t]*(?:[{KANJI}]|one|two|three|four)[ \t]*").fullmatch(shape_of(text))
    return written is not None or any(map(str.isdigit, text))


# The entries of a row.


def line_of_row(
    reader: LineReader, table: Table, row: Sequence[str], written: str, column_of: Callable[[int], int]
) -> Line:
    """The line of a table's row; `written` is shown if it can't be read, `column_of` is where a cell begins."""
    columns = list(table.columns)
    if not columns:
        columns = _columns_in(reader, table, row)
    elif len(columns) == 1 and len(row) < table.width:
        columns = [_shift_columns(reader, columns[0], row)]
    numbered = entries_of(reader, row, columns, written, lambda at: (0, column_of(at)))
    if not numbered:
        return invalid(written, NOT_READ, len(written) - len(written.lstrip()) + 1)
    return several(written, [entry for _number, entry in numbered])


def _shift_columns(reader: LineReader, columns: Columns, row: Sequence[str]) -> Columns:
    """The columns of a row that lacks cells between its count, in the first cell, and its only card."""
    cards = [at for at, cell in enumerate(row) if at not in columns.other_names and _is_card(reader, cell)]
    if columns.counts != (0,) or len(cards) != 1 or cards[0] >= columns.name:
        return columns
    return columns._replace(name=cards[0])


def _is_card(reader: LineReader, cell: str) -> bool:
    return cell_of(reader, cell).holds == "card"


def entries_of(
    reader: LineReader, row: Sequence[str], cards: Sequence[Columns], written: str, place: Place
) -> list[tuple[int, Line]]:
    """The numbered entries of a row; `written` is shown for one that can't be read."""
    # With a count per zone, an empty cell means none; cards side by side have one count each.
    shared = len({columns.name for columns in cards}) < len(cards)
    filled = [
        columns
        for columns in cards
        if len(cards) == 1 or (_any_copies(reader, row, columns) if shared else _is_filled(row, columns))
    ]
    read = {at for columns in cards for at in (columns.name, *columns.counts)}
    return [_entry(reader, row, columns, read, written, place) for columns in filled]


def _is_filled(row: Sequence[str], columns: Columns) -> bool:
    """Whether any cell of a card's name or counts holds something."""
    return any(cell_at(row, at).strip() for at in (columns.name, *columns.counts))


def _any_copies(reader: LineReader, row: Sequence[str], columns: Columns) -> bool:
    """Whether a count of the card is neither empty nor 0."""
    return not columns.counts or any(
        (cell := cell_at(row, at)).strip() and count_in(reader.words, cell) != 0 for at in columns.counts
    )


def _entry(
    reader: LineReader,
    row: Sequence[str],
    columns: Columns,
    read: Collection[int],
    written: str,
    place: Place,
) -> tuple[int, Line]:
    name = cell_at(row, columns.name)
    line, column = place(columns.name)
    if not name.strip():
        return line, invalid(written, NOT_READ)
    # The first of several columns of counts must not be empty.
    filled = [at for at in columns.counts if at == columns.counts[0] or cell_at(row, at).strip()]
    numbers = [count_in(reader.words, cell_at(row, at)) for at in filled]
    if None in numbers:
        at = filled[numbers.index(None)]
        line, column = place(at)
        return line, invalid(written, bad_count(cell_at(row, at)), column)
    counts = [number for number in numbers if number is not None] + [1] * columns.unsure
    entry = entry_in(reader, name, min(counts, default=None), column)
    if not entry.cards and entry.kind == "entry" and _names_card_and_number(reader, name):
        return line, invalid(written, left_over([name.strip()]))
    if counts and entry.kind == "entry":
        entry = entry._replace(most=max(counts))
    if columns.zone not in (None, reader.words.default) and entry.zone is None:
        entry = entry._replace(zone=columns.zone, known=columns.zone in reader.words.zone_ids)
    if entry.cards and _names_another(reader, row, columns, read, entry):
        return line, invalid(written, _TWO_CARDS)
    return line, with_zone(reader.words, reader.parser.name, entry, columns.zones, row)


def _names_another(
    reader: LineReader, row: Sequence[str], columns: Columns, read: Collection[int], entry: Line
) -> bool:
    """Whether an unread cell holds another card: in a column of names, or with a number in or next to it."""
    rest = [at for at, cell in enumerate(row) if at not in read and cell.strip()]
    if not rest:
        return False
    numbers = {at for at in rest if 0 < (count_in(reader.words, row[at]) or 0) <= MOST_COPIES}
    for at in rest:
        cell = row[at]
        cards: tuple[Card, ...] = ()
        if at in columns.other_names:
            cards = cell_of(reader, cell).cards
        elif cell in reader.words.notes:
            continue
        elif not numbers.isdisjoint((at - 1, at + 1)):
            cards = reader.parser.name(cell)
        shape = shape_of(cell) if len(cell) <= _LONGEST_CARD else ""
        if not cards and compiled(_COUNTED).fullmatch(shape):
            reading = reader.parser.read_exact(cell, shape, 0, len(shape))
            cards = reading.cards if reading is not None and reading.copies is not None else ()
        if cards and set(cards).isdisjoint(entry.cards):
            return True
    return False
