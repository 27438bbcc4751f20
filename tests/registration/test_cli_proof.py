"""What proves a registration, from the command line: checks at the table, draws and audits."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from factories.event_lists import EVENT, a_list, an_event, legal
from factories.event_runs import Ran, run

from deckcheck.registration.log import DeckCheck, read_log

LOG = "winter-cup.log.jsonl"
FIRST = "winter-cup.receipts/0001.json"
SLIP = legal().replace("4 x アクア・サーファー", "4 x アクア・サーフアアー")
OTHER = legal().replace("4 x アクア・サーファー", "3 x アクア・サーファー")
MINI = """\
format: club/mini
game: duel-masters
name: ミニ
zones: {main: {}}
rules:
  - {id: size, in: main, exactly: 8}
"""
EIGHT = "4 青銅の鎧\n4 アクア・ナイト\n"


def checks(folder: Path) -> list[str]:
    """The results of the checks in the log."""
    entries = read_log(folder / LOG, "winter-cup").entries
    return [entry.value.result for entry in entries if isinstance(entry.value, DeckCheck)]


def verify(folder: Path, receipt: str, typed: str, *more: str) -> Ran:
    return run(folder, "verify", receipt, "-", *more, stdin=typed)


KEPT = ("--event", "event.yaml", "--by", "J")


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A folder with an event and one accepted list."""
    an_event(tmp_path, a_list("水野", legal()))
    assert run(tmp_path, "event", "accept", "event.yaml").status == 0
    return tmp_path


@pytest.mark.parametrize("by", [[], ["--by", ""], ["--by", " \u3000"]])
def test_a_check_that_nobody_made_is_not_kept(event: Path, by: list[str]) -> None:
    done = verify(event, FIRST, legal(), "--event", "event.yaml", *by)
    assert (done.status, done.out) == (2, "")
    assert [line for line in done.err.splitlines() if line.startswith("error")] == [
        "error: --event and --by belong together: the check is recorded in the event's log"
    ]
    assert checks(event) == []


def test_a_judges_slip_of_the_pen_is_told_and_not_kept(event: Path) -> None:
    done = verify(event, FIRST, SLIP, *KEPT)
    assert (done.status, done.err) == (3, "")
    lines = done.out.splitlines()
    assert lines[0].startswith(
        "line 2: “アクア・サーフアアー” is neither on the registered list nor in the card table (did you mean アクア・サーファー"
    )
    assert lines[1:] == [
        "undecided because of unknown names",
        "nothing was recorded in the log; fix this and check again",
    ]
    assert checks(event) == []
    said = json.loads(verify(event, FIRST, SLIP, "--output-format", "json").out)
    assert said["result"] == "undecided"
    assert said["unknown"][0]["near"][0] == "アクア・サーファー"
    assert (said["source"], said["kept"]) == ("receipt", False)


def test_a_deck_that_differed_is_drawn_again_until_it_is_as_registered(event: Path) -> None:
    def drawn() -> Any:
        return json.loads(
            run(event, "event", "draw", "event.yaml", "--seed", "6", "--output-format", "json").out
        )["drawn"]

    assert verify(event, FIRST, OTHER, *KEPT).status == 1
    assert len(drawn()) == 1
    assert verify(event, FIRST, legal(), *KEPT).status == 0
    assert drawn() == []
    assert verify(event, FIRST, OTHER, *KEPT).status == 1
    assert len(drawn()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit", "event.yaml", "--head", "abc"], "--head: this is not the hash of an entry"),
        (["audit", "event.yaml", "--head", ""], "--head: this is not the hash of an entry"),
        (["draw", "event.yaml", "--seed", ""], "--seed: the seed is empty"),
        (["draw", "event.yaml", "--seed", "  "], "--seed: the seed is empty"),
    ],
)
def test_a_head_or_a_seed_that_is_none_is_a_mistake(event: Path, arguments: list[str], said: str) -> None:
    done = run(event, "event", *arguments)
    assert (done.status, done.out) == (2, "")
    assert [line for line in done.err.splitlines() if line.startswith("error")] == [f"error: {said}"]


def test_the_draw_tells_a_head_that_an_audit_takes(event: Path) -> None:
    told = run(event, "event", "draw", "event.yaml", "--seed", "6").out
    assert run(event, "event", "audit", "event.yaml", "--head", told.split()[-1]).status == 0


def test_a_receipt_without_a_file_is_no_fault_and_another_one_is(event: Path) -> None:
    file = event / FIRST
    page = file.read_bytes()
    file.unlink()
    done = run(event, "event", "audit", "event.yaml")
    assert done.status == 0
    said = json.loads(run(event, "event", "audit", "event.yaml", "--output-format", "json").out)
    assert (said["verdict"], said["problems"]) == ("intact", [])
    assert run(event, "event", "accept", "event.yaml").status == 0
    assert file.read_bytes() == page
    file.write_bytes(page.replace("水野".encode(), "水田".encode()))
    altered = run(event, "event", "audit", "event.yaml")
    assert altered.status == 1
    assert "0001.json" in altered.out
    assert "水" not in altered.out + altered.err


def test_a_format_that_is_in_a_file_needs_the_event(tmp_path: Path) -> None:
    (tmp_path / "mini.yaml").write_text(MINI, encoding="utf-8")
    event = EVENT.replace("duel-masters/duemagic", "mini.yaml")
    an_event(tmp_path, a_list("甲", EIGHT), text=event)
    assert run(tmp_path, "event", "accept", "event.yaml").status == 0
    (tmp_path / "mine.txt").write_text(EIGHT, encoding="utf-8")
    done = run(tmp_path, "verify", FIRST, "mine.txt")
    assert (done.status, done.out) == (2, "")
    assert "“club/mini”" in done.err and "--event" in done.err
    assert run(tmp_path, "verify", FIRST, "mine.txt", *KEPT).status == 0


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
