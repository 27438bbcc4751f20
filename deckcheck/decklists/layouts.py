"""How a whole list is laid out, where its lines don't tell one by one: hypotheses, the cheapest of which wins.

Each hypothesis says where the counts of a list stand (on the next line or the one before, in the k-th
column, in numbered slots, nowhere) and reads all of it so, at a cost: what it leaves unread or unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader, entry_of
from deckcheck.decklists.columns import column_role, zone_headed
from deckcheck.decklists.lexer import MOST_COPIES, compiled, number_in, shape_of
from deckcheck.decklists.lexer import Token as Piece
from deckcheck.decklists.line import (
    BAD_COUNT,
    LONGEST_LINE,
    MOST_LINES,
    NAME_AS_TITLE,
    NAME_OR_CARD,
    NEGATIVE,
    NO_CARD,
    NO_COUNTS,
    NOT_READ,
    NUMBER_OR_COUNT,
    STRUCK_OUT,
    SUM_OR_COUNT,
    Line,
    invalid,
)
from deckcheck.decklists.parser import SPAN, Reading
from deckcheck.decklists.titles import DECORATION, bare_title, misspells_card, with_marked_title
from deckcheck.decklists.vocabulary import TWO_ZONES, is_label
from deckcheck.model.card import Card

_UNREAD, _UNKNOWN, _MARGIN = 3, 2, 2
_LEAST_SLOTS = 8
_LEAST_PAIRS = 2
_LEAST_ROWS = 3
_LEAST_SINGLE = 5
_USUAL = 4
_MOST_LIKELY = 99
_LEAST_ROUND = 20
_LEAST_FULL, _ROUND = 40, 10
_MOST_PIECES = 64
_SILENT = frozenset({"blank", "comment", "header", "furniture", "count"})
_MARKS = frozenset({"heading", "label", "title"})
_CARDS = frozenset({"entry", "several"})


_CERTAIN = (SPAN, STRUCK_OUT, NEGATIVE, NUMBER_OR_COUNT, TWO_ZONES, NO_COUNTS)
"""What is told of a line however its list is laid out."""


class Row(NamedTuple):
    """A line that may hold cards: its place in the list, its text and its pieces, and what it is on its own."""

    at: int
    text: str
    pieces: tuple[Piece, ...]
    line: Line

    def of(self, kind: str) -> list[Piece]:
        return [piece for piece in self.pieces if piece.kind == kind]

    @property
    def is_count(self) -> bool:
        """Whether there is nothing on the line but one number."""
        return len(self.pieces) == 1 and self.pieces[0].kind == "number"


class Guess(NamedTuple):
    """A list as one hypothesis reads it, and what that costs."""

    lines: list[Line]
    cost: float
    quoted: bool = False


def with_layout(reader: LineReader, text: Sequence[str], lines: list[Line]) -> list[Line]:
    """The same lines, read by the hypothesis about the whole list that leaves the least unexplained.

    `lines` are as they are when each speaks for itself; they stay so unless another reading is
    better by a margin, and two others don't contend.
    """
    if len(text) > MOST_LINES:
        return lines
    lines = with_marked_title(reader, text, lines)
    rows = list(_rows(reader, text, lines))
    grouped = _grouped(reader, rows, lines)
    if grouped is not None:
        return grouped
    style = _style(rows)
    if _in_doubt(lines, text) and any(row.of("name") for row in rows):
        alone = _cost(lines, text)
        guesses = list(_source(reader, rows, lines)) or [
            guess for read in (_slots, _beside, _columns, _singles) for guess in read(reader, rows, lines)
        ]
        guesses.sort(key=lambda guess: guess.cost)
        if guesses and guesses[0].cost + _MARGIN <= alone:
            best = guesses[0]
            rivals = [guess for guess in guesses[1:] if guess.cost < best.cost + _MARGIN]
            if all(_deck(guess.lines) == _deck(best.lines) for guess in rivals):
                spans = not best.quoted
                found = [
                    own if spans and own.why in _CERTAIN else new
                    for own, new in zip(lines, best.lines, strict=True)
                ]
                return _without_misspelt_titles(reader, rows, lines, found)
    return (
        lines
        if style is None
        else _without_misspelt_titles(reader, rows, lines, _in_style(reader, rows, lines, style))
    )


_OWN_LINE = frozenset({"entry", "invalid", "unknown"})


def _without_misspelt_titles(
    reader: LineReader, rows: Sequence[Row], lines: Sequence[Line], found: list[Line]
) -> list[Line]:
    """The lines with those above the first card as they were if they are most likely a card with a slip in its name."""
    for row in rows:
        if found[row.at].kind in _CARDS:
            break
        dropped = found[row.at].kind in ("title", "furniture") and lines[row.at].kind in _OWN_LINE
        if dropped and not row.of("name") and misspells_card(reader, row.text):
            found[row.at] = lines[row.at]
    return found


def _in_doubt(lines: Sequence[Line], text: Sequence[str]) -> bool:
    """Whether anything was left unread or unknown, or the counts are those of slots."""
    for line, raw in zip(lines, text, strict=True):
        if line.kind == "invalid" or (line.kind == "total" and _lone_number(raw)):
            return True
        if any(not part.cards or part.kind == "invalid" or part.most > part.copies for part in _parts(line)):
            return True
        if line.kind == "comment" and _has_ditto(raw):
            return True
    return any(_are_slots(counts) for counts in _counts_by_section(lines))


def _parts(line: Line) -> tuple[Line, ...]:
    return line.more if line.kind == "several" else (line,) if line.kind == "entry" else ()


def _has_ditto(raw: str) -> bool:
    return any(mark in raw for mark in "〃仝″々")


def _lone_number(raw: str) -> bool:
    return not raw.strip(" \t\u30000123456789０１２３４５６７８９x×X✕*-・•枚")


def _counts_by_section(lines: Sequence[Line]) -> Iterator[list[int]]:
    counts: list[int] = []
    for line in lines:
        if line.kind == "heading":
            yield counts
            counts = []
        counts += [part.copies for part in _parts(line)]
    yield counts


def _are_slots(numbers: Sequence[int]) -> bool:
    """Whether these are 1, 2, 3 and so on, each once."""
    return len(numbers) >= _LEAST_SLOTS and set(numbers) == set(range(1, len(numbers) + 1))


def _cost(lines: Sequence[Line], text: Sequence[str]) -> float:
    cost = 0.0
    for line, raw in zip(lines, text, strict=True):
        cost += _UNREAD * (line.kind == "invalid" or (line.kind == "total" and _lone_number(raw)))
        cost += _UNREAD * (line.kind == "comment" and _has_ditto(raw))
        for part in _parts(line):
            cost += _UNREAD if part.kind == "invalid" or part.most > part.copies else 0
            cost += _UNKNOWN if part.kind == "entry" and not part.cards else 0
    return cost + sum(_UNREAD * len(counts) for counts in _counts_by_section(lines) if _are_slots(counts))


def _deck(lines: Sequence[Line]) -> list[tuple[tuple[object, ...], int]]:
    """What two readings must agree on."""
    found: dict[tuple[object, ...], int] = {}
    zone: str | None = None
    for line in lines:
        zone = line.zone if line.kind == "heading" else zone
        for part in _parts(line):
            key = (part.zone or zone, part.cards, part.written if not part.cards else "")
            found[key] = found.get(key, 0) + part.copies
    return sorted(found.items(), key=repr)


def _rows(reader: LineReader, text: Sequence[str], lines: Sequence[Line]) -> Iterator[Row]:
    for at, (line, alone) in enumerate(zip(text, lines, strict=True)):
        if alone.kind in ("blank", "header") or (alone.kind == "comment" and not _has_ditto(line)):
            continue
        if alone.kind in ("heading", "label") and alone.known:
            yield Row(at, line, (), alone)
            continue
        if len(line) > LONGEST_LINE:
            continue
        pieces = tuple(reader.parser.lexer.line_tokens(line))
        if pieces and len(pieces) <= _MOST_PIECES:
            yield Row(at, line, pieces, alone)


def _entry(reader: LineReader, line: str, piece: Piece, copies: int, zone: str | None = None) -> Line:
    return _named(reader, line, piece.start, piece.end, piece.cards, copies, zone)


def _named(
    reader: LineReader,
    line: str,
    start: int,
    end: int,
    cards: tuple[Card, ...],
    copies: int,
    zone: str | None = None,
) -> Line:
    reading = Reading(line[start:end], cards, copies, copies, start, zone)
    return entry_of(reader.words, reading)


def _several(line: str, parts: Sequence[Line]) -> Line:
    if len(parts) == 1:
        return parts[0]
    return Line("several", line.strip(), column=len(line) - len(line.lstrip()) + 1, more=tuple(parts))


def _furniture(line: str) -> Line:
    return Line("furniture", line.strip(), column=len(line) - len(line.lstrip()) + 1)


def _framed(found: list[Line], rows: Sequence[Row], first: int) -> None:
    """Makes a title and furniture of what stands above the first card, at place `first`."""
    titled = any(line.kind == "title" or (line.kind == "header" and line.key == "deck") for line in found)
    for row in rows:
        if row.at >= first:
            break
        if found[row.at].kind in _SILENT | _MARKS | {"total"} or row.is_count or _is_counted(row):
            continue
        found[row.at] = _furniture(row.text) if titled else _title_of(row, found)
        titled = True


# The style in which a list writes its counts: what has another one is no card's line unless it names a card.


class Style(NamedTuple):
    """Where a line has its count, and what marks it: "x", a counter, a point or nothing."""

    left: bool
    mark: str


_LEAST_STYLED, _SHARE = 5, 0.8


def _style(rows: Sequence[Row]) -> Style | None:
    """How this list writes counts; None where it writes none or in too many ways."""
    found: dict[Style | None, int] = {}
    for row in rows:
        if row.line.kind == "entry" and row.line.cards:
            style = _style_of(row)
            found[style] = found.get(style, 0) + 1
    most = max((style for style in found if style is not None), key=lambda style: found[style], default=None)
    enough = most is not None and found[most] >= max(_LEAST_STYLED, _SHARE * sum(found.values()))
    return most if enough else None


def _style_of(row: Row) -> Style | None:
    """How a line writes its count, None where it has none."""
    column = row.line.column - 1
    numbers = [piece for piece in row.of("number") if piece.number == row.line.copies]
    if not numbers:
        return None
    left = numbers[0].end <= column
    piece = numbers[0] if left else numbers[-1]
    shape = shape_of(row.text)
    said = shape[piece.start : piece.end + 1].strip(" \t0123456789")
    mark = (
        "x"
        if said[:1] in ("x", "*")
        else "."
        if piece.end < len(shape) and shape[piece.end] in ".)"
        else said[:1]
    )
    return Style(left, mark if piece.marked or mark in ("x", ".") else "")


def _in_style(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line], style: Style) -> list[Line]:
    """The lines of a list with counts in one style: the line above the first card is its title, and a line that
    names no card and has its count on the other side is not a card's line."""
    found = list(lines)
    cards = [row for row in rows if row.line.kind in _CARDS and any(part.cards for part in _parts(row.line))]
    styled = [row for row in cards if _style_of(row) == style or row.line.kind == "several"]
    if not styled:
        return found
    first = styled[0].at
    titled = any(line.kind == "title" or (line.kind == "header" and line.key == "deck") for line in lines)
    top = next((row for row in rows), None)
    for row in rows:
        line = row.line
        if row.at < first and not titled and row is top and _may_be_title(reader, row, style, rows):
            found[row.at] = _title_of(row, found)
            continue
        if line.kind == "entry" and not line.cards and line.copies == line.most and not _alike(row, style):
            found[row.at] = invalid(row.text, NOT_READ)
    return found


def _alike(row: Row, style: Style) -> bool:
    """Whether a line has its count in the list's style, or at least marked as one, or set off on the same side."""
    own = _style_of(row)
    if own is None or own == style:
        return own == style
    if own.mark not in ("", "."):
        return True
    return (
        own.left == style.left and re.search(r"^\W*\d+\s" if own.left else r"\s\d+\W*$", row.text) is not None
    )


def _may_be_title(reader: LineReader, row: Row, style: Style, rows: Sequence[Row]) -> bool:
    """Whether the first line of a list with counts in `style` is its name: not a card's line, nor a known heading."""
    line = row.line
    if not any(map(str.isalpha, row.text)):
        return False
    if line.kind == "title" or line.why in (*_CERTAIN, BAD_COUNT) or _count_of_all(reader, row) is not None:
        return False
    if line.kind == "entry":
        if line.zone is not None or line.known is False:
            return False
        return _style_of(row) != style and (not line.cards or _style_of(row) is None)
    if line.kind == "heading":
        others = any(
            other.line.kind == "heading" and not other.line.known for other in rows if other is not row
        )
        return not line.known and not others
    return line.kind in ("invalid", "several") and _style_of(row) is None


def _title_of(row: Row, found: Sequence[Line]) -> Line:
    """The line over a list as the deck's name; a card's name may be the card, unless the list has it or is full."""
    title = Line("title", bare_title(row.text), column=len(row.text) - len(row.text.lstrip()) + 1)
    names = row.of("name")
    if len(row.pieces) != 1 or not names or row.text.strip()[0] in DECORATION:
        return title
    others = [line for at, line in enumerate(found) if at != row.at]
    if any(set(part.cards) & set(names[0].cards) for line in others for part in _parts(line)):
        return title
    # One card more would spoil the round number to which a full deck adds up.
    copies = sum(next(filter(None, _counts_by_section(others)), ()))
    is_full = copies >= _LEAST_FULL and copies % _ROUND == 0
    return title._replace(why=NAME_AS_TITLE) if is_full else invalid(row.text, NAME_OR_CARD)


_EACH = r"\W*(?:[^\W\d]{1,2}|each|all)?[ \t]*(?:[x*][ \t]*(?P<x>[0-9]+)|(?P<n>[0-9]+)[ \t]*(?:WORD|[x*]))"


def _count_of_all(reader: LineReader, row: Row) -> int | None:
    """The count on a line that is nothing else and says so, for each card below it perhaps; None for other lines."""
    # A word or two of a syllable may say "each".
    count = _EACH.replace("WORD", reader.words.patterns.counter) + r"(?:[ \t]*each|[^\W\d]{0,2})\W*"
    found = compiled(count).fullmatch(shape_of(row.text))
    return number_in(found["x"] or found["n"]) if found else None


# Slots: the numbers 1, 2, 3 and so on stand before names or ditto marks, one copy each.


def _slots(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    found = list(lines)
    cost = 0.0
    sections: list[list[Row]] = [[]]
    for row in rows:
        if row.line.kind == "heading":
            sections.append([])
        else:
            sections[-1].append(row)
    done = False
    for section in sections:
        filled = _filled(section)
        if filled is None:
            cost += _cost([row.line for row in section], [row.text for row in section])
            continue
        done = True
        parts: dict[int, list[Line]] = {}
        for row, start, end, cards, _same in filled:
            cost += 0 if cards else _UNKNOWN
            parts.setdefault(row.at, []).append(_named(reader, row.text, start, end, cards, 1))
        for row in section:
            if row.at in parts:
                found[row.at] = _several(row.text, parts[row.at])
            elif row.is_count:
                found[row.at] = Line("count", row.text.strip())
        if section is sections[0]:
            _framed(found, section, min(parts))
    if done:
        yield Guess(found, cost + _numbers_left(found, rows))


def _numbers_left(found: Sequence[Line], rows: Sequence[Row]) -> float:
    return sum(_UNREAD for row in rows if found[row.at].kind == "invalid")


class Filled(NamedTuple):
    """What stands in a slot; `same` where a mark says that it is the card of the slot before."""

    row: Row
    start: int
    end: int
    cards: tuple[Card, ...]
    same: bool = False

    @classmethod
    def by(cls, row: Row, first: Piece, last: Piece) -> Filled:
        return cls(row, first.start, last.end, first.cards, first.kind == "ditto")


def _filled(section: Sequence[Row]) -> list[Filled] | None:
    """What stands in each slot, in the order of the slots; None where the numbers are none."""
    stream = [(row, piece) for row in section for piece in row.pieces]
    names = [place for place, (_row, piece) in enumerate(stream) if piece.kind in ("name", "ditto")]
    numbers = [piece.number for _row, piece in stream if piece.kind == "number" and not piece.marked]
    if not any(piece.kind == "number" for _row, piece in stream):
        return _by_ditto(stream, names)
    slots: dict[int, Filled] = {}
    at = 0
    while at < len(stream):
        _row, piece = stream[at]
        at += 1
        if piece.kind != "number" or piece.marked:
            continue
        if at < len(stream) and stream[at][1].kind in ("name", "ditto", "word") and piece.number not in slots:
            holder, first = stream[at]
            last = first
            at += 1
            while (
                first.kind == "word"
                and at < len(stream)
                and stream[at][0] is holder
                and stream[at][1].kind == "word"
            ):
                last = stream[at][1]
                at += 1
            slots[piece.number] = Filled.by(holder, first, last)
        else:
            break
    if not _are_slots(list(slots)) or len(slots) < len(names):
        # First all the numbers, then all the names.
        if _are_slots(numbers) and len(names) == len(numbers) and names[0] >= len(numbers):
            slots = {
                number: Filled.by(stream[place][0], stream[place][1], stream[place][1])
                for number, place in zip(numbers, names, strict=True)
            }
        else:
            return None
    return _without_ditto([slots[number] for number in sorted(slots)])


def _by_ditto(stream: Sequence[tuple[Row, Piece]], names: Sequence[int]) -> list[Filled] | None:
    if not any(stream[place][1].kind == "ditto" for place in names):
        return None
    return _without_ditto([Filled.by(row, piece, piece) for row, piece in map(stream.__getitem__, names)])


def _without_ditto(filled: Sequence[Filled]) -> list[Filled] | None:
    found: list[Filled] = []
    for slot in filled:
        if slot.same and not found:
            return None
        found.append(slot._replace(cards=found[-1].cards) if slot.same else slot)
    return found


# Counts on a line of their own, behind each name or before it.


def _beside(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    counts = [row for row in rows if row.is_count]
    if len(counts) < _LEAST_PAIRS:
        return
    for forward in (True, False):
        guess = _paired(reader, rows, lines, forward=forward)
        if guess is not None:
            yield guess


def _paired(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line], *, forward: bool) -> Guess | None:
    found = list(lines)
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
        elif (row.line.kind in ("heading", "label") and row.line.known) or _is_counted(row):
            waiting = None
        else:
            waiting = row
    known = [pair for pair in pairs if pair[0].of("name")]
    if len(known) < _LEAST_PAIRS or 2 * len(known) < len(pairs):
        return None
    # Above the first name that is known a page has numbers of its own.
    first = min(min(name.at, count.at) for name, count in known)
    pairs = [pair for pair in pairs if min(pair[0].at, pair[1].at) >= first]
    if _are_slots([count.pieces[0].number for _name, count in pairs]):
        return None
    cost = 0.0
    total = 0
    for name, count in pairs:
        copies = count.pieces[0].number
        total += copies
        entry = _whole(reader, name, copies)
        cost += _UNREAD if entry.kind != "entry" else 0 if entry.cards else _UNKNOWN
        found[name.at] = entry
        found[count.at] = Line("count", count.text.strip())
    taken = {row.at for pair in pairs for row in pair}
    for row in rows:
        if row.at in taken or row.line.kind in ("heading", "label"):
            continue
        if row.is_count:
            number = row.pieces[0].number
            if number == total:
                found[row.at] = Line("total", row.text.strip(), total=number)
            else:
                found[row.at] = invalid(row.text, NOT_READ)
                cost += _UNREAD
        elif row.at > first and not _is_counted(row):
            found[row.at] = row.line if row.line.kind == "invalid" else invalid(row.text, NO_CARD)
            cost += _UNREAD if row.of("name") else 0.5
    _framed(found, rows, first)
    return Guess(found, cost)


def _is_counted(row: Row) -> bool:
    """Whether a line has a card and its count for itself."""
    return row.line.kind in _CARDS and bool(row.of("number"))


def _whole(reader: LineReader, row: Row, copies: int) -> Line:
    """The card on a line that has its count elsewhere."""
    names = row.of("name")
    lines = row.line
    if len(names) == 1 and not row.of("word") and not row.of("number"):
        zone = lines.zone if lines.kind == "entry" else None
        return _entry(reader, row.text, names[0], copies, zone)
    shape = shape_of(row.text)
    read = reader.parser.single(row.text, shape) or reader.parser.guess(row.text, shape)
    if read is None:
        return invalid(row.text, NOT_READ)
    if read.copies is not None and read.cards:
        return invalid(row.text, NOT_READ)
    start, end = row.pieces[0].start, row.pieces[-1].end
    if not read.cards:
        return _named(reader, row.text, start, end, (), copies)
    return entry_of(reader.words, read._replace(copies=copies, most=copies))


# One count over a group of names.


def _grouped(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> list[Line] | None:
    """The lines of a list whose counts stand over groups of names; None for other lists.

    A number may also be the sum of the names below it, and is where it is that of most groups. What may be either
    is told.
    """
    found = list(lines)
    groups: list[tuple[Row, int, list[Row]]] = []
    is_open, is_whole = False, True
    for row in rows:
        number = _count_over(reader, row)
        if number is not None:
            groups.append((row, number, []))
            is_open = True
        elif row.line.kind in _MARKS:
            is_open = False
        elif row.line.kind in _CARDS and (groups or row.of("name")):
            bare = not row.of("number") and all(part.copies == 1 for part in _parts(row.line))
            is_open = is_open and bare
            is_whole = is_whole and is_open
            if is_open:
                groups[-1][2].append(row)
    filled = [(row, number, names) for row, number, names in groups if names and number <= _USUAL]
    sizes = [sum(len(_parts(row.line)) for row in names) for _row, _number, names in filled]
    counts = [number for _row, number, _names in filled]
    sums = sum(map(int.__eq__, counts, sizes))
    total = sum(number * size for number, size in zip(counts, sizes, strict=True))
    is_whole = is_whole and all(names or number == total for _row, number, names in groups)
    # Where most counts have one name, each stands beside its own.
    if sums == len(filled) or 2 * sum(size > 1 for size in sizes) < len(filled):
        return None
    is_said = any(row.line.kind == "total" and row.line.total == total for row in rows)
    is_whole = is_whole and (is_said or 2 * sums < len(filled))
    if (
        not is_whole
        or len(filled) < _LEAST_PAIRS
        or len(filled) < sum(bool(names) for *_over, names in groups)
    ):
        for over, _number, _names in filled:
            found[over.at] = invalid(over.text, SUM_OR_COUNT)
        return found
    for over, number, names in filled:
        found[over.at] = Line("count", over.text.strip())
        for row in names:
            parts = [part._replace(copies=number, most=number) for part in _parts(row.line)]
            found[row.at] = _several(row.text, parts)
    _framed(found, rows, filled[0][0].at)
    return found


def _count_over(reader: LineReader, row: Row) -> int | None:
    """The marked count on a line with nothing else, for the names below it perhaps; None for other lines."""
    if row.line.kind == "total" and [(piece.kind, piece.marked) for piece in row.pieces] == [
        ("number", True)
    ]:
        return row.line.total
    return _count_of_all(reader, row)


# Columns that blanks part: the count is the k-th number behind the name, or before it.


def _columns(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    tables: list[tuple[list[str], list[Row]]] = []
    heads: list[Row] = []
    for row in rows:
        roles = _roles(reader, row.text)
        if "zone" in roles and not row.of("number"):
            # Where cells are missing, nobody knows which zone a number belongs to.
            return
        if roles and not row.of("number"):
            heads.append(row)
            tables.append((roles, []))
        elif len(row.of("name")) == 1 and row.of("number"):
            if not tables:
                tables.append(([], []))
            tables[-1][1].append(row)
    found = list(lines)
    cost = 0.0
    taken: set[int] = set()
    for roles, table in tables:
        if len(table) < _LEAST_ROWS or not (roles or _is_table(reader, table)):
            continue
        for row, number in zip(table, _counts(roles, table), strict=False):
            if 0 < number <= MOST_COPIES:
                found[row.at] = _entry(reader, row.text, row.of("name")[0], number)
            else:
                found[row.at] = invalid(row.text, NOT_READ)
                cost += _UNREAD
            taken.add(row.at)
    if not taken:
        return
    for head in heads:
        if any(row.at in taken for row in rows if row.at > head.at):
            found[head.at] = Line("furniture", head.text.strip())
            taken.add(head.at)
    yield _with_rest(found, rows, taken, cost)


def _with_rest(
    found: list[Line], rows: Sequence[Row], taken: set[int], cost: float, *, quoted: bool = False
) -> Guess:
    """The guess at a table in a list, of which nothing else without a card or a number is unread."""
    rest = [row for row in rows if row.at not in taken]
    for row in rest:
        above = quoted or row.at < min(taken)
        if above and not row.of("name") and not row.of("number"):
            found[row.at] = _furniture(row.text) if quoted or row.line.kind == "invalid" else row.line
    return Guess(found, cost + _cost([found[row.at] for row in rest], [row.text for row in rest]), quoted)


_SET = r"[A-Za-z]{1,5}[0-9]{1,3}[A-Za-z]?"


def _is_table(reader: LineReader, rows: Sequence[Row]) -> bool:
    """Whether rows without a head hold the same sorts of things in the same order, all of which can be understood."""
    words = reader.words
    if len({tuple(piece.kind for piece in row.pieces if piece.kind != "code") for row in rows}) > 1:
        return False
    for row in rows:
        if sum(piece.marked for piece in row.pieces) > 1 or any(piece.boxed for piece in row.pieces):
            return False
        if any(piece.kind in ("span", "zone", "bracket", "joint", "comment") for piece in row.pieces):
            return False
        for word in row.of("word"):
            said = row.text[word.start : word.end]
            if not is_label(words, words.fold(said), words.facts) and not compiled(_SET).fullmatch(said):
                return False
    return True


def _roles(reader: LineReader, line: str) -> list[str]:
    """What columns hold that blanks part, by their heads; [] where the line is no head."""
    cells = [cell for cell in compiled(r"[\s|,;]+").split(shape_of(line)) if cell]
    if not 2 <= len(cells) <= 24:
        return []
    zones = [zone_headed(reader.words, cell) is not None for cell in cells]
    roles: list[str] = [
        "zone" if zone else column_role(reader.words, cell) for zone, cell in zip(zones, cells, strict=True)
    ]
    return roles if "name" in roles else []


def _counts(roles: Sequence[str], table: Sequence[Row]) -> list[int]:
    """The count in each row of a table; [] where it isn't certain where they stand."""
    if roles:
        if "count" not in roles:
            return []
        counts = _numbers_at([list(row.pieces) for row in table], roles.index("count") - roles.index("name"))
        if counts:
            return counts
        if len({len(row.of("number")) for row in table}) > 1:
            return []
    pieces = [[piece for piece in row.pieces if piece.kind in ("name", "number")] for row in table]
    distinct = {
        tuple(counts) for step in range(-4, 5) if (counts := _numbers_at(pieces, step)) and _are_usual(counts)
    }
    if len(distinct) > 1:
        # Of several columns the one that makes a round sum, if it is the only one.
        distinct = {
            counts for counts in distinct if sum(counts) >= _LEAST_ROUND and sum(counts) % _ROUND == 0
        }
    return list(distinct.pop()) if len(distinct) == 1 else []


def _numbers_at(rows: Sequence[Sequence[Piece]], step: int) -> list[int]:
    """The numbers that stand so many pieces behind the names; [] where one has none."""
    found: list[int] = []
    for row in rows:
        at = next(at for at, piece in enumerate(row) if piece.kind == "name") + step
        if 0 <= at < len(row) and row[at].kind == "number":
            found.append(row[at].number)
    return found if len(found) == len(rows) else []


def _are_usual(counts: Sequence[int]) -> bool:
    return all(0 < number <= _USUAL for number in counts)


# Rows of source code: quoted strings and numbers, parted by commas.

_ITEM = r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|(?<![\w.])([0-9]{1,4})(?![\w.])"


def _source(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    table = [(row, items) for row in rows if (items := _items(row.text))]
    width = min((len(items) for _row, items in table), default=0)
    columns = [[items[at] for _row, items in table] for at in range(width)]
    strings = [at for at in range(width) if all(item[3] is None for item in columns[at])]
    known = {at: sum(bool(reader.parser.name(_plain(item))) for item in columns[at]) for at in strings}
    named = max(known, key=lambda at: known[at], default=None)
    numbers = {at: [int(item[3] or 0) for item in columns[at]] for at in range(width) if at not in strings}
    numbers = {
        at: counts for at, counts in numbers.items() if all(0 < count <= _MOST_LIKELY for count in counts)
    }
    if len(numbers) > 1:
        numbers = {at: counts for at, counts in numbers.items() if _are_usual(counts)}
    if len(table) < _LEAST_ROWS or named is None or 2 * known[named] < len(table) or len(numbers) != 1:
        return
    [counts] = numbers.values()
    found = list(lines)
    for (row, _cells), item, count in zip(table, columns[named], counts, strict=True):
        cards = reader.parser.name(_plain(item))
        found[row.at] = _named(reader, row.text, item.start() + 1, item.end() - 1, cards, count)
    cost = _UNKNOWN * sum(not found[row.at].cards for row, _cells in table)
    yield _with_rest(found, rows, {row.at for row, _cells in table}, cost, quoted=True)


def _plain(item: re.Match[str]) -> str:
    """What a string of source code says."""
    return compiled(r"\\(.)").sub(r"\1", item[0][1:-1])


def _items(line: str) -> list[re.Match[str]]:
    """The strings and numbers of a row of source code; [] for any other line."""
    bare = line.strip().rstrip(",;")
    if len(bare) < 5 or not ((bare[0] in "[({" and bare[-1] in "])}") or bare[0] in "\"'"):
        return []
    found = list(compiled(_ITEM).finditer(line))
    rest = compiled(_ITEM).sub("", line)
    return found if len(found) >= 2 and not rest.strip(" \t[](){},:;=>") else []


# No counts at all: every name is one copy, however many stand on a line.


_FRAMED = r"[ \t\u3000]*[^\w\s]*[《【「\[](?P<name>.+?)[》】」\]][ \t\u3000]*[(（][^()（）]*[)）][ \t\u3000]*"


def _singles(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    named = [row for row in rows if row.of("name")]
    bare = [row for row in named if not _counted_inside(row)]
    if len(bare) < _LEAST_SINGLE or len(bare) < len(named):
        return
    found = list(lines)
    framed = [row for row in rows if compiled(_FRAMED).fullmatch(row.text)]
    for row in rows:
        names = row.of("name")
        if row.line.kind in ("heading", "label", "title", "total"):
            continue
        if row in framed and len(framed) >= _LEAST_ROWS:
            match = compiled(_FRAMED).fullmatch(row.text)
            if match is not None:
                zone = row.line.zone if row.line.kind == "entry" else None
                # A reading may stand behind the name in its brackets.
                spelt = compiled(r"[(（][^()（）]*[)）]$").sub("", match["name"])
                cards = reader.parser.name(match["name"]) or reader.parser.name(spelt)
                found[row.at] = _named(reader, row.text, *match.span("name"), cards, 1, zone)
        elif len(names) > 1 and not row.of("word"):
            found[row.at] = _several(row.text, [_entry(reader, row.text, name, 1) for name in names])
        elif row.line.kind == "invalid" and len(names) == 1 and not row.of("word"):
            found[row.at] = _entry(reader, row.text, names[0], 1)
    top = rows[0]
    if _count_of_all(reader, top) is not None:
        found[top.at] = invalid(top.text, NOT_READ)
    elif top.of("word") and found[top.at].kind in ("invalid", "entry") and not found[top.at].cards:
        found[top.at] = Line("title", top.text.strip())
        _zone_the_card(reader, top, found)
    yield Guess(found, _cost([found[row.at] for row in rows], [row.text for row in rows]))


def _counted_inside(row: Row) -> bool:
    """Whether a number beside the names of a line could be a count: not one within a note in brackets."""
    numbers = row.of("number")
    return bool(numbers) and compiled(_FRAMED).fullmatch(row.text) is None


def _zone_the_card(reader: LineReader, top: Row, found: list[Line]) -> None:
    """A title that ends in a zone's word names the card that stands in this zone."""
    bare = shape_of(top.text).strip()
    zone = next((zone for word, zone in reader.words.marks if bare.endswith(word)), None)
    meant = {card for piece in top.of("name") for card in piece.cards}
    if zone is None or zone not in reader.words.zone_ids or len(meant) != 1:
        return
    for at, line in enumerate(found):
        parts = [part._replace(zone=zone) if set(part.cards) == meant else part for part in _parts(line)]
        if any(part.zone == zone for part in parts):
            found[at] = (
                _several(top.text, parts) if line.kind != "several" else line._replace(more=tuple(parts))
            )
            return
