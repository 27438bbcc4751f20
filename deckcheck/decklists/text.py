"""Lists as text: each line becomes one record, and what no reading explains is told.

The order: lines that say themselves what they are, tables with heads, lines of known exports, then rows whose counts
the layout of the whole list places, titles and remarks. The auditor looks at every line last.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from deckcheck.decklists.auditor import doubtful_mark, leftover
from deckcheck.decklists.columns import (
    MOST_CELLS,
    Cell,
    Column,
    Field,
    RecordReader,
    Sheet,
    column_of,
    fields_of,
    is_head,
)
from deckcheck.decklists.count_layouts import Layout, Placed, choose
from deckcheck.decklists.decoding import Source, sources_of
from deckcheck.decklists.header import header_line, misspelt_header, without_label
from deckcheck.decklists.known_exports import PROVEN, Match, match, without_lone_numbers
from deckcheck.decklists.lexer import BULLETS, MOST_COPIES, compiled, shape_of
from deckcheck.decklists.lines import (
    BAD_COUNT,
    BLANK,
    COMMENT,
    COUNT_OR_ORDINAL,
    LIST_OF_CHANGES,
    LONGEST_LINE,
    NAME_AS_TITLE,
    NAME_OR_CARD,
    NAME_OR_HEADING,
    NO_COUNT,
    NO_COUNTS,
    NOT_ONE_LINE,
    NOT_READ,
    TOO_LONG,
    TWO_CARDS,
    TWO_NUMBERS,
    TWO_WAYS,
    TWO_ZONES,
    UNEXPLAINED,
    USUAL,
    Blank,
    CardLine,
    Comment,
    CountLine,
    HeaderLine,
    Heading,
    Item,
    Label,
    Line,
    Numbered,
    Stretch,
    Taken,
    Title,
    Told,
    Total,
    items_of,
    stretch,
    told,
)
from deckcheck.decklists.rows import (
    DIGIT,
    NEAR,
    ONE_SLIP,
    LineReader,
    Name,
    Number,
    Row,
    item_of,
    section_line,
)
from deckcheck.decklists.vocabulary import contains_zone_word, may_be_heading, misspells_zone
from deckcheck.support.messages import Words, _

_URL = r"\W*(?:https?://|www\.)\S+\s*"
_RULE = r"[\s\-=_*~|:+─━—–・.#/]*"
_FIELD = r"\s*(?P<key>NAME|AUTHOR|Name|Title|Description|Comment|Deck Type)[:=](?P<value>.*)|LAYOUT .*|About"
_ABOUT_NAME = r"Name (?P<value>\S.*)"
_SECTION_IN_BRACKETS = r"\[(?P<word>\w[\w ]*)\]"
_FORGE = r"(?im)^\[(?:metadata|main)\][ \t]*$"
_MARKUP = r"\*\*|~~|__|^#+ |^> +|^[0-9]{1,2}[.)] +"
_NUMBER_IN_COMMENT = r"(?:#|//)\s*[x*]?\s*[0-9]{1,2}\s*"
_SPREADSHEET_ERROR = r"#(?:N/A|REF!|NAME\?|VALUE!|DIV/0!|NUM!|NULL!)"
_INLINE_COMMENT = r"<!--.*?-->|/\*.*?\*/"
_COMMENT_MARKS = {"<!--": "-->", "/*": "*/"}
_QUOTING = " '\"*《》「」『』【】"
_SENTENCE = r"[。．！？!?…]|\.$|\. "
_FRAME = "[]【】■□◆◇▼<>=- :：＜＞"
_CLOSING = {"《": "》", "【": "】", "「": "」", "『": "』", "[": "]"}
_REMARK = r"\s*(?:[(（](?P<remark>[^()（）]*)[)）])?\s*"
_PARTS = r"[=:：;]"
_LONG_WORDS = 9
"""Words of so many letters beside a card's name, without a numeral, are no count."""
_LEAST_EXPORTED = 0.5
_MOST_NEAR = 16
"""So many lines of a list are compared with the names of cards; the others count as similar."""
_MOST_HEADS = 60
_NEVER_CLOSED = _("this comment has no end (write “#” before each of its lines)")


def read_text(
    reader: LineReader, text: str, *, rules_are_gaps: bool = True, sheet: Sheet | None = None
) -> list[Numbered]:
    """The numbered lines of a text, or of the rows of a `sheet`.

    `rules_are_gaps`: a rule such as `---` counts as an empty line. It doesn't where a line parts two zones.
    """
    return _TextOfList(reader, text, sheet, rules_are_gaps=rules_are_gaps).read()


class _TextOfList:
    """One list: its lines, as far as they are read."""

    def __init__(self, reader: LineReader, text: str, sheet: Sheet | None, *, rules_are_gaps: bool) -> None:
        self._reader, self._words, self._sheet = reader, reader.words, sheet
        self._sources = sources_of(text)
        self._lines: list[Line | None] = [None] * len(self._sources)
        self._rows: dict[int, Row] = {}
        self._is_forge = compiled(_FORGE).search(text) is not None
        self._rules_are_gaps = rules_are_gaps
        self._has_heads = False
        self._by_cells: set[int] = set()
        """The rows of tables, each cell of which was accounted for."""
        self._compared = 0

    def read(self) -> list[Numbered]:
        """The numbered lines."""
        if self._sheet is None:
            self._take_blocks()
        for index, source in enumerate(self._sources):
            if self._sheet is not None:
                self._lines[index] = self._alone_in_sheet(self._sheet, index, source)
            elif self._lines[index] is None:
                self._lines[index] = self._alone(index, source)
        self._take_tables()
        self._take_rows()
        self._refuse_changes()
        bullets = self._bullets()
        return [
            (source.number, self._audited(index, source, line, bullets))
            for index, (source, line) in enumerate(zip(self._sources, self._lines, strict=True))
        ]

    def _bullets(self) -> frozenset[str]:
        """The signs in front of most cards, which take none of them out."""
        marks = Counter(
            doubtful_mark(source.text, line.stretches)
            for source, line in zip(self._sources, self._lines, strict=True)
            if isinstance(line, CardLine)
        )
        return frozenset(mark for mark, lines in marks.items() if not mark or 2 * lines > marks.total())

    def _audited(self, index: int, source: Source, line: Line | None, bullets: frozenset[str]) -> Line:
        """The line, told if a character of it is unexplained."""
        if line is None:
            return _tell(source, NOT_READ)
        if isinstance(line, Told | Blank) or self._sheet is not None or index in self._by_cells:
            return line
        mark = doubtful_mark(source.text, line.stretches) if isinstance(line, CardLine) else ""
        if mark and mark not in bullets:
            return _tell(source, UNEXPLAINED.filled(part=mark))
        rest = leftover(source.text, line.stretches)
        return line if rest is None else _tell(source, rest.why, rest.start)

    # Lines that say themselves what they are.

    def _take_blocks(self) -> None:
        """Takes comments over several lines, from one that begins with a mark to one that ends with it."""
        first, end = 0, ""
        for index, source in enumerate(self._sources):
            bare = source.text.strip()
            if not end:
                mark = next((mark for mark in _COMMENT_MARKS if bare.startswith(mark)), "")
                end = _COMMENT_MARKS.get(mark, "")
                first = index
                is_closed = bool(end) and end in bare[len(mark) :]
                if is_closed and (not bare.endswith(end) or section_line(self._words, bare) is not None):
                    end = ""
            if end and bare.endswith(end):
                for within in range(first, index + 1):
                    text = self._sources[within].text
                    self._lines[within] = Comment(text.strip(), stretches=stretch(Taken.COMMENT, text))
                end = ""

    def _alone(self, index: int, source: Source) -> Line | None:
        text, bare = source.text, source.text.strip()
        if len(source.raw) > LONGEST_LINE:
            return _tell(source, TOO_LONG, LONGEST_LINE)
        if not bare:
            return BLANK
        if self._is_forge and (section := compiled(_SECTION_IN_BRACKETS).fullmatch(bare)):
            return self._forge_section(index, section["word"], source)
        header = header_line(text)
        if header is not None:
            return HeaderLine(header[0], header[1], None, _column(text), stretch(Taken.HEADER, text))
        if bare.startswith(tuple(_COMMENT_MARKS)) and not compiled(_INLINE_COMMENT).search(bare):
            return _tell(source, _NEVER_CLOSED)
        if bare in _COMMENT_MARKS.values():
            return _tell(source, NOT_READ)
        field = self._field(index, text)
        if field is not None:
            return field
        if compiled(_RULE).fullmatch(text) or compiled(_URL).fullmatch(text):
            is_rule = compiled(_RULE).fullmatch(text) is not None
            return (
                BLANK
                if is_rule and self._rules_are_gaps
                else Comment(bare, stretches=stretch(Taken.REMARK, text))
            )
        is_comment = bare.startswith(("#", "//", "＃", "／／"))
        # In a row of a sheet without heads, other cells are empty.
        variants = (bare, compiled(_MARKUP).sub("", bare), compiled("[,;\t]+").sub(" ", bare).strip())
        different = [bare] if is_comment else list(dict.fromkeys(variants))
        sections = (section_line(self._words, text) for text in different)
        section_of_text = next((section for section in sections if section is not None), None)
        if section_of_text is not None and not is_comment:
            row = self._reader.row(bare)
            if isinstance(section_of_text, Total) and row.has_only_numbers:
                # It may be the count of a card on another line.
                return None
            if row.names and not row.unread:
                # A heading's word may be a card's name.
                is_counted = bool(row.numbers) and not any(number.boxed for number in row.numbers)
                is_label = isinstance(section_of_text, Label) and not row.numbers
                return None if is_counted or is_label else _tell(source, NAME_OR_HEADING)
        if section_of_text is not None:
            return replace(section_of_text, stretches=stretch(Taken.HEAD, text))
        return self._comment(source) if is_comment else None

    def _alone_in_sheet(self, sheet: Sheet, index: int, source: Source) -> Line | None:
        """A line of a sheet that says itself what it is: a comment, a heading or a sum."""
        if index not in sheet.rows:
            # A cell of the row above has several lines.
            return COMMENT
        texts = sheet.filled(index)
        if not texts:
            return BLANK
        if source.raw.lstrip().startswith(("#", "//")):
            header = header_line(source.raw)
            return HeaderLine(header[0], header[1]) if header else Comment(source.raw.strip())
        if index <= sheet.head or len(texts) > 2 or any(map(self._reader.find, texts)):
            return None
        if len(texts) > 1 and not sheet.names(self._words, index):
            return None
        return section_line(self._words, " ".join(texts))

    def _comment(self, source: Source) -> Line:
        """A line with a comment's mark, unless it is a misspelt header or a spreadsheet's error."""
        bare = source.text.strip()
        if compiled(_SPREADSHEET_ERROR).match(bare):
            return _tell(source, NOT_READ)
        wrong = misspelt_header(source.text)
        if wrong is not None:
            why = _("there is no header {word!r}; did you mean {key!r}?", word=wrong[0], key=wrong[1])
            return _tell(source, why)
        return Comment(bare, stretches=stretch(Taken.COMMENT, source.text))

    def _forge_section(self, index: int, word: str, source: Source) -> Line:
        bare = source.text.strip()
        zone = self._words.zones.get(self._words.fold(word))
        everything = stretch(Taken.HEAD, source.text)
        if word.lower() == "metadata":
            return Comment(bare, stretches=everything)
        if zone is None and self._is_last_of_section(index):
            return Comment(bare, stretches=everything)
        column = source.column(source.text.index(word))
        return Heading(word, zone or word, None, zone is not None, column, everything)

    def _is_last_of_section(self, index: int) -> bool:
        """Whether no line of cards follows before the next section."""
        lines_below = (source.text.strip() for source in self._sources[index + 1 :])
        first = next(filter(None, lines_below), "")
        return not first or compiled(_SECTION_IN_BRACKETS).fullmatch(first) is not None

    def _field(self, index: int, text: str) -> Line | None:
        """A line of another program about the deck: its name or nothing that matters here; None for other lines."""
        everything = stretch(Taken.HEADER, text)
        above = self._sources[index - 1].text.strip() if index else ""
        name = compiled(_ABOUT_NAME).fullmatch(text.strip()) if above == "About" else None
        if name is not None:
            return HeaderLine("deck", name["value"], None, text.index(name["value"]) + 1, everything)
        field = compiled(_FIELD).fullmatch(text)
        if field is None or (self._reader.find(text.strip()) and not field["key"]):
            return None
        value = (field["value"] or "").strip()
        if value and field["key"].lower() == "name":
            return HeaderLine("deck", value, None, field.start("value") + 1, everything)
        return Comment(text.strip(), stretches=everything if value else stretch(Taken.HEAD, text))

    # Tables within text.

    def _take_tables(self) -> None:
        if self._sheet is not None:
            self._take_table(self._sheet.head, self._sheet.rows.get)
            self._tell_above_heads(self._sheet)
            return
        for index, source in enumerate(self._sources):
            delimiter = "|" if "|" in source.text else "\t" if "\t" in source.text else ""
            if self._lines[index] is not None:
                continue
            if delimiter:
                self._take_table(index, partial(self._cells_at, delimiter))
            elif index < _MOST_HEADS and self._has_only_heads(source.text.split()):
                columns = [column_of(self._words, cell) for cell in source.text.split()]
                self._lines[index] = self._heads(source, columns)

    def _cells_at(self, delimiter: str, index: int) -> Sequence[Cell]:
        return _cells(self._sources[index], delimiter)

    def _heads(self, source: Source, columns: Sequence[Column]) -> Line:
        """A line of heads, told if none of them is that of the counts."""
        self._has_heads = True
        if not any(column.role in ("count", "=") for column in columns):
            return _tell(source, NO_COUNTS)
        return Comment(source.text.strip(), stretches=stretch(Taken.HEAD, source.text))

    def _has_only_heads(self, cells: Sequence[str]) -> bool:
        words = self._words
        roles = [words.columns.get(words.fold(cell)) for cell in cells]
        known = all(role or words.fold(cell) in words.facts for role, cell in zip(roles, cells, strict=True))
        return len(cells) > 1 and known and "name" in roles

    def _take_table(self, head: int, cells_of: Callable[[int], Sequence[Cell] | None]) -> None:
        """Takes a row of heads and the rows below, up to the next heads."""
        columns = self._columns_of(cells_of(head))
        if not columns:
            return
        self._lines[head] = self._heads(self._sources[head], columns)
        self._by_cells.add(head)
        rows: dict[int, Sequence[Cell]] = {}
        for index in range(head + 1, len(self._lines)):
            cells = cells_of(index)
            if self._sheet is None and self._columns_of(cells):
                break
            if self._lines[index] is None:
                rows[index] = cells or ()
        zoned = [
            nth
            for nth, column in enumerate(columns)
            if column.role == "zone" and any(nth < len(cells) and cells[nth].text for cells in rows.values())
        ]
        for index, cells in rows.items():
            fields = fields_of(columns, cells, self._sources[index].number)
            is_whole = len(cells) == len(columns)
            # A card without a zone among others with one may be anywhere.
            unplaced = next((fields[nth].column.head for nth in zoned if not fields[nth].text), None)
            line = self._row_of_table(index, fields, unplaced and f"{unplaced}?", is_whole=is_whole)
            beyond = next((field for field in fields[len(columns) :] if field.text), None)
            if beyond is not None and line is not None and self._sheet is None:
                why = UNEXPLAINED.filled(part=beyond.text)
                line = told(self._sources[index].raw, why, beyond.place)
            if line is not None:
                self._lines[index] = line
                self._by_cells.add(index)

    def _columns_of(self, cells: Sequence[Cell] | None) -> list[Column]:
        """The columns under a row of heads; none for other rows."""
        texts = [cell.text for cell in cells or ()]
        columns = [column_of(self._words, text) for text in texts]
        # In free text a cell with digits is rather a card with its count.
        may_count = self._sheet is None and any(any(map(str.isdigit, text[:-1])) for text in texts)
        return columns if is_head(columns, texts) and not may_count else []

    def _row_of_table(
        self, index: int, fields: Sequence[Field], within: str | None, *, is_whole: bool
    ) -> Line | None:
        """The line of a row below heads; None if it is rather free text."""
        source = self._sources[index]
        if any(field.text for field in fields[MOST_CELLS:]):
            return _tell(source, NOT_READ)
        names = [field.text for field in fields if field.column.role in ("name", "=") and field.text]
        if self._sheet is None and (not names or not is_whole):
            if self._is_remark(source.text):
                return Comment(source.text.strip(), True, stretches=stretch(Taken.REMARK, source.text))
            if not any(map(self._names_card, names)):
                return None
        return RecordReader(self._reader).read(fields, source.raw, within)

    def _tell_above_heads(self, sheet: Sheet) -> None:
        """Takes a row above the heads of a sheet for the deck's name, unless it has several cells, or a card that it may count."""
        for index in range(sheet.head):
            texts = sheet.filled(index)
            if self._lines[index] is not None or not texts:
                continue
            may_count = self._words.may_say_count(shape_of(texts[0])) and (
                self._names_card(texts[0]) or self._reader.is_near(texts[0])
            )
            is_told = len(texts) > 1 or may_count or self._reader.find(texts[0])
            self._lines[index] = _tell(self._sources[index], NOT_READ) if is_told else Title(texts[0])
            self._by_cells.add(index)

    def _names_card(self, text: str) -> bool:
        return bool(self._row_of(text).names)

    def names_card_in_part(self, text: str) -> bool:
        """Whether a text has a card's name behind a sign that joins a key to its value."""
        return any(self._reader.find(part.strip()) for part in compiled(_PARTS).split(text)[1:])

    def _is_remark(self, text: str) -> bool:
        """Whether words can't change the deck: no number, no card, no word for a zone or against a card."""
        shape = shape_of(text)
        return not (
            self._words.may_say_count(shape)
            or text.strip()[:1] in BULLETS
            or self._words.says_out(shape)
            or contains_zone_word(self._words, shape)
            or self._row_of(text).names
            or self._is_near(text.strip())
        )

    def _is_near(self, text: str, least: int = NEAR) -> bool:
        self._compared += 1
        return self._compared > _MOST_NEAR or self._reader.is_near(text, least)

    # Rows.

    def _row_of(self, text: str) -> Row:
        """The row of a line, with comments within it explained."""
        hidden = list(compiled(_INLINE_COMMENT).finditer(text))
        visible = text
        for comment in hidden:
            visible = visible[: comment.start()] + " " * len(comment[0]) + visible[comment.end() :]
        row = self._reader.row(visible)
        for comment in hidden:
            row.explained.append(Stretch(Taken.COMMENT, *comment.span()))
        if "//" in visible and not row.names and row.unread and self._reader.lexer.drops_slashes:
            # Where names have halves, that of an unknown card has, too.
            whole = self._reader.row(visible.replace("//", "  "))
            is_unknown = not whole.names and len(whole.unread) > 1 and whole.problem is None
            return replace(whole, text=text) if is_unknown else row
        return row

    def _take_rows(self) -> None:
        """Takes all lines that are left: cards by their layout, sums, titles, remarks."""
        exported = self._exported()
        for index, line in enumerate(self._lines):
            if line is None:
                known = exported.get(index)
                self._rows[index] = (
                    known.row if known is not None else self._row_of(self._sources[index].text)
                )
        cards = {index: row for index, row in self._rows.items() if row.names or row.numbers or row.unread}
        if not any(row.names or row.numbers for row in cards.values()):
            layout, rival = Layout("none"), None
        else:
            layout, rival = choose(self._within_cards(cards), has_heads=self._has_heads)
        for number, taken in layout.explained.items():
            number.taken = taken
        _Placer(self, layout, rival).place()

    def _within_cards(self, rows: dict[int, Row]) -> dict[int, Row]:
        """The rows of which the layout consists: text far above or below the cards has its own words and numbers."""
        named = [index for index, row in rows.items() if row.names]
        if not named:
            return rows
        counted = [index for index in named if rows[index].numbers] or named
        first = min(counted[0], named[0] if not any(row.numbers for row in rows.values()) else counted[0])
        return {
            index: row
            for index, row in rows.items()
            if row.names
            or (first - 2 <= index <= named[-1] + 1 and (row.numbers or row.unread))
            or (row.numbers and row.unread)
        }

    def _exported(self) -> dict[int, Match]:
        """The lines in the grammar of a known export, if most lines with a number are in one."""
        open_lines = [index for index, line in enumerate(self._lines) if line is None]
        matches: dict[int, Match] = {}
        for index in open_lines:
            read = match(self._words, self._reader.find, self._sources[index].text)
            if read is not None:
                matches[index] = read
        matches = without_lone_numbers(matches)
        counted = sum(
            compiled(DIGIT).search(shape_of(self._sources[index].text)) is not None for index in open_lines
        )
        if len(matches) < _LEAST_EXPORTED * counted:
            return {}
        labels = {read.label for read in matches.values()}
        for index in open_lines:
            if index not in matches and labels & PROVEN:
                # In a list of one form, a line of that form is a card that the table lacks.
                read = match(
                    self._words, self._reader.find, self._sources[index].text, labels & PROVEN, is_known=False
                )
                is_name = read is not None and not any(map(str.isdigit, read.row.unread_text))
                if read is not None and is_name and not self._names_card(read.row.unread_text):
                    matches[index] = read
        return {index: read for index, read in matches.items() if read.label != "plain"}

    def _refuse_changes(self) -> None:
        """Tells the lines of a list of changes: those with “+” where others have “-”."""
        signs = {
            index: source.text.lstrip()[:1]
            for index, source in enumerate(self._sources)
            if isinstance(self._lines[index], CardLine | Told)
            and self._rows.get(index) is not None
            and self._rows[index].names
        }
        plus = [index for index, sign in signs.items() if sign in ("+", "＋")]
        if not plus:
            return
        minus = [index for index, sign in signs.items() if sign in ("-", "−")]
        for index in (*plus, *minus):
            self._lines[index] = _tell(self._sources[index], LIST_OF_CHANGES)


class _Placer:
    """Makes the lines of rows, once their counts are placed."""

    def __init__(self, text: _TextOfList, layout: Layout, rival: Layout | None) -> None:
        self._text, self._layout, self._rival = text, layout, rival
        self._reader, self._words = text._reader, text._words
        self._lines, self._sources, self._rows = text._lines, text._sources, text._rows
        taken = [index for index, line in enumerate(self._lines) if isinstance(line, CardLine)]
        named = [index for index, row in self._rows.items() if row.names and index in layout.placed]
        counted = [index for index in named if any(item.copies for item in layout.placed[index])]
        self._is_counted = bool(counted or taken)
        certain = counted if self._is_counted else named
        self._first = min([*certain, *taken], default=len(self._lines))
        self._last = max([*named, *taken], default=-1)
        lone = [
            index
            for index in named
            if index >= self._first and any(item.number is None for item in layout.placed[index])
        ]
        counted_lines = len(named) + len(taken) - len(lone)
        self._lacking = set(lone) if self._is_counted and len(lone) <= counted_lines else set()
        self._is_titled = any(
            isinstance(line, Title) or (isinstance(line, HeaderLine) and line.key == "deck")
            for line in self._lines
        )
        counted_words = [
            index
            for index, row in self._rows.items()
            if row.unread and not row.names and any(item.copies for item in layout.placed.get(index, []))
        ]
        self._is_bare = bool(named) and not self._is_counted and len(counted_words) <= len(named)
        """Whether the list has names without counts, unlike which words with one are no card."""
        self._forms = self._form_of_cards()
        self._frame = self._frame_of_cards()
        names = (name for row in self._rows.values() for name in row.names)
        self._named_cards = Counter(card for name in names for card in name.cards)
        self._named_cards.update(
            card
            for index in taken
            for item in items_of(self._lines[index] or BLANK)
            for card in (*item.cards, *item.cards)
        )
        blanks = (
            index
            for index in range(self._last + 1, len(self._lines))
            if not self._sources[index].text.strip()
        )
        self._first_gap = next(blanks, len(self._lines))
        headings = [index for index, line in enumerate(self._lines) if isinstance(line, Heading)]
        self._first_heading = min(headings, default=len(self._lines))

    def place(self) -> None:
        """Makes all lines that are left."""
        for index, row in self._rows.items():
            line = self._line(index, row)
            if isinstance(line, Title):
                self._is_titled = True
            if line is not None:
                self._lines[index] = line
            else:
                self._lines[index] = self._unread(index, row)

    def _unread(self, index: int, row: Row) -> Told:
        """A line that can only be told: why, and where the text is that is in the way."""
        source = self._sources[index]
        numbers = [number for number in row.numbers if number.taken in (None, Taken.COUNT)]
        odd = next((number for number in numbers if not 0 < number.value <= MOST_COPIES), None)
        if row.problem is not None:
            return _tell(source, row.problem, row.problem_start)
        if odd is not None and (row.names or row.unread):
            return _tell(source, BAD_COUNT, odd.start)
        if row.names and row.unread:
            start, end = row.unread[0]
            return _tell(source, UNEXPLAINED.filled(part=source.text[start:end].strip()[:40]), start)
        if row.names and len(numbers) > 1:
            first, second = (source.text[number.start : number.end] for number in numbers[:2])
            return _tell(source, TWO_NUMBERS.filled(first=first, second=second), numbers[0].start)
        if row.names and len(numbers) == 1 and numbers[0].ordinal:
            return _tell(source, COUNT_OR_ORDINAL, numbers[0].start)
        if row.names and not numbers:
            return _tell(source, NO_COUNT, row.names[0].start)
        return _tell(source, NOT_READ, may_head=self._may_head(row))

    def _may_head(self, row: Row) -> bool:
        """Whether a line that isn't read may be the heading of the cards below: it names no card, and has no count like them."""
        shape = row.shape.strip()
        is_left = self._is_counted_left()
        end = shape[:1] if is_left else shape[-1:]
        return not row.names and any(map(str.isalpha, shape)) and not end.isnumeric() and end not in "+x*"

    def _is_counted_left(self) -> bool:
        """Whether most cards have their count in front."""
        return any(form.startswith("left") for form, _lines in self._forms.most_common(1))

    def _line(self, index: int, row: Row) -> Line | None:
        placed = self._layout.placed.get(index, [])
        if index in self._layout.counts_of_others:
            return None if row.zones else CountLine(row.stretches(()))
        if row.problem is not None and (row.names or row.numbers):
            return None
        if row.names and not row.unread and index not in self._layout.unsure:
            return self._cards(index, row, placed)
        if not row.names and not row.unread:
            return self._sum_or_remark(index, row)
        if row.unread and placed and placed[0].copies and index not in self._layout.unsure:
            unknown = self._unknown_card(index, row, placed[0])
            if unknown is not None:
                return unknown
        if self._frame and not row.names and not row.numbers:
            unknown = self._unknown_in_frame(self._sources[index])
            if unknown is not None:
                return unknown
        return self._of_words(index, row)

    def _sum_or_remark(self, index: int, row: Row) -> Line | None:
        source = self._sources[index]
        numbers = [number for number in row.numbers if number.taken is None]
        if not numbers and any(part.taken is not Taken.COMMENT for part in row.explained):
            # What is no more than a set or price beside a card may be a heading here.
            return self._of_words(index, row)
        if not numbers:
            return Comment(source.text.strip(), stretches=row.stretches(()))
        is_marked = any(number.boxed or row.shape[number.start] in "x*" for number in numbers)
        if len(numbers) == 1 and numbers[0].value > USUAL and not is_marked:
            numbers[0].taken = Taken.SUM
            return Total(source.text.strip(), numbers[0].value, None, _column(source.text), row.stretches(()))
        return None

    def _cards(self, index: int, row: Row, placed: Sequence[Placed]) -> Line | None:
        source = self._sources[index]
        if self._rival is not None and self._rival.copies().get(index) != self._layout.copies().get(index):
            return _tell(source, TWO_WAYS, row.names[0].start)
        if not placed:
            return None
        if any(item.name is not None and not item.name.cards for item in placed):
            return _tell(source, UNEXPLAINED.filled(part=source.text.strip()[:40]))
        bare = [item for item in placed if item.number is None]
        is_single = len(placed) == 1 and self._leads(index, row)
        uncounted = self._uncounted(index, row, is_single=is_single) if bare else None
        if uncounted is not None:
            return uncounted
        zones = list(dict.fromkeys(word.zone for word in row.zones))
        names = [item.name for item in placed if item.name is not None]
        spellings = {(name.cards, self._words.fold(row.text[name.start : name.end])) for name in names}
        if len(spellings) > len({name.cards for name in names}):
            # Both halves of one card, each with a number.
            return _tell(source, TWO_CARDS, row.names[0].start)
        is_ahead = bool(row.zones) and max(word.end for word in row.zones) <= min(
            name.start for name in names
        )
        if len(zones) > 1 or (zones and len(placed) > 1 and (not is_ahead or bare)):
            return _tell(source, TWO_ZONES, row.zones[0].start)
        items = []
        for item in placed:
            if item.name is None:
                return None
            copies = 1 if item.copies is None else item.copies
            items.append(self._item(source, item.name.start, item.name.end, item.name, copies, zones))
        counts = [item.number for item in placed if item.number is not None]
        for number in counts:
            is_odd_zero = number.value == 0 and "00" in source.text[number.start : number.end]
            if is_odd_zero or not 0 <= number.value <= MOST_COPIES:
                return _tell(source, BAD_COUNT, number.start)
        if is_ahead and self._may_head_next(index, row):
            return _tell(source, NOT_ONE_LINE, row.zones[0].start)
        if self._may_continue_in_comment(row, is_counted=not bare):
            return _tell(source, TWO_WAYS, row.names[0].start)
        counted = tuple(item for item in items if item.copies)
        stretches = row.stretches(names)
        return CardLine(counted, stretches) if counted else Comment(source.text.strip(), stretches=stretches)

    def _uncounted(self, index: int, row: Row, *, is_single: bool) -> Line | None:
        """What a card without a count is, unless it is one copy: told, or the deck's name; None for one copy."""
        is_lacking, is_above = index in self._lacking, index < self._first
        if self._layout.one_each:
            return _tell(self._sources[index], NO_COUNT, row.names[0].start) if is_lacking else None
        if is_single and not row.may_hide_count:
            return None
        if is_above and not row.may_hide_count and (is_lacking or self._is_counted):
            return self._name_above(index, row)
        if is_lacking or row.may_hide_count:
            return _tell(self._sources[index], NO_COUNT, row.names[0].start)
        return None

    def _may_head_next(self, index: int, row: Row) -> bool:
        """Whether a zone in brackets in front of a card may be the heading of the cards below, too."""
        first, next_row = row.zones[0], self._rows.get(index + 1)
        is_framed = row.text[:1] == "【" and not row.text[: first.start].strip("【")
        return is_framed and next_row is not None and bool(next_row.names) and not next_row.zones

    def _leads(self, index: int, row: Row) -> bool:
        """Whether a card is in a zone of few cards, named on its line or right above, so that it needs no count."""
        zones = [word.zone for word in row.zones]
        above = next((line for line in reversed(self._lines[:index]) if not isinstance(line, Blank)), None)
        zones += [above.zone] if isinstance(above, Heading) else []
        return any(zone in self._words.ends_at_label for zone in zones)

    def _item(
        self,
        source: Source,
        start: int,
        end: int,
        name: Name | None,
        copies: int,
        zones: Sequence[str],
    ) -> Item:
        cards = name.cards if name is not None else ()
        written = source.text[start:end]
        return item_of(self._words, written, cards, copies, source.column(start), next(iter(zones), None))

    def _may_continue_in_comment(self, row: Row, *, is_counted: bool) -> bool:
        """Whether a comment may be part of the list: a number alone is the count, or behind “//” is another card with its own."""
        for part in row.explained:
            comment = row.shape[part.start : part.end]
            if part.taken is not Taken.COMMENT:
                continue
            if not is_counted and compiled(_NUMBER_IN_COMMENT).fullmatch(comment):
                return True
            if comment.startswith("//"):
                other = self._reader.row(row.text[part.start + 2 : part.end])
                if other.names and other.numbers and not other.unread:
                    return True
        return False

    def _name_above(self, index: int, row: Row) -> Line:
        """A card's name without a count above the cards that have one: the deck's name, if nothing else is on the line."""
        source = self._sources[index]
        name = row.text[row.names[0].start : row.names[0].end]
        is_alone = len(row.names) == 1 and row.text.strip(_QUOTING + _FRAME) == name.strip(_QUOTING + _FRAME)
        if is_alone and not self._is_titled and index < self._first_heading and self._may_name_deck(row):
            return Title(
                source.text.strip(),
                NAME_AS_TITLE,
                None,
                _column(source.text),
                stretch(Taken.TITLE, source.text),
            )
        return _tell(source, NAME_OR_CARD, row.names[0].start)

    def _may_name_deck(self, row: Row) -> bool:
        """Whether a card's name may name the deck: another line has the card."""
        return any(self._named_cards[card] > 1 for card in row.names[0].cards)

    def _unknown_card(self, index: int, row: Row, placed: Placed) -> Line | None:
        """A counted card that the table lacks; None if the words may be something else."""
        source, number = self._sources[index], placed.number
        if number is None or number.value > MOST_COPIES or self._is_bare:
            return None
        spans = [*row.unread, *((name.start, name.end) for name in row.names)]
        start, end = min(spans)[0], max(end for _start, end in spans)
        if row.names and (start <= number.start < end or not self._reader.is_longer_name(row, start, end)):
            return None
        written = source.text[start:end].strip(_QUOTING)
        start = source.text.index(written, start) if written else start
        inner = shape_of(written)
        # With digits that stand alone, a count may be among them.
        if not any(map(str.isalpha, written)) or compiled(rf"(?<![^\W\d_]){DIGIT}+(?![^\W\d_])").search(
            inner
        ):
            return None
        if not self._counts_like_cards(row, number.start, number.end) and not self._text._is_near(written):
            return None
        if number.value == 0:
            return None
        item = self._item(
            source, start, start + len(written), None, number.value, [w.zone for w in row.zones][:1]
        )
        if len({word.zone for word in row.zones}) > 1:
            return _tell(source, TWO_ZONES, row.zones[0].start)
        name = Name((), start, start + len(written))
        return CardLine((item,), row.stretches([name]))

    def _frame_of_cards(self) -> str:
        """The bracket in which most lines of a list without counts have their card; "" if there is none."""
        if self._is_counted:
            return ""
        named = [row for row in self._rows.values() if row.names]
        first = Counter(row.text[row.names[0].start - 1 : row.names[0].start] for row in named)
        bracket, lines = first.most_common(1)[0] if named else ("", 0)
        return bracket if bracket in _CLOSING and 2 * lines > len(named) else ""

    def _unknown_in_frame(self, source: Source) -> Line | None:
        """A line in the form of the cards of a list without counts, whose card the table lacks."""
        text = source.text
        start = len(text) - len(text.lstrip()) + 1
        end = text.find(_CLOSING[self._frame], start)
        rest = compiled(_REMARK).fullmatch(text, end + 1)
        written = text[start:end].strip()
        is_name = (
            any(map(str.isalpha, written))
            and leftover(written, (Stretch(Taken.CARD, 0, len(written)),)) is None
        )
        if text[start - 1] != self._frame or end < 0 or rest is None or not is_name:
            return None
        if rest["remark"] and self._reader.problem_in(rest["remark"]) is not None:
            return None
        start = text.index(written, start)
        item = self._item(source, start, start + len(written), None, 1, ())
        stretches = (
            Stretch(Taken.CARD, start, start + len(written)),
            Stretch(Taken.REMARK, end + 1, len(text)),
        )
        return CardLine((item,), stretches)

    def _counts_like_cards(self, row: Row, start: int, end: int) -> bool:
        """Whether a line has its count as most cards of the list have theirs: on the same side, with the same signs."""
        own = _form(row.shape, start, end)
        return not self._forms or 2 * self._forms[own] >= self._forms.total()

    def _stands_like_count(self, row: Row, number: Number) -> bool:
        """Whether a usual count stands apart from all words, which it does in hardly any name of a deck."""
        before, behind = row.shape[: number.start], row.shape[number.end :]
        is_apart = all(not around or around.isspace() for around in (before[-1:], behind[:1]))
        return is_apart and 0 < number.value <= USUAL

    def _form_of_cards(self) -> Counter[str]:
        """How the lines of one card have their counts, with how many do."""
        forms: Counter[str] = Counter()
        for index, row in self._rows.items():
            placed = self._layout.placed.get(index, [])
            if len(row.names) == 1 and placed and placed[0].number is not None:
                forms[_form(row.shape, placed[0].number.start, placed[0].number.end)] += 1
        return forms

    def _of_words(self, index: int, row: Row) -> Line | None:
        """A line of words: the title or text above, a heading, a remark below; None if it is to be told."""
        source = self._sources[index]
        text, bare = source.text, source.text.strip()
        shape = shape_of(bare)
        is_above, is_below = index < self._first, index > self._last
        if is_above and without_label(bare) != bare and not self._is_titled:
            return Title(without_label(bare), None, None, _column(text), stretch(Taken.TITLE, text))
        if row.names and (not is_above or self._has_count_for_name(row)):
            return None
        if not is_above and (self._words.may_say_count(shape) or row.numbers):
            return None
        if row.zones or (self._words.says_out(shape) and not is_above):
            return None
        frame = bare.strip(_FRAME)
        is_framed = may_be_heading(shape)
        everything = stretch(Taken.HEAD, text)
        if misspells_zone(self._words, bare.strip(" 　:：■【】[]")):
            return Heading(bare, frame, None, False, _column(text), everything)
        if contains_zone_word(self._words, shape) and not (is_above and self._is_title(index, row)):
            return None
        if is_above:
            return self._above(index, row, shape, bare)
        if is_below:
            return self._below(index, bare, text)
        if is_framed and self._is_counted:
            return Heading(bare, frame, None, False, _column(text), everything)
        return None

    def _has_count_for_name(self, row: Row) -> bool:
        """Whether a line names a card and has anything beside it that could be its count."""
        words = "".join(row.text[start:end] for start, end in row.unread)
        is_long = sum(map(str.isalpha, words)) >= _LONG_WORDS and not self._words.says_out(row.shape)
        return self._words.may_say_count(row.shape) or bool(row.numbers) or (bool(row.unread) and not is_long)

    def _is_title(self, index: int, row: Row) -> bool:
        return not self._is_titled and index < self._first_heading and not row.names

    def _above(self, index: int, row: Row, shape: str, bare: str) -> Line | None:
        """The deck's name, or other text above the cards; None if it may be a card or a heading."""
        text = self._sources[index].text
        numbers = [number for number in row.numbers if number.taken is not Taken.PRINTING]
        if self._words.may_say_count(shape) and self._text.names_card_in_part(bare):
            return None
        if self._reader.counts_card_in_words(bare):
            return None
        counted = rf"{DIGIT}[ \t]*{self._words.patterns.counter}"
        if compiled(counted).search(shape) and self._words.says_out(shape):
            # So many cards are still missing.
            return None
        if numbers and (
            any(number.marked or self._stands_like_count(row, number) for number in numbers)
            or any(self._counts_like_cards(row, number.start, number.end) for number in numbers)
        ):
            return None
        without_colours = compiled(self._words.in_titles).sub("", shape)
        if not self._is_counted and (self._words.may_say_count(without_colours) or self._text._is_near(bare)):
            return None
        if self._is_counted and self._words.may_say_count(shape):
            # A number of colours, or one that stands otherwise than those of the cards, seldom counts a misspelt one.
            is_doubtful = bool(numbers) or without_colours != shape
            least = ONE_SLIP if is_doubtful else NEAR
            if self._text._is_near(row.unread_text or bare, least):
                return None
        if index > self._first_heading:
            return None
        if may_be_heading(shape) and self._first < self._first_heading < len(self._lines):
            return Heading(bare, bare.strip(_FRAME), None, False, _column(text), stretch(Taken.HEAD, text))
        taken, column = (Taken.REMARK if self._is_titled else Taken.TITLE), _column(text)
        if not self._is_titled and self._text._is_near(bare.strip(_QUOTING + _FRAME + "_"), ONE_SLIP):
            return _tell(self._sources[index], NAME_OR_CARD)
        if self._is_titled:
            return (
                None
                if self._words.may_say_count(shape) and not row.is_glued
                else Comment(bare, True, column, stretch(taken, text))
            )
        title = without_label(bare).strip(_FRAME + "『』「」《》")
        return Title(title or bare, None, None, column, stretch(taken, text))

    def _below(self, index: int, bare: str, text: str) -> Line | None:
        """A remark below the cards, apart from them or a sentence; None if it may be a card."""
        if not self._is_counted or bare[:1] in {*BULLETS, *_CLOSING} or self._text._is_near(bare):
            return None
        if index < self._first_gap and not compiled(_SENTENCE).search(bare):
            return None
        return Comment(bare, True, _column(text), stretch(Taken.REMARK, text))


def _form(shape: str, start: int, end: int) -> str:
    """How a count is written: its side and the signs around it."""
    before, behind = shape[:start], shape[end:]
    left = not before.strip(" \t[(<-*・•●")
    sign = re.sub(r"[0-9]+", "0", shape[start:end])
    if left:
        return f"left {sign}{behind[:1] if not behind[:1].isalnum() else ''}"
    return f"right {before[-1:] if not before[-1:].isalnum() else ''}{sign}"


def _tell(source: Source, why: Words, start: int | None = None, *, may_head: bool = False) -> Told:
    """A line that isn't read, with the place of what can't be (None: of its text)."""
    index = len(source.text) - len(source.text.lstrip()) if start is None else start
    return told(source.raw, why, source.column(index), may_head=may_head)


def _column(text: str) -> int:
    return len(text) - len(text.lstrip()) + 1


def _cells(source: Source, delimiter: str) -> list[Cell]:
    """The cells of a line with this delimiter; none without it."""
    text = source.text
    if delimiter not in text:
        return []
    start, end = 0, len(text)
    if delimiter == "|":
        start = len(text) - len(text.lstrip())
        start += text[start : start + 1] == "|"
        end = len(text.rstrip())
        end -= end > start and text[end - 1] == "|"
    cells = []
    for part in text[start:end].split(delimiter):
        cells.append(Cell(part.strip(), source.column(start + len(part) - len(part.lstrip()))))
        start += len(part) + 1
    return cells
