"""Lists and what they say: a table of texts with the cards that are read, the lines that are told, and what is noted.

Each case has `game`, `text` and perhaps `path`, and says: `reads` (zone, copies, card), `told` (lines that aren't read or
whose zone is unknown), `notes` (ids of other remarks), `title`, or `refused` (the line at which no card can be read).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.support.errors import UserError

TABLES = sorted((Path(__file__).parent / "lists").glob("*.yaml"))
UNREAD = ("invalid-line", "unknown-zone")


@cache
def _table(game: str) -> GameData:
    return open_game_data(game)


def _says(case: dict[str, Any]) -> dict[str, Any]:
    """What a list says, as the cases write it."""
    try:
        deck = _table(case["game"]).read(case["text"], case.get("path", "list.txt"))
    except UserError as error:
        return {"refused": error.problems[0].line or 0}
    said: dict[str, Any] = {"reads": [f"{entry.zone} {entry.copies} {entry.name}" for entry in deck.entries]}
    told = sorted({one.line for one in deck.diagnostics if one.id in UNREAD})
    notes = sorted({one.id for one in deck.diagnostics if one.id not in UNREAD})
    said |= {"told": told} if told else {}
    said |= {"notes": notes} if notes else {}
    return said | ({"title": deck.header["deck"]} if "deck" in deck.header else {})


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_table(path: Path) -> None:
    cases = yaml.safe_load(path.read_text("utf-8"))
    wrong = []
    for case in cases:
        said = _says(case)
        wanted = {key: value for key, value in case.items() if key not in ("game", "path", "text")}
        if said != wanted:
            wrong.append((case["text"], said, wanted))
    assert not wrong, "\n".join(
        f"{text!r}\n  says {said}\n  not  {wanted}" for text, said, wanted in wrong[:10]
    )


@pytest.mark.parametrize("stem", ["lines_told", "first_line_told"])
def test_what_is_told_is_never_read_as_that_card(stem: str) -> None:
    """In these tables the odd line names a card, which must not be read from it without a word."""
    path = next(path for path in TABLES if path.stem == stem)
    for case in yaml.safe_load(path.read_text("utf-8")):
        odd = 1 if stem == "first_line_told" else 2
        if odd not in case.get("told", []) and "notes" not in case:
            said = _table(case["game"]).read(case["text"], "list.txt")
            names = [entry for entry in said.entries if entry.line == odd]
            assert all(not entry.cards for entry in names), case["text"]
