"""Decklists as YAML or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

from deckcheck.decklists.classify import LineReader, entry_in, section_of
from deckcheck.decklists.column_heads import NO, YES, Role, column_role, count_in, zone_role
from deckcheck.decklists.header import header_key
from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.line import COMMENT, NOT_READ, Line, bad_count, invalid
from deckcheck.decklists.parser import two_numbers
from deckcheck.decklists.tables import columns_of, entries_of
from deckcheck.decklists.vocabulary import Heading, heading_of
from deckcheck.support.documents import Node, TreeBuilder, build_tree
from deckcheck.support.messages import Words, _

if TYPE_CHECKING:
    from yaml import ScalarEvent

_CARDS = frozenset({"cards", "deck", "decklist", "list", "zones", "entries"})
_OF_PLAYER = frozenset({"reading", "handle", "id", "table", "language", "submitted"})
"""Fields about the player and the submission, which registration reads."""
_FIELDS = frozenset({"count", "zone", "kind", "flag"})
_SEVERAL_LINES = _("a text of several lines (begin each with “- ”)")
# YAML also breaks lines at these, which would make its line numbers differ.
_NO_BREAKS = dict.fromkeys(map(ord, "\r\x85\u2028\u2029"), " ")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\],:"]+', re.DOTALL)

_Placed = tuple[str, int, Line]
"""The zone around a line of the tree, the number of the line, and the line."""


def read_tree(reader: LineReader, text: str, path: str, notation: str) -> Iterator[tuple[int, Line]]:
    """The numbered lines of a YAML or JSON text, in order.

    The text is a mapping from zones to cards, or a list of cards, under "cards" or at the top level. Cards
    are names, strings such as "4 x NAME", pairs of a name and a count, or records with a name, a count and a
    zone. Raises UserError, with line and column, for malformed or too deeply nested input.
    """
    build = _Builder(path, text.split("\n"))
    root = build.json(text) if notation == "json" else build_tree(text.translate(_NO_BREAKS), build)
    default = zone = reader.words.default
    for within, number, line in _Tree(reader).top(root, default) if root is not None else ():
        if line.kind == "heading":
            zone = line.zone or default
        elif line.kind == "label":
            zone = line.zone or zone
        elif within != zone and line.kind in ("entry", "several", "invalid"):
            # Marks the end of a part with a zone of its own.
            yield number, Line("label", column=line.column, zone=within)
            zone = within
        yield number, line


class _Builder(TreeBuilder):
    """Builds the tree of a deck. Refuses anchors, aliases and tags, which a decklist doesn't need."""

    DEEPEST = 8
    MOST_VALUES = 40_000
    TAGS = False
    SEVERAL = _("one file holds one deck")

    def add_text(self, value: str, line: int, column: int, last: int = 0) -> None:
        self.add(Node("scalar", value, (), line, column, last))

    def add_scalar(self, event: ScalarEvent, line: int, column: int) -> None:
        if event.style in ("|", ">") and not self.at_key():
            self._add_block(event.value, line, literal=event.style == "|")
            return
        end = event.end_mark.line + 1 if event.end_mark else line
        self.add_text(event.value, line, column + (event.style in ("'", '"')), end if end > line else 0)

    def _add_block(self, value: str, line: int, *, literal: bool) -> None:
        """Adds a block scalar that begins below `line`; a literal one (`|`) with several lines is a list."""
        texts = [text.strip() for text in value.split("\n") if text.strip()]
        rows = (
            (number, len(row) - len(row.lstrip()) + 1)
            for number, row in enumerate(self.lines[line:], line + 1)
            if row.strip()
        )
        if not texts:
            self.add_text("", line, 1)
        elif literal and len(texts) > 1:
            self.open("list", line, 1)
            for text in texts:
                self.add_text(text, *next(rows))
            self.close()
        else:
            number, column = next(rows)
            more = () if literal else takewhile(lambda row: row[1] >= column, rows)
            self.add_text(" ".join(texts), number, column, max((below for below, _at in more), default=0))

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
        line, begins, at = 1, 0, 0
        for match in _TOKEN.finditer(text):
            token, start = match[0], match.start()
            if breaks := text.count("\n", at, start):
                line, begins = line + breaks, text.rfind("\n", 0, start) + 1
            at, column = start, start - begins + 1
            if token in "{[":
                self.open("map" if token == "{" else "list", line, column)
            elif token in "}]":
                self.close()
            elif token[0] == '"':
                self.add_text(json.loads(token, strict=False), line, column + 1)
            else:
                self.add_text("" if token == "null" else token, line, column)
        return self.root


class _Tree:
    """Reads the lines of a tree; `within` is the zone around a node."""

    def __init__(self, reader: LineReader) -> None:
        self.reader, self.words = reader, reader.words
        self.column = cache(lambda head: column_role(reader.words, shape_of(head)))

    def top(self, root: Node, default: str) -> Iterator[_Placed]:
        """All lines of a tree: headers first, then cards."""
        if root.sort != "map":
            yield from self.cards(root, default)
            return
        rest: list[Iterator[_Placed]] = []
        for key, value in root.pairs():
            word, header = key.value.strip().casefold(), header_key(key.value)
            if header and value.sort == "scalar":
                yield default, key.line, Line("header", value.value.strip(), key=header)
            elif word in _OF_PLAYER and value.sort == "scalar" and not self.reader.parser.name(key.value):
                # A field on its own line acts like a comment.
                if key.column == 1:
                    yield default, key.line, COMMENT
            elif word in _CARDS and value.sort != "scalar":
                rest += [iter([_heading(key, default, None)]), self.cards(value, default, records=False)]
            else:
                rest.append(self.section(key, value, default))
        for part in rest:
            yield from part

    def cards(self, node: Node, within: str, *, records: bool = True) -> Iterator[_Placed]:
        """The cards of a node; consecutive texts in a list may include headings."""
        if node.sort == "scalar":
            yield from ((within, node.line, line) for line in self.texts(node))
        elif node.sort == "map" and records and self.is_record(node):
            yield from self.record(node, None, within)
        elif node.sort == "map":
            for key, value in node.pairs():
                yield from self.section(key, value, within)
        else:
            zone = within
            for item in node.items:
                if item.sort == "scalar":
                    for line in self.item(item):
                        zone = (line.zone or self.words.default) if line.kind == "heading" else zone
                        yield zone, item.line, line
                    continue
                zone = within
                if item.sort == "list":
                    yield within, item.line, self.counted_name(item) or invalid("[…]", NOT_READ, item.column)
                else:
                    yield from self.cards(item, within)

    def counted_name(self, node: Node) -> Line | None:
        """The entry of a list of a name and its count, in either order; None for other lists."""
        if len(node.items) != 2 or any(item.sort != "scalar" for item in node.items):
            return None
        numbers = [count_in(self.words, item.value) for item in node.items]
        if numbers.count(None) != 1:
            return None
        name = node.items[numbers.index(None)]
        return entry_in(self.reader, name.value, next(filter(None, numbers), 0), name.column)

    def section(self, key: Node, value: Node, within: str) -> Iterator[_Placed]:
        """A key with its value: a zone or label with cards, or a card with its count."""
        is_card = bool(self.reader.parser.name(key.value))
        heading = heading_of(self.words, shape_of(key.value).strip())
        if value.sort == "scalar":
            yield from self.pair(key, value, None if is_card else heading, within)
        elif (heading is None or is_card) and value.sort == "map" and self.is_record(value):
            yield from self.record(value, key, within)
        elif heading is not None and heading.sort != "zone":
            yield (
                within,
                key.line,
                Line("label", key.value, column=key.column, zone=within, total=heading.total),
            )
            yield from self.cards(value, within)
        else:
            zone = (heading.zone or self.words.default) if heading is not None else key.value
            _within, number, line = _heading(key, zone, heading.total if heading is not None else None)
            yield zone, number, line._replace(known=heading is not None)
            yield from self.cards(value, zone or self.words.default)

    def pair(self, key: Node, value: Node, heading: Heading | None, within: str) -> Iterator[_Placed]:
        """A key with a scalar: a sum, a zone with a card, or a card with its count."""
        number = count_in(self.words, value.value)
        written = f"{key.value}: {value.value}"
        if heading is not None and heading.sort == "zone" and value.value.strip():
            zone = heading.zone or self.words.default
            yield _heading(key, zone, None)
            if number is None:
                yield from self.cards(value, zone)
        elif heading is not None and heading.sort != "zone" and number is not None:
            line = Line("total", written, column=key.column, total=number)
            yield (
                within,
                key.line,
                line if heading.sort == "total" else line._replace(kind="label", zone=within),
            )
        elif number is None or not key.value.strip():
            why, at = (bad_count(value.value), value) if key.value.strip() else (NOT_READ, key)
            yield within, at.line, invalid(written, why, at.column)
        else:
            yield within, key.line, entry_in(self.reader, key.value, number, key.column)

    def item(self, node: Node) -> Iterable[Line]:
        """A text in a list, which may be a heading."""
        written = node.value.strip()
        lines = self.texts(node)
        heading = heading_of(self.words, shape_of(written)) if "\n" not in written else None
        return (
            lines
            if heading is None or lines[0].cards
            else [section_of(self.words, heading, written, node.column - 1)]
        )

    def texts(self, node: Node) -> list[Line]:
        """The entries of a scalar, one per line."""
        texts = [text for text in node.value.split("\n") if text.strip()]
        if not texts:
            return [invalid(node.value, NOT_READ, node.column)]
        if node.last:
            # A long name may continue on the next line.
            line = entry_in(self.reader, " ".join(map(str.strip, texts)), None, node.column)
            known = line.kind == "entry" and line.cards
            return [line if known else invalid(texts[0], _SEVERAL_LINES, node.column)]
        texts = texts if len(texts) > 1 else [node.value]
        return [entry_in(self.reader, text, None, node.column) for text in texts]

    def is_record(self, node: Node) -> bool:
        """Whether a mapping is one card with named fields, not several cards by name."""
        keys = {self.role(key, value) for key, value in self.fields(node) if value.sort == "scalar"}
        return "name" in keys or (bool(keys & {"count", "zone", "flag"}) and keys <= _FIELDS)

    def fields(self, node: Node) -> list[tuple[Node, Node]]:
        """The fields of a mapping; if its name is in a record within it (`card`), that name instead of the record."""
        pairs = list(node.pairs())
        if any(value.sort == "scalar" and self.column(key.value) == "name" for key, value in pairs):
            return pairs
        inner = {
            at: [
                pair
                for pair in value.pairs()
                if pair[1].sort == "scalar" and self.column(pair[0].value) == "name"
            ]
            for at, (_key, value) in enumerate(pairs)
            if value.sort == "map"
        }
        named = [(at, names[0]) for at, names in inner.items() if len(names) == 1]
        return [
            named[0][1] if len(named) == 1 and at == named[0][0] else pair for at, pair in enumerate(pairs)
        ]

    def role(self, key: Node, value: Node) -> str:
        """The role of a field of a record: "name", "count", a zone role, or "other"."""
        role = self.column(key.value)
        if role != "other" or self.reader.parser.name(key.value):
            return role
        known = zone_role(self.words, key.value)
        if known is None or known[0] in ("near", "open"):
            return role
        answered = known[0] != "flag" or _answer(value) in (YES | NO) - {""}
        return known[0] if answered else role

    def record(self, node: Node, key: Node | None, within: str) -> Iterator[_Placed]:
        """The entries of a record; `key` is the card's name if the record is its value."""
        pairs = self.fields(node)
        roles: list[Role] = [
            role if value.sort == "scalar" or role != "name" else "other"
            for field, value in pairs
            for role in [self.column(field.value)]
        ]
        if key is not None and "name" not in roles:
            pairs, roles = [(key, key), *pairs], ["name", *roles]
        heads = [field.value.strip() for field, _value in pairs]
        values = [value for _field, value in pairs]
        cells = [
            value.value if value.sort == "scalar" else ",".join(_leaves(value)).strip() for value in values
        ]
        written: dict[str, str] = {}
        differ = any(
            written.setdefault(field.value, cell.strip()) != cell.strip()
            for (field, _value), cell in zip(pairs, cells, strict=True)
        )
        why = NOT_READ if "name" not in roles or differ else self.keep_one_count(cells, roles)
        columns = columns_of(self.reader, heads, roles, [cells]) if why is None else []
        for column in (column for part in columns for column in part.zones):
            flag = column.role == "flag" and column.zone != self.words.default
            if flag and _answer(values[column.at]) not in YES | NO:
                why = NOT_READ
        if why is not None:
            yield within, node.line, invalid("{…}", why, node.column)
            return
        shown = ": ".join(cells[roles.index(role)] for role in ("name", "count") if role in roles)
        places = [(value.line, value.column) for value in values]
        for number, line in entries_of(self.reader, cells, columns, shown, places.__getitem__):
            yield within, number, line

    def keep_one_count(self, cells: Sequence[str], roles: list[Role]) -> Words | None:
        """Keeps one of several counts of a card in `roles`; the problem if they differ."""
        counts = [at for at, role in enumerate(roles) if role == "count"]
        if len(counts) < 2 or len(counts) == roles.count("name"):
            return None
        values = {at: count_in(self.words, cells[at]) for at in counts if cells[at].strip()}
        # A malformed count is reported before all others.
        kept = min(values, key=lambda at: values[at] is not None, default=counts[0])
        for at in counts:
            roles[at] = "count" if at == kept else "other"
        numbers = [*dict.fromkeys(values.values())]
        return two_numbers([*filter(None, numbers)]) if None not in numbers and len(numbers) > 1 else None


def _heading(key: Node, zone: str, total: int | None) -> _Placed:
    return zone, key.line, Line("heading", key.value, column=key.column, zone=zone, total=total)


def _answer(value: Node) -> str | None:
    return value.value.strip().casefold() if value.sort == "scalar" else None


def _leaves(node: Node) -> Iterator[str]:
    """All scalars in a node."""
    if node.sort == "scalar":
        yield node.value.strip()
    for item in node.items if node.sort == "list" else node.items[1::2]:
        yield from _leaves(item)
