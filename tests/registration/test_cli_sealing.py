"""Lists sealed and opened from the command line."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest
from factories.commands import run_here
from factories.event_lists import ILLEGAL, UNDECIDED, UNREADABLE, legal
from factories.event_runs import event_of_three, run

from deckcheck.registration.commitments import commitment, opening_from, seal_from
from deckcheck.support.files import write_atomically


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return event_of_three(tmp_path)


def test_a_sealed_list_from_seal_to_unseal(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("# format: duel-masters/duemagic\n" + legal(), "utf-8")
    done = run(tmp_path, "seal", "mine.txt", "--as-of", "2026-11-27")
    assert (done.status, done.err) == (0, "")
    seal = seal_from(json.loads((tmp_path / "mine.seal.json").read_text("utf-8")))
    opening = opening_from(json.loads((tmp_path / "mine.opening.json").read_text("utf-8")))
    assert seal.commitment in done.out
    assert seal.commitment == commitment(opening.salt, opening.cards)
    assert opening.salt not in done.out
    assert stat.S_IMODE((tmp_path / "mine.opening.json").stat().st_mode) == 0o600
    assert "アクア" not in (tmp_path / "mine.seal.json").read_text("utf-8")
    opened = run(tmp_path, "unseal", "mine.seal.json", "mine.opening.json")
    assert opened.status == 0
    assert "4 アクア・サーファー" in opened.out
    assert "this is the list that was sealed" in opened.out
    table = run(tmp_path, "verify", "mine.opening.json", "mine.txt")
    assert table.status == 0


def test_an_opening_of_another_list_opens_nothing(tmp_path: Path) -> None:
    for name, turn in (("a", 0), ("b", 1)):
        (tmp_path / f"{name}.txt").write_text(legal(turn), "utf-8")
        assert run(tmp_path, "seal", f"{name}.txt", "-f", "duel-masters/duemagic").status == 0
    done = run(tmp_path, "unseal", "a.seal.json", "b.opening.json")
    assert done.status == 1
    assert "this is not the list that was sealed" in done.out


def test_a_verdict_that_the_seal_made_up_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(ILLEGAL, "utf-8")
    assert run(tmp_path, "seal", "a.txt", "-f", "duel-masters/duemagic").status == 1
    file = tmp_path / "a.seal.json"
    file.write_text(file.read_text("utf-8").replace("illegal", "legal"), "utf-8")
    done = run(tmp_path, "unseal", "a.seal.json", "a.opening.json")
    assert done.status == 1
    assert "the seal says “legal”, but the list is “illegal”" in done.out


def test_a_seal_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(legal(), "utf-8")
    first = run(tmp_path, "seal", "a.txt", "-f", "duel-masters/duemagic")
    before = (tmp_path / "a.opening.json").read_bytes()
    assert first.status == 0
    assert run(tmp_path, "seal", "a.txt", "-f", "duel-masters/duemagic").status == 2
    assert (tmp_path / "a.opening.json").read_bytes() == before


def test_a_seal_that_can_not_be_written_leaves_no_opening_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(file: Path, data: bytes, *, durable: bool = False) -> None:
        if file.name.endswith(".seal.json"):
            raise OSError(28, "No space left on device")
        write_atomically(file, data, durable=durable)

    monkeypatch.setattr("deckcheck.cli.seal.write_atomically", full)
    (tmp_path / "a.txt").write_text(legal(), "utf-8")
    assert run_here("seal", tmp_path / "a.txt", "-f", "duel-masters/duemagic", "--lang", "en") == 2
    assert "a.seal.json: error: can't be written" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(("text", "status"), [(ILLEGAL, 1), (UNDECIDED, 3), (UNREADABLE, 2), ("", 2)])
def test_how_sealing_ends(tmp_path: Path, text: str, status: int) -> None:
    done = run(tmp_path, "seal", "-", "-f", "duel-masters/duemagic", stdin=text)
    assert done.status == status
    assert (tmp_path / "deck.seal.json").exists() == (status != 2)


def test_a_name_with_a_control_character_is_neither_sealed_nor_accepted(event: Path) -> None:
    (event / "lists" / "odd.json").write_text(
        '{"player": "丁", "main": [{"count": 1, "name": "誰も知らない\\u001b[2Jカード"}]}', "utf-8"
    )
    done = run(event, "seal", "lists/odd.json", "--event", "event.yaml", "--folder", ".")
    assert done.status == 2 and not list(event.glob("odd.*"))
    assert "a card name contains a control character" in done.err
    done = run(event, "event", "accept", "event.yaml", "丁", "--by", "J", "--reason", "R")
    assert done.status == 1 and "accepted: 0 new" in done.out
    assert "a card name contains a control character" in done.out
    assert "\x1b" not in done.out + done.err


def test_the_event_says_by_which_rules_a_list_is_sealed(event: Path) -> None:
    (event / "a.txt").write_text(legal(), "utf-8")
    done = run(event, "seal", "a.txt", "--event", "event.yaml", "--output-format", "json", "--folder", "out")
    assert done.status == 0
    said = json.loads(done.out)
    assert (said["format"]["id"], said["as_of"]) == ("duel-masters/duemagic", "2026-11-27")
    assert (event / "out" / "a.opening.json").exists()


def test_an_opening_that_was_rewritten_opens_nothing_at_the_table(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(legal(), "utf-8")
    run(tmp_path, "seal", "a.txt", "-f", "duel-masters/duemagic")
    file = tmp_path / "a.opening.json"
    said = json.loads(file.read_text("utf-8"))
    said["list"] = {"cards": {"main": {"アクア・サーファー": 4}}, "unknown": {}}
    file.write_text(json.dumps(said), "utf-8")
    done = run(tmp_path, "verify", "a.opening.json", "-", stdin="4 アクア・サーファー")
    assert done.status == 2
    for card, copies in (("\ud800", 1), ("アクア\x1b[2J", 1), ("x\t4\nmain\ty", 1), ("x", 10**4299)):
        said["list"] = {"cards": {"main": {card: copies}}, "unknown": {}}
        digits = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(5000)
        try:
            file.write_text(json.dumps(said), "utf-8")
        finally:
            sys.set_int_max_str_digits(digits)
        hostile = run(tmp_path, "unseal", "a.seal.json", "a.opening.json")
        assert hostile.status == 2
        assert "internal" not in hostile.err
