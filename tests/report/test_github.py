"""Workflow commands, read as the runner of GitHub Actions reads a log."""

from __future__ import annotations

import re
from typing import NamedTuple

from factories.reports import few, finding, lists, looks, problems, report, runs, written
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.model.finding import ListUsed, Report
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized
from deckcheck.support.safe_text import safe

KNOWN = {
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
}


class Command(NamedTuple):
    name: str
    properties: dict[str, str]
    data: str


def read(line: str) -> Command | None:
    """The command that a line of a log holds.

    The form in use stands at the beginning, blanks aside, and its properties
    end at the next `::`; the old form, `##[name]`, may stand anywhere.
    """
    bare = line.lstrip()
    if bare.startswith("::") and "::" in bare[2:]:
        head, _, data = bare[2:].partition("::")
        name, _, rest = head.partition(" ")
        if name in KNOWN:
            pairs = (one.split("=", 1) for one in rest.strip().split(",") if "=" in one)
            return Command(name, {key: plain(value) for key, value in pairs}, plain(data))
    old = re.search(r"##\[([^\] ]*)[^\]]*\]", line)
    if old is not None and old[1] in KNOWN:
        return Command(old[1], {"old": "form"}, "")
    return None


def plain(text: str) -> str:
    for written_as, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(written_as, char)
    return text


def commands(text: str) -> list[Command]:
    # The runner splits the log where a terminal would begin another line.
    return [one for line in re.split(r"\r\n|\r|\n", text) if (one := read(line)) is not None]


@few
@given(runs, looks, st.lists(problems, max_size=2, unique=True), st.lists(lists, max_size=2))
def test_no_name_becomes_a_command(
    run: list[Report], look: RenderOptions, wrong: list[Problem], used: list[ListUsed]
) -> None:
    text = written("github", run, look=look, problems=wrong, lists=used)
    told = [one for deck in run for one in deck.findings]
    order = ["error", "warning", "notice"]
    found = commands(text)
    assert len(found) == len(wrong) + len(told)
    assert [one.name for one in found] == sorted((one.name for one in found), key=order.index)
    messages = {safe(one.message.in_(look.lang)) for one in (*wrong, *told)}
    assert {one.data.split("\n")[0] for one in found} == messages


def test_what_ends_a_property_is_written_otherwise() -> None:
    deck = report(finding("copies", message="5 copies: 100%"), path="decks/a,b:c%.txt")
    [first, *_] = written("github", [deck]).splitlines()
    assert first == "::error file=decks/a%2Cb%3Ac%25.txt,title=copies::5 copies: 100%25"
    command = read(first)
    assert command is not None and command.properties["file"] == "decks/a,b:c%.txt"


def test_a_path_that_looks_like_a_command_is_none() -> None:
    path = "::error title=x::y ##[error]z\n::error::w.txt"
    deck = report(*[finding(message=path)] * 12, path=path)
    told = commands(
        written("github", [deck], problems=[Problem(Localized(path, path), path, hint=Localized(path, path))])
    )
    assert [one.name for one in told] == ["error"] * 13
    assert {one.properties.get("old") for one in told} == {None}
