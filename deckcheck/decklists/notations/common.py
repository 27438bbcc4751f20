"""The base of all notations of other tools: their sections, reading and writing."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from deckcheck.decklists.lines import Heading, Numbered
from deckcheck.decklists.rows import LineReader
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Card
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Localized, Words, _

Names = tuple[str, ...]
"""The names of a section in a notation; the first is used for writing."""

SIDE: Names = ("Sideboard", "Side")


class Row(Struct, frozen=True):
    """A card to be written; `card` is None if the name is unknown or ambiguous."""

    name: str
    copies: int
    card: Card | None


class Listing(Struct, frozen=True):
    """A deck to be written: its title ("" for none), and its rows by zone.

    `names` are the display names of the zones; `find` gives the cards of a name.
    """

    title: str
    zones: Mapping[str, Sequence[Row]]
    words: Vocabulary
    names: Mapping[str, Words]
    find: Callable[[str], tuple[Card, ...]]


class Notation(ABC):
    """A notation of another tool: its sections and lines as data, and how to read it."""

    name: Words
    main: Names = ("Main", "Deck")
    """The names of the section for the game's default zone."""
    sections: tuple[Names, ...] = (main, SIDE)
    """All sections, in the order of writing."""
    always: Names = ()
    """The sections that are written even without cards."""
    begin: Sequence[str] = ()
    title = ""
    """The line with the deck's name; "" if the notation has none."""
    heading = ""
    entry = "{copies} {name}"
    section_end: Sequence[str] = ()
    between = "\n"
    end = ""
    never = "\n\r\0"
    """Characters that no name may contain."""
    one_slash = False
    """Whether one slash joins the halves of a name."""

    @abstractmethod
    def read(self, reader: LineReader, text: str, path: str) -> Iterable[Numbered]:
        """The numbered lines of a text. Raises UserError for malformed input."""

    def write(self, listing: Listing) -> str:
        """The text of a deck. Raises UserError if the notation lacks a section or can't spell a name."""
        parts = [*self.begin]
        if listing.title and self.title:
            parts.append(self.title.format(self.spell(listing.title)))
        for word, rows in self.section_rows(listing).items():
            if rows or word in self.always:
                lines = [*self.section_lines(word), *(self.line(listing, word, row) for row in rows)]
                parts.append("\n".join([*lines, *self.section_end]))
        return self.between.join(parts) + "\n" + self.end

    def section_rows(self, listing: Listing) -> dict[str, Sequence[Row]]:
        """The rows by section, in order. Raises UserError for a zone with cards but without a section."""
        titles = {self.section_zone(listing.words, self.main[0]): self.main[0]}
        for section in self.sections:
            titles.setdefault(zone_of(listing.words, section), section[0])
        rows_by_section: dict[str, Sequence[Row]] = {section[0]: () for section in self.sections}
        for zone, rows in listing.zones.items():
            if rows and zone not in titles:
                name = listing.names.get(zone, Localized(zone, zone))
                raise user_error(_("{notation} has no place for “{name}”", notation=self.name, name=name))
            if rows:
                rows_by_section[titles[zone]] = rows
        return rows_by_section

    def has_zone(self, words: Vocabulary, zone: str) -> bool:
        """Whether the notation has a section for a zone."""
        return zone == words.default or any(zone_of(words, section) == zone for section in self.sections)

    def section_lines(self, word: str) -> Sequence[str]:
        """The lines that begin a section."""
        return [self.heading.format(word)] if self.heading else ()

    def line(self, listing: Listing, word: str, row: Row) -> str:  # noqa: ARG002 - some write it on each line
        """The line of a card in the section `word`."""
        name = row.name
        short = name.replace(" // ", "/") if self.one_slash else name
        if listing.find(name) == listing.find(short):
            name = short
        return self.entry.format(copies=row.copies, name=self.spell(name))

    def again(self, line: str, old: str) -> str:  # noqa: ARG002 - only some lines hold more
        """The line of a card with what only its `old` line knows."""
        return line

    def spell(self, name: str) -> str:
        """A name as the notation writes it. Raises UserError if it can't be written."""
        if any(char in name for char in self.never) or name != name.strip() or not name:
            raise user_error(_("{notation} can't spell the name {name!r}", notation=self.name, name=name))
        return name

    def section_zone(self, words: Vocabulary, title: str) -> str | None:
        """The game's zone for a section title; None if there is none."""
        folded = title.strip().casefold()
        section = next((names for names in self.sections if folded in map(str.casefold, names)), ())
        return zone_of(words, (*section, title)) or (words.default if section == self.main else None)

    def section(self, words: Vocabulary, title: str, column: int) -> Heading:
        """The heading of a section; an unknown zone keeps the written title."""
        zone = self.section_zone(words, title)
        return Heading(title, zone or title, None, zone is not None, column)


def zone_of(words: Vocabulary, section: Names) -> str | None:
    """The game's zone for any of the names of a section; None if there is none."""
    zones = (words.zones.get(words.fold(word)) for word in section)
    return next((zone for zone in zones if zone in words.zone_ids), None)
