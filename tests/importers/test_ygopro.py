"""Databases of YGOPro and EDOPro."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories.ygopro_files import PACKINGS, cdb, packed

from deckcheck.cards.catalog import open_catalog
from deckcheck.formats.loading import load_game
from deckcheck.importers.card_imports import ImportResult, import_card_pool
from deckcheck.importers.source_kinds import kind_of
from deckcheck.support.errors import UserError

GAME = load_game("yugioh")
TakeIn = Callable[[Path], ImportResult]


@pytest.fixture
def take_file(bundle: Path) -> TakeIn:
    def taking(file: Path) -> ImportResult:
        kind = kind_of(file)
        assert kind is not None and kind.id == "ygopro"
        return import_card_pool(GAME, kind, file, bundled=bundle)

    return taking


def cards_of(taken: ImportResult) -> dict[str, Any]:
    lines = taken.path.read_text("utf-8").splitlines()
    return {one["name"]: one for one in map(json.loads, lines)}


def test_what_a_database_tells(tmp_path: Path, take_file: TakeIn) -> None:
    taken = take_file(cdb(tmp_path / "cards.cdb"))
    cards = cards_of(taken)
    assert taken.left_out == {"token": 1, "unreleased": 1, "other": 1, "flawed": 1}
    assert cards["Paper Dragon"] == {
        "name": "Paper Dragon",
        "aliases": ["100", "101"],
        "type": ["Monster"],
        "frame": ["Normal"],
        "home": "main",
        "tag": [],
        "pool": ["ocg", "tcg"],
    }
    assert {name: (one["type"], one["frame"], one.get("home", "main")) for name, one in cards.items()} == {
        "Paper Dragon": (["Monster"], ["Normal"], "main"),
        "Fused Paper": (["Monster"], ["Effect", "Fusion"], "extra"),
        "Swinging Paper": (["Monster"], ["Effect", "Pendulum"], "main"),
        "Swinging Tuned Paper": (["Monster"], ["Effect", "Synchro", "Xyz", "Pendulum"], "extra"),
        "Paper Rite": (["Spell"], [], "main"),
        "Paper Trap": (["Trap"], [], "main"),
        "Lady Paper": (["Monster"], ["Effect"], "main"),
        "Linked Paper": (["Monster"], ["Effect", "Link"], "extra"),
    }
    assert (cards["Paper Rite"]["pool"], cards["Paper Trap"]["pool"]) == (["ocg"], ["tcg"])


def test_a_card_is_found_by_each_of_its_names_and_numbers(
    tmp_path: Path, take_file: TakeIn, bundle: Path
) -> None:
    take_file(cdb(tmp_path / "cards.cdb"))
    table = open_catalog(GAME, bundled=bundle)
    for name in ("100", "101", "paper dragon"):
        assert [one.name for one in table.find(name)] == ["Paper Dragon"]
    # A card whose name is always treated as another's counts as that one.
    for name in ("Lady Paper 1", "1001", "1000"):
        assert [one.name for one in table.find(name)] == ["Lady Paper"]


def test_a_database_in_another_language_names_the_cards_that_are_there(
    tmp_path: Path, take_file: TakeIn
) -> None:
    take_file(cdb(tmp_path / "cards.cdb"))
    rows = [(100, 3, 0, 0x11, "紙の竜"), (101, 3, 100, 0x11, "紙の竜"), (2000, 1, 0, 0x21, "新しい紙")]
    taken = take_file(cdb(tmp_path / "ja.cdb", rows))
    cards = cards_of(taken)
    assert (taken.added, taken.changed) == (1, 1)
    assert "紙の竜" not in cards and cards["Paper Dragon"]["aliases"] == ["100", "101", "紙の竜"]
    assert "新しい紙" in cards


@pytest.mark.parametrize("how", PACKINGS)
def test_a_packed_database(how: str, tmp_path: Path, take_file: TakeIn) -> None:
    plain = cdb(tmp_path / "cards.cdb").read_bytes()
    file = tmp_path / f"cards.{how}"
    file.write_bytes(packed(plain, how))
    assert take_file(file).added == 8


def test_no_such_database(tmp_path: Path, take_file: TakeIn) -> None:
    other = tmp_path / "other.cdb"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE datas(id)")
        database.execute("CREATE VIEW texts AS SELECT 1 AS id, 'x' AS name")
    database.close()
    with pytest.raises(UserError, match="not a card database"):
        take_file(other)


def test_a_virtual_table_is_no_table(tmp_path: Path, take_file: TakeIn) -> None:
    other = tmp_path / "other.cdb"
    with sqlite3.connect(other) as database:
        if not any("FTS5" in option for (option,) in database.execute("PRAGMA compile_options")):
            pytest.skip("this SQLite has no virtual tables to try")
        database.execute("CREATE TABLE datas(id, alias, ot, type)")
        database.execute("CREATE VIRTUAL TABLE texts USING fts5(id, name)")
    database.close()
    with pytest.raises(UserError, match="not a card database"):
        take_file(other)


def test_an_endless_name_is_not_read(tmp_path: Path, take_file: TakeIn) -> None:
    file = cdb(tmp_path / "cards.cdb")
    with sqlite3.connect(file) as database:
        database.execute("UPDATE texts SET name = hex(zeroblob(3000000)) WHERE id = 200")
    database.close()
    with pytest.raises(UserError, match="not a readable database"):
        take_file(file)


def test_a_database_that_is_cut_off_or_spoilt(tmp_path: Path, take_file: TakeIn) -> None:
    whole = cdb(tmp_path / "cards.cdb")
    first = take_file(whole)
    stored = first.path.read_bytes()
    data = whole.read_bytes()
    broken = tmp_path / "broken.cdb"
    for size in (100, 1000, len(data) // 2, len(data) - 4096):
        broken.write_bytes(data[:size])
        with pytest.raises(UserError):
            take_file(broken)
        assert first.path.read_bytes() == stored


def test_values_of_another_kind_are_no_cards(tmp_path: Path, take_file: TakeIn) -> None:
    file = cdb(tmp_path / "cards.cdb")
    with sqlite3.connect(file) as database:
        database.execute("UPDATE datas SET type = 'x' WHERE id = 200")
        database.execute("UPDATE datas SET alias = 'y' WHERE id = 300")
        database.execute("UPDATE texts SET name = X'ff00fe' WHERE id = 400")
        database.execute("UPDATE texts SET name = 'a' || char(10) || 'b' WHERE id = 500")
    database.close()
    taken = take_file(file)
    assert taken.left_out["flawed"] == 5 and taken.added == 4


@pytest.mark.parametrize("names", [("Paper Dragon",), ("Paper Dragon", "Paper Wyrm")])
def test_equal_ids_do_not_multiply(tmp_path: Path, take_file: TakeIn, names: tuple[str, ...]) -> None:
    file = tmp_path / "cards.cdb"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE datas(id integer, ot integer, alias integer, type integer)")
        database.execute("CREATE TABLE texts(id integer, name text)")
        rows = [(100, names[number % len(names)]) for number in range(20_000)]
        database.executemany("INSERT INTO datas VALUES (?, 3, 0, 17)", [(code,) for code, _name in rows])
        database.executemany("INSERT INTO texts VALUES (?, ?)", rows)
        database.execute("INSERT INTO datas VALUES (200, 3, 0, 17)")
        database.execute("INSERT INTO texts VALUES (200, 'Other Paper')")
    database.close()
    taken = take_file(file)
    # A number with two names is a card of neither.
    assert sorted(cards_of(taken)) == sorted({"Other Paper", *(names if len(names) == 1 else ())})
    assert taken.left_out.get("flawed", 0) == (0 if len(names) == 1 else 20_000)
