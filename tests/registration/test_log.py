"""The log, its entries and the files of receipts: read as they are written, nothing altered unseen, nothing lost."""

from __future__ import annotations

import errno
import json
import os
import stat
import warnings
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from factories import garden_game
from factories.event_lists import UNDECIDED, UNREADABLE, duemagic, legal
from factories.io_failures import at_call
from factories.random_lists import HASH, deck_check, known_lists, lists, receipt, withdrawal
from factories.rosters import EVENT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck.model.deck import Deck
from deckcheck.model.finding import Verdict, fingerprint
from deckcheck.registration.event import Stamp
from deckcheck.registration.log import (
    BEGINNING,
    CanonicalList,
    DeckCheck,
    Entry,
    EntryValue,
    Log,
    Receipt,
    deck_of,
    entry_from,
    entry_line,
    entry_of,
    examine,
    list_of,
    open_log,
    read_log,
    utc,
    write_receipts,
)
from deckcheck.registration.submissions import Player
from deckcheck.report.json import json_page
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError
from deckcheck.support.hashes import digest

# Canonical lists


def deck_listed(listed: CanonicalList) -> Deck:
    return deck_of(listed, garden_game.GARDEN.find, garden_game.ZONES, "x")


@given(known_lists)
def test_the_fingerprint_is_that_of_the_deck(listed: CanonicalList) -> None:
    assert fingerprint(deck_listed(listed), "garden") == listed.fingerprint("garden")


@given(lists, st.randoms())
def test_neither_order_nor_splitting_counts(listed: CanonicalList, random: Any) -> None:
    halves = []
    for one in deck_listed(listed).entries:
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
    assert list_of(deck_of(listed, table.catalog.find, (), "b")) == listed


# Entries

words = st.text(max_size=10)

maybe = st.none() | words

moments = st.datetimes(timezones=st.just(UTC)).map(utc)

players = st.builds(
    Player,
    name=maybe,
    reading=maybe,
    id=maybe,
    table=maybe,
    deck_name=maybe,
    email=st.none(),
    others=st.just(()),
)

receipts = st.builds(
    receipt,
    event=words,
    at=moments,
    player=players,
    place=words,
    submitted=maybe,
    banlists=st.lists(st.just(Stamp("garden/list", HASH)), max_size=2).map(tuple),
    cards=words,
    best_of=st.none() | st.integers(1, 9),
    verdict=st.sampled_from(Verdict),
    faults=st.lists(words, max_size=2).map(tuple),
    listed=lists,
    submission=st.none() | st.just("mz2ucq"),
    by=maybe,
    reason=maybe,
    despite=st.lists(words, max_size=2).map(tuple),
    replaces=st.none() | st.integers(1, 9),
)

checks = st.builds(
    deck_check,
    receipt=st.integers(1, 99),
    result=st.sampled_from(["same", "different"]),
    between_games=st.booleans(),
    by=maybe,
)

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
    line = entry_line(entry)
    assert "\n" not in line
    line.encode()
    assert entry_from(json.loads(line)) == entry


def test_the_published_schema_fits() -> None:
    validator = Draft7Validator(load_schema("receipt"))
    validator.check_schema(load_schema("receipt"))
    left = withdrawal(Player("山田"), 1)
    word = receipt(verdict="illegal", faults=("size",), by="J", reason="R", despite=("illegal",), replaces=1)
    check = deck_check(1, "different", between_games=True)
    for value in (receipt(), receipt(submission="mz2ucq"), word, left, check):
        validator.validate(entry_of(2, BEGINNING, value).content)
    for key in PLAIN:
        assert not validator.is_valid({name: value for name, value in PLAIN.items() if name != key}), key
    assert not validator.is_valid({**PLAIN, "more": 1})


@pytest.mark.parametrize("key", PLAIN)
def test_whatever_is_changed_or_left_out_is_refused(key: str) -> None:
    without = {name: value for name, value in PLAIN.items() if name != key}
    for value in (None, 7, True, 1.5, "x", [], {"a": 7}):
        if PLAIN[key] != value:
            with pytest.raises(UserError) as caught:
                entry_from(without | {key: value}, "log")
            assert "山田" not in str(caught.value)
    with pytest.raises(UserError):
        entry_from(without)


def test_whatever_is_added_changes_the_hash() -> None:
    with pytest.raises(UserError, match="hash"):
        entry_from({**PLAIN, "more": 1})


ZONES: list[Any] = [
    *(None, [], ["main"], {"main": []}, {"main": {}}, {"main": ["Rose"]}),
    *({"main": {"Rose": copies}} for copies in (None, 0, -1, True, 1.0, "1", 100_001, [1])),
    *({"main": {name: 1}} for name in ("Rose\t1\nside\tIris", "Ro\x9bse")),
]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(
            (key, day)
            for key in ("date", "as_of")
            for day in (
                "2024-99-99",
                "2026-02-29",
                "２０２６-11-27",
                "20261127",
                "2026-W48-6",
                "2026-11-27\n",
            )
        ),
        *(
            ("format", {"id": id, "sha256": HASH})
            for id in ("/etc/x.yaml", "../x.yaml", "x.yaml", "garden/../x", "Garden/x", "", "a" * 201)
        ),
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


@pytest.mark.parametrize("key", ["submitted", "best_of", "by", "reason", "replaces"])
def test_what_may_be_null_may_be_missing_in_older_receipts(key: str) -> None:
    entry = entry_from(hashed({name: part for name, part in PLAIN.items() if name != key}))
    assert isinstance(entry.value, Receipt)
    assert getattr(entry.value, key) is None


def test_an_older_receipt_may_be_that_of_a_sealed_list() -> None:
    entry = entry_from(hashed({**PLAIN, "commitment": HASH}))
    assert entry_from(json.loads(entry_line(entry))) == entry


# The chain

CUP = "cup"


def extend(path: Path, values: Sequence[EntryValue]) -> tuple[Log, Sequence[Entry]]:
    """The log with these entries added, and the new entries."""
    with open_log(replace(EVENT, log=path)) as writer:
        added = [writer.add(value) for value in values]
    return writer.log, added


def some(number: int) -> list[EntryValue]:
    return [receipt(player=Player(f"山田{at}", id=str(at))) for at in range(number)]


def written(number: int) -> bytes:
    """A log of so many receipts."""
    lines, previous = [], BEGINNING
    for at, value in enumerate(some(number), 1):
        entry = entry_of(at, previous, value)
        previous = entry.hash
        lines.append(entry_line(entry) + "\n")
    return "".join(lines).encode()


FIVE = written(5)


def test_what_is_added_is_there(tmp_path: Path) -> None:
    path = tmp_path / "cup.log.jsonl"
    assert read_log(path, CUP) == Log()
    after, added = extend(path, some(2))
    assert [entry.number for entry in added] == [1, 2]
    assert read_log(path, CUP) == after
    again, more = extend(path, [deck_check(after.entries[-1].number, "same")])
    assert [entry.number for entry in more] == [3]
    assert again.entries[:2] == after.entries
    assert more[0].previous == after.head
    assert path.read_bytes().count(b"\n") == 3


def test_nothing_to_add_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "log"
    extend(path, some(1))
    before = path.stat()
    extend(path, [])
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.stat().st_ino == before.st_ino


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(FIVE) - 1), st.integers(1, 255))
def test_no_byte_can_be_altered_unseen(at: int, by: int) -> None:
    altered = FIVE[:at] + bytes([FIVE[at] ^ by]) + FIVE[at + 1 :]
    assert examine(altered, "log", CUP).problems


@given(st.integers(0, len(FIVE) - 1))
def test_no_entry_can_be_cut_off_in_its_midst_unseen(at: int) -> None:
    """At the end of a line a log of fewer entries remains: that only a noted head can tell."""
    assert bool(examine(FIVE[:at], "log", CUP).problems) == (at > 0 and FIVE[at - 1 : at] != b"\n")


@given(st.permutations(range(5)))
def test_no_entries_can_be_reordered_unseen(order: list[int]) -> None:
    lines = FIVE.splitlines(keepends=True)
    assert bool(examine(b"".join(lines[at] for at in order), "log", CUP).problems) == (order != sorted(order))


@given(st.sets(st.integers(0, 4), min_size=1, max_size=4))
def test_no_entry_can_be_removed_unseen_from_the_midst(gone: set[int]) -> None:
    lines = FIVE.splitlines(keepends=True)
    left = [line for at, line in enumerate(lines) if at not in gone]
    cut = gone == set(range(min(gone), 5))
    assert bool(examine(b"".join(left), "log", CUP).problems) != cut


def test_an_entry_written_anew_with_a_right_hash_breaks_the_chain() -> None:
    lines = FIVE.decode().splitlines(keepends=True)
    entries = examine(FIVE, "log", CUP).entries
    forged = entry_of(2, entries[0].hash, receipt(player=Player("別人")))
    lines[1] = entry_line(forged) + "\n"
    [problem] = examine("".join(lines).encode(), "log", CUP).problems
    assert (problem.path, problem.line) == ("log", 3)


def test_the_log_of_another_event_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(FIVE)
    with pytest.raises(UserError, match="another event"):
        read_log(path, "other")


def test_a_broken_log_is_never_extended(tmp_path: Path) -> None:
    path = tmp_path / "log"
    broken = FIVE.replace("山田3".encode(), "山田9".encode())
    path.write_bytes(broken)
    with pytest.raises(UserError) as caught:
        extend(path, some(1))
    assert "山田" not in str([problem.in_("ja") for problem in caught.value.problems])
    assert path.read_bytes() == broken


def test_which_characters_are_escaped_for_terminals_breaks_no_log() -> None:
    entry = entry_of(1, BEGINNING, receipt(reason="“新”\u202e𠮷\x9b\\u202e"))
    line = entry_line(entry)
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

    def full(name: str, _: tuple[object, ...]) -> None:
        if name in ("open", "write", "fsync", "replace"):
            raise OSError(errno.ENOSPC, "No space left on device")

    number = failed = 0
    while True:
        with at_call(number, full) as calls:
            try:
                extend(path, some(3))
            except UserError as error:
                failed += 1
                assert "No space left" in str(error)
        if len(calls) <= number:
            break
        # A disk that is full once the new log has its place has lost nothing either.
        assert len(read_log(path, CUP).entries) in (2, 5)
        assert {one.name for one in tmp_path.iterdir()} <= {"log", ".log.lock"}
        path.write_bytes(before)
        number += 1
    assert failed >= 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_desks_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log"
    desks, rounds = 4, 15
    children = []
    for desk in range(desks):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            status = 1
            try:
                for turn in range(rounds):
                    extend(path, [receipt(player=Player(f"{desk}-{turn}"))])
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * desks
    names = {
        entry.value.player.name
        for entry in read_log(path, CUP).entries
        if not isinstance(entry.value, DeckCheck)
    }
    assert names == {f"{desk}-{turn}" for desk in range(desks) for turn in range(rounds)}


def test_a_desk_that_holds_the_log_is_waited_for_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from filelock import FileLock

    monkeypatch.setattr("deckcheck.support.files.PATIENCE", 0.1)
    with FileLock(tmp_path / ".log.lock"), pytest.raises(UserError, match="another desk"):
        extend(tmp_path / "log", some(1))
    assert not (tmp_path / "log").exists()


def a_log(folder: Path, number: int, name: str = "山田") -> Log:
    made = [receipt(player=Player(f"{name}{at}", id=str(at))) for at in range(number)]
    return extend(folder / f"{name}.jsonl", made)[0]


def receipt_page(entry: Entry) -> bytes:
    return json_page(entry.content).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cup.receipts"


def test_each_stands_there_as_the_log_has_it(tmp_path: Path, folder: Path) -> None:
    log = a_log(tmp_path, 20)
    assert write_receipts(log, folder) is None
    assert write_receipts(log, folder) is None
    for entry in log.entries:
        assert (folder / f"{entry.number:04}.json").read_bytes() == receipt_page(entry)
        assert stat.S_IMODE((folder / f"{entry.number:04}.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("broken", [b"", b"{", b"\xff\xfe", b"x" * 5_000_000])
def test_a_broken_one_is_written_anew(tmp_path: Path, folder: Path, broken: bytes) -> None:
    log = a_log(tmp_path, 2)
    write_receipts(log, folder)
    (folder / "0002.json").write_bytes(broken)
    assert write_receipts(log, folder) is None
    assert (folder / "0002.json").read_bytes() == receipt_page(log.entries[1])
    assert sorted(file.name for file in folder.iterdir()) == ["0001.json", "0002.json"]


def test_a_receipt_of_another_log_is_kept(tmp_path: Path, folder: Path) -> None:
    """It may be what proves that the log was made anew."""
    old, new = a_log(tmp_path, 2), a_log(tmp_path, 2, "鈴木")
    write_receipts(old, folder)
    before = [file.read_bytes() for file in sorted(folder.iterdir())]
    note = write_receipts(new, folder)
    assert note is not None and note.in_("en").startswith("2 receipts in cup.receipts differ from the log")
    assert [file.read_bytes() for file in sorted(folder.iterdir())] == before
