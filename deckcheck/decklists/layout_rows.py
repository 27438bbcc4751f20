"""The rows of a list while its layout is unknown, the lines that a hypothesis makes of them, and what these cost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader, entry_of
from deckcheck.decklists.context import counts_by_section, fills_zone
from deckcheck.decklists.lexer import Token, compiled, number_in, shape_of
from deckcheck.decklists.line import (
    CARDS,
    LONGEST_LINE,
    MOST_LIKELY,
    NAME_AS_TITLE,
    NAME_OR_CARD,
    Line,
    invalid,
    is_titled,
)
from deckcheck.decklists.parser import Reading
from deckcheck.decklists.titles import DECORATION, bare_title
from deckcheck.decklists.vocabulary import DITTO_MARKS
from deckcheck.model.card import Card

UNREAD, UNKNOWN = 3, 2
"""What an unread line and an unknown name cost."""
_LEAST_SLOTS = 8
_MOST_TOKENS = 64
_SILENT = frozenset({"blank", "comment", "header", "furniture", "count"})
MARKS = frozenset({"heading", "label", "title"})


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


def lacks(lines: Iterable[Line], cards: Collection[Card]) -> bool:
    """Whether no entry of the lines is any of the cards."""
    return all(card not in cards for line in lines for part in line.parts for card in part.cards)


def has_ditto(raw: str) -> bool:
    """Whether a line has a mark that repeats a card."""
    return any(mark in raw for mark in DITTO_MARKS)


def is_lone_number(raw: str) -> bool:
    """Whether a line has no more than a number, with or without a sign."""
    return not raw.strip(" \t\u30000123456789０１２３４５６７８９x×X✕*-・•枚")


def are_slots(numbers: Sequence[int]) -> bool:
    """Whether the numbers are 1, 2, 3 and so on, each once, in any order."""
    return len(numbers) >= _LEAST_SLOTS and set(numbers) == set(range(1, len(numbers) + 1))


def cost_of(lines: Sequence[Line], text: Sequence[str]) -> float:
    """What a reading of these lines costs."""
    cost = 0.0
    for line, raw in zip(lines, text, strict=True):
        cost += UNREAD * (line.kind == "invalid" or (line.kind == "total" and is_lone_number(raw)))
        cost += UNREAD * (line.kind == "comment" and has_ditto(raw))
        for part in line.parts:
            cost += UNREAD if part.kind == "invalid" or part.most > part.copies else 0
            cost += UNKNOWN if part.kind == "entry" and not part.cards else 0
    return cost + sum(UNREAD * len(counts) for counts in counts_by_section(lines) if are_slots(counts))


def rows_of(reader: LineReader, text: Sequence[str], lines: Sequence[Line]) -> Iterator[Row]:
    """The rows of a list; those of headings have no tokens."""
    for at, (line, alone) in enumerate(zip(text, lines, strict=True)):
        if alone.kind in ("blank", "header") or (alone.kind == "comment" and not has_ditto(line)):
            continue
        if alone.kind in ("heading", "label") and alone.known:
            yield Row(at, line, (), alone)
            continue
        if len(line) > LONGEST_LINE:
            continue
        tokens = tuple(reader.parser.lexer.line_tokens(line))
        if tokens and len(tokens) <= _MOST_TOKENS:
            yield Row(at, line, tokens, alone)


def token_entry(reader: LineReader, line: str, token: Token, copies: int, zone: str | None = None) -> Line:
    """The entry of a name in so many copies."""
    return span_entry(reader, line, token.start, token.end, token.cards, copies, zone)


def span_entry(
    reader: LineReader,
    line: str,
    start: int,
    end: int,
    cards: tuple[Card, ...],
    copies: int,
    zone: str | None = None,
) -> Line:
    """The entry of a span of the line in so many copies."""
    reading = Reading(line[start:end], cards, copies, copies, start, zone)
    return entry_of(reader.words, reading)


def furniture(line: str) -> Line:
    """A line that belongs to the page."""
    return Line("furniture", line.strip(), column=len(line) - len(line.lstrip()) + 1)


def is_counted(row: Row) -> bool:
    """Whether a line has both a card and its count."""
    return row.line.kind in CARDS and bool(row.tokens_of("number"))


def mark_title(result: list[Line], rows: Sequence[Row], first: int) -> None:
    """Turns lines above the first card, at index `first`, into a title and furniture."""
    titled = is_titled(result)
    for row in rows:
        if row.at >= first:
            break
        if result[row.at].kind in _SILENT | MARKS | {"total"} or row.is_count or is_counted(row):
            continue
        title = title_line(row, result)
        result[row.at] = furniture(row.text) if titled and title.kind == "title" else title
        titled = True


def title_line(row: Row, result: Sequence[Line]) -> Line:
    """The line above a list as its title; a card that the list lacks is invalid unless the deck is full."""
    title = Line("title", bare_title(row.text), column=len(row.text) - len(row.text.lstrip()) + 1)
    names = row.tokens_of("name")
    has_count = len(names) == 1 and _is_beside_count(row, names[0])
    is_alone = len(row.tokens) == 1 + len(row.tokens_of("note"))
    if not names or not (is_alone or has_count):
        return title
    others = [line for at, line in enumerate(result) if at != row.at]
    if not lacks(others, names[0].cards):
        return title
    if has_count:
        return invalid(row.text, NAME_OR_CARD)
    # One card more than a whole deck is unlikely.
    if row.text.strip()[0] in DECORATION:
        lacks_one = fills_zone(others, 1)
        return invalid(row.text, NAME_OR_CARD) if lacks_one else title
    return title._replace(why=NAME_AS_TITLE) if fills_zone(others) else invalid(row.text, NAME_OR_CARD)


def _is_beside_count(row: Row, name: Token) -> bool:
    """Whether a number that may be a count is next to a name."""
    for number in row.tokens_of("number"):
        first, second = sorted((name, number), key=lambda token: token.start)
        between = shape_of(row.text)[first.end : second.start]
        is_near = compiled(r"(?:[^\w\n]|[x×_]){0,4}").fullmatch(between) is not None
        if is_near and number.number is not None and 0 < number.number <= MOST_LIKELY:
            return True
    return False


_EACH = r"\W*(?:[^\W\d]{1,2}|each|all)?[ \t]*(?:[x*][ \t]*(?P<x>[0-9]+)|(?P<n>[0-9]+)[ \t]*(?:WORD|[x*]))"


def shared_count(reader: LineReader, row: Row) -> int | None:
    """The marked count on a line without anything else, which may apply to every card below; else None."""
    # A short word next to the count may mean "each".
    count = _EACH.replace("WORD", reader.words.patterns.counter) + r"(?:[ \t]*each|[^\W\d]{0,2})\W*"
    match = compiled(count).fullmatch(shape_of(row.text))
    return number_in(match["x"] or match["n"]) if match else None
