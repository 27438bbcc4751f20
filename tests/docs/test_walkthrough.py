"""The walk-through of the documentation: what it promises is in it, its commands print what it shows, and the log is intact."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from factories.documents import blocks, commands_of, shown_and_printed

from deckcheck.registration.event import EventSession
from deckcheck.registration.log import DeckCheck, audit, read_log
from deckcheck.registration.roster import build_roster

DOCS = Path(__file__).parent.parent.parent / "docs"


class Walk(NamedTuple):
    lang: str
    folder: Path
    shown: str
    printed: str


@pytest.fixture(scope="module", params=["ja", "en"])
def walk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """The page and what its commands printed, in one folder for all tests."""
    lang, folder = request.param, tmp_path_factory.mktemp("walk")
    return Walk(lang, folder, *shown_and_printed(DOCS / lang / "event.md", folder))


def test_examples_do_what_the_page_shows(walk: Walk) -> None:
    assert walk.printed == walk.shown


def test_the_walk_through_goes_from_the_first_command_to_the_audit(walk: Walk) -> None:
    commands = [
        " ".join(re.findall(r"[a-z-]+", line)[1:3])
        for block in blocks(walk.shown)
        if block.kind in ("console", "sh")
        for line in (commands_of(block.body) if block.kind == "console" else block.body.splitlines())
        if line.startswith("deckcheck")
    ]
    wanted = [
        "event init",
        "event check",
        "event accept",
        "sheet event",
        "event withdraw",
        "event draw",
        "verify table",
        "event audit",
    ]
    places = [commands.index(one) for one in wanted]
    assert places == sorted(places)
    assert "error: " not in walk.shown and "エラー：" not in walk.shown
    session = EventSession.open(walk.folder / "event.yaml")
    log = read_log(session.event)
    assert len({row.group for row in build_roster(session, log).rows}) == 12
    found = audit(session)
    assert found.verdict == "intact"
    assert len(found.rechecks) == 12
    assert sum(isinstance(entry.value, DeckCheck) for entry in log.entries) == 2
