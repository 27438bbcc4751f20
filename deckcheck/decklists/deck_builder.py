"""Builds a Deck from lines as read: where zones begin and end, the zone of each card, what has to be said, stated sums."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.lexer import compiled
from deckcheck.decklists.lines import (
    NOT_READ,
    Blank,
    CardLine,
    Comment,
    HeaderLine,
    Heading,
    Item,
    Label,
    Line,
    Numbered,
    Title,
    Told,
    Total,
    items_of,
    no_such_zone,
    told,
)
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import FindingId
from deckcheck.support.messages import Localized, Words, _, n_, shortened


def build_deck(
    numbered: Iterable[Numbered],
    *,
    path: str,
    notation: str,
    default: str,
    names: Mapping[str, Words],
    aside: Collection[str],
    lines: Sequence[str],
    suggest: Callable[[str], Sequence[str | Localized]] = lambda _text: (),
    names_card: Callable[[str], bool] = lambda _text: False,
) -> Deck:
    """The deck of lines as read, given with their numbers.

    `default` is the zone of cards under no heading, `names` are the display names of the zones, `suggest` gives card names
    similar to a text, `names_card` says whether it has a card's name. Cards in zones `aside` aren't in the deck; one
    diagnostic per zone says so. A card in the default zone whose home is elsewhere moves there, with one diagnostic per
    home. Every line that isn't read has a diagnostic.
    """
    build = _Builder(default, frozenset(aside), names_card)
    for number, line in numbered:
        build.add(number, line)
    diagnostics = build.diagnostics
    if build.remarks:
        diagnostics.append(_remarks(build.remarks))
    if build.sum_lines:
        diagnostics += _wrong_totals(build.entries, build.sum_lines)
    diagnostics += [_moved(home, cards, names, default) for home, cards in build.moved.items()]
    held = dict.fromkeys(entry.zone for entry in build.entries)
    diagnostics += [_not_in_deck(zone, build.entries) for zone in held if zone in aside]
    if diagnostics:
        diagnostics = _with_names(sorted(diagnostics, key=_place), suggest)
    return Deck(path, tuple(build.entries), tuple(diagnostics), build.header, notation, tuple(lines))


class _Builder:
    """A deck under construction: the entries so far, the zone of the next, and what has to be said."""

    def __init__(self, default: str, aside: frozenset[str], names_card: Callable[[str], bool]) -> None:
        self._default, self._aside, self._names_card = default, aside, names_card
        self._zone = default
        self._last_heading: str | None = None
        self._next_zone: str | None = None
        self._is_headed = False
        """Whether a heading of the default zone stood above."""
        self.entries: list[Entry] = []
        self.diagnostics: list[Diagnostic] = []
        self.header: dict[str, str] = {}
        self.sum_lines: list[_SumLine] = []
        self.moved: dict[str, list[Entry]] = {}
        self.remarks: list[tuple[int, Comment]] = []

    def add(self, number: int, line: Line) -> None:
        """Add a line."""
        match line:
            case CardLine():
                for item in line.items:
                    self._add_card(item, number)
                self._next_zone = None
            case Heading():
                if line.written and line.zone == self._default and self._is_headed:
                    self._tell_another_list(line.written, _ANOTHER_LIST, number, line.column)
                self._is_headed = self._is_headed or (line.zone == self._default and bool(line.written))
                self._zone = self._last_heading = line.zone
                self._sum("heading", line.zone, line, number)
                if not line.is_known:
                    self.diagnostics.append(
                        _unknown_zone(line.zone, number, line.column, line.written, heads=True)
                    )
            case Label():
                self._add_label(line, number)
            case Total():
                self._sum("total" if line.zone is None else "zone", line.zone or self._zone, line, number)
            case HeaderLine():
                self._add_header(line, number)
            case Title():
                self.header.setdefault("deck", line.written)
                self._next_zone = line.zone
                if line.why is not None:
                    self.diagnostics.append(
                        Diagnostic(FindingId.NAME_AS_TITLE, line.why, number, line.column, None, line.written)
                    )
            case Comment(remark=True):
                self.remarks.append((number, line))
            case Told():
                self._tell(line.written, line.why, number, line.column, heads=line.may_head)

    def _tell(self, written: str, why: Words, number: int, column: int, *, heads: bool = False) -> None:
        place = self._zone if self.entries else self._last_heading
        heads = heads and place is not None
        self.diagnostics.append(
            Diagnostic(
                FindingId.INVALID_LINE, why, number, column, place, written, heads, self._names_card(written)
            )
        )

    def _tell_another_list(self, written: str, why: Words, number: int, column: int) -> None:
        """Tells a line below which another list may begin, whatever zone its cards are in."""
        self.diagnostics.append(
            Diagnostic(FindingId.INVALID_LINE, why, number, column, None, written, may_head=True)
        )

    def _sum(
        self,
        kind: Literal["heading", "label", "total", "zone"],
        zone: str,
        line: Heading | Label | Total,
        number: int,
    ) -> None:
        self.sum_lines.append(
            _SumLine(kind, len(self.entries), zone, line.total, number, line.column, line.written)
        )

    def _add_card(self, item: Item, number: int) -> None:
        where = item.zone or self._next_zone or self._zone
        if not item.is_zone_known and item.zone is not None and item.zone not in self._aside:
            self.diagnostics.append(_unknown_zone(item.zone, number, item.column, item.written))
        # Nobody put a card into the default zone on purpose, so it may move home.
        home = item.home if item.zone is None and where == self._default else None
        entry = Entry(item.written, item.cards, item.copies, home or where, number, item.column)
        self.entries.append(entry)
        if home is not None:
            self.moved.setdefault(home, []).append(entry)

    def _add_label(self, line: Label, number: int) -> None:
        entries = self.entries
        if line.zone is None and self._zone in self._aside and entries and entries[-1].zone == self._zone:
            self.diagnostics.append(_open_end(line, number, self._zone))
        self._zone = line.zone or self._zone
        if line.written:
            self._sum("label", self._zone, line, number)

    def _add_header(self, line: HeaderLine, number: int) -> None:
        if line.why is not None:
            self._tell(line.value, line.why, number, line.column)
        elif not self.entries and line.key in self.header and line.key != "deck":
            if self.header[line.key] != line.value:
                self._tell(line.value, _TWICE, number, line.column)
        elif not self.entries:
            self.header.setdefault(line.key, line.value)
        elif self.header.get(line.key) != line.value:
            self._tell_another_list(line.value, _LATE, number, line.column)


def _remarks(remarks: Sequence[tuple[int, Comment]]) -> Diagnostic:
    number, line = remarks[0]
    message = n_("not read as a card: {n} line of text", "not read as cards: {n} lines of text", len(remarks))
    return Diagnostic(FindingId.REMARKS, message, number, line.column, None, line.written)


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
    return Diagnostic(FindingId.MOVED_TO_HOME_ZONE, message, first.line, first.column, default, first.written)


def _not_in_deck(zone: str, entries: Sequence[Entry]) -> Diagnostic:
    own = [entry for entry in entries if entry.zone == zone]
    message = n_(
        "not counted, since cards under “{zone}” aren't in the deck: {n} card",
        "not counted, since cards under “{zone}” aren't in the deck: {n} cards",
        sum(entry.copies for entry in own),
        zone=zone,
    )
    return Diagnostic(FindingId.NOT_IN_DECK, message, own[0].line, own[0].column, zone, own[0].written)


def _open_end(line: Label, number: int, zone: str) -> Diagnostic:
    message = _(
        "the cards below may be in “{zone}” or in the deck (put the heading of their zone here)", zone=zone
    )
    return Diagnostic(FindingId.UNKNOWN_ZONE, message, number, line.column, None, line.written)


_LATE = _("headers belong at the top (are these two lists pasted into one?)")
_TWICE = _("this header is given above with another value")
_ANOTHER_LIST = _("this heading already appears above (are these two lists pasted into one?)")
_WITHOUT_NAME = (NOT_READ,)
_MOST_SUGGESTIONS = 3


def _with_names(
    diagnostics: Sequence[Diagnostic], suggest: Callable[[str], Sequence[str | Localized]]
) -> list[Diagnostic]:
    """The diagnostics; the first few of lines without a card name get a suggestion."""
    suggested: list[Diagnostic] = []
    remaining = _MOST_SUGGESTIONS
    for diagnostic in diagnostics:
        if remaining and diagnostic.id == FindingId.INVALID_LINE and diagnostic.message in _WITHOUT_NAME:
            remaining -= 1
            for name in suggest(diagnostic.written)[:1]:
                message = _("{message}; did you mean {name}?", message=diagnostic.message, name=name)
                diagnostic = replace(diagnostic, message=message)
        suggested.append(diagnostic)
    return suggested


def _unknown_zone(zone: str, number: int, column: int, written: str, *, heads: bool = False) -> Diagnostic:
    return Diagnostic(FindingId.UNKNOWN_ZONE, no_such_zone(zone), number, column, zone, written, heads)


# The sums that a list states, compared with its rows.


class _SumLine(Struct, frozen=True):
    """A line that may state a sum: the index of the entry after it, its zone, and the sum if it has one."""

    kind: Literal["heading", "label", "total", "zone"]
    """A "total" is that of all cards or of those above, a "zone" that of a zone which it names."""
    at: int
    zone: str
    total: int | None
    line: int
    column: int
    written: str


def _wrong_totals(entries: Sequence[Entry], sum_lines: Sequence[_SumLine]) -> Iterator[Diagnostic]:
    """A diagnostic for each stated sum that matches none of the ranges of entries it may refer to."""
    sums: dict[str | None, _Sums] = {None: _Sums()}
    for index, row in enumerate(entries):
        for zone in (None, row.zone):
            sums.setdefault(zone, _Sums()).add(index, row)
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
            copies = sums[zone].between(first, last) if zone in sums else 0
            likeliest = copies if likeliest is None else likeliest
            if copies == line.total:
                break
        else:
            if line.total is not None:
                yield _wrong_total(line, line.total, likeliest or 0)
        last_total = line.at if line.kind in ("total", "zone") else last_total


class _Sums:
    """Running sums of entries, by index."""

    def __init__(self) -> None:
        self._places: list[int] = []
        self._copies = [0]

    def add(self, index: int, row: Entry) -> None:
        self._places.append(index)
        self._copies.append(self._copies[-1] + row.copies)

    def between(self, first: int, last: int) -> int:
        """The copies of the entries from index `first` to before `last`."""
        start = bisect_left(self._places, first)
        end = max(bisect_left(self._places, last), start)
        return self._copies[end] - self._copies[start]


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
    index, zone = line.at, line.zone
    if line.total is None:
        return
    if line.kind == "heading":
        yield from ((index, later, None), (index, later, zone), (0, end, zone))
    elif line.kind == "label":
        for other in sum_lines[place + 1 : place + 1 + _MOST_BELOW]:
            if other.at <= later:
                yield index, other.at, None
        yield index, later, None
    elif line.kind == "zone":
        yield from ((0, end, zone), (0, index, zone), (start, index, zone), (index, later, zone))
    else:
        firsts = (0, start, sum_lines[place - 1].at if place else 0, last_total)
        yield from ((first, index, None) for first in firsts)
        yield from ((0, index, zone), (start, index, zone))
        # Cards may name their zone themselves.
        yield from ((first, index, above) for first in (0, start) if above is not None)
        if index in (0, start):
            # A sum above all entries of its section is that of what follows.
            following = sum_lines[place + 1].at if place + 1 < len(sum_lines) else end
            yield from ((0, end, None), (index, later, None), (index, following, None), (0, end, zone))


_LONE = _("a number alone, with no card's name and not the sum of the rows")
_MARKED_SUM = r"[x×X✕*][ \u3000]?[0-9０-９]"
_SMALL_FIRST = r"[\s|]*[0-9](?![0-9])"
_MOST_BELOW = 40
"""The number of following labels that a label's sum may include."""


def _wrong_total(line: _SumLine, total: int, counted: int) -> Diagnostic:
    bare = line.written.strip("0123456789０１２３４５６７８９/／ \t\u3000")
    if line.kind in ("total", "zone") and not bare:
        return Diagnostic(FindingId.INVALID_LINE, _LONE, line.line, line.column, line.zone, line.written)
    message = _(
        "“{written}” says {total}, the rows add up to {found}",
        written=line.written,
        total=total,
        found=counted,
    )
    # What looks like a count may be that of a card, and a heading without cards may belong to those above.
    begins_with_count = compiled(_SMALL_FIRST).match(line.written) is not None
    may_be_card = begins_with_count or compiled(_MARKED_SUM).search(line.written) is not None
    may_be_below = line.kind == "heading" and counted == 0 and line.at > 0
    sort = FindingId.INVALID_LINE if may_be_card or may_be_below else FindingId.TOTAL_MISMATCH
    return Diagnostic(sort, message, line.line, line.column, line.zone, line.written)


# Zones that begin and end with lines: at an empty line, below a sum, or at a label.

_MAY_BEGIN_FIRST = _(
    "this may still belong to the zone above, or begin the main part, which has no cards (put a heading here)"
)


def copies_of(line: Line) -> int:
    """The copies of all cards on a line."""
    return sum(item.copies for item in items_of(line))


def with_side(words: Vocabulary, lines: Sequence[Numbered], side: str | None) -> list[Numbered]:
    """The lines with the first empty one between cards as the heading of `side`, unless a line names a zone."""
    cards = [index for index, (_number, line) in enumerate(lines) if items_of(line)]
    named = any(
        isinstance(line, Heading) or any(item.zone not in (None, *words.aside) for item in items_of(line))
        for _number, line in lines
    )
    if not cards or named or side is None:
        return list(lines)
    gap = next((index for index in range(cards[0], cards[-1]) if isinstance(lines[index][1], Blank)), None)
    if gap is None:
        return list(lines)
    return [*lines[:gap], (lines[gap][0], Heading("", side)), *lines[gap + 1 :]]


def with_zones(words: Vocabulary, lines: Sequence[Numbered]) -> list[Numbered]:
    """The lines, where one that ends a zone and resumes the default zone says so.

    Such zones end once there are as many cards as their heading states, or at a label. If the default zone would have
    no cards, an empty line or else a comment below those cards ends them.
    """
    if not any(isinstance(line, Heading) and line.zone in words.ends_at_label for _number, line in lines):
        return _with_doubt(words, list(lines))
    commented = any(
        isinstance(line, Label) and line.written.startswith(("#", "//")) for _number, line in lines
    )
    # In a list whose labels are written as comments, every comment may be one.
    first = _ended(words, lines, *((Label, Comment) if commented else (Label,)))
    if first.fills_first:
        return first.lines
    for kind in (Blank, Comment):
        ended = _ended(words, lines, kind)
        if ended.fills_first:
            return ended.lines
    return _with_doubt(words, first.lines)


class _Ended(Struct, frozen=True):
    lines: list[Numbered]
    fills_first: bool
    """Whether the default zone has cards."""


def _ended(words: Vocabulary, lines: Sequence[Numbered], *kinds: type[Label | Blank | Comment]) -> _Ended:
    """The lines with zones ended at lines of these kinds."""
    default, result = words.default, list[Numbered]()
    begins = [
        index for index, (_n, line) in enumerate(lines) if isinstance(line, Heading) and line.zone == default
    ]
    last = begins[-1] if begins else -1
    zone, copies, total, fills_first = default, 0, None, False
    for index, (number, line) in enumerate(lines):
        if isinstance(line, Heading):
            zone, copies, total = line.zone, 0, line.total
        elif zone in words.ends_at_label and index > last:
            is_full = total is not None and copies >= total and bool(items_of(line))
            is_end = isinstance(line, kinds) and copies >= (total or 1)
            if is_full:
                result.append((number, Label("", zone=default)))
                zone = default
            elif is_end:
                line = replace(line, zone=default) if isinstance(line, Label) else line
                zone = default
                if not isinstance(line, Label):
                    result.append((number, line))
                    line = Label("", zone=default)
        copies += copies_of(line)
        fills_first = fills_first or any((item.zone or zone) == default for item in items_of(line))
        result.append((number, line))
    return _Ended(result, fills_first)


def _with_doubt(words: Vocabulary, lines: list[Numbered]) -> list[Numbered]:
    """The lines of a list without cards in the default zone, with a label told that may begin it."""
    zone, has_cards = words.default, False
    for _number, line in lines:
        zone = line.zone if isinstance(line, Heading) else zone
        if any((item.zone or zone) == words.default for item in items_of(line)):
            return lines
    zone = words.default
    for index, (number, line) in enumerate(lines):
        if isinstance(line, Heading):
            zone, has_cards = line.zone, line.total is not None
        elif items_of(line):
            has_cards = True
        elif (
            isinstance(line, Label) and has_cards and line.written and words.default != zone in words.zone_ids
        ):
            return [
                *lines[:index],
                (number, told(line.written, _MAY_BEGIN_FIRST, line.column)),
                *lines[index + 1 :],
            ]
    return lines
