"""Audit: what was done to a log or its receipts is found, and every receipt is judged again."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.acceptance import accept_at
from factories.event_lists import EVENT, a_list, an_event
from factories.event_runs import run
from factories.forged_logs import audited, forged, rewrite, session_with_receipts
from factories.organiser_format import BASE, CHILD, LIST

from deckcheck.registration.event import EventSession, provenance
from deckcheck.registration.log import read_log
from deckcheck.support.errors import UserError


@pytest.fixture
def session(tmp_path: Path) -> EventSession:
    return session_with_receipts(tmp_path)


def lines_of(session: EventSession) -> list[str]:
    return session.event.log.read_text(encoding="utf-8").splitlines(keepends=True)


def test_a_log_that_nobody_touched_is_intact(session: EventSession) -> None:
    found = audited(session)
    assert found.verdict == "intact"
    assert found.problems == ()
    assert [one.status for one in found.rechecks] == ["proven"] * 3
    verdicts = [one.report.verdict for one in found.rechecks if one.report is not None]
    assert verdicts == ["legal", "legal", "illegal"]


def test_an_altered_entry_is_found(session: EventSession) -> None:
    lines = lines_of(session)
    rewrite(session, [lines[0].replace("甲", "丁"), *lines[1:]])
    found = audited(session)
    assert found.verdict == "altered"
    assert found.problems[0].line == 1
    assert not any(name in problem.in_("ja") for problem in found.problems for name in "甲乙丙丁")


def test_an_entry_cut_off_the_end_is_found_by_its_receipt(session: EventSession) -> None:
    rewrite(session, lines_of(session)[:2])
    found = audited(session)
    assert found.verdict == "altered"
    assert "0003.json" in str(found.problems[0].path)


def test_an_entry_cut_off_the_end_is_found_by_a_noted_head(session: EventSession) -> None:
    head = read_log(session.event.log, session.event.id).head
    assert audited(session, heads=[head, f" {head.upper()} "]).verdict == "intact"
    for file in session.event.receipts.iterdir():
        file.unlink()
    rewrite(session, lines_of(session)[:2])
    assert audited(session).verdict == "intact"
    assert audited(session, heads=[head]).verdict == "altered"


@pytest.mark.parametrize("odd", ["", "x", "0" * 63, "0" * 65, "g" * 64, "\uff10" * 64])
def test_a_head_that_is_no_hash_is_a_mistake(session: EventSession, odd: str) -> None:
    with pytest.raises(UserError, match="not the hash of an entry") as caught:
        audited(session, heads=["0" * 64, odd])
    assert len(caught.value.problems) == 1


def test_the_beginning_of_a_head_is_not_enough(session: EventSession) -> None:
    """A log whose head begins like another can be made; one whose head is the same can't."""
    with pytest.raises(UserError, match="64 digits"):
        audited(session, heads=[read_log(session.event.log, session.event.id).head[:16]])


def test_an_older_head_still_proves_what_was_before_it(session: EventSession) -> None:
    entries = read_log(session.event.log, session.event.id).entries
    assert audited(session, heads=[entries[0].hash]).verdict == "intact"
    forged(session, 1, place="elsewhere")
    assert audited(session).verdict == "intact", "who can write the log can write another one"
    assert audited(session, heads=[entries[0].hash]).verdict == "altered"


def test_a_receipt_that_a_player_kept_must_be_in_the_log(session: EventSession, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    folder = session.event.receipts
    kept.write_bytes((folder / "0001.json").read_bytes())
    assert audited(session, receipts=[kept]).verdict == "intact"
    forged(session, 1, given={"name": "別人"})
    found = audited(session, receipts=[kept])
    assert found.verdict == "altered"
    assert str(kept) == found.problems[0].path


def test_a_false_reason_is_not_told_as_a_false_verdict(session: EventSession) -> None:
    forged(session, 3, faults=("hall",))
    done = run(session.event.path.parent, "event", "audit", "event.yaml")
    assert done.status == 1
    assert "receipt 3: different findings by the same rules (then illegal, now illegal)\n" in done.out


def test_missing_files_of_receipts_are_no_fault(session: EventSession) -> None:
    for file in session.event.receipts.iterdir():
        file.unlink()
    assert (audited(session).verdict, audited(session).problems) == ("intact", ())


@pytest.mark.parametrize("odd", [b"", b"{}", b"\xff\xfe", b"[" * 100_000, None])
def test_a_receipt_that_can_not_be_read_or_was_altered_is_found(
    session: EventSession, odd: bytes | None
) -> None:
    file = session.event.receipts / "0002.json"
    file.write_bytes(file.read_bytes().replace(b'"legal"', b'"illegal"') if odd is None else odd)
    audit = audited(session)
    assert (audit.verdict, audit.problems[0].path) == ("altered", str(file))


OWN = EVENT.replace("duel-masters/duemagic", "x.yaml")


def own_event(folder: Path) -> EventSession:
    """An event by rules that its organiser wrote: forty cards, 学校男 banned."""
    for name, text in (("x.yaml", CHILD), ("base.yaml", BASE), ("list.yaml", LIST)):
        (folder / name).write_text(text, encoding="utf-8")
    forty = "\n".join(f"4 {name}" for name in NAMES) + "\n"
    return EventSession.open(an_event(folder, a_list("甲", forty), text=OWN))


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
    session = own_event(tmp_path)
    assert len(accept_at(session).accepted) == 1
    assert audited(session).verdict == "intact"
    (tmp_path / "base.yaml").write_text(BASE + "# a remark\n", encoding="utf-8")
    found = audited(EventSession.open(tmp_path / "event.yaml"))
    assert [one.status for one in found.rechecks] == ["same"]
    assert [change.en for change in found.rechecks[0].changed] == ["the format 'club/x' has changed"]
    assert found.verdict == "intact"


def test_rules_that_changed_and_say_otherwise_leave_it_open(tmp_path: Path) -> None:
    session = own_event(tmp_path)
    accept_at(session)
    (tmp_path / "list.yaml").write_text(LIST.replace("学校男", "青銅の鎧"), encoding="utf-8")
    found = audited(EventSession.open(tmp_path / "event.yaml"))
    assert [one.status for one in found.rechecks] == ["open"]
    assert [change.en for change in found.rechecks[0].changed] == ["the banlist 'club/list' has changed"]
    assert found.verdict == "open"


def test_a_format_that_is_gone_leaves_it_open(tmp_path: Path) -> None:
    session = own_event(tmp_path)
    accept_at(session)
    (tmp_path / "event.yaml").write_text(EVENT, encoding="utf-8")
    found = audited(EventSession.open(tmp_path / "event.yaml"))
    assert [one.status for one in found.rechecks] == ["open"]


def test_a_format_that_is_broken_is_the_users_mistake(tmp_path: Path) -> None:
    session = own_event(tmp_path)
    accept_at(session)
    (tmp_path / "event.yaml").write_text(EVENT + "formats: [.]\n", encoding="utf-8")
    (tmp_path / "x.yaml").write_text(CHILD + "rules: 7\n", encoding="utf-8")
    with pytest.raises(UserError):
        audited(EventSession.open(tmp_path / "event.yaml"))


# The content of formats


@pytest.fixture
def club(tmp_path: Path) -> Path:
    for name, text in (("x.yaml", CHILD), ("base.yaml", BASE), ("list.yaml", LIST)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_whatever_changes_the_rules_changes_the_hash(club: Path) -> None:
    before = provenance(str(club / "x.yaml"))
    assert before.format.id == "club/x"
    assert [stamp.id for stamp in before.banlists] == ["club/list"]
    for name in ("x.yaml", "base.yaml"):
        file = club / name
        text = file.read_text(encoding="utf-8")
        file.write_text(text + "# more\n", encoding="utf-8")
        changed = provenance(str(club / "x.yaml"))
        assert changed.format.sha256 != before.format.sha256
        assert changed.banlists == before.banlists
        file.write_text(text, encoding="utf-8")
    (club / "list.yaml").write_text(LIST.replace("01-01", "01-02"), encoding="utf-8")
    changed = provenance(str(club / "x.yaml"))
    assert changed.format == before.format
    assert changed.banlists != before.banlists


def test_line_ends_of_another_system_change_nothing(club: Path) -> None:
    before = provenance(str(club / "x.yaml"))
    for file in club.iterdir():
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert provenance(str(club / "x.yaml")) == before


def test_a_format_is_the_same_by_any_name() -> None:
    assert provenance("duel-masters/commander") == provenance("DMC") == provenance("DMコマンダー")
    assert provenance("duel-masters/commander").format.id == "duel-masters/commander"
