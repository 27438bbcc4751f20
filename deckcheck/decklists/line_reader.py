"""The rows of a list: cells with tokens, each taken for a card, a count, a zone, a printing or a comment.

What is none of these stays unread, and whoever reads the row must explain it or tell it. No token crosses the
border of a cell.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache, partial
from itertools import islice, pairwise

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import BULLETS, CIRCLED, compiled, shape_of, trim
from deckcheck.decklists.lexer import Lexer, Name, Number, Piece
from deckcheck.decklists.lines import (
    LONGEST_LINE,
    MOST_COPIES,
    Item,
    Label,
    Stretch,
    Stretches,
    Taken,
    Total,
    UnreadError,
    Why,
    stretch,
)
from deckcheck.decklists.unexplained import leftover
from deckcheck.decklists.vocabulary import (
    Section,
    Vocabulary,
    contains_zone_word,
    heading_of,
    is_label,
    zones_in_comment,
    zones_in_note,
    zones_named,
)
from deckcheck.model.card import Card, Catalog
from deckcheck.support.messages import Words

DIGIT = rf"[0-9{CIRCLED}]"
_PRINTED_NUMBER = r"[0-9,]{4,7}|(?:19|20)[0-9]{2}|[a-z]{1,3}[0-9]{1,3}/[a-z]{0,3}[0-9]{1,3}|[0-9]{3,4}"
"""Numbers within brackets that are no counts: prices, years, a number within a set."""
_PIECES = r"[、,・/;\s|]+"
_FRACTION = r"([0-9]{1,3})/([0-9]{2,3})"
_MAY_HOLD_COUNT = r",(?![¥$€£][0-9]{1,3}(?:,[0-9]{3})+(?![0-9]))[^,]*[0-9],[0-9].*|\W?[0-9][-~][0-9].*"
"""Matches a price, with the character before it, of which a part may be a count: that with a comma in a row of commas."""
_BRACKETS = "()（）[]［］【】<>＜＞{}〔〕《》≪≫「」『』※← "
INLINE_COMMENT = r"<!--.*?-->|/\*.*?\*/"
_NUMBERED_COMMENT = rf"[#/<!*\s-]*[x*]?\s*{DIGIT}"
"""Matches a comment with a number, which may be the count, directly behind its mark."""
_LINK = r"https?://\S+"
_LEAST_PRINTED = 100
"""A number in brackets from here on is that of the card in its set."""
_MOST_CELLS = 64
_MOST_ROWS, _MOST_SUGGESTED = 1 << 13, 1 << 10
_LONGEST_SUGGESTED = 120
NEAR, ONE_SLIP = 72, 100
"""How similar two names are, in percent, that may be meant to be the same, or that differ by a slip of the pen at most."""
_MOST_NEAR = 16
"""So many lines of a list are compared with the names of cards; the others count as similar."""
_SHORTEST_NEAR, _SHORTEST_SLIP, _LETTERS_A_SLIP = 3, 4, 8
_PLAIN_NAME = r"[^\W\d_]+(?:[ ',\-/・.’]{1,2}[^\W\d_]+)*"
_FRACTION_OR_RANGE = r"[0-9] *[/~-] *[0-9]"
_COUNT_AROUND = r"^[0-9]{1,3}(?:WORD|[ x*])*|[ x*]*[0-9]{1,3}(?:WORD)?$"
_WITH_SMALL_NUMBER = r"[^0-9]*(?:1?[1-9]|10)(?:/[0-9]+)?[^0-9]*"
"""Matches a text with one number, of copies that may be moved or left over."""
_COUNTS_BY_LETTER = r"\W*(?:(?:[a-wyz][1-9])+|(?:[1-9][a-wyz])+)\W*"
"""Matches what may be copies in zones that are named by a letter: `3M1S`."""
_BEFORE_NUMBERING = r"[ \t*・•-]*[(\[]?"
_LABEL_NUMBER = r"[ \t]*[0-9]+[ \t]*:"
_MOST_BETWEEN = 3
"""The most characters between a card's name and a numeral that counts it, such as a particle."""
_LONGEST_WORDS, _MOST_NUMERALS = 200, 10
_SHORTEST_SOUGHT, _LONGEST_SOUGHT = 4, 40
"""The lengths of names that are sought within words."""


class ZoneWord(Struct):
    """A word that says where the cards of its line are."""

    zone: str
    start: int
    end: int


class Row(Struct):
    """A line with its tokens by what they are, all by index into `text`."""

    text: str
    shape: str
    names: list[Name] = []
    numbers: list[Number] = []
    zones: list[ZoneWord] = []
    unread: list[tuple[int, int]] = []
    """Words that nothing explains."""
    explained: list[Stretch] = []
    problem: Words | None = None
    """What can only be told, whatever the rest says."""
    problem_start: int = 0
    """Where what is to be told begins."""
    may_hide_count: bool = False
    """Whether digits are in what was taken for a printing or a comment, so that a count may be among them."""
    numbered_comment: str = ""
    """A comment between signs (`<!-- 3 -->`) with a number, which in a cell or a tree may be another count."""
    is_glued: bool = False
    """Whether its only number is the end of an unknown word."""

    def refuse(self, why: Words, start: int) -> None:
        """Says why the line can only be told, and where that stands; the first reason counts."""
        if self.problem is None:
            self.problem, self.problem_start = why, start

    @property
    def cards(self) -> list[Card]:
        """The cards of all names."""
        return [card for name in self.names for card in name.cards]

    @property
    def words_span(self) -> tuple[int, int]:
        """From the first to the last unread word."""
        return self.unread[0][0], self.unread[-1][1]

    @property
    def unread_text(self) -> str:
        """The text from the first to the last unread word."""
        return self.text[slice(*self.words_span)] if self.unread else ""

    @property
    def has_only_numbers(self) -> bool:
        """Whether there is nothing but numbers that may be counts."""
        is_bare = not self.names and not self.unread and self.problem is None
        return is_bare and bool(self.numbers) and not self.numbers[-1].for_each

    def copy(self) -> "Row":
        """The row with numbers of its own, for which another list may have another explanation."""
        return replace(
            self,
            names=list(self.names),
            numbers=[replace(number) for number in self.numbers],
            zones=list(self.zones),
            unread=list(self.unread),
            explained=list(self.explained),
        )

    def stretches(self, names: Iterable[Name]) -> Stretches:
        """What the row's characters were taken for, if these names are its cards."""
        parts = [*self.explained]
        parts += [Stretch(Taken.CARD, name.start, name.end) for name in names]
        parts += [Stretch(Taken.ZONE, word.start, word.end) for word in self.zones]
        parts += [Stretch(one.taken, one.start, one.end) for one in self.numbers if one.taken is not None]
        return tuple(sorted(parts, key=lambda part: part.start))


def cells_of(shape: str) -> list[tuple[int, int]]:
    """The spans between tabs and bars; two bars side by side may belong to a name."""
    borders = [match.start() for match in compiled(r"\t|(?<!\|)\|(?!\|)").finditer(shape)][:_MOST_CELLS]
    return [(first + 1, last) for first, last in zip([-1, *borders], [*borders, len(shape)], strict=True)]


class LineReader:
    """Reads lines of one game; rows are cached, within bounds."""

    def __init__(self, words: Vocabulary, catalog: Catalog) -> None:
        self.words = words
        self.catalog = catalog
        self.lexer = Lexer(catalog, words)
        self._row = lru_cache(_MOST_ROWS)(self._read)
        self._facts = cache(partial(_facts_of, words))
        self._sets = cache(lambda: frozenset(map(words.fold, catalog.sets)))
        self.suggest: Callable[[str], list[str]] = lru_cache(_MOST_SUGGESTED)(self._suggest)

    def _suggest(self, text: str) -> list[str]:
        return self.catalog.suggest(text) if len(text) <= _LONGEST_SUGGESTED else []

    def find(self, name: str) -> tuple[Card, ...]:
        """The cards of a whole name; a name written twice, for both sides of a card, is one."""
        cards = self.lexer.find(name)
        if not cards and "//" in name:
            halves = {self.words.fold(half) for half in name.split("//")}
            cards = self.lexer.find(name.split("//")[0].strip()) if len(halves) == 1 else ()
        return cards

    def row(self, text: str) -> Row:
        """The row of a line or cell, whose numbers may be explained without effect on other lists."""
        return self._row(text).copy()

    def is_near(self, text: str, least: int = NEAR) -> bool:
        """Whether a text may be a misspelt card's name: a name is at least so similar, in percent."""
        from rapidfuzz import fuzz

        bare = text.strip(BULLETS + "《》【】「」『』[]<>■◆ \u3000")
        # A count beside a misspelt name makes it no less similar.
        bare = compiled(_COUNT_AROUND.replace("WORD", self.words.counter)).sub("", shape_of(bare)) or bare
        folded = self.words.fold(bare)
        if len(folded) < _SHORTEST_NEAR:
            return False
        if len(folded) > _SHORTEST_NEAR and least <= NEAR and self.catalog.beginning(folded):
            # The first part of a name, whose rest is on the next line or lost.
            return True
        for suggestion in self.suggest(bare)[:3]:
            names = [name for card in self.lexer.find(suggestion) for name in card.names]
            others = [self.words.fold(name) for name in names]
            if any(fuzz.ratio(folded, other) >= least or _is_one_slip(folded, other) for other in others):
                return True
        return False

    def is_longer_name(self, row: Row, start: int, end: int) -> bool:
        """Whether a span of letters holds a known name as part of a longer one that the table lacks."""
        shape = row.shape[start:end].strip()
        first = min((name.start for name in row.names), default=end)
        says_out = first <= start and self.words.says_out(shape)
        plain = compiled(_PLAIN_NAME).fullmatch(shape) is not None
        return plain and not row.explained and not says_out and not self.words.may_say_count(shape)

    def counts_card_in_words(self, text: str) -> bool:
        """Whether a text of words has a card's name beside a numeral, with at most a few characters between them."""
        numerals = self.words.numerals_in(shape_of(text[:_LONGEST_WORDS]))
        for numeral in islice(numerals, _MOST_NUMERALS):
            before, behind = text[: numeral.start()].rstrip(), text[numeral.end() :].lstrip()
            for more in range(_MOST_BETWEEN + 1):
                if self._ends_with_card(before[: len(before) - more]) or self.find(behind[more:]):
                    return True
        return False

    def _ends_with_card(self, text: str) -> bool:
        starts = [0, *range(max(len(text) - _LONGEST_SOUGHT, 1), len(text) - _SHORTEST_SOUGHT + 1)]
        return any(self.find(text[start:]) for start in starts)

    def item_in(self, row: Row, column: int) -> Item:
        """The only card of a row, with its count or 0; `column` is that of the row's text. Raises UnreadError without one."""
        numbers = [number for number in row.numbers if number.taken is None]
        zones = {word.zone for word in row.zones}
        if row.problem is not None:
            raise UnreadError(row.problem, column + row.problem_start)
        if len(row.names) != 1 or not row.names[0].cards or len(numbers) > 1:
            raise UnreadError(Why.UNEXPLAINED.filled(part=row.text.strip()[:40]), column)
        if numbers and not 0 <= numbers[0].value <= MOST_COPIES:
            raise UnreadError(Why.BAD_COUNT, column + numbers[0].start)
        if len(zones) > 1:
            raise UnreadError(Why.TWO_ZONES, column)
        if row.numbered_comment:
            raise UnreadError(Why.UNEXPLAINED.filled(part=row.numbered_comment[:40]), column)
        if numbers:
            numbers[0].taken = Taken.COUNT
        name = row.names[0]
        rest = leftover(row.text, row.stretches([name]))
        if rest is not None:
            raise UnreadError(rest.why, column + rest.start)
        copies = numbers[0].value if numbers else 0
        written = row.text[name.start : name.end]
        return item_of(self.words, written, name.cards, copies, column + name.start, next(iter(zones), None))

    def _read(self, text: str) -> Row:
        """The row of a line of text, with comments within it explained."""
        hidden = [comment.span() for comment in compiled(INLINE_COMMENT).finditer(text)]
        comments = [text[start:end] for start, end in hidden]
        for start, end in hidden:
            text = text[:start] + " " * (end - start) + text[end:]
        row = self._tokens(text)
        for comment, (start, end) in zip(comments, hidden, strict=True):
            self.take_comment(row, comment, start, end)
        numbered = (comment for comment in comments if compiled(DIGIT).search(shape_of(comment)))
        row.numbered_comment = next(numbered, "")
        if "//" in text and not row.names and row.unread and self.lexer.drops_slashes:
            # Where names have halves, that of an unknown card has, too.
            whole = self._tokens(text.replace("//", "  "))
            is_unknown = not whole.names and len(whole.unread) > 1 and whole.problem is None
            return replace(whole, text=text) if is_unknown else row
        return row

    def _tokens(self, text: str) -> Row:
        """The row of a text without such comments."""
        row = Row(text, shape_of(text))
        if len(text) > LONGEST_LINE:
            row.refuse(Why.TOO_LONG, LONGEST_LINE)
            return row
        tokens = [
            token
            for start, end in cells_of(row.shape)
            for token in self.lexer.tokens(text, row.shape, start, end)
        ]
        row.names = [token for token in tokens if isinstance(token, Name)]
        pieces = [token for token in tokens if isinstance(token, Piece)]
        for number in (token for token in tokens if isinstance(token, Number)):
            self._take_number(row, number)
        for piece in pieces:
            self._take(row, piece)
        self._take_other_names(row)
        for name in row.names:
            if self._is_doubtful_name(row, name):
                row.refuse(Why.UNEXPLAINED.filled(part=row.text[name.start : name.end]), name.start)
        # What these say depends on all that is beside them.
        words = [piece for piece in pieces if piece.kind in ("word", "bracket")]
        is_bare = not row.names and all(piece.kind == "bracket" for piece in words)
        for piece in words:
            if piece.kind == "bracket":
                self._take_bracket(row, piece, is_bare=is_bare)
            else:
                self._take_word(row, piece, is_last=piece is words[-1])
        row.unread.sort()
        for number in row.numbers:
            if any(self._may_share_digits(row, name, number) for name in row.names):
                row.refuse(Why.TWO_CARDS, number.start)
        return row

    def _may_share_digits(self, row: Row, name: Name, number: Number) -> bool:
        """Whether the first digits behind a name, or the last in front of it, make another card's name: `NAME24` and `NAME2`."""
        digits = row.text[number.start : number.end]
        between = row.text[name.end : number.start] + row.text[number.end : name.start]
        if (not digits.isdecimal() and not digits[:2].isdecimal()) or len(between) > 1 or between.isspace():
            return False
        sizes = range(1, len(digits.rstrip("".join(self.words.around.counters))))
        if number.start >= name.end:
            others = (row.text[name.start : number.start + size] for size in sizes)
        else:
            others = (row.text[number.end - size : name.end] for size in sizes)
        return any(self.lexer.find(other) for other in others)

    def _is_doubtful_name(self, row: Row, name: Name) -> bool:
        """Whether a name is rather a word about a card: `NAME x4 word 1`, `Word 1: NAME`, or half a card that says "out"."""
        written, has_others = row.text[name.start : name.end], len(row.names) > 1
        is_lower, is_label = written.islower(), compiled(_LABEL_NUMBER).match(row.shape, name.end) is not None
        if has_others and (is_label or (is_lower and not row.text.islower())):
            return True
        is_whole = any(self.words.fold(written) == self.words.fold(card.name) for card in name.cards)
        return not is_whole and (is_lower or has_others) and self.words.comment_says_out(written.lower())

    def _take_other_names(self, row: Row) -> None:
        """Takes the name of the card before in brackets: the same name in another language."""
        for first, second in pairwise(list(row.names)):
            around = row.shape[first.end : second.start].strip() + row.shape[second.end : second.end + 1]
            if first.cards and first.cards == second.cards and around in ("()", "[]", "<>"):
                row.names.remove(second)
                row.explained.append(Stretch(Taken.REMARK, second.start, second.end))

    def _take(self, row: Row, piece: Piece) -> None:
        """Takes a piece that says itself what it is."""
        part = row.shape[piece.start : piece.end]
        match piece.kind:
            case "zone":
                self._take_zone(row, piece, part)
            case "code":
                row.may_hide_count = row.may_hide_count or 0 < piece.number < _LEAST_PRINTED
                written = row.text[piece.start : piece.end]
                if self.is_doubtful_code(written, row.cards):
                    row.refuse(Why.UNEXPLAINED.filled(part=written), piece.start)
                row.explained.append(Stretch(self.taken_for(written, row.cards), piece.start, piece.end))
            case "note":
                if compiled(_MAY_HOLD_COUNT).fullmatch(row.shape[max(piece.start - 1, 0) : piece.end]):
                    row.refuse(Why.UNEXPLAINED.filled(part=row.text[piece.start : piece.end]), piece.start)
                row.explained.append(Stretch(Taken.PRINTING, piece.start, piece.end))
            case "comment":
                self.take_comment(row, row.text[piece.start : piece.end], piece.start, piece.end)
            case "joint":
                self._take_joint(row, piece)
            case "span":
                fraction = re.fullmatch(_FRACTION, part)
                if fraction and int(fraction[1]) <= int(fraction[2]):
                    row.may_hide_count = True
                    row.explained.append(Stretch(Taken.PRINTING, piece.start, piece.end))
                elif not row.numbers:
                    row.refuse(Why.UNEXPLAINED.filled(part=row.text[piece.start : piece.end]), piece.start)
            case "ditto":
                row.names.append(Name((), piece.start, piece.end))
                row.names.sort(key=lambda name: name.start)

    def _take_number(self, row: Row, number: Number) -> None:
        part, behind = row.shape[number.start : number.end], row.shape[number.end :]
        is_first = compiled(_BEFORE_NUMBERING).fullmatch(row.shape, 0, number.start) is not None
        is_numbering = behind[:1] in (".", ")") or number.boxed or part[0] in CIRCLED
        number.ordinal = is_first and is_numbering and not number.marked and number.value > 0
        if number.boxed and number.value >= _LEAST_PRINTED and not number.marked and row.names:
            number.taken = Taken.PRINTING
        row.numbers.append(number)
        if part[0] in "x*" and part[-1] in "x*" and not behind.strip():
            row.refuse(Why.UNEXPLAINED.filled(part=row.text[number.start : number.end]), number.start)

    def _take_zone(self, row: Row, piece: Piece, part: str) -> None:
        zone = self.words.zones.get(self.words.fold(re.sub(r"\([^)]*\)", "", part).strip(" :=")))
        if zone is None:
            row.unread.append((piece.start, piece.end))
        else:
            row.zones.append(ZoneWord(zone, piece.start, piece.end))

    def take_comment(self, row: Row, comment: str, start: int, end: int) -> None:
        """Takes a comment, which may be a zone's word, or take the card out."""
        shape = shape_of(comment)
        zones = zones_in_comment(self.words, shape)
        if self.words.comment_says_out(shape):
            row.refuse(Why.OUT.filled(part=comment.strip()), start)
        elif zones:
            row.zones += [ZoneWord(zone, start, end) for zone in zones]
            return
        elif zones_in_note(self.words, shape) or self.words.changes_count(shape):
            row.refuse(Why.UNEXPLAINED.filled(part=comment.strip()), start)
        row.may_hide_count |= compiled(_NUMBERED_COMMENT).match(shape_of(comment)) is not None
        row.explained.append(Stretch(Taken.COMMENT, start, end))

    def _take_joint(self, row: Row, piece: Piece) -> None:
        between = any(name.end <= piece.start for name in row.names) and any(
            name.start >= piece.end for name in row.names
        )
        if between:
            row.explained.append(Stretch(Taken.REMARK, piece.start, piece.end))
        else:
            row.unread.append((piece.start, piece.end))

    def _take_word(self, row: Row, piece: Piece, *, is_last: bool) -> None:
        part = row.text[piece.start : piece.end]
        pattern = rf"(.*?[^\W\d_].*?)[ \t]*([x*]?)[ \t]*(?<![0-9])([0-9]{{1,6}})({self.words.counter})?"
        glued = compiled(pattern).fullmatch(row.shape, piece.start, piece.end)
        if glued and not row.names and not row.numbers and is_last:
            # A count directly behind an unknown name.
            row.unread.append(glued.span(1))
            row.is_glued = True
            row.numbers.append(Number(int(glued[3]), glued.start(3), piece.end, bool(glued[2] or glued[4])))
        elif row.names and piece.start < row.names[0].start and self.words.comment_says_out(part.lower()):
            # It may be a rank, too, as "or" is.
            row.refuse(Why.OUT.filled(part=part), piece.start)
        elif (
            row.names and self.is_fact(part, row.cards) and not (part.islower() and self.words.says_out(part))
        ):
            row.explained.append(Stretch(Taken.PRINTING, piece.start, piece.end))
        else:
            row.unread.append((piece.start, piece.end))

    def _take_bracket(self, row: Row, piece: Piece, *, is_bare: bool) -> None:
        part = row.text[piece.start : piece.end]
        inner = part.strip(_BRACKETS)
        before = next((name for name in reversed(row.names) if name.end <= piece.start), None)
        if before is not None and not row.shape[before.end : piece.start].strip():
            # Another card may have this name with something in pointed brackets, however they are written.
            is_pointed = row.shape[piece.start] == "<"
            longer = row.text[before.start : before.end] + "<" + ("" if is_pointed else inner)
            if self.lexer.begins_longer_name(longer):
                row.refuse(Why.UNEXPLAINED.filled(part=part), piece.start)
        zones = zones_named(self.words, shape_of(inner))
        problem = self.problem_in(inner, row.cards)
        if zones:
            row.zones += [ZoneWord(zone, piece.start, piece.end) for zone in zones]
        elif is_bare:
            row.unread.append((piece.start, piece.end))
        elif problem is not None:
            row.refuse(problem, piece.start)
        else:
            taken = Taken.COMMENT if part[0] in "※←" else self.taken_for(inner, row.cards)
            row.explained.append(Stretch(taken, piece.start, piece.end))

    def problem_in(self, inner: str, own: Sequence[Card] = ()) -> Words | None:
        """Why a remark in brackets can't be passed over: a number, another card, or a word that takes the card out."""
        cards = self.lexer.find(inner)
        if set(own).intersection(cards) or self.is_fact(inner, own) or compiled(_LINK).fullmatch(inner):
            return None
        if self.words.says_out(shape_of(inner)):
            return Why.OUT.filled(part=inner)
        unexplained = Why.UNEXPLAINED.filled(part=inner)
        if contains_zone_word(self.words, shape_of(inner)) or self.words.is_amount(shape_of(inner)):
            return unexplained
        if cards or not any(map(str.isalnum, inner)):
            return unexplained if cards or inner.strip("…・.!^ ") else None
        for piece in compiled(_PIECES).split(shape_of(inner)):
            has_number = any(map(str.isnumeric, piece))
            if has_number and not self._is_printed(piece) and not self.is_fact(piece, own):
                return unexplained
        tokens = self.lexer.tokens(inner, shape_of(inner), 0, len(inner))
        names = [token for token in tokens if isinstance(token, Name)]
        if any(not set(own).intersection(name.cards) for name in names):
            # A value of the card or a set may be called like a card.
            facts = all(self.is_fact(piece, own) for piece in compiled(_PIECES).split(inner) if piece)
            return None if facts else unexplained
        return None

    def taken_for(self, text: str, cards: Sequence[Card]) -> Taken:
        """What a text in brackets beside cards is, without a count: something printed on them, or a remark."""
        bare = text.strip(_BRACKETS)
        is_printed = self.is_fact(bare, cards) or self.words.fold(bare) in self._sets()
        return Taken.PRINTING if is_printed or any(map(str.isdigit, bare)) else Taken.REMARK

    def is_doubtful_code(self, code: str, cards: Sequence[Card]) -> bool:
        """Whether what looks like a set's code, but is none of the game's, may say where the card is or how many are."""
        written = [*compiled(r"[\w-]+").findall(code), *compiled(r"\w+").findall(code)]
        shape = shape_of(code)
        words = [word for word in compiled("[a-z]+").findall(shape) if word != "x"]
        if self.words.is_amount(shape) and not code.isupper():
            return True
        is_set = any(
            self.is_value_of(part, cards) or self.words.fold(part) in self._sets() for part in written
        )
        if not words or is_set:
            return False
        inner = code.strip(_BRACKETS)
        others = () if code.isupper() or self._is_printed(inner) else self.lexer.find(inner)
        if others and not set(others).intersection(cards):
            return True
        if compiled(_COUNTS_BY_LETTER).fullmatch(shape):
            return True
        may_count = len(words) == 1 and compiled(_WITH_SMALL_NUMBER).fullmatch(shape) is not None
        is_word = self.words.says_where_or_out(words[0]) or self.words.may_say_count(words[0])
        return is_word or (may_count and not code.isupper())

    def is_value_of(self, text: str, cards: Sequence[Card]) -> bool:
        """Whether a text is a value of one of these cards, such as its set."""
        return any(self.words.fold(text) in self._facts(card) for card in cards)

    def _is_printed(self, text: str) -> bool:
        """Whether a text is a rank, a set, a price, a year or the like."""
        patterns = (self.words.printed, _PRINTED_NUMBER)
        return any(compiled(pattern).fullmatch(shape_of(text)) for pattern in patterns)

    def is_fact(self, text: str, cards: Sequence[Card]) -> bool:
        """Whether a text beside cards is a fact of theirs, a label, or the set or rank of a printing."""
        words = self.words
        folded = words.fold(text)
        if not folded:
            return False
        if is_label(words, folded) or (self._is_printed(text) and not any(map(str.isdigit, text))):
            # A set with a number may end in a count.
            return True
        return any(_is_made_of(folded, self._facts(card)) for card in cards)


class Likeness:
    """Which words of one list may be the misspelt name of a card."""

    def __init__(self, reader: LineReader) -> None:
        self._reader = reader
        self._compared = 0

    def is_near(self, text: str, least: int = NEAR) -> bool:
        """Whether a text may be a misspelt card's name: a name is at least so similar, in percent, or too many were compared."""
        self._compared += 1
        return self._compared > _MOST_NEAR or self._reader.is_near(text, least)


def _facts_of(words: Vocabulary, card: Card) -> frozenset[str]:
    """The folded values of a card and its faces, its sets and ranks."""
    facts = [card.facts, *(part.facts for part in (*card.parts, *card.faces))]
    values = {
        words.fold(value)
        for fact in facts
        for item in fact.values()
        if isinstance(item, frozenset)
        for value in item
    }
    values |= {words.fold(name) for value in list(values) for name in words.value_names.get(value, ())}
    values |= {words.fold(printing.set) for printing in card.printings}
    values |= {words.fold(rank) for printing in card.printings for rank in printing.ranks.values()}
    return frozenset(values - {""})


def _is_made_of(folded: str, values: Collection[str]) -> bool:
    """Whether a text is one of these values, or joins several by slashes or the like."""
    for value in values:
        if len(value) > 1 and value in folded and not folded.replace(value, "").strip("/・、"):
            return True
    return all(part in values for part in compiled(r"[/・、&+]").split(folded) if part)


def _is_one_slip(one: str, other: str) -> bool:
    """Whether two names differ in one letter, long ones in one of eight."""
    from rapidfuzz.distance import OSA

    most = max(1, len(one) // _LETTERS_A_SLIP)
    return len(one) > _SHORTEST_SLIP and OSA.distance(one, other, score_cutoff=most) <= most


def item_of(
    words: Vocabulary, written: str, cards: tuple[Card, ...], copies: int, column: int, zone: str | None
) -> Item:
    """A card with its count, in a zone named beside it (None: none is)."""
    homes = {card.home for card in cards}
    home = homes.pop() if len(homes) == 1 else None
    known = zone is None or zone in words.zone_ids
    return Item(written, cards, copies, column, zone, None if home == words.default else home, known)


def section_line(words: Vocabulary, written: str) -> Section | None:
    """A text as a heading, label or sum, with at most one number, which is checked as the sum; None for other texts."""
    shape = shape_of(written)
    start, end = trim(shape, 0, len(shape))
    heading = heading_of(words, shape[start:end])
    if heading is None:
        return None
    numbers = compiled("[0-9]+").findall(shape)
    # Beside the sum there may be the number of different cards, or that of a label (a cost).
    others = (words.kinds, _FRACTION_OR_RANGE)
    has_other = any(compiled(other).search(shape) for other in others)
    if len(numbers) > 1 and not isinstance(heading, Label) and not has_other:
        return None
    if heading.total is None and isinstance(heading, Total):
        if heading.zone is not None:
            # A sum without its number may end a zone as well as begin it.
            return None
        heading = Label("")
    return replace(heading, written=written.strip(), column=start + 1, stretches=stretch(Taken.HEAD, written))
