"""The card table as it is used: opened, looked up, cached. The game is made up."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckcheck.cards import NO_RANK
from deckcheck.cardtable.catalogue import CardTable, open_catalogue
from deckcheck.cardtable.places import sources_of
from deckcheck.cardtable.search import search
from deckcheck.errors import UserError
from deckcheck.games import Attribute, Game, Words, Zone
from deckcheck.names import Folding
from deckcheck.text import Text, both

NO_WORDS = Words({}, frozenset(), (), {}, (), ())
GAME = Game(
    id="kites",
    name=Text("凧", "Kites"),
    folding=Folding(drop="'~・-ー", replace={"〈": "<"}),
    attributes={
        "wind": Attribute("wind", "values", Text("風", "wind"), values=("north", "south")),
        "kind": Attribute("kind", "values", Text("種類", "kind")),
        "cost": Attribute("cost", "number", Text("値", "cost")),
        "rank": Attribute("rank", "rank", Text("位", "rank"), order=(("C",), ("U",), ("R", "RR"))),
        "home": Attribute("home", "home", Text("場所", "home")),
    },
    zones={zone: Zone(zone, both(zone)) for zone in ("sky", "ground")},
    statuses={},
    words=NO_WORDS,
)

SETS = {"released": {"K1": "2001-01-01", "K2": "2002-02-02"}, "approximate": ["K2"], "newest": "2002-02"}
CARDS = [
    {
        "name": "天の ドラゴン凧",
        "aliases": ["Sky Dragon"],
        "wind": ["north"],
        "cost": 3,
        "printings": [{"set": "K2", "rank": "R"}, {"set": "K1"}, {"set": "K1", "rank": None}],
    },
    {"name": "赤い凧／青い凧", "parts": [{"name": "赤い凧", "cost": 1}, {"name": "青い凧"}], "kind": []},
    {"name": "青い凧", "cost": "∞", "home": "ground"},
    {"name": "表の月", "faces": [{"name": "裏の月"}, {"name": "影の月"}], "released": "2005-05-05"},
    {"name": "左の翼", "aliases": ["対の片方"]},
    {
        "name": "右の翼",
        "aliases": ["対の片方"],
        "printings": [{"set": "PROMO", "rank": "<=U"}, {"set": "K1"}],
    },
    {"name": "大きな翼", "made_of": ["左の翼", "右の翼"]},
    {"name": "白き翼(ホワイト・ウイング)", "partial": ["kind"], "kind": ["wing"], "verified": False},
    {"name": "弓(ゆみ)"},
    {"name": "弓(きゅう)"},
]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("DECKCHECK_DATA_DIR", str(tmp_path / "data"))


def write_table(folder: Path, cards: list[dict[str, object]], corrections: str = "") -> Path:
    """A bundle of source files in `folder`, which is returned."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(card, ensure_ascii=False) + "\n" for card in cards)
    (folder / "cards.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "sets.json").write_text(json.dumps(SETS), encoding="utf-8")
    if corrections:
        (folder / "corrections.yaml").write_text(corrections, encoding="utf-8")
    return folder


@pytest.fixture
def table(tmp_path: Path) -> CardTable:
    return open_catalogue(GAME, bundled=write_table(tmp_path / "bundle", CARDS))


def names(table: CardTable, name: str) -> list[str]:
    return [card.name for card in table.find(name)]


def cache_files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").iterdir())


def test_facts_come_through(table: CardTable) -> None:
    (card,) = table.find("天の ドラゴン凧")
    assert card.home == "sky"
    assert card.facts == {"wind": frozenset({"north"}), "cost": 3.0}
    assert [(item.set, item.released, item.ranks) for item in card.printings] == [
        ("K2", "2002-02-02", {"rank": "R"}),
        ("K1", "2001-01-01", {}),
        ("K1", "2001-01-01", {"rank": NO_RANK}),
    ]
    (ground,) = table.find("青い凧")
    assert (ground.home, ground.facts) == ("ground", {"cost": math.inf})
    (wing,) = table.find("白き翼(ホワイト・ウイング)")
    assert (wing.partial, wing.verified) == (frozenset({"kind"}), False)
    (halves,) = table.find("赤い凧／青い凧")
    assert halves.facts == {"kind": frozenset()}
    assert [(part.name, part.facts) for part in halves.parts] == [("赤い凧", {"cost": 1.0}), ("青い凧", {})]


def test_released_is_the_first_printing_only_when_all_are_dated(table: CardTable) -> None:
    assert table.find("天の ドラゴン凧")[0].released == "2001-01-01"
    assert table.find("右の翼")[0].released is None
    assert table.find("表の月")[0].released == "2005-05-05"
    assert table.find("左の翼")[0].released is None


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


SPELLINGS = st.lists(st.sampled_from(["'", "~", "・", "-", "ー", " ", "　"]), min_size=0, max_size=3)


def test_names_by_their_beginning(table: CardTable) -> None:
    every = table.beginning("")
    assert {table.fold(card.name) for card in table} <= every
    assert all(table.find(key) for key in every)
    for start in {key[:2] for key in every}:
        assert table.beginning(start) == {key for key in every if key.startswith(start)} != set()
    assert table.beginning("無い") == frozenset()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_spellings_that_fold_alike_give_the_very_same_card(table: CardTable, data: st.DataObject) -> None:
    card = data.draw(st.sampled_from([card for card in table if card.name != "弓(ゆみ)"]))
    written = "".join(char + "".join(data.draw(SPELLINGS)) for char in card.name)
    if data.draw(st.booleans()):
        written = written.upper()
    (found,) = table.find(written)
    assert found is card


def test_cards_come_oldest_first_and_only_real_ones(table: CardTable) -> None:
    listed = [card.name for card in table]
    assert len(table) == len(listed) == 9
    assert listed[:2] == ["天の ドラゴン凧", "表の月"]
    assert "大きな翼" not in listed
    assert all(card is table.find(card.name)[0] for card in table)


def test_many_different_misspellings_leave_the_cards_the_same(
    table: CardTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckcheck.cardtable.catalogue._MOST_REMEMBERED", 5)
    before = table.find("左の翼")[0]
    for number in range(20):
        assert table.find(f"x{number}") == ()
    assert table.find("左の翼")[0] is before
    assert len(table._found) <= 5


def test_suggestions_put_names_without_their_title_first(tmp_path: Path) -> None:
    cards = [
        {"name": name} for name in ("ドラゴン凧師", "ドラゴン凧壱", "地の ドラゴン凧", "天の ドラゴン凧")
    ]
    table = open_catalogue(GAME, bundled=write_table(tmp_path / "bundle", cards))
    assert table.suggest("ドラゴン凧")[:2] == ["地の ドラゴン凧", "天の ドラゴン凧"]
    assert sorted(table.suggest("ドラゴン凧")) == sorted(card["name"] for card in cards)
    assert table.suggest("地のドラコン凧")[0] == "地の ドラゴン凧"
    assert table.suggest("wholly different") == []
    assert table.suggest("・") == []


def test_suggestions_are_canonical_names_and_five_at_most(table: CardTable, tmp_path: Path) -> None:
    assert table.suggest("sky dragom") == ["天の ドラゴン凧"]
    many = write_table(tmp_path / "many", [{"name": f"長い名前の凧{number}"} for number in range(9)])
    assert len(open_catalogue(GAME, bundled=many).suggest("長い名前の凧")) == 5


def test_search_looks_into_all_names_and_respects_its_limit(table: CardTable) -> None:
    assert [card.name for card in search(table, "の月", 9)] == ["表の月"]
    assert [card.name for card in search(table, "影", 9)] == ["表の月"]
    assert [card.name for card in search(table, "ｄｒａｇ", 9)] == ["天の ドラゴン凧"]
    assert [card.name for card in search(table, "青い", 9)] == ["赤い凧／青い凧", "青い凧"]
    assert [card.name for card in search(table, "赤い", 9)] == ["赤い凧／青い凧"]
    assert len(search(table, "翼", 2)) == 2
    assert search(table, "・", 9) == []


def test_extra_files_replace_add_and_collide(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    extra = tmp_path / "mine.yaml"
    extra.write_text(
        "cards:\n"
        "  - name: 天のドラゴン凧\n    cost: 9\n    released: 2010-01-01\n"
        "  - {name: 新しい凧, aliases: [左の翼], printings: [{set: K1, rank: RR, released: 1999-09-09}]}\n",
        encoding="utf-8",
    )
    table = open_catalogue(GAME, bundled=bundle, extra=[extra])
    (replaced,) = table.find("天の ドラゴン凧")
    assert (replaced.name, replaced.facts, replaced.released) == (
        "天のドラゴン凧",
        {"cost": 9.0},
        "2010-01-01",
    )
    assert table.find("sky dragon") == ()
    assert sorted(names(table, "左の翼")) == ["左の翼", "新しい凧"]
    assert table.find("新しい凧")[0].released == "1999-09-09"
    assert next(iter(table)).name == "新しい凧"
    assert len(table) == 10


def test_version_follows_content_and_nothing_else(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    extra = tmp_path / "mine.yaml"
    extra.write_text("cards: [{name: 新しい凧}]", encoding="utf-8")
    plain = open_catalogue(GAME, bundled=bundle).version
    first = open_catalogue(GAME, bundled=bundle, extra=[extra]).version
    extra.write_text("cards: [{name: 新しい凧だ}]", encoding="utf-8")
    second = open_catalogue(GAME, bundled=bundle, extra=[extra]).version
    assert len({plain, first, second}) == 3
    copy = write_table(tmp_path / "copy", CARDS)
    assert open_catalogue(GAME, bundled=copy).version == plain


def test_a_changed_source_or_folding_is_noticed(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    assert open_catalogue(GAME, bundled=bundle).find("後の凧") == ()
    write_table(bundle, [*CARDS, {"name": "後の凧"}])
    assert names(open_catalogue(GAME, bundled=bundle), "後の凧") == ["後の凧"]
    other = GAME._replace(folding=Folding(drop="の"))
    assert names(open_catalogue(other, bundled=bundle), "後凧") == ["後の凧"]


def test_a_fresh_table_is_opened_and_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    told: list[tuple[int, int]] = []
    open_catalogue(GAME, bundled=bundle, progress=lambda *step: told.append(step))
    assert told[-1][0] == told[-1][1] > 0
    monkeypatch.setattr("deckcheck.cardtable.assemble.gather", None)
    assert len(open_catalogue(GAME, bundled=bundle)) == 9
    assert len(cache_files(tmp_path)) == 1


def test_no_table_at_all_is_an_empty_one() -> None:
    table = open_catalogue(GAME)
    assert (len(table), list(table), table.find("凧"), table.suggest("凧")) == (0, [], (), [])


@pytest.mark.parametrize("damage", ["empty", "text", "cut", "other"])
def test_a_damaged_cache_is_replaced(tmp_path: Path, damage: str) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    open_catalogue(GAME, bundled=bundle).close()
    (file,) = cache_files(tmp_path)
    whole = file.read_bytes()
    if damage == "other":
        file.unlink()
        sqlite3.connect(file).close()
    else:
        file.write_bytes({"empty": b"", "text": b"no table" * 999, "cut": whole[:4096]}[damage])
    assert names(open_catalogue(GAME, bundled=bundle), "裏の月") == ["表の月"]
    assert len(file.read_bytes()) == len(whole)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(data=st.data())
def test_a_cache_with_wrong_bytes_never_gives_a_wrong_record(tmp_path: Path, data: st.DataObject) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    open_catalogue(GAME, bundled=bundle).close()
    (file,) = cache_files(tmp_path)
    raw = bytearray(file.read_bytes())
    at = raw.index(b'"cost":3') + data.draw(st.integers(-80, 80))
    raw[at] ^= data.draw(st.integers(1, 255))
    file.write_bytes(raw)
    card = open_catalogue(GAME, bundled=bundle).find("Sky Dragon")[0]
    assert (card.name, card.facts["cost"]) == ("天の ドラゴン凧", 3.0)
    file.unlink()


def test_damage_met_late_keeps_the_cards_that_were_given_out(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    table = open_catalogue(GAME, bundled=bundle)
    given_out = table.find("左の翼")[0]
    table._database.close()
    table._database = sqlite3.connect(":memory:")
    assert names(table, "裏の月") == ["表の月"]
    assert table.find("左のー翼")[0] is given_out


def test_a_closed_table_opens_again(table: CardTable) -> None:
    table.close()
    assert names(table, "裏の月") == ["表の月"]


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "file" / "cache"))
    table = open_catalogue(GAME, bundled=write_table(tmp_path / "bundle", CARDS))
    assert names(table, "裏の月") == ["表の月"]
    assert table.suggest("裏の月だ")[0] == "表の月"


def test_folder_names_may_hold_any_character(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "a?b#c%41 凧"))
    table = open_catalogue(GAME, bundled=write_table(tmp_path / "bundle", CARDS))
    assert table._database.execute("PRAGMA database_list").fetchone()[2].endswith(".sqlite")


def _open_at_once(bundle: Path, start: object, answers: object) -> None:
    start.wait()  # type: ignore[attr-defined]
    table = open_catalogue(GAME, bundled=bundle)
    answers.put((len(table), names(table, "裏の月")))  # type: ignore[attr-defined]


def test_several_processes_may_compile_at_once(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", [*CARDS, *({"name": f"凧{n}号"} for n in range(2000))])
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(3), context.Queue()
    workers = [context.Process(target=_open_at_once, args=(bundle, start, answers)) for _ in range(3)]
    for worker in workers:
        worker.start()
    assert [answers.get(timeout=60) for _ in workers] == [(2009, ["表の月"])] * 3
    for worker in workers:
        worker.join()
    assert [file.suffix for file in cache_files(tmp_path)] == [".sqlite"]


def test_old_tables_do_not_pile_up(tmp_path: Path) -> None:
    for number in range(15):
        open_catalogue(
            GAME, bundled=write_table(tmp_path / f"bundle{number}", [{"name": f"凧{number}"}])
        ).close()
    assert len(cache_files(tmp_path)) == 12


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes fork")
def test_a_forked_process_opens_its_own(table: CardTable) -> None:
    given_out, connection = table.find("左の翼")[0], table._database
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            right = names(table, "裏の月") == ["表の月"] and table.find("左のー翼")[0] is given_out
            os.write(write, b"yes" if right and table._database is not connection else b"no")
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    assert os.read(read, 9) == b"yes"
    os.close(read)


def test_the_id_of_a_game_leads_to_no_other_folder() -> None:
    other = GAME._replace(id="../x")
    with pytest.raises(UserError):
        sources_of(other)


def test_opening_a_fresh_table_loads_nothing_heavy(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "loaded = lambda: sorted({'yaml', 'rapidfuzz', 'jsonschema'} & sys.modules.keys())\n"
        "from pathlib import Path\n"
        "import deckcheck.cardtable.catalogue as catalogue\n"
        "from deckcheck.games import Game, Words\n"
        "from deckcheck.names import Folding\n"
        "from deckcheck.text import both\n"
        "zones = {'sky': None}\n"
        "game = Game('kites', both('kites'), Folding(), {}, zones, {}, Words({}, frozenset(), (), {}, (), ()))\n"
        "table = catalogue.open_catalogue(game, bundled=Path(sys.argv[2]))\n"
        "print(len(table), len(table.find('a')), loaded())\n"
    )
    (bundle / "cards.jsonl").write_text('{"name":"a"}\n', encoding="utf-8")
    command = [sys.executable, "-c", program, str(Path(__file__).parent.parent), str(bundle)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert runs[0].startswith("1 1") and "yaml" in runs[0]
    assert runs[1] == "1 1 []\n"


def test_the_bundled_table_opens() -> None:
    root = Path(__file__).parent.parent
    told = yaml.safe_load((root / "formats" / "duel-masters" / "game.yaml").read_text(encoding="utf-8"))
    attributes = {
        key: Attribute(
            key,
            item["kind"],
            both(key),
            tuple(item.get("values", ())),
            order=tuple(tuple(step) for step in item.get("order", ())),
        )
        for key, item in told["attributes"].items()
    }
    zones = {zone: Zone(zone, both(zone)) for zone in told["zones"]}
    game = Game(told["game"], both("dm"), Folding(**told["names"]), attributes, zones, {}, NO_WORDS)
    table = open_catalogue(game)
    assert len(table) > 11_000
    assert names(table, "天災ﾃﾞﾄﾞﾀﾞﾑ") == ["天災 デドダム"]
    assert table.suggest("デドダム")[0] == "天災 デドダム"
    known = [card.released for card in table if card.released is not None]
    assert known == sorted(known)
    assert all(card in table.find(card.name) for card in table)
