"""The files of a game's card table: its sources, the compiled tables, and the stamps that show whether these are fresh."""

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

FORM = 9
"""Increased whenever the layout of a compiled table or the making of its keys changes."""


class Sources(NamedTuple):
    """The files that make up one card table; only the `extra` ones must exist.

    `compiled` is the table that was built from the first three. In an installed package it replaces them.
    """

    cards: Path
    sets: Path
    corrections: Path
    compiled: Path
    imported: Path
    extra: tuple[Path, ...]

    @property
    def is_own_game(self) -> bool:
        """Whether the texts belong to the user's own game. A compiled table beside such texts isn't trusted."""
        return self.cards.with_name("game.yaml").exists()

    @property
    def bundled(self) -> tuple[Path, ...]:
        """The texts that ship with deckcheck."""
        return self.cards, self.sets, self.corrections

    @property
    def own(self) -> tuple[Path, ...]:
        """The user's own files that exist or must exist, each once, in the order in which they are applied."""
        imported = (self.imported,) if file_stamp(self.imported) is not None else ()
        return tuple(dict.fromkeys((*imported, *self.extra)))


def sources_of(game: Game, extra: Sequence[Path] = (), bundled: Path | None = None) -> Sources:
    """The files of the game's card table; `bundled` is the folder that ships with deckcheck unless given."""
    folder = bundled if bundled is not None else Path(__file__).parent.parent / "data" / _folder(game)
    names = ("cards.jsonl", "sets.json", "corrections.yaml", "cards.sqlite")
    cards, sets, corrections, compiled = (folder / name for name in names)
    return Sources(cards, sets, corrections, compiled, imported_file(game), tuple(extra))


def imported_file(game: Game) -> Path:
    """Where the user's own cards of the game are kept; the file may not exist."""
    return user_folder("data") / _folder(game) / "cards.jsonl"


def cache_file(game: Game, sources: Sequence[Path]) -> Path:
    """The cache file for the table compiled from exactly these files; it may not exist or not be fresh."""
    paths = "\n".join(str(path.absolute()) for path in sources)
    mark = zlib.crc32(paths.encode("utf-8", "surrogateescape"))
    return cache_folder() / f"{_folder(game)}-{mark:08x}.sqlite"


def form_of(game: Game) -> str:
    """Everything that a compiled table depends on besides its sources."""
    attributes = [(item.id, item.kind, item.values, item.order) for item in game.attributes.values()]
    folding = game.folding.drop, sorted(game.folding.replace.items())
    return ascii(f"{FORM} {folding} {list(game.zones)} {attributes}")


def stamp_of(files: Sequence[Path], required: Sequence[Path] = ()) -> str:
    """The state of the files. Raises UserError if one of the `required` can't be found."""
    found = [file_stamp(path) for path in files]
    for path, state in zip(files, found, strict=True):
        if state is None and path in required:
            raise user_error(_("no such file"), path=str(path))
    return str(found)


def _folder(game: Game) -> str:
    # The id comes from a file; as the name of a folder, it must not lead elsewhere.
    if game.id in ("", ".", "..") or not all(char.isalnum() or char in "-_." for char in game.id):
        raise user_error(_("can't be used as a game's id: {id!r}", id=game.id))
    return game.id
