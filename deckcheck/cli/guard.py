"""How a command ends when it can't do what it was asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from deckcheck.cli.language import user_language
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import _

NOT_DONE = 2
STOPPED = 130
PIPE_CLOSED = 141


def guarded(work: Callable[[], int], lang: str | None, *, private: bool = False) -> int:
    """The status that `work` returns, or that of what went wrong: the user's mistakes are told and are 2.

    Of a mistake of ours only its kind is told in `private`, for its words may hold what nobody else may see.
    """
    try:
        return work()
    except UserError as error:
        from deckcheck.cli.screen import tell_problems

        tell_problems(error.problems, lang or user_language())
        return NOT_DONE
    except BrokenPipeError:
        abandon_output()
        return PIPE_CLOSED
    except OSError as error:
        # What was read has been caught where it was read, so this is about writing.
        from deckcheck.cli.screen import tell_problems

        reason = error.strerror or str(error)
        abandon_output()
        tell_problems([Problem(_("can't be written: {reason}", reason=reason))], lang or user_language())
        return NOT_DONE
    except KeyboardInterrupt:
        return STOPPED
    except Exception as error:
        # A mistake of ours must not look like an illegal deck.
        from deckcheck.cli.screen import tell_problems

        said = type(error).__name__ if private else f"{type(error).__name__}: {error}"
        message = _("internal error of deckcheck ({said})", said=said)
        tell_problems([Problem(message)], lang or user_language())
        return NOT_DONE


def abandon_output() -> None:
    """Keep the interpreter from writing to the closed pipe once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
