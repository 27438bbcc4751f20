"""What holds for each output, whatever stands in the files."""

from __future__ import annotations

import json

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

from deckcheck.model.finding import ListUsed, Report, Suppressed
from deckcheck.model.format import Source
from deckcheck.report.writer import OUTPUT_FORMATS, RenderOptions
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized

FOR_PROGRAMS = [name for name in OUTPUT_FORMATS if name != "text"]


@few
@given(runs, looks, st.lists(problems, max_size=2, unique=True), st.lists(lists, max_size=2), texts)
def test_nothing_is_written_that_a_terminal_obeys(
    run: list[Report], look: RenderOptions, wrong: list[Problem], used: list[ListUsed], rule: Localized
) -> None:
    info = replace(rule_info("copies"), summary=rule, cite=rule)
    for name in OUTPUT_FORMATS:
        assert not obeyed(written(name, run, look=look, problems=wrong, lists=used, rules=[info])), name


@pytest.mark.parametrize("name", FOR_PROGRAMS)
def test_a_run_without_decks_can_be_written(name: str) -> None:
    assert written(name, [], problems=[Problem(Localized("ありません", "not there"), "a.txt")])


@pytest.mark.parametrize("name", sorted({*OUTPUT_FORMATS} - {"gitlab"}))
def test_what_was_left_out_is_still_told(name: str) -> None:
    left = Suppressed(finding("hall"), "line", "練習用", Source("decks/a.txt", 3))
    without, with_one = (written(name, [report(suppressed=some)]) for some in ((), (left,)))
    assert with_one != without
    assert "ignored" in with_one or "hall" in with_one


@few
@given(runs, looks)
def test_concise_is_a_line_a_finding_and_the_tally(run: list[Report], look: RenderOptions) -> None:
    lines = written("concise", run, look=look).splitlines()
    assert len(lines) == sum(len(one.findings) for one in run) + 1


def test_concise_tells_place_severity_and_rule() -> None:
    decks = [
        report(
            finding("main-size", message="41 cards"),
            finding("copies", line=3, column=5, message="5 copies"),
            finding("unknown-card", verdict="undecided", line=4, message="no such card"),
            finding("cheap", "warning", "undecided", line=5, message="cheap"),
            finding("own-facts", "info", line=6, message="own"),
        )
    ]
    assert written("concise", decks).splitlines()[:-1] == [
        "decks/a.txt: error[main-size] 41 cards",
        "decks/a.txt:3:5: error[copies] 5 copies",
        "decks/a.txt:4:1: undecided[unknown-card] no such card",
        "decks/a.txt:5:1: warning[cheap] cheap",
        "decks/a.txt:6:1: info[own-facts] own",
    ]
    lenient = written("concise", decks, look=RenderOptions(lenient=True)).splitlines()
    assert lenient[2] == "decks/a.txt:4:1: warning[unknown-card] no such card"
    assert lenient[-1] == "1 deck: 0 legal, 1 illegal, 0 undecided"


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
