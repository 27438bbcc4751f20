"""From classified lines to a Deck: who stands in which zone, and whether the stated sums are right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from deckcheck.decklists.seen import MARKED, NO_TITLE, NOT_READ, Seen
from deckcheck.decklists.totals import Mark, wrong_totals
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import MOVED
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.text import Text


def walk(
    seen: Iterable[tuple[int, Seen]],
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
    for number, line in seen:
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
    line: Seen,
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
    message = Text(
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


def _unread(line: Seen, number: int, zone: str | None) -> Diagnostic:
    return Diagnostic("invalid-line", line.why or NOT_READ, number, line.column, zone, line.written)


def _unknown_zone(line: Seen, number: int) -> Diagnostic:
    zone = line.zone or line.written
    return Diagnostic(
        "unknown-zone", _("no zone is called “{zone}”", zone=zone), number, line.column, zone, line.written
    )
