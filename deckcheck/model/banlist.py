"""Dated banlists: the status of a card on a day, and the line that gives it."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from deckcheck.support.messages import Localized

FREE_STATUS = "free"
"""The status that ends another one: from that day the card isn't on the list."""


class Change(Struct, frozen=True):
    """A status from an ISO date on, and its line in the list, or in the announcement with that path."""

    since: str
    status: str
    line: int
    announcement: str = ""


Sides = tuple[frozenset[str], ...]
"""One card by its canonical name, or the cards on each side of a combination."""


class BanlistEntry(Struct, frozen=True):
    """A card or a combination on a list, with its changes, oldest first."""

    sides: Sides
    history: tuple[Change, ...]

    @property
    def is_combination(self) -> bool:
        """Whether it has several sides, of which a deck may usually hold only one."""
        return len(self.sides) > 1


class Unconfirmed(Struct, frozen=True):
    """A change without a known date, which is reported but never applied."""

    card: str
    before: str
    after: str


class Edition(Struct, frozen=True):
    """An edition of a text, "" for one without a name, with the ISO date of its first day if known."""

    edition: str
    date: str | None


def edition_on(editions: Sequence[Edition], as_of: str) -> str | None:
    """The edition in force on a day, from `editions` oldest first; None before the first."""
    past = [edition for edition in editions if edition.date is None or edition.date <= as_of]
    return past[-1].edition or None if past else None


class Banlist(Struct, frozen=True):
    """A dated banlist."""

    id: str
    name: Localized
    title: str | None
    """Its title in the source."""
    editions: tuple[Edition, ...]
    """The editions of its text, oldest first."""
    path: str
    """The path of its file for messages."""
    complete_through: str | None = None
    """The ISO date up to which every change is known."""
    entries: tuple[BanlistEntry, ...] = ()
    seen_by: str | None = None
    """The ISO date on which the unconfirmed changes were known."""
    unconfirmed: tuple[Unconfirmed, ...] = ()
    partial: bool = False
    """Whether it lacks some entries, so that a card that isn't on it may still have a status."""
    complete_from: str | None = None
    """The ISO date before which the list lacks some entries."""
    replaces_bundled: bool = False
    """Whether a list of the user's own is used in place of the bundled one with that id."""
    announcements: tuple[str, ...] = ()
    """The paths of announcements whose changes are part of it."""

    def incomplete_on(self, as_of: str) -> bool:
        """Whether changes up to that day may be missing."""
        return self.complete_through is not None and as_of > self.complete_through

    def partial_on(self, as_of: str) -> bool:
        """Whether some of the entries in force on that day may be missing."""
        return self.partial or (self.complete_from is not None and as_of < self.complete_from)

    def latest(self, as_of: str) -> str | None:
        """The day of the newest change up to `as_of`; None before the first."""
        days = (change.since for entry in self.entries for change in entry.history)
        return max((day for day in days if day <= as_of), default=None)


class Listing(Struct, frozen=True):
    """The status of a card or a combination on a day, with the list, the file and the line that give it."""

    status: str
    banlist: Banlist
    path: str
    line: int
    since: str


def listing_on(banlist: Banlist, history: Sequence[Change], as_of: str) -> Listing | None:
    """The status on a day by an entry's history; None if there is none or the card is free."""
    change = change_on(history, as_of)
    if change is None:
        return None
    return Listing(change.status, banlist, change.announcement or banlist.path, change.line, change.since)


def change_on(history: Sequence[Change], as_of: str) -> Change | None:
    """The change in force on a day; None if there is none or the card is free."""
    past = [change for change in history if change.since <= as_of]
    return past[-1] if past and past[-1].status != FREE_STATUS else None


def all_statuses(banlists: Iterable[Banlist], *, combinations: bool) -> set[str]:
    """All statuses of cards, or of combinations, on the lists at any time."""
    entries = (entry for banlist in banlists for entry in banlist.entries)
    return {
        change.status for entry in entries if entry.is_combination == combinations for change in entry.history
    }


def statuses_at(banlists: Iterable[Banlist], strictness: Mapping[str, int], as_of: str) -> dict[str, Listing]:
    """The status of each listed card on a day, by canonical name: the strictest, or the last of equal ones."""
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
