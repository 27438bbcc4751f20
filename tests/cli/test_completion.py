"""Completion, as typer's scripts ask for it: in a real bash, and in zsh and fish where they are installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from factories import commands

import deckcheck
from deckcheck.cli import options
from deckcheck.formats.lookup import Folders, bundled_formats, known_formats

IDS = [one.id for one in bundled_formats() if not one.abstract]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are other shells")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH on which the command stands, as an installation puts it there."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "deckcheck"
    command.write_text(f"#!{sys.executable}\nfrom deckcheck.__main__ import main\nmain()\n", "utf-8")
    command.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def asked(path: str, words: list[str], cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A program run with the command on its PATH; typer sees no shell, as in a test of its own."""
    kept = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LC_MESSAGES", "LANG")}
    package = str(Path(deckcheck.__file__).parents[1])
    env = kept | {"PATH": path, "PYTHONUTF8": "1", "PYTHONPATH": package, "LC_ALL": "C.UTF-8"} | more
    return subprocess.run(
        words, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", timeout=60
    )


def script(path: str, shell: str, folder: Path) -> Path:
    """The file with the script that typer shows for this shell."""
    inside = asked(path, [shell, "-c", "deckcheck --show-completion; :"], folder)
    assert (inside.returncode, inside.stderr) == (0, "")
    file = folder / f"completion.{shell}"
    file.write_text(inside.stdout, "utf-8")
    return file


@pytest.fixture(scope="module")
def bash_script(path: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return script(path, "bash", tmp_path_factory.mktemp("bash"))


_BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
complete -p deckcheck
_deckcheck_completion deckcheck
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["wh"], ["which"]),
        (["check", "--format", "デュエ"], ["デュエパ"]),
        (["check", "--lang", ""], ["ja", "en"]),
        (["check", "de"], []),
    ],
)
def test_a_real_bash_offers(
    path: str, bash_script: Path, words: list[str], offered: list[str], tmp_path: Path
) -> None:
    done = asked(
        path, ["bash", "--norc", "-c", _BASH, "bash", str(bash_script), "deckcheck", *words], tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    registered, *words_offered = done.stdout.splitlines()
    # Where nothing is offered, bash completes files.
    assert registered == "complete -o default -F _deckcheck_completion deckcheck"
    assert [word for word in words_offered if word] == offered


def offered_for(*words: str, cwd: Path) -> list[str]:
    """What the program offers for the last of these words, asked as typer's script for bash asks."""
    asks = {"COMP_WORDS": " ".join(("deckcheck", *words)), "COMP_CWORD": str(len(words))}
    done = commands.deckcheck(cwd=cwd, _DECKCHECK_COMPLETE="complete_bash", **asks)
    assert (done.status, done.err) == (0, "")
    return done.out.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["check", "--forma"], ["--format"]),
        (["check", "deck.txt", "-f", "ama", "--lang", ""], ["ja", "en"]),
        (["--lang", "ja", "wh"], ["which"]),
        (["check", "--format", "duel-masters/du"], ["duel-masters/duel-party", "duel-masters/duemagic"]),
        (["check", "--format", "DM"], ["DMC"]),
        (["check", "--format", ""], IDS),
        (["formats", ""], ["list", "show", "values", "test"]),
        (["formats", "show", "ama"], ["amadeus"]),
        (["formats", "test", "amadeus", "ori"], ["original"]),
        (["rule", "unkn"], ["unknown-card", "unknown-zone"]),
        (["rule", "zzz"], []),
        (["check", "--ignore", "copies,sing"], ["copies,singleton"]),
        (["cards", "show", "--game", ""], ["duel-masters", "magic", "yugioh"]),
        (["event", "a"], ["accept", "audit"]),
        (["check", "--format", "./"], []),
    ],
)
def test_it_offers(words: list[str], offered: list[str], tmp_path: Path) -> None:
    assert offered_for(*words, cwd=tmp_path) == offered


def test_it_offers_every_command(tmp_path: Path) -> None:
    assert offered_for("", cwd=tmp_path)[:3] == ["check", "which", "repair"]


def test_it_offers_what_the_project_names(tmp_path: Path) -> None:
    (tmp_path / "formats").mkdir()
    (tmp_path / "deckcheck.toml").write_text('formats = ["formats"]\n', "utf-8")
    (tmp_path / "formats" / "own.yaml").write_text(
        "format: club/own\ngame: duel-masters\nname: Own\nzones: {main: {}}\nrules:\n  - {id: own-size, at_most: 1}\n",
        "utf-8",
    )
    assert offered_for("check", "-f", "club/", cwd=tmp_path) == ["club/own"]
    assert offered_for("rule", "own-s", cwd=tmp_path) == ["own-size"]
    # Settings that are wrong are for a check to tell.
    (tmp_path / "deckcheck.toml").write_text("formats = 7\n", "utf-8")
    assert offered_for("check", "-f", "club/", cwd=tmp_path) == []
    assert offered_for("check", "-f", "ama", cwd=tmp_path) == ["amadeus"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
@pytest.mark.parametrize(
    ("lang", "typed", "said"),
    [
        ("en", "wh", ["which", "Find the formats in which a deck is legal"]),
        ("ja", "wh", ["which", "デッキを使えるフォーマット"]),
        ("en", "check -f amad", ["amadeus"]),
    ],
)
def test_other_shells_are_answered(
    shell: str, lang: str, typed: str, said: list[str], tmp_path: Path
) -> None:
    """By the variables that typer's scripts for them set."""
    asks = {"_TYPER_COMPLETE_FISH_ACTION": "get-args", "_TYPER_COMPLETE_ARGS": f"deckcheck {typed}"}
    asks["_DECKCHECK_COMPLETE"] = f"complete_{shell}"
    done = commands.deckcheck(cwd=tmp_path, DECKCHECK_LANG=lang, **asks)
    assert [words for words in said if words not in done.out] == []


@pytest.mark.parametrize(
    ("shell", "command", "said"),
    [
        (
            "zsh",
            "autoload -Uz compinit; compinit -u -D; source '{}'; whence -w _deckcheck_completion",
            "_deckcheck_completion: function",
        ),
        ("fish", "source '{}'; complete -C 'deckcheck wh'", "which"),
    ],
)
def test_other_shells_obey_their_scripts(
    shell: str, command: str, said: str, path: str, tmp_path: Path
) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} isn't installed")
    shown = asked(path, [shell, "-c", command.format(script(path, shell, tmp_path))], tmp_path)
    assert said in shown.stdout


@pytest.mark.parametrize("asks", ["nonsense", "complete_none", "complete_bash"])
def test_who_asks_wrongly_gets_no_traceback(asks: str, path: str, tmp_path: Path) -> None:
    done = asked(path, ["deckcheck"], tmp_path, _DECKCHECK_COMPLETE=asks, COMP_CWORD="x")
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr


# What a stranger's files say must not become a command.

HOSTILE = [
    "$(touch x)",
    "`touch x`",
    "'; touch x; '",
    '"; touch x; "',
    "a b",
    "\\$(touch x)",
    "--config=x",
    "a\nb",
]


def test_names_that_a_shell_could_obey_are_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "formats"
    folder.mkdir()
    aliases = ", ".join(
        f'"{name.encode("unicode_escape").decode().replace(chr(34), chr(92) + chr(34))}"' for name in HOSTILE
    )
    (folder / "own.yaml").write_text(
        f"format: club/own\ngame: duel-masters\nname: Own\naliases: [fine, {aliases}]\n"
        'zones: {main: {}}\nrules:\n  - {id: "$(touch x)", in: main, exactly: 1}\n  - {id: own-size, at_most: 1}\n',
        "utf-8",
    )
    known = known_formats(Folders(formats=(folder,)))
    monkeypatch.setattr(options, "known_formats", lambda _folders: known)
    offered = options.complete_formats("x")
    assert {"club/own", "own", "fine"} <= set(offered)
    rules = options.complete_rules("")
    assert "own-size" in rules
    for word in (*offered, *rules):
        assert re.fullmatch(r"[\w./][\w./-]*", word), word
