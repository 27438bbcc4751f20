"""Who is the same player."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration.roster import groups
from deckcheck.registration.submissions import Player


def together(*players: Player) -> list[set[int]]:
    """The positions of those who are one person."""
    found: dict[int, set[int]] = {}
    for at, group in enumerate(groups(players)):
        found.setdefault(group, set()).add(at)
    return sorted(found.values(), key=min)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Player(id="DM-001"), Player(id="ｄｍ－００１ ")),
        (Player(id="7", name="青木"), Player(id="7")),
        (Player(id="7", name="Tom O'Neil"), Player(id="7", name="TOM ONEIL")),
        (Player(name="青木 葵"), Player(name="青木　葵")),
        (Player(name="青木葵"), Player(name=" 青木 葵 ")),
        (Player(name="ｱｵｷ"), Player(name="アオキ")),
        (Player(name="青木"), Player(name="青\u200b木\u202c")),
        (Player(name="青木"), Player(name="青木", id="7")),
    ],
)
def test_the_same_player(one: Player, other: Player) -> None:
    assert len(set(groups([one, other]))) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Player(id="1", name="青木"), Player(id="2", name="青木")),
        (Player(name="Tom O'Neil"), Player(name="tom o’neil")),
        (Player(name="青木"), Player(name="伊藤")),
        (Player(id="7", name="青木"), Player(id="7", name="伊藤")),
        (Player(), Player()),
        (Player(name=" ", id=""), Player(name="　", id=" ")),
        (Player(handle="x"), Player(handle="x")),
        (Player(name="7"), Player(id="7")),
    ],
)
def test_another_player(one: Player, other: Player) -> None:
    assert len(set(groups([one, other]))) == 2


def test_a_name_that_several_ids_share_joins_none_of_them() -> None:
    found = together(
        Player("青木", id="1"),
        Player("青木", id="2"),
        Player("青木"),
        Player("青 木"),
        Player("青木", id="1"),
    )
    assert found == [{0, 4}, {1}, {2, 3}]


few = st.sampled_from([None, "", "a", "A", " a", "b", "ｂ", "c"])
players = st.lists(st.builds(Player, name=few, id=few), max_size=12)


@given(players, st.randoms())
def test_the_order_of_entries_changes_nothing(entries: list[Player], random: object) -> None:
    order = list(range(len(entries)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = together(*(entries[at] for at in order))
    assert sorted(sorted(order[at] for at in group) for group in shuffled) == sorted(
        sorted(group) for group in together(*entries)
    )


@given(players)
def test_two_ids_are_never_one_player(entries: list[Player]) -> None:
    ids: dict[int, set[str]] = {}
    for one, group in zip(entries, groups(entries), strict=True):
        if one.id and one.id.strip():
            ids.setdefault(group, set()).add({"ｂ": "b"}.get(one.id.strip().lower(), one.id.strip().lower()))
    assert all(len(mine) == 1 for mine in ids.values())
