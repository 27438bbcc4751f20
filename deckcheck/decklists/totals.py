"""The sums that a list states, compared with its rows."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from deckcheck.model.deck import Diagnostic, Entry
from deckcheck.support.messages import _


class SumLine(NamedTuple):
    """A line that may state a sum: the index of the entry after it, its zone, and the sum if it has one."""

    kind: Literal["heading", "label", "total"]
    at: int
    zone: str
    total: int | None
    line: int
    column: int
    written: str


def wrong_totals(entries: Sequence[Entry], sum_lines: Sequence[SumLine]) -> Iterator[Diagnostic]:
    """A diagnostic for each stated sum that matches none of the ranges of entries it may refer to."""
    sums: dict[str | None, _Sums] = {None: _Sums()}
    for at, row in enumerate(entries):
        for zone in (None, row.zone):
            sums.setdefault(zone, _Sums()).add(at, row)
    start = last_total = 0
    # For each line, the end of the entries between it and the next heading.
    ends = [len(entries)]
    for line in reversed(sum_lines):
        ends.append(line.at if line.kind == "heading" else ends[-1])
    ends = ends[-2::-1]
    for place, line in enumerate(sum_lines):
        start = line.at if line.kind == "heading" else start
        likeliest: int | None = None
        above = entries[line.at - 1].zone if line.at else None
        for first, last, zone in _ranges(
            sum_lines, place, start, last_total, ends[place], len(entries), above
        ):
            low, high = sums[zone].between(first, last) if zone in sums else (0, 0)
            likeliest = low if likeliest is None else likeliest
            if low <= (line.total or 0) <= high:
                break
        else:
            if line.total is not None:
                yield _wrong_total(line, line.total, likeliest or 0)
        last_total = line.at if line.kind == "total" else last_total


class _Sums:
    """Running sums of entries, by index."""

    def __init__(self) -> None:
        self._places: list[int] = []
        self._copies, self._most = [0], [0]

    def add(self, at: int, row: Entry) -> None:
        self._places.append(at)
        self._copies.append(self._copies[-1] + row.copies)
        self._most.append(self._most[-1] + row.most)

    def between(self, first: int, last: int) -> tuple[int, int]:
        """The fewest and the most copies of the entries from index `first` to before `last`."""
        start = bisect_left(self._places, first)
        end = max(bisect_left(self._places, last), start)
        return self._copies[end] - self._copies[start], self._most[end] - self._most[start]


def _ranges(
    sum_lines: Sequence[SumLine],
    place: int,
    start: int,
    last_total: int,
    later: int,
    end: int,
    above: str | None,
) -> Iterator[tuple[int, int, str | None]]:
    """The ranges of entries that a line may sum up, likeliest first: first, end, zone (None for all).

    The line is in the section from `start` to before `later`; `above` is the zone of the entry above it.
    """
    line = sum_lines[place]
    at, zone = line.at, line.zone
    if line.total is None:
        return
    if line.kind == "heading":
        yield from ((at, later, None), (at, later, zone), (0, end, zone))
    elif line.kind == "label":
        for other in sum_lines[place + 1 : place + 1 + _MOST_BELOW]:
            if other.at <= later:
                yield at, other.at, None
        yield at, later, None
    else:
        firsts = (0, start, sum_lines[place - 1].at if place else 0, last_total)
        yield from ((first, at, None) for first in firsts)
        yield from ((0, at, zone), (start, at, zone))
        # Cards may name their zone themselves.
        yield from ((first, at, above) for first in (0, start) if above is not None)
        if at in (0, start):
            # A sum above all entries of its section is that of what follows.
            following = sum_lines[place + 1].at if place + 1 < len(sum_lines) else end
            yield from ((0, end, None), (at, later, None), (at, following, None), (0, end, zone))


_LONE = _("a number alone, with no card's name and not the sum of the rows")
_MOST_BELOW = 40
"""The number of following labels that a label's sum may include."""


def _wrong_total(line: SumLine, total: int, found: int) -> Diagnostic:
    if line.kind == "total" and not line.written.strip("0123456789０１２３４５６７８９/／ \t\u3000"):
        return Diagnostic("invalid-line", _LONE, line.line, line.column, line.zone, line.written)
    message = _(
        "“{written}” says {total}, the rows add up to {found}", written=line.written, total=total, found=found
    )
    return Diagnostic("total-mismatch", message, line.line, line.column, line.zone, line.written)
