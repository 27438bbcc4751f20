"""The smaller stretches that a stretch of a line can be read as."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deckcheck.decklists.shapes import (
    GUESSABLE,
    WINDOW,
    compiled,
    counts_left,
    counts_right,
    ordinal,
    trim,
    unwrapped,
    without_bullet,
)
from deckcheck.decklists.vocabulary import Vocabulary, zones_beside

_HALVES = " // "


class Stretch(NamedTuple):
    """A part of a line that may be a card's name, and what was read beside it.

    `rank` is how odd the count is, `cut` where it was cut off something that
    may have been the name's (-1 where it wasn't), `quoted` whether it stands in 《》, `split` whether two zones are named for it.
    """

    start: int
    end: int
    copies: int | None
    rank: int
    number: int | None
    zone: str | None
    loose: bool
    cut: tuple[int, int]
    quoted: bool = False
    split: bool = False


def _shorter(state: Stretch, start: int, end: int) -> Stretch:
    left, right = state.cut
    return state._replace(
        start=start,
        end=end,
        cut=(start if start > state.start else left, end if end < state.end else right),
    )


def simpler(words: Vocabulary, shape: str, state: Stretch) -> Iterator[Stretch]:
    """The same stretch without a count, a bullet or the brackets around it."""
    start, end = state.start, state.end
    for inner in unwrapped(shape, start, end):
        quoted = state.quoted or shape[start] == "《" or shape[end - 1] == "》"
        yield state._replace(start=inner[0], end=inner[1], quoted=quoted)
    for behind in without_bullet(shape, start, end):
        yield _shorter(state, behind, end)
    if state.copies is not None:
        return
    numbered = ordinal(shape, start, end) if state.number is None else None
    if numbered is not None:
        number, at = numbered
        yield state._replace(start=trim(shape, at, end)[0], number=number)
    for find in (counts_left, counts_right):
        for found in find(words.counts, shape, start, end):
            # Digits within 《》 belong to the name unless they say plainly what they are.
            if state.quoted and found.rank > 1:
                continue
            yield state._replace(start=found.start, end=found.end, copies=found.copies, rank=found.rank)


def cut_down(words: Vocabulary, line: str, shape: str, state: Stretch) -> Iterator[tuple[Stretch, bool]]:
    """The stretch without a note, a comment, a price, a set's code or a zone's mark; and how sure that is."""
    start, end = state.start, state.end
    if start >= end:
        return
    notes = words.notes
    for first, last, said, sure in cuts(shape, line, start, end):
        zones = zones_beside(words, said) if said else ()
        shorter = _shorter(state, first, last)
        if zones:
            split = state.split or {state.zone, *zones} - {None, zones[0]} != set()
            yield shorter._replace(zone=zones[0], split=split), True
        elif sure and shape.startswith(_HALVES, last, end) and not words.fold("/"):
            # Where names may be joined so, what stands behind may be the other half of one that nobody knows.
            yield shorter, False
        else:
            yield shorter, sure or said.strip() in notes
    for note in notes:
        if shape.startswith(note, start, end):
            at = trim(shape, start + len(note), end, " \t:")[0]
            yield _shorter(state, at, end), False
        if shape.endswith(note, start, end):
            at = trim(shape, start, end - len(note))[1]
            yield _shorter(state, start, at), False
    if state.zone is None:
        yield from _marked(words, shape, state)


_JOINTS = (" ", "\t", ",", "、", "→", "-", "|")


def _marked(words: Vocabulary, shape: str, state: Stretch) -> Iterator[tuple[Stretch, bool]]:
    start, end = state.start, state.end
    joined = ":" in shape[start:end] or "=" in shape[start:end]
    for word, zone in words.prefixes if joined else ():
        if shape.startswith(word, start, end):
            at = trim(shape, start + len(word), end)[0]
            if at < end and shape[at] in ":=":
                at = trim(shape, at + 1, end)[0]
                yield _shorter(state, at, end)._replace(zone=zone), True
    for word, zone in words.marks:
        behind = start + len(word)
        if shape.startswith(word, start, end) and shape[behind : behind + 1] in _JOINTS:
            at = trim(shape, behind, end, " \t,、→>|-")[0]
            if shape[behind:at].strip(" \t"):
                yield _shorter(state, at, end)._replace(zone=zone), True
        if shape.startswith(word, start, end) and shape[behind : behind + 1] in " \t《「『":
            at = trim(shape, start + len(word), end)[0]
            yield _shorter(state, at, end)._replace(zone=zone, loose=True), False
        if shape.endswith(word, start, end) and end - len(word) > start:
            at = trim(shape, start, end - len(word), " \t:-")[1]
            yield _shorter(state, start, at)._replace(zone=zone, loose=True), False


def plainest(words: Vocabulary, shape: str, state: Stretch) -> Stretch:
    """The stretch without its bullet, its brackets and, if it has one to believe in, its count."""
    for _ in range(8):
        start, end = state.start, state.end
        inner = next(unwrapped(shape, start, end), None)
        if inner is not None:
            state = state._replace(start=inner[0], end=inner[1])
            continue
        behind = next(without_bullet(shape, start, end), None)
        if behind is not None:
            state = state._replace(start=behind)
            continue
        if state.copies is not None:
            break
        counts = [
            found
            for find in (counts_left, counts_right)
            for found in find(words.counts, shape, start, end)
            if found.rank < GUESSABLE and found.start < found.end
        ]
        numbered = ordinal(shape, start, end) if state.number is None else None
        if numbered is not None:
            state = state._replace(number=numbered[0], start=trim(shape, numbered[1], end)[0])
        elif counts:
            best = min(counts, key=lambda found: found.rank)
            state = state._replace(start=best.start, end=best.end, copies=best.copies, rank=best.rank)
        else:
            break
    return state


def is_price(shape: str) -> bool:
    """Whether a text is a price and nothing else."""
    return compiled(_PRICE).fullmatch(shape) is not None


class Cut(NamedTuple):
    """A stretch without something that may be no part of it.

    `said` is what was cut off (without brackets), `sure` whether it looks like
    a decoration even where no name is known.
    """

    start: int
    end: int
    said: str
    sure: bool


_BRACKETS = {")": "(", "]": "[", ">": "<", "}": "{", "*": "*"}
_CODE = r"[ \t]+(?=[^ \t]*[0-9])[0-9a-z][0-9a-z/#:-]{0,11}$"
# The set, the number in it and the signs of foil, all at once.
_PRINTED = r"[ \t]+\([0-9a-z_]{2,8}\)[ \t]+(?=[^ \t]*[0-9])[0-9a-z★†/#-]{1,12}(?:[ \t]*\*[a-z]\*)*$"
_PRICE = r"[ \t@]*(?:[¥$€£@][ \t]*[0-9][0-9,.]*|[0-9][0-9,.]*[ \t]*(?:円|yen|tix|usd|eur))[ \t]*-?$"
_ENDS = " \t.。!★☆♪*†‡"
_SET = r"[a-z0-9][a-z0-9 :/-]{1,15}$"
_COMMENTS = ("#", "//", "※", "←", "<-", "--", " - ", ";", "  ", "\t", "\u3000", " |", "|")


def cuts(shape: str, line: str, start: int, end: int) -> Iterator[Cut]:
    """What may be cut off a stretch: brackets, codes, prices, comments."""
    opening = _BRACKETS.get(shape[end - 1])
    if opening:
        at = shape.rfind(opening, start, end - 1)
        if at > start:
            said = shape[at + 1 : end - 1]
            yield Cut(*trim(shape, start, at), said, bool(compiled(_SET).match(said)) or opening == "*")
    closing = {"(": ")", "[": "]", "<": ">", "*": "*"}.get(shape[start])
    if closing:
        at = shape.find(closing, start + 1, end)
        if 0 < at < end - 1:
            yield Cut(
                *trim(shape, at + 1, end),
                shape[start + 1 : at],
                bool(compiled(_SET).match(shape[start + 1 : at])),
            )
    bare = trim(shape, start, end, _ENDS)[1]
    if start < bare < end:
        yield Cut(*trim(shape, start, bare), "", True)
    low = max(start, end - WINDOW)
    found = compiled(_PRICE).search(shape, low, end)
    if found and found.start() > start:
        yield Cut(*trim(shape, start, found.start()), found[0], True)
    found = compiled(_CODE).search(shape, low, end)
    if found and found.start() > start:
        yield Cut(*trim(shape, start, found.start()), found[0], shape[found.start() - 1] in ")]")
    found = compiled(_PRINTED).search(shape, max(start, end - 2 * WINDOW), end)
    if found and found.start() > start:
        yield Cut(*trim(shape, start, found.start()), "", True)
    for mark in _COMMENTS:
        yield from _comments(shape if mark != "\u3000" else line, mark, start, end)


def _comments(shape: str, mark: str, start: int, end: int) -> Iterator[Cut]:
    # Names may hold the mark too, so both the last places and the first one are tried.
    first = shape.find(mark, start + 1, end)
    if first < 0:
        return
    places, at = [first], end
    for _ in range(3):
        at = shape.rfind(mark, start, at)
        places.append(at)
        if at <= start:
            break
    for place in dict.fromkeys(places):
        if place > start:
            sure = mark in ("#", "//", "※", "←") and shape[place - 1] in " \t"
            yield Cut(*trim(shape, start, place), "", sure)
