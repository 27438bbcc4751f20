"""Classifies each line of a list on its own."""

from collections.abc import Collection, Sequence

from deckcheck.decklists.column_heads import MOST_CELLS, is_head, is_known_head, split_row, zone_of_head
from deckcheck.decklists.header import header_line, misspelt_header
from deckcheck.decklists.ignore_comments import WORD
from deckcheck.decklists.lexer import DATE, DAY, DAY_WITHOUT_YEAR, KANJI, compiled, shape_of, trim
from deckcheck.decklists.line import (
    BAD_COUNT,
    BLANK,
    COMMENT,
    COMMENT_MARKS,
    COUNTED_COMMENT,
    KNOWN,
    LONGEST_LINE,
    NEGATIVE,
    NO_CARD,
    NO_COUNTS,
    NOT_READ,
    OPEN_COUNT,
    SPAN,
    STRUCK_OUT,
    TOO_LONG,
    TOO_MANY_ITEMS,
    ZONE_WITHOUT_CARD,
    Kind,
    Line,
    invalid,
    several,
)
from deckcheck.decklists.parser import SEVERAL, Parser, Reading, two_numbers
from deckcheck.decklists.vocabulary import TWO_ZONES, Heading, Vocabulary, heading_of, may_be_heading
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Diagnostic
from deckcheck.model.finding import COMMENTED
from deckcheck.support.messages import Words, _, shortened

_LONGEST_SUGGESTED = 120


class LineReader:
    """Reads single lines of a game's lists; `memory` caches lines for the notations of other tools."""

    def __init__(self, words: Vocabulary, catalog: Catalog) -> None:
        self.words, self._catalog = words, catalog
        self.parser = Parser(words, catalog)
        self.memory: dict[str, Line] = {}

    def tabulate(self, line: str) -> Line:
        """A line as the head or a row of a table."""
        shape = shape_of(line)
        start, end = trim(shape, 0, len(shape))
        # A card name may contain a bar.
        names = (token for token in self.parser.lexer.line_tokens(line) if token.kind == "name")
        barred = (
            (token.start, token.end) for token in names if any("|" in card.name for card in token.cards)
        )
        cells = split_row(line, shape, barred)
        if len(cells) > MOST_CELLS:
            return invalid(line, TOO_MANY_ITEMS, start + 1)
        kind: Kind = "head" if is_head(self.words, cells) else "table"
        return Line(kind, line[start:end], column=start + 1, cells=cells)

    def classify(self, line: str) -> Line:
        """The kind of a line, a pure function of it."""
        if len(line) > LONGEST_LINE:
            return invalid(line, TOO_LONG, LONGEST_LINE + 1)
        shape = shape_of(line)
        start, end = trim(shape, 0, len(shape))
        if start == end:
            return BLANK
        bare = shape[start:end]
        heading = heading_of(self.words, bare)
        if compiled(_STRUCK).match(bare) and any(map(str.isalnum, bare)):
            return invalid(line, STRUCK_OUT, start + 1)
        if bare.startswith(tuple(COMMENT_MARKS)):
            ends = tuple(COMMENT_MARKS.values())
            is_whole = bare.endswith(ends) and sum(map(bare.count, ends)) == 1
            return COMMENT if is_whole else invalid(line, NOT_READ, start + 1)
        if bare.startswith(("#", "//")):
            header = header_line(line)
            if header is not None:
                return Line("header", header[1], column=start + 1, key=header[0])
            if heading is not None:
                return section_of(self.words, heading, line[start:end], start)
            misspelt = misspelt_header(line)
            if misspelt is None:
                return COMMENT
            return Line("header", line[start:end], column=start + 1, why=_unknown_header(*misspelt))
        if heading is not None and heading.strong:
            return section_of(self.words, heading, line[start:end], start)
        barred = ("|" in bare or "\t" in bare) and not compiled(_TALLIED).fullmatch(bare)
        if heading is not None and barred:
            row = self.tabulate(line)
            if row.kind == "head" or any(self.parser.read_single(cell, shape_of(cell)) for cell in row.cells):
                return row
        parts = self.parser.read_known(line, shape, start, end)
        known = parts[0] if len(parts) == 1 and parts[0].problem is None else None
        exact = known if known is not None and known.exact else None
        if heading is not None:
            return _heading_or_card(self.words, heading, exact, line, start, end)
        if exact is not None and not barred:
            return _from_reading(self.words, exact, bare)
        header = header_line(line)
        if header is not None:
            return Line("header", header[1], column=start + 1, key=header[0])
        if compiled(_FURNITURE).fullmatch(bare):
            return COMMENT
        if barred:
            if not parts and not any(char.isalnum() for char in bare):
                return COMMENT
            if known is None or _has_cells(shape, known, start, end):
                return self.tabulate(line)
        if known is not None:
            read = _from_reading(self.words, known, bare)
            return read if known.exact else read._replace(key=line[start:end])
        if len(parts) > 1:
            return several(line, [entry_of(self.words, part) for part in parts])
        if parts:
            return invalid(line, parts[0].problem or NOT_READ, start + 1)._replace(key=KNOWN)
        return self._unknown(line, shape, start, end)

    def suggest(self, text: str) -> list[str]:
        """Card names similar to a text."""
        return [] if len(text) > _LONGEST_SUGGESTED else self._catalog.suggest(text)

    def _unknown(self, line: str, shape: str, start: int, end: int) -> Line:
        """A line without any known card."""
        bare, written = shape[start:end], line[start:end]
        if not any(char.isalnum() for char in bare):
            return COMMENT
        number = compiled(_NUMBER).fullmatch(bare)
        if number:
            return Line("total?", written, column=start + 1, total=int(number[1]))
        if compiled(_MINUS).match(bare):
            return invalid(line, NEGATIVE, start + 1)
        if compiled(rf"{_SPAN}(?:[ \t]*(?:x|{self.words.patterns.counter})|[ \t])").match(bare):
            return invalid(line, SPAN, start + 1)
        if compiled(_DATED).fullmatch(bare) or is_prose(self.words, bare):
            return Line("unknown", written, copies=1, most=1, column=start + 1)
        day = compiled(DAY_WITHOUT_YEAR).match(bare)
        reading = self.parser.guess(line, shape, start + (day.end() if day else 0), end)
        if reading is None:
            return invalid(line, NOT_READ, start + 1)
        why = _column_heads_problem(self.words, bare)
        if why is not None:
            return invalid(line, why, start + 1)
        if compiled(_LABELLED).fullmatch(bare):
            return invalid(line, NO_CARD, start + 1)
        if reading.zone is None and _begins_with_mark(self.words, bare):
            return invalid(line, ZONE_WITHOUT_CARD, start + 1)
        entry = entry_of(self.words, reading)
        if entry.kind == "invalid":
            return entry
        unknown = entry._replace(kind="unknown")
        plain = reading.copies is not None and reading.exact
        if may_be_heading(bare) and not plain:
            section = Line(
                "heading", written, column=start + 1, zone=written, total=reading.copies, known=False
            )
            return section._replace(kind="heading?", more=(section, entry if reading.copies else unknown))
        if bare.startswith("『") and not plain:
            return unknown._replace(kind="title?", more=(unknown,))
        if reading.copies is not None:
            return entry
        if reading.number is not None:
            return entry._replace(kind="numbered", total=reading.number)
        mark = next(
            (zone for word, zone in self.words.marks if bare.endswith(word) and zone in self.words.zone_ids),
            None,
        )
        return unknown._replace(written=written, column=start + 1, home=mark, more=(unknown,))


def cards_in_comments(reader: LineReader, lines: Sequence[str], blocks: Collection[int]) -> Diagnostic | None:
    """One diagnostic, at the first, for all comments that hold a card and its count; None without any.

    The lines with the indexes `blocks` are wholly comments.
    """
    readings: list[tuple[int, Reading]] = []
    for number, line in enumerate(lines, 1):
        is_whole = number - 1 in blocks
        if not (is_whole or compiled(COUNTED_COMMENT).search(line)) or len(line) > LONGEST_LINE:
            continue
        if WORD in line or header_line(line) is not None:
            continue
        shape = shape_of(line)
        start, end = trim(shape, 0, len(shape))
        if not is_whole and not shape.startswith(("#", "//"), start):
            tokens = reader.parser.lexer.line_tokens(line)
            start = next((token.start for token in tokens if token.kind == "comment"), end)
        start, end = trim(shape, start, end, "#/* \t")
        for reading in reader.parser.read_known(line, shape, start, end):
            if reading.cards and reading.problem is None and (reading.copies or reading.number):
                readings.append((number, reading))
    if not readings:
        return None
    names = list(dict.fromkeys(reading.written for _number, reading in readings))
    message = _("commented out, so not counted: {cards}", cards=shortened(names, _MOST_NAMED))
    number, first = readings[0]
    return Diagnostic(COMMENTED, message, number, first.start + 1, None, first.written)


_MOST_NAMED = 4


def _has_cells(shape: str, reading: Reading, start: int, end: int) -> bool:
    """Whether there is a bar outside the reading; a bar within it belongs to the name."""
    rest = shape[start : reading.start] + shape[reading.start + len(reading.written) : end]
    return "|" in rest or "\t" in rest


def section_of(words: Vocabulary, heading: Heading, written: str, start: int) -> Line:
    """The line that a heading makes: one that begins a section or states a sum."""
    kind: Kind = "heading" if heading.sort == "zone" else "total" if heading.sort == "total" else "label"
    known = heading.zone is None or heading.zone in words.zone_ids
    return Line(kind, written, column=start + 1, zone=heading.zone, total=heading.total, known=known)


def _unknown_header(word: str, key: str) -> Words:
    return _("there is no header {word!r}; did you mean {key!r}?", word=word, key=key)


_STRUCK = r"(?:[-*・•][ \t]*)?(?:~~.*~~|<(s|del|strike)>.*</\1>|[❌🚫].*)"

_TALLIED = r"[^|\t]++\|{2,}+"
"""A text and strokes, which may count it."""

# Web addresses, dates and times don't matter to the deck.
_TIME = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
_FURNITURE = rf"\W*(?:https?://|www\.)[^ \t]+|(?:画像|image|img)[ \t]*[0-9]{{0,3}}|(?:{DAY}[ \t]*(?:\([^()0-9]{{1,3}}\))?[ \t]*)?(?:t?{_TIME}z?)?"


def _heading_or_card(
    words: Vocabulary, heading: Heading, reading: Reading | None, line: str, start: int, end: int
) -> Line:
    """A line that is a heading but may also be a card's name."""
    section = section_of(words, heading, line[start:end], start)
    if reading is None:
        return section
    entry = entry_of(words, reading)
    if reading.copies is not None or line[start] == "《":
        return entry
    if reading.number is not None:
        return _from_reading(words, reading, line[start:end])
    return section._replace(kind="either", more=(section, entry))


def _from_reading(words: Vocabulary, reading: Reading, bare: str) -> Line:
    entry = entry_of(words, reading)
    if "?" in bare and reading.copies is not None and entry.kind == "entry":
        open_count = compiled(rf"(?<![0-9])0*{reading.copies}(?:{words.patterns.counter})?[ \t]*\?")
        if open_count.search(bare):
            return entry._replace(kind="invalid", why=OPEN_COUNT)
    if entry.kind == "invalid" or reading.copies is not None:
        return entry
    if reading.number is not None:
        return entry._replace(kind="numbered", total=reading.number)
    if reading.loose or bare.startswith("『"):
        return entry._replace(kind="title?", loose=reading.loose, more=(entry._replace(kind="bare"),))
    return entry._replace(kind="bare")


def entry_of(words: Vocabulary, reading: Reading) -> Line:
    """A reading as an entry, with one copy if it has no count; an invalid line if it has a problem."""
    if reading.problem is not None:
        return Line("invalid", reading.written, column=reading.start + 1, why=reading.problem)
    if not reading.countable:
        why = NEGATIVE if (reading.copies or 0) < 0 else BAD_COUNT
        return Line("invalid", reading.written, column=reading.start + 1, why=why)
    copies = 1 if reading.copies is None else reading.copies
    # An ambiguous name has a home if all its cards share one.
    homes = {card.home for card in reading.cards}
    home = homes.pop() if len(homes) == 1 else words.default
    return Line(
        "entry",
        reading.written,
        reading.cards,
        copies,
        copies if reading.most is None else reading.most,
        reading.start + 1,
        reading.zone,
        home if home != words.default else None,
        known=reading.zone is None or reading.zone in words.zone_ids,
    )


_NUMBER = r"([0-9]{1,4})(?:[ \t]*/[ \t]*[0-9]{1,4})?"
_SPAN = r"[0-9]{1,3}[ \t]*[+~～〜-][ \t]*[0-9]{1,3}"
_DATED = rf"[^0-9]+(?:{DATE})"
_SHORTEST_SENTENCE = 12
COUNTED_TEXT = rf"(?<!\S)[x*]?[ \t]*[0-9]{{1,3}}(?!\S)|[0-9{KANJI}][ \t]*WORD|[x*][ \t]*[0-9]"
"""Matches a number that may be a count; WORD is to be replaced by the counters."""
_MINUS = r"-[0-9]+[ \tx*]"


def is_prose(words: Vocabulary, bare: str) -> bool:
    """Whether a trimmed shape is a Japanese sentence without a number that may be a count."""
    sentence = bare.rstrip(")」』")
    is_ended = sentence[-1:] in ("。", "！", "？", "!", "?", "♪") and not sentence.isascii()
    if not is_ended or len(bare) < _SHORTEST_SENTENCE or bare[0] == "《" or may_be_heading(bare):
        return False
    if sentence[-1] != "。" and any(map(str.isdigit, sentence)):
        return False
    return not compiled(COUNTED_TEXT.replace("WORD", words.patterns.counter)).search(bare)


# "label: code" and "word(number)" are more often text of a web page than cards.
_LABELLED = (
    r"[^:0-9][^:]{0,24}:[ \t]*(?=[^ \t]*[a-z/.-]|[0-9]{3})[a-z0-9][a-z0-9/._-]{2,}"
    r"|[^\W0-9]+[ \t]*\([ \t]*[0-9]+[ \t]*\)"
)


def _column_heads_problem(words: Vocabulary, bare: str) -> Words | None:
    """Why the lines below can't be read, if this one consists of column heads without bars; else None."""
    cells = [cell for cell in compiled(r"[\s/|,;]+").split(bare) if cell]
    if len(cells) < 2 or not all(is_known_head(words, cell) for cell in cells):
        return None
    roles = {words.columns.get(words.fold(cell)) for cell in cells}
    if "name" in roles:
        return NO_COUNTS if "count" not in roles else None
    return TWO_ZONES if len({zone_of_head(words, cell) for cell in cells} - {None}) > 1 else None


def _begins_with_mark(words: Vocabulary, bare: str) -> bool:
    """Whether the line begins with a zone mark."""
    for word, _zone in words.marks:
        if bare.startswith(word):
            following = bare[len(word) : len(word) + 1]
            if not (word.isascii() and following.isascii() and following.isalnum()):
                return True
    return False


def entry_in(reader: LineReader, cell: str, copies: int | None, column: int) -> Line:
    """The entry in a cell or a scalar; `copies` is the count in another cell, or None."""
    shape = shape_of(cell)
    reading = reader.parser.read_single(cell, shape, counted=copies is not None) or reader.parser.guess(
        cell, shape
    )
    if reading is None:
        return invalid(cell, NOT_READ, column)
    if copies is not None:
        if reading.copies not in (None, copies) and reading.cards:
            reading = reading._replace(problem=two_numbers((copies, reading.copies or 0)))
        reading = reading._replace(copies=copies, most=copies)
    if reading.problem == SEVERAL:
        return invalid(cell, SEVERAL, column)
    line = entry_of(reader.words, reading)
    return line._replace(column=line.column - 1 + column)
