"""Pages of HTML, as a browser reads them: their tags and attributes, the rows of their tables, and what they say."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

_VOID = ("br", "col", "hr", "img", "input", "link", "meta", "path")
_HIDDEN = {"script", "style", "svg"}


class PageRead(HTMLParser):
    """A page, read: `texts` has each text with the tags that it stands in."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.texts: list[tuple[frozenset[str], str]] = []
        self.rows: list[list[str]] = []
        self.is_nested = True
        self._within: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in _VOID:
            self._within.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.update(name for name, _value in attrs)

    def handle_endtag(self, tag: str) -> None:
        self.is_nested &= self._within[-1:] == [tag]
        while tag in self._within and self._within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.texts.append((frozenset(self._within), data))
        if "td" in self._within:
            self.rows[-1][-1] += data

    def text_outside(self, *tags: str) -> str:
        """What stands in none of these tags."""
        return "".join(text for within, text in self.texts if within.isdisjoint(tags))


def lines_of(page: str) -> list[str]:
    """What a page says, without how it looks: each of its texts."""
    texts = (text for within, text in PageRead(page).texts if within.isdisjoint(_HIDDEN))
    return [" ".join(text.split()) for text in texts if text.strip()]


def words_of(page: str) -> str:
    """What a page says, in one line."""
    return " ".join(lines_of(page))
