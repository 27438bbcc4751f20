"""The commands of registration from the command line: what they say, where, and how they end."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from factories.event_lists import a_list, an_event, legal
from factories.event_runs import event_of_three, run

from deckcheck.registration.receipts import Receipt, entry_from, entry_line, entry_of

SECRETS = ("水野", "みずの", "0017", "甲")


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return event_of_three(tmp_path)


def test_from_acceptance_to_audit(event: Path) -> None:
    done = run(event, "event", "accept", "event.yaml")
    assert done.status == 1
    assert "2 lists frozen now, 0 before" in done.out
    assert "  甲  the list is illegal" in done.out
    assert run(event, "event", "accept", "event.yaml", "--output-format", "json").status == 1
    word = run(event, "event", "accept", "event.yaml", "甲", "--by", "J", "--reason", "R")
    assert (word.status, word.err) == (0, "")
    again = run(event, "event", "accept", "event.yaml")
    assert again.status == 0 and again.out.startswith("0 lists frozen now, 3 before")
    audit = run(event, "event", "audit", "event.yaml")
    assert audit.status == 0
    assert "nothing was altered" in audit.out
    assert "accepted on a judge's decision: 1" in audit.out
    head = next(line.split()[-1] for line in audit.out.splitlines() if "head" in line)
    assert run(event, "event", "audit", "event.yaml", "--head", head).status == 0
    log = event / "winter-cup.log.jsonl"
    log.write_text("".join(log.read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8")
    cut = run(event, "event", "audit", "event.yaml", "--head", head, "--output-format", "json")
    assert cut.status == 1
    assert json.loads(cut.out)["verdict"] == "altered"


def test_what_holds_names_is_for_its_owner_alone(event: Path) -> None:
    run(event, "event", "accept", "event.yaml")
    named = [
        file
        for file in event.rglob("*")
        if file.is_file()
        and "lists" not in file.parts
        and any(word in file.read_text("utf-8") for word in SECRETS)
    ]
    assert named
    assert {stat.S_IMODE(file.stat().st_mode) for file in named} == {0o600}


@pytest.mark.parametrize(
    "arguments",
    [
        ["accept", "event.yaml", "--by", "甲"],
        ["accept", "event.yaml", "--by", "J", "--reason", "R"],
        ["accept", "event.yaml", "0017", "--by", " ", "--reason", "R"],
        ["audit", "event.yaml"],
        ["draw", "event.yaml", "--seed", "甲"],
        ["draw", "event.yaml", "--seed", "x", "--share", "甲"],
        ["accept", "nothing.yaml"],
    ],
)
def test_no_mistake_names_anybody(event: Path, arguments: list[str]) -> None:
    done = run(event, "event", *arguments)
    assert done.status == 2
    assert done.out == ""
    assert len(done.err.strip().splitlines()) >= 1
    assert "Traceback" not in done.err
    assert not any(word in done.err for word in SECRETS)


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


def test_a_false_reason_is_not_told_as_a_false_verdict(event: Path) -> None:
    run(event, "event", "accept", "event.yaml", "甲", "--by", "J", "--reason", "R")
    log = event / "winter-cup.log.jsonl"
    entry = entry_from(json.loads(log.read_text("utf-8")))
    assert isinstance(entry.value, Receipt)
    forged = entry_of(1, entry.previous, entry.value._replace(faults=("hall",)))
    log.write_text(entry_line(forged) + "\n", "utf-8")
    (event / "winter-cup.receipts" / "0001.json").unlink()
    done = run(event, "event", "audit", "event.yaml")
    assert done.status == 1
    assert "receipt 1: different findings by the same rules (then illegal, now illegal)\n" in done.out


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
