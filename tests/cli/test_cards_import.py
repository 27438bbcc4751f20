"""`deckcheck cards import` of large files, from the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from factories.commands import run_here, run_process
from factories.mtgjson import all_printings, atomic, entry
from factories.scryfall import DEFAULT, scryfall
from factories.ygopro_files import cdb, packed

from deckcheck.cli import command, terminal
from deckcheck.cli.import_command import file_progress

Run = Callable[..., str]


pytestmark = pytest.mark.usefixtures("fewer_cards")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def running(*arguments: object, status: int = 0, lang: str = "en") -> str:
        ended = run_here("cards", *arguments, "--lang", lang)
        said = "".join(capsys.readouterr())
        assert ended == status, said
        return said

    return running


def test_what_is_told_of_an_import(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "AllPrintings.json.xz"
    file.write_bytes(packed(all_printings(), "xz"))
    store = tmp_path / "data" / "magic" / "cards.jsonl"
    assert run("import", file).splitlines() == [
        "MTGJSON (2026-11-20)",
        f"9 added, 0 changed, 0 unchanged: {store}",
        "left out: cards that are never in a deck 1, digital-only versions 1, tokens and emblems 2",
    ]
    assert run("import", file, lang="ja").splitlines() == [
        "MTGJSON (2026-11-20)",
        f"追加0枚、変更0枚、変更なし9枚: {store}",
        "入れなかったもの: デッキに入らないカード 1、オンライン専用の調整版 1、トークン・紋章 2",
    ]
    assert run("import", file, "--quiet") == f"0 added, 0 changed, 9 unchanged: {store}\n"


def test_collisions_and_unknown_words_are_told(tmp_path: Path, run: Run) -> None:
    data = {
        "Kite, Lit": [entry("Kite, Lit", legalities={})],
        "Kite Lit": [entry("Kite Lit", types=["Gadget"])],
        "Bell": [entry("Bell", flavorName="Kite Lit")],
    }
    file = tmp_path / "a.json"
    file.write_bytes(atomic(data))
    assert run("import", file).splitlines()[2:] == [
        "left out because of their names: “Kite, Lit” (same as “Kite Lit”)",
        "aliases that could mean another card, too: “Kite Lit” (Bell)",
        "words that the game does not define: type Gadget (1)",
    ]
    assert run("import", file, lang="ja").splitlines()[2:] == [
        "名前が重なるので入れなかったカード: 「Kite, Lit」（「Kite Lit」と区別できません）",
        "ほかのカードと重なる別名: 「Kite Lit」（Bell）",
        "ゲームの定義にない語: type Gadget (1)",
    ]


def test_the_imported_cards_are_shown(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "default-cards.json"
    file.write_bytes(scryfall(DEFAULT))
    run("import", file)
    assert "Tin Kite" in run("show", "ブリキの凧", "--game", "magic")
    assert "Paper Dragon" not in run("search", "paper dra", "--game", "magic", status=1)
    run("import", cdb(tmp_path / "cards.cdb"))
    assert run("search", "paper dra", "--game", "yugioh") == "Paper Dragon\n"


def test_options_that_do_not_fit(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(atomic())
    assert "MTGJSON is data for magic" in run("import", file, "--game", "yugioh", status=2)
    assert "unknown source 'nobody'" in run("import", file, "--from", "nobody", status=2)
    assert "not a list of cards from Scryfall" in run("import", file, "--from", "scryfall", status=2)
    assert "no such file" in run("import", tmp_path / "none.json", status=2)
    assert "読めません" in run("import", tmp_path, status=2, lang="ja")


def test_own_card_files_are_taken_in_as_ever(tmp_path: Path, run: Run) -> None:
    for name in ("own.jsonl", "own.json", "own"):
        file = tmp_path / name
        file.write_text('{"name": "My Own"}\n', encoding="utf-8")
        run("import", file, "--game", "magic")
    assert run("search", "my own", "--game", "magic") == "My Own\n"


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ('{"name": "明日の新カード", "civilization": ["火"], "cost": 5}', "duel-masters"),
        ('{"name": "My Own", "mana_value": 5}', "magic"),
        ('{"name": "My Own", "frame": ["Fusion"]}', "yugioh"),
    ],
)
def test_a_card_file_tells_its_game_by_its_words(tmp_path: Path, run: Run, line: str, game: str) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(line + "\n", encoding="utf-8")
    assert f"/{game}/cards.jsonl" in run("import", file)


def test_where_no_game_is_told_it_is_asked_for(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text('{"name": "My Own"}\n', encoding="utf-8")
    assert (
        run("import", file, status=2)
        == "error: --game is required; choose from duel-masters, magic, yugioh\n"
    )
    assert "there is no game “chess”" in run("import", file, "--game", "chess", status=2)
    file.write_text('{"nam": "My Own"}\n', encoding="utf-8")
    assert "did you mean 'name'?" in run("import", file, status=2)


@pytest.mark.parametrize("text", ["", "hello\n", "[1, 2\n", "<html></html>\n"])
def test_what_is_no_card_data_is_told_as_such(tmp_path: Path, run: Run, text: str) -> None:
    file = tmp_path / "download.json"
    file.write_text(text, encoding="utf-8")
    said = run("import", file, status=2)
    assert said.startswith(f"{file}: error: not a known kind of card data\n")
    assert "mtgjson, scryfall, ygopro" in said
    assert "カードのデータとして読めません" in run("import", file, status=2, lang="ja")


def test_a_pipe_is_refused_with_a_reason(run: Run) -> None:
    said = "error: cannot import from standard input or a pipe; name a file"
    assert run("import", "-", status=2) == f"-: {said}\n"


def test_no_bar_in_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(atomic())
    done = run_process(["cards", "import", str(file), "--lang", "en"], encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("MTGJSON")


def test_a_bar_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(atomic())
    monkeypatch.setattr(terminal, "is_terminal", lambda _: True)
    monkeypatch.setattr(terminal, "_PATIENCE", -1)
    monkeypatch.setattr(terminal.time, "monotonic", iter(range(100)).__next__)
    with file_progress(command.Run("ja"), file) as advance:
        advance(10)
    assert capsys.readouterr().err.startswith("\r読み込み中 [")
    with file_progress(command.Run("ja", {"quiet": True}), file) as advance:
        advance(10)
    assert capsys.readouterr().err == ""


def test_a_check_loads_none_of_this() -> None:
    """Nothing of the importers, nor what they need, is there when a deck is checked or a card looked up."""
    code = """
import sys
import deckcheck.cli.app, deckcheck.cli.command
import deckcheck.cli.check, deckcheck.cli.cards, deckcheck.checking
loaded = [name for name in sys.modules if "importers" in name or name.split(".")[0] in ("ijson", "rich", "filelock", "gzip", "zipfile")]
print(loaded)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
