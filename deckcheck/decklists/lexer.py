"""Splits a line into tokens: card names, counts, notes, zones, set codes and unknown words.

Everything works on a line's *shape*: the line with full-width forms, look-alikes and letter case normalized,
one character for one character, so that an index into the shape is an index into the line.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import KANJI, ZERO_WIDTH, compiled, shape_of, trim
from deckcheck.decklists.lines import MOST_COPIES, Taken
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Card, Catalog


def number_in(digits: str) -> int:
    """The value of ASCII digits (at most 10**9), of one kanji numeral or of a circled digit."""
    if digits.isascii():
        return int(digits) if len(digits) < 9 else 10**9
    return KANJI.find(digits) + 1 or int(unicodedata.numeric(digits))


class Name(Struct, eq=False):
    """A card's name, with the cards that it can mean; without any, a ditto mark for the card before."""

    cards: tuple[Card, ...]
    start: int
    end: int


class Number(Struct, eq=False):
    """A number that may be a count: `marked` by a sign or counter, `boxed` in brackets.

    `ordinal`: a dot or bracket behind it at the start of a line. `for_each`: it counts each of the cards in front of it.
    `taken` is set by whoever explains it.
    """

    value: int
    start: int
    end: int
    marked: bool = False
    boxed: bool = False
    ordinal: bool = False
    for_each: bool = False
    taken: Taken | None = None


class Piece(Struct, frozen=True):
    """Any other span of a line.

    A "zone" is a zone word that applies to the line (`word:`) or to one card; a "bracket" holds a remark, a "span" a
    range instead of one number; a "note" isn't part of the deck (prices, foil). A "code" may end in a `number`.
    """

    kind: Literal["word", "span", "ditto", "zone", "code", "note", "bracket", "joint", "comment"]
    start: int
    end: int
    number: int = 0


Token = Name | Number | Piece


_VOICED = frozenset("ﾞﾟ\u3099\u309a")
_JOINT = r"[ \t\u3000]*(?://?|／|⇔|→|⇒)[ \t\u3000]*"
_MOST_FACES = 8
LONGEST_NAME = 240
_FIRST, _MOST_BEGINNINGS, _MOST_FOLDED = 3, 1 << 16, 1 << 14
"""By how many letters names are looked up, and how many such beginnings and folded letters are kept."""
_BRACKETS = r"()\[\]<>{}（）［］＜＞【】〔〕〖〗《》≪≫「」｢｣『』"
_GAPS = frozenset(
    " \t、。.,;:：‥=|()[]<>{}（）［］＜＞【】〔〕〖〗《》≪≫「」｢｣『』\"'`´‘’‚‛“”„‟!！?？／/・※→←⇔+&~～〜…*•♪●○■□◆◇★☆▪▫◦‣⁃▶►▷▸✓✔♦>"
    "−–—‐-\u20e3" + ZERO_WIDTH
)
_SYMBOLS = "\u2190"
_LABEL_ENDS = r"[,:]|[ \t]-[ \t]"
_TAIL = r"(?P<n>[0-9]{1,2})(?![0-9])(?P<c>[ \t]*COUNTER)?"

_LONGEST_WORD = 64
_WORD = rf"(?:(?![x×✕✖*][ \t]*[0-9０-９])[^\s、,;|{_BRACKETS}\"“”／/]){{1,{_LONGEST_WORD}}}"
# The cost of each token: names are expensive, unknown words more so.
_GAP_COST, _TOKEN_COST, _NUMBER_COST, _NAME_COST, _WORD_COST, _LETTER_COST = 0.01, 0.3, 0.6, 1.0, 3.0, 0.2
_GLUED_COST, _JOINED_COST, _BRACKET_COST, _SLASHES_COST, _REMARK_COST = 20.0, 0.9, 2.0, 2.0, 0.1


class Lexer:
    """Splits lines into tokens so that the fewest letters stay unexplained, with the fewest names."""

    def __init__(self, catalog: Catalog, words: Vocabulary) -> None:
        self.words = words
        # Where folding drops slashes, "//" may join the halves of a name as well as begin a comment.
        self.drops_slashes = not catalog.fold("/")
        self._catalog = catalog
        self._fold: Callable[[str], str] = lru_cache(_MOST_FOLDED)(catalog.fold)
        self.beginning: Callable[[str], _Names] = lru_cache(_MOST_BEGINNINGS)(self._beginning)

    def find(self, text: str) -> tuple[Card, ...]:
        """The cards of a name, or those that match every name joined by slashes or arrows; () if none."""
        if len(text) > LONGEST_NAME:
            return ()
        cards = self._catalog.find(text)
        if cards:
            return cards
        parts = [part for part in compiled(_JOINT).split(text, _MOST_FACES) if part.strip()]
        # The same name again is another copy.
        if len(parts) < 2 or len(set(map(self._catalog.fold, parts))) < len(parts):
            return ()
        # A half may also be another card's name, so the whole is tried first.
        matches = self._catalog.find("/".join(parts))
        if matches:
            return matches
        matches = self._catalog.find(parts[0])
        for part in parts[1:]:
            others = self._catalog.find(part)
            matches = tuple(card for card in matches if card in others)
        return matches

    def begins_longer_name(self, text: str) -> bool:
        """Whether a name has the pointed bracket in this text, and what stands before and behind it."""
        start = self._catalog.fold(text)
        return "<" in start and bool(self._catalog.beginning(start))

    def tokens(self, line: str, shape: str, start: int, end: int) -> list[Token]:
        """The tokens of a span, in order, with only blanks and punctuation between them."""
        return _Cover(self, line, shape, start, end).tokens()

    def folded(self, line: str, start: int, end: int) -> tuple[str, list[int]]:
        """A span folded letter by letter, and the index in the line of each folded letter."""
        text: list[str] = []
        places: list[int] = []
        index = start
        while index < end:
            size = 2 if index + 1 < end and line[index + 1] in _VOICED else 1
            folded = self._fold(line[index : index + size])
            text.append(folded)
            places += [index] * len(folded)
            index += size
        return "".join(text), places

    def is_dropped(self, char: str) -> bool:
        """Whether folding drops a character."""
        return not self._fold(char)

    def _beginning(self, start: str) -> "_Names":
        """The folded names that begin with these letters or are the first of them."""
        shorter = {start[:size] for size in range(1, _FIRST)}
        keys = self._catalog.beginning(start) if len(start) == _FIRST else frozenset()
        keys |= {name for name in shorter if self._catalog.has(name)}
        return _Names(keys, tuple(sorted({len(key) for key in keys})))


class _Names(Struct, frozen=True):
    """Folded names, and their lengths in ascending order."""

    keys: frozenset[str]
    lengths: tuple[int, ...]


_Named = tuple[int, tuple[Card, ...]]
"""The end of a name and its cards."""


class _State(Struct, frozen=True):
    """The cheapest way to a state: cost, previous state, new tokens, and whether any is a name or word."""

    cost: float
    before: int
    tokens: tuple[Token, ...]
    named: bool


class _Cover:
    """The cheapest cover of a span with tokens; a state is 2 * index, plus 1 after a word."""

    def __init__(self, lexer: Lexer, line: str, shape: str, start: int, end: int) -> None:
        self._lexer, self._line, self._shape, self._start, self._end = lexer, line, shape, start, end
        self._top = trim(shape, start, end)[0]
        self._text, self._places = lexer.folded(line, start, end)
        self._first: dict[int, int] = {}
        for index, place in enumerate(self._places):
            self._first.setdefault(place, index)
        # Indexes of the slashes and arrows that join the sides of a known card, and of a # in a known name.
        self._joints: set[int] = set()
        self._best = {2 * start: _State(0.0, -1, (), False)}
        words = lexer.words
        self._noise_starts, self._number_starts = words.noise_starts, words.number_starts
        self._match_number = compiled(words.number).match
        self._match_noise = compiled(words.noise).match
        self._match_tail = compiled(_TAIL.replace("COUNTER", words.counter)).match
        self._match_word = compiled(_WORD).match

    def tokens(self) -> list[Token]:
        best = self._best
        for index in range(self._start, self._end):
            for here in (2 * index, 2 * index + 1):
                if here in best:
                    self._advance(index, here, best[here])
        ends = [state for state in (2 * self._end, 2 * self._end + 1) if state in best]
        last = min(ends, key=lambda state: best[state].cost) if ends else -1
        tokens: list[Token] = []
        while last >= 0:
            tokens += best[last].tokens[::-1]
            last = best[last].before
        tokens = self._with_named_note(tokens[::-1])
        return [self._with_dropped_start(token) if isinstance(token, Name) else token for token in tokens]

    def _with_named_note(self, tokens: list[Token]) -> list[Token]:
        """Where nothing else is a card's name, a note that is one stands for the card: Foil."""
        if any(isinstance(token, Name) for token in tokens):
            return tokens
        for index, token in enumerate(tokens):
            if _is_piece(token, "note") and token.start in self._first:
                named = dict(self._names(self._first[token.start]))
                if token.end in named:
                    name = Name(named[token.end], token.start, token.end)
                    return [*tokens[:index], name, *tokens[index + 1 :]]
        return tokens

    def _reach(self, state: int, before: int, cost: float, *tokens: Token) -> None:
        best = self._best.get(state)
        if best is None or best.cost > cost:
            names = bool(tokens) and (isinstance(tokens[0], Name) or _is_piece(tokens[0], "word"))
            self._best[state] = _State(cost, before, tokens, self._best[before].named or names)

    def _advance(self, index: int, here: int, state: _State) -> None:
        """Reaches every state that one token or gap leads to."""
        char = self._shape[index]
        after_word = bool(here & 1)
        gap = char in _GAPS or char.isspace()
        if gap or (char >= _SYMBOLS and char != "〃" and not char.isalnum()):
            gap = True
            self._reach(2 * index + 2, here, state.cost + _GAP_COST)
        cost = state.cost + (_GLUED_COST if after_word and char not in "([<{※←x*#" else 0.0)
        if char in self._noise_starts:
            noise = self._match_noise(self._shape, index, self._end)
            if noise is not None:
                self._noise(here, cost, noise, state.named)
        if char in self._number_starts:
            number = self._match_number(self._shape, index, self._end)
            if number is not None:
                self._number(here, cost, number)
        if not gap:
            self._word(index, here, state)
        if not after_word and index in self._first:
            self._name(index, here, state.cost + _NAME_COST)

    def _word(self, index: int, here: int, state: _State) -> None:
        before = state.tokens[-1] if state.tokens else None
        if here & 1 and before is not None and index - before.start < _LONGEST_WORD:
            return
        run = self._match_word(self._line, index, self._end)
        if run is not None:
            after_name = isinstance(before, Name) and before.end == index
            more = _WORD_COST * (not here & 1) + _GLUED_COST * after_name + _LETTER_COST * (run.end() - index)
            self._reach(2 * run.end() + 1, here, state.cost + more, Piece("word", *run.span()))

    def _noise(self, here: int, cost: float, match: re.Match[str], named: bool) -> None:
        start, end = match.span()
        kind = match.lastgroup
        if match["comment"] is not None:
            if start > self._start:
                joins = start in self._joints or (match[0].startswith("//") and self._lexer.drops_slashes)
                more = _SLASHES_COST + _REMARK_COST * (end - start) if joins else _GAP_COST
                self._reach(2 * end, here, cost + more, Piece("comment", start, end))
        elif match["boxed"] is not None:
            is_marked = self._shape[start + 1] in "x*"
            number = Number(number_in(match["b"]), start, end, marked=is_marked, boxed=True)
            self._reach(2 * end, here, cost + _number_cost(number.value), number)
        elif match["code"] is not None:
            if self._lexer.words.says_where_or_out(match["code"].strip("()[]")):
                end = match.end("code")
                self._reach(2 * end, here, cost + _GAP_COST, Piece("bracket", start, end))
                return
            code = self._line[match.start("code") : match.end("code")]
            if code[0] not in "([" and code not in (code.upper(), code.lower()):
                # Letters of both cases are rather a misspelt name.
                return
            printed = match["printed"] or ""
            if not named and self._is_name_with_count(start, match.end("code")):
                return
            if self._ends_name_with_count(start, match.end("code")):
                return
            code_token = Piece("code", start, end, int(printed) if printed.isdecimal() else 0)
            # Before any name, capitals in brackets may themselves be the name, but not with a sign for a number.
            more = _GAP_COST if "#" in match["code"] else _TOKEN_COST if named else 2 * _NUMBER_COST
            self._reach(2 * end, here, cost + more, code_token)
        elif match["bracket"] is not None:
            if here > 2 * self._top + 1 or any(map(str.isalnum, match.string[end : match.endpos])):
                self._reach(2 * end, here, cost + _BRACKET_COST, Piece("bracket", start, end))
        elif match["price"] is not None or match["day"] is not None:
            self._reach(2 * end, here, cost + _TOKEN_COST, Piece("note", start, end))
        elif kind in ("span", "zone", "note", "joint", "ditto"):
            more = _JOINED_COST if kind == "joint" else _TOKEN_COST
            self._reach(2 * end, here, cost + more, Piece(kind, start, end))  # type: ignore[arg-type]

    def _is_name_with_count(self, start: int, end: int) -> bool:
        """Whether a span that looks like a card's number is a name, perhaps with a count directly after it."""
        return start in self._first and any(
            stop == end or compiled(r"[x*]?[0-9]+").fullmatch(self._shape, stop, end)
            for stop, _cards in self._names(self._first[start])
        )

    def _ends_name_with_count(self, start: int, end: int) -> bool:
        """Whether a name that began earlier ends within what looks like a card's number, with only a count behind it."""
        for stop in range(start + 1, end):
            state = self._best.get(2 * stop)
            last = state.tokens[-1] if state is not None and state.tokens else None
            is_longer = isinstance(last, Name) and last.start < start
            if is_longer and compiled(r"[x*]?[0-9]+").fullmatch(self._shape, stop, end):
                return True
        return False

    def _number(self, here: int, cost: float, match: re.Match[str]) -> None:
        shape, first = self._shape, self._first
        start, end = match.span()
        value = number_in(match["n"]) * (-1 if match["minus"] else 1)
        marked = bool(match["x"] or match["c"])
        # Digits that run into a word belong to it, unless a name begins there.
        glued = shape[end : end + 1].isalnum() and not marked and end not in first
        token = Number(value, start, end, marked or shape[start] in "x*", for_each=match["each"] is not None)
        # A small x is rather the sign of a count than the end of a name, and a capital one the other way round: Metalzoa X.
        before = self._line[match.start("x")] if match["x"] else self._line[max(start - 1, 0)]
        unusual = 2 * _GAP_COST if before == ("X" if match["x"] else "x") else 0.0
        self._reach(2 * end, here, cost + (_GLUED_COST if glued else _number_cost(value)) + unusual, token)
        if match["c"] and match.start("c") in first:
            # The sign or the counter may be the beginning of a name, but rather not one with a blank behind it.
            token = Number(value, start, match.end("n"), shape[start] in "x*")
            apart = 2 * _GAP_COST if shape[end : end + 1].isspace() else 0.0
            self._reach(2 * token.end, here, cost + _NUMBER_COST + apart, token)
        if match.start("n") == start and match["n"].isascii():
            index = match.end("n")
            if shape[index : index + 1] == "x" and index + 1 in first:
                token = Number(value, start, index + 1, True)
                self._reach(2 * index + 2, here, cost + _JOINED_COST, token)
            for size in range(1, min(3, index - start)):
                if start + size in first and shape[start] != "0":
                    token = Number(int(shape[start : start + size]), start, start + size)
                    self._reach(2 * (start + size), here, cost + _JOINED_COST, token)

    def _name(self, index: int, here: int, cost: float) -> None:
        shape = self._shape
        for stop, cards in self._names(self._first[index]):
            if "#" in shape[index:stop]:
                self._joints.add(shape.index("#", index))
            name = Name(cards, index, stop)
            self._reach(2 * stop, here, cost, name)
            for last, both in self._with_other_sides(index, stop):
                self._reach(2 * last, here, cost, Name(both, index, last))
            tail = self._match_tail(shape, stop, self._end)
            letter = shape[stop - 1]
            if tail is not None and letter.isascii() and (letter.isalnum() or letter == "."):
                # A count directly after a name that ends in a Latin letter or digit.
                count = Number(int(tail["n"]), *tail.span(), marked=bool(tail["c"]))
                self._reach(2 * tail.end(), here, cost + _JOINED_COST, name, count)

    def _names(self, first: int) -> list[_Named]:
        """The ends and cards of the names that begin at an index of the folded text."""
        line, text, places = self._line, self._text, self._places
        known = self._lexer.beginning(text[first : first + _FIRST])
        names = []
        for length in known.lengths:
            last = first + length
            if last > len(text) or text[first:last] not in known.keys:
                continue
            stop = places[last - 1] + 1
            if line[stop : stop + 1] in _VOICED and places[last : last + 1] != places[last - 1 : last]:
                # The mark of a half-width letter belongs to it.
                stop += 1
            following = line[stop : stop + 1]
            if following and (following in _VOICED or _is_within_word(line[stop - 1], following)):
                continue
            cards = self._lexer.find(line[places[first] : stop])
            # Folding may drop the last characters of a name.
            last = stop
            while cards and last < self._end and self._lexer.is_dropped(line[last]):
                last += 1
                ending = self._shape[stop:last]
                if line[last - 1].isalnum() or any(
                    shape_of(name).endswith(ending) for card in cards for name in card.names
                ):
                    stop = last
            if len(cards) > 1:
                # What folding dropped may tell two names apart.
                cards = self._lexer.find(line[places[first] : stop])
            if cards and not self._joins_label(places[first], stop, cards):
                names.append((stop, cards))
        return names

    def _joins_label(self, start: int, stop: int, cards: Sequence[Card]) -> bool:
        """Whether a sign that ends a label or a cell, and that none of the cards has, stands in front of another name within the span."""
        signs = compiled(_LABEL_ENDS).finditer(self._shape, start + 1, stop)
        others = (sign[0] for sign in signs if self._lexer.find(self._line[sign.end() : stop]))
        names = [name for card in cards for name in card.names]
        return any(not any(sign in shape_of(name) for name in names) for sign in others)

    def _with_other_sides(self, begin: int, index: int) -> Iterator[_Named]:
        """The ends and cards of names that continue with their other side after a slash or an arrow."""
        joint = compiled(_JOINT).match(self._line, index, self._end)
        opened = joint.end() if joint else self._end
        while opened < self._end and self._lexer.is_dropped(self._line[opened]):
            opened += 1
        if joint and opened in self._first:
            for stop, _cards in self._names(self._first[opened]):
                both = self._lexer.find(self._line[begin:stop])
                if both:
                    self._joints.update(range(joint.start(), opened))
                    yield stop, both
                    yield from self._with_other_sides(begin, stop)

    def _with_dropped_start(self, token: Name) -> Name:
        """A name token extended to the left by the characters that folding drops."""
        line, start = self._line, token.start
        while (
            start
            and self._lexer.is_dropped(line[start - 1])
            and (
                _CLOSING.get(line[start - 1], "\0") in line[start : token.end]
                or any(
                    name.startswith(line[start - 1 : start + 1])
                    for card in token.cards
                    for name in card.names
                )
            )
        ):
            start -= 1
        return replace(token, start=start)


def _is_piece(token: Token, kind: str) -> bool:
    return isinstance(token, Piece) and token.kind == kind


def _number_cost(number: int) -> float:
    """The cost of a number; one too large for a count may be a name."""
    return _NUMBER_COST if number <= MOST_COPIES else _WORD_COST


_CLOSING = {"「": "」", "『": "』", "“": "”", "‘": "’"}


def _is_within_word(last: str, following: str) -> bool:
    """Whether a name that ends in `last` would be cut off within a word of Latin letters."""
    return last.isascii() and last.isalnum() and following.isascii() and following.isalpha()
