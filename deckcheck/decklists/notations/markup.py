"""XML from strangers, with the place of everything in it.

The standard library's expat reads it, not ElementTree or defusedxml: only
expat tells where an element stands, and a document type, without which there
are no entities but XML's own five, is refused before anything in it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any, NamedTuple

from deckcheck.decklists.notations.common import source_of
from deckcheck.decklists.seen import LONGEST_LINE
from deckcheck.decklists.shapes import compiled
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _

_DEEPEST = 8
_MOST = 40_000
_LONGEST_NAME = 40
_ATTRIBUTE = r"""\s++([^\s=/>"']++)\s*+=\s*+(["'])"""


class Element(NamedTuple):
    """An element: its name, its attributes, the text right in it, the elements around it from the root on.

    `line` and `column` are those of its "<", 1-based.
    """

    name: str
    attributes: Mapping[str, str]
    text: str
    around: tuple[str, ...]
    line: int
    column: int


class Tree(NamedTuple):
    """The elements of a document in the order in which they begin, its text and its lines, and where each of these begins."""

    elements: tuple[Element, ...]
    text: str
    source: tuple[str, ...]
    begins: tuple[int, ...]

    def place(self, element: Element, attribute: str) -> tuple[int, int]:
        """Line and column where an attribute's value begins; those of the element where it has none."""
        begin = self.begins[element.line - 1] + element.column - 1
        at = begin + 1 + len(element.name)
        pattern = compiled(_ATTRIBUTE)
        while (found := pattern.match(self.text, at)) is not None:
            if found[1] == attribute:
                # Only the element itself is looked at: all of a document may stand on one line.
                before = self.text[begin : found.end()]
                rows = before.count("\n")
                last = len(before) - before.rfind("\n") if rows else element.column + len(before)
                return element.line + rows, last
            at = self.text.find(found[2], found.end()) + 1
        return element.line, element.column

    def raw(self, element: Element) -> str:
        """The line on which an element stands, where that isn't too long to be shown; else the element's first part."""
        line = self.source[element.line - 1]
        if len(line) > LONGEST_LINE:
            line = line[element.column - 1 : element.column - 1 + LONGEST_LINE]
        return line.strip()


def tree_of(text: str, path: str, root: str) -> Tree:
    """The elements of an XML text whose outermost one is `root`.

    Raises UserError with line and column for malformed XML, for a document
    type, and for what is too deep, too much or something else altogether.
    """
    from xml.parsers import expat

    source = tuple(source_of(text, path))
    # What the document says of its encoding was true of its bytes, which are gone.
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    found: list[Element] = []
    texts: list[list[str]] = []
    opened: list[int] = []

    def refuse(message: Words, line: int, column: int) -> UserError:
        excerpt = source[line - 1] if 0 < line <= len(source) else None
        return user_error(message, path=path, line=line, column=column, excerpt=excerpt)

    def here() -> tuple[int, int]:
        return parser.CurrentLineNumber, parser.CurrentColumnNumber + 1

    def begin(name: str, attributes: dict[str, str]) -> None:
        if not opened and name != root:
            shown = name[:_LONGEST_NAME]
            raise refuse(
                _("this XML is no deck (it holds <{shown}>, not <{root}>)", shown=shown, root=root),
                *here(),
            )
        if len(opened) >= _DEEPEST:
            raise refuse(_("nested too deeply"), *here())
        if len(found) >= _MOST:
            raise refuse(_("too many items"), *here())
        around = tuple(found[at].name for at in opened)
        opened.append(len(found))
        found.append(Element(name, attributes, "", around, *here()))
        texts.append([])

    def end(_name: str) -> None:
        opened.pop()

    def characters(data: str) -> None:
        texts[opened[-1]].append(data)

    def doctype(*_unused: Any) -> None:
        raise refuse(
            _("XML with a document type (DOCTYPE) isn't read"),
            *here(),
        )

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    try:
        # A carriage return of its own would be a line to expat, and is none here.
        parser.Parse(text.replace("\r", " ").encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        problem = expat.ErrorString(error.code)
        raise refuse(
            _("not readable as XML: {problem}", problem=problem),
            error.lineno,
            error.offset + 1,
        ) from error
    told = tuple(one._replace(text="".join(parts)) for one, parts in zip(found, texts, strict=True))
    begins = tuple(accumulate((len(line) + 1 for line in source[:-1]), initial=0))
    return Tree(told, text, source, begins)


def escaped(text: str) -> str:
    """A text within an element or an attribute's quotes."""
    from html import escape

    return escape(text)
