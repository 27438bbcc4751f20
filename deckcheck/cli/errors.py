"""How a command ends: its status, or a message and the status of what went wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

from deckcheck.cli.language import user_language
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import working_folder
from deckcheck.support.messages import _

NOT_DONE = 2
STOPPED = 130
PIPE_CLOSED = 141


def command(function: Callable[..., int]) -> Callable[..., None]:
    """A function that returns an exit status, as typer calls it."""
    return _command(function, private=False)


def private_command(function: Callable[..., int]) -> Callable[..., None]:
    """As `command`; of an error of ours only its kind is told, for its words may hold what nobody else may see."""
    return _command(function, private=True)


def _command(function: Callable[..., int], *, private: bool) -> Callable[..., None]:
    @wraps(function)
    def called(**options: Any) -> None:
        from typer import Exit

        raise Exit(guarded(lambda: function(**options), options.get("lang"), private=private))

    return called


def guarded(work: Callable[[], int], lang: str | None, *, private: bool = False) -> int:
    """The status that `work` returns, or that of what went wrong: the user's mistakes are told and are 2."""
    try:
        return work()
    except UserError as error:
        problems = error.problems
    except BrokenPipeError:
        abandon_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return STOPPED
    except OSError as error:
        abandon_output()
        problems = _system_problems(error)
    except MemoryError:
        problems = (Problem(_("out of memory")),)
    except Exception as error:
        # A mistake of ours must not look like an illegal deck.
        kind = type(error).__name__
        problems = (
            Problem(
                _("internal error in deckcheck ({error})", error=kind if private else f"{kind}: {error}")
            ),
        )
    from deckcheck.cli.terminal import tell_problems

    tell_problems(problems, lang or user_language())
    return NOT_DONE


def _system_problems(error: OSError) -> tuple[Problem, ...]:
    try:
        working_folder()
    except UserError as gone:
        return gone.problems
    # What was read has been caught where it was read, so this is about writing.
    return (Problem(_("can't be written: {reason}", reason=error.strerror or str(error))),)


def abandon_output() -> None:
    """Keep the interpreter from writing to the closed pipe once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
