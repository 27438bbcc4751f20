"""Settings on the command line: who wins over whom, rules, files that are looked at, standard input, one's own formats."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from factories import commands, events
from factories.commands import Done

LEGAL = "4 x 天災 デドダム\n4 x 青銅の鎧\n"
RULES = """\
format: club/{id}
game: duel-masters
name: {name}
zones: {{main: {{}}}}
rules:
  - {{id: most, at_most: {most}}}
  - {{id: once, per: name, at_most: {each}, severity: warning}}
"""


def put(folder: Path, name: str, content: str) -> None:
    events.put(folder, {name: content})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for id, most, each in (("wide", 60, 4), ("narrow", 5, 1), ("other", 8, 9)):
        put(tmp_path, f"formats/{id}.yaml", RULES.format(id=id, name=id.title(), most=most, each=each))
    put(tmp_path, "deck.txt", LEGAL)
    put(tmp_path, "small/deck.txt", LEGAL)
    put(tmp_path, "drafts/deck.txt", "no deck at all\n")
    put(tmp_path, "own.txt", "# format: other\n" + LEGAL)
    put(
        tmp_path,
        "deckcheck.toml",
        'format = "club/wide"\nas-of = "2024-01-01"\nlang = "en"\nformats = ["formats"]\nexclude = ["drafts/"]\n'
        '[[decks]]\npath = "small/"\nformat = "narrow"\n',
    )
    return tmp_path


def deckcheck(folder: Path, *words: str, given: str = "", **variables: str) -> Done:
    return commands.deckcheck(*words, cwd=folder, given=given, **variables)


def check(folder: Path, *arguments: str, given: str = "", **variables: str) -> Done:
    return deckcheck(folder, "check", *arguments, given=given, **variables)


def judged_by(done: Done) -> list[tuple[str, str, str]]:
    """Path, format and day of every deck."""
    return [(one["path"], one["format"], one["as_of"]) for one in json.loads(done.out)["decks"]]


def formats(folder: Path, *arguments: str, **variables: str) -> list[str]:
    return [one[1] for one in judged_by(check(folder, *arguments, "--output-format", "json", **variables))]


# Who wins.


@pytest.mark.parametrize(
    ("key", "values"),
    [
        # At the top of the file, in a table, in the header, in a variable, on the command line.
        ("format", ["club/wide", "club/narrow", "club/other", "club/wide", "club/narrow"]),
        ("as-of", ["2020-01-05", "2020-01-04", "2020-01-03", "2020-01-02", "2020-01-01"]),
        ("best-of", ["1", "3", "5", "7", "1"]),
    ],
)
def test_command_line_over_environment_over_header_over_table_over_top(
    project: Path, key: str, values: list[str]
) -> None:
    rules = "".join(f"  - {{id: bo{n}, at_most: {n}, when: {{best_of: {n}}}}}\n" for n in (1, 3, 5, 7))
    put(project, "formats/bo.yaml", RULES.format(id="bo", name="Bo", most=60, each=9) + rules)
    written = [value if key == "best-of" else f'"{value}"' for value in values]
    settings = 'formats = ["formats"]\n' + ("" if key == "format" else 'format = "club/bo"\n')
    for number, value in enumerate(values, 1):
        top, table, header, variable, option = (number > layer for layer in range(5))
        settings_now = settings + (f"{key} = {written[0]}\n" if top else "")
        settings_now += f'[[decks]]\npath = "deck.txt"\n{key} = {written[1]}\n' if table else ""
        put(project, "deckcheck.toml", settings_now)
        put(project, "deck.txt", (f"# {key}: {values[2]}\n" if header else "") + LEGAL)
        variables = {f"DECKCHECK_{key.replace('-', '_').upper()}": values[3]} if variable else {}
        words = [f"--{key}", values[4]] if option else []
        done = check(project, "deck.txt", "--output-format", "json", *words, **variables)
        [deck] = json.loads(done.out)["decks"]
        told = {"format": deck["format"], "as-of": deck["as_of"]}
        told["best-of"] = "".join(finding["rule"] for finding in deck["findings"]).removeprefix("bo")
        assert told[key] == value, number


def test_the_settings_file_may_be_named(project: Path) -> None:
    put(project, "other.toml", 'format = "narrow"\nformats = ["formats"]\n')
    other = {"DECKCHECK_CONFIG": "other.toml"}
    assert formats(project, "deck.txt", **other) == ["club/narrow"]
    assert formats(project, "deck.txt", "--config", "deckcheck.toml", **other) == ["club/wide"]
    assert formats(project, "deck.txt", "-f", "formats/other.yaml", **other) == ["club/other"]


def test_language_form_and_what_is_unknown(project: Path) -> None:
    put(project, "odd.txt", LEGAL + "1 x 誰も知らないカード\n")
    put(project, "deckcheck.toml", 'format = "wide"\nformats = ["formats"]\nlang = "ja"\nunknown = "warn"\noutput-format = "json"\n')  # fmt: skip
    done = check(project, "odd.txt")
    assert done.status == 0
    assert "カード表にありません" in json.loads(done.out)["decks"][0]["findings"][0]["message"]
    variables = {"DECKCHECK_LANG": "en", "DECKCHECK_UNKNOWN": "error", "DECKCHECK_OUTPUT_FORMAT": "text"}
    done = check(project, "odd.txt", **variables)
    assert done.status == 3 and "undecided" in done.out
    more = ("--lang", "ja", "--unknown", "warn", "--output-format", "text")
    done = check(project, "odd.txt", *more, **variables)
    assert done.status == 0 and done.out.startswith("odd.txt:3:5: 警告")


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
    done = check(project, "deck.txt", "own.txt", "small", "--output-format", "json")
    told = [one["format_chosen_by"] for one in json.loads(done.out)["decks"]]
    assert told == [{"path": "deckcheck.toml", "line": 1}, None, {"path": "deckcheck.toml", "line": 8}]
    asked = json.loads(check(project, "deck.txt", "-f", "wide", "--output-format", "json").out)
    assert asked["decks"][0]["format_chosen_by"] is None


# Rules.


def rules_of(done: Done) -> tuple[list[tuple[str, str]], list[tuple[str, str, int]]]:
    [deck] = json.loads(done.out)["decks"]
    left_out = [(one["finding"]["rule"], one["source"]) for one in deck["suppressed"]]
    return (
        [(one["rule"], one["severity"]) for one in deck["findings"]],
        [(rule, source["path"], source["line"]) for rule, source in left_out],
    )


MOST, ONCE = ("most", "error"), ("once", "warning")
AT_TOP = [("most", "deckcheck.toml", 1)]
BY_SELECT, BY_IGNORE = [("most", "--select", 1)], [("most", "--ignore", 1)]


@pytest.mark.parametrize(
    ("top", "table", "options", "told", "left_out", "status"),
    [
        ("", "", "", [MOST, ONCE, ONCE], [], 1),
        ('ignore = ["most"]', 'severity = {once = "error"}', "", [("once", "error")] * 2, AT_TOP, 1),
        ('select = ["once"]', "", "", [ONCE, ONCE], AT_TOP, 0),
        ('select = ["once"]', "select = []", "", [MOST, ONCE, ONCE], [], 1),
        # Options select instead of the file, and ignore in addition.
        ("", 'select = ["most"]', "--select once", [ONCE, ONCE], BY_SELECT, 0),
        ("", 'ignore = ["total-mismatch"]', "--ignore most,own-facts", [ONCE, ONCE], BY_IGNORE, 0),
    ],
)
def test_rules_are_selected_ignored_and_graded(
    project: Path,
    top: str,
    table: str,
    options: str,
    told: list[tuple[str, str]],
    left_out: list[tuple[str, str, int]],
    status: int,
) -> None:
    settings = (project / "deckcheck.toml").read_text("utf-8")
    put(project, "deckcheck.toml", f"{top}\n{settings}{table}\n")
    done = check(project, "small/deck.txt", "--output-format", "json", *options.split())
    assert (*rules_of(done), done.status) == (told, left_out, status)
    if "--ignore" in options:
        both = check(project, "small/deck.txt", *options.split(), "--ignore", "once")
        assert "small/deck.txt: legal, 3 ignored" in both.out


def test_what_is_unknown_cannot_be_ignored_or_deselected(project: Path) -> None:
    put(project, "odd.txt", LEGAL + "1 x 誰も知らないカード\n4\n")
    done = check(project, "odd.txt", "--select", "most", "--ignore", "once", "--output-format", "json")
    assert done.status == 3
    assert [rule for rule, _ in rules_of(done)[0]] == ["unknown-card", "invalid-line"]
    for option, rule, said in (
        ("--ignore", "unknown-card", "can't be ignored"),
        ("--select", "nosuch", "there is no rule 'nosuch'"),
    ):
        done = check(project, "odd.txt", option, rule, "--lang", "en")
        assert (done.status, done.out) == (2, "")
        assert f"{option}: error: " in done.err and said in done.err


def test_rules_of_the_format_that_was_asked_for_may_be_named(project: Path) -> None:
    house = RULES.format(id="house", name="H", most=1, each=4).replace("most,", "my-rule,")
    put(project, "house.yaml", house)
    more = ("--ignore", "my-rule", "--output-format", "json", "--as-of", "2024-01-01")
    done = check(project, "deck.txt", "-f", "house.yaml", *more)
    assert rules_of(done) == ([], [("my-rule", "--ignore", 1)])
    assert check(project, "deck.txt", "-f", "formats/wide.yaml", *more).status == 2


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


@pytest.mark.usefixtures("fewer_cards")
def test_cards_of_the_settings_and_of_the_folder(project: Path) -> None:
    put(project, "cards/new.yaml", "cards:\n  - {name: 来年の竜, civilization: [火], cost: 5}\n")
    over = "cards:\n  - {name: 来年の竜, civilization: [水], cost: 6}\n"
    rules = "{id: cheap, where: {cost: {at_least: 6}}, at_most: 0}, {id: named, where: {name: 来年の竜}, at_most: 4}"
    head = "format: club/cost\ngame: duel-masters\nname: Cost\nzones: {main: {}}\n"
    put(project, "formats/cost.yaml", f"{head}rules: [{rules}]\n")
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
    text = "# format: ../formats/other.yaml\n" + LEGAL
    own = check(project, "--stdin-filename", "small/new.txt", *as_json, given=text)
    assert judged_by(own)[0][1] == "club/other", "a file is looked for beside it"
    sheet = check(project, "--stdin-filename", "new.csv", *as_json, given="name,count\n天災 デドダム,4\n")
    assert json.loads(sheet.out)["decks"][0]["sizes"] == {"main": 4}
    wrong = check(project, "--stdin-filename", "small/new.txt", "-", given="\n")
    assert wrong.err.startswith("small/new.txt: error")
    # The settings beside the name count.
    name = str(Path("..", "small", "new.txt"))
    beside = check(project / "drafts", "--stdin-filename", name, *as_json, given=LEGAL)
    assert judged_by(beside) == [(name, "club/narrow", "2024-01-01")]


# Formats of one's own.


def test_a_broken_format_of_ones_own_is_told_beside_the_others(project: Path) -> None:
    put(project, "formats/broken.yaml", "format: club/broken\nname: Broken\nrulez: []\n")
    put(project, "formats/nameless.yaml", "format: club/nameless\nrules: []\nrulez: []\n")
    put(project, "formats/unread.yaml", "rules: [\n")
    listed = deckcheck(project, "formats")
    assert listed.status == 2 and "club/narrow" in listed.out
    told = listed.err.replace(os.sep, "/")
    assert "formats/unread.yaml:2:1: error: not valid YAML" in told
    assert "formats/nameless.yaml:3:1: error: unknown key 'rulez'" in told
    assert check(project, "deck.txt").status == 0
    done = check(project, "deck.txt", "-f", "club/broken")
    assert (done.status, done.out) == (2, "")
    assert done.err.replace(os.sep, "/").startswith("formats/broken.yaml:3:1: error: unknown key 'rulez'")
