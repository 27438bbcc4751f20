"""Reviewdog's diagnostics: their schema, columns in bytes, and messages that Markdown leaves alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from factories.reports import few, finding, looks, problems, report, runs, written
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from markdown_it import MarkdownIt

from deckcheck.model.deck import Entry
from deckcheck.model.finding import CardAt, Related, Report, Suppressed
from deckcheck.model.format import Source
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized

SCHEMA = json.loads(
    (Path(__file__).parent.parent / "schemas" / "rdjson.schema.json").read_text(encoding="utf-8")
)
MARKDOWN = MarkdownIt("gfm-like")


def diagnostics(run: list[Report], **others: Any) -> list[Any]:
    whole = json.loads(written("rdjson", run, **others))
    Draft7Validator(SCHEMA).validate(whole)
    assert whole["source"]["name"] == "deckcheck"
    found: list[Any] = whole["diagnostics"]
    return found


@few
@given(runs, looks, st.lists(problems, max_size=3, unique=True))
def test_each_finding_is_one_diagnostic(run: list[Report], look: RenderOptions, wrong: list[Problem]) -> None:
    found = diagnostics(run, look=look, problems=wrong)
    assert len(found) == sum(len(one.findings) + bool(one.suppressed) for one in run) + len(wrong)
    for one in found:
        kinds = {
            child.type
            for line in one["message"].split("\n")
            for token in MARKDOWN.parse(line)
            for child in token.children or [token]
        }
        assert kinds <= {"paragraph_open", "paragraph_close", "text", "code_inline", "text_special"}, one[
            "message"
        ]


@pytest.mark.parametrize(
    ("line", "name", "start", "end"),
    [
        ("4 x 天災 デドダム", "天災 デドダム", 5, 24),
        ("　３×ﾎﾞﾙﾒﾃｳｽ", "ﾎﾞﾙﾒﾃｳｽ", 9, 30),
        ("a\U00010400b", "b", 6, 7),
        ("4 x Forest", "Forest", 5, 11),
    ],
)
def test_columns_are_bytes(line: str, name: str, start: int, end: int) -> None:
    column = line.index(name) + 1
    deck = report(finding(line=1, column=column), lines=[line])
    deck = deck._replace(deck=deck.deck._replace(entries=(Entry(name, (), 4, 4, "main", 1, column),)))
    [one] = diagnostics([deck])
    assert one["location"]["range"] == {
        "start": {"line": 1, "column": start},
        "end": {"line": 1, "column": end},
    }
    assert line.encode()[start - 1 : end - 1].decode() == name


def test_a_diagnostic_tells_rule_reason_and_other_places() -> None:
    cards = (CardAt("天災 デドダム", 4, 1, 5), CardAt("天災 デドダム", 1, 3, 5))
    one = finding(
        message="5 copies",
        line=1,
        column=5,
        cards=cards,
        cite="Rule 3",
        source=Source("house/cup.yaml", 7),
        related=(Related(Localized("この規則による", "by this rule"), "house/base.yaml", 9),),
        hint=Localized("減らす", "take one out"),
    )
    [told] = diagnostics([report(one, lines=["4 x 天災 デドダム", "", "1 x 天災 デドダム"])])
    assert told["message"].split("\n") == [
        "5 copies",
        "`Rule 3 (house/cup.yaml:7)`",
        "`by this rule: house/base.yaml:9`",
        "take one out",
    ]
    assert (told["severity"], told["code"]) == ("ERROR", {"value": "copies"})
    assert told["relatedLocations"] == [
        {
            "message": "天災 デドダム: 1",
            "location": {
                "path": "decks/a.txt",
                "range": {"start": {"line": 3, "column": 5}, "end": {"line": 3, "column": 8}},
            },
        },
        {"message": "Rule 3", "location": {"path": "house/cup.yaml", "range": {"start": {"line": 7}}}},
        {"message": "by this rule", "location": {"path": "house/base.yaml", "range": {"start": {"line": 9}}}},
    ]


def test_files_that_ship_with_deckcheck_are_no_place_in_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    [told] = diagnostics([report(finding(source=Source("formats/duel-masters/commander.yaml", 7)))])
    assert "relatedLocations" not in told
    assert "commander.yaml" not in told["message"], "nobody could open it there"


def test_severities_and_the_whole_deck() -> None:
    deck = report(
        finding("unknown-card", verdict="undecided"),
        finding("cheap", "warning"),
        finding("own-facts", "info"),
        suppressed=[Suppressed(finding("hall"), "line", "", Source("decks/a.txt", 1))],
    )
    assert [one["severity"] for one in diagnostics([deck])] == ["ERROR", "WARNING", "INFO", "INFO"]
    lenient = diagnostics([deck], look=RenderOptions(lenient=True))
    assert [one["severity"] for one in lenient] == ["WARNING", "WARNING", "INFO", "INFO"]
    assert all(one["location"] == {"path": "decks/a.txt"} for one in lenient)
    assert lenient[-1]["message"] == "1 finding ignored: hall"


def test_what_could_not_be_checked_is_an_error_at_its_place() -> None:
    problem = Problem(Localized("読めません", "can't be read"), "b.yaml", 2, 3, "－ x")
    [one] = diagnostics([], problems=[problem])
    assert one["severity"] == "ERROR"
    assert one["location"] == {"path": "b.yaml", "range": {"start": {"line": 2, "column": 5}}}
