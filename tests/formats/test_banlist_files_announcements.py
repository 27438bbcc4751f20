"""An announcement laid over a list: histories are put together by day, and its lines are told as its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from factories.dated_lists import DAYS, OUT, RARE, entry, histories, lists, pair
from factories.garden_game import (
    GAME,
    GARDEN,
    IRIS,
    ROSE,
    deck_of,
    format_of,
    table_of,
)
from factories.random_cards import often
from hypothesis import given
from msgspec.structs import replace

from deckcheck.analysis.impact import Days, Transition
from deckcheck.checking.judge import LoadedFormat
from deckcheck.checking.session import OpenedDeck
from deckcheck.config.settings import DeckSettings
from deckcheck.formats.banlist_files import Announcement, with_announcement
from deckcheck.model.banlist import Banlist, change_on
from deckcheck.model.format import Source
from deckcheck.support.documents import parse_yaml
from deckcheck.support.errors import UserError

ANNOUNCED = """
banlist: garden/list
name: New
"""


def announcement(text: str) -> Announcement:
    return Announcement(parse_yaml(ANNOUNCED + text, "new.yaml"), "garden/list", "2020-01-01")


def laid(text: str, *banlists: Banlist) -> tuple[Banlist, ...]:
    return with_announcement(announcement(text), banlists, GAME, GARDEN)


def listed(*cards: Mapping[str, Any], combinations: Sequence[Mapping[str, Any]] = ()) -> Banlist:
    return format_of(RARE, banlists=[lists(*cards, combinations=combinations)]).format.banlists[0]


BASE = listed(
    entry("Rose", ("2010-01-01", "rare"), ("2011-01-01", "out")),
    entry("Iris", ("2010-01-01", "rare")),
    combinations=[pair([["Rose"], ["Fern", "Iris"]], ("2010-01-01", "pair"))],
)


@often(200)
@given(histories, histories)
def test_histories_are_put_together_by_day_and_the_announcement_wins(
    base: list[tuple[str, str]], new: list[tuple[str, str]]
) -> None:
    merged = dict(base) | dict(new)
    before = "free"
    idle = False
    for day in sorted(merged):
        idle |= day in dict(new) and merged[day] == before
        before = merged[day]
    seen = entry("Oak", ("2009-01-01", "rare"), ("2009-01-02", "out"))
    banlist = listed(entry("Rose", *base, line=90), seen)
    changes = "".join(f"\n      - {{from: {day}, status: {status}}}" for day, status in new)
    text = f"cards:\n  - card: rose\n    history:{changes or ' []'}"
    if idle:
        with pytest.raises(UserError, match="no effect"):
            laid(text, banlist)
        return
    [found] = laid(text, banlist)
    assert [min(one.sides[0]) for one in found.entries if not one.is_combination] == ["Rose", "Oak"]
    for day in DAYS:
        past = [merged[since] for since in sorted(merged) if since <= day]
        stands = change_on(found.entries[0].history, day)
        assert (None if stands is None else stands.status) == (
            past[-1] if past and past[-1] != "free" else None
        )
    lines = {change.since: change.line for change in found.entries[0].history}
    assert all(lines[day] == 7 + at for at, (day, _) in enumerate(new))


def test_an_announcement_may_name_new_cards_and_combinations() -> None:
    text = """
cards:
  - {card: Fern, history: [{from: 2020-01-01, status: out}]}
combinations:
  - {sides: [[Iris, Fern], [Rose]], history: [{from: 2020-01-01, status: free}]}
  - {sides: [[Plum], [Oak, Great Oak]], history: [{from: 2020-01-01, status: pair}]}
"""
    [found] = laid(text.replace("Oak, Great Oak", "Great Oak"), BASE)
    assert [min(one.sides[0]) for one in found.entries if not one.is_combination] == ["Rose", "Iris", "Fern"]
    combinations = [one for one in found.entries if one.is_combination]
    assert [len(one.history) for one in combinations] == [2, 1]
    assert combinations[1].sides == (frozenset(["Plum"]), frozenset(["Great Oak"]))


def test_other_lists_stay_as_they_are() -> None:
    other = replace(BASE, id="garden/other")
    text = "cards: [{card: Fern, history: [{from: 2020-01-01, status: out}]}]"
    found = laid(text, other, BASE)
    assert found[0] is other
    assert sum(not one.is_combination for one in found[1].entries) == 3
    assert laid(text, other) == (other,)


def test_what_gets_a_day_is_no_longer_without_one() -> None:
    base = format_of(
        RARE,
        banlists=[
            lists(
                entry("Iris", ("2010-01-01", "rare")),
                unconfirmed={
                    "seen_by": "2012-01-01",
                    "changes": [
                        {"card": "Rose", "from": "free", "to": "rare"},
                        {"card": "Fern", "from": "free", "to": "rare"},
                    ],
                },
                complete_through="2011-01-01",
            )
        ],
    ).format.banlists[0]
    dated = "cards: [{card: Rose, history: [{from: 2013-01-01, status: rare}]}]\n"
    [found] = laid(dated, base)
    assert [one.card for one in found.unconfirmed] == ["Fern"]
    assert found.complete_through == "2011-01-01"
    rest = "complete_through: 2013-01-01\nunconfirmed: {seen_by: 2013-01-01, changes: [{card: plum, from: free, to: rare}]}"
    [found] = laid(dated + rest, base)
    assert [one.card for one in found.unconfirmed] == ["Plum"]
    assert found.complete_through == "2013-01-01"


def test_lines_of_the_announcement_are_told_as_its_own() -> None:
    text = "cards:\n  - card: Iris\n    history:\n      - {from: 2020-01-01, status: out}"
    format = format_of(
        OUT,
        RARE,
        banlists=[lists(entry("Iris", ("2010-01-01", "rare")), entry("Rose", ("2019-01-01", "out")))],
    )
    banlists = laid(text, *format.format.banlists)
    after = LoadedFormat(replace(format.format, banlists=banlists), table_of())
    transition = Transition(format, after, Days("2018-01-01", "2020-01-01", announcement(text)))
    deck = deck_of((IRIS, 1), (ROSE, 1))
    impact = transition.impact_on(OpenedDeck("", deck, format, None, None, DeckSettings(), False))
    assert impact is not None
    sources = [entry.source for changed in impact.findings for entry in changed.entries]
    assert sources == [Source("new.yaml", 7), Source("l.yaml", 1)]
