"""What holds for each output, whatever stands in the files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from factories.reports import (
    few,
    finding,
    lists,
    looks,
    obeyed,
    problems,
    report,
    rule_info,
    runs,
    texts,
    written,
)
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck.model.finding import ListUsed, Report
from deckcheck.report.writer import OUTPUT_FORMATS, RenderOptions
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized


@few
@given(runs, looks, st.lists(problems, max_size=2, unique=True), st.lists(lists, max_size=2), texts)
def test_nothing_is_written_that_a_terminal_obeys(
    run: list[Report], look: RenderOptions, wrong: list[Problem], used: list[ListUsed], rule: Localized
) -> None:
    info = replace(rule_info("copies"), summary=rule, cite=rule)
    for name in OUTPUT_FORMATS:
        assert not obeyed(written(name, run, look=look, problems=wrong, lists=used, rules=[info])), name


@pytest.mark.parametrize(
    ("severity", "verdict", "lenient", "words"),
    [
        ("error", "violated", False, "error critical error error"),
        ("error", "violated", True, "error critical error error"),
        ("error", "undecided", False, "error major error undecided"),
        ("error", "undecided", True, "warning minor warning warning"),
        ("warning", "violated", False, "warning minor warning warning"),
        ("warning", "undecided", False, "warning minor warning warning"),
        ("info", "violated", False, "notice info note info"),
    ],
)
def test_each_output_says_how_grave_a_finding_is(
    severity: str, verdict: str, lenient: bool, words: str
) -> None:
    decks = [report(finding(severity=severity, verdict=verdict, line=4, column=5, message="x"))]
    text = {name: written(name, decks, look=RenderOptions(lenient=lenient)) for name in OUTPUT_FORMATS}
    github, gitlab, sarif, label = words.split()
    assert text["github"].startswith(f"::{github} ")
    assert ("(undecided)" in text["github"]) == (label == "undecided")
    assert f'"severity": "{gitlab}"' in text["gitlab"]
    assert f'"level": "{sarif}"' in text["sarif"] and f'"verdict": "{verdict}"' in text["sarif"]
    assert text["concise"].startswith(f"decks/a.txt:4:5: {label}[copies] x\n")
    assert f"| 4 | {label} |" in text["markdown"]
    failed = ("<failure" in text["junit"], "<error" in text["junit"])
    assert failed == (label == "error", label == "undecided")


def test_the_gravest_come_first() -> None:
    decks = [
        report(finding("cheap", "warning"), path="a.txt"),
        report(finding("unknown-card", verdict="undecided"), path="b.txt"),
        report(finding(), path="c.txt"),
        report(finding(), path="d.txt"),
    ]
    for name, place in (("markdown", r"### `(.)\.txt`"), ("github", r"file=(.)\.txt")):
        assert re.findall(place, written(name, decks)) == ["c", "d", "b", "a"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("github", ["::error file=decks/b.txt,line=4,col=3"]),
        ("gitlab", ['"severity": "blocker"', '"path": "decks/b.txt"', '"begin": 4']),
        ("json", ['"line": 4']),
        ("json-lines", ['"line": 4']),
        ("junit", ["<error"]),
        ("markdown", ["b.txt:4:3`"]),
        ("sarif", ['"executionSuccessful": false', '"startColumn": 3', '"startLine": 4']),
    ],
)
def test_what_could_not_be_checked_is_told_with_its_place(name: str, told: list[str]) -> None:
    problem = Problem(
        Localized("読めません", "can't be read"), "./decks/b.txt", 4, 3, hint=Localized("直す", "mend it")
    )
    text = written(name, [], problems=[problem])
    assert [part for part in ("can't be read", "mend it", *told) if part not in text] == []


def test_paths_begin_at_the_root_of_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lists").mkdir()
    monkeypatch.chdir(tmp_path / "lists")
    away = str(tmp_path / "d.txt")
    decks = [
        report(finding(), path=path) for path in ("./a.txt", "b/../c.txt", away, "/elsewhere/e.txt", "-")
    ]

    def told(name: str) -> list[str]:
        return re.findall(r'(?:file=|"path": ")([^",]+)', written(name, decks))

    assert told("github") == ["a.txt", "c.txt", away, "/elsewhere/e.txt"]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    assert told("github") == ["lists/a.txt", "lists/c.txt", "d.txt", "/elsewhere/e.txt"]
    assert told("gitlab") == ["lists/a.txt", "lists/c.txt", "d.txt", "elsewhere/e.txt", "-"]


def joined(text: str) -> str:
    """As JSON tells it: two halves of a character beside each other are that character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@few
@given(runs, looks, st.lists(problems, max_size=2, unique=True), st.lists(lists, max_size=2))
def test_json_lines_keep_to_their_schema(
    run: list[Report], look: RenderOptions, wrong: list[Problem], used: list[ListUsed]
) -> None:
    text = written("json-lines", run, look=look, problems=wrong, lists=used)
    lines = [json.loads(line) for line in text.splitlines()]
    definitions = load_schema("report")["definitions"]
    validator = Draft7Validator({"definitions": definitions, "$ref": "#/definitions/line"})
    for line in lines:
        validator.validate(line)
    decks, errors, last = lines[: len(run)], lines[len(run) : -1], lines[-1]
    assert [len(one["findings"]) for one in decks] == [len(one.findings) for one in run]
    assert [one["path"] for one in decks] == [joined(one.deck.path) for one in run]
    assert [one["error"]["message"] for one in errors] == [
        joined(one.message.in_(look.lang)) for one in wrong
    ]
    assert last["summary"]["decks"] == len(run)
    # So it is with the concise output: a line for each finding, and the tally.
    concise = written("concise", run, look=look).splitlines()
    assert len(concise) == sum(len(one.findings) for one in run) + 1
