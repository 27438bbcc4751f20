"""Shell completion: bash is driven for real, the other shells by the variables that their scripts set."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deckcheck.cli import completion
from deckcheck.formats.inheritance import inherit
from deckcheck.formats.lookup import bundled_formats
from deckcheck.model.finding import ENGINE_IDS

SHELLS = ("bash", "zsh", "fish", "powershell")
IDS = [one.id for one in bundled_formats() if not one.abstract]
BASH = shutil.which("bash")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH on which the command stands, as an installation puts it there."""
    if os.name == "nt":
        pytest.skip("a script needs no ending here")
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "deckcheck"
    command.write_text(f"#!{sys.executable}\nfrom deckcheck.cli.app import program\nprogram()\n", "utf-8")
    command.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def environment(path: str, **more: str) -> dict[str, str]:
    package = str(Path(completion.__file__).parents[2])
    kept = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LC_MESSAGES", "LANG")}
    return kept | {"PATH": path, "PYTHONUTF8": "1", "PYTHONPATH": package} | more


def script(shell: str, path: str) -> str:
    done = subprocess.run(
        ["deckcheck", "completion", shell],
        env=environment(path),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout


# bash, really.

_TRY = """
source "$SCRIPT" || exit 9
complete -p deckcheck || exit 9
COMP_LINE="$*"
COMP_POINT=${#COMP_LINE}
_python_argcomplete deckcheck
printf '%s\\n' "${COMPREPLY[@]}"
"""


def bash(path: str, *words: str, cwd: Path | None = None) -> list[str]:
    """What bash offers for the last of these words."""
    assert BASH is not None
    file = Path(path.partition(os.pathsep)[0]) / "completion.bash"
    if not file.exists():
        file.write_text(script("bash", path), "utf-8")
    done = subprocess.run(
        [BASH, "--norc", "-c", _TRY, "bash", "deckcheck", *words],
        env=environment(path, SCRIPT=str(file), LC_ALL="C.UTF-8"),
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    registered, *offered = done.stdout.splitlines()
    assert registered == "complete -o bashdefault -o default -o nospace -F _python_argcomplete deckcheck"
    # The only one ends with a blank, so that the next word can be typed at once.
    assert [word.endswith(" ") for word in offered if word] in ([True], [False] * len(offered), [])
    return [word.strip() for word in offered if word]


needs_bash = pytest.mark.skipif(BASH is None or os.name == "nt", reason="there is no bash")


@needs_bash
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["wh"], ["which"]),
        (["check", "--forma"], ["--format"]),
        (["check", "--lang", ""], ["ja", "en"]),
        # What is before a = stays as it is.
        (["check", "--lang=e"], ["en"]),
        (["check", "deck.txt", "-f", "ama", "--lang", ""], ["ja", "en"]),
        (["--lang", "ja", "wh"], ["which"]),
        (["check", "--nope", ""], []),
        (["check", "--", "--forma"], []),
        (["check", "--format", "duel-masters/du"], ["duel-masters/duel-party", "duel-masters/duemagic"]),
        (["check", "--format", "duem"], ["duemagic"]),
        (["check", "--format", "DM"], ["DMC"]),
        (["check", "--format", "dm"], ["dmc"]),
        (["check", "--format", "デュエ"], ["デュエパ"]),
        (["check", "-f", "ama"], ["amadeus"]),
        (["formats", ""], ["show", "test", "prove", "compare"]),
        (["formats", "show", "ama"], ["amadeus"]),
        (["formats", "test", "amadeus", "ori"], ["original"]),
        (["rule", "unkn"], ["unknown-card", "unknown-zone"]),
        (["rule", "--format", "hall"], ["hall-zero"]),
        (["rule", "zzz"], []),
        (["check", "--ignore", "copies,sing"], ["copies,singleton"]),
        (["cards", "show", "天災デドダ"], ["天災デドダム"]),
        (["cards", "show", ""], []),
        (["cards", "show", "--game", ""], ["duel-masters", "magic", "yugioh"]),
        (["completion", ""], list(SHELLS)),
        # Files are bash's own business.
        (["check", "de"], []),
        (["check", "--format", "./"], []),
    ],
)
def test_bash_offers(path: str, words: list[str], offered: list[str]) -> None:
    assert bash(path, *words) == offered


@needs_bash
def test_bash_offers_every_command(path: str) -> None:
    offered = bash(path, "")
    assert {"check", "formats", "cards", "rule", "which", "completion"} <= set(offered)
    assert offered == bash(path, "--version", "")


@needs_bash
def test_bash_offers_every_format_and_rule(path: str) -> None:
    assert bash(path, "check", "--format", "") == IDS
    rules = bash(path, "rule", "")
    assert rules == sorted(rules)
    for one in bundled_formats():
        inherited = inherit(one.file)
        assert {*inherited.rules, *inherited.pieces("beside")} <= set(rules)
    assert set(rules) >= ENGINE_IDS


@needs_bash
def test_bash_offers_what_was_begun_as_words_that_it_leaves_whole(path: str) -> None:
    offered = bash(path, "cards", "show", "邪眼")
    assert len(offered) > 5
    assert BASH is not None
    words = subprocess.run(
        [BASH, "--norc", "-c", f"printf '%s\\n' {' '.join(offered)}"],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert words.stdout.splitlines() == offered


@needs_bash
def test_bash_offers_what_the_project_names(path: str, tmp_path: Path) -> None:
    (tmp_path / "formats").mkdir()
    (tmp_path / "deckcheck.toml").write_text('formats = ["formats"]\n', "utf-8")
    (tmp_path / "formats" / "own.yaml").write_text(
        "format: club/own\ngame: duel-masters\nname: Own\nzones: {main: {}}\nrules:\n  - {id: own-size, at_most: 1}\n",
        "utf-8",
    )
    assert bash(path, "check", "-f", "club/", cwd=tmp_path) == ["club/own"]
    assert bash(path, "rule", "own-s", cwd=tmp_path) == ["own-size"]
    # Settings that are wrong are for a check to tell.
    (tmp_path / "deckcheck.toml").write_text("formats = 7\n", "utf-8")
    assert bash(path, "check", "-f", "club/", cwd=tmp_path) == []
    assert bash(path, "check", "-f", "ama", cwd=tmp_path) == ["amadeus"]


# The other shells ask by variables; which, is in the scripts.


def asked(path: str, shell: str, line: str, cwd: Path, **more: str) -> tuple[int, list[str]]:
    answer = cwd / "answer"
    given = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_SHELL": shell,
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    done = subprocess.run(
        ["deckcheck"],
        env=environment(path, **given, **more),
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("", "")
    return done.returncode, answer.read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("shell", "needed"),
    [
        ("zsh", {"#compdef deckcheck", '_ARGCOMPLETE_SHELL="zsh"', "compdef _python_argcomplete deckcheck"}),
        ("fish", {"_ARGCOMPLETE_SHELL fish", "complete --command deckcheck", "COMP_LINE"}),
        ("powershell", {'_ARGCOMPLETE_SHELL = "powershell"', "-CommandName deckcheck", "COMP_LINE"}),
        ("bash", {'_ARGCOMPLETE_SHELL="bash"', "-F _python_argcomplete deckcheck", "COMP_LINE"}),
    ],
)
def test_a_script_asks_by_the_variables_that_are_answered(shell: str, needed: set[str], path: str) -> None:
    text = script(shell, path)
    assert {one for one in needed if one not in text} == set()
    assert text.endswith("\n")


def test_zsh_is_answered_with_words_and_what_they_mean(path: str, tmp_path: Path) -> None:
    line = "deckcheck check --format duel-masters/du"
    words = ["duel-masters/duel-party:", "duel-masters/duemagic:"]
    assert asked(path, "zsh", line, tmp_path) == (0, words)
    [(command, _, text)] = [word.partition(":") for word in asked(path, "zsh", "deckcheck wh", tmp_path)[1]]
    assert (command, text) == ("which", "Find the formats in which a deck is legal.")
    text = asked(path, "zsh", "deckcheck wh", tmp_path, DECKCHECK_LANG="ja")[1][0]
    assert text == "which:デッキを使えるフォーマットを調べます。"


@pytest.mark.parametrize("shell", ["zsh", "fish", "powershell"])
def test_files_are_offered_where_the_shell_finds_none_itself(shell: str, path: str, tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "a.txt").touch()
    (tmp_path / "decks" / ".hidden").touch()
    (tmp_path / "decks" / "a\nb.txt").touch()
    (tmp_path / "deck.txt").touch()
    for before in ("check ", "check a.txt -f x ", "check --cards ", "check -f ", "check --cards="):
        offered = [
            word.partition(":")[0] for word in asked(path, shell, f"deckcheck {before}de", tmp_path)[1]
        ]
        lead = before.partition(" ")[2] if before.endswith("=") else ""
        assert offered == [f"{lead}deck.txt", f"{lead}decks/"]
    offered = asked(path, shell, "deckcheck check decks/", tmp_path)[1]
    assert [word.partition(":")[0] for word in offered] == ["decks/a.txt"]
    assert asked(path, shell, "deckcheck check nothing/", tmp_path) == (0, [])


def test_fish_and_powershell_are_answered_a_word_a_line(path: str, tmp_path: Path) -> None:
    for shell in ("fish", "powershell"):
        assert asked(path, shell, "deckcheck rule unknown-", tmp_path) == (
            0,
            ["unknown-card", "unknown-zone"],
        )
        commands = ["show", "test", "prove", "compare"]
        assert asked(path, shell, "deckcheck formats ", tmp_path) == (0, commands)
    told = asked(path, "fish", "deckcheck formats c", tmp_path, _ARGCOMPLETE_DFS="\t")
    assert told == (0, ["compare\tCompare what two formats, or one on two dates, allow."])


@pytest.mark.parametrize(
    "given",
    [
        {"_ARGCOMPLETE": "1"},
        {"_ARGCOMPLETE": "nonsense", "COMP_LINE": "deckcheck ", "COMP_POINT": "10"},
        {"_ARGCOMPLETE": "1", "COMP_LINE": "deckcheck ", "COMP_POINT": "x"},
    ],
)
def test_a_script_that_asks_wrongly_ends_with_no_traceback(given: dict[str, str], path: str) -> None:
    done = subprocess.run(
        ["deckcheck"], env=environment(path, **given), capture_output=True, text=True, encoding="utf-8"
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr


def test_an_empty_variable_asks_for_nothing(path: str) -> None:
    done = subprocess.run(
        ["deckcheck", "--version"],
        env=environment(path, _ARGCOMPLETE=""),
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("deckcheck ")


@pytest.mark.parametrize("shell", ["tcsh", ""])
def test_there_is_no_script_for_other_shells(shell: str, path: str) -> None:
    done = subprocess.run(
        ["deckcheck", "completion", shell], env=environment(path), capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")


def test_the_help_says_where_the_script_goes(path: str) -> None:
    for more in ({}, {"LANG": "ja_JP.UTF-8"}):
        done = subprocess.run(
            ["deckcheck", "completion", "--help"],
            env=environment(path, **more),
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        lines = [line.strip() for line in done.stdout.splitlines()]
        for shell in SHELLS:
            assert any(f"deckcheck completion {shell}" in line for line in lines), shell
        assert 'eval "$(deckcheck completion bash)"' in lines
