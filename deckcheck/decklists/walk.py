"""From classified lines to a Deck: who stands in which zone, and whether the stated sums are right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from deckcheck.decklists.lines import NOT_READ, Seen
from deckcheck.decklists.totals import Mark, wrong_totals
from deckcheck.decks import Deck, Entry, Remark
from deckcheck.text import Text


def walk(
    seen: Iterable[tuple[int, Seen]],
    *,
    path: str,
    notation: str,
    default: str,
    names: Mapping[str, Text],
    lines: Sequence[str],
) -> Deck:
    """The deck that classified lines (with their numbers) make.

    `default` is the zone of what stands under no heading, `names` what people
    call each zone. A card that stands there and lives elsewhere is moved home,
    with a remark; so is told every line that could not be used.
    """
    entries: list[Entry] = []
    remarks: list[Remark] = []
    header: dict[str, str] = {}
    marks: list[Mark] = []
    zone = default
    met: str | None = None
    next_zone: str | None = None
    add, make = entries.append, tuple.__new__
    for number, line in seen:
        # Naming every field is quicker than a slice, and this loop is what a thousand lists cost.
        kind, written, cards, copies, most, column, named, home, _, _, _, _, _, _, _ = line
        if kind == "entry":
            if named is None and next_zone is None and (home is None or zone != default):
                add(make(Entry, (written, cards, copies, most, zone, number, column)))
                continue
            where = named or next_zone or zone
            next_zone = None
            if not line.known:
                remarks.append(_unknown_zone(line, number))
            _place(line, number, where, named is None and where == default, default, names, entries, remarks)
        elif kind == "several":
            moved = False
            for part in line.more:
                if part.kind == "invalid":
                    remarks.append(_unread(part, number, zone if entries else met))
                    continue
                where = part.zone or next_zone or zone
                if not part.known:
                    remarks.append(_unknown_zone(part, number))
                at_home = part.zone is None and where == default
                moved |= _place(part, number, where, at_home, default, names, entries, remarks, quiet=moved)
            next_zone = None
        elif kind == "heading":
            zone = met = named or default
            marks.append(Mark("heading", len(entries), zone, line.total, number, column, written))
            if not line.known:
                remarks.append(_unknown_zone(line, number))
        elif kind in ("label", "total"):
            marks.append(Mark(kind, len(entries), named or zone, line.total, number, column, written))
        elif kind == "header":
            if not entries:
                header.setdefault(line.key, written)
        elif kind == "title":
            header.setdefault("deck", written)
            next_zone = named
        elif kind == "invalid":
            remarks.append(_unread(line, number, zone if entries else met))
    if marks:
        remarks += wrong_totals(entries, marks)
    if len(remarks) > 1:
        remarks.sort(key=lambda remark: (remark.line, remark.column))
    return Deck(path, tuple(entries), tuple(remarks), header, notation, tuple(lines))


def _place(
    line: Seen,
    number: int,
    zone: str,
    may_move: bool,
    default: str,
    names: Mapping[str, Text],
    entries: list[Entry],
    remarks: list[Remark],
    *,
    quiet: bool = False,
) -> bool:
    """Adds the entry, in its home zone if it stands in the default one unasked; says whether it was moved."""
    home = line.home
    moves = may_move and home is not None
    if moves and home is not None:
        if not quiet:
            name = names.get(home, Text(home, home))
            ja = f"「{line.written}」は{name.ja}のカードなので、そこに数えます"
            en = f"{line.written} belongs to the {name.en} and is counted there"
            remarks.append(
                Remark("moved-to-home-zone", Text(ja, en), number, line.column, default, line.written)
            )
        zone = home
    entries.append(Entry(line.written, line.cards, line.copies, line.most, zone, number, line.column))
    return moves


def _unread(line: Seen, number: int, zone: str | None) -> Remark:
    return Remark("invalid-line", line.why or NOT_READ, number, line.column, zone, line.written)


def _unknown_zone(line: Seen, number: int) -> Remark:
    zone = line.zone or line.written
    ja = f"「{zone}」という置き場所はありません"
    en = f"no zone is called “{zone}”"
    return Remark("unknown-zone", Text(ja, en), number, line.column, zone, line.written)
