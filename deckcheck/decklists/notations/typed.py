"""Notations that are text as people type it: lines of a count and a name, perhaps with a set and a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import (
    SIDE,
    Listing,
    Names,
    Numbered,
    counted,
    line_safe,
    placed,
    section,
    zone_of,
)
from deckcheck.decklists.plain import arranged
from deckcheck.decklists.seen import CLEAR, LONGEST_LINE, Seen
from deckcheck.decklists.settle import settle
from deckcheck.decklists.shapes import compiled
from deckcheck.support.messages import Words

_COUNT = r"[ \t]*+(?P<mark>SB:[ \t]*+)?+(?P<n>[0-9]{1,4}+)x?+[ \t]++"
# A set, a number, marks of foil, tags: each is tried once, so no line takes longer than it is long.
_BEHIND = (
    r"(?<=\S)[ \t]++\((?P<set>[A-Za-z0-9_]{2,8}+)\)(?:[ \t]++(?P<number>[^\s()*#]{1,12}+))?+"
    r"(?:[ \t]++\*[A-Za-z]\*)*+(?:[ \t]++#.*+)?+[ \t]*+$"
)
# "4 x Name" is what people type. Few names hold a parenthesis, and few are enough.
_CODED = (
    r"(?m)^[ \t]*+(?:SB:[ \t]*+)?+[0-9]{1,4}+x?+[ \t]++(?!x )[^\n#|(]++(?<=[ \t])"
    r"\([A-Z0-9_]{2,8}\)[ \t]++[^\s()*#]{1,12}+(?!\S)"
)
_SAYING = r"(?m)^[ \t]*+(?:[^\s#/]|/(?!/))"
_MOST_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 160


def is_coded(text: str) -> bool:
    """Whether at least half of the lines that say something are cards with a set and a number."""
    if ")" not in text:
        return False
    coded = len(compiled(_CODED).findall(text))
    return coded > 0 and 2 * coded >= len(compiled(_SAYING).findall(text))


def _behind(line: str, start: int) -> re.Match[str] | None:
    """What stands behind a name that begins at `start`: a set in parentheses and what may follow; None without it."""
    bar = line.find("|", start)
    found = compiled(_BEHIND).search(line, start + 1)
    if found is None or 0 <= bar < found.start() or "#" in line[start : found.start()]:
        return None
    return found


def read_line(lines: Lines, line: str) -> Seen | None:
    """A line of a count and a card's exact name, with a set, a number and marks behind it or not; None for others."""
    if len(line) > LONGEST_LINE:
        return None
    found = compiled(_COUNT).match(line)
    if found is None:
        return None
    zone = (zone_of(lines.words, SIDE) or SIDE[0]) if found["mark"] else None
    name = line[found.end() :].rstrip()
    if not lines.reader.name(name):
        behind = _behind(line, found.end())
        name = line[found.end() : behind.start()] if behind is not None else ""
        if not lines.reader.name(name):
            return None
    seen = counted(lines, name, found["n"], found.end() + 1, zone, raw=line)
    return seen._replace(known=zone is None or zone in lines.words.zone_ids)


def seen_lines(
    lines: Lines, source: Sequence[str], own: Callable[[int, str], Seen | None] = lambda _at, _line: None
) -> list[Seen]:
    """What each line is: by `own` (which is told its place, too), exactly, or else as in any text."""
    seen = [own(at, line) or _remembered(lines, line) for at, line in enumerate(source)]
    return arranged(
        lines.words, seen if CLEAR.issuperset(line.kind for line in seen) else settle(lines, source, seen)
    )


def _remembered(lines: Lines, line: str) -> Seen:
    memory = lines.memory
    seen = memory.get(line)
    if seen is None:
        seen = read_line(lines, line) or lines.classify(line)
        if len(line) <= _LONGEST_REMEMBERED:
            if len(memory) >= _MOST_REMEMBERED:
                memory.clear()
            memory[line] = seen
    return seen


def parted(lines: Lines, seen: list[Seen]) -> list[Seen]:
    """The same lines, with the first empty one behind a card as the heading of the side.

    Where a heading or a mark names a zone, empty lines mean nothing.
    """
    cards = [at for at, line in enumerate(seen) if line.kind in ("entry", "several")]
    named = any(line.kind == "heading" or (line.kind == "entry" and line.zone is not None) for line in seen)
    if not cards or named:
        return seen
    gap = next((at for at in range(cards[0], cards[-1]) if seen[at].kind == "blank"), None)
    if gap is None:
        return seen
    heading = section(lines.words, SIDE[0], 1, SIDE)
    return [*seen[:gap], heading._replace(written="" if heading.known else SIDE[0]), *seen[gap + 1 :]]


def numbered(seen: Sequence[Seen]) -> list[Numbered]:
    """The lines with their numbers."""
    return list(enumerate(seen, 1))


def blocks(
    listing: Listing,
    notation: Words,
    main: Names,
    others: Sequence[Names],
    spelt: Callable[[str], str] = lambda name: name,
) -> list[tuple[str, list[str]]]:
    """The sections that hold cards, with a line for each. Raises UserError as `written`."""
    found = []
    for word, rows in placed(listing, notation, main, others):
        if rows:
            found.append((word, [f"{row.copies} {line_safe(notation, spelt(row.name))}" for row in rows]))
    return found
