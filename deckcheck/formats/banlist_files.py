"""Banlist files and announcements, read against the game and the card table.

An announcement is a banlist file with changes that are not yet in force, merged over the list with its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.formats import lookup
from deckcheck.formats.grammar import Context, date_problems, editions_of
from deckcheck.formats.inheritance import LISTED_TWICE
from deckcheck.model.banlist import (
    FREE_STATUS,
    Banlist,
    BanlistEntry,
    Change,
    Sides,
    Unconfirmed,
    all_statuses,
)
from deckcheck.model.card import Catalog
from deckcheck.model.game import Game
from deckcheck.support.documents import MOST_PROBLEMS, Document, load_yaml, require_shape
from deckcheck.support.errors import UserError, did_you_mean, in_order, which_of
from deckcheck.support.files import is_file, shipped
from deckcheck.support.messages import Localized, _, localized, series

_OF_WHOLE_LISTS = frozenset(
    ["complete_from", "complete_through", "partial", "others", "unconfirmed", lookup.REPLACES]
)
"""The keys with which a banlist file says that it is a whole list, not only changes."""

Histories = dict[Sides, Document]
"""The histories of the entries of a file, by canonical names."""


class KnownList(Struct, frozen=True):
    """A banlist before it is read against the cards: up to which day it is known, as ISO dates."""

    id: str
    name: Localized
    file: Path
    newest: str | None
    """The day of its newest change."""
    complete_through: str | None


def known_list(id: str, folders: lookup.Folders = lookup.BUNDLED_ONLY) -> KnownList:
    """The banlist with that id. Raises UserError."""
    file = lookup.banlist_file(id, Path(), folders)
    data = lookup.load(file, "banlist").data
    entries = [*data.get("cards", ()), *data.get("combinations", ())]
    days = [change["from"] for entry in entries for change in entry["history"]]
    days += [change["from"] for change in data.get("others", ())]
    return KnownList(id, localized(data["name"]), file, max(days, default=None), data.get("complete_through"))


def read_banlist(name: Document, context: Context, folders: lookup.Folders = lookup.BUNDLED_ONLY) -> Banlist:
    """The banlist that a format names; a list of the project with the id of a bundled one is an announcement, or says
    that it replaces that.

    Raises UserError; the files that it is made of and problems in its entries go to the context.
    """
    file, base = _files_of(name, folders)
    document = lookup.load(file, "banlist")
    context.files.append(file)
    game = document.data["banlist"].partition("/")[0]
    if game != context.game.id and is_file(shipped("formats") / game / lookup.GAME):
        try:
            check_banlist(document, context.game, context.catalog)
        except UserError as error:
            message = _("{list!r} is a list of another game", list=str(name.data))
            raise UserError([name.problem(message)]) from error
    if base is None or document.data.get(lookup.REPLACES):
        return replace(_banlist_from(document, context), replaces_bundled=base is not None)
    if document.data.keys() & _OF_WHOLE_LISTS:
        raise UserError([document.at("banlist").problem(*lookup.taken_id(str(name.data)))])
    banlist = _banlist_from(lookup.load(base, "banlist"), context)
    histories = _histories_of(document, context)
    context.files.append(base)
    banlist = _with_entries_of(banlist, document, histories, context, document.path)
    return replace(banlist, announcements=(document.path,))


def _files_of(name: Document, folders: lookup.Folders) -> tuple[Path, Path | None]:
    """The file of the banlist that a format names, and the bundled or imported one with its id that it would hide."""
    reference = str(name.data)
    try:
        file = lookup.banlist_file(reference, Path(name.path), folders)
        base = lookup.banlist_file(reference, Path(name.path))
    except UserError as error:
        raise UserError([name.problem(error.problems[0].message)]) from error
    if not is_file(file):
        is_path = reference.endswith(lookup.ENDINGS)
        hint = None if is_path else which_of(reference, lookup.known_banlists(folders))
        raise UserError([name.problem(_("there is no banlist {reference!r}", reference=reference), hint)])
    return file, None if base == file or not is_file(base) else base


def check_banlist(document: Document, game: Game, catalog: Catalog) -> None:
    """Raise UserError for everything that a format which names this banlist would refuse."""
    context = Context(game, catalog)
    _banlist_from(document, context)
    if context.problems:
        raise UserError(in_order(context.problems))


def _banlist_from(document: Document, context: Context) -> Banlist:
    data, source = document.data, document.data.get("source", {})
    empty = Banlist(
        id=data["banlist"],
        name=localized(data["name"]),
        title=source.get("title"),
        editions=editions_of(source),
        path=document.path,
        seen_by=data.get("unconfirmed", {}).get("seen_by"),
        complete_from=data.get("complete_from"),
    )
    return _with_entries_of(empty, document, _histories_of(document, context), context)


def _histories_of(top: Document, context: Context) -> Histories:
    """The histories of the entries of a file by canonical names, without entries with a wrong name."""
    histories: Histories = {}
    known: set[frozenset[frozenset[str]]] = set()
    for node in [*top.under("cards"), *top.under("combinations")]:
        problems = len(context.problems)
        parts = node.under("card") or node.under("sides")
        sides = tuple(frozenset(map(context.card_name, part.items())) for part in parts)
        if sum(map(len, sides)) != len(frozenset[str]().union(*sides)):
            context.report(node, _("one card is on two sides"))
        if frozenset(sides) in known and "card" in node.data:
            context.report(node, LISTED_TWICE.filled(name=min(sides[0])))
        elif frozenset(sides) in known:
            context.report(node, _("this combination is listed twice"))
        known.add(frozenset(sides))
        if len(context.problems) == problems:
            histories[sides] = node.at("history")
    for key in ("complete_from", "complete_through"):
        context.add(date_problems(top.under(key)))
    for node in top.under("source"):
        context.source(node)
    return histories


def _with_entries_of(
    banlist: Banlist, top: Document, histories: Histories, context: Context, announcement: str = ""
) -> Banlist:
    """A list with the changes of a file, which may be an announcement with that path; cards come first."""
    entries = {frozenset(entry.sides): entry for entry in banlist.entries}
    others = top.data.get("others")
    for sides, node in histories.items():
        entry = entries.get(frozenset(sides), BanlistEntry(sides, ()))
        # If all other cards have a status, a free card must be stated.
        history = _history(node, context, entry.history, announcement, before=None if others else FREE_STATUS)
        entries[frozenset(sides)] = replace(entry, history=history)
    if others:
        history = _history(top.at("others"), context, (), announcement)
        listed = {name for sides in histories if len(sides) == 1 for name in sides[0]}
        unlisted = (frozenset([card.name]) for card in context.catalog if card.name not in listed)
        entries |= {frozenset([names]): BanlistEntry((names,), history) for names in unlisted}
    # A change to which the file gives a day is no longer unconfirmed.
    unconfirmed = tuple(entry for entry in banlist.unconfirmed if (frozenset([entry.card]),) not in histories)
    for node in top.under("unconfirmed"):
        context.add(date_problems([node.at("seen_by")]))
        unconfirmed = tuple(_unconfirmed(change, context) for change in node.under("changes"))
    return replace(
        banlist,
        entries=tuple(sorted(entries.values(), key=lambda entry: entry.is_combination)),
        complete_through=top.data.get("complete_through") or banlist.complete_through,
        unconfirmed=unconfirmed,
        # No announcement completes a partial list.
        partial=top.data.get("partial", False) or banlist.partial,
    )


def _unconfirmed(change: Document, context: Context) -> Unconfirmed:
    for key in ("from", "to"):
        context.status(change.at(key), FREE_STATUS)
    return Unconfirmed(context.card_name(change.at("card")), change.data["from"], change.data["to"])


def _history(
    history: Document,
    context: Context,
    known: Iterable[Change],
    announcement: str,
    before: str | None = FREE_STATUS,
) -> tuple[Change, ...]:
    """The known changes and those of the file, by day; if both name a day, the file wins."""
    wrong_days = list(date_problems(change.at("from") for change in history.items()))
    context.add(wrong_days)
    by_day = {change.since: change for change in known}
    nodes = {change.data["from"]: change for change in history.items()}
    for day, node in nodes.items():
        context.status(node.at("status"), FREE_STATUS)
        by_day[day] = Change(day, node.data["status"], node.line(), announcement)
    for day in sorted(by_day):
        status = by_day[day].status
        if day in nodes and status == before and not wrong_days:
            hint = _("it is {status!r} before that day already", status=status)
            context.report(nodes[day].at("status"), _("this change has no effect"), hint)
        before = status
    return tuple(by_day[day] for day in sorted(by_day))


# Announcements


class Announcement(Struct, frozen=True):
    """The file of an announcement for the list with that id (days checked, names not yet), and its newest day."""

    top: Document
    banlist: str
    newest: Document

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
    newest = max((days[-1] for days in histories), key=lambda day: str(day.data))
    return Announcement(top, top.data["banlist"], newest)


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
        histories = _histories_of(announcement.top, context)
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
                    context.report(status, message, which_of(status.data, sorted(given)))
        changed = tuple(
            _with_entries_of(banlist, announcement.top, histories, context, announcement.path)
            if banlist.id == announcement.banlist
            else banlist
            for banlist in banlists
        )
        context.refuse()
    except UserError as error:
        raise UserError(in_order(error.problems)) from error
    return changed
