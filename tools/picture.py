"""Draws the pictures of a terminal in the READMEs: readable in light and in dark, with columns that line up.

    DECKCHECK_UPDATE_DOCS=1 python -m pytest tests/docs/test_readme.py

writes them anew; the test draws what the command prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby

from wcwidth import wcwidth

SEQUENCE = re.compile(r"\x1b\[([\d;]*)m")
CLASSES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow", "34": "blue", "36": "cyan"}
CELL, LINE, MARGIN = 8.4, 20, 16
"""In pixels: a column's width, a line's height, the space around."""
STYLE = """\
text { font: 14px ui-monospace, Menlo, Consolas, "Noto Sans Mono CJK JP", "Noto Sans CJK JP", monospace; white-space: pre }
rect { fill: #ffffff; stroke: #d0d7de } text { fill: #1f2328 } .bold { font-weight: 700 } .dim { fill: #656d76 }
.red { fill: #cf222e } .green { fill: #1a7f37 } .yellow { fill: #9a6700 } .blue { fill: #0969da } .cyan { fill: #1b7c83 }
@media (prefers-color-scheme: dark) {
  rect { fill: #0d1117; stroke: #30363d } text { fill: #e6edf3 } .dim { fill: #8d96a0 }
  .red { fill: #ff7b72 } .green { fill: #3fb950 } .yellow { fill: #d29922 } .blue { fill: #58a6ff } .cyan { fill: #39c5cf }
}"""


def picture(printed: str, title: str) -> str:
    """The SVG of a terminal with this text, which may be coloured."""
    lines = printed.rstrip("\n").split("\n")
    rows, widest = [], 0
    for number, line in enumerate(lines):
        parts, column = [], 0
        for text, classes in _stretches(line):
            visible = text.strip()
            if visible:
                named = f' class="{" ".join(classes)}"' if classes else ""
                left = MARGIN + (column + text.index(visible)) * CELL
                place = f'x="{left:g}" textLength="{sum(map(wcwidth, visible)) * CELL:g}"'
                parts.append(
                    f'<tspan {place} lengthAdjust="spacingAndGlyphs"{named}>{escape(visible)}</tspan>'
                )
            column += sum(map(wcwidth, text))
        widest = max(widest, column)
        if parts:
            rows.append(f'<text y="{MARGIN + LINE * number + 14}">{"".join(parts)}</text>')
    width, height = round(2 * MARGIN + widest * CELL), 2 * MARGIN + LINE * len(lines)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
            *rows,
            "</svg>\n",
        ]
    )


def _stretches(line: str) -> Iterator[tuple[str, list[str]]]:
    """Stretches of one look and of characters of one width: a font may draw wide ones at another width than two cells."""
    classes: list[str] = []
    for index, part in enumerate(SEQUENCE.split(line)):
        if index % 2:
            classes = [CLASSES[code] for code in part.split(";") if code not in ("", "0")]
        else:
            for _width, chars in groupby(part, lambda char: wcwidth(char) == 2):
                yield "".join(chars), classes
