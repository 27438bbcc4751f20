"""Bounds that add up counts, and conditions that are counts."""

from __future__ import annotations

import math
from typing import Any

import pytest
from factories.garden_game import (
    FERN,
    GHOST,
    IRIS,
    MOSS,
    OAK,
    ROSE,
    WISP,
    Held,
    Shelf,
    card,
    format_of,
    judged,
    verdict,
)
from factories.naive_evaluator import Known, is_broken
from factories.random_cards import decks, often, pools
from factories.random_rules import terms
from hypothesis import event, given
from hypothesis import strategies as st

from deckcheck.checking.judge import check

SUM = {"count": {"sum": "cost"}}
OF_LEADER = {"in": "leader", **SUM}
RAREBIT = card("Rarebit", cost=3.0)
MAYBE = card("Maybe", colour=["red"], cost=None)


@pytest.mark.parametrize(
    ("rule", "held", "said"),
    [
        # A bound taken from an attribute of a card in a zone.
        ({"in": "main", "at_least": {"plus": OF_LEADER}}, [(ROSE, 5), (OAK, 1, "leader")], "legal"),
        ({"in": "main", "at_least": {"plus": OF_LEADER}}, [(ROSE, 4), (OAK, 1, "leader")], "illegal"),
        ({"in": "main", **SUM, "at_most": {"plus": OF_LEADER}}, [(ROSE, 2), (OAK, 1, "leader")], "legal"),
        ({"in": "main", **SUM, "at_most": {"plus": OF_LEADER}}, [(ROSE, 3), (OAK, 1, "leader")], "illegal"),
        # Unlimited.
        ({"in": "main", **SUM, "at_most": {"plus": OF_LEADER}}, [(OAK, 60), (MOSS, 1, "leader")], "legal"),
        ({"in": "main", **SUM, "at_most": {"plus": OF_LEADER}}, [(MOSS, 1), (MOSS, 1, "leader")], "legal"),
        ({"in": "main", **SUM, "at_most": {"plus": OF_LEADER}}, [(MOSS, 1), (OAK, 1, "leader")], "illegal"),
        ({"in": "main", "at_least": {"plus": OF_LEADER}}, [(OAK, 60), (MOSS, 1, "leader")], "illegal"),
        ({"in": "main", "at_most": {"plus": [OF_LEADER, {"times": -1, **OF_LEADER}]}}, [(MOSS, 1, "leader")], "undecided"),
        # Unknown.
        ({"in": "main", **SUM, "at_most": {"plus": OF_LEADER}}, [(ROSE, 1), (MAYBE, 1, "leader")], "undecided"),
        ({"in": "main", **SUM, "at_most": {"base": 2, "plus": OF_LEADER}}, [(ROSE, 1), (MAYBE, 1, "leader")], "legal"),
        ({"in": "main", "at_least": {"base": 2, "plus": OF_LEADER}}, [(ROSE, 1), (MAYBE, 1, "leader")], "illegal"),
        # Steps: 2 for every 3.
        *[
            ({"in": "side", "exactly": {"base": 1, "plus": {"times": 2, "step": 3, "in": "main"}}}, [(ROSE, copies), (IRIS, allowed, "side")], "legal")
            for copies, allowed in [(0, 1), (2, 1), (3, 3), (5, 3), (6, 5)]
        ],
        # Several terms.
        ({"in": "side", "at_most": {"plus": [{"in": "main"}, {"times": -2, "in": "leader"}]}}, [(ROSE, 5), (OAK, 2, "leader"), (IRIS, 1, "side")], "legal"),
        ({"in": "side", "at_most": {"plus": [{"in": "main"}, {"times": -2, "in": "leader"}]}}, [(ROSE, 5), (OAK, 2, "leader"), (IRIS, 2, "side")], "illegal"),
        # Names.
        ({"in": "side", "at_most": {"plus": {"in": "main", "count": "names"}}}, [(ROSE, 5), (FERN, 1), (IRIS, 2, "side")], "legal"),
        ({"in": "side", "at_most": {"plus": {"in": "main", "count": "names", "having": {"at_least": 2}}}}, [(ROSE, 5), (FERN, 1), (IRIS, 2, "side")], "illegal"),
        ({"in": "main", "count": {"sum": "cost", "of": "names"}, "at_most": 7}, [(ROSE, 3), (OAK, 2)], "legal"),
        ({"in": "main", "count": {"sum": "cost", "of": "names"}, "at_most": 6}, [(ROSE, 3), (OAK, 2)], "illegal"),
        ({"in": "main", "count": {"sum": "cost", "of": "names"}, "at_most": 7}, [(ROSE, 3), (MAYBE, 2)], "undecided"),
        ({"in": "main", **SUM, "at_most": {"plus": {"in": "main", "count": {"sum": "cost", "of": "names"}}}}, [(ROSE, 1), (OAK, 1)], "legal"),
        ({"in": "main", **SUM, "at_most": {"plus": {"in": "main", "count": {"sum": "cost", "of": "names"}}}}, [(ROSE, 2), (OAK, 1)], "illegal"),
        # What the deck contributes to a condition counts in a bound, too.
        ({"in": "side", "at_most": {"plus": {"in": "main", "where": {"colour": {"outside": "leader"}}}}}, [(IRIS, 2), (ROSE, 3), (OAK, 1, "leader"), (FERN, 2, "side")], "legal"),
        ({"in": "side", "at_most": {"plus": {"in": "main", "where": {"colour": {"outside": "leader"}}}}}, [(IRIS, 2), (ROSE, 3), (OAK, 1, "leader"), (FERN, 3, "side")], "illegal"),
        ({"in": "side", "at_most": {"plus": {"in": "main", "where": {"colour": {"outside": "leader"}}}}}, [(IRIS, 2), (GHOST, 1), (OAK, 1, "leader"), (FERN, 3, "side")], "undecided"),
        ({"for_each": {"colour": ["red", "blue"]}, "in": "side", "where": {"colour": "$each"}, "at_most": {"plus": {"in": "main", "where": {"colour": "$each"}}}}, [(ROSE, 2), (ROSE, 2, "side")], "legal"),
        ({"for_each": {"colour": ["red", "blue"]}, "in": "side", "where": {"colour": "$each"}, "at_most": {"plus": {"in": "main", "where": {"colour": "$each"}}}}, [(ROSE, 2), (IRIS, 1, "side")], "illegal"),
        # Conditions that are counts.
        ({"when": {"in": "main", "at_least": 3}, "in": "side", "at_most": 0}, [(ROSE, 2), (IRIS, 1, "side")], "legal"),
        ({"when": {"in": "main", "at_least": 3}, "in": "side", "at_most": 0}, [(ROSE, 3), (IRIS, 1, "side")], "illegal"),
        ({"when": {"in": "main", "where": {"colour": "red"}, "at_most": 0}, "in": "side", "at_most": 0}, [(IRIS, 1, "side")], "illegal"),
        ({"when": {"in": "main", "where": {"colour": "red"}, "at_most": 0}, "in": "side", "at_most": 0}, [(ROSE, 1), (IRIS, 1, "side")], "legal"),
        ({"when": {"in": "main", "where": {"colour": "red"}, "at_most": 0}, "in": "side", "at_most": 0}, [(GHOST, 1), (IRIS, 1, "side")], "undecided"),
        ({"when": {"in": "main", **SUM, "at_least": {"plus": {"in": "side", "times": 3}}}, "in": "leader", "at_least": 1}, [(ROSE, 2), (IRIS, 1, "side")], "illegal"),
        ({"when": {"in": "main", **SUM, "at_least": {"plus": {"in": "side", "times": 3}}}, "in": "leader", "at_least": 1}, [(ROSE, 2), (IRIS, 2, "side")], "legal"),
    ],
)  # fmt: skip
def test_a_bound_is_what_its_counts_add_up_to(rule: dict[str, Any], held: list[Held], said: str) -> None:
    assert verdict(rule, *held) == said


@pytest.mark.parametrize(
    ("rule", "en"),
    [
        ({"in": "main", **SUM, "at_most": {"plus": OF_LEADER}}, "undecided: the cost of Maybe is unknown"),
        ({"when": {"in": "leader", **SUM, "at_least": 2}, "in": "main", "at_most": 0}, "undecided: the cost of Maybe is unknown"),
    ],
)  # fmt: skip
def test_an_open_bound_or_condition_names_the_card_and_the_fact(rule: dict[str, Any], en: str) -> None:
    [finding] = judged(rule, (ROSE, 1), (MAYBE, 1, "leader")).findings
    assert (finding.message.en, finding.verdict) == (en, "undecided")


def test_a_finding_gives_the_bound_in_numbers() -> None:
    bound = {"plus": [OF_LEADER, {"times": 2, "step": 2, "in": "side"}]}
    [finding] = judged(
        {"in": "main", **SUM, "at_most": bound}, (ROSE, 6), (OAK, 1, "leader"), (WISP, 5, "side")
    ).findings
    assert (finding.found, finding.allowed) == (12, {"at_most": 9})
    assert finding.message.en == "Bed: total cost: 12; at most 9 allowed"


@often(300)
@given(st.data())
def test_random_bounds_are_those_that_are_counted_by_hand(data: st.DataObject) -> None:
    pool = data.draw(pools(hide=False))
    plus = data.draw(st.lists(terms(), min_size=1, max_size=4))
    word = data.draw(st.sampled_from(["at_most", "at_least", "exactly"]))
    counted: dict[str, Any] = data.draw(
        st.sampled_from([{}, SUM, {"count": "names"}, {"count": {"sum": "cost", "of": "names"}}])
    )
    rule = {"in": "main", **counted, word: {"base": data.draw(st.integers(-4, 4)), "plus": plus}}
    deck = data.draw(decks(pool, loose=False))
    held = [(entry.cards[0], entry.zone) for entry in deck.entries for _ in range(entry.copies)]
    try:
        broken = is_broken(rule, held, Known("2002-02-02", {}, tuple(pool)))
        report = check(deck, format_of(rule, cards=Shelf(pool)), as_of="2002-02-02")
    except Exception as error:
        if "has no effect" in str(error) or "no deck can keep" in str(error):
            return
        raise
    event(report.verdict)
    assert report.verdict == ("illegal" if broken else "legal")


def test_what_is_infinite_stays_so_in_every_step() -> None:
    rule = {"in": "side", "at_most": {"plus": {"step": 4, "times": 2, **OF_LEADER}}}
    assert verdict(rule, (IRIS, 99, "side"), (MOSS, 1, "leader")) == "legal"
    assert MOSS.facts["cost"] == math.inf
