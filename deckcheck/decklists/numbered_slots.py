"""Numbered slots, as on the official deck sheet: 1, 2, 3 and so on before names or ditto marks, one copy each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.layout_rows import (
    UNKNOWN,
    UNREAD,
    Guess,
    Row,
    are_slots,
    cost_of,
    mark_title,
    several,
    span_entry,
)
from deckcheck.decklists.lexer import Token
from deckcheck.decklists.line import Line
from deckcheck.model.card import Card


def read_slots(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
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
    """The slots of a section in order; None if its numbers aren't those of slots.

    A zone on a row of its own, and what is above the first slot, may be none of them.
    """
    slots = _slots_in(section)
    if slots is not None:
        return slots
    first = next((at for at, row in enumerate(section) if row.tokens and row.tokens[0].number == 1), 0)
    rows = [row for row in section[first:] if row.line.kind != "entry" or row.line.zone is None]
    return _slots_in(rows) if len(rows) < len(section) else None


def _slots_in(section: Sequence[Row]) -> list[Slot] | None:
    stream = [(row, token) for row in section for token in row.tokens]
    names = [place for place, (_row, token) in enumerate(stream) if token.kind in ("name", "ditto")]
    numbers = [token.number for _row, token in stream if token.kind == "number" and not token.marked]
    if not any(token.kind == "number" for _row, token in stream):
        return _slots_by_ditto(stream, names)
    if any(token.marked for row in section if row.tokens_of("name") for token in row.tokens_of("number")):
        # The rows have counts, too.
        return None
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
    if not are_slots(list(slots)) or len(slots) < len(names):
        # All the numbers may come first, then all the names.
        if are_slots(numbers) and len(names) == len(numbers) and names[0] >= len(numbers):
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
