"""A game's vocabulary, as `formats/<game>/game.yaml` says it: what its cards, zones and statuses are called."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from deckcheck.support.messages import Localized

Kind = Literal["values", "number", "rank", "home"]


class Folding(NamedTuple):
    """What a game's names lose before they are compared; letter case and compatibility forms (NFKC) never count."""

    drop: str = ""
    """The characters that never set two cards apart; white space always goes."""
    replace: Mapping[str, str] = MappingProxyType({})
    """From single characters that normalisation leaves unequal to what they count as."""


class Attribute(NamedTuple):
    """One thing a card has."""

    id: str
    kind: Kind
    """"values" (a set of words), "number", "rank" (one of `order`, on printings) or "home" (the zone of the card)."""
    name: Localized
    values: tuple[str, ...] = ()
    """The words that exist, empty where any word may come."""
    names: Mapping[str, Localized] | None = None
    """What the values are called."""
    order: tuple[tuple[str, ...], ...] = ()
    """The ranks from low to high, ranks that count alike together."""


class Zone(NamedTuple):
    """A place in a deck."""

    id: str
    name: Localized
    headings: tuple[str, ...] = ()
    """Those under which lists write it."""
    ends_at_label: bool = False
    """Whether a label below its cards ends it, or an empty line if the first zone holds nothing; then the first begins."""


class ListWords(NamedTuple):
    """What people write around the cards, for the readers."""

    marks: Mapping[str, str] = MappingProxyType({})
    """From words on a card's own line to the zone they name."""
    labels: frozenset[str] = frozenset()
    """Headings that sort cards within a zone (types, costs, civilizations)."""
    totals: frozenset[str] = frozenset()
    """The words that stand before or behind a sum."""
    columns: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The heads of columns: "count", "name", "zone", "kind" (may name a zone) or "other" (never does)."""
    counters: tuple[str, ...] = ()
    """The words behind a number of copies (枚)."""
    notes: tuple[str, ...] = ()
    """What sites glue to a name and what is no part of it."""
    notations: tuple[str, ...] = ()
    """Those of other tools in which lists of this game come without saying so."""


class Game(NamedTuple):
    """One game's vocabulary."""

    id: str
    name: Localized
    folding: Folding
    attributes: Mapping[str, Attribute]
    zones: Mapping[str, Zone]
    """The first is where a card stands unless a list says otherwise."""
    statuses: Mapping[str, Localized]
    """What a banlist can say of a card, from mild to strict, by id."""
    words: ListWords
    charts: tuple[str, ...] = ()
    """The attributes by whose values a field of decks is worth looking at."""
    assumed_absent: Mapping[str, frozenset[str]] = MappingProxyType({})
    """From an attribute to the values that a card is taken to lack where nothing is known, if that breaks no rule."""

    @property
    def has_homes(self) -> bool:
        """Whether cards of this game may live in another zone than the first."""
        return any(attribute.kind == "home" for attribute in self.attributes.values())

    @property
    def default_zone(self) -> str:
        """The id of the zone for entries under no heading."""
        return next(iter(self.zones))
