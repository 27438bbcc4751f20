"""Seals that are handed in at an event: whose they are, and whether they speak of the event's rules."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from factories.commands import run_process
from factories.event_lists import EVENT as EVENT_FILE
from factories.event_lists import a_list, an_event, legal
from factories.rosters import EVENT, RULES, entry, judged, receipt

from deckcheck.registration.acceptance import failures
from deckcheck.registration.commitments import Seal, Stamp, seal_file, seal_from_file
from deckcheck.registration.roster_outputs import render_text
from deckcheck.registration.submissions import Player, Sender

SEALED = EVENT._replace(sealed=True)
SEAL = Seal("ab" * 32, "legal", "duel-masters", RULES.format, "2024-03-02", RULES.banlists)
OTHER = SEAL._replace(commitment="ba" * 32)


def page(seal: Seal = SEAL, submitted: str = "", **player: str) -> str:
    return json.dumps(seal_file(seal, Sender(Player(**player), submitted)), ensure_ascii=False)


def test_a_seal_by_the_events_own_rules_is_good() -> None:
    [row] = judged(entry(1, page(name="青木")), event=SEALED).rows
    assert (row.state, row.problems, failures(row)) == ("legal", (), ())


@pytest.mark.parametrize(
    ("seal", "said"),
    [
        (SEAL._replace(format=Stamp("golden", "00" * 32)), "another version of the format"),
        (SEAL._replace(banlists=(Stamp("golden/list", "00" * 32),)), "other versions of the banlists"),
        (SEAL._replace(banlists=()), "other versions of the banlists"),
    ],
)
def test_a_seal_by_another_version_of_the_rules_is_not_accepted(seal: Seal, said: str) -> None:
    [row] = judged(entry(1, page(seal)), event=SEALED).rows
    assert said in row.problems[0].message.en
    assert row.problems[0].hint is not None and "seal it again" in row.problems[0].hint.en
    assert [(one.id, one.by_word) for one in failures(row)] == [("unreadable", False)]


def test_two_players_with_the_same_seal_are_told_by_number_and_neither_is_accepted() -> None:
    roster = judged(
        entry(1, page(), "青木"), entry(2, page(OTHER), "伊藤"), entry(3, page(), "加藤"), event=SEALED
    )
    assert [row.copies for row in roster.rows] == [(3,), (), (1,)]
    assert [[(one.id, one.by_word) for one in failures(row)] for row in roster.rows] == [
        [("copied", False)],
        [],
        [("copied", False)],
    ]
    first = failures(roster.rows[0])[0].message
    assert first.ja == "ほかの人と同じ封印です（3番）"
    assert first.en == "the same seal as another player's (no. 3)"
    assert render_text(roster, "ja").count("ほかの人と同じ封印です") == 2


def test_the_same_seal_twice_from_one_player_is_no_copy() -> None:
    roster = judged(entry(1, page(), "青木"), entry(2, page(), "青木"), event=SEALED)
    assert [row.copies for row in roster.rows] == [(), ()]


def test_a_seal_that_was_accepted_for_another_player() -> None:
    accepted = [receipt(5, Player("青木"), SEAL.commitment, "lists/01.txt", RULES)]
    mine, theirs = judged(
        entry(1, page(), "青木"), entry(2, page(), "加藤"), event=SEALED, accepted=accepted
    ).rows
    # What was accepted before somebody copied it stays accepted.
    assert (mine.copies, mine.is_frozen, failures(mine)) == ((2,), True, ())
    assert (theirs.copied, [one.id for one in failures(theirs)]) == (5, ["copied"])
    [alone, gone] = judged(entry(2, page(), "加藤"), event=SEALED, accepted=accepted).rows
    assert gone.state == "gone"
    assert [one.message.en for one in failures(alone)] == ["the same seal as another player's (receipt 5)"]


@pytest.mark.parametrize(
    "change",
    [
        {"player": 7},
        {"reading": ["x"]},
        {"main": [{"count": 4, "name": "天災 デドダム"}]},
        {"banlists": None},
        {"banlists": [{"id": "x"}]},
        {"banlists": [{"id": "x", "sha256": "", "more": 1}]},
        {"banlists": [{"id": "x" * 1000, "sha256": "00" * 32}]},
        {"banlists": [{"id": "x", "sha256": "00" * 32}] * 1000},
    ],
)
def test_what_is_no_part_of_a_seal_is_refused(change: dict[str, object]) -> None:
    whole = json.dumps(seal_file(SEAL, Sender()) | change)
    [row] = judged(entry(1, whole), event=SEALED).rows
    assert (row.state, row.seal) == ("unreadable", None)


def test_a_seal_that_tells_two_names_is_refused() -> None:
    """Two programs could take it for two players'."""
    [row] = judged(entry(1, page(name="青木")[:-1] + ', "player": "加藤"}'), event=SEALED).rows
    assert row.state == "unreadable"


def test_the_banlists_of_a_seal_are_read_as_they_are_written() -> None:
    data = json.loads(page(name="青木", table="3", submitted="2024-03-01 10:00"))
    assert seal_from_file(data) == SEAL


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_process([*arguments, "--lang", "en"], cwd=folder, encoding="utf-8")


def test_a_folder_of_seals_tells_whose_they_are(tmp_path: Path) -> None:
    an_event(
        tmp_path, text=EVENT_FILE + "sealed: true\nrequired: [name, reading]\ndeadline: 2026-11-27 20:00\n"
    )
    fields = {"reading": "みずの ひかる", "id": "0017", "submitted": "2026-11-27 19:00"}
    mine = "# deck: ひみつの名前\n" + a_list("水野 光", legal(), **fields)
    (tmp_path / "mine.txt").write_text(mine, "utf-8")
    (tmp_path / "other.txt").write_text(a_list("乙", legal(1), reading="おつ"), "utf-8")
    for name in ("mine", "other"):
        done = run(tmp_path, "seal", f"{name}.txt", "--event", "event.yaml")
        assert done.returncode == 0, done.stderr
        assert "besides the verdict it shows: name, reading of the name" in done.stdout
        (tmp_path / f"{name}.seal.json").rename(tmp_path / "lists" / f"{name}.json")
    sealed = (tmp_path / "lists" / "mine.json").read_text("utf-8")
    shown = json.loads(sealed)
    assert {key: shown[key] for key in ("player", "reading", "id", "submitted")} == {
        "player": "水野 光",
        **fields,
    }
    assert "アクア" not in sealed and "ひみつ" not in sealed
    done = run(tmp_path, "event", "check", "event.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1  水野 光  legal\n" in done.stdout
    done = run(tmp_path, "event", "accept", "event.yaml")
    assert done.returncode == 0 and "accepted: 2 new" in done.stdout
    receipt = json.loads((tmp_path / "winter-cup.receipts" / "0001.json").read_text("utf-8"))
    assert receipt["format"] == shown["format"] and receipt["banlists"] == shown["banlists"]
    assert receipt["submitted"] == "2026-11-27T19:00:00+09:00"


def test_a_field_that_is_too_long_is_not_sealed(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(a_list("水野" * 600, legal()), "utf-8")
    done = run(tmp_path, "seal", "mine.txt", "-f", "duel-masters/duemagic")
    assert done.returncode == 2 and "name is too long" in done.stderr
    assert "水野" not in done.stderr
    assert not list(tmp_path.glob("*.json"))


def test_a_seal_made_before_the_format_changed_is_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "format: club/mine\ngame: duel-masters\nname: Mine\nextends: duel-masters/duemagic\n", "utf-8"
    )
    an_event(tmp_path, text=EVENT_FILE.replace("duel-masters/duemagic", "mine.yaml") + "sealed: true\n")
    (tmp_path / "a.txt").write_text(a_list("甲", legal()), "utf-8")
    assert run(tmp_path, "seal", "a.txt", "--event", "event.yaml").returncode == 0
    (tmp_path / "a.seal.json").rename(tmp_path / "lists" / "a.json")
    assert run(tmp_path, "event", "check", "event.yaml").returncode == 0
    file.write_text(file.read_text("utf-8") + "# new\n", "utf-8")
    done = run(tmp_path, "event", "accept", "event.yaml")
    assert done.returncode == 1
    assert "accepted: 0 new" in done.stdout and "another version of the format" in done.stdout
