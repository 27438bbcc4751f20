"""Counts on lines of their own: after or before each name, or above a group of names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.decklists.classify import LineReader, entry_of
from deckcheck.decklists.layout_rows import (
    MARKS,
    UNKNOWN,
    UNREAD,
    USUAL,
    Guess,
    Row,
    are_slots,
    is_counted,
    mark_title,
    parts_of,
    several,
    shared_count,
    span_entry,
    token_entry,
)
from deckcheck.decklists.lexer import compiled, shape_of
from deckcheck.decklists.line import (
    CARDS,
    NAME_AS_TITLE,
    NO_CARD,
    NOT_READ,
    SUM_OR_COUNT,
    Line,
    invalid,
)

_LEAST_PAIRS = 2
_TITLE_COST = 1
"""What the name of a card as the deck's name costs."""


def read_count_lines(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    """The lines of a list that has each count after, or before, the line of its name."""
    counts = [row for row in rows if row.is_count]
    if len(counts) < _LEAST_PAIRS:
        return
    for forward in (True, False):
        guess = _pairs(reader, rows, lines, forward=forward)
        if guess is not None:
            yield guess


def _pairs(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line], *, forward: bool) -> Guess | None:
    result = list(lines)
    pairs: list[tuple[Row, Row]] = []
    strays: list[Row] = []
    waiting: Row | None = None
    for row in rows if forward else rows[::-1]:
        if row.is_count:
            if waiting is None:
                strays.append(row)
            else:
                pairs.append((waiting, row))
                waiting = None
        elif (row.line.kind in ("heading", "label", "total") and row.line.known) or is_counted(row):
            waiting = None
        else:
            waiting = row
    known = [pair for pair in pairs if pair[0].tokens_of("name")]
    if len(known) < _LEAST_PAIRS or 2 * len(known) < len(pairs):
        return None
    # Numbers above the first known name belong to the page.
    first = min(min(name.at, count.at) for name, count in known)
    pairs = [pair for pair in pairs if min(pair[0].at, pair[1].at) >= first]
    if are_slots([count.tokens[0].number for _name, count in pairs]):
        return None
    cost = 0.0
    total = 0
    for name, count in pairs:
        copies = count.tokens[0].number
        total += copies
        entry = _entry_with(reader, name, copies)
        cost += UNREAD if entry.kind != "entry" else 0 if entry.cards else UNKNOWN
        result[name.at] = entry
        result[count.at] = Line("count", count.text.strip())
    taken = {row.at for pair in pairs for row in pair}
    for row in rows:
        if (
            row.at in taken
            or row.line.kind in ("heading", "label")
            or (row.line.kind == "total" and not row.is_count)
        ):
            continue
        if row.is_count:
            number = row.tokens[0].number
            if number == total:
                result[row.at] = Line("total", row.text.strip(), total=number)
            else:
                result[row.at] = invalid(row.text, NOT_READ)
                cost += UNREAD
        elif row.at > first and not is_counted(row):
            result[row.at] = row.line if row.line.kind == "invalid" else invalid(row.text, NO_CARD)
            cost += UNREAD if row.tokens_of("name") else 0.5
    mark_title(result, rows, first)
    # Without a sign, a count belongs to the name below it as often as to the one above.
    is_marked = any(count.tokens[0].marked for _name, count in pairs)
    if (
        not forward
        and is_marked
        and any(result[row.at].why == NAME_AS_TITLE for row in rows if row.at < first)
    ):
        return None
    above = [result[row.at].kind for row in rows if row.at < first and row.tokens_of("name")]
    cost += UNREAD * above.count("invalid") + _TITLE_COST * above.count("title")
    return Guess(result, cost)


def _entry_with(reader: LineReader, row: Row, copies: int) -> Line:
    """The entry of a line whose count is on another line."""
    names = row.tokens_of("name")
    own = row.line
    if len(names) == 1 and not row.tokens_of("word") and not row.tokens_of("number"):
        zone = own.zone if own.kind == "entry" else None
        return token_entry(reader, row.text, names[0], copies, zone)
    shape = shape_of(row.text)
    read = reader.parser.read_single(row.text, shape)
    sign = compiled(r"[ \t]*[x*][ \t]*").match(shape)
    if sign is not None and (read is None or not read.cards):
        # The leading sign may belong to the count on the previous line.
        read = reader.parser.read_single(row.text, shape, sign.end()) or read
    read = read or reader.parser.guess(row.text, shape)
    if read is None:
        return invalid(row.text, NOT_READ)
    if read.copies is not None and read.cards:
        return invalid(row.text, NOT_READ)
    start, end = row.tokens[0].start, row.tokens[-1].end
    if not read.cards:
        return span_entry(reader, row.text, start, end, (), copies)
    return entry_of(reader.words, read._replace(copies=copies, most=copies))


def read_group_counts(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> list[Line] | None:
    """The lines of a list that writes one count above each group of names; None for other lists.

    The number may also be the size of the group. It is taken as the size where it matches that of most
    groups; where it could be either, the line is invalid.
    """
    result = list(lines)
    groups: list[tuple[Row, int, list[Row]]] = []
    is_open, is_whole = False, True
    for row in rows:
        number = _group_heading(reader, row)
        if number is not None:
            groups.append((row, number, []))
            is_open = True
        elif row.line.kind in MARKS:
            is_open = False
        elif row.line.kind in CARDS and (groups or row.tokens_of("name")):
            bare = not row.tokens_of("number") and all(part.copies == 1 for part in parts_of(row.line))
            is_open = is_open and bare
            is_whole = is_whole and is_open
            if is_open:
                groups[-1][2].append(row)
    filled = [(row, number, names) for row, number, names in groups if names and number <= USUAL]
    sizes = [sum(len(parts_of(row.line)) for row in names) for _row, _number, names in filled]
    counts = [number for _row, number, _names in filled]
    sums = sum(map(int.__eq__, counts, sizes))
    total = sum(number * size for number, size in zip(counts, sizes, strict=True))
    is_whole = is_whole and all(names or number == total for _row, number, names in groups)
    # If most counts precede a single name, each is the count of that name.
    if sums == len(filled) or 2 * sum(size > 1 for size in sizes) < len(filled):
        return None
    is_stated = any(row.line.kind == "total" and row.line.total == total for row in rows)
    is_whole = is_whole and (is_stated or 2 * sums < len(filled))
    if (
        not is_whole
        or len(filled) < _LEAST_PAIRS
        or len(filled) < sum(bool(names) for *_over, names in groups)
    ):
        for over, _number, _names in filled:
            result[over.at] = invalid(over.text, SUM_OR_COUNT)
        return result
    for over, number, names in filled:
        result[over.at] = Line("count", over.text.strip())
        for row in names:
            parts = [part._replace(copies=number, most=number) for part in parts_of(row.line)]
            result[row.at] = several(row.text, parts)
    mark_title(result, rows, filled[0][0].at)
    return result


def _group_heading(reader: LineReader, row: Row) -> int | None:
    """The count above a group of names, if the line can be one; else None."""
    if row.line.kind == "total" and [(token.kind, token.marked) for token in row.tokens] == [
        ("number", True)
    ]:
        return row.line.total
    return shared_count(reader, row)
