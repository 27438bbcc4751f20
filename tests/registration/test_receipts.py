"""Entries of a log: read as they are written, and refused when anything is odd."""

from __future__ import annotations

import json

import pytest
from factories.random_lists import HASH, lists, receipt
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration.canonical import Stamp
from deckcheck.registration.log import (
    BEGINNING,
    DeckCheck,
    Entry,
    Receipt,
    Withdrawal,
    entry_from,
    entry_line,
    entry_object,
    entry_of,
)
from deckcheck.registration.submissions import Player
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError

words = st.text(max_size=10)
maybe = st.none() | words
moments = st.datetimes(timezones=st.timezones()).map(lambda one: one.isoformat())
receipts = st.builds(
    Receipt,
    event=words,
    date=st.just("2026-11-28"),
    at=moments,
    player=st.builds(
        Player,
        name=maybe,
        reading=maybe,
        id=maybe,
        table=maybe,
        deck_name=maybe,
        email=st.none(),
        others=st.just(()),
    ),
    place=words,
    submitted=st.none() | moments,
    game=st.just("garden"),
    format=st.just(Stamp("garden/x", HASH)),
    banlists=st.lists(st.just(Stamp("garden/list", HASH)), max_size=2).map(tuple),
    cards=words,
    as_of=st.just("2026-11-27"),
    best_of=st.none() | st.integers(1, 9),
    verdict=st.sampled_from(["legal", "illegal", "undecided"]),
    faults=st.lists(words, max_size=2).map(tuple),
    listed=lists,
    submission=st.none() | st.just("mz2ucq"),
    own=st.lists(st.just("new.yaml"), max_size=1).map(tuple),
    by=maybe,
    reason=maybe,
    despite=st.lists(words, max_size=2).map(tuple),
    replaces=st.none() | st.integers(1, 9),
)
checks = st.builds(
    DeckCheck,
    event=words,
    at=moments,
    receipt=st.integers(1, 99),
    result=st.sampled_from(["same", "different"]),
    between_games=st.booleans(),
    by=maybe,
)
withdrawals = st.builds(
    Withdrawal,
    event=words,
    at=moments,
    player=st.builds(Player, name=maybe, id=maybe, email=st.none(), others=st.just(())),
    receipt=st.none() | st.integers(1, 99),
    submissions=st.lists(words, max_size=3).map(tuple),
    by=words,
    reason=words,
)
entries = st.builds(entry_of, st.integers(1, 10**6), st.just(HASH), receipts | withdrawals | checks)


@given(entries)
def test_an_entry_is_read_as_it_was_written(entry: Entry) -> None:
    line = entry_line(entry)
    assert "\n" not in line
    line.encode()
    assert entry_from(json.loads(line)) == entry


def test_the_published_schema_fits() -> None:
    from jsonschema import Draft7Validator

    schema = load_schema("receipt")
    Draft7Validator.check_schema(schema)
    validator = Draft7Validator(schema)
    newer = receipt(submission="mz2ucq", own=("new.yaml",))
    left = Withdrawal("cup", "2026-11-28T01:00:00Z", Player("山田"), 1, ("mz2ucq",), "J", "R")
    word = receipt(
        verdict="illegal", faults=("main-size",), by="J", reason="R", despite=("illegal",), replaces=1
    )
    check = DeckCheck("cup", "2026-11-28T01:00:00Z", 1, "different", True, "J")
    for value in (receipt(), newer, word, left, check):
        validator.validate(entry_object(entry_of(2, BEGINNING, value)))
    plain = entry_object(entry_of(1, BEGINNING, receipt()))
    for key in plain:
        assert not validator.is_valid({name: value for name, value in plain.items() if name != key}), key
    assert not validator.is_valid(plain | {"more": 1})
    assert not validator.is_valid(plain | {"commitment": HASH})


@pytest.mark.parametrize("key", list(entry_object(entry_of(1, BEGINNING, receipt()))))
@pytest.mark.parametrize("value", [None, 7, -1, True, 1.5, "x", [], {}, [7], {"a": 7}, [{}]])
def test_whatever_is_changed_is_refused(key: str, value: object) -> None:
    said = entry_object(entry_of(1, BEGINNING, receipt()))
    if said[key] == value and type(said[key]) is type(value):
        return
    with pytest.raises(UserError) as caught:
        entry_from(said | {key: value}, "log")
    assert "山田" not in str(caught.value)
    assert "0001" not in str(caught.value)


@pytest.mark.parametrize("key", list(entry_object(entry_of(1, BEGINNING, receipt()))))
def test_whatever_is_left_out_is_refused(key: str) -> None:
    said = entry_object(entry_of(1, BEGINNING, receipt()))
    del said[key]
    with pytest.raises(UserError):
        entry_from(said)


def test_whatever_is_added_changes_the_hash() -> None:
    said = entry_object(entry_of(1, BEGINNING, receipt()))
    with pytest.raises(UserError, match="hash"):
        entry_from(said | {"more": 1})


@pytest.mark.parametrize("key", ["date", "as_of"])
@pytest.mark.parametrize(
    "day",
    ["2024-99-99", "2026-02-29", "２０２６-11-27", "2026-11-٢٧", "20261127", "2026-W48-6", "2026-11-27\n"],
)
def test_a_day_that_is_none_is_refused(key: str, day: str) -> None:
    with pytest.raises(UserError, match=key):
        entry_from(json.loads(entry_line(entry_of(1, BEGINNING, receipt(**{key: day})))))


@pytest.mark.parametrize(
    "id", ["/etc/x.yaml", "../x.yaml", "x.yaml", "garden/../x", "Garden/x", "", "garden/x\n", "a" * 201]
)
def test_a_format_or_a_banlist_that_is_a_path_is_refused(id: str) -> None:
    for odd in (receipt(format=Stamp(id, HASH)), receipt(banlists=(Stamp(id, HASH),))):
        with pytest.raises(UserError, match=r"(format|banlists)\.id"):
            entry_from(json.loads(entry_line(entry_of(1, BEGINNING, odd))))


def test_the_published_schema_refuses_what_the_reader_refuses() -> None:
    from jsonschema import Draft7Validator

    validator = Draft7Validator(load_schema("receipt"))
    for odd in (
        receipt(as_of="２０２６-11-27"),
        receipt(date="2026-11-٢٧"),
        receipt(format=Stamp("../x.yaml", HASH)),
    ):
        assert not validator.is_valid(entry_object(entry_of(1, BEGINNING, odd)))
