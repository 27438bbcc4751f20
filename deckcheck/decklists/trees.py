"""Decklists as YAML or JSON."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckcheck.decklists.cells import entry_in, in_zone
from deckcheck.decklists.header import header_key
from deckcheck.decklists.lines import Lines
from deckcheck.decklists.nodes import Node, json_tree, yaml_tree
from deckcheck.decklists.plain import too_many_lines
from deckcheck.decklists.seen import BAD_COUNT, COMMENT, MOST_LINES, NOT_READ, Kind, Seen
from deckcheck.decklists.shapes import shape_of
from deckcheck.decklists.tables import column_role, number_of
from deckcheck.decklists.vocabulary import heading_of

_CARDS = frozenset({"cards", "deck", "decklist", "list", "zones", "entries"})
_OF_PLAYER = frozenset({"reading", "handle", "id", "table", "language", "submitted"})
"""Who plays the list and when it was sent, which is for registration to read."""


class _Numbered(NamedTuple):
    line: int
    seen: Seen


def seen_in_tree(lines: Lines, text: str, path: str, notation: str) -> Sequence[tuple[int, Seen]]:
    """What stands in a YAML or JSON text, in order and with its line.

    It is a mapping from zones to cards, or a list of cards, under "cards" or
    alone. Cards are names, strings such as "4 x NAME", pairs of a name and a
    count, or records with a name, a count and a zone. Raises UserError with
    line and column where the text is malformed, too deep or too large.
    """
    if text.count("\n") >= MOST_LINES:
        raise too_many_lines(path)
    root = json_tree(text, path) if notation == "json" else yaml_tree(text, path)
    return list(_top(lines, root)) if root is not None else []


def _top(lines: Lines, root: Node) -> Iterator[_Numbered]:
    if root.sort != "map":
        yield from _cards(lines, root)
        return
    rest: list[tuple[Node, Node]] = []
    for key, value in root.pairs():
        word = header_key(key.value)
        if word and value.sort == "scalar":
            yield _Numbered(key.line, Seen("header", value.value.strip(), key=word))
        elif _of_player(lines, key, value):
            # On a line of its own it is what a comment is in a text.
            if key.column == 1:
                yield _Numbered(key.line, COMMENT)
        else:
            rest.append((key, value))
    for key, value in rest:
        if key.value.strip().casefold() in _CARDS and value.sort != "scalar":
            yield _Numbered(key.line, Seen("heading", key.value, column=key.column))
            yield from _zones(lines, value) if value.sort == "map" else _cards(lines, value)
        else:
            yield from _section(lines, key, value)


def _of_player(lines: Lines, key: Node, value: Node) -> bool:
    named = key.value.strip().casefold() in _OF_PLAYER and value.sort == "scalar"
    return named and not lines.reader.name(key.value)


def _zones(lines: Lines, node: Node) -> Iterator[_Numbered]:
    for key, value in node.pairs():
        yield from _section(lines, key, value)


def _section(lines: Lines, key: Node, value: Node) -> Iterator[_Numbered]:
    """A key with what stands below it: a zone, a label within one, or a card with its count."""
    heading = heading_of(lines.words, shape_of(key.value).strip())
    if value.sort == "scalar":
        if heading is not None and not lines.reader.name(key.value):
            total = number_of(lines.words, shape_of(value.value).strip())
            if total is not None and heading.sort != "zone":
                kind: Kind = "total" if heading.sort == "total" else "label"
                yield _Numbered(
                    key.line, Seen(kind, f"{key.value}: {value.value}", column=key.column, total=total)
                )
                return
            if heading.sort == "zone" and value.value.strip():
                yield _Numbered(key.line, _heading(key, heading.zone, None))
                if total is None:
                    yield _Numbered(value.line, entry_in(lines, value.value, None, value.column))
                return
        yield _counted(lines, key, value)
        return
    record = value.sort == "map" and _record(lines, value)
    if record and (heading is None or lines.reader.name(key.value)):
        yield _of_record(lines, value, key)
        return
    if heading is not None and heading.sort == "zone":
        yield _Numbered(key.line, _heading(key, heading.zone, heading.total))
    elif heading is not None:
        yield _Numbered(key.line, Seen("label", key.value, column=key.column, total=heading.total))
    else:
        yield _Numbered(key.line, _heading(key, key.value, None)._replace(known=False))
    yield from _cards(lines, value)


def _heading(key: Node, zone: str | None, total: int | None) -> Seen:
    return Seen("heading", key.value, column=key.column, zone=zone, total=total)


def _cards(lines: Lines, node: Node) -> Iterator[_Numbered]:
    if node.sort == "scalar":
        yield _one(lines, node)
    elif node.sort == "map":
        if _record(lines, node):
            yield _of_record(lines, node, None)
        else:
            for key, value in node.pairs():
                yield from _section(lines, key, value)
    else:
        for item in node.items:
            if item.sort == "list":
                yield _Numbered(item.line, Seen("invalid", "[…]", column=item.column, why=NOT_READ))
            elif item.sort == "scalar":
                yield _one(lines, item)
            else:
                yield from _cards(lines, item)


def _one(lines: Lines, node: Node) -> _Numbered:
    if not node.value.strip():
        return _Numbered(node.line, Seen("invalid", node.value, column=node.column, why=NOT_READ))
    return _Numbered(node.line, entry_in(lines, node.value, None, node.column))


def _counted(lines: Lines, name: Node, count: Node) -> _Numbered:
    copies = number_of(lines.words, shape_of(count.value).strip())
    if copies is None or not name.value.strip():
        why, at = (BAD_COUNT, count) if name.value.strip() else (NOT_READ, name)
        written = f"{name.value}: {count.value}".strip()
        return _Numbered(at.line, Seen("invalid", written, column=at.column, why=why))
    return _Numbered(name.line, entry_in(lines, name.value, copies, name.column))


def _record(lines: Lines, node: Node) -> bool:
    """Whether a mapping tells of one card in named fields, rather than of cards by their names."""
    keys = {
        column_role(lines.words, shape_of(key.value)) for key, value in node.pairs() if value.sort == "scalar"
    }
    return "name" in keys or (bool(keys) and keys <= {"count", "zone"})


def _of_record(lines: Lines, node: Node, key: Node | None) -> _Numbered:
    fields = {column_role(lines.words, shape_of(word.value)): value for word, value in node.pairs()}
    name = fields.get("name", key)
    if name is None or name.sort != "scalar" or not name.value.strip():
        return _Numbered(node.line, Seen("invalid", "{…}", column=node.column, why=NOT_READ))
    numbered = _counted(lines, name, fields["count"]) if "count" in fields else _one(lines, name)
    zone = fields["zone"].value if "zone" in fields else ""
    return _Numbered(numbered.line, in_zone(lines.words, numbered.seen, zone))
