"""Card data and banlists from other sources: the known ones, how to recognise their files, and what these yield.

Each source is a module, which may use its game's words.
"""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple

from deckcheck.importers.reading import opened
from deckcheck.support.dates import is_day
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Words, _, series

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


class SourceKind(NamedTuple):
    """A source of cards or of lists: its id, common name, game and module, and how its files begin.

    `merged_attribute` is the one of which each version of a card may have another part: the formats in which it is legal.
    `some_printings` says that a file with one entry per card has only one of the card's printings.
    """

    id: str
    title: str
    game: str
    module: str
    begins: re.Pattern[bytes]
    merged_attribute: str = ""
    some_printings: bool = False

    @property
    def source(self) -> ModuleType:
        """The module. `read(path, advance)` yields the SourceCards and Omissions in a file of cards.

        `banlists(entries, path)` returns the lists in these entries, or in the file if it is one of lists only. Both
        raise UserError.
        """
        return import_module(f"deckcheck.importers.{self.module}")


_SCRYFALL = SourceKind(
    "scryfall", "Scryfall", "magic", "scryfall", re.compile(rb"\s*\[\s*[{\]]"), "pool", some_printings=True
)
_YGOPRO = SourceKind(
    "ygopro", "EDOPro/YGOPro (.cdb)", "yugioh", "yugioh", re.compile(rb"SQLite format 3\0"), "pool"
)
_LFLIST = SourceKind("lflist", "lflist.conf", "yugioh", "yugioh", re.compile(rb"(?ms).*?^![^\r\n]*\S"))
KINDS = {kind.id: kind for kind in (_SCRYFALL, _YGOPRO)}
LIST_KINDS = {kind.id: kind for kind in (_SCRYFALL, _LFLIST)}
ALL_KINDS = KINDS | LIST_KINDS
"""The sources of cards, those of banlists, and all of them, in the order of help and messages."""

_HEAD = 64 * 1024
# 2024.4.8, or 20240408, which a time may follow.
_DAY = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:(?P<between>[-./])(?P<month>\d{1,2})(?P=between)(?P<day>\d{1,2})"
    r"|(?P<mm>\d\d)(?P<dd>\d\d)(?:\d{6})?)(?!\d)"
)
_MONTH = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)[-./](?P<month>\d{1,2})(?![-./]?\d)")


def kind_named(name: str, kinds: Mapping[str, SourceKind] = KINDS) -> SourceKind:
    """The source with that id. Raises UserError, which names all of them, for an unknown id."""
    if name.lower() in kinds:
        return kinds[name.lower()]
    raise user_error(
        _("--from: unknown source {name!r} (choose from {known})", name=name, known=series(kinds))
    )


def kind_of(path: Path, kinds: Mapping[str, SourceKind] = KINDS) -> SourceKind | None:
    """The source recognised by the file's first bytes, packed or not; None for an unpacked file of no known source.

    Raises UserError if it can't be read, or is packed and of no known source (or an lflist.conf).
    """
    with opened(path) as reader:
        head = reader.head(_HEAD)
        kind = next((kind for kind in kinds.values() if kind.begins.match(head)), None)
        if not reader.is_packed or kind not in (None, _LFLIST):
            return kind
    hint = _("choose the source with --from: {known}", known=series(kinds))
    raise user_error(_("the content of this archive isn't recognised"), path=str(path), hint=hint)


def list_kind_of(path: Path) -> SourceKind:
    """Like `kind_of` for sources of lists, but raises UserError also for an unpacked file of no known source."""
    kind = kind_of(path, LIST_KINDS)
    if kind is None:
        hint = _("choose the source with --from: {known}", known=series(LIST_KINDS))
        raise user_error(_("not a file with banlists"), path=str(path), hint=hint)
    return kind


def month_in(text: str) -> str | None:
    """The first day of the first month without a day in a name ("2026.11"), as an ISO date; None without one."""
    found = _MONTH.search(text)
    date = found and f"{found['year']}-{int(found['month']):02}-01"
    return date if date and is_day(date) else None


def day_in(text: str) -> str | None:
    """The first full date in a name, as an ISO date; None without one."""
    for hit in _DAY.finditer(text):
        month, day = hit["month"] or hit["mm"], hit["day"] or hit["dd"]
        date = f"{hit['year']}-{int(month):02}-{int(day):02}"
        if is_day(date):
            return date
    return None
