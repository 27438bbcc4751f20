"""A list apart from its notation."""

from __future__ import annotations

import json

import pytest
from factories import garden_game
from factories.event_lists import UNDECIDED, UNREADABLE, duemagic, legal
from factories.random_lists import copies, lists, strangers
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.model.finding import fingerprint
from deckcheck.registration.canonical import (
    CanonicalList,
    Copies,
    canonical_list,
    deck_of,
    list_from,
    list_object,
    list_of,
    uncertain_lines,
    uncertainty_message,
)
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Localized

LIST = Localized("リスト", "list")


@given(lists)
def test_what_is_written_as_json_is_read_again(listed: CanonicalList) -> None:
    assert list_from("garden", json.loads(json.dumps(list_object(listed))), LIST) == listed


@given(st.lists(copies, max_size=12))
def test_the_fingerprint_is_that_of_the_deck(cards: list[Copies]) -> None:
    listed = canonical_list("garden", cards)
    deck = deck_of(listed, garden_game.GARDEN.find, garden_game.ZONES, "x")
    assert fingerprint(deck, "garden") == listed.fingerprint
    assert list_of(deck, "garden") == listed


@given(st.lists(copies | strangers, max_size=10), st.randoms())
def test_neither_order_nor_splitting_counts(cards: list[Copies], random: object) -> None:
    halves = [
        half
        for one in cards
        for half in (one._replace(copies=one.copies // 2), one._replace(copies=one.copies - one.copies // 2))
    ]
    random.shuffle(halves)  # type: ignore[attr-defined]
    assert canonical_list("garden", cards) == canonical_list("garden", halves)


@given(lists, lists)
def test_different_lists_have_different_fingerprints(one: CanonicalList, other: CanonicalList) -> None:
    assert (one.fingerprint == other.fingerprint) == (one == other)


def test_a_name_can_not_pretend_to_be_more_lines() -> None:
    plain = canonical_list("garden", [Copies("main", "Rose", 1), Copies("side", "Iris", 1)])
    for known in (True, False):
        sly = canonical_list("garden", [Copies("main", "Rose\t1\nside\tIris", 1, known)])
        assert sly.fingerprint != plain.fingerprint
        with pytest.raises(UserError, match="control character"):
            list_from("garden", list_object(sly), LIST)


@pytest.mark.parametrize("name", ["Rose\nIris", "Rose\x1b[2J", "Ro\ud800se", "Rose\x9b"])
def test_a_deck_with_a_control_character_in_an_unknown_name_is_no_list(name: str) -> None:
    deck = garden_game.deck_of((garden_game.ROSE, 1), (name, 2))
    assert list_of(deck, "garden") is None
    assert (
        uncertainty_message(uncertain_lines(deck)).en == "a card name contains a control character (line 2)"
    )


def test_every_notation_of_a_deck_is_one_list() -> None:
    table = duemagic().game_data
    one = list_of(table.read(legal(), "a"), table.game.id)
    other = list_of(table.read(legal().replace("4 x ", "4 《").replace("3 x ", "3 《"), "b"), table.game.id)
    assert one is not None
    assert one == other


def test_a_card_that_nobody_knows_is_kept_as_it_is_written() -> None:
    table = duemagic().game_data
    listed = list_of(table.read(UNDECIDED, "a"), table.game.id)
    assert listed is not None
    assert Copies("main", "誰も知らない新カード", 3, known=False) in listed.cards
    deck = deck_of(listed, table.catalog.find, duemagic().format.zones, "b")
    assert list_of(deck, table.game.id) == listed


def test_a_list_with_a_line_that_can_not_be_read_is_none() -> None:
    table = duemagic().game_data
    assert list_of(table.read(UNREADABLE, "a"), table.game.id) is None


@pytest.mark.parametrize(
    "zones",
    [
        None,
        [],
        ["main"],
        {"main": []},
        {"main": {}},
        {"main": ["Rose"]},
        {"main": {"Rose": None}},
        {"main": {"Rose": 0}},
        {"main": {"Rose": -1}},
        {"main": {"Rose": True}},
        {"main": {"Rose": 1.0}},
        {"main": {"Rose": "1"}},
        {"main": {"Rose": 100_001}},
        {"main": {"Rose": [1]}},
    ],
)
def test_what_is_no_list_is_refused(zones: object) -> None:
    for odd in ({"cards": zones, "unknown": {}}, {"cards": {}, "unknown": zones}):
        with pytest.raises(UserError):
            list_from("garden", odd, LIST)


@pytest.mark.parametrize(
    "data", [{}, {"cards": {}}, {"unknown": {}}, {"cards": {}, "unknown": {}, "more": {}}]
)
def test_a_list_has_two_parts(data: dict[str, object]) -> None:
    with pytest.raises(UserError):
        list_from("garden", data, LIST)
