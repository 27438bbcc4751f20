"""Reads a YAML file of plain values with their places, safe against hostile files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from deckcheck.cardtable.check import Route, shown
from deckcheck.errors import UserError, wrong

Spot = tuple[int, int]
"""Line and column, 1-based, the column in code points."""

MOST_BYTES = 4 * 1024 * 1024
MOST_DEPTH = 20

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CORE = "tag:yaml.org,2002:"
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}", re.ASCII)
_DECIMAL = re.compile(r"[-+]?[0-9]{1,15}\.[0-9]{1,15}", re.ASCII)


def read_yaml(path: Path, data: bytes) -> tuple[Any, dict[Route, Spot]]:
    """The value of the file's one document, and where each value in it stands.

    A key of a mapping is always text. Only true, false, null and plain decimal
    numbers are more than text: a date stays text, as does 12:30. Raises
    UserError for what is not YAML, for anchors and aliases, a key written
    twice, deep nesting, foreign tags and more than one document.
    """
    if len(data) > MOST_BYTES:
        raise wrong(
            f"大きすぎます（{MOST_BYTES:,}バイトまで）",
            f"too large (at most {MOST_BYTES:,} bytes)",
            path=str(path),
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise wrong("UTF-8ではありません", "is not UTF-8", path=str(path), line=line) from None
    try:
        _refuse_tricks(path, text)
        root = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise _not_yaml(path, error) from None
    if root is None:
        return None, {}
    spots: dict[Route, Spot] = {}
    return _value(path, root, (), spots), spots


def _refuse_tricks(path: Path, text: str) -> None:
    # Depth and aliases are met here, event by event, before anything recurses or multiplies.
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MOST_DEPTH:
            raise _at(path, event, "入れ子が深すぎます", "nested too deeply")
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            raise _at(
                path, event, "アンカーとエイリアスは使えません", "anchors and aliases can't be used here"
            )


def _value(path: Path, node: Any, route: Route, spots: dict[Route, Spot]) -> Any:
    spots[route] = (node.start_mark.line + 1, node.start_mark.column + 1)
    if isinstance(node, yaml.MappingNode) and node.tag == _CORE + "map":
        return _mapping(path, node, route, spots)
    if isinstance(node, yaml.SequenceNode) and node.tag == _CORE + "seq":
        return [_value(path, item, (*route, place), spots) for place, item in enumerate(node.value)]
    if isinstance(node, yaml.ScalarNode) and node.tag.startswith(_CORE):
        return _scalar(node)
    raise _at(
        path, node, f"使えないタグです: {shown(node.tag)}", f"this tag can't be used: {shown(node.tag)}"
    )


def _mapping(path: Path, node: Any, route: Route, spots: dict[Route, Spot]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _at(path, key, "キーは文字列で書きます", "a key must be text")
        if key.value in value:
            said = shown(key.value)
            raise _at(path, key, f"キーが2つあります: {said}", f"this key stands there twice: {said}")
        value[key.value] = _value(path, item, (*route, key.value), spots)
        # People look for a wrong entry at its key.
        spots[(*route, key.value)] = (key.start_mark.line + 1, key.start_mark.column + 1)
    return value


def _scalar(node: Any) -> Any:
    kind = node.tag.removeprefix(_CORE)
    text = node.value
    if kind == "bool":
        return text.lower() in ("true", "yes", "on")
    if kind == "null":
        return None
    if kind == "int" and _WHOLE.fullmatch(text):
        return int(text)
    if kind == "float" and _DECIMAL.fullmatch(text):
        return float(text)
    return text


def _at(path: Path, found: Any, ja: str, en: str) -> UserError:
    mark = found.start_mark
    return wrong(ja, en, path=str(path), line=mark.line + 1, column=mark.column + 1)


def _not_yaml(path: Path, error: yaml.YAMLError) -> UserError:
    mark = getattr(error, "problem_mark", None)
    said = shown(getattr(error, "problem", None) or getattr(error, "reason", None) or "?")
    return wrong(
        f"YAMLとして読めません: {said}",
        f"is not YAML: {said}",
        path=str(path),
        line=mark.line + 1 if mark else None,
        column=mark.column + 1 if mark else None,
    )
