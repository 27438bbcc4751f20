"""Reads a list by its layout if its lines aren't clear on their own.

Each hypothesis puts the counts elsewhere (on the next or previous line, in the k-th column, in numbered
slots, nowhere) and reads the whole list. Unread and unknown lines cost; the cheapest hypothesis wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from deckcheck.decklists.bare_columns import (
    read_columns,
    read_counted_names,
    read_printings,
    read_source_code,
)
from deckcheck.decklists.classify import LineReader, entry_of
from deckcheck.decklists.context import counts_by_section
from deckcheck.decklists.layout_rows import (
    MARKS,
    UNKNOWN,
    UNREAD,
    Guess,
    Row,
    are_slots,
    cost_of,
    has_ditto,
    is_counted,
    is_lone_number,
    lacks,
    mark_title,
    rows_of,
    shared_count,
    span_entry,
    title_line,
    token_entry,
)
from deckcheck.decklists.lexer import Token, compiled, shape_of
from deckcheck.decklists.line import (
    BAD_COUNT,
    CARDS,
    LEAST_ROWS,
    MOST_LINES,
    NAME_AS_TITLE,
    NAME_OR_CARD,
    NEGATIVE,
    NO_CARD,
    NO_COUNTS,
    NOT_READ,
    NUMBER_OR_COUNT,
    OPEN_COUNT,
    OTHER_SUM,
    SPAN,
    STRUCK_OUT,
    SUM_OR_COUNT,
    USUAL,
    Line,
    invalid,
    is_titled,
    several,
)
from deckcheck.decklists.parser import TALLY
from deckcheck.decklists.titles import (
    may_name_deck,
    misspells_card,
    with_heading_as_title,
    with_marked_title,
)
from deckcheck.decklists.vocabulary import TWO_ZONES, zones_named
from deckcheck.model.card import Card

_MARGIN = 2
_LEAST_SINGLE, _LEAST_PAIRS = 5, 2
_TITLE_COST = 1
"""What the name of a card as the deck's name costs."""


_CERTAIN = (OPEN_COUNT, OTHER_SUM, SPAN, STRUCK_OUT, NEGATIVE, NUMBER_OR_COUNT, TWO_ZONES, NO_COUNTS)
"""The problems of a line that no layout solves."""


def with_layout(reader: LineReader, text: Sequence[str], lines: list[Line]) -> list[Line]:
    """The lines, read by the cheapest hypothesis about the layout of the list.

    `lines`, as classified one by one, stay unless a hypothesis is better by a margin and no other one that is
    nearly as good gives another deck.
    """
    if len(text) > MOST_LINES:
        return lines
    return with_heading_as_title(reader, text, _with_hypothesis(reader, text, lines))


def _with_hypothesis(reader: LineReader, text: Sequence[str], lines: list[Line]) -> list[Line]:
    lines = with_marked_title(reader, text, lines)
    rows = list(rows_of(reader, text, lines))
    certain = _group_counts(reader, rows, lines) or read_counted_names(reader, rows, lines)
    if certain is not None:
        return certain
    if _in_doubt(lines, text) and any(row.tokens_of("name") for row in rows):
        alone = cost_of(lines, text)
        guesses = list(read_source_code(reader, rows, lines)) or [
            guess
            for read in (_slots, _count_lines, read_columns, read_printings, _without_counts)
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
    return _with_style(reader, rows, lines)


def with_style(reader: LineReader, text: Sequence[str], lines: list[Line]) -> list[Line]:
    """The lines of a list with its counts in one style: a line above the cards in another one is no card."""
    return _with_style(reader, list(rows_of(reader, text, lines)), lines)


def _with_style(reader: LineReader, rows: Sequence[Row], lines: list[Line]) -> list[Line]:
    """The lines of a list with counts in one style: the first line above the cards may become the title, and
    an unknown name with a count in another style becomes invalid."""
    style = _style(rows)
    if style is None:
        return lines
    result, top = list(lines), rows[0]
    named = (row for row in rows if any(part.cards for part in row.line.parts))
    first = next(row.at for row in named if row.line.kind == "several" or _style_of(row) == style)
    is_title = top.at < first and not is_titled(lines) and _may_be_title(reader, top, style, rows)
    if is_title:
        result[top.at] = title_line(top, result)
    for row in rows[is_title:]:
        is_unknown = row.line.kind == "entry" and not row.line.cards and row.line.copies == row.line.most
        if is_unknown and not _fits(reader, row, style):
            result[row.at] = invalid(row.text, NOT_READ)
    return _restore_misspelt_cards(reader, rows, lines, result)


_OWN_LINE = frozenset({"entry", "invalid", "unknown"})


def _restore_misspelt_cards(
    reader: LineReader, rows: Sequence[Row], lines: Sequence[Line], result: list[Line]
) -> list[Line]:
    """Restores lines above the first card that are most likely a card with a typing error in its name."""
    for row in rows:
        if result[row.at].kind in CARDS:
            break
        dropped = result[row.at].kind in ("title", "furniture") and lines[row.at].kind in _OWN_LINE
        if dropped and not row.tokens_of("name") and misspells_card(reader, row.text):
            result[row.at] = lines[row.at]
    return result


def _in_doubt(lines: Sequence[Line], text: Sequence[str]) -> bool:
    """Whether any line is unread or unknown, or the counts may be numbers of slots."""
    for line, raw in zip(lines, text, strict=True):
        if line.kind == "invalid" or (line.kind == "total" and is_lone_number(raw)):
            return True
        if any(not part.cards or part.kind == "invalid" or part.most > part.copies for part in line.parts):
            return True
        if line.kind == "comment" and has_ditto(raw):
            return True
    return any(are_slots(counts) for counts in counts_by_section(lines))


def _copies_by_card(lines: Sequence[Line]) -> list[tuple[tuple[object, ...], int]]:
    """The copies of each card by zone, on which contending hypotheses must agree."""
    copies: dict[tuple[object, ...], int] = {}
    zone: str | None = None
    for line in lines:
        zone = line.zone if line.kind == "heading" else zone
        for part in line.parts:
            key = (part.zone or zone, part.cards, part.written if not part.cards else "")
            copies[key] = copies.get(key, 0) + part.copies
    return sorted(copies.items(), key=repr)


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
    # The number of a numbered row may equal its count.
    numbers = [token for token in numbers if token.marked] or numbers
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


def _fits(reader: LineReader, row: Row, style: Style) -> bool:
    """Whether a line's count is in the list's style, marked as one, or separate and on the same side."""
    own = _style_of(row)
    if own is None:
        # An unknown name with its count, all one word.
        glued = rf"\W*[0-9]{{1,3}}{reader.words.patterns.counter}"
        return style.left and compiled(glued).match(shape_of(row.text)) is not None
    if own == style:
        return True
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
    if line.kind == "title" or line.why in (*_CERTAIN, BAD_COUNT) or shared_count(reader, row) is not None:
        return False
    if line.kind == "entry":
        if line.zone is not None or line.known is False:
            return False
        return _style_of(row) != style and (not line.cards or _style_of(row) is None)
    if line.kind == "heading":
        others = any(
            other.line.kind == "heading" and not other.line.known for other in rows if other is not row
        )
        below = [other.line for other in rows if other is not row]
        return not line.known and not others and may_name_deck(reader.words, row.text, below)
    return line.kind in ("invalid", "several") and _style_of(row) is None


# No counts: every name is one copy, even several on a line.


_FRAMED = r"[ \t\u3000]*[^\w\s]*[《【「\[](?P<name>.+?)[》】」\]][ \t\u3000]*[(（][^()（）]*[)）][ \t\u3000]*"


def _without_counts(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    named = [row for row in rows if row.tokens_of("name")]
    bare = [row for row in named if not _may_have_count(reader, row)]
    if len(bare) < _LEAST_SINGLE or len(bare) < len(named):
        return
    result = list(lines)
    framed = [row for row in rows if compiled(_FRAMED).fullmatch(row.text)]
    for row in rows:
        names = row.tokens_of("name")
        if row.line.kind in ("heading", "label", "title", "total"):
            continue
        if row in framed and len(framed) >= LEAST_ROWS:
            match = compiled(_FRAMED).fullmatch(row.text)
            if match is not None:
                zone = row.line.zone if row.line.kind == "entry" else None
                # The brackets may also contain the name's reading.
                spelt = compiled(r"[(（][^()（）]*[)）]$").sub("", match["name"])
                cards = reader.parser.name(match["name"]) or reader.parser.name(spelt)
                result[row.at] = span_entry(reader, row.text, *match.span("name"), cards, 1, zone)
        elif len(names) > 1 and not row.tokens_of("word"):
            result[row.at] = several(row.text, [token_entry(reader, row.text, name, 1) for name in names])
        elif row.line.kind == "invalid" and len(names) == 1 and not row.tokens_of("word"):
            zones = {zone for token in row.tokens_of("zone") for zone in _zones_of(reader, row, token)}
            if len(zones) < 2:
                result[row.at] = token_entry(reader, row.text, names[0], 1, next(iter(zones), None))
    top = rows[0]
    saving = 0
    if shared_count(reader, top) is not None or _ends_with_count(reader, top):
        # That the counts are unclear is what this reading finds out.
        result[top.at] = invalid(top.text, NOT_READ)
        saving = UNREAD
    elif _quotes_other_card(top, result):
        result[top.at] = invalid(top.text, NAME_OR_CARD)
    elif (
        top.tokens_of("word")
        and result[top.at].kind in ("invalid", "entry")
        and not result[top.at].cards
        and not any(result[row.at].kind == "invalid" for row in named if row is not top)
    ):
        result[top.at] = Line("title", top.text.strip())
        _apply_title_zone(reader, top, result)
    yield Guess(result, cost_of([result[row.at] for row in rows], [row.text for row in rows]) - saving)


def _quotes_other_card(row: Row, result: Sequence[Line]) -> bool:
    """Whether a line of words has the name of a card in its brackets that no other line has."""
    quoted = [
        name
        for name in row.tokens_of("name")
        if row.text[name.start : name.start + 1] == "《" or row.text[name.start - 1 : name.start] == "《"
    ]
    return bool(row.tokens_of("word")) and any(lacks(result, name.cards) for name in quoted)


def _zones_of(reader: LineReader, row: Row, token: Token) -> tuple[str, ...]:
    """The zones that a zone word on the line names."""
    return zones_named(reader.words, shape_of(row.text)[token.start : token.end])


def _ends_with_count(reader: LineReader, row: Row) -> bool:
    """Whether a line of words ends with a usual, marked count, as if it meant each card below."""
    number = rf"(?:[2-{USUAL}二三四](?:{reader.words.patterns.counter})|[x×][ \t]*[2-{USUAL}])"
    count = rf"[^0-9]*{number}(?:ずつ[^\W\d]{{0,6}}|[^\W\d]{{0,2}})\W*"
    return compiled(count).fullmatch(shape_of(row.text)) is not None


def _may_have_count(reader: LineReader, row: Row) -> bool:
    """Whether a number or marks on the line may be a count, because they aren't a remark in brackets."""
    shape = shape_of(row.text)
    marked = rf"[x*][ \t]*[0-9]|[0-9][ \t]*{reader.words.patterns.counter}|<[^<>]*[0-9]"
    notes = "".join(shape[token.start : token.end] for token in row.tokens_of("bracket"))
    if compiled(marked).search(notes):
        return True
    if compiled(_FRAMED).fullmatch(row.text):
        return False
    is_tallied = any(compiled(TALLY).fullmatch(shape, name.end) for name in row.tokens_of("name"))
    return is_tallied or any(token.kind in ("number", "span") for token in row.tokens)


def _apply_title_zone(reader: LineReader, top: Row, result: list[Line]) -> None:
    """If the title holds a card's name and ends in a zone mark, puts this card into that zone."""
    bare = shape_of(top.text).strip()
    zone = next((zone for word, zone in reader.words.marks if bare.endswith(word)), None)
    cards = {card for token in top.tokens_of("name") for card in token.cards}
    if zone is None or zone not in reader.words.zone_ids or len(cards) != 1:
        return
    for at, line in enumerate(result):
        parts = [part._replace(zone=zone) if set(part.cards) == cards else part for part in line.parts]
        if any(part.zone == zone for part in parts):
            result[at] = (
                several(top.text, parts) if line.kind != "several" else line._replace(more=tuple(parts))
            )
            return


# Numbered slots, as on the official deck sheet: 1, 2, 3 and so on before names or ditto marks, one copy each.


def _slots(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    """The lines of a list in numbered slots, section by section."""
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
            cost += cost_of([row.line for row in section], [row.text for row in section])
            continue
        done = True
        parts: dict[int, list[Line]] = {}
        for row, start, end, cards, _same in filled:
            cost += 0 if cards else UNKNOWN
            parts.setdefault(row.at, []).append(span_entry(reader, row.text, start, end, cards, 1))
        for row in section:
            if row.at in parts:
                result[row.at] = several(row.text, parts[row.at])
            elif row.is_count:
                result[row.at] = Line("count", row.text.strip())
        if section is sections[0]:
            mark_title(result, section, min(parts))
    if done:
        yield Guess(result, cost + _unread_cost(result, rows))


def _unread_cost(result: Sequence[Line], rows: Sequence[Row]) -> float:
    return sum(UNREAD for row in rows if result[row.at].kind == "invalid")


class _Slot(NamedTuple):
    """The contents of a slot; `same`: a ditto mark, for the card of the previous slot."""

    row: Row
    start: int
    end: int
    cards: tuple[Card, ...]
    same: bool = False

    @classmethod
    def of(cls, row: Row, first: Token, last: Token) -> _Slot:
        return cls(row, first.start, last.end, first.cards, first.kind == "ditto")


def _slots_of(section: Sequence[Row]) -> list[_Slot] | None:
    """The slots of a section in order; None if its numbers aren't those of slots.

    A zone on a row of its own, and what is above the first slot, may be none of them.
    """
    slots = _slots_in(section)
    if slots is not None:
        return slots
    first = next((at for at, row in enumerate(section) if row.tokens and row.tokens[0].number == 1), 0)
    rows = [row for row in section[first:] if row.line.kind != "entry" or row.line.zone is None]
    return _slots_in(rows) if len(rows) < len(section) else None


def _slots_in(section: Sequence[Row]) -> list[_Slot] | None:
    stream = [(row, token) for row in section for token in row.tokens]
    names = [place for place, (_row, token) in enumerate(stream) if token.kind in ("name", "ditto")]
    numbers = [token.number for _row, token in stream if token.kind == "number" and not token.marked]
    each = [_Slot.of(row, token, token) for row, token in map(stream.__getitem__, names)]
    if not any(token.kind == "number" for _row, token in stream):
        return _without_ditto(each) if any(slot.same for slot in each) else None
    if any(token.marked for row in section if row.tokens_of("name") for token in row.tokens_of("number")):
        # The rows have counts, too.
        return None
    slots: dict[int, _Slot] = {}
    for (_row, token), (row, first) in pairwise([*stream, stream[-1]]):
        if token.kind != "number" or token.marked:
            continue
        if first.kind not in ("name", "ditto", "word") or token.number in slots:
            break
        words = takewhile(lambda other: other.kind == "word", row.tokens[row.tokens.index(first) :])
        slots[token.number] = _Slot.of(row, first, [first, *words][-1])
    if not are_slots(list(slots)) or len(slots) < len(names):
        # All the numbers may come first, then all the names.
        if not are_slots(numbers) or len(names) != len(numbers) or names[0] < len(numbers):
            return None
        slots = dict(zip(numbers, each, strict=True))
    return _without_ditto([slots[number] for number in sorted(slots)])


def _without_ditto(filled: Sequence[_Slot]) -> list[_Slot] | None:
    slots: list[_Slot] = []
    for slot in filled:
        if slot.same and not slots:
            return None
        slots.append(slot._replace(cards=slots[-1].cards) if slot.same else slot)
    return slots


# Counts on lines of their own: after or before each name, or above a group of names.


def _count_lines(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
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
    has_card = any(result[row.at].why == NAME_AS_TITLE for row in rows if row.at < first)
    if not forward and is_marked and has_card:
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
        elif row.line.kind in MARKS:
            is_open = False
        elif row.line.kind in CARDS and (groups or row.tokens_of("name")):
            bare = not row.tokens_of("number") and all(part.copies == 1 for part in row.line.parts)
            is_open = is_open and bare
            is_whole = is_whole and is_open
            if is_open:
                groups[-1][2].append(row)
    filled = [(row, number, names) for row, number, names in groups if names and number <= USUAL]
    sizes = [sum(len(row.line.parts) for row in names) for _row, _number, names in filled]
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
            parts = [part._replace(copies=number, most=number) for part in row.line.parts]
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
