"""The legal deck nearest to a given one: its model, the objective, and which of its changes are free to choose."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.analysis.card_classes import (
    CardClass,
    ClassMerger,
    ClauseOnDay,
    FormatOnDay,
    classes_for,
    counts_of,
)
from deckcheck.analysis.constraints import Number, SingleName, Solution
from deckcheck.analysis.deck_model import DeckModel, DeckSearch, Found, is_condition_unmet, may_be_listed
from deckcheck.analysis.witness import Copies, judged, tally_of
from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.card import Card, card_named
from deckcheck.model.format import Has, leaves
from deckcheck.rules.counting import known_values
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

MOST_EXAMPLES = 3
_MOST_CLASSES = 200
_MOST_PLAIN = 20
_MOST_NAMES = 2000
_BASE = 1024
"""More than the copies of any repair, so that one sum orders decks by distance first."""

ZoneCopies = dict[str, dict[str, int]]
_Copies = Sequence[tuple[str, int]]


class Wishes(NamedTuple):
    """Cards to keep and to leave out of the nearest deck; `pool` are the copies that its owner has, None if unknown."""

    keep: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    pool: Mapping[str, int] | None = None


NO_WISHES = Wishes()


class Change(NamedTuple):
    """The copies of a card in a zone, before and after the repair."""

    zone: str
    name: str
    before: int
    after: int


class Choice(NamedTuple):
    """Copies to add or remove for which the rules allow several cards.

    `name` is the card that the repaired deck uses, None for several; `examples` begin with those that it uses, and at
    least `among` names will do. For a card of the list, each example can replace one copy; for a new card, all copies,
    also mixed, but no name may have more than `most`. `facts` are the values that rules ask for and all of these cards
    share, as (attribute, value).
    """

    zone: str
    added: bool
    copies: int
    name: str | None
    examples: tuple[str, ...]
    among: int
    facts: tuple[tuple[str, str], ...] = ()
    most: int = _BASE


class Repair(NamedTuple):
    """The nearest legal deck found; `bound` is the least distance that isn't ruled out."""

    distance: int
    bound: int
    copies: ZoneCopies
    changes: tuple[Change, ...]
    choices: tuple[Choice, ...]
    tag: Literal["repair"] = "repair"

    @property
    def proven(self) -> bool:
        """Whether no legal deck is nearer."""
        return self.bound == self.distance


class Clash(NamedTuple):
    """Rules, by id, and wishes that no deck fulfils together; if `minimal`, none can be left out."""

    rules: tuple[str, ...]
    keep: tuple[str, ...]
    without: tuple[str, ...]
    minimal: bool
    tag: Literal["clash"] = "clash"


class _Addition(NamedTuple):
    """Copies in a zone of cards from outside the list and the pool."""

    zone: str
    cards: list[tuple[str, int]]


def repair(
    copies: Copies,
    format: LoadedFormat,
    as_of: str,
    wishes: Wishes = NO_WISHES,
    seconds: float = 10,
    best_of: int | None = None,
) -> Repair | Clash:
    """The deck nearest to these copies that is legal on an ISO date, or why there is none.

    Raises UserError if the solver finds no legal deck within the time limit.
    """
    search = _Search(copies, format, as_of, wishes, best_of, time.monotonic() + seconds)
    solution = search.solve()
    if solution.status == "infeasible":
        return search.clash()
    if solution.values is None:
        raise user_error(
            _("no legal deck was found within {seconds:g} seconds", seconds=seconds),
            hint=_("give it more time with --time-limit"),
        )
    found = search.result(solution)
    report = judged(found.copies, format, as_of, best_of)
    if report.verdict != "legal":
        named = next((finding.message for finding in report.findings if finding.severity == "error"), None)
        raise user_error(_("the nearest deck can't be confirmed as legal: {finding}", finding=named or ""))
    return found


class _Search:
    """A search for decks that are legal in a format and fulfil wishes, by their distance from a deck."""

    def __init__(
        self,
        copies: Copies,
        format: LoadedFormat,
        as_of: str,
        wishes: Wishes,
        best_of: int | None,
        deadline: float,
    ) -> None:
        self._before = {zone: {name: n for name, n in held.items() if n} for zone, held in copies.items()}
        self._format, self._as_of, self._best_of = format, as_of, best_of
        self._wishes, self._deadline = wishes, deadline
        self._pool = wishes.pool or {}
        self._own = dict.fromkeys(name for held in self._before.values() for name in held)
        self._named = {*self._own, *self._pool, *wishes.without}
        self._day = FormatOnDay(format, as_of, best_of)
        self._search = DeckSearch(format, self._classes_for)
        # Sorting all cards into classes takes longest, so it is done once for the clauses that are likely to matter.
        zones = {zone for zone, held in self._before.items() if held}
        zones.update(zone for clause in self._day.errors for zone in _zones_filled(clause))
        self._sorted_by = dict.fromkeys(self._relevant(self._before, zones))
        self._merger: ClassMerger | None = None
        self._model: DeckModel
        self._classes: list[CardClass] = []

    def _classes_for(self, clauses: Collection[ClauseOnDay]) -> list[CardClass]:
        if self._merger is None or not self._sorted_by.keys() >= {*clauses}:
            self._sorted_by |= dict.fromkeys(clauses)
            classes = classes_for(self._format, self._sorted_by, self._named)
            self._merger = ClassMerger(classes + self._unlisted(classes), self._named)
        return self._merger(way for clause in clauses for way in clause)

    def _unlisted(self, classes: Iterable[CardClass]) -> list[CardClass]:
        """Classes for the cards of the deck that are in none, such as those of a later day; never suggested."""
        listed = {name for each in classes for name in each.names}
        catalog = self._format.game_data.catalog
        return [
            CardClass(card, (name,))
            for name in self._own
            if name not in listed and (card := card_named(catalog, name))
        ]

    def solve(self) -> Solution:
        """The nearest deck that keeps all rules and wishes."""
        found = self._found(self._day.errors, self._wishes, self._objective)
        self._model = found.model
        return found.solution

    def _found(
        self,
        clauses: Sequence[ClauseOnDay],
        wishes: Wishes,
        objective: Callable[[DeckModel], Number] | None = None,
    ) -> Found:
        """A deck that keeps clauses and fulfils wishes; with an objective, the one with the least."""
        contents = tally_of(self._before, self._format)

        def wish(model: DeckModel) -> Number | None:
            held = self._singles(model)
            for name in wishes.without:
                if name in held:
                    model.logic.require(held[name].copies(None) == 0)
            for name in wishes.keep:
                after = held[name].copies(None) if name in held else 0
                model.logic.require(after >= self._owned(name))
            return None if objective is None else objective(model)

        return self._search.find(
            clauses,
            wish,
            self._deadline - time.monotonic(),
            first={
                clause
                for clause in clauses
                if objective is not None and not is_condition_unmet(clause, contents)
            },
            default_zone=self._day.default_zone,
        )

    def _owned(self, name: str) -> int:
        return sum(held.get(name, 0) for held in self._before.values())

    def _singles(self, model: DeckModel) -> dict[str, SingleName]:
        """The variables of cards with variables of their own, by name."""
        return {
            names.card_class.names[0]: names
            for names in model.names
            if isinstance(names, SingleName) and names.card_class.names[0] in self._named
        }

    def _objective(self, model: DeckModel) -> Number:
        """The distance; for equally near decks, fewer copies from outside the list and pool, then fewer of the pool."""
        logic, held = model.logic, self._singles(model)
        foreign: Number = sum(names.copies(None) for names in model.names if not self._is_named(names))
        pooled: Number = sum(single.copies(None) for name, single in held.items() if name not in self._own)
        # Not +=, which would change shared sums in place.
        distance = foreign + pooled
        for name in self._own:
            distance = distance + self._changed_copies(
                model, name, held[name].variables if name in held else {}
            )
        self._bound_by_sizes(model, distance)
        for name, single in held.items():
            if name not in self._own:
                beyond = logic.number(0, _BASE)
                logic.require(beyond >= single.copies(None) - self._pool.get(name, 0))
                foreign = foreign + beyond
        return distance * (_BASE * _BASE) + foreign * _BASE + pooled

    def _bound_by_sizes(self, model: DeckModel, distance: Number) -> None:
        """Require a distance of at least what zones lose or gain. That is implied, but the solver is slow to see it."""
        logic = model.logic
        lost: Number = 0
        got: Number = 0
        for zone in dict.fromkeys((*self._before, *self._day.zones)):
            before = sum(self._before.get(zone, {}).values())
            after = sum(names.copies((zone,)) for names in model.names)
            fewer, more = logic.number(0, _BASE), logic.number(0, _BASE * _BASE)
            logic.require(fewer >= before - after)
            logic.require(more >= after - before)
            lost, got = lost + fewer, got + more
        logic.require(distance >= lost)
        logic.require(distance >= got)

    def _changed_copies(self, model: DeckModel, name: str, after: Mapping[str, Number]) -> Number:
        """The copies of a card of the deck that are removed or added; those that only change zones count once."""
        logic = model.logic
        less: Number = 0
        more: Number = 0
        for zone in dict.fromkeys((*self._before, *self._day.zones)):
            before = self._before.get(zone, {}).get(name, 0)
            if zone not in after:
                less += before
            elif not before:
                more += after[zone]
            else:
                fewer, further = logic.number(0, before), logic.number(0, _BASE)
                logic.require(fewer >= before - after[zone])
                logic.require(further >= after[zone] - before)
                less, more = less + fewer, more + further
        moved = logic.number(0, _BASE * _BASE)
        logic.require(moved >= less)
        logic.require(moved >= more)
        return moved

    def _is_named(self, names: object) -> bool:
        return isinstance(names, SingleName) and names.card_class.names[0] in self._named

    # Results.

    def result(self, solution: Solution) -> Repair:
        """The changes of a solution, and which of them are free to choose."""
        values = solution.values
        assert values is not None
        after = self._model.deck(values)
        changes: list[Change] = []
        choices: list[Choice] = []
        added: list[_Addition] = []
        for names in self._model.names:
            held = list(zip(names.card_class.names, names.solution(values), strict=False))
            for zone in () if self._is_named(names) else self._day.zones:
                cards = [(name, copies[zone]) for name, copies in held if copies.get(zone)]
                added += [_Addition(zone, cards)] if cards else []
        self._classes = self._choosable({each.zone for each in added}, after) if added else []
        added = self._simplified(added, after)
        # In the order of the list, new cards last.
        after = {zone: self._in_order(zone, held) for zone, held in after.items()}
        foreign = {(zone, name) for zone, cards in added for name, _ in cards}
        for zone in dict.fromkeys((*self._day.zones, *self._before)):
            old, new = self._before.get(zone, {}), after.get(zone, {})
            changes += [
                Change(zone, name, old.get(name, 0), new.get(name, 0))
                for name in dict.fromkeys((*old, *new))
                if old.get(name, 0) != new.get(name, 0) and (zone, name) not in foreign
            ]
        for change in changes:
            choices += self._alternatives(change, changes, after)
        choices += [self._choice(zone, cards, after) for zone, cards in added]
        distance = solution.objective // (_BASE * _BASE)
        # The distance may be proven while the lower parts of the objective aren't.
        bound = min(solution.bound // (_BASE * _BASE), distance) if solution.status != "optimal" else distance
        return Repair(distance, max(bound, min(distance, 1)), after, tuple(changes), tuple(choices))

    def _in_order(self, zone: str, held: Mapping[str, int]) -> dict[str, int]:
        known = [name for name in self._before.get(zone, {}) if name in held]
        return {name: held[name] for name in dict.fromkeys((*known, *held))}

    def _alternatives(self, change: Change, changes: Sequence[Change], after: ZoneCopies) -> Iterator[Choice]:
        """Yields the choice of other cards of the list of which a copy may be removed, or added, instead of this."""
        moved = {other.name for other in changes}
        sides = [other for other in changes if other.name == change.name]
        if len(sides) > 1 or change.zone not in after or change.name not in self._own:
            return
        if change.name in self._wishes.without:
            return
        step = 1 if change.after > change.before else -1
        fixed = {*self._wishes.keep, *moved} if step < 0 else moved
        others = [name for name in self._before.get(change.zone, {}) if name not in fixed]
        fitting = []
        for name in others:
            if self._is_legal(_changed(after, change.zone, [(name, step), (change.name, -step)])):
                fitting.append(name)
        if fitting:
            examples = (change.name, *fitting)
            copies = abs(change.after - change.before)
            yield Choice(change.zone, step > 0, copies, change.name, examples, len(examples))

    def _simplified(self, added: Sequence[_Addition], after: ZoneCopies) -> list[_Addition]:
        """The additions with cards of as few and as large classes as possible; changes `after` accordingly."""
        found: list[_Addition] = []
        for zone in dict.fromkeys(each.zone for each in added):
            parts = [each for each in added if each.zone == zone]
            whole = _Addition(zone, [card for each in parts for card in each.cards])
            swapped = self._swapped(whole, after)
            if swapped is not None:
                found.append(swapped)
                continue
            by_class: dict[int, _Addition] = {}
            for part in parts:
                better = self._swapped(part, after) or part
                key = next(at for at, each in enumerate(self._classes) if better.cards[0][0] in each.names)
                by_class.setdefault(key, _Addition(zone, [])).cards.extend(better.cards)
            found += by_class.values()
        return found

    def _swapped(self, addition: _Addition, after: ZoneCopies) -> _Addition | None:
        """The addition with cards of the first large class that fits, also changed in `after`; None if none fits."""
        zone, cards = addition
        for each in self._listable(zone)[:_MOST_PLAIN]:
            swapped = self._others_of(each, cards, after)
            deck = _changed(after, zone, swapped, cards)
            if swapped and self._is_legal(deck):
                after[zone] = deck[zone]
                return _Addition(zone, swapped)
        return None

    def _choosable(self, zones: Collection[str], after: ZoneCopies) -> list[CardClass]:
        """The classes of cards that no clause tells apart if they are added to the zones, largest first."""
        return sorted(self._classes_for(self._relevant(after, zones)), key=lambda each: -len(each.names))

    def _relevant(self, copies: Copies, zones: Collection[str]) -> list[ClauseOnDay]:
        """The clauses that can matter if cards are added to the zones of a deck."""
        contents = tally_of(copies, self._format)
        return [
            clause
            for clause in self._day.errors
            if not is_condition_unmet(clause, contents) or _is_conditional_on(clause, zones)
        ]

    def _listable(self, zone: str) -> list[CardClass]:
        """The choosable classes of cards that a list can have in the zone."""
        default = self._day.default_zone
        return [each for each in self._classes if may_be_listed(each.card, zone, default)]

    def _free(self, names: CardClass, deck: ZoneCopies) -> list[str]:
        """The names of a class that are neither in a deck nor in the list, the pool or a wish."""
        held = {name for copies in deck.values() for name in copies} | self._named
        return [name for name in names.names if name not in held]

    def _others_of(self, names: CardClass, cards: _Copies, deck: ZoneCopies) -> list[tuple[str, int]]:
        """The free names of a class in the place of these cards; [] if there are too few."""
        free = self._free(names, deck)
        return (
            [(name, number) for name, (_old, number) in zip(free, cards, strict=False)]
            if len(free) >= len(cards)
            else []
        )

    def _choice(self, zone: str, cards: _Copies, after: ZoneCopies) -> Choice:
        """The choice for cards from outside the list and the pool: which others would do instead."""
        own = next(each for each in self._classes if cards[0][0] in each.names)
        fitting, others = [own], list[CardClass]()
        for each in self._listable(zone)[:_MOST_CLASSES]:
            swapped = [] if each is own else self._others_of(each, cards, after)
            if swapped:
                is_legal = self._is_legal(_changed(after, zone, swapped, cards))
                (fitting if is_legal else others).append(each)
        names = [name for name, number in cards for _copy in range(number)]
        bare, most = _changed(after, zone, (), cards), max(number for _, number in cards)
        while most < len(names) and self._is_legal(
            _changed(bare, zone, _padded(names[:1] * (most + 1), names))
        ):
            most += 1
        examples = list(dict.fromkeys(names))[:MOST_EXAMPLES]
        likely = (name for each in fitting[1:] for name in self._free(each, after)[:1])
        # The examples will do mixed, and each with `most` copies.
        for name in (*likely, *own.names):
            if len(examples) < MOST_EXAMPLES and name not in examples:
                mixes = ([name] * most, [*examples, name][-len(names) :])
                if all(self._is_legal(_changed(bare, zone, _padded(mix, names))) for mix in mixes):
                    examples.append(name)
        return Choice(
            zone,
            True,
            len(names),
            names[0] if len(cards) == 1 else None,
            tuple(examples),
            sum(len(each.names) for each in fitting),
            self._shared(fitting, others),
            most,
        )

    def _is_legal(self, deck: ZoneCopies) -> bool:
        return self._search.keeps(deck, self._day.errors)

    def _shared(
        self, fitting: Sequence[CardClass], others: Sequence[CardClass]
    ) -> tuple[tuple[str, str], ...]:
        """The (attribute, value) that rules ask for and all fitting cards have, unless all others have it, too."""
        if not others or sum(len(each.names) for each in fitting) > _MOST_NAMES:
            return ()
        asked = {
            (leaf.attribute, value)
            for prepared, _ in self._day.clauses
            for count in counts_of(prepared.clause)
            for leaf in leaves(count.selection.where)
            if isinstance(leaf, Has)
            for value in leaf.values
            if isinstance(value, str)
        }
        catalog = self._format.game_data.catalog
        cards = [card_named(catalog, name) for each in fitting for name in each.names]
        shared = [pair for pair in sorted(asked) if all(card and _has(card, *pair) for card in cards)]
        return tuple(pair for pair in shared if not all(_has(each.card, *pair) for each in others))

    # Why there is no deck.

    def clash(self) -> Clash:
        """The rules and wishes that no deck fulfils together, as few as the time limit allows."""
        rules = list(dict.fromkeys(clause.clause.rule.id for clause in self._day.errors))
        items = [("rule", id) for id in rules]
        items += [("keep", name) for name in self._wishes.keep]
        items += [("without", name) for name in self._wishes.without]
        minimal = True
        # Rules are left out first, so that a wish that can't be fulfilled is named.
        for item in (None, *items):
            if item is None or item in items:
                fewer = self._excluding([other for other in items if other != item])
                minimal &= fewer is not None
                items = fewer or items
        kinds = {
            kind: tuple(name for other, name in items if other == kind)
            for kind in ("rule", "keep", "without")
        }
        return Clash(kinds["rule"], kinds["keep"], kinds["without"], minimal)

    def _excluding(self, items: Sequence[tuple[str, str]]) -> list[tuple[str, str]] | None:
        """Those of the items that no deck fulfils together, [] if a deck does; None if that isn't known in time."""
        if time.monotonic() > self._deadline:
            return None
        clauses = [clause for clause in self._day.errors if ("rule", clause.clause.rule.id) in items]
        wishes = Wishes(
            tuple(name for kind, name in items if kind == "keep"),
            tuple(name for kind, name in items if kind == "without"),
        )
        found = self._found(clauses, wishes)
        if found.solution.status != "infeasible":
            return None if found.solution.status == "unknown" else []
        needed = {clause.clause.rule.id for clause in found.clauses}
        return [(kind, name) for kind, name in items if kind != "rule" or name in needed]


def _zones_filled(clause: ClauseOnDay) -> tuple[str, ...]:
    """The zones where the clause requires every deck to have cards."""
    count = clause.clause.clause
    return (count.low and count.condition is None and count.selection.zones) or ()


def _is_conditional_on(clause: ClauseOnDay, zones: Collection[str]) -> bool:
    """Whether the condition of a clause counts cards in one of these zones."""
    condition = clause.clause.clause.condition
    counted = None if condition is None else condition.selection.zones
    return counted is None or not set(counted).isdisjoint(zones)


def _changed(deck: ZoneCopies, zone: str, more: _Copies, fewer: _Copies = ()) -> ZoneCopies:
    """The deck with some more copies, and some fewer, in a zone."""
    held = Counter(deck[zone])
    for sign, cards in ((-1, fewer), (1, more)):
        for name, number in cards:
            held[name] += sign * number
    return {**deck, zone: dict(+held)}


def _padded(names: Sequence[str], others: Sequence[str]) -> _Copies:
    """A copy of each of the names, and of the last of `others` to make up as many as these are."""
    return [(name, 1) for name in (*names, *others[len(names) :])]


def _has(card: Card, attribute: str, value: str) -> bool:
    return value in known_values(card, attribute)
