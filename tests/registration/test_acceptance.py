"""Acceptance: what is frozen, what needs a judge's word, and whose list is meant."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from factories.acceptance import WORD, accept_at, accepted, kinds, receipts
from factories.event_lists import EVENT, ILLEGAL, NOW, UNDECIDED, UNREADABLE, a_list, an_event, legal
from factories.io_failures import killed_at

from deckcheck.registration.acceptance import withdraw
from deckcheck.registration.event import EventSession
from deckcheck.registration.log import entry_from, read_log, write_receipts
from deckcheck.registration.roster import build_roster
from deckcheck.support.errors import UserError


def test_a_second_run_adds_only_what_is_new(tmp_path: Path) -> None:
    file = an_event(tmp_path, a_list("甲", legal()), a_list("乙", legal(1)))
    assert len(accepted(file).accepted) == 2
    again = accepted(file)
    assert (again.accepted, again.unchanged) == ((), 2)
    an_event(tmp_path, a_list("甲", legal()), a_list("乙", legal(1)), a_list("丙", legal(2)))
    third = accepted(file)
    assert [receipt.player.name for receipt in receipts(third)] == ["丙"]
    assert third.unchanged == 2


@pytest.mark.parametrize(("text", "kind"), [(ILLEGAL, "illegal"), (UNDECIDED, "undecided")])
def test_an_illegal_or_undecided_list_needs_a_judges_word_and_the_receipt_says_so(
    tmp_path: Path, text: str, kind: str
) -> None:
    file = an_event(tmp_path, a_list("甲", text, id="17"))
    refused = accepted(file)
    assert refused.accepted == ()
    assert kinds(refused) == [[kind]]
    [receipt] = receipts(accepted(file, only=["17"], override=WORD))
    assert (receipt.by, receipt.reason) == (WORD.by, WORD.reason)
    assert receipt.despite == (kind,)
    assert receipt.verdict == kind
    assert receipt.faults
    assert accepted(file).unchanged == 1


@pytest.mark.parametrize("text", [UNREADABLE, "", "# date: 2026-11-27\n"])
def test_no_word_makes_a_deck_of_what_is_none(tmp_path: Path, text: str) -> None:
    file = an_event(tmp_path, a_list("甲", text))
    done = accepted(file, only=["甲"], override=WORD)
    assert done.accepted == ()
    assert len(done.refused) == 1


def test_lists_that_were_accepted_by_earlier_rules_are_told(tmp_path: Path) -> None:
    rules = tmp_path / "mine.yaml"
    rules.write_text(
        "format: club/mine\ngame: duel-masters\nname: Mine\nextends: duel-masters/duemagic\n", "utf-8"
    )
    text = EVENT.replace("duel-masters/duemagic", "mine.yaml")
    file = an_event(tmp_path, a_list("甲", legal()), text=text)
    assert accepted(file).notes == ()
    rules.write_text(rules.read_text("utf-8") + "# another rule\n", "utf-8")
    an_event(tmp_path, a_list("甲", legal()), a_list("乙", legal(1)), text=text)
    done = accepted(file)
    assert len(done.accepted) == 1
    assert [note.en for note in done.notes] == [
        "1 list was accepted under an earlier version of the rules; run deckcheck event audit"
    ]
    session = EventSession.open(file)
    assert build_roster(session, read_log(session.event.log, session.event.id)).notes == done.notes


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("half", [False, True])
def test_an_acceptance_killed_at_any_write_is_whole_after_the_next_run(tmp_path: Path, half: bool) -> None:
    session = EventSession.open(an_event(tmp_path, a_list("甲", legal()), a_list("乙", legal(1))))
    folder = session.event.receipts

    def work() -> None:
        write_receipts(accept_at(session).log, folder)

    accept_at(session, only=["甲"])
    first = session.event.log.read_bytes()
    number = 0
    while killed_at(number, work, half=half):
        assert len(read_log(session.event.log, session.event.id).entries) in (1, 2)
        work()
        assert len(read_log(session.event.log, session.event.id).entries) == 2
        for one in folder.glob("*.json"):
            entry_from(json.loads(one.read_text(encoding="utf-8")))
        assert len(list(folder.glob("*.json"))) == 2
        session.event.log.write_bytes(first)
        for one in folder.iterdir():
            one.unlink()
        folder.rmdir()
        number += 1
    assert number > 10


@pytest.mark.parametrize("verb", ["accept", "withdraw"])
def test_an_unknown_name_leaves_nothing_behind(tmp_path: Path, verb: str) -> None:
    file = an_event(tmp_path, a_list("甲", legal()))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UserError, match="nobody is called"):
        if verb == "accept":
            accepted(file, only=["乙"])
        else:
            withdraw(EventSession.open(file), "乙", WORD, now=NOW)
    assert sorted(tmp_path.rglob("*")) == before


def test_an_id_that_is_also_somebody_elses_name_is_asked_back(tmp_path: Path) -> None:
    file = an_event(tmp_path, a_list("甲", legal(), id="乙"), a_list("乙", legal(1), id="7"))
    with pytest.raises(UserError, match="several"):
        accepted(file, only=["乙"])
    [receipt] = receipts(accepted(file, only=["7"]))
    assert receipt.player.name == "乙"


def test_a_nameless_list_is_accepted_once(tmp_path: Path) -> None:
    file = an_event(tmp_path, legal(), legal(1), more="required: []\n")
    assert len(accepted(file).accepted) == 2
    again = accepted(file)
    assert (again.accepted, again.unchanged, again.gone) == ((), 2, ())
