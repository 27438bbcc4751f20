"""Colours for terminals, and the excerpt of a line that findings and mistakes share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from deckcheck.support.safetext import excerpt

Style = Literal["bold", "dim", "red", "yellow", "cyan", "green"]
Paint = Callable[[str, Style], str]

_CODES: dict[Style, str] = {
    "bold": "1",
    "dim": "2",
    "red": "1;31",
    "yellow": "1;33",
    "cyan": "1;36",
    "green": "1;32",
}


def painter(color: bool) -> Paint:
    """A function that gives text a style, or leaves it as it is where no colour is wanted."""
    return _painted if color else _plain


def _painted(text: str, style: Style) -> str:
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if text else text


def _plain(text: str, style: Style) -> str:  # noqa: ARG001 - the same shape as _painted
    return text


def marked_line(
    number: int, line: str, column: int, length: int, *, gutter: int, width: int, paint: Paint, style: Style
) -> list[str]:
    """A numbered line and the carets under it; `gutter` is the width of the numbers."""
    shown = excerpt(line, column, length, max(width - gutter - 4, 20))
    return [
        f" {paint(f'{number:>{gutter}} |', 'dim')} {shown.line}",
        f" {paint(' ' * gutter + ' |', 'dim')} {paint_carets(shown.carets, paint, style)}",
    ]


def paint_carets(carets: str, paint: Paint, style: Style) -> str:
    """Blanks and carets, the carets in their style."""
    bare = carets.lstrip(" ")
    return " " * (len(carets) - len(bare)) + paint(bare, style)


def note(text: str, *, gutter: int, paint: Paint) -> str:
    """A line beneath an excerpt, aligned with its gutter."""
    return f" {' ' * gutter} {paint('=', 'dim')} {text}"
