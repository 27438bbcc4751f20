"""The fingerprint is the same for every way to write the same deck, and for no other deck."""

from __future__ import annotations

from hashlib import sha256

from factories.garden_game import IRIS, OAK, ROSE, deck_from, deck_of, unread
from factories.random_cards import decks, often, pools
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.model.deck import Deck, Diagnostic
from deckcheck.model.finding import fingerprint
from deckcheck.support.messages import Localized


def test_it_is_made_as_documented() -> None:
    deck = deck_of((ROSE, 1), (IRIS, 2, "side"), (OAK, 3), (ROSE, 2))
    text = (
        '["deckcheck/deck/1",'
        '{"cards":{"main":{"Great Oak":3,"Rose":3},"side":{"Iris":2}},"game":"garden","unknown":{}}]'
    )
    assert fingerprint(deck, "garden") == sha256(text.encode()).hexdigest()
    # A line of no copies is no card, and a remark that only informs doesn't matter.
    told = Diagnostic("total-mismatch", Localized("?", "?"), 1, 1, "main", "合計 40")
    plain = fingerprint(deck_of((ROSE, 1)), "garden")
    assert fingerprint(deck_of((ROSE, 1), (IRIS, 0), diagnostics=[told]), "garden") == plain


def content(deck: Deck) -> dict[tuple[str, str], int]:
    held: dict[tuple[str, str], int] = {}
    for entry in deck.entries:
        if entry.copies:
            key = (entry.zone, entry.cards[0].name)
            held[key] = held.get(key, 0) + entry.copies
    return held


@often(200)
@given(st.data())
def test_two_decks_share_it_exactly_when_they_are_the_same(data: st.DataObject) -> None:
    pool = data.draw(pools(hide=False, most=2))
    one, other = (data.draw(decks(pool, loose=False)) for _ in range(2))
    same = content(one) == content(other)
    assert (fingerprint(one, "garden") == fingerprint(other, "garden")) == same
    mixed = deck_from(data.draw(st.permutations(one.entries)))
    assert fingerprint(mixed, "garden") == fingerprint(one, "garden")
    assert fingerprint(one, "garden") != fingerprint(one, "desert")


def test_a_list_that_is_not_yet_a_deck_has_none() -> None:
    zone = Diagnostic("unknown-zone", Localized("?", "?"), 1, 1, "Shed", "Shed")
    for deck in (
        deck_of(("nobody", 1)),
        deck_of(((ROSE, IRIS), 1)),
        deck_of((ROSE, 1), diagnostics=[unread()]),
        deck_of((ROSE, 1), diagnostics=[zone]),
    ):
        assert fingerprint(deck, "garden") is None
