"""What a change between two days does to a deck: the verdicts are those of two checks, and each change of a finding is named."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from factories.dated_lists import COPIES, DAYS, OUT, RARE, between, entry, histories, lists, pair, told
from factories.garden_game import FERN, IRIS, OAK, PLUM, ROSE, Held, deck_of, format_of, unread
from factories.random_cards import often
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.model.card import Card
from deckcheck.model.deck import Directive
from deckcheck.model.finding import singly
from deckcheck.model.format import Source
from deckcheck.report.suppressions import Grading

CARDS = (ROSE, IRIS, FERN, OAK, PLUM)
PAIR = {"id": "pair", "count": "sides", "sides": "pair", "at_most": 1}


@pytest.mark.parametrize(
    ("statuses", "held", "verdicts", "change"),
    [
        (["rare"], 2, ("legal", "illegal"), ("+ rare", "free", "rare")),
        (["rare", "free"], 2, ("illegal", "legal"), ("- rare", "rare", "free")),
        (["rare", "out"], 1, ("legal", "illegal"), ("+ out", "rare", "out")),
        (["out", "rare"], 1, ("illegal", "legal"), ("- out", "out", "rare")),
    ],
)
def test_the_entry_of_the_card_is_named(
    statuses: list[str], held: int, verdicts: tuple[str, str], change: tuple[str, ...]
) -> None:
    history = list(zip(("2010-01-01", "2012-01-01")[-len(statuses) :], statuses, strict=True))
    format = format_of(OUT, RARE, banlists=[lists(entry("Rose", *history, line=7), entry("Iris", *history))])
    impact = between(format, deck_of((FERN, 1), (ROSE, held)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.after) == verdicts
    assert told(impact) == [(*change, "Rose")]
    [changed] = impact.findings
    [moved] = changed.entries
    assert (changed.finding.line, moved.since) == (2, "2012-01-01")
    assert moved.source == Source("l.yaml", 6 + len(history))


def test_of_several_changes_only_the_last_is_told() -> None:
    history = [("2011-01-01", "out"), ("2012-01-01", "rare"), ("2013-01-01", "free"), ("2014-01-01", "rare")]
    format = format_of(OUT, RARE, banlists=[lists(entry("Rose", *history))])
    assert told(between(format, deck_of((ROSE, 2)), "2010-06-01", "2014-06-01")) == [GAINED]
    assert between(format, deck_of((ROSE, 2)), "2012-06-01", "2014-06-01") is None
    assert between(format, deck_of((ROSE, 2)), "2010-06-01", "2013-06-01") is None


PAIRED = lists(combinations=[pair([["Rose"], ["Iris", "Fern"]], ("2012-01-01", "pair"), line=5)])
ROSE_RARE, IRIS_RARE, ROSE_OUT = (
    lists(entry(name, ("2012-01-01", status)))
    for name, status in (("Rose", "rare"), ("Iris", "rare"), ("Rose", "out"))
)
FREED = lists(entry("Rose", ("2010-01-01", "out"), ("2012-01-01", "free")))
HOUSE = {"banlist": "garden/house", "path": "h.yaml"}
STRICT = lists(entry("Rose", ("2010-01-01", "out")), **HOUSE)
MILD = {"id": "mild", "where": {"status": ["rare"]}, "at_most": 0, "severity": "warning"}
IN_THREES = OUT | {"when": {"best_of": 3}}
GAINED, TO_OUT = ("+ rare", "free", "rare", "Rose"), ("free", "out", "Rose")
OF_PAIR = ("+ pair", "free", "pair", "Rose", "Fern", "Iris")
WORSE, SAME, OPEN = ("legal", "illegal"), ("illegal", "illegal"), ("illegal", "undecided")
GHOST: Held = ("Nobody knows", 1)


@pytest.mark.parametrize(
    ("rules", "banlists", "held", "verdicts", "changes"),
    [
        # A combination is named with all of its sides.
        ([PAIR], [PAIRED], [(ROSE, 1), (FERN, 2), (PLUM, 1)], WORSE, [OF_PAIR]),
        ([PAIR], [PAIRED], [(IRIS, 1), (FERN, 2)], None, []),
        # A deck that stays illegal has other findings; a stricter cap tells the copies from then on.
        ([COPIES, RARE], [ROSE_RARE], [(ROSE, 2), (IRIS, 9)], SAME, [GAINED]),
        ([COPIES, RARE], [ROSE_RARE], [(ROSE, 4)], SAME, [("- copies", *GAINED[1:]), GAINED]),
        # Warnings count and notes don't.
        ([MILD], [ROSE_RARE], [(ROSE, 1)], ("legal", "legal"), [("+ mild", *GAINED[1:])]),
        ([MILD | {"severity": "info"}], [ROSE_RARE], [(ROSE, 1)], None, []),
        # What is unknown stays unknown, and a line that says no copies has no card.
        ([OUT], [FREED], [(ROSE, 1), GHOST], OPEN, [("- out", "out", "free", "Rose")]),
        ([OUT], [ROSE_OUT], [(ROSE, 0), (IRIS, 9)], None, []),
        # A stricter list keeps a freed card out; where both change, both are named.
        ([OUT], [FREED, STRICT], [(ROSE, 1)], None, []),
        ([OUT], [ROSE_OUT, ROSE_OUT | HOUSE], [(ROSE, 1)], WORSE, [("+ out", *TO_OUT, *TO_OUT)]),
        # A rule that begins or ends has no entry.
        ([COPIES | {"since": "2012-06-01"}], [IRIS_RARE], [(ROSE, 9)], WORSE, [("+ copies",)]),
        ([COPIES | {"until": "2012-01-01"}], [IRIS_RARE], [(ROSE, 9)], WORSE[::-1], [("- copies",)]),
        # The match has no such number of games.
        ([IN_THREES], [ROSE_OUT], [(ROSE, 1)], None, []),
    ],
)
def test_what_changes_is_told(
    rules: list[dict[str, Any]],
    banlists: list[dict[str, Any]],
    held: list[Held],
    verdicts: tuple[str, str] | None,
    changes: list[tuple[str, ...]],
) -> None:
    impact = between(format_of(*rules, banlists=banlists), deck_of(*held), "2011-01-01", "2013-01-01")
    if impact is None:
        assert verdicts is None
        return
    assert ((impact.before, impact.after), told(impact)) == (verdicts, changes)
    assert (impact.changes_verdict, impact.worse) == (impact.before != impact.after, verdicts == WORSE)


def test_best_of_counts() -> None:
    format = format_of(IN_THREES, banlists=[ROSE_OUT])
    impact = between(format, deck_of((ROSE, 1)), "2011-01-01", "2013-01-01", best_of=3)
    assert told(impact) == [("+ out", *TO_OUT)]


def test_what_is_ignored_does_not_count() -> None:
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    ignoring = Directive(False, ("out",), "", 1, 9)
    deck = replace(deck_of((ROSE, 1)), directives=(ignoring,))
    impact = between(format, deck, "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.after) == ("legal", "legal")
    assert [(one.finding.rule, one.gained) for one in impact.findings] == [("unused-suppression", False)]


@pytest.mark.parametrize(
    ("asked", "after"),
    [
        ({"ignore": {"out": Source("s", 1)}}, None),
        ({"select": frozenset(["rare"])}, None),
        ({"severity": {"out": "warning"}}, "legal"),
        ({}, "illegal"),
    ],
)
def test_the_settings_grading_counts(asked: dict[str, Any], after: str | None) -> None:
    grading = Grading(**{"select": None, "selected_at": Source("s", 1), "ignore": {}, "severity": {}} | asked)
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    impact = between(format, deck_of((ROSE, 1)), "2011-01-01", "2013-01-01", grading=grading)
    assert (None if impact is None else impact.after) == after


HOLDABLE: list[Card | str | tuple[Card, ...]] = [*CARDS, (ROSE, IRIS), "Nobody knows"]
held_cards: st.SearchStrategy[list[Held]] = st.lists(
    st.tuples(st.sampled_from(HOLDABLE), st.integers(0, 4)), max_size=6
)
RULES = [
    OUT,
    RARE,
    COPIES,
    PAIR,
    {"id": "few", "count": "names", "where": {"status": ["rare"]}, "at_most": 1},
    {"id": "others", "where": {"not": {"status": ["rare", "out"]}}, "at_least": 2},
    {"id": "when", "when": {"where": {"status": ["rare"]}}, "at_most": 5},
    {"id": "warn", "where": {"status": ["rare"]}, "at_most": 0, "severity": "warning"},
    {"id": "begins", "where": {"name": ["Iris"]}, "at_most": 1, "since": "2012-06-01"},
    {"id": "ends", "per": "name", "at_most": 2, "until": "2012-06-01"},
]


@st.composite
def changing_formats(draw: st.DrawFn) -> LoadedFormat:
    chosen = draw(st.lists(st.sampled_from(RULES), min_size=1, max_size=5, unique_by=lambda one: one["id"]))
    banlists = []
    for name in ("a", "b"):
        cards = [entry(one.name, *draw(histories), line=10 * at) for at, one in enumerate(CARDS, 1)]
        pairs = [pair([["Rose"], ["Iris"]], *[(d, "pair" if s != "free" else s) for d, s in draw(histories)])]
        banlists.append(lists(*cards, combinations=pairs, banlist=f"garden/{name}", path=f"{name}.yaml"))
    return format_of(*chosen, banlists=banlists)


@often(400)
@given(changing_formats(), held_cards, st.tuples(st.sampled_from(DAYS), st.sampled_from(DAYS)))
def test_the_findings_are_the_difference_of_two_checks(
    format: LoadedFormat, held: list[Held], days: tuple[str, str]
) -> None:
    before, after = sorted(days)
    deck = deck_of(*held, diagnostics=[unread()] if len(held) == 6 else [])
    reports = [check(deck, format, as_of=day) for day in (before, after)]
    impact = between(format, deck, before, after)
    rules = [Counter(one.rule for one in singly(report.findings)) for report in reports]
    if impact is None:
        assert (reports[0].verdict, rules[0]) == (reports[1].verdict, rules[1])
        return
    assert (impact.before, impact.after) == (reports[0].verdict, reports[1].verdict)
    for change in impact.findings:
        report = reports[change.gained]
        assert change.finding.rule in {one.rule for one in singly(report.findings)}
        for moved in change.entries:
            assert moved.before != moved.after
            lines = {at.line for at in change.finding.cards}
            names = {card.name for line in deck.entries if line.line in lines for card in line.cards}
            assert names & moved.names
