"""Builds a Deck from classified lines: the zone of each card, what has to be said about the lines, and stated sums."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.decklists.line import NO_TITLE, NOT_READ, REMARK, ZONE_WITHOUT_CARD, Line, no_such_zone
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import ASIDE, MOVED, REMARKS, TITLE, UNKNOWN_ZONE
from deckcheck.support.messages import Localized, Words, _, n_, shortened


def build_deck(
    numbered: Iterable[tuple[int, Line]],
    *,
    path: str,
    notation: str,
    default: str,
    names: Mapping[str, Words],
    aside: Collection[str],
    lines: Sequence[str],
    suggest: Callable[[str], Sequence[str | Localized]] = lambda _text: (),
    may_head: Callable[[Line], bool] = lambda _line: False,
) -> Deck:
    """The deck of classified lines, given with their numbers.

    `default` is the zone of cards under no heading, `names` are the display names of the zones, `suggest`
    gives card names similar to a text, `may_head` says whether an unusable line may be the heading of the cards below.
    Cards in zones `aside` aren't in the deck; one diagnostic per zone says so. A card in the default zone whose home is
    elsewhere moves there, with one diagnostic per home. Every unusable line also gets a diagnostic.
    """
    entries: list[Entry] = []
    diagnostics: list[Diagnostic] = []
    header: dict[str, str] = {}
    sum_lines: list[_SumLine] = []
    zone = default
    last_heading: str | None = None
    next_zone: str | None = None
    outside = set(aside)
    moved: dict[str, list[Entry]] = {}
    remarks: list[tuple[int, Line]] = []
    add, make = entries.append, tuple.__new__

    def unread(line: Line, number: int) -> None:
        place = zone if entries else last_heading
        why, heads = line.why or NOT_READ, place is not None and may_head(line)
        diagnostics.append(Diagnostic("invalid-line", why, number, line.column, place, line.written, heads))

    for number, line in numbered:
        # This loop is hot, and unpacking every field is faster than slicing.
        kind, written, cards, copies, most, column, named, home, _, _, _, _, _, _, _ = line
        if kind == "entry" and named is None and next_zone is None and (home is None or zone != default):
            add(make(Entry, (written, cards, copies, most, zone, number, column)))
        elif kind in ("entry", "several"):
            for part in line.parts:
                if part.kind == "invalid":
                    unread(part, number)
                    continue
                where = part.zone or next_zone or zone
                if part.key == ASIDE:
                    outside.add(where)
                elif not part.known and part.zone not in aside:
                    diagnostics.append(_unknown_zone(part, number))
                # Nobody put a card into the default zone on purpose, so it may move home.
                home = part.home if part.zone is None and where == default else None
                entry = Entry(
                    part.written, part.cards, part.copies, part.most, home or where, number, part.column
                )
                add(entry)
                if home is not None:
                    moved.setdefault(home, []).append(entry)
            next_zone = None
        elif kind == "heading":
            zone = last_heading = named or default
            sum_lines.append(_SumLine("heading", len(entries), zone, line.total, number, column, written))
            if not line.known and zone not in aside:
                diagnostics.append(_unknown_zone(line, number))
        elif kind in ("label", "total"):
            if kind == "label":
                if named is None and zone in aside and entries and entries[-1].zone == zone:
                    diagnostics.append(_open_end(line, number, zone))
                zone = named or zone
            sum_lines.append(_SumLine(kind, len(entries), named or zone, line.total, number, column, written))
        elif kind == "comment":
            zone = named or zone
        elif kind == "header":
            if not entries and line.why is None:
                header.setdefault(line.key, written)
            elif not entries or (line.why is None and header.get(line.key) != written):
                unread(line._replace(why=line.why or _LATE), number)
        elif kind == "title":
            header.setdefault("deck", written)
            next_zone = named
            if line.why is not None:
                diagnostics.append(Diagnostic(TITLE, line.why, number, line.column, None, written))
        elif kind == "furniture" and line.key == REMARK:
            remarks.append((number, line))
        elif kind == "invalid":
            unread(line, number)
    if remarks:
        number, line = remarks[0]
        message = n_(
            "not read as a card: {n} line of text", "not read as cards: {n} lines of text", len(remarks)
        )
        diagnostics.append(Diagnostic(REMARKS, message, number, line.column, None, line.written))
    if sum_lines:
        diagnostics += _wrong_totals(entries, sum_lines)
    if moved:
        diagnostics += [_moved(home, cards, names, default) for home, cards in moved.items()]
    diagnostics += [
        _not_in_deck(zone, entries)
        for zone in dict.fromkeys(entry.zone for entry in entries)
        if zone in outside
    ]
    if diagnostics:
        diagnostics = _with_names(sorted(diagnostics, key=_place), suggest)
    return Deck(path, tuple(entries), tuple(diagnostics), header, notation, tuple(lines))


def with_diagnostic(deck: Deck, diagnostic: Diagnostic) -> Deck:
    """The deck with one more diagnostic, in the order of lines."""
    return deck._replace(diagnostics=tuple(sorted((*deck.diagnostics, diagnostic), key=_place)))


def _place(diagnostic: Diagnostic) -> tuple[int, int]:
    return diagnostic.line, diagnostic.column


_MOST_NAMED = 4


def _moved(home: str, cards: Sequence[Entry], names: Mapping[str, Words], default: str) -> Diagnostic:
    copies: dict[str, int] = {}
    for entry in cards:
        name = entry.name
        copies[name] = copies.get(name, 0) + entry.copies
    rows = [_("{count} x {name}", count=count, name=name) for name, count in copies.items()]
    message = _(
        "counted in “{zone}”, where they belong: {cards}",
        zone=names.get(home, Localized(home, home)),
        cards=shortened(rows, _MOST_NAMED),
    )
    first = cards[0]
    return Diagnostic(MOVED, message, first.line, first.column, default, first.written)


def _not_in_deck(zone: str, entries: Sequence[Entry]) -> Diagnostic:
    own = [entry for entry in entries if entry.zone == zone]
    message = n_(
        "not counted, since cards under “{zone}” aren't in the deck: {n} card",
        "not counted, since cards under “{zone}” aren't in the deck: {n} cards",
        sum(entry.copies for entry in own),
        zone=zone,
    )
    return Diagnostic(ASIDE, message, own[0].line, own[0].column, zone, own[0].written)


def _open_end(line: Line, number: int, zone: str) -> Diagnostic:
    message = _(
        "the cards below may be in “{zone}” or in the deck (put the heading of their zone here)", zone=zone
    )
    return Diagnostic(UNKNOWN_ZONE, message, number, line.column, None, line.written)


_LATE = _("headers belong at the top (are these two lists pasted into one?)")
_WITHOUT_NAME = (NOT_READ, ZONE_WITHOUT_CARD, NO_TITLE)
_MOST_SUGGESTIONS = 3


def _with_names(
    diagnostics: Sequence[Diagnostic], suggest: Callable[[str], Sequence[str | Localized]]
) -> list[Diagnostic]:
    """The diagnostics; the first few of lines without a card name get a suggestion."""
    suggested: list[Diagnostic] = []
    remaining = _MOST_SUGGESTIONS
    for diagnostic in diagnostics:
        if remaining and diagnostic.id == "invalid-line" and diagnostic.message in _WITHOUT_NAME:
            remaining -= 1
            for name in suggest(diagnostic.written)[:1]:
                message = _("{message}; did you mean {name}?", message=diagnostic.message, name=name)
                diagnostic = diagnostic._replace(message=message)
        suggested.append(diagnostic)
    return suggested


def _unknown_zone(line: Line, number: int) -> Diagnostic:
    zone = line.zone or line.written
    why = line.why or no_such_zone(zone)
    heads = line.kind == "heading" and line.why is None
    return Diagnostic("unknown-zone", why, number, line.column, zone, line.written, heads)


# The sums that a list states, compared with its rows.


class _SumLine(NamedTuple):
    """A line that may state a sum: the index of the entry after it, its zone, and the sum if it has one."""

    kind: Literal["heading", "label", "total"]
    at: int
    zone: str
    total: int | None
    line: int
    column: int
    written: str


def _wrong_totals(entries: Sequence[Entry], sum_lines: Sequence[_SumLine]) -> Iterator[Diagnostic]:
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
    sum_lines: Sequence[_SumLine],
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


def _wrong_total(line: _SumLine, total: int, found: int) -> Diagnostic:
    if line.kind == "total" and not line.written.strip("0123456789０１２３４５６７８９/／ \t\u3000"):
        return Diagnostic("invalid-line", _LONE, line.line, line.column, line.zone, line.written)
    message = _(
        "“{written}” says {total}, the rows add up to {found}", written=line.written, total=total, found=found
    )
    return Diagnostic("total-mismatch", message, line.line, line.column, line.zone, line.written)
