"""Repairs of decks that were broken at random in every bundled format, compared with the fewest changes that are known.

`best` in the fixture is the number of changes that an exact solver found, and proved smallest.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from factories.examples import amount

from deckcheck.analysis.repair_search import Repair, repair
from deckcheck.checking.judge import LoadedFormat, Loader
from deckcheck.formats.lookup import bundled_formats
from deckcheck.rewriting.deck_edits import judged

FIXTURE = json.loads((Path(__file__).parent / "fixtures" / "broken_decks.json").read_text("utf-8"))
FORMATS = [entry.id for entry in bundled_formats() if not entry.abstract]
MOST_WORSE = 0.02
"""How many more changes than the fewest are allowed, in sum."""
MOST_WORSE_IN_ONE_FORMAT = 0.04
"""In one format, where two more are nothing unusual."""

_loader = Loader()


@cache
def loaded(id: str) -> LoadedFormat:
    return _loader.format(id)


def deck_of(broken: dict[str, Any]) -> dict[str, dict[str, int]]:
    deck = {zone: dict(held) for zone, held in FIXTURE["bases"][broken["base"]].items()}
    for zone, name, copies in broken["changes"]:
        held = deck.setdefault(zone, {})
        held[name] = held.get(name, 0) + copies
    return {zone: {name: copies for name, copies in held.items() if copies} for zone, held in deck.items()}


def distance(before: dict[str, dict[str, int]], after: dict[str, dict[str, int]]) -> int:
    """The copies out and in, where a move between zones counts once."""
    out, into = defaultdict[str, int](int), defaultdict[str, int](int)
    for zone in {**before, **after}:
        old, new = before.get(zone, {}), after.get(zone, {})
        for name in {**old, **new}:
            difference = new.get(name, 0) - old.get(name, 0)
            out[name] += max(-difference, 0)
            into[name] += max(difference, 0)
    return sum(max(out[name], into[name]) for name in {**out, **into})


def test_every_format_has_broken_decks() -> None:
    assert {broken["format"] for broken in FIXTURE["broken"]} == {*FORMATS}
    assert len(FIXTURE["broken"]) >= 200


class Changes(NamedTuple):
    """The copies that the repairs of several decks change, and the fewest that are known for them."""

    changed: int
    fewest: int


@cache
def repair_all(id: str) -> Changes:
    """Repairs the broken decks of a format, and checks each result."""
    format, changed, fewest = loaded(id), 0, 0
    broken_decks = [broken for broken in FIXTURE["broken"] if broken["format"] == id]
    for broken in broken_decks[:: amount(1, 6)]:
        deck, day = deck_of(broken), broken["as_of"]
        found = repair(deck, format, day)
        assert isinstance(found, Repair), broken
        assert judged(found.copies, format, day).verdict == "legal"
        assert found.distance == distance(deck, found.copies)
        assert found.bound <= broken["best"] <= found.distance
        changed, fewest = changed + found.distance, fewest + broken["best"]
    return Changes(changed, fewest)


@pytest.mark.parametrize("id", FORMATS)
def test_broken_decks_become_legal_with_few_changes(id: str) -> None:
    changes = repair_all(id)
    assert changes.changed <= changes.fewest + max(changes.fewest * MOST_WORSE_IN_ONE_FORMAT, 2)


def test_all_together_change_hardly_more_than_the_fewest() -> None:
    every = [repair_all(id) for id in FORMATS]
    fewest = sum(changes.fewest for changes in every)
    assert sum(changes.changed for changes in every) <= fewest * (1 + MOST_WORSE)
