"""deckcheck run in the folder of an event."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from factories.eventlists import ILLEGAL, a_list, an_event, legal


class Ran:
    """A finished run of deckcheck."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.status = done.returncode
        self.out = done.stdout.decode()
        self.err = done.stderr.decode()


def run(folder: Path, *arguments: str, stdin: str = "") -> Ran:
    return Ran(
        subprocess.run(
            [sys.executable, "-m", "deckcheck", *arguments],
            cwd=folder,
            env=os.environ | {"DECKCHECK_LANG": "en", "PYTHONUTF8": "1"},
            input=stdin.encode(),
            capture_output=True,
            timeout=120,
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
