"""Decks as XML: Magic Online's .dek and Cockatrice's .cod.

Parsed with the standard library's expat, not ElementTree or defusedxml, since only expat gives the positions
of elements. A document type is refused before it is read, so there are no entities other than XML's five.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any
from xml.parsers import expat

from msgspec import Struct

from deckcheck.decklists.columns_and_fields import Column, Field, RecordReader, column_of
from deckcheck.decklists.decoding import compiled
from deckcheck.decklists.line_reader import LineReader
from deckcheck.decklists.lines import LONGEST_LINE, CardLine, HeaderLine, Numbered, Told, Why, told
from deckcheck.decklists.notations.registry import SIDE, Notation, zone_of
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _

_DEEPEST = 8
_MOST = 40_000
_LONGEST_NAME = 40
_OF_PRINTING = ("CatID", "Annotation", "setShortName", "collectorNumber", "uuid")
"""Attributes about the printing of a card, or about the other program's catalog."""
_ATTRIBUTE = r"""\s++([^\s=/>"']++)\s*+=\s*+(["'])"""


class _Element(Struct, frozen=True):
    """An element with the name of its parent; `line` and `column` are those of its "<", 1-based."""

    name: str
    attributes: Mapping[str, str]
    texts: list[str]
    parent: str | None
    line: int
    column: int

    @property
    def text(self) -> str:
        """The words in the element, outside of others."""
        return " ".join("".join(self.texts).split())


class _Document:
    """The elements of an XML text with the root element `root`, in document order.

    Raises UserError, with line and column, for malformed XML, a document type, another root, and too many or
    too deeply nested elements.
    """

    def __init__(self, text: str, path: str, root: str) -> None:
        self._text, self._path, self._root = text, path, root
        self._source = text.split("\n")
        self._begins = list(accumulate((len(line) + 1 for line in self._source[:-1]), initial=0))
        self.elements: list[_Element] = []
        self._open: list[_Element] = []
        # The text is decoded already, so the encoding in the XML declaration doesn't apply.
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = lambda _name: self._open.pop()
        parser.CharacterDataHandler = lambda data: self._open[-1].texts.append(data)
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            # Expat would count a lone carriage return as a line.
            parser.Parse(text.replace("\r", " ").encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            message = _("not readable as XML: {problem}", problem=expat.ErrorString(error.code))
            raise self._refuse(message, error.lineno, error.offset + 1) from error

    def _refuse(self, message: Words, line: int = 0, column: int = 0) -> UserError:
        line, column = line or self._parser.CurrentLineNumber, column or self._parser.CurrentColumnNumber + 1
        excerpt = self._source[line - 1] if 0 < line <= len(self._source) else None
        return user_error(message, path=self._path, line=line, column=column, excerpt=excerpt)

    def _doctype(self, *_unused: Any) -> None:
        raise self._refuse(_("XML with a document type (DOCTYPE) isn't read"))

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        parent = self._open[-1].name if self._open else None
        if parent is None and name != self._root:
            cut_name = name[:_LONGEST_NAME]
            raise self._refuse(
                _("this XML is no deck (it holds <{shown}>, not <{root}>)", shown=cut_name, root=self._root)
            )
        if len(self._open) >= _DEEPEST:
            raise self._refuse(_("nested too deeply"))
        if len(self.elements) >= _MOST:
            raise self._refuse(_("too many items"))
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        self.elements.append(_Element(name, attributes, [], parent, line, column))
        self._open.append(self.elements[-1])

    def place(self, element: _Element, attribute: str) -> tuple[int, int]:
        """Line and column where an attribute's value begins; those of the element without the attribute."""
        begin = self._begins[element.line - 1] + element.column - 1
        index = begin + 1 + len(element.name)
        while (match := compiled(_ATTRIBUTE).match(self._text, index)) is not None:
            if match[1] == attribute:
                # Searches only the element, since the whole document may be one line.
                before = self._text[begin : match.end()]
                rows = before.count("\n")
                last = len(before) - before.rfind("\n") if rows else element.column + len(before)
                return element.line + rows, last
            index = self._text.find(match[2], match.end()) + 1
        return element.line, element.column

    def _raw(self, element: _Element) -> str:
        """The line of an element; if that is too long, the beginning of the element."""
        line = self._source[element.line - 1]
        return line if len(line) <= LONGEST_LINE else line[element.column - 1 :][:LONGEST_LINE]

    def invalid(self, element: _Element) -> Numbered:
        """An unreadable element as an invalid line."""
        return element.line, told(self._raw(element), Why.NOT_READ, element.column)

    def card(
        self, reader: LineReader, element: _Element, columns: Mapping[str, Column], within: str | None
    ) -> Numbered:
        """The card of an element: a record of its attributes, which have these columns or the game's, and of one count."""
        fields = []
        for key, value in element.attributes.items():
            line, place = self.place(element, key)
            fields.append(Field(columns.get(key) or column_of(reader.words, key), value, line, place))
        if not any(field.column.role == "count" for field in fields):
            fields.append(Field(Column("", "count"), "", element.line, element.column))
        line = next((field.line for field in fields if field.column.role == "name"), element.line)
        read = RecordReader(reader).read(fields, self._raw(element), within)
        is_card = isinstance(read, CardLine | Told)
        return line, read if is_card else told(self._raw(element), Why.NOT_READ, element.column)


class _Dek(Notation):
    """A `<Cards Quantity Sideboard Name>` for each card. Magic Online's catalog ids aren't known."""

    _SCHEMA = "http://www.w3.org/2001/XMLSchema"

    name = _("Magic Online's .dek")
    begin = (
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<Deck xmlns:xsd="{_SCHEMA}" xmlns:xsi="{_SCHEMA}-instance">',
        "  <NetDeckID>0</NetDeckID>",
        "  <PreconstructedDeckID>0</PreconstructedDeckID>",
    )
    entry = '  <Cards CatID="0" Quantity="{copies}" Sideboard="{in_side}" Name="{name}" Annotation="0" />'
    end = "</Deck>\n"
    kept = 'CatID="[0-9]+"'
    is_markup = True
    one_slash = True

    def read(self, reader: LineReader, text: str, path: str) -> Iterator[Numbered]:
        document = _Document(text, path, "Deck")
        known = {key.casefold(): Column(key, "other") for key in _OF_PRINTING}
        known |= {"name": Column("Name", "name"), "quantity": Column("Quantity", "count")}
        known["sideboard"] = Column("Sideboard", "=", zone_of(reader.words, SIDE) or SIDE[0])
        for element in document.elements:
            if element.text and element.name.casefold() in ("deck", "cards"):
                yield document.invalid(element)
                if element.name.casefold() == "cards":
                    continue
            folded = {key.casefold(): key for key in element.attributes}
            if element.name.casefold() != "cards" or (element.parent or "").casefold() != "deck":
                if not {"name", "quantity"}.isdisjoint(folded):
                    yield document.invalid(element)
                continue
            # Attribute names are matched without regard to case.
            columns = {key: known[folded_key] for folded_key, key in folded.items() if folded_key in known}
            yield document.card(reader, element, columns, reader.words.default)


class _Cockatrice(Notation):
    """A zone for the main deck, one for the sideboard, and one for tokens, which are ignored."""

    name = _("Cockatrice's .cod")
    main = ("main",)
    sections = (main, ("side", *SIDE))
    always = main
    begin = ('<?xml version="1.0" encoding="UTF-8"?>', '<cockatrice_deck version="1">')
    title = "    <deckname>{}</deckname>"
    heading = '    <zone name="{}">'
    entry = '        <card number="{copies}" name="{name}"/>'
    section_end = ("    </zone>",)
    end = "</cockatrice_deck>\n"
    is_markup = True

    def read(self, reader: LineReader, text: str, path: str) -> Iterator[Numbered]:
        document = _Document(text, path, "cockatrice_deck")
        columns = {key: Column(key, "other") for key in _OF_PRINTING}
        columns |= {"name": Column("name", "name"), "number": Column("number", "count")}
        zone: str | None = None
        is_token = False
        for element in document.elements:
            if element.text and element.name in ("cockatrice_deck", "zone", "card"):
                yield document.invalid(element)
            if element.name == "deckname" and element.text:
                yield element.line, HeaderLine("deck", element.text, None, element.column)
            elif element.name == "zone":
                written = element.attributes.get("name", "")
                is_token = written.strip().casefold() == "tokens"
                line, column = document.place(element, "name")
                section = self.section(reader.words, written or "zone", column)
                zone = section.zone if section.is_known else None
                if not is_token:
                    yield line, section
            elif element.name == "card" and element.parent == "zone":
                if not is_token:
                    yield document.card(reader, element, columns, zone)
            elif {"name", "number"} <= element.attributes.keys():
                yield document.invalid(element)


NOTATIONS: Mapping[str, Notation] = {"dek": _Dek(), "cockatrice": _Cockatrice()}
