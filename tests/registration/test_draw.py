"""Which decks are checked: as many as were asked for, the same ones each time, and none twice."""

from __future__ import annotations

from decimal import Decimal
from math import ceil
from typing import Literal

import pytest
from factories.random_lists import receipt
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration.deck_checks import draw, share_of
from deckcheck.registration.log import Log
from deckcheck.registration.receipts import BEGINNING, DeckCheck, EntryValue, entry_of
from deckcheck.registration.submissions import Player
from deckcheck.support.errors import UserError


def log_of(*values: EntryValue) -> Log:
    entries, previous = [], BEGINNING
    for number, value in enumerate(values, 1):
        entries.append(entry_of(number, previous, value))
        previous = entries[-1].hash
    return Log(tuple(entries))


def decks(number: int) -> list[EntryValue]:
    return [receipt(player=Player(str(at))) for at in range(number)]


percents = st.integers(1, 100)
seeds = st.text(min_size=1, max_size=5).filter(str.strip)


@given(st.integers(1, 40), percents, seeds)
def test_as_many_are_drawn_as_were_asked_for_and_none_twice(number: int, percent: int, seed: str) -> None:
    found = draw(log_of(*decks(number)), share_of(f"{percent}%"), seed)
    assert len(found.drawn) == ceil(Decimal(number * percent) / 100)
    assert len({number for number, _receipt in found.drawn}) == len(found.drawn)
    assert (found.total, found.checked) == (number, 0)


@given(st.integers(1, 30), percents, seeds)
def test_the_same_seed_draws_the_same(number: int, percent: int, seed: str) -> None:
    log, share = log_of(*decks(number)), share_of(f"{percent}%")
    assert draw(log, share, seed) == draw(log, share, seed)


def test_every_deck_is_drawn_about_as_often() -> None:
    log = log_of(*decks(10))
    hits = [
        number for seed in range(2000) for number, _receipt in draw(log, share_of("10%"), str(seed)).drawn
    ]
    assert len(hits) == 2000
    assert all(140 < hits.count(number) < 260 for number in range(1, 11))


@given(st.integers(1, 20), st.data())
def test_what_was_found_to_be_right_is_left_out(number: int, data: st.DataObject) -> None:
    done = data.draw(st.sets(st.integers(1, number)))
    checks = [DeckCheck("cup", "now", one, "same") for one in sorted(done)]
    found = draw(log_of(*decks(number), *checks), share_of("100%"), "seed")
    assert {number for number, _receipt in found.drawn} == set(range(1, number + 1)) - done
    assert (found.total, found.checked) == (number, len(done))


@given(st.lists(st.sampled_from(["same", "different"]), max_size=4))
def test_the_last_check_of_a_deck_counts(results: list[Literal["same", "different"]]) -> None:
    """Also the one before it found it right: what is on the table now is what counts."""
    checks = [DeckCheck("cup", "now", 2, result) for result in results]
    found = draw(log_of(*decks(3), *checks), share_of("100%"), "seed")
    right = bool(results) and results[-1] == "same"
    assert {number for number, _receipt in found.drawn} == ({1, 3} if right else {1, 2, 3})
    assert found.checked == right


@pytest.mark.parametrize("seed", ["", " ", "\u3000\n"])
def test_a_seed_without_anything_in_it_is_a_mistake(seed: str) -> None:
    with pytest.raises(UserError, match="the seed is empty"):
        draw(log_of(*decks(3)), share_of("10%"), seed)


def test_a_receipt_that_was_replaced_is_not_drawn_and_the_new_one_is_unchecked() -> None:
    log = log_of(receipt(), DeckCheck("cup", "now", 1, "same"), receipt(replaces=1))
    found = draw(log, share_of("100%"), "seed")
    assert [number for number, _receipt in found.drawn] == [3]
    assert (found.total, found.checked) == (1, 0)


@pytest.mark.parametrize(
    ("written", "share"), [("10%", "0.1"), (" 12.5 % ", "0.125"), ("100％", "1"), ("0.5%", "0.005")]
)
def test_shares_as_they_are_written(written: str, share: str) -> None:
    assert share_of(written) == Decimal(share)


@pytest.mark.parametrize("written", ["", "10", "0%", "101%", "-5%", "1e1%", "ten%", "10%%", "9" * 50 + "%"])
def test_what_is_no_share_is_a_mistake(written: str) -> None:
    with pytest.raises(UserError, match="share"):
        share_of(written)
