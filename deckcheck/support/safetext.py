"""Lines of a file for people to look at: nothing hidden in them, and carets that stand right."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.support.messages import Words, _

_TAB = 4
_MOST_SHOWN = 1000
# Everything that moves the cursor, changes colours, turns the direction of writing or can't be seen. Variation
# selectors stay: Japanese names are written with them.
_HIDDEN = (
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def safe(text: str) -> str:
    """`text` with everything that could play tricks on a terminal written out (`\\x1b`, `\\u202e`)."""
    return text if text.isprintable() else re.sub(_HIDDEN, _written_out, text)


def about(said: Words, paths: Sequence[str]) -> Words:
    """What is said, with the first of the paths that it is said of and how many more there are."""
    first, more = safe(paths[0]), len(paths) - 1
    return (
        _("{said}: {first} and {more} more", said=said, first=first, more=more)
        if more
        else _("{said}: {first}", said=said, first=first)
    )


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cells(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth

    return sum(max(wcwidth(char), 0) for char in text)


class Excerpt(NamedTuple):
    """A line as it is shown, and what stands beneath it: blanks, then carets."""

    line: str
    carets: str


def excerpt(line: str, column: int, length: int, width: int) -> Excerpt:
    """The part of `line` around `column` (1-based, in code points) that fits into `width` cells.

    The carets mark `length` characters, at least one and at most what is
    shown; what is cut off is marked with an ellipsis.
    """
    start = min(max(column - 1, 0), len(line))
    # Nobody pays for the rest of a line of megabytes.
    first = max(0, start - _MOST_SHOWN)
    shown: list[str] = []
    at = 0
    for char in line[first : start + _MOST_SHOWN].rstrip():
        shown.append(" " * (_TAB - at % _TAB) if char == "\t" else safe(char))
        at += cells(shown[-1])
    widths = [cells(one) for one in shown]
    start, stop = start - first, start - first + max(length, 1)
    low, high = _window(widths, min(start, len(widths)), width)
    before = "…" if low > 0 or first > 0 else ""
    after = "…" if high < len(widths) or start + first + _MOST_SHOWN < len(line.rstrip()) else ""
    blanks = len(before) + sum(widths[low:start])
    carets = max(sum(widths[start : min(stop, high)]), 1)
    return Excerpt(before + "".join(shown[low:high]) + after, " " * blanks + "^" * carets)


def _window(widths: list[int], start: int, width: int) -> tuple[int, int]:
    """Which characters to show: all that fit, the marked one and some before it among them."""
    if sum(widths) <= width:
        return 0, len(widths)
    low, room = start, width // 3
    while low > 0 and widths[low - 1] <= room:
        low -= 1
        room -= widths[low]
    high, room = low, width - 2
    while high < len(widths) and widths[high] <= room:
        room -= widths[high]
        high += 1
    return low, high
