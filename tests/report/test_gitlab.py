"""Code Quality issues: their schema, and fingerprints that know a finding again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from factories.reports import few, finding, looks, problems, report, runs, written
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck.model.finding import CardAt, Report
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized

SCHEMA = json.loads(
    (Path(__file__).parent.parent / "schemas" / "gitlab.schema.json").read_text(encoding="utf-8")
)


def issues(run: list[Report], **others: Any) -> list[Any]:
    found: list[Any] = json.loads(written("gitlab", run, **others))
    Draft7Validator(SCHEMA).validate(found)
    return found


def prints(*reports: Report, lang: str = "en") -> list[str]:
    return [one["fingerprint"] for one in issues(list(reports), look=RenderOptions(lang))]


@few
@given(runs, looks, st.lists(problems, max_size=3, unique=True))
def test_each_finding_is_one_issue_with_a_fingerprint_of_its_own(
    run: list[Report], look: RenderOptions, wrong: list[Problem]
) -> None:
    found = issues(run, look=look, problems=wrong)
    assert len(found) == sum(len(one.findings) for one in run) + len(wrong)
    assert len({one["fingerprint"] for one in found}) == len(found)


def test_a_fingerprint_stays_when_lines_move_and_counts_change() -> None:
    def deck(line: int, copies: int) -> Report:
        card = CardAt("天災 デドダム", copies, line, 5)
        message = Localized(f"《天災 デドダム》が{copies}枚", f"{copies} copies of 天災 デドダム")
        one = replace(finding(line=line, column=5, cards=(card,)), message=message)
        return report(one, lines=["#"] * (line - 1) + [f"{copies} x 天災 デドダム"])

    assert prints(deck(3, 5)) == prints(deck(9, 6)) == prints(deck(3, 5), lang="ja")


def test_a_line_that_cant_be_read_is_known_by_what_it_says() -> None:
    def deck(at: int, text: str) -> Report:
        one = finding("invalid-line", verdict="undecided", message="this line can't be read", line=at)
        return report(one, lines=["#"] * (at - 1) + [text])

    assert prints(deck(2, "前置き")) == prints(deck(5, "  前置き "))
    assert prints(deck(2, "前置き")) != prints(deck(2, "後書き"))


def test_other_decks_rules_and_cards_have_other_fingerprints() -> None:
    def deck(path: str = "a.txt", rule: str = "copies", name: str = "青銅の鎧") -> Report:
        return report(finding(rule, line=1, cards=(CardAt(name, 5, 1, 5),)), path=path)

    every = [deck(), deck(path="b.txt"), deck(rule="hall"), deck(name="天災 デドダム")]
    assert len(set(prints(*every))) == len(every)


def test_the_same_finding_twice_is_numbered() -> None:
    twice = report(finding(line=1), finding(line=2))
    once = report(finding(line=1))
    assert len(set(prints(twice))) == 2
    assert prints(twice)[:1] == prints(once)
    # A deck that is named twice is told twice.
    assert prints(once, once) == prints(twice)
