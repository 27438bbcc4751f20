"""What is wrong with an event's file, and only shows when its entries are read."""

from collections.abc import Callable
from pathlib import Path

from deckcheck.registration.model import Event
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import Words
from deckcheck.support.yamlfile import Keys, load_yaml

Placed = Callable[[Keys, Words, Words | None], Problem]
"""From the way to a value within an entry, both messages and a hint to the problem with its place."""


def placed_in(event: Event, at: int) -> Placed:
    """For problems with the source at `at`: placed on its lines of the event's file, while that is there."""

    def problem(keys: Keys, message: Words, hint: Words | None) -> Problem:
        try:
            return load_yaml(event.path).problem(("entries", at, *keys), message, hint)
        except UserError:
            return Problem(message, str(event.path), hint=hint)

    return problem


def shown_path(path: Path, event: Event) -> str:
    """How a file or folder of the event is named: as the event's file names it."""
    folder = event.path.parent
    said = path.relative_to(folder) if path.is_relative_to(folder) else path
    return said.as_posix().encode("utf-8", "backslashreplace").decode()
