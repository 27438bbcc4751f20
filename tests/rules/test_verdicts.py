"""What each kind of rule finds: bounds, loops, conditions, days, sides, combinations and alternatives."""

from __future__ import annotations

from typing import Any

import pytest
from factories.garden_game import (
    FERN,
    GHOST,
    IRIS,
    MOSS,
    OAK,
    PLUM,
    ROSE,
    WISP,
    Held,
    Shelf,
    card,
    deck_of,
    format_of,
    judged,
    unread,
    verdict,
)

from deckcheck.checking.judge import check
from deckcheck.model.format import Source

WISPS: dict[str, Any] = {"in": "side", "where": {"name": ["Wisp"]}}
SIDE: list[Held] = [(WISP, 1, "side")]
GROWS = {"base": 2, "plus": {"times": 2, **WISPS}}
NAMER = card("Namer", kind=["Rose"])
MAYBE_GROWS = {"base": 2, "plus": {"times": 2, "in": "side", "where": {"colour": "red"}}}


@pytest.mark.parametrize(
    ("rule", "held", "said"),
    [
        ({"in": "main", "exactly": GROWS}, [(ROSE, 2)], "legal"),
        ({"in": "main", "exactly": GROWS}, [(ROSE, 4), (WISP, 1, "side")], "legal"),
        ({"in": "main", "exactly": GROWS}, [(ROSE, 2), (WISP, 1, "side")], "illegal"),
        ({"in": "main", "exactly": GROWS}, [(ROSE, 6), (WISP, 2, "side")], "legal"),
        ({"in": "main", "at_most": GROWS}, [(ROSE, 5), (WISP, 1, "side")], "illegal"),
        ({"in": "main", "at_least": GROWS}, [(ROSE, 3), (WISP, 1, "side")], "illegal"),
        ({"in": "main", "at_most": MAYBE_GROWS}, [(ROSE, 2), (GHOST, 1, "side")], "legal"),
        ({"in": "main", "at_most": MAYBE_GROWS}, [(ROSE, 4), (GHOST, 1, "side")], "undecided"),
        ({"in": "main", "at_most": MAYBE_GROWS}, [(ROSE, 5), (GHOST, 1, "side")], "illegal"),
        ({"in": "main", "exactly": {"base": 2, "plus": {"times": 0, **WISPS}}}, [(ROSE, 2), *SIDE], "legal"),
        ({"in": "main", "at_most": {"base": 2, "plus": {"times": -1, **WISPS}}}, [(ROSE, 1), *SIDE], "legal"),
        (
            {"in": "main", "at_most": {"base": 2, "plus": {"times": -1, **WISPS}}},
            [(ROSE, 2), *SIDE],
            "illegal",
        ),
        ({"exactly": [0, 3]}, [], "legal"),
        ({"exactly": [0, 3]}, [(ROSE, 3)], "legal"),
        ({"exactly": [0, 3]}, [(ROSE, 2)], "illegal"),
        ({"exactly": [0, 3], "where": {"colour": "red"}}, [(ROSE, 2), (GHOST, 1)], "undecided"),
        ({"exactly": [0, 3], "where": {"colour": "red"}}, [(ROSE, 2), (GHOST, 0)], "illegal"),
        ({"count": {"sum": "cost"}, "at_most": 4}, [(ROSE, 2)], "legal"),
        ({"count": {"sum": "cost"}, "at_most": 4}, [(ROSE, 2), (IRIS, 1)], "illegal"),
        ({"count": {"sum": "cost"}, "at_most": 4}, [(ROSE, 2), (GHOST, 1)], "undecided"),
        ({"count": {"sum": "cost"}, "at_most": 4}, [(MOSS, 1)], "illegal"),
        ({"per": "name", "at_least": 2}, [(ROSE, 2), (IRIS, 1)], "illegal"),
    ],
)
def test_bounds(rule: dict[str, Any], held: list[Held], said: str) -> None:
    assert verdict(rule, *held) == said


EACH = {"colour": {"of": "leader"}}
TWO_OF_EACH = {"in": "main", "for_each": EACH, "where": {"colour": "$each"}, "at_least": 2}
OUTSIDE = {"in": "main", "where": {"colour": {"outside": "leader"}}, "at_most": 0}
NAMING = {"in": "main", "where": {"kind": {"naming": "leader"}}}
TWO_OF_SOME = {"in": "main", "for_some": EACH, "where": {"colour": "$each"}, "at_least": 2}


@pytest.mark.parametrize(
    ("rule", "held", "said"),
    [
        (TWO_OF_EACH, [(OAK, 1, "leader"), (ROSE, 2), (OAK, 2)], "legal"),
        (TWO_OF_EACH, [(OAK, 1, "leader"), (ROSE, 2), (IRIS, 9)], "illegal"),
        (TWO_OF_EACH, [(ROSE, 1, "leader"), (ROSE, 1), (GHOST, 1)], "undecided"),
        (TWO_OF_EACH, [(GHOST, 1, "leader"), (OAK, 9), (IRIS, 9)], "undecided"),
        (TWO_OF_EACH, [(MOSS, 1, "leader"), (ROSE, 9)], "illegal"),
        (TWO_OF_EACH, [(OAK, 2)], "legal"),
        (TWO_OF_SOME, [(OAK, 1, "leader"), (ROSE, 2)], "legal"),
        (TWO_OF_SOME, [(OAK, 1, "leader"), (ROSE, 1)], "illegal"),
        (TWO_OF_SOME, [(OAK, 1, "leader"), (IRIS, 2)], "illegal"),
        (TWO_OF_SOME, [(OAK, 1, "leader"), (ROSE, 1), (GHOST, 1)], "undecided"),
        (TWO_OF_SOME, [(MOSS, 1, "leader"), (ROSE, 2)], "undecided"),
        (TWO_OF_SOME, [(OAK, 1, "leader"), ("nobody", 1, "leader"), (IRIS, 2)], "undecided"),
        (TWO_OF_SOME | {"for_some": {"colour": "every"}}, [(IRIS, 2)], "legal"),
        (TWO_OF_SOME | {"for_some": {"colour": ["red", "green"]}}, [(IRIS, 2)], "illegal"),
        (OUTSIDE, [(OAK, 1, "leader"), (ROSE, 1)], "legal"),
        (OUTSIDE, [(ROSE, 1, "leader"), (OAK, 1)], "illegal"),
        (OUTSIDE, [(GHOST, 1, "leader"), (OAK, 1)], "undecided"),
        (OUTSIDE, [(OAK, 1)], "legal"),
        # A leader that surely has no colour allows none.
        (OUTSIDE, [(WISP, 1, "leader"), (OAK, 1)], "illegal"),
        (OUTSIDE, [(WISP, 1, "leader"), (WISP, 1)], "legal"),
        # Whether some kind is the name of a card there: yes, no, and nobody knows of whom it is a card.
        (NAMING | {"at_most": 0}, [(ROSE, 1, "leader"), (NAMER, 1)], "illegal"),
        (NAMING | {"at_most": 0}, [(IRIS, 1, "leader"), (NAMER, 1)], "legal"),
        (NAMING | {"at_most": 0}, [(IRIS, 1, "leader"), (GHOST, 1)], "undecided"),
        (NAMING | {"at_least": 1}, [("Nobody", 1, "leader"), (NAMER, 1)], "undecided"),
        (NAMING | {"at_least": 1}, [((ROSE, IRIS), 1, "leader"), (NAMER, 1)], "undecided"),
    ],
)  # fmt: skip
def test_loops_and_what_a_zone_holds(rule: dict[str, Any], held: list[Held], said: str) -> None:
    assert verdict(rule, *held) == said


WHEN = {"when": {"in": "leader", "where": {"colour": "red"}}, "in": "main", "at_most": 1}
SIDES = {"sides": [{"name": ["Rose"]}, {"colour": "blue"}, {"kind": "tree"}], "at_most": 1}
PAIR = {"sides": "pair", "at_most": 1}
PAIR_LIST = [
    {
        "path": "banlists/pairs.yaml",
        "combinations": [
            {
                "sides": [["Rose"], ["Iris", "Plum"]],
                "history": [
                    {"from": "2010-01-01", "status": "pair", "line": 7},
                    {"from": "2015-01-01", "status": "free", "line": 8},
                ],
            }
        ],
    }
]


@pytest.mark.parametrize(
    ("day", "held", "said"),
    [
        ("2009-12-31", [(ROSE, 1), (IRIS, 1)], "legal"),
        ("2010-01-01", [(ROSE, 1), (IRIS, 1)], "illegal"),
        ("2014-12-31", [(ROSE, 1), (PLUM, 1)], "illegal"),
        ("2014-12-31", [(PLUM, 1), (IRIS, 1)], "legal"),
        ("2015-01-01", [(ROSE, 1), (IRIS, 1)], "legal"),
    ],
)
def test_a_list_names_combinations(day: str, held: list[Held], said: str) -> None:
    report = judged(PAIR, *held, as_of=day, banlists=PAIR_LIST)
    assert report.verdict == said
    if said == "illegal":
        [finding] = report.findings
        assert finding.source == Source("banlists/pairs.yaml", 7)
        assert [(one.path, one.line) for one in finding.related] == [("f.yaml", 1)]


EITHER = {
    "id": "pair",
    "in": "leader",
    "either": [{"at_most": 1}, {"where": {"colour": "red"}, "exactly": 2}],
    "message": {"ja": "組めません", "en": "no pair"},
}
RED = card("Poppy", colour=["red"], kind=["flower"])
HALF = card("Half", colour=["red"], kind=["flower"], partial=["colour"])
PAIRED: list[Held] = [(ROSE, 1, "leader")]


@pytest.mark.parametrize(
    ("rule", "held", "said"),
    [
        # A rule applies when it says.
        (WHEN, [(ROSE, 2)], "legal"),
        (WHEN, [(IRIS, 1, "leader"), (ROSE, 2)], "legal"),
        (WHEN, [(ROSE, 1, "leader"), (ROSE, 2)], "illegal"),
        (WHEN, [(ROSE, 1, "leader"), (ROSE, 1)], "legal"),
        (WHEN, [(ROSE, 0, "leader"), (ROSE, 2)], "legal"),
        (WHEN, [(GHOST, 1, "leader"), (ROSE, 2)], "undecided"),
        (WHEN, [(GHOST, 1, "leader"), (ROSE, 1)], "legal"),
        (WHEN, [((ROSE, OAK), 1, "leader"), (ROSE, 2)], "illegal"),
        (WHEN, [((ROSE, IRIS), 1, "leader"), (ROSE, 2)], "undecided"),
        # Sides; a line that may be two cards of one side is on that side.
        (SIDES, [], "legal"),
        (SIDES, [(ROSE, 4)], "legal"),
        (SIDES, [(ROSE, 1), (IRIS, 1)], "illegal"),
        (SIDES, [(ROSE, 1, "side"), (IRIS, 1)], "illegal"),
        (SIDES, [(ROSE, 1), (IRIS, 0)], "legal"),
        (SIDES, [(PLUM, 1), (OAK, 1)], "legal"),
        (SIDES, [(ROSE, 1), (GHOST, 1)], "undecided"),
        (SIDES, [(ROSE, 1), ("nobody", 1)], "undecided"),
        (SIDES, [(ROSE, 1), ((PLUM, OAK), 1)], "illegal"),
        # One way is enough, and an open one keeps it open.
        (EITHER, [*PAIRED], "legal"),
        (EITHER, [*PAIRED, (RED, 1, "leader")], "legal"),
        (EITHER, [*PAIRED, (IRIS, 1, "leader")], "illegal"),
        (EITHER, [*PAIRED, (GHOST, 1, "leader")], "undecided"),
        (EITHER, [(IRIS, 1, "leader"), (GHOST, 1, "leader")], "illegal"),
        # What is partly known of a leader opens only what hangs on it.
        (OUTSIDE, [(HALF, 1, "leader"), (RED, 1)], "legal"),
        (OUTSIDE, [(HALF, 1, "leader"), (IRIS, 1)], "undecided"),
    ],
)
def test_conditions_sides_and_ways(rule: dict[str, Any], held: list[Held], said: str) -> None:
    format = format_of(rule, cards=Shelf([ROSE, IRIS, OAK, PLUM, GHOST, RED, HALF]))
    report = check(deck_of(*held), format, as_of="2020-01-01")
    assert report.verdict == said
    if said == "illegal" and rule is EITHER:
        assert [finding.message.en for finding in report.findings] == ["no pair"]


def test_a_line_that_may_be_a_heading_opens_a_condition() -> None:
    deck = deck_of((ROSE, 1, "Shed"), (ROSE, 2), diagnostics=[unread("leader")])
    assert check(deck, format_of(WHEN), as_of="2020-01-01").verdict == "undecided"


CLAUSES = {"at_most": 2, "clauses": [{"until": "2010-12-31"}, {"since": "2011-01-01", "at_most": 1}]}
DATED = {"at_most": 0, "since": "2010-01-01", "until": "2010-06-30"}


@pytest.mark.parametrize(
    ("rule", "day", "games", "said"),
    [
        # A rule stands from its first day to its last.
        (DATED, "2009-12-31", None, "legal"),
        (DATED, "2010-01-01", None, "illegal"),
        (DATED, "2010-06-30", None, "illegal"),
        (DATED, "2010-07-01", None, "legal"),
        # So does each clause, which overrides what is above.
        (CLAUSES, "2010-12-31", None, "legal"),
        (CLAUSES, "2011-01-01", None, "illegal"),
        # An option of the check may be asked for.
        ({"when": {"best_of": 1}, "at_most": 1}, "2020-01-01", None, "legal"),
        ({"when": {"best_of": 1}, "at_most": 1}, "2020-01-01", 1, "illegal"),
        ({"when": {"best_of": 1}, "at_most": 1}, "2020-01-01", 3, "legal"),
    ],
)
def test_days_and_games(rule: dict[str, Any], day: str, games: int | None, said: str) -> None:
    assert check(deck_of((ROSE, 2)), format_of(rule), as_of=day, best_of=games).verdict == said


SUM = {"count": {"sum": "cost"}}
OF_LEADER = {"in": "leader", **SUM}
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
        # What is infinite stays so in every step.
        ({"in": "side", "at_most": {"plus": {"step": 4, "times": 2, **OF_LEADER}}}, [(IRIS, 99, "side"), (MOSS, 1, "leader")], "legal"),
    ],
)  # fmt: skip
def test_bounds_and_conditions_that_add_up_counts(rule: dict[str, Any], held: list[Held], said: str) -> None:
    assert verdict(rule, *held) == said


def test_a_finding_gives_the_bound_in_numbers_or_names_the_card_and_the_fact() -> None:
    open_bound = {"in": "main", **SUM, "at_most": {"plus": OF_LEADER}}
    open_condition = {"when": {"in": "leader", **SUM, "at_least": 2}, "in": "main", "at_most": 0}
    for rule in (open_bound, open_condition):
        [finding] = judged(rule, (ROSE, 1), (MAYBE, 1, "leader")).findings
        assert finding.message.en == "undecided: the cost of Maybe is unknown"
    bound = {"plus": [OF_LEADER, {"times": 2, "step": 2, "in": "side"}]}
    [finding] = judged(
        {"in": "main", **SUM, "at_most": bound}, (ROSE, 6), (OAK, 1, "leader"), (WISP, 5, "side")
    ).findings
    assert (finding.found, finding.allowed) == (12, {"at_most": 9})
    assert finding.message.en == "Bed: total cost: 12; at most 9 allowed"


def test_one_loaded_format_serves_many_decks_and_days() -> None:
    """What is kept from one deck never leaks into the verdict of the next."""
    ready = format_of(TWO_OF_EACH, WHEN, OUTSIDE)
    lists: list[list[Held]] = [
        [(OAK, 1, "leader"), (ROSE, 1), (OAK, 2)],
        [(ROSE, 1, "leader"), (ROSE, 2)],
        [(IRIS, 1, "leader"), (IRIS, 2), (ROSE, 1)],
        [(GHOST, 1, "leader"), (ROSE, 2)],
        [(ROSE, 2)],
    ]
    alone = [check(deck_of(*held), format_of(TWO_OF_EACH, WHEN, OUTSIDE), as_of="2020-01-01").findings for held in lists]  # fmt: skip
    for _ in range(2):
        assert [check(deck_of(*held), ready, as_of="2020-01-01").findings for held in lists] == alone
    assert len({str(found) for found in alone}) == len(lists)
