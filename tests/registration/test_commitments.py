"""Seals: what they bind, and what opens them."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from factories.random_lists import copies, lists
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration.commitments import (
    Copies,
    Opening,
    Seal,
    Stamp,
    canonical_list,
    commitment,
    opening_from,
    opening_object,
    opens,
    seal_from,
    seal_object,
)
from deckcheck.support.errors import UserError
from deckcheck.support.strict_json import parse_object

SALT = "ab" * 32
CARDS = canonical_list("garden", [Copies("main", "Rose", 2), Copies("main", "Nobody's", 1, known=False)])
SEAL = Seal(commitment(SALT, CARDS), "legal", "garden", Stamp("garden/test", "cd" * 32), "2026-11-27")


def parse_seal(text: str) -> Seal:
    return seal_from(parse_object(text))


def test_the_commitment_can_be_made_with_any_other_tool() -> None:
    listed = '"cards":{"main":{"Rose":2}},"game":"garden","salt":"%s","unknown":{"main":{"Nobody\'s":1}}'
    text = '["deckcheck/seal/1",{' + listed % SALT + "}]"
    assert SEAL.commitment == sha256(text.encode()).hexdigest()


@given(lists, st.lists(copies, min_size=1, max_size=3))
def test_only_the_sealed_list_opens_a_seal(cards: Any, others: list[Copies]) -> None:
    mine = Opening(SEAL, SALT, cards)
    sealed = commitment(SALT, cards)
    assert opens(mine, sealed)
    more = canonical_list("garden", [*cards.cards, *others])
    assert opens(mine._replace(cards=more), sealed) == (more == cards)
    assert not opens(mine._replace(salt="ba" * 32), sealed)


def test_the_same_list_is_sealed_differently_each_time() -> None:
    """Or whoever guesses the list could try it."""
    assert commitment(SALT, CARDS) != commitment("00" * 32, CARDS)


def test_a_seal_tells_nothing_of_the_list() -> None:
    said = json.dumps(seal_object(SEAL), ensure_ascii=False)
    assert "Rose" not in said and "Nobody" not in said and SALT not in said
    assert CARDS.fingerprint not in said


def test_seals_and_openings_are_read_as_they_are_written() -> None:
    assert parse_seal(json.dumps(seal_object(SEAL))) == SEAL
    opening = Opening(SEAL, SALT, CARDS)
    assert opening_from(json.loads(json.dumps(opening_object(opening)))) == opening


@pytest.mark.parametrize("key", ["seal", "commitment", "verdict", "game", "format", "as_of"])
@pytest.mark.parametrize("value", [None, 7, "", "x" * 1000, [], {}, "legal?"])
def test_what_is_no_seal_is_refused(key: str, value: object) -> None:
    said = seal_object(SEAL) | {key: value}
    if value == "legal?" and key == "game":
        # Any word may be the id of a game.
        assert parse_seal(json.dumps(said)) != SEAL
        return
    with pytest.raises(UserError):
        parse_seal(json.dumps(said))


@pytest.mark.parametrize(
    "day", ["2026-99-99", "2026-02-30", "２０２６-11-27", "٢٠٢٦-11-27", "20261127", "2026-11-27\n"]
)
def test_a_day_that_is_none_is_refused(day: str) -> None:
    with pytest.raises(UserError, match="as_of"):
        parse_seal(json.dumps(seal_object(SEAL._replace(as_of=day))))


@pytest.mark.parametrize("id", ["/etc/x.yaml", "../x.yaml", "x.yaml", "a/../b", "garden/test\n", "a/b/c"])
def test_a_format_that_is_a_path_is_refused(id: str) -> None:
    with pytest.raises(UserError, match="format"):
        parse_seal(json.dumps(seal_object(SEAL._replace(format=SEAL.format._replace(id=id)))))


@pytest.mark.parametrize("key", ["opening", "salt", "list", "seal"])
@pytest.mark.parametrize("value", [None, 7, "x", [], {"main": [{"card": "Rose"}]}])
def test_what_is_no_opening_is_refused(key: str, value: object) -> None:
    said = opening_object(Opening(SEAL, SALT, CARDS)) | {key: value}
    with pytest.raises(UserError):
        opening_from(said)


@pytest.mark.parametrize(
    "name", ["Great Oak\t3\nmain\tRose", "Rose\x1b[2J", "Rose\x7f", "Rose\x85", "Ro\ud800se"]
)
def test_a_name_with_control_characters_opens_nothing(name: str) -> None:
    """A line feed in a name could make one list pass for another, and an escape hide it on the screen."""
    two = canonical_list("garden", [Copies("main", "Great Oak", 3), Copies("main", "Rose", 3)])
    for known in (True, False):
        odd = canonical_list("garden", [Copies("main", name, 3, known)])
        with pytest.raises(UserError, match="control character"):
            opening_from(opening_object(Opening(SEAL, SALT, odd)))
        if "\ud800" not in name:
            assert commitment(SALT, odd) != commitment(SALT, two)


@given(st.text(max_size=50) | st.binary(max_size=50).map(lambda data: data.decode("latin-1")))
def test_any_text_is_a_seal_or_a_mistake(text: str) -> None:
    with pytest.raises(UserError):
        parse_seal(text)


def test_a_key_that_stands_there_twice_is_refused() -> None:
    """Two programs could read two seals in it."""
    text = json.dumps(seal_object(SEAL))
    with pytest.raises(UserError):
        parse_seal('{"verdict":"illegal",' + text[1:])


def test_endless_nesting_is_no_crash() -> None:
    with pytest.raises(UserError):
        parse_seal('{"seal":' * 50_000)
