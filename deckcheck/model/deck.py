"""A decklist as read: entries with their zones and lines, diagnostics and directives."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.model.card import Card
from deckcheck.support.messages import Words


class Entry(Struct, frozen=True):
    """A card on a line."""

    written: str
    """The name as written."""
    cards: tuple[Card, ...]
    """The cards that it can mean: one, several (ambiguous) or none (unknown)."""
    copies: int
    """At least 0."""
    zone: str
    """A zone id of the game, or an unknown heading as written."""
    line: int
    """Counted from 1."""
    column: int
    """The column of the name, in code points from 1."""

    @property
    def card(self) -> Card | None:
        """The card; None if it is unknown or ambiguous."""
        return self.cards[0] if len(self.cards) == 1 else None

    @property
    def name(self) -> str:
        """The name of the card; as written if it is unknown or ambiguous."""
        return self.written if self.card is None else self.card.name


class Diagnostic(Struct, frozen=True):
    """A message of the reader on a line."""

    id: str
    """One of ENGINE_IDS."""
    message: Words
    line: int
    column: int
    zone: str | None
    """The zone of the line, None before the first one."""
    written: str
    may_head: bool = False
    """Whether the line names no zone, and is or may be the heading of the cards below in `zone`; in any zone if that is
    None, as where another list may begin."""
    names_card: bool = False
    """Whether a line that isn't read has a card's name."""


class Directive(Struct, frozen=True):
    """A comment in a list that suppresses findings."""

    whole: bool
    """Whether it applies to the whole list, not only to its line."""
    rules: tuple[str, ...]
    """The ids of the rules."""
    reason: str
    """The text after them."""
    line: int
    column: int
    wrong: Words | None = None
    """Why it is malformed, None if it is valid."""


NAMED_CARDS = "names"
"""The notation of a deck that was never a list: its cards and zones are looked up when it is checked."""


class Deck(Struct, frozen=True):
    """A list as read."""

    path: str
    entries: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...]
    header: Mapping[str, str]
    """The header, with the keys "format", "date", "player", "deck", "expect", "as-of" and "best-of"."""
    notation: str
    lines: tuple[str, ...]
    """The lines of the source without their ends, for excerpts."""
    directives: tuple[Directive, ...] = ()
    """The directives in the list."""

    def with_diagnostic(self, diagnostic: Diagnostic) -> "Deck":
        """The deck with one more diagnostic, in the order of lines."""
        diagnostics = sorted((*self.diagnostics, diagnostic), key=lambda one: (one.line, one.column))
        return replace(self, diagnostics=tuple(diagnostics))

    @classmethod
    def of(cls, zones: Mapping[str, Mapping[str, int]]) -> "Deck":
        """The deck with these copies of each name in each zone, by its id or a heading; "" means where a card belongs.

        Raises TypeError for anything but such mappings, and ValueError for a negative number of copies.
        """
        if not isinstance(zones, Mapping):
            raise TypeError(f"Deck.of() takes a mapping of zones, not {type(zones).__name__}")
        entries = list[Entry]()
        for zone, held in zones.items():
            if not isinstance(zone, str) or not isinstance(held, Mapping):
                raise TypeError(
                    f"a zone is a text with a mapping of names, not {zone!r} with {type(held).__name__}"
                )
            for name, copies in held.items():
                if not isinstance(name, str) or not isinstance(copies, int) or isinstance(copies, bool):
                    raise TypeError(f"a name is a text with a whole number, not {name!r} with {copies!r}")
                if copies < 0:
                    raise ValueError(f"{name!r} has {copies} copies")
                entries.append(Entry(name, (), copies, zone, len(entries) + 1, 1))
        lines = tuple(f"{entry.copies} x {entry.written}" for entry in entries)
        return cls("-", tuple(entries), (), {}, NAMED_CARDS, lines)
