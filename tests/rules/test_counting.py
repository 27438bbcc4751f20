"""A count is an interval that holds the true number, however a list may be read, and no more than it has to."""

from __future__ import annotations

import math
from itertools import count
from typing import Any

import pytest
from factories.garden_game import (
    GHOST,
    IRIS,
    MOSS,
    OAK,
    PLUM,
    ROSE,
    Held,
    Shelf,
    card,
    deck_of,
    format_of,
    unread,
)

from deckcheck.checking.judge import check
from deckcheck.model.deck import Diagnostic

DEBT, GIFT = card("Debt", cost=-2.0), card("Gift", cost=3.0, colour=None)
MAYBE_DEBT = card("Maybe", cost=-5.0, colour=None)
SHELF = Shelf([ROSE, IRIS, OAK, GHOST, MOSS, PLUM, DEBT, GIFT, MAYBE_DEBT])
MANY = 20
"""More than any of these counts."""


def interval(asked: dict[str, Any], held: tuple[Held, ...], *diagnostics: Diagnostic) -> tuple[float, float]:
    """The least and the most that a count may be: no bound within is surely broken."""
    deck = deck_of(*held, diagnostics=diagnostics)
    # Only sums may be below zero, and only a bound that grows, here by nothing.
    is_sum = isinstance(asked.get("count"), dict)

    def broken(bound: str, number: int) -> bool:
        grows = {"base": number, "plus": {"in": "side"}}
        rule = {**asked, bound: grows if is_sum else number}
        report = check(deck, format_of(rule, cards=SHELF), as_of="2020-01-01")
        return any(finding.verdict == "violated" for finding in report.findings)

    least = -MANY if is_sum else 0
    low = next(number for number in count(least) if number == MANY or not broken("at_most", number))
    high = next(number for number in count(MANY, -1) if not broken("at_least", number))
    return (math.inf if low == MANY else low, math.inf if high == MANY else high)


FOREST: tuple[Held, ...] = ((ROSE, 2), (IRIS, 3), (OAK, 1), (ROSE, 1, "leader"))
RED = {"where": {"colour": "red"}}
COST = {"count": {"sum": "cost"}}
OF_THREE = {"count": "names", "having": {"at_least": 3}}
DEBT_OR_RED = {"where": {"any": [{"name": ["Debt"]}, {"colour": "red"}]}}


@pytest.mark.parametrize(
    ("asked", "held", "number"),
    [
        ({}, FOREST, (7, 7)),
        ({"in": "main"}, FOREST, (6, 6)),
        ({"count": "names"}, FOREST, (3, 3)),
        (OF_THREE, FOREST, (2, 2)),
        (COST, FOREST, (14, 14)),
        (RED, FOREST, (4, 4)),
        (RED, (*FOREST, (GHOST, 2)), (4, 6)),
        ({"count": "names", **RED}, (*FOREST, (GHOST, 2)), (2, 3)),
        (COST, (*FOREST, (GHOST, 1)), (14, math.inf)),
        (COST, ((MOSS, 1),), (math.inf, math.inf)),
        (COST, ((MOSS, 0), (ROSE, 1)), (2, 2)),
        ({"count": "names"}, ((ROSE, 0), (IRIS, 1)), (1, 1)),
        ({}, ((ROSE, 1), ("nobody", 2)), (1, 3)),
        (RED, ((ROSE, 1), ("nobody", 2)), (1, 3)),
        (RED, ((ROSE, 1), ((ROSE, OAK), 2)), (3, 3)),
        (RED, ((ROSE, 1), ((ROSE, IRIS), 2)), (1, 3)),
        (RED, ((ROSE, 1), ((PLUM, IRIS), 2)), (1, 1)),
        (OF_THREE, ((ROSE, 1), ("nobody", 2)), (0, 2)),
        ({"in": "main"}, ((ROSE, 1), (IRIS, 2, "Shed")), (1, 3)),
        # Numbers below zero are added up, too.
        (COST, ((DEBT, 2), (GIFT, 1)), (-1, -1)),
        (COST | DEBT_OR_RED, ((DEBT, 2), (GIFT, 1)), (-4, -1)),
        (COST | DEBT_OR_RED, ((DEBT, 2), (MAYBE_DEBT, 1)), (-9, -4)),
        # Lines of one card are added up, and copies of a loose name may stand on other lines.
        ({"per": "name"}, ((ROSE, 2), (ROSE, 1, "leader"), (ROSE, 1)), (4, 4)),
        ({"per": "name"}, ((ROSE, 2), ((ROSE, IRIS), 1), ("nobody", 3)), (2, 6)),
    ],
)
def test_counts(asked: dict[str, Any], held: tuple[Held, ...], number: tuple[float, float]) -> None:
    assert interval(asked, held) == number


@pytest.mark.parametrize(("zone", "low"), [("main", 3), ("leader", 0)])
def test_a_line_that_cannot_be_read_may_hold_any_number_of_cards_or_be_a_heading(zone: str, low: int) -> None:
    assert interval({"in": zone}, ((ROSE, 3),), unread("main")) == (low, math.inf)
