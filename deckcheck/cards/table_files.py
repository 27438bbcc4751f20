"""The files that a game's card table is built from, and where the built table is kept."""

import sqlite3
import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.model.game import Game
from deckcheck.support.cache import cache_folder
from deckcheck.support.cache import stamp as file_stamp
from deckcheck.support.errors import user_error
from deckcheck.support.files import user_folder
from deckcheck.support.messages import _

DATA = Path(__file__).parent.parent / "data"
"""The folder with the bundled cards of each game."""

FORM = 13
"""Increased whenever the tables or the making of the names in them change."""


class Sources(Struct, frozen=True):
    """The files of one card table: those of the bundled cards, which may be missing, and the user's own over them.

    `built` is the table of the bundled cards alone. An installed package has it in place of the other bundled files.
    """

    cards: Path
    sets: Path
    corrections: Path
    built: Path
    own: tuple[Path, ...] = ()

    @property
    def bundled(self) -> tuple[Path, Path, Path]:
        """The texts of the bundled cards."""
        return self.cards, self.sets, self.corrections

    @property
    def has_texts(self) -> bool:
        """Whether the texts of the bundled cards are there, so that the table can be built from them."""
        return self.cards.exists()

    @property
    def is_own_game(self) -> bool:
        """Whether the cards belong to a game of the user's, beside which no built table is trusted."""
        return self.cards.with_name("game.yaml").exists()

    def without_own(self) -> "Sources":
        """The sources of the bundled cards alone."""
        return replace(self, own=())


def sources_of(game: Game, extra: Sequence[Path] = (), bundled: Path | None = None) -> Sources:
    """The files of the game's cards: those in `bundled` (default: deckcheck's), the imported ones, and the `extra` ones.

    Raises UserError for an extra file that doesn't exist.
    """
    folder = bundled if bundled is not None else DATA / _folder(game)
    imported = imported_file(game)
    own = [imported] if file_stamp(imported) is not None else []
    for path in extra:
        if file_stamp(path) is None:
            raise user_error(_("no such file"), path=str(path))
        own.append(path)
    return Sources(
        folder / "cards.jsonl",
        folder / "sets.json",
        folder / "corrections.yaml",
        folder / "cards.sqlite",
        tuple(dict.fromkeys(own)),
    )


def imported_file(game: Game) -> Path:
    """Where the user's own cards of the game are kept; the file may not exist."""
    return user_folder("data") / _folder(game) / "cards.jsonl"


def cached_table(game: Game, sources: Sources) -> Path:
    """The file in the cache for the table of exactly these files; it may not exist or not be fresh."""
    paths = "\n".join(str(path.absolute()) for path in (*sources.bundled, *sources.own))
    mark = zlib.crc32(paths.encode("utf-8", "surrogateescape"))
    return cache_folder() / f"{_folder(game)}-{mark:08x}.sqlite"


def form_of(game: Game) -> str:
    """Everything that a table depends on besides its files."""
    attributes = [(item.id, item.kind, item.values, item.order) for item in game.attributes.values()]
    folding = game.folding.drop, sorted(game.folding.replace.items())
    return ascii(f"{FORM} {folding} {list(game.zones)} {attributes}")


def stamp_of(sources: Sources) -> str:
    """The state of the files: another stamp means that the table must be built again.

    It is "" for the built table of an installed package, which nothing can be newer than.
    """
    if sources.has_texts or sources.is_own_game:
        bundled = _stamps(sources.bundled)
    elif sources.built.exists():
        if not sources.own:
            return ""
        bundled = _stamps([sources.built])
    else:
        bundled = "none"
    if not sources.own:
        return bundled
    # Names of the user's own may have characters that another Python doesn't know; and a path may be no text.
    paths = [str(path.absolute()) for path in sources.own]
    return ascii(f"{unicodedata.unidata_version} {bundled} {paths} {_stamps(sources.own)}")


def opened(file: Path) -> sqlite3.Connection:
    """The table in a file, which never changes, read-only. Raises sqlite3.Error."""
    # Needs no locks, and no search for a journal.
    place = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(place, uri=True, check_same_thread=False)


def meta_of(table: sqlite3.Connection) -> tuple[str | None, str | None]:
    """The form and the stamp of a table. Raises sqlite3.Error."""
    meta = dict(table.execute("SELECT key, value FROM meta WHERE key IN ('form', 'stamp')"))
    return meta.get("form"), meta.get("stamp")


def _stamps(files: Iterable[Path]) -> str:
    return str([file_stamp(path) for path in files])


def _folder(game: Game) -> str:
    # The id comes from a file; as the name of a folder, it must not lead elsewhere.
    if game.id in ("", ".", "..") or not all(char.isalnum() or char in "-_." for char in game.id):
        raise user_error(_("can't be used as a game's id: {id!r}", id=game.id))
    return game.id
