"""Predicates answer yes, no or unknown, and never more than the facts allow."""

from __future__ import annotations

import math
from typing import Any

import pytest
from factories.garden_game import (
    GARDEN,
    GHOST,
    IRIS,
    MOSS,
    OAK,
    PLUM,
    ROSE,
    Shelf,
    card,
    condition_of,
    printing,
)
from factories.random_cards import DAYS, cards, often
from factories.random_rules import predicates
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.model.card import Card, Part, Printing
from deckcheck.rules.predicates import FREE, NO, UNKNOWN, YES, Binding, World, ZoneValues, holds, missing

STATUSES = {"Card 0": "rare", "Card 1": "out"}


def answer(data: dict[str, Any], one: Card, binding: Binding = FREE, shelf: Shelf = GARDEN) -> int:
    return holds(condition_of(data), one, World("2020-01-01", STATUSES, shelf), binding)


@often(200)
@given(predicates(3, plain=True), cards("Card 0"), st.sampled_from(DAYS))
def test_what_is_missing_is_named_exactly_when_the_answer_is_open(
    data: dict[str, Any], one: Card, day: str
) -> None:
    world = World(day, STATUSES, Shelf([one]))
    predicate = condition_of(data)
    assert bool(missing(predicate, one, world)) == (holds(predicate, one, world) == UNKNOWN)


TABLE: list[tuple[dict[str, Any], Card, int]] = [
    ({"colour": "red"}, ROSE, YES),
    ({"colour": ["blue", "green"]}, ROSE, NO),
    ({"colour": "red"}, GHOST, UNKNOWN),
    ({"colour": "green"}, MOSS, YES),
    ({"colour": "red"}, MOSS, UNKNOWN),
    ({"not": {"colour": "red"}}, MOSS, UNKNOWN),
    ({"kind": {"containing": "tree"}}, OAK, YES),
    ({"kind": {"containing": "great"}}, PLUM, NO),
    ({"cost": 2}, ROSE, YES),
    ({"cost": [1, 3]}, ROSE, NO),
    ({"cost": {"at_least": 2, "at_most": 2}}, ROSE, YES),
    ({"cost": {"at_least": 9}}, MOSS, YES),
    ({"cost": {"at_most": 9}}, GHOST, UNKNOWN),
    ({"home": ["leader", "main"]}, ROSE, YES),
    ({"home": "side"}, GHOST, NO),
    ({"home": "side"}, card("Lost", home=None), UNKNOWN),
    ({"name": ["Rose"]}, ROSE, YES),
    ({"name": ["Rose"]}, GHOST, NO),
    ({"all": [{"colour": "red"}, {"cost": 9}]}, GHOST, UNKNOWN),
    ({"all": [{"colour": "red"}, {"name": ["Iris"]}]}, GHOST, NO),
    ({"any": [{"colour": "red"}, {"name": ["Ghost Orchid"]}]}, GHOST, YES),
    ({"colour": "red", "cost": 2}, ROSE, YES),
    ({"colour": "red", "cost": 3}, ROSE, NO),
    ({"rarity": {"at_least": "SR"}}, GHOST, UNKNOWN),
]


@pytest.mark.parametrize(("data", "one", "said"), TABLE, ids=[f"{row[0]}-{row[1].name}" for row in TABLE])
def test_answers(data: dict[str, Any], one: Card, said: int) -> None:
    assert answer(data, one) == said


@pytest.mark.parametrize("left", [NO, UNKNOWN, YES])
@pytest.mark.parametrize("right", [NO, UNKNOWN, YES])
def test_the_logic_is_kleenes(left: int, right: int) -> None:
    told = {NO: {"name": ["Rose"]}, UNKNOWN: {"colour": "red"}, YES: {"name": ["Ghost Orchid"]}}
    parts = [told[left], told[right]]
    assert answer({"all": parts}, GHOST) == min(left, right)
    assert answer({"any": parts}, GHOST) == max(left, right)
    assert answer({"not": told[left]}, GHOST) == 2 - left


def test_a_half_is_judged_by_itself_and_a_whole_card_is_its_own_half() -> None:
    cheap_flower = Part("a", {"kind": frozenset({"flower"}), "cost": 1.0})
    dear_tree = Part("b", {"kind": frozenset({"tree"}), "cost": 7.0})
    twin = card("Twin", kind=["flower", "tree"], cost=8.0, parts=[cheap_flower, dear_tree])
    dear_flower = {"all": [{"kind": "flower"}, {"cost": {"at_least": 5}}]}
    assert answer({"any_part": dear_flower}, twin) == NO
    assert answer(dear_flower, twin) == YES
    assert answer({"any_part": {"kind": "tree", "cost": 7}}, twin) == YES
    assert answer({"any_part": {"colour": "red"}}, ROSE) == YES
    unknown = card("Twin", parts=[cheap_flower, Part("b", {"cost": 7.0})])
    assert answer({"any_part": dear_flower}, unknown) == UNKNOWN


def outside(one: Card, found: ZoneValues) -> int:
    return answer({"colour": {"outside": "leader"}}, one, Binding(zones={("colour", "leader"): found}))


def test_outside_compares_with_what_a_zone_holds() -> None:
    red, red_perhaps_more = ZoneValues(frozenset({"red"}), True), ZoneValues(frozenset({"red"}), False)
    assert outside(ROSE, red) == NO
    assert outside(IRIS, red) == YES
    assert outside(OAK, red) == YES
    assert outside(IRIS, red_perhaps_more) == UNKNOWN
    assert outside(ROSE, red_perhaps_more) == NO
    assert outside(GHOST, red) == UNKNOWN
    assert outside(MOSS, ZoneValues(frozenset({"green"}), True)) == UNKNOWN
    assert outside(MOSS, red) == YES


def test_an_empty_zone_limits_nothing() -> None:
    assert outside(IRIS, ZoneValues(frozenset(), True)) == NO
    assert outside(IRIS, ZoneValues(frozenset(), False)) == UNKNOWN


def test_each_is_the_value_at_hand() -> None:
    assert answer({"colour": "$each"}, ROSE, Binding("red")) == YES
    assert answer({"colour": "$each"}, ROSE, Binding("blue")) == NO
    assert answer({"colour": "$each"}, MOSS, Binding("blue")) == UNKNOWN


def rival(name: str, **more: Any) -> Card:
    return card(name, **{"colour": ["red", "blue"], "printings": [printing("SR")], **more})


LONELY = rival("Lonely")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (rival("Other"), NO),
        (rival("Other", colour=["red"]), YES),
        (rival("Other", printings=[printing("C")]), YES),
        (rival("Other", released="2020-01-01"), NO),
        (rival("Other", released="2020-01-02"), YES),
        (rival("Other", released=None), UNKNOWN),
        (rival("Other", colour=None), UNKNOWN),
        (rival("Other", printings=[]), UNKNOWN),
        (rival("Other", colour=["red"], partial=["colour"]), UNKNOWN),
        (rival("Other", colour=["green"], partial=["colour"]), YES),
        (rival("Other", colour=["red", "blue"], partial=["colour"]), UNKNOWN),
        (rival("Other", made_of=["A", "B"]), YES),
    ],
)
def test_no_other_card_asks_the_pool_of_the_day(other: Card, said: int) -> None:
    data = {"no_other_card": {"same": "colour", "where": {"rarity": {"at_least": "SR"}}}}
    assert answer(data, LONELY, shelf=Shelf([LONELY, other])) == said


def test_equal_numbers_are_the_same_even_when_infinite() -> None:
    data = {"no_other_card": {"same": "cost", "where": {"home": "main"}}}
    one, other = card("One", cost=math.inf), card("Other", cost=math.inf)
    assert answer(data, one, shelf=Shelf([one, other])) == NO
    assert answer(data, one, shelf=Shelf([one, card("Other", cost=None)])) == UNKNOWN


# Ranks are borne by printings, and printings appear over time.

OLD, NEW = printing("C"), printing("L", "2010-05-05")
UNDATED = [printing("C", "2010-05-05"), printing("L", None)]


@pytest.mark.parametrize(
    ("printings", "day", "said"),
    [
        ([printing("SR")], "2020-01-01", YES),
        ([printing("L")], "2020-01-01", YES),
        ([printing("R")], "2020-01-01", NO),
        ([printing("")], "2020-01-01", NO),
        ([printing(None)], "2020-01-01", UNKNOWN),
        ([printing("?L")], "2020-01-01", UNKNOWN),
        ([printing("?C")], "2020-01-01", UNKNOWN),
        ([printing("<=R")], "2020-01-01", NO),
        ([printing("<=SR")], "2020-01-01", UNKNOWN),
        ([printing("<=L")], "2020-01-01", UNKNOWN),
        # A card of which no printing is known may bear anything.
        ([], "2020-01-01", UNKNOWN),
        ([OLD, NEW], "2010-05-04", NO),
        ([OLD, NEW], "2010-05-05", YES),
        # A printing without a day may be out once the card is.
        (UNDATED, "2010-05-04", NO),
        (UNDATED, "2010-05-05", UNKNOWN),
    ],
)
def test_ranks(printings: list[Printing], day: str, said: int) -> None:
    released = "2010-05-05" if printings is UNDATED else "2000-01-01"
    ranked = card("Card", printings=printings, released=released)
    asked = condition_of({"rarity": {"at_least": "SR"}})
    assert holds(asked, ranked, World(day, STATUSES, Shelf([ranked]))) == said


def test_ranks_that_stand_together_count_alike() -> None:
    assert answer({"rarity": {"at_least": "SSR"}}, card("Card", printings=[printing("SR")])) == YES
