"""Makes untrusted text safe to show, and measures and cuts it."""

import re
from collections.abc import Sequence

from deckcheck.support.messages import Words, _, shortened

# Characters that are invisible or change how others appear, except variation selectors, which Japanese names use.
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

# Patterns, compiled by `re` when a text needs one: text that can be printed, as most can, needs none.
UNSAFE = f"[{_CONTROLS}{_BLANK_CONTROLS}{_DIRECTIONS}{_NO_CHARACTERS}]"
"""A pattern of characters that control the terminal, end the line or change the writing direction, and non-characters."""

SAFE_TEXT = f"^(?=[^{UNSAFE[1:]}*\\Z).*\\S"
"""A pattern of texts in which there is something and none of them."""

_NOT_SHOWN = f"{UNSAFE[:-1]}{_JOINERS}{_ODD_BLANKS}{_INVISIBLE}]"
_HIDDEN = f"[{_CONTROLS}{_DIRECTIONS}{_NO_CHARACTERS}{_INVISIBLE}]"
_HIDDEN_OR_JOINING = f"{_HIDDEN[:-1]}{_JOINERS}]"


def safe(text: str) -> str:
    """`text` with control and invisible characters escaped (`\\x1b`, `\\u202e`)."""
    return text if text.isprintable() else re.sub(_NOT_SHOWN, _written_out, text)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def without_hidden(text: str, *, joiners: bool = False) -> str:
    """`text` without invisible and direction characters; keeps blanks, and joiners of emoji unless `joiners`."""
    return text if text.isprintable() else re.sub(_HIDDEN_OR_JOINING if joiners else _HIDDEN, "", text)


def cut(text: str, most: int) -> str:
    """The text, cut to a number of characters, with … for the rest."""
    return text if len(text) <= most else text[: most - 1] + "…"


def brief(value: object, most: int = 60) -> str:
    """A value for a message: cut, and without unsafe characters."""
    # str() may fail on deeply nested input.
    text = "[…]" if isinstance(value, list) else "{…}" if isinstance(value, dict) else str(value)
    text = text.lower() if isinstance(value, bool) else text
    text = cut(text, most)
    return text if text.isprintable() else re.sub(UNSAFE, "\N{REPLACEMENT CHARACTER}", text)


def about(message: Words, paths: Sequence[str]) -> Words:
    """A message with the first of its paths and the number of the others."""
    return _("{message}: {path}", message=message, path=shortened(list(map(safe, paths)), 1))


def cells(text: str) -> int:
    """The width of `text` in terminal cells."""
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth

    return sum(max(wcwidth(char), 0) for char in text)


def fitted(text: str, width: int) -> str:
    """The text if it fits a width in terminal cells, else as much of it as leaves room for a wide …."""
    kept = text[: 2 * width]
    if kept == text and cells(text) <= width:
        return text
    while cells(kept) > width - 2:
        kept = kept[:-1]
    return kept + "…"
