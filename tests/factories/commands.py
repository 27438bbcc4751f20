"""What `deckcheck` did as a process, and the environment that it was given."""

from __future__ import annotations

import os
import sys
from unittest import mock

from deckcheck.cli.app import main


class Done:
    def __init__(self, status: int, out: bytes, err: bytes) -> None:
        self.status, self.raw, self.out, self.err = status, out, out.decode(), err.decode()


def environment(**more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    for key in ("LC_ALL", "LC_MESSAGES", "LANG"):
        kept.pop(key, None)
    return kept | {"PYTHONUTF8": "1"} | more


def run_here(*words: object) -> int:
    """Run the command line in this process, and return its status."""
    with mock.patch.object(sys, "argv", ["deckcheck", *map(str, words)]):
        try:
            main()
        except SystemExit as end:
            assert isinstance(end.code, int)
            return end.code
