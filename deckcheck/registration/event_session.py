"""An event opened for work: its formats with the event's own cards and folders, and all that has come in."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.formats.lookup import FormatEntry, known_formats
from deckcheck.model.game import Game
from deckcheck.registration.eventfile import Event, Form, is_folder, read_event
from deckcheck.registration.forms import placed_in, read_form
from deckcheck.registration.seals import Provenance, provenance
from deckcheck.registration.submissions import Submission, read_folder
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import _

LARGEST_WHOLE = 256 * 1024 * 1024
"""Of all lists together, in characters."""


class Rules(NamedTuple):
    """A format with the hashes of its content."""

    format: LoadedFormat
    provenance: Provenance


class EventSession:
    """An event and its format; formats and entries are read once."""

    def __init__(self, event: Event, format: LoadedFormat) -> None:
        self.event = event
        self.format = format
        self._found: dict[str, Rules | None] = {}

    @classmethod
    def open(cls, path: Path) -> "EventSession":
        """The event that the file at `path` describes. Raises UserError with every mistake in it or in its format."""
        event = read_event(path)
        return cls(event, load_format(event.format, cards=event.cards, folders=event.folders))

    @cached_property
    def rules(self) -> Rules:
        """The event's format with the hashes of its content. Raises UserError."""
        return Rules(self.format, provenance(self.event.format, self.event.folders))

    def find_rules(self, reference: str) -> Rules | None:
        """The format with that id and the event's cards and folders, if there is one. Raises UserError for a broken one."""
        event = self.event
        if reference in (self.format.format.id, event.format):
            return self.rules
        if reference not in self._found:
            games = {self.format.format.game: self.format.game_data}
            found = None
            try:
                format = load_format(reference, cards=event.cards, games=games, folders=event.folders)
                found = Rules(format, provenance(reference, event.folders))
            except UserError as error:
                if any(problem.path is not None for problem in error.problems):
                    raise
            self._found[reference] = found
        return self._found[reference]

    @cached_property
    def known_formats(self) -> Sequence[FormatEntry]:
        """Every format that a list may name."""
        return known_formats(self.event.folders)

    @cached_property
    def submissions(self) -> Sequence[Submission]:
        """All that has come in. Raises UserError where entries can't be read."""
        return read_submissions(self.event, self.format.game_data.game)


def read_submissions(event: Event, game: Game) -> list[Submission]:
    """Every submission, numbered over all sources. Raises UserError, naming no player, for an unusable source."""
    zone = ZoneInfo(event.time_zone)
    home = event.path.parent
    forms = [source.path for source in event.sources if isinstance(source, Form)]
    own = frozenset(str(path.absolute()) for path in (event.path, event.log, *event.cards, *forms))
    found: list[Submission] = []
    problems: list[Problem] = []
    size = 0
    for at, source in enumerate(event.sources):
        path, placed = source.path, placed_in(event, at)
        # As the event's file names it.
        shown = (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()
        shown = shown.encode("utf-8", "backslashreplace").decode()
        try:
            if isinstance(source, Form):
                submissions = read_form(source, shown, game, zone, placed)
            elif is_folder(path):
                submissions = read_folder(path, shown, zone, own)
            else:
                raise UserError([placed((), _("there is no folder {shown!r}", shown=shown), None)])
            for submission in submissions:
                size += len(submission.text or "")
                if size > LARGEST_WHOLE:
                    raise user_error(_("all lists together are too large"), path=str(event.path))
                found.append(submission._replace(number=len(found) + 1))
        except UserError as error:
            if size > LARGEST_WHOLE:
                raise
            problems += error.problems
    if problems:
        raise UserError(problems)
    return found
