"""Help and usage errors in the user's language, and how the command line ends when something outside of it is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from factories.commands import environment, run_here

from deckcheck.support.dates import parse_day

FORMAT = "duel-masters/original"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cards", "show", "--game", "x"), "Error: Missing argument 'NAME'."),
        (("impact", "x"), "Error: Missing option '--to'."),
        (("check", "x", "--as-of"), "Error: Option '--as-of' requires an argument."),
        (
            ("check", "x", "--color", "blue"),
            "Error: Invalid value for '--color': 'blue' is not one of 'auto', 'always', 'never'.",
        ),
        (("repair", "x", "--time-limit", "3601"), "Error: Invalid value for '--time-limit': 3601.0 is not"),
        (("check", "x", "--fix=1"), "Error: Option '--fix' does not take a value."),
        (("rule", "a", "b"), "Error: Got unexpected extra argument(s) (b)"),
        (("check", "x", "--outp", "y"), "No such option: --outp (Possible options: --output"),
        (("check", "x", "-z"), "No such option: -z"),
        (("import", "-qz", "x"), "No such option: -z"),
        (("formats", "--game", "x"), "No such option: --game"),
        (
            ("formats", "--config", "x", "show", "original"),
            "Got unexpected extra argument(s) (show original)",
        ),
        (("formats", "shwo"), "No such command 'shwo'. Did you mean 'show'?"),
        (("cards", "--lang", "en"), "Usage: deckcheck cards [OPTIONS] COMMAND [ARGS]..."),
        (("convert", "x"), "Missing option '--to'. Choose from"),
        (("verify", "x"), "Missing argument 'DECK'."),
        (("init", "a", "b", "c"), "Got unexpected extra argument(s) (b c)"),
    ],
)
def test_a_usage_error_names_what_is_wrong(
    words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DECKCHECK_LANG", "en")
    assert run_here(*words) == 2
    out, err = capsys.readouterr()
    assert (out, said in err) == ("", True)


@pytest.mark.parametrize(
    ("words", "en", "ja"),
    [
        (("chekc",), "did you mean: deckcheck check", "もしかして: deckcheck check"),
        (("deck.txt",), "did you mean: deckcheck check deck.txt", "もしかして: deckcheck check deck.txt"),
        (("my deck.txt", "-f", "x"), "did you mean: deckcheck check 'my deck.txt'", "check 'my deck.txt'"),
        (("-",), "did you mean: deckcheck check -", "deckcheck check -"),
        (("\x1b[31m",), r"error: there is no command '\x1b[31m'", "エラー"),
    ],
)
def test_what_is_no_command_is_answered_with_what_was_meant(
    words: tuple[str, ...],
    en: str,
    ja: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("deck.txt", "my deck.txt"):
        (tmp_path / name).touch()
    for lang, said in (("en", en), ("ja", ja)):
        assert run_here("--lang", lang, *words) == 2
        out, err = capsys.readouterr()
        assert (out, said in err) == ("", True)


def test_an_error_names_the_variable_that_a_wrong_value_is_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DECKCHECK_BEST_OF", "x")
    assert run_here("check", "x", "--lang", "en") == 2
    assert "'--best-of' (env var: 'DECKCHECK_BEST_OF'): 'x' is not" in capsys.readouterr().err
    assert run_here("check", "x", "--best-of", "3", "--lang", "en") == 2
    assert "DECKCHECK_BEST_OF" not in capsys.readouterr().err
    monkeypatch.setenv("DECKCHECK_AS_OF", "never")
    assert run_here("check", "x", "--best-of", "3", "--lang", "en") == 2
    assert "DECKCHECK_AS_OF: “never” is not a valid date" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("-f", FORMAT, "-o", "-", "one.txt", "two.txt"),
        ("one.txt", f"-f{FORMAT}", "-o-", "two.txt"),
        ("one.txt", "two.txt", f"--format={FORMAT}", "--output=-"),
        ("-f", "nonsense", "-f", FORMAT, "--output", "-", "--", "one.txt", "two.txt"),
        ("--exclude", "--format", "-f", FORMAT, "--exclude=-x", "one.txt", "-o", "-", "two.txt"),
    ],
)
def test_options_and_paths_may_be_mixed(words: tuple[str, ...], tmp_path: Path) -> None:
    """A file - is made: only as a path is it standard input."""
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("4 x 天災 デドダム\n4 x 青銅の鎧\n", "utf-8")
    code = "from deckcheck.cli.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "check", "--output-format", "concise", *words],
        cwd=tmp_path,
        capture_output=True,
        env=environment(),
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (1, b"")
    lines = (tmp_path / "-").read_text("utf-8").splitlines()
    assert {line.partition(":")[0] for line in lines} >= {"one.txt", "two.txt"}


def test_what_is_suggested_is_the_same_every_time() -> None:
    """Whatever the order in which Python keeps its sets."""
    command = [sys.executable, "-m", "deckcheck", "check", "-", "--ignore", "c"]
    hints = {
        subprocess.run(
            command, env=environment(PYTHONHASHSEED=seed), input=b"", capture_output=True, check=False
        ).stderr
        for seed in ("1", "2", "3", "4", "5")
    }
    assert len(hints) == 1 and b"did you mean" in hints.pop()


def test_what_is_typed_before_a_command_holds_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here("--lang", "ja", "formats", "show", FORMAT, "--config", tmp_path / "none.toml") == 2
    assert "none.toml: エラー：" in capsys.readouterr().err
    assert run_here("--lang", "en", "formats", "--help", "show") == 0
    assert "Usage: deckcheck formats [OPTIONS] COMMAND" in capsys.readouterr().out
    assert run_here("--version", "check") == 0
    assert capsys.readouterr().out.startswith("deckcheck ")


def test_help_fits_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from deckcheck.support.safe_text import cells

    for columns, widest in (("60", 58), ("70", 68), ("200", 78)):
        monkeypatch.setenv("COLUMNS", columns)
        for lang in ("en", "ja"):
            assert run_here("check", "--help", "--lang", lang) == 0
            lines = capsys.readouterr().out.splitlines()
            # A list of values has no place to be broken.
            assert [line for line in lines if cells(line) > widest and "|" not in line] == []
            assert max(cells(line) for line in lines if "|" not in line) > widest - 10
            assert not [line for line in lines if line.strip().startswith(("。", "、", "）"))]


def test_the_option_chooses_the_language_of_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here("check", "--lang=ja", "--help") == 0
    said = capsys.readouterr().out
    for word in (
        "使い方: ",
        "\n引数:\n",
        "\nオプション:\n",
        "この規則だけを報告します",
        "この説明を表示します",
    ):
        assert word in said
    assert not [word for word in ("Usage", "Options:", "default", "required", "env var") if word in said]
    assert run_here("impact", "--lang=ja", "--help") == 0
    assert "[必須]" in capsys.readouterr().out
    assert run_here("check", "--lang", "ja", "--lang", "en", "--help") == 0
    assert "Report only these rules." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "  show    Show a card's data and legal status.\n"),
        ("ja", "  show    カードの情報と制限を表示します。\n"),
    ],
)
def test_a_list_of_commands_has_the_first_sentence_of_each(
    lang: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DECKCHECK_LANG", lang)
    assert run_here("cards", "--help") == 0
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
