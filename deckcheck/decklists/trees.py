"""Decklists as YAML or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from deckcheck.decklists.columns_and_fields import Column, Field, RecordReader, column_of, count_in
from deckcheck.decklists.decoding import shape_of
from deckcheck.decklists.header_directives_comments import header_key
from deckcheck.decklists.line_reader import LineReader, section_line
from deckcheck.decklists.lines import (
    COMMENT,
    CardLine,
    CountLine,
    HeaderLine,
    Heading,
    Label,
    Line,
    Numbered,
    Told,
    Total,
    Why,
    told,
)
from deckcheck.decklists.text import read_text
from deckcheck.decklists.vocabulary import zones_named
from deckcheck.support.documents import Node, TreeBuilder, build_tree
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from yaml import ScalarEvent

_CARDS = frozenset({"cards", "deck", "decklist", "list", "zones", "entries", "boards"})
_OF_PLAYER = frozenset({"reading", "handle", "id", "table", "language", "submitted"})
"""Fields about the player and the submission, which registration reads."""
_OTHER_DECK = _("this may be another deck (one file holds one deck)")
# YAML also breaks lines at these, which would make its line numbers differ.
_NO_BREAKS = dict.fromkeys(map(ord, "\r\x85\u2028\u2029"), " ")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\],:"]+', re.DOTALL)


def read_tree(reader: LineReader, text: str, path: str, notation: str) -> Iterator[Numbered]:
    """The numbered lines of a YAML or JSON text, in order.

    The text is a mapping from zones to cards, or a list of cards, under "cards" or at the top level. Cards
    are names, strings such as "4 x NAME", pairs of a name and a count, or records with a name, a count and a
    zone. Raises UserError, with line and column, for malformed or too deeply nested input.
    """
    build = _Builder(path, text.split("\n"))
    root = build.json(text) if notation == "json" else build_tree(text.translate(_NO_BREAKS), build)
    return iter(()) if root is None else _Tree(reader).top(root)


class _Builder(TreeBuilder):
    """Builds the tree of a deck. Refuses anchors, aliases and tags, which a decklist doesn't need."""

    DEEPEST = 8
    MOST_VALUES = 40_000
    SEVERAL = _("one file holds one deck")

    def add_text(self, value: str, line: int, column: int, last: int = 0) -> None:
        self.add(Node("scalar", value, (), line, column, last))

    def add_scalar(self, event: ScalarEvent, line: int, column: int) -> None:
        end = event.end_mark.line + 1 if event.end_mark else line
        if event.style in ("|", ">") and not self.at_key():
            self._add_block(line, end)
            return
        self.add_text(event.value, line, column + (event.style in ("'", '"')), end if end > line else 0)

    def _add_block(self, line: int, end: int) -> None:
        """Adds the lines of a block scalar, which are below `line` and above `end`: a text, or a list of several."""
        texts = [(number, self.lines[number - 1]) for number in range(line + 1, end)]
        texts = [(number, text) for number, text in texts if text.strip()]
        if len(texts) > 1:
            self.open("list", line, 1)
        for number, text in texts or [(line, "")]:
            self.add_text(text.strip(), number, len(text) - len(text.lstrip()) + 1)
        if len(texts) > 1:
            self.close()

    def json(self, text: str) -> Node | None:
        """The tree of a JSON text, None for an empty one. Raises UserError, with line and column."""
        if not text.strip():
            return None
        try:
            json.loads(text)
        except json.JSONDecodeError as error:
            message = _("not readable as JSON: {msg}", msg=error.msg)
            raise self.refuse(message, error.lineno, error.colno) from error
        except (RecursionError, ValueError) as error:
            raise self.refuse(_("nested too deeply, or a number too long"), 1, 1) from error
        # Valid JSON can be split into tokens without its grammar.
        line, begins, index = 1, 0, 0
        for match in _TOKEN.finditer(text):
            token, start = match[0], match.start()
            if breaks := text.count("\n", index, start):
                line, begins = line + breaks, text.rfind("\n", 0, start) + 1
            index, column = start, start - begins + 1
            if token in "{[":
                self.open("map" if token == "{" else "list", line, column)
            elif token in "}]":
                self.close()
            elif token[0] == '"':
                self.add_text(json.loads(token, strict=False), line, column + 1)
            else:
                self.add_text("" if token == "null" else token, line, column)
        return self.root


_ASKED = {"count": "count", "=": "count", "used": "used"}
"""What each record of a list says if one does, by the roles of fields that say it."""


class _Tree:
    """Reads the lines of a tree; `within` is the zone around a node, in which cards are again behind a zone within it."""

    def __init__(self, reader: LineReader) -> None:
        self._reader, self._words = reader, reader.words
        self._records = RecordReader(reader)
        self._column = cache(lambda head: column_of(reader.words, head))

    def top(self, root: Node) -> Iterator[Numbered]:
        """All lines of a tree: headers first, then cards."""
        default = self._words.default
        if root.sort != "map":
            yield from self._cards(root, default)
            return
        rest: list[Iterator[Numbered]] = []
        has_sections = any(
            value.sort != "scalar" and section_line(self._words, key.value) for key, value in root.pairs()
        )
        is_record, has_cards = self._is_record(root) and not has_sections, False
        for key, value in () if is_record else root.pairs():
            word, header = key.value.strip().casefold(), header_key(key.value)
            if header and value.sort == "scalar" and "\n" not in value.value.strip():
                yield key.line, HeaderLine(header, value.value.strip(), None, key.column)
            elif word in _OF_PLAYER and value.sort == "scalar" and not self._reader.find(key.value):
                # A field on its own line acts like a comment.
                if key.column == 1:
                    yield key.line, COMMENT
            elif word in _CARDS and value.sort != "scalar":
                # The beginning of a zone without a heading of its own.
                heading = Heading("", default, None, True, key.column)
                other = told(key.value, _OTHER_DECK, key.column, may_head=True)
                rest.append(iter([(key.line, other if has_cards else heading)]))
                rest.append(self._cards(value, default))
                has_cards = True
            else:
                rest.append(self._section(key, value, default))
        if is_record:
            rest.append(self._record(root, None))
        for part in rest:
            yield from part

    def _cards(self, node: Node, within: str) -> Iterator[Numbered]:
        """The cards of a node; consecutive texts in a list may include headings."""
        if node.sort == "scalar":
            yield from self._texts([node], within)
        elif node.sort == "map" and self._is_record(node):
            yield from self._record(node, None)
        elif node.sort == "map":
            for key, value in node.pairs():
                yield from self._section(key, value, within)
        else:
            records = [item for item in node.items if item.sort == "map" and self._is_record(item)]
            fields = [self._column(key.value) for record in records for key, _value in self._fields(record)]
            asked = {_ASKED[column.role]: column for column in fields if column.role in _ASKED}
            for sort, items in groupby(node.items, key=lambda item: item.sort):
                if sort == "scalar":
                    yield from self._texts([*items], within)
                    continue
                for item in items:
                    if item.sort == "list":
                        yield item.line, self._counted_name(item)
                    elif self._is_record(item):
                        yield from self._record(item, None, asked)
                    else:
                        yield from self._cards(item, within)

    def _counted_name(self, node: Node) -> Line:
        """The card of a list of a name and its count, in either order."""
        values = [item for item in node.items if item.sort == "scalar"]
        numbers = [item for item in values if count_in(self._words, item.value) is not None]
        if len(values) != 2 or len(node.items) != 2 or len(numbers) != 1:
            return told("[…]", Why.NOT_READ, node.column)
        fields = [_field(Column("", "count" if item in numbers else "name"), item) for item in values]
        return self._records.read(fields, "[…]")

    def _section(self, key: Node, value: Node, within: str) -> Iterator[Numbered]:
        """A key with its value: a zone or label with cards, or a card with its count."""
        is_card = bool(self._reader.find(key.value))
        section = None if is_card else section_line(self._words, key.value)
        if value.sort == "scalar":
            yield from self._pair(key, value, section, within)
        elif section is None and value.sort == "map" and self._is_record(value):
            yield from self._record(value, key)
        elif isinstance(section, Label | Total) or (section and within not in self._words.zone_ids):
            # What has zones of its own and isn't a zone of the deck is all aside, or unknown like the deck it may be.
            yield key.line, Label(key.value, section.total, within, key.column)
            yield from self._cards(value, within)
        elif section is None and value.sort == "map" and not value.items:
            yield key.line, COMMENT
        else:
            heading = section or Heading(key.value, key.value, None, False)
            yield key.line, replace(heading, written=key.value, column=key.column, stretches=())
            yield from self._cards(value, heading.zone or self._words.default)
            yield key.line, Label("", zone=within)

    def _pair(self, key: Node, value: Node, section: Line | None, within: str) -> Iterator[Numbered]:
        """A key with a scalar: a sum, a zone with a card, or a card with its count."""
        number = count_in(self._words, value.value)
        written = f"{key.value}: {value.value}"
        if isinstance(section, Heading):
            yield key.line, Heading(key.value, section.zone, number, section.is_known, key.column)
            if number is None and value.value.strip():
                yield from self._cards(value, section.zone)
            yield key.line, Label("", zone=within)
        elif isinstance(section, Label | Total) and number is not None:
            yield key.line, Total(written, number, None, key.column)
        elif not key.value.strip() or not value.value.strip():
            yield key.line, told(written, Why.NOT_READ, key.column)
        elif number is None and not self._reader.find(key.value):
            yield key.line, told(written, Why.UNEXPLAINED.filled(part=key.value.strip()[:40]), key.column)
        else:
            fields = [_field(Column("", "name"), key), _field(Column("", "count"), value)]
            yield key.line, self._records.read(fields, written)

    def _texts(self, nodes: Sequence[Node], within: str) -> Iterator[Numbered]:
        """Texts as the lines of a list, each of which is a card, a heading or a sum, or else told."""
        rows = [(node, row) for node in nodes for row in node.value.strip().split("\n")]
        is_headed = False
        for number, line in read_text(self._reader, "\n".join(row for _node, row in rows)):
            node, row = rows[number - 1]
            is_headed = is_headed or isinstance(line, Heading)
            if isinstance(line, CardLine):
                items = (replace(item, column=item.column + node.column - 1) for item in line.items)
                yield node.line, CardLine(tuple(items))
            elif isinstance(line, Heading | Label | Total | Told):
                yield node.line, replace(line, column=line.column + node.column - 1, stretches=())
            elif (row.strip() and not isinstance(line, CountLine)) or not node.value.strip():
                yield node.line, told(row, Why.NOT_READ, node.column)
        if is_headed:
            yield nodes[-1].line, Label("", zone=within)

    def _is_record(self, node: Node) -> bool:
        """Whether a mapping is one card with named fields, not several cards by name."""
        roles = [self._column(key.value) for key, value in self._fields(node) if value.sort == "scalar"]
        known = {column.role for column in roles}
        flags = all(column.role in ("count", "zone", "kind", "used", "=") for column in roles) and known & {
            "count",
            "zone",
        }
        return "name" in known or bool(flags)

    def _fields(self, node: Node) -> list[tuple[Node, Node]]:
        """The fields of a mapping; if its name is in a record within it (`card`), the fields of that instead of it."""
        pairs = list(node.pairs())
        if any(value.sort == "scalar" and self._column(key.value).role == "name" for key, value in pairs):
            return pairs
        for index, (key, value) in enumerate(pairs):
            inner = list(value.pairs()) if value.sort == "map" else []
            names = [
                pair
                for pair in inner
                if pair[1].sort == "scalar" and self._column(pair[0].value).role == "name"
            ]
            if len(names) == 1 and not self._reader.find(key.value):
                # What else is said of the card itself is printed on it, but for its count and zone.
                about_deck = [
                    pair
                    for pair in inner
                    if self._column(pair[0].value).role in ("count", "zone", "used", "=")
                ]
                return [*pairs[:index], names[0], *about_deck, *pairs[index + 1 :]]
        return pairs

    def _record(
        self, node: Node, key: Node | None, asked: Mapping[str, Column] = MappingProxyType({})
    ) -> Iterator[Numbered]:
        """The card of a record; `key` is its name if the record is the value of that.

        Of what is `asked`, since other records say it, a field without an answer is empty.
        """
        pairs = self._fields(node)
        fields: list[Field] = []
        seen: dict[str, str] = {}
        for field, value in pairs:
            text = value.value if value.sort == "scalar" else ", ".join(_leaves(value))
            column = self._column(field.value)
            if seen.setdefault(field.value, text) != text or self._counts_by_zone(value):
                yield field.line, told("{…}", Why.NOT_READ, field.column)
                return
            if column.role == "name" and value.sort != "scalar":
                column = Column(column.head, "other")
            fields.append(Field(column, text, value.line, value.column))
        answered = {_ASKED.get(field.column.role) for field in fields}
        for role, column in asked.items():
            if role not in answered:
                fields.append(Field(replace(column, role=role), "", node.line, node.column))
        named = any(field.column.role == "name" for field in fields)
        if key is not None and (not named or self._reader.find(key.value)):
            fields.insert(0, _field(Column("", "name"), key))
        counts = [field for field in fields if field.column.role == "count"]
        names = [field for field in fields if field.column.role == "name"]
        line = self._records.read(fields, ": ".join(field.text for field in [*names[:1], *counts[:1]]))
        yield names[0].line if names else node.line, line

    def _counts_by_zone(self, value: Node) -> bool:
        """Whether a value maps zones to numbers, which may be copies."""
        pairs = value.pairs() if value.sort == "map" else ()
        return any(
            zones_named(self._words, shape_of(key.value)) and count_in(self._words, inner.value) is not None
            for key, inner in pairs
        )


def _field(column: Column, node: Node) -> Field:
    return Field(column, node.value, node.line, node.column)


def _leaves(node: Node) -> Iterator[str]:
    """All scalars in a node."""
    if node.sort == "scalar":
        yield node.value.strip()
    for item in node.items if node.sort == "list" else node.items[1::2]:
        yield from _leaves(item)
