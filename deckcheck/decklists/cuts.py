"""What may be no part of a card's name: brackets, codes of sets, prices, comments.

Like shapes, this only lists what a stretch could be; the card table picks.
"""

from collections.abc import Iterator
from typing import NamedTuple

from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.shapes import WINDOW, trim


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
_ENDS = " \t.。!★☆♪"
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
