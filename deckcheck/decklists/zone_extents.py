"""Zones that depend on the whole list: headings with sums below their cards, zones that end at a label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckcheck.decklists.build import build_deck
from deckcheck.decklists.line import CARDS, KNOWN, NO_CARD, NO_TITLE, NOT_READ, SPAN, Kind, Line
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.support.messages import _

_NAMING = ("heading", "label")
_SUMMING = (*_NAMING, "total")
_MAY_BEGIN_FIRST = _(
    "this may still belong to the zone above, or begin the main part, which has no cards (put a heading here)"
)
_NO_CARD = (NOT_READ, NO_TITLE, NO_CARD, SPAN)
"""The problems of text around a list."""
_NOWHERE = 0
"""The line number of a heading that isn't in the list."""

Numbered = tuple[int, Line]


class _Block(NamedTuple):
    """The rows above a line with a sum, which is at index `place`, and the zone that the line names.

    `whole`: the line sums up all rows since the last line that names a zone.
    """

    rows: Sequence[int]
    place: int
    zone: str | None
    whole: bool


def resolve_headings_below(words: Vocabulary, lines: Sequence[Line]) -> list[Line] | None:
    """The lines of a list with its headings below their cards, all in FINAL_KINDS; None for other lists.

    Each entry names its zone, and each line with a sum becomes a plain label with the original line in
    `more`. All headings and labels have to state sums, each of them exactly that of rows above it, and
    reading them as headings above their rows must contradict the sums. Only if none of them names a zone, cards may
    follow the last one.
    """
    blocks = _blocks(words, lines) if _is_candidate(words, lines) and not _is_ambiguous(lines) else None
    if blocks is None or not _contradicts(words, lines):
        return None
    resolved = list(lines)
    for block in blocks:
        line = resolved[block.place]
        resolved[block.place] = Line("label", line.written, column=line.column, more=(line,))
        for at in block.rows:
            resolved[at] = _in_zone(words, resolved[at], block.zone or words.default)
    return resolved


def move_headings_above(words: Vocabulary, lines: Iterable[Numbered]) -> list[Numbered]:
    """The numbered lines of `resolve_headings_below` with the original headings, moved above their cards."""
    moved: list[Numbered] = []
    # The lines since the last heading of a zone, and since the last line with a sum.
    section: list[Numbered] = []
    block: list[Numbered] = []
    since = 0
    for number, line in lines:
        if line.kind != "label" or not line.more:
            block.append((number, line))
            continue
        old = line.more[0]
        since += sum(_copies(row) for _, row in block)
        if old.zone is None:
            sums_up = old.kind == "total"
            section += [*block, (number, old)] if sums_up else _with_heading((number, old), block, [])
        else:
            if old.total != since:
                moved += _first_zone(words, moved, section)
                section = []
            heading = (number, old) if old.kind == "heading" else (_NOWHERE, Line("heading", zone=old.zone))
            moved += _with_heading(heading, block, section)
            moved += [(number, old)] if old.kind == "total" else []
            section, since = [], 0
        block = []
    return [*moved, *_first_zone(words, moved, section), *block]


def _with_heading(heading: Numbered, block: list[Numbered], section: list[Numbered]) -> list[Numbered]:
    """A heading above its own rows and those of labels; lines above all of these stay above it."""
    top = section or block
    first = next((at for at, (_, line) in enumerate(top) if line.kind in (*CARDS, *_SUMMING)), 0)
    own = block if section else []
    return [*top[:first], heading, *own, *top[first:]]


def _first_zone(words: Vocabulary, above: list[Numbered], section: list[Numbered]) -> list[Numbered]:
    """Rows that no zone heading sums up, under a heading of the default zone if they aren't the first."""
    return [(_NOWHERE, Line("heading", zone=words.default)), *section] if above and section else section


def _copies(line: Line) -> int:
    return sum(part.copies for part in line.parts)


def _is_candidate(words: Vocabulary, lines: Sequence[Line]) -> bool:
    """Whether cards come first and a heading or label last, and everything is certain."""
    first = next((line for line in lines if line.kind in CARDS or not _has_no_sum_or_zone(words, line)), None)
    if first is None or first.kind not in CARDS:
        return False
    last = next(line for line in reversed(lines) if line.kind in CARDS or line.kind in _NAMING)
    if last.kind in CARDS and any(
        line.zone is not None and not _has_no_sum_or_zone(words, line) for line in lines
    ):
        return False
    known = (None, *words.zone_ids)
    cards = [at for at, line in enumerate(lines) if line.kind in CARDS]
    for at, line in enumerate(lines):
        is_around = at < cards[0] or at > cards[-1]
        if line.kind == "invalid" and not (is_around and line.key != KNOWN and line.why in _NO_CARD):
            return False
        if line.kind == "title" and line.zone is not None:
            return False
        if any(part.kind != "entry" or part.copies != part.most for part in line.parts):
            return False
        if line.kind in _SUMMING and line.zone not in known:
            return False
    return True


def _has_no_sum_or_zone(words: Vocabulary, line: Line) -> bool:
    """Whether a line is neither a sum nor the heading of another zone than the default one."""
    return line.kind not in _SUMMING or (line.total is None and line.zone in (None, words.default))


def _is_ambiguous(lines: Sequence[Line]) -> bool:
    """Whether the sums of the headings are right for the cards below them, so that the list is ambiguous."""
    sums: list[tuple[int | None, int]] = []
    for line in lines:
        if line.kind == "heading":
            sums.append((line.total, 0))
        elif sums:
            sums[-1] = sums[-1][0], sums[-1][1] + _copies(line)
    return any(copies for _, copies in sums) and all(total == copies for total, copies in sums)


def _blocks(words: Vocabulary, lines: Sequence[Line]) -> list[_Block] | None:
    """All blocks with their zones; None if a sum is wrong or a zone uncertain."""
    blocks: list[_Block] = []
    rows: list[int] = []
    own = since = 0
    for at, line in enumerate(lines):
        if line.kind in CARDS:
            rows.append(at)
            own += _copies(line)
        elif not own and _has_no_sum_or_zone(words, line):
            continue
        elif line.kind in _SUMMING:
            since += own
            if line.total != own and (line.kind == "label" or line.total != since):
                return None
            blocks.append(_Block(rows, at, line.zone, line.total == since))
            rows, own = [], 0
            since = 0 if line.zone is not None else since
    zoned = _with_zones(blocks)
    stated = {block.zone for block in blocks}
    for block in zoned:
        # If the default zone has a sum of its own, cards outside all sums have no zone.
        if block.rows and block.zone is None and words.default in stated:
            return None
        parts = [part for at in block.rows for part in lines[at].parts]
        # Cards that name another zone, or move home, contradict the zone that counts them.
        others = {part.zone or (part.home if block.zone == words.default else None) for part in parts}
        if block.zone is not None and not others <= {None, block.zone}:
            return None
    return zoned


def _with_zones(blocks: Sequence[_Block]) -> list[_Block]:
    """The blocks; those of labels get the zone of the next block below that names one, if it is `whole`."""
    zoned: list[_Block] = []
    zone = None
    for block in reversed(blocks):
        if block.zone is not None:
            zone = block.zone if block.whole else None
        zoned.append(block if block.zone is not None else block._replace(zone=zone))
    return zoned[::-1]


def _contradicts(words: Vocabulary, lines: Sequence[Line]) -> bool:
    """Whether a sum is wrong if the headings are read as above their cards."""
    numbered = enumerate(end_zones(words, lines), 1)
    deck = build_deck(
        numbered,
        path="",
        notation="",
        default=words.default,
        names={},
        aside=words.aside,
        lines=(),
    )
    return any(diagnostic.id == "total-mismatch" for diagnostic in deck.diagnostics)


def _in_zone(words: Vocabulary, line: Line, zone: str) -> Line:
    if line.kind == "several":
        return line._replace(more=tuple(_in_zone(words, part, zone) for part in line.more))
    # An entry with another home has to stay movable from the default zone.
    moves = zone == words.default and line.home is not None
    return line if moves or line.zone is not None else line._replace(zone=zone)


def end_zones(words: Vocabulary, lines: Sequence[Line]) -> list[Line]:
    """The lines, where a label that ends a zone and resumes the default zone names the latter as its `zone`.

    This is a label below the cards of a zone in `ends_at_label`, once there are as many as its heading
    states. Labels above a later heading of the default zone end nothing. If the default zone would have no
    cards, an empty line below those cards becomes its heading instead, or else a comment. In a list whose labels
    are written as comments (`# NAME`), every comment is taken for a label.
    """
    commented = any(line.kind == "label" and line.written.startswith(("#", "//")) for line in lines)
    labels: tuple[Kind, ...] = ("label", "comment") if commented else ("label",)
    at_labels, fills_first = _end_zones_at(words, lines, labels)
    if fills_first:
        return at_labels
    for kind in _INSTEAD:
        ended, fills_first = _end_zones_at(words, lines, (kind,))
        if fills_first:
            return ended
    return _with_doubt(words, at_labels)


_INSTEAD: tuple[Kind, ...] = ("blank", "comment")


def _with_doubt(words: Vocabulary, lines: list[Line]) -> list[Line]:
    """The lines of a list without cards in the default zone; a label that may begin it becomes invalid.

    This is the first label of a zone that has cards above all its labels.
    """
    zone, above = words.default, "heading"
    for at, line in enumerate(lines):
        if line.kind == "heading":
            # With a sum, the end of the zone is certain.
            zone, above = line.zone or words.default, "heading" if line.total is None else "label"
        elif line.kind in CARDS and above == "heading":
            above = "card"
        elif line.kind == "label" and above == "card" and words.default != zone in words.zone_ids:
            unread = line._replace(kind="invalid", why=_MAY_BEGIN_FIRST)
            return [*lines[:at], unread, *lines[at + 1 :]]
        elif line.kind == "label":
            above = "label"
    return lines


def _end_zones_at(words: Vocabulary, lines: Sequence[Line], ends: Sequence[Kind]) -> tuple[list[Line], bool]:
    """The lines with zones ended at lines of these kinds, and whether the default zone has cards."""
    first, resolved = words.default, list(lines)
    begins = [at for at, line in enumerate(resolved) if line.kind == "heading" and line.zone in (None, first)]
    last = begins[-1] if begins else -1
    zone, copies, total, fills_first = first, 0, None, False
    for at, line in enumerate(resolved):
        if line.kind == "heading":
            zone, copies, total = line.zone or first, 0, line.total
        elif line.kind in CARDS:
            copies += _copies(line)
            fills_first = fills_first or (line.zone or zone) == first
        elif line.kind not in ends or zone not in words.ends_at_label or at < last:
            continue
        elif copies >= (1 if total is None else total):
            resolved[at] = line._replace(kind="heading" if line.kind == "blank" else line.kind, zone=first)
            zone = first
    return resolved, fills_first
