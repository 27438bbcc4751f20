"""Dated lists: which status a card has on a day, and which line says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from deckcheck.support.messages import Localized

FREE_STATUS = "free"
"""The word that ends a status: from that day the list says nothing of the card."""


class Change(NamedTuple):
    """A status from an ISO date on, and the line of the list that says so."""

    since: str
    status: str
    line: int


Sides = tuple[frozenset[str], ...]
"""One card by its canonical name, or the sides of a combination: the cards on each of them."""


class BanlistEntry(NamedTuple):
    """What a list says of a card or a combination, oldest change first."""

    sides: Sides
    history: tuple[Change, ...]

    @property
    def is_combination(self) -> bool:
        """Whether it has several sides, of which a deck may hold one only (or as a rule says)."""
        return len(self.sides) > 1


class Unconfirmed(NamedTuple):
    """A change that was seen but not dated: reported, never applied."""

    card: str
    before: str
    after: str


class Edition(NamedTuple):
    """One edition of a text, with the ISO date of its first day where that is known."""

    edition: str
    date: str | None


def edition_on(editions: Sequence[Edition], as_of: str) -> str | None:
    """Of editions, oldest first, the one in force on a day; None before the first."""
    past = [edition for edition, day in editions if day is None or day <= as_of]
    return past[-1] if past else None


class Banlist(NamedTuple):
    """One dated list."""

    id: str
    name: Localized
    title: str | None
    """What the source calls it."""
    editions: tuple[Edition, ...]
    """Those of its text, oldest first."""
    path: str
    """How messages name its file."""
    complete_through: str | None = None
    """The ISO date up to which every change is known."""
    entries: tuple[BanlistEntry, ...] = ()
    seen_by: str | None = None
    """The ISO date by which the unconfirmed changes were seen."""
    unconfirmed: tuple[Unconfirmed, ...] = ()
    partial: bool = False
    """Whether it holds only some of its entries, so that a card that is not on it may have a status all the same."""
    complete_from: str | None = None
    """The ISO date before which every list holds only some of its entries."""

    def partial_on(self, as_of: str) -> bool:
        """Whether only some of the entries in force on that day are known."""
        return self.partial or (self.complete_from is not None and as_of < self.complete_from)

    def edition(self, as_of: str) -> str | None:
        """The edition in force on a day; None before the first, and where none is given."""
        return edition_on(self.editions, as_of)

    def latest(self, as_of: str) -> str | None:
        """The day of the newest change up to `as_of`; None before the first."""
        days = (change.since for entry in self.entries for change in entry.history)
        return max((day for day in days if day <= as_of), default=None)


class Listing(NamedTuple):
    """The status of a card or a combination on a day, with the list and the line that give it."""

    status: str
    banlist: Banlist
    line: int
    since: str


def listing_on(banlist: Banlist, history: Sequence[Change], as_of: str) -> Listing | None:
    """What a history in the list says on a day; None where it says nothing or that the card is free."""
    change = change_on(history, as_of)
    return None if change is None else Listing(change.status, banlist, change.line, change.since)


def change_on(history: Sequence[Change], as_of: str) -> Change | None:
    """The change in force on a day; None when there is none or the card is free."""
    past = [change for change in history if change.since <= as_of]
    return past[-1] if past and past[-1].status != FREE_STATUS else None


def statuses_given(banlists: Iterable[Banlist], *, combinations: bool) -> set[str]:
    """All statuses that the lists give cards, or combinations, whenever it is."""
    entries = (entry for banlist in banlists for entry in banlist.entries)
    return {
        change.status for entry in entries if entry.is_combination == combinations for change in entry.history
    }


def statuses_at(banlists: Iterable[Banlist], strictness: Mapping[str, int], as_of: str) -> dict[str, Listing]:
    """Each listed card's status on a day, by canonical name: of several lists the strictest, of equals the last."""
    result: dict[str, Listing] = {}
    for banlist in banlists:
        for entry in banlist.entries:
            listing = listing_on(banlist, entry.history, as_of)
            if listing is None or entry.is_combination:
                continue
            [card] = entry.sides[0]
            before = result.get(card)
            if before is None or strictness[listing.status] >= strictness[before.status]:
                result[card] = listing
    return result
