"""Completion, as typer's scripts ask for it: in a real bash, and in zsh and fish where they are installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from factories import commands
from factories.events import put

from deckcheck.cli import options
from deckcheck.formats.lookup import Folders, bundled_formats, known_formats

IDS = [one.id for one in bundled_formats() if not one.abstract]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are other shells")


def asked(words: list[str], cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A program run with the command on its PATH, as an installation puts it there."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = commands.environment(PATH=path, LC_ALL="C.UTF-8", **more)
    return subprocess.run(
        words, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", timeout=60
    )


def script(shell: str, folder: Path) -> Path:
    """The file with the script that typer shows for this shell."""
    inside = asked([shell, "-c", "deckcheck --show-completion; :"], folder)
    assert (inside.returncode, inside.stderr) == (0, "")
    file = folder / f"completion.{shell}"
    file.write_text(inside.stdout, "utf-8")
    return file


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
def test_a_real_bash_offers(words: list[str], offered: list[str], tmp_path: Path) -> None:
    file = str(script("bash", tmp_path))
    done = asked(["bash", "--norc", "-c", _BASH, "bash", file, "deckcheck", *words], tmp_path)
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
        (["c"], ["check", "convert", "cards"]),
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


def test_it_offers_what_the_project_names(tmp_path: Path) -> None:
    rules = "rules:\n  - {id: own-size, at_most: 1}\n"
    own = f"format: club/own\ngame: duel-masters\nname: Own\nzones: {{main: {{}}}}\n{rules}"
    put(tmp_path, {"deckcheck.toml": 'formats = ["formats"]\n', "formats/own.yaml": own})
    assert offered_for("check", "-f", "club/", cwd=tmp_path) == ["club/own"]
    assert offered_for("rule", "own-s", cwd=tmp_path) == ["own-size"]
    # Settings that are wrong are for a check to tell.
    put(tmp_path, {"deckcheck.toml": "formats = 7\n"})
    assert offered_for("check", "-f", "club/", cwd=tmp_path) == []
    assert offered_for("check", "-f", "ama", cwd=tmp_path) == ["amadeus"]


_ZSH = "autoload -Uz compinit; compinit -u -D; source '{}'; whence -w _deckcheck_completion"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_obey_their_scripts(shell: str, tmp_path: Path) -> None:
    """They are answered by the variables that typer's scripts for them set."""
    asks = {"_TYPER_COMPLETE_FISH_ACTION": "get-args", "_DECKCHECK_COMPLETE": f"complete_{shell}"}
    for lang, typed, said in (("ja", "wh", "デッキを使えるフォーマット"), ("en", "check -f amad", "amadeus")):
        asks |= {"_TYPER_COMPLETE_ARGS": f"deckcheck {typed}", "DECKCHECK_LANG": lang}
        assert said in commands.deckcheck(cwd=tmp_path, **asks).out
    if not shutil.which(shell):
        pytest.skip(f"{shell} isn't installed")
    command = {"zsh": _ZSH, "fish": "source '{}'; complete -C 'deckcheck wh'"}[shell]
    said = {"zsh": "_deckcheck_completion: function", "fish": "which"}[shell]
    assert said in asked([shell, "-c", command.format(script(shell, tmp_path))], tmp_path).stdout


@pytest.mark.parametrize("asks", ["nonsense", "complete_none", "complete_bash"])
def test_who_asks_wrongly_gets_no_traceback(asks: str, tmp_path: Path) -> None:
    done = asked(["deckcheck"], tmp_path, _DECKCHECK_COMPLETE=asks, COMP_CWORD="x")
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
    rules = [{"id": "$(touch x)", "exactly": 1}, {"id": "own-size", "at_most": 1}]
    own = {"format": "club/own", "game": "duel-masters", "name": "Own", "zones": {"main": {}}, "rules": rules}
    put(tmp_path, {"own.yaml": json.dumps(own | {"aliases": ["fine", *HOSTILE]})})
    known = known_formats(Folders(formats=(tmp_path,)))
    monkeypatch.setattr(options, "known_formats", lambda _folders: known)
    formats, offered_rules = options.complete_formats("x"), options.complete_rules("")
    assert {"club/own", "own", "fine"} <= set(formats) and "own-size" in offered_rules
    assert [word for word in (*formats, *offered_rules) if not re.fullmatch(r"[\w./][\w./-]*", word)] == []
