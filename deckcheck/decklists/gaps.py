"""Empty lines that the reader made nothing of, where in other lists of the game one begins another zone."""

from __future__ import annotations

from collections.abc import Mapping

from deckcheck.decklists.notations.common import SIDE, zone_of
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.deck import Deck, Diagnostic
from deckcheck.model.finding import EMPTY_LINE
from deckcheck.support.messages import Words, _

_SPACED = 4
"""From so many cards on, all of them parted, empty lines are but a way to write."""


def with_gap_told(words: Vocabulary, names: Mapping[str, Words], deck: Deck) -> Deck:
    """The deck of a plain text, with a remark where its last cards may have been meant for the side.

    That is where nothing names a zone, and the last block of cards below an
    empty line has no title and fewer copies than the others together. In a
    list with an empty line after each card, none of them says anything.
    """
    side = zone_of(words, SIDE)
    if side is None or len(deck.entries) < 2 or any(one.zone != words.default for one in deck.entries):
        return deck
    begins = [
        (at, before.line, entry.line)
        for at, (before, entry) in enumerate(zip(deck.entries, deck.entries[1:], strict=False), 1)
        if any(not line.strip() for line in deck.lines[before.line : entry.line - 1])
    ]
    if not begins or (len(deck.entries) == len(begins) + 1 > _SPACED):
        return deck
    first, before, line = begins[-1]
    titled = any(char.isalnum() for text in deck.lines[before : line - 1] for char in text)
    below = sum(entry.copies for entry in deck.entries[first:])
    if titled or 2 * below >= sum(entry.copies for entry in deck.entries):
        return deck
    entry, main, other = deck.entries[first], names[words.default], names[side]
    said = _(
        "counted in “{main}”, too; if “{other}” begins here, put that heading above", main=main, other=other
    )
    diagnostic = Diagnostic(EMPTY_LINE, said, entry.line, entry.column, side, entry.written)
    diagnostics = sorted((*deck.diagnostics, diagnostic), key=lambda one: (one.line, one.column))
    return deck._replace(diagnostics=tuple(diagnostics))
