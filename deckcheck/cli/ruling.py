"""By which rules a sealed or registered list is judged: an event's, or those of the project and the options."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.checking.session import CheckOptions
from deckcheck.formats.lookup import format_file
from deckcheck.registration.provenance import Provenance, provenance
from deckcheck.registration.roster import EventSession
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import _


class Ruling(NamedTuple):
    """What is asked for, and the event's own session if there is an event."""

    options: CheckOptions
    session: EventSession | None


def ruling(options: CheckOptions, event: str | None) -> Ruling:
    """The options, and behind them the event whose file is named. Raises UserError."""
    if event is None:
        return Ruling(options, None)
    session = EventSession.open(Path(event))
    of_event = CheckOptions(
        format=options.format or session.event.format,
        as_of=options.as_of or session.event.as_of,
        best_of=session.event.best_of if options.best_of is None else options.best_of,
        cards=(*map(str, session.event.cards), *options.cards),
        folders=session.event.folders,
    )
    return Ruling(of_event, session)


def format_named(reference: str, rules: Ruling) -> tuple[LoadedFormat, Provenance]:
    """The format with that id, with its content in hashes. Raises UserError."""
    options, session = rules
    if session is not None and session.format.format.id == reference:
        return session.format, provenance(session.event.format, session.event.folders)
    try:
        format_file(reference, folders=options.folders)
    except UserError as error:
        if session is not None:
            raise
        problem = Problem(
            _("the format “{format}” is not bundled, and it is not known where to find it", format=reference),
            hint=_("name the event file that uses it with --event"),
        )
        raise UserError([problem, *(other for other in error.problems if other.path is not None)]) from error
    cards = [Path(card) for card in options.cards]
    return load_format(reference, cards=cards, folders=options.folders), provenance(
        reference, options.folders
    )
