"""A card in named fields, as YAML and JSON write it: `{name: NAME, count: 4, zone: ZONE}`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deckcheck.decklists.leftovers import two_numbers
from deckcheck.decklists.lines import Lines
from deckcheck.decklists.seen import NOT_READ
from deckcheck.decklists.shapes import shape_of
from deckcheck.decklists.tables import column_role, number_of
from deckcheck.decklists.zonecells import NO, YES, Teller, how_told
from deckcheck.support.messages import Words
from deckcheck.support.yamlfile import Node


class Record(NamedTuple):
    """The fields of a record that matter: `tellers` with their `cells` may tell its zone.

    `twofold` says why it can't be read, where one field says two things.
    """

    name: Node | None
    copies: Node | None
    tellers: tuple[Teller, ...]
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
    told = how_told(lines.words, key.value)
    if told is None or told[0] in ("near", "open"):
        return role
    answers = told[0] != "flag" or value.value.strip().casefold() in (YES | NO) - {""}
    return told[0] if answers else role


def read_record(lines: Lines, node: Node) -> Record:
    """The fields of a record."""
    words = lines.words
    names: list[Node] = []
    counts: list[Node] = []
    tellers: list[Teller] = []
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
            told = how_told(words, key.value.strip())
            if told is None:
                continue
            how, zone = told
            said = _flat(value)
            answered = value.sort == "scalar" and said.casefold() in YES | NO
            if how == "flag" and zone != words.default and not answered:
                twofold = NOT_READ
            tellers.append(Teller(len(cells), key.value.strip(), how, zone, YES, NO))
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
