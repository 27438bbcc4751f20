"""The entry point."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

STOPPED, PIPE_CLOSED = 130, 141

SELDOM = 100_000
"""Allocations between two garbage collections: what a start allocates stays, so looking at it is in vain."""


def main() -> NoReturn:
    """Run the command line and exit with its status.

    However it ends, it ends without a traceback: ^C is 130, a closed pipe 141.
    """
    gc.set_threshold(SELDOM, 20, 20)
    try:
        from deckcheck.cli.commands import make_app

        make_app(sys.argv[1:])()
    except KeyboardInterrupt:
        sys.exit(STOPPED)
    except BrokenPipeError:
        from deckcheck.cli.guard import abandon_output

        abandon_output()
        sys.exit(PIPE_CLOSED)
    finally:
        # Python collects garbage once more when it ends, which takes longer than checking a deck.
        gc.freeze()
    sys.exit(0)
