"""Help and usage errors in the user's language, and how the command line ends when something outside of it is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from factories.commands import environment, run_here

from deckcheck.cli.command import Run, guarded
from deckcheck.support.dates import parse_day

FORMAT = "duel-masters/original"


@pytest.mark.parametrize(
    ("words", "en", "ja"),
    [
        (
            ("chekc",),
            "Error: No such command 'chekc'. Did you mean 'check'?",
            "エラー: 'chekc' というコマンドはありません",
        ),
        (
            ("check", "--nope", "x"),
            "Error: No such option: --nope",
            "エラー: --nope というオプションはありません",
        ),
        (("cards", "show"), "Error: Missing argument 'NAME'.", "エラー: 引数 'NAME' を指定してください"),
        (("impact", "x"), "Error: Missing option '--to'.", "エラー: オプション '--to' を指定してください"),
        (
            ("check", "x", "--as-of"),
            "Error: Option '--as-of' requires an argument.",
            "エラー: オプション '--as-of' には値が必要です",
        ),
        (
            ("check", "x", "--color", "blue"),
            "Error: Invalid value for '--color': 'blue' is not one of 'auto', 'always', 'never'.",
            "エラー: '--color' の値が正しくありません: 'blue' は使えません。次から選べます: 'auto', 'always', 'never'",
        ),
        (
            ("check", "x", "--best-of", "0"),
            "Error: Invalid value for '--best-of' (env var: 'DECKCHECK_BEST_OF'): 0 is too small: at least 1.",
            "エラー: '--best-of'（環境変数 'DECKCHECK_BEST_OF'）の値が正しくありません: 0 は小さすぎます（1以上）",
        ),
        (("rule", "a", "b"), "Error: Got unexpected extra argument", "エラー: 余分な引数があります（b）"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_usage_error_is_told_in_the_users_language(
    words: tuple[str, ...],
    en: str,
    ja: str,
    lang: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DECKCHECK_LANG", lang)
    assert run_here(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert (ja if lang == "ja" else en) in err
    if words[-1] != "--as-of":
        # Typer doesn't say how the command is used where it lacks a value.
        assert err.startswith("使い方: deckcheck" if lang == "ja" else "Usage: deckcheck")
        assert ("for help" in err) == (lang == "en") and ("くわしくは" in err) == (lang == "ja")


def test_the_option_chooses_the_language_of_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here("check", "--lang=ja", "--help") == 0
    said = capsys.readouterr().out
    for word in (
        "使い方: ",
        "\n引数:\n",
        "\nオプション:\n",
        "この規則だけを報告します",
        "[必須]",
        "この説明を表示します",
    ):
        assert word in said
    assert not [word for word in ("Usage", "Options", "default", "required", "env var") if word in said]
    assert run_here("check", "--lang", "en", "--help") == 0
    assert "Report only these rules." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "  import  Import banlists with their dates.\n"),
        ("ja", "  import  禁止・制限リストを日付つきで取り込みます。\n"),
    ],
)
def test_a_list_of_commands_has_the_first_sentence_of_each(
    lang: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Typer cut Japanese help to "..." where it found no full stop."""
    monkeypatch.setenv("DECKCHECK_LANG", lang)
    assert run_here("banlists", "--help") == 0
    assert line in capsys.readouterr().out


@pytest.mark.parametrize("written", ["2024-01-20", "2024/1/20", "2024.1.20", "2024年1月20日"])
def test_a_day_is_written_as_in_a_list(
    written: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("4 x 天災 デドダム\n4 x 青銅の鎧\n", "utf-8")
    assert run_here("check", "-f", FORMAT, "--as-of", written, "--output-format", "json", deck) == 1
    assert '"as_of": "2024-01-20"' in capsys.readouterr().out


@pytest.mark.parametrize("written", ["2024-02-30", "2024-1", "soon", "", "２０２４年一月"])
def test_what_is_no_day(written: str) -> None:
    assert parse_day(written) is None


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("words", ["--help", "check --help", "formats"])
def test_a_closed_pipe_has_one_status(words: str) -> None:
    command = f"set -o pipefail; '{sys.executable}' -m deckcheck {words} | head -n0; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, env=environment(), timeout=120)
    assert (done.stdout.split(), done.stderr) == ([b"141"], b"")


def test_too_little_memory_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        raise MemoryError

    assert guarded(work, Run(lang="en")) == 2
    assert capfd.readouterr().err == "error: out of memory\n"


def test_a_clock_that_shows_no_day_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After the year 2261 the nanoseconds of a clock have no room any more."""

    def overflow() -> float:
        raise OverflowError("timestamp too large to convert to C _PyTime_t")

    deck = tmp_path / "deck.txt"
    deck.write_text("4 x 天災 デドダム\n", "utf-8")
    monkeypatch.setattr(time, "time", overflow)
    for words in (("check", "-f", FORMAT, deck), ("formats",), ("event", "init", tmp_path / "event.yaml")):
        assert run_here(*words, "--lang", "en") == 2
        assert "the clock of this computer is wrong" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="folders in use can't be removed there")
@pytest.mark.parametrize("words", [("check", "deck.txt"), ("fmt", "deck.txt"), ("formats",), ("init",)])
def test_a_working_folder_that_is_gone_is_told(words: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    code = "import os, sys; os.rmdir(os.getcwd()); from deckcheck.cli.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=folder,
        capture_output=True,
        env=environment(PYTHONPATH=str(Path(__file__).parents[2])),
        timeout=120,
    )
    said = done.stderr.decode()
    assert done.returncode == 2
    assert "working" in said and "can't be written" not in said
