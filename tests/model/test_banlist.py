"""Dated lists: what stands on a day, and which list speaks for a card."""

from __future__ import annotations

from typing import Any

from factories.garden_game import IRIS, ROSE, banlist_from, judged, verdict
from factories.random_cards import often
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.model.banlist import Banlist, statuses_at
from deckcheck.model.format import Source

STRICT = {"rare": 0, "pair": 1, "out": 2}
DAYS = [f"20{year:02}-01-01" for year in range(12)]


def list_of(*cards: dict[str, Any], **more: Any) -> Banlist:
    return banlist_from({"banlist": "garden/l", "name": "L", "path": "l.yaml", "cards": cards, **more})


@st.composite
def histories(draw: st.DrawFn) -> list[dict[str, Any]]:
    days = sorted(draw(st.sets(st.sampled_from(DAYS), min_size=1, max_size=4)))
    words = st.sampled_from([*STRICT, "free"])
    return [{"from": day, "status": draw(words), "line": at} for at, day in enumerate(days, 1)]


@often(300)
@given(st.lists(histories(), max_size=3), st.sampled_from(["1999-01-01", *DAYS]))
def test_the_strictest_list_of_the_day_speaks(lists: list[list[dict[str, Any]]], day: str) -> None:
    banlists = [list_of({"card": "Rose", "history": history}) for history in lists]
    said = []
    for number, history in enumerate(lists):
        past = [change for change in history if change["from"] <= day]
        if past and past[-1]["status"] != "free":
            said.append((STRICT[past[-1]["status"]], number, past[-1]))
    found = statuses_at(banlists, STRICT, day)
    assert found.keys() == ({"Rose"} if said else set())
    if said:
        _, number, change = max(said, key=lambda one: one[:2])
        told = found["Rose"]
        assert (told.status, told.line, told.since) == (change["status"], change["line"], change["from"])
        assert told.banlist is banlists[number]


def house(
    card: str, status: str, line: int, since: str = "2000-01-01", path: str = "house.yaml"
) -> dict[str, Any]:
    return {
        "path": path,
        "name": {"ja": "庭のリスト", "en": "House list"},
        "cards": [{"card": card, "history": [{"from": since, "status": status, "line": line}]}],
    }


CAP = {"id": "cap", "per": "name", "where": {"status": "rare"}, "at_most": 1}
BAN = {"id": "ban", "where": {"status": "out"}, "at_most": 0}


def test_a_house_ban_beats_a_limit_in_either_order_of_the_lists() -> None:
    lists = [house("Rose", "rare", 3, path="official.yaml"), house("Rose", "out", 9)]
    for ordered in (lists, lists[::-1]):
        assert verdict(CAP, (ROSE, 2), banlists=ordered) == "legal"
        report = judged(BAN, (ROSE, 1), banlists=ordered)
        [finding] = report.findings
        assert (report.verdict, finding.source) == ("illegal", Source("house.yaml", 9))


def test_a_finding_points_at_the_line_of_the_list_and_at_the_rule() -> None:
    [finding] = judged(CAP, (ROSE, 2), (IRIS, 2), banlists=[house("Rose", "rare", 3)]).findings
    assert finding.source == Source("house.yaml", 3)
    assert [(one.path, one.line) for one in finding.related] == [("f.yaml", 1)]
    assert finding.message.ja == "制限の《Rose》が2枚あります（1枚まで）"
    assert finding.message.en == "2 copies of Rose (limited); at most 1 allowed"


def test_a_list_tells_how_far_it_is_known_and_what_it_has_not_applied() -> None:
    listed = {
        **house("Rose", "rare", 3),
        "complete_through": "2019-12-31",
        "unconfirmed": {"seen_by": "2020-02-02", "changes": [{"card": "Iris", "from": "free", "to": "out"}]},
    }
    [used] = judged(BAN, (IRIS, 1), as_of="2019-12-31", banlists=[listed]).lists
    assert (used.latest, used.notes, used.unapplied) == ("2000-01-01", (), ())
    report = judged(BAN, (IRIS, 1), as_of="2020-01-01", banlists=[listed])
    [used] = report.lists
    assert report.verdict == "legal"
    assert len(used.notes) == 2
    assert [(one.card, one.change.en) for one in used.unapplied] == [("Iris", "free → forbidden")]
