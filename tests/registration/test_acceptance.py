"""Acceptance and withdrawal: what is frozen, what needs a judge's word, whose list is meant, and nothing lost."""

from __future__ import annotations

import json
import os
import re
from datetime import timedelta
from pathlib import Path

import pytest
from factories.events import (
    EVENT,
    ILLEGAL,
    JUDGE,
    NOW,
    UNDECIDED,
    UNREADABLE,
    a_list,
    accept,
    an_event,
    entries,
    event_of_three,
    form_event,
    form_row,
    legal,
    put,
    receipts,
    run,
)
from factories.examples import amount
from factories.io_failures import at_call, killed_at

from deckcheck.registration import acceptance
from deckcheck.registration.event import open_event
from deckcheck.registration.log import entry_from, read_log, write_receipts
from deckcheck.registration.submissions import Player, read_stored, store_submission
from deckcheck.support.errors import UserError

WITHDRAW = ("event", "withdraw", "event.yaml")
VERIFY = ("--event", "event.yaml", "--by", "J")
WATER, FIRE = form_row("26 10:00", "水野", "1001", legal()), form_row("26 11:00", "火野", "1002", legal(1))


def ids(folder: Path) -> list[str]:
    """The ids of the submissions in the order of the roster."""
    return [one["id"] for one in entries(folder)]


def frozen(folder: Path) -> tuple[int, int]:
    """Accept; how many lists are frozen now, and how many were before."""
    [counts] = re.findall(r"^(\d+) lists? frozen now, (\d+) before", accept(folder).out, re.MULTILINE)
    return int(counts[0]), int(counts[1])


def has_log(folder: Path) -> bool:
    return bool(list(folder.glob("*.log.jsonl")))


# What is frozen, and on whose word


@pytest.mark.parametrize(("text", "kind"), [(ILLEGAL, "illegal"), (UNDECIDED, "undecided")])
def test_an_illegal_or_undecided_list_needs_a_judges_word_and_the_receipt_says_so(
    tmp_path: Path, text: str, kind: str
) -> None:
    an_event(tmp_path, a_list("甲", text, id="17"))
    assert accept(tmp_path).status == 1 and not has_log(tmp_path)
    assert accept(tmp_path, "17", *JUDGE).status == 0
    [receipt] = receipts(tmp_path, "winter-cup")
    said = {"by": "白石", "reason": "train was late", "verdict": kind, "despite": [kind]}
    assert said.items() <= receipt.items() and receipt["faults"]
    assert frozen(tmp_path) == (0, 1)


@pytest.mark.parametrize("text", [UNREADABLE, "", "# date: 2026-11-27\n"])
def test_no_word_makes_a_deck_of_what_is_none(tmp_path: Path, text: str) -> None:
    an_event(tmp_path, a_list("甲", text))
    assert accept(tmp_path, "甲", *JUDGE).status == 1 and not has_log(tmp_path)


def test_a_judge_is_only_asked_about_lists_that_can_be_frozen(tmp_path: Path) -> None:
    an_event(tmp_path, a_list("甲", legal() + "&&&& ???? 12:\n"), a_list("", legal()))
    told = accept(tmp_path).out
    assert "must be corrected first" in told and "lists/02.txt" in told
    [open_one] = re.findall(r"to accept on a judge's decision \((.*)\)", told)
    assert len(open_one) == 6


def test_judge_and_reason_are_never_dropped(tmp_path: Path) -> None:
    form_event(tmp_path, WATER)
    assert accept(tmp_path, "水野", *JUDGE).status == 0
    [receipt] = receipts(tmp_path)
    assert (receipt["by"], receipt["reason"], receipt["despite"]) == ("白石", "train was late", [])
    done = accept(tmp_path, "水野", *JUDGE)
    assert done.status == 1 and "already accepted (receipt 1)" in done.out
    assert accept(tmp_path, "水野").status == 0 and len(receipts(tmp_path)) == 1
    for words in (["--by", "J"], ["--by", "J", "--reason", " "], JUDGE):
        assert accept(tmp_path, *words).status == 2


def test_lists_that_were_accepted_by_earlier_rules_are_told(tmp_path: Path) -> None:
    rules = "format: club/mine\ngame: duel-masters\nname: Mine\nextends: duel-masters/duemagic\n"
    put(tmp_path, {"mine.yaml": rules})
    an_event(tmp_path, a_list("甲", legal()), text=EVENT.replace("duel-masters/duemagic", "mine.yaml"))
    assert "earlier version" not in accept(tmp_path).out
    put(tmp_path, {"mine.yaml": rules + "# another rule\n", "lists/02.txt": a_list("乙", legal(1))})
    for command in ("accept", "check"):
        told = run(tmp_path, "event", command, "event.yaml").out
        assert "1 list was accepted under an earlier version of the rules; run deckcheck event audit" in told


def test_a_list_that_is_gone_or_became_unreadable_is_told_and_not_as_before(tmp_path: Path) -> None:
    event = event_of_three(tmp_path)
    accept(event)
    (event / "lists" / "01.txt").unlink()
    put(event, {"lists/02.txt": a_list("乙", legal(1)) + "&&&& ???? 12:\n"})
    done = accept(event)
    assert "0 lists frozen now, 0 before" in done.out
    assert "accepted, but no longer among the entries: 水野 光" in done.out
    [gone] = json.loads(accept(event, "--output-format", "json").out)["gone"]
    assert (gone["place"], gone["receipt"]) == ("lists/01.txt", 1) and gone["submission"]
    assert "水野 光  gone" in run(event, "event", "check", "event.yaml").out


# Whose list


def test_ids_stay_when_files_come_in_and_forms_are_sorted_anew(tmp_path: Path) -> None:
    form_event(tmp_path, WATER, FIRE)
    before = ids(tmp_path)
    assert len(set(before)) == 2 and all(len(id) == 6 for id in before)
    form_event(tmp_path, form_row("26 09:00", "新しい人", "999", legal(7)), FIRE, WATER)
    assert ids(tmp_path)[1:] == before[::-1]


@pytest.mark.parametrize("who", ["id", "1001", "水野"])
def test_a_player_is_named_by_submission_id_or_name(tmp_path: Path, who: str) -> None:
    form_event(tmp_path, WATER, FIRE)
    named = ids(tmp_path)[0] if who == "id" else who
    assert accept(tmp_path, named).status == 0
    assert [one["player"]["id"] for one in receipts(tmp_path)] == ["1001"]
    put(tmp_path, {"form.txt": legal()})
    for words in (["verify", named, "form.txt", *VERIFY], ["sheet", "event.yaml", named]):
        done = run(tmp_path, *words)
        assert done.status == 0 and "火野" not in done.out, done.err
    assert run(tmp_path, *WITHDRAW, named, "--by", "J", "--reason", "sick").status == 0
    assert "水野" not in run(tmp_path, "sheet", "event.yaml").out


def test_an_ambiguous_or_unknown_name_is_refused_and_leaves_nothing_behind(tmp_path: Path) -> None:
    rows = [form_row("26 10:00", "山田", "1001", legal()), form_row("26 11:00", "山田", "1002", legal(1))]
    form_event(tmp_path, *rows, form_row("26 12:00", "1002", "1003", legal(2)))
    before, [first, second, _third] = sorted(tmp_path.rglob("*")), ids(tmp_path)
    withdraw = [*WITHDRAW, "--by", "J", "--reason", "R"]
    for words in (["event", "accept", "event.yaml"], withdraw, ["sheet", "event.yaml"]):
        done = run(tmp_path, *words, "山田")
        assert done.status == 2
        assert f"{first} (山田 1001)" in done.err and f"{second} (山田 1002)" in done.err
        done = run(tmp_path, *words, "知らない人")
        assert done.status == 2 and "nobody is called '知らない人'" in done.err
        # An id that is also somebody else's name.
        assert "several" in run(tmp_path, *words, "1002").err
    assert sorted(tmp_path.rglob("*")) == before
    assert accept(tmp_path).status == 0
    done = run(tmp_path, "verify", "山田", "-", *VERIFY, stdin=legal())
    assert done.status == 2 and first in done.err and second in done.err


def test_a_late_list_that_a_judge_names_is_the_one_that_is_frozen(tmp_path: Path) -> None:
    form_event(tmp_path, WATER, form_row("27 20:30", "水野", "1001", legal(3)))
    late = ids(tmp_path)[1]
    done = accept(tmp_path, late)
    assert done.status == 1 and "another list of the same player counts" in done.out
    assert "the list came after the deadline" in done.out and not has_log(tmp_path)
    done = accept(tmp_path, *ids(tmp_path), *JUDGE)
    assert done.status == 2 and "these are lists of one player" in done.err
    assert accept(tmp_path, late, *JUDGE).status == 0
    [receipt] = receipts(tmp_path)
    assert (receipt["submission"], receipt["despite"]) == (late, ["superseded", "late"])
    # It stays the one that counts, and is compared.
    counting = entries(tmp_path)[1]
    assert counting["counts"] and counting["frozen"]
    assert frozen(tmp_path) == (0, 1)
    assert run(tmp_path, "verify", "水野", "-", *VERIFY, stdin=legal(3)).status == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("赤井", "1001"), ("赤石", "1001")),
        (("赤井", "l001"), ("赤井", "1001")),
        (("赤井", ""), ("赤石", "1001")),
    ],
)
def test_a_correction_of_name_or_id_continues_the_receipt(
    tmp_path: Path, before: tuple[str, str], after: tuple[str, str]
) -> None:
    form_event(tmp_path, form_row("26 10:00", *before, legal()))
    accept(tmp_path)
    form_event(tmp_path, form_row("26 10:00", *after, legal()))
    assert frozen(tmp_path) == (0, 1)
    [one] = entries(tmp_path)
    assert (one["state"], one["accepted"], one["frozen"]) == ("legal", 1, True)
    # A new list of the corrected player replaces the receipt.
    form_event(tmp_path, form_row("26 10:00", *after, legal()), form_row("26 12:00", *after, legal(2)))
    assert accept(tmp_path, ids(tmp_path)[1], *JUDGE).status == 0
    assert [one["replaces"] for one in receipts(tmp_path)] == [None, 1]


@pytest.mark.parametrize("name", ["水野", "水石"])
def test_another_list_needs_a_judge_and_then_replaces_the_receipt(tmp_path: Path, name: str) -> None:
    """Also where the name was corrected with it."""
    form_event(tmp_path, WATER)
    accept(tmp_path)
    form_event(tmp_path, form_row("26 12:00", name, "1001", legal(3)))
    done = accept(tmp_path)
    assert done.status == 1 and "the list is not the one that was accepted (receipt 1)" in done.out
    assert accept(tmp_path, name, *JUDGE).status == 0
    assert [one["replaces"] for one in receipts(tmp_path)] == [None, 1]
    assert [one["state"] for one in entries(tmp_path)] == ["legal"]
    assert accept(tmp_path).status == 0


def test_an_id_under_another_name_takes_nothing_over(tmp_path: Path) -> None:
    form_event(tmp_path, WATER, form_row("26 11:00", "火野", "1001", legal(1)))
    done = run(tmp_path, "event", "check", "event.yaml", "--letters", "letters")
    known = ids(tmp_path)
    for own, other in (known, reversed(known)):
        [line] = [line for line in done.out.splitlines() if line.startswith(own)]
        assert f"others have the same name or id ({other})" in line
    assert "2 unclear which" in done.out
    letters = [file.read_text("utf-8") for file in sorted((tmp_path / "letters").glob("*.txt"))]
    assert len(letters) == 2 and all("同じお名前かプレイヤーID" in text for text in letters)
    assert accept(tmp_path).status == 1 and not has_log(tmp_path)
    assert accept(tmp_path, known[0], *JUDGE).status == 0
    assert [one["player"]["name"] for one in receipts(tmp_path)] == ["水野"]
    mine, other = entries(tmp_path)
    assert (mine["frozen"], mine["counts"], other["counts"], other["accepted"]) == (True, True, None, None)
    assert other["conflict"] == "player"
    run(tmp_path, *WITHDRAW, other["id"], "--by", "J", "--reason", "wrong id")
    assert accept(tmp_path).status == 0
    assert run(tmp_path, "sheet", "event.yaml").out.count('<section class="sheet') == 1


def test_names_that_differ_in_case_and_apostrophes_are_to_be_decided(tmp_path: Path) -> None:
    names = ("Tom O'Neil", "tom o'neil", "Tom O’Neil")
    an_event(
        tmp_path, *(a_list(name, legal(n), submitted=f"2026-11-2{n} 10:00") for n, name in enumerate(names))
    )
    assert accept(tmp_path).status == 1 and not has_log(tmp_path)
    assert {one["conflict"] for one in entries(tmp_path)} == {"player"}
    assert accept(tmp_path, "TOM O'NEIL", *JUDGE).status == 2
    *others, last = ids(tmp_path)
    assert accept(tmp_path, last, *JUDGE).status == 0
    assert [one["player"]["name"] for one in receipts(tmp_path, "winter-cup")] == ["Tom O’Neil"]
    for id in others:
        run(tmp_path, *WITHDRAW, id, "--by", "J", "--reason", "sent thrice")
    assert run(tmp_path, "event", "check", "event.yaml").status == 0


# Who withdraws


def withdraw(folder: Path) -> str:
    done = run(folder, *WITHDRAW, "水野", "--by", "本人", "--reason", "発熱")
    assert done.status == 0, done.err
    return done.out


def test_a_withdrawn_player_is_no_longer_printed_drawn_or_counted(tmp_path: Path) -> None:
    form_event(tmp_path, WATER, FIRE)
    accept(tmp_path)
    assert withdraw(tmp_path) == "withdrawn: 水野 (receipt 1 is revoked)\n"
    done = run(tmp_path, "event", "check", "event.yaml", "--letters", "letters")
    assert done.status == 0 and "1 player: 1 legal, 1 withdrawn (1 accepted)" in done.out
    assert [file.name[:2] for file in (tmp_path / "letters").glob("*.txt")] == ["火野"]
    assert "水野" not in run(tmp_path, "sheet", "event.yaml").out
    drawn = run(tmp_path, "event", "draw", "event.yaml", "--seed", "1", "--share", "100%").out
    assert "水野" not in drawn and "1 of 1 accepted" in drawn
    assert accept(tmp_path).status == 0 and len(receipts(tmp_path)) == 2
    for who in ("水野", "cup.receipts/0001.json"):
        assert run(tmp_path, "verify", who, "-", *VERIFY, stdin=legal()).status == 2
    # The draw tells a head that an audit takes.
    assert run(tmp_path, "event", "audit", "event.yaml", "--head", drawn.split()[-1]).status == 0
    entry = json.loads((tmp_path / "cup.log.jsonl").read_text("utf-8").splitlines()[-1])
    said = (entry["kind"], entry["receipt"], entry["by"], entry["reason"])
    assert said == ("withdrawal", 1, "本人", "発熱")


def test_a_player_without_a_receipt_can_withdraw_and_a_new_list_needs_a_judge(tmp_path: Path) -> None:
    form_event(tmp_path, WATER, FIRE)
    assert withdraw(tmp_path) == "withdrawn: 水野 (no list was accepted)\n"
    assert accept(tmp_path).status == 0
    assert [one["player"]["name"] for one in receipts(tmp_path)] == ["火野"]
    form_event(tmp_path, FIRE, form_row("26 12:00", "水野", "1001", legal(2)))
    assert accept(tmp_path).status == 0 and len(receipts(tmp_path)) == 1
    done = accept(tmp_path, "水野")
    assert done.status == 1 and "this player has withdrawn (entry 1)" in done.out
    assert accept(tmp_path, "水野", *JUDGE).status == 0
    assert run(tmp_path, "sheet", "event.yaml").out.count('<section class="sheet') == 2


def test_by_a_private_link_a_player_withdraws_no_other_and_displaces_nobody(tmp_path: Path) -> None:
    session = open_event(an_event(tmp_path))
    for turn in (2, 1):
        when = NOW - timedelta(minutes=turn)
        store_submission(tmp_path / "lists", f"token{turn}", Player("水野"), legal(turn), when)
    stored = [one for turn in (2, 1) for one in read_stored(tmp_path / "lists", f"token{turn}")]
    assert {one["state"]: one["counts"] for one in entries(tmp_path)} == {"legal": None}
    word = acceptance.Override("水野", "発熱")
    with pytest.raises(UserError, match="other lists under this name"):
        acceptance.withdraw(session, stored[1].id, word, now=NOW, own=[stored[1].id])
    done = acceptance.withdraw(session, stored[1].id, word, now=NOW, own=[one.id for one in stored])
    assert done.row.player.name == "水野"


def test_a_lost_log_is_told_by_whatever_reads_it(tmp_path: Path) -> None:
    form_event(tmp_path, WATER, FIRE)
    accept(tmp_path)
    (tmp_path / "cup.log.jsonl").unlink()
    for command in (["event", "check"], ["sheet"], ["event", "accept"]):
        done = run(tmp_path, *command, "event.yaml")
        assert done.status == 2 and "there are receipts for entries that the log lacks" in done.err


def test_nobody_withdraws_twice_or_without_a_reason(tmp_path: Path) -> None:
    form_event(tmp_path, WATER, FIRE)
    withdraw(tmp_path)
    done = run(tmp_path, *WITHDRAW, "水野", "--by", "J", "--reason", "R")
    assert done.status == 2 and "this player has withdrawn (entry 1)" in done.err
    for options in (["--by", "J"], ["--reason", "R"], ["--by", "J", "--reason", ""], []):
        assert run(tmp_path, *WITHDRAW, "火野", *options).status == 2


# Nothing is lost, whatever happens to files and processes


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_an_acceptance_killed_at_any_write_is_whole_after_the_next_run(tmp_path: Path) -> None:
    session = open_event(an_event(tmp_path, a_list("甲", legal()), a_list("乙", legal(1))))
    log, folder = session.event.log, session.event.receipts
    acceptance.accept(session, now=NOW, only=["甲"])
    first = log.read_bytes()

    def work() -> None:
        write_receipts(acceptance.accept(session, now=NOW).log, folder)

    def begin_anew() -> None:
        log.write_bytes(first)
        for one in folder.iterdir():
            one.unlink()
        folder.rmdir()

    with at_call(-1, lambda _name: None) as calls:
        work()
    killed = 0
    for number in range(len(calls)):
        begin_anew()
        # A first run may touch a few files more.
        killed += killed_at(number, work)
        assert len(read_log(session.event).entries) in (1, 2)
        work()
        assert len(read_log(session.event).entries) == len(list(folder.glob("*.json"))) == 2
        for one in folder.glob("*.json"):
            entry_from(json.loads(one.read_text(encoding="utf-8")))
    assert killed > 10


def test_2000_lists_are_checked_accepted_and_audited_in_one_go(tmp_path: Path) -> None:
    """200 in a quick run, one in twenty of them illegal."""
    players = amount(2_000, 200)
    lists = [ILLEGAL if number % 20 == 0 else legal(number) for number in range(players)]
    form_event(tmp_path, *(form_row("26 10:00", f"選手{at}", f"{at}", text) for at, text in enumerate(lists)))
    done = run(tmp_path, "event", "check", "event.yaml")
    assert done.status == 1 and f"\n{players:,} players: " in done.out
    assert accept(tmp_path).status == 1
    assert run(tmp_path, "event", "audit", "event.yaml").status == 0
    assert [receipt["number"] for receipt in receipts(tmp_path)] == [*range(1, players * 19 // 20 + 1)]
    assert len(list((tmp_path / "cup.receipts").glob("*.json"))) == players * 19 // 20


def test_receipts_that_can_not_be_written_are_told_beside_what_was_accepted(tmp_path: Path) -> None:
    event = event_of_three(tmp_path)
    folder = event / "winter-cup.receipts"
    folder.touch()
    done = accept(event)
    assert done.status == 2 and "2 lists frozen now, 0 before" in done.out
    assert "winter-cup.receipts: error: can't be written" in done.err
    assert "the log is complete" in done.err
    folder.unlink()
    assert frozen(event) == (0, 2)
    assert len(list(folder.glob("*.json"))) == 2


def test_a_lost_log_is_never_begun_anew_and_one_behind_a_link_stays_there(tmp_path: Path) -> None:
    event = event_of_three(tmp_path)
    log, shared = event / "winter-cup.log.jsonl", event / "shared.log"
    log.symlink_to(shared)
    accept(event)
    assert log.is_symlink() and shared.stat().st_size > 0
    assert run(event, "event", "audit", "event.yaml").status == 0
    log.unlink()
    done = accept(event)
    assert done.status == 2 and "lost or cut off" in done.err


# A deck that is held against its receipt


def test_a_check_is_kept_only_for_a_receipt_of_the_event_that_stands(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    event, other = event_of_three(tmp_path), tmp_path_factory.mktemp("other")
    accept(event, "乙")
    an_event(other, a_list("丁", legal(2)))
    accept(other)
    foreign = str(other / "winter-cup.receipts" / "0001.json")
    own = "winter-cup.receipts/0001.json"
    done = run(event, "verify", foreign, "-", *VERIFY, stdin=legal(2))
    assert done.status == 2 and "not in the event's log" in done.err
    assert run(event, "verify", foreign, "-", "--by", "J", stdin=legal(2)).status == 2
    for by in ("", " \u3000"):
        assert run(event, "verify", own, "-", "--event", "event.yaml", "--by", by, stdin=legal(1)).status == 2
    put(event, {"lists/02.txt": a_list("乙", legal(2))})
    accept(event, "乙", *JUDGE)
    done = run(event, "verify", own, "-", *VERIFY, stdin=legal(1))
    assert done.status == 2 and "replaced" in done.err
    assert run(event, "event", "audit", "event.yaml").status == 0
    assert len((event / "winter-cup.log.jsonl").read_text("utf-8").splitlines()) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_format_that_is_a_path_opens_nothing_at_the_table(tmp_path: Path) -> None:
    """Whoever opened that pipe would wait for ever."""
    os.mkfifo(tmp_path / "trap.yaml")
    an_event(tmp_path, a_list("甲", legal()))
    assert accept(tmp_path).status == 0
    file = tmp_path / "winter-cup.receipts" / "0001.json"
    text = file.read_text("utf-8").replace("duel-masters/duemagic", str(tmp_path / "trap.yaml"))
    file.write_text(text, encoding="utf-8")
    done = run(tmp_path, "verify", str(file), "-", stdin=legal())
    assert (done.status, done.out) == (2, "")
    assert "format" in done.err
