"""What the files of other programs yield: cards, entries that are left out, and banlists with their days."""

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from deckcheck.support.dates import is_day
from deckcheck.support.messages import Words

Reason = Literal["token", "art", "beside", "remade", "other", "unreleased", "flawed"]
"""Why an entry is left out: a token, an art card, a card never in a deck, a version in one program only, a card of
another game, an unreleased one, or data that makes no valid card."""


class SourceCard(NamedTuple):
    """A card, or one of several entries for the same card.

    `record` is as in a card file, without aliases and printings. Two entries are the same card if their `source_id` or
    name agrees. The facts of one that `is_fallback` count only if the card has no other entries. `melds`
    names the card that this one melds into. `code` is an alias by which an earlier table may know the card under a
    name in another language. `statuses` are the source's words by format.
    """

    record: dict[str, Any]
    source_id: str = ""
    aliases: tuple[str, ...] = ()
    printings: tuple[dict[str, Any], ...] = ()
    is_fallback: bool = False
    melds: str | None = None
    code: str | None = None
    statuses: Mapping[str, str] | None = None


class Omission(NamedTuple):
    """An entry that isn't imported as a card, and why."""

    reason: Reason


class StatedList(NamedTuple):
    """A banlist in a file, as of one day.

    `id` is the part of its id after the game, `title` its name in the file, `undated_title` the title without its date, `date` the
    stated day, or the first of the month if it states a `month_only`. `statuses` and `free` (cards stated to have no
    status; None: all others) have cards by any name that the card table knows; with `others` all other cards have
    that status. `refused` says why it can't be imported.
    """

    id: str
    title: str
    date: str | None
    statuses: Mapping[str, str]
    free: frozenset[str] | None = None
    refused: Words | None = None
    undated_title: str = ""
    others: str | None = None
    month_only: bool = False


# Days in names

# 2024.4.8, or 20240408, which a time may follow.
_DAY = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:(?P<between>[-./])(?P<month>\d{1,2})(?P=between)(?P<day>\d{1,2})"
    r"|(?P<mm>\d\d)(?P<dd>\d\d)(?:\d{6})?)(?!\d)"
)
_MONTH = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)[-./](?P<month>\d{1,2})(?![-./]?\d)")


def month_in(text: str) -> str | None:
    """The first day of the first month without a day in a name ("2026.11"), as an ISO date; None without one."""
    match = _MONTH.search(text)
    date = match and f"{match['year']}-{int(match['month']):02}-01"
    return date if date and is_day(date) else None


def day_in(text: str) -> str | None:
    """The first full date in a name, as an ISO date; None without one."""
    for hit in _DAY.finditer(text):
        month, day = hit["month"] or hit["mm"], hit["day"] or hit["dd"]
        date = f"{hit['year']}-{int(month):02}-{int(day):02}"
        if is_day(date):
            return date
    return None
