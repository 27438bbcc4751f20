"""The card databases of YGOPro and EDOPro: SQLite files with a table of numbers and one of names."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.cardfile import text_flaw
from deckcheck.cards.importers.registry import Item, LeftOut, Stamp
from deckcheck.cards.importers.stream import Advance, unpacked
from deckcheck.cards.sources import connect
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_MOST_BYTES = 512 * 1024 * 1024
_MOST_ROWS = 200_000
_MOST_VALUE = 1024 * 1024
"""Bytes of a row: what one name could take of memory."""
_PIECE = 1024 * 1024

TOKEN, LINK, PENDULUM, XYZ, SYNCHRO, FUSION = 0x4000, 0x4000000, 0x1000000, 0x800000, 0x2000, 0x40
SKILL = 0x8000000
_TYPES = {"Monster": 0x1, "Spell": 0x2, "Trap": 0x4}
_FRAMES = {
    "Normal": 0x10,
    "Effect": 0x20,
    "Ritual": 0x80,
    "Fusion": FUSION,
    "Synchro": SYNCHRO,
    "Xyz": XYZ,
    "Pendulum": PENDULUM,
    "Link": LINK,
    "Token": TOKEN,
}
_EXTRA = FUSION | SYNCHRO | XYZ | LINK

_POOLS = {"ocg": 0x1, "tcg": 0x2}
_PAPER = 0x1 | 0x2
# Cards of anime and video games, illegal and custom ones, those of other games with the same back.
_UNRELEASED = 0x4 | 0x8 | 0x10 | 0x20 | 0x100 | 0x1000
_OTHER = 0x40 | 0x200 | 0x400

# A card that stands there because of another picture points at the one it is; so does one whose name is always
# treated as another's, and the rules of decks count both alike.
_ROWS = """
SELECT datas.id, datas.alias, datas.ot, datas.type, texts.name FROM datas LEFT JOIN texts ON texts.id = datas.id
ORDER BY CASE WHEN datas.alias = 0 THEN datas.id ELSE datas.alias END, datas.alias != 0, datas.id
"""


class Row(NamedTuple):
    """A card with its passcode, and the passcode and name under which it counts."""

    code: int
    counts_as: int
    called: str | None
    scope: int
    type: int
    name: str | None


def read(path: Path, advance: Advance) -> Iterator[Row | LeftOut | Stamp]:
    """What stands in the file. Raises UserError when it is no such database, or a broken one."""
    called: dict[int, str | None] = {}
    for code, alias, scope, type, name in _rows(path, advance):
        if not all(isinstance(value, int) for value in (code, scope, type)) or not isinstance(
            alias, int | None
        ):
            yield LeftOut("flawed")
            continue
        name = name if text_flaw(name) is None else None
        called.setdefault(code, name)
        yield Row(code, alias or code, called.get(alias or code), scope, type, name)


def card_of(row: Row) -> Item | LeftOut | None:
    """The card, or why it is none."""
    if row.type & TOKEN:
        return LeftOut("token")
    if row.scope & _OTHER or row.type & SKILL:
        return LeftOut("other")
    if not row.scope & _PAPER or row.scope & _UNRELEASED:
        return LeftOut("unreleased")
    kinds = [word for word, bit in _TYPES.items() if row.type & bit]
    name = row.called or row.name
    if name is None or not kinds:
        return LeftOut("flawed")
    record: dict[str, Any] = {
        "name": name,
        "type": kinds,
        "frame": [word for word, bit in _FRAMES.items() if row.type & bit and row.type & _TYPES["Monster"]],
        "home": "extra" if row.type & _EXTRA and row.type & _TYPES["Monster"] else "main",
        "tag": [],
        "pool": [word for word, bit in _POOLS.items() if row.scope & bit],
    }
    another = [row.name] if row.name is not None and row.name != name else []
    weak = row.code != row.counts_as
    return Item(record, str(row.counts_as), (str(row.code), *another), weak=weak, code=str(row.counts_as))


def names_by_code(path: Path) -> dict[int, str]:
    """The names under which the cards of a database count, by passcode. Raises UserError as `read` does."""
    rows = (row for row in read(path, lambda _count: None) if isinstance(row, Row))
    return {row.code: name for row in rows if (name := row.called or row.name) is not None}


def _rows(path: Path, advance: Advance) -> Iterator[tuple[Any, ...]]:
    with _file(path, advance) as file:
        try:
            with closing(connect(file)) as database:
                # Somebody else's file: a name that is no UTF-8 is no name, a view could hold any question, and a virtual
                # table, which has no page, would have its module read what is written here.
                database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE)
                database.text_factory = lambda data: data.decode("utf-8", "replace")
                kinds = dict(
                    database.execute(
                        "SELECT name, type FROM sqlite_master WHERE name IN ('datas', 'texts') AND rootpage > 0"
                    )
                )
                if kinds != {"datas": "table", "texts": "table"}:
                    message = _(
                        "not a card database of YGOPro or EDOPro: it lacks the tables datas and texts"
                    )
                    raise user_error(message, path=str(path))
                for count, row in enumerate(database.execute(_ROWS)):
                    if count >= _MOST_ROWS:
                        raise user_error(
                            _("too many cards (at most {most:,})", most=_MOST_ROWS), path=str(path)
                        )
                    yield row
        except sqlite3.Error as error:
            message = _("not a readable database, damaged or incomplete: {reason}", reason=str(error))
            raise user_error(message, path=str(path)) from error


@contextmanager
def _file(path: Path, advance: Advance) -> Iterator[Path]:
    """The database as SQLite can open it: where it was packed, or is only told by its name, a copy."""
    with unpacked(path, advance) as reader:
        if not reader.packed:
            advance(path.stat().st_size)
            yield path
            return
        with tempfile.TemporaryDirectory(prefix="deckcheck-") as folder:
            copy = Path(folder) / "cards.cdb"
            with copy.open("wb") as file:
                reader.allow(_MOST_BYTES)
                while piece := reader.read(_PIECE):
                    file.write(piece)
            yield copy
