"""What a command is: its texts, its status, and what is said when something goes wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple

from deckcheck.cli.terminal import tell_problems, user_language
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import working_folder
from deckcheck.support.messages import Message, _

NOT_DONE = 2
STOPPED = 130
PIPE_CLOSED = 141


class Command(NamedTuple):
    """A function as typer calls it, and the texts of its help. `help_if_bare`: without arguments the help is shown."""

    run: Callable[..., None]
    help: Message
    epilog: Message | None = None
    help_if_bare: bool = False


class Group(NamedTuple):
    """Commands below one word; `default` takes the options of the word itself."""

    help: Message
    commands: Mapping[str, Command]
    default: Callable[..., None] | None = None


def command(
    help: Message, *, epilog: Message | None = None, help_if_bare: bool = False, private: bool = False
) -> Callable[[Callable[..., int]], Command]:
    """Make a command of a function that returns an exit status.

    Of an internal error in a `private` command only the kind is told: its
    words may hold what nobody else may see.
    """

    def decorate(function: Callable[..., int]) -> Command:
        @wraps(function)
        def run(**options: Any) -> None:
            from typer import Exit

            raise Exit(guarded(lambda: function(**options), options.get("lang"), private=private))

        return Command(run, help, epilog, help_if_bare)

    return decorate


def guarded(work: Callable[[], int], lang: str | None, *, private: bool = False) -> int:
    """The status that `work` returns; for what goes wrong a message and the status that belongs to it."""
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
        shown = kind if private else f"{kind}: {error}"
        problems = (Problem(_("internal error in deckcheck ({error})", error=shown)),)
    tell_problems(problems, lang or user_language())
    return NOT_DONE


def _system_problems(error: OSError) -> tuple[Problem, ...]:
    try:
        working_folder()
    except UserError as gone:
        return gone.problems
    # Errors of reading are caught where files are read, so this is about writing.
    return (Problem(_("can't be written: {reason}", reason=error.strerror or str(error))),)


def abandon_output() -> None:
    """Keep the interpreter from writing to the closed pipe once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
