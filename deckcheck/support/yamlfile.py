"""YAML that remembers where everything stands, read within bounds.

Files come from strangers: size, nesting and the number of values are bounded,
and anchors and aliases are refused, so that no file grows when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from deckcheck.support.errors import Problem, UserError, wrong
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Words, _

MOST_DEPTH = 40
MOST_VALUES = 200_000

UNFIT = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Keys = tuple[str | int, ...]
"""The way to a value: keys of mappings and positions (from 0) in lists."""


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file as plain values, with the place of each.

    `path` is how messages name the file. `data` holds dicts, lists, strings,
    ints, floats, bools and None; a date stays the string that it is written
    as. `marks` gives the 1-based line and column of each key or list item.
    """

    path: str
    data: Any
    marks: Mapping[Keys, tuple[int, int]]
    lines: tuple[str, ...]

    def line(self, keys: Keys) -> int:
        """The line where the value at `keys` begins (or the nearest one above it that is known)."""
        return self._mark(keys)[0]

    def _mark(self, keys: Keys) -> tuple[int, int]:
        while keys and keys not in self.marks:
            keys = keys[:-1]
        return self.marks.get(keys, (1, 1))

    def problem(self, keys: Keys, message: Words, hint: Words | None = None) -> Problem:
        """A problem with the value at `keys`, showing its line."""
        line, column = self._mark(keys)
        excerpt = self.lines[line - 1] if line <= len(self.lines) else None
        return Problem(message, self.path, line, column, excerpt, hint)


def load_yaml(path: Path, shown: str | None = None) -> Document:
    """Read a YAML file. `shown` is the path that messages use (default: `path`).

    Raises UserError when it can't be read, isn't YAML, or breaks a bound.
    """
    name = shown or str(path)
    data = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise wrong(_("not UTF-8"), path=name, line=line) from error
    return parse_yaml(text, name)


def parse_yaml(text: str, name: str) -> Document:
    """As `load_yaml`, from text."""
    lines = tuple(text.splitlines())
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        # Composing recurses, so bounds are kept before it begins.
        depth = 0
        for number, event in enumerate(yaml.parse(text, Loader=loader)):
            if getattr(event, "anchor", None) is not None:
                raise _at(
                    event.start_mark,
                    lines,
                    name,
                    _("anchors and aliases are not allowed"),
                )
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if number > 2 * MOST_VALUES:
                raise _at(event.start_mark, lines, name, _("too many values"))
            if depth > MOST_DEPTH:
                raise _at(event.start_mark, lines, name, _("nested too deeply"))
        node = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        said = error.problem or "?"
        raise _at(
            error.problem_mark or error.context_mark,
            lines,
            name,
            _("not valid YAML: {said}", said=said),
        ) from error
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise _unfit(text, name) from error
    marks: dict[Keys, tuple[int, int]] = {}
    value = None if node is None else _plain(node, (), marks, lines, name)
    return Document(name, value, marks, lines)


def _unfit(text: str, name: str) -> UserError:
    """What the parser says of a character that YAML can't hold, with its place."""
    found = UNFIT.search(text)
    before = text[: found.start()] if found is not None else ""
    return wrong(
        _("not valid YAML: a character that can't stand there"),
        path=name,
        line=before.count("\n") + 1,
        column=len(before) - before.rfind("\n"),
    )


def _at(mark: Any, lines: tuple[str, ...], name: str, message: Words) -> UserError:
    if mark is None:
        return wrong(message, path=name)
    excerpt = lines[mark.line] if mark.line < len(lines) else None
    return wrong(message, path=name, line=mark.line + 1, column=mark.column + 1, excerpt=excerpt)


def _plain(
    node: yaml.Node, keys: Keys, marks: dict[Keys, tuple[int, int]], lines: tuple[str, ...], name: str
) -> Any:
    if len(marks) > MOST_VALUES:
        raise _at(node.start_mark, lines, name, _("too many values"))
    marks.setdefault(keys, (node.start_mark.line + 1, node.start_mark.column + 1))
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*keys, at), marks, lines, name) for at, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise _at(key_node.start_mark, lines, name, _("a key must be a word"))
            key = str(key_node.value)
            if key in result:
                raise _at(key_node.start_mark, lines, name, _("{key!r} stands here twice", key=key))
            marks[*keys, key] = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            result[key] = _plain(value_node, (*keys, key), marks, lines, name)
        return result
    return _scalar(node, lines, name)


def _scalar(node: yaml.Node, lines: tuple[str, ...], name: str) -> Any:
    text = str(node.value)
    try:
        match node.tag:
            case "tag:yaml.org,2002:null":
                return None
            case "tag:yaml.org,2002:bool":
                return text.lower() in ("yes", "true", "on", "y")
            case "tag:yaml.org,2002:int" if text.lstrip("+-").isdigit():
                return int(text)
            case "tag:yaml.org,2002:float" if text.count(".") == 1 and text.replace(".", "").isdigit():
                return float(text)
    except ValueError as error:
        raise _at(node.start_mark, lines, name, _("the number is too large")) from error
    return text
