"""A game as defined in `formats/<game>/game.yaml`: its attributes, zones, statuses and words."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from deckcheck.support.messages import Localized, Words, _, series


class AttributeKind(StrEnum):
    """What the values of an attribute are."""

    VALUES = "values"
    """A set of words."""
    NUMBER = "number"
    RANK = "rank"
    """One word of an order, on each printing."""
    HOME = "home"
    """The zone of the card."""


class Folding(Struct, frozen=True):
    """How a game's names are folded, in addition to letter case and compatibility forms (NFKC)."""

    drop: str = ""
    """The characters that are dropped; white space always is."""
    replace: Mapping[str, str] = MappingProxyType({})
    """Replacements for single characters."""


class Attribute(Struct, frozen=True):
    """An attribute of cards."""

    id: str
    kind: AttributeKind
    name: Localized
    values: tuple[str, ...] = ()
    """The possible values, empty if any word is allowed."""
    names: Mapping[str, Localized] = MappingProxyType({})
    """The names of the values."""
    order: tuple[tuple[str, ...], ...] = ()
    """The ranks from low to high, with equal ranks grouped."""
    says: Mapping[str, Localized] = MappingProxyType({})
    """What sentences say of the cards that have a value."""

    def value_name(self, value: str) -> Localized:
        """The name of a value; a value without one is its own name."""
        return self.names.get(value) or Localized(value, value)

    def value_names(self, values: Collection[str]) -> Words:
        """The names of values in the order of the game, as one value."""
        order = {value: place for place, value in enumerate(self.values)}
        ordered = sorted(values, key=lambda value: (order.get(value, len(order)), value))
        return series(map(self.value_name, ordered)) if ordered else _("none")


class Zone(Struct, frozen=True):
    """A zone of a deck."""

    id: str
    name: Localized
    headings: tuple[str, ...] = ()
    """Its headings in lists."""
    ends_at_label: bool = False
    """Whether a label below its cards resumes the default zone, or an empty line if that would have no cards."""


class ListWords(Struct, frozen=True):
    """The words around the cards in lists."""

    marks: Mapping[str, str] = MappingProxyType({})
    """Maps words on a card's own line to zones."""
    labels: frozenset[str] = frozenset()
    """Headings that sort cards within a zone (types, costs, civilizations)."""
    totals: frozenset[str] = frozenset()
    """The words before or after a sum."""
    columns: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The column heads by role: "count", "name", "zone", "kind" (may name a zone) or "other" (never does)."""
    counters: tuple[str, ...] = ()
    """The counter words after a number of copies."""
    notes: tuple[str, ...] = ()
    """Texts that web sites add to a name."""
    notations: tuple[str, ...] = ()
    """The notations of other tools that lists of this game may be in without any sign of it."""
    answers_yes: tuple[str, ...] = ()
    """Cells that say that a card is in the deck."""
    none: tuple[str, ...] = ()
    """The words behind a zone that say that it has no cards."""
    answers_no: tuple[str, ...] = ()
    """Cells that say that it isn't."""
    numerals: tuple[str, ...] = ()
    """Words that may be a count."""
    singles: tuple[str, ...] = ()
    """Words beside a card that may say that there is one copy of it."""
    amounts: tuple[str, ...] = ()
    """Words that in brackets of their own may say another number."""
    for_each: tuple[str, ...] = ()
    """Words in front of the number of copies of each of several cards."""
    from_here: tuple[str, ...] = ()
    """Words in front of the heading of a zone."""
    dittos: tuple[str, ...] = ()
    """What stands for the card of the line or slot before."""
    out: tuple[str, ...] = ()
    """Words beside a card that may say that it isn't in the deck."""
    printed: tuple[str, ...] = ()
    """Ranks, sets and the like, which say nothing of the deck; `{n}` stands for a number."""
    kinds: tuple[str, ...] = ()
    """Words behind the number of different cards."""
    in_titles: tuple[str, ...] = ()
    """What holds a number in the name of a deck, and counts no card."""
    joints: tuple[str, ...] = ()
    """Words between names or labels."""
    choices: tuple[str, ...] = ()
    """Words between two numbers of which one is meant."""
    sentence_ends: tuple[str, ...] = ()
    """The last words of sentences without a full stop."""
    of_list: tuple[str, ...] = ()
    """Words with which a line speaks of its list."""


class Game(Struct, frozen=True):
    """A game."""

    id: str
    name: Localized
    folding: Folding
    attributes: Mapping[str, Attribute]
    zones: Mapping[str, Zone]
    """Zones by id; the first is the default zone."""
    statuses: Mapping[str, Localized]
    """The statuses of banlists by id, from mild to strict."""
    words: ListWords
    assumed_absent: Mapping[str, frozenset[str]] = MappingProxyType({})
    """The values by attribute that a card with unknown facts is assumed to lack, if that breaks no rule."""

    @property
    def has_homes(self) -> bool:
        """Whether cards of this game have home zones."""
        return any(attribute.kind == AttributeKind.HOME for attribute in self.attributes.values())

    @property
    def default_zone(self) -> str:
        """The id of the zone for entries under no heading."""
        return next(iter(self.zones))
