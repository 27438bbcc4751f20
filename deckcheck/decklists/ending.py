"""Zones of a few cards, which end where the list goes on to sort the others by type or by cost."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.decklists.seen import Seen
from deckcheck.decklists.vocabulary import Vocabulary


def ended(words: Vocabulary, seen: Sequence[Seen]) -> list[Seen]:
    """The same lines; a label with which the first zone begins anew names it as its `zone`.

    That is a label below the cards of a zone that ends at one, once there are as
    many of them as its heading says. Where another heading begins the first zone
    further below, the labels above it end nothing.
    """
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
        elif line.kind == "label" and zone in words.ending and copies >= (1 if total is None else total):
            if last < at:
                lines[at] = line._replace(zone=words.default)
            zone = words.default
    return lines
