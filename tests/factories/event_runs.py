"""deckcheck run in the folder of an event."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from factories.commands import run_process
from factories.event_lists import ILLEGAL, a_list, an_event, legal


class Ran:
    """A finished run of deckcheck."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.status = done.returncode
        self.out = done.stdout.decode()
        self.err = done.stderr.decode()


def run(folder: Path, *arguments: str, stdin: str = "") -> Ran:
    return Ran(
        run_process(
            arguments,
            cwd=folder,
            env=os.environ | {"DECKCHECK_LANG": "en", "PYTHONUTF8": "1"},
            given=stdin.encode(),
        )
    )


def event_of_three(tmp_path: Path) -> Path:
    """A folder with an event: two legal lists and an illegal one."""
    an_event(
        tmp_path,
        a_list("水野 光", legal(), reading="みずの ひかる", id="0017"),
        a_list("乙", legal(1)),
        a_list("甲", ILLEGAL),
    )
    return tmp_path
