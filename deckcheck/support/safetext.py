"""Text of strangers for people to look at: nothing hidden in it, and carets in the right place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.support.messages import Words, _

_TAB = 4
_MOST_SHOWN = 1000

# Every character that shows itself as something else than it is. Variation selectors are no such thing: Japanese
# names are written with them.
_CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_BLANK_CONTROLS = "\x09-\x0d\x1c-\x1f\x85\u2028\u2029"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_NO_CHARACTERS = "\ud800-\udfff\ufffe\uffff"
_JOINERS = "\u200c\u200d"
_ODD_BLANKS = "\u202f\u205f"
_INVISIBLE = (
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)

UNSAFE = re.compile(f"[{_CONTROLS}{_BLANK_CONTROLS}{_DIRECTIONS}{_NO_CHARACTERS}]")
"""What moves the cursor, changes colours, ends the line, turns the direction of writing or is no character."""

_NOT_SHOWN = re.compile(f"{UNSAFE.pattern[:-1]}{_JOINERS}{_ODD_BLANKS}{_INVISIBLE}]")
_HIDDEN = re.compile(f"[{_CONTROLS}{_DIRECTIONS}{_NO_CHARACTERS}{_INVISIBLE}]")
_HIDDEN_OR_JOINING = re.compile(f"{_HIDDEN.pattern[:-1]}{_JOINERS}]")
_MORE = re.compile(r"\S")


def safe(text: str) -> str:
    """`text` with everything that could play tricks on a terminal or can't be seen written out (`\\x1b`, `\\u202e`)."""

    def written_out(match: re.Match[str]) -> str:
        code = ord(match[0])
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return text if text.isprintable() else _NOT_SHOWN.sub(written_out, text)


def without_hidden(text: str, *, joiners: bool = False) -> str:
    """`text` without what is invisible or turns the direction of writing; blanks stay, and joined emoji unless `joiners`."""
    return text if text.isprintable() else (_HIDDEN_OR_JOINING if joiners else _HIDDEN).sub("", text)


def brief(value: object, most: int = 60) -> str:
    """A value for a message: short, and without characters that harm a terminal."""
    # A list from a stranger may be nested deeper than str() can follow.
    text = "[…]" if isinstance(value, list) else "{…}" if isinstance(value, dict) else str(value)
    return UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text if len(text) <= most else text[: most - 1] + "…")


def about(message: Words, paths: Sequence[str]) -> Words:
    """A message with the first of the paths that it is about and how many more there are."""
    first, more = safe(paths[0]), len(paths) - 1
    if not more:
        return _("{message}: {path}", message=message, path=first)
    return _("{message}: {path} and {more} more", message=message, path=first, more=more)


def cells(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth

    return sum(max(wcwidth(char), 0) for char in text)


class Excerpt(NamedTuple):
    """A line as it is shown, and what is beneath it: blanks, then carets."""

    line: str
    carets: str


def excerpt(line: str, column: int, length: int, width: int) -> Excerpt:
    """The part of `line` around `column` (1-based, in code points) that fits into `width` cells, `length` characters marked."""
    marked = min(max(column - 1, 0), len(line))
    # Nobody pays for the rest of a line of megabytes.
    first, last = max(0, marked - _MOST_SHOWN), marked + _MOST_SHOWN
    shown: list[str] = []
    at = 0
    for char in line[first:last].rstrip():
        shown.append(" " * (_TAB - at % _TAB) if char == "\t" else safe(char))
        at += cells(shown[-1])
    widths = [cells(char) for char in shown]
    start = marked - first
    low, high = _window(widths, min(start, len(widths)), width)
    before = "…" if low > 0 or first > 0 else ""
    after = "…" if high < len(widths) or _MORE.search(line, last) else ""
    blanks = len(before) + sum(widths[low:start])
    carets = max(sum(widths[start : min(start + max(length, 1), high)]), 1)
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
