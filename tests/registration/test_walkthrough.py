"""The walk-through of the documentation: what it promises is in it, and it ends with an intact log.

Its commands are run, and what they print compared, by test_docs.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from factories.documents import as_run, blocks, commands_of
from factories.examples import amount

from deckcheck.registration.audit import audit
from deckcheck.registration.event import EventSession
from deckcheck.registration.log import DeckCheck, read_log
from deckcheck.registration.roster import build_roster

ROOT = Path(__file__).parent.parent.parent

LINES = {
    "4 x name": r"(?m)^\d x \S",
    "《name》×4": r"(?m)^《.+》×\d",
    "・name ×4枚": r"(?m)^・.+ ×\d枚",
    "4枚 name": r"(?m)^\d枚 ",
    "a table": r"(?m)^\d \| .+ \| ",
    "csv": r"(?m)^.+,\d,メイン",
    "yaml": r"(?m)^  .+: \d$",
    "json": r'"count": \d',
}


def page(lang: str) -> str:
    return (ROOT / "docs" / lang / "event.md").read_text("utf-8")


@pytest.mark.parametrize("lang", ["ja", "en"][: amount(2, 1)])
def test_the_walk_through_goes_from_the_first_command_to_the_audit(lang: str, tmp_path: Path) -> None:
    commands = [
        " ".join(re.findall(r"[a-z-]+", line)[1:3])
        for block in blocks(page(lang))
        if block.kind in ("console", "sh")
        for line in (commands_of(block.body) if block.kind == "console" else block.body.splitlines())
        if line.startswith("deckcheck")
    ]
    wanted = [
        "event init",
        "event check",
        "event accept",
        "sheet event",
        "event draw",
        "verify winter-mini",
        "event audit",
    ]
    places = [commands.index(one) for one in wanted]
    assert places == sorted(places)
    assert "error: " not in page(lang) and "エラー：" not in page(lang)
    as_run(page(lang), tmp_path, lang)
    session = EventSession.open(tmp_path / "event.yaml")
    log = read_log(session.event.log, session.event.id)
    assert len({row.group for row in build_roster(session, log.receipts).rows}) == 12
    found = audit(session)
    assert found.verdict == "intact"
    assert len(found.rechecks) == 12
    assert sum(isinstance(entry.value, DeckCheck) for entry in log.entries) == 2


def test_the_twelve_players_write_in_six_notations_and_more() -> None:
    text = page("ja")
    assert [name for name, pattern in LINES.items() if not re.search(pattern, text)] == []
    assert len(LINES) >= 6
