"""From classified lines to a Deck: who stands in which zone, and whether the stated sums are right."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.decklists.line import MARKED, NO_TITLE, NOT_READ, Line
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import MOVED, TITLE
from deckcheck.support.messages import Localized, Words, _, shortened


def build_deck(
    numbered: Iterable[tuple[int, Line]],
    *,
    path: str,
    notation: str,
    default: str,
    names: Mapping[str, Words],
    lines: Sequence[str],
    near: Callable[[str], list[str]],
) -> Deck:
    """The deck that classified lines (with their numbers) make.

    `default` is the zone of what stands under no heading, `names` what people
    call each zone, `near` gives the names that are like a text. A card that
    stands there and lives elsewhere is moved home, with a remark for each home;
    so is told every line that could not be used.
    """
    entries: list[Entry] = []
    diagnostics: list[Diagnostic] = []
    header: dict[str, str] = {}
    marks: list[Mark] = []
    zone = default
    met: str | None = None
    next_zone: str | None = None
    moved: dict[str, list[Entry]] = {}
    add, make = entries.append, tuple.__new__
    for number, line in numbered:
        # Naming every field is quicker than a slice, and this loop is what a thousand lists cost.
        kind, written, cards, copies, most, column, named, home, _, _, _, _, _, _, _ = line
        if kind == "entry" and named is None and next_zone is None and (home is None or zone != default):
            add(make(Entry, (written, cards, copies, most, zone, number, column)))
        elif kind in ("entry", "several"):
            for part in line.more if kind == "several" else (line,):
                if part.kind == "invalid":
                    diagnostics.append(_unread(part, number, zone if entries else met))
                    continue
                where = part.zone or next_zone or zone
                if not part.known:
                    diagnostics.append(_unknown_zone(part, number))
                # In the first zone a card stands unasked, so it may go home.
                home = part.home if part.zone is None and where == default else None
                entry = Entry(
                    part.written, part.cards, part.copies, part.most, home or where, number, part.column
                )
                add(entry)
                if home is not None:
                    moved.setdefault(home, []).append(entry)
            next_zone = None
        elif kind == "heading":
            zone = met = named or default
            marks.append(Mark("heading", len(entries), zone, line.total, number, column, written))
            if not line.known:
                diagnostics.append(_unknown_zone(line, number))
        elif kind in ("label", "total"):
            if kind == "label":
                zone = named or zone
            marks.append(Mark(kind, len(entries), named or zone, line.total, number, column, written))
        elif kind == "header":
            if not entries and line.why is None:
                header.setdefault(line.key, written)
            elif not entries or (line.why is None and header.get(line.key) != written):
                why = line._replace(why=line.why or _LATE)
                diagnostics.append(_unread(why, number, zone if entries else met))
        elif kind == "title":
            header.setdefault("deck", written)
            next_zone = named
            if line.why is not None:
                diagnostics.append(Diagnostic(TITLE, line.why, number, line.column, None, written))
        elif kind == "invalid":
            diagnostics.append(_unread(line, number, zone if entries else met))
    if marks:
        diagnostics += wrong_totals(entries, marks)
    if moved:
        diagnostics += [_moved(home, cards, names, default) for home, cards in moved.items()]
    if diagnostics:
        diagnostics = _with_names(
            sorted(diagnostics, key=lambda diagnostic: (diagnostic.line, diagnostic.column)), near
        )
    return Deck(path, tuple(entries), tuple(diagnostics), header, notation, tuple(lines))


_MOST_NAMED = 4


def _moved(home: str, cards: Sequence[Entry], names: Mapping[str, Words], default: str) -> Diagnostic:
    copies: dict[str, int] = {}
    for entry in cards:
        name = entry.cards[0].name if len(entry.cards) == 1 else entry.written
        copies[name] = copies.get(name, 0) + entry.copies
    rows = [_("{count} x {name}", count=count, name=name) for name, count in copies.items()]
    message = _(
        "counted in “{zone}”, where they belong: {cards}",
        zone=names.get(home, Localized(home, home)),
        cards=shortened(rows, _MOST_NAMED),
    )
    first = cards[0]
    return Diagnostic(MOVED, message, first.line, first.column, default, first.written)


_LATE = _("headers belong at the top (are these two lists pasted into one?)")
_NAMELESS = (NOT_READ, MARKED, NO_TITLE)
_MOST_ASKED = 3


def _with_names(diagnostics: Sequence[Diagnostic], near: Callable[[str], list[str]]) -> list[Diagnostic]:
    """The remarks; the first few lines on which no name was found end with the name that they are like."""
    found: list[Diagnostic] = []
    left = _MOST_ASKED
    for diagnostic in diagnostics:
        if left and diagnostic.id == "invalid-line" and diagnostic.message in _NAMELESS:
            left -= 1
            for name in near(diagnostic.written)[:1]:
                message = _("{message}; did you mean {name}?", message=diagnostic.message, name=name)
                diagnostic = diagnostic._replace(message=message)
        found.append(diagnostic)
    return found


def _unread(line: Line, number: int, zone: str | None) -> Diagnostic:
    return Diagnostic("invalid-line", line.why or NOT_READ, number, line.column, zone, line.written)


def _unknown_zone(line: Line, number: int) -> Diagnostic:
    zone = line.zone or line.written
    why = line.why or _("no zone is called “{zone}”", zone=zone)
    return Diagnostic("unknown-zone", why, number, line.column, zone, line.written)


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
    sums: dict[str | None, _Sums] = {None: _Sums()}
    for at, row in enumerate(entries):
        for zone in (None, row.zone):
            sums.setdefault(zone, _Sums()).add(at, row)
    start = last_total = 0
    # Where the rows end that stand under each line and above the next heading.
    ends = [len(entries)]
    for mark in reversed(marks):
        ends.append(mark.at if mark.kind == "heading" else ends[-1])
    ends = ends[-2::-1]
    for place, mark in enumerate(marks):
        start = mark.at if mark.kind == "heading" else start
        found: int | None = None
        for first, last, zone in _ranges(marks, place, start, last_total, ends[place], len(entries)):
            low, high = sums[zone].between(first, last) if zone in sums else (0, 0)
            found = low if found is None else found
            if low <= (mark.total or 0) <= high:
                break
        else:
            if mark.total is not None:
                yield _wrong_total(mark, mark.total, found or 0)
        last_total = mark.at if mark.kind == "total" else last_total


class _Sums:
    """The sums of some rows from the first to each, by their places."""

    def __init__(self) -> None:
        self._places: list[int] = []
        self._copies, self._most = [0], [0]

    def add(self, at: int, row: Entry) -> None:
        self._places.append(at)
        self._copies.append(self._copies[-1] + row.copies)
        self._most.append(self._most[-1] + row.most)

    def between(self, first: int, last: int) -> tuple[int, int]:
        """The least and the most copies of the rows from one place to before another."""
        start = bisect_left(self._places, first)
        end = max(bisect_left(self._places, last), start)
        return self._copies[end] - self._copies[start], self._most[end] - self._most[start]


def _ranges(
    marks: Sequence[Mark], place: int, start: int, last_total: int, later: int, end: int
) -> Iterator[tuple[int, int, str | None]]:
    """The rows that a line may sum up, the likeliest first: from where to where, and of which zone alone, if of one.

    The line stands in the section that begins at `start`; the next one begins at `later`.
    """
    mark = marks[place]
    at, zone = mark.at, mark.zone
    if mark.total is None:
        return
    if mark.kind == "heading":
        yield from ((at, later, None), (at, later, zone), (0, end, zone))
    elif mark.kind == "label":
        for other in marks[place + 1 : place + 1 + _MOST_BELOW]:
            if other.at <= later:
                yield at, other.at, None
        yield at, later, None
    else:
        above = (0, start, marks[place - 1].at if place else 0, last_total)
        yield from ((first, at, None) for first in above)
        yield from ((0, at, zone), (start, at, zone))
        if at in (0, start):
            # A sum over the rows stands for what follows.
            following = marks[place + 1].at if place + 1 < len(marks) else end
            yield from ((0, end, None), (at, later, None), (at, following, None), (0, end, zone))


_LONE = _("a number alone, with no card's name and not the sum of the rows")
_MOST_BELOW = 40
"""How many labels further a label's sum may reach."""


def _wrong_total(mark: Mark, total: int, found: int) -> Diagnostic:
    if mark.kind == "total" and not mark.written.strip("0123456789０１２３４５６７８９/／ \t\u3000"):
        return Diagnostic("invalid-line", _LONE, mark.line, mark.column, mark.zone, mark.written)
    said = _(
        "“{written}” says {total}, the rows add up to {found}", written=mark.written, total=total, found=found
    )
    return Diagnostic("total-mismatch", said, mark.line, mark.column, mark.zone, mark.written)
