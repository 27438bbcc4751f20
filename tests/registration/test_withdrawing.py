"""Players who withdraw, and texts in place of a list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories.event_lists import a_list, an_event, legal
from factories.event_runs import run
from factories.form_events import JUDGE, accept, entries, form_event, form_row, receipts


def two_players(folder: Path) -> None:
    form_event(
        folder,
        form_row("2026/11/26 10:00:00", "水野", "1001", legal()),
        form_row("2026/11/26 11:00:00", "火野", "1002", legal(1)),
    )


def withdraw(folder: Path, who: str = "水野") -> str:
    done = run(folder, "event", "withdraw", "event.yaml", who, "--by", "本人", "--reason", "発熱")
    assert done.status == 0, done.err
    return done.out


def test_a_withdrawn_player_is_no_longer_printed_drawn_or_counted(tmp_path: Path) -> None:
    two_players(tmp_path)
    accept(tmp_path)
    assert withdraw(tmp_path) == "withdrawn: 水野 (receipt 1 is revoked)\n"
    done = run(tmp_path, "event", "check", "event.yaml")
    assert done.status == 0 and "1 player: 1 legal, 1 withdrawn (1 accepted)" in done.out
    assert "水野" not in run(tmp_path, "sheet", "event.yaml").out
    drawn = run(tmp_path, "event", "draw", "event.yaml", "--seed", "1", "--share", "100%").out
    assert "水野" not in drawn and "1 of 1 accepted" in drawn
    run(tmp_path, "event", "check", "event.yaml", "--letters", "letters")
    assert [file.name[:2] for file in (tmp_path / "letters").glob("*.txt")] == ["火野"]
    assert accept(tmp_path).status == 0 and len(receipts(tmp_path)) == 2
    (tmp_path / "deck.txt").write_text(legal(), encoding="utf-8")
    for who in ("水野", "cup.receipts/0001.json"):
        assert run(tmp_path, "verify", who, "deck.txt", "--event", "event.yaml", "--by", "J").status == 2
    audited = run(tmp_path, "event", "audit", "event.yaml")
    assert audited.status == 0
    entry = json.loads((tmp_path / "cup.log.jsonl").read_text("utf-8").splitlines()[-1])
    assert (entry["kind"], entry["receipt"], entry["by"], entry["reason"]) == (
        "withdrawal",
        1,
        "本人",
        "発熱",
    )


def test_a_player_without_a_receipt_can_withdraw_and_a_new_list_needs_a_judge(tmp_path: Path) -> None:
    two_players(tmp_path)
    assert withdraw(tmp_path) == "withdrawn: 水野 (no list was accepted)\n"
    done = accept(tmp_path)
    assert done.status == 0 and [one["player"]["name"] for one in receipts(tmp_path)] == ["火野"]
    form_event(
        tmp_path,
        form_row("2026/11/26 11:00:00", "火野", "1002", legal(1)),
        form_row("2026/11/26 12:00:00", "水野", "1001", legal(2)),
    )
    assert accept(tmp_path).status == 0 and len(receipts(tmp_path)) == 1
    done = accept(tmp_path, "水野")
    assert done.status == 1 and "this player has withdrawn (entry 1)" in done.out
    assert accept(tmp_path, "水野", *JUDGE).status == 0
    assert run(tmp_path, "sheet", "event.yaml").out.count('<section class="sheet') == 2


def test_nobody_withdraws_twice_or_without_a_reason(tmp_path: Path) -> None:
    two_players(tmp_path)
    withdraw(tmp_path)
    words = ("event", "withdraw", "event.yaml")
    done = run(tmp_path, *words, "水野", "--by", "J", "--reason", "R")
    assert done.status == 2 and "this player has withdrawn (entry 1)" in done.err
    for options in (["--by", "J"], ["--reason", "R"], ["--by", "J", "--reason", ""], []):
        assert run(tmp_path, *words, "火野", *options).status == 2
    assert run(tmp_path, *words, "誰か", "--by", "J", "--reason", "R").status == 2


@pytest.mark.parametrize(
    "text",
    [
        "辞退します",
        "すみません、今回は辞退させていただきます。",
        "リストはあとで送ります",
        "当日持参します！",
        "未定",
        "なし",
        "I have to withdraw, sorry.",
        "Will send it later",
        "TBD",
    ],
)
def test_a_text_that_says_there_is_no_list_is_no_list(tmp_path: Path, text: str) -> None:
    form_event(tmp_path, form_row("2026/11/26 10:00:00", "水野", "1001", text))
    [found] = entries(tmp_path)
    assert (found["state"], found["deck"]) == ("missing", None)
    assert text[:10] in run(tmp_path, "event", "check", "event.yaml").out


def test_it_never_displaces_an_earlier_list(tmp_path: Path) -> None:
    form_event(
        tmp_path,
        form_row("2026/11/26 10:00:00", "水野", "1001", legal()),
        form_row("2026/11/26 12:00:00", "水野", "1001", "辞退します"),
    )
    first, second = entries(tmp_path)
    assert (first["counts"], second["counts"], second["instead"]) == (True, False, first["id"])


def test_a_list_with_cards_is_a_list_whatever_it_says_besides(tmp_path: Path) -> None:
    form_event(
        tmp_path, form_row("2026/11/26 10:00:00", "水野", "1001", legal() + "\n# サイドはあとで変えるかも")
    )
    [found] = entries(tmp_path)
    assert found["state"] == "legal"


@pytest.mark.parametrize("text", ["1 誰も知らないカード", "4 Slater, the Sublater", "よろしくお願いします"])
def test_other_texts_are_judged(tmp_path: Path, text: str) -> None:
    form_event(tmp_path, form_row("2026/11/26 10:00:00", "水野", "1001", text))
    [found] = entries(tmp_path)
    assert found["state"] in ("illegal", "undecided", "unreadable")


def test_notes_and_pictures_in_the_folder_are_no_players(tmp_path: Path) -> None:
    an_event(tmp_path, a_list("水野", legal()))
    lists = tmp_path / "lists"
    (lists / "deck.png").write_bytes(b"\x89PNG\r\n")
    (lists / "notes.txt").write_text("山田さんに電話する\n席は窓側\n", encoding="utf-8")
    (lists / "README.md").write_text("# Lists\n", encoding="utf-8")
    done = run(tmp_path, "event", "check", "event.yaml")
    assert done.status == 0 and "1 player: 1 legal" in done.out
    assert "note: 3 files are no lists" in done.out
    assert all(name in done.out for name in ("lists/deck.png", "lists/notes.txt", "lists/README.md"))
    # A list without a name stays one: it belongs to somebody.
    (lists / "who.txt").write_text(legal(1), encoding="utf-8")
    assert "2 players" in run(tmp_path, "event", "check", "event.yaml").out
