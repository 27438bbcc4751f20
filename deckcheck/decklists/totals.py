"""Whether the sums that a list states are those of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from deckcheck.decks import Entry, Remark
from deckcheck.text import Text


class Mark(NamedTuple):
    """A line that may state a sum: its place among the entries, its zone, the sum if it has one."""

    kind: Literal["heading", "label", "total"]
    at: int
    zone: str
    total: int | None
    line: int
    column: int
    written: str


def wrong_totals(entries: Sequence[Entry], marks: Sequence[Mark]) -> Iterator[Remark]:
    """A remark for each stated sum that agrees with no way of adding up the rows it may mean."""
    ends = [mark.at for mark in marks[1:]] + [len(entries)]
    for place, mark in enumerate(marks):
        if mark.total is None:
            continue
        ways = list(_rows(entries, marks, ends, place))
        sums = [(sum(row.copies for row in rows), sum(row.most for row in rows)) for rows in ways]
        if any(low <= mark.total <= high for low, high in sums):
            continue
        if mark.kind == "total" and not mark.written.strip("0123456789０１２３４５６７８９ \t\u3000"):
            yield Remark("invalid-line", _LONE, mark.line, mark.column, mark.zone, mark.written)
            continue
        found = sums[0][0]
        yield Remark(
            "total-mismatch",
            Text(
                f"「{mark.written}」とありますが、数えると{found}枚です",
                f"“{mark.written}” says {mark.total}, the rows add up to {found}",
            ),
            mark.line,
            mark.column,
            mark.zone,
            mark.written,
        )


_LONE = Text(
    "数字だけの行です（カード名も、合う合計もありません）",
    "a number alone, with no card's name and not the sum of the rows",
)


def _rows(
    entries: Sequence[Entry], marks: Sequence[Mark], ends: Sequence[int], place: int
) -> Iterator[Sequence[Entry]]:
    """The rows that a sum may cover, the likeliest first."""
    mark = marks[place]
    section = next((at for at in range(place, -1, -1) if marks[at].kind == "heading"), None)
    start = marks[section].at if section is not None else 0
    later = next((other.at for other in marks[place + 1 :] if other.kind == "heading"), len(entries))
    if mark.kind == "heading":
        rows = entries[mark.at : later]
        yield rows
        yield [row for row in rows if row.zone == mark.zone]
        yield [row for row in entries if row.zone == mark.zone]
        return
    if mark.kind == "label":
        for end, after in zip(ends[place:], [*marks[place + 1 :], None], strict=True):
            yield entries[mark.at : end]
            if after is None or after.kind == "heading":
                return
        return
    yield entries[: mark.at]
    yield entries[start : mark.at]
    yield [row for row in entries[: mark.at] if row.zone == mark.zone]
    yield [row for row in entries[start : mark.at] if row.zone == mark.zone]
    yield entries[marks[place - 1].at if place else 0 : mark.at]
    sums = [other.at for other in marks[:place] if other.kind == "total"]
    yield entries[sums[-1] if sums else 0 : mark.at]
    if mark.at == 0 or mark.at == start:
        # A sum over the rows stands for what follows.
        yield entries
        yield entries[mark.at : later]
        yield entries[mark.at : ends[place]]
        yield [row for row in entries if row.zone == mark.zone]
