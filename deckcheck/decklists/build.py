"""Builds a Deck from classified lines: the zone of each card, and what has to be said about the lines."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from deckcheck.decklists.line import NO_TITLE, NOT_READ, REMARK, ZONE_WITHOUT_CARD, Line, no_such_zone
from deckcheck.decklists.totals import SumLine, wrong_totals
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
    sum_lines: list[SumLine] = []
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
            for part in line.more if kind == "several" else (line,):
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
            sum_lines.append(SumLine("heading", len(entries), zone, line.total, number, column, written))
            if not line.known and zone not in aside:
                diagnostics.append(_unknown_zone(line, number))
        elif kind in ("label", "total"):
            if kind == "label":
                if named is None and zone in aside and entries and entries[-1].zone == zone:
                    diagnostics.append(_open_end(line, number, zone))
                zone = named or zone
            sum_lines.append(SumLine(kind, len(entries), named or zone, line.total, number, column, written))
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
        diagnostics.append(Diagnostic(REMARKS, _remark(remarks), number, line.column, None, line.written))
    if sum_lines:
        diagnostics += wrong_totals(entries, sum_lines)
    if moved:
        diagnostics += [_moved(home, cards, names, default) for home, cards in moved.items()]
    diagnostics += [
        _not_in_deck(zone, entries)
        for zone in dict.fromkeys(entry.zone for entry in entries)
        if zone in outside
    ]
    if diagnostics:
        diagnostics = _with_names(
            sorted(diagnostics, key=lambda diagnostic: (diagnostic.line, diagnostic.column)), suggest
        )
    return Deck(path, tuple(entries), tuple(diagnostics), header, notation, tuple(lines))


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


def _remark(remarks: Sequence[tuple[int, Line]]) -> Words:
    return n_(
        "not read as a card: {n} line of text",
        "not read as cards: {n} lines of text",
        len(remarks),
    )


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
