"""Every count is an interval that holds the true number, however a list may be read."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from typing import Any

import pytest
from factories.garden_game import (
    GHOST,
    IRIS,
    MOSS,
    OAK,
    PLUM,
    ROSE,
    ZONES,
    Held,
    Shelf,
    card,
    deck_of,
    read_rules,
    unread,
)
from factories.naive_evaluator import Known, counted, is_so
from factories.random_cards import DAYS, decks, often, pools, some_completion, true_deck
from factories.random_rules import predicates
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.model.card import Card
from deckcheck.model.deck import Deck
from deckcheck.model.format import Clause
from deckcheck.rules.counting import Answers, Group, Interval, Tally, groups, tally
from deckcheck.rules.predicates import FREE, World

STATUSES = {"Card 0": "rare", "Card 1": "out"}


def clause_of(data: dict[str, Any]) -> Clause:
    """The clause that plain values write, bounded so that nothing is read as a ban."""
    [rule] = read_rules({"at_least": 1, **data})
    return rule.clauses[0]


def grouped(data: dict[str, Any], deck: Deck, shelf: Shelf, day: str = "2020-01-01") -> list[Group]:
    clause = clause_of(data)
    held = tallied(deck)
    return list(groups(clause, held, Answers(clause.selection.where, World(day, STATUSES, shelf), FREE)))


def tallied(deck: Deck) -> Tally:
    unreadable = sum(diagnostic.id == "invalid-line" for diagnostic in deck.diagnostics)
    return tally(deck.entries, unreadable, frozenset(ZONES))


def within(number: float, interval: Interval) -> bool:
    return interval.low <= number <= interval.high


@st.composite
def selections(draw: st.DrawFn) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if draw(st.booleans()):
        data["in"] = draw(st.sampled_from(["main", "leader", ["main", "side"]]))
    if draw(st.integers(0, 3)):
        data["where"] = draw(predicates(2, plain=True))
    return data


WHOLE = st.sampled_from(
    [
        {},
        {"count": "names"},
        {"count": "names", "having": {"at_least": 2}},
        {"count": "names", "having": {"at_least": 2, "at_most": 3}},
        {"count": {"sum": "cost"}},
    ]
)


@often(250)
@given(st.data())
def test_a_count_of_the_whole_holds_the_truth(data: st.DataObject) -> None:
    pool = data.draw(pools())
    deck = data.draw(decks(pool))
    asked = data.draw(selections()) | data.draw(WHOLE)
    day = data.draw(st.sampled_from(DAYS))
    [group] = grouped(asked, deck, Shelf(pool), day)
    for truth, held in truths(data, pool, deck):
        [number] = counted(asked, held, Known(day, STATUSES, tuple(truth.values())))
        assert within(number, group.number)


@often(150)
@given(st.data())
def test_a_count_by_name_holds_the_truth(data: st.DataObject) -> None:
    pool = data.draw(pools())
    deck = data.draw(decks(pool))
    asked = data.draw(selections()) | {"per": "name"}
    day = data.draw(st.sampled_from(DAYS))
    by_name = {group.subject.name: group for group in grouped(asked, deck, Shelf(pool), day) if group.subject}
    sure = {entry.cards[0].name for entry in deck.entries if len(entry.cards) == 1}
    for truth, held in truths(data, pool, deck):
        for name, number in by(held, asked, truth, day, lambda card: [card.name]).items():
            if name in by_name:
                assert within(number, by_name[name].number)
            else:
                # Only lines that may be read otherwise bring a name that has no group.
                assert name not in sure or not settled(deck)
        for name, group in by_name.items():
            if not group.open:
                assert by(held, asked, truth, day, lambda card: [card.name])[name] > 0


def truths(
    data: st.DataObject, pool: list[Card], deck: Deck
) -> list[tuple[dict[str, Card], list[tuple[Card, str]]]]:
    """Some ways in which cards and deck may truly be."""
    chance = Random(data.draw(st.integers(0, 2**32)))
    ways = []
    for _ in range(12):
        truth = {one.name: some_completion(one, chance) for one in pool}
        stranger = some_completion(Card("Stranger", "main", {}), chance)
        ways.append((truth, true_deck(deck, {**truth, "Stranger": stranger}, chance)))
    return ways


def by(
    held: list[tuple[Card, str]], asked: dict[str, Any], truth: dict[str, Card], day: str, of: Any
) -> Counter[str]:
    world = Known(day, STATUSES, tuple(truth.values()))
    zones = asked.get("in", ZONES)
    return Counter(
        value
        for one, zone in held
        if zone in ([zones] if isinstance(zones, str) else zones)
        and is_so(asked.get("where", {}), one, world)
        for value in of(one)
    )


def settled(deck: Deck) -> bool:
    """Whether every line can be read in one way only."""
    return not deck.diagnostics and all(
        len(entry.cards) == 1 and entry.zone in ZONES for entry in deck.entries
    )


FOREST: tuple[Held, ...] = ((ROSE, 2), (IRIS, 3), (OAK, 1), (ROSE, 1, "leader"))


@pytest.mark.parametrize(
    ("asked", "held", "number"),
    [
        ({}, FOREST, (7, 7)),
        ({"in": "main"}, FOREST, (6, 6)),
        ({"count": "names"}, FOREST, (3, 3)),
        ({"count": "names", "having": {"at_least": 3}}, FOREST, (2, 2)),
        ({"count": {"sum": "cost"}}, FOREST, (14, 14)),
        ({"where": {"colour": "red"}}, FOREST, (4, 4)),
        ({"where": {"colour": "red"}}, (*FOREST, (GHOST, 2)), (4, 6)),
        ({"count": "names", "where": {"colour": "red"}}, (*FOREST, (GHOST, 2)), (2, 3)),
        ({"count": {"sum": "cost"}}, (*FOREST, (GHOST, 1)), (14, math.inf)),
        ({"count": {"sum": "cost"}}, ((MOSS, 1),), (math.inf, math.inf)),
        ({"count": {"sum": "cost"}}, ((MOSS, 0), (ROSE, 1)), (2, 2)),
        ({"count": "names"}, ((ROSE, 0), (IRIS, 1)), (1, 1)),
        ({}, ((ROSE, 1), ("nobody", 2)), (1, 3)),
        ({"where": {"colour": "red"}}, ((ROSE, 1), ("nobody", 2)), (1, 3)),
        ({"where": {"colour": "red"}}, ((ROSE, 1), ((ROSE, OAK), 2)), (3, 3)),
        ({"where": {"colour": "red"}}, ((ROSE, 1), ((ROSE, IRIS), 2)), (1, 3)),
        ({"where": {"colour": "red"}}, ((ROSE, 1), ((PLUM, IRIS), 2)), (1, 1)),
        ({"count": "names", "having": {"at_least": 3}}, ((ROSE, 1), ("nobody", 2)), (0, 2)),
        ({"in": "main"}, ((ROSE, 1), (IRIS, 2, "Shed")), (1, 3)),
    ],
)
def test_counts(asked: dict[str, Any], held: tuple[Held, ...], number: tuple[float, float]) -> None:
    [group] = grouped(asked, deck_of(*held), Shelf([ROSE, IRIS, OAK, GHOST, MOSS, PLUM]))
    assert group.number == number


def test_a_line_that_cannot_be_read_may_hold_any_number_of_cards() -> None:
    deck = deck_of((ROSE, 3), diagnostics=[unread("main")])
    assert grouped({"in": "main"}, deck, Shelf([ROSE]))[0].number == (3, math.inf)
    # It may have been a heading, too.
    assert grouped({"in": "leader"}, deck, Shelf([ROSE]))[0].number == (0, math.inf)


def test_numbers_below_zero_are_added_up_too() -> None:
    debt, gift = card("Debt", cost=-2.0), card("Gift", cost=3.0, colour=None)
    maybe_debt = card("Maybe", cost=-5.0, colour=None)
    shelf = Shelf([debt, gift, maybe_debt])
    asked = {"count": {"sum": "cost"}}
    red = {"where": {"any": [{"name": ["Debt"]}, {"colour": "red"}]}}
    assert grouped(asked, deck_of((debt, 2), (gift, 1)), shelf)[0].number == (-1, -1)
    assert grouped(asked | red, deck_of((debt, 2), (gift, 1)), shelf)[0].number == (-4, -1)
    assert grouped(asked | red, deck_of((debt, 2), (maybe_debt, 1)), shelf)[0].number == (-9, -4)


def test_lines_of_one_card_are_added_up() -> None:
    [group] = grouped({"per": "name"}, deck_of((ROSE, 2), (ROSE, 1, "leader"), (ROSE, 1)), Shelf([ROSE]))
    assert (group.subject, group.number) == (ROSE, (4, 4))


def test_further_copies_of_a_loose_name_may_stand_on_other_lines() -> None:
    deck = deck_of((ROSE, 2), ((ROSE, IRIS), 1), ("nobody", 3))
    loose = {group.cards: group.number for group in grouped({"per": "name"}, deck, Shelf([ROSE, IRIS]))}
    assert loose == {(ROSE,): (2, 6), (ROSE, IRIS): (1, 6), (): (0, 6)}
