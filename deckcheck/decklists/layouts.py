"""Reads a list by its layout if its lines aren't clear on their own.

Each hypothesis puts the counts elsewhere (on the next or previous line, in the k-th column, in numbered
slots, nowhere) and reads the whole list. Unread and unknown lines cost; the cheapest hypothesis wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckcheck.decklists.bare_columns import (
    read_columns,
    read_counted_names,
    read_printings,
    read_source_code,
)
from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.count_lines import read_count_lines, read_group_counts
from deckcheck.decklists.layout_rows import (
    LEAST_ROWS,
    UNREAD,
    USUAL,
    Guess,
    Row,
    are_slots,
    cost_of,
    counts_by_section,
    has_ditto,
    is_lone_number,
    lacks,
    parts_of,
    rows_of,
    several,
    shared_count,
    span_entry,
    title_line,
    token_entry,
)
from deckcheck.decklists.lexer import Token, compiled, shape_of
from deckcheck.decklists.line import (
    BAD_COUNT,
    CARDS,
    MOST_LINES,
    NAME_OR_CARD,
    NEGATIVE,
    NO_COUNTS,
    NOT_READ,
    NUMBER_OR_COUNT,
    OPEN_COUNT,
    OTHER_SUM,
    SPAN,
    STRUCK_OUT,
    Line,
    invalid,
)
from deckcheck.decklists.numbered_slots import read_slots
from deckcheck.decklists.parser import TALLY
from deckcheck.decklists.titles import may_name_deck, misspells_card, with_heading_as_title, with_marked_title
from deckcheck.decklists.vocabulary import TWO_ZONES, zones_named

_MARGIN = 2
_LEAST_SINGLE = 5


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
    certain = read_group_counts(reader, rows, lines) or read_counted_names(reader, rows, lines)
    if certain is not None:
        return certain
    if _in_doubt(lines, text) and any(row.tokens_of("name") for row in rows):
        alone = cost_of(lines, text)
        guesses = list(read_source_code(reader, rows, lines)) or [
            guess
            for read in (read_slots, read_count_lines, read_columns, read_printings, _without_counts)
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
    style = _style(rows)
    if style is None:
        return lines
    return _restore_misspelt_cards(reader, rows, lines, _in_style(reader, rows, lines, style))


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
        if any(
            not part.cards or part.kind == "invalid" or part.most > part.copies for part in parts_of(line)
        ):
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
        for part in parts_of(line):
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


def _in_style(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line], style: Style) -> list[Line]:
    """The lines of a list with counts in one style: the first line above the cards may become the title, and
    an unknown name with a count in another style becomes invalid."""
    result = list(lines)
    cards = [row for row in rows if row.line.kind in CARDS and any(part.cards for part in parts_of(row.line))]
    styled = [row for row in cards if _style_of(row) == style or row.line.kind == "several"]
    if not styled:
        return result
    first = styled[0].at
    titled = any(line.kind == "title" or (line.kind == "header" and line.key == "deck") for line in lines)
    top = next((row for row in rows), None)
    for row in rows:
        line = row.line
        if row.at < first and not titled and row is top and _may_be_title(reader, row, style, rows):
            result[row.at] = title_line(row, result)
            continue
        if (
            line.kind == "entry"
            and not line.cards
            and line.copies == line.most
            and not _fits(reader, row, style)
        ):
            result[row.at] = invalid(row.text, NOT_READ)
    return result


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
        parts = [part._replace(zone=zone) if set(part.cards) == cards else part for part in parts_of(line)]
        if any(part.zone == zone for part in parts):
            result[at] = (
                several(top.text, parts) if line.kind != "several" else line._replace(more=tuple(parts))
            )
            return
