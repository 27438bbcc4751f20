"""Whether the sums that a list states are those of its rows."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from deckcheck.model.deck import Diagnostic, Entry
from deckcheck.support.messages import _


class Mark(NamedTuple):
    """A line that may state a sum: its place among the entries, its zone, the sum if it has one."""

    kind: Literal["heading", "label", "total"]
    at: int
    zone: str
    total: int | None
    line: int
    column: int
    written: str


def wrong_totals(entries: Sequence[Entry], marks: Sequence[Mark]) -> Iterator[Diagnostic]:
    """A remark for each stated sum that agrees with no way of adding up the rows it may mean."""
    rows = _Rows.of(entries)
    for place, mark in enumerate(marks):
        if mark.total is None:
            continue
        found: int | None = None
        for low, high in _sums(rows, marks, place):
            found = low if found is None else found
            if low <= mark.total <= high:
                break
        else:
            yield _remark(mark, found or 0)


_LONE = _("a number alone, with no card's name and not the sum of the rows")


def _remark(mark: Mark, found: int) -> Diagnostic:
    if mark.kind == "total" and not mark.written.strip("0123456789０１２３４５６７８９/／ \t\u3000"):
        return Diagnostic("invalid-line", _LONE, mark.line, mark.column, mark.zone, mark.written)
    said = _(
        "“{written}” says {total}, the rows add up to {found}",
        written=mark.written,
        total=mark.total,
        found=found,
    )
    return Diagnostic("total-mismatch", said, mark.line, mark.column, mark.zone, mark.written)


Sum = tuple[int, int]
_MOST_BELOW = 40
"""How many labels further a label's sum may reach."""


class _Rows(NamedTuple):
    """The rows, and their sums from the first row to each."""

    entries: Sequence[Entry]
    copies: Sequence[int]
    most: Sequence[int]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "_Rows":
        return cls(
            entries,
            list(accumulate((row.copies for row in entries), initial=0)),
            list(accumulate((row.most for row in entries), initial=0)),
        )

    def sum(self, first: int, last: int) -> Sum:
        return self.copies[last] - self.copies[first], self.most[last] - self.most[first]

    def sum_in(self, zone: str, first: int, last: int) -> Sum:
        rows = [row for row in self.entries[first:last] if row.zone == zone]
        return sum(row.copies for row in rows), sum(row.most for row in rows)


def _sums(rows: _Rows, marks: Sequence[Mark], place: int) -> Iterator[Sum]:
    """The sums that a line may state, the likeliest first."""
    mark, end = marks[place], len(rows.entries)
    section = next((at for at in range(place, -1, -1) if marks[at].kind == "heading"), None)
    start = marks[section].at if section is not None else 0
    later = next((other.at for other in marks[place + 1 :] if other.kind == "heading"), end)
    if mark.kind == "heading":
        yield rows.sum(mark.at, later)
        yield rows.sum_in(mark.zone, mark.at, later)
        yield rows.sum_in(mark.zone, 0, end)
        return
    if mark.kind == "label":
        for other in marks[place + 1 : place + 1 + _MOST_BELOW]:
            if other.at <= later:
                yield rows.sum(mark.at, other.at)
        yield rows.sum(mark.at, later)
        return
    yield rows.sum(0, mark.at)
    yield rows.sum(start, mark.at)
    yield rows.sum(marks[place - 1].at if place else 0, mark.at)
    sums = [other.at for other in marks[:place] if other.kind == "total"]
    yield rows.sum(sums[-1] if sums else 0, mark.at)
    yield rows.sum_in(mark.zone, 0, mark.at)
    yield rows.sum_in(mark.zone, start, mark.at)
    if mark.at in (0, start):
        # A sum over the rows stands for what follows.
        yield rows.sum(0, end)
        yield rows.sum(mark.at, later)
        yield rows.sum(mark.at, marks[place + 1].at if place + 1 < len(marks) else end)
        yield rows.sum_in(mark.zone, 0, end)
