"""Updates banlist files from imported lists: merges their dated histories, and writes the files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from deckcheck.formats import lookup
from deckcheck.importers.source_files import StatedList
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.support.documents import Document, load_yaml, parse_yaml, require_shape
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, is_file, write_atomically
from deckcheck.support.messages import Message, _, shortened
from deckcheck.support.safe_text import safe
from deckcheck.support.templates import render

History = Sequence[Mapping[str, str]]
Canonical = Callable[[str], str | None]
"""Maps any name of a card to its name in the card table; None for a name of no card or several."""

_HEAD = (
    "banlist",
    "name",
    "replaces_bundled",
    "source",
    "complete_from",
    "complete_through",
    "partial",
    "others",
)


class BanlistUpdate(Struct, frozen=True):
    """A list to be written, and how many of its entries were "added", "changed", "freed" and left "unchanged".

    `unknown` words name no card, or several; `untouched` are restricted cards about which the new list says nothing.
    A list that is not `is_matched` names cards, but none that is known.
    """

    id: str
    file: Path
    data: dict[str, Any]
    since: str
    counts: Mapping[str, int]
    unknown: tuple[str, ...] = ()
    untouched: tuple[str, ...] = ()
    is_matched: bool = True

    def remarks(self) -> Iterator[Message]:
        """The cards that couldn't be imported, and those about which the new list says nothing."""
        for words, remark in (
            (self.unknown, _("skipped (no single card with this name in the card table)")),
            (self.untouched, _("left as they were (not mentioned in the new data)")),
        ):
            if words:
                cards = shortened(list(map(safe, words)), 10)
                yield _("{list}: {remark}: {cards}", list=safe(self.id), remark=remark, cards=cards)


def history_with(
    history: History, since: str, status: str, before: str | None = FREE_STATUS
) -> list[dict[str, str]]:
    """The history (`from` and `status`, oldest first) with a change to that status on that day; other days are kept.

    Changes without effect are dropped. `before` is the status before the first one, None if a free one must be stated.
    """
    days = {change["from"]: change["status"] for change in history} | {since: status}
    changes: list[dict[str, str]] = []
    for day in sorted(days):
        if days[day] != before:
            changes.append({"from": day, "status": days[day]})
        before = days[day]
    return changes


def status_on(history: History, day: str) -> str:
    """The status in force on a day; FREE_STATUS if there is none."""
    past = [change["status"] for change in history if change["from"] <= day]
    return past[-1] if past else FREE_STATUS


def update_banlist(new: StatedList, canonical: Canonical, to: Path | None) -> BanlistUpdate:
    """The list with the id of `new` in the folder `to` (None: the user's own lists), updated with what `new` states.

    `new` has a full id, and the date from which it applies; other cards are free from then on, unless `new.free` lacks
    them. The list becomes partial if `canonical` doesn't know a card. Raises UserError.
    """
    file, before = _earlier(new.id, to)
    since, all_others = new.date or "", new.others or FREE_STATUS
    if new.month_only:
        since = _day_in_month(before, since)
    stated: dict[str, str] = {}
    unknown = []
    for word, status in new.statuses.items():
        if (name := canonical(word)) is None:
            unknown.append(word)
        elif stated.setdefault(name, status) != status:
            raise user_error(_("{list} gives {card} two statuses", list=new.id, card=name))
    content: dict[str, Any] = {"banlist": new.id, "name": new.title, "source": {"title": new.title}}
    content |= {key: before[key] for key in content if key in before}
    if before.get("others") or new.others is not None:
        content["others"] = history_with(before.get("others", ()), since, all_others)
    if unknown:
        # If those cards become known later, they must not count as free.
        content["partial"] = True
    else:
        if not before or before.pop("partial", False):
            content["complete_from"] = since
        content["complete_through"] = since
    if before.get("unconfirmed", {}).get("seen_by", "") <= since:
        # The new list settles the changes that nobody had confirmed before it.
        before.pop("unconfirmed", None)
    histories = {
        canonical(entry["card"]) or entry["card"]: entry["history"] for entry in before.get("cards", ())
    }
    free = None if new.free is None else set(map(canonical, new.free))
    content["cards"], untouched = [], []
    for name in [*histories, *sorted(stated.keys() - histories.keys())]:
        history, status = histories.get(name, []), stated.get(name, all_others)
        was = status_on(history, since)
        if name not in stated and free is not None and name not in free:
            if was != FREE_STATUS:
                untouched.append(name)
        elif status != FREE_STATUS or was != FREE_STATUS or "others" in content:
            content["cards"].append({"card": name, "history": [{"from": since, "status": status}]})
    update = _merged(file, before, content, canonical, to)
    is_matched = not new.statuses or len(unknown) < len(new.statuses)
    return replace(
        update, since=since, unknown=tuple(unknown), untouched=tuple(untouched), is_matched=is_matched
    )


def merge_banlist(list: Document, canonical: Canonical, to: Path | None) -> BanlistUpdate:
    """The list in a checked file, merged over the earlier list with its id, which it overrides on the days that it names."""
    return _merged(*_earlier(list.data["banlist"], to), list.data, canonical, to)


def _merged(
    file: Path, before: Mapping[str, Any], content: Mapping[str, Any], canonical: Canonical, to: Path | None
) -> BanlistUpdate:
    """The update of a list to what it was `before` with the content of another one over it, day by day."""
    data = {**before, **content}
    if "complete_through" in data:
        data["complete_through"] = max(part.get("complete_through", "") for part in (before, content))
    if to is not None and is_file(lookup.bundled_banlist(data["banlist"])):
        data[lookup.REPLACES] = True
    base = None if "others" in data else FREE_STATUS
    counts = {"added": 0, "changed": 0, "freed": 0, "unchanged": 0}
    days = [""]
    for key, named in (("cards", "card"), ("combinations", "sides")):
        entries = {_subject(entry[named], canonical): entry for entry in before.get(key, ())}
        for entry in content.get(key, ()):
            subject = _subject(entry[named], canonical)
            history = known = entries[subject]["history"] if subject in entries else []
            for change in entry["history"]:
                history = history_with(history, change["from"], change["status"], base)
                days.append(change["from"])
            counts[_kind_of_change(known, history, entry["history"][-1]["from"])] += 1
            entries[subject] = {**entry, "history": history}
        if entries:
            data[key] = [entry for entry in entries.values() if entry["history"]]
    ordered = {key: data[key] for key in (*_HEAD, *data) if key in data}
    return BanlistUpdate(data["banlist"], file, ordered, max(days), counts)


def _kind_of_change(before: History, after: History, day: str) -> str:
    """What an update did to an entry, as of a day."""
    if after == before:
        return "unchanged"
    if status_on(before, day) == FREE_STATUS:
        return "added"
    return "freed" if status_on(after, day) == FREE_STATUS else "changed"


def _day_in_month(earlier: Mapping[str, Any], first: str) -> str:
    """The last day in the month of `first` on which the earlier list changed; else the first day itself."""
    days = (change["from"] for entry in earlier.get("cards", ()) for change in entry["history"])
    return max((day for day in days if day[:7] == first[:7]), default=first)


def _subject(words: Any, canonical: Canonical) -> frozenset[frozenset[str]]:
    """The card, or the sides of a combination, that an entry is about, by names in the card table."""
    sides = [[words]] if isinstance(words, str) else words
    return frozenset(frozenset(canonical(word) or word for word in side) for side in sides)


def _earlier(id: str, to: Path | None) -> tuple[Path, dict[str, Any]]:
    """The file to write, and the content of the earlier list, {} if there is none. Raises UserError."""
    if to is None:
        file = lookup.imported_banlist(id)
        source = lookup.banlist_file(id, file)
    else:
        own = lookup.single_file(id, lookup.own_banlists([to] if to.is_dir() else []))
        file = own or to / f"{id}.yaml"
        # Lists beside decks must not depend on this user's own lists.
        source = own or lookup.bundled_banlist(id)
    if not is_file(source):
        if is_file(file):
            raise user_error(_("another file already exists"), path=str(file))
        return file, {}
    document = load_yaml(source, lookup.shown_path(source))
    require_shape(document, "banlist")
    return file, dict(document.data)


def write_banlists(updates: Sequence[BanlistUpdate]) -> None:
    """Write each list to its file; none if one isn't valid. Raises UserError."""
    texts = [_yaml(update.data) for update in updates]
    for update, text in zip(updates, texts, strict=True):
        require_shape(parse_yaml(text, str(update.file)), "banlist")
    for update, text in zip(updates, texts, strict=True):
        try:
            write_atomically(update.file, text.encode(), private=False)
        except OSError as error:
            raise cannot_write(update.file, error) from error


def _yaml(data: Mapping[str, Any]) -> str:
    def quoted(value: object) -> Markup:
        return Markup(json.dumps(value, ensure_ascii=False))

    return render("banlist.yaml", "en", data=data, quoted=quoted)
