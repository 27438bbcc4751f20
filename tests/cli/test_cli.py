"""The command as people use it: statuses, streams, languages and colours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from factories.commands import Done, deckcheck, environment, run_process, run_within

from deckcheck.support import VERSION
from deckcheck.support.files import shipped

ROOT = Path(__file__).parent.parent.parent
FORMAT = str(Path(__file__).parent.parent / "fixtures" / "format.yaml")
LEGAL = "4 x 天災 デドダム\n4 x 青銅の鎧\n"
ILLEGAL = "9 x 天災 デドダム\n"
UNDECIDED = LEGAL + "1 x 誰も知らないカード\n"


def check(*arguments: str, given: bytes = b"", cwd: Path | None = None, **more: str) -> Done:
    return deckcheck("check", "-f", FORMAT, "--as-of", "2024-01-20", *arguments, given=given, cwd=cwd, **more)


@pytest.fixture
def decks(tmp_path: Path) -> Path:
    for name, content in (("legal", LEGAL), ("illegal", ILLEGAL), ("undecided", UNDECIDED)):
        (tmp_path / f"{name}.txt").write_text(content, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [("-", "illegal.txt"), ("none.txt", "--lang", "ja"), ("--output-format", "json", "."), ("--bad",)],
)
def test_a_command_in_this_process_does_what_a_new_one_does(decks: Path, words: tuple[str, ...]) -> None:
    """Quick runs rest on this; thorough ones begin new processes."""
    command, env = ["check", "-f", FORMAT, *words], environment(DECKCHECK_LANG="en", COLUMNS="70")
    new = subprocess.run(
        [sys.executable, "-m", "deckcheck", *command],
        cwd=decks,
        env=env,
        input=b"4 x ?\n",
        capture_output=True,
    )
    here = run_within(command, decks, env, b"4 x ?\n")
    assert (here.returncode, here.stdout, here.stderr) == (new.returncode, new.stdout, new.stderr)


@pytest.mark.parametrize(
    ("paths", "status"),
    [
        (["legal.txt"], 0),
        (["illegal.txt"], 1),
        (["undecided.txt"], 3),
        (["legal.txt", "undecided.txt"], 3),
        (["undecided.txt", "illegal.txt", "legal.txt"], 1),
        (["illegal.txt", "none.txt"], 2),
        (["none.txt", "undecided.txt"], 2),
        (["."], 1),
    ],
)
def test_exit_status(decks: Path, paths: list[str], status: int) -> None:
    assert check(*paths, cwd=decks).status == status


def test_a_deck_may_name_its_format(decks: Path) -> None:
    (decks / "own.yaml").write_text(
        Path(FORMAT).read_text("utf-8").replace("at_least: 8", "at_least: 9"), "utf-8"
    )
    (decks / "banlist.yaml").write_bytes((Path(FORMAT).parent / "banlist.yaml").read_bytes())
    (decks / "legal.txt").write_text("# format: own.yaml\n" + LEGAL, encoding="utf-8")
    assert deckcheck("check", "legal.txt", cwd=decks).status == 1
    assert check("legal.txt", cwd=decks).status == 0, "an option wins over the header"
    done = deckcheck("check", "undecided.txt", "--lang", "en", cwd=decks)
    assert done.status == 2
    assert done.err.startswith("undecided.txt: error: no format\n")
    (decks / "legal.txt").write_text("# format: no-such-format\n" + LEGAL, encoding="utf-8")
    done = deckcheck("check", "legal.txt", cwd=decks)
    assert (done.status, done.err.partition(":")[0]) == (2, "legal.txt")


@pytest.mark.parametrize(
    "text",
    [
        "format: x\nbest-of: many\ncards: [4 x 天災 デドダム]\n",
        '{\n "best-of": "many",\n "cards": ["4 x 天災 デドダム"]\n}\n',
        "\n# Best of: many\n4 x 天災 デドダム\n",
    ],
)
def test_the_line_is_found_in_every_notation(tmp_path: Path, text: str) -> None:
    (tmp_path / "deck").write_text(text, encoding="utf-8")
    done = deckcheck("check", "-f", FORMAT, "deck", cwd=tmp_path)
    assert done.err.startswith("deck:2:"), done.err


@pytest.mark.parametrize(
    ("variables", "japanese"),
    [
        ({"LANG": "ja_JP.UTF-8"}, True),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C.UTF-8"}, False),
        ({"LC_MESSAGES": "ja_JP.UTF-8", "LANG": "en_GB.UTF-8"}, True),
        ({}, False),
    ],
)
def test_language_comes_from_the_locale(variables: dict[str, str], japanese: bool) -> None:
    done = check("-", given=LEGAL.encode(), **variables)
    assert ("問題なし" in done.out) == japanese
    assert ("デッキを調べます" in deckcheck("check", "--help", **variables).out) == japanese
    assert "問題なし" in check("-", "--lang", "ja", given=LEGAL.encode(), **variables).out


@pytest.mark.parametrize(
    ("arguments", "variables", "colored"),
    [
        ((), {}, False),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        (("--output-format", "json", "--color", "always"), {}, False),
    ],
)
def test_colors(arguments: tuple[str, ...], variables: dict[str, str], colored: bool) -> None:
    assert ("\x1b[" in check("-", *arguments, given=ILLEGAL.encode(), **variables).out) == colored


def test_what_cannot_be_encoded_is_written_out(decks: Path) -> None:
    env = environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    done = run_process(["check", "-f", FORMAT, "illegal.txt", "--lang", "ja"], cwd=decks, env=env)
    assert done.returncode == 1
    assert done.stdout.isascii()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_a_deck_may_come_through_a_pipe(tmp_path: Path) -> None:
    import threading

    os.mkfifo(tmp_path / "deck")
    feed = threading.Thread(target=lambda: (tmp_path / "deck").write_text(LEGAL, "utf-8"))
    feed.start()
    assert check("deck", cwd=tmp_path).out.startswith("deck: legal")
    feed.join()


@pytest.mark.skipif(os.name == "nt", reason="folders are protected otherwise")
def test_it_works_where_nothing_can_be_kept(tmp_path: Path, decks: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file, so no folder can be made below it", encoding="utf-8")
    done = check("legal.txt", cwd=decks, DECKCHECK_CACHE_DIR=str(blocked / "cache"))
    assert (done.status, done.err) == (0, "")


def test_a_deck_of_whatever_bytes_is_an_answer_not_a_traceback(tmp_path: Path) -> None:
    for number, content in enumerate(
        (b"", b"\x00", b"\xff" * 99, b"{" * 5000, b"- [" * 5000, b"9" * 5000, b"\n" * 99999)
    ):
        (tmp_path / f"{number}.txt").write_bytes(content)
        (tmp_path / f"{number}.yaml").write_bytes(content)
        (tmp_path / f"{number}.json").write_bytes(content)
    done = check(".", cwd=tmp_path)
    assert done.status in (1, 2)
    assert "Traceback" not in done.err


def test_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION
    assert deckcheck("--version").out == f"deckcheck {VERSION}\n"


_HEAVY = (
    "yaml",
    "jsonschema",
    "rich",
    "rapidfuzz",
    "concurrent.futures",
    "multiprocessing",
    "rfc8785",
    "pyexpat",
    "html",
    "deckcheck.decklists.notations",
    "deckcheck.analysis",
    "deckcheck.bulk",
    "deckcheck.support.download",
    "pandas",
    "pyarrow",
    "urllib.request",
    "http",
    "ssl",
    "filelock",
)


DATED = ("-f", FORMAT, "--as-of", "2024-01-20")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ((*DATED, "legal.txt"), 0),
        ((*DATED, "illegal.txt"), 1),
        ((*DATED, "headed.txt"), 0),
        (("white-dragon-commander.txt",), 0),
        (("yugioh-blue-eyes.txt",), 0),
    ],
)
@pytest.mark.usefixtures("own_folders")
def test_a_plain_list_loads_nothing_heavy(decks: Path, words: tuple[str, ...], status: int) -> None:
    # Beside the examples there are settings, which take jsonschema.
    for example in ("white-dragon-commander.txt", "yugioh-blue-eyes.txt"):
        shutil.copy(shipped("examples") / example, decks)
    (decks / "headed.txt").write_text(f"メインデッキ\n{LEGAL}\n", "utf-8")
    assert deckcheck("check", *words, cwd=decks).status == status, "everything is kept from here on"
    script = (
        "import sys\n"
        "from deckcheck.cli.app import main\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n"
        f"    heavy = [name for name in {_HEAVY!r} if name in sys.modules]\n"
        "    sys.exit(f'loaded: {heavy}' if heavy else end.code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "check", *words],
        capture_output=True,
        cwd=decks,
        env=environment(),
        timeout=60,
    )
    assert not done.stderr and done.returncode == status, done.stderr.decode()
