"""Lists whose entries change from one day to another, and what that does to a deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from deckcheck.analysis.which_and_impact import Days, Impact, Transition
from deckcheck.checking.judge import LoadedFormat
from deckcheck.checking.session import OpenedDeck
from deckcheck.config import DeckSettings
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
    grading: Grading = Grading(),  # noqa: B008
    best_of: int | None = None,
) -> Impact | None:
    opened = OpenedDeck("", deck, format, None, best_of, DeckSettings(grading=grading))
    return Transition(format, format, Days(before, after)).impact_on(opened)


def told(impact: Impact | None) -> list[tuple[str, ...]]:
    """The changed findings in short: the rule, and for each entry its change and its cards."""
    assert impact is not None
    found = []
    for changed in impact.findings:
        parts = [f"{'+' if changed.gained else '-'} {changed.finding.rule}"]
        for moved in changed.entries:
            parts += [
                moved.before.status,
                moved.after.status,
                *(name for side in moved.sides for name in side),
            ]
        found.append(tuple(parts))
    return found


histories = st.lists(
    st.tuples(st.sampled_from(DAYS), st.sampled_from(["free", "rare", "out"])), max_size=3
).map(lambda changes: sorted(dict(changes).items()))
