"""Lists as they are bound by a receipt, at random; and a receipt to be changed."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, Literal

from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.model.finding import CanonicalList, Verdict
from deckcheck.registration.event import Stamp
from deckcheck.registration.log import BEGINNING, DeckCheck, Entry, EntryValue, Receipt, Withdrawal, entry_of
from deckcheck.registration.submissions import Player
from deckcheck.support.json import is_name
from factories import garden_game

HASH = "ab" * 32
KNOWN = ("Rose", "Iris", "Fern", "Great Oak", "Plum")
anything = st.text(max_size=8).filter(lambda name: is_name(name) and not garden_game.GARDEN.find(name))


def by_zone(names: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, dict[str, int]]]:
    """Copies of these names in some zones."""
    held = st.dictionaries(names, st.integers(1, 9), min_size=1, max_size=4)
    return st.dictionaries(st.sampled_from(garden_game.ZONES), held)


known_lists = st.builds(CanonicalList, by_zone(st.sampled_from(KNOWN)), st.just({}))
lists = st.builds(CanonicalList, by_zone(st.sampled_from(KNOWN)), by_zone(anything))


def receipt(**other: Any) -> Receipt:
    """A receipt of Rose and Iris."""
    listed = other.pop("listed", CanonicalList({"main": {"Rose": 1}, "side": {"Iris": 2}}, {}))
    game = other.pop("game", "garden")
    player = other.pop("player", Player("山田太郎", "やまだたろう", None, "0001", "3"))
    plain = Receipt(
        event="cup",
        at=datetime(2026, 11, 27, 12, tzinfo=UTC),
        tool="0.1.0",
        date=date(2026, 11, 28),
        given=player.public,
        place="form.csv:2",
        submitted="2026-11-26T20:00:00+09:00",
        game=game,
        format=Stamp("garden/x", HASH),
        banlists=(Stamp("garden/list", HASH),),
        cards="1",
        as_of=date(2026, 11, 27),
        best_of=3,
        verdict=Verdict.LEGAL,
        faults=(),
        listed=listed,
        fingerprint=listed.fingerprint(game),
        by=None,
        reason=None,
        despite=(),
        replaces=None,
    )
    return replace(plain, **other)


def chained(*values: EntryValue) -> tuple[Entry, ...]:
    """Entries of a log that say this."""
    entries: list[Entry] = []
    for number, value in enumerate(values, 1):
        entries.append(entry_of(number, entries[-1].hash if entries else BEGINNING, value))
    return tuple(entries)


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
