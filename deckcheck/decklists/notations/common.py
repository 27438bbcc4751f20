"""What the notations share: the lists to be written, zones by the words of a notation, and cards by their exact names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from deckcheck.decklists.lines import Lines, entry_of
from deckcheck.decklists.plain import too_many_lines
from deckcheck.decklists.reading import Reading
from deckcheck.decklists.seen import BAD_COUNT, LONGEST_LINE, MOST_LINES, NOT_READ, TOO_LONG, Seen, invalid
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Card
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Localized, Words, _

Numbered = tuple[int, Seen]
Names = tuple[str, ...]
"""What a notation calls one of its sections; the first is what it writes."""

SIDE: Names = ("Sideboard", "Side")
_MOST_DIGITS = 4


class Row(NamedTuple):
    """A card to be written; `card` is None where nobody knows which one the name means."""

    name: str
    copies: int
    card: Card | None


class Listing(NamedTuple):
    """A deck to be written: its name ("" for none), and its rows zone by zone.

    `names` are what people call the zones, `find` knows the cards.
    """

    title: str
    zones: Mapping[str, Sequence[Row]]
    words: Vocabulary
    names: Mapping[str, Words]
    find: Callable[[str], tuple[Card, ...]]


class Notation(Protocol):
    """What each module of a notation offers.

    `detects` tells from the content alone; where lists of the game are `expected`
    to come in this notation, it may lean on what elsewhere means nothing. `seen_in` gives what stands in a
    text, with lines; it raises UserError for what is malformed or too large.
    `written` gives the text of a deck; it raises UserError, with what can't be
    written, where the notation has no place or no spelling for something.
    """

    def detects(self, text: str, *, expected: bool) -> bool: ...

    def seen_in(self, lines: Lines, text: str, path: str) -> Iterable[Numbered]: ...

    def written(self, listing: Listing) -> str: ...


def source_of(text: str, path: str) -> list[str]:
    """The lines of a text. Raises UserError where there are too many for a list."""
    source = text.split("\n")
    if len(source) > MOST_LINES:
        raise too_many_lines(path)
    return source


def zone_of(words: Vocabulary, called: Names) -> str | None:
    """The zone of the game that a section means by one of its names, None for none."""
    for word in called:
        zone = words.zones.get(words.fold(word))
        if zone in words.zone_ids:
            return zone
    return None


def main_of(words: Vocabulary, called: Names) -> str:
    """The zone of the section that every deck has, whatever the game calls it."""
    return zone_of(words, called) or words.default


def section(words: Vocabulary, written: str, column: int, called: Names = (), *, main: bool = False) -> Seen:
    """The line that begins a section; one that the game doesn't know stays as it is written."""
    zone = main_of(words, called) if main else zone_of(words, (*called, written))
    return Seen("heading", written, column=column, zone=zone or written, known=zone is not None)


def entry(lines: Lines, name: str, copies: int, column: int, zone: str | None = None) -> Seen:
    """The entry of a name that stands there alone and exactly; in `zone`, where that is told beside it."""
    if len(name) > LONGEST_LINE:
        return invalid(name, TOO_LONG, column)
    if not name.strip():
        return invalid(name, NOT_READ, column)
    cards = lines.reader.name(name)
    return entry_of_cards(lines.words, name, cards, copies, column, zone)


def entry_of_cards(
    words: Vocabulary, written: str, cards: tuple[Card, ...], copies: int, column: int, zone: str | None
) -> Seen:
    """As `entry`, for cards that were looked up in another way."""
    return entry_of(words, Reading(written, cards, copies, copies, column - 1, zone, None, False, 0))


def counted(
    lines: Lines, name: str, digits: str, column: int, zone: str | None = None, *, raw: str = ""
) -> Seen:
    """The entry of a name with its count in digits; what is no count makes `raw` a line that can't be read."""
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
        return invalid(raw or name, BAD_COUNT, column)
    return entry(lines, name, int(digits), column, zone)


def placed(
    listing: Listing, notation: Words, main: Names, others: Sequence[Names]
) -> list[tuple[str, Sequence[Row]]]:
    """The sections of a notation, by the first of their names and in order, with the rows of each.

    Raises UserError for a zone with cards for which the notation has no section.
    """
    by_zone = {main_of(listing.words, main): main[0]}
    for called in others:
        zone = zone_of(listing.words, called)
        if zone is not None:
            by_zone.setdefault(zone, called[0])
    for zone, rows in listing.zones.items():
        if rows and zone not in by_zone:
            name = listing.names.get(zone, Localized(zone, zone))
            raise user_error(_("{notation} has no place for “{name}”", notation=notation, name=name))
    found = {by_zone[zone]: rows for zone, rows in listing.zones.items() if rows}
    order = [main[0], *(called[0] for called in others)]
    return [(word, found.get(word, ())) for word in dict.fromkeys(order)]


def unspeakable(notation: Words, name: str) -> UserError:
    """The user's mistake of a name that the notation can't spell."""
    return user_error(_("{notation} can't spell the name {name!r}", notation=notation, name=name))


def line_safe(notation: Words, name: str, never: str = "") -> str:
    """A name that stands on a line of its own. Raises UserError for one with line breaks or any of `never` in it."""
    if any(char in name for char in "\n\r\0" + never) or name != name.strip() or not name:
        raise unspeakable(notation, name)
    return name
