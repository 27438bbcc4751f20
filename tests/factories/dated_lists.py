"""Lists whose entries change from one day to another, and what that does to a deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from deckcheck.analysis.impact import Days, Impact, Transition
from deckcheck.checking.judge import LoadedFormat
from deckcheck.checking.session import OpenedDeck
from deckcheck.config.settings import DeckSettings
from deckcheck.model.deck import Deck
from deckcheck.report.suppressions import Grading

DAYS = [f"20{year:02}-01-01" for year in range(10, 16)]

OUT = {"id": "out", "where": {"status": ["out"]}, "at_most": 0}
RARE = {"id": "rare", "per": "name", "where": {"status": ["rare"]}, "at_most": 1}
COPIES = {"id": "copies", "per": "name", "at_most": 3}


def entry(name: str, *history: tuple[str, str], line: int = 1) -> dict[str, Any]:
    changes = [{"from": day, "status": status, "line": line + at} for at, (day, status) in enumerate(history)]
    return {"card": name, "history": changes}


def pair(sides: Sequence[Sequence[str]], *history: tuple[str, str], line: int = 1) -> dict[str, Any]:
    return {"sides": sides, "history": entry("", *history, line=line)["history"]}


def lists(
    *cards: Mapping[str, Any], combinations: Sequence[Mapping[str, Any]] = (), **more: Any
) -> dict[str, Any]:
    return {"cards": cards, "combinations": combinations, **more}


def between(
    format: LoadedFormat,
    deck: Deck,
    before: str,
    after: str,
    *,
    grading: Grading | None = None,
    best_of: int | None = None,
) -> Impact | None:
    opened = OpenedDeck("", deck, format, None, best_of, DeckSettings(grading=grading), False)
    return Transition(format, format, Days(before, after)).impact_on(opened)


def told(impact: Impact | None) -> list[tuple[str, ...]]:
    """The effects that decide, in short."""
    assert impact is not None
    return [
        (one.before.status, one.after.status, *(card.name for card in one.cards))
        for one in impact.effects
        if one.decides
    ]


histories = st.lists(
    st.tuples(st.sampled_from(DAYS), st.sampled_from(["free", "rare", "out"])), max_size=3
).map(lambda changes: sorted(dict(changes).items()))
