"""Two or more entries on one line."""

from __future__ import annotations

import re
from collections.abc import Callable

from deckcheck.decklists.reading import Reader, Reading
from deckcheck.decklists.residue import named_in
from deckcheck.decklists.shapes import compiled, trim
from deckcheck.decklists.vocabulary import TWO_ZONES, Vocabulary, ahead, sort_of
from deckcheck.support.messages import _

SEVERAL = _("this may be several cards (write each on a line of its own)")

_MOST_PARTS = 32
_JOINED = 3
_LONGEST_PART = 160
_BETWEEN = " \t、,;/|・&+"
_LIST = r"[、,;/]|  +|[・&+](?=[ \t《])|(?<=[》0-9枚])[ \t]*と[ \t]*(?=《)|\][ \t]*\[|[ \t]*※[ \t]*"
_BEFORE = r"(?:(?<=[ \t》\]、,])|^)(?=[0-9]+(?![0-9]|[ \t]*\*[a-z]\*)[ \t]*(?:[x*][ \t]*)?[^ \t0-9x*])"
_BRACKETS = r"(?<=》)(?=[ \t]*《)"
_OPENED = r"(?<=[^ \t])[ \t]*(?=[(\[「『])"
# A set and the number in it.
_PRINTED = r"\([0-9a-z_]{2,8}\)[ \t]+(?=[^ \t]*[0-9])[0-9a-z★†/#-]{1,12}(?![^ \t])"
_SET_BEFORE = r"\([0-9a-z_]{2,8}\)[ \t]+$"
_AFTER = r"(?<=[0-9])(?=[ \t]*《)"
_QUOTED = r"《[^《》]+》(?:[ \t]*[、,・/&+と]?[ \t]*《[^《》]+》)+"
_JOINTS = (r"[、,;/&+]|  +", r"と|[ \t]and[ \t]|・|[ \t]-[ \t]")

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
    look like entries. None where the line is no such line. A zone's word ahead
    of an entry holds for those behind it, too, up to the next such word. `asked`
    remembers what was read from one call about a line to the next.
    """

    def known(first: int, last: int) -> Reading | None:
        place = (first, last)
        if place not in asked:
            found = reader.known(line, shape, first, last) if last - first <= _LONGEST_PART else None
            if found is None or found.trouble is not None or found.twice:
                asked[place] = None
            else:
                counted = found.copies is not None or shape[first] in "《「『"
                # The number behind a set is no count.
                counted = counted and not compiled(_SET_BEFORE).search(shape, max(start, first - 12), first)
                asked[place] = found if counted else None
        return asked[place]

    def guess(first: int, last: int) -> Reading | None:
        if strictly or compiled(_PRINTED).match(shape, first, last):
            return None
        found = reader.guess(line, shape, first, last)
        if found is None or not found.written.strip("xX×✕*") or sort_of(words, found.written):
            return None
        quoted = shape[first] == "《" and shape[last - 1] == "》"
        return found if quoted or found.copies is not None else None

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
            parts = _parts(words, shape, places, known, guess)
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


def may_be_several(words: Vocabulary, reader: Reader, line: str, shape: str, start: int, end: int) -> bool:
    """Whether a stretch that names no known card is cut into nothing but known ones, or into names that each stand in 《》."""

    def known(first: int, last: int) -> Reading | None:
        found = reader.known(line, shape, first, last) if last - first <= _LONGEST_PART else None
        return found if found is not None and found.trouble is None else None

    said = ahead(words, shape, start, end)
    if compiled(_QUOTED).fullmatch(shape, said.start if said is not None else start, end):
        return True
    for joint in _JOINTS:
        places = _places(compiled(joint), False, shape, start, end)
        if 2 <= len(places) <= _MOST_PARTS:
            parts = _parts(words, shape, places, known, lambda _first, _last: None)
            if parts is not None and len(parts) > 1:
                return True
    return False


def may_go_on(words: Vocabulary, reader: Reader, line: str, shape: str, found: Reading, end: int) -> bool:
    """Whether what reads as a comment behind a card may be a second one, joined as the halves of names are."""
    start = found.start + len(found.written)
    at = trim(shape, start, end, " \t》")[0]
    if not shape.startswith("//", at) or words.fold("/"):
        return False
    second = reader.known(line, shape, at + 2, end)
    if second is None and any(map(str.isdigit, line[at:end])):
        return named_in(line[at + 2 : end], found.cards, reader.name) is not None
    return second is not None and second.trouble is None and second.cards != found.cards


def _parts(
    words: Vocabulary,
    shape: str,
    places: list[Place],
    known: Callable[[int, int], Reading | None],
    guess: Callable[[int, int], Reading | None],
) -> list[Reading] | None:
    parts: list[Reading] = []
    zone: str | None = None
    at = 0
    while at < len(places):
        start = places[at][0]
        said = ahead(words, shape, start, places[at][1]) or (
            ahead(words, shape, start, places[-1][1]) if at == 0 else None
        )
        if said is not None:
            zone, start = said
        if start >= places[at][1]:
            # The word stands alone before the first card.
            at += 1
            continue
        # Names hold commas and numbers of their own, so neighbours may belong together.
        for size in range(min(_JOINED, len(places) - at), 0, -1):
            part = known(start, places[at + size - 1][1])
            if part is not None:
                break
        else:
            part, size = guess(start, places[at][1]), 1
        if part is None:
            return None
        parts.append(_in_zone(part, zone))
        at += size
    # Whether a word without a colon is meant for the first card alone, nobody knows.
    loose = len(parts) > 1 and parts[0].loose and parts[0].zone is not None
    return None if loose and any(part.zone is None for part in parts) else parts


def _in_zone(part: Reading, zone: str | None) -> Reading:
    if zone is None or part.zone == zone:
        return part
    return part._replace(zone=zone) if part.zone is None else part._replace(trouble=TWO_ZONES)
