"""Notations that are text as people type it: lines of a count and a name, perhaps with a set and a number."""

from __future__ import annotations

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
from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.seen import CLEAR, LONGEST_LINE, Seen
from deckcheck.decklists.settle import settle
from deckcheck.text import Text

_ENTRY = r"[ \t]*(?P<mark>SB:[ \t]*)?(?P<n>[0-9]{1,4})x?[ \t]+(?P<name>[^\s].*?)[ \t]*"
_SET = r"[ \t]+\((?P<set>[A-Za-z0-9_]{2,8})\)(?:[ \t]+(?P<number>[^\s()*#]{1,12}))?"
_TAIL = r"(?:[ \t]+\*[A-Za-z]\*)*(?:[ \t]+#[^#]*)*[ \t]*"
_CODED = rf"[ \t]*(?:SB:[ \t]*)?(?P<n>[0-9]{{1,4}})x?[ \t]+(?P<name>[^\s#|][^#|]*?){_SET}{_TAIL}"
_CARDS = r"[ \t]*(?:SB:[ \t]*)?[0-9]{1,4}x?[ \t]+[^\s]"
_SHORT = 40


def is_coded(text: str) -> bool:
    """Whether at least half of the lines that say something are cards with a set and a number."""
    coded = rest = 0
    for line in text.split("\n"):
        bare = line.strip()
        if not bare or bare.startswith(("#", "//")):
            continue
        found = compiled(_CODED).fullmatch(line) if len(line) <= LONGEST_LINE and "(" in line else None
        if found is not None and found["number"] is not None and found["set"].upper() == found["set"]:
            coded += 1
        else:
            rest += 1
            if len(bare) > _SHORT and not compiled(_CARDS).match(line):
                return False
    return coded > 0 and coded >= rest


def read_line(lines: Lines, line: str) -> Seen | None:
    """A line of a count and a card's exact name, with a set, a number and marks behind it or not; None for others."""
    if len(line) > LONGEST_LINE:
        return None
    found = compiled(_ENTRY).fullmatch(line)
    if found is None:
        return None
    zone = (zone_of(lines.words, SIDE) or SIDE[0]) if found["mark"] else None
    if not lines.reader.name(found["name"]):
        coded = compiled(_CODED).fullmatch(line)
        if coded is None or not lines.reader.name(coded["name"]):
            return None
        found = coded
    seen = counted(lines, found["name"], found["n"], found.start("name") + 1, zone, raw=line)
    return seen._replace(known=zone is None or zone in lines.words.zone_ids)


def seen_lines(
    lines: Lines, source: Sequence[str], own: Callable[[int, str], Seen | None] = lambda _at, _line: None
) -> list[Seen]:
    """What each line is: by `own` (which is told its place, too), exactly, or else as in any text."""
    seen = [own(at, line) or read_line(lines, line) or lines.classify(line) for at, line in enumerate(source)]
    return seen if CLEAR.issuperset(line.kind for line in seen) else settle(lines, source, seen)


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
    notation: Text,
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
