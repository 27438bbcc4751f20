"""By which rules one list is judged outside of a run of checks: an event's, or those of the project and the options."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.checking.session import CheckOptions, OpenedDeck, Session
from deckcheck.checking.walk import DeckFile
from deckcheck.cli.project import project, wish_of
from deckcheck.config.settings import Settings
from deckcheck.formats.lookup import Folders, format_file
from deckcheck.registration.desk import Desk, open_desk
from deckcheck.registration.provenance import Provenance, provenance
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import _


class Asked(NamedTuple):
    """What options say of the rules; those left out are None or empty."""

    format: str | None = None
    event: str | None = None
    as_of: str | None = None
    best_of: int | None = None
    cards: tuple[str, ...] = ()
    config: str | None = None
    isolated: bool = False


class Ruling(NamedTuple):
    """Where formats and cards are looked for, and the event's own desk if there is an event."""

    wish: CheckOptions
    settings: Settings
    desk: Desk | None

    @property
    def folders(self) -> Folders:
        """The folders of formats and banlists that come before what is bundled."""
        return self.wish.folders


def ruling(path: str, asked: Asked) -> Ruling:
    """The rules for the list at `path`. What the options say wins over the event. Raises UserError."""
    settings = project([path], config=asked.config, isolated=asked.isolated)
    wish = wish_of(settings, format=asked.format, as_of=asked.as_of, best_of=asked.best_of, cards=asked.cards)
    if asked.event is None:
        return Ruling(wish, settings, None)
    desk = open_desk(Path(asked.event))
    event = desk.event
    of_event = CheckOptions(
        format=asked.format or event.format,
        as_of=asked.as_of or event.as_of,
        best_of=event.best_of if asked.best_of is None else asked.best_of,
        cards=(*map(str, event.cards), *asked.cards),
        folders=event.folders,
    )
    return Ruling(of_event, settings, desk)


def opened(path: str, rules: Ruling) -> OpenedDeck:
    """The list at `path`, read for its format. Raises UserError, placed."""
    return Session(rules.wish).open(DeckFile(path))


def format_named(reference: str, rules: Ruling) -> tuple[LoadedFormat, Provenance]:
    """The format with that id, with its content in hashes. Raises UserError."""
    desk = rules.desk
    if desk is not None and desk.format.format.id == reference:
        return desk.format, provenance(desk.event.format, desk.event.folders)
    try:
        format_file(reference, folders=rules.folders)
    except UserError as error:
        if desk is not None:
            raise
        said = _(
            "the format {reference!r} is not a bundled one, and nothing here says where it is",
            reference=reference,
        )
        hint = _("give the file of the event that plays it with --event")
        unread = [problem for problem in error.problems if problem.path is not None]
        raise UserError([Problem(said, hint=hint), *unread]) from error
    cards = [Path(card) for card in rules.wish.cards]
    return load_format(reference, cards=cards, folders=rules.folders), provenance(reference, rules.folders)
