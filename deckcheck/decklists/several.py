"""Two or more entries on one line."""

from __future__ import annotations

import re
from collections.abc import Callable

from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.reading import Reader, Reading
from deckcheck.decklists.shapes import trim
from deckcheck.decklists.vocabulary import Vocabulary

_MOST_PARTS = 32
_JOINED = 3
_LONGEST_PART = 160
_BETWEEN = " \t、,;/|・&+"
_LIST = r"[、,;/]|  +|[・&+](?=[ \t《])|(?<=[》0-9枚])[ \t]*と[ \t]*(?=《)|\][ \t]*\[|[ \t]*※[ \t]*"
_BEFORE = r"(?:(?<=[ \t》\]、,])|^)(?=[0-9]+[ \t]*(?:[x*][ \t]*)?[^ \t0-9x*])"
_BRACKETS = r"(?<=》)(?=[ \t]*《)"
_OPENED = r"(?<=[^ \t])[ \t]*(?=[(\[「『])"
_AFTER = r"(?<=[0-9])(?=[ \t]*《)"

Place = tuple[int, int]


def several(
    words: Vocabulary,
    reader: Reader,
    line: str,
    shape: str,
    start: int,
    end: int,
    asked: dict[Place, Reading | None],
    *,
    strictly: bool,
) -> list[Reading] | None:
    """The entries of a line that holds more than one, each with a count of its own (or in 《》).

    Strictly, each of them is a known card; else one of them is and the others
    look like entries. None where the line is no such line. `asked` remembers
    what was read from one call about a line to the next.
    """

    def known(first: int, last: int) -> Reading | None:
        place = (first, last)
        if place not in asked:
            found = reader.known(line, shape, first, last) if last - first <= _LONGEST_PART else None
            if found is None or found.trouble is not None or found.twice:
                asked[place] = None
            else:
                counted = found.copies is not None or shape[first] in "《[(「『"
                asked[place] = found if counted else None
        return asked[place]

    def guess(first: int, last: int) -> Reading | None:
        found = None if strictly else reader.guess(line, shape, first, last)
        told = found is not None and found.copies is not None and found.written.strip("xX×✕*")
        return found if told else None

    if not strictly and not any(asked.values()):
        return None
    tried: list[list[Place]] = []
    for pattern, whole in (
        (_LIST, False),
        (words.counts.behind, True),
        (_AFTER, True),
        (_BEFORE, True),
        (_BRACKETS, True),
        (_OPENED, True),
    ):
        places = _places(compiled(pattern), whole, shape, start, end)
        if 2 <= len(places) <= _MOST_PARTS and places not in tried:
            tried.append(places)
            parts = _parts(places, known, guess)
            if parts is not None and len(parts) > 1 and any(part.cards for part in parts):
                return parts
    return None


def _places(pattern: re.Pattern[str], keep: bool, shape: str, start: int, end: int) -> list[Place]:
    """The stretches between the matches; what matched ends a stretch with `keep`, else it is dropped."""
    places: list[Place] = []
    at = start
    for found in pattern.finditer(shape, start, end):
        places.append(trim(shape, at, found.end() if keep else found.start(), _BETWEEN))
        at = found.end()
        if len(places) > _MOST_PARTS:
            break
    places.append(trim(shape, at, end, _BETWEEN))
    return [place for place in places if place[0] < place[1]]


def _parts(
    places: list[Place],
    known: Callable[[int, int], Reading | None],
    guess: Callable[[int, int], Reading | None],
) -> list[Reading] | None:
    # Names hold commas and numbers of their own, so neighbours may belong together.
    parts: list[Reading] = []
    at = 0
    while at < len(places):
        for size in range(min(_JOINED, len(places) - at), 0, -1):
            part = known(places[at][0], places[at + size - 1][1])
            if part is not None:
                break
        else:
            part, size = guess(*places[at]), 1
        if part is None:
            return None
        parts.append(part)
        at += size
    return parts
