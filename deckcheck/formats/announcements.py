"""Announcements: banlist files with changes that are not yet in force, merged over the list with their id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from deckcheck.formats.banlist_file import histories_of, with_entries_of
from deckcheck.formats.parsing import Context, date_problems
from deckcheck.model.banlist import FREE_STATUS, Banlist, Change, all_statuses
from deckcheck.model.card import Catalog
from deckcheck.model.game import Game
from deckcheck.support.documents import MOST_PROBLEMS, Document, load_yaml, require_shape
from deckcheck.support.errors import UserError, did_you_mean, in_order
from deckcheck.support.messages import _, series


class AnnouncedChange(Change):
    """A change whose line is in the announcement, not in the list."""

    __slots__ = ()


class Announcement(NamedTuple):
    """The file of an announcement for the list with that id (days checked, names not yet), and its newest day."""

    top: Document
    banlist: str
    newest: str

    @property
    def path(self) -> str:
        """The path of the file in messages."""
        return self.top.path


def read_announcement(file: str) -> Announcement:
    """The announcement in that file. Raises UserError with every mistake that can be found without the game."""
    top = load_yaml(Path(file), file)
    require_shape(top, "banlist")
    entries = [entry for key in ("cards", "combinations") for entry in top.under(key)]
    histories = [[change.at("from") for change in entry.under("history")] for entry in entries]
    problems = [problem for days in histories for problem in date_problems(days)]
    if not histories:
        problems.append(top.problem(_("no change is written here")))
    if problems:
        raise UserError(in_order(problems)[:MOST_PROBLEMS])
    return Announcement(top, top.data["banlist"], max(day.data for days in histories for day in days))


def unused_announcement(announcement: Announcement, known: Iterable[str]) -> UserError:
    """The error for an announcement for a list that no format uses; `known` are the ids of used lists."""
    name, lists = announcement.banlist, sorted(known)
    hint = did_you_mean(name, lists)
    if hint is None and lists:
        hint = _("the banlists in use: {lists}", lists=series(lists))
    message = _("no deck's format uses a banlist {name!r}", name=name)
    return UserError([announcement.top.at("banlist").problem(message, hint)])


def with_announcement(
    announcement: Announcement, banlists: Sequence[Banlist], game: Game, catalog: Catalog
) -> tuple[Banlist, ...]:
    """A format's banlists, with the announced changes in the one with that id. Raises UserError with every mistake."""
    if all(banlist.id != announcement.banlist for banlist in banlists):
        return tuple(banlists)
    context = Context(game, catalog)
    try:
        histories = histories_of(announcement.top, context)
        # A loaded format's rules look at exactly the statuses that its lists give.
        alone, together = (all_statuses(banlists, combinations=several) for several in (False, True))
        for sides, history in histories.items():
            given = together if len(sides) > 1 else alone
            for status in (change.at("status") for change in history.items()):
                if context.status(status, FREE_STATUS) and status.data not in (*given, FREE_STATUS):
                    message = _(
                        "no rule of the decks' format looks at the status {status!r} of such an entry",
                        status=status.data,
                    )
                    context.report(status, message, did_you_mean(status.data, given))
        changed = tuple(
            with_entries_of(banlist, announcement.top, histories, context, AnnouncedChange)
            if banlist.id == announcement.banlist
            else banlist
            for banlist in banlists
        )
        context.refuse()
    except UserError as error:
        raise UserError(in_order(error.problems)) from error
    return changed
