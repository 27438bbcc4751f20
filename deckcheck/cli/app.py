"""The entry point: plain checks at once, everything else by the commands that typer reads."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and exit with its status.

    However it ends, it ends without a traceback: ^C is 130, a closed pipe 141.
    """
    from deckcheck.cli.guard import PIPE_CLOSED, STOPPED, abandon_output

    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(STOPPED)
    except BrokenPipeError:
        abandon_output()
        sys.exit(PIPE_CLOSED)
    sys.exit(0)


def _run(arguments: list[str]) -> None:
    from deckcheck.cli.plain import plain_check

    options = plain_check(arguments)
    if options is None:
        from deckcheck.cli.commands import make_app

        make_app(arguments)()
        return
    from deckcheck.cli.check import check_decks
    from deckcheck.cli.guard import guarded

    sys.exit(guarded(lambda: check_decks(**options), options.get("lang")))
