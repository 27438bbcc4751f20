"""A pen for sheets of PDF: millimetres from the top left corner, and only characters that the font has."""

import unicodedata
from typing import Any, NamedTuple

from deckcheck.registration.sheets.layout import HEIGHT
from deckcheck.registration.sheets.measure import MM
from deckcheck.support.safetext import safe

HAIR, FINE, THICK = 0.1, 0.15, 0.35
DROPPED = 0.35
"""How far below the middle of a line letters stand, in their height."""

_BOLDER = 0.025
"""The stroke that makes letters bold, in their height; half of it for small ones, which fill up."""

_GREY = 0.45


def plain(text: str) -> str:
    """What is drawn of a text: nothing hidden, accents joined to their letters, no selectors of variants."""
    joined = unicodedata.normalize("NFC", safe(text)).replace("\t", " ")
    return "".join(char for char in joined if not _selects(char))


def _selects(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


class Pen(NamedTuple):
    """Draws on a canvas, lengths in millimetres from the top left corner. `chars` are those that the font has."""

    canvas: Any
    font: str
    chars: frozenset[str]

    def width(self, text: str, size: float) -> float:
        """How wide a text is at so many points."""
        from reportlab.pdfbase.pdfmetrics import stringWidth

        return float(stringWidth(plain(text), self.font, size)) * MM

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        at: float = 0,
        grey: float = 0,
        most: float | None = None,
        bold: bool = False,
    ) -> float:
        """Write with the middle of the line at `y`; returns the width.

        `at` 0 begins at `x`, 0.5 stands around it, 1 ends there. What is wider
        than `most` is written smaller.
        """
        shown = plain(text)
        lacking = set(shown) - self.chars
        assert not lacking, f"not looked for in the font: {lacking}"
        wide = self.width(shown, size)
        if most is not None and wide > most:
            size *= most / wide
            wide = most
        self.canvas.setFillGray(grey)
        low = HEIGHT - y - DROPPED * size * MM
        words = self.canvas.beginText((x - at * wide) / MM, low / MM)
        words.setFont(self.font, size)
        self.canvas.saveState()
        if bold:
            # There is one face only; its outlines drawn along with it make it heavier.
            self.canvas.setLineWidth(size * (_BOLDER if size > 9 else _BOLDER / 2))
            self.canvas.setStrokeGray(grey)
            self.canvas.setDash([])
            words.setTextRenderMode(2)
        words.textOut(shown)
        self.canvas.drawText(words)
        self.canvas.restoreState()
        return wide

    def line(
        self, x: float, y: float, x2: float, y2: float, thick: float = FINE, *, dotted: bool = False
    ) -> None:
        """A ruled line."""
        self.canvas.setLineWidth(thick / MM)
        self.canvas.setStrokeGray(_GREY if dotted or thick == HAIR else 0)
        self.canvas.setDash([1, 1.5] if dotted else [])
        self.canvas.line(x / MM, (HEIGHT - y) / MM, x2 / MM, (HEIGHT - y2) / MM)

    def box(
        self, x: float, y: float, wide: float, high: float, thick: float = THICK, *, dashed: bool = False
    ) -> None:
        """A frame."""
        self.canvas.setLineWidth(thick / MM)
        self.canvas.setStrokeGray(0)
        self.canvas.setDash([4, 2] if dashed else [])
        self.canvas.rect(x / MM, (HEIGHT - y - high) / MM, wide / MM, high / MM)

    def dark(self, x: float, y: float, wide: float, high: float) -> None:
        """A filled rectangle."""
        self.canvas.setFillGray(0)
        self.canvas.rect(x / MM, (HEIGHT - y - high) / MM, wide / MM, high / MM, stroke=0, fill=1)

    def lines(self, text: str, size: float, wide: float) -> list[str]:
        """The text broken into lines that fit; between words where that is possible."""
        done: list[str] = []
        rest = plain(text)
        while rest:
            end = len(rest)
            while end > 1 and self.width(rest[:end], size) > wide:
                end -= max(1, int((self.width(rest[:end], size) - wide) / (size * MM)))
                end = max(end, 1)
            blank = rest.rfind(" ", 0, end)
            if end < len(rest) and rest[end] != " " and blank > 0 and rest[end - 1 : end + 1].isascii():
                end = blank + 1
            done.append(rest[:end].strip())
            rest = rest[end:].lstrip()
        return done or [""]
