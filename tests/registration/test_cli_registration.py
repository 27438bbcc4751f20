"""The commands of registration from the command line: what they say, where, and how they end."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from factories.commands import Done
from factories.event_lists import a_list, an_event, legal
from factories.event_runs import event_of_three, run

from deckcheck.registration.log import DeckCheck, read_log

SECRETS = ("水野", "みずの", "0017", "甲")


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return event_of_three(tmp_path)


def test_a_broken_log_is_told_without_names(event: Path) -> None:
    run(event, "event", "accept", "event.yaml")
    log = event / "winter-cup.log.jsonl"
    log.write_text(log.read_text("utf-8").replace("水野", "水田"), "utf-8")
    for command in (["accept", "event.yaml"], ["draw", "event.yaml", "--seed", "x"]):
        done = run(event, "event", *command)
        assert done.status == 2
        assert "winter-cup.log.jsonl:1" in done.err
        assert not any(word in done.err for word in (*SECRETS, "水田"))
    assert run(event, "event", "audit", "event.yaml").status == 1


def test_a_check_is_kept_only_for_a_receipt_of_the_event(
    event: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    run(event, "event", "accept", "event.yaml")
    other = tmp_path_factory.mktemp("other")
    an_event(other, a_list("丁", legal(2)))
    run(other, "event", "accept", "event.yaml")
    receipt = str(other / "winter-cup.receipts" / "0001.json")
    done = run(event, "verify", receipt, "-", "--event", "event.yaml", "--by", "J", stdin=legal(2))
    assert done.status == 2
    assert "not in the event's log" in done.err
    assert run(event, "verify", receipt, "-", "--by", "J", stdin=legal(2)).status == 2


def test_receipts_that_can_not_be_written_are_told_beside_what_was_accepted(event: Path) -> None:
    folder = event / "winter-cup.receipts"
    folder.write_text("", "utf-8")
    done = run(event, "event", "accept", "event.yaml")
    assert done.status == 2
    assert "2 lists frozen now, 0 before" in done.out
    assert "winter-cup.receipts: error: can't be written" in done.err
    assert "the log is complete" in done.err
    folder.unlink()
    again = run(event, "event", "accept", "event.yaml")
    assert again.status == 1 and "0 lists frozen now, 2 before" in again.out
    assert len(list(folder.glob("*.json"))) == 2


def test_a_check_of_a_replaced_receipt_is_refused_and_leaves_the_log_intact(event: Path) -> None:
    run(event, "event", "accept", "event.yaml", "乙")
    (event / "lists" / "02.txt").write_text(a_list("乙", legal(2)), "utf-8")
    run(event, "event", "accept", "event.yaml", "乙", "--by", "J", "--reason", "R")
    old = "winter-cup.receipts/0001.json"
    done = run(event, "verify", old, "-", "--event", "event.yaml", "--by", "J", stdin=legal(1))
    assert done.status == 2
    assert "replaced" in done.err
    assert run(event, "event", "audit", "event.yaml").status == 0


def test_a_list_that_became_unreadable_is_not_as_before(event: Path) -> None:
    run(event, "event", "accept", "event.yaml", "0017")
    file = event / "lists" / "01.txt"
    file.write_text(file.read_text("utf-8") + "&&&& ???? 12:\n", "utf-8")
    done = run(event, "event", "accept", "event.yaml", "0017")
    assert done.status == 1
    assert "0 lists frozen now, 0 before" in done.out


def test_a_list_that_is_gone_is_told_by_check_and_accept(event: Path) -> None:
    run(event, "event", "accept", "event.yaml")
    (event / "lists" / "01.txt").unlink()
    done = run(event, "event", "accept", "event.yaml")
    assert "0 lists frozen now, 1 before" in done.out
    assert "accepted, but no longer among the entries: 水野 光" in done.out
    said = json.loads(run(event, "event", "accept", "event.yaml", "--output-format", "json").out)
    [gone] = said["gone"]
    assert (gone["place"], gone["receipt"]) == ("lists/01.txt", 1) and gone["submission"]
    assert said["notes"] == []
    done = run(event, "event", "check", "event.yaml")
    assert done.status == 1
    assert "水野 光  gone" in done.out


def test_a_lost_log_is_never_begun_anew(event: Path) -> None:
    run(event, "event", "accept", "event.yaml")
    (event / "winter-cup.log.jsonl").unlink()
    done = run(event, "event", "accept", "event.yaml")
    assert done.status == 2
    assert "lost or cut off" in done.err


def test_a_log_behind_a_link_stays_behind_it(event: Path) -> None:
    shared = event / "shared"
    shared.mkdir()
    (event / "winter-cup.log.jsonl").symlink_to(shared / "log")
    run(event, "event", "accept", "event.yaml")
    assert (event / "winter-cup.log.jsonl").is_symlink()
    assert (shared / "log").stat().st_size > 0
    assert run(event, "event", "audit", "event.yaml").status == 0


LOG = "winter-cup.log.jsonl"

FIRST = "winter-cup.receipts/0001.json"


OTHER = legal().replace("4 x アクア・サーファー", "3 x アクア・サーファー")


def checks(folder: Path) -> list[str]:
    """The results of the checks in the log."""
    entries = read_log(folder / LOG, "winter-cup").entries
    return [entry.value.result for entry in entries if isinstance(entry.value, DeckCheck)]


def verify(folder: Path, receipt: str, typed: str, *more: str) -> Done:
    return run(folder, "verify", receipt, "-", *more, stdin=typed)


KEPT = ("--event", "event.yaml", "--by", "J")


@pytest.fixture
def accepted(tmp_path: Path) -> Path:
    """A folder with an event and one accepted list."""
    an_event(tmp_path, a_list("水野", legal()))
    assert run(tmp_path, "event", "accept", "event.yaml").status == 0
    return tmp_path


@pytest.mark.parametrize("by", ["", " \u3000"])
def test_a_check_that_nobody_made_is_not_kept(accepted: Path, by: str) -> None:
    assert verify(accepted, FIRST, legal(), "--event", "event.yaml", "--by", by).status == 2
    assert checks(accepted) == []


def test_a_deck_that_differed_is_drawn_again_until_it_is_as_registered(accepted: Path) -> None:
    def drawn() -> Any:
        return json.loads(
            run(accepted, "event", "draw", "event.yaml", "--seed", "6", "--output-format", "json").out
        )["drawn"]

    assert verify(accepted, FIRST, OTHER, *KEPT).status == 1
    assert len(drawn()) == 1
    assert verify(accepted, FIRST, legal(), *KEPT).status == 0
    assert drawn() == []
    assert verify(accepted, FIRST, OTHER, *KEPT).status == 1
    assert len(drawn()) == 1


def test_the_draw_tells_a_head_that_an_audit_takes(accepted: Path) -> None:
    told = run(accepted, "event", "draw", "event.yaml", "--seed", "6").out
    assert run(accepted, "event", "audit", "event.yaml", "--head", told.split()[-1]).status == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_format_that_is_a_path_opens_nothing_at_the_table(tmp_path: Path) -> None:
    """Whoever opened that pipe would wait for ever."""
    os.mkfifo(tmp_path / "trap.yaml")
    an_event(tmp_path, a_list("甲", legal()))
    assert run(tmp_path, "event", "accept", "event.yaml").status == 0
    file = tmp_path / FIRST
    text = file.read_text("utf-8")
    file.write_text(text.replace("duel-masters/duemagic", str(tmp_path / "trap.yaml")), encoding="utf-8")
    done = verify(tmp_path, str(file), legal())
    assert (done.status, done.out) == (2, "")
    assert "format" in done.err
