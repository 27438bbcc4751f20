"""The entry point."""

import atexit
import gc
import os
import sys
from collections.abc import Iterable
from typing import NoReturn

STOPPED = 130
GC_THRESHOLD = 100_000
"""Allocations between two garbage collections. Little is freed at the start, so more frequent ones would only take time."""


def program() -> NoReturn:
    """Run `main` and end the process without cleaning up."""
    gc.set_threshold(GC_THRESHOLD, 20, 20)
    try:
        main()
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            raise
        _leave(end.code or 0)


def main() -> NoReturn:
    """Run the command line and exit with its status: ^C is 130, a closed pipe 141, and there is never a traceback."""
    try:
        from deckcheck.cli.command import Run, exit_status_of, run_words
        from deckcheck.cli.terminal import language_of_arguments

        words = sys.argv[1:]
        lang = language_of_arguments(words)

        def work() -> int:
            if os.environ.get("_ARGCOMPLETE"):
                from deckcheck.cli.completion import complete

                complete(lang)
            return run_words(expanded(words) if os.name == "nt" else words, lang)

        sys.exit(exit_status_of(work, Run(lang)))
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def expanded(words: Iterable[str]) -> list[str]:
    """The words as shells other than that of Windows pass them: file patterns, ~ and variables replaced."""
    from glob import glob

    places = (os.path.expandvars(os.path.expanduser(word)) for word in words)  # noqa: PTH111
    return [word for place in places for word in glob(place, recursive=True) or [place]]  # noqa: PTH207


def _leave(status: int) -> NoReturn:
    """Exit at once: cleaning up every object takes Python longer than checking a deck.

    If a thread still runs or something can't be written, Python ends as usual.
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
