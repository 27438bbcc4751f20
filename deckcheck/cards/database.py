"""The files of a game's card table: its sources, and the compiled table, an SQLite file of rows read when needed.

Stamps show whether a compiled table is fresh. Every row has a checksum of its place and content, and the first rows say
which others there are: a damaged file can neither change an answer nor hide one.
"""

import sqlite3
import unicodedata
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.model.game import Game
from deckcheck.support.cache import cache_folder
from deckcheck.support.cache import stamp as file_stamp
from deckcheck.support.errors import user_error
from deckcheck.support.files import user_folder
from deckcheck.support.messages import _

FORM = 10
"""Increased whenever the layout of a compiled table or the making of its keys changes."""
CARDS_A_ROW, KEYS_A_ROW = 8, 16
"""The number of lines in a row; a look-up reads one row of keys and one of cards."""

_LAST = "\U0010ffff"
_CONTENTS = (str, bytes)


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


# The compiled table


class Meta(NamedTuple):
    """The first rows of a table, as text."""

    form: str
    """What the table depends on besides its sources."""
    stamp: str
    """The state of its sources."""
    version: str
    """A hash of the content of its sources."""
    cards: str
    """The number of cards."""
    rare: str = ""
    """The characters that not every Python knows, each with whether the compiling one did."""
    keys: str = ""
    """The first key of each row of keys except the first row."""
    tails: str = ""
    """The same for tails."""
    behind_counts: str = ""
    """The keys that longer ones have after a sign or a number."""
    before_counts: str = ""
    """The keys that longer ones have before a sign or a digit."""
    shared: str = ""
    """The numbers of the cards whose folded name can mean others, too."""
    replaced: str = ""
    """The numbers of the cards in the table below that are replaced."""


def rare(characters: str) -> str:
    """The characters, each with whether this Python's Unicode has it; known characters fold the same everywhere."""
    return "".join(char + str(int(unicodedata.category(char) != "Cn")) for char in characters)


def connect(file: Path) -> sqlite3.Connection:
    """Open an unchanging database for reading. Raises sqlite3.Error."""
    # Needs no locks, and no search for a journal.
    place = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(place, uri=True, check_same_thread=False)


def checksum(part: str, number: int, content: str | bytes) -> int:
    """A checksum that shows that a row is complete and in its place."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    return zlib.crc32(data, zlib.crc32(f"{part} {number} {type(content).__name__} ".encode()))


class CardNumbers(NamedTuple):
    """The numbers of the cards that a key can mean: by a name, a half's name, or a name without its reading."""

    names: tuple[int, ...] = ()
    halves: tuple[int, ...] = ()
    shorts: tuple[int, ...] = ()

    @property
    def meant(self) -> tuple[int, ...]:
        """The cards meant: a half counts only if no name matches, a name without reading only if one card has it."""
        return self.named or self.halves

    @property
    def named(self) -> tuple[int, ...]:
        """The cards meant by a name of the whole card."""
        return self.names or (self.shorts if len(self.shorts) == 1 and not self.halves else ())

    def line(self, key: str) -> str:
        """The line for a key with these numbers."""
        return f"{key}\t{';'.join(' '.join(map(str, numbers)) for numbers in self)}"


def meant_by(line: str) -> list[int]:
    """The numbers of the cards that the key of a line means; as `numbers_in`, but faster."""
    names = line.rpartition("\t")[2].partition(";")[0]
    return list(map(int, names.split())) if names else list(numbers_in(line).meant)


def numbers_in(line: str | None) -> CardNumbers:
    """The numbers in a line of keys; none for None."""
    if line is None:
        return CardNumbers()
    return CardNumbers(*(tuple(map(int, part.split())) for part in line.rpartition("\t")[2].split(";")))


class Table:
    """A compiled table. Reading it raises sqlite3.DatabaseError if the file is damaged."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        self._blocks: dict[tuple[str, int], list[str]] = {}
        self.meta = Meta(*self.rows("meta", 0, len(Meta._fields)))
        self.count = int(self.meta.cards)
        self._starts = {"keys": self.meta.keys.split("\n"), "tails": self.meta.tails.split("\n")}

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def is_fresh(self, form: str, stamp: str | None) -> bool:
        """Whether it was compiled in this form, and from sources with that stamp (None: any)."""
        meta = self.meta
        return meta.form == form and stamp in (None, meta.stamp) and meta.rare == rare(meta.rare[::2])

    def rows(self, part: str, first: int, count: int = 1) -> list[Any]:
        """`count` rows of a part of the table, from `first`."""
        found: list[Any] = []
        for content, mark in self.database.execute(
            f"SELECT content, mark FROM {part} WHERE number BETWEEN ? AND ? ORDER BY number",
            (first, first + count - 1),
        ):
            if isinstance(content, _CONTENTS) and checksum(part, first + len(found), content) == mark:
                found.append(content)
        if len(found) != count:
            raise sqlite3.DatabaseError("the card table is damaged")
        return found

    def lines(self, part: str, row: int = 0) -> list[str]:
        """The lines of a row."""
        lines = self._blocks.get((part, row))
        if lines is None:
            lines = self._blocks[part, row] = self.rows(part, row)[0].split("\n")
        return lines

    def load_cards(self) -> None:
        """Read the lines of all cards at once, if most of them will be needed."""
        self._load("cards", range(max(-(-self.count // CARDS_A_ROW), 1)))

    def _load(self, part: str, rows: range) -> None:
        if not all((part, row) in self._blocks for row in rows):
            found = self.rows(part, rows.start, len(rows))
            self._blocks.update(
                ((part, row), lines.split("\n")) for row, lines in zip(rows, found, strict=True)
            )

    def card_line(self, number: int) -> str:
        """The line of a card: see `compile.table_parts`."""
        return self.lines("cards", number // CARDS_A_ROW)[number % CARDS_A_ROW]

    def card_name(self, number: int) -> str:
        """The card's own name."""
        return self.card_line(number).partition("\t")[0]

    def line(self, part: str, key: str) -> str | None:
        """The line of a key, of "keys" or "tails"."""
        # No character of a key sorts before a tab, so the lines are in the order of the keys.
        start = f"{key}\t"
        lines = self.lines(part, bisect_right(self._starts[part], key) - 1)
        at = bisect_left(lines, start)
        return lines[at] if at < len(lines) and lines[at].startswith(start) else None

    def ambiguous(self, key: str) -> str | None:
        """The line of a key that means no card, since it is the name of several cards without their reading."""
        start = f"{key}\t"
        return next((line for line in self.lines("ambiguous") if line.startswith(start)), None)

    def key_line(self, place: int) -> str:
        """The line of the key at an index, in order."""
        return self.lines("keys", place // KEYS_A_ROW)[place % KEYS_A_ROW]

    def beginning(self, start: str) -> Iterator[str]:
        """Yields the lines of the keys that begin with `start`."""
        last, starts = start + _LAST, self._starts["keys"]
        rows = range(bisect_right(starts, start) - 1, bisect_right(starts, last))
        self._load("keys", rows)
        for row in rows:
            lines = self.lines("keys", row)
            yield from filter(None, lines[bisect_left(lines, start) : bisect_left(lines, last)])
