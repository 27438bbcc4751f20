"""Ranks are borne by printings, and printings appear over time."""

from __future__ import annotations

from random import Random

import pytest
from factories.garden_game import GAME, RANKS, card, printing
from factories.naive_evaluator import Known, is_so
from factories.random_cards import DAYS, cards, often, some_completion
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.model.card import Card, Printing
from deckcheck.model.format import Rank
from deckcheck.rules.predicates import NO, UNKNOWN, YES, rank_within

ORDER = GAME.attributes["rarity"].order
CALENDAR = ["2000-01-01", *DAYS, "2001-06-06", "2009-09-09"]


def bears(one: Card, rank: str, day: str) -> int:
    return rank_within(one, Rank("rarity", ORDER, rank), day)


def printed(*printings: Printing, released: str | None = "2000-01-01") -> Card:
    return card("Card", printings=printings, released=released)


@often(200)
@given(cards(), st.sampled_from(RANKS))
def test_with_the_date_an_answer_only_goes_up(one: Card, rank: str) -> None:
    if not one.printings:
        return
    answers = [bears(one, rank, day) for day in sorted(CALENDAR)]
    # A printing without a day may already be out, so a "no" may rise to either of the others.
    assert answers == sorted(answers)


@often(200)
@given(cards(), st.sampled_from(RANKS), st.sampled_from(CALENDAR))
def test_an_answer_is_true_of_all_that_may_have_been_printed(one: Card, rank: str, day: str) -> None:
    said = bears(one, rank, day)
    chance = Random(1)
    ways = {
        is_so({"rarity": {"at_least": rank}}, some_completion(one, chance), Known(day, {}, ()))
        for _ in range(60)
    }
    if said == UNKNOWN:
        return
    assert ways == {said == YES}


@often(100)
@given(cards(hide=False), st.sampled_from(RANKS), st.sampled_from(CALENDAR))
def test_known_printings_are_always_decided(one: Card, rank: str, day: str) -> None:
    truth = is_so({"rarity": {"at_least": rank}}, one, Known(day, {}, ()))
    assert bears(one, rank, day) == (YES if truth else NO)


@often(100)
@given(cards(hide=False), st.sampled_from(CALENDAR))
def test_who_bears_a_rank_bears_every_lower_one(one: Card, day: str) -> None:
    answers = [bears(one, rank, day) for rank in RANKS]
    assert answers == sorted(answers, reverse=True)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("SR", YES),
        ("SSR", YES),
        ("L", YES),
        ("R", NO),
        ("", NO),
        (None, UNKNOWN),
        ("?L", UNKNOWN),
        ("?C", UNKNOWN),
        ("<=R", NO),
        ("<=SR", UNKNOWN),
        ("<=L", UNKNOWN),
    ],
)
def test_codes(code: str | None, said: int) -> None:
    assert bears(printed(printing(code)), "SR", "2020-01-01") == said


def test_ranks_that_stand_together_count_alike() -> None:
    assert bears(printed(printing("SR")), "SSR", "2020-01-01") == YES


def test_a_printing_counts_from_its_day() -> None:
    one = printed(printing("C"), printing("L", "2010-05-05"))
    assert bears(one, "SR", "2010-05-04") == NO
    assert bears(one, "SR", "2010-05-05") == YES


def test_a_printing_without_a_day_may_be_out_once_the_card_is() -> None:
    one = printed(printing("C", "2010-05-05"), printing("L", None), released="2010-05-05")
    assert bears(one, "SR", "2010-05-04") == NO
    assert bears(one, "SR", "2010-05-05") == UNKNOWN
    assert bears(printed(printing("L", None), released=None), "SR", "1999-01-01") == UNKNOWN


def test_a_card_of_which_no_printing_is_known_may_bear_anything() -> None:
    assert bears(printed(), "C", "2020-01-01") == UNKNOWN
