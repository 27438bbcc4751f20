"""Databases and banlists of YGOPro and EDOPro."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories.files import put
from factories.ygopro_files import cdb, lflist
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.cards.catalog import open_catalog
from deckcheck.formats.loading import load_game
from deckcheck.importers.own_cards import ImportResult
from deckcheck.importers.source_files import StatedList
from deckcheck.importers.ygopro import banlists
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.support.errors import UserError

GAME = load_game("yugioh")
Take = Callable[..., ImportResult]


def cards_of(taken: ImportResult) -> dict[str, Any]:
    lines = taken.path.read_text("utf-8").splitlines()
    return {one["name"]: one for one in map(json.loads, lines)}


def test_what_a_database_tells(tmp_path: Path, take: Take) -> None:
    taken = take(cdb(tmp_path / "cards.cdb"))
    cards = cards_of(taken)
    assert taken.left_out == {"unplayable": 3, "flawed": 1}
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


def test_a_card_is_found_by_each_of_its_names_and_numbers(tmp_path: Path, take: Take, bundle: Path) -> None:
    take(cdb(tmp_path / "cards.cdb"))
    table = open_catalog(GAME, bundled=bundle)
    for name in ("100", "101", "paper dragon"):
        assert [one.name for one in table.find(name)] == ["Paper Dragon"]
    # A card whose name is always treated as another's counts as that one.
    for name in ("Lady Paper 1", "1001", "1000"):
        assert [one.name for one in table.find(name)] == ["Lady Paper"]


def test_a_database_in_another_language_names_the_cards_that_are_there(tmp_path: Path, take: Take) -> None:
    take(cdb(tmp_path / "cards.cdb"))
    rows = [(100, 3, 0, 0x11, "紙の竜"), (101, 3, 100, 0x11, "紙の竜"), (2000, 1, 0, 0x21, "新しい紙")]
    taken = take(cdb(tmp_path / "ja.cdb", rows))
    cards = cards_of(taken)
    assert (taken.added, taken.changed) == (1, 1)
    assert "紙の竜" not in cards and cards["Paper Dragon"]["aliases"] == ["100", "101", "紙の竜"]
    assert "新しい紙" in cards


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (["DROP TABLE texts", "CREATE VIEW texts AS SELECT 1 AS id, 'x' AS name"], "not a card database"),
        (["DROP TABLE texts", "CREATE VIRTUAL TABLE texts USING fts5(id, name)"], "not a card database"),
        (["UPDATE texts SET name = hex(zeroblob(3000000)) WHERE id = 200"], "not a readable database"),
    ],
)
def test_no_such_database(tmp_path: Path, take: Take, statements: list[str], said: str) -> None:
    file = cdb(tmp_path / "cards.cdb")
    with sqlite3.connect(file) as database:
        for statement in statements:
            database.execute(statement)
    database.close()
    with pytest.raises(UserError, match=said):
        take(file)


@pytest.mark.parametrize("size", [100, 1000, 0.5, -4096])
def test_a_database_that_is_cut_off(tmp_path: Path, take: Take, size: float) -> None:
    first = take(cdb(tmp_path / "cards.cdb"))
    stored, data = first.path.read_bytes(), (tmp_path / "cards.cdb").read_bytes()
    end = int(len(data) * size) if 0 < size < 1 else int(size)
    with pytest.raises(UserError):
        take(put(tmp_path / "broken.cdb", data[:end]))
    assert first.path.read_bytes() == stored


def test_values_of_another_kind_are_no_cards(tmp_path: Path, take: Take) -> None:
    file = cdb(tmp_path / "cards.cdb")
    with sqlite3.connect(file) as database:
        database.execute("UPDATE datas SET type = 'x' WHERE id = 200")
        database.execute("UPDATE datas SET alias = 'y' WHERE id = 300")
        database.execute("UPDATE texts SET name = X'ff00fe' WHERE id = 400")
        database.execute("UPDATE texts SET name = 'a' || char(10) || 'b' WHERE id = 500")
    database.close()
    taken = take(file)
    assert taken.left_out["flawed"] == 5 and taken.added == 4


@pytest.mark.parametrize("names", [("Paper Dragon",), ("Paper Dragon", "Paper Wyrm")])
def test_equal_ids_do_not_multiply(tmp_path: Path, take: Take, names: tuple[str, ...]) -> None:
    file = tmp_path / "cards.cdb"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE datas(id integer, ot integer, alias integer, type integer)")
        database.execute("CREATE TABLE texts(id integer, name text)")
        rows = [(100, names[number % len(names)]) for number in range(4_000)]
        database.executemany("INSERT INTO datas VALUES (?, 3, 0, 17)", [(code,) for code, _name in rows])
        database.executemany("INSERT INTO texts VALUES (?, ?)", rows)
        database.execute("INSERT INTO datas VALUES (200, 3, 0, 17)")
        database.execute("INSERT INTO texts VALUES (200, 'Other Paper')")
    database.close()
    taken = take(file)
    # A number with two names is a card of neither.
    assert sorted(cards_of(taken)) == sorted({"Other Paper", *(names if len(names) == 1 else ())})
    assert taken.left_out.get("flawed", 0) == (0 if len(names) == 1 else 4_000)


# Banlists


def test_the_lists_of_an_lflist(tmp_path: Path) -> None:
    ocg, tcg, plain = banlists(lflist(tmp_path))
    assert (ocg.id, ocg.title, ocg.date) == ("ocg", "OCG", "2026-10-01")
    assert ocg.statuses == {"100": "forbidden", "200": "limited", "300": "semi-limited"} and ocg.free is None
    # The format calls this list otherwise, and a month is no day.
    assert (tcg.id, tcg.title, tcg.date, tcg.month_only) == ("advanced", "TCG", "2026-11-01", True)
    assert not ocg.month_only and ocg.others is None
    assert (plain.id, plain.date, plain.others) == ("plain-list", None, "forbidden")
    assert plain.statuses == {"100": FREE_STATUS}


def lists_of(text: str | bytes) -> list[StatedList]:
    """The lists in a text."""
    with tempfile.TemporaryDirectory() as folder:
        return list(banlists(put(f"{folder}/lflist.conf", text)))


def test_comments_and_lists_that_count_in_another_way() -> None:
    one, other = lists_of("!2026.3 A\n-- forbidden\n//\n100 0\n!2026.03 B\n$genesys\n100 33 -- points\n")
    assert (one.statuses, one.refused, one.date) == ({"100": "forbidden"}, None, "2026-03-01")
    assert other.refused is not None and other.statuses == {}


@pytest.mark.parametrize(
    ("name", "day", "month_only"),
    [
        ("2024.4.8 TCG", "2024-04-08", False),
        ("from 2024/12/09", "2024-12-09", False),
        ("cards 20261118100506", "2026-11-18", False),
        ("2024.12 TCG", "2024-12-01", True),
        ("GOAT 2005-4", "2005-04-01", True),
        ("GOAT", None, False),
        ("2024", None, False),
        ("2024.13 TCG", None, False),
        ("2024.13.45", None, False),
        ("2024.4.31", None, False),
        ("2024.123", None, False),
        ("12024-01-01", None, False),
    ],
)
def test_days_in_names(name: str, day: str | None, month_only: bool) -> None:
    (stated,) = lists_of(f"!{name}\n100 0\n")
    assert (stated.date, stated.month_only) == (day, month_only)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("100 0\n", 1, "before the name of a list"),
        ("!A\n100\n", 2, "not a line with a passcode"),
        ("!A\n100 0\n\n100 1\n", 4, "another number of copies"),
        ("!A\n100 4\n", 2, "0 to 3: 4"),
        ("!A\n100 -1\n", 2, "0 to 3: -1"),
        ("!A\nBlue Dragon 1\n", 2, "not a line with a passcode"),
        ("# nothing\n", None, "contains no list"),
    ],
)
def test_a_line_that_cannot_be_read_is_told(text: str, line: int | None, said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        lists_of(text)
    assert caught.value.problems[0].line == line


@given(st.binary(max_size=300))
def test_any_bytes_are_lists_or_a_mistake(data: bytes) -> None:
    with contextlib.suppress(UserError):
        assert lists_of(data)
