"""Workflow commands, read as the runner of GitHub Actions reads a log."""

from __future__ import annotations

from factories.actions_runner import commands
from factories.reports import few, finding, lists, looks, problems, report, runs, written
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.model.finding import ListUsed, Report
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized
from deckcheck.support.safe_text import safe


@few
@given(runs, looks, st.lists(problems, max_size=2, unique=True), st.lists(lists, max_size=2))
def test_no_name_becomes_a_command(
    run: list[Report], look: RenderOptions, wrong: list[Problem], used: list[ListUsed]
) -> None:
    text = written("github", run, look=look, problems=wrong, lists=used)
    told = [one for deck in run for one in deck.findings]
    order = ["error", "warning", "notice"]
    found = [*commands(text)]
    assert len(found) == len(wrong) + len(told)
    assert [one.name for one in found] == sorted((one.name for one in found), key=order.index)
    messages = {safe(one.message.in_(look.lang)) for one in (*wrong, *told)}
    assert {one.data.split("\n")[0] for one in found} == messages


def test_what_ends_a_property_is_written_otherwise() -> None:
    deck = report(finding("copies", message="5 copies: 100%"), path="decks/a,b:c%.txt")
    [first, *_] = written("github", [deck]).splitlines()
    assert first == "::error file=decks/a%2Cb%3Ac%25.txt,title=copies::5 copies: 100%25"
    [command] = commands(first)
    assert command.properties["file"] == "decks/a,b:c%.txt"


def test_a_path_that_looks_like_a_command_is_none() -> None:
    path = "::error title=x::y ##[error]z\n::error::w.txt"
    deck = report(*[finding(message=path)] * 12, path=path)
    said = Localized(path, path)
    told = [*commands(written("github", [deck], problems=[Problem(said, path, hint=said)]))]
    assert [one.name for one in told] == ["error"] * 13
    assert {one.properties.get("old") for one in told} == {None}
