"""Audit: what was done to a log is found, and every receipt is judged again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from deckcheck.errors import UserError
from deckcheck.registration.accept import receipts_folder
from deckcheck.registration.audit import Audit, Rules, audit
from deckcheck.registration.canonical import Copies, canonical_list
from deckcheck.registration.desk import Desk, finder, open_desk, rules_of
from deckcheck.registration.log import New, read_log
from deckcheck.registration.model import Player
from deckcheck.registration.provenance import Stamp
from deckcheck.registration.receiptfiles import write_receipts
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


def values_of(desk: Desk) -> list[New]:
    return [entry.value for entry in read_log(desk.event.log, desk.event.id).entries]


def rechained(desk: Desk, values: Sequence[New]) -> None:
    """Write a log of these values whose hashes are right, and no receipts beside it: the work of a clever forger."""
    previous, lines = BEGINNING, []
    for number, value in enumerate(values, 1):
        entry = entry_of(number, previous, value)
        previous = entry.hash
        lines.append(entry_line(entry) + "\n")
    rewrite(desk, lines)
    for file in receipts_folder(desk.event).glob("*.json"):
        file.unlink()


def forged(desk: Desk, number: int, **other: object) -> None:
    """Change something in an entry, with everything behind it, so that all hashes are right."""
    values = values_of(desk)
    values[number - 1] = values[number - 1]._replace(**other)  # type: ignore[arg-type]
    rechained(desk, values)


def told(desk: Desk) -> list[tuple[int | None, str]]:
    """What the audit says is wrong, each with the number of its entry; nobody may be named in it."""
    found = audited(desk)
    said = [problem.in_(lang) for problem in found.problems for lang in ("ja", "en")]
    assert not [one for one in said if any(name in one for name in ("甲", "乙", "丙", WORD.by))]
    assert (found.verdict == "altered") == bool(found.problems)
    return [(problem.line, problem.message.en) for problem in found.problems]


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
    assert audited(desk, heads=[head, f" {head.upper()} "]).verdict == "intact"
    for file in receipts_folder(desk.event).iterdir():
        file.unlink()
    rewrite(desk, lines_of(desk)[:2])
    assert audited(desk).verdict == "intact"
    assert audited(desk, heads=[head]).verdict == "altered"


@pytest.mark.parametrize("odd", ["", "x", "0" * 63, "0" * 65, "g" * 64, "\uff10" * 64])
def test_a_head_that_is_no_hash_is_a_mistake(desk: Desk, odd: str) -> None:
    with pytest.raises(UserError, match="no hash of an entry") as caught:
        audited(desk, heads=["0" * 64, odd])
    assert len(caught.value.problems) == 1


def test_the_beginning_of_a_head_is_not_enough(desk: Desk) -> None:
    """A log whose head begins like another can be made; one whose head is the same can't."""
    with pytest.raises(UserError, match="64 digits"):
        audited(desk, heads=[read_log(desk.event.log, desk.event.id).head[:16]])


def test_an_older_head_still_proves_what_was_before_it(desk: Desk) -> None:
    entries = read_log(desk.event.log, desk.event.id).entries
    assert audited(desk, heads=[entries[0].hash]).verdict == "intact"
    forged(desk, 1, place="elsewhere")
    assert audited(desk).verdict == "intact", "who can write the log can write another one"
    assert audited(desk, heads=[entries[0].hash]).verdict == "altered"


def test_a_receipt_that_a_player_kept_must_be_in_the_log(desk: Desk, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    folder = receipts_folder(desk.event)
    kept.write_bytes((folder / "0001.json").read_bytes())
    assert audited(desk, receipts=[kept]).verdict == "intact"
    forged(desk, 1, player=Player("別人"))
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
    found = audited(desk)
    assert [one.standing for one in found.rechecked] == ["proven", "proven", "wrong"]
    assert found.verdict == "altered"


def test_a_check_of_a_receipt_that_is_not_there_is_found(desk: Desk) -> None:
    rechained(desk, [*values_of(desk), a_check(desk, 9)])
    assert told(desk) == [(4, "entry 4 speaks of receipt 9, which did not stand then")]


def a_check(desk: Desk, receipt: int, by: str | None = "J") -> Checked:
    return Checked(desk.event.id, "2026-11-28T00:00:00Z", receipt, "same", by=by)


def first_of(desk: Desk) -> Receipt:
    first = values_of(desk)[0]
    assert isinstance(first, Receipt)
    return first


def test_a_receipt_is_replaced_once(desk: Desk) -> None:
    again = first_of(desk)._replace(replaces=1)
    rechained(desk, [*values_of(desk), again])
    assert told(desk) == []
    rechained(desk, [*values_of(desk), again])
    assert (5, "entry 5 speaks of receipt 1, which did not stand then") in told(desk)


@pytest.mark.parametrize(
    "without",
    [
        {"by": None, "reason": None, "despite": ()},
        {"by": None},
        {"by": " "},
        {"reason": None},
        {"reason": "\u3000"},
        {"despite": ()},
        {"despite": ("late",)},
    ],
)
def test_an_illegal_list_whose_judge_was_taken_away_is_found(desk: Desk, without: dict[str, object]) -> None:
    forged(desk, 3, **without)
    assert told(desk) == [(3, "entry 3 is not legal, and no judge with a reason says why it was accepted")]
    forged(desk, 3, verdict="undecided", **without)
    assert told(desk)[0][1].startswith("entry 3 is not legal")


@pytest.mark.parametrize(
    "part", [{"by": "J"}, {"reason": "R"}, {"despite": ("late",)}, {"by": "J", "reason": "R"}]
)
def test_a_judges_word_of_which_a_part_was_taken_away_is_found(desk: Desk, part: dict[str, object]) -> None:
    forged(desk, 1, **part)
    assert told(desk) == [(1, "entry 1 lacks the judge, the reason or what was overridden")]


def test_two_receipts_that_stand_for_one_player_are_found(desk: Desk) -> None:
    other = values_of(desk)[1]
    rechained(desk, [*values_of(desk), other._replace(player=Player(" 甲"), place="x")])  # type: ignore[call-arg]
    assert told(desk) == [(4, "receipts 1 and 4 both stand for one player")]


def test_a_player_known_by_name_alone_may_be_one_with_an_id_and_that_is_no_fault(tmp_path: Path) -> None:
    desk = open_desk(an_event(tmp_path, a_list("甲", legal())))
    accept_at(desk)
    # Two more of that name: whose receipt the first one is, nobody can tell. One of them is accepted.
    an_event(tmp_path, a_list("甲", legal()), a_list("甲", legal(1), id="1"), a_list("甲", ILLEGAL, id="2"))
    assert len(accept_at(desk).added) == 1
    found = audited(desk)
    assert (found.verdict, found.problems) == ("intact", ())
    assert found.notes[0].en == (
        "receipts with and without an id bear the same name (no. 1, 2); they may be one player's"
    )
    # Two receipts of the one with the id are a fault all the same.
    other = values_of(desk)[1]
    rechained(desk, [*values_of(desk), other._replace(place="x")])  # type: ignore[call-arg]
    assert told(desk) == [(3, "receipts 2 and 3 both stand for one player")]


def test_a_late_list_whose_judge_was_taken_away_is_found(tmp_path: Path) -> None:
    deadline = "deadline: 2026-11-27 20:00\n"
    late = a_list("甲", legal(), submitted="2026-11-27 20:00:01")
    desk = open_desk(an_event(tmp_path, late, a_list("乙", legal(1)), more=deadline))
    accept_at(desk)
    accept_at(desk, only=["甲"], word=WORD)
    assert told(desk) == []
    number = next(at for at, one in enumerate(values_of(desk), 1) if isinstance(one, Receipt) and one.by)
    message = f"the list of entry {number} came after the deadline, and no judge says why it was accepted"
    for despite in ((), ("untimed",)):
        word = WORD if despite else None
        forged(desk, number, despite=despite, by=word and word.by, reason=word and word.reason)
        assert told(desk) == [(number, message)]
    forged(desk, number, submitted="2026-11-27T11:00:00+00:00", despite=(), by=None, reason=None)
    assert told(desk) == []


@pytest.mark.parametrize("key", ["at", "submitted"])
@pytest.mark.parametrize("time", ["", "yesterday", "2026-11-27", "2026-11-27T20:00:00"])
def test_a_time_that_is_none_is_found(desk: Desk, key: str, time: str) -> None:
    forged(desk, 1, **{key: time})
    assert told(desk)[0] == (1, f"this is no entry of a log: {key}")


@pytest.mark.parametrize(
    ("other", "key"),
    [
        ({"date": "2026-11-29"}, "date"),
        ({"as_of": "2026-11-20"}, "as_of"),
        ({"best_of": 3}, "best_of"),
        ({"format": Stamp("duel-masters/amadeus", "0" * 64)}, "format"),
    ],
)
def test_a_receipt_that_differs_from_the_events_file_is_found(
    desk: Desk, other: dict[str, object], key: str
) -> None:
    forged(desk, 2, **other)
    assert told(desk) == [(2, f"entry 2 differs from the event's file ({key})")]


def test_a_receipt_that_was_replaced_may_be_of_an_earlier_events_file(desk: Desk) -> None:
    first, *others = values_of(desk)
    rechained(desk, [first._replace(best_of=3), *others, first_of(desk)._replace(replaces=1)])  # type: ignore[call-arg]
    assert told(desk) == []


def test_a_receipt_of_another_event_is_found(desk: Desk) -> None:
    forged(desk, 2, event="summer-cup")
    assert told(desk) == [(2, "entry 2 belongs to another event")]


def test_a_receipt_that_replaces_somebody_elses_is_found(desk: Desk) -> None:
    rechained(desk, [*values_of(desk), first_of(desk)._replace(replaces=2)])
    assert told(desk) == [
        (4, "entry 4 replaces receipt 2, which is another player's"),
        (4, "receipts 1 and 4 both stand for one player"),
    ]


def test_a_check_that_nobody_made_is_found(desk: Desk) -> None:
    rechained(desk, [*values_of(desk), a_check(desk, 1), a_check(desk, 2, None)])
    assert told(desk) == [(5, "entry 5 doesn't say who checked the deck")]


def test_a_format_that_is_a_path_is_found_and_opens_nothing(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("format: club/outside\n", encoding="utf-8")
    asked: list[str] = []
    real = finder(desk)

    def find(reference: str) -> Rules:
        asked.append(reference)
        return real(reference)

    values = values_of(desk)
    for path in (str(outside), "../outside.yaml", "outside.yaml", "duel-masters/../../outside"):
        rechained(desk, [first_of(desk)._replace(format=Stamp(path, "0" * 64)), *values[1:]])
        found = audit(desk.event, find)
        assert found.verdict == "altered"
        assert (found.problems[0].line, found.problems[0].message.en) == (
            1,
            "this is no entry of a log: format.id",
        )
        rechained(desk, values)
    assert set(asked) == {"duel-masters/duemagic"}


def test_missing_files_of_receipts_are_no_fault_and_told(desk: Desk) -> None:
    folder = receipts_folder(desk.event)
    assert audited(desk).notes == ()
    for number in (1, 3):
        (folder / f"{number:04}.json").unlink()
    found = audited(desk)
    assert (found.verdict, found.problems) == ("intact", ())
    assert [note.en for note in found.notes] == [
        "2 receipts have no file (no. 1, 3); the next event accept writes them anew from the log"
    ]
    write_receipts(found.log, folder)
    assert audited(desk).notes == ()


def test_a_receipt_in_the_file_of_another_is_found(desk: Desk) -> None:
    folder = receipts_folder(desk.event)
    (folder / "0002.json").write_bytes((folder / "0001.json").read_bytes())
    assert [problem.message.en for problem in audited(desk).problems] == [
        "this should be receipt 2, and is receipt 1"
    ]
    assert audited(desk).verdict == "altered"


@pytest.mark.parametrize("odd", [b"", b"{}", b"\xff\xfe", b"[" * 100_000])
def test_a_receipt_that_can_not_be_read_is_found(desk: Desk, odd: bytes) -> None:
    (receipts_folder(desk.event) / "0002.json").write_bytes(odd)
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


@pytest.fixture
def sealed(tmp_path: Path) -> Desk:
    """An event whose log holds the seals of two players."""
    desk = open_desk(an_event(tmp_path, text=SEALED))
    event, rules = desk.event, rules_of(desk).provenance
    values = [
        Receipt(
            event=event.id,
            date=event.date,
            at="2026-11-27T12:00:00Z",
            player=Player(player),
            place=f"lists/{turn}.json",
            submitted=None,
            game=desk.format.table.game.id,
            format=rules.format,
            banlists=rules.banlists,
            cards=desk.format.table.catalogue.version,
            as_of=event.as_of,
            best_of=event.best_of,
            verdict="legal",
            sealed=a_seal(desk, legal(turn))[0].commitment,
        )
        for turn, player in enumerate("甲乙")
    ]
    rechained(desk, values)
    return desk


def test_a_sealed_list_stays_a_secret_in_an_audit(sealed: Desk) -> None:
    found = audited(sealed)
    assert [one.standing for one in found.rechecked] == ["sealed"] * 2
    assert found.verdict == "intact"


def test_a_commitment_that_two_receipts_have_is_found(sealed: Desk) -> None:
    forged(sealed, 2, sealed=first_of(sealed).sealed)
    assert told(sealed) == [(2, "receipts 1 and 2 have the same commitment")]


def test_a_sealed_list_that_is_illegal_needs_a_judge_too(sealed: Desk) -> None:
    forged(sealed, 1, verdict="illegal")
    assert [number for number, _ in told(sealed)] == [1]
    forged(sealed, 1, verdict="illegal", by="J", reason="R", despite=("illegal",))
    assert told(sealed) == []


def test_a_sealed_list_at_an_open_event_is_found_and_the_other_way_round(sealed: Desk) -> None:
    file = sealed.event.path
    file.write_text(EVENT, encoding="utf-8")
    assert told(open_desk(file)) == [
        (number, f"lists are open at this event, and entry {number} is sealed") for number in (1, 2)
    ]
    file.write_text(SEALED, encoding="utf-8")
    forged(sealed, 2, sealed=None, listed=canonical_list("duel-masters", [Copies("main", "学校男", 4)]))
    assert (2, "lists are sealed at this event, and entry 2 is not") in [
        (problem.line, problem.message.en) for problem in audited(sealed).problems
    ]


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
