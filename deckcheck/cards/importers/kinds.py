"""Which sources of cards there are, and which of them a file is."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from deckcheck.cards.importers.found import Item, LeftOut
from deckcheck.cards.importers.unpack import unpacked
from deckcheck.support.errors import wrong
from deckcheck.support.messages import _


class Kind(NamedTuple):
    """A source of cards: its id, what people call it, its game and its module."""

    id: str
    title: str
    game: str
    module: str


class Source(Protocol):
    """What the module of a source has."""

    PRINTINGS_MAY_MISS: bool
    """Whether, where every card stands there once, it does so with one of its printings only."""
    UNITED: frozenset[str]
    """The attributes of which each appearance of a card may know another part."""

    def read(self, path: Path, advance: Callable[[int], None]) -> Iterator[Any]:
        """What stands in the file: things for `card_of`, LeftOut and Stamp. Raises UserError."""

    def card_of(self, found: Any) -> Item | LeftOut | None:
        """The card, or why it is none; None where others say all there is to say."""


KINDS = {
    kind.id: kind
    for kind in (
        Kind("mtgjson", "MTGJSON", "magic", "deckcheck.cards.importers.mtgjson"),
        Kind("scryfall", "Scryfall", "magic", "deckcheck.cards.importers.scryfall"),
        Kind("ygopro", "EDOPro/YGOPro (.cdb)", "yugioh", "deckcheck.cards.importers.ygopro"),
    )
}
"""In the order in which help and messages name them."""

_HEAD = 4096
_MTGJSON = re.compile(rb'\s*\{\s*"(?:meta|data)"\s*:\s*\{')
_SCRYFALL = re.compile(rb"\s*\[\s*[{\]]")


def source(kind: Kind) -> Source:
    """The module of a source."""
    return cast(Source, import_module(kind.module))


def kind_named(name: str) -> Kind:
    """The source of that id. Raises UserError, with all there are, where there is none."""
    if name.lower() in KINDS:
        return KINDS[name.lower()]
    listed = ", ".join(KINDS)
    raise wrong(_("--from: there is no {name!r} (only {listed})", name=name, listed=listed))


def kind_of(path: Path) -> Kind | None:
    """The source that the file's first bytes tell, packed or not; None for a card file of deckcheck's own.

    Raises UserError when it can't be read, or is packed and nothing that is known.
    """
    with unpacked(path, lambda _unused: None) as reader:
        head = reader.peek(_HEAD).removeprefix(b"\xef\xbb\xbf")
        if head.startswith(b"SQLite format 3\0"):
            return KINDS["ygopro"]
        if _MTGJSON.match(head):
            return KINDS["mtgjson"]
        if _SCRYFALL.match(head):
            return KINDS["scryfall"]
        if reader.packed:
            raise wrong(
                _("what is packed in this file isn't known"),
                path=str(path),
                hint=_("name it with --from: {kinds}", kinds=", ".join(KINDS)),
            )
    return None
