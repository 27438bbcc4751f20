"""What a line says beside its cards, their counts and their zones: the comments to be kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple
from unicodedata import numeric

from deckcheck.decklists.seen import Seen
from deckcheck.decklists.shapes import BULLETS, shape_of
from deckcheck.decklists.vocabulary import Vocabulary

_PAIRS = {
    "《": "》",
    "[": "]",
    "(": ")",
    "<": ">",
    "{": "}",
    "「": "」",
    "『": "』",
    "“": "”",
    '"': '"',
    "'": "'",
    "*": "*",
}
_OPENING = {close: opening for opening, close in _PAIRS.items()}
_SPACE = " \t\0"
_BETWEEN = " \t|,、:=;・.。~…"
_PARTING = "/&+"
_JOINING = ("x", "*", "と")
# A comment begins here; "https://" has slashes of its own.
_COMMENT = re.compile(r"#|(?<!:)//")
_ORDINAL = re.compile(r"[^0-9a-z①-⑳\0]*?(?:(?:no\.?[ \t]*)?[0-9]{1,3}[ \t]*[.)](?![0-9])|[①-⑳])")
_PIECE = re.compile(r"[^\0]+")

Gap = tuple[int, int]


class Beside(NamedTuple):
    """What stands beside an entry: a comment, "" for none, and where the digits of its count are.

    `digits` is None where no number is the count, or more than one could be.
    """

    comment: str
    digits: tuple[int, int] | None


FindBeside = Callable[[str, Sequence[Seen]], list[Beside]]
"""From a line of text and its entries, from left to right, to what stands beside each."""


def make_find_beside(words: Vocabulary, counters: Sequence[str]) -> FindBeside:
    """The search for what stands beside cards, in the words of a game; `counters` stand behind numbers of copies."""
    word = "|".join(re.escape(word.lower()) for word in sorted(counters, key=len, reverse=True)) or "(?!)"
    number = re.compile(
        rf"(?:(?<![^\W_])(?P<x>[x*])[ \t]*)?(?P<n>[0-9]+|[①-⑨]|[一二三四五六七八九十](?={word}))"
        rf"(?:[ \t]*(?P<c>{word}|[x*](?![a-z0-9])))?"
    )

    def find_beside(line: str, entries: Sequence[Seen]) -> list[Beside]:
        rest = _Rest(line, [(one.column - 1, one.column - 1 + len(one.written)) for one in entries])
        rest.unwrap()
        digits = [
            rest.take_count(number, one.copies, *gaps)
            for one, gaps in zip(entries, rest.around(), strict=True)
        ]
        rest.unwrap()
        rest.take_ordinal()
        for entry, gaps in zip(entries, rest.around(), strict=True):
            if entry.zone is not None:
                named = [word for word, zone in words.prefixes if zone == entry.zone]
                rest.take_word([*named, shape_of(entry.zone).strip()], gaps)
        return list(map(Beside, rest.comments(), digits))

    return find_beside


class _Rest:
    """A line's shape in which NUL stands for everything that is said by its canonical form too."""

    def __init__(self, line: str, names: Sequence[tuple[int, int]]) -> None:
        self._line, self._shape = line, shape_of(line)
        found = _COMMENT.search(self._shape, names[-1][1])
        self._end = found.start() if found else len(line)
        edges = [0, *(edge for name in names for edge in name), self._end]
        self._gaps: list[Gap] = list(zip(edges[::2], edges[1::2], strict=True))
        for name in names:
            self._take(*name)

    def around(self) -> list[tuple[Gap, Gap]]:
        """The stretches before and behind each name."""
        return list(pairwise(self._gaps))

    def _take(self, start: int, end: int) -> None:
        self._shape = self._shape[:start] + "\0" * (end - start) + self._shape[end:]

    def unwrap(self) -> None:
        """Take away the brackets and quotes around each name, also where one of them got lost."""
        for (first, start), (end, last) in self.around():
            while True:
                before = self._shape[first:start].rstrip(_SPACE)
                behind = self._shape[end:last].lstrip(_SPACE)
                paired = _PAIRS.get(before[-1:]) == behind[:1]
                if not paired and before[-1:] != "《" and behind[:1] != "》":
                    break
                if paired or before[-1:] == "《":
                    self._take(first + len(before) - 1, first + len(before))
                if paired or before[-1:] != "《":
                    self._take(last - len(behind), last - len(behind) + 1)

    def take_count(
        self, number: re.Pattern[str], copies: int, left: Gap, right: Gap
    ) -> tuple[int, int] | None:
        """Take away an entry's count; its digits if no other number may be the count."""
        found = []
        for one in (*number.finditer(self._shape, *left), *number.finditer(self._shape, *right)):
            value = int(one["n"]) if one["n"].isdecimal() else int(numeric(one["n"]))
            between = self._shape[one.end() : left[1]] + self._shape[right[0] : one.start()]
            plain = not (one["x"] or one["c"])
            if value == copies and (copies > 1 or not plain or not any(map(str.isalnum, between))):
                found.append((plain, one))
        if not found:
            return None
        _plain, best = min(found, key=lambda pair: pair[0])
        self._take(*best.span())
        return best.span("n") if len(found) == 1 else None

    def take_ordinal(self) -> None:
        """Take away the number of a numbered line."""
        found = _ORDINAL.match(self._shape, *self._gaps[0])
        if found:
            self._take(*found.span())

    def take_word(self, words: Sequence[str], gaps: tuple[Gap, Gap]) -> None:
        """Take away the longest of the words that stands there."""
        for word in sorted(filter(None, words), key=len, reverse=True):
            for gap in gaps:
                at = self._shape.find(word, *gap)
                if at >= 0:
                    self._take(at, at + len(word))
                    return

    def comments(self) -> list[str]:
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

    def _pieces(self, gap: Gap, ends: str, bullets: str = "") -> list[str]:
        return [self._piece(*one.span(), ends, bullets) for one in _PIECE.finditer(self._shape, *gap)]

    def _piece(self, start: int, end: int, ends: str, bullets: str) -> str:
        """A stretch without what parts it from the rest, and without brackets that have no counterpart in it."""
        shape = self._shape
        before, behind = {*ends, *bullets, *_OPENING}, {*ends, *_PAIRS}
        while start < end and shape[start] in before:
            if _PAIRS.get(shape[start], "\0") in shape[start + 1 : end]:
                break
            start += 1
        while start < end and shape[end - 1] in behind:
            if _OPENING.get(shape[end - 1], "\0") in shape[start : end - 1]:
                break
            end -= 1
        left = shape[start:end].strip("".join(before | behind))
        return "" if not left or left in _JOINING else bare_comment(self._line[start:end])


def bare_comment(comment: str) -> str:
    """The words of a comment without what marks it as one."""
    return comment.strip().lstrip("#＃/／").strip()
