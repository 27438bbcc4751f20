"""The log, its entries, the files of receipts and their audit: nothing altered unseen, nothing lost."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
from collections.abc import Sequence
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from factories import garden_game
from factories.events import (
    EVENT,
    MAIN,
    NOW,
    OWN_RULES,
    UNDECIDED,
    UNREADABLE,
    a_list,
    an_event,
    duemagic,
    event_of_three,
    legal,
    put,
    run,
)
from factories.io_failures import at_call, forked, status_of
from factories.random_lists import HASH, chained, deck_check, lists, receipt, withdrawal
from factories.rosters import EVENT as CUP_EVENT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck.model.deck import Deck
from deckcheck.model.finding import CanonicalList, Verdict, fingerprint, list_of
from deckcheck.registration.acceptance import Override, accept
from deckcheck.registration.event import EventSession, Stamp, open_event
from deckcheck.registration.log import (
    BEGINNING,
    Entry,
    EntryValue,
    Log,
    Receipt,
    audit,
    deck_of,
    entry_from,
    entry_of,
    examine,
    open_log,
    read_log,
    utc,
    write_receipts,
)
from deckcheck.registration.submissions import Player
from deckcheck.report.json import json_line, json_page
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError
from deckcheck.support.json import digest

# Canonical lists


def deck_listed(listed: CanonicalList) -> Deck:
    return deck_of(listed, garden_game.GARDEN, garden_game.ZONES)


@given(lists, st.randoms())
def test_neither_order_nor_splitting_counts(listed: CanonicalList, random: Any) -> None:
    deck = deck_listed(listed)
    if not listed.unknown:
        assert fingerprint(deck, "garden") == listed.fingerprint("garden")
    halves = []
    for one in deck.entries:
        half = one.copies // 2
        halves += [replace(one, copies=half), replace(one, copies=one.copies - half)]
    random.shuffle(halves)
    again = list_of(garden_game.deck_from(halves))
    assert again == listed
    assert again is not None and [*again.cards] == sorted(again.cards)


@given(lists, lists)
def test_different_lists_have_different_fingerprints(one: CanonicalList, other: CanonicalList) -> None:
    assert (one.fingerprint("garden") == other.fingerprint("garden")) == (one == other)


@pytest.mark.parametrize("name", ["Rose\nIris", "Rose\x1b[2J", "Ro\ud800se", "Rose\x9b"])
def test_a_deck_with_a_control_character_in_an_unknown_name_is_no_list(name: str) -> None:
    assert list_of(garden_game.deck_of((garden_game.ROSE, 1), (name, 2))) is None


def test_a_list_is_the_same_in_every_notation_and_keeps_unknown_names_as_written() -> None:
    table = duemagic().game_data

    def read(text: str) -> CanonicalList | None:
        return list_of(table.read(text, "a"))

    assert read(legal()) == read(legal().replace("4 x ", "4 《").replace("3 x ", "3 《"))
    assert read(UNREADABLE) is None
    listed = read(UNDECIDED)
    assert listed is not None
    assert listed.unknown == {"main": {"誰も知らない新カード": 3}}
    assert list_of(deck_of(listed, table.catalog)) == listed


# Entries

words = st.text(max_size=10)
maybe = st.none() | words
players = st.builds(Player, maybe, maybe, st.none(), maybe, maybe, st.none(), maybe, st.none())
receipts = st.builds(
    receipt,
    event=words,
    at=st.datetimes(timezones=st.just(UTC)).map(utc),
    player=players,
    place=words,
    submitted=maybe,
    banlists=st.lists(st.just(Stamp("garden/list", HASH)), max_size=2).map(tuple),
    best_of=st.none() | st.integers(1, 9),
    verdict=st.sampled_from(Verdict),
    faults=st.lists(words, max_size=2).map(tuple),
    listed=lists,
    submission=st.none() | st.just("mz2ucq"),
    by=maybe,
    replaces=st.none() | st.integers(1, 9),
)
results = st.sampled_from(["same", "different"])
checks = st.builds(deck_check, st.integers(1, 99), results, between_games=st.booleans(), by=maybe)
withdrawals = st.builds(withdrawal, players, st.none() | st.integers(1, 99))
entries = st.builds(entry_of, st.integers(1, 10**6), st.just(HASH), receipts | withdrawals | checks)
PLAIN = entry_of(1, BEGINNING, receipt()).content


def hashed(content: dict[str, Any]) -> dict[str, Any]:
    """The content of an entry with the hash that it should have, as far as it has any."""
    said = {key: part for key, part in content.items() if key != "hash"}
    try:
        return {**said, "hash": digest("entry", said)}
    except ValueError:
        return {**said, "hash": HASH}


@given(entries)
def test_an_entry_is_read_as_it_was_written(entry: Entry) -> None:
    line = json_line(entry.content)
    assert "\n" not in line
    line.encode()
    assert entry_from(json.loads(line)) == entry


def test_the_published_schema_fits() -> None:
    validator = Draft7Validator(load_schema("receipt"))
    validator.check_schema(load_schema("receipt"))
    word = receipt(verdict="illegal", faults=("size",), by="J", reason="R", despite=("illegal",), replaces=1)
    left, check = withdrawal(Player("山田"), 1), deck_check(1, "different", between_games=True)
    for value in (receipt(), receipt(submission="mz2ucq"), word, left, check):
        validator.validate(entry_of(2, BEGINNING, value).content)
    for key in PLAIN:
        assert not validator.is_valid({name: value for name, value in PLAIN.items() if name != key}), key
    assert not validator.is_valid({**PLAIN, "more": 1})


def test_whatever_is_changed_left_out_or_added_is_refused_and_names_nobody() -> None:
    for key, right in PLAIN.items():
        without = {name: value for name, value in PLAIN.items() if name != key}
        changed = [
            without | {key: value} for value in (None, 7, True, 1.5, "x", [], {"a": 7}) if value != right
        ]
        for content in (without, *changed):
            with pytest.raises(UserError) as caught:
                entry_from(content)
            assert "山田" not in str(caught.value)
    with pytest.raises(UserError, match="hash"):
        entry_from({**PLAIN, "more": 1})


DAYS = ("2024-99-99", "2026-02-29", "２０２６-11-27", "20261127", "2026-W48-6", "2026-11-27\n")
PATHS = ("/etc/x.yaml", "../x.yaml", "x.yaml", "garden/../x", "Garden/x", "", "a" * 201)
ZONES: list[Any] = [
    *(None, [], ["main"], {"main": []}, {"main": {}}, {"main": ["Rose"]}),
    *({"main": {"Rose": copies}} for copies in (None, 0, -1, True, 1.0, "1", 100_001, [1])),
    *({"main": {name: 1}} for name in ("Rose\t1\nside\tIris", "Ro\x9bse")),
]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((key, day) for key in ("date", "as_of") for day in DAYS),
        *(("format", {"id": id, "sha256": HASH}) for id in PATHS),
        ("banlists", [{"id": "../x", "sha256": HASH}]),
        ("at", "yesterday"),
        ("verdict", "fine"),
        ("player", {"name": 7}),
        ("number", 0),
        ("kind", "seal"),
        ("deckcheck_log", True),
        *(("list", zones) for zones in (None, {}, {"cards": {}}, {"cards": {}, "unknown": {}, "more": {}})),
        *(("list", {"cards": zones, "unknown": {}}) for zones in ZONES),
        *(("list", {"cards": {}, "unknown": zones}) for zones in ZONES),
    ],
)
def test_a_forged_entry_with_a_right_hash_is_refused(key: str, value: object) -> None:
    """Nothing odd gets as far as a date, a path or a terminal."""
    content = hashed({**PLAIN, key: value})
    with pytest.raises(UserError):
        entry_from(content)
    assert key != "format" or not Draft7Validator(load_schema("receipt")).is_valid(content)


def test_older_receipts_may_lack_what_may_be_null_and_be_those_of_sealed_lists() -> None:
    for key in ("submitted", "best_of", "by", "reason", "replaces"):
        entry = entry_from(hashed({name: part for name, part in PLAIN.items() if name != key}))
        assert isinstance(entry.value, Receipt)
        assert getattr(entry.value, key) is None
    entry = entry_from(hashed({**PLAIN, "commitment": HASH}))
    assert entry_from(json.loads(json_line(entry.content))) == entry


# The chain

CUP = "cup"


def extend(path: Path, values: Sequence[EntryValue]) -> tuple[Log, Sequence[Entry]]:
    """The log with these entries added, and the new entries."""
    with open_log(replace(CUP_EVENT, log=path)) as writer:
        added = [writer.add(value) for value in values]
    return writer.log, added


def read(path: Path, event: str = CUP) -> Log:
    """The log in a file as that of the event with this id."""
    return read_log(replace(CUP_EVENT, log=path, id=event))


def some(number: int, name: str = "山田") -> list[EntryValue]:
    return [receipt(player=Player(f"{name}{at}", id=str(at))) for at in range(number)]


FIVE = "".join(json_line(entry.content) + "\n" for entry in chained(*some(5))).encode()


def test_what_is_added_is_there_and_nothing_to_add_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "cup.log.jsonl"
    assert read(path) == Log()
    after, added = extend(path, some(2))
    assert [entry.number for entry in added] == [1, 2]
    assert read(path) == after
    again, more = extend(path, [deck_check(after.entries[-1].number, "same")])
    assert [entry.number for entry in more] == [3]
    assert again.entries[:2] == after.entries
    assert more[0].previous == after.head
    before = path.stat()
    extend(path, [])
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(FIVE) - 1), st.integers(1, 255))
def test_no_byte_can_be_altered_unseen(at: int, by: int) -> None:
    altered = FIVE[:at] + bytes([FIVE[at] ^ by]) + FIVE[at + 1 :]
    assert examine(altered, "log", CUP).problems


@given(st.integers(0, len(FIVE) - 1))
def test_no_entry_can_be_cut_off_in_its_midst_unseen(at: int) -> None:
    """At the end of a line a log of fewer entries remains: that only a noted head can tell."""
    assert bool(examine(FIVE[:at], "log", CUP).problems) == (at > 0 and FIVE[at - 1 : at] != b"\n")


@given(st.lists(st.integers(0, 4), unique=True))
def test_no_entries_can_be_removed_or_reordered_unseen(order: list[int]) -> None:
    """But for the last ones: that only a noted head can tell."""
    lines = FIVE.splitlines(keepends=True)
    found = examine(b"".join(lines[at] for at in order), "log", CUP)
    assert bool(found.problems) == (order != list(range(len(order))))


def test_an_entry_written_anew_with_a_right_hash_breaks_the_chain() -> None:
    lines = FIVE.decode().splitlines(keepends=True)
    entries = examine(FIVE, "log", CUP).entries
    forged = entry_of(2, entries[0].hash, receipt(player=Player("別人")))
    lines[1] = json_line(forged.content) + "\n"
    [problem] = examine("".join(lines).encode(), "log", CUP).problems
    assert (problem.path, problem.line) == ("log", 3)


def test_the_log_of_another_event_is_refused_and_a_broken_one_never_extended(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(FIVE)
    with pytest.raises(UserError, match="another event"):
        read(path, "other")
    broken = FIVE.replace("山田3".encode(), "山田9".encode())
    path.write_bytes(broken)
    with pytest.raises(UserError) as caught:
        extend(path, some(1))
    assert "山田" not in str([problem.in_("ja") for problem in caught.value.problems])
    assert path.read_bytes() == broken


def test_which_characters_are_escaped_for_terminals_breaks_no_log() -> None:
    entry = entry_of(1, BEGINNING, receipt(reason="“新”\u202e𠮷\x9b\\u202e"))
    line = json_line(entry.content)
    assert "\\u202e𠮷\\u009b\\\\u202e" in line
    less = line.replace("\\u202e𠮷\\u009b", "\u202e𠮷\x9b")
    more = line.replace("𠮷", "\\ud842\\udfb7").replace("新", "\\u65b0")
    for form in (line, less, more):
        found = examine(f"{form}\n".encode(), "log", CUP)
        assert (found.problems, found.entries) == ((), (entry,))
    for odd in (line.replace("新", "旧"), line.replace("\\\\u202e", "\u202e")):
        assert examine(f"{odd}\n".encode(), "log", CUP).problems


@given(st.binary(max_size=300))
def test_any_bytes_are_a_log_or_a_mistake(data: bytes) -> None:
    found = examine(data, "log", CUP)
    assert bool(found.problems) == bool(data)


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log"
    extend(path, some(2))
    before = path.read_bytes()

    def full(name: str) -> None:
        if name in ("open", "fsync", "replace"):
            raise OSError(errno.ENOSPC, "No space left on device")

    with at_call(-1, full) as calls:
        extend(path, some(3))
    failed = 0
    for number in range(len(calls)):
        path.write_bytes(before)
        with at_call(number, full):
            try:
                extend(path, some(3))
            except UserError as error:
                failed += 1
                assert "No space left" in str(error)
        # A disk that is full once the new log has its place has lost nothing either.
        assert len(read(path).entries) in (2, 5)
        assert {one.name for one in tmp_path.iterdir()} <= {"log", ".log.lock"}
    assert failed >= 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_four_desks_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log"

    def register(desk: int) -> None:
        for turn in range(15):
            extend(path, [receipt(player=Player(f"{desk}-{turn}"))])

    children = [forked(partial(register, desk)) for desk in range(4)]
    assert [status_of(child) for child in children] == [0] * 4
    names = [entry.content["player"]["name"] for entry in read(path).entries]
    assert sorted(names) == sorted(f"{desk}-{turn}" for desk in range(4) for turn in range(15))


def test_a_desk_that_holds_the_log_is_waited_for_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from filelock import FileLock

    monkeypatch.setattr("deckcheck.support.files.PATIENCE", 0.1)
    with FileLock(tmp_path / ".log.lock"), pytest.raises(UserError, match="another desk"):
        extend(tmp_path / "log", some(1))
    assert not (tmp_path / "log").exists()


# The files of receipts


def a_log(folder: Path, number: int, name: str = "山田") -> Log:
    return extend(folder / f"{name}.jsonl", some(number, name))[0]


def test_each_stands_there_as_the_log_has_it_and_a_broken_one_is_written_anew(tmp_path: Path) -> None:
    log, folder = a_log(tmp_path, 20), tmp_path / "cup.receipts"
    broken = folder / "0002.json"
    for content in (None, b"", b"{", b"\xff\xfe", b"x" * 5_000_000):
        if content is not None:
            broken.write_bytes(content)
        assert write_receipts(log, folder) is None
        assert len(list(folder.iterdir())) == 20
        for entry in log.entries:
            file = folder / f"{entry.number:04}.json"
            assert file.read_bytes() == json_page(entry.content).encode()
            assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_receipt_of_another_log_is_kept(tmp_path: Path) -> None:
    """It may be what proves that the log was made anew."""
    old, new, folder = a_log(tmp_path, 2), a_log(tmp_path, 2, "鈴木"), tmp_path / "cup.receipts"
    write_receipts(old, folder)
    before = [file.read_bytes() for file in sorted(folder.iterdir())]
    note = write_receipts(new, folder)
    assert note is not None and note.in_("en").startswith("2 receipts in cup.receipts differ from the log")
    assert [file.read_bytes() for file in sorted(folder.iterdir())] == before


# Audit


@pytest.fixture
def session(tmp_path: Path) -> EventSession:
    """An event with three receipts, one of them on a judge's word."""
    session = open_event(event_of_three(tmp_path) / "event.yaml")
    accept(session, now=NOW)
    done = accept(session, only=["甲"], override=Override("J", "R"), now=NOW)
    write_receipts(done.log, session.event.receipts)
    return session


def lines_of(session: EventSession) -> list[str]:
    return session.event.log.read_text(encoding="utf-8").splitlines(keepends=True)


def rewrite(session: EventSession, lines: Sequence[str]) -> None:
    session.event.log.write_text("".join(lines), encoding="utf-8")


def remove_receipts(session: EventSession) -> None:
    for file in session.event.receipts.glob("*.json"):
        file.unlink()


def forge(session: EventSession, number: int, **other: object) -> None:
    """Change something in an entry, with everything behind it, so that all hashes are right and no receipt says so."""
    values = [entry.value for entry in read_log(session.event).entries]
    values[number - 1] = replace(values[number - 1], **other)
    rewrite(session, [json_line(entry.content) + "\n" for entry in chained(*values)])
    remove_receipts(session)


def test_a_log_that_nobody_touched_is_intact(session: EventSession) -> None:
    found = audit(session)
    assert (found.verdict, found.problems) == ("intact", ())
    assert [one.status for one in found.rechecks] == ["proven"] * 3
    assert [one.verdict for one in found.rechecks] == ["legal", "legal", "illegal"]
    remove_receipts(session)
    assert (audit(session).verdict, audit(session).problems) == ("intact", ()), "they may be missing"


def test_an_altered_entry_is_found_and_names_nobody(session: EventSession) -> None:
    first, *others = lines_of(session)
    rewrite(session, [first.replace("水野", "水田"), *others])
    found = audit(session)
    assert (found.verdict, found.problems[0].line) == ("altered", 1)
    assert not any(name in problem.in_("ja") for problem in found.problems for name in "水甲乙")


def test_an_entry_cut_off_the_end_is_found_by_its_receipt_and_by_a_noted_head(session: EventSession) -> None:
    head = read_log(session.event).head
    assert audit(session, heads=[head, f" {head.upper()} "]).verdict == "intact"
    rewrite(session, lines_of(session)[:2])
    found = audit(session)
    assert found.verdict == "altered" and "0003.json" in str(found.problems[0].path)
    remove_receipts(session)
    assert audit(session).verdict == "intact"
    assert audit(session, heads=[head]).verdict == "altered"
    for odd in ("", "x", "0" * 63, "0" * 65, "g" * 64, "\uff10" * 64):
        with pytest.raises(UserError, match="not the hash of an entry"):
            audit(session, heads=["0" * 64, odd])


def test_an_older_head_and_a_receipt_that_a_player_kept_prove_what_was(
    session: EventSession, tmp_path: Path
) -> None:
    head = read_log(session.event).entries[0].hash
    kept = shutil.copy(session.event.receipts / "0001.json", tmp_path / "kept.json")
    assert audit(session, heads=[head], receipts=[kept]).verdict == "intact"
    forge(session, 1, place="elsewhere", given={"name": "別人"})
    assert audit(session).verdict == "intact", "who can write the log can write another one"
    assert audit(session, heads=[head]).verdict == "altered"
    found = audit(session, receipts=[kept])
    assert (found.verdict, found.problems[0].path) == ("altered", str(kept))


def test_a_false_reason_is_not_told_as_a_false_verdict(session: EventSession) -> None:
    forge(session, 3, faults=("hall",))
    done = run(session.event.path.parent, "event", "audit", "event.yaml")
    assert done.status == 1
    assert "receipt 3: different findings by the same rules (then illegal, now illegal)\n" in done.out


@pytest.mark.parametrize("odd", [b"", b"{}", b"\xff\xfe", b"[" * 100_000, None])
def test_a_receipt_that_can_not_be_read_or_was_altered_is_found(
    session: EventSession, odd: bytes | None
) -> None:
    file = session.event.receipts / "0002.json"
    file.write_bytes(file.read_bytes().replace(b'"legal"', b'"illegal"') if odd is None else odd)
    found = audit(session)
    assert (found.verdict, found.problems[0].path) == ("altered", str(file))


FORTY = "".join(f"4 {name}\n" for name in (*MAIN[:3], *MAIN[4:8], *MAIN[9:]))
BANNED = OWN_RULES["list.yaml"].replace("学校男", "青銅の鎧")


REMARKED = OWN_RULES["base.yaml"] + "# a remark\n"


@pytest.mark.parametrize(
    ("changed", "verdict", "status", "told"),
    [
        ({}, "intact", "proven", []),
        ({"base.yaml": REMARKED}, "intact", "same", ["the format 'club/x' has changed"]),
        ({"list.yaml": BANNED}, "open", "open", ["the banlist 'club/list' has changed"]),
    ],
)
def test_what_became_of_the_rules_is_told(
    tmp_path: Path, changed: dict[str, str], verdict: str, status: str, told: list[str]
) -> None:
    put(tmp_path, OWN_RULES)
    text = EVENT.replace("duel-masters/duemagic", "x.yaml")
    accept(open_event(an_event(tmp_path, a_list("甲", FORTY), text=text)), now=NOW)
    put(tmp_path, changed)
    found = audit(open_event(tmp_path / "event.yaml"))
    assert (found.verdict, [one.status for one in found.rechecks]) == (verdict, [status])
    assert [change.en for change in found.rechecks[0].changed] == told
    # Another format leaves it open, and none can be told by a broken one.
    put(tmp_path, {"event.yaml": EVENT})
    assert audit(open_event(tmp_path / "event.yaml")).verdict == "open"
    broken = {"event.yaml": EVENT + "formats: [.]\n", "x.yaml": OWN_RULES["x.yaml"] + "rules: 7\n"}
    put(tmp_path, broken)
    with pytest.raises(UserError):
        audit(open_event(tmp_path / "event.yaml"))
