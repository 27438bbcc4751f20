"""What the notations of other tools share: how they are detected, read and written, and zones by their words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader, entry_of
from deckcheck.decklists.line import BAD_COUNT, LONGEST_LINE, MOST_LINES, NOT_READ, TOO_LONG, Line, invalid
from deckcheck.decklists.parser import Reading
from deckcheck.decklists.plain import too_many_lines
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Card
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Localized, Words, _

Numbered = tuple[int, Line]
Names = tuple[str, ...]
"""What a notation calls one of its sections; it writes the first."""

SIDE: Names = ("Sideboard", "Side")
_MOST_DIGITS = 4


class Row(NamedTuple):
    """A card to be written; `card` is None where the name is unknown or ambiguous."""

    name: str
    copies: int
    card: Card | None


class Listing(NamedTuple):
    """A deck to be written: its name ("" for none), and its rows zone by zone.

    `names` are the display names of the zones, `find` looks cards up.
    """

    title: str
    zones: Mapping[str, Sequence[Row]]
    words: Vocabulary
    names: Mapping[str, Words]
    find: Callable[[str], tuple[Card, ...]]


class Notation(ABC):
    """A notation of another tool: its sections as data, how to detect it, to read it and to write it."""

    name: Words
    main: Names = ("Main", "Deck")
    others: tuple[Names, ...] = (SIDE,)
    """The sections besides `main`, in the order in which they are written."""
    always: frozenset[str] = frozenset()
    """The sections that are written even without cards."""
    between = "\n"
    """What separates the sections."""

    @abstractmethod
    def detects(self, text: str, *, expected: bool) -> bool:
        """Whether the content shows this notation; signs that may be chance count only where it is `expected`."""

    @abstractmethod
    def read(self, reader: LineReader, text: str, path: str) -> Iterable[Numbered]:
        """What stands in a text, with line numbers. Raises UserError for what is malformed or too large."""

    def write(self, listing: Listing) -> str:
        """The text of a deck.

        Raises UserError where the notation has no section for a zone or can't spell a name.
        """
        sections = [
            self.section(listing, word, rows)
            for word, rows in self.placed(listing)
            if rows or word in self.always
        ]
        return self.between.join([*self.begin(listing.title), *sections]) + "\n"

    def begin(self, title: str) -> Sequence[str]:  # noqa: ARG002 - most have no place for it
        """What is written above the sections."""
        return ()

    def section(self, listing: Listing, word: str, rows: Sequence[Row]) -> str:
        """A section with its heading."""
        return "\n".join([*self.heading(word), *(self.row(listing, word, row) for row in rows)])

    def heading(self, word: str) -> Sequence[str]:  # noqa: ARG002 - some have none
        """The lines that begin a section."""
        return ()

    def row(self, listing: Listing, word: str, row: Row) -> str:  # noqa: ARG002 - see overrides
        """The line of a card in the section `word`."""
        return f"{row.copies} {self.line_safe(row.name)}"

    def placed(self, listing: Listing) -> list[tuple[str, Sequence[Row]]]:
        """The sections by their first names, in order, with their rows.

        Raises UserError for a zone with cards for which there is no section.
        """
        by_zone = {main_of(listing.words, self.main): self.main[0]}
        for called in self.others:
            zone = zone_of(listing.words, called)
            if zone is not None:
                by_zone.setdefault(zone, called[0])
        for zone, rows in listing.zones.items():
            if rows and zone not in by_zone:
                name = listing.names.get(zone, Localized(zone, zone))
                raise user_error(_("{notation} has no place for “{name}”", notation=self.name, name=name))
        found = {by_zone[zone]: rows for zone, rows in listing.zones.items() if rows}
        return [(called[0], found.get(called[0], ())) for called in (self.main, *self.others)]

    def line_safe(self, name: str, never: str = "") -> str:
        """A name that stands on a line of its own.

        Raises UserError for one with line breaks or any of `never` in it.
        """
        if any(char in name for char in "\n\r\0" + never) or name != name.strip() or not name:
            raise user_error(_("{notation} can't spell the name {name!r}", notation=self.name, name=name))
        return name


def source_of(text: str, path: str) -> list[str]:
    """The lines of a text. Raises UserError where there are too many for a list."""
    source = text.split("\n")
    if len(source) > MOST_LINES:
        raise too_many_lines(path)
    return source


def zone_of(words: Vocabulary, called: Names) -> str | None:
    """The zone of the game that a section means by one of its names, None for none."""
    zones = (words.zones.get(words.fold(word)) for word in called)
    return next((zone for zone in zones if zone in words.zone_ids), None)


def main_of(words: Vocabulary, called: Names) -> str:
    """The zone of the section that every deck has, whatever the game calls it."""
    return zone_of(words, called) or words.default


def side_of(words: Vocabulary) -> str:
    """The zone of the sideboard; its name where the game has none."""
    return zone_of(words, SIDE) or SIDE[0]


def section_line(written: str, column: int, zone: str | None) -> Line:
    """The line that begins a section; one that the game doesn't know (no `zone`) stays as it is written."""
    return Line("heading", written, column=column, zone=zone or written, known=zone is not None)


def entry_of_cards(
    words: Vocabulary, written: str, cards: tuple[Card, ...], copies: int, column: int, zone: str | None
) -> Line:
    """The entry of cards that `written` means; in `zone`, if the line or its section names it."""
    return entry_of(words, Reading(written, cards, copies, copies, column - 1, zone))


def counted(
    reader: LineReader,
    name: str,
    digits: str,
    column: int,
    zone: str | None,
    *,
    raw: str = "",
    cards: tuple[Card, ...] = (),
) -> Line:
    """The entry of an exact name with its count in digits; a wrong count makes `raw` an invalid line.

    `cards` are those of that name if it was looked up before.
    """
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
        return invalid(raw or name, BAD_COUNT, column)
    if len(name) > LONGEST_LINE:
        return invalid(name, TOO_LONG, column)
    if not name.strip():
        return invalid(name, NOT_READ, column)
    cards = cards or reader.parser.name(name)
    return entry_of_cards(reader.words, name, cards, int(digits), column, zone)


def deck_name(line: str, start: int) -> Line | None:
    """The header for the deck's name, which is the rest of its line from `start` on; None where nothing is there."""
    title = line[start:].strip()
    return Line("header", title, column=line.index(title, start) + 1, key="deck") if title else None
