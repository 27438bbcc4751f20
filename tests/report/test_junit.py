"""JUnit XML: read by a parser of such files, and by a schema."""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import xmlschema
from factories.reports import few, looks, problems, runs, written
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, Skipped
from junitparser.xunit2 import JUnitXml

from deckcheck.model.finding import Report
from deckcheck.report.wording import label_of
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
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
