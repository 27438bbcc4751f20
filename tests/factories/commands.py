"""What `deckcheck` did as a process, and the environment that it was given."""

from __future__ import annotations

import os


class Done:
    def __init__(self, status: int, out: bytes, err: bytes) -> None:
        self.status, self.raw, self.out, self.err = status, out, out.decode(), err.decode()


def environment(**more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    for key in ("LC_ALL", "LC_MESSAGES", "LANG"):
        kept.pop(key, None)
    return kept | {"PYTHONUTF8": "1"} | more
