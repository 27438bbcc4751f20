"""JUnit XML: read by a parser of such files, and by a schema."""

from __future__ import annotations

import os
import re
from collections import Counter
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import xmlschema
from factories.reports import few, finding, looks, problems, report, runs, written
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, Skipped
from junitparser.xunit2 import JUnitXml

from deckcheck.model.finding import CardAt, Report, Suppressed
from deckcheck.model.format import Source
from deckcheck.report.wording import label_of
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized
from deckcheck.support.safe_text import safe


@cache
def schema() -> xmlschema.XMLSchema10:
    return xmlschema.XMLSchema10(str(Path(__file__).parent.parent / "schemas" / "junit.xsd"))


def suites(run: list[Report], **others: Any) -> list[Any]:
    text = written("junit", run, **others)
    schema().validate(ElementTree.fromstring(text))
    return list(JUnitXml.fromstring(text.encode()))


def outcome(case: Any) -> str:
    kinds = {Failure: "failure", Error: "error", Skipped: "skipped"}
    return kinds[type(case.result[0])] if case.result else "passed"


def shown(text: str) -> str:
    return re.sub("[\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", safe(text))


@few
@given(runs, looks, st.lists(problems, max_size=3, unique=True))
def test_each_finding_is_one_case(run: list[Report], look: RenderOptions, wrong: list[Problem]) -> None:
    found = suites(run, look=look, problems=wrong)
    assert len(found) == len(run) + bool(wrong)
    for suite, deck in zip(found, run, strict=False):
        cases = list(suite)
        assert suite.name == shown(os.path.normpath(deck.deck.path))
        wanted = Counter(
            {"error": "failure", "undecided": "error"}.get(label_of(one, look.lenient), "passed")
            for one in deck.findings
        )
        wanted += Counter({"skipped": len(deck.suppressed), "passed": deck.verdict == "legal"})
        assert Counter(map(outcome, cases)) == wanted
        assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (
            len(cases),
            wanted["failure"],
            wanted["error"],
            wanted["skipped"],
        )
        assert len({case.name for case in cases}) == len(cases)
        said = "\n".join(
            [case.result[0].text or "" for case in cases if case.result] + [suite.system_out or ""]
        )
        for one in deck.findings:
            assert shown(one.message.in_(look.lang)) in said
    if wrong:
        assert [outcome(case) for case in found[-1]] == ["error"] * len(wrong)


def test_what_each_case_says() -> None:
    card = CardAt("天災 デドダム", 5, 3, 5)
    left = Suppressed(
        finding("hall", message="2 copies", line=4), "settings", "練習用", Source("deckcheck.toml", 9)
    )
    deck = report(
        finding(message="5 copies", line=3, column=5, cards=(card,), source=Source("cup.yaml", 7)),
        finding("unknown-card", verdict="undecided", message="no such card", line=4),
        finding("cheap", "warning", message="cheap", line=5),
        suppressed=[left],
    )
    [suite] = suites([deck])
    copies, unknown, cheap, hall = suite
    assert (copies.name, copies.classname) == ("copies: 天災 デドダム", "decks/a.txt")
    assert copies.result[0].message == "decks/a.txt:3:5: error[copies] 5 copies"
    assert copies.result[0].text == "decks/a.txt:3:5: error[copies] 5 copies\ncup.yaml:7"
    assert outcome(unknown) == "error"
    assert outcome(cheap) == "passed"
    assert suite.system_out == "decks/a.txt:5:1: warning[cheap] cheap"
    assert outcome(hall) == "skipped"
    assert "deckcheck.toml:9: 練習用" in hall.result[0].text
    assert suite.name == "decks/a.txt"
    assert datetime.fromisoformat(suite.timestamp).date() >= date(2024, 3, 2), "the time of the run"
    lenient = suites([deck], look=RenderOptions(lenient=True))[0]
    assert lenient.errors == 0


def test_an_option_that_ignores_a_finding_has_no_line() -> None:
    [suite] = suites([report(suppressed=[Suppressed(finding(), "settings", "", Source("--ignore", 1))])])
    _legal, ignored = suite
    assert ignored.result[0].text.splitlines()[-1] == "--ignore"


def test_suites_are_numbered_from_nought() -> None:
    text = written(
        "junit", [report(), report(path="b.txt")], problems=[Problem(Localized("無", "none"), "c.txt")]
    )
    assert re.findall(r'<testsuite id="(\d+)" name="([^"]*)"', text) == [
        ("0", "decks/a.txt"),
        ("1", "b.txt"),
        ("2", "could not be checked"),
    ]
