"""Acceptance: whose list is meant, and which of a player's lists counts, and what becomes of a sealed one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories.acceptance import SEALED, WORD, a_seal, accept_at, accepted, kinds, receipts
from factories.event_lists import a_list, an_event, legal

from deckcheck.registration.canonical import opens, seal_file
from deckcheck.registration.event import EventSession
from deckcheck.registration.submissions import Player, Sender
from deckcheck.support.errors import UserError


def test_of_a_players_lists_only_the_one_that_counts_is_accepted(tmp_path: Path) -> None:
    file = an_event(
        tmp_path,
        a_list("甲", legal(), submitted="2026-11-26 10:00"),
        a_list("甲", legal(1), submitted="2026-11-26 12:00"),
    )
    done = accepted(file)
    [receipt] = receipts(done)
    assert receipt.place.endswith("02.txt")
    assert done.refused == ()


def test_nobody_guesses_which_list_counts(tmp_path: Path) -> None:
    file = an_event(tmp_path, a_list("甲", legal()), a_list("甲", legal(1)))
    done = accepted(file)
    assert done.added == ()
    assert kinds(done) == [["unclear"], ["unclear"]]
    assert accepted(file, only=["甲"], override=WORD).added == ()


@pytest.mark.parametrize("words", [["誰か"], ["99"], [""], ["甲", "誰か"]])
def test_a_player_who_is_not_there_is_told_without_a_name(tmp_path: Path, words: list[str]) -> None:
    file = an_event(tmp_path, a_list("甲", legal()))
    with pytest.raises(UserError) as caught:
        accepted(file, only=words)
    said = "".join(problem.in_("ja") + problem.in_("en") for problem in caught.value.problems)
    assert "誰か" not in said and "99" not in said
    assert not EventSession.open(file).event.log.exists()


def test_a_number_that_is_also_somebody_elses_id_is_asked_back(tmp_path: Path) -> None:
    file = an_event(tmp_path, a_list("甲", legal(), id="2"), a_list("乙", legal(1), id="7"))
    with pytest.raises(UserError, match="several"):
        accepted(file, only=["2"])
    [receipt] = receipts(accepted(file, only=["7"]))
    assert receipt.player.name == "乙"


def test_a_name_that_several_players_have_is_asked_back_by_number(tmp_path: Path) -> None:
    lists = [a_list("水野 光", legal(turn), id=f"secret-{turn}") for turn in range(2)]
    file = an_event(tmp_path, a_list("乙", legal(3)), *lists)
    for more in ([], [a_list("水野　光", legal(2))]):
        an_event(tmp_path, a_list("乙", legal(3)), *lists, *more)
        with pytest.raises(UserError) as caught:
            accepted(file, only=["水野光"], override=WORD)
        [problem] = caught.value.problems
        numbers = "no. 2, 3" + (", 4" if more else "")
        assert problem.message.en == f"argument 1 may mean several players ({numbers})"
        assert problem.hint is not None and "by their id" in problem.hint.en
        said = problem.in_("ja") + problem.in_("en")
        assert "水野" not in said and "secret" not in said
    assert not EventSession.open(file).event.log.exists()
    [receipt] = receipts(accepted(file, only=["Secret-1"]))
    assert receipt.player.id == "secret-1"
    done = accepted(file, only=["4"], override=WORD)
    assert kinds(done) == [["namesake"]]
    assert done.added == ()


def test_a_nameless_list_is_accepted_once(tmp_path: Path) -> None:
    file = an_event(tmp_path, legal(), legal(1), more="required: []\n")
    assert len(accepted(file).added) == 2
    again = accepted(file)
    assert (again.added, again.unchanged, again.gone) == ((), 2, ())


def test_of_a_sealed_list_the_log_holds_only_commitment_and_verdict(tmp_path: Path) -> None:
    file = an_event(tmp_path, text=SEALED)
    session = EventSession.open(file)
    seal, opening = a_seal(session, legal())
    data = seal_file(seal, Sender(Player("甲")))
    (tmp_path / "lists" / "a.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    [receipt] = receipts(accept_at(session))
    assert receipt.listed is None
    assert receipt.sealed == seal.commitment
    assert receipt.verdict == "legal"
    assert receipt.player.name == "甲"
    written = session.event.log.read_text(encoding="utf-8")
    assert "アクア" not in written and opening.salt not in written
    assert opening.cards.fingerprint not in written
    assert opens(opening, receipt.sealed)
    assert accept_at(session).unchanged == 1


def test_a_seal_of_two_players_is_accepted_of_neither(tmp_path: Path) -> None:
    file = an_event(tmp_path, text=SEALED)
    session = EventSession.open(file)
    seal, _ = a_seal(session, legal())
    for name in ("甲", "乙"):
        data = seal_file(seal, Sender(Player(name)))
        (tmp_path / "lists" / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    done = accept_at(session)
    assert done.added == () and kinds(done) == [["copied"], ["copied"]]
    assert accept_at(session, only=["1"], override=WORD).added == ()
    (tmp_path / "lists" / "乙.json").rename(tmp_path / "later.json")
    assert len(accepted(file).added) == 1
    (tmp_path / "later.json").rename(tmp_path / "lists" / "乙.json")
    again = accepted(file)
    assert (again.added, again.unchanged, kinds(again)) == ((), 1, [["copied"]])


def test_an_open_list_is_not_accepted_where_lists_are_sealed(tmp_path: Path) -> None:
    file = an_event(tmp_path, a_list("甲", legal()), text=SEALED)
    done = accepted(file, only=["甲"], override=WORD)
    assert done.added == ()
    assert len(done.refused) == 1
