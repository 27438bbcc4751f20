"""A card is facts, each of which may be unknown: one that is missing is never "no"."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol

Values = frozenset[str]
Fact = Values | float
"""A set of values, or a number (`inf` where a card prints infinity)."""

INFINITY = "∞"
"""How card files write a number that a card prints as infinite."""

NO_RANK = ""
"""The rank of a printing that carries none, which is a known fact."""


class Printing(NamedTuple):
    """One appearance of the card in a set."""

    set: str
    released: str | None
    """An ISO date, None where it is unknown."""
    ranks: Mapping[str, str]
    """From a ranked attribute to a code, to NO_RANK, to a code behind "<=" (that code or one below it) or behind "?" (a
    guess, good for people and never for a verdict); a missing attribute is unknown."""


class Part(NamedTuple):
    """A half or another face: it has a name and facts of its own."""

    name: str
    facts: Mapping[str, Fact]


class _Card(NamedTuple):
    name: str
    home: str | None
    """The zone where it belongs, None where that is unknown."""
    facts: Mapping[str, Fact]
    """By the attribute's id."""
    partial: frozenset[str] = frozenset()
    """The attributes of which only some values are known."""
    aliases: tuple[str, ...] = ()
    released: str | None = None
    """The first day on which the card existed."""
    printings: tuple[Printing, ...] = ()
    parts: tuple[Part, ...] = ()
    """Halves printed on one side."""
    faces: tuple[Part, ...] = ()
    """What else the card shows, without its name side."""
    made_of: tuple[str, ...] = ()
    """The physical cards that together show this name, which is then no card of its own."""
    verified: bool = True
    mended: tuple[str, ...] = ()
    """The reasons of corrections made to it."""
    own: str | None = None
    """The place in the user's own file that replaces the bundled facts."""


class Card(_Card):
    """One physical card and what is known of it; its faces and halves are parts of it, not cards beside it."""

    __slots__ = ()

    # A catalog gives one object for one card, so cards are told apart by identity, which is quick.
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__


class Catalog(Protocol):
    """The cards of one game. Equal names give the very same `Card` object."""

    @property
    def version(self) -> str:
        """A hash of the content: the same cards, the same version."""

    @property
    def fold(self) -> Callable[[str], str]:
        """How names are folded for look-up."""

    def find(self, name: str) -> tuple[Card, ...]:
        """The cards that `name`, as written, can mean: by their names, aliases, faces, and halves."""

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin with `start`, which is folded, too."""

    def suggest(self, name: str) -> list[str]:
        """Canonical names like `name`, best first; for people, never for a verdict."""

    def __iter__(self) -> Iterator[Card]:
        """Every card, oldest first."""

    def __len__(self) -> int: ...
