"""The files of a game's card table: its sources, and the compiled table with the stamp that shows whether it is fresh."""

import io
import json
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from deckcheck.model.game import Game
from deckcheck.support.cache import cache_folder
from deckcheck.support.cache import stamp as file_stamp
from deckcheck.support.errors import user_error
from deckcheck.support.files import user_folder
from deckcheck.support.messages import _

FORM = 7
"""Raised whenever the compiled table is laid out, or its keys are made, in another way."""

CARDS_A_BLOCK, KEYS_A_BLOCK = 16, 64
"""How many lines a block of the compiled table holds; a look-up reads one block of keys and one of cards."""

_WORTH_ALL = 300
"""Whoever reads more blocks than this waits less with all of them in memory."""


# Sources


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
    return cache_folder() / f"{_folder(game)}-{mark:08x}.table"


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


def _folder(game: Game) -> str:
    # The id comes from a file; as a folder's name it must not lead elsewhere.
    if game.id in ("", ".", "..") or not all(char.isalnum() or char in "-_." for char in game.id):
        raise user_error(_("can't be used as a game's id: {id!r}", id=game.id))
    return game.id


# The compiled table


class TableError(Exception):
    """A compiled table isn't there, was made of other sources, or holds wrong bytes."""


class CompiledTable:
    """Blocks of lines by part and number. The file's first line says where each is; all of it has checksums.

    `count` is the number of cards, `starts` the first key of each block of keys.
    """

    def __init__(self, file: Path, stamp: str, data: bytes | None = None) -> None:
        """Open a table with that stamp; `data` is its content where there is no file. Raises TableError."""
        self._file, self._data = file, data
        self._blocks: dict[tuple[str, int], list[str]] = {}
        try:
            with self._stream() as stream:
                first = stream.readline()
            mark, _blank, written = first.partition(b" ")
            head: dict[str, Any] = json.loads(written) if int(mark, 16) == zlib.crc32(written) else {}
        except (OSError, ValueError) as error:
            raise TableError from error
        if head.get("stamp") != stamp:
            raise TableError
        self.version: str = head["version"]
        self.count: int = head["count"]
        self.starts: list[str] = head["starts"]
        self._places: dict[str, list[list[int]]] = head["places"]
        self._body = len(first)

    def lines(self, part: str, number: int = 0) -> list[str]:
        """The lines of a block. Raises TableError."""
        lines = self._blocks.get((part, number))
        if lines is None:
            start, size, mark = self._places[part][number]
            try:
                if self._data is None and len(self._blocks) >= _WORTH_ALL:
                    self._data = self._file.read_bytes()
                with self._stream() as stream:
                    stream.seek(self._body + start)
                    content = stream.read(size)
            except OSError as error:
                raise TableError from error
            if zlib.crc32(content) != mark:
                raise TableError
            lines = self._blocks[part, number] = content.decode("utf-8", "surrogatepass").split("\n")
        return lines

    def _stream(self) -> BinaryIO:
        # No file stays open: processes that are forked would share its position.
        return self._file.open("rb") if self._data is None else io.BytesIO(self._data)


def packed(stamp: str, version: str, count: int, starts: list[str], parts: Mapping[str, list[str]]) -> bytes:
    """The content of the file of a `CompiledTable`; `parts` are its blocks as texts."""
    body = bytearray()
    places: dict[str, list[tuple[int, int, int]]] = {}
    for part, blocks in parts.items():
        places[part] = []
        for block in blocks:
            content = block.encode("utf-8", "surrogatepass")
            places[part].append((len(body), len(content), zlib.crc32(content)))
            body += content
    head = {"stamp": stamp, "version": version, "count": count, "starts": starts, "places": places}
    written = json.dumps(head).encode() + b"\n"
    return f"{zlib.crc32(written):08x} ".encode() + written + body
