"""Lists as they are bound by a receipt, at random; and a receipt to be changed."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, Literal

from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.model.finding import Verdict
from deckcheck.registration.receipts import Copies, DeckCheck, Receipt, Stamp, Withdrawal, canonical_list
from deckcheck.registration.submissions import Player
from deckcheck.support.hashes import is_name
from factories import garden_game

HASH = "ab" * 32
KNOWN = ("Rose", "Iris", "Fern", "Great Oak", "Plum")
anything = st.text(max_size=8).filter(is_name)
copies = st.builds(
    Copies,
    zone=st.sampled_from(garden_game.ZONES),
    card=st.sampled_from(KNOWN),
    copies=st.integers(0, 9),
    known=st.just(True),
)
strangers = st.builds(
    Copies,
    zone=st.sampled_from(garden_game.ZONES),
    card=anything,
    copies=st.integers(0, 9),
    known=st.just(False),
)
lists = st.lists(copies | strangers, max_size=12).map(lambda cards: canonical_list("garden", cards))


def receipt(**other: Any) -> Receipt:
    """A receipt of Rose and Iris."""
    listed = canonical_list("garden", [Copies("main", "Rose", 1), Copies("side", "Iris", 2)])
    listed = other.pop("listed", listed)
    player = other.pop("player", Player("山田太郎", "やまだたろう", None, "0001", "3"))
    plain = Receipt(
        event="cup",
        at=datetime(2026, 11, 27, 12, tzinfo=UTC),
        tool="0.1.0",
        date=date(2026, 11, 28),
        given=player.public,
        place="form.csv:2",
        submitted="2026-11-26T20:00:00+09:00",
        game="garden",
        format=Stamp("garden/x", HASH),
        banlists=(Stamp("garden/list", HASH),),
        cards="1",
        as_of=date(2026, 11, 27),
        best_of=3,
        verdict=Verdict.LEGAL,
        faults=(),
        zones=listed.zones,
        fingerprint=listed.fingerprint,
        by=None,
        reason=None,
        despite=(),
        replaces=None,
    )
    return replace(plain, **other)


def deck_check(receipt: int, result: Literal["same", "different"], **other: Any) -> DeckCheck:
    """A check of a deck."""
    plain = DeckCheck(
        event="cup",
        at=datetime(2026, 11, 28, 1, tzinfo=UTC),
        tool="0.1.0",
        receipt=receipt,
        result=result,
        between_games=False,
        by="J",
    )
    return replace(plain, **other)


def withdrawal(player: Player, receipt: int | None) -> Withdrawal:
    """A player who left."""
    return Withdrawal(
        event="cup",
        at=datetime(2026, 11, 28, 1, tzinfo=UTC),
        tool="0.1.0",
        given=player.public,
        receipt=receipt,
        submissions=("mz2ucq",),
        by="J",
        reason="R",
    )
