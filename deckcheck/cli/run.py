"""One run of the program: the language in which it speaks, the settings that it follows, and the status with which it ends."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum

import typer
from msgspec.structs import replace

from deckcheck.checking.deck_files import STANDARD_INPUT
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.config import settings_for, settings_of
from deckcheck.formats.loading import own_games
from deckcheck.report.text import write_problems
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import working_folder
from deckcheck.support.messages import _
from deckcheck.support.terminal import user_language


class Status(IntEnum):
    """What the exit status of a command means."""

    OK = 0
    PROBLEMS = 1
    ERROR = 2
    UNDECIDED = 3
    INTERRUPTED = 130
    PIPE_CLOSED = 141


class Run:
    """A run of the program, the object of typer's context.

    `asked_lang` is the language of an option or a variable, if there is one; `lang` is the one in which the run speaks: also
    that of the settings, once they are read, or the user's. Internal errors of a `private` run show only their kind.
    """

    def __init__(self, asked_lang: str | None = None) -> None:
        self.asked_lang = asked_lang
        self.lang = asked_lang or user_language()
        self.private = False

    def session(
        self, config: str | None, paths: Sequence[str] = (), options: CheckOptions | None = None
    ) -> Session:
        """A session for lists at `paths`, by these options and by the settings that apply there.

        `config` is the settings file if it isn't the nearest one. Raises UserError with every mistake in it.
        """
        options = options or CheckOptions()
        stdin_place = options.stdin_name or "."
        if config is not None:
            settings = settings_of(config)
        else:
            settings = settings_for([stdin_place if path == STANDARD_INPUT else path for path in paths])
        self.lang = self.asked_lang or settings.lang or user_language()
        # An invalid game would seem to have no formats.
        own_games(settings.folders.games)
        return Session(replace(options, settings=settings))


@contextmanager
def errors_told(run: Run) -> Iterator[None]:
    """Tell whatever goes wrong in one message, and end with its status, never with a traceback.

    ^C is 130 and a closed pipe 141, so that neither looks like an illegal deck. Errors of typer pass.
    """
    try:
        yield
    except UserError as error:
        problems = error.problems
    except BrokenPipeError:
        _abandon_output()
        raise typer.Exit(int(Status.PIPE_CLOSED)) from None
    except KeyboardInterrupt:
        raise typer.Exit(int(Status.INTERRUPTED)) from None
    except OSError as error:
        _abandon_output()
        problems = _write_error(error)
    except MemoryError:
        problems = (Problem(_("out of memory")),)
    except (typer.Exit, typer.Abort, typer.TyperException):
        raise
    except Exception as error:
        kind = type(error).__name__
        what = kind if run.private else f"{kind}: {error}"
        problems = (Problem(_("internal error in deckcheck ({error})", error=what)),)
    else:
        return
    write_problems(problems, run.lang)
    raise typer.Exit(int(Status.ERROR))


def _write_error(error: OSError) -> tuple[Problem, ...]:
    """The problem behind an error that isn't caught where files are read, so that it is one of writing."""
    try:
        working_folder()
    except UserError as no_folder:
        return no_folder.problems
    return (Problem(_("can't be written: {reason}", reason=error.strerror or str(error))),)


def _abandon_output() -> None:
    """Prevent the interpreter from writing to the closed pipe again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
