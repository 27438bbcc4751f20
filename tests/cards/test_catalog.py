"""The card table as it is used: opened, looked up, added to. The game is made up."""

from __future__ import annotations

import math
import os
import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from factories.card_tables import CARDS, names, write_table
from factories.errors import problem_of
from factories.examples import amount
from factories.garden_game import GAME
from msgspec.structs import asdict, replace

from deckcheck.cards.catalog import CardTable, open_catalog, sources_of
from deckcheck.cards.catalog import write_table as write_built_table
from deckcheck.model.card import NO_RANK
from deckcheck.model.game import Folding

pytestmark = pytest.mark.usefixtures("own_folders")


def test_facts_come_through(table: CardTable) -> None:
    (card,) = table.find("天の ドラゴン凧")
    assert card.home == "main"
    assert card.facts == {"colour": frozenset({"red"}), "cost": 3.0}
    assert [(item.set, item.released, item.ranks) for item in card.printings] == [
        ("K2", "2002-02-02", {"rarity": "R"}),
        ("K1", "2001-01-01", {}),
        ("K1", "2001-01-01", {"rarity": NO_RANK}),
    ]
    (ground,) = table.find("青い凧")
    assert (ground.home, ground.facts) == ("side", {"cost": math.inf})
    (wing,) = table.find("白き翼(ホワイト・ウイング)")
    assert (wing.partial, wing.verified) == (frozenset({"kind"}), False)
    (halves,) = table.find("赤い凧／青い凧")
    assert halves.facts == {"kind": frozenset()}
    assert [(part.name, part.facts) for part in halves.parts] == [("赤い凧", {"cost": 1.0}), ("青い凧", {})]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("天のドラゴン凧", ["天の ドラゴン凧"]),
        ("天の　ﾄﾞﾗｺﾞﾝ凧", ["天の ドラゴン凧"]),
        ("SKY-dragon", ["天の ドラゴン凧"]),
        ("赤い凧 / 青い凧", ["赤い凧／青い凧"]),
        ("赤い凧", ["赤い凧／青い凧"]),
        ("青い凧", ["青い凧"]),
        ("裏の月", ["表の月"]),
        ("表の月/影の月", ["表の月"]),
        ("表の月／裏の月／影の月", ["表の月"]),
        ("対の片方", ["左の翼", "右の翼"]),
        ("大きな翼", ["左の翼", "右の翼"]),
        ("白き翼", ["白き翼(ホワイト・ウイング)"]),
        ("白き翼（ホワイトウイング）", ["白き翼(ホワイト・ウイング)"]),
        ("弓", []),
        ("弓（ゆみ）", ["弓(ゆみ)"]),
        ("ドラゴン凧", []),
        ("", []),
        ("・ー", []),
        ("\ud800", []),
        ("翼\0", []),
        ("あ" * 100_000, []),
    ],
)
def test_what_a_name_can_mean(table: CardTable, written: str, found: list[str]) -> None:
    assert sorted(names(table, written)) == sorted(found)


def test_names_by_their_beginning(table: CardTable) -> None:
    every = table.beginning("")
    assert {table.fold(card.name) for card in table} <= every
    assert all(table.find(key) for key in every)
    for start in {key[:2] for key in every}:
        assert table.beginning(start) == {key for key in every if key.startswith(start)} != set()
    assert table.beginning("無い") == frozenset()


def test_cards_come_oldest_first_and_only_real_ones(table: CardTable) -> None:
    listed = [card.name for card in table]
    assert len(table) == len(listed) == 9
    assert listed[:2] == ["天の ドラゴン凧", "表の月"]
    assert "大きな翼" not in listed
    assert all(card is table.find(card.name)[0] for card in table)


def test_search_looks_into_all_names_and_respects_its_limit(table: CardTable) -> None:
    assert [card.name for card in table.search("の月", 9)] == ["表の月"]
    assert [card.name for card in table.search("影", 9)] == ["表の月"]
    assert [card.name for card in table.search("ｄｒａｇ", 9)] == ["天の ドラゴン凧"]
    assert [card.name for card in table.search("青い", 9)] == ["青い凧", "赤い凧／青い凧"]
    assert [card.name for card in table.search("赤い", 9)] == ["赤い凧／青い凧"]
    assert len(table.search("翼", 2)) == 2
    assert table.search("・", 9) == []


def test_threads_share_one_card(table: CardTable) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(table.find, [f"左の{'・' * number}翼" for number in range(8)])]
    assert len({id(card) for (card,) in found}) == 1


CORRECTIONS = "corrections:\n  - {card: 右の翼, reason: Its value., set: {cost: 4}}\n"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A checkout: the texts with the table built beside them."""
    bundle = write_table(tmp_path / "texts", CARDS, CORRECTIONS)
    sources = sources_of(GAME, (), bundle)
    write_built_table(GAME, sources, sources.built)
    return bundle


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """An installed package: a table and no texts."""
    sources = sources_of(GAME, (), write_table(tmp_path / "source", CARDS, CORRECTIONS))
    write_built_table(GAME, sources, tmp_path / "installed" / "cards.sqlite")
    shutil.rmtree(tmp_path / "source")
    return tmp_path / "installed"


def answers(table: CardTable) -> object:
    """All that a table says."""
    keys = sorted(table.beginning(""))
    return (
        {key: [asdict(card) for card in table.find(key)] for key in keys},
        [(card.released, card.name) for card in table],
        {key: table.suggest(f"{key}だ") for key in keys},
        (table.version, len(table)),
    )


def cached(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").glob("*"))


@pytest.mark.parametrize("kind", ["texts", "installed"])
def test_a_built_table_says_what_the_texts_say(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    table = open_catalog(GAME, bundled=request.getfixturevalue(kind))
    assert not cached(tmp_path)
    from_texts = open_catalog(GAME, bundled=write_table(tmp_path / "plain", CARDS, CORRECTIONS))
    assert len(cached(tmp_path)) == 1
    assert answers(table) == answers(from_texts)
    assert table.find("右の翼")[0].corrections == ("Its value.",)


def test_building_again_writes_nothing_and_building_elsewhere_the_same_bytes(
    tmp_path: Path, texts: Path
) -> None:
    sources = sources_of(GAME, (), texts)
    before = sources.built.stat()
    write_built_table(GAME, sources, sources.built)
    after = sources.built.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    contents = []
    for name in ("one", "two"):
        copy = write_table(tmp_path / name, CARDS, CORRECTIONS)
        write_built_table(GAME, sources_of(GAME, (), copy), tmp_path / f"{name}.sqlite")
        contents.append((tmp_path / f"{name}.sqlite").read_bytes())
    assert contents[0] == contents[1]


def test_a_changed_text_is_noticed(texts: Path) -> None:
    write_table(texts, [*CARDS, {"name": "後の凧"}], CORRECTIONS.replace("4}", "5}"))
    table = open_catalog(GAME, bundled=texts)
    assert names(table, "後の凧") == ["後の凧"] and table.find("右の翼")[0].facts == {"cost": 5.0}
    # Also an older one of the same size.
    file = texts / "cards.jsonl"
    file.write_text(file.read_text("utf-8").replace("左の翼", "上の翼"), encoding="utf-8")
    os.utime(file, (1, 1))
    assert names(open_catalog(GAME, bundled=texts), "上の翼") == ["上の翼"]
    # So is another way to fold names.
    other = replace(GAME, folding=Folding(drop="の"))
    assert names(open_catalog(other, bundled=texts), "上翼") == ["上の翼"]


def test_the_version_follows_the_content_alone(tmp_path: Path) -> None:
    extra = tmp_path / "mine.yaml"
    versions = set()
    for text in ("", "cards: [{name: 新しい凧}]", "cards: [{name: 新しい凧だ}]"):
        extra.write_text(text, encoding="utf-8")
        bundle = write_table(tmp_path / f"bundle{len(text)}", CARDS)
        versions.add(open_catalog(GAME, bundled=bundle, extra=[extra] if text else []).version)
        assert open_catalog(GAME, bundled=bundle).version == open_catalog(GAME, bundled=bundle).version
    assert len(versions) == 3


@pytest.mark.parametrize("damage", ["empty", "text", "cut", "zeros", "other"])
def test_a_damaged_table_is_built_again(tmp_path: Path, texts: Path, damage: str) -> None:
    right = answers(open_catalog(GAME, bundled=texts))
    (texts / "cards.sqlite").unlink()
    open_catalog(GAME, bundled=texts)
    (file,) = cached(tmp_path)
    whole = file.read_bytes()
    if damage == "other":
        file.unlink()
        sqlite3.connect(file).close()
    else:
        middle = whole[:4096] + bytes(len(whole) - 4096)
        contents = {"empty": b"", "text": b"no table" * 999, "cut": whole[:5000], "zeros": middle}
        file.write_bytes(contents[damage])
    assert answers(open_catalog(GAME, bundled=texts)) == right
    assert len(file.read_bytes()) == len(whole)


def test_no_wrong_byte_is_more_than_another_answer(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    open_catalog(GAME, bundled=bundle)
    (file,) = cached(tmp_path)
    whole = file.read_bytes()
    for at in [*range(0, 100, amount(1, 3)), *range(100, len(whole), amount(41, 150))]:
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x15]) + whole[at + 1 :])
        table = open_catalog(GAME, bundled=bundle)
        answers(table)
        assert table.find("無い凧") == ()


def test_damage_in_an_installed_package_is_told(installed: Path) -> None:
    file = installed / "cards.sqlite"
    whole = file.read_bytes()
    for content in (b"", whole[:5000], whole[:4096] + bytes(len(whole) - 4096)):
        file.write_bytes(content)
        problem = problem_of(lambda: answers(open_catalog(GAME, bundled=installed)))
        assert problem.path == str(file) and "damaged" in problem.message.en
        assert problem.hint is not None and "install deckcheck again" in problem.hint.en


def test_a_cache_is_done_without_or_may_have_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "file" / "cache"))
    bundle = write_table(tmp_path / "bundle", CARDS)
    table = open_catalog(GAME, bundled=bundle)
    assert names(table, "裏の月") == ["表の月"]
    assert table.suggest("裏の月だ")[0] == "表の月"
    # No table at all is an empty one.
    none = open_catalog(GAME)
    assert (len(none), list(none), none.find("凧"), none.suggest("凧")) == (0, [], (), [])
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "a?b#c%41 凧"))
    open_catalog(GAME, bundled=bundle)
    monkeypatch.setattr("deckcheck.cards.table_builder.build_bundled_table", None)
    assert len(open_catalog(GAME, bundled=bundle)) == 9


@pytest.mark.skipif(os.name != "posix", reason="only where a file's name may be no text")
def test_a_path_may_be_no_text(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    extra = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.yaml"))
    extra.write_text("cards: [{name: 新しい凧}, {name: 左の翼}]", encoding="utf-8")
    for _ in range(2):
        table = open_catalog(GAME, bundled=bundle, extra=[extra])
        assert names(table, "新しい凧") == ["新しい凧"]
        assert table.find("左の翼")[0].own == f"{extra}:1"
    # The bundled cards, and these with the user's own.
    assert len(cached(tmp_path)) == 2


def test_several_may_build_at_once(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", [*CARDS, *({"name": f"凧{n}号"} for n in range(500))])
    start = threading.Barrier(3)

    def open_at_once(_number: int) -> tuple[int, list[str]]:
        start.wait()
        table = open_catalog(GAME, bundled=bundle)
        return len(table), names(table, "裏の月")

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(open_at_once, range(3))) == [(509, ["表の月"])] * 3
    assert [file.suffix for file in cached(tmp_path)] == [".sqlite"]


def test_old_tables_do_not_pile_up(tmp_path: Path) -> None:
    for number in range(9):
        open_catalog(GAME, bundled=write_table(tmp_path / f"bundle{number}", [{"name": f"凧{number}"}]))
    assert len(cached(tmp_path)) == 6


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes fork")
def test_a_forked_process_opens_its_own(table: CardTable) -> None:
    given_out, connection = table.find("左の翼")[0], table._table
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            right = names(table, "裏の月") == ["表の月"] and table.find("左のー翼")[0] is given_out
            os.write(write, b"yes" if right and table._table is not connection else b"no")
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    assert os.read(read, 9) == b"yes"
    os.close(read)
