"""YGOPro and EDOPro: card databases (SQLite files with a table of numbers and one of names), and lflist.conf.

The latter has consecutive lists, each with a name, and the number of copies allowed of cards.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from deckcheck.cards.card_file import MOST_CARDS, too_many_cards
from deckcheck.cards.catalog import open_file
from deckcheck.importers.source_files import (
    LEGAL_IN,
    Advance,
    SourceCard,
    SourceEntry,
    SourceKind,
    StatedList,
    day_in,
    month_in,
)
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_text
from deckcheck.support.messages import Words, _

_MOST_VALUE = 1024 * 1024
"""The most bytes of a row, and so of memory for a name."""

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
# Cards of anime and video games, illegal, custom and unreleased ones, and those of other games with the same back.
_NOT_IN_DECKS = 0x4 | 0x8 | 0x10 | 0x20 | 0x100 | 0x1000 | 0x40 | 0x200 | 0x400

_TABLES = "SELECT name, type FROM sqlite_master WHERE name IN ('datas', 'texts') AND rootpage > 0"

# `alias` is the card of which this is another picture, or whose name this one's is always treated as; deck rules
# count both as one. An id with several names gets none: joining equal ids would multiply rows.
_ROWS = """
SELECT datas.id AS id, datas.alias AS alias, datas.ot AS ot, datas.type AS type, texts.name AS name FROM datas LEFT JOIN (
  SELECT id, CASE WHEN MIN(name) = MAX(name) THEN MIN(name) END AS name FROM texts GROUP BY id
) AS texts ON texts.id = datas.id
ORDER BY CASE WHEN datas.alias = 0 THEN datas.id ELSE datas.alias END, datas.alias != 0, datas.id
"""


def read(path: Path, advance: Advance = lambda _count: None) -> Iterator[SourceEntry]:
    """Yields the cards in a database. Raises UserError if it isn't such a database, or is broken."""
    called: dict[int, str | None] = {}
    for row in _rows(path, advance):
        code, scope, type = row["id"], row["ot"], row["type"]
        are_numbers = all(isinstance(value, int) for value in (code, scope, type))
        if not are_numbers or not isinstance(row["alias"], int | None):
            yield "flawed"
            continue
        name = row["name"] if isinstance(row["name"], str) else None
        called.setdefault(code, name)
        counts_as = row["alias"] or code
        yield _card(code, counts_as, called.get(counts_as) or name, scope, type, name)


def _card(code: int, counts_as: int, name: str | None, scope: int, type: int, own: str | None) -> SourceEntry:
    """The card with the passcode `code` and its `own` name; it counts as `counts_as`, whose name is `name`."""
    if type & (_TOKEN | _SKILL) or not scope & _PAPER or scope & _NOT_IN_DECKS:
        return "unplayable"
    kinds = [word for word, bit in _TYPES.items() if type & bit]
    if name is None or not kinds:
        return "flawed"
    frames = [word for word, bit in _FRAMES.items() if type & bit] if "Monster" in kinds else []
    record: dict[str, Any] = {
        "name": name,
        "type": kinds,
        "frame": frames,
        "home": "main" if _EXTRA.isdisjoint(frames) else "extra",
        "tag": [],
        LEGAL_IN: [word for word, bit in _POOLS.items() if scope & bit],
    }
    aliases = (str(code), *([own] if own not in (None, name) else []))
    return SourceCard(record, str(counts_as), aliases, is_fallback=code != counts_as, code=str(counts_as))


YGOPRO = SourceKind(
    "EDOPro/YGOPro (.cdb)", "yugioh", begins=re.compile(rb"SQLite format 3\0"), read_cards=read
)


def _rows(path: Path, advance: Advance) -> Iterator[sqlite3.Row]:
    try:
        with closing(open_file(path)) as database:
            # The file isn't trusted: names may not be UTF-8, a view could hold any query, and a virtual table, which
            # has no page, would make its module read the file.
            database.row_factory = sqlite3.Row
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE)
            database.text_factory = lambda data: data.decode("utf-8", "replace")
            kinds = {row["name"]: row["type"] for row in database.execute(_TABLES)}
            if kinds != {"datas": "table", "texts": "table"}:
                message = _("not a card database of YGOPro or EDOPro: it lacks the tables datas and texts")
                raise user_error(message, path=str(path))
            for count, row in enumerate(database.execute(_ROWS)):
                if count >= MOST_CARDS:
                    raise too_many_cards(path)
                yield row
            advance(path.stat().st_size)
    except sqlite3.Error as error:
        message = _("not a readable database, damaged or incomplete: {reason}", reason=str(error))
        raise user_error(message, path=str(path)) from error


# Lists

_MOST_LIST_BYTES = 8 * 1024 * 1024
_MOST_PROBLEMS = 20
_LINE = re.compile(r"(\d{1,10})\s+(-?\d{1,3})\s*(?:(?:--|#|//).*)?")
_STATUSES = {0: "forbidden", 1: "limited", 2: "semi-limited"}
_FREE = 3
_WHITELIST = "$whitelist"
_COMMENTS = ("#", "--", "//")
_DATE = re.compile(r"\d{2,4}(?:[-./]\d{1,2}){1,2}")
_IDS = {"tcg": "advanced"}
"""The ids of formats that have another name here."""


def banlists(path: Path) -> list[StatedList]:
    """The lists in a file of lists. Raises UserError with the lines that can't be read."""
    text = read_text(path, most=_MOST_LIST_BYTES)
    lists: list[StatedList] = []
    statuses: dict[str, str] = {}
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith(_COMMENTS):
            continue
        message: Words | None = None
        if bare.startswith("!"):
            statuses = {}
            lists.append(_named(bare[1:].strip(), statuses))
        elif not lists:
            message = _("comes before the name of a list (a line that begins with !)")
        elif bare == _WHITELIST:
            lists[-1] = replace(lists[-1], others=_STATUSES[0])
        elif bare.startswith("$"):
            refused = _("it decides in another way which cards may be played")
            lists[-1] = replace(lists[-1], refused=refused)
        elif lists[-1].refused is None:
            message = _add_status(bare, statuses)
        if message is not None:
            problems.append(Problem(message, str(path), number, 1, line[:200]))
        if len(problems) == _MOST_PROBLEMS:
            break
    if problems:
        raise UserError(problems)
    if not lists:
        raise user_error(_("contains no list (a line that begins with !)"), path=str(path))
    return [stated if stated.others else _restricted(stated) for stated in lists]


def _restricted(stated: StatedList) -> StatedList:
    """The list without its free cards, which say nothing if all unlisted cards are free."""
    listed = {code: status for code, status in stated.statuses.items() if status != FREE_STATUS}
    return replace(stated, statuses=listed)


def _named(name: str, statuses: Mapping[str, str]) -> StatedList:
    plain = " ".join(_DATE.sub(" ", name).split())
    # "2024.12.9 TCG" becomes "tcg"; empty if no letter or digit is left.
    slug = re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-")
    day = day_in(name)
    date = day or month_in(name)
    month_only = date != day
    return StatedList(_IDS.get(slug, slug), plain or name, date, statuses, month_only=month_only)


def _add_status(bare: str, statuses: dict[str, str]) -> Words | None:
    """Add the status on a line to `statuses`; returns what is wrong with the line, if anything."""
    entry = _LINE.fullmatch(bare)
    if entry is None:
        return _("not a line with a passcode and a number of copies")
    code, copies = str(int(entry[1])), int(entry[2])
    if copies not in (*_STATUSES, _FREE):
        return _("the number of copies must be 0 to {most}: {copies}", most=_FREE, copies=copies)
    status = _STATUSES.get(copies, FREE_STATUS)
    if statuses.get(code, status) != status:
        return _("{code} is also listed with another number of copies", code=code)
    statuses[code] = status
    return None


LFLIST = SourceKind(
    "lflist.conf",
    "yugioh",
    begins=re.compile(rb"(?ms).*?^![^\r\n]*\S"),
    read_lists=lambda path, _entries: banlists(path),
)
