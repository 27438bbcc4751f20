"""A format on a day, and the classes of cards that its clauses can't tell apart.

They reduce a pool of thousands to hundreds.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from deckcheck.checking.judge import LoadedFormat, PreparedFormat
from deckcheck.model import format as model
from deckcheck.model.card import Card, Catalog, card_named
from deckcheck.model.format import EACH, NAMES, Clause, Predicate, leaves, parts_of
from deckcheck.rules.counting import known_values
from deckcheck.rules.evaluator import PreparedClause, absent_facts
from deckcheck.rules.implication import tighter
from deckcheck.rules.predicates import World, holds

_BLANK = Card("", "", {})
_ZONE_LEAVES = (model.Outside, model.Naming)


class CardClass(NamedTuple):
    """Cards that every rule treats alike."""

    card: Card
    """The oldest of the cards, whose facts represent those of all."""
    names: tuple[str, ...]
    """The names of all the cards, oldest first."""


class _Question(NamedTuple):
    """A condition on cards that some clause checks in one of the worlds."""

    predicate: Predicate
    world: int


def is_fixed(predicate: Predicate) -> bool:
    """Whether the answer for a card is the same in every deck and for every value of a loop."""
    return not any(
        isinstance(leaf, _ZONE_LEAVES) or (isinstance(leaf, model.Has) and EACH in leaf.values)
        for leaf in _all_leaves(predicate)
    )


def counts_of(clause: Clause) -> Iterator[Clause]:
    """Yields the clause and every count in its bounds, condition and alternatives."""
    yield clause
    for term in clause.terms:
        yield from counts_of(term.clause)
    if clause.condition is not None:
        yield from counts_of(clause.condition)
    for way in clause.either:
        yield from counts_of(way)


def card_classes(
    catalog: Catalog, clauses: Sequence[PreparedClause], apart: Collection[str] = ()
) -> list[CardClass]:
    """The classes of the cards that are released on all days of the clauses, oldest first.

    Each card named in `apart` has its own class. Cards made of other cards are left out.
    """
    traits = _RelevantFacts(clauses, frozenset(apart))
    groups = catalog.groups(traits.fields, traits.aspect)
    return _card_groups((CardClass(*group) for group in groups if traits.is_out(group[0])), catalog, traits)


def _card_groups(groups: Iterable[CardClass], catalog: Catalog, traits: "_RelevantFacts") -> list[CardClass]:
    """Merges groups of cards into classes. Each card that is named in facts where clauses look for it has its own."""
    groups = list(groups)
    mentioned = _referenced_names(groups, traits)
    found: dict[object, tuple[Card, list[str]]] = {}
    for card, names in groups:
        for name in names if mentioned else ():
            if name in mentioned and (named := card_named(catalog, name)):
                found[name] = (named, [name])
        others = [name for name in names if name not in mentioned]
        if others:
            found.setdefault(traits.answers(card), (card, []))[1].extend(others)
    return [CardClass(card, tuple(names)) for card, names in found.values()]


def _referenced_names(groups: Iterable[CardClass], traits: "_RelevantFacts") -> set[str]:
    """The names in the facts of cards in which clauses look for names."""
    named = (known_values(group.card, attribute) for group in groups for attribute in traits.naming)
    return set[str]().union(*named)


class ClassMerger:
    """Merges the classes of cards for many clauses into those for a few of these clauses.

    Each card named in `apart` keeps its own class.
    """

    def __init__(self, classes: Sequence[CardClass], apart: Collection[str] = ()) -> None:
        self._classes = classes
        self._apart = [names[0] if names[0] in apart else None for _card, names in classes]
        self._column_cache: dict[PreparedClause, list[int]] = {}

    def __call__(self, clauses: Iterable[PreparedClause]) -> list[CardClass]:
        """The classes of cards that these clauses can't tell apart."""
        keys = zip(self._apart, *map(self._column, dict.fromkeys(clauses)), strict=True)
        found: dict[object, tuple[Card, list[str]]] = {}
        for key, (card, names) in zip(keys, self._classes, strict=True):
            found.setdefault(key, (card, []))[1].extend(names)
        return [CardClass(card, tuple(names)) for card, names in found.values()]

    def _column(self, clause: PreparedClause) -> list[int]:
        """A number for each class, equal for classes that the clause can't tell apart."""
        column = self._column_cache.get(clause)
        if column is None:
            traits, numbers = _RelevantFacts([clause], frozenset()), dict[object, int]()
            mentioned = _referenced_names(self._classes, traits)
            keys = (
                (traits.answers(card), names[0] if names[0] in mentioned else None)
                for card, names in self._classes
            )
            column = self._column_cache[clause] = [numbers.setdefault(key, len(numbers)) for key in keys]
        return column


class _RelevantFacts:
    """The properties of cards on which the clauses depend."""

    def __init__(self, clauses: Sequence[PreparedClause], apart: frozenset[str]) -> None:
        self.days = sorted({clause.world.as_of for clause in clauses})
        self._worlds: list[World] = []
        questions: dict[_Question, None] = {}
        self._raw: set[str] = set()
        for clause in clauses:
            questions |= dict.fromkeys(_questions(clause, self._world_index(clause.world)))
            self._raw |= _raw_attributes(clause.clause)
        self._fixed = [question for question in questions if is_fixed(question.predicate)]
        self._leaves: dict[str, dict[_Question, None]] = {}
        for predicate, world in questions:
            for leaf in _all_leaves(predicate):
                if isinstance(leaf, model.NoOtherCard):
                    self._raw.add(leaf.same)
                elif not isinstance(leaf, _ZONE_LEAVES):
                    self._leaves.setdefault(_field(leaf), {})[_Question(leaf, world)] = None
        self._apart = apart
        self._names = set(apart).union(
            *(leaf.names for leaf, _ in self._leaves.get("name", ()) if isinstance(leaf, model.Named)),
            *(self._worlds[world].statuses for _, world in self._leaves.get("status", ())),
        )
        self.naming = {
            leaf.attribute
            for predicate, _world in questions
            for leaf in leaves(predicate)
            if isinstance(leaf, model.Naming)
        }
        self.fields = {"home", "partial", "dated", "released", "made_of", *self._raw, *self._leaves}
        if any(_asks_parts(predicate) for predicate, _world in questions):
            self.fields.add("parts")

    def _world_index(self, world: World) -> int:
        """The index of a world; equal worlds share one."""
        if world not in self._worlds:
            self._worlds.append(world)
        return self._worlds.index(world)

    def is_out(self, card: Card) -> bool:
        """Whether the card was released on all days, and isn't made of other cards."""
        return not card.made_of and all((card.released or "") <= day for day in self.days)

    def aspect(self, field: str, value: Any) -> object:
        """The part of a card's field or fact that matters to the clauses."""
        match field:
            case "name":
                return self._of_name(value)
            case "home":
                return (field, value)
            case "partial":
                return (field, value & (self._raw | self._leaves.keys()))
            case "dated":
                kept = {key: days for key, days in value.items() if key in self._leaves}
                return (field, repr(kept)) if kept else None
            case "released":
                return (field, *(value > day for day in self.days))
            case "made_of":
                return (field, bool(value))
            case "printings":
                return self._in_leaves(field, _BLANK._replace(printings=(value,)))
            case "parts":
                wanted = self._raw | self._leaves.keys()
                facts = [
                    frozenset(fact for fact in part.facts.items() if fact[0] in wanted) for part in value
                ]
                return (field, *facts)
        if field in self._raw:
            return (field, value)
        return self._in_leaves(field, _BLANK._replace(facts={field: value}))

    def _of_name(self, name: str) -> object:
        if name not in self._names:
            return None
        named = [
            name in leaf.names for leaf, _ in self._leaves.get("name", ()) if isinstance(leaf, model.Named)
        ]
        statuses = [self._worlds[world].statuses.get(name) for _, world in self._leaves.get("status", ())]
        return ("name", name if name in self._apart else None, *named, *statuses)

    def _in_leaves(self, field: str, card: Card) -> object:
        """The answers of the leaves that ask for a field, for a card that has only that field."""
        asked = self._leaves.get(field)
        if not asked:
            return None
        return (field, *(holds(leaf, card, self._worlds[world]) for leaf, world in asked))

    def answers(self, card: Card) -> tuple[object, ...]:
        """The clauses' answers for a card; equal for cards of one class."""
        raw = [(card.facts.get(attribute), attribute in card.partial) for attribute in sorted(self._raw)]
        fixed = [holds(predicate, card, self._worlds[world]) for predicate, world in self._fixed]
        return (card.name if card.name in self._apart else None, card.home, *raw, *fixed)


def _field(leaf: Predicate) -> str:
    """The field or attribute of a card on which a leaf depends; "" for none."""
    match leaf:
        case model.Named():
            return "name"
        case model.HasStatus():
            return "status"
        case model.Home():
            return "home"
        case model.Rank():
            return "printings"
        case model.Has(attribute) | model.Containing(attribute) | model.Between(attribute):
            return attribute
        case _:
            return ""


def _all_leaves(predicate: Predicate) -> Iterator[Predicate]:
    """Yields the leaves, also those of conditions on other cards."""
    for leaf in leaves(predicate):
        yield leaf
        if isinstance(leaf, model.NoOtherCard):
            yield from _all_leaves(leaf.where)


def _asks_parts(predicate: Predicate) -> bool:
    return isinstance(predicate, model.AnyPart) or any(map(_asks_parts, parts_of(predicate)))


def _questions(clause: PreparedClause, world: int) -> Iterator[_Question]:
    """Yields a clause's conditions, the fixed leaves of those that depend on the deck, and its loops' listed values."""
    for predicate in _predicates(clause):
        yield _Question(predicate, world)
        if not is_fixed(predicate):
            for leaf in leaves(predicate):
                if is_fixed(leaf):
                    yield _Question(leaf, world)
    listed = [count.loop for count in counts_of(clause.clause) if count.loop is not None]
    for loop in listed:
        for value in loop.listed:
            yield _Question(model.Has(loop.attribute, frozenset([value])), world)


def _predicates(clause: PreparedClause) -> Iterator[Predicate]:
    for count in counts_of(clause.clause):
        if count.selection.where is not None:
            yield count.selection.where
    for prepared in (clause, *clause.either):
        for sides, _listing in prepared.combinations:
            yield from (answers.predicate for answers in sides if answers.predicate is not None)


def _raw_attributes(clause: Clause) -> set[str]:
    """The attributes whose exact values a clause needs: to compare with cards in a zone, to loop over, or to sum."""
    raw = set()
    for count in counts_of(clause):
        for leaf in leaves(count.selection.where):
            if isinstance(leaf, _ZONE_LEAVES):
                raw.add(leaf.attribute)
        if count.loop is not None and count.loop.zones and count.loop.attribute != NAMES:
            raw.add(count.loop.attribute)
        if count.summed:
            raw.add(count.counted)
    return raw


class ClauseOnDay(NamedTuple):
    """A clause of a format on a day, and the clause with those unknown facts assumed absent that the game says."""

    clause: PreparedClause
    assuming: PreparedClause

    @property
    def is_error(self) -> bool:
        """Whether a deck that breaks it is illegal."""
        return self.clause.clause.severity == "error"


def clauses_on(prepared: PreparedFormat, assumed_absent: Mapping[str, frozenset[str]]) -> list[ClauseOnDay]:
    """The clauses in force, in the order of the format."""
    found = []
    for clause in prepared.clauses:
        absent = absent_facts(clause.clause, assumed_absent)
        found.append(ClauseOnDay(clause, clause.assuming(absent) if absent else clause))
    return found


class FormatOnDay:
    """A format on a day with its clauses and the classes of its cards."""

    def __init__(self, format: LoadedFormat, as_of: str, best_of: int | None = None) -> None:
        self.format, self.as_of = format, as_of
        self.prepared = format.prepared(as_of, best_of)
        self.clauses = clauses_on(self.prepared, format.game_data.game.assumed_absent)
        self.zones = tuple(format.format.zones)
        self.default_zone = format.game_data.game.default_zone

    @cached_property
    def classes(self) -> list[CardClass]:
        """The classes of cards that no clause can tell apart."""
        return classes_for(self.format, self.clauses)

    def classes_of(self, clauses: Iterable[ClauseOnDay]) -> list[CardClass]:
        """The classes of cards that some clauses of the format, or tighter ones, can't tell apart."""
        return self._merger(way for clause in clauses for way in clause)

    @cached_property
    def _merger(self) -> ClassMerger:
        return ClassMerger(self.classes)

    def tighter(self, clause: ClauseOnDay) -> Iterator[ClauseOnDay]:
        """Yields the clause with one bound tighter by one; decks that keep the clause but not this are on the bound."""
        before = clause.clause
        for tight in tighter(before.clause):
            prepared = PreparedClause(before.rule, tight, self.format.format.banlists, before.world)
            yield ClauseOnDay(prepared, prepared)

    @cached_property
    def errors(self) -> list[ClauseOnDay]:
        """The clauses that a legal deck keeps."""
        return [clause for clause in self.clauses if clause.is_error]


def classes_for(
    format: LoadedFormat, clauses: Iterable[ClauseOnDay], apart: Collection[str] = ()
) -> list[CardClass]:
    """The classes of the cards of a game that none of the clauses can tell apart."""
    ways = [way for clause in clauses for way in dict.fromkeys(clause)]
    return card_classes(format.game_data.catalog, ways, apart)
