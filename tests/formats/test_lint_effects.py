"""What is called dead may go without a change, and what is called impossible is never kept; on decks at random."""

from __future__ import annotations

import json
import tempfile
from typing import Any, NamedTuple

from factories.files import put
from factories.garden_game import GAME, Shelf, format_with
from factories.random_cards import DAYS, decks, often, pools
from factories.random_rules import bounds, conditions, ways_to_count
from hypothesis import assume, event, given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.checking.judge import check
from deckcheck.formats.grammar import Context
from deckcheck.formats.inheritance import inherit
from deckcheck.formats.lint import check_effects
from deckcheck.formats.rule_parser import RuleParser
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck
from deckcheck.model.format import Rule

BOUNDS = ("at_most", "at_least", "exactly", "either")


class Judged(NamedTuple):
    """Rules, and the lines of the clauses that are called dead or can't be kept with others."""

    rules: tuple[Rule, ...]
    dead: set[int]
    impossible: set[int]


@st.composite
def alike(draw: st.DrawFn) -> list[list[dict[str, Any]]]:
    """A few rules of one or two clauses each, which mostly count the same."""
    counted = [{**draw(ways_to_count()), **draw(conditions())} for _ in range(draw(st.integers(1, 2)))]
    found = []
    for _ in range(draw(st.integers(2, 3))):
        clauses = []
        for _ in range(draw(st.sampled_from([1, 1, 1, 2]))):
            base = draw(st.sampled_from(counted))
            left_out = draw(st.sampled_from([None, None, "where", "per", "when", "in"]))
            counts = {key: value for key, value in base.items() if key not in (*BOUNDS, left_out)}
            clause = counts | draw(bounds())
            if draw(st.integers(0, 3)) == 0:
                clause["severity"] = draw(st.sampled_from(["warning", "info"]))
            for key in ("since", "until"):
                if draw(st.integers(0, 4)) == 0:
                    clause[key] = draw(st.sampled_from(DAYS))
            clauses.append(clause)
        found.append(clauses)
    return found


def judge(rules: list[list[dict[str, Any]]], pool: list[Card]) -> Judged:
    lines = ["format: garden/x", "name: X", "zones: {main: {}, leader: {}, side: {}}", "rules:"]
    for at, clauses in enumerate(rules):
        lines += [f"- id: rule-{at}", "  clauses:", *(f"  - {json.dumps(clause)}" for clause in clauses)]
    with tempfile.TemporaryDirectory() as folder:
        found = inherit(put(f"{folder}/x.yaml", "\n".join(lines)))
    context = Context(GAME, Shelf(pool), list(found.zones), found.definitions)
    parser = RuleParser(context)
    parsed = [parser.rule(piece) for piece in found.rules.values()]
    clauses = [clause for _rule, placed in parsed for clause in placed]
    # Rules that make no sense by themselves are no matter here.
    assume(not context.problems)
    check_effects(found, clauses, context)
    dead = {one.line for one in context.problems if "has no effect" in one.message.en}
    impossible = {one.line for one in context.problems if "no deck can keep" in one.message.en}
    assert len(dead) + len(impossible) <= len(context.problems)
    rules = tuple(rule for rule, _placed in parsed)
    return Judged(rules, {line for line in dead if line}, {line for line in impossible if line})


def without(rules: tuple[Rule, ...], lines: set[int]) -> tuple[Rule, ...]:
    left = (
        replace(rule, clauses=tuple(clause for clause in rule.clauses if clause.line not in lines))
        for rule in rules
    )
    return tuple(rule for rule in left if rule.clauses)


def verdict(rules: tuple[Rule, ...], deck: Deck, day: str) -> str:
    return check(deck, format_with(rules), as_of=day).verdict


@given(st.data())
@often(250)
def test_a_rule_that_is_called_dead_changes_no_verdict(data: st.DataObject) -> None:
    pool = data.draw(pools())
    judged = judge(data.draw(alike()), pool)
    event(f"{min(len(judged.dead), 2)} dead")
    if judged.dead:
        for deck in data.draw(st.lists(decks(pool), min_size=6, max_size=6)):
            for day in DAYS:
                wanted = verdict(judged.rules, deck, day)
                for lines in (judged.dead, *({line} for line in judged.dead)):
                    assert verdict(without(judged.rules, lines), deck, day) == wanted


@given(st.data())
@often(250)
def test_no_deck_keeps_what_is_called_impossible(data: st.DataObject) -> None:
    pool = data.draw(pools())
    judged = judge(data.draw(alike()), pool)
    event("impossible" if judged.impossible else "possible")
    if judged.impossible:
        for deck in data.draw(st.lists(decks(pool), min_size=6, max_size=6)):
            # Both stand on one of these days.
            assert {verdict(judged.rules, deck, day) for day in DAYS} != {"legal"}
