"""How a command ends when it can't do what it was asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from deckcheck.cli.language import user_language
from deckcheck.errors import UserError

NOT_DONE = 2
STOPPED = 130
PIPE_CLOSED = 141


def guarded(work: Callable[[], int], lang: str | None) -> int:
    """The status that `work` returns, or that of what went wrong: the user's mistakes are told and are 2."""
    try:
        return work()
    except UserError as error:
        from deckcheck.cli.screen import tell_problems

        tell_problems(error.problems, lang or user_language())
        return NOT_DONE
    except BrokenPipeError:
        abandon_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return STOPPED


def abandon_output() -> None:
    """Keep the interpreter from writing to the closed pipe once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
