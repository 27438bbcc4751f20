"""The words that a format can use: those of the language, and those of its file, checked against its game and its cards.

Names in either language become ids. The words of the language are those that schemas/format.schema.json defines: beside
the JSON Schema's own keys each has `said` (its sentence), `excludes` and `default`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from deckcheck.formats.inheritance import Piece
from deckcheck.formats.lookup import folded
from deckcheck.model import format as model
from deckcheck.model.banlist import Edition
from deckcheck.model.card import Catalog, several_cards
from deckcheck.model.game import Attribute, AttributeKind, Game
from deckcheck.support.dates import is_day, no_such_day
from deckcheck.support.documents import MOST_PROBLEMS, Document, load_schema
from deckcheck.support.errors import (
    MOST_LISTED,
    Problem,
    UserError,
    did_you_mean,
    there_are,
    user_error,
    which_of,
)
from deckcheck.support.messages import Localized, Message, Words, _, localized, series
from deckcheck.support.templates import render

MESSAGE_FIELDS = ("card", "found", "allowed", "zone", "each")
COMPARED = {
    AttributeKind.VALUES: ("containing", "outside", "naming"),
    AttributeKind.NUMBER: ("at_least", "at_most"),
    AttributeKind.RANK: ("at_least", "at_most"),
    AttributeKind.HOME: (),
}
"""The comparisons that each kind of attribute accepts."""

MOST_SHOWN = 60
"""The most values of an attribute that the list of all words has."""


class Word(Struct, frozen=True):
    """One word of the language."""

    excludes: tuple[str, ...]
    """The words that can't be used with it."""
    default: str | None
    """The meaning if the word is omitted."""
    said: Message
    """Its part of a sentence, with fields; empty if it has none."""


class Grammar:
    """The words of rules, of conditions and of comparisons, by name."""

    def __init__(self) -> None:
        definitions = load_schema("format")["definitions"]
        self.rules = _words_of(definitions, "clause")
        self.conditions = _words_of(definitions, "predicate")
        self.comparisons = _words_of(definitions, "comparison")

    def clashing(self, written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yields pairs of words in a clause that can't be used together; words with default values go with all."""
        used = {name for name, value in written.items() if value != self.rules[name].default}
        for name in written:
            for other in self.rules[name].excludes:
                if name in used and other in used:
                    yield name, other


def _words_of(definitions: Mapping[str, Any], place: str) -> dict[str, Word]:
    """The words of a definition of the schema, by name."""
    return {name: _word(data) for name, data in definitions[place]["properties"].items()}


def _word(data: Mapping[str, Any]) -> Word:
    said = data.get("said", {"en": "", "ja": ""})
    excludes = tuple(data.get("excludes", ()))
    return Word(excludes, data.get("default"), Message(said["en"], japanese=said["ja"]))


def date_problems(days: Iterable[Document]) -> Iterator[Problem]:
    """Yields problems with invalid dates and dates that aren't in order."""
    before = ""
    for day in days:
        if not is_day(day.data):
            yield day.problem(no_such_day(day.data))
        elif day.data <= before:
            yield day.problem(_("the dates are not in order"))
        before = day.data


def editions_of(source: Mapping[str, Any]) -> tuple[Edition, ...]:
    """The editions that a `source` gives: several, one, or none."""
    editions = source.get("editions") or ([source] if source.keys() & {"edition", "date"} else [])
    return tuple(Edition(edition.get("edition", ""), edition.get("date")) for edition in editions)


def cite_of(data: Mapping[str, str]) -> Localized | None:
    """The section of the rule text that a rule or a hint names."""
    return localized(data["cite"]) if "cite" in data else None


def names_by_word(ids: Iterable[str], names: Mapping[str, Localized]) -> dict[str, set[str]]:
    """The ids that each folded word may mean: an id, or a name in either language."""
    by_word: dict[str, set[str]] = {}
    for id in ids:
        name = names.get(id)
        for word in (id, *(() if name is None else (name.ja, name.en))):
            by_word.setdefault(folded(word), set()).add(id)
    return by_word


def attribute_named(name: str, game: Game, others: Sequence[str] = ()) -> Attribute:
    """The attribute with that id or name in either language. Raises UserError, with what it or the `others` are called."""
    if name in game.attributes:
        return game.attributes[name]
    names = {id: attribute.name for id, attribute in game.attributes.items()}
    meant = names_by_word(names, names).get(folded(name), ())
    if len(meant) == 1:
        return game.attributes[min(meant)]
    hint = did_you_mean(name, [*others, *names])
    if hint is None:
        listed = series([*others, *(_named(id, name) for id, name in names.items())])
        hint = _("there are: {words}", words=listed)
    raise user_error(_("there is no attribute {name!r}", name=name), hint=hint)


@dataclass(slots=True)
class Context:
    """What the words of a format are checked against, and the problems found so far.

    `unplayed` are the zones that only extended formats have, `own_path` is that of the format itself; `statuses` and
    `combined` are the statuses of cards and of combinations that rules look at, `used` the definitions that conditions refer
    to, `descriptions` what the file calls the cards that meet some conditions, `diff_and_save` those of the banlists.
    """

    game: Game
    catalog: Catalog
    zones: Collection[str] = ()
    definitions: Mapping[str, Piece] = field(default_factory=dict)
    unplayed: Collection[str] = ()
    own_path: str = ""
    problems: list[Problem] = field(default_factory=list)
    statuses: dict[str, Document] = field(default_factory=dict)
    combined: dict[str, Document] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    descriptions: dict[model.Predicate, Localized] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)
    conditions: int = 0
    grammar: Grammar = field(default_factory=Grammar)

    def report(self, node: Document, message: Words, hint: Words | None = None) -> None:
        """Note a problem. Raises UserError with all of them if there are MOST_PROBLEMS."""
        self.add([node.problem(message, hint)])

    def add(self, problems: Iterable[Problem]) -> None:
        """Like `report`, for complete problems."""
        for problem in problems:
            self.problems.append(problem)
            if len(self.problems) >= MOST_PROBLEMS:
                raise UserError(self.problems)

    def refuse(self) -> None:
        """Raise UserError with the problems, each once, if there are any."""
        if self.problems:
            raise UserError(list(dict.fromkeys(self.problems)))

    def check_word(
        self, node: Document, known: Iterable[str], message: Words, word: str | None = None
    ) -> bool:
        """Whether the word, by default that at the node, is known; if not, note the problem with similar or all words."""
        word = str(node.data) if word is None else word
        words = list(known)
        if word in words:
            return True
        self.report(node, message, which_of(word, words))
        return False

    def card_name(self, node: Document) -> str:
        """The canonical name of the single card that is meant; if there is none, notes the problem."""
        name = str(node.data)
        cards = self.catalog.find(name)
        if len(cards) == 1:
            return cards[0].name
        if cards:
            self.report(node, several_cards(name, (card.name for card in cards)))
        else:
            near = self.catalog.suggest(name)[:1]
            hint = _("did you mean {near!r}?", near=near[0]) if near else None
            self.report(node, _("there is no card {name!r}", name=name), hint)
        return name

    def status(self, node: Document, *others: str) -> bool:
        """Whether a word is a status of the game or one of these others; if not, note the problem."""
        known = (*self.game.statuses, *others)
        return self.check_word(node, known, _("there is no status {name!r}", name=str(node.data)))

    def attribute(self, node: Document, name: str | None = None) -> Attribute | None:
        """The attribute that the word, or `name` in its place, means; if there is none, notes the problem."""
        try:
            return attribute_named(name or str(node.data), self.game, list(self.grammar.conditions))
        except UserError as error:
            self.report(node, error.problems[0].message, error.problems[0].hint)
            return None

    def attributes_of(self, *kinds: AttributeKind) -> Words | None:
        """A hint with the attributes of these kinds."""
        return there_are([id for id, attribute in self.game.attributes.items() if attribute.kind in kinds])

    def zone(self, node: Document) -> None:
        """Note a problem if a word isn't a zone of the format; none if a misspelt zone, which is told, may be that one."""
        if node.data in self.game.zones and not self.game.zones.keys() >= set(self.zones):
            return
        self.check_word(node, self.zones, _("this format has no zone {zone!r}", zone=str(node.data)))

    def value(self, attribute: Attribute, node: Document) -> str | float:
        """The id of the value, or the number, that the attribute can have; if it can't, notes the problem."""
        value, name = node.data, attribute.name
        if attribute.kind == AttributeKind.NUMBER:
            if isinstance(value, int | float):
                return value
            message = _("{value!r} is not a number", value=value)
            if isinstance(value, str) and value.isdecimal():
                message = _("{value!r} is text: remove the quotes", value=value)
            self.report(node, message)
        elif not isinstance(value, str):
            message = _(
                "the values of {attribute} are words: put {value} in quotes", attribute=name, value=value
            )
            self.report(node, message)
        else:
            return self._word_value(attribute, node)
        return str(value)

    def _word_value(self, attribute: Attribute, node: Document) -> str:
        value, known = str(node.data), values_of(attribute, self.game, self.catalog)
        if value in known or not known:
            return value
        meant = names_by_word(known, value_names(attribute, self.game)).get(folded(value), ())
        if len(meant) == 1:
            return min(meant)
        if meant:
            hint: Words | None = _("it may be any of {values}", values=series(sorted(meant)))
        else:
            hint = self._value_hint(attribute, value, known)
        message = _("{attribute} has no value {value!r}", attribute=attribute.name, value=value)
        self.report(node, message, hint)
        return value

    def _value_hint(self, attribute: Attribute, value: str, known: Collection[str]) -> Words:
        """All values of the attribute if there are few, else the most similar ones and where to find all."""
        names = value_names(attribute, self.game)
        if len(known) <= MOST_LISTED:
            return _("values: {values}", values=series(_named(id, names.get(id)) for id in known))
        everything = _("`deckcheck formats values {game}` lists them", game=self.game.id)
        near = did_you_mean(value, [*known, *(name.en for name in names.values())])
        return everything if near is None else _("{hint} {more}", hint=near, more=everything)

    def source(self, node: Document) -> None:
        """Note problems with the days of a source and its editions."""
        self.add(date_problems(node.under("date")))
        self.add(date_problems(edition.at("date") for edition in node.under("editions")))


def values_of(attribute: Attribute, game: Game, catalog: Catalog) -> Collection[str]:
    """The ids of all values of an attribute, in the game's order; those that it doesn't list come from the cards."""
    if attribute.kind == AttributeKind.HOME:
        return tuple(game.zones)
    if attribute.kind == AttributeKind.RANK:
        return tuple(code for codes in attribute.order for code in codes)
    if attribute.values:
        return attribute.values
    return sorted(catalog.words(attribute.id).union(attribute.names))


def value_names(attribute: Attribute, game: Game) -> Mapping[str, Localized]:
    """The names of an attribute's values."""
    return (
        {id: zone.name for id, zone in game.zones.items()}
        if attribute.kind == AttributeKind.HOME
        else attribute.names
    )


def _named(id: str, name: Localized | None) -> Words:
    """An id with its name, unless they are the same."""
    if name is None:
        return Localized(id, id)
    ja = id if id == name.ja else f"{id}（{name.ja}）"
    en = id if id == name.en else f"{id} ({name.en})"
    return Localized(ja, en)


def describe_values(game: Game, catalog: Catalog, lang: str, only: Attribute | None = None) -> str:
    """What conditions, `in` and `status` can name, or all values of one attribute. Either language may be written."""
    return render(
        "values.txt",
        lang,
        game=game,
        attributes=list(game.attributes.values()) if only is None else [only],
        most=MOST_SHOWN if only is None else None,
        values_of=lambda attribute: values_of(attribute, game, catalog),
        names_of=lambda attribute: value_names(attribute, game),
    )
