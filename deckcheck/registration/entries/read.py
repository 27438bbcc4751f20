"""All that came in for an event, from wherever its file says."""

import os
from collections.abc import Iterable
from datetime import tzinfo

from deckcheck.model.game import Game
from deckcheck.registration.entries.folder import read_folder
from deckcheck.registration.entries.places import Placed, placed_in, shown_path
from deckcheck.registration.entries.rows import columns_of, require_zones, submissions, wanted_heads
from deckcheck.registration.entries.sheet import rows_of_text
from deckcheck.registration.model import Event, Folder, Sheet, Submission
from deckcheck.support.errors import Problem, UserError, wrong
from deckcheck.support.files import is_file, read_bytes
from deckcheck.support.messages import _

LARGEST_FILE = 64 * 1024 * 1024
LARGEST_WHOLE = 256 * 1024 * 1024
"""Of all lists together, in characters."""


def read_submissions(event: Event, game: Game) -> list[Submission]:
    """Every submission, numbered from 1 over all sources in their order.

    A list that can't be read is there with its problem. Raises UserError, in
    which no player's name stands, where a whole source can't be used.
    """
    from zoneinfo import ZoneInfo

    zone = ZoneInfo(event.time_zone)
    found: list[Submission] = []
    problems: list[Problem] = []
    size = 0
    for at, source in enumerate(event.sources):
        placed = placed_in(event, at)
        try:
            read = (
                _of_folder(event, source, zone, placed)
                if isinstance(source, Folder)
                else _of_sheet(event, source, game, zone, placed)
            )
            for one in read:
                size += len(one.text or "")
                if size > LARGEST_WHOLE:
                    break
                found.append(one._replace(number=len(found) + 1))
        except UserError as error:
            problems += error.problems
        if size > LARGEST_WHOLE:
            message = _("all lists together are too large")
            raise wrong(message, path=str(event.path))
    if problems:
        raise UserError(problems)
    return found


def _of_folder(event: Event, source: Folder, zone: tzinfo, placed: Placed) -> Iterable[Submission]:
    shown = shown_path(source.path, event)
    if not os.path.isdir(source.path):  # noqa: PTH112 - says no where a name can't be one
        message = _("there is no folder {shown!r}", shown=shown)
        raise UserError([placed((), message, None)])
    files = [one.path for one in event.sources if isinstance(one, Sheet)]
    own = frozenset(str(path.absolute()) for path in (event.path, event.log, *event.cards, *files))
    return read_folder(source.path, shown, zone, own)


def _of_sheet(event: Event, source: Sheet, game: Game, zone: tzinfo, placed: Placed) -> Iterable[Submission]:
    shown = shown_path(source.path, event)
    require_zones(source, game, placed)
    if not is_file(source.path):
        message = _("there is no file {shown!r}", shown=shown)
        raise UserError([placed(("file",), message, None)])
    data = read_bytes(source.path, most=LARGEST_FILE)
    if source.path.suffix.lower() in (".xlsx", ".xlsm"):
        from deckcheck.registration.entries.workbook import rows_of_workbook

        rows = rows_of_workbook(data, shown, source.worksheet, placed)
        if source.worksheet is not None:
            shown = f"{shown}!{source.worksheet}"
    else:
        rows = rows_of_text(data, shown, wanted_heads(source))
    if not rows:
        message = _("{shown!r} is empty: it must begin with a head", shown=shown)
        raise UserError([placed(("file",), message, None)])
    columns = columns_of(source, rows[0], game, placed)
    return submissions(rows[1:], columns, shown, zone)
