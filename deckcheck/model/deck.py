"""A decklist as it was written: which cards stand where, on which line."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from deckcheck.model.card import Card
from deckcheck.support.messages import Words


class Entry(NamedTuple):
    """One mention of a card on one line."""

    written: str
    """The name as written."""
    cards: tuple[Card, ...]
    """The cards it can mean: one (resolved), several (ambiguous) or none (not in the card table)."""
    copies: int
    """At least 0."""
    most: int
    """Differs from `copies` only where the line itself can be read with two counts."""
    zone: str
    """A zone id of the game or, under a heading that names no zone, that heading as written."""
    line: int
    """Counted from 1."""
    column: int
    """Of the name's first character, in code points from 1."""

    @property
    def card(self) -> Card | None:
        """The card, if it is one certain card."""
        return self.cards[0] if len(self.cards) == 1 else None


class Diagnostic(NamedTuple):
    """Something the reader noticed that is no entry."""

    id: str
    """One of the engine's ids."""
    message: Words
    line: int
    column: int
    zone: str | None
    """Where it was met, None before the first zone."""
    written: str


class Directive(NamedTuple):
    """A comment in a list that asks for findings to be left out."""

    whole: bool
    """Whether it speaks of the whole list and not of its own line only."""
    rules: tuple[str, ...]
    """The ids it names."""
    reason: str
    """The words behind them."""
    line: int
    column: int
    wrong: Words | None = None
    """Why it can't be understood, None where it can."""


class Deck(NamedTuple):
    """What was read of one list."""

    path: str
    entries: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...]
    header: Mapping[str, str]
    """What the list says of itself: "format", "date", "player", "deck", "expect", "as-of", "best-of"."""
    notation: str
    lines: tuple[str, ...]
    """The lines of the source without their ends, for excerpts."""
    directives: tuple[Directive, ...] = ()
    """What the list asks to leave out of the report."""


class Reader(Protocol):
    """From the text of a list and the path that names it to a Deck; in `notation`, where that is known."""

    def __call__(self, text: str, path: str, notation: str | None = None) -> Deck: ...
