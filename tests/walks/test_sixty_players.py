"""The day of an organiser with sixty players, over the command line."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from factories import sixty_players
from factories.commands import Done
from factories.event_lists import legal
from factories.event_runs import run
from factories.sixty_players import SixtyPlayers, id_of, name_of

JUDGE = ("--by", "審判 佐藤", "--reason", "会場で確認")


@pytest.fixture
def event(tmp_path: Path) -> SixtyPlayers:
    return SixtyPlayers(tmp_path)


def command(event: SixtyPlayers, name: str, *words: str, status: int = 0) -> Done:
    done = run(event.folder, "event", name, "event.yaml", *words)
    assert done.status == status, done.out + done.err
    return done


def as_json(event: SixtyPlayers, name: str, *words: str, status: int = 0) -> Any:
    return json.loads(command(event, name, *words, "--output-format", "json", status=status).out)


def submission_ids(event: SixtyPlayers) -> dict[str, list[str]]:
    """The ids of submissions by the players' ids."""
    found: dict[str, list[str]] = {}
    for entry in as_json(event, "check", status=1)["entries"]:
        found.setdefault(entry["player"]["id"], []).append(entry["id"])
    return {player: sorted(ids) for player, ids in found.items()}


def test_from_the_first_list_to_the_last_deck_check(event: SixtyPlayers) -> None:
    # The evening before: who is there, and what is wrong?
    summary = as_json(event, "check", status=1)["summary"]
    assert (summary["players"], summary["entries"]) == (60, 62)
    assert (summary["illegal"], summary["undecided"], summary["missing"]) == (1, 1, 1)
    assert (summary["late"], summary["twice"]) == (2, 2)
    assert summary["legal"] == 57
    assert "in place of a list: “あとで送ります”" in command(event, "check", status=1).out
    command(event, "check", "--letters-csv", "letters.csv", status=1)
    letters = list(csv.reader(StringIO((event.folder / "letters.csv").read_text("utf-8-sig"), newline="")))
    assert len(letters) == 61

    # The form is exported again, in another order and with one row more: nobody's id changes.
    before = submission_ids(event)
    event.rows.reverse()
    event.write_form()
    assert submission_ids(event) == before

    # What may be accepted is accepted; the others are named.
    done = as_json(event, "accept", status=1)
    assert len(done["accepted"]) == 55
    refused = {entry["submission"] for entry in done["refused"]}
    others = (
        sixty_players.ILLEGAL,
        sixty_players.UNDECIDED,
        sixty_players.WITHOUT_LIST,
        sixty_players.LATE,
        sixty_players.LATE_FILE,
    )
    assert refused == {before[id_of(player)][0] for player in others}

    # At the door: a late list is accepted by a judge, and no other one in its place.
    late = before[id_of(sixty_players.LATE)][0]
    command(event, "accept", late, status=1)
    (receipt,) = as_json(event, "accept", late, *JUDGE)["accepted"]
    assert (receipt["submission"], receipt["by"], receipt["reason"]) == (late, "審判 佐藤", "会場で確認")
    assert receipt["player"]["name"] == name_of(sixty_players.LATE)
    assert "late" in receipt["despite"]

    # A player withdraws.
    gone = as_json(event, "withdraw", name_of(10), "--by", "本人", "--reason", "電話")["withdrawn"]
    assert gone["player"]["id"] == id_of(10)

    # Another one corrects a list that was accepted: it changes nothing until a judge says so.
    event.submit(50, legal(3), event.before)
    corrected = event.submit(50, legal(4), event.deadline)
    shown = as_json(event, "check", status=1)
    (changed,) = [entry for entry in shown["entries"] if entry["changed"] == "acceptance"]
    assert (changed["id"], changed["counts"]) == (corrected, False)
    command(event, "accept", corrected, status=1)
    (receipt,) = as_json(event, "accept", corrected, *JUDGE)["accepted"]
    assert receipt["submission"] == corrected
    assert receipt["replaces"] is not None

    # The sheets: one a player with a list that may be played, and none of who withdrew.
    command_of_sheets = run(event.folder, "sheet", "event.yaml", "-o", "sheets.html")
    sheets = (event.folder / "sheets.html").read_text("utf-8")
    assert sheets.count('<section class="sheet') == 59
    assert name_of(10) not in sheets
    assert command_of_sheets.status in (0, 1)

    # At the tables: a tenth is drawn; the same seed draws the same decks.
    drawn = as_json(event, "draw", "--seed", "4-6-1-3")
    assert (drawn["accepted"], len(drawn["drawn"])) == (55, 6)
    assert drawn == as_json(event, "draw", "--seed", "4-6-1-3")
    players = [one["player"]["id"] for one in drawn["drawn"]]
    assert id_of(10) not in players
    receipts = {one["player"]["id"]: one for one in receipts_of(event)}
    first, second, *_others = players
    assert checked(event, first, typed(receipts[first])) == "same"
    assert checked(event, second, typed(receipts[second], less=1)) == "different"
    again = as_json(event, "draw", "--seed", "4-6-1-3", "--share", "100%")
    assert again["checked"] == 1
    assert first not in [one["player"]["id"] for one in again["drawn"]]

    # Afterwards: nothing was altered.
    assert as_json(event, "audit")["verdict"] == "intact"


def receipts_of(event: SixtyPlayers) -> list[dict[str, Any]]:
    """The receipts in the log, the later ones of a player last."""
    lines = (event.folder / "sixty.log.jsonl").read_text("utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["kind"] == "receipt"]


def typed(receipt: dict[str, Any], less: int = 0) -> str:
    """The deck of a receipt as a judge types it, with so many copies of a card missing."""
    headings = {"main": "メインデッキ", "side": "サイドボード"}
    lines = []
    for zone, cards in receipt["list"]["cards"].items():
        lines.append(headings[zone])
        for name, copies in cards.items():
            lines.append(f"{copies - less} x {name}")
            less = 0
    return "\n".join(lines) + "\n"


def checked(event: SixtyPlayers, player: str, text: str) -> str:
    """What comparing a typed deck with the registered one says."""
    words = ("verify", "--event", "event.yaml", player, "-", "--by", "審判", "--output-format", "json")
    return str(json.loads(run(event.folder, *words, stdin=text).out)["result"])
