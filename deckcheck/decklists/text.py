"""Lists as text: each line becomes one record, and what no reading explains is told.

The order: lines that say themselves what they are, tables with heads, lines of known exports, then rows whose counts
the layout of the whole list places. Every line is accounted for last.
"""

from bisect import bisect

from msgspec.structs import replace

from deckcheck.decklists.cards_and_titles import PlacedRows
from deckcheck.decklists.count_layouts import Layout, choose
from deckcheck.decklists.decoding import Source, compiled, has_other_line_ends, shape_of, sources_of
from deckcheck.decklists.header_directives_comments import header_line, misspelt_header, no_header
from deckcheck.decklists.known_exports import PROVEN, Match, match, without_lone_numbers
from deckcheck.decklists.line_reader import DIGIT, INLINE_COMMENT, Likeness, LineReader, Row, section_line
from deckcheck.decklists.lines import (
    BLANK,
    LONGEST_LINE,
    Blank,
    CardLine,
    Comment,
    HeaderLine,
    Heading,
    Label,
    Line,
    Numbered,
    Taken,
    Told,
    Total,
    Why,
    stretch,
    told_line,
)
from deckcheck.decklists.tables import Cells, Tables
from deckcheck.decklists.unexplained import Leftover, leftover, odd_marks
from deckcheck.decklists.vocabulary import (
    misspelt_zone,
    names_several_zones,
    says_none,
    zones_in_tags,
    zones_spoken_of,
)
from deckcheck.support.messages import _

_URL = r"\W*(?:https?://|www\.)\S+\s*"
_RULE = r"[\s\-=_*~|:+─━—–・.#/]*"
_FIELD = r"\s*(?P<key>NAME|AUTHOR|Name|Title|Description|Comment|Deck Type)[:=](?P<value>.*)|LAYOUT .*|About"
_ABOUT_NAME = r"Name (?P<value>\S.*)"
_SECTION_IN_BRACKETS = r"\[(?P<word>\w[\w ]*)\]"
_FORGE = r"(?im)^\[(?:metadata|main)\][ \t]*$"
_STRIKING = r"(?i)(?<!~)~~(?!~)|</?(?:s|del|strike)\b[^>]*>|\[/?(?:s|del|strike)\]"
_STRUCK_HEADING = r"(?i)(?<!~)~~[^\s~].*(?<=[^\s~])~~(?!~)|[\u0335-\u0338]|<(?:s|del|strike)\b[^>]*>.*</"
_MARKUP = r"\*\*|~~|__|^#+ |^> +|^[0-9]{1,2}[.)] +"
_SPREADSHEET_ERROR = r"#(?:N/A|REF!|NAME\?|VALUE!|DIV/0!|NUM!|NULL!)"
_COMMENT_MARKS = {"<!--": "-->", "/*": "*/"}
_BEFORE_COMMENTS = ("#", "//", "＃", "／／", *_COMMENT_MARKS)
_AROUND_COMMENT = "#＃/／*<>!- \t"
_LEAST_EXPORTED = 0.5
_MOST_OF_HEADING = 2
"""The cells of a heading in a sheet, perhaps with its sum."""
_COMMENT_OR_HEADING = _("this is a comment or a heading (write the zone alone, or move the comment)")
_OTHER_LINE_END = _(
    "an invisible character in this line ends it in other programs (press Enter there instead)"
)
_NEVER_CLOSED = _("this comment has no end (write “#” before each of its lines)")


def read_text(
    reader: LineReader, text: str, *, rules_are_gaps: bool = True, sheet: Cells | None = None
) -> list[Numbered]:
    """The numbered lines of a text.

    `rules_are_gaps`: a rule such as `---` counts as an empty line. It doesn't where a line parts two zones.
    `sheet` are the cells of a CSV or TSV text.
    """
    return _TextOfList(reader, text, rules_are_gaps=rules_are_gaps, sheet=sheet).read()


class _TextOfList:
    """One list: its lines, as far as they are read."""

    def __init__(self, reader: LineReader, text: str, *, rules_are_gaps: bool, sheet: Cells | None) -> None:
        self._reader, self._words = reader, reader.words
        self._sources = sources_of(text)
        self._lines: list[Line | None] = [None] * len(self._sources)
        self._is_forge = compiled(_FORGE).search(text) is not None
        self._rules_are_gaps, self._sheet = rules_are_gaps, sheet
        self._likeness = Likeness(reader)

    def read(self) -> list[Numbered]:
        """The numbered lines."""
        self._take_blocks()
        self._tell_struck_lines()
        for index, source in enumerate(self._sources):
            if self._lines[index] is None:
                self._lines[index] = self._alone(index, source)
        self._tell_comments_that_may_head()
        self._tell_struck_headings()
        self._take_empty_zones()
        tables = Tables(self._reader, self._sources, self._lines, self._sheet)
        by_cells = tables.read()
        for index, line in by_cells.items():
            self._lines[index] = line
        self._take_rows(has_heads=tables.has_heads)
        cards = {
            index: line.stretches for index, line in enumerate(self._lines) if isinstance(line, CardLine)
        }
        odd = odd_marks({index: self._sources[index].text for index in cards}, cards)
        return [
            (source.number, by_cells.get(index) or self._audited(source, self._lines[index], odd.get(index)))
            for index, source in enumerate(self._sources)
        ]

    def _audited(self, source: Source, line: Line | None, odd: Leftover | None) -> Line:
        """The line, told if a mark or a character of it is unexplained. Of the rows of tables, each cell was accounted for."""
        if line is None:
            return told_line(source, Why.NOT_READ)
        if isinstance(line, Told | Blank):
            return line
        rest = odd or leftover(source.text, line.stretches)
        return line if rest is None else told_line(source, rest.why, rest.start)

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
                if is_closed:
                    end = ""
            if end and bare.endswith(end):
                for within in range(first, index + 1):
                    text = self._sources[within].text
                    self._lines[within] = Comment(text.strip(), stretches=stretch(Taken.COMMENT, text))
                end = ""

    def _tell_struck_lines(self) -> None:
        """Tells the lines that are struck out together, by marks on lines of which the first opens what the second closes."""
        marked = [
            index
            for index, source in enumerate(self._sources)
            if len(compiled(_STRIKING).findall(source.text)) % 2
        ]
        for first, last in zip(marked[::2], marked[1::2], strict=False):
            for index in range(first, last + 1):
                if self._sources[index].text.strip():
                    self._lines[index] = told_line(self._sources[index], Why.STRUCK_OUT)

    def _tell_struck_headings(self) -> None:
        """Tells the headings that are struck out, unless all are, as in an export."""
        sections = [
            index for index, line in enumerate(self._lines) if isinstance(line, Heading | Label | Total)
        ]
        struck = [index for index in sections if compiled(_STRUCK_HEADING).search(self._sources[index].text)]
        if len(sections) > len(struck) or len(struck) == 1:
            for index in struck:
                self._lines[index] = told_line(self._sources[index], Why.STRUCK_OUT, may_head=True)

    def _take_empty_zones(self) -> None:
        """Takes the words below a heading that say that its zone has no cards."""
        above = 0
        for index, source in enumerate(self._sources):
            heading = self._lines[above]
            if isinstance(heading, Heading) and says_none(self._words, shape_of(source.text)):
                self._lines[above] = replace(heading, total=0)
                self._lines[index] = Comment(source.text.strip(), stretches=stretch(Taken.HEAD, source.text))
            above = index if source.text.strip() else above

    def _alone(self, index: int, source: Source) -> Line | None:
        text, bare = source.text, source.text.strip()
        if len(source.raw) > LONGEST_LINE:
            return told_line(source, Why.TOO_LONG, LONGEST_LINE)
        zones = zones_in_tags(self._words, source.raw) if "<" in source.raw else ()
        zone = next((zone for zone in zones if not self._reader.find(zone)), None)
        if zone is not None:
            return told_line(source, Why.UNEXPLAINED.filled(part=zone), may_head=True)
        if not bare:
            return BLANK
        if has_other_line_ends(source.raw.strip()) and not self._holds_only_cards(source):
            return told_line(source, _OTHER_LINE_END)
        if self._is_forge and (forge := compiled(_SECTION_IN_BRACKETS).fullmatch(bare)):
            return self._forge_section(index, forge["word"], source)
        header = header_line(text)
        if header is not None:
            return replace(
                header,
                column=source.column(len(text) - len(text.lstrip())),
                stretches=stretch(Taken.HEADER, text),
            )
        is_comment = compiled(INLINE_COMMENT).fullmatch(bare) is not None
        if is_comment and section_line(self._words, bare) is None:
            return self._comment(source)
        if bare.startswith(tuple(_COMMENT_MARKS)) and not compiled(INLINE_COMMENT).search(bare):
            return told_line(source, _NEVER_CLOSED)
        if bare in _COMMENT_MARKS.values():
            return told_line(source, Why.NOT_READ)
        field = self._field(index, text)
        if field is not None:
            return field
        is_rule = compiled(_RULE).fullmatch(text) is not None
        if is_rule and self._rules_are_gaps:
            return BLANK
        if is_rule or compiled(_URL).fullmatch(text):
            return Comment(bare, stretches=stretch(Taken.REMARK, text))
        if bare.startswith(("#", "//", "＃", "／／")):
            section = section_line(self._words, bare)
            return (
                self._comment(source)
                if section is None
                else replace(section, stretches=stretch(Taken.HEAD, text))
            )
        cells = () if self._sheet is None else self._sheet.get(index, ())
        return self._section(source) if sum(bool(cell.text) for cell in cells) <= _MOST_OF_HEADING else None

    def _holds_only_cards(self, source: Source) -> bool:
        """Whether there is nothing but counted cards between the borders of the cells of a line."""
        rows = [self._reader.row(cell) for cell in source.text.split("\t") if cell.strip()]
        return all(row.names and row.numbers and not (row.unread or row.explained) for row in rows)

    def _section(self, source: Source) -> Line | None:
        """A line as a heading, label or sum, told if it may also be a card; None for other lines."""
        text, bare = source.text, source.text.strip()
        # In a row of a sheet without heads, other cells are empty.
        variants = dict.fromkeys(
            (bare, compiled(_MARKUP).sub("", bare), compiled("[,;\t]+").sub(" ", bare).strip())
        )
        sections = (section_line(self._words, variant) for variant in variants)
        section = next((section for section in sections if section is not None), None)
        if section is None and names_several_zones(self._words, shape_of(bare)):
            section = Heading(bare, bare, None, False, source.column(text.index(bare)))
        if section is None:
            return None
        row = self._reader.row(bare)
        if isinstance(section, Total) and row.has_only_numbers:
            # It may be the count of a card on another line.
            return None
        if row.names and not row.unread:
            # A heading's word may be a card's name.
            is_counted = bool(row.numbers) and not any(number.boxed for number in row.numbers)
            is_label = isinstance(section, Label) and not row.numbers
            return None if is_counted or is_label else told_line(source, Why.NAME_OR_HEADING)
        return replace(section, stretches=stretch(Taken.HEAD, text))

    def _comment(self, source: Source) -> Line:
        """A line with a comment's mark, unless it is a misspelt header or a spreadsheet's error."""
        bare = source.text.strip()
        if compiled(_SPREADSHEET_ERROR).match(bare):
            return told_line(source, Why.NOT_READ)
        wrong = misspelt_header(source.text)
        if wrong is not None:
            return told_line(source, no_header(*wrong))
        return Comment(bare, stretches=stretch(Taken.COMMENT, source.text))

    def _tell_comments_that_may_head(self) -> None:
        """Tells the comments between cards that may be the heading of those below."""
        doubtful = []
        zone, is_below_gap = self._words.default, False
        for index, line in enumerate(self._lines):
            bare = self._sources[index].text.strip()
            if isinstance(line, Comment) and bare.startswith(_BEFORE_COMMENTS):
                if self._speaks_of_other_cards(bare, zone, is_below_gap=is_below_gap):
                    doubtful.append(index)
                continue
            is_below_gap = isinstance(line, Blank)
            zone = line.zone if isinstance(line, Heading) else zone
        if not doubtful:
            return
        cards = [
            index
            for index, line in enumerate(self._lines)
            if line is None and self._reader.row(self._sources[index].text).names
        ]
        others = [
            index for index, line in enumerate(self._lines) if not isinstance(line, Comment | Blank | None)
        ]
        for index in doubtful:
            place = bisect(cards, index)
            if 0 < place < len(cards) and bisect(others, index) == bisect(others, cards[place]):
                source = self._sources[index]
                self._lines[index] = told_line(source, _COMMENT_OR_HEADING, may_head=True)

    def _speaks_of_other_cards(self, comment: str, zone: str, *, is_below_gap: bool) -> bool:
        """Whether a comment below cards of a zone speaks of another zone, or of cards that aren't in the deck."""
        words, text = self._words, compiled("《[^《》]*》").sub("", comment)
        row = self._reader.row(text.strip(_AROUND_COMMENT))
        if row.names and row.numbers:
            # In a card that is commented out, only what stands in front of it may speak of others.
            text = row.text[: row.names[0].start]
        shape = shape_of(text)
        if zones_spoken_of(words, shape) - {zone} - words.ends_at_label:
            return True
        says_out = words.says_out(shape) if is_below_gap else words.comment_says_out(shape)
        return says_out or misspelt_zone(words, shape) is not None

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

    # Rows.

    def _take_rows(self, *, has_heads: bool) -> None:
        """Takes all lines that are left: cards by their layout, sums, titles, remarks."""
        exported = self._exported()
        rows = {
            index: exported.get(index) or self._reader.row(self._sources[index].text)
            for index, line in enumerate(self._lines)
            if line is None
        }
        cards = {index: row for index, row in rows.items() if row.names or row.numbers or row.unread}
        layout, rival = Layout(), None
        if any(row.names or row.numbers for row in cards.values()):
            written = self._words.written_numbers
            layout, rival = choose(cards, written, has_heads=has_heads)
        for number, taken in layout.explained.items():
            number.taken = taken
        PlacedRows(self._reader, self._sources, self._lines, rows, layout, rival, self._likeness).place()

    def _exported(self) -> dict[int, Row]:
        """The lines in the grammar of a known export, if most lines with a number are in one."""
        open_lines = [index for index, line in enumerate(self._lines) if line is None]
        matches: dict[int, Match] = {}
        for index in open_lines:
            read = match(self._reader, self._sources[index].text)
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
                read = match(self._reader, self._sources[index].text, labels & PROVEN, is_known=False)
                is_name = read is not None and not any(map(str.isdigit, read.row.unread_text))
                if read is not None and is_name and not self._reader.row(read.row.unread_text).names:
                    matches[index] = read
        return {index: read.row for index, read in matches.items() if read.label != "plain"}
