"""From classified lines to a Deck: who stands in which zone, and whether the stated sums are right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from deckcheck.decklists.line import MARKED, NO_TITLE, NOT_READ, Line
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import MOVED
from deckcheck.support.messages import Localized, Words, _


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
        (
            kind,
            written,
            cards,
            copies,
            most,
            column,
            named,
            home,
            _,
            _,
            _,
            _,
            _,
            _,
            _,
        ) = line
        if kind == "entry":
            if named is None and next_zone is None and (home is None or zone != default):
                add(make(Entry, (written, cards, copies, most, zone, number, column)))
                continue
            where = named or next_zone or zone
            next_zone = None
            if not line.known:
                diagnostics.append(_unknown_zone(line, number))
            _place(line, number, where, named is None and where == default, entries, moved)
        elif kind == "several":
            for part in line.more:
                if part.kind == "invalid":
                    diagnostics.append(_unread(part, number, zone if entries else met))
                    continue
                where = part.zone or next_zone or zone
                if not part.known:
                    diagnostics.append(_unknown_zone(part, number))
                _place(part, number, where, part.zone is None and where == default, entries, moved)
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
                why = line.why or _LATE
                diagnostics.append(
                    Diagnostic("invalid-line", why, number, column, zone if entries else met, written)
                )
        elif kind == "title":
            header.setdefault("deck", written)
            next_zone = named
        elif kind == "invalid":
            diagnostics.append(_unread(line, number, zone if entries else met))
    if marks:
        diagnostics += wrong_totals(entries, marks)
    if moved:
        diagnostics += [_moved(home, cards, names, default) for home, cards in moved.items()]
    if diagnostics:
        diagnostics = _with_names(diagnostics, near)
    if len(diagnostics) > 1:
        diagnostics.sort(key=lambda diagnostic: (diagnostic.line, diagnostic.column))
    return Deck(path, tuple(entries), tuple(diagnostics), header, notation, tuple(lines))


def _place(
    line: Line,
    number: int,
    zone: str,
    may_move: bool,
    entries: list[Entry],
    moved: dict[str, list[Entry]],
) -> None:
    """Adds the entry, in its home zone if it stands in the default one unasked."""
    home = line.home if may_move else None
    entry = Entry(line.written, line.cards, line.copies, line.most, home or zone, number, line.column)
    entries.append(entry)
    if home is not None:
        moved.setdefault(home, []).append(entry)


_MOST_NAMED = 4


def _moved(home: str, cards: Sequence[Entry], names: Mapping[str, Words], default: str) -> Diagnostic:
    copies: dict[str, int] = {}
    for entry in cards:
        name = entry.cards[0].name if len(entry.cards) == 1 else entry.written
        copies[name] = copies.get(name, 0) + entry.copies
    shown, more = list(copies.items())[:_MOST_NAMED], len(copies) - _MOST_NAMED
    zone = names.get(home, Localized(home, home))
    message = Localized(
        "、".join(f"「{name}」{count}枚" for name, count in shown) + (f"ほか{more}種類" if more > 0 else ""),
        ", ".join(f"{count} x {name}" for name, count in shown) + (f" and {more} more" if more > 0 else ""),
    )
    said = _("counted in “{zone}”, where they belong: {message}", zone=zone, message=message)
    first = cards[0]
    return Diagnostic(MOVED, said, first.line, first.column, default, first.written)


_LATE = _("headers belong at the top (are these two lists pasted into one?)")
_NAMELESS = (NOT_READ, MARKED, NO_TITLE)
_MOST_ASKED = 3


def _with_names(diagnostics: Sequence[Diagnostic], near: Callable[[str], list[str]]) -> list[Diagnostic]:
    """The remarks; the first few lines on which no name was found end with the name that they are like."""
    found: list[Diagnostic] = []
    asked = 0
    for diagnostic in diagnostics:
        if diagnostic.id == "invalid-line" and diagnostic.message in _NAMELESS and asked < _MOST_ASKED:
            asked += 1
            names = near(diagnostic.written)[:1]
            if names:
                diagnostic = diagnostic._replace(
                    message=_("{message}; did you mean {name}?", message=diagnostic.message, name=names[0])
                )
        found.append(diagnostic)
    return found


def _unread(line: Line, number: int, zone: str | None) -> Diagnostic:
    return Diagnostic("invalid-line", line.why or NOT_READ, number, line.column, zone, line.written)


def _unknown_zone(line: Line, number: int) -> Diagnostic:
    zone = line.zone or line.written
    return Diagnostic(
        "unknown-zone", _("no zone is called “{zone}”", zone=zone), number, line.column, zone, line.written
    )


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
    def of(cls, entries: Sequence[Entry]) -> _Rows:
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
