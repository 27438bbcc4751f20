"""Zones that only the whole list tells: headings with their sums below the cards, and zones that end where others go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckcheck.decklists.build import build_deck
from deckcheck.decklists.line import Kind, Line
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.support.messages import _

_NAMING = ("heading", "label")
_SUMMING = (*_NAMING, "total")
_CARDS = ("entry", "several")
_MAY_BEGIN_FIRST = _(
    "this may still belong to the zone above, or begin the main part, which has no cards (put a heading here)"
)
_NOWHERE = 0
"""The number of a line that isn't in the list."""

Numbered = tuple[int, Line]


class _Block(NamedTuple):
    """The rows between a line with a sum, at `place`, and the one before it; the zone that the line names.

    `whole` says that the line names a zone and sums up all rows since the previous such line.
    """

    rows: Sequence[int]
    place: int
    zone: str | None
    whole: bool


def headed_below(words: Vocabulary, lines: Sequence[Line]) -> list[Line] | None:
    """The same lines, of a kind in line.CLEAR, where each heading stands below its cards; None for other lists.

    Each entry names its zone then, and each line with a sum is a label that
    says nothing; what was changed has the line as it was as its `more`. A list
    is only read so where all its headings and labels state sums, each of them
    is exactly that of rows above it, and headings above their rows would
    contradict these.
    """
    blocks = _blocks(words, lines) if _may_be(words, lines) and not _zones_above(lines) else None
    if blocks is None or not _contradicts(words, lines):
        return None
    found = list(lines)
    for block in blocks:
        line = found[block.place]
        found[block.place] = Line("label", line.written, column=line.column, more=(line,))
        for at in block.rows:
            found[at] = _in_zone(words, found[at], block.zone or words.default)
    return found


def headed_above(words: Vocabulary, lines: Iterable[Numbered]) -> list[Numbered]:
    """The numbered lines of `headed_below` with each heading as it was, but above its cards."""
    found: list[Numbered] = []
    # Since the last heading of a zone, and since the last line with a sum.
    section: list[Numbered] = []
    block: list[Numbered] = []
    since = 0
    for number, line in lines:
        if line.kind != "label" or not line.more:
            block.append((number, line))
            continue
        was = line.more[0]
        since += sum(_copies(row) for _, row in block)
        if was.zone is None:
            sums_up = was.kind == "total"
            section += [*block, (number, was)] if sums_up else _under((number, was), block, [])
        else:
            if was.total != since:
                found += _first_zone(words, found, section)
                section = []
            heading = (number, was) if was.kind == "heading" else (_NOWHERE, Line("heading", zone=was.zone))
            found += _under(heading, block, section)
            found += [(number, was)] if was.kind == "total" else []
            section, since = [], 0
        block = []
    return [*found, *_first_zone(words, found, section), *block]


def _under(heading: Numbered, block: list[Numbered], section: list[Numbered]) -> list[Numbered]:
    """A heading over its own rows and those under labels; what stands above all of these stays there."""
    top = section or block
    first = next((at for at, (_, line) in enumerate(top) if line.kind in (*_CARDS, *_SUMMING)), 0)
    own = block if section else []
    return [*top[:first], heading, *own, *top[first:]]


def _first_zone(words: Vocabulary, above: list[Numbered], section: list[Numbered]) -> list[Numbered]:
    """The rows of labels that no zone's heading sums up, under a heading where one stands above them."""
    return [(_NOWHERE, Line("heading", zone=words.default)), *section] if above and section else section


def _parts(line: Line) -> tuple[Line, ...]:
    return line.more if line.kind == "several" else (line,) if line.kind == "entry" else ()


def _copies(line: Line) -> int:
    return sum(part.copies for part in _parts(line))


def _may_be(words: Vocabulary, lines: Sequence[Line]) -> bool:
    """Whether cards come first and a heading last, and nothing is in doubt."""
    first = next((line for line in lines if line.kind in _CARDS or line.kind in _SUMMING), None)
    if first is None or first.kind not in _CARDS:
        return False
    last = next(line for line in reversed(lines) if line.kind in _CARDS or line.kind in _NAMING)
    if last.kind in _CARDS:
        return False
    known = (None, *words.zone_ids)
    for line in lines:
        if line.kind == "invalid" or (line.kind == "title" and line.zone is not None):
            return False
        if any(part.kind != "entry" or part.copies != part.most for part in _parts(line)):
            return False
        if line.kind in _SUMMING and line.zone not in known:
            return False
    return True


def _zones_above(lines: Sequence[Line]) -> bool:
    """Whether the headings of zones alone would be right above their cards, with labels below: a second way to read."""
    sums: list[tuple[int | None, int]] = []
    for line in lines:
        if line.kind == "heading":
            sums.append((line.total, 0))
        elif sums:
            sums[-1] = sums[-1][0], sums[-1][1] + _copies(line)
    return any(found for _, found in sums) and all(total == found for total, found in sums)


def _blocks(words: Vocabulary, lines: Sequence[Line]) -> list[_Block] | None:
    """All blocks with their zones; None where a sum isn't that of its rows or a zone isn't certain."""
    blocks: list[_Block] = []
    rows: list[int] = []
    own = since = 0
    for at, line in enumerate(lines):
        if line.kind in _CARDS:
            rows.append(at)
            own += _copies(line)
        elif line.kind in _SUMMING:
            since += own
            if line.total != own and (line.kind == "label" or line.total != since):
                return None
            blocks.append(_Block(rows, at, line.zone, line.total == since))
            rows, own = [], 0
            since = 0 if line.zone is not None else since
    zoned = _zoned(blocks)
    stated = {block.zone for block in blocks}
    for block in zoned:
        # Where the first zone has a sum of its own, cards that are in no zone's aren't in this one either.
        if block.rows and block.zone is None and words.default in stated:
            return None
        parts = [part for at in block.rows for part in _parts(lines[at])]
        # Cards that name another zone, or go home from the first one, aren't in the zone whose sum has them.
        others = {part.zone or (part.home if block.zone == words.default else None) for part in parts}
        if block.zone is not None and not others <= {None, block.zone}:
            return None
    return zoned


def _zoned(blocks: Sequence[_Block]) -> list[_Block]:
    """The blocks of labels, too, with the zone of the next heading below that names one, if it sums them up."""
    zoned: list[_Block] = []
    zone = None
    for block in reversed(blocks):
        if block.zone is not None:
            zone = block.zone if block.whole else None
        zoned.append(block if block.zone is not None else block._replace(zone=zone))
    return zoned[::-1]


def _contradicts(words: Vocabulary, lines: Sequence[Line]) -> bool:
    """Whether a sum is wrong where headings stand above their cards."""
    found = enumerate(ended(words, lines), 1)
    deck = build_deck(
        found, path="", notation="", default=words.default, names={}, lines=(), near=lambda _text: []
    )
    return any(diagnostic.id == "total-mismatch" for diagnostic in deck.diagnostics)


def _in_zone(words: Vocabulary, line: Line, zone: str) -> Line:
    if line.kind == "several":
        return line._replace(more=tuple(_in_zone(words, part, zone) for part in line.more))
    # What lives elsewhere is moved there from the first zone, unless somebody names that one for it.
    moves = zone == words.default and line.home is not None
    return line if moves or line.zone is not None else line._replace(zone=zone)


def ended(words: Vocabulary, lines: Sequence[Line]) -> list[Line]:
    """The same lines; a label with which the first zone begins anew names it as its `zone`.

    That is a label below the cards of a zone that ends at one, once there are as
    many of them as its heading says. Where another heading begins the first zone
    further below, the labels above it end nothing. Where no card would stand in
    the first zone, an empty line below those cards is its heading.
    """
    at_labels, fills_first = _ended(words, lines, "label")
    if fills_first:
        return at_labels
    at_gaps, fills_first = _ended(words, lines, "blank")
    return at_gaps if fills_first else _with_doubt(words, at_labels)


def _with_doubt(words: Vocabulary, lines: list[Line]) -> list[Line]:
    """The same lines, of which none is a card of the first zone; a label that may begin it, unread.

    That is the first one in a zone that has cards above all of its labels.
    """
    zone, above = words.default, "heading"
    for at, line in enumerate(lines):
        if line.kind == "heading":
            # A sum says how far the zone goes.
            zone, above = line.zone or words.default, "heading" if line.total is None else "label"
        elif line.kind in _CARDS and above == "heading":
            above = "card"
        elif line.kind == "label" and above == "card" and words.default != zone in words.zone_ids:
            unread = line._replace(kind="invalid", why=_MAY_BEGIN_FIRST)
            return [*lines[:at], unread, *lines[at + 1 :]]
        elif line.kind == "label":
            above = "label"
    return lines


def _ended(words: Vocabulary, lines: Sequence[Line], end: Kind) -> tuple[list[Line], bool]:
    """The lines with the zones that end at a label or an empty line, and whether any card stands in the first one."""
    first, found = words.default, list(lines)
    begins = [at for at, line in enumerate(found) if line.kind == "heading" and line.zone in (None, first)]
    last = begins[-1] if begins else -1
    zone, copies, total, fills_first = first, 0, None, False
    for at, line in enumerate(found):
        if line.kind == "heading":
            zone, copies, total = line.zone or first, 0, line.total
        elif line.kind in _CARDS:
            copies += _copies(line)
            fills_first = fills_first or (line.zone or zone) == first
        elif line.kind != end or zone not in words.ending or at < last:
            continue
        elif copies >= (1 if total is None else total):
            found[at] = line._replace(kind="heading" if end == "blank" else end, zone=first)
            zone = first
    return found, fills_first
