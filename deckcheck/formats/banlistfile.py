"""Banlist files: read against the game and the card table, overlaid by an announcement, updated from an import.

An announcement is a banlist file with changes that are not yet in force.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.formats import lookup
from deckcheck.formats.parsing import TWICE, Context, editions_of, misdated
from deckcheck.model.banlist import (
    FREE_STATUS,
    Banlist,
    BanlistEntry,
    Change,
    Sides,
    Unconfirmed,
    statuses_given,
)
from deckcheck.model.card import Catalog
from deckcheck.model.game import Game
from deckcheck.support.documents import MOST_PROBLEMS, Document, load_yaml, parse_yaml, require_shape
from deckcheck.support.errors import UserError, did_you_mean, in_order, user_error
from deckcheck.support.files import cannot_write, is_file, write_atomically
from deckcheck.support.messages import _, localized, series


def read_banlist(
    name: Document, context: Context, folders: lookup.Folders = lookup.BUNDLED_ONLY
) -> tuple[Banlist, Path]:
    """The banlist that a format names, and its file. Raises UserError; problems in its entries go to the context."""
    reference = str(name.data)
    try:
        file = lookup.banlist_file(reference, Path(name.path), folders)
    except UserError as error:
        raise UserError([name.problem(error.problems[0].message)]) from error
    if not is_file(file):
        hint = did_you_mean(reference, lookup.known_banlists(folders))
        raise UserError([name.problem(_("there is no banlist {reference!r}", reference=reference), hint)])
    document = load_yaml(file, lookup.shown_path(file))
    require_shape(document, "banlist")
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
    return _overlaid(empty, document, _histories(document, context), context, Change), file


Histories = dict[Sides, Document]


def _histories(top: Document, context: Context) -> Histories:
    """The histories of the entries of a file by canonical names, without entries of which a name is wrong."""
    found: Histories = {}
    known: set[frozenset[frozenset[str]]] = set()
    for node in [*top.under("cards"), *top.under("combinations")]:
        problems = len(context.problems)
        parts = node.under("card") or node.under("sides")
        sides = tuple(frozenset(map(context.card_name, part.items())) for part in parts)
        if sum(map(len, sides)) != len(frozenset[str]().union(*sides)):
            context.report(node, _("one card is on two sides"))
        if frozenset(sides) in known and "card" in node.data:
            context.report(node, TWICE.filled(name=min(sides[0])))
        elif frozenset(sides) in known:
            context.report(node, _("this combination is listed twice"))
        known.add(frozenset(sides))
        if len(context.problems) == problems:
            found[sides] = node.at("history")
    for key in ("complete_from", "complete_through"):
        context.add(misdated(top.under(key)))
    for node in top.under("source"):
        context.source(node)
    return found


def _overlaid(
    banlist: Banlist, top: Document, histories: Histories, context: Context, kind: type[Change]
) -> Banlist:
    """A list with what a file says in place of, or behind, its own entries; cards come first."""
    entries = {frozenset(entry.sides): entry for entry in banlist.entries}
    for sides, node in histories.items():
        entry = entries.get(frozenset(sides), BanlistEntry(sides, ()))
        history = _history(node, context, entry.history, kind)
        entries[frozenset(sides)] = entry._replace(history=history)
    # What the announcement gives a day is no longer without one.
    unconfirmed = tuple(one for one in banlist.unconfirmed if (frozenset([one.card]),) not in histories)
    for node in top.under("unconfirmed"):
        context.add(misdated([node.at("seen_by")]))
        unconfirmed = tuple(_unconfirmed(change, context) for change in node.under("changes"))
    return banlist._replace(
        entries=tuple(sorted(entries.values(), key=lambda entry: entry.is_combination)),
        complete_through=top.data.get("complete_through") or banlist.complete_through,
        unconfirmed=unconfirmed,
        # A list of which only some entries are known is made whole by no announcement.
        partial=top.data.get("partial", False) or banlist.partial,
    )


def _unconfirmed(change: Document, context: Context) -> Unconfirmed:
    for key in ("from", "to"):
        context.status(change.at(key), FREE_STATUS)
    return Unconfirmed(context.card_name(change.at("card")), change.data["from"], change.data["to"])


def _history(
    history: Document, context: Context, known: Iterable[Change], kind: type[Change]
) -> tuple[Change, ...]:
    """The changes of the file laid over those that are known, by day; where both name a day the file wins."""
    wrong_days = list(misdated(change.at("from") for change in history.items()))
    context.add(wrong_days)
    by_day = {change.since: change for change in known}
    nodes = {change.data["from"]: change for change in history.items()}
    for day, node in nodes.items():
        context.status(node.at("status"), FREE_STATUS)
        by_day[day] = kind(day, node.data["status"], node.line())
    before = FREE_STATUS
    for day in sorted(by_day):
        status = by_day[day].status
        if day in nodes and status == before and not wrong_days:
            hint = _("it is {status!r} before that day already", status=status)
            context.report(nodes[day].at("status"), _("this change has no effect"), hint)
        before = status
    return tuple(by_day[day] for day in sorted(by_day))


class AnnouncedChange(Change):
    """A change whose line is one of the announcement and not of the list."""

    __slots__ = ()


class Announcement(NamedTuple):
    """The file of an announcement for the list of that id, its days checked, its names not yet; and its newest day."""

    top: Document
    banlist: str
    newest: str

    @property
    def path(self) -> str:
        """The path of the file in messages."""
        return self.top.path


def read_announcement(file: str) -> Announcement:
    """The announcement of that file. Raises UserError with every mistake that can be found without the game."""
    top = load_yaml(Path(file), file)
    require_shape(top, "banlist")
    entries = [entry for key in ("cards", "combinations") for entry in top.under(key)]
    histories = [[change.at("from") for change in entry.under("history")] for entry in entries]
    problems = [problem for days in histories for problem in misdated(days)]
    if not histories:
        problems.append(top.problem(_("no change is written here")))
    if problems:
        raise UserError(in_order(problems)[:MOST_PROBLEMS])
    return Announcement(top, top.data["banlist"], max(day.data for days in histories for day in days))


def unused_announcement(announcement: Announcement, known: Iterable[str]) -> UserError:
    """The error for an announcement of a list that no format uses; `known` are the ids of those that are used."""
    name, lists = announcement.banlist, sorted(known)
    hint = did_you_mean(name, lists)
    if hint is None and lists:
        hint = _("the banlists in use: {lists}", lists=series(lists))
    message = _("no deck's format uses a banlist {name!r}", name=name)
    return UserError([announcement.top.at("banlist").problem(message, hint)])


def with_announcement(
    announcement: Announcement, banlists: Sequence[Banlist], game: Game, catalog: Catalog
) -> tuple[Banlist, ...]:
    """A format's banlists, with the announced changes in the one of that id. Raises UserError with every mistake."""
    if all(banlist.id != announcement.banlist for banlist in banlists):
        return tuple(banlists)
    context = Context(game, catalog)
    try:
        histories = _histories(announcement.top, context)
        # Loading a format has proved that its rules look at each status that its lists give, and at no other.
        alone, together = (statuses_given(banlists, combinations=several) for several in (False, True))
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
            _overlaid(banlist, announcement.top, histories, context, AnnouncedChange)
            if banlist.id == announcement.banlist
            else banlist
            for banlist in banlists
        )
        context.refuse()
    except UserError as error:
        raise UserError(in_order(error.problems)) from error
    return changed


History = Sequence[Mapping[str, str]]

_HEADER = """\
# Written by deckcheck banlists import, which keeps what stands under the keys, but no comments. A card that the first
# list taken in had already is dated from the day of that list.
"""

_HEAD = ("banlist", "name", "source", "complete_from", "complete_through", "partial")
_BARE = ("banlist", "complete_from", "complete_through")


class BanlistUpdate(NamedTuple):
    """A list as it is to be written, and how many of its cards the update changed.

    `unknown` words name no card, or several; of the cards in `untouched` the new list says nothing.
    """

    id: str
    file: Path
    data: dict[str, Any]
    since: str
    added: int
    changed: int
    freed: int
    unchanged: int
    unknown: tuple[str, ...]
    untouched: tuple[str, ...]


def history_with(history: History, since: str, status: str) -> list[dict[str, str]]:
    """The history (`from` and `status`, oldest first) with that status on that day; other days stay as they are."""
    days = {change["from"]: change["status"] for change in history} | {since: status}
    changes: list[dict[str, str]] = []
    before = FREE_STATUS
    for day in sorted(days):
        if days[day] != before:
            changes.append({"from": day, "status": days[day]})
        before = days[day]
    return changes


def status_on(history: History, day: str) -> str:
    """The status in force on a day; FREE_STATUS where there is none."""
    past = [change["status"] for change in history if change["from"] <= day]
    return past[-1] if past else FREE_STATUS


def update_banlist(
    id: str,
    title: str,
    statuses: Mapping[str, str],
    free: frozenset[str] | None,
    since: str,
    canonical: Callable[[str], str | None],
    folders: lookup.Folders,
    to: Path | None,
) -> BanlistUpdate:
    """The list of that id with these statuses from `since` on.

    Other cards of the earlier list are free from that day; with `free`, only those in it. `canonical` gives a card's name
    by any of its names; if it doesn't know one, the list is partial. Raises UserError.
    """
    file, before = _earlier(id, folders, to)
    cards = {canonical(entry["card"]) or entry["card"]: dict(entry) for entry in before.get("cards", ())}
    names = {word: canonical(word) for word in statuses}
    new = {name: statuses[word] for word, name in names.items() if name is not None}
    unknown = tuple(word for word, name in names.items() if name is None)
    open_names = None if free is None else set(map(canonical, free))
    counts = {"added": 0, "changed": 0, "freed": 0, "unchanged": 0}
    untouched = []
    for name in [*cards, *sorted(new.keys() - cards.keys())]:
        history = cards[name]["history"] if name in cards else []
        was, status = status_on(history, since), new.get(name, FREE_STATUS)
        if name not in new and open_names is not None and name not in open_names:
            if was != FREE_STATUS:
                untouched.append(name)
            continue
        if was != FREE_STATUS or status != FREE_STATUS:
            kind = "unchanged" if was == status else "freed" if status == FREE_STATUS else "changed"
            counts["added" if was == FREE_STATUS else kind] += 1
        cards[name] = {**cards.get(name, {"card": name}), "history": history_with(history, since, status)}
    data: dict[str, Any] = {"banlist": id, "name": title, "source": {"title": title}, **before}
    if unknown:
        # Whoever comes to know those cards later must not take them for free.
        data["partial"] = True
    else:
        if not before or before.get("partial"):
            data["complete_from"] = since
        elif "complete_from" in before:
            data["complete_from"] = min(before["complete_from"], since)
        data["complete_through"] = max(before.get("complete_through", since), since)
        data.pop("partial", None)
    data["cards"] = [entry for entry in cards.values() if entry["history"]]
    if "unconfirmed" in data:
        # What was seen and not dated is settled once a list says it.
        changes = data["unconfirmed"]["changes"]
        left = [change for change in changes if new.get(change["card"], FREE_STATUS) != change["to"]]
        data["unconfirmed"] = {**data["unconfirmed"], "changes": left}
        if not left:
            del data["unconfirmed"]
    data = {key: data[key] for key in (*_HEAD, *data) if key in data}
    return BanlistUpdate(id, file, data, since, **counts, unknown=unknown, untouched=tuple(untouched))


def _earlier(id: str, folders: lookup.Folders, to: Path | None) -> tuple[Path, dict[str, Any]]:
    """The file to write and the content of the earlier list, empty where there is none."""
    places = (to,) if to is not None else folders.banlists
    if not places:
        raise user_error(
            _("no folder is known to write to"),
            hint=_("give one with --to FOLDER, or name it under banlists in deckcheck.toml"),
        )
    own = lookup.single_file(id, lookup.own_banlists([place for place in places if place.is_dir()]))
    file = own or places[0] / f"{id}.yaml"
    source = own or lookup.banlist_file(id, file)
    if not is_file(source):
        if is_file(file):
            raise user_error(_("another file already exists"), path=str(file))
        return file, {}
    document = load_yaml(source, lookup.shown_path(source))
    require_shape(document, "banlist")
    return file, dict(document.data)


def write_banlists(updates: Sequence[BanlistUpdate]) -> None:
    """Write each list to its file. Raises UserError, before the first is written if one isn't right."""
    texts = [_yaml(update.data) for update in updates]
    for update, text in zip(updates, texts, strict=True):
        require_shape(parse_yaml(text, str(update.file)), "banlist")
    for update, text in zip(updates, texts, strict=True):
        try:
            write_atomically(update.file, text.encode(), private=False)
        except OSError as error:
            raise cannot_write(update.file, error) from error


def _yaml(data: Mapping[str, Any]) -> str:
    lines = [_HEADER]
    for key, value in data.items():
        if key not in ("cards", "combinations") or not value:
            lines.append(f"{key}: {value if key in _BARE else _plain(value)}\n")
            continue
        lines.append(f"{key}:\n")
        for entry in value:
            if key == "combinations":
                lines.append(f"  - {_plain(entry)}\n")
                continue
            lines.append(f"  - card: {_plain(entry['card'])}\n    history:\n")
            for change in entry["history"]:
                lines.append(f"      - {{from: {change['from']}, status: {change['status']}}}\n")
    return "".join(lines)


def _plain(value: Any) -> str:
    # What is JSON is YAML, and the names of strangers need quotes.
    return json.dumps(value, ensure_ascii=False)
