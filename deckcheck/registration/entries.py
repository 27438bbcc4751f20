"""Reads all submissions of an event, from the folders and forms under `entries` in its file."""

from typing import NamedTuple
from zoneinfo import ZoneInfo

from deckcheck.model.game import Game
from deckcheck.registration.event import Event, Form
from deckcheck.registration.forms import PlacedProblem, read_form
from deckcheck.registration.submissions import Submission, read_folder, with_ids
from deckcheck.support.documents import Keys, load_yaml
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.files import is_folder
from deckcheck.support.messages import Words, _

LARGEST_TOGETHER = 256 * 1024 * 1024
"""The largest size of all lists of an event, in characters."""


class Entries(NamedTuple):
    """The submissions to an event, with their ids, and the places of files that aren't lists."""

    submissions: list[Submission]
    passed_over: list[str]


def read_entries(event: Event, game: Game) -> Entries:
    """All submissions to an event. Raises UserError, without names, for an unusable source."""
    zone = ZoneInfo(event.time_zone)
    home = event.path.parent
    submissions: list[Submission] = []
    passed_over: list[str] = []
    problems: list[Problem] = []
    size = 0
    for at, source in enumerate(event.sources):
        path, placed = source.path, _placed_in(event, at)
        # The path as written in the event's file.
        shown = (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()
        shown = shown.encode("utf-8", "backslashreplace").decode()
        try:
            if isinstance(source, Form):
                found = list(read_form(source, shown, game, zone, placed))
            elif is_folder(path):
                content = read_folder(path, shown, zone, event.own_files, tuple(event.fields))
                found = content.submissions
                passed_over += content.passed_over
            else:
                raise UserError([placed((), _("there is no folder {shown!r}", shown=shown), None)])
        except UserError as error:
            problems += placed_at(error, shown).problems
            continue
        size += sum(len(one.text or "") for one in found)
        if size > LARGEST_TOGETHER:
            raise user_error(_("all lists together are too large"), path=str(event.path))
        submissions += found
    if problems:
        raise UserError(problems)
    return Entries(with_ids(submissions), passed_over)


def _placed_in(event: Event, at: int) -> PlacedProblem:
    """Makes problems of the source at index `at`, placed in the event's file if that can be read."""

    def problem(keys: Keys, message: Words, hint: Words | None) -> Problem:
        try:
            return load_yaml(event.path).problem(message, hint, ("entries", at, *keys))
        except UserError:
            return Problem(message, str(event.path), hint=hint)

    return problem
