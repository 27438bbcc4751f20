"""What settings have a say over on the command line: rules, files that are looked at, standard input, formats of one's own."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from factories.club_project import LEGAL, RULES, check, deckcheck, judged_by, put, small_project
from factories.commands import Done

pytestmark = pytest.mark.usefixtures("fewer_cards")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return small_project(tmp_path)


# Rules.


def rules_of(done: Done) -> tuple[list[tuple[str, str]], list[tuple[str, str, int]]]:
    [deck] = json.loads(done.out)["decks"]
    return (
        [(one["rule"], one["severity"]) for one in deck["findings"]],
        [
            (one["finding"]["rule"], one["source"]["path"], one["source"]["line"])
            for one in deck["suppressed"]
        ],
    )


def test_rules_are_selected_ignored_and_graded(project: Path) -> None:
    settings = (project / "deckcheck.toml").read_text("utf-8")
    as_json = ("small/deck.txt", "--output-format", "json")
    most, once = ("most", "error"), ("once", "warning")
    done = check(project, *as_json)
    assert rules_of(done) == ([most, once, once], [])
    assert done.status == 1
    put(project, "deckcheck.toml", 'ignore = ["most"]\n' + settings + 'ignore = ["total-mismatch"]\nseverity = {once = "error"}\n')  # fmt: skip
    done = check(project, *as_json)
    assert rules_of(done) == ([("once", "error")] * 2, [("most", "deckcheck.toml", 1)])
    assert done.status == 1
    put(project, "deckcheck.toml", 'select = ["once"]\n' + settings)
    done = check(project, *as_json)
    assert rules_of(done) == ([once, once], [("most", "deckcheck.toml", 1)])
    assert done.status == 0
    put(project, "deckcheck.toml", 'select = ["once"]\n' + settings + "select = []\n")
    assert rules_of(check(project, *as_json)) == ([most, once, once], [])


def test_rules_on_the_command_line_win_over_or_add_to_those_of_the_file(project: Path) -> None:
    settings = (project / "deckcheck.toml").read_text("utf-8")
    as_json = ("small/deck.txt", "--output-format", "json")
    put(project, "deckcheck.toml", settings + 'select = ["most"]\nignore = ["total-mismatch"]\n')
    told, left_out = rules_of(check(project, *as_json, "--select", "once"))
    assert (told, left_out) == ([("once", "warning")] * 2, [("most", "--select", 1)])
    told, left_out = rules_of(check(project, *as_json, "--ignore", "most,own-facts", "--ignore", "once"))
    assert told == []
    assert sorted({rule for rule, path, _ in left_out if path == "--ignore"}) == ["most", "once"]
    assert "small/deck.txt: legal, 3 ignored" in check(project, "small/deck.txt", "--ignore", "most,once").out


def test_what_is_unknown_cannot_be_ignored_or_deselected(project: Path) -> None:
    put(project, "odd.txt", LEGAL + "1 x 誰も知らないカード\n4\n")
    done = check(project, "odd.txt", "--select", "most", "--ignore", "once", "--output-format", "json")
    assert done.status == 3
    assert [rule for rule, _ in rules_of(done)[0]] == ["unknown-card", "invalid-line"]
    for option, said in (("--ignore", "can't be ignored"), ("--select", "there is no rule 'nosuch'")):
        done = check(
            project, "odd.txt", option, "unknown-card" if option == "--ignore" else "nosuch", "--lang", "en"
        )
        assert (done.status, done.out) == (2, "")
        assert f"error: {option}: " in done.err
        assert said in done.err


def test_rules_of_the_format_that_was_asked_for_may_be_named(project: Path) -> None:
    put(
        project, "house.yaml", RULES.format(id="house", name="H", most=1, each=4).replace("most,", "my-rule,")
    )
    more = ("--ignore", "my-rule", "--output-format", "json", "--as-of", "2024-01-01")
    assert rules_of(check(project, "deck.txt", "-f", "house.yaml", *more)) == (
        [],
        [("my-rule", "--ignore", 1)],
    )
    done = check(project, "deck.txt", "-f", "formats/wide.yaml", *more)
    assert done.status == 2


# What is looked at.


def checked(folder: Path, *words: str) -> list[str]:
    """The paths of the decks that are checked."""
    decks = judged_by(check(folder, *words, "--output-format", "json"))
    return [path.replace(os.sep, "/") for path, _, _ in decks]


def test_what_is_excluded_is_not_checked(project: Path) -> None:
    assert checked(project, ".") == ["./deck.txt", "./own.txt", "./small/deck.txt"]
    assert checked(project, ".", "--exclude", "small/", "--exclude", "/own.*") == ["./deck.txt"]
    assert "drafts/deck.txt" in check(project, "drafts/deck.txt").err
    assert "drafts/deck.txt" in check(project, ".", "--exclude", "!drafts/", "--verbose").err


def test_patterns_of_the_command_line_count_from_the_working_folder(project: Path) -> None:
    above = checked(project / "small", "..", "--exclude", "/deck.txt")
    assert above == ["../deck.txt", "../own.txt"], "what lies above is not meant"
    assert check(project / "small", ".", "--exclude", "/deck.txt").status == 2


def test_files_that_are_excluded_by_force_are_no_failure(project: Path) -> None:
    done = check(project, "drafts/deck.txt", "--force-exclude", "--lang", "en")
    assert (done.status, done.out) == (0, "")
    assert done.err == "Nothing to check: all files are excluded: drafts/deck.txt\n"
    assert check(project, "drafts/deck.txt", "deck.txt", "--force-exclude").err == ""
    done = check(project, "drafts/deck.txt", "--force-exclude", "--output-format", "json")
    assert (done.status, json.loads(done.out)["decks"]) == (0, [])
    settings = (project / "deckcheck.toml").read_text("utf-8")
    put(project, "deckcheck.toml", "force-exclude = true\n" + settings)
    assert check(project, "drafts/deck.txt").status == 0


def test_a_folder_of_which_all_is_excluded_says_so(project: Path) -> None:
    done = check(project, ".", "--exclude", "*.txt", "--lang", "en")
    assert (done.status, done.out) == (2, "")
    assert "no decks in this folder\n" in done.err
    assert "= excluded: ./deck.txt and 3 more" in done.err.replace(os.sep, "/")


def test_cards_of_the_settings_and_of_the_folder(project: Path) -> None:
    put(project, "cards/new.yaml", "cards:\n  - {name: 来年の竜, civilization: [火], cost: 5}\n")
    over = "cards:\n  - {name: 来年の竜, civilization: [水], cost: 6}\n"
    put(project, "formats/cost.yaml", "format: club/cost\ngame: duel-masters\nname: Cost\nzones: {main: {}}\nrules: [{id: cheap, where: {cost: {at_least: 6}}, at_most: 0}, {id: named, where: {name: 来年の竜}, at_most: 4}]\n")  # fmt: skip
    put(project, "deckcheck.toml", 'format = "cost"\nformats = ["formats"]\ncards = ["cards"]\n')
    put(project, "deck.txt", "1 x 来年の竜\n")
    as_json = ("deck.txt", "--output-format", "json", "--ignore", "own-facts")
    assert rules_of(check(project, *as_json))[0] == []
    put(project, "cards.yaml", over)
    assert rules_of(check(project, *as_json))[0] == [("cheap", "error")]


# Standard input.


def test_standard_input_may_have_a_name(project: Path) -> None:
    as_json = ("--output-format", "json", "-")
    assert judged_by(check(project, *as_json, given=LEGAL)) == [("-", "club/wide", "2024-01-01")]
    named = check(project, "--stdin-filename", "small/new.txt", *as_json, given=LEGAL)
    assert judged_by(named) == [("small/new.txt", "club/narrow", "2024-01-01")]
    own = check(
        project,
        "--stdin-filename",
        "small/new.txt",
        *as_json,
        given="# format: ../formats/other.yaml\n" + LEGAL,
    )
    assert judged_by(own)[0][1] == "club/other", "a file is looked for beside it"
    sheet = check(project, "--stdin-filename", "new.csv", *as_json, given="name,count\n天災 デドダム,4\n")
    assert json.loads(sheet.out)["decks"][0]["sizes"] == {"main": 4}
    wrong = check(project, "--stdin-filename", "small/new.txt", "-", given="\n")
    assert wrong.err.startswith("small/new.txt: error")


def test_the_settings_beside_the_name_of_standard_input_count(project: Path) -> None:
    elsewhere = project / "drafts"
    name = str(Path("..", "small", "new.txt"))
    got = check(elsewhere, "--stdin-filename", name, "--output-format", "json", "-", given=LEGAL)
    assert judged_by(got) == [(name, "club/narrow", "2024-01-01")]


# Formats of one's own.


def test_formats_honours_the_settings(project: Path) -> None:
    listed = deckcheck(project, "formats")
    assert (listed.status, listed.err) == (0, "")
    lines = listed.out.splitlines()
    [at] = [at for at, line in enumerate(lines) if line.startswith("club/narrow ")]
    assert lines[at].split()[1:] == ["Narrow"]
    assert lines[at + 1] == "  " + str(Path("formats", "narrow.yaml"))
    assert "duel-masters/original" in listed.out
    shown = deckcheck(project, "formats", "show", "narrow")
    assert (shown.status, "formats/narrow.yaml:6" in shown.out.replace(os.sep, "/")) == (0, True)
    assert (
        deckcheck(project / "small", "formats", "show", "narrow", "--config", "../deckcheck.toml").status == 0
    )


def test_formats_test_tries_those_of_the_project(project: Path) -> None:
    put(project, "formats/wide.cases/fine.txt", "# expect: legal\n" + LEGAL)
    put(project, "formats/narrow.cases/wrong.txt", "# expect: once, most\n" + LEGAL)
    put(project, "formats/other.cases/wrong.txt", "# expect: legal\n9 x 天災 デドダム\n")
    done = deckcheck(project, "formats", "test")
    assert done.status == 1
    assert "ok  formats/narrow.cases/wrong.txt: illegal" in done.out.replace(os.sep, "/")
    assert "FAILED  formats/other.cases/wrong.txt" in done.out.replace(os.sep, "/")
    assert "duel-masters" not in done.out
    assert deckcheck(project, "formats", "test", "wide", "narrow").status == 0


def test_a_broken_format_of_ones_own_is_told_beside_the_others(project: Path) -> None:
    put(project, "formats/broken.yaml", "format: club/broken\nname: Broken\nrulez: []\n")
    put(project, "formats/unread.yaml", "format: [\n")
    listed = deckcheck(project, "formats")
    assert listed.status == 2
    assert "formats/unread.yaml:2:1: error: not valid YAML" in listed.err.replace(os.sep, "/")
    assert "club/narrow" in listed.out
    assert check(project, "deck.txt").status == 0
    done = check(project, "deck.txt", "-f", "club/broken")
    assert (done.status, done.out) == (2, "")
    assert done.err.replace(os.sep, "/").startswith("formats/broken.yaml:3:1: error: unknown key 'rulez'")
    put(project, "formats/broken.yaml", "format: club/broken\nrules: []\nrulez: []\n")
    listed = deckcheck(project, "formats")
    assert "formats/broken.yaml:3:1: error: unknown key 'rulez'" in listed.err.replace(os.sep, "/")
    assert listed.status == 2 and "club/narrow" in listed.out
