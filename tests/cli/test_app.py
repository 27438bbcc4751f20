"""The program: its help, its commands and options, and what it says to those who mistype them."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from factories.commands import deckcheck
from factories.events import put
from typer.testing import CliRunner

from deckcheck.cli.app import COMMANDS, app
from deckcheck.support.safe_text import cells

FORMAT = "duel-masters/original"
GROUPS = {
    "formats": ("list", "show", "test"),
    "cards": ("search", "show"),
    "event": ("init", "check", "accept", "audit", "draw"),
}
PAGES = [(name, *inner) for name in COMMANDS for inner in [(), *((each,) for each in GROUPS.get(name, ()))]]


def invoke(*words: object, **variables: str) -> Any:
    """The program run by typer's own runner, in English unless a variable says otherwise."""
    env = {"DECKCHECK_LANG": "en", **variables}
    return CliRunner().invoke(app, [str(word) for word in words], prog_name="deckcheck", env=env)


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_every_command_has_examples_that_it_understands(words: tuple[str, ...]) -> None:
    done = invoke(*words, "--help")
    assert (done.exit_code, done.stderr) == (0, "")
    page, _, examples = done.stdout.partition("\nExamples:\n")
    if "\nCommands:\n" in page:
        return
    shown = [line.strip() for line in examples.splitlines() if line.startswith("  deckcheck ")]
    assert shown
    for example in shown:
        assert example.startswith(f"deckcheck {' '.join(words)}") or words == ("formats", "list")
        for option in (word for word in example.split() if word.startswith("-") and word != "-"):
            assert re.search(rf"(?m)^  .*{option}\b", page), f"{example}: {option}"


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_every_help_page_is_in_japanese(words: tuple[str, ...]) -> None:
    page = invoke(*words, "--help", DECKCHECK_LANG="ja").stdout
    assert page.startswith("使い方: deckcheck ")
    assert not re.findall(r"(?:[A-Za-z,]+ ){4}", re.sub("(?m)^  deckcheck .*", "", page))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cards", "show", "--game", "x"), "Error: Missing argument 'NAME'."),
        (("impact", "x"), "Error: Missing option '--to'."),
        (("check", "x", "--as-of"), "Error: Option '--as-of' requires an argument."),
        (("check", "x", "--color", "blue"), "'--color': 'blue' is not one of 'auto', 'always', 'never'."),
        (("check", "x", "--best-of", "0"), "'--best-of' (env var: 'DECKCHECK_BEST_OF'): 0 is not"),
        (("check", "x", "--fix=1"), "Error: Option '--fix' does not take a value."),
        (("rule", "a", "b"), "Error: Got unexpected extra argument(s) (b)"),
        (("check", "x", "--outp", "y"), "No such option: --outp (Possible options: --output"),
        (("check", "x", "-z"), "No such option: -z"),
        (("import", "-z", "x"), "No such option: -z"),
        (("formats", "--game", "x"), "No such option: --game"),
        (("formats", "--config", "x", "show", "original"), "No such option: --config"),
        (("formats", "shwo"), "No such command 'shwo'. Did you mean 'show'?"),
        (("check", "--diff", "-o", "x", "-"), "--diff cannot be used with --output"),
        (("cards",), "Usage: deckcheck cards [OPTIONS] COMMAND [ARGS]..."),
        (("convert", "x"), "Missing option '--to'. Choose from"),
        (("verify", "x"), "Missing argument 'DECK'."),
        (("init", "a", "b", "c"), "Got unexpected extra argument(s) (b c)"),
    ],
)
def test_a_usage_error_names_what_is_wrong(words: tuple[str, ...], said: str) -> None:
    done = invoke(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


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
    words: tuple[str, ...], en: str, ja: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("deck.txt", "my deck.txt"):
        (tmp_path / name).touch()
    for lang, said in (("en", en), ("ja", ja)):
        done = invoke("--lang", lang, *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert said in done.stderr


def test_an_error_names_the_variable_that_a_wrong_value_is_from() -> None:
    done = invoke("check", "x", "--best-of", "3", DECKCHECK_BEST_OF="x")
    assert "Invalid value" not in done.stderr
    for name, said in (
        ("DECKCHECK_BEST_OF", "'--best-of' (env var: 'DECKCHECK_BEST_OF'): 'never' is not"),
        ("DECKCHECK_AS_OF", "DECKCHECK_AS_OF: “never” is not a valid date"),
    ):
        done = invoke("check", "x", **{name: "never"})
        assert (done.exit_code, done.stdout) == (2, "") and said in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("-f", FORMAT, "-o", "-", "one.txt", "two.txt"),
        ("one.txt", f"-f{FORMAT}", "-o-", "two.txt"),
        ("-f", "nonsense", f"--format={FORMAT}", "--output=-", "--", "one.txt", "two.txt"),
        ("--exclude", "--format", "-f", FORMAT, "--exclude=-x", "one.txt", "-o", "-", "two.txt"),
    ],
)
def test_options_and_paths_may_be_mixed(words: tuple[str, ...], tmp_path: Path) -> None:
    """A file - is made: only as a path is it standard input."""
    put(tmp_path, dict.fromkeys(("one.txt", "two.txt"), "4 x 天災 デドダム\n4 x 青銅の鎧\n"))
    done = deckcheck("check", "--output-format", "concise", *words, cwd=tmp_path)
    assert (done.status, done.out) == (1, "")
    lines = (tmp_path / "-").read_text("utf-8").splitlines()
    assert {line.partition(":")[0] for line in lines} >= {"one.txt", "two.txt"}


def test_what_is_typed_before_a_command_holds_for_it(tmp_path: Path) -> None:
    done = invoke("--lang", "ja", "formats", "show", FORMAT, "--config", tmp_path / "none.toml")
    assert done.exit_code == 2 and "none.toml: エラー：" in done.stderr
    done = invoke("--lang", "en", "formats", "--help", "show", DECKCHECK_LANG="ja")
    assert done.exit_code == 0 and "Usage: deckcheck formats [OPTIONS] COMMAND" in done.stdout
    done = invoke("--version", "check")
    assert done.exit_code == 0 and done.stdout.startswith("deckcheck ")


@pytest.mark.parametrize(("columns", "widest"), [("60", 59), ("70", 69), ("200", 79)])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_help_fits_the_terminal(columns: str, widest: int, lang: str) -> None:
    # Typer leaves two columns free, of which the second half of a wide character may take one.
    lines = deckcheck("check", "--help", "--lang", lang, COLUMNS=columns).out.splitlines()
    # A list of values has no place to be broken.
    widths = [cells(line) for line in lines if "|" not in line]
    assert widest - 10 < max(widths) <= widest
    assert not [line for line in lines if line.strip().startswith(("。", "、", "）"))]


@pytest.mark.parametrize("words", ["check -f magic/modern deck.txt", "formats", "event init event.yaml"])
def test_a_clock_that_shows_no_day_is_told(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the year 2261 the nanoseconds of a clock have no room any more."""

    def overflow() -> float:
        raise OverflowError("timestamp too large to convert to C _PyTime_t")

    put(tmp_path, {"deck.txt": "60 Mountain\n"})
    monkeypatch.setattr(time, "time", overflow)
    done = deckcheck(*words.split(), cwd=tmp_path, DECKCHECK_LANG="en")
    assert done.status == 2 and "the clock of this computer is wrong" in done.err
