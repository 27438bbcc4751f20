"""An announcement laid over a list: histories are put together by day, and its lines are told as its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from factories.dated_lists import DAYS, entry, histories, lists, pair
from factories.garden_game import GAME, GARDEN, banlist_from
from factories.random_cards import often
from hypothesis import given
from msgspec.structs import replace

from deckcheck.formats.banlist_files import Announcement, with_announcement
from deckcheck.model.banlist import Banlist, change_on
from deckcheck.support.documents import parse_yaml
from deckcheck.support.errors import UserError

ANNOUNCED = """
banlist: garden/list
name: New
"""


def announcement(text: str) -> Announcement:
    top = parse_yaml(ANNOUNCED + text, "new.yaml")
    return Announcement(top, "garden/list", top)


def laid(text: str, *banlists: Banlist) -> tuple[Banlist, ...]:
    return with_announcement(announcement(text), banlists, GAME, GARDEN)


def listed(*cards: Mapping[str, Any], **more: Any) -> Banlist:
    return banlist_from(lists(*cards, **more))


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
  - {sides: [[Plum], [Great Oak]], history: [{from: 2020-01-01, status: pair}]}
"""
    [found] = laid(text, BASE)
    assert [min(one.sides[0]) for one in found.entries if not one.is_combination] == ["Rose", "Iris", "Fern"]
    combinations = [one for one in found.entries if one.is_combination]
    assert [len(one.history) for one in combinations] == [2, 1]
    assert combinations[1].sides == (frozenset(["Plum"]), frozenset(["Great Oak"]))
    # Other lists stay as they are.
    other = replace(BASE, id="garden/other")
    assert laid(text, other) == (other,) and laid(text, other, BASE)[0] is other


def test_what_gets_a_day_is_no_longer_without_one() -> None:
    undated = [{"card": name, "from": "free", "to": "rare"} for name in ("Rose", "Fern")]
    base = replace(
        listed(
            entry("Iris", ("2010-01-01", "rare")), unconfirmed={"seen_by": "2012-01-01", "changes": undated}
        ),
        complete_through="2011-01-01",
    )
    dated = "cards: [{card: Rose, history: [{from: 2013-01-01, status: rare}]}]\n"
    [found] = laid(dated, base)
    assert [one.card for one in found.unconfirmed] == ["Fern"]
    assert found.complete_through == "2011-01-01"
    rest = "complete_through: 2013-01-01\nunconfirmed: {seen_by: 2013-01-01, changes: [{card: plum, from: free, to: rare}]}"
    [found] = laid(dated + rest, base)
    assert [one.card for one in found.unconfirmed] == ["Plum"]
    assert found.complete_through == "2013-01-01"
