"""What a browser sees of a sheet, and the tags that may stand in one."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

HTML_TAGS = frozenset([
    "html", "head", "meta", "title", "style", "body", "section", "header", "footer", "div", "span",
    "table", "colgroup", "col", "thead", "tbody", "tr", "th", "td", "h1", "h2", "p", "ul", "li",
    "b", "i", "small", "strong", "ruby", "rp", "rt", "bdi", "svg", "path",
])  # fmt: skip
ATTRIBUTES = frozenset([
    "lang", "charset", "http-equiv", "content", "name", "class", "colspan", "aria-hidden",
    "aria-label", "role", "viewbox", "d", "shape-rendering",
])  # fmt: skip


class Read(HTMLParser):
    """What a browser makes of a sheet: its tags, attributes and words, and the rows of its tables."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.attributes: Counter[str] = Counter()
        self.text: list[str] = []
        self.rows: list[list[str]] = []
        self._within: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.update(name for name, _ in attrs)
        if tag not in ("meta", "path", "col"):
            self._within.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._within.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        if "style" in self._within:
            return
        self.text.append(data)
        if "td" in self._within:
            self.rows[-1][-1] += data

    @property
    def cards(self) -> list[tuple[str, str]]:
        """Copies and name of each row."""
        return [(row[0], row[1]) for row in self.rows if len(row) == 2 and row[1]]
