"""Zones of a few cards, which end where the list goes on with the others."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.decklists.seen import Kind, Seen
from deckcheck.decklists.vocabulary import Vocabulary


def ended(words: Vocabulary, seen: Sequence[Seen]) -> list[Seen]:
    """The same lines; a label with which the first zone begins anew names it as its `zone`.

    That is a label below the cards of a zone that ends at one, once there are as
    many of them as its heading says. Where another heading begins the first zone
    further below, the labels above it end nothing. Where no card would stand in
    the first zone, an empty line below those cards is its heading.
    """
    lines = list(seen)
    if not any(line.kind == "heading" and line.zone in words.ending for line in lines):
        return lines
    at_labels = _ended(words, lines, "label")
    if _fills_first(words, at_labels):
        return at_labels
    at_gaps = _ended(words, lines, "blank")
    return at_gaps if _fills_first(words, at_gaps) else at_labels


def _ended(words: Vocabulary, seen: Sequence[Seen], end: Kind) -> list[Seen]:
    lines = list(seen)
    begins = [
        at for at, line in enumerate(lines) if line.kind == "heading" and line.zone in (None, words.default)
    ]
    last = begins[-1] if begins else -1
    zone, copies, total = words.default, 0, None
    for at, line in enumerate(lines):
        if line.kind == "heading":
            zone, copies, total = line.zone or words.default, 0, line.total
        elif line.kind == "entry":
            copies += line.copies
        elif line.kind == "several":
            copies += sum(part.copies for part in line.more)
        elif line.kind == end and zone in words.ending and copies >= (1 if total is None else total):
            if last < at:
                lines[at] = line._replace(kind="heading" if end == "blank" else end, zone=words.default)
            zone = words.default
    return lines


def _fills_first(words: Vocabulary, lines: Sequence[Seen]) -> bool:
    """Whether any card stands in the first zone."""
    zone = words.default
    for line in lines:
        if line.kind in ("heading", "label"):
            zone = line.zone or (zone if line.kind == "label" else words.default)
        elif line.kind in ("entry", "several") and (line.zone or zone) == words.default:
            return True
    return False
