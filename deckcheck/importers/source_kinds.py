"""The other programs whose files can be imported, and how these are recognised."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from deckcheck.importers import scryfall, ygopro
from deckcheck.importers.reading import Advance, opened
from deckcheck.importers.records import Omission, SourceCard, StatedList
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _, series

_HEAD = 64 * 1024

Entry = SourceCard | Omission
ReadCards = Callable[[Path, Advance], Iterator[Entry]]
"""Yields the cards in a file, and what is left out. Raises UserError."""
ReadLists = Callable[[Path, Iterable[Entry]], list[StatedList]]
"""The banlists in a file, of which the entries may have been read. Raises UserError."""


class SourceKind(NamedTuple):
    """A kind of files: its id, common name and game, how such files begin, and what reads cards and lists in them.

    `merged_attribute` is the one of which each version of a card may have another part: the formats in which it is legal.
    `some_printings` says that a file with one entry per card has only one of the card's printings.
    """

    id: str
    title: str
    game: str
    begins: re.Pattern[bytes]
    read_cards: ReadCards | None = None
    read_lists: ReadLists | None = None
    merged_attribute: str = "pool"
    some_printings: bool = False


SCRYFALL = SourceKind(
    "scryfall",
    "Scryfall",
    "magic",
    re.compile(rb"\s*\[\s*[{\]]"),
    read_cards=scryfall.read,
    read_lists=scryfall.banlists,
    some_printings=True,
)
YGOPRO = SourceKind(
    "ygopro", "EDOPro/YGOPro (.cdb)", "yugioh", re.compile(rb"SQLite format 3\0"), read_cards=ygopro.read
)
LFLIST = SourceKind(
    "lflist",
    "lflist.conf",
    "yugioh",
    re.compile(rb"(?ms).*?^![^\r\n]*\S"),
    read_lists=lambda path, _entries: ygopro.banlists(path),
)
KINDS = {kind.id: kind for kind in (SCRYFALL, YGOPRO, LFLIST)}
"""All of them by id, in the order of help and messages."""


def kind_named(name: str) -> SourceKind:
    """The kind with that id. Raises UserError, which names all of them, for an unknown id."""
    if name.lower() in KINDS:
        return KINDS[name.lower()]
    raise user_error(
        _("--from: unknown source {name!r} (choose from {known})", name=name, known=series(KINDS))
    )


def kind_of(path: Path) -> SourceKind | None:
    """The kind recognised by the file's first bytes, packed or not; None for an unpacked file of no known kind.

    Raises UserError if it can't be read, or is packed and of no known kind (or an lflist.conf).
    """
    with opened(path) as reader:
        head = reader.head(_HEAD)
        kind = next((kind for kind in KINDS.values() if kind.begins.match(head)), None)
        if not reader.is_packed or kind not in (None, LFLIST):
            return kind
    hint = _("choose the source with --from: {known}", known=series(KINDS))
    raise user_error(_("the content of this archive isn't recognised"), path=str(path), hint=hint)
