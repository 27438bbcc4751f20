"""Finds the text on a line besides cards, counts and zones, to keep it as comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.lexer import BULLETS, CIRCLED, KANJI, Token, shape_of
from deckcheck.decklists.line import Line
from deckcheck.decklists.vocabulary import zones_named

_OPENING, _CLOSING = "《[(<{「『“\"'*", "》])>}」』”\"'*"
_COUNTERPARTS = dict(zip(_OPENING + _CLOSING, _CLOSING + _OPENING, strict=True))
_SEPARATORS = " \t|,、:=;・.。~…/&+"
_JOINING = ("", "x", "と")
# The beginning of a comment, but not the slashes of "https://".
_COMMENT = re.compile(r"#|(?<!:)//")
_DIGITS = re.compile(rf"[0-9]+|[{CIRCLED}{KANJI}]")
_ORDINAL = re.compile(
    rf"[^0-9a-z{CIRCLED}\0]*?(?:(?:no\.?[ \t]*)?[0-9]{{1,3}}[ \t]*[.)](?![0-9])|[{CIRCLED}])"
)
_REST = re.compile("[^\0]+")

Span = tuple[int, int]


class Remainder(NamedTuple):
    """For each entry on a line, the comment to be kept ("" for none), and the span of the count's digits.

    The span is None unless exactly one number may be the count.
    """

    comments: list[str]
    digits: list[Span | None]


def remainder(reader: LineReader, line: str, entries: Sequence[Line]) -> Remainder:
    """The remainder of a line of text besides its entries, which are in order from left to right."""
    shape = shape_of(line)
    names = [(entry.column - 1, entry.column - 1 + len(entry.written)) for entry in entries]
    comment = _COMMENT.search(shape, names[-1][1])
    end = comment.start() if comment else len(line)
    edges = [0, *(edge for name in names for edge in name), end]
    gaps: list[Span] = list(zip(edges[::2], edges[1::2], strict=True))
    tokens = [reader.parser.lexer.tokens(line, shape, *gap) for gap in gaps]
    # NUL replaces everything that the canonical line also has.
    for name in names:
        shape = _blanked(shape, *name)
    digits: list[Span | None] = []
    for at, entry in enumerate(entries):
        adjacent = [*tokens[at], *tokens[at + 1]]
        counts = _counts(shape, names[at], adjacent, entry.copies)
        place = _DIGITS.search(shape, counts[0].start, counts[0].end) if len(counts) == 1 else None
        digits.append(place.span() if place else None)
        zones = [token for token in adjacent if entry.zone in _zones(reader, shape, token)]
        for token in (*counts[:1], *zones[:1]):
            shape = _blanked(shape, token.start, token.end)
    if ordinal := _ORDINAL.match(shape, *gaps[0]):
        shape = _blanked(shape, *ordinal.span())
    before, *between = (_pieces(line, shape, gap) for gap in gaps[:-1])
    last = [*_pieces(line, shape, gaps[-1]), bare_comment(line[end:])]
    between = [[piece for piece in pieces if any(map(str.isalnum, piece))] for pieces in between]
    comments = [*between, last]
    comments[0] = [*(piece for piece in before if piece.strip(BULLETS)), *comments[0]]
    return Remainder([" ".join(filter(None, pieces)) for pieces in comments], digits)


def _blanked(shape: str, start: int, end: int) -> str:
    return shape[:start] + "\0" * (end - start) + shape[end:]


def _counts(shape: str, name: Span, tokens: Sequence[Token], copies: int) -> list[Token]:
    """The numbers next to a name that may be its count, marked ones first."""
    counts = []
    for token in tokens:
        is_marked = token.marked or token.boxed
        between = shape[token.end : name[0]] + shape[name[1] : token.start]
        is_near = copies > 1 or is_marked or not any(map(str.isalnum, between))
        if token.kind == "number" and token.number == copies and is_near and shape[token.start] != "\0":
            counts.append((not is_marked, token))
    return [token for _is_plain, token in sorted(counts, key=lambda pair: pair[0])]


def _zones(reader: LineReader, shape: str, token: Token) -> Sequence[str | None]:
    """The zones that a token names."""
    if token.kind in ("name", "number", "comment"):
        return ()
    return zones_named(reader.words, shape[token.start : token.end].strip(_OPENING + _CLOSING + "※←- \t"))


def _pieces(line: str, shape: str, gap: Span) -> list[str]:
    """The texts left in a gap, without surrounding signs and unpaired brackets."""
    pieces = []
    for match in _REST.finditer(shape, *gap):
        start, end = match.span()
        while start < end and shape[start] in _SEPARATORS + _CLOSING + _OPENING:
            if _COUNTERPARTS.get(shape[start], "\0") in shape[start + 1 : end]:
                break
            start += 1
        while start < end and shape[end - 1] in _SEPARATORS + _CLOSING + _OPENING:
            if _COUNTERPARTS.get(shape[end - 1], "\0") in shape[start : end - 1]:
                break
            end -= 1
        if shape[start:end] not in _JOINING:
            pieces.append(bare_comment(line[start:end]))
    return pieces


def bare_comment(comment: str) -> str:
    """The text of a comment without its marks."""
    return comment.strip().lstrip("#＃/／").strip()
