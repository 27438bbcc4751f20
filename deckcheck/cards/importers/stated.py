"""What a file of somebody else's says of cards on one day: the lists in it, and what kind of file it is."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards.importers.kinds import KINDS, Kind, kind_of
from deckcheck.cards.importers.unpack import unpacked
from deckcheck.support.errors import wrong
from deckcheck.support.messages import Words, _

# 2024.4.8, and 20240408 with perhaps the time behind it.
_DAY = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:(?P<between>[-./])(?P<month>\d{1,2})(?P=between)(?P<day>\d{1,2})"
    r"|(?P<mm>\d\d)(?P<dd>\d\d)(?:\d{6})?)(?!\d)"
)
_HEAD = 64 * 1024
_LISTS = re.compile(rb"(?m)^![^\r\n]*\S")


class Stated(NamedTuple):
    """One list as it stood on a day.

    `id` is the second half of its id here, `title` what it is called there and
    `date` the day that it tells, None where it tells none. `statuses` gives
    cards by a name or another word by which the card table knows them. `free`
    are those of which it says that they have no status; None: all others.
    `refused` says why it can't be taken in; `also` is its name without a date.
    """

    id: str
    title: str
    date: str | None
    statuses: Mapping[str, str]
    free: frozenset[str] | None = None
    refused: Words | None = None
    also: str = ""


LFLIST = Kind("lflist", "lflist.conf", "yugioh", "deckcheck.cards.importers.lflist")
LIST_KINDS = {kind.id: kind for kind in (KINDS["mtgjson"], KINDS["scryfall"], LFLIST)}
"""The sources of lists, in the order in which help and messages name them."""


def list_kind_of(path: Path) -> Kind:
    """The source that the file's content tells. Raises UserError where it is none that holds lists."""
    with unpacked(path, lambda _unused: None) as reader:
        if not reader.packed and _LISTS.search(reader.peek(_HEAD)):
            return LFLIST
    kind = kind_of(path)
    if kind is None or kind.id not in LIST_KINDS:
        raise wrong(
            _("is no file with lists of what is banned"),
            path=str(path),
            hint=_("--from names it: {list_kinds}", list_kinds=", ".join(LIST_KINDS)),
        )
    return kind


def list_kind_named(name: str) -> Kind:
    """The source of that id. Raises UserError, with all there are, where there is none."""
    if name.lower() in LIST_KINDS:
        return LIST_KINDS[name.lower()]
    listed = ", ".join(LIST_KINDS)
    raise wrong(_("--from: there is no {name!r} (only {listed})", name=name, listed=listed))


def day_in(text: str) -> str | None:
    """The first whole date in a name, as an ISO date."""
    from deckcheck.cards.check import is_date

    for hit in _DAY.finditer(text):
        month, day = hit["month"] or hit["mm"], hit["day"] or hit["dd"]
        date = f"{hit['year']}-{int(month):02}-{int(day):02}"
        if is_date(date):
            return date
    return None
