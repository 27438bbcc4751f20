"""Verdicts: legal is legal and illegal is illegal, whatever the facts that nobody knows."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from factories.garden_game import (
    GHOST,
    IRIS,
    ROSE,
    Held,
    Shelf,
    card,
    deck_from,
    deck_of,
    format_of,
    judged,
    unread,
    verdict,
)
from factories.naive_evaluator import Known, is_broken
from factories.random_cards import DAYS, decks, often, pools, some_completion, true_deck
from factories.random_rules import rules
from hypothesis import event, given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Report

STATUSES = {"Card 0": "rare", "Card 1": "out"}
LISTS = [
    {
        "cards": [
            {"card": name, "history": [{"from": "2000-01-01", "status": status, "line": 1}]}
            for name, status in STATUSES.items()
        ]
    }
]
DAY = st.sampled_from([*DAYS, "2002-06-01"])


def loaded(data: list[dict[str, Any]], pool: list[Card]) -> LoadedFormat:
    return format_of(*data, cards=Shelf(pool), banlists=LISTS)


@often(300)
@given(st.data())
def test_a_verdict_holds_in_every_way_that_cards_and_list_may_be(data: st.DataObject) -> None:
    pool, rule, day = data.draw(pools()), data.draw(rules()), data.draw(DAY)
    deck = data.draw(decks(pool))
    report = check(deck, loaded([rule], pool), as_of=day)
    event(report.verdict)
    if report.verdict == "undecided":
        return
    chance = Random(data.draw(st.integers(0, 2**32)))
    for _ in range(20):
        truth = {one.name: some_completion(one, chance) for one in pool}
        world = Known(day, STATUSES, tuple(truth.values()))
        truth["Stranger"] = some_completion(Card("Stranger", "main", {}), chance)
        held = true_deck(deck, truth, chance)
        assert is_broken(rule, held, world) == (report.verdict == "illegal")


@often(300)
@given(st.data())
def test_where_all_is_known_every_verdict_is_the_naive_one(data: st.DataObject) -> None:
    pool, day = data.draw(pools(hide=False)), data.draw(DAY)
    severities = st.sampled_from(["error", "error", "warning", "info"])
    asked = [
        {**data.draw(rules()), "severity": data.draw(severities)} for _ in range(data.draw(st.integers(1, 3)))
    ]
    deck = data.draw(decks(pool, loose=False))
    held = [(entry.cards[0], entry.zone) for entry in deck.entries for _ in range(entry.copies)]
    world = Known(day, STATUSES, tuple(pool))
    broken = {f"rule-{at}" for at, rule in enumerate(asked) if is_broken(rule, held, world)}
    report = check(deck, loaded(asked, pool), as_of=day)
    told = {one.rule for one in report.findings if one.rule.startswith("rule-")}
    event(f"{len(broken)} broken")
    errors = {rule for rule in broken if asked[int(rule[-1])]["severity"] == "error"}
    assert report.verdict == ("illegal" if errors else "legal")
    assert all(one.verdict == "violated" for one in report.findings)
    assert told <= broken
    # Only a cap on one card's copies may go untold, where a stricter rule tells of the same card.
    assert all({"at_most", "exactly"} & asked[int(rule[-1])].keys() for rule in broken - told)


@often(150)
@given(st.data())
def test_nothing_unknown_is_ever_called_legal(data: st.DataObject) -> None:
    """A list with an unsure line is never legal, with whatever rules."""
    pool = data.draw(pools(hide=False))
    deck = data.draw(decks(pool, loose=False))
    loose = data.draw(
        st.sampled_from(
            [
                Entry("?", (), 1, "main", 9, 1),
                Entry("?", (), 0, "main", 9, 1),
                Entry("?", tuple(pool[:2]), 1, "main", 9, 1),
                Entry("?", (pool[0],), 1, "Nowhere", 9, 1),
                None,
            ]
        )
    )
    unsure = deck_from([*deck.entries, loose]) if loose else deck_from(deck.entries, [unread()])
    assert check(unsure, loaded([data.draw(rules())], pool), as_of="2002-02-02").verdict != "legal"


@often(120)
@given(st.data())
def test_neither_order_nor_splitting_a_line_changes_what_is_found(data: st.DataObject) -> None:
    pool, day = data.draw(pools()), data.draw(DAY)
    deck = data.draw(decks(pool))
    ready = loaded([data.draw(rules()) for _ in range(2)], pool)
    before = check(deck, ready, as_of=day)
    mixed = deck_from(data.draw(st.permutations(split(deck, data))), deck.diagnostics)
    after = check(mixed, ready, as_of=day)
    assert before.verdict == after.verdict
    assert before.sizes == after.sizes
    assert before.fingerprint == after.fingerprint
    assert gist(before) == gist(after)


def split(deck: Deck, data: st.DataObject) -> list[Entry]:
    entries = []
    for entry in deck.entries:
        if len(entry.cards) != 1 or entry.copies < 2:
            entries.append(entry)
            continue
        first = data.draw(st.integers(1, entry.copies - 1))
        rest = entry.copies - first
        entries += [replace(entry, copies=first), replace(entry, copies=rest)]
    return entries


def gist(report: Report) -> Counter[Any]:
    """What is found, without the places and the order of the cards."""
    return Counter(
        (
            one.rule,
            one.verdict,
            one.severity,
            one.found,
            str(one.allowed),
            frozenset(at.name for at in one.cards),
        )
        for one in report.findings
        if not one.rule.startswith("not-yet")
    )


def test_bounds_over_different_questions_are_kept_apart() -> None:
    def grows(where: dict[str, Any]) -> dict[str, Any]:
        return {"plus": {"where": where}}

    both = [{"colour": "red"}, {"colour": "blue"}]
    rule = {"in": "main", "at_least": grows({"all": both}), "at_most": grows({"any": both})}
    assert verdict(rule, (ROSE, 1), (IRIS, 1)) == "legal"


def test_an_open_rule_names_the_card_and_the_fact() -> None:
    [finding] = judged({"where": {"colour": "red", "cost": 5}, "at_most": 0}, (GHOST, 1)).findings
    assert finding.verdict == "undecided"
    assert finding.message.ja == "判定できません: 《Ghost Orchid》の色とコストが不明"
    assert finding.message.en == "undecided: the colour and cost of Ghost Orchid are unknown"
    assert [at.name for at in finding.cards] == ["Ghost Orchid"]


def test_a_bound_over_lines_that_cannot_be_read_is_no_crash() -> None:
    for key in ("at_most", "at_least", "exactly"):
        for plus in (-1, 0, 2):
            grown = {"base": 1, "plus": {"times": plus, "in": "main"}}
            ready = format_of({key: grown, "in": "main"})
            report = check(deck_of((ROSE, 3), (GHOST, 1), diagnostics=[unread()]), ready, as_of="2020-01-01")
            assert report.verdict in ("undecided", "illegal")
            assert all(one.message.ja and one.message.en for one in report.findings)


FOUR = {"id": "four", "per": "name", "at_most": 4}
ONE = {"id": "one", "per": "name", "at_most": 1}
BAN = {"id": "ban", "where": {"name": ["Rose"]}, "at_most": 0}
OTHER = {"id": "other", "where": {"colour": "red"}, "at_most": 0}
MAYBE = {"id": "maybe", "per": "name", "where": {"colour": "red"}, "at_most": 1}
WARNED = {"severity": "warning"}
AWAY: Held = (ROSE, 1, "side")


@pytest.mark.parametrize(
    ("rules", "held", "told"),
    [
        # A stricter rule speaks for the card, but nothing that is open, nor a warning, for what is sure.
        ([FOUR, ONE], (ROSE, 5), "illegal one"),
        ([FOUR, BAN, ONE, OTHER], (ROSE, 5), "illegal ban other"),
        ([FOUR, FOUR | {"id": "again"}], (ROSE, 5), "illegal four"),
        ([MAYBE, FOUR], (GHOST, 5), "illegal four maybe"),
        ([ONE | WARNED, FOUR], (ROSE, 5), "illegal one four"),
        # A card in a zone that isn't played keeps the verdict open, unless it is refused.
        ([{"at_most": 9}], AWAY, "undecided unknown-zone"),
        ([BAN | WARNED], AWAY, "undecided ban unknown-zone"),
        ([BAN], AWAY, "illegal ban"),
    ],
)
def test_what_is_told_of_a_card_by_several_rules(rules: list[dict[str, Any]], held: Held, told: str) -> None:
    report = check(deck_of(held), format_of(*rules, zones=["main"]), as_of="2020-01-01")
    verdict, *ids = told.split()
    assert report.verdict == verdict
    assert sorted(finding.rule for finding in report.findings) == sorted(ids)


def test_a_card_before_its_time_is_told_and_changes_nothing() -> None:
    new = card("New", released="2019-05-05")
    report = judged({"at_most": 9}, (new, 1), as_of="2019-05-04", cards=Shelf([new]))
    assert (report.verdict, [one.rule for one in report.findings]) == ("legal", ["not-yet-released"])
    assert judged({"at_most": 9}, (new, 1), as_of="2019-05-05", cards=Shelf([new])).findings == ()
