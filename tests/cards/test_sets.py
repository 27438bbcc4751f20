"""What the days of sets say of cards: the first day, and since when a card has what a set opens."""

from __future__ import annotations

from typing import Any

import pytest

from deckcheck.cards.bundled import Sets
from deckcheck.model.card import Days

SETS = Sets(
    {
        "released": {
            "OLD": "2001-01-01",
            "NEW": "2005-05-05",
            "LATE": "2009-09-09",
            "GUESS": "2000-01-01",
            "DROPS": "1999-01-01",
        },
        "approximate": ["GUESS"],
        "ongoing": ["DROPS"],
        "opening": {"pool": {"south": ["NEW", "LATE", "SOON"]}},
    }
)


def card(*sets: str | dict[str, str], **more: Any) -> dict[str, Any]:
    printings = [{"set": each} if isinstance(each, str) else each for each in sets]
    return {"name": "凧", "pool": ["south", "north"], "printings": printings, **more}


@pytest.mark.parametrize(
    ("record", "day"),
    [
        (card("NEW", "OLD"), "2001-01-01"),
        (card("DROPS", "NEW"), "2005-05-05"),
        (card("GUESS", "NEW"), "2005-05-05"),
        (card("DROPS"), None),
        (card("GUESS", "DROPS"), None),
        (card(), None),
        # A set that nobody dated may have been the first.
        (card("SOON", "NEW"), None),
        (card({"set": "DROPS", "released": "2004-04-04"}, "NEW"), "2004-04-04"),
        (card("NEW", released="2003-03-03"), "2003-03-03"),
    ],
)
def test_the_first_day_is_that_of_a_printing_whose_day_is_certain(
    record: dict[str, Any], day: str | None
) -> None:
    assert SETS.first_day(record) == day


@pytest.mark.parametrize(
    ("record", "days"),
    [
        (card("OLD", "LATE", "NEW"), Days("2005-05-05", "2005-05-05")),
        (card("NEW", "LATE"), None),
        (card("DROPS", "NEW"), None),
        # It may have been open since the printing in SOON, whose day nobody knows.
        (card("OLD", "SOON", "LATE", released="2001-01-01"), Days("", "2009-09-09")),
        (card("OLD", {"set": "SOON", "released": "2010-10-10"}), Days("2010-10-10", "2010-10-10")),
        # Some set opened it that the file doesn't know.
        (card("OLD", {"set": "OTHER", "released": "2011-11-11"}), Days("2001-01-01", "2011-11-11")),
        (card("OLD"), None),
        (card(), None),
    ],
)
def test_a_value_begins_with_the_first_printing_in_a_set_that_opens_it(
    record: dict[str, Any], days: Days | None
) -> None:
    assert SETS.days_of_values(record) == ({} if days is None else {"pool": {"south": days}})
