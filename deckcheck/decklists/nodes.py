"""YAML and JSON as plain trees in which everything knows its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import Words, _

_DEEPEST = 8
_MOST_NODES = 40_000


class Node(NamedTuple):
    """A scalar (`value`), a list (`items`) or a mapping (`items`: key, value, key, value, ...).

    `line` and `column` are 1-based, of the first code point (behind a quote). `last` is the line
    on which a scalar ends, where its lines are joined to one text; 0 for what stands on one line.
    """

    sort: Literal["scalar", "list", "map"]
    value: str
    items: tuple[Node, ...]
    line: int
    column: int
    last: int = 0

    def pairs(self) -> Iterator[tuple[Node, Node]]:
        """The keys and values of a mapping."""
        return zip(self.items[::2], self.items[1::2], strict=True)


class _Open(NamedTuple):
    sort: Literal["list", "map"]
    items: list[Node]
    line: int
    column: int


class _Builder:
    """Puts nodes together as their parts come in, within bounds."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.rows = path, text.split("\n")
        self.stack: list[_Open] = []
        self.root: Node | None = None
        self.count = 0

    def refuse(self, message: Words, line: int, column: int, hint: Words | None = None) -> UserError:
        excerpt = self.rows[line - 1] if 0 < line <= len(self.rows) else None
        return wrong(message, path=self.path, line=line, column=column, excerpt=excerpt, hint=hint)

    def open(self, sort: Literal["list", "map"], line: int, column: int) -> None:
        if len(self.stack) >= _DEEPEST:
            raise self.refuse(_("nested too deeply"), line, column)
        self.stack.append(_Open(sort, [], line, column))

    def at_key(self) -> bool:
        """Whether what comes next is the key of a mapping."""
        return bool(self.stack) and self.stack[-1].sort == "map" and len(self.stack[-1].items) % 2 == 0

    def close(self) -> None:
        top = self.stack.pop()
        self.add(Node(top.sort, "", tuple(top.items), top.line, top.column))

    def add(self, node: Node) -> None:
        self.count += 1
        if self.count > _MOST_NODES:
            raise self.refuse(_("too many items"), node.line, node.column)
        if self.stack:
            self.stack[-1].items.append(node)
        elif self.root is None:
            self.root = node
        else:
            raise self.refuse(_("one file holds one deck"), node.line, node.column)


# YAML ends lines at more characters than anybody else, and would number them otherwise.
_NO_BREAKS = dict.fromkeys(map(ord, "\r\x85\u2028\u2029"), " ")


def yaml_tree(text: str, path: str) -> Node | None:
    """The tree of a YAML text, None for an empty one.

    Anchors, aliases and tags are refused, for a decklist needs none. Raises
    UserError with the place.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    build = _Builder(path, text)
    try:
        for event in yaml.parse(text.translate(_NO_BREAKS), Loader=loader):
            mark = event.start_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise build.refuse(
                    _("anchors and aliases (& and *) can't be used here"),
                    line,
                    column,
                    _("put quotes around a name"),
                )
            if getattr(event, "tag", None):
                raise build.refuse(_("tags (!) can't be used here"), line, column)
            if isinstance(event, yaml.ScalarEvent):
                if event.style in ("|", ">") and not build.at_key():
                    _add_block(build, event.value, line, literal=event.style == "|")
                    continue
                quoted = event.style in ("'", '"')
                end = event.end_mark.line + 1 if event.end_mark else line
                build.add(Node("scalar", event.value, (), line, column + quoted, end if end > line else 0))
            elif isinstance(event, yaml.SequenceStartEvent):
                build.open("list", line, column)
            elif isinstance(event, yaml.MappingStartEvent):
                build.open("map", line, column)
            elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
                build.close()
    except UnicodeEncodeError as error:
        raise build.refuse(_("not a character"), *_place(text, error.start)) from error
    except yaml.YAMLError as error:
        at = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "malformed"
        line, column = (at.line + 1, at.column + 1) if at else _place(text, getattr(error, "position", 0))
        raise build.refuse(_("not readable as YAML: {problem}", problem=problem), line, column) from error
    return build.root


def _add_block(build: _Builder, value: str, line: int, *, literal: bool) -> None:
    """Adds a block of text, `|` or `>`, whose lines stand below `line`: several of the first kind are a list."""
    texts = [text.strip() for text in value.split("\n") if text.strip()]
    rows = _rows_below(build.rows, line)
    if not texts:
        build.add(Node("scalar", "", (), line, 1))
    elif literal and len(texts) > 1:
        build.open("list", line, 1)
        for text in texts:
            build.add(Node("scalar", text, (), *next(rows)))
        build.close()
    else:
        number, column = next(rows)
        last = 0
        if not literal:
            last = max((below for below, at in takewhile(lambda row: row[1] >= column, rows)), default=0)
        build.add(Node("scalar", " ".join(texts), (), number, column, last))


def _rows_below(source: Sequence[str], line: int) -> Iterator[tuple[int, int]]:
    """Line and column at which something begins, below `line`."""
    for number in range(line, len(source)):
        row = source[number]
        if row.strip():
            yield number + 1, len(row) - len(row.lstrip()) + 1


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\],:"]+', re.DOTALL)


def json_tree(text: str, path: str) -> Node | None:
    """The tree of a JSON text, None for an empty one. Raises UserError with the place."""
    import json

    if not text.strip():
        return None
    build = _Builder(path, text)
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        raise build.refuse(
            _("not readable as JSON: {msg}", msg=error.msg),
            error.lineno,
            error.colno,
        ) from error
    except (RecursionError, ValueError) as error:
        raise build.refuse(_("nested too deeply, or a number too long"), 1, 1) from error
    # What is valid JSON can be cut into tokens without a look at its grammar.
    line, begins, at = 1, 0, 0
    for found in _TOKEN.finditer(text):
        token, start = found[0], found.start()
        breaks = text.count("\n", at, start)
        if breaks:
            line, begins = line + breaks, text.rfind("\n", 0, start) + 1
        at, column = start, start - begins + 1
        if token in "{[":
            build.open("map" if token == "{" else "list", line, column)
        elif token in "}]":
            build.close()
        elif token[0] == '"':
            build.add(Node("scalar", json.loads(token, strict=False), (), line, column + 1))
        else:
            build.add(Node("scalar", "" if token == "null" else token, (), line, column))
    return build.root


def _place(text: str, position: int) -> tuple[int, int]:
    before = text[:position]
    return before.count("\n") + 1, len(before) - before.rfind("\n")
