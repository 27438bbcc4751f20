"""What a card is: facts, each of which may be unknown.

A `Card` is one physical card. Its faces and halves are parts of it, not cards
beside it. A fact that is missing is unknown, never "no".
"""

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
    """One appearance of the card in a set.

    `released` is an ISO date, None where nobody has told. `ranks` maps a
    ranked attribute (see games.Attribute) to a code, to NO_RANK, to a code
    behind "<=" (that code or one below it) or behind "?" (a guess, good for
    people and never for a verdict); a missing attribute is unknown.
    """

    set: str
    released: str | None
    ranks: Mapping[str, str]


class Part(NamedTuple):
    """A half or another face: it has a name and facts of its own."""

    name: str
    facts: Mapping[str, Fact]


class _Card(NamedTuple):
    name: str
    home: str | None
    facts: Mapping[str, Fact]
    partial: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    released: str | None = None
    printings: tuple[Printing, ...] = ()
    parts: tuple[Part, ...] = ()
    faces: tuple[Part, ...] = ()
    made_of: tuple[str, ...] = ()
    verified: bool = True
    mended: tuple[str, ...] = ()
    own: str | None = None


class Card(_Card):
    """One physical card and what is known of it.

    `home` is the zone where it lives, None where that is unknown. `facts` maps
    an attribute's id to its fact; an attribute that is missing is unknown.
    `partial` names the attributes whose values are a part of the truth: what
    stands there is sure, what doesn't stand there is unknown.
    `released` is the first day on which the card existed. `parts` are halves
    printed on one side, `faces` what else the card shows (not its name side),
    `made_of` the physical cards that together show this name: such a name is
    no card of its own. `mended` holds the reasons of corrections made to it,
    `own` the place in the user's own file that took the stead of the bundled
    facts.
    """

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
        """The cards that `name` (as written) can mean.

        Exactly one: that card, by its name, an alias, a face, or a half that
        is no other card's name. Several: nobody can tell. None: not known.
        """

    def beginning(self, start: str) -> frozenset[str]:
        """The folded names that begin with `start`, which is folded, too."""

    def suggest(self, name: str) -> list[str]:
        """Canonical names like `name`, best first; for people, never for a verdict."""

    def __iter__(self) -> Iterator[Card]:
        """Every card, oldest first."""

    def __len__(self) -> int: ...
