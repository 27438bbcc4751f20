"""Dated lists: which status a card has on a day, and which line says so."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from deckcheck.support.messages import Words, localized

FREE_STATUS = "free"
"""The word that ends a status: from that day the list says nothing of the card."""


class Change(NamedTuple):
    """From this day (ISO) the status stands; `line` is where the list says so."""

    since: str
    status: str
    line: int


class ListedCard(NamedTuple):
    """What a list says of one card over time, oldest change first."""

    card: str
    history: tuple[Change, ...]


class Combination(NamedTuple):
    """Sides of which a deck may hold one only (or as a rule says); each side names cards."""

    sides: tuple[frozenset[str], ...]
    history: tuple[Change, ...]


class Unconfirmed(NamedTuple):
    """A change that was seen but not dated: told, never applied."""

    card: str
    before: str
    after: str


class Banlist(NamedTuple):
    """One dated list. `editions` are those of its text with their days, oldest first. `path` is how messages name its file; `complete_through` an ISO date.

    A `partial` list holds only some of its entries, so what is not on it may have a status all the same; before
    `complete_from`, an ISO date, every list is so.
    """

    id: str
    name: Words
    title: str | None
    editions: tuple[tuple[str, str | None], ...]
    path: str
    complete_through: str | None
    cards: tuple[ListedCard, ...]
    combinations: tuple[Combination, ...]
    seen_by: str | None
    unconfirmed: tuple[Unconfirmed, ...]
    partial: bool = False
    complete_from: str | None = None

    def partial_on(self, as_of: str) -> bool:
        """Whether only some of the entries in force on that day are known."""
        return self.partial or (self.complete_from is not None and as_of < self.complete_from)

    def edition(self, as_of: str) -> str | None:
        """The edition in force on a day; None before the first, and where none is told."""
        past = [edition for edition, day in self.editions if day is None or day <= as_of]
        return past[-1] if past else None

    def latest(self, as_of: str) -> str | None:
        """The day of the newest change up to `as_of`; None before the first."""
        histories = [one.history for one in self.cards] + [one.history for one in self.combinations]
        days = (change.since for history in histories for change in history)
        return max((day for day in days if day <= as_of), default=None)


class CardStatus(NamedTuple):
    """The status of a card on a day, with the list and the line that give it."""

    status: str
    banlist: Banlist
    line: int
    since: str


def change_on(history: Sequence[Change], as_of: str) -> Change | None:
    """The change in force on a day; None when there is none or the card is free."""
    past = [change for change in history if change.since <= as_of]
    return past[-1] if past and past[-1].status != FREE_STATUS else None


def statuses_at(
    banlists: Iterable[Banlist], strictness: Mapping[str, int], as_of: str
) -> dict[str, CardStatus]:
    """Each listed card's status on a day, by canonical name.

    Where lists differ the stricter status stands, and of equals the later list's.
    """
    result: dict[str, CardStatus] = {}
    for banlist in banlists:
        for listed in banlist.cards:
            change = change_on(listed.history, as_of)
            if change is None:
                continue
            before = result.get(listed.card)
            if before is None or strictness[change.status] >= strictness[before.status]:
                result[listed.card] = CardStatus(change.status, banlist, change.line, change.since)
    return result


def banlist_from(data: Mapping[str, Any]) -> Banlist:
    """A Banlist from the plain values that the format loader made and checked."""
    source = data.get("source") or {}
    editions = source.get("editions") or ([source] if "edition" in source else [])
    unconfirmed = data.get("unconfirmed") or {}
    return Banlist(
        id=data["banlist"],
        name=localized(data["name"]),
        title=source.get("title"),
        editions=tuple((one["edition"], one.get("date")) for one in editions),
        path=data["path"],
        complete_through=data.get("complete_through"),
        cards=tuple(ListedCard(one["card"], _history(one)) for one in data.get("cards") or ()),
        combinations=tuple(
            Combination(tuple(map(frozenset, one["sides"])), _history(one))
            for one in data.get("combinations") or ()
        ),
        seen_by=unconfirmed.get("seen_by"),
        unconfirmed=tuple(
            Unconfirmed(one["card"], one["from"], one["to"]) for one in unconfirmed.get("changes") or ()
        ),
        partial=data.get("partial", False),
        complete_from=data.get("complete_from"),
    )


def _history(data: Mapping[str, Any]) -> tuple[Change, ...]:
    return tuple(Change(one["from"], one["status"], one["line"]) for one in data["history"])
