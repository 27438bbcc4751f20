"""How much room words take in print, by rule of thumb, so that pages are alike whatever the font."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from deckcheck.support.safetext import cells, safe

MM = 25.4 / 72
"""A point in millimetres."""

_NARROW = frozenset("iljtfrI.,:;|!'()[]{}` ")
_WIDE = frozenset("mwMW@%")


def clip(text: str, most: int) -> str:
    """The text on one line, nothing hidden in it, and cut with an ellipsis where it is longer than anybody's name."""
    line = " ".join(text[: 4 * most].split())
    shown = safe(line)
    return shown if len(shown) <= most and len(text) <= 4 * most else shown[: most - 1] + "…"


def cut(text: str, width: float, size: float) -> str:
    """As much of the text as takes one line of `width` mm at `size` points; an ellipsis where it is not all."""
    room = width / (size * MM)
    if ems(text) <= room:
        return text
    kept = text
    while kept and ems(kept) + 1 > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def ems(text: str) -> float:
    """About how wide the text is, in its own height; rather too wide than too narrow."""
    return sum(_em(char) for char in text)


@lru_cache(maxsize=4096)
def _em(char: str) -> float:
    if not char.isascii():
        width = cells(char)
        return 1.0 if width == 2 else 0.72 * width
    return 0.36 if char in _NARROW else 0.92 if char in _WIDE else 0.72 if char.isupper() else 0.6


def sized(text: str, width: float, sizes: Sequence[float]) -> tuple[float, int]:
    """The largest of the sizes (in points, falling) at which the text takes one line of `width` mm.

    At the smallest it takes as many lines as it needs, which are told.
    """
    whole = ems(text)
    for size in sizes:
        if whole * size * MM <= width:
            return size, 1
    return sizes[-1], lines_of(text, width, sizes[-1])


def lines_of(text: str, width: float, size: float) -> int:
    """About how many lines of `width` mm the text takes at `size` points."""
    # At the end of a line a word or a character finds no room any more.
    room = max(width / (size * MM) - 2, 1)
    return max(ceil(ems(text) / room), 1)
