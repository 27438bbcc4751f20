"""Audit: what was done to a log is found, and every receipt is judged again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deckcheck.errors import UserError
from deckcheck.registration.accept import receipts_folder, write_receipts
from deckcheck.registration.audit import Audit, audit
from deckcheck.registration.desk import Desk, finder, open_desk
from deckcheck.registration.log import read_log
from deckcheck.registration.model import Player
from deckcheck.registration.receipts import BEGINNING, Checked, Receipt, entry_line, entry_of
from tests.registration.lists import EVENT, ILLEGAL, a_list, an_event, legal
from tests.registration.test_accept import SEALED, WORD, a_seal, accept_at
from tests.registration.test_provenance import BASE, CHILD, LIST

THREE = (a_list("甲", legal()), a_list("乙", legal(1)), a_list("丙", ILLEGAL))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """An event with three receipts, one of them on a judge's word."""
    desk = open_desk(an_event(tmp_path, *THREE))
    accept_at(desk)
    done = accept_at(desk, only=["丙"], word=WORD)
    write_receipts(done.log, receipts_folder(desk.event))
    return desk


def audited(desk: Desk, **more: object) -> Audit:
    return audit(desk.event, finder(desk), **more)  # type: ignore[arg-type]


def lines_of(desk: Desk) -> list[str]:
    return desk.event.log.read_text(encoding="utf-8").splitlines(keepends=True)


def rewrite(desk: Desk, lines: list[str]) -> None:
    desk.event.log.write_text("".join(lines), encoding="utf-8")


def forged(desk: Desk, number: int, **other: object) -> None:
    """Rewrite a receipt and everything behind it, with hashes that are right."""
    previous, lines = BEGINNING, []
    for entry in read_log(desk.event.log, desk.event.id).entries:
        value = entry.value
        if entry.number == number:
            value = value._replace(**other)  # type: ignore[arg-type]
        new = entry_of(entry.number, previous, value)
        previous = new.hash
        lines.append(entry_line(new) + "\n")
    rewrite(desk, lines)


def test_a_log_that_nobody_touched_is_intact(desk: Desk) -> None:
    found = audited(desk)
    assert found.verdict == "intact"
    assert found.problems == ()
    assert [one.standing for one in found.rechecked] == ["proven"] * 3
    verdicts = [one.report.verdict for one in found.rechecked if one.report is not None]
    assert verdicts == ["legal", "legal", "illegal"]


def test_an_altered_entry_is_found(desk: Desk) -> None:
    lines = lines_of(desk)
    rewrite(desk, [lines[0].replace("甲", "丁"), *lines[1:]])
    found = audited(desk)
    assert found.verdict == "altered"
    assert found.problems[0].line == 1
    assert not any(name in problem.in_("ja") for problem in found.problems for name in "甲乙丙丁")


def test_a_removed_entry_is_found(desk: Desk) -> None:
    lines = lines_of(desk)
    rewrite(desk, [lines[0], lines[2]])
    assert audited(desk).verdict == "altered"


def test_reordered_entries_are_found(desk: Desk) -> None:
    lines = lines_of(desk)
    rewrite(desk, [lines[1], lines[0], lines[2]])
    assert audited(desk).verdict == "altered"


def test_an_entry_cut_off_the_end_is_found_by_its_receipt(desk: Desk) -> None:
    rewrite(desk, lines_of(desk)[:2])
    found = audited(desk)
    assert found.verdict == "altered"
    assert "0003.json" in str(found.problems[0].path)


def test_an_entry_cut_off_the_end_is_found_by_a_noted_head(desk: Desk) -> None:
    head = read_log(desk.event.log, desk.event.id).head
    assert audited(desk, heads=[head, head[:12].upper()]).verdict == "intact"
    for file in receipts_folder(desk.event).iterdir():
        file.unlink()
    rewrite(desk, lines_of(desk)[:2])
    assert audited(desk).verdict == "intact"
    assert audited(desk, heads=[head]).verdict == "altered"


def test_a_head_that_is_too_short_proves_nothing(desk: Desk) -> None:
    head = read_log(desk.event.log, desk.event.id).head
    assert audited(desk, heads=[head[:11]]).verdict == "altered"
    assert audited(desk, heads=[""]).verdict == "altered"


def test_an_older_head_still_proves_what_was_before_it(desk: Desk) -> None:
    entries = read_log(desk.event.log, desk.event.id).entries
    assert audited(desk, heads=[entries[0].hash]).verdict == "intact"
    forged(desk, 1, place="elsewhere")
    for file in receipts_folder(desk.event).iterdir():
        file.unlink()
    assert audited(desk).verdict == "intact", "who can write the log can write another one"
    assert audited(desk, heads=[entries[0].hash]).verdict == "altered"


def test_a_receipt_that_a_player_kept_must_be_in_the_log(desk: Desk, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    folder = receipts_folder(desk.event)
    kept.write_bytes((folder / "0001.json").read_bytes())
    assert audited(desk, receipts=[kept]).verdict == "intact"
    forged(desk, 1, player=Player("別人"))
    for file in folder.iterdir():
        file.unlink()
    found = audited(desk, receipts=[kept])
    assert found.verdict == "altered"
    assert str(kept) == found.problems[0].path


def test_an_altered_copy_of_a_receipt_is_found(desk: Desk) -> None:
    file = receipts_folder(desk.event) / "0002.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    said["verdict"] = "illegal"
    file.write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
    found = audited(desk)
    assert found.verdict == "altered"
    assert found.problems[0].path == str(file)


def test_a_verdict_that_the_rules_do_not_give_is_found(desk: Desk) -> None:
    forged(desk, 3, verdict="legal", faults=(), by=None, reason=None, despite=())
    for file in receipts_folder(desk.event).iterdir():
        file.unlink()
    found = audited(desk)
    assert [one.standing for one in found.rechecked] == ["proven", "proven", "wrong"]
    assert found.verdict == "altered"


def test_a_check_of_a_receipt_that_is_not_there_is_found(desk: Desk) -> None:
    log = read_log(desk.event.log, desk.event.id)
    odd = entry_of(4, log.head, Checked(desk.event.id, "2026-11-28T00:00:00Z", 9, "same"))
    rewrite(desk, [*lines_of(desk), entry_line(odd) + "\n"])
    assert audited(desk).verdict == "altered"


def test_a_receipt_is_replaced_once(desk: Desk) -> None:
    log = read_log(desk.event.log, desk.event.id)
    first = log.entries[0].value
    assert isinstance(first, Receipt)
    again = entry_of(4, log.head, first._replace(replaces=1))
    twice = entry_of(5, again.hash, first._replace(replaces=1))
    rewrite(desk, [*lines_of(desk), entry_line(again) + "\n"])
    assert audited(desk).verdict == "intact"
    rewrite(desk, [*lines_of(desk), entry_line(twice) + "\n"])
    assert audited(desk).verdict == "altered"


OWN = EVENT.replace("duel-masters/duemagic", "x.yaml")


def own_event(folder: Path) -> Desk:
    """An event by rules that its organiser wrote: forty cards, 学校男 banned."""
    for name, text in (("x.yaml", CHILD), ("base.yaml", BASE), ("list.yaml", LIST)):
        (folder / name).write_text(text, encoding="utf-8")
    forty = "\n".join(f"4 {name}" for name in NAMES) + "\n"
    return open_desk(an_event(folder, a_list("甲", forty), text=OWN))


NAMES = (
    "アクア・サーファー",
    "エナジー・ライト",
    "エマージェンシー・タイフーン",
    "フェイト・カーペンター",
    "デーモン・ハンド",
    "地獄門デス・ゲート",
    "ゴースト・タッチ",
    "停滞の影タイム・トリッパー",
    "福腹人形コダマンマ",
    "青銅の鎧",
)


def test_rules_that_changed_and_say_the_same_are_told(tmp_path: Path) -> None:
    desk = own_event(tmp_path)
    assert len(accept_at(desk).added) == 1
    assert audited(desk).verdict == "intact"
    (tmp_path / "base.yaml").write_text(BASE + "# a remark\n", encoding="utf-8")
    found = audited(open_desk(tmp_path / "event.yaml"))
    assert [one.standing for one in found.rechecked] == ["same"]
    assert [change.en for change in found.rechecked[0].changed] == ["the format 'club/x' has changed"]
    assert found.verdict == "intact"


def test_rules_that_changed_and_say_otherwise_leave_it_open(tmp_path: Path) -> None:
    desk = own_event(tmp_path)
    accept_at(desk)
    (tmp_path / "list.yaml").write_text(LIST.replace("学校男", "青銅の鎧"), encoding="utf-8")
    found = audited(open_desk(tmp_path / "event.yaml"))
    assert [one.standing for one in found.rechecked] == ["open"]
    assert [change.en for change in found.rechecked[0].changed] == ["the banlist 'club/list' has changed"]
    assert found.verdict == "open"


def test_a_format_that_is_gone_leaves_it_open(tmp_path: Path) -> None:
    desk = own_event(tmp_path)
    accept_at(desk)
    (tmp_path / "event.yaml").write_text(EVENT, encoding="utf-8")
    found = audited(open_desk(tmp_path / "event.yaml"))
    assert [one.standing for one in found.rechecked] == ["open"]


def test_a_sealed_list_stays_a_secret_in_an_audit(tmp_path: Path) -> None:
    from deckcheck.registration.seals import seal_object

    desk = open_desk(an_event(tmp_path, text=SEALED))
    seal, _ = a_seal(desk, legal())
    (tmp_path / "lists" / "a.json").write_text(
        json.dumps(seal_object(seal) | {"player": "甲"}), encoding="utf-8"
    )
    accept_at(desk)
    found = audited(desk)
    assert [one.standing for one in found.rechecked] == ["sealed"]
    assert found.verdict == "intact"


def test_an_event_without_a_log_has_nothing_altered(tmp_path: Path) -> None:
    found = audited(open_desk(an_event(tmp_path, *THREE)))
    assert found.verdict == "intact" and found.log.entries == ()


def test_a_format_that_is_broken_is_the_users_mistake(tmp_path: Path) -> None:
    desk = own_event(tmp_path)
    accept_at(desk)
    (tmp_path / "event.yaml").write_text(EVENT + "formats: [.]\n", encoding="utf-8")
    (tmp_path / "x.yaml").write_text(CHILD + "rules: 7\n", encoding="utf-8")
    with pytest.raises(UserError):
        audited(open_desk(tmp_path / "event.yaml"))
