"""Dated lists: which status a card has on a day, and which line says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from deckcheck.support.messages import Localized, localized

FREE_STATUS = "free"
"""The word that ends a status: from that day the list says nothing of the card."""


class Change(NamedTuple):
    """A status that stands from a day on."""

    since: str
    """An ISO date."""
    status: str
    line: int
    """Where the list says so."""


class ListedCard(NamedTuple):
    """What a list says of one card over time."""

    card: str
    """Its canonical name."""
    history: tuple[Change, ...]
    """Oldest first."""


class Combination(NamedTuple):
    """Sides of which a deck may hold one only (or as a rule says)."""

    sides: tuple[frozenset[str], ...]
    """Each names cards."""
    history: tuple[Change, ...]
    """Oldest first."""


class Unconfirmed(NamedTuple):
    """A change that was seen but not dated: reported, never applied."""

    card: str
    before: str
    after: str


class Banlist(NamedTuple):
    """One dated list."""

    id: str
    name: Localized
    title: str | None
    """What the source calls it."""
    editions: tuple[tuple[str, str | None], ...]
    """Those of its text with their days, oldest first."""
    path: str
    """How messages name its file."""
    complete_through: str | None
    """The ISO date up to which every change is known."""
    cards: tuple[ListedCard, ...]
    combinations: tuple[Combination, ...]
    seen_by: str | None
    """The ISO date by which the unconfirmed changes were seen."""
    unconfirmed: tuple[Unconfirmed, ...]
    partial: bool = False
    """Whether it holds only some of its entries, so that what is not on it may have a status all the same."""
    complete_from: str | None = None
    """The ISO date before which it is so for every list."""

    def partial_on(self, as_of: str) -> bool:
        """Whether only some of the entries in force on that day are known."""
        return self.partial or (self.complete_from is not None and as_of < self.complete_from)

    def edition(self, as_of: str) -> str | None:
        """The edition in force on a day; None before the first, and where none is given."""
        past = [edition for edition, day in self.editions if day is None or day <= as_of]
        return past[-1] if past else None

    def latest(self, as_of: str) -> str | None:
        """The day of the newest change up to `as_of`; None before the first."""
        histories = [listed.history for listed in self.cards] + [each.history for each in self.combinations]
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
