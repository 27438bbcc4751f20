"""The cached card table: made anew when something changed, never wrong, and no reason for a run to fail."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from factories.examples import amount, examples
from factories.kites_game import CARDS, GAME, names, write_table
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from deckcheck.cards.catalog import CardTable, open_catalog
from deckcheck.cards.database import sources_of
from deckcheck.model.game import Folding
from deckcheck.support.errors import UserError

pytestmark = pytest.mark.usefixtures("own_folders")


def cache_files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").iterdir())


def test_version_follows_content_and_nothing_else(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    extra = tmp_path / "mine.yaml"
    extra.write_text("cards: [{name: 新しい凧}]", encoding="utf-8")
    plain = open_catalog(GAME, bundled=bundle).version
    first = open_catalog(GAME, bundled=bundle, extra=[extra]).version
    extra.write_text("cards: [{name: 新しい凧だ}]", encoding="utf-8")
    second = open_catalog(GAME, bundled=bundle, extra=[extra]).version
    assert len({plain, first, second}) == 3
    copy = write_table(tmp_path / "copy", CARDS)
    assert open_catalog(GAME, bundled=copy).version == plain


def test_a_changed_source_or_folding_is_noticed(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    assert open_catalog(GAME, bundled=bundle).find("後の凧") == ()
    write_table(bundle, [*CARDS, {"name": "後の凧"}])
    assert names(open_catalog(GAME, bundled=bundle), "後の凧") == ["後の凧"]
    other = GAME._replace(folding=Folding(drop="の"))
    assert names(open_catalog(other, bundled=bundle), "後凧") == ["後の凧"]


def test_a_fresh_table_is_opened_and_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    open_catalog(GAME, bundled=bundle)
    monkeypatch.setattr("deckcheck.cards.compile.compile_bundled", None)
    assert len(open_catalog(GAME, bundled=bundle)) == 9
    assert len(cache_files(tmp_path)) == 1


@pytest.mark.parametrize("damage", ["empty", "text", "cut", "other"])
def test_a_damaged_cache_is_replaced(tmp_path: Path, damage: str) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    open_catalog(GAME, bundled=bundle)
    (file,) = cache_files(tmp_path)
    whole = file.read_bytes()
    if damage == "other":
        file.unlink()
        sqlite3.connect(file).close()
    else:
        file.write_bytes({"empty": b"", "text": b"no table" * 999, "cut": whole[:4096]}[damage])
    assert names(open_catalog(GAME, bundled=bundle), "裏の月") == ["表の月"]
    assert len(file.read_bytes()) == len(whole)


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_cache_with_wrong_bytes_never_gives_a_wrong_record(tmp_path: Path, data: st.DataObject) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    open_catalog(GAME, bundled=bundle)
    (file,) = cache_files(tmp_path)
    raw = bytearray(file.read_bytes())
    at = raw.index(b"cost=3") + data.draw(st.integers(-80, 80))
    raw[at] ^= data.draw(st.integers(1, 255))
    file.write_bytes(raw)
    card = open_catalog(GAME, bundled=bundle).find("Sky Dragon")[0]
    assert (card.name, card.facts["cost"]) == ("天の ドラゴン凧", 3.0)
    file.unlink()


def test_a_flipped_byte_anywhere_changes_no_answer(tmp_path: Path) -> None:
    """Neither a card nor a key, and nothing that isn't there is made of one."""
    bundle = write_table(tmp_path / "bundle", CARDS)

    def answers() -> object:
        table = open_catalog(GAME, bundled=bundle)
        keys = sorted(table.beginning(""))
        found = {key: [(card.name, card.facts, card.home) for card in table.find(key)] for key in keys}
        return (
            found,
            table.find("無い凧"),
            table.beginning("天"),
            table.suggest("裏の月だ"),
            table.suggest("ドラゴン凧"),
            [card.name for card in table],
            (table.version, len(table)),
        )

    right = answers()
    (file,) = cache_files(tmp_path)
    whole = file.read_bytes()
    for at in [*range(0, 100, amount(1, 3)), *range(100, len(whole), amount(41, 150))]:
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x15]) + whole[at + 1 :])
        assert answers() == right, at


def test_damage_met_late_keeps_the_cards_that_were_given_out(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    table = open_catalog(GAME, bundled=bundle)
    given_out = table.find("左の翼")[0]
    table._below.database.close()
    table._below.database = sqlite3.connect(":memory:")
    assert names(table, "裏の月") == ["表の月"]
    assert table.find("左のー翼")[0] is given_out


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "file" / "cache"))
    table = open_catalog(GAME, bundled=write_table(tmp_path / "bundle", CARDS))
    assert names(table, "裏の月") == ["表の月"]
    assert table.suggest("裏の月だ")[0] == "表の月"


def test_folder_names_may_hold_any_character(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "a?b#c%41 凧"))
    table = open_catalog(GAME, bundled=write_table(tmp_path / "bundle", CARDS))
    assert table._below.database.execute("PRAGMA database_list").fetchone()[2].endswith(".sqlite")


@pytest.mark.skipif(os.name != "posix", reason="only where a file's name may be no text")
def test_a_path_may_be_no_text(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "bundle", CARDS)
    extra = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.yaml"))
    extra.write_text("cards: [{name: 新しい凧}, {name: 左の翼}]", encoding="utf-8")
    for _ in range(2):
        table = open_catalog(GAME, bundled=bundle, extra=[extra])
        assert names(table, "新しい凧") == ["新しい凧"]
        assert table.find("左の翼")[0].own == f"{extra}:1"
    # The bundled cards, and the user's own over them.
    assert len(cache_files(tmp_path)) == 2


def _open_at_once(bundle: Path, start: object, answers: object) -> None:
    start.wait()  # type: ignore[attr-defined]
    table = open_catalog(GAME, bundled=bundle)
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
        open_catalog(GAME, bundled=write_table(tmp_path / f"bundle{number}", [{"name": f"凧{number}"}]))
    assert len(cache_files(tmp_path)) == 12


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes fork")
def test_a_forked_process_opens_its_own(table: CardTable) -> None:
    given_out, connection = table.find("左の翼")[0], table._below.database
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            right = names(table, "裏の月") == ["表の月"] and table.find("左のー翼")[0] is given_out
            os.write(write, b"yes" if right and table._below.database is not connection else b"no")
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
        "import deckcheck.cards.catalog as catalog\n"
        "from deckcheck.model.game import Game, ListWords\n"
        "from deckcheck.model.game import Folding\n"
        "from deckcheck.support.messages import localized\n"
        "zones = {'sky': None}\n"
        "game = Game('kites', localized('kites'), Folding(), {}, zones, {}, ListWords({}, frozenset(), (), {}, (), ()))\n"
        "table = catalog.open_catalog(game, bundled=Path(sys.argv[2]))\n"
        "print(len(table), len(table.find('a')), loaded())\n"
    )
    (bundle / "cards.jsonl").write_text('{"name":"a"}\n', encoding="utf-8")
    command = [sys.executable, "-c", program, str(Path(__file__).parent.parent.parent), str(bundle)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert runs[0].startswith("1 1")
    assert runs[1] == "1 1 []\n"


def test_many_look_ups_give_what_few_give(tmp_path: Path) -> None:
    """From some hundred look-ups on, all of the table is in memory."""
    bundle = write_table(tmp_path / "bundle", [*CARDS, *({"name": f"凧{n}号"} for n in range(700))])
    table = open_catalog(GAME, bundled=bundle)
    given_out = {number: table.find(f"凧{number}号")[0] for number in range(700)}
    for number in range(0, 700, 9):
        few = open_catalog(GAME, bundled=bundle)
        assert few.find(f"凧{number}号")[0]._asdict() == given_out[number]._asdict()
        assert table.find(f"凧{number} 号")[0] is given_out[number]
    assert table.find("裏の月")[0].name == few.find("裏の月")[0].name == "表の月"
    assert table.find("無い凧") == few.find("無い凧") == ()
    for start in ("", "凧", "凧1", "天", "無"):
        assert table.beginning(start) == few.beginning(start)
    assert [card.name for card in table] == [card.name for card in few]
