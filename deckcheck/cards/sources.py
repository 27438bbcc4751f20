"""The files of a game's card table: its sources, its compiled form, and the stamp that shows whether that is fresh."""

import sqlite3
import unicodedata
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deckcheck.model.game import Game
from deckcheck.support.cache import cache_folder
from deckcheck.support.cache import stamp as file_stamp
from deckcheck.support.errors import user_error
from deckcheck.support.files import user_folder
from deckcheck.support.messages import _

FORM = 6
"""Raised whenever the compiled table is laid out, or its keys are made, in another way."""

CARDS_A_ROW, KEYS_A_ROW = 16, 64
"""How many lines a row of the compiled table holds; a look-up reads one row of keys and one of cards."""


class Sources(NamedTuple):
    """The files that make up one card table; each may be missing but the `extra` ones."""

    cards: Path
    sets: Path
    corrections: Path
    imported: Path
    extra: tuple[Path, ...]

    def all(self) -> list[Path]:
        """Every file, in the order in which they are applied."""
        return [self.cards, self.sets, self.corrections, self.imported, *self.extra]


def sources_of(game: Game, extra: Sequence[Path] = (), bundled: Path | None = None) -> Sources:
    """The files of the game's card table; `bundled` is the folder that ships with deckcheck unless given."""
    folder = bundled if bundled is not None else Path(__file__).parent.parent / "data" / _folder(game)
    cards, sets, corrections = (folder / name for name in ("cards.jsonl", "sets.json", "corrections.yaml"))
    return Sources(cards, sets, corrections, imported_file(game), tuple(extra))


def imported_file(game: Game) -> Path:
    """Where the user's own cards of the game are kept; the file may not exist."""
    return user_folder("data") / _folder(game) / "cards.jsonl"


def cache_file(game: Game, sources: Sources) -> Path:
    """Where the compiled table of just these files is kept; the file may not exist, or not be fresh."""
    paths = "\n".join(str(path.absolute()) for path in sources.all())
    mark = zlib.crc32(paths.encode("utf-8", "surrogateescape"))
    return cache_folder() / f"{_folder(game)}-{mark:08x}.sqlite"


def stamp(game: Game, sources: Sources) -> str:
    """All that a compiled table depends on. Raises UserError if one of the `extra` files can't be found."""
    parts = [
        str(FORM),
        unicodedata.unidata_version,
        repr((game.folding.drop, sorted(game.folding.replace.items()), list(game.zones))),
        repr([(item.id, item.kind, item.values, item.order) for item in game.attributes.values()]),
    ]
    for path in sources.all():
        found = file_stamp(path)
        if found is None and path in sources.extra:
            raise user_error(_("no such file"), path=str(path))
        parts.append(f"{path.absolute()}: {found}")
    # A path may hold what is no text.
    return ascii("\n".join(parts))


def connect(file: Path) -> sqlite3.Connection:
    """A database that nobody changes, opened to be read. Raises sqlite3.Error."""
    # No locks, no journal to look for.
    place = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(place, uri=True, check_same_thread=False)


def checksum(part: str, number: int, content: str) -> int:
    """What shows that a row of the compiled table is whole and in its place."""
    return zlib.crc32(f"{part} {number} {content}".encode("utf-8", "replace"))


def _folder(game: Game) -> str:
    # The id comes from a file; as a folder's name it must not lead elsewhere.
    if game.id in ("", ".", "..") or not all(char.isalnum() or char in "-_." for char in game.id):
        raise user_error(_("can't be used as a game's id: {id!r}", id=game.id))
    return game.id
