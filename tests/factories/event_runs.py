"""deckcheck run in the folder of an event."""

from __future__ import annotations

from pathlib import Path

from factories.commands import Done, deckcheck
from factories.event_lists import ILLEGAL, a_list, an_event, legal


def run(folder: Path, *arguments: str, stdin: str = "") -> Done:
    return deckcheck(*arguments, cwd=folder, given=stdin, DECKCHECK_LANG="en")


def event_of_three(tmp_path: Path) -> Path:
    """A folder with an event: two legal lists and an illegal one."""
    an_event(
        tmp_path,
        a_list("水野 光", legal(), reading="みずの ひかる", id="0017"),
        a_list("乙", legal(1)),
        a_list("甲", ILLEGAL),
    )
    return tmp_path
