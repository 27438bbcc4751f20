"""What the notations of other tools share: their sections, what they are read into and how they are written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from deckcheck.decklists.classify import LineReader, entry_of
from deckcheck.decklists.line import BAD_COUNT, LONGEST_LINE, NOT_READ, TOO_LONG, Line, invalid
from deckcheck.decklists.parser import Reading
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
    """A notation of another tool: its sections and lines as data, how to detect it and how to read it."""

    name: Words
    main: Names = ("Main", "Deck")
    """The section that every deck has, whatever the game calls it."""
    sections: tuple[Names, ...] = (main, SIDE)
    """All sections in the order in which they are written."""
    always: Names = ()
    """The sections that are written even without cards."""
    begin: Sequence[str] = ()
    title = ""
    """The line with the deck's name, "" where there is no place for it."""
    heading = ""
    entry = "{copies} {name}"
    section_end: Sequence[str] = ()
    between = "\n"
    end = ""
    never = "\n\r\0"
    """What no name may contain."""
    one_slash = False
    """Whether the halves of a name are joined by one slash."""

    @abstractmethod
    def detects(self, text: str, *, expected: bool) -> bool:
        """Whether the content shows this notation; signs that may be chance count only where it is `expected`."""

    @abstractmethod
    def read(self, reader: LineReader, text: str, path: str) -> Iterable[Numbered]:
        """What stands in a text, with line numbers. Raises UserError for what is malformed."""

    def write(self, listing: Listing) -> str:
        """The text of a deck.

        Raises UserError where the notation has no section for a zone or can't spell a name.
        """
        parts = [*self.begin]
        if listing.title and self.title:
            parts.append(self.title.format(self.spelt(listing.title)))
        for word, rows in self.placed(listing).items():
            if rows or word in self.always:
                lines = [*self.headed(word), *(self.line(listing, word, row) for row in rows)]
                parts.append("\n".join([*lines, *self.section_end]))
        return self.between.join(parts) + "\n" + self.end

    def placed(self, listing: Listing) -> dict[str, Sequence[Row]]:
        """The rows of each section, in order. Raises UserError for a zone with cards but without a section."""
        words = {self.section_zone(listing.words, self.main[0]): self.main[0]}
        for called in self.sections:
            words.setdefault(zone_of(listing.words, called), called[0])
        found: dict[str, Sequence[Row]] = {called[0]: () for called in self.sections}
        for zone, rows in listing.zones.items():
            if rows and zone not in words:
                name = listing.names.get(zone, Localized(zone, zone))
                raise user_error(_("{notation} has no place for “{name}”", notation=self.name, name=name))
            if rows:
                found[words[zone]] = rows
        return found

    def headed(self, word: str) -> Sequence[str]:
        """The lines that begin a section."""
        return [self.heading.format(word)] if self.heading else ()

    def line(self, listing: Listing, word: str, row: Row) -> str:  # noqa: ARG002 - some write it on each line
        """The line of a card in the section `word`."""
        name = row.name
        short = name.replace(" // ", "/") if self.one_slash else name
        if listing.find(name) == listing.find(short):
            name = short
        return self.entry.format(copies=row.copies, name=self.spelt(name))

    def spelt(self, name: str) -> str:
        """A name as it is written. Raises UserError for one that no line can hold."""
        if any(char in name for char in self.never) or name != name.strip() or not name:
            raise user_error(_("{notation} can't spell the name {name!r}", notation=self.name, name=name))
        return name

    def section_zone(self, words: Vocabulary, title: str) -> str | None:
        """The zone of the game that a section means, None for none."""
        folded = title.strip().casefold()
        called = next((names for names in self.sections if folded in map(str.casefold, names)), ())
        return zone_of(words, (*called, title)) or (words.default if called == self.main else None)

    def section(self, words: Vocabulary, title: str, column: int) -> Line:
        """The line that begins a section; one that the game doesn't know stays as it is written."""
        return section_line(title, column, self.section_zone(words, title))


def zone_of(words: Vocabulary, called: Names) -> str | None:
    """The zone of the game that a section means by one of its names, None for none."""
    zones = (words.zones.get(words.fold(word)) for word in called)
    return next((zone for zone in zones if zone in words.zone_ids), None)


def side_of(words: Vocabulary) -> str:
    """The zone of the sideboard; its name where the game has none."""
    return zone_of(words, SIDE) or SIDE[0]


def section_line(written: str, column: int, zone: str | None) -> Line:
    """The line that begins a section, of an unknown zone if that is None."""
    return Line("heading", written, column=column, zone=zone or written, known=zone is not None)


def counted(
    reader: LineReader,
    name: str,
    digits: str,
    column: int,
    zone: str | None,
    *,
    raw: str = "",
    cards: tuple[Card, ...] | None = None,
) -> Line:
    """The entry of an exact name with its count in digits; a wrong count makes `raw` an invalid line.

    `cards` are those of that name if it was looked up before; `zone` is what the line or its section names.
    """
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
        return invalid(raw or name, BAD_COUNT, column)
    if len(name) > LONGEST_LINE:
        return invalid(name, TOO_LONG, column)
    if not name.strip():
        return invalid(name, NOT_READ, column)
    cards = reader.parser.name(name) if cards is None else cards
    return entry_of(reader.words, Reading(name, cards, int(digits), int(digits), column - 1, zone))


def deck_name(line: str, start: int) -> Line | None:
    """The header for the deck's name, which is the rest of its line from `start` on; None where nothing is there."""
    title = line[start:].strip()
    return Line("header", title, column=line.index(title, start) + 1, key="deck") if title else None
