"""What each line of a list is, seen on its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from deckcheck.decklists.columns import MOST_CELLS, is_head, split_row, zone_headed
from deckcheck.decklists.directives import WORD
from deckcheck.decklists.header import header_line, header_meant
from deckcheck.decklists.lexer import DAY, compiled, shape_of, trim
from deckcheck.decklists.line import (
    BAD_COUNT,
    BLANK,
    COMMENT,
    COUNTED_COMMENT,
    LONGEST_LINE,
    MARKED,
    NEGATIVE,
    NO_CARD,
    NO_COUNTS,
    NOT_READ,
    STRUCK_OUT,
    TOO_LONG,
    TOO_MUCH,
    Kind,
    Line,
    invalid,
)
from deckcheck.decklists.parser import SEVERAL, SPAN, Parser, Reading, two_numbers
from deckcheck.decklists.vocabulary import TWO_ZONES, Heading, Vocabulary, heading_of, may_be_heading
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Diagnostic
from deckcheck.model.finding import COMMENTED
from deckcheck.support.messages import Words, _, shortened

_LONGEST_ASKED = 120
Classify = Callable[[str], Line]


class LineReader(NamedTuple):
    """The questions to a line: `classify` it, read it as a table's row (`tabulate`), ask for a card (`parser`).

    `memory` is for who asks the same lines again and again, in another tool's notation.
    """

    classify: Classify
    tabulate: Classify
    words: Vocabulary
    parser: Parser
    near: Callable[[str], list[str]]
    memory: dict[str, Line]


def make_line_reader(words: Vocabulary, catalog: Catalog) -> LineReader:
    """The classification of lines in a game's words with its cards.

    `classify` is a pure function of the line.
    """
    parser = Parser(words, catalog)

    def tabulate(line: str) -> Line:
        shape = shape_of(line)
        start, end = trim(shape, 0, len(shape))
        # A name may hold the very bars.
        names = (token for token in parser.lexer.line_tokens(line) if token.kind == "name")
        barred = (
            (token.start, token.end) for token in names if any("|" in card.name for card in token.cards)
        )
        cells = split_row(line, shape, barred)
        if len(cells) > MOST_CELLS:
            return invalid(line, TOO_MUCH, start + 1)
        return Line(
            "head" if is_head(words, cells) else "table",
            line[start:end],
            column=start + 1,
            cells=cells,
        )

    def classify(line: str) -> Line:
        if len(line) > LONGEST_LINE:
            return invalid(line, TOO_LONG, LONGEST_LINE + 1)
        shape = shape_of(line)
        start, end = trim(shape, 0, len(shape))
        if start == end:
            return BLANK
        bare = shape[start:end]
        heading = heading_of(words, bare)
        if compiled(_STRUCK).match(bare):
            return invalid(line, STRUCK_OUT, start + 1)
        if bare.startswith(("#", "//")):
            header = header_line(line)
            if header is not None:
                return Line("header", header[1], column=start + 1, key=header[0])
            if heading is not None:
                return _section(words, heading, line[start:end], start)
            meant = header_meant(line)
            if meant is None:
                return COMMENT
            return Line("header", line[start:end], column=start + 1, why=_misspelt(*meant))
        if heading is not None and heading.strong:
            return _section(words, heading, line[start:end], start)
        barred = "|" in bare or "\t" in bare
        if heading is not None and barred:
            row = tabulate(line)
            if row.kind == "head" or any(parser.single(cell, shape_of(cell)) for cell in row.cells):
                return row
        parts = parser.known(line, shape, start, end)
        known = parts[0] if len(parts) == 1 and parts[0].trouble is None else None
        exact = known if known is not None and known.exact else None
        if heading is not None:
            return _either(words, heading, exact, line, start, end)
        if exact is not None and not barred:
            return _of_reading(words, exact, bare)
        header = header_line(line)
        if header is not None:
            return Line("header", header[1], column=start + 1, key=header[0])
        if compiled(_FURNITURE).fullmatch(bare):
            return COMMENT
        if barred:
            if not parts and not any(char.isalnum() for char in bare):
                return COMMENT
            if known is None or _has_cells(shape, known, start, end):
                return tabulate(line)
        if known is not None:
            read = _of_reading(words, known, bare)
            return read if known.exact else read._replace(key=line[start:end])
        if len(parts) > 1:
            more = tuple(entry_of(words, part) for part in parts)
            return Line("several", line.strip(), column=start + 1, more=more)
        if parts:
            return invalid(line, parts[0].trouble or NOT_READ, start + 1)._replace(key="known")
        return _unknown(words, parser, line, shape, start, end)

    def near(text: str) -> list[str]:
        return [] if len(text) > _LONGEST_ASKED else catalog.suggest(text)

    return LineReader(classify, tabulate, words, parser, near, {})


def cards_in_comments(reader: LineReader, lines: Sequence[str]) -> Diagnostic | None:
    """A remark at the first comment that holds a card and its count, for all of them; None where none does."""
    found: list[tuple[int, Reading]] = []
    for number, line in enumerate(lines, 1):
        if not compiled(COUNTED_COMMENT).search(line) or len(line) > LONGEST_LINE:
            continue
        if WORD in line or header_line(line) is not None:
            continue
        shape = shape_of(line)
        start, end = trim(shape, 0, len(shape))
        if not shape.startswith(("#", "//"), start):
            tokens = reader.parser.lexer.line_tokens(line)
            start = next((token.start for token in tokens if token.kind == "comment"), end)
        start, end = trim(shape, start, end, "#/ \t")
        for reading in reader.parser.known(line, shape, start, end):
            if reading.cards and reading.trouble is None and (reading.copies or reading.number):
                found.append((number, reading))
    if not found:
        return None
    names = list(dict.fromkeys(reading.written for _number, reading in found))
    message = _("commented out, so not counted: {cards}", cards=shortened(names, _MOST_NAMED))
    number, first = found[0]
    return Diagnostic(COMMENTED, message, number, first.start + 1, None, first.written)


_MOST_NAMED = 4


def _has_cells(shape: str, found: Reading, start: int, end: int) -> bool:
    """Whether bars stand beside what was read; a bar within belongs to the name."""
    rest = shape[start : found.start] + shape[found.start + len(found.written) : end]
    return "|" in rest or "\t" in rest


def section_of(heading: Heading, written: str, start: int) -> Line:
    """A heading as a line that begins a section or states a sum."""
    kind: Kind = "heading" if heading.sort == "zone" else "total" if heading.sort == "total" else "label"
    return Line(kind, written, column=start + 1, zone=heading.zone, total=heading.total)


def _section(words: Vocabulary, heading: Heading, written: str, start: int) -> Line:
    section = section_of(heading, written, start)
    return section._replace(known=section.zone is None or section.zone in words.zone_ids)


def _misspelt(word: str, key: str) -> Words:
    return _("there is no header {word!r}; did you mean {key!r}?", word=word, key=key)


_STRUCK = r"(?:[-*・•][ \t]*)?(?:~~.*~~|<(s|del|strike)>.*</\1>)"

# Addresses, days and times say nothing of the deck.
_TIME = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
_FURNITURE = rf"\W*(?:https?://|www\.)[^ \t]+|(?:{DAY}[ \t]*(?:\([^()0-9]{{1,3}}\))?[ \t]*)?(?:t?{_TIME}z?)?"


def _either(
    words: Vocabulary, heading: Heading, found: Reading | None, line: str, start: int, end: int
) -> Line:
    """A heading's word that may be a card's name as well."""
    section = _section(words, heading, line[start:end], start)
    if found is None:
        return section
    entry = entry_of(words, found)
    if found.copies is not None or line[start] == "《":
        return entry
    if found.number is not None:
        return _of_reading(words, found, line[start:end])
    return section._replace(kind="either", more=(section, entry))


def _of_reading(words: Vocabulary, found: Reading, bare: str) -> Line:
    entry = entry_of(words, found)
    if entry.kind == "invalid" or found.copies is not None:
        return entry
    if found.number is not None:
        return entry._replace(kind="numbered", total=found.number)
    if found.loose or bare.startswith("『"):
        return entry._replace(kind="title?", loose=found.loose, more=(entry._replace(kind="bare"),))
    return entry._replace(kind="bare")


def entry_of(words: Vocabulary, found: Reading) -> Line:
    """A reading as an entry; one copy where no count is given."""
    if found.trouble is not None:
        return Line("invalid", found.written, column=found.start + 1, why=found.trouble)
    if not found.countable:
        why = NEGATIVE if (found.copies or 0) < 0 else BAD_COUNT
        return Line("invalid", found.written, column=found.start + 1, why=why)
    copies = 1 if found.copies is None else found.copies
    # Whichever of several cards it is: when they all live in one zone, that is where it belongs.
    homes = {card.home for card in found.cards}
    home = homes.pop() if len(homes) == 1 else words.default
    return Line(
        "entry",
        found.written,
        found.cards,
        copies,
        copies if found.most is None else found.most,
        found.start + 1,
        found.zone,
        home if home != words.default else None,
        known=found.zone is None or found.zone in words.zone_ids,
    )


_NUMBER = r"([0-9]{1,4})(?:[ \t]*/[ \t]*[0-9]{1,4})?"
_SPAN = r"[0-9]{1,3}[ \t]*[+~～〜-][ \t]*[0-9]{1,3}"
_MINUS = r"-[0-9]+[ \tx*]"


def _unknown(words: Vocabulary, parser: Parser, line: str, shape: str, start: int, end: int) -> Line:
    """A line in which no known card was found."""
    bare, written = shape[start:end], line[start:end]
    if not any(char.isalnum() for char in bare):
        return COMMENT
    number = compiled(_NUMBER).fullmatch(bare)
    if number:
        return Line("total?", written, column=start + 1, total=int(number[1]))
    if compiled(_MINUS).match(bare):
        return Line("invalid", written, column=start + 1, why=NEGATIVE)
    if compiled(rf"{_SPAN}(?:[ \t]*(?:x|{words.patterns.counter})|[ \t])").match(bare):
        return Line("invalid", written, column=start + 1, why=SPAN)
    found = parser.guess(line, shape, start, end)
    if found is None:
        return Line("invalid", written, column=start + 1, why=NOT_READ)
    why = _heads_columns(words, bare)
    if why is not None:
        return Line("invalid", written, column=start + 1, why=why)
    if compiled(_LABELLED).fullmatch(bare):
        return Line("invalid", written, column=start + 1, why=NO_CARD)
    if found.zone is None and _marked(words, bare):
        return Line("invalid", written, column=start + 1, why=MARKED)
    entry = entry_of(words, found)
    if entry.kind == "invalid":
        return entry
    plain = found.copies is not None and found.exact
    if may_be_heading(bare) and not plain:
        section = Line("heading", written, column=start + 1, zone=written, total=found.copies, known=False)
        return section._replace(kind="heading?", more=(section, entry if found.copies else _bare(entry)))
    if bare.startswith("『") and not plain:
        return _bare(entry)._replace(kind="title?", more=(_bare(entry),))
    if found.copies is not None:
        return entry
    if found.number is not None:
        return entry._replace(kind="numbered", total=found.number)
    mark = next((zone for word, zone in words.marks if bare.endswith(word) and zone in words.zone_ids), None)
    return _bare(entry)._replace(written=written, column=start + 1, home=mark, more=(_bare(entry),))


# "label: code", "word(number)": page furniture more often than cards.
_LABELLED = (
    r"[^:0-9][^:]{0,24}:[ \t]*(?=[^ \t]*[a-z/.-]|[0-9]{3})[a-z0-9][a-z0-9/._-]{2,}"
    r"|[^\W0-9]+[ \t]*\([ \t]*[0-9]+[ \t]*\)"
)


def _heads_columns(words: Vocabulary, bare: str) -> Words | None:
    """Why what stands below this line can't be told, where it is nothing but the heads of columns without bars."""
    cells = [cell for cell in compiled(r"[\s/|,;]+").split(bare) if cell]
    if len(cells) < 2:
        return None
    roles = [words.columns.get(words.fold(cell)) for cell in cells]
    zones = [zone_headed(words, cell) for cell in cells]
    if any(role is None and zone is None for role, zone in zip(roles, zones, strict=True)):
        return None
    if "name" in roles:
        return NO_COUNTS if "count" not in roles else None
    return TWO_ZONES if len({*zones} - {None}) > 1 else None


def _marked(words: Vocabulary, bare: str) -> bool:
    """Whether the line begins with a word that names a zone."""
    for word, _zone in words.marks:
        if bare.startswith(word):
            behind = bare[len(word) : len(word) + 1]
            if not (word.isascii() and behind.isascii() and behind.isalnum()):
                return True
    return False


def _bare(entry: Line) -> Line:
    return entry._replace(kind="unknown")


def entry_in(reader: LineReader, cell: str, copies: int | None, column: int) -> Line:
    """The entry that a cell or a scalar holds; `copies` is the count beside it, None for one within."""
    shape = shape_of(cell)
    found = reader.parser.single(cell, shape, counted=copies is not None) or reader.parser.guess(cell, shape)
    if found is None:
        return Line("invalid", cell.strip(), column=column, why=NOT_READ)
    if copies is not None:
        if found.copies not in (None, copies) and found.cards:
            found = found._replace(trouble=two_numbers((copies, found.copies or 0)))
        found = found._replace(copies=copies, most=copies)
    if found.trouble == SEVERAL:
        return Line("invalid", cell.strip(), column=column, why=SEVERAL)
    line = entry_of(reader.words, found)
    return line._replace(column=line.column - 1 + column)
