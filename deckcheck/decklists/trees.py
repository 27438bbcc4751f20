"""Decklists as YAML or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from deckcheck.decklists.columns import NO, YES, ZoneColumn, zone_role, with_zone
from deckcheck.decklists.header import header_key
from deckcheck.decklists.lines import Lines, entry_in, section_of
from deckcheck.decklists.nodes import json_tree, yaml_tree
from deckcheck.decklists.plain import too_many_lines
from deckcheck.decklists.residue import two_numbers
from deckcheck.decklists.seen import BAD_COUNT, COMMENT, MOST_LINES, NOT_READ, Kind, Seen, invalid
from deckcheck.decklists.shapes import shape_of
from deckcheck.decklists.tables import column_role, number_of
from deckcheck.decklists.vocabulary import heading_of
from deckcheck.support.messages import Words, _
from deckcheck.support.yamlfile import Node

_CARDS = frozenset({"cards", "deck", "decklist", "list", "zones", "entries"})
_OF_PLAYER = frozenset({"reading", "handle", "id", "table", "language", "submitted"})
"""Who plays the list and when it was sent, which is for registration to read."""


class _Numbered(NamedTuple):
    line: int
    seen: Seen


def seen_in_tree(lines: Lines, text: str, path: str, notation: str) -> Iterable[tuple[int, Seen]]:
    """What stands in a YAML or JSON text, in order and with its line.

    It is a mapping from zones to cards, or a list of cards, under "cards" or
    alone. Cards are names, strings such as "4 x NAME", pairs of a name and a
    count, or records with a name, a count and a zone. Raises UserError with
    line and column where the text is malformed, too deep or too large.
    """
    if text.count("\n") >= MOST_LINES:
        raise too_many_lines(path)
    root = json_tree(text, path) if notation == "json" else yaml_tree(text, path)
    return _top(lines, root) if root is not None else ()


def _top(lines: Lines, root: Node) -> Iterator[_Numbered]:
    default = lines.words.default
    if root.sort != "map":
        yield from _cards(lines, root, default)
        return
    rest: list[Iterator[_Numbered]] = []
    for key, value in root.pairs():
        word = header_key(key.value)
        if word and value.sort == "scalar":
            yield _Numbered(key.line, Seen("header", value.value.strip(), key=word))
        elif _of_player(lines, key, value):
            # On a line of its own it is what a comment is in a text.
            if key.column == 1:
                yield _Numbered(key.line, COMMENT)
        elif key.value.strip().casefold() in _CARDS and value.sort != "scalar":
            rest.append(_all_cards(lines, key, value))
        else:
            rest.append(_section(lines, key, value, default))
    yield from _level(lines, rest, default)


def _all_cards(lines: Lines, key: Node, value: Node) -> Iterator[_Numbered]:
    yield _Numbered(key.line, Seen("heading", key.value, column=key.column))
    default = lines.words.default
    yield from _sections(lines, value, default) if value.sort == "map" else _cards(lines, value, default)


def _sections(lines: Lines, node: Node, within: str) -> Iterator[_Numbered]:
    return _level(lines, [_section(lines, key, value, within) for key, value in node.pairs()], within)


def _level(lines: Lines, parts: Iterable[Iterator[_Numbered]], within: str) -> Iterator[_Numbered]:
    """What stands side by side in the zone `within`: where one part begins another zone, that ends with it."""
    zone = within
    for part in parts:
        fresh = True
        for number, seen in part:
            if seen.kind == "heading":
                zone = seen.zone or lines.words.default
            elif seen.kind == "label":
                zone = seen.zone or zone
            elif fresh and zone != within and seen.kind in ("entry", "several", "invalid"):
                yield _Numbered(number, Seen("label", column=seen.column, zone=within))
                zone = within
            fresh = False
            yield _Numbered(number, seen)


def _of_player(lines: Lines, key: Node, value: Node) -> bool:
    named = key.value.strip().casefold() in _OF_PLAYER and value.sort == "scalar"
    return named and not lines.reader.name(key.value)


def _section(lines: Lines, key: Node, value: Node, within: str) -> Iterator[_Numbered]:
    """A key with what stands below it: a zone, a label in the zone `within`, or a card with its count."""
    heading = heading_of(lines.words, shape_of(key.value).strip())
    if value.sort == "scalar":
        if heading is not None and not lines.reader.name(key.value):
            total = number_of(lines.words, shape_of(value.value).strip())
            if total is not None and heading.sort != "zone":
                kind: Kind = "total" if heading.sort == "total" else "label"
                zone = within if kind == "label" else None
                written = f"{key.value}: {value.value}"
                yield _Numbered(key.line, Seen(kind, written, column=key.column, zone=zone, total=total))
                return
            if heading.sort == "zone" and value.value.strip():
                yield _Numbered(key.line, _heading(key, heading.zone, None))
                if total is None:
                    yield from _each(lines, value)
                return
        yield _counted(lines, key, value)
        return
    record = value.sort == "map" and is_record(lines, value)
    if record and (heading is None or lines.reader.name(key.value)):
        yield _of_record(lines, value, key)
        return
    zone = within
    if heading is not None and heading.sort == "zone":
        zone = heading.zone or lines.words.default
        yield _Numbered(key.line, _heading(key, zone, heading.total))
    elif heading is not None:
        label = Seen("label", key.value, column=key.column, zone=within, total=heading.total)
        yield _Numbered(key.line, label)
    else:
        zone = key.value or lines.words.default
        yield _Numbered(key.line, _heading(key, key.value, None)._replace(known=False))
    yield from _cards(lines, value, zone)


def _heading(key: Node, zone: str | None, total: int | None) -> Seen:
    return Seen("heading", key.value, column=key.column, zone=zone, total=total)


def _cards(lines: Lines, node: Node, within: str) -> Iterator[_Numbered]:
    if node.sort == "scalar":
        yield from _each(lines, node)
    elif node.sort == "list":
        yield from _level(lines, _items(lines, node, within), within)
    elif is_record(lines, node):
        yield _of_record(lines, node, None)
    else:
        yield from _sections(lines, node, within)


def _items(lines: Lines, node: Node, within: str) -> Iterator[Iterator[_Numbered]]:
    """The parts of a list; what stands there as texts without anything between them is one part, as lines are."""
    for scalars, items in groupby(node.items, lambda item: item.sort == "scalar"):
        if scalars:
            yield _texts(lines, list(items))
            continue
        for item in items:
            if item.sort == "list":
                yield iter([_Numbered(item.line, invalid("[…]", NOT_READ, item.column))])
            else:
                yield _cards(lines, item, within)


def _texts(lines: Lines, items: Sequence[Node]) -> Iterator[_Numbered]:
    for item in items:
        for numbered in _each(lines, item):
            seen = numbered.seen
            heading = None if seen.cards else heading_of(lines.words, shape_of(item.value).strip())
            if heading is None or "\n" in item.value.strip():
                yield numbered
            else:
                yield _Numbered(item.line, section_of(heading, item.value.strip(), item.column - 1))


_SEVERAL_LINES = _("a text of several lines (begin each with “- ”)")


def _each(lines: Lines, node: Node) -> Iterator[_Numbered]:
    """The cards in a scalar: one, or one on each of its lines."""
    texts = [text for text in node.value.split("\n") if text.strip()]
    if node.last and texts:
        # A long name may go on in the next line.
        numbered = _one(lines, node._replace(value=" ".join(map(str.strip, texts))))
        if numbered.seen.kind == "entry" and numbered.seen.cards:
            yield numbered
        else:
            yield _Numbered(node.line, invalid(texts[0], _SEVERAL_LINES, node.column))
    elif len(texts) < 2:
        yield _one(lines, node)
    else:
        for text in texts:
            yield _one(lines, node._replace(value=text))


def _one(lines: Lines, node: Node) -> _Numbered:
    if not node.value.strip():
        return _Numbered(node.line, invalid(node.value, NOT_READ, node.column))
    return _Numbered(node.line, entry_in(lines, node.value, None, node.column))


def _counted(lines: Lines, name: Node, count: Node) -> _Numbered:
    copies = number_of(lines.words, shape_of(count.value).strip())
    if copies is None or not name.value.strip():
        why, at = (BAD_COUNT, count) if name.value.strip() else (NOT_READ, name)
        written = f"{name.value}: {count.value}".strip()
        return _Numbered(at.line, invalid(written, why, at.column))
    return _Numbered(name.line, entry_in(lines, name.value, copies, name.column))


def _of_record(lines: Lines, node: Node, key: Node | None) -> _Numbered:
    """The card that a record tells of; `key` is its name where the record stands below that."""
    record = read_record(lines, node)
    name = record.name or key
    if record.twofold or name is None or name.sort != "scalar" or not name.value.strip():
        return _Numbered(node.line, invalid("{…}", record.twofold or NOT_READ, node.column))
    numbered = _counted(lines, name, record.copies) if record.copies is not None else _one(lines, name)
    seen = with_zone(lines.words, lines.reader.name, numbered.seen, record.tellers, record.cells)
    return _Numbered(numbered.line, seen)


class Record(NamedTuple):
    """The fields of a record that matter: `tellers` with their `cells` may tell its zone.

    `twofold` says why it can't be read, where one field says two things.
    """

    name: Node | None
    copies: Node | None
    tellers: tuple[ZoneColumn, ...]
    cells: tuple[str, ...]
    twofold: Words | None


def is_record(lines: Lines, node: Node) -> bool:
    """Whether a mapping tells of one card in named fields, rather than of cards by their names."""
    keys = {_role(lines, key, value) for key, value in node.pairs() if value.sort == "scalar"}
    return "name" in keys or (bool(keys & {"count", "zone", "flag"}) and keys <= _FIELDS)


_FIELDS = frozenset({"count", "zone", "kind", "flag"})


def _role(lines: Lines, key: Node, value: Node) -> str:
    role = column_role(lines.words, shape_of(key.value))
    if role != "other" or lines.reader.name(key.value):
        return role
    told = zone_role(lines.words, key.value)
    if told is None or told[0] in ("near", "open"):
        return role
    answers = told[0] != "flag" or value.value.strip().casefold() in (YES | NO) - {""}
    return told[0] if answers else role


def read_record(lines: Lines, node: Node) -> Record:
    """The fields of a record."""
    words = lines.words
    names: list[Node] = []
    counts: list[Node] = []
    tellers: list[ZoneColumn] = []
    cells: list[str] = []
    twofold: Words | None = None
    written: dict[str, Node] = {}
    for key, value in node.pairs():
        before = written.setdefault(key.value, value)
        if before is not value and _flat(before) != _flat(value):
            twofold = NOT_READ
        role = column_role(words, shape_of(key.value))
        if role == "name":
            names.append(value)
        elif role == "count":
            counts.append(value)
        else:
            told = zone_role(words, key.value.strip())
            if told is None:
                continue
            how, zone = told
            said = _flat(value)
            answered = value.sort == "scalar" and said.casefold() in YES | NO
            if how == "flag" and zone != words.default and not answered:
                twofold = NOT_READ
            tellers.append(ZoneColumn(len(cells), key.value.strip(), how, zone, YES, NO))
            cells.append(said)
    numbers = {number_of(words, shape_of(one.value).strip()) for one in counts} - {None}
    if len(numbers) > 1:
        twofold = two_numbers([number or 0 for number in numbers])
    return Record(
        names[-1] if names else None,
        counts[-1] if counts else None,
        tuple(tellers),
        tuple(cells),
        twofold,
    )


def _flat(node: Node) -> str:
    """All that stands in a node, as a cell of a table would hold it."""
    return ",".join(_leaves(node)).strip()


def _leaves(node: Node) -> Iterator[str]:
    if node.sort == "scalar":
        yield node.value.strip()
    for item in node.items if node.sort == "list" else node.items[1::2]:
        yield from _leaves(item)
