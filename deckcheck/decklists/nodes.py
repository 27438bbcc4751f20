"""Decklists in YAML and JSON as trees in which everything knows its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from deckcheck.support.messages import _
from deckcheck.support.yamlfile import Node, TreeBuilder, build_tree

if TYPE_CHECKING:
    from yaml import ScalarEvent

# YAML ends lines at more characters than anybody else, and would number them otherwise.
_NO_BREAKS = dict.fromkeys(map(ord, "\r\x85\u2028\u2029"), " ")


class _DeckBuilder(TreeBuilder):
    DEEPEST = 8
    MOST_VALUES = 40_000
    TAGS = False
    SEVERAL = _("one file holds one deck")

    def __init__(self, path: str, text: str) -> None:
        super().__init__(path, text.split("\n"))

    def add_scalar(self, event: ScalarEvent, line: int, column: int) -> None:
        if event.style in ("|", ">") and not self.at_key():
            _add_block(self, event.value, line, literal=event.style == "|")
            return
        quoted = event.style in ("'", '"')
        end = event.end_mark.line + 1 if event.end_mark else line
        self.add(Node("scalar", event.value, (), line, column + quoted, end if end > line else 0))


def yaml_tree(text: str, path: str) -> Node | None:
    """The tree of a YAML text, None for an empty one.

    Anchors, aliases and tags are refused, for a decklist needs none. Raises
    UserError with the place.
    """
    return build_tree(text.translate(_NO_BREAKS), _DeckBuilder(path, text))


def _add_block(build: TreeBuilder, value: str, line: int, *, literal: bool) -> None:
    """Adds a block of text, `|` or `>`, whose lines stand below `line`: several of the first kind are a list."""
    texts = [text.strip() for text in value.split("\n") if text.strip()]
    rows = _rows_below(build.lines, line)
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
    build = _DeckBuilder(path, text)
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
