"""Cards, sums, titles and remarks: what each row of a list is, once the layout says which numbers are counts."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from deckcheck.decklists.count_layouts import Layout, Placed
from deckcheck.decklists.decoding import BULLETS, KANJI, Source, compiled, shape_of
from deckcheck.decklists.header_directives_comments import without_label
from deckcheck.decklists.lexer import Name, Number
from deckcheck.decklists.line_reader import DIGIT, NEAR, ONE_SLIP, Likeness, LineReader, Row, item_of
from deckcheck.decklists.lines import (
    BLANK,
    MOST_COPIES,
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
    Stretch,
    Taken,
    Title,
    Told,
    Total,
    Why,
    items_of,
    stretch,
    told_line,
)
from deckcheck.decklists.unexplained import leftover
from deckcheck.decklists.vocabulary import any_of, contains_zone_word, may_be_heading, misspelt_zone

_QUOTING = " '\"*《》「」『』【】"
_FULL_STOP = r"[。．！？!?…]"
_SENTENCE = rf"{_FULL_STOP}|\.$|\. "
_FRAME = "[]【】■□◆◇▼<>=- :：＜＞"
_CLOSING = {"《": "》", "【": "】", "「": "」", "『": "』", "[": "]"}
_REMARK = r"\s*(?:[(（](?P<remark>[^()（）]*)[)）])?\s*"
_PARTS = r"[=:：;]"
"""Matches a sign that joins a key to its value."""
_LONG_WORDS = 9
"""Words of so many letters beside a card's name, without a numeral, are no count."""


class PlacedRows:
    """The rows of a list that aren't lines yet, with the `layout` of their counts and its `rival`, if there is one.

    `lines` are those that are known, which have None for these rows.
    """

    def __init__(
        self,
        reader: LineReader,
        sources: Sequence[Source],
        lines: list[Line | None],
        rows: Mapping[int, Row],
        layout: Layout,
        rival: Layout | None,
        likeness: Likeness,
    ) -> None:
        self._reader, self._words, self._likeness = reader, reader.words, likeness
        self._sources, self._lines, self._rows = sources, lines, rows
        self._layout, self._rival = layout, rival
        taken = [index for index, line in enumerate(self._lines) if isinstance(line, CardLine)]
        named = [index for index, row in self._rows.items() if row.names and index in layout.placed]
        counted = [index for index in named if any(item.copies for item in layout.placed[index])]
        self._is_counted = bool(counted or taken)
        certain = counted if self._is_counted else named
        self._first = min([*certain, *taken], default=len(self._lines))
        self._last = max([*named, *taken], default=-1)
        headings = [index for index, line in enumerate(self._lines) if isinstance(line, Heading)]
        self._first_heading = min(headings, default=len(self._lines))
        lone = [
            index
            for index in named
            if index >= min(self._first, self._first_heading)
            and any(item.number is None for item in layout.placed[index])
        ]
        counted_lines = len(named) + len(taken) - len(lone)
        self._lacking = set(lone) if self._is_counted and len(lone) <= counted_lines else set()
        self._is_titled = any(
            isinstance(line, Title) or (isinstance(line, HeaderLine) and line.key == "deck")
            for line in self._lines
        )
        self._has_remark = False
        """Whether there was text above, which is no name of the deck."""
        self._is_bare = bool(named) and not self._is_counted
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

    def place(self) -> None:
        """Makes all lines that are left."""
        for index, row in self._rows.items():
            line = self._line(index, row)
            self._is_titled = self._is_titled or isinstance(line, Title)
            self._has_remark = self._has_remark or (isinstance(line, Comment) and line.remark)
            if line is not None:
                self._lines[index] = line
            else:
                self._lines[index] = self._unread(index, row)

    def _unread(self, index: int, row: Row) -> Told:
        """A line that can only be told: why, and where the text is that is in the way."""
        source = self._sources[index]
        numbers = [number for number in row.numbers if number.taken in (None, Taken.COUNT)]
        odd = next((number for number in numbers if not 0 < number.value <= MOST_COPIES), None)
        if row.problem is not None and not self._may_head(row):
            return told_line(source, row.problem, row.problem_start)
        if odd is not None and (row.names or (row.unread and len(numbers) == 1)):
            return told_line(source, Why.BAD_COUNT, odd.start)
        if row.names and row.unread:
            start, end = row.unread[0]
            return told_line(source, Why.UNEXPLAINED.filled(part=source.text[start:end].strip()[:40]), start)
        if row.names and len(numbers) > 1:
            first, second = (source.text[number.start : number.end] for number in numbers[:2])
            if first == second:
                return told_line(source, Why.UNEXPLAINED.filled(part=second), numbers[1].start)
            return told_line(source, Why.TWO_NUMBERS.filled(first=first, second=second), numbers[0].start)
        if row.names and len(numbers) == 1 and numbers[0].ordinal:
            return told_line(source, Why.COUNT_OR_ORDINAL, numbers[0].start)
        if row.names and not numbers:
            return told_line(source, Why.NO_COUNT, row.names[0].start)
        return told_line(source, Why.NOT_READ, may_head=self._may_head(row))

    def _may_head(self, row: Row) -> bool:
        """Whether a line that isn't read may be the heading of the cards below: it names no card, and has no count like them."""
        shape = row.shape.strip()
        is_left = any(form.startswith("left") for form, _lines in self._forms.most_common(1))
        end = shape[:1] if is_left else shape[-1:]
        return not row.names and any(map(str.isalpha, shape)) and not end.isnumeric() and end not in "+x*"

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

    # Cards.

    def _cards(self, index: int, row: Row, placed: Sequence[Placed]) -> Line | None:
        source = self._sources[index]
        if self._rival is not None and self._rival.copies().get(index) != self._layout.copies().get(index):
            return told_line(source, Why.TWO_WAYS, row.names[0].start)
        if not placed:
            return None
        heading = self._heading_like_card(index, row, placed[0].number) if len(placed) == 1 else None
        if heading is not None:
            return heading
        if any(item.name is not None and not item.name.cards for item in placed):
            return told_line(source, Why.UNEXPLAINED.filled(part=source.text.strip()[:40]))
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
            return told_line(source, Why.TWO_CARDS, row.names[0].start)
        is_ahead = bool(row.zones) and max(word.end for word in row.zones) <= min(
            name.start for name in names
        )
        if len(zones) > 1 or (zones and len(placed) > 1 and (not is_ahead or bare)):
            return told_line(source, Why.TWO_ZONES, row.zones[0].start)
        items = []
        for item in placed:
            if item.name is None:
                return None
            copies = 1 if item.copies is None else item.copies
            items.append(self._item(source, item.name, copies, zones))
        counts = [item.number for item in placed if item.number is not None]
        for number in counts:
            is_odd_zero = number.value == 0 and "00" in source.text[number.start : number.end]
            if is_odd_zero or not 0 <= number.value <= MOST_COPIES:
                return told_line(source, Why.BAD_COUNT, number.start)
        if is_ahead and len(placed) == 1 and self._may_head_next(index, row):
            return told_line(source, Why.NOT_ONE_LINE, row.zones[0].start)
        if self._may_continue_in_comment(row):
            return told_line(source, Why.TWO_WAYS, row.names[0].start)
        counted = tuple(item for item in items if item.copies)
        stretches = row.stretches(names)
        return CardLine(counted, stretches) if counted else Comment(source.text.strip(), stretches=stretches)

    def _heading_like_card(self, index: int, row: Row, number: Number | None) -> Line | None:
        """A part of a card with a number behind it above cards whose counts stand otherwise; None for other cards.

        It is a label if that is their sum; else it is told, as is a whole card with the sum of several.
        """
        if number is None or number.marked or number.start < row.names[0].start:
            return None
        source, copies = self._sources[index], list[int]()
        for nth in range(index + 1, len(self._sources)):
            placed = self._layout.placed.get(nth, ())
            first = placed[0].number if placed and placed[0].name is not None else None
            is_behind = first is not None and first.start > self._rows[nth].names[0].start
            if first is None or (is_behind and not first.marked and first.boxed == number.boxed):
                break
            copies += [item.copies or 0 for item in placed]
        is_sum, is_part = number.value == sum(copies), self._is_part(row)
        if copies and is_part and is_sum:
            label, everything = source.text.strip(), stretch(Taken.HEAD, source.text)
            return Label(label, number.value, None, _column(source.text), everything)
        may_head = bool(copies) and (is_part or (is_sum and len(copies) > 1))
        return told_line(source, Why.NAME_OR_HEADING, may_head=True) if may_head else None

    def _is_part(self, row: Row) -> bool:
        """Whether a row names no card, but a face or half of one."""
        name = row.names[0]
        written = self._words.fold(row.text[name.start : name.end])
        parts = (part for card in name.cards for part in (*card.faces, *card.parts))
        return any(written == self._words.fold(part.name) for part in parts)

    def _uncounted(self, index: int, row: Row, *, is_single: bool) -> Line | None:
        """What a card without a count is, unless it is one copy: told, or the deck's name; None for one copy."""
        is_lacking, is_above = index in self._lacking, index < min(self._first, self._first_heading)
        if self._layout.one_each:
            return told_line(self._sources[index], Why.NO_COUNT, row.names[0].start) if is_lacking else None
        if is_single and not row.may_hide_count:
            return None
        if is_above and not row.may_hide_count and (is_lacking or self._is_counted):
            return self._name_above(index, row)
        if is_lacking or row.may_hide_count:
            may_head = self._is_part(row) or row.text.rstrip().endswith((":", "："))
            return told_line(self._sources[index], Why.NO_COUNT, row.names[0].start, may_head=may_head)
        return None

    def _name_above(self, index: int, row: Row) -> Line:
        """A card's name without a count above the cards that have one: the deck's name, if nothing else is on the line."""
        source = self._sources[index]
        name = row.text[row.names[0].start : row.names[0].end]
        is_alone = len(row.names) == 1 and row.text.strip(_QUOTING + _FRAME) == name.strip(_QUOTING + _FRAME)
        is_on_another_line = any(self._named_cards[card] > 1 for card in row.names[0].cards)
        may_be_title = not self._is_titled and index < self._first_heading
        if is_alone and may_be_title and is_on_another_line:
            title, column = source.text.strip(), _column(source.text)
            return Title(title, Why.NAME_AS_TITLE, column, stretch(Taken.TITLE, source.text))
        return told_line(source, Why.NAME_OR_CARD, row.names[0].start)

    def _may_head_next(self, index: int, row: Row) -> bool:
        """Whether a zone in front of a card, unless it is a mark of single cards, may be that of the cards below, too."""
        word = row.zones[0]
        following = next(
            (nth for nth in range(index + 1, self._last + 1) if self._sources[nth].text.strip()), -1
        )
        next_row = self._rows.get(following)
        if next_row is None or not next_row.names or next_row.zones:
            return False
        if row.text[:1] == "【" and not row.text[: word.start].strip("【"):
            return True
        written = "".join(filter(str.isalnum, row.shape[word.start : word.end]))
        is_mark = written in ("".join(filter(str.isalnum, mark)) for mark in self._words.marks)
        is_at_home = all(card.home == word.zone for card in row.cards)
        resumes = any(nth < index and other.names and not other.zones for nth, other in self._rows.items())
        return resumes and not (is_mark or is_at_home or word.zone == self._words.default)

    def _leads(self, index: int, row: Row) -> bool:
        """Whether a card is in a zone of few cards, named on its line or right above, so that it needs no count."""
        zones = [word.zone for word in row.zones]
        above = next((line for line in reversed(self._lines[:index]) if not isinstance(line, Blank)), None)
        zones += [above.zone] if isinstance(above, Heading) else []
        return any(zone in self._words.ends_at_label for zone in zones)

    def _item(self, source: Source, name: Name, copies: int, zones: Sequence[str]) -> Item:
        written, column = source.text[name.start : name.end], source.column(name.start)
        return item_of(self._words, written, name.cards, copies, column, next(iter(zones), None))

    def _may_continue_in_comment(self, row: Row) -> bool:
        """Whether a comment may be part of the list: behind “//” is another card with its count."""
        for part in row.explained:
            comment = row.shape[part.start : part.end]
            if part.taken is Taken.COMMENT and comment.startswith("//"):
                other = self._reader.row(row.text[part.start + 2 : part.end])
                if other.names and other.numbers and not other.unread:
                    return True
        return False

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
        if not self._counts_like_cards(row, number.start, number.end) and not self._likeness.is_near(written):
            return None
        if number.value == 0:
            return None
        zones = list(dict.fromkeys(word.zone for word in row.zones))
        if len(zones) > 1:
            return told_line(source, Why.TWO_ZONES, row.zones[0].start)
        name = Name((), start, start + len(written))
        return CardLine((self._item(source, name, number.value, zones),), row.stretches([name]))

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
        name = Name((), start, start + len(written))
        stretches = (Stretch(Taken.CARD, start, name.end), Stretch(Taken.REMARK, end + 1, len(text)))
        return CardLine((self._item(source, name, 1, ()),), stretches)

    def _counts_like_cards(self, row: Row, start: int, end: int) -> bool:
        """Whether a line has its count as most cards of the list have theirs: on the same side, with the same signs."""
        own = _form(row.shape, start, end)
        return not self._forms or 2 * self._forms[own] >= self._forms.total()

    def _form_of_cards(self) -> Counter[str]:
        """How the lines of one card have their counts, with how many do."""
        forms: Counter[str] = Counter()
        for index, row in self._rows.items():
            placed = self._layout.placed.get(index, [])
            if len(row.names) == 1 and placed and placed[0].number is not None:
                forms[_form(row.shape, placed[0].number.start, placed[0].number.end)] += 1
        return forms

    # Words.

    def _of_words(self, index: int, row: Row) -> Line | None:
        """A line of words: the title or text above, a heading, a remark below; None if it is to be told."""
        source = self._sources[index]
        text, bare = source.text, source.text.strip()
        shape = shape_of(bare)
        is_above, is_below = index < self._first, index > self._last
        if is_above and without_label(bare) != bare and not self._is_titled:
            return Title(without_label(bare), None, _column(text), stretch(Taken.TITLE, text))
        if row.names and (not is_above or not row.unread or self._has_count_for_name(row)):
            return None
        if not is_above and (self._words.may_say_count(shape) or row.numbers):
            return None
        if row.zones or (self._says_change(shape) if is_above else self._words.says_out(shape)):
            return None
        frame = bare.strip(_FRAME)
        is_framed = may_be_heading(shape)
        everything = stretch(Taken.HEAD, text)
        if misspelt_zone(self._words, bare) is not None:
            return Heading(bare, frame, None, False, _column(text), everything)
        may_be_title = not self._is_titled and index < self._first_heading and not row.names
        if contains_zone_word(self._words, shape) and not (is_above and may_be_title):
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

    def _above(self, index: int, row: Row, shape: str, bare: str) -> Line | None:
        """The deck's name, or other text above the cards; None if it may be a card or a heading."""
        text = self._sources[index].text
        numbers = [number for number in row.numbers if number.taken is not Taken.PRINTING]
        values = compiled(_PARTS).split(bare)[1:]
        if self._words.may_say_count(shape) and any(self._reader.find(value.strip()) for value in values):
            return None
        if self._reader.counts_card_in_words(bare):
            return None
        counted = rf"{DIGIT}[ \t]*{self._words.counter}"
        if compiled(counted).search(shape) and self._words.says_out(shape):
            # So many cards are still missing.
            return None
        if any(number.marked or self._stands_like_count(row, number) for number in numbers) or any(
            self._counts_like_cards(row, number.start, number.end) for number in numbers
        ):
            return None
        without_colours = compiled(any_of(self._words.around.in_titles)).sub("", shape)
        if not self._is_counted and (
            self._words.may_say_count(without_colours) or self._likeness.is_near(bare)
        ):
            return None
        if self._is_counted and self._words.may_say_count(shape):
            # A number of colours seldom counts a misspelt card.
            least = NEAR if without_colours == shape else ONE_SLIP
            if self._likeness.is_near(row.unread_text or bare, least):
                return None
        if index > self._first_heading:
            return None
        if self._may_head_first_cards(index):
            return told_line(self._sources[index], Why.TITLE_OR_HEADING, may_head=True)
        if may_be_heading(shape) and self._first < self._first_heading < len(self._lines):
            return Heading(bare, bare.strip(_FRAME), None, False, _column(text), stretch(Taken.HEAD, text))
        is_of_list = compiled(any_of(self._words.around.of_list)).search(shape) is not None
        if is_of_list and self._words.says_out(shape):
            return None
        is_below_remark = self._has_remark and may_be_heading(shape)
        # Hardly any name of a deck is a sentence that says what isn't so.
        is_denial = self._words.says_out(shape) and self._is_sentence(shape)
        if self._is_titled or is_below_remark or is_of_list or is_denial:
            is_remark = row.is_glued or not self._words.may_say_count(shape)
            return Comment(bare, True, _column(text), stretch(Taken.REMARK, text)) if is_remark else None
        if self._likeness.is_near(bare.strip(_QUOTING + _FRAME + "_"), ONE_SLIP):
            return told_line(self._sources[index], Why.NAME_OR_CARD)
        title = without_label(bare).strip(_FRAME + "『』「」《》")
        title = title if title and _has_whole_brackets(title) else bare
        return Title(title, None, _column(text), stretch(Taken.TITLE, text))

    def _may_head_first_cards(self, index: int) -> bool:
        """Whether a line is right above the first cards, and the first heading is that of the default zone, below them."""
        heading = self._lines[self._first_heading] if self._first_heading < len(self._lines) else None
        is_default = isinstance(heading, Heading) and heading.zone == self._words.default
        between = self._sources[index + 1 : self._first]
        return (
            is_default
            and self._first < self._first_heading
            and not any(source.text.strip() for source in between)
        )

    def _says_change(self, shape: str) -> bool:
        """Whether a text is a sentence of counts or zones where the deck's name may stand."""
        counted = rf"[{KANJI}0-9][ \t]*{self._words.counter}|{any_of(self._words.around.numerals)}"
        says = compiled(counted).search(shape) or contains_zone_word(self._words, shape)
        return bool(says) and not self._is_titled and self._is_sentence(shape)

    def _is_sentence(self, shape: str) -> bool:
        return compiled(rf"[a-z]\.$|{self._words.sentence_end}").search(shape) is not None

    def _stands_like_count(self, row: Row, number: Number) -> bool:
        """Whether a usual count stands apart from all words, which it does in hardly any name of a deck."""
        before, behind = row.shape[: number.start], row.shape[number.end :]
        is_apart = all(not around or around.isspace() for around in (before[-1:], behind[:1]))
        return is_apart and 0 < number.value <= USUAL

    def _below(self, index: int, bare: str, text: str) -> Line | None:
        """A remark below the cards, apart from them or a sentence; None if it may be a card."""
        if (
            not self._is_counted
            or bare[:1] in BULLETS
            or self._is_in_brackets(bare)
            or self._likeness.is_near(bare)
        ):
            return None
        if index < self._first_gap and not compiled(_SENTENCE).search(bare):
            return None
        return Comment(bare, True, _column(text), stretch(Taken.REMARK, text))

    def _is_in_brackets(self, bare: str) -> bool:
        """Whether a line has in the brackets of names what no sentence is, as a card that the table lacks."""
        closing = _CLOSING.get(bare[:1], "\0")
        sentence = rf"{_FULL_STOP}|{self._words.sentence_end}"
        return closing in bare and not compiled(sentence).search(bare[1 : bare.index(closing)])


def _has_whole_brackets(text: str) -> bool:
    """Whether no bracket in a text lacks its other half."""
    pairs = (*_CLOSING.items(), ("<", ">"), ("＜", "＞"))
    return all(
        text.count(first) == text.count(last) and text.find(first) <= text.find(last) for first, last in pairs
    )


def _form(shape: str, start: int, end: int) -> str:
    """How a count is written: its side and the signs around it."""
    before, behind = shape[:start], shape[end:]
    left = not before.strip(" \t[(<-*・•●")
    sign = re.sub(r"[0-9]+", "0", shape[start:end])
    if left:
        return f"left {sign}{behind[:1] if not behind[:1].isalnum() else ''}"
    return f"right {before[-1:] if not before[-1:].isalnum() else ''}{sign}"


def _column(text: str) -> int:
    return len(text) - len(text.lstrip()) + 1
