"""Lists as they are bound by a receipt, at random; and a receipt to be changed."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from deckcheck.model.finding import Verdict
from deckcheck.registration.receipts import Copies, Receipt, Stamp, canonical_list
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
    plain = Receipt(
        event="cup",
        date="2026-11-28",
        at="2026-11-27T12:00:00Z",
        player=Player("山田太郎", "やまだたろう", None, "0001", "3"),
        place="form.csv:2",
        submitted="2026-11-26T20:00:00+09:00",
        game="garden",
        format=Stamp("garden/x", HASH),
        banlists=(Stamp("garden/list", HASH),),
        cards="1",
        as_of="2026-11-27",
        best_of=3,
        verdict=Verdict.LEGAL,
        faults=(),
        listed=canonical_list("garden", [Copies("main", "Rose", 1), Copies("side", "Iris", 2)]),
        tool="0.1.0",
    )
    return plain._replace(**other)
