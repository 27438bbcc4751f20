"""What a line says beside its cards, their counts and their zones: the comments to be kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from unicodedata import numeric

from deckcheck.decklists.lexer import BULLETS, KANJI, shape_of
from deckcheck.decklists.line import Line
from deckcheck.model.game import Game

_OPENING, _CLOSING = "《[(<{「『“\"'*", "》])>}」』”\"'*"
_PAIRS = dict(zip(_OPENING, _CLOSING, strict=True))
_OPENING_OF = dict(zip(_CLOSING, _OPENING, strict=True))
_WRAPPING = re.compile(
    "|".join(rf"{re.escape(pair[0])}[ \t]*+\0[ \t\0]*+{re.escape(pair[1])}" for pair in _PAIRS.items())
    # One of these may have got lost.
    + r"|《(?=[ \t]*+\0)|\0[ \t]*+》"
)
_BETWEEN = " \t|,、:=;・.。~…"
_PARTING = "/&+"
_JOINING = ("", "x", "*", "と")
# A comment begins here; "https://" has slashes of its own.
_COMMENT = re.compile(r"#|(?<!:)//")
_ORDINAL = re.compile(r"[^0-9a-z①-⑳\0]*?(?:(?:no\.?[ \t]*)?[0-9]{1,3}[ \t]*[.)](?![0-9])|[①-⑳])")

Span = tuple[int, int]


@cache
def _number(counters: Sequence[str]) -> re.Pattern[str]:
    """A number that may be a count, with what says so."""
    word = "|".join(re.escape(word.lower()) for word in sorted(counters, key=len, reverse=True)) or "(?!)"
    return re.compile(
        rf"(?:(?<![^\W_])(?P<x>[x*])[ \t]*)?(?P<n>[0-9]+|[①-⑨]|[{KANJI}](?={word}))"
        rf"(?:[ \t]*(?P<c>{word}|[x*](?![a-z0-9])))?"
    )


class Beside:
    """What stands on a line of text beside its entries: the `comments` to be kept, "" for none, and the counts' `digits`.

    These are None where no number is the count, or more than one may be. Entries come from left to right.
    """

    def __init__(self, game: Game, line: str, entries: Sequence[Line]) -> None:
        # NUL stands for what the canonical line says too.
        self._line, self._rest = line, shape_of(line)
        names = [(one.column - 1, one.column - 1 + len(one.written)) for one in entries]
        found = _COMMENT.search(self._rest, names[-1][1])
        self._end = found.start() if found else len(line)
        edges = [0, *(edge for name in names for edge in name), self._end]
        self._gaps: list[Span] = list(zip(edges[::2], edges[1::2], strict=True))
        for name in names:
            self._take(name)
        self._unwrap()
        self.digits = [
            self._take_count(at, one.copies, _number(game.words.counters)) for at, one in enumerate(entries)
        ]
        self._unwrap()
        if ordinal := _ORDINAL.match(self._rest, *self._gaps[0]):
            self._take(ordinal.span())
        for at, one in enumerate(entries):
            if one.zone is not None:
                self._take_zone(at, one.zone, game)
        self.comments = self._comments()

    def _take(self, span: Span) -> None:
        start, end = span
        self._rest = self._rest[:start] + "\0" * (end - start) + self._rest[end:]

    def _unwrap(self) -> None:
        """Take away the brackets and quotes around what is gone."""
        while found := _WRAPPING.search(self._rest, 0, self._end):
            self._take(found.span())

    def _take_count(self, at: int, copies: int, number: re.Pattern[str]) -> Span | None:
        (first, start), (end, last) = self._gaps[at : at + 2]
        found = []
        for one in (*number.finditer(self._rest, first, start), *number.finditer(self._rest, end, last)):
            value = int(one["n"]) if one["n"].isdecimal() else int(numeric(one["n"]))
            between = self._rest[one.end() : start] + self._rest[end : one.start()]
            plain = not (one["x"] or one["c"])
            if value == copies and (copies > 1 or not plain or not any(map(str.isalnum, between))):
                found.append((plain, one))
        if found:
            self._take(min(found, key=lambda pair: pair[0])[1].span())
        return found[0][1].span("n") if len(found) == 1 else None

    def _take_zone(self, at: int, zone: str, game: Game) -> None:
        named = [zone, *(word for word, marked in game.words.marks.items() if marked == zone)]
        if zone in game.zones:
            named += [*game.zones[zone].headings, game.zones[zone].name.ja, game.zones[zone].name.en]
        for word in sorted({shape_of(word).strip() for word in named} - {""}, key=len, reverse=True):
            for gap in self._gaps[at : at + 2]:
                start = self._rest.find(word, *gap)
                if start >= 0:
                    self._take((start, start + len(word)))
                    return

    def _comments(self) -> list[str]:
        """What is left for each entry: behind it, and before it for the first one."""
        first, *others, last = self._gaps
        pieces = [
            # Between two entries there are signs that only part them.
            [one for one in self._pieces(gap, _BETWEEN + _PARTING) if any(map(str.isalnum, one))]
            for gap in others
        ]
        pieces.append([*self._pieces(last, _BETWEEN), bare_comment(self._line[self._end :])])
        pieces[0] = [*self._pieces(first, _BETWEEN, BULLETS), *pieces[0]]
        return [" ".join(filter(None, found)) for found in pieces]

    def _pieces(self, gap: Span, ends: str, bullets: str = "") -> list[str]:
        """What is left of a gap, without what parts it from the rest and brackets without their counterparts."""
        found, rest = [], self._rest
        for piece in re.compile("[^\0]+").finditer(rest, *gap):
            start, end = piece.span()
            while start < end and rest[start] in ends + bullets + _CLOSING:
                if _PAIRS.get(rest[start], "\0") in rest[start + 1 : end]:
                    break
                start += 1
            while start < end and rest[end - 1] in ends + _OPENING:
                if _OPENING_OF.get(rest[end - 1], "\0") in rest[start : end - 1]:
                    break
                end -= 1
            if rest[start:end].strip(ends + bullets + _OPENING + _CLOSING) not in _JOINING:
                found.append(bare_comment(self._line[start:end]))
        return found


def bare_comment(comment: str) -> str:
    """The words of a comment without what marks it as one."""
    return comment.strip().lstrip("#＃/／").strip()
