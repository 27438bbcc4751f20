"""Card data and banlists from other sources: the sources there are, which of them a file is from, and what a source says.

Each source is a module, which may use the words of its game.
"""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple

from deckcheck.importers.json_stream import unpacked
from deckcheck.support.dates import is_day
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Words, _, series

Reason = Literal["token", "art", "beside", "remade", "other", "unreleased", "flawed"]
"""Why something is left out: a token, an art card, never in a deck, a version that only one program has, of another
game, not out, or nothing of which a card can be made."""


class Item(NamedTuple):
    """A card, or one appearance of a card that comes several times.

    `record` is as in a card file, without aliases and printings. Two items are one card when `same` (an id in the
    source) or the name agrees. The facts of a `weak` item only count while there are no others. `melds` names what
    the card becomes one half of. By `code`, an alias, an earlier table may know the card under a name in another
    language. `statuses` are the source's words by format.
    """

    record: dict[str, Any]
    same: str = ""
    aliases: tuple[str, ...] = ()
    printings: tuple[dict[str, Any], ...] = ()
    weak: bool = False
    melds: str | None = None
    code: str | None = None
    statuses: Mapping[str, str] | None = None


class Omission(NamedTuple):
    """An entry that is no card for a deck, and why."""

    reason: Reason


class DataDate(NamedTuple):
    """The day of the data, as the file says it."""

    date: str | None


class StatedList(NamedTuple):
    """A banlist in a file, as it was on a day.

    `id` is the second half of its id here, `title` its name in the file, `also` that without a date, `date` the day
    that it states, or the first one of the month where it states that only. `statuses` and `free` (those that it states
    to have no status; None: all others) give cards by any word that the card table knows; with `others` all others have
    that status. `refused` says why it can't be imported.
    """

    id: str
    title: str
    date: str | None
    statuses: Mapping[str, str]
    free: frozenset[str] | None = None
    refused: Words | None = None
    also: str = ""
    others: str | None = None
    month_only: bool = False


class Kind(NamedTuple):
    """A source of cards or of lists: its id, what people call it, its game, its module, and how its files begin.

    `united` is the attribute of which each version of a card may know another part: the formats that it is played in.
    `some_printings` says that a file that has every card once has only one of its printings.
    """

    id: str
    title: str
    game: str
    module: str
    begins: re.Pattern[bytes]
    united: str = ""
    some_printings: bool = False

    @property
    def source(self) -> ModuleType:
        """The module. `read(path, advance)` yields Items, Omissions and DataDates.

        `banlists(path, advance)` gives the lists in the file. Both raise UserError.
        """
        return import_module(f"deckcheck.importers.{self.module}")


_MTGJSON = Kind(
    "mtgjson", "MTGJSON", "magic", "mtgjson", re.compile(rb'\s*\{\s*"(?:meta|data)"\s*:\s*\{'), "pool"
)
_SCRYFALL = Kind(
    "scryfall", "Scryfall", "magic", "scryfall", re.compile(rb"\s*\[\s*[{\]]"), "pool", some_printings=True
)
_YGOPRO = Kind(
    "ygopro", "EDOPro/YGOPro (.cdb)", "yugioh", "yugioh", re.compile(rb"SQLite format 3\0"), "pool"
)
_LFLIST = Kind("lflist", "lflist.conf", "yugioh", "yugioh", re.compile(rb"(?ms).*?^![^\r\n]*\S"))
KINDS = {kind.id: kind for kind in (_MTGJSON, _SCRYFALL, _YGOPRO)}
LIST_KINDS = {kind.id: kind for kind in (_MTGJSON, _SCRYFALL, _LFLIST)}
ALL_KINDS = KINDS | LIST_KINDS
"""The sources of cards, those of banlists, and all of them, in the order in which help and messages name them."""

_HEAD = 64 * 1024
# 2024.4.8, and 20240408 with perhaps the time behind it.
_DAY = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:(?P<between>[-./])(?P<month>\d{1,2})(?P=between)(?P<day>\d{1,2})"
    r"|(?P<mm>\d\d)(?P<dd>\d\d)(?:\d{6})?)(?!\d)"
)
_MONTH = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)[-./](?P<month>\d{1,2})(?![-./]?\d)")


def kind_named(name: str, kinds: Mapping[str, Kind] = KINDS) -> Kind:
    """The source of that id. Raises UserError, with all there are, where there is none."""
    if name.lower() in kinds:
        return kinds[name.lower()]
    raise user_error(
        _("--from: unknown source {name!r} (choose from {known})", name=name, known=series(kinds))
    )


def kind_of(path: Path, kinds: Mapping[str, Kind] = KINDS) -> Kind | None:
    """The source that the file's first bytes show, packed or not; None for an unpacked file of no source.

    Raises UserError when it can't be read, or is packed and nothing that is known.
    """
    with unpacked(path) as reader:
        head = reader.peek(_HEAD).removeprefix(b"\xef\xbb\xbf")
        found = next((kind for kind in kinds.values() if kind.begins.match(head)), None)
        if not reader.packed or found not in (None, _LFLIST):
            return found
    hint = _("choose the source with --from: {known}", known=series(kinds))
    raise user_error(_("the content of this archive isn't recognised"), path=str(path), hint=hint)


def list_kind_of(path: Path) -> Kind:
    """As `kind_of`, of lists. Raises UserError also where it is no file with lists."""
    kind = kind_of(path, LIST_KINDS)
    if kind is None:
        hint = _("choose the source with --from: {known}", known=series(LIST_KINDS))
        raise user_error(_("not a file with banlists"), path=str(path), hint=hint)
    return kind


def month_in(text: str) -> str | None:
    """The first day of the first month in a name that gives no day, such as "2026.11", as an ISO date."""
    found = _MONTH.search(text)
    date = found and f"{found['year']}-{int(found['month']):02}-01"
    return date if date and is_day(date) else None


def day_in(text: str) -> str | None:
    """The first whole date in a name, as an ISO date."""
    for hit in _DAY.finditer(text):
        month, day = hit["month"] or hit["mm"], hit["day"] or hit["dd"]
        date = f"{hit['year']}-{int(month):02}-{int(day):02}"
        if is_day(date):
            return date
    return None
