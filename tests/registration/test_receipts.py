"""Canonical lists, the hashes of rules, and entries of a log: read as they are written, refused when anything is odd."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from factories import garden_game
from factories.event_lists import UNDECIDED, UNREADABLE, duemagic, legal
from factories.organiser_format import BASE, CHILD, LIST
from factories.random_lists import HASH, copies, deck_check, lists, receipt, strangers, withdrawal
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck.model.finding import Verdict, fingerprint
from deckcheck.registration.receipts import (
    BEGINNING,
    CanonicalList,
    Copies,
    Entry,
    Receipt,
    Stamp,
    canonical_list,
    deck_of,
    entry_from,
    entry_line,
    entry_of,
    list_of,
    provenance,
    utc,
)
from deckcheck.registration.submissions import Player
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError
from deckcheck.support.hashes import digest

# Canonical lists


@given(st.lists(copies, max_size=12))
def test_the_fingerprint_is_that_of_the_deck(cards: list[Copies]) -> None:
    listed = canonical_list("garden", cards)
    deck = deck_of(listed, garden_game.GARDEN.find, garden_game.ZONES, "x")
    assert fingerprint(deck, "garden") == listed.fingerprint
    assert list_of(deck, "garden") == listed


@given(st.lists(copies | strangers, max_size=10), st.randoms())
def test_neither_order_nor_splitting_counts(cards: list[Copies], random: Any) -> None:
    halves = []
    for one in cards:
        half = one.copies // 2
        halves += [replace(one, copies=half), replace(one, copies=one.copies - half)]
    random.shuffle(halves)
    assert canonical_list("garden", cards) == canonical_list("garden", halves)


@given(lists, lists)
def test_different_lists_have_different_fingerprints(one: CanonicalList, other: CanonicalList) -> None:
    assert (one.fingerprint == other.fingerprint) == (one == other)


@pytest.mark.parametrize("name", ["Rose\nIris", "Rose\x1b[2J", "Ro\ud800se", "Rose\x9b"])
def test_a_deck_with_a_control_character_in_an_unknown_name_is_no_list(name: str) -> None:
    assert list_of(garden_game.deck_of((garden_game.ROSE, 1), (name, 2)), "garden") is None


def test_a_list_is_the_same_in_every_notation_and_keeps_unknown_names_as_written() -> None:
    table = duemagic().game_data

    def read(text: str) -> CanonicalList | None:
        return list_of(table.read(text, "a"), table.game.id)

    assert read(legal()) == read(legal().replace("4 x ", "4 《").replace("3 x ", "3 《"))
    assert read(UNREADABLE) is None
    listed = read(UNDECIDED)
    assert listed is not None
    assert Copies("main", "誰も知らない新カード", 3, known=False) in listed.cards
    assert list_of(deck_of(listed, table.catalog.find, (), "b"), table.game.id) == listed


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
