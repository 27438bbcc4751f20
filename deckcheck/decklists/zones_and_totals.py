"""Builds a Deck from lines as read: where zones begin and end, the zone of each card, what has to be said, stated sums."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import compiled, shape_of
from deckcheck.decklists.header_directives_comments import TWICE
from deckcheck.decklists.lines import (
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
    Why,
    items_of,
    no_such_zone,
)
from deckcheck.decklists.vocabulary import (
    ASIDE,
    Vocabulary,
    contains_zone_word,
    misspelt_zone,
    names_several_zones,
)
from deckcheck.model.card import name_beside
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import FindingId
from deckcheck.support.messages import Localized, Words, _, n_, shortened

if TYPE_CHECKING:
    from deckcheck.decklists.line_reader import LineReader


def build_deck(
    words: Vocabulary,
    numbered: Iterable[Numbered],
    *,
    line_reader: Callable[[], "LineReader"],
    path: str,
    notation: str,
    names: Mapping[str, Words],
    lines: Sequence[str],
) -> Deck:
    """The deck of lines as read, given with their numbers; `names` are the display names of the zones.

    The `line_reader` is only asked for if a line isn't read.

    Cards in zones aside aren't in the deck; one diagnostic per zone says so. A card in the default zone whose home is
    elsewhere moves there, with one diagnostic per home. Every line that isn't read has a diagnostic.
    """
    build = _Builder(words, line_reader)
    for number, line in numbered:
        build.add(number, line)
    diagnostics = build.diagnostics
    if build.remarks:
        diagnostics.append(_remarks(build.remarks))
    if any(line.source.total is not None for line in build.sum_lines):
        diagnostics += _StatedSums(build.entries, build.sum_lines).wrong()
    diagnostics += [_moved(home, cards, names, words.default) for home, cards in build.moved.items()]
    held = dict.fromkeys(entry.zone for entry in build.entries)
    diagnostics += [_not_in_deck(zone, build.entries) for zone in held if zone in words.aside]
    if words.default not in held and not words.aside.isdisjoint(held):
        diagnostics += _below_gap_aside(words, build.entries, lines)
    if diagnostics:
        diagnostics = _with_names(sorted(diagnostics, key=lambda item: (item.line, item.column)), line_reader)
    return Deck(path, tuple(build.entries), tuple(diagnostics), build.header, notation, tuple(lines))


class _Builder:
    """A deck under construction: the entries so far, the zone of the next, and what has to be said."""

    def __init__(self, words: Vocabulary, line_reader: Callable[[], "LineReader"]) -> None:
        self._line_reader = line_reader
        self._words, self._default, self._aside = words, words.default, words.aside
        self._zone = self._default
        self._last_heading: str | None = None
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
            case Heading():
                if line.written and line.zone == self._default and self._is_headed:
                    self.diagnostics.append(doubt_below(_ANOTHER_LIST, number, line.column, line.written))
                self._is_headed = self._is_headed or (line.zone == self._default and bool(line.written))
                self._zone = self._last_heading = line.zone
                self.sum_lines.append(_SumLine(len(self.entries), line.zone, line, number))
                if not line.is_known:
                    self._say(FindingId.UNKNOWN_ZONE, self._why_unknown(line.zone), number, line, line.zone)
            case Label():
                self._add_label(line, number)
            case Total():
                self.sum_lines.append(_SumLine(len(self.entries), line.zone or self._zone, line, number))
            case HeaderLine():
                self._add_header(line, number)
            case Title():
                self.header.setdefault("deck", line.written)
                if line.why is not None:
                    self._say(FindingId.NAME_AS_TITLE, line.why, number, line)
            case Comment(remark=True):
                self.remarks.append((number, line))
            case Told():
                self._tell(line.written, line.why, number, line.column, heads=line.may_head)

    def _say(
        self,
        id: str,
        message: Words,
        number: int,
        line: Heading | Label | Title | Item,
        zone: str | None = None,
    ) -> None:
        heads = isinstance(line, Heading)
        self.diagnostics.append(Diagnostic(id, message, number, line.column, zone, line.written, heads))

    def _why_unknown(self, heading: str) -> Words:
        """Why the cards under a heading may be anywhere."""
        if names_several_zones(self._words, shape_of(heading)):
            return Why.TWO_ZONES
        message, nearest = no_such_zone(heading), misspelt_zone(self._words, heading)
        return message if nearest is None else _DID_YOU_MEAN.filled(message=message, name=nearest)

    def _tell(self, written: str, why: Words, number: int, column: int, *, heads: bool = False) -> None:
        place = self._zone if self.entries else self._last_heading
        names_card = bool(self._line_reader().row(written).names)
        if place in self._aside:
            # Below it the deck may go on.
            heads = heads or not names_card or contains_zone_word(self._words, shape_of(written))
        heads = heads and place is not None
        self.diagnostics.append(
            Diagnostic(FindingId.INVALID_LINE, why, number, column, place, written, heads, names_card)
        )

    def _add_card(self, item: Item, number: int) -> None:
        where = item.zone or self._zone
        if self._is_other_side(item, number):
            self._tell(item.written, _OTHER_SIDE, number, item.column)
            return
        if (
            where in self._aside
            and not item.cards
            and contains_zone_word(self._words, shape_of(item.written))
        ):
            self._tell(item.written, Why.NOT_READ, number, item.column, heads=True)
        if not item.is_zone_known and item.zone is not None and item.zone not in self._aside:
            self._say(FindingId.UNKNOWN_ZONE, no_such_zone(item.zone), number, item, item.zone)
        # Nobody put a card into the default zone on purpose, so it may move home.
        home = item.home if item.zone is None and where == self._default else None
        entry = Entry(item.written, item.cards, item.copies, home or where, number, item.column)
        self.entries.append(entry)
        if home is not None:
            self.moved.setdefault(home, []).append(entry)

    def _is_other_side(self, item: Item, number: int) -> bool:
        """Whether the line above has another side of the same card."""
        above = self.entries[-1] if self.entries else None
        if above is None or above.cards != item.cards or above.line != number - 1 or len(item.cards) != 1:
            return False
        card, fold = item.cards[0], self._words.fold
        sides = {fold(side.name) for side in (*card.faces, *card.parts)}
        return len(sides & {fold(above.written), fold(item.written)}) > 1

    def _add_label(self, line: Label, number: int) -> None:
        entries = self.entries
        if line.zone is None and self._zone in self._aside and entries and entries[-1].zone == self._zone:
            message = _(
                "the cards below may be in “{zone}” or in the deck (put the heading of their zone here)",
                zone=self._zone,
            )
            self._say(FindingId.INVALID_LINE, message, number, line)
        self._zone = line.zone or self._zone
        if line.written:
            self.sum_lines.append(_SumLine(len(entries), self._zone, line, number))

    def _add_header(self, line: HeaderLine, number: int) -> None:
        if line.why is not None:
            self._tell(line.value, line.why, number, line.column)
        elif not self.entries and line.key in self.header and line.key != "deck":
            if self.header[line.key] != line.value:
                self._tell(line.value, TWICE, number, line.column)
        elif not self.entries:
            self.header.setdefault(line.key, line.value)
        elif self.header.get(line.key) != line.value:
            self.diagnostics.append(doubt_below(_LATE, number, line.column, line.value))


def doubt_below(why: Words, line: int, column: int, written: str) -> Diagnostic:
    """What is told of a text below which another list may begin, whatever zone its cards are in."""
    return Diagnostic(FindingId.INVALID_LINE, why, line, column, None, written, may_head=True)


def _below_gap_aside(words: Vocabulary, entries: Sequence[Entry], lines: Sequence[str]) -> list[Diagnostic]:
    """What is told of the first card below an empty line among cards that aren't in the deck: the deck may begin there."""
    for above, entry in pairwise(entries):
        gap = lines[above.line : entry.line - 1]
        if entry.zone == above.zone in words.aside and gap and not any(map(str.strip, gap)):
            return [doubt_below(Why.MAY_BEGIN_FIRST, entry.line, entry.column, entry.written)]
    return []


def _remarks(remarks: Sequence[tuple[int, Comment]]) -> Diagnostic:
    number, line = remarks[0]
    message = n_("not read as a card: {n} line of text", "not read as cards: {n} lines of text", len(remarks))
    return Diagnostic(FindingId.REMARKS, message, number, line.column, None, line.written)


_MOST_NAMED = 4


def _moved(home: str, cards: Sequence[Entry], names: Mapping[str, Words], default: str) -> Diagnostic:
    copies: Counter[str] = Counter()
    for entry in cards:
        copies[entry.written] += entry.copies
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
    copies = sum(entry.copies for entry in own)
    message = n_(
        "not counted, since cards under “{zone}” aren't in the deck: {n} card",
        "not counted, since cards under “{zone}” aren't in the deck: {n} cards",
        copies,
        zone=zone,
    )
    if zone == ASIDE:
        message = n_(
            "not counted, since the list says that it isn't in the deck: {n} card",
            "not counted, since the list says that they aren't in the deck: {n} cards",
            copies,
        )
    return Diagnostic(FindingId.NOT_IN_DECK, message, own[0].line, own[0].column, zone, own[0].written)


_OTHER_SIDE = _("this is the other side of the card above, which may be meant only once (use one name)")
_LATE = _("headers belong at the top (are these two lists pasted into one?)")
_ANOTHER_LIST = _("this heading already appears above (are these two lists pasted into one?)")
_DID_YOU_MEAN = _("{message}; did you mean {name}?")
_MOST_SUGGESTIONS = 3


def _with_names(
    diagnostics: Sequence[Diagnostic], line_reader: Callable[[], "LineReader"]
) -> list[Diagnostic]:
    """The diagnostics; the first few of lines without a card name get a suggestion."""
    suggested: list[Diagnostic] = []
    remaining = _MOST_SUGGESTIONS
    for diagnostic in diagnostics:
        if remaining and diagnostic.id == FindingId.INVALID_LINE and diagnostic.message == Why.NOT_READ:
            remaining -= 1
            reader = line_reader()
            for suggestion in reader.suggest(diagnostic.written)[:1]:
                name = name_beside(reader.catalog, suggestion, diagnostic.written)
                message = _DID_YOU_MEAN.filled(message=diagnostic.message, name=name)
                diagnostic = replace(diagnostic, message=message)
        suggested.append(diagnostic)
    return suggested


# The sums that a list states, compared with its rows.


class _SumLine(Struct, frozen=True):
    """A line that may state a sum, with its number, the index of the entry after it, and its zone."""

    index: int
    zone: str
    source: Heading | Label | Total
    number: int


_Span = tuple[int, int, str | None]
"""The entries from one index to before another, of a zone or of all (None)."""


class _StatedSums:
    """The sums that the lines of a list state, compared with its entries."""

    def __init__(self, entries: Sequence[Entry], lines: Sequence[_SumLine]) -> None:
        self._entries, self._lines = entries, lines
        self._running: dict[str | None, list[int]] = {}

    def wrong(self) -> Iterator[Diagnostic]:
        """A diagnostic for each sum that is that of none of the spans to which it may refer."""
        # For each line, the end of the entries between it and the next heading.
        ends = [len(self._entries)]
        for line in reversed(self._lines):
            ends.append(line.index if isinstance(line.source, Heading) else ends[-1])
        start = last_total = 0
        for place, (line, end) in enumerate(zip(self._lines, ends[-2::-1], strict=True)):
            start = line.index if isinstance(line.source, Heading) else start
            if line.source.total is not None:
                spans = self._spans(place, start, end, last_total)
                sums = [self._copies(*span) for span in spans]
                if line.source.total not in sums:
                    yield _wrong_total(line, line.source.total, sums[0])
            last_total = line.index if isinstance(line.source, Total) else last_total

    def _copies(self, first: int, end: int, zone: str | None) -> int:
        if zone not in self._running:
            copies = (entry.copies if zone in (None, entry.zone) else 0 for entry in self._entries)
            self._running[zone] = [0, *accumulate(copies)]
        return self._running[zone][max(first, end)] - self._running[zone][first]

    def _spans(self, place: int, start: int, end: int, last_total: int) -> list[_Span]:
        """The spans that a line may sum up, likeliest first; `start` and `end` are those of its section."""
        line, everything = self._lines[place], len(self._entries)
        index, zone = line.index, line.zone
        rest, whole_zone = (index, end, None), (0, everything, zone)
        in_zone_above, in_zone_below = [(0, index, zone), (start, index, zone)], (index, end, zone)
        match line.source:
            case Heading():
                return [rest, in_zone_below, whole_zone]
            case Label():
                others = (other.index for other in self._lines[place + 1 : place + 1 + _MOST_BELOW])
                return [*((index, other, None) for other in others if other <= end), rest]
            case Total(zone=None):
                before = self._lines[place - 1].index if place else 0
                spans: list[_Span] = [(first, index, None) for first in (0, start, before, last_total)]
                spans += in_zone_above
                if index in (0, start):
                    # A sum above all entries of its section is that of what follows.
                    following = self._lines[place + 1].index if place + 1 < len(self._lines) else everything
                    spans = [rest, (0, everything, None), (index, following, None), whole_zone, *spans]
                # Cards may name their zone themselves.
                own_zone = self._entries[index - 1].zone if index else zone
                return [*spans, (0, index, own_zone), (start, index, own_zone)]
        return [whole_zone, *in_zone_above, in_zone_below]


_LONE = _("a number alone, with no card's name and not the sum of the rows")
_MARKED_SUM = r"[x×X✕*][ \u3000]?[0-9０-９]"
_SMALL_FIRST = r"[\s|]*[0-9](?![0-9])"
_MOST_BELOW = 40
"""The number of following labels that a label's sum may include."""


def _wrong_total(line: _SumLine, total: int, counted: int) -> Diagnostic:
    written, column = line.source.written, line.source.column
    bare = written.strip("0123456789０１２３４５６７８９/／ \t\u3000")
    if isinstance(line.source, Total) and not bare:
        return Diagnostic(FindingId.INVALID_LINE, _LONE, line.number, column, line.zone, written)
    message = _(
        "“{written}” says {total}, the rows add up to {found}",
        written=written,
        total=total,
        found=counted,
    )
    # What looks like a count may be that of a card, and a heading without cards, or with cards and the sum 0, to those above.
    begins_with_count = compiled(_SMALL_FIRST).match(written) is not None
    may_be_card = begins_with_count or compiled(_MARKED_SUM).search(written) is not None
    may_be_elsewhere = isinstance(line.source, Heading | Total) and 0 in (counted, total)
    may_be_elsewhere = may_be_elsewhere and (line.index > 0 or total == 0)
    sort = FindingId.INVALID_LINE if may_be_card or may_be_elsewhere else FindingId.TOTAL_MISMATCH
    return Diagnostic(sort, message, line.number, column, line.zone, written, may_head=total == 0)


# Zones that begin and end with lines: at an empty line, below a sum, or at a label.


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
    if all(line.zone == words.default for _number, line in lines if isinstance(line, Heading)):
        return list(lines)
    commented = any(
        isinstance(line, Label) and line.written.startswith(("#", "//")) for _number, line in lines
    )
    # In a list whose labels are written as comments, every comment may be one.
    first = _ended(words, lines, (Label, Comment) if commented else (Label,))
    if _fills_default(words, first):
        return first
    others = (_ended(words, lines, (kind,)) for kind in (Blank, Comment))
    ended = next((other for other in others if _fills_default(words, other)), None)
    return first if ended is None else ended


def _fills_default(words: Vocabulary, lines: Sequence[Numbered]) -> bool:
    """Whether the default zone has cards."""
    zone = words.default
    for _number, line in lines:
        if isinstance(line, Heading | Label):
            zone = line.zone or zone
        if any((item.zone or zone) == words.default for item in items_of(line)):
            return True
    return False


def _ended(
    words: Vocabulary, lines: Sequence[Numbered], kinds: tuple[type[Label | Blank | Comment], ...]
) -> list[Numbered]:
    """The lines with zones ended at lines of these kinds."""
    default, result = words.default, list[Numbered]()
    headings = [
        (index, line.zone) for index, (_number, line) in enumerate(lines) if isinstance(line, Heading)
    ]
    last = max((index for index, zone in headings if zone == default), default=-1)
    if not any(index > last and zone in words.ends_at_label for index, zone in headings):
        return list(lines)
    zone, copies, total = default, 0, None
    for index, (number, line) in enumerate(lines):
        if isinstance(line, Heading):
            zone, copies, total = line.zone, 0, line.total
        elif zone in words.ends_at_label and index > last:
            is_full = total is not None and copies >= total and bool(items_of(line))
            if is_full or (isinstance(line, kinds) and copies >= (total or 1)):
                zone = default
                if isinstance(line, Label):
                    line = replace(line, zone=default)
                else:
                    result.append((number, Label("", zone=default)))
        copies += sum(item.copies for item in items_of(line))
        result.append((number, line))
    return result
