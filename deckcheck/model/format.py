"""A format: its rules, its zones, the lists it leans on, and where each was written down."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.model.banlist import Banlist
from deckcheck.model.rule import Rule, Source
from deckcheck.support.messages import Words


class Edition(NamedTuple):
    """One edition of the rule text. `date` is ISO, None where the file tells none."""

    edition: str
    date: str | None


class SetAside(NamedTuple):
    """Names of things that lie beside the deck and are no part of it."""

    id: str
    names: tuple[str, ...]
    message: Words
    source: Source
    cite: str | None = None


class Format(NamedTuple):
    """A format with all that it extends.

    `zones` maps zone ids to their names, in the order in which they are
    shown; `source` is the line where the file begins to speak of the format.
    `editions` stand oldest first. Between the zones in `exchange` cards may be
    exchanged between games. `listed_as` tells of a zone in which other zone
    lists put its cards that have no word for it, and up to how many copies.
    """

    id: str
    name: Words
    game: str
    aliases: tuple[str, ...]
    abstract: bool
    title: str | None
    editions: tuple[Edition, ...]
    zones: Mapping[str, Words]
    rules: tuple[Rule, ...]
    set_aside: tuple[SetAside, ...]
    banlists: tuple[Banlist, ...]
    source: Source
    exchange: tuple[str, ...] = ()
    listed_as: Mapping[str, tuple[str, int]] = MappingProxyType({})

    def edition(self, as_of: str) -> Edition | None:
        """The edition in force on a day; None before the first, and where none is told."""
        past = [one for one in self.editions if one.date is None or one.date <= as_of]
        return past[-1] if past else None
