"""How lines look, whatever the cards are called: counts, bullets, brackets, comments.

Everything here works on a line's *shape*: the line with full-width forms,
look-alikes and letter case levelled, one code point for one code point, so that
a place in the shape is the same place in the line. Nothing here decides; each
function lists what a stretch could be, and the card table picks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

MOST_COPIES = 999
WINDOW = 48
"""How far from its end a stretch is searched: counts and codes are short, hostile lines are long."""

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
KANJI = "一二三四五六七八九十"
_LEVEL: dict[int, str] = {code: chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)}
_LEVEL |= {ord(char): char.lower() for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_LEVEL |= dict.fromkeys(
    map(ord, _INVISIBLE + "\u3000\xa0\u2002\u2003\u2007\u2009\u202f\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"),
    " ",
)
_LEVEL |= dict.fromkeys(map(ord, "×✕✖╳⨯"), "x") | dict.fromkeys(map(ord, "−–—‐‑‒―"), "-")
_LEVEL |= dict.fromkeys(map(ord, "【〔［〖"), "[") | dict.fromkeys(map(ord, "】〕］〗"), "]")
_LEVEL |= {ord("〈"): "<", ord("〉"): ">", ord("･"): "・", ord("｜"): "|", ord("│"): "|", ord("┃"): "|"}
_LEVEL |= {ord("￥"): "¥", ord("（"): "(", ord("）"): ")", ord("≪"): "《", ord("≫"): "》"}
# Behind a digit it is as much as "1." at a line's head, and nothing at its end.
_LEVEL |= {ord(_KEYCAP): "."}
_CLEAN = dict.fromkeys(map(ord, _INVISIBLE + _KEYCAP), " ")

BULLETS = "・•●○■□◆◇★☆▪▫◦‣⁃▶►▷▸✓✔♦※>*+-~"
_PAIRS = {
    "《": "》",
    "[": "]",
    "(": ")",
    "<": ">",
    '"': '"',
    "'": "'",
    "「": "」",
    "『": "』",
    "“": "”",
    "*": "*",
}
_SEPARATORS = " \t:=-|,、・.…~"


def shape_of(line: str) -> str:
    """`line` with its look-alikes levelled; the same length."""
    return line.translate(_LEVEL)


def clean(line: str) -> str:
    """`line` with what can't be seen turned into spaces; the same length."""
    return line.translate(_CLEAN)


def trim(shape: str, start: int, end: int, away: str = " \t") -> tuple[int, int]:
    """The stretch without `away` at its ends."""
    while start < end and shape[start] in away:
        start += 1
    while end > start and shape[end - 1] in away:
        end -= 1
    return start, end


class Count(NamedTuple):
    """A count found at one end: what remains for the name, and how odd the find is (0 = plain)."""

    copies: int
    start: int
    end: int
    rank: int


GUESSABLE = 6
"""Counts of a lower rank may be believed even where no name is known."""


class Counting(NamedTuple):
    """The patterns for counts with a game's counters, for `compiled`."""

    left: str
    bracketed: str
    right: str
    behind: str
    alone: str
    kanji: str
    apart: str


def counting(counters: Sequence[str]) -> Counting:
    """Patterns that know the game's words behind a number of copies."""
    words = "|".join(re.escape(word.lower()) for word in sorted(counters, key=len, reverse=True))
    word = f"(?:{words})" if words else "(?!)"
    return Counting(
        rf"(?P<x>[x*][ \t]*)?(?P<n>[0-9]+|[{KANJI}](?={word}))(?P<gap>[ \t]*)(?P<c>{word})?",
        rf"[(\[<][ \t]*x?[ \t]*(?P<n>[0-9]+)[ \t]*{word}?[ \t]*[)\]>][ \t]*",
        (
            rf"(?P<open>[(\[][ \t]*)?(?P<x>[x*][ \t]*)?(?P<n>[0-9]+|[①-⑨]|[{KANJI}](?=[ \t]*{word}))"
            rf"[ \t]*(?P<c>{word})?(?P<close>[ \t]*[)\]])?[ \t.。!★☆♪]*$"
        ),
        rf"(?:[x*][ \t]*[0-9]+[ \t]*{word}?|[0-9][ \t]*{word})(?=[ \t《、,/・|])",
        rf"[x*]?[ \t]*(?P<n>[0-9]+)[ \t]*(?:[x*]|{word})?",
        rf"[{KANJI}][ \t]*{word}",
        (
            rf"(?P<x>[x*][ \t]*)?(?<![0-9.])(?P<n>[0-9]{{1,9}}|[①-⑨]|[{KANJI}](?={word}))(?![0-9.]*[0-9])"
            rf"(?:[ \t]*(?P<c>{word}|x(?![a-z0-9])))?"
        ),
    )


def number_said(digits: str) -> int:
    """The number in digits, in one kanji numeral or in a circle; capped, for nobody plays so many."""
    if digits.isascii():
        return int(digits) if len(digits) < 9 else 10**9
    return KANJI.find(digits) + 1 or int(unicodedata.numeric(digits))


def _times(shape: str, at: int) -> int:
    """How odd it is to read the x or * at `at` as "times"; it may as well begin the name."""
    behind = shape[at + 1 : at + 2]
    if not behind or behind in " \t":
        return 0
    starts_name = (behind.isascii() and behind.isalnum()) or (shape[at] == "*" and shape[at - 1] in " \t")
    return GUESSABLE - 1 if starts_name else 1


def counts_left(how: Counting, shape: str, start: int, end: int) -> Iterator[Count]:
    """The ways to read a count at the left end."""
    found = compiled(how.bracketed).match(shape, start, end)
    if found:
        after = found.end()
        yield Count(number_said(found["n"]), *trim(shape, after, end), 0)
        if after < end and shape[after] in "x*":
            yield Count(number_said(found["n"]), *trim(shape, after + 1, end), _times(shape, after))
    found = compiled(how.left).match(shape, start, end)
    if not found:
        return
    digits, copies = found["n"], number_said(found["n"])
    after = found.end()
    if found["c"]:
        if after < end and shape[after] == ":":
            yield Count(copies, *trim(shape, after + 1, end), 0)
        yield Count(copies, *trim(shape, after, end), 0)
        after = found.end("gap")
    if after < end and shape[after] in "x*":
        yield Count(copies, *trim(shape, after + 1, end), _times(shape, after))
    if after < end and shape[after] in ":,、|-=・":
        yield Count(copies, *trim(shape, after + 1, end), 2)
    spaced = bool(found["gap"]) or found["x"]
    yield Count(copies, *trim(shape, after, end), 2 if spaced else 4)
    if not found["gap"]:
        for size in range(1, min(3, len(digits) - 1) + 1):
            if digits[0] != "0":
                yield Count(int(digits[:size]), *trim(shape, found.start("n") + size, end), 9)


# " -1" and "x-1" say less than none; the x of "CX-20" is part of a word.
_NEGATIVE = r"(?:^|[ \t]|(?<![a-z0-9])[x*])-$"


def counts_right(how: Counting, shape: str, start: int, end: int) -> Iterator[Count]:
    """The ways to read a count at the right end."""
    found = compiled(how.right).search(shape, max(start, end - WINDOW), end)
    if not found or (found["close"] and not found["open"]):
        return
    wrapped = bool(found["close"])
    digits, copies, at = found["n"], number_said(found["n"]), found.start("n")
    if compiled(_NEGATIVE).search(shape, max(start, at - 4), at):
        yield Count(-copies, *trim(shape, start, at - 1), 0)
        yield Count(-copies, *trim(shape, start, at - 1, " \t-x*"), 0)
        return
    plain = found["x"] or wrapped or found["c"]
    left = shape[at - 1] if at > start else " "
    rank = (
        0
        if plain
        else 2
        if left in " \t"
        else 9
        if left in "-." or (left.isascii() and left.isalnum())
        else 4
    )
    ends = {found.start() if wrapped or not found["open"] else found.end("open")}
    if found["x"]:
        ends.add(found.start("x"))
        ends.add(found.end("x"))
    for stop in sorted(ends):
        first, last = trim(shape, start, stop)
        yield Count(copies, first, last, rank)
        # A name may itself end in what separates it from its count.
        if last > first and shape[last - 1] in _SEPARATORS:
            yield Count(copies, *trim(shape, first, last - 1), rank)
            bare = trim(shape, first, last, _SEPARATORS)[1]
            yield Count(copies, first, bare, max(0, rank - 1) if rank < 9 else GUESSABLE - 1)
    for size in range(1, min(3, len(digits) - 1) + 1):
        if digits[-size] != "0":
            yield Count(int(digits[-size:]), *trim(shape, start, found.end("n") - size), 9)


_ORDINAL = r"(?:no\.?[ \t]*)?([0-9]{1,3})[ \t]*[.)][ \t]*(?![0-9])|([①-⑳])[ \t]*"


def ordinal(shape: str, start: int, end: int) -> tuple[int, int] | None:
    """The number of a numbered line (`3. name`) and where the rest begins."""
    found = compiled(_ORDINAL).match(shape, start, end)
    return (number_said(found[1] or found[2]), found.end()) if found else None


def without_bullet(shape: str, start: int, end: int) -> Iterator[int]:
    """Where the line may go on behind its bullets: behind all of them first, then behind one."""
    at = start
    while at < end and shape[at] in BULLETS:
        at += 1
    # "-4 name" says less than none; "- 4 name" is a bullet.
    if at in (start, end) or (shape[at - 1] == "-" and shape[at].isdigit()):
        return
    behind = trim(shape, at, end)[0]
    yield behind
    first = trim(shape, start + 1, end)[0]
    if first < behind:
        yield first


def unwrapped(shape: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretch inside the brackets or quotes around it, also where one bracket got lost."""
    if end - start < 2:
        return
    close = _PAIRS.get(shape[start])
    if close is not None and shape[end - 1] == close:
        yield trim(shape, start + 1, end - 1)
    if shape[start] == "《":
        yield trim(shape, start + 1, end)
    if shape[end - 1] == "》":
        yield trim(shape, start, end - 1)


compiled = cache(re.compile)
