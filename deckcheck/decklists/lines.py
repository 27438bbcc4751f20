"""What each line of a list is, seen on its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from deckcheck.cards import Card, Catalogue
from deckcheck.decklists.header import header_line
from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.reading import Reader, Reading, make_reading
from deckcheck.decklists.several import several
from deckcheck.decklists.shapes import MOST_COPIES, shape_of, trim
from deckcheck.decklists.tables import Cell, cells_of, head_of
from deckcheck.decklists.vocabulary import Heading, Vocabulary, heading_of, may_be_heading
from deckcheck.text import Text

MOST_LINES = 5000
LONGEST_LINE = 2000

Kind = Literal[
    "entry",
    "several",
    "heading",
    "label",
    "total",
    "header",
    "title",
    "comment",
    "blank",
    "invalid",
    # What only the lines around can settle (see settle.py):
    "bare",
    "unknown",
    "either",
    "numbered",
    "heading?",
    "title?",
    "total?",
    "table",
    "head",
]


class Seen(NamedTuple):
    """One line, classified.

    For an entry the card's side is filled in: `zone` is one named on the line
    itself, `home` the card's home where that isn't the zone in which cards
    stand unless told otherwise. For a heading `zone` is a zone id or the
    heading as written, `known` tells which. `more` holds the entries of a line
    with several, or what else the line could be. `total` is a sum that it
    states, or the number of a numbered line.
    """

    kind: Kind
    written: str = ""
    cards: tuple[Card, ...] = ()
    copies: int = 0
    most: int = 0
    column: int = 1
    zone: str | None = None
    home: str | None = None
    total: int | None = None
    known: bool = True
    key: str = ""
    why: Text | None = None
    more: tuple[Seen, ...] = ()
    cells: tuple[Cell, ...] = ()
    loose: bool = False


Classify = Callable[[str], Seen]
BLANK = Seen("blank")
COMMENT = Seen("comment")

NOT_READ = Text("読み取れない行です", "this line can't be read")
TOO_LONG = Text(
    f"行が長すぎます（{LONGEST_LINE}文字まで）", f"the line is too long (at most {LONGEST_LINE} characters)"
)
BAD_COUNT = Text(f"枚数は1から{MOST_COPIES}までです", f"a count is a number from 1 to {MOST_COPIES}")
TOO_MUCH = Text("1行に多すぎる項目があります", "too many items on one line")


def invalid(line: str, why: Text, column: int = 1) -> Seen:
    """A line that is shown as it is, for it can't be used."""
    return Seen("invalid", line.strip()[:LONGEST_LINE], column=column, why=why)


class Lines(NamedTuple):
    """The questions to a line: `classify` it, read it as a table's row (`tabulate`), ask for a card (`reader`)."""

    classify: Classify
    tabulate: Classify
    words: Vocabulary
    reader: Reader


def make_lines(words: Vocabulary, catalogue: Catalogue) -> Lines:
    """The classification of lines in a game's words with its cards.

    `classify` is a pure function of the line.
    """
    reader = make_reading(words, catalogue)

    def tabulate(line: str) -> Seen:
        shape = shape_of(line)
        start, end = trim(shape, 0, len(shape))
        head = head_of(words, shape)
        if head:
            return Seen("head", line.strip(), column=start + 1, cells=head)
        cells = cells_of(words, reader, line, shape)
        if cells is None:
            return invalid(line, TOO_MUCH, start + 1)
        return Seen("table", line[start:end], column=start + 1, cells=cells)

    def classify(line: str) -> Seen:
        if len(line) > LONGEST_LINE:
            return invalid(line, TOO_LONG, LONGEST_LINE + 1)
        shape = shape_of(line)
        start, end = trim(shape, 0, len(shape))
        if start == end:
            return BLANK
        bare = shape[start:end]
        heading = heading_of(words, bare)
        if bare.startswith(("#", "//")):
            header = header_line(line)
            if header is not None:
                return Seen("header", header[1], key=header[0])
            return section_of(heading, line[start:end], start) if heading else COMMENT
        if heading is not None and heading.strong:
            return section_of(heading, line[start:end], start)
        found = reader.exactly(line, shape, start, end)
        if heading is not None:
            return _either(words, heading, found, line, start, end)
        if found is not None:
            return _of_reading(words, found, bare)
        return _unclear(line, shape, start, end)

    def _unclear(line: str, shape: str, start: int, end: int) -> Seen:
        bare = shape[start:end]
        header = header_line(line)
        if header is not None:
            return Seen("header", header[1], key=header[0])
        if "|" in bare or "\t" in bare:
            known = reader.known(line, shape, start, end)
            if known is None and not any(char.isalnum() for char in bare):
                return COMMENT
            if known is None or _has_cells(shape, known, start, end):
                return tabulate(line)
            return _of_reading(words, known, bare)
        asked: dict[tuple[int, int], Reading | None] = {}
        parts = several(words, reader, line, shape, start, end, asked, strictly=True)
        if parts:
            return _of_parts(words, parts, line, start)
        known = reader.known(line, shape, start, end)
        if known is not None:
            return _of_reading(words, known, bare)._replace(key=line[start:end])
        parts = several(words, reader, line, shape, start, end, asked, strictly=False)
        if parts:
            return _of_parts(words, parts, line, start)
        return _unknown(words, reader, line, shape, start, end)

    return Lines(classify, tabulate, words, reader)


def _has_cells(shape: str, found: Reading, start: int, end: int) -> bool:
    """Whether bars stand beside what was read; a bar within belongs to the name."""
    rest = shape[start : found.start] + shape[found.start + len(found.written) : end]
    return "|" in rest or "\t" in rest


def section_of(heading: Heading, written: str, start: int) -> Seen:
    """A heading as a line that begins a section or states a sum."""
    kind: Kind = "heading" if heading.sort == "zone" else "total" if heading.sort == "total" else "label"
    return Seen(kind, written, column=start + 1, zone=heading.zone, total=heading.total)


def _either(
    words: Vocabulary, heading: Heading, found: Reading | None, line: str, start: int, end: int
) -> Seen:
    """A heading's word that may be a card's name as well."""
    section = section_of(heading, line[start:end], start)
    if found is None:
        return section
    entry = entry_of(words, found)
    if found.copies is not None or line[start] == "《":
        return entry
    if found.number is not None:
        return _of_reading(words, found, line[start:end])
    return section._replace(kind="either", more=(section, entry))


def _of_reading(words: Vocabulary, found: Reading, bare: str) -> Seen:
    entry = entry_of(words, found)
    if entry.kind == "invalid" or found.copies is not None:
        return entry
    if found.number is not None:
        return entry._replace(kind="numbered", total=found.number)
    if found.loose or bare.startswith("『"):
        return entry._replace(kind="title?", loose=found.loose, more=(entry._replace(kind="bare"),))
    return entry._replace(kind="bare")


def entry_of(words: Vocabulary, found: Reading) -> Seen:
    """A reading as an entry; one copy where no count is given."""
    if not found.countable:
        return Seen("invalid", found.written, column=found.start + 1, why=BAD_COUNT)
    copies = 1 if found.copies is None else found.copies
    # Whichever of several cards it is: when they all live in one zone, that is where it belongs.
    homes = {card.home for card in found.cards}
    home = homes.pop() if len(homes) == 1 else words.default
    return Seen(
        "entry",
        found.written,
        found.cards,
        copies,
        copies if found.most is None else found.most,
        found.start + 1,
        found.zone,
        home if home != words.default else None,
    )


def _of_parts(words: Vocabulary, parts: list[Reading], line: str, start: int) -> Seen:
    more = tuple(entry_of(words, part) for part in parts)
    return Seen("several", line.strip(), column=start + 1, more=more)


_NUMBER = r"[0-9]{1,4}"
_MINUS = r"-[0-9]+[ \tx*]"


def _unknown(words: Vocabulary, reader: Reader, line: str, shape: str, start: int, end: int) -> Seen:
    """A line in which no known card was found."""
    bare, written = shape[start:end], line[start:end]
    if not any(char.isalnum() for char in bare):
        return COMMENT
    if compiled(_NUMBER).fullmatch(bare):
        return Seen("total?", written, column=start + 1, total=int(bare))
    if compiled(_MINUS).match(bare):
        return Seen("invalid", written, column=start + 1, why=BAD_COUNT)
    found = reader.guess(line, shape, start, end)
    if found is None:
        return Seen("invalid", written, column=start + 1, why=NOT_READ)
    entry = entry_of(words, found)
    if entry.kind == "invalid":
        return entry
    plain = found.copies is not None and found.rank == 0
    if may_be_heading(bare) and not plain:
        section = Seen("heading", written, column=start + 1, zone=written, total=found.copies, known=False)
        return section._replace(kind="heading?", more=(section, entry if found.copies else _bare(entry)))
    if bare.startswith("『") and not plain:
        return _bare(entry)._replace(kind="title?", more=(_bare(entry),))
    if found.copies is not None:
        return entry
    if found.number is not None:
        return entry._replace(kind="numbered", total=found.number)
    mark = next((zone for word, zone in words.marks if bare.endswith(word)), None)
    return _bare(entry)._replace(written=written, column=start + 1, home=mark, more=(_bare(entry),))


def _bare(entry: Seen) -> Seen:
    return entry._replace(kind="unknown")


def entry_in(lines: Lines, cell: str, copies: int | None, column: int) -> Seen:
    """The entry that a cell or a scalar holds; `copies` is the count beside it, None for one within."""
    shape = shape_of(cell)
    reader, span = lines.reader, (cell, shape, 0, len(shape))
    if copies is not None:
        found = reader.named(*span) or reader.guess(*span)
        found = found and found._replace(copies=copies, most=copies)
    else:
        found = reader.exactly(*span) or reader.known(*span) or reader.guess(*span)
    if found is None:
        return Seen("invalid", cell.strip(), column=column, why=NOT_READ)
    seen = entry_of(lines.words, found)
    return seen._replace(column=seen.column - 1 + column)


def in_zone(words: Vocabulary, seen: Seen, said: str) -> Seen:
    """An entry in the zone that a cell beside it names; as it was where the cell is empty."""
    said = said.strip()
    if seen.kind != "entry" or not said:
        return seen
    zone = words.zones.get(words.fold(said))
    return seen._replace(zone=zone or said, known=zone is not None)
