"""Card databases of YGOPro and EDOPro: SQLite files with a table of numbers and one of names."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from deckcheck.cards.card_file import MOST_CARDS, too_many_cards
from deckcheck.cards.card_file import text as flaw_of_text
from deckcheck.cards.sources import opened as opened_database
from deckcheck.importers.reading import Advance, opened
from deckcheck.importers.records import Omission, SourceCard
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_MOST_BYTES = 512 * 1024 * 1024
_MOST_VALUE = 1024 * 1024
"""The most bytes of a row, and so of memory for a name."""
_PIECE = 1024 * 1024

_TYPES = {"Monster": 0x1, "Spell": 0x2, "Trap": 0x4}
_FRAMES = {
    "Normal": 0x10,
    "Effect": 0x20,
    "Ritual": 0x80,
    "Fusion": 0x40,
    "Synchro": 0x2000,
    "Xyz": 0x800000,
    "Pendulum": 0x1000000,
    "Link": 0x4000000,
}
_EXTRA = frozenset({"Fusion", "Synchro", "Xyz", "Link"})
_TOKEN, _SKILL = 0x4000, 0x8000000
_POOLS = {"ocg": 0x1, "tcg": 0x2}
_PAPER = 0x1 | 0x2
# Cards of anime and video games, illegal, custom and unreleased ones; then those of other games with the same back.
_UNRELEASED = 0x4 | 0x8 | 0x10 | 0x20 | 0x100 | 0x1000
_OTHER = 0x40 | 0x200 | 0x400

_TABLES = "SELECT name, type FROM sqlite_master WHERE name IN ('datas', 'texts') AND rootpage > 0"

# `alias` is the card of which this is another picture, or whose name this one's is always treated as; deck rules
# count both as one. An id with several names gets none: joining equal ids would multiply rows.
_ROWS = """
SELECT datas.id, datas.alias, datas.ot, datas.type, texts.name FROM datas LEFT JOIN (
  SELECT id, CASE WHEN MIN(name) = MAX(name) THEN MIN(name) END AS name FROM texts GROUP BY id
) AS texts ON texts.id = datas.id
ORDER BY CASE WHEN datas.alias = 0 THEN datas.id ELSE datas.alias END, datas.alias != 0, datas.id
"""


def read(path: Path, advance: Advance = lambda _count: None) -> Iterator[SourceCard | Omission]:
    """Yields the cards in a database. Raises UserError if it isn't such a database, or is broken."""
    called: dict[int, str | None] = {}
    for code, alias, scope, type, name in _rows(path, advance):
        whole = all(isinstance(value, int) for value in (code, scope, type)) and isinstance(alias, int | None)
        if not whole:
            yield Omission("flawed")
            continue
        name = name if flaw_of_text(name) is None else None
        called.setdefault(code, name)
        yield _card(code, alias or code, called.get(alias or code) or name, scope, type, name)


def _card(
    code: int, counts_as: int, name: str | None, scope: int, type: int, own: str | None
) -> SourceCard | Omission:
    """The card with the passcode `code` and its `own` name; it counts as `counts_as`, whose name is `name`."""
    if type & _TOKEN:
        return Omission("token")
    if scope & _OTHER or type & _SKILL:
        return Omission("other")
    if not scope & _PAPER or scope & _UNRELEASED:
        return Omission("unreleased")
    kinds = [word for word, bit in _TYPES.items() if type & bit]
    if name is None or not kinds:
        return Omission("flawed")
    frames = [word for word, bit in _FRAMES.items() if type & bit] if "Monster" in kinds else []
    record: dict[str, Any] = {
        "name": name,
        "type": kinds,
        "frame": frames,
        "home": "main" if _EXTRA.isdisjoint(frames) else "extra",
        "tag": [],
        "pool": [word for word, bit in _POOLS.items() if scope & bit],
    }
    aliases = (str(code), *([own] if own not in (None, name) else []))
    return SourceCard(record, str(counts_as), aliases, is_fallback=code != counts_as, code=str(counts_as))


def _rows(path: Path, advance: Advance) -> Iterator[tuple[Any, ...]]:
    try:
        with _file(path, advance) as file, closing(opened_database(file)) as database:
            # The file isn't trusted: names may not be UTF-8, a view could hold any query, and a virtual table, which
            # has no page, would make its module read the file.
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE)
            database.text_factory = lambda data: data.decode("utf-8", "replace")
            kinds = dict(database.execute(_TABLES))
            if kinds != {"datas": "table", "texts": "table"}:
                message = _("not a card database of YGOPro or EDOPro: it lacks the tables datas and texts")
                raise user_error(message, path=str(path))
            for count, row in enumerate(database.execute(_ROWS)):
                if count >= MOST_CARDS:
                    raise too_many_cards(path)
                yield row
    except sqlite3.Error as error:
        message = _("not a readable database, damaged or incomplete: {reason}", reason=str(error))
        raise user_error(message, path=str(path)) from error


@contextmanager
def _file(path: Path, advance: Advance) -> Iterator[Path]:
    """A file that SQLite can open: the database, or a temporary copy of a packed one."""
    with opened(path, advance) as reader:
        if not reader.is_packed:
            advance(path.stat().st_size)
            yield path
            return
        with tempfile.TemporaryDirectory(prefix="deckcheck-") as folder:
            copy = Path(folder) / "cards.cdb"
            with copy.open("wb") as file:
                reader.limit = _MOST_BYTES
                while piece := reader.read(_PIECE):
                    file.write(piece)
            yield copy
