"""An event opened for work: its file, its format, and what has come in."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import GameData, LoadedFormat, load_format
from deckcheck.registration.audit import Rules
from deckcheck.registration.entries.read import read_submissions
from deckcheck.registration.eventfile import read_event
from deckcheck.registration.log import Log, accepted_in
from deckcheck.registration.model import Event, Roster
from deckcheck.registration.provenance import Provenance, provenance
from deckcheck.registration.roster import judge_event


class Desk(NamedTuple):
    """An event and its format, loaded with the event's own cards and folders."""

    event: Event
    format: LoadedFormat


def open_desk(path: Path) -> Desk:
    """The event that the file at `path` describes. Raises UserError with every mistake in it or in its format."""
    event = read_event(path)
    format = load_format(event.format, cards=event.cards, folders=event.folders)
    return Desk(event, format)


def roster_of(desk: Desk, log: Log, rules: Provenance | None = None) -> Roster:
    """All that has come in, judged, beside what the log says was accepted. Raises UserError where entries can't be read.

    `rules` are those of the event, where they are known already.
    """
    event = desk.event
    submissions = read_submissions(event, desk.format.game_data.game)
    accepted = accepted_in(log)
    if rules is None and (event.sealed or accepted):
        rules = rules_of(desk).provenance
    return judge_event(event, submissions, desk.format, accepted, rules)


def rules_of(desk: Desk) -> Rules:
    """The event's format with the hashes of its content."""
    return Rules(desk.format, provenance(desk.event.format, desk.event.folders))


def finder(desk: Desk) -> Callable[[str], Rules]:
    """A function from a format's id to the format, with the event's cards and folders; the event's own is known already.

    It raises UserError for a format that is not there or can't be used.
    """
    event = desk.event
    mine = cache(lambda: rules_of(desk))
    tables: dict[str, GameData] = {desk.format.format.game: desk.format.game_data}

    @cache
    def found(reference: str) -> Rules:
        if reference in (desk.format.format.id, event.format):
            return mine()
        format = load_format(reference, cards=event.cards, games=tables, folders=event.folders)
        return Rules(format, provenance(reference, event.folders))

    return found
