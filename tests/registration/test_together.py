"""What shows only when all submissions lie side by side: who is gone, who shares a name, what rules have changed."""

from __future__ import annotations

from factories.rosters import ANOTHER, EVENT, LEGAL, OTHER, RULES, entry, judged, listed, receipt
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration.acceptance import failures
from deckcheck.registration.roster_tables import render_csv, render_json, render_text
from deckcheck.registration.submissions import Player


def kinds(number: int, *entries: object, **more: object) -> list[tuple[str, bool]]:
    row = judged(*entries, **more).rows[number - 1]  # type: ignore[arg-type]
    return [(one.id, one.by_word) for one in failures(row, EVENT)]


def test_an_accepted_player_of_whom_nothing_is_left_has_a_row() -> None:
    was = receipt(7, Player("青木", id="J-1"), listed(), "lists/aoki.txt", RULES)
    rows = judged(entry(1), entry(2), accepted=[was]).rows
    assert [one.id for one in rows] == ["1", "2", ""]
    lost = rows[2]
    assert (lost.state, lost.accepted, lost.counts) == ("gone", 7, True)
    assert (lost.submission.player, lost.submission.place) == (was[1].player, "lists/aoki.txt")
    assert kinds(3, entry(1), entry(2), accepted=[was]) == [("gone", False)]
    for table in (render_text, render_json, render_csv):
        shown = table(judged(entry(1), accepted=[was]), "ja")
        assert "青木" in shown and "lists/aoki.txt" in shown
    assert "届いたもののなかにもうありません" in render_text(judged(accepted=[was]), "ja")


def test_who_gives_neither_name_nor_id_is_found_again_by_place_and_list() -> None:
    """Or every run would accept the same list once more."""
    nobody = entry(1)._replace(player=Player())
    event = EVENT._replace(required=())
    same = receipt(1, Player(), listed(), nobody.place, RULES)
    [row] = judged(nobody, event=event, accepted=[same]).rows
    assert (row.accepted, row.changed) == (1, None)
    for other in (
        receipt(1, Player(), listed(), "lists/99.txt"),
        receipt(1, Player(), ANOTHER, nobody.place),
    ):
        rows = judged(nobody, event=event, accepted=[other]).rows
        assert [(one.accepted, one.state) for one in rows] == [(None, "legal"), (1, "gone")]


def test_a_name_without_id_that_several_ids_share_is_unclear() -> None:
    entries = (
        entry(1, LEGAL, "青木", id="1"),
        entry(2, LEGAL, " 青 木", id="2"),
        entry(3, OTHER, "青木"),
        entry(4, LEGAL, "伊藤"),
    )
    rows = judged(*entries).rows
    assert [one.conflict and one.conflict.rivals for one in rows] == [None, None, ("1", "2"), None]
    assert kinds(3, *entries) == [("whose", True)]
    assert kinds(1, *entries) == []
    said = "it is unclear whose list this is: others have the same name or id (1, 2)"
    assert said in render_text(judged(*entries), "en")
    assert kinds(3, *entries[:1], *entries[2:]) == []


def test_what_was_accepted_before_its_namesakes_came_stays_accepted() -> None:
    accepted = [receipt(1, Player("青木"), listed())]
    entries = (entry(1, LEGAL, "青木"), entry(2, LEGAL, "青木", id="1"), entry(3, LEGAL, "青木", id="2"))
    assert kinds(1, *entries, accepted=accepted) == []


def test_an_accepted_player_who_is_gone_is_a_namesake_too() -> None:
    accepted = [receipt(1, Player("青木", id="2"), listed())]
    rows = judged(entry(1, LEGAL, "青木", id="1"), entry(2, LEGAL, "青木"), accepted=accepted).rows
    assert rows[1].conflict is not None and rows[1].conflict.kind == "player"


people = st.builds(Player, st.sampled_from([None, "a", "b"]), id=st.sampled_from([None, "1", "2"]))


@given(st.lists(people, max_size=5), st.lists(people, max_size=5))
def test_every_receipt_that_stands_shows_in_some_row(came: list[Player], were: list[Player]) -> None:
    entries = [entry(at)._replace(player=one) for at, one in enumerate(came, 1)]
    accepted = [receipt(at, one, listed(), f"old/{at}", RULES) for at, one in enumerate(were, 1)]
    rows = judged(*entries, accepted=accepted).rows
    standing = {one.accepted for one in rows if one.accepted is not None}
    assert standing <= dict(accepted).keys()
    assert len({one.group for one in rows if one.accepted is not None}) == len(standing)
    assert bool(standing) == bool(accepted)
