"""A format: its rules, its zones, the lists it uses, and where each was written down."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.model.banlist import Banlist
from deckcheck.model.rule import Rule, Source
from deckcheck.support.messages import Localized, Words


class Edition(NamedTuple):
    """One edition of the rule text."""

    edition: str
    date: str | None
    """An ISO date, None where the file gives none."""


class SetAside(NamedTuple):
    """Names of things that lie beside the deck and are no part of it."""

    id: str
    names: tuple[str, ...]
    message: Localized
    source: Source
    cite: str | None = None


class Format(NamedTuple):
    """A format with all that it extends."""

    id: str
    name: Localized
    game: str
    aliases: tuple[str, ...]
    abstract: bool
    """Whether it is only there to be extended."""
    title: str | None
    """What the rule text is called."""
    editions: tuple[Edition, ...]
    """Oldest first."""
    zones: Mapping[str, Words]
    """From zone ids to their names, in the order in which they are shown."""
    rules: tuple[Rule, ...]
    set_aside: tuple[SetAside, ...]
    banlists: tuple[Banlist, ...]
    source: Source
    """Where the file begins to speak of the format."""
    exchange: tuple[str, ...] = ()
    """The zones between which cards may be exchanged between games."""
    listed_as: Mapping[str, tuple[str, int]] = MappingProxyType({})
    """From a zone to the one in which lists put its cards that have no word for it, and up to how many copies."""

    def edition(self, as_of: str) -> Edition | None:
        """The edition in force on a day; None before the first, and where none is given."""
        past = [edition for edition in self.editions if edition.date is None or edition.date <= as_of]
        return past[-1] if past else None
