"""Zones that begin and end with the lines of a list: at an empty line, below a sum, or at a label."""

from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.decklists.lines import (
    Blank,
    CardLine,
    Comment,
    Heading,
    Label,
    Line,
    Numbered,
    items_of,
    told,
)
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.support.messages import _

_MAY_BEGIN_FIRST = _(
    "this may still belong to the zone above, or begin the main part, which has no cards (put a heading here)"
)
_PLAIN = (CardLine, Blank, Comment)


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


class _Ended(NamedTuple):
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
                line = line._replace(zone=default) if isinstance(line, Label) else line
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
