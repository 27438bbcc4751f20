"""Classes of cards that no rule of some formats can tell apart, so that a pool of thousands becomes hundreds."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from deckcheck.model import format as model
from deckcheck.model.card import Card, Catalog, card_named
from deckcheck.model.format import EACH, NAMES, Clause, Predicate, leaves, parts_of
from deckcheck.rules.counting import known_values
from deckcheck.rules.evaluator import PreparedClause
from deckcheck.rules.predicates import World, holds

_BLANK = Card("", "", {})
_ZONE_LEAVES = (model.Outside, model.Naming)


class CardClass(NamedTuple):
    """Cards that every rule treats alike."""

    card: Card
    """The oldest of them, whose facts stand for those of all."""
    names: tuple[str, ...]
    """The names of all of them, oldest first."""


class _Question(NamedTuple):
    """A condition on cards, as some clause asks it in one of the worlds."""

    predicate: Predicate
    world: int


def is_fixed(predicate: Predicate) -> bool:
    """Whether the answer for a card is the same in every deck and for every value of a loop."""
    return not any(
        isinstance(leaf, _ZONE_LEAVES) or (isinstance(leaf, model.Has) and EACH in leaf.values)
        for leaf in _all_leaves(predicate)
    )


def counts_of(clause: Clause) -> Iterator[Clause]:
    """The clause and every count in its bounds, its condition and its alternatives."""
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
    """The classes of the cards that are out on the days of the clauses, oldest first.

    Cards named in `apart` are classes of their own. Cards that others form together are left out.
    """
    traits = _Traits(clauses, frozenset(apart))
    groups = catalog.groups(traits.fields, traits.aspect)
    return _united((CardClass(*group) for group in groups if traits.is_out(group[0])), catalog, traits)


def _united(groups: Iterable[CardClass], catalog: Catalog, traits: "_Traits") -> list[CardClass]:
    """Groups of cards as classes. Cards that facts of others name, where a clause looks for them, are their own."""
    groups = list(groups)
    mentioned = _mentioned(groups, traits)
    found: dict[object, tuple[Card, list[str]]] = {}
    for card, names in groups:
        for name in names if mentioned else ():
            if name in mentioned and (named := card_named(catalog, name)):
                found[name] = (named, [name])
        others = [name for name in names if name not in mentioned]
        if others:
            found.setdefault(traits.answers(card), (card, []))[1].extend(others)
    return [CardClass(card, tuple(names)) for card, names in found.values()]


def _mentioned(groups: Iterable[CardClass], traits: "_Traits") -> set[str]:
    """The names in facts of cards, where a clause looks for them."""
    named = (known_values(group.card, attribute) for group in groups for attribute in traits.naming)
    return set[str]().union(*named)


class ClassMerger:
    """Classes of cards that many clauses tell apart, from which those of a few of these clauses are made.

    Cards named in `apart` stay classes of their own.
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
        """A number for each class, which is the same for those that the clause can't tell apart."""
        column = self._column_cache.get(clause)
        if column is None:
            traits, numbers = _Traits([clause], frozenset()), dict[object, int]()
            mentioned = _mentioned(self._classes, traits)
            keys = (
                (traits.answers(card), names[0] if names[0] in mentioned else None)
                for card, names in self._classes
            )
            column = self._column_cache[clause] = [numbers.setdefault(key, len(numbers)) for key in keys]
        return column


class _Traits:
    """What the clauses can tell of a card."""

    def __init__(self, clauses: Sequence[PreparedClause], apart: frozenset[str]) -> None:
        self.days = sorted({clause.world.as_of for clause in clauses})
        self._worlds: list[World] = []
        questions: dict[_Question, None] = {}
        self._raw: set[str] = set()
        for clause in clauses:
            questions |= dict.fromkeys(_questions(clause, self._place(clause.world)))
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
        self.fields = {"home", "partial", "released", "made_of", *self._raw, *self._leaves}
        if any(_asks_parts(predicate) for predicate, _world in questions):
            self.fields.add("parts")

    def _place(self, world: World) -> int:
        """The number of a world, which equal worlds share."""
        if world not in self._worlds:
            self._worlds.append(world)
        return self._worlds.index(world)

    def is_out(self, card: Card) -> bool:
        """Whether it is a card of its own that was out on all days."""
        return not card.made_of and all((card.released or "") <= day for day in self.days)

    def aspect(self, field: str, value: Any) -> object:
        """What matters of a field or a fact of a card."""
        match field:
            case "name":
                return self._of_name(value)
            case "home":
                return (field, value)
            case "partial":
                return (field, value & (self._raw | self._leaves.keys()))
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
        """The answers of the leaves that ask for a field, for a card that has nothing else."""
        asked = self._leaves.get(field)
        if not asked:
            return None
        return (field, *(holds(leaf, card, self._worlds[world]) for leaf, world in asked))

    def answers(self, card: Card) -> tuple[object, ...]:
        """What the clauses make of a card; equal for cards of one class."""
        raw = [(card.facts.get(attribute), attribute in card.partial) for attribute in sorted(self._raw)]
        fixed = [holds(predicate, card, self._worlds[world]) for predicate, world in self._fixed]
        return (card.name if card.name in self._apart else None, card.home, *raw, *fixed)


def _field(leaf: Predicate) -> str:
    """The field or the attribute of a card that decides a leaf."""
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
    """The leaves, and those of the conditions on other cards."""
    for leaf in leaves(predicate):
        yield leaf
        if isinstance(leaf, model.NoOtherCard):
            yield from _all_leaves(leaf.where)


def _asks_parts(predicate: Predicate) -> bool:
    return isinstance(predicate, model.AnyPart) or any(map(_asks_parts, parts_of(predicate)))


def _questions(clause: PreparedClause, world: int) -> Iterator[_Question]:
    """Every condition of a clause, and the leaves of those that depend on the deck."""
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
    """The attributes of which a clause needs the very values: of the cards in a zone, and those to be summed."""
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
