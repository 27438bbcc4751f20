"""Pieces of a file with their places, and the words in them checked against the game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from deckcheck.model.banlist import FREE_STATUS
from deckcheck.model.card import Catalog
from deckcheck.model.game import Attribute, Game
from deckcheck.rules.grammar import Grammar
from deckcheck.support.dates import no_such_day
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.messages import Words, _
from deckcheck.support.schema import MOST_PROBLEMS
from deckcheck.support.yamlfile import Document, Keys

MOST_DEPTH = 50
MOST_CONDITIONS = 20_000


class Node(NamedTuple):
    """A piece of a file: its plain value and where it is."""

    data: Any
    document: Document
    keys: Keys = ()

    def at(self, *keys: str | int) -> Node:
        """The piece below."""
        data = self.data
        for key in keys:
            data = data[key]
        return Node(data, self.document, (*self.keys, *keys))

    def under(self, key: str) -> list[Node]:
        """The items of the list or the one value under a key; none without the key."""
        return self.at(key).items() if key in self.data else []

    def items(self) -> list[Node]:
        """The items of a list, or the one value that is there in its place."""
        return [self.at(at) for at in range(len(self.data))] if isinstance(self.data, list) else [self]

    @property
    def line(self) -> int:
        """The line where it begins."""
        return self.document.line(self.keys)

    @property
    def place(self) -> str:
        """The shown path and the line."""
        return f"{self.document.path}:{self.line}"

    def problem(self, message: Words, hint: Words | None = None) -> Problem:
        """A problem with it."""
        return self.document.problem(self.keys, message, hint)


def whole(document: Document) -> Node:
    """All of a file."""
    return Node(document.data, document)


def is_day(written: str) -> bool:
    """Whether a date that is written as it must be is a day of the calendar."""
    try:
        date.fromisoformat(written)
    except ValueError:
        return False
    return True


def twice(nodes: Iterable[Node]) -> Iterator[Node]:
    """Those that say what an earlier one said."""
    seen: set[Any] = set()
    for node in nodes:
        if node.data in seen:
            yield node
        seen.add(node.data)


def listed_twice(name: object) -> Words:
    """What is wrong with a name that is given again in a list."""
    return _("{name!r} is listed twice", name=str(name))


@dataclass(slots=True)
class Context:
    """What the words of a format are checked against, and the problems found so far.

    `extended_zones` are the zones of the format of each file, by shown path.
    `statuses` collects the statuses of cards that some rule looks at,
    `combined` those of combinations, `used` the definitions that some
    condition refers to.
    """

    game: Game
    catalog: Catalog
    zones: Collection[str] = ()
    definitions: Mapping[str, Node] = field(default_factory=dict)
    extended_zones: Mapping[str, frozenset[str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    statuses: dict[str, Node] = field(default_factory=dict)
    combined: dict[str, Node] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    conditions: int = 0
    _values: dict[str, frozenset[str]] = field(default_factory=dict)

    def wrong(self, node: Node, message: Words, hint: Words | None = None) -> None:
        """Note a problem. Raises UserError when there are enough of them."""
        self.problems.append(node.problem(message, hint))
        if len(self.problems) >= MOST_PROBLEMS:
            raise UserError(self.problems)

    def count_condition(self, node: Node, depth: int) -> None:
        """Raise UserError for conditions that are too large: they refer to one another, so a small file can write huge ones."""
        self.conditions += 1
        if depth > MOST_DEPTH or self.conditions > MOST_CONDITIONS:
            problem = node.problem(_("the conditions are too large or nested too deeply"))
            raise UserError([*self.problems, problem])

    def values(self, attribute: Attribute) -> Collection[str]:
        """The words that an attribute can have: those the game lists, else those that it names and those of the card table."""
        if attribute.values:
            return attribute.values
        if attribute.id not in self._values:
            facts = [
                facts.get(attribute.id)
                for card in self.catalog
                for facts in (card.facts, *(part.facts for part in card.parts + card.faces))
            ]
            words = [fact for fact in facts if isinstance(fact, frozenset)]
            self._values[attribute.id] = frozenset(attribute.names or ()).union(*words)
        return self._values[attribute.id]

    def card_name(self, node: Node) -> str:
        """The canonical name of the one card that is meant."""
        name = str(node.data)
        cards = self.catalog.find(name)
        if len(cards) == 1:
            return cards[0].name
        if cards:
            names = " / ".join(card.name for card in cards)
            self.wrong(node, _("{name!r} may be any of {names}", name=name, names=names))
        else:
            near = self.catalog.suggest(name)[:1]
            hint = _("did you mean {near!r}?", near=near[0]) if near else None
            self.wrong(node, _("there is no card {name!r}", name=name), hint)
        return name

    def status(self, node: Node, asked: dict[str, Node]) -> str:
        """The status that a word names; `asked` remembers that a rule looks at it."""
        name = str(node.data)
        self._known(node, self.game.statuses, _("there is no status {name!r}", name=name))
        asked.setdefault(name, node)
        return name

    def listed_status(self, node: Node) -> bool:
        """Whether a word is what a list can say of a card."""
        known = (*self.game.statuses, FREE_STATUS)
        return self._known(node, known, _("there is no status {name!r}", name=str(node.data)))

    def attribute(self, node: Node, name: str | None = None) -> Attribute | None:
        """The attribute that the word, or `name` at its place, means."""
        name = str(node.data) if name is None else name
        known = [*self.game.attributes, *Grammar().conditions]
        if name not in self.game.attributes:
            self.wrong(node, _("there is no attribute {name!r}", name=name), did_you_mean(name, known))
        return self.game.attributes.get(name)

    def zone(self, node: Node) -> None:
        """Note a problem when a word names no zone of the format."""
        self._known(node, self.zones, _("this format has no zone {zone!r}", zone=str(node.data)))

    def zone_of_game(self, node: Node, name: str) -> bool:
        """Whether the game has the zone that is named there."""
        if name in self.game.zones:
            return True
        hint = did_you_mean(name, self.game.zones)
        self.wrong(node, _("the game has no zone {zone!r}", zone=name), hint)
        return False

    def _known(self, node: Node, known: Iterable[str], message: Words) -> bool:
        if node.data in known:
            return True
        self.wrong(node, message, did_you_mean(node.data, known))
        return False

    def value(self, attribute: Attribute, node: Node) -> None:
        """Note a problem when a value is none of the attribute's."""
        value, name = node.data, attribute.name
        if attribute.kind == "number":
            if not isinstance(value, int | float):
                self.wrong(node, _("{value!r} is not a number", value=value))
        elif not isinstance(value, str):
            message = _(
                "the values of {attribute} are words: put {value} in quotes", attribute=name, value=value
            )
            self.wrong(node, message)
        else:
            ranks = [code for codes in attribute.order for code in codes]
            known = {"home": self.game.zones, "rank": ranks}.get(attribute.kind) or self.values(attribute)
            if known:
                self._known(node, known, _("{attribute} has no value {value!r}", attribute=name, value=value))

    def day(self, node: Node) -> None:
        """Note a problem when a date is no day of the calendar."""
        if not is_day(node.data):
            self.wrong(node, no_such_day(node.data))

    def source(self, node: Node) -> None:
        """Note problems with the days of a source and its editions."""
        if "date" in node.data:
            self.day(node.at("date"))
        before = ""
        for edition in node.under("editions"):
            day = edition.at("date")
            self.day(day)
            if day.data <= before:
                self.wrong(day, _("the days are not in order"))
            before = day.data
