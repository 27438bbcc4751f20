"""Banlist files, checked against the game and the card table, and announcements that are laid over them.

An announcement is a banlist file with changes that are laid over the list of
its id before they are in force.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, banlist_file, known_banlists, shown_path
from deckcheck.formats.nodes import Context, Node, is_day, listed_twice, whole
from deckcheck.model.banlist import FREE_STATUS, Banlist, Change, Combination, ListedCard, Unconfirmed
from deckcheck.model.card import Catalog
from deckcheck.model.game import Game
from deckcheck.support.dates import no_such_day
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.files import is_file
from deckcheck.support.messages import _, series
from deckcheck.support.schema import MOST_PROBLEMS, require_shape
from deckcheck.support.yamlfile import load_yaml

_Sides = tuple[frozenset[str], ...]


class _Entries(NamedTuple):
    """What a file says of cards and of combinations: the history of each, and the changes without a day."""

    cards: dict[str, Node]
    combinations: dict[frozenset[frozenset[str]], tuple[_Sides, Node]]
    unconfirmed: tuple[Unconfirmed, ...] | None


def _entries(top: Node, context: Context) -> _Entries:
    """The entries with canonical names, without those of which a name is wrong."""
    found = _Entries({}, {}, _unconfirmed(top, context))
    for node in top.under("cards"):
        problems = len(context.problems)
        name = context.card_name(node.at("card"))
        if name in found.cards:
            context.wrong(node, listed_twice(name))
        if len(context.problems) == problems:
            found.cards[name] = node.at("history")
    for node in top.under("combinations"):
        problems = len(context.problems)
        sides = tuple(frozenset(map(context.card_name, side.items())) for side in node.under("sides"))
        if sum(map(len, sides)) != len(frozenset[str]().union(*sides)):
            context.wrong(node, _("one card is on two sides"))
        if frozenset(sides) in found.combinations:
            context.wrong(node, _("this combination is listed twice"))
        if len(context.problems) == problems:
            found.combinations[frozenset(sides)] = sides, node.at("history")
    for key in ("complete_from", "complete_through"):
        for node in top.under(key):
            context.day(node)
    for node in top.under("source"):
        context.source(node)
    return found


def _unconfirmed(top: Node, context: Context) -> tuple[Unconfirmed, ...] | None:
    """The changes without a day, where the file speaks of them."""
    if "unconfirmed" not in top.data:
        return None
    unconfirmed, found = top.at("unconfirmed"), []
    context.day(unconfirmed.at("seen_by"))
    for node in unconfirmed.under("changes"):
        for key in ("from", "to"):
            context.listed_status(node.at(key))
        name = context.card_name(node.at("card"))
        found.append(Unconfirmed(name, node.data["from"], node.data["to"]))
    return tuple(found)


def _misdated(history: Node) -> Iterator[Problem]:
    """What is wrong with the days of a history."""
    before = ""
    for change in history.items():
        day = change.at("from")
        if not is_day(day.data):
            yield day.problem(no_such_day(day.data))
        elif day.data <= before:
            yield day.problem(_("the days are not in order"))
        before = day.data


def read_banlist(
    name: Node, context: Context, folders: Folders = BUNDLED_ONLY
) -> tuple[dict[str, Any], Path]:
    """The banlist that a format names, as plain values with canonical names and lines, and its file.

    An id is looked for in `folders`, too. Raises UserError when the file can't be used; what is wrong inside goes to
    the context.
    """
    reference = str(name.data)
    try:
        file = banlist_file(reference, Path(name.document.path), folders)
    except UserError as error:
        raise UserError([name.problem(error.problems[0].message)]) from error
    if not is_file(file):
        hint = did_you_mean(reference, known_banlists(folders))
        raise UserError([name.problem(_("there is no banlist {reference!r}", reference=reference), hint)])
    document = load_yaml(file, shown_path(file))
    require_shape(document, "banlist")
    entries = _entries(whole(document), context)
    plain = document.data | {
        "path": document.path,
        "cards": [
            {"card": card, "history": _history(history, context)} for card, history in entries.cards.items()
        ],
        "combinations": [
            {"sides": [sorted(side) for side in sides], "history": _history(history, context)}
            for sides, history in entries.combinations.values()
        ],
    }
    return plain, file


def _history(history: Node, context: Context) -> list[dict[str, Any]]:
    context.problems += _misdated(history)
    plain: list[dict[str, Any]] = []
    before = FREE_STATUS
    for change in history.items():
        status = change.at("status")
        context.listed_status(status)
        if status.data == before:
            _without_effect(status, context)
        before = status.data
        plain.append({"from": change.data["from"], "status": before, "line": change.line})
    return plain


def _without_effect(status: Node, context: Context) -> None:
    hint = _("it is {status!r} before that day already", status=status.data)
    context.wrong(status, _("this change has no effect"), hint)


def check_statuses(lists: Sequence[tuple[Node, Mapping[str, Any]]], context: Context) -> None:
    """Note statuses that a list gives and no rule looks at, and those that rules look at and no list gives."""
    for section, asked in (("cards", context.statuses), ("combinations", context.combined)):
        given: set[str] = set()
        for name, data in lists:
            changes = {change["status"] for entry in data[section] for change in entry["history"]}
            statuses = changes & context.game.statuses.keys()
            given |= statuses
            for status in sorted(statuses - asked.keys()):
                message = _(
                    "no rule looks at the status {status!r} of {section} in {list!r}, so it has no effect",
                    status=status,
                    section=section,
                    list=name.data,
                )
                context.wrong(name, message)
        for status, node in asked.items():
            if status not in given and status in context.game.statuses:
                message = _(
                    "no banlist gives {section} the status {status!r}", section=section, status=status
                )
                context.problems.append(node.problem(message))


class AnnouncedChange(Change):
    """A change whose line is one of the announcement and not of the list."""

    __slots__ = ()


class Announcement(NamedTuple):
    """The file of an announcement for the list of that id, its days checked, its names not yet."""

    top: Node
    banlist: str
    newest: str

    @property
    def path(self) -> str:
        """How messages name the file."""
        return self.top.document.path


def read_announcement(file: str) -> Announcement:
    """The announcement of that file; `newest` is its newest day.

    Raises UserError with every mistake that can be found without knowing the game.
    """
    document = load_yaml(Path(file), file)
    require_shape(document, "banlist")
    top = whole(document)
    histories = [node.at("history") for key in ("cards", "combinations") for node in top.under(key)]
    problems = [problem for history in histories for problem in _misdated(history)]
    if not histories:
        problems.append(top.problem(_("no change is written here")))
    if problems:
        raise UserError(_in_order(problems)[:MOST_PROBLEMS])
    newest = max(change.data["from"] for history in histories for change in history.items())
    return Announcement(top, document.data["banlist"], newest)


def _in_order(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.line or 0, problem.column or 0))


def unused_announcement(announcement: Announcement, known: Iterable[str]) -> UserError:
    """What to say of an announcement for a list that no format uses; `known` are the ids of those that are used."""
    name, lists = announcement.banlist, sorted(known)
    hint = did_you_mean(name, lists)
    if hint is None and lists:
        hint = _("the banlists in use: {lists}", lists=series(lists))
    message = _("no deck's format uses a banlist {name!r}", name=name)
    return UserError([announcement.top.at("banlist").problem(message, hint)])


def with_announcement(
    announcement: Announcement, banlists: Sequence[Banlist], game: Game, catalog: Catalog
) -> tuple[Banlist, ...]:
    """A format's lists with the announced changes in the one of that id.

    Of each card both histories are put together by day, and where both name a
    day the announcement wins. Every list keeps its entries in their places;
    new ones follow. Raises UserError with every mistake that is in the file.
    """
    if all(banlist.id != announcement.banlist for banlist in banlists):
        return tuple(banlists)
    context = Context(game, catalog)
    try:
        entries = _entries(announcement.top, context)
        # Loading a format has proved that its rules look at each status that its lists give, and at no other.
        alone = {change.status for banlist in banlists for card in banlist.cards for change in card.history}
        together = {
            change.status for banlist in banlists for pair in banlist.combinations for change in pair.history
        }
        _check_announced(entries.cards.values(), alone, context)
        _check_announced((history for _sides, history in entries.combinations.values()), together, context)
        changed = tuple(
            _changed(banlist, entries, announcement.top.data, context)
            if banlist.id == announcement.banlist
            else banlist
            for banlist in banlists
        )
    except UserError as error:
        raise UserError(_in_order(error.problems)) from error
    if context.problems:
        raise UserError(_in_order(context.problems))
    return changed


def _check_announced(histories: Iterable[Node], seen: Collection[str], context: Context) -> None:
    for status in (change.at("status") for history in histories for change in history.items()):
        if context.listed_status(status) and status.data not in (*seen, FREE_STATUS):
            message = _(
                "no rule of the decks' format looks at the status {status!r} of such an entry",
                status=status.data,
            )
            context.wrong(status, message, did_you_mean(status.data, seen))


def _changed(banlist: Banlist, entries: _Entries, data: Mapping[str, Any], context: Context) -> Banlist:
    cards = {listed.card: listed for listed in banlist.cards}
    for name, node in entries.cards.items():
        before = cards[name].history if name in cards else ()
        cards[name] = ListedCard(name, _merged_history(before, node, context))
    combinations = {frozenset(one.sides): one for one in banlist.combinations}
    for key, (_sides, node) in entries.combinations.items():
        known = combinations.get(key) or Combination(tuple(sorted(key, key=sorted)), ())
        combinations[key] = known._replace(history=_merged_history(known.history, node, context))
    unconfirmed = entries.unconfirmed
    if unconfirmed is None:
        # What the announcement gives a day is no longer without one.
        unconfirmed = tuple(one for one in banlist.unconfirmed if one.card not in entries.cards)
    return banlist._replace(
        cards=tuple(cards.values()),
        combinations=tuple(combinations.values()),
        complete_through=data.get("complete_through") or banlist.complete_through,
        unconfirmed=unconfirmed,
        # A list of which only some entries are known is made whole by no announcement.
        partial=data.get("partial", False) or banlist.partial,
    )


def _merged_history(known: tuple[Change, ...], node: Node, context: Context) -> tuple[Change, ...]:
    by_day = {change.since: change for change in known}
    announced = {change.data["from"]: change for change in node.items()}
    for day, change in announced.items():
        by_day[day] = AnnouncedChange(day, change.data["status"], change.line)
    before = FREE_STATUS
    for day in sorted(by_day):
        if day in announced and by_day[day].status == before:
            _without_effect(announced[day].at("status"), context)
        before = by_day[day].status
    return tuple(by_day[day] for day in sorted(by_day))
