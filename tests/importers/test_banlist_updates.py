"""What becomes of a banlist, its history and its completeness when a newer one is imported."""

from __future__ import annotations

import errno
import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.importers.banlist_updates import (
    BanlistUpdate,
    history_with,
    status_on,
    update_banlist,
    write_banlists,
)
from deckcheck.importers.source_files import StatedList
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.support.documents import load_yaml, require_shape
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped

NAMES = {name: name for name in ("Bell", "Black Lotus", "Lightning Bolt", "Tin Kite")} | {"bell": "Bell"}


def updated(
    folder: Path,
    statuses: dict[str, str],
    since: str,
    id: str = "magic/club",
    free: frozenset[str] | None = None,
) -> BanlistUpdate:
    update = update_banlist(StatedList(id, "Club", since, statuses, free), NAMES.get, folder)
    write_banlists([update])
    return update


def histories(path: Path) -> dict[str, list[tuple[str, str]]]:
    document = load_yaml(path)
    require_shape(document, "banlist")
    return {
        entry["card"]: [(change["from"], change["status"]) for change in entry["history"]]
        for entry in document.data["cards"]
    }


def test_a_list_becomes_a_dated_one_and_the_next_keeps_the_history(tmp_path: Path) -> None:
    first = updated(tmp_path, {"Bell": "banned", "Black Lotus": "restricted"}, "2026-10-01")
    assert list(first.counts.values()) == [2, 0, 0, 0]
    path = tmp_path / "magic" / "club.yaml"
    assert first.file == path
    second = updated(tmp_path, {"Black Lotus": "banned", "Tin Kite": "banned"}, "2027-01-01")
    assert list(second.counts.values()) == [1, 1, 1, 0]
    assert histories(path) == {
        "Bell": [("2026-10-01", "banned"), ("2027-01-01", "free")],
        "Black Lotus": [("2026-10-01", "restricted"), ("2027-01-01", "banned")],
        "Tin Kite": [("2027-01-01", "banned")],
    }
    # The same again, or the older one again, changes nothing.
    written = path.read_bytes()
    updated(tmp_path, {"Black Lotus": "banned", "Tin Kite": "banned"}, "2027-01-01")
    updated(tmp_path, {"Bell": "banned", "Black Lotus": "restricted"}, "2026-10-01")
    assert path.read_bytes() == written


def test_cards_that_the_data_does_not_mention_stay_as_they_were(tmp_path: Path) -> None:
    updated(tmp_path, {"Bell": "banned", "Tin Kite": "banned"}, "2026-10-01")
    update = updated(tmp_path, {}, "2027-01-01", free=frozenset({"Bell"}))
    assert update.counts["freed"] == 1 and update.untouched == ("Tin Kite",)


def test_the_bundled_list_is_what_goes_before(tmp_path: Path) -> None:
    bundled = load_yaml(shipped("banlists") / "magic/legacy.yaml").data
    data = updated(tmp_path, {"Black Lotus": "banned"}, "2026-11-20", "magic/legacy").data
    assert (data["complete_from"], data["complete_through"]) == (bundled["complete_from"], "2026-11-20")
    assert (data["name"], list(data)[-1]) == (bundled["name"], "cards")


def test_an_unknown_card_makes_the_list_partial_until_it_is_known(tmp_path: Path) -> None:
    update = updated(tmp_path, {"Black Lotus": "banned", "Nobody": "banned"}, "2026-07-20")
    assert update.unknown == ("Nobody",)
    assert update.data["partial"] is True
    assert not {"complete_from", "complete_through"} & update.data.keys()
    whole = updated(tmp_path, {"Black Lotus": "banned"}, "2026-12-01").data
    assert "partial" not in whole and whole["complete_from"] == "2026-12-01"
    # What changed between two lists isn't known, so the later one begins no later.
    assert updated(tmp_path, {}, "2027-12-01").data["complete_from"] == "2026-12-01"


def test_what_an_own_list_says_besides_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "banlist: magic/club\nname: {ja: 私の一覧, en: 'Mine: \"all\"'}\n"
        "source: {title: T, editions: [{edition: '1', date: 2020-01-01}]}\n"
        "unconfirmed:\n  seen_by: 2026-01-01\n  changes:\n    - {card: Bell, from: free, to: banned}\n"
        "    - {card: Tin Kite, from: free, to: banned}\n"
        "cards:\n  - card: Bell\n    history:\n      - {from: 2020-01-01, status: banned}\n"
        "      - {from: 2021-01-01, status: free}\n"
        "combinations:\n  - sides: [[Bell], [Tin Kite]]\n    history: [{from: 2022-02-02, status: banned}]\n",
        encoding="utf-8",
    )
    before = load_yaml(path).data
    updated(tmp_path, {"bell": "banned"}, "2026-11-20")
    data = load_yaml(path).data
    for key in ("name", "source", "combinations"):
        assert data[key] == before[key]
    assert "unconfirmed" not in data
    assert histories(path) == {
        "Bell": [("2020-01-01", "banned"), ("2021-01-01", "free"), ("2026-11-20", "banned")]
    }


def test_a_full_disk_leaves_the_old_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = updated(tmp_path, {"Bell": "banned"}, "2026-10-01").file
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr("deckcheck.importers.banlist_updates.write_atomically", full)
    with pytest.raises(UserError, match="can't be written: No space left"):
        updated(tmp_path, {"Tin Kite": "banned"}, "2026-12-01")
    assert path.read_bytes() == before and [*path.parent.iterdir()] == [path]


def history_of(changes: list[tuple[str, str]]) -> list[dict[str, str]]:
    history: list[dict[str, str]] = []
    for day, status in changes:
        if status != (history[-1]["status"] if history else FREE_STATUS):
            history.append({"from": day, "status": status})
    return history


STATUSES = st.sampled_from(["banned", "restricted", FREE_STATUS])
DAYS = st.dates().map(str)
HISTORIES = st.dictionaries(DAYS, STATUSES, max_size=6).map(lambda days: history_of(sorted(days.items())))


@given(HISTORIES, DAYS, STATUSES)
def test_a_history_with_one_day_more(history: list[dict[str, str]], day: str, status: str) -> None:
    longer = history_with(history, day, status)
    assert status_on(longer, day) == status
    # What was stated of every day before stays, and what was stated for a later day as well.
    days = sorted({change["from"] for change in history} | {change["from"] for change in longer})
    for other in days:
        if other < day or (other > day and any(day < change["from"] <= other for change in history)):
            assert status_on(longer, other) == status_on(history, other)
    statuses = [FREE_STATUS, *(change["status"] for change in longer)]
    assert all(one != other for one, other in itertools.pairwise(statuses))
    assert [change["from"] for change in longer] == sorted({change["from"] for change in longer})
    assert history_with(longer, day, status) == longer
    if status_on(history, day) == status:
        assert longer == history
