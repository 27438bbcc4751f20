"""Settings on the command line: who wins over whom, what is shown, and what it costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories.club_project import LEGAL, check, deckcheck, judged_by, put, small_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return small_project(tmp_path)


def formats(folder: Path, *arguments: str, **variables: str) -> list[str]:
    return [one[1] for one in judged_by(check(folder, *arguments, "--output-format", "json", **variables))]


# Who wins.


def test_command_line_over_environment_over_header_over_table_over_top(project: Path) -> None:
    everything = ("deck.txt", "small/deck.txt", "own.txt")
    assert formats(project, *everything) == ["club/wide", "club/narrow", "club/other"]
    asked = {"DECKCHECK_FORMAT": "narrow"}
    assert formats(project, *everything, **asked) == ["club/narrow"] * 3
    assert formats(project, *everything, "-f", "wide", **asked) == ["club/wide"] * 3


@pytest.mark.parametrize(
    ("variables", "header", "table", "top", "expected"),
    [
        ({"DECKCHECK_AS_OF": "2020-01-02"}, "2020-01-03", "2020-01-04", "2020-01-05", "2020-01-02"),
        ({}, "2020-01-03", "2020-01-04", "2020-01-05", "2020-01-03"),
        ({}, "", "2020-01-04", "2020-01-05", "2020-01-04"),
        ({}, "", "", "2020-01-05", "2020-01-05"),
    ],
)
def test_the_day(
    project: Path, variables: dict[str, str], header: str, table: str, top: str, expected: str
) -> None:
    text = f'format = "wide"\nformats = ["formats"]\nas-of = {top}\n[[decks]]\npath = "deck.txt"\n'
    put(project, "deckcheck.toml", text + (f'as-of = "{table}"\n' if table else ""))
    put(project, "deck.txt", (f"# as-of: {header}\n" if header else "") + LEGAL)
    done = check(project, "deck.txt", "--output-format", "json", **variables)
    assert judged_by(done) == [("deck.txt", "club/wide", expected)]
    done = check(project, "deck.txt", "--output-format", "json", "--as-of", "2020-01-01", **variables)
    assert judged_by(done) == [("deck.txt", "club/wide", "2020-01-01")]


def test_the_games_of_a_match(project: Path) -> None:
    put(project, "formats/bo.yaml", "format: club/bo\ngame: duel-masters\nname: Bo\nzones: {main: {}}\nrules:\n- {id: bo1, at_most: 1, when: {best_of: 1}}\n- {id: bo3, at_most: 3, when: {best_of: 3}}\n- {id: bo5, at_most: 5, when: {best_of: 5}}\n- {id: bo7, at_most: 7, when: {best_of: 7}}\n")  # fmt: skip
    put(project, "deckcheck.toml", 'format = "bo"\nformats = ["formats"]\nbest-of = 1\n[[decks]]\npath = "small/"\nbest-of = 3\n')  # fmt: skip
    put(project, "small/own.txt", "# best-of: 5\n" + LEGAL)

    def rules(*arguments: str, **variables: str) -> list[str]:
        done = check(project, "--output-format", "json", *arguments, **variables)
        return [finding["rule"] for one in json.loads(done.out)["decks"] for finding in one["findings"]]

    assert rules("deck.txt", "small") == ["bo1", "bo3", "bo5"]
    assert rules("deck.txt", "small", DECKCHECK_BEST_OF="7") == ["bo7"] * 3
    assert rules("deck.txt", "small", "--best-of", "1", DECKCHECK_BEST_OF="7") == ["bo1"] * 3


def test_language_form_and_what_is_unknown(project: Path) -> None:
    put(project, "odd.txt", LEGAL + "1 x 誰も知らないカード\n")
    put(project, "deckcheck.toml", 'format = "wide"\nformats = ["formats"]\nlang = "ja"\nunknown = "warn"\noutput-format = "json"\n')  # fmt: skip
    done = check(project, "odd.txt")
    assert done.status == 0
    assert "カード表にありません" in json.loads(done.out)["decks"][0]["findings"][0]["message"]
    done = check(
        project, "odd.txt", DECKCHECK_LANG="en", DECKCHECK_UNKNOWN="error", DECKCHECK_OUTPUT_FORMAT="text"
    )
    assert done.status == 3
    assert "undecided" in done.out
    more = ("--lang", "ja", "--unknown", "warn", "--output-format", "text")
    done = check(project, "odd.txt", *more, DECKCHECK_LANG="en", DECKCHECK_UNKNOWN="error")
    assert done.status == 0
    assert done.out.startswith("odd.txt:3:5: 警告")


@pytest.mark.parametrize("words", ["check", "sheet", "convert --to csv"])
def test_mistakes_after_the_settings_are_told_in_their_language(project: Path, words: str) -> None:
    put(project, "deckcheck.toml", 'lang = "ja"\n')
    done = deckcheck(project, *words.split(), "deck.txt")
    assert done.status == 2
    assert "フォーマットが分かりません" in done.err


@pytest.mark.parametrize(("name", "value"), [("UNKNOWN", "maybe"), ("BEST_OF", "x"), ("AS_OF", "soon"), ("LANG", "fr"), ("OUTPUT_FORMAT", "xml"), ("CONFIG", "none.toml"), ("FORMAT", "none")])  # fmt: skip
def test_a_variable_that_makes_no_sense_is_status_2(project: Path, name: str, value: str) -> None:
    done = check(project, "deck.txt", **{f"DECKCHECK_{name}": value})
    assert (done.status, done.out) == (2, "")
    assert done.err


def test_which_file_is_read(project: Path) -> None:
    put(project, "other.toml", 'format = "narrow"\nformats = ["formats"]\n')
    assert formats(project, "deck.txt", "--config", "other.toml") == ["club/narrow"]
    assert formats(project, "deck.txt", DECKCHECK_CONFIG="other.toml") == ["club/narrow"]
    assert formats(project, "deck.txt", "--config", "deckcheck.toml", DECKCHECK_CONFIG="other.toml") == [
        "club/wide"
    ]
    assert formats(project, "deck.txt", "-f", "formats/other.yaml") == ["club/other"]


def test_a_format_that_the_settings_name_in_vain_is_told_at_their_line(project: Path) -> None:
    put(project, "deckcheck.toml", 'formats = ["formats"]\n[[decks]]\npath = "small/"\n  format = "narow"\n')
    done = check(project, "small", "own.txt", "--lang", "en", "--as-of", "2024-01-01")
    assert done.status == 2
    assert done.err == (
        "deckcheck.toml:4:3: error: there is no format 'narow'\n"
        ' 4 |   format = "narow"\n   |   ^\n'
        "   = did you mean Narrow (club/narrow)?\n"
    )
    assert done.out.endswith("1 deck: 1 legal, 0 illegal, 0 undecided (and 1 that could not be checked)\n")
    put(project, "formats/base.yaml", "format: club/base\ngame: duel-masters\nname: Base\nabstract: true\n")
    put(project, "deckcheck.toml", 'formats = ["formats"]\nformat = "base"\n')
    done = check(project, "deck.txt", "--lang", "en")
    assert done.err.startswith("deckcheck.toml:2:1: error: 'club/base' can only be extended\n 2 | format")
    put(project, "deckcheck.toml", 'format = "none.yaml"\n')
    assert check(project, "deck.txt", "--lang", "en").err == "none.yaml: error: no such file\n"


def test_a_report_says_which_line_chose_the_format(project: Path) -> None:
    done = check(project, "deck.txt", "small/deck.txt", "own.txt")
    assert done.out.count("format chosen by: ") == 1, "a deck without findings is only counted"
    assert "  format chosen by: deckcheck.toml:8\n" in done.out
    told = [one["format_chosen_by"] for one in json.loads(check(project, "deck.txt", "own.txt", "small", "--output-format", "json").out)["decks"]]  # fmt: skip
    assert told == [
        {"path": "deckcheck.toml", "line": 1},
        None,
        {"path": "deckcheck.toml", "line": 8},
    ]
    asked = json.loads(check(project, "deck.txt", "-f", "wide", "--output-format", "json").out)
    assert asked["decks"][0]["format_chosen_by"] is None
