"""A format compiled for a day: the clauses that stand then, ready to be tried on many decks."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from deckcheck.model.banlist import Banlist, Change, Combination, change_on
from deckcheck.model.rule import Clause, Named, Predicate, Rule, zones_needed
from deckcheck.rules.counting import Answers
from deckcheck.rules.judging import FREE, World


class Sides(NamedTuple):
    """The answers for each side of a combination, with the list that names it (None: the format itself)."""

    answers: tuple[Answers, ...]
    listed: tuple[Banlist, Change] | None


class Prepared(NamedTuple):
    """A clause that stands on the day. `answers` keeps what was asked before, by binding.

    `either` are the counts one of which has to be as it must be. `plain` says
    that nothing of the deck is bound and no condition stands.
    """

    rule: Rule
    clause: Clause
    asked: frozenset[tuple[str, str]]
    sides: tuple[Sides, ...]
    answers: dict[object, Answers]
    either: tuple["Prepared", ...]
    plain: bool


class Program(NamedTuple):
    """A format compiled for a day and the options of a check."""

    world: World
    clauses: tuple[Prepared, ...]
    banlists: tuple[Banlist, ...]


def compile_rules(
    rules: Iterable[Rule], banlists: tuple[Banlist, ...], world: World, options: Mapping[str, int]
) -> Program:
    """The clauses that stand on the world's day with these options."""
    prepared = []
    for rule in rules:
        for clause in rule.clauses:
            if _stands(clause, world.as_of, options):
                prepared.append(_prepared(rule, clause, banlists, world))
    return Program(world, tuple(prepared), banlists)


def _prepared(rule: Rule, clause: Clause, banlists: tuple[Banlist, ...], world: World) -> Prepared:
    asked = zones_needed(clause.selection.where)
    either = tuple(_prepared(rule, one, banlists, world) for one in clause.either)
    bound = clause.for_each or clause.for_some or clause.when or asked or either
    return Prepared(rule, clause, asked, _sides(clause, banlists, world), {}, either, not bound)


def _stands(clause: Clause, as_of: str, options: Mapping[str, int]) -> bool:
    if clause.since is not None and as_of < clause.since:
        return False
    if clause.until is not None and as_of > clause.until:
        return False
    wanted = clause.when.options if clause.when is not None else ()
    return all(options.get(key) == value for key, value in wanted)


def _sides(clause: Clause, banlists: tuple[Banlist, ...], world: World) -> tuple[Sides, ...]:
    if clause.sides is None:
        return ()
    if not isinstance(clause.sides, str):
        return (Sides(_answers(clause.sides, world), None),)
    found: list[tuple[Combination, Banlist, Change]] = []
    for banlist in banlists:
        for one in banlist.combinations:
            change = change_on(one.history, world.as_of)
            if change is not None and change.status == clause.sides:
                found.append((one, banlist, change))
    return tuple(
        Sides(_answers(map(Named, one.sides), world), (banlist, change)) for one, banlist, change in found
    )


def _answers(sides: Iterable[Predicate], world: World) -> tuple[Answers, ...]:
    return tuple(Answers(side, world, FREE) for side in sides)
