"""Cards and their facts, each of which may be unknown: a missing fact never means "no"."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct

from deckcheck.support.messages import Localized, Message, _, card_series

Values = frozenset[str]
Fact = Values | float
"""A set of values, or a number (`inf` for a printed infinity)."""

INFINITY = "∞"
"""An infinite number in card files."""

NO_RANK = ""
"""The rank of a printing that is known to have none."""


class Days(Struct, frozen=True):
    """When something began, as ISO days."""

    first: str
    """The first day on which it may hold; "" for any."""
    sure: str
    """The first day on which it certainly does."""


class Printing(Struct, frozen=True):
    """A printing of the card in a set."""

    set: str
    released: str | None
    """An ISO date, None if unknown."""
    ranks: Mapping[str, str]
    """Maps a ranked attribute to a code, NO_RANK, "<=" and a code (that one or a lower one), or "?" and a
    code (a guess, shown but never used for a verdict); a missing attribute is unknown."""


class Part(Struct, frozen=True):
    """A half or another face, with its own name and facts."""

    name: str
    facts: Mapping[str, Fact]


class Card(Struct, frozen=True, eq=False):
    """A physical card with its known facts; its faces and halves are parts of it, not cards.

    A catalog has one object per card, so cards are compared by identity.
    """

    name: str
    home: str | None
    """The zone where it belongs, None if unknown."""
    facts: Mapping[str, Fact]
    """Facts by attribute id."""
    partial: frozenset[str] = frozenset()
    """The attributes with only some values known."""
    aliases: tuple[str, ...] = ()
    released: str | None = None
    """The ISO date of its first release."""
    dated: Mapping[str, Mapping[str, Days]] = MappingProxyType({})
    """By attribute and value, when the card got values that it didn't have from the beginning."""
    printings: tuple[Printing, ...] = ()
    parts: tuple[Part, ...] = ()
    """Halves printed on one side."""
    faces: tuple[Part, ...] = ()
    """Its other faces."""
    made_of: tuple[str, ...] = ()
    """The physical cards that form this one together, which is then no card of its own."""
    verified: bool = True
    corrections: tuple[str, ...] = ()
    """The reasons for corrections to it."""
    own: str | None = None
    """The place in the user's file that replaces the bundled facts."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it can be found, as spelt: its own, aliases, faces and halves."""
        return (self.name, *self.aliases, *(part.name for part in (*self.faces, *self.parts)))


def card_named(catalog: "Catalog", name: str) -> Card | None:
    """The card with just this name, of which a name found by look-up can be an alias or a half."""
    return next((card for card in catalog.find(name) if card.name == name), None)


def several_cards(name: str, cards: Iterable[str]) -> Message:
    """The message that a name can mean more cards than one."""
    return _("'{name}' may be any of {cards}", name=name, cards=card_series(cards))


def name_beside(catalog: "Catalog", name: str, written: str) -> str | Localized:
    """A card's name as a suggestion for `written`: for a Japanese text also its Japanese name, if it has one."""
    if not is_japanese(written) or is_japanese(name):
        return name
    card = card_named(catalog, name)
    japanese = next(filter(is_japanese, card.aliases if card else ()), None)
    return name if japanese is None else Localized(japanese, name)


def is_japanese(text: str) -> bool:
    """Whether a text has a kana or a kanji."""
    return any("\u3041" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff" for char in text)


class Catalog(Protocol):
    """The cards of a game, with a single `Card` object for each."""

    @property
    def version(self) -> str:
        """A hash of the content."""

    @property
    def fold(self) -> Callable[[str], str]:
        """The function that folds names for look-up."""

    def find(self, name: str) -> tuple[Card, ...]:
        """The cards with this name, alias, face or half, as written."""

    def has(self, key: str) -> bool:
        """Whether any card has this folded name."""

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin with the folded text `start`."""

    @property
    def sets(self) -> frozenset[str]:
        """The codes of the sets whose day is known."""

    def words(self, attribute: str) -> frozenset[str]:
        """The words that cards, their halves and other faces have for an attribute."""

    def suggest(self, name: str) -> list[str]:
        """Canonical names similar to `name`, best first; for messages only."""

    def search(self, text: str, limit: int) -> list[Card]:
        """At most `limit` cards with `text`, folded, in one of their names; an empty text finds nothing.

        Cards of which a name begins with it come first, then the oldest.
        """

    def __iter__(self) -> Iterator[Card]:
        """All cards, oldest first."""

    def __len__(self) -> int: ...
