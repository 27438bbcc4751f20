"""Reads a list by its layout if its lines aren't clear on their own.

Each hypothesis puts the counts elsewhere (on the next or previous line, in the k-th column, in numbered
slots, nowhere) and reads the whole list. Unread and unknown lines cost; the cheapest hypothesis wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader, entry_of
from deckcheck.decklists.column_heads import column_role, zone_of_head
from deckcheck.decklists.lexer import MOST_COPIES, Token, compiled, number_in, shape_of
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
    OPEN_COUNT,
    STRUCK_OUT,
    SUM_OR_COUNT,
    Line,
    invalid,
)
from deckcheck.decklists.parser import SPAN, Reading
from deckcheck.decklists.titles import DECORATION, bare_title, misspells_card, with_marked_title
from deckcheck.decklists.vocabulary import TWO_ZONES, is_label, zones_named
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
_MOST_TOKENS = 64
_SILENT = frozenset({"blank", "comment", "header", "furniture", "count"})
_MARKS = frozenset({"heading", "label", "title"})
_CARDS = frozenset({"entry", "several"})


_CERTAIN = (OPEN_COUNT, SPAN, STRUCK_OUT, NEGATIVE, NUMBER_OR_COUNT, TWO_ZONES, NO_COUNTS)
"""The problems of a line that no layout solves."""


class Row(NamedTuple):
    """A line that may hold cards: its index in the list, text, tokens and classification on its own."""

    at: int
    text: str
    tokens: tuple[Token, ...]
    line: Line

    def tokens_of(self, kind: str) -> list[Token]:
        return [token for token in self.tokens if token.kind == kind]

    @property
    def is_count(self) -> bool:
        """Whether the line holds only a number."""
        return len(self.tokens) == 1 and self.tokens[0].kind == "number"


class Guess(NamedTuple):
    """The lines of a list under one hypothesis, and the cost; `quoted` for source code."""

    lines: list[Line]
    cost: float
    quoted: bool = False


def with_layout(reader: LineReader, text: Sequence[str], lines: list[Line]) -> list[Line]:
    """The lines, read by the cheapest hypothesis about the layout of the list.

    `lines`, as classified one by one, stay unless a hypothesis is better by a margin and no other one that is
    nearly as good gives another deck.
    """
    if len(text) > MOST_LINES:
        return lines
    lines = with_marked_title(reader, text, lines)
    rows = list(_rows(reader, text, lines))
    grouped = _group_counts(reader, rows, lines)
    if grouped is not None:
        return grouped
    style = _style(rows)
    if _in_doubt(lines, text) and any(row.tokens_of("name") for row in rows):
        alone = _cost(lines, text)
        guesses = list(_source_code(reader, rows, lines)) or [
            guess
            for read in (_slots, _on_own_line, _columns, _printings, _without_counts)
            for guess in read(reader, rows, lines)
        ]
        guesses.sort(key=lambda guess: guess.cost)
        if guesses and guesses[0].cost + _MARGIN <= alone:
            best = guesses[0]
            contenders = [guess for guess in guesses[1:] if guess.cost < best.cost + _MARGIN]
            if all(_copies_by_card(guess.lines) == _copies_by_card(best.lines) for guess in contenders):
                keeps_certain = not best.quoted
                combined = [
                    own if keeps_certain and own.why in _CERTAIN else new
                    for own, new in zip(lines, best.lines, strict=True)
                ]
                return _restore_misspelt_cards(reader, rows, lines, combined)
    return (
        lines
        if style is None
        else _restore_misspelt_cards(reader, rows, lines, _in_style(reader, rows, lines, style))
    )


_OWN_LINE = frozenset({"entry", "invalid", "unknown"})


def _restore_misspelt_cards(
    reader: LineReader, rows: Sequence[Row], lines: Sequence[Line], result: list[Line]
) -> list[Line]:
    """Restores lines above the first card that are most likely a card with a typing error in its name."""
    for row in rows:
        if result[row.at].kind in _CARDS:
            break
        dropped = result[row.at].kind in ("title", "furniture") and lines[row.at].kind in _OWN_LINE
        if dropped and not row.tokens_of("name") and misspells_card(reader, row.text):
            result[row.at] = lines[row.at]
    return result


def _in_doubt(lines: Sequence[Line], text: Sequence[str]) -> bool:
    """Whether any line is unread or unknown, or the counts may be numbers of slots."""
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
    """Whether the numbers are 1, 2, 3 and so on, each once, in any order."""
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


def _copies_by_card(lines: Sequence[Line]) -> list[tuple[tuple[object, ...], int]]:
    """The copies of each card by zone, on which contending hypotheses must agree."""
    copies: dict[tuple[object, ...], int] = {}
    zone: str | None = None
    for line in lines:
        zone = line.zone if line.kind == "heading" else zone
        for part in _parts(line):
            key = (part.zone or zone, part.cards, part.written if not part.cards else "")
            copies[key] = copies.get(key, 0) + part.copies
    return sorted(copies.items(), key=repr)


def _rows(reader: LineReader, text: Sequence[str], lines: Sequence[Line]) -> Iterator[Row]:
    for at, (line, alone) in enumerate(zip(text, lines, strict=True)):
        if alone.kind in ("blank", "header") or (alone.kind == "comment" and not _has_ditto(line)):
            continue
        if alone.kind in ("heading", "label") and alone.known:
            yield Row(at, line, (), alone)
            continue
        if len(line) > LONGEST_LINE:
            continue
        tokens = tuple(reader.parser.lexer.line_tokens(line))
        if tokens and len(tokens) <= _MOST_TOKENS:
            yield Row(at, line, tokens, alone)


def _token_entry(reader: LineReader, line: str, token: Token, copies: int, zone: str | None = None) -> Line:
    return _span_entry(reader, line, token.start, token.end, token.cards, copies, zone)


def _span_entry(
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


def _mark_title(result: list[Line], rows: Sequence[Row], first: int) -> None:
    """Turns lines above the first card, at index `first`, into a title and furniture."""
    titled = any(line.kind == "title" or (line.kind == "header" and line.key == "deck") for line in result)
    for row in rows:
        if row.at >= first:
            break
        if result[row.at].kind in _SILENT | _MARKS | {"total"} or row.is_count or _is_counted(row):
            continue
        title = _title_line(row, result)
        result[row.at] = _furniture(row.text) if titled and title.kind == "title" else title
        titled = True


# The style of the counts in a list: a line in another style is only a card's line if it names a card.


class Style(NamedTuple):
    """The side of a line's count, and its mark: "x", the first character of a counter, "." or ""."""

    left: bool
    mark: str


_LEAST_STYLED, _SHARE = 5, 0.8


def _style(rows: Sequence[Row]) -> Style | None:
    """The style of the counts in a list; None without counts or if the styles vary too much."""
    uses: dict[Style | None, int] = {}
    for row in rows:
        if row.line.kind == "entry" and row.line.cards:
            style = _style_of(row)
            uses[style] = uses.get(style, 0) + 1
    most = max((style for style in uses if style is not None), key=lambda style: uses[style], default=None)
    enough = most is not None and uses[most] >= max(_LEAST_STYLED, _SHARE * sum(uses.values()))
    return most if enough else None


def _style_of(row: Row) -> Style | None:
    """The style of a line's count; None without one."""
    column = row.line.column - 1
    numbers = [token for token in row.tokens_of("number") if token.number == row.line.copies]
    if not numbers:
        return None
    left = numbers[0].end <= column
    token = numbers[0] if left else numbers[-1]
    shape = shape_of(row.text)
    text = shape[token.start : token.end + 1].strip(" \t0123456789")
    mark = (
        "x"
        if text[:1] in ("x", "*")
        else "."
        if token.end < len(shape) and shape[token.end] in ".)"
        else text[:1]
    )
    return Style(left, mark if token.marked or mark in ("x", ".") else "")


def _in_style(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line], style: Style) -> list[Line]:
    """The lines of a list with counts in one style: the first line above the cards may become the title, and
    an unknown name with a count in another style becomes invalid."""
    result = list(lines)
    cards = [row for row in rows if row.line.kind in _CARDS and any(part.cards for part in _parts(row.line))]
    styled = [row for row in cards if _style_of(row) == style or row.line.kind == "several"]
    if not styled:
        return result
    first = styled[0].at
    titled = any(line.kind == "title" or (line.kind == "header" and line.key == "deck") for line in lines)
    top = next((row for row in rows), None)
    for row in rows:
        line = row.line
        if row.at < first and not titled and row is top and _may_be_title(reader, row, style, rows):
            result[row.at] = _title_line(row, result)
            continue
        if line.kind == "entry" and not line.cards and line.copies == line.most and not _fits(row, style):
            result[row.at] = invalid(row.text, NOT_READ)
    return result


def _fits(row: Row, style: Style) -> bool:
    """Whether a line's count is in the list's style, marked as one, or separate and on the same side."""
    own = _style_of(row)
    if own is None or own == style:
        return own == style
    if own.mark not in ("", "."):
        return True
    return (
        own.left == style.left and re.search(r"^\W*\d+\s" if own.left else r"\s\d+\W*$", row.text) is not None
    )


def _may_be_title(reader: LineReader, row: Row, style: Style, rows: Sequence[Row]) -> bool:
    """Whether the first line of a list with counts in `style` may be its title, not a card or known heading."""
    line = row.line
    if not any(map(str.isalpha, row.text)):
        return False
    if line.kind == "title" or line.why in (*_CERTAIN, BAD_COUNT) or _shared_count(reader, row) is not None:
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


def _title_line(row: Row, result: Sequence[Line]) -> Line:
    """The line above a list as its title; a card that the list lacks is invalid unless the deck is full."""
    title = Line("title", bare_title(row.text), column=len(row.text) - len(row.text.lstrip()) + 1)
    names = row.tokens_of("name")
    is_counted = len(names) == 1 and _is_beside_count(row, names[0])
    is_alone = len(row.tokens) == 1 + len(row.tokens_of("note"))
    if not names or not (is_alone or is_counted):
        return title
    others = [line for at, line in enumerate(result) if at != row.at]
    if any(set(part.cards) & set(names[0].cards) for line in others for part in _parts(line)):
        return title
    if is_counted:
        return invalid(row.text, NAME_OR_CARD)
    # A full deck has a round number of cards, so one more is unlikely.
    copies = sum(next(filter(None, _counts_by_section(others)), ()))
    is_full = copies >= _LEAST_FULL and copies % _ROUND == 0
    if row.text.strip()[0] in DECORATION:
        lacks_one = copies + 1 >= _LEAST_FULL and (copies + 1) % _ROUND == 0
        return invalid(row.text, NAME_OR_CARD) if lacks_one else title
    return title._replace(why=NAME_AS_TITLE) if is_full else invalid(row.text, NAME_OR_CARD)


def _is_beside_count(row: Row, name: Token) -> bool:
    """Whether a number that may be a count is next to a name."""
    for number in row.tokens_of("number"):
        first, second = sorted((name, number), key=lambda token: token.start)
        between = shape_of(row.text)[first.end : second.start]
        is_near = compiled(r"(?:[^\w\n]|[x×_]){0,4}").fullmatch(between) is not None
        if is_near and number.number is not None and 0 < number.number <= _MOST_LIKELY:
            return True
    return False


_EACH = r"\W*(?:[^\W\d]{1,2}|each|all)?[ \t]*(?:[x*][ \t]*(?P<x>[0-9]+)|(?P<n>[0-9]+)[ \t]*(?:WORD|[x*]))"


def _shared_count(reader: LineReader, row: Row) -> int | None:
    """The marked count on a line without anything else, which may apply to every card below; else None."""
    # A short word next to the count may mean "each".
    count = _EACH.replace("WORD", reader.words.patterns.counter) + r"(?:[ \t]*each|[^\W\d]{0,2})\W*"
    match = compiled(count).fullmatch(shape_of(row.text))
    return number_in(match["x"] or match["n"]) if match else None


# Slots: the numbers 1, 2, 3 and so on before names or ditto marks, one copy each.


def _slots(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    result = list(lines)
    cost = 0.0
    sections: list[list[Row]] = [[]]
    for row in rows:
        if row.line.kind == "heading":
            sections.append([])
        else:
            sections[-1].append(row)
    done = False
    for section in sections:
        filled = _slots_of(section)
        if filled is None:
            cost += _cost([row.line for row in section], [row.text for row in section])
            continue
        done = True
        parts: dict[int, list[Line]] = {}
        for row, start, end, cards, _same in filled:
            cost += 0 if cards else _UNKNOWN
            parts.setdefault(row.at, []).append(_span_entry(reader, row.text, start, end, cards, 1))
        for row in section:
            if row.at in parts:
                result[row.at] = _several(row.text, parts[row.at])
            elif row.is_count:
                result[row.at] = Line("count", row.text.strip())
        if section is sections[0]:
            _mark_title(result, section, min(parts))
    if done:
        yield Guess(result, cost + _unread_cost(result, rows))


def _unread_cost(result: Sequence[Line], rows: Sequence[Row]) -> float:
    return sum(_UNREAD for row in rows if result[row.at].kind == "invalid")


class Slot(NamedTuple):
    """The contents of a slot; `same`: a ditto mark, for the card of the previous slot."""

    row: Row
    start: int
    end: int
    cards: tuple[Card, ...]
    same: bool = False

    @classmethod
    def of(cls, row: Row, first: Token, last: Token) -> Slot:
        return cls(row, first.start, last.end, first.cards, first.kind == "ditto")


def _slots_of(section: Sequence[Row]) -> list[Slot] | None:
    """The slots of a section in order; None if its numbers aren't those of slots."""
    stream = [(row, token) for row in section for token in row.tokens]
    names = [place for place, (_row, token) in enumerate(stream) if token.kind in ("name", "ditto")]
    numbers = [token.number for _row, token in stream if token.kind == "number" and not token.marked]
    if not any(token.kind == "number" for _row, token in stream):
        return _slots_by_ditto(stream, names)
    slots: dict[int, Slot] = {}
    at = 0
    while at < len(stream):
        _row, token = stream[at]
        at += 1
        if token.kind != "number" or token.marked:
            continue
        if at < len(stream) and stream[at][1].kind in ("name", "ditto", "word") and token.number not in slots:
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
            slots[token.number] = Slot.of(holder, first, last)
        else:
            break
    if not _are_slots(list(slots)) or len(slots) < len(names):
        # All the numbers may come first, then all the names.
        if _are_slots(numbers) and len(names) == len(numbers) and names[0] >= len(numbers):
            slots = {
                number: Slot.of(stream[place][0], stream[place][1], stream[place][1])
                for number, place in zip(numbers, names, strict=True)
            }
        else:
            return None
    return _without_ditto([slots[number] for number in sorted(slots)])


def _slots_by_ditto(stream: Sequence[tuple[Row, Token]], names: Sequence[int]) -> list[Slot] | None:
    if not any(stream[place][1].kind == "ditto" for place in names):
        return None
    return _without_ditto([Slot.of(row, token, token) for row, token in map(stream.__getitem__, names)])


def _without_ditto(filled: Sequence[Slot]) -> list[Slot] | None:
    slots: list[Slot] = []
    for slot in filled:
        if slot.same and not slots:
            return None
        slots.append(slot._replace(cards=slots[-1].cards) if slot.same else slot)
    return slots


# Counts on a line of their own, after or before each name.


def _on_own_line(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
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
        elif (row.line.kind in ("heading", "label") and row.line.known) or _is_counted(row):
            waiting = None
        else:
            waiting = row
    known = [pair for pair in pairs if pair[0].tokens_of("name")]
    if len(known) < _LEAST_PAIRS or 2 * len(known) < len(pairs):
        return None
    # Numbers above the first known name belong to the page.
    first = min(min(name.at, count.at) for name, count in known)
    pairs = [pair for pair in pairs if min(pair[0].at, pair[1].at) >= first]
    if _are_slots([count.tokens[0].number for _name, count in pairs]):
        return None
    cost = 0.0
    total = 0
    for name, count in pairs:
        copies = count.tokens[0].number
        total += copies
        entry = _entry_with(reader, name, copies)
        cost += _UNREAD if entry.kind != "entry" else 0 if entry.cards else _UNKNOWN
        result[name.at] = entry
        result[count.at] = Line("count", count.text.strip())
    taken = {row.at for pair in pairs for row in pair}
    for row in rows:
        if row.at in taken or row.line.kind in ("heading", "label"):
            continue
        if row.is_count:
            number = row.tokens[0].number
            if number == total:
                result[row.at] = Line("total", row.text.strip(), total=number)
            else:
                result[row.at] = invalid(row.text, NOT_READ)
                cost += _UNREAD
        elif row.at > first and not _is_counted(row):
            result[row.at] = row.line if row.line.kind == "invalid" else invalid(row.text, NO_CARD)
            cost += _UNREAD if row.tokens_of("name") else 0.5
    _mark_title(result, rows, first)
    above = (row for row in rows if row.at < first and row.tokens_of("name"))
    cost += sum(_UNREAD for row in above if result[row.at].kind == "invalid")
    return Guess(result, cost)


def _is_counted(row: Row) -> bool:
    """Whether a line has both a card and its count."""
    return row.line.kind in _CARDS and bool(row.tokens_of("number"))


def _entry_with(reader: LineReader, row: Row, copies: int) -> Line:
    """The entry of a line whose count is on another line."""
    names = row.tokens_of("name")
    own = row.line
    if len(names) == 1 and not row.tokens_of("word") and not row.tokens_of("number"):
        zone = own.zone if own.kind == "entry" else None
        return _token_entry(reader, row.text, names[0], copies, zone)
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
        return _span_entry(reader, row.text, start, end, (), copies)
    return entry_of(reader.words, read._replace(copies=copies, most=copies))


# One count above a group of names.


def _group_counts(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> list[Line] | None:
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
        elif row.line.kind in _MARKS:
            is_open = False
        elif row.line.kind in _CARDS and (groups or row.tokens_of("name")):
            bare = not row.tokens_of("number") and all(part.copies == 1 for part in _parts(row.line))
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
            parts = [part._replace(copies=number, most=number) for part in _parts(row.line)]
            result[row.at] = _several(row.text, parts)
    _mark_title(result, rows, filled[0][0].at)
    return result


def _group_heading(reader: LineReader, row: Row) -> int | None:
    """The count above a group of names, if the line can be one; else None."""
    if row.line.kind == "total" and [(token.kind, token.marked) for token in row.tokens] == [
        ("number", True)
    ]:
        return row.line.total
    return _shared_count(reader, row)


# Columns separated by blanks: the count is the k-th number after the name, or before it.


def _columns(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    tables: list[tuple[list[str], list[Row]]] = []
    heads: list[Row] = []
    for row in rows:
        roles = _roles(reader, row.text)
        if "zone" in roles and not row.tokens_of("number"):
            # If cells are missing, it isn't certain which zone a number belongs to.
            return
        if roles and not row.tokens_of("number"):
            heads.append(row)
            tables.append((roles, []))
        elif len(row.tokens_of("name")) == 1 and row.tokens_of("number"):
            if not tables:
                tables.append(([], []))
            tables[-1][1].append(row)
    result = list(lines)
    cost = 0.0
    taken: set[int] = set()
    for roles, table in tables:
        if len(table) < _LEAST_ROWS or not (roles or _is_table(reader, table)):
            continue
        for row, number in zip(table, _counts(roles, table), strict=False):
            if 0 < number <= MOST_COPIES:
                result[row.at] = _token_entry(reader, row.text, row.tokens_of("name")[0], number)
            else:
                result[row.at] = invalid(row.text, NOT_READ)
                cost += _UNREAD
            taken.add(row.at)
    if not taken:
        return
    for head in heads:
        if any(row.at in taken for row in rows if row.at > head.at):
            result[head.at] = Line("furniture", head.text.strip())
            taken.add(head.at)
    yield _with_rest(result, rows, taken, cost)


def _with_rest(
    result: list[Line], rows: Sequence[Row], taken: set[int], cost: float, *, quoted: bool = False
) -> Guess:
    """The guess for a list with a table; other lines without a card or a number aren't unread."""
    rest = [row for row in rows if row.at not in taken]
    for row in rest:
        above = quoted or row.at < min(taken)
        if above and not row.tokens_of("name") and not row.tokens_of("number"):
            result[row.at] = _furniture(row.text) if quoted or row.line.kind == "invalid" else row.line
    return Guess(result, cost + _cost([result[row.at] for row in rest], [row.text for row in rest]), quoted)


_SET = r"[A-Za-z]{1,5}[0-9]{1,3}[A-Za-z]?"


def _is_table(reader: LineReader, rows: Sequence[Row]) -> bool:
    """Whether rows without a head have tokens of the same kinds in the same order, and only known words."""
    words = reader.words
    if len({tuple(token.kind for token in row.tokens if token.kind != "code") for row in rows}) > 1:
        return False
    for row in rows:
        if sum(token.marked for token in row.tokens) > 1 or any(token.boxed for token in row.tokens):
            return False
        if any(token.kind in ("span", "zone", "bracket", "joint", "comment") for token in row.tokens):
            return False
        for word in row.tokens_of("word"):
            text = row.text[word.start : word.end]
            if not is_label(words, words.fold(text), words.facts) and not compiled(_SET).fullmatch(text):
                return False
    return True


def _roles(reader: LineReader, line: str) -> list[str]:
    """The roles of columns separated by blanks, by their heads; [] if the line is no head."""
    cells = [cell for cell in compiled(r"[\s|,;]+").split(shape_of(line)) if cell]
    if not 2 <= len(cells) <= 24:
        return []
    zones = [zone_of_head(reader.words, cell) is not None for cell in cells]
    roles: list[str] = [
        "zone" if zone else column_role(reader.words, cell) for zone, cell in zip(zones, cells, strict=True)
    ]
    return roles if "name" in roles else []


def _counts(roles: Sequence[str], table: Sequence[Row]) -> list[int]:
    """The count in each row of a table; [] if its column isn't certain."""
    if roles:
        if "count" not in roles:
            return []
        counts = _numbers_at([list(row.tokens) for row in table], roles.index("count") - roles.index("name"))
        if counts:
            return counts
        if len({len(row.tokens_of("number")) for row in table}) > 1:
            return []
    tokens = [[token for token in row.tokens if token.kind in ("name", "number")] for row in table]
    distinct = {
        tuple(counts) for step in range(-4, 5) if (counts := _numbers_at(tokens, step)) and _are_usual(counts)
    }
    if len(distinct) > 1:
        # Of several columns, the only one with a round sum.
        distinct = {
            counts for counts in distinct if sum(counts) >= _LEAST_ROUND and sum(counts) % _ROUND == 0
        }
    return list(distinct.pop()) if len(distinct) == 1 else []


def _numbers_at(rows: Sequence[Sequence[Token]], step: int) -> list[int]:
    """The numbers `step` tokens after the names; [] if any is missing."""
    numbers: list[int] = []
    for row in rows:
        at = next(at for at, token in enumerate(row) if token.kind == "name") + step
        if 0 <= at < len(row) and row[at].kind == "number":
            numbers.append(row[at].number)
    return numbers if len(numbers) == len(rows) else []


def _are_usual(counts: Sequence[int]) -> bool:
    return all(0 < number <= _USUAL for number in counts)


# A card's number in its set, in brackets behind the name, with the count in front.


def _printings(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    table = [row for row in rows if row.tokens_of("name")]
    numbered = [row for row in table if _kinds(row) in _PRINTED]
    behind = [row.tokens[2].number for row in numbered]
    # Some of the numbers are too large for counts.
    if len(numbered) < max(_LEAST_ROWS, len(table) / 2) or max(behind) <= _MOST_LIKELY:
        return
    if any(row.line.kind != "entry" or not row.line.cards for row in table if row not in numbered):
        return
    result = list(lines)
    for row in numbered:
        count, name = row.tokens[:2]
        result[row.at] = _token_entry(reader, row.text, name, count.number)
    yield Guess(result, _cost([result[row.at] for row in rows], [row.text for row in rows]))


_PRINTED = (("number", "name", "boxed"), ("number", "name", "boxed", "code"))


def _kinds(row: Row) -> tuple[str, ...]:
    return tuple("boxed" if token.boxed else token.kind for token in row.tokens)


# Rows of source code: quoted strings and numbers, separated by commas.

_ITEM = r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|(?<![\w.])([0-9]{1,4})(?![\w.])"


def _source_code(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    table = [(row, items) for row in rows if (items := _items(row.text))]
    width = min((len(items) for _row, items in table), default=0)
    columns = [[items[at] for _row, items in table] for at in range(width)]
    strings = [at for at in range(width) if all(item[3] is None for item in columns[at])]
    known = {at: sum(bool(reader.parser.name(_unescaped(item))) for item in columns[at]) for at in strings}
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
    result = list(lines)
    for (row, _cells), item, count in zip(table, columns[named], counts, strict=True):
        cards = reader.parser.name(_unescaped(item))
        result[row.at] = _span_entry(reader, row.text, item.start() + 1, item.end() - 1, cards, count)
    cost = _UNKNOWN * sum(not result[row.at].cards for row, _cells in table)
    yield _with_rest(result, rows, {row.at for row, _cells in table}, cost, quoted=True)


def _unescaped(item: re.Match[str]) -> str:
    """The value of a string literal."""
    return compiled(r"\\(.)").sub(r"\1", item[0][1:-1])


def _items(line: str) -> list[re.Match[str]]:
    """The string and number literals of a row of source code; [] for any other line."""
    bare = line.strip().rstrip(",;")
    if len(bare) < 5 or not ((bare[0] in "[({" and bare[-1] in "])}") or bare[0] in "\"'"):
        return []
    items = list(compiled(_ITEM).finditer(line))
    rest = compiled(_ITEM).sub("", line)
    return items if len(items) >= 2 and not rest.strip(" \t[](){},:;=>") else []


# No counts: every name is one copy, even several on a line.


_FRAMED = r"[ \t\u3000]*[^\w\s]*[《【「\[](?P<name>.+?)[》】」\]][ \t\u3000]*[(（][^()（）]*[)）][ \t\u3000]*"


def _without_counts(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    named = [row for row in rows if row.tokens_of("name")]
    bare = [row for row in named if not _may_have_count(row)]
    if len(bare) < _LEAST_SINGLE or len(bare) < len(named):
        return
    result = list(lines)
    framed = [row for row in rows if compiled(_FRAMED).fullmatch(row.text)]
    for row in rows:
        names = row.tokens_of("name")
        if row.line.kind in ("heading", "label", "title", "total"):
            continue
        if row in framed and len(framed) >= _LEAST_ROWS:
            match = compiled(_FRAMED).fullmatch(row.text)
            if match is not None:
                zone = row.line.zone if row.line.kind == "entry" else None
                # The brackets may also contain the name's reading.
                spelt = compiled(r"[(（][^()（）]*[)）]$").sub("", match["name"])
                cards = reader.parser.name(match["name"]) or reader.parser.name(spelt)
                result[row.at] = _span_entry(reader, row.text, *match.span("name"), cards, 1, zone)
        elif len(names) > 1 and not row.tokens_of("word"):
            result[row.at] = _several(row.text, [_token_entry(reader, row.text, name, 1) for name in names])
        elif row.line.kind == "invalid" and len(names) == 1 and not row.tokens_of("word"):
            zones = {zone for token in row.tokens_of("zone") for zone in _zones_of(reader, row, token)}
            if len(zones) < 2:
                result[row.at] = _token_entry(reader, row.text, names[0], 1, next(iter(zones), None))
    top = rows[0]
    if _shared_count(reader, top) is not None or _ends_with_count(reader, top):
        result[top.at] = invalid(top.text, NOT_READ)
    elif _quotes_other_card(top, result):
        result[top.at] = invalid(top.text, NAME_OR_CARD)
    elif top.tokens_of("word") and result[top.at].kind in ("invalid", "entry") and not result[top.at].cards:
        result[top.at] = Line("title", top.text.strip())
        _apply_title_zone(reader, top, result)
    yield Guess(result, _cost([result[row.at] for row in rows], [row.text for row in rows]))


def _quotes_other_card(row: Row, result: Sequence[Line]) -> bool:
    """Whether a line of words has the name of a card in its brackets that no other line has."""
    quoted = [
        name
        for name in row.tokens_of("name")
        if row.text[name.start : name.start + 1] == "《" or row.text[name.start - 1 : name.start] == "《"
    ]
    if not row.tokens_of("word") or not quoted:
        return False
    held = {card for line in result for part in _parts(line) for card in part.cards}
    return any(held.isdisjoint(name.cards) for name in quoted)


def _zones_of(reader: LineReader, row: Row, token: Token) -> tuple[str, ...]:
    """The zones that a zone word on the line names."""
    return zones_named(reader.words, shape_of(row.text)[token.start : token.end])


def _ends_with_count(reader: LineReader, row: Row) -> bool:
    """Whether a line of words ends with a usual, marked count, as if it meant each card below."""
    number = rf"(?:[2-{_USUAL}二三四](?:{reader.words.patterns.counter})|[x×][ \t]*[2-{_USUAL}])"
    count = rf"[^0-9]*{number}(?:ずつ[^\W\d]{{0,6}}|[^\W\d]{{0,2}})\W*"
    return compiled(count).fullmatch(shape_of(row.text)) is not None


def _may_have_count(row: Row) -> bool:
    """Whether a number on the line may be a count, because it isn't within a note in brackets."""
    numbers = row.tokens_of("number")
    return bool(numbers) and compiled(_FRAMED).fullmatch(row.text) is None


def _apply_title_zone(reader: LineReader, top: Row, result: list[Line]) -> None:
    """If the title holds a card's name and ends in a zone mark, puts this card into that zone."""
    bare = shape_of(top.text).strip()
    zone = next((zone for word, zone in reader.words.marks if bare.endswith(word)), None)
    cards = {card for token in top.tokens_of("name") for card in token.cards}
    if zone is None or zone not in reader.words.zone_ids or len(cards) != 1:
        return
    for at, line in enumerate(result):
        parts = [part._replace(zone=zone) if set(part.cards) == cards else part for part in _parts(line)]
        if any(part.zone == zone for part in parts):
            result[at] = (
                _several(top.text, parts) if line.kind != "several" else line._replace(more=tuple(parts))
            )
            return
