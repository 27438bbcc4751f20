"""The walk-through of the documentation: what it promises is in it, its commands print what it shows, and the log is intact."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from factories.documents import blocks, shown_and_printed

from deckcheck.registration.event import open_event
from deckcheck.registration.log import DeckCheck, audit, read_log
from deckcheck.registration.roster import build_roster

DOCS = Path(__file__).parent.parent.parent / "docs"
WANTED = (
    *("event init", "event check", "event accept", "sheet event", "event withdraw", "event draw"),
    *("verify", "event audit"),
)


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_walk_through_goes_from_the_first_command_to_the_audit(lang: str, tmp_path: Path) -> None:
    shown, printed = shown_and_printed(DOCS / lang / "event.md", tmp_path)
    assert printed == shown
    assert "error: " not in shown and "エラー：" not in shown
    scripts = "".join(block.body for block in blocks(shown) if block.kind in ("console", "sh"))
    commands = re.findall(r"(?m)^(?:\$ )?deckcheck ([a-z-]+(?: [a-z-]+)?)", scripts)
    places = [commands.index(one) for one in WANTED]
    assert places == sorted(places)
    session = open_event(tmp_path / "event.yaml")
    log = read_log(session.event)
    assert len({row.group for row in build_roster(session, log).rows}) == 12
    found = audit(session)
    assert (found.verdict, len(found.rechecks)) == ("intact", 12)
    assert sum(isinstance(entry.value, DeckCheck) for entry in log.entries) == 2
