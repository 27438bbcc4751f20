"""The entry point."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import NoReturn

STOPPED = 130

SELDOM = 100_000
"""Allocations between two garbage collections: what a start allocates stays, so looking at it is in vain."""


def program() -> NoReturn:
    """`main` as a process of its own, which ends with it, and at once."""
    gc.set_threshold(SELDOM, 20, 20)
    try:
        main()
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            raise
        _leave(end.code or 0)


def main() -> NoReturn:
    """Run the command line and exit with its status.

    However it ends, it ends without a traceback: ^C is 130, a closed pipe 141.
    """
    try:
        from deckcheck.cli.commands import make_app
        from deckcheck.cli.guard import guarded

        sys.exit(guarded(make_app(sys.argv[1:]), None))
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def _leave(status: int) -> NoReturn:
    """Exit without taking every object apart before, which takes Python longer than checking a deck.

    All else that belongs to an end is done; where some thread still runs or
    something can't be written, Python ends as it always does.
    """
    threads = sys.modules.get("threading")
    if threads is not None and threads.active_count() > 1:
        sys.exit(status)
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        sys.exit(status)
    os._exit(status)
