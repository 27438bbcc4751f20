"""The words of a format, checked against the game: attributes, values, names, statuses, zones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from deckcheck.formats.placed import Placed
from deckcheck.model.card import Catalog
from deckcheck.model.game import Attribute, Game
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.messages import Words, _
from deckcheck.support.schema import MOST_PROBLEMS
from deckcheck.support.yamlfile import Document, Keys

MOST_DEPTH = 50
MOST_PIECES = 20_000


@dataclass(slots=True)
class Context:
    """What the words are checked against, and what has been found so far.

    `statuses` collects the statuses of cards that some rule looks at, `combined`
    those of combinations, `used` the
    definitions that some predicate refers to, `found` the words of the card
    table by attribute. `lent` are the zones that the format of each file has,
    by shown path. `each` is the attribute of the
    `for_each` around the predicate at hand (EACH: any would do), and `looped`
    tells that `$each` was met; `asks` names the key under which neither
    `$each` nor `outside` has a meaning.
    """

    game: Game
    catalog: Catalog
    zones: Iterable[str]
    definitions: dict[str, Placed]
    lent: Mapping[str, frozenset[str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    statuses: dict[str, tuple[Document, Keys]] = field(default_factory=dict)
    combined: dict[str, tuple[Document, Keys]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    each: str | None = None
    looped: bool = False
    asks: str | None = None
    depth: int = 0
    pieces: int = 0
    found: dict[str, frozenset[str]] = field(default_factory=dict)

    def values(self, attribute: Attribute) -> Collection[str]:
        """The words that an attribute can have: those the game lists, else those that it names and those of the card table."""
        if attribute.values:
            return attribute.values
        if attribute.id not in self.found:
            facts = [
                facts.get(attribute.id)
                for card in self.catalog
                for facts in (card.facts, *(part.facts for part in card.parts + card.faces))
            ]
            words = [fact for fact in facts if isinstance(fact, frozenset)]
            self.found[attribute.id] = frozenset(attribute.names or ()).union(*words)
        return self.found[attribute.id]

    def wrong(self, place: Placed, message: Words, hint: Words | None = None) -> None:
        """Note a problem at a place. Raises UserError when there are enough of them."""
        self.problems.append(place.document.problem(place.keys, message, hint))
        if len(self.problems) >= MOST_PROBLEMS:
            raise UserError(self.problems)

    @contextmanager
    def below(self, place: Placed, asks: str | None = None) -> Iterator[None]:
        """Go into a predicate, perhaps one under a key that asks without the deck. Raises UserError.

        Definitions refer to one another, so a small file can write a huge predicate.
        """
        self.depth += 1
        self.pieces += 1
        if self.depth > MOST_DEPTH or self.pieces > MOST_PIECES:
            message = _("the predicates are too large or nested too deeply")
            raise UserError([*self.problems, place.document.problem(place.keys, message)])
        before, self.asks = self.asks, asks or self.asks
        yield
        self.asks = before
        self.depth -= 1


def inside(place: Placed, *keys: str | int) -> Placed:
    """The piece below a piece."""
    data = place.data
    for key in keys:
        data = data[key]
    return Placed(data, place.document, (*place.keys, *keys))


def listed(place: Placed) -> Iterator[Placed]:
    """The items of a list, or the one value that stands in its stead."""
    if isinstance(place.data, list):
        for at in range(len(place.data)):
            yield inside(place, at)
    else:
        yield place


def card_name(place: Placed, context: Context) -> str:
    """The canonical name of the one card that is meant."""
    name = str(place.data)
    cards = context.catalog.find(name)
    if len(cards) == 1:
        return cards[0].name
    if cards:
        names = " / ".join(card.name for card in cards)
        context.wrong(place, _("{name!r} may be any of {names}", name=name, names=names))
    else:
        near = context.catalog.suggest(name)[:1]
        hint = _("did you mean {near!r}?", near=near[0]) if near else None
        context.wrong(place, _("there is no card {name!r}", name=name), hint)
    return name


def status_of(place: Placed, context: Context) -> str:
    """The status of cards that a word names; the context remembers that a rule looks at it."""
    return _status(place, context, context.statuses)


def combined_status(place: Placed, context: Context) -> str:
    """As `status_of`, of combinations."""
    return _status(place, context, context.combined)


def _status(place: Placed, context: Context, asked: dict[str, tuple[Document, Keys]]) -> str:
    name = str(place.data)
    if name not in context.game.statuses:
        hint = did_you_mean(name, context.game.statuses)
        context.wrong(place, _("there is no status {name!r}", name=name), hint)
    asked.setdefault(name, (place.document, place.keys))
    return name


def attribute_of(place: Placed, context: Context) -> Attribute | None:
    """The attribute that a word names."""
    return attribute_named(str(place.data), place, context)


def attribute_named(name: str, place: Placed, context: Context) -> Attribute | None:
    """The attribute of that name, for which the place asks."""
    found = context.game.attributes.get(name)
    if found is None:
        words = [
            *context.game.attributes,
            "all",
            "any",
            "not",
            "ref",
            "name",
            "status",
            "any_part",
            "no_other_card",
        ]
        hint = did_you_mean(name, words)
        context.wrong(place, _("there is no attribute {name!r}", name=name), hint)
    return found


def zone_of(place: Placed, context: Context) -> None:
    """Note a problem when a word names no zone of the format."""
    if place.data not in context.zones:
        hint = did_you_mean(place.data, context.zones)
        message = _("this format has no zone {data!r}", data=place.data)
        context.wrong(place, message, hint)


def value_of(attribute: Attribute, place: Placed, context: Context) -> None:
    """Note a problem when a value is none of the attribute's."""
    known: Iterable[str] = context.values(attribute) if attribute.kind == "values" else ()
    if attribute.kind != "number" and not isinstance(place.data, str):
        context.wrong(
            place,
            _("{attribute} is a word: put {data!r} in quotes", attribute=attribute.name, data=place.data),
        )
        return
    if attribute.kind == "home":
        known = context.game.zones
    elif attribute.kind == "number":
        if not isinstance(place.data, int | float):
            context.wrong(place, _("{data!r} is no number", data=place.data))
        return
    elif attribute.kind == "rank":
        known = [code for codes in attribute.order for code in codes]
    if known and str(place.data) not in known:
        hint = did_you_mean(place.data, known)
        context.wrong(place, _("{data!r} is no {attribute}", data=place.data, attribute=attribute.name), hint)
