"""Banlist files, read against the game and the card table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from deckcheck.formats import lookup
from deckcheck.formats.parsing import LISTED_TWICE, Context, date_problems, editions_of
from deckcheck.model.banlist import FREE_STATUS, Banlist, BanlistEntry, Change, Sides, Unconfirmed
from deckcheck.support.documents import Document, load_yaml, require_shape
from deckcheck.support.errors import UserError, did_you_mean
from deckcheck.support.files import is_file
from deckcheck.support.messages import _, localized

Histories = dict[Sides, Document]
"""The histories of the entries of a file, by canonical names."""


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
    return with_entries_of(empty, document, histories_of(document, context), context, Change), file


def _unlisted(context: Context, listed: Iterable[Sides]) -> Iterator[Sides]:
    """Yields every card of the game without an entry."""
    names = {name for sides in listed if len(sides) == 1 for name in sides[0]}
    yield from ((frozenset([card.name]),) for card in context.catalog if card.name not in names)


def histories_of(top: Document, context: Context) -> Histories:
    """The histories of the entries of a file by canonical names, without entries with a wrong name."""
    found: Histories = {}
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
            found[sides] = node.at("history")
    for key in ("complete_from", "complete_through"):
        context.add(date_problems(top.under(key)))
    for node in top.under("source"):
        context.source(node)
    return found


def with_entries_of(
    banlist: Banlist, top: Document, histories: Histories, context: Context, kind: type[Change]
) -> Banlist:
    """A list with a file's entries replacing its own or added to them; cards come first."""
    entries = {frozenset(entry.sides): entry for entry in banlist.entries}
    others = top.data.get("others")
    for sides, node in histories.items():
        entry = entries.get(frozenset(sides), BanlistEntry(sides, ()))
        # If all other cards have a status, a free card must be stated.
        history = _history(node, context, entry.history, kind, before=None if others else FREE_STATUS)
        entries[frozenset(sides)] = entry._replace(history=history)
    if others:
        history = _history(top.at("others"), context, (), kind)
        entries |= {frozenset(sides): BanlistEntry(sides, history) for sides in _unlisted(context, histories)}
    # A change to which the file gives a day is no longer unconfirmed.
    unconfirmed = tuple(entry for entry in banlist.unconfirmed if (frozenset([entry.card]),) not in histories)
    for node in top.under("unconfirmed"):
        context.add(date_problems([node.at("seen_by")]))
        unconfirmed = tuple(_unconfirmed(change, context) for change in node.under("changes"))
    return banlist._replace(
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
    kind: type[Change],
    before: str | None = FREE_STATUS,
) -> tuple[Change, ...]:
    """The known changes and those of the file, by day; if both name a day, the file wins."""
    wrong_days = list(date_problems(change.at("from") for change in history.items()))
    context.add(wrong_days)
    by_day = {change.since: change for change in known}
    nodes = {change.data["from"]: change for change in history.items()}
    for day, node in nodes.items():
        context.status(node.at("status"), FREE_STATUS)
        by_day[day] = kind(day, node.data["status"], node.line())
    for day in sorted(by_day):
        status = by_day[day].status
        if day in nodes and status == before and not wrong_days:
            hint = _("it is {status!r} before that day already", status=status)
            context.report(nodes[day].at("status"), _("this change has no effect"), hint)
        before = status
    return tuple(by_day[day] for day in sorted(by_day))
