"""Acceptance: whose list is meant, and which of a player's lists counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.acceptance import WORD, accepted, kinds, receipts
from factories.event_lists import a_list, an_event, legal

from deckcheck.registration.event import EventSession
from deckcheck.support.errors import UserError


def test_an_id_that_is_also_somebody_elses_name_is_asked_back(tmp_path: Path) -> None:
    file = an_event(tmp_path, a_list("甲", legal(), id="乙"), a_list("乙", legal(1), id="7"))
    with pytest.raises(UserError, match="several"):
        accepted(file, only=["乙"])
    [receipt] = receipts(accepted(file, only=["7"]))
    assert receipt.player.name == "乙"


def test_a_name_that_several_players_have_needs_an_id_or_a_judge(tmp_path: Path) -> None:
    lists = [a_list("水野 光", legal(turn), id=f"secret-{turn}") for turn in range(2)]
    file = an_event(tmp_path, a_list("乙", legal(3)), *lists, a_list("水野　光", legal(2)))
    with pytest.raises(UserError, match="several"):
        accepted(file, only=["水野光"], override=WORD)
    assert not EventSession.open(file).event.log.exists()
    [receipt] = receipts(accepted(file, only=["Secret-1"]))
    assert receipt.player.id == "secret-1"
    done = accepted(file)
    assert kinds(done) == [["whose"]]
    [receipt] = receipts(accepted(file, only=[done.refused[0].row.id], override=WORD))
    assert (receipt.player.id, receipt.despite) == (None, ("whose",))


def test_a_nameless_list_is_accepted_once(tmp_path: Path) -> None:
    file = an_event(tmp_path, legal(), legal(1), more="required: []\n")
    assert len(accepted(file).accepted) == 2
    again = accepted(file)
    assert (again.accepted, again.unchanged, again.gone) == ((), 2, ())
