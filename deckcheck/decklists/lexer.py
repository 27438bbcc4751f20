"""A line of a list cut into tokens: names of cards, counts, notes, zones, set codes, and words that nobody knows.

Everything works on a line's *shape*: the line with full-width forms, look-alikes and letter case levelled,
one character for one character, so that a place in the shape is the same place in the line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

from deckcheck.model.card import Card, Catalog

MOST_COPIES = 999

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
KANJI = "一二三四五六七八九十"
_LEVEL: dict[int, str] = {code: chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)}
_LEVEL |= {ord(char): char.lower() for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_LEVEL |= dict.fromkeys(
    map(ord, _INVISIBLE + "\u3000\xa0\u2002\u2003\u2007\u2009\u202f\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"),
    " ",
)
_LEVEL |= dict.fromkeys(map(ord, "×✕✖╳⨯"), "x") | dict.fromkeys(map(ord, "−–—‐‑‒―"), "-")
_LEVEL |= dict.fromkeys(map(ord, "【〔［〖"), "[") | dict.fromkeys(map(ord, "】〕］〗"), "]")
_LEVEL |= {ord("〈"): "<", ord("〉"): ">", ord("･"): "・", ord("｜"): "|", ord("│"): "|", ord("┃"): "|"}
_LEVEL |= {ord("￥"): "¥", ord("（"): "(", ord("）"): ")", ord("≪"): "《", ord("≫"): "》"}
# Behind a digit it is as much as "1." at a line's head, and nothing at its end.
_LEVEL |= {ord(_KEYCAP): "."}
_CLEAN = dict.fromkeys(map(ord, _INVISIBLE + _KEYCAP), " ")

BULLETS = "・•●○■□◆◇★☆▪▫◦‣⁃▶►▷▸✓✔♦※>*+-~"

compiled = cache(re.compile)


def shape_of(line: str) -> str:
    """`line` with its look-alikes levelled; the same length."""
    return line.translate(_LEVEL)


def clean(line: str) -> str:
    """`line` with what can't be seen turned into spaces; the same length."""
    return line.translate(_CLEAN)


def trim(shape: str, start: int, end: int, away: str = " \t") -> tuple[int, int]:
    """The stretch without `away` at its ends."""
    while start < end and shape[start] in away:
        start += 1
    while end > start and shape[end - 1] in away:
        end -= 1
    return start, end


def number_in(digits: str) -> int:
    """The number in digits, in one kanji numeral or in a circle; capped, for nobody plays so many."""
    if digits.isascii():
        return int(digits) if len(digits) < 9 else 10**9
    return KANJI.find(digits) + 1 or int(unicodedata.numeric(digits))


Kind = Literal[
    "name",
    "word",
    "number",
    "span",
    "ditto",
    "zone",
    "code",
    "note",
    "bracket",
    "joint",
    "comment",
]


class Token(NamedTuple):
    """A stretch of a line.

    A name has the `cards` that it can mean. A `number` may be `marked` as a
    count (`x4`, `4枚`) or `boxed` in brackets. A "zone" is a zone's word that
    holds for the line (`word:`) or for a card; a "bracket" holds a remark,
    a "span" two numbers for one; what is no part of a deck (prices, foil) is
    a "note".
    """

    kind: Kind
    start: int
    end: int
    cards: tuple[Card, ...] = ()
    number: int = 0
    marked: bool = False
    boxed: bool = False


def any_of(words: Sequence[str]) -> str:
    """A pattern for any of some words, the longest first, none of which ends within another."""
    ordered = sorted({word.lower() for word in words if word}, key=lambda word: (-len(word), word))
    found = [
        (r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else "")
        + re.escape(word).replace(r"\{n\}", "[0-9]+")
        + (r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else "")
        for word in ordered
    ]
    return "(?:" + "|".join(found) + ")" if found else "(?!)"


class Patterns(NamedTuple):
    """The patterns of tokens in a game's words, for `compiled`.

    `number` finds a count at a place; `alone` is a cell with nothing but a count;
    `noise` is what may stand beside a name, `first`
    the characters that it begins with.
    """

    number: str
    alone: str
    counter: str
    mark: str
    noise: str
    first: frozenset[str]


_CODE = (
    r"(?P<code>\((?=[^)]{0,16}[a-z])(?!x[0-9]+\))(?![0-9]+[ \t]*x?\))[a-z0-9][a-z0-9:/#_-]{1,15}\)"
    r"|\([a-z]{2,5}(?:[0-9]{1,3}[ \t-]+[a-z]{0,4}[0-9]{1,4}|[ \t-]+[a-z]{0,4}[0-9]{1,4}(?=/))(?:/[a-z]{0,4}[0-9]{1,4})?\)"
    r"|\[(?=[^\]]{0,16}[a-z])(?!x[0-9]+\])(?![0-9]+[ \t]*x?\])[a-z0-9][a-z0-9:/#†★*-]{1,15}\]"
    r"|(?<![0-9a-z])[a-z]{2,5}[0-9]{0,3}-(?=[a-z]*[0-9])[a-z0-9]{1,6}(?:-[a-z0-9]{1,6})?(?![0-9a-z/-]))"
    r"(?:[ \t:]+#?(?P<printed>[0-9]{1,4}(?![0-9a-z/★†-])"
    r"|(?!x[0-9])[a-z]{0,4}-?[0-9]{1,4}[a-z★†]?(?:/[a-z]{0,4}[0-9]{1,4})?)(?![0-9a-z]|[ \t]*(?:円|yen|tix|usd|eur)|WORD))?"
)
PRICE = r"(?:@[ \t]*)?(?:[¥$€£][ \t]*[0-9][0-9,.]{0,12}|[0-9][0-9,.]{0,12}[ \t]*(?:円|yen|tix|usd|eur)(?![a-z]))[ \t]*-?"
DAY = r"(?:19|20)[0-9]{2}[ \t]*[-/.年][ \t]*[0-9]{1,2}(?:[ \t]*[-/.月][ \t]*[0-9]{1,2}日?|月)"
_LINKED = r"(?:[./~～〜+→-]|->|か|[ \t]or[ \t])"


def patterns(
    counters: Sequence[str], notes: Sequence[str], marks: Sequence[str], prefixes: Sequence[str]
) -> Patterns:
    """The patterns of a game with these words."""
    word = any_of(counters).replace("(?<![a-z0-9])", "(?<![a-z])")
    digits = rf"(?:[0-9]+|[①-⑨]|[{KANJI}](?=[ \t]*{word}))"
    noise = "|".join(
        [
            r"(?P<comment>(?:#|//).*)",
            rf"(?P<price>{PRICE})",
            rf"(?P<day>(?<![0-9]){DAY}(?![0-9]))",
            rf"(?P<span>[0-9]{{1,2}}[ \t]*{_LINKED}[ \t]*[0-9]{{1,2}}(?![0-9])(?:[ \t]*(?:{word}|x(?![a-z0-9])))?)",
            _CODE.replace("WORD", word),
            rf"(?P<zone>{any_of(prefixes)}(?=[ \t]*[:=])(?![ \t]*[:=][ \t]*[0-9]+[ \t]*{word}?$)"
            rf"|{any_of(marks)}(?=$|[\s()\[\]<>《》「」『』,、→|:=*←-]))",
            rf"(?P<note>{any_of(notes)}|\*[a-z]\*|\^[^^]*\^(?=[ \t]*$))",
            rf"(?P<boxed>[(\[<][ \t]*(?:[x*][ \t]*)?(?P<b>{digits})[ \t]*{word}?[ \t]*[)\]>])",
            r"(?P<bracket>\([^()]{0,200}\)|\[[^\[\]]{0,200}\]|<[^<>]{0,200}>|\{[^{}]{0,200}\}"
            r"|(?<![※←])(?:※|←|<-)(?:(?![ \t]{2}|;).){0,200})",
            r"(?P<joint>と|(?<=[ \t])and(?=[ \t]))",
            r"(?P<ditto>(?:〃|々|仝|″|”|同上|同じく|ditto)(?=[\s|,;]|$))",
        ]
    )
    return Patterns(
        number=(
            rf"(?P<minus>(?:(?<![^ \t])|(?<=[x*])|(?<![^ \t])[x*])-(?=[0-9]))?(?P<x>[x*][ \t]*)?"
            rf"(?<![0-9])(?<![0-9][.,])(?P<n>{digits})(?![0-9])"
            rf"(?:[ \t]*(?P<c>{word}|[x*](?![a-z0-9])))?"
        ),
        alone=rf"[x*]?[ \t]*(?P<n>[0-9]+)[ \t]*(?:[x*]|{word})?",
        counter=word,
        mark=any_of(marks),
        noise=noise,
        first=frozenset("#/@¥$€£([{<*^※←と〃々仝″”同0123456789abcdefghijklmnopqrstuvwxyz")
        | {word[0].lower() for word in (*notes, *marks, *prefixes) if word},
    )


_VOICED = frozenset("ﾞﾟ\u3099\u309a")
_JOINT = r"[ \t\u3000]*(?://?|／|⇔|→|⇒)[ \t\u3000]*"
_MOST_FACES = 8
LONGEST_NAME = 240
_NAMING = frozenset({"name", "word"})
_MOST_LETTERS = 1 << 18
"""Of lines whose tokens are remembered."""
_BRACKETS = r"()\[\]<>{}（）［］＜＞【】〔〕〖〗《》≪≫「」『』"
_GAPS = frozenset(
    " \t、。.,;:：=|()[]<>{}（）［］＜＞【】〔〕〖〗《》≪≫「」『』\"'`´‘’‚‛“”„‟!！?？／/・※→←⇔+&~～〜…*•♪●○■□◆◇★☆▪▫◦‣⁃▶►▷▸✓✔♦>"
    "−–—‐-\u20e3" + _INVISIBLE
)
_COUNTING = frozenset("0123456789x*-①②③④⑤⑥⑦⑧⑨" + KANJI)
_SYMBOLS, _DITTO = "\u2190", "〃仝"
_TAIL = r"(?P<n>[0-9]{1,2})(?![0-9])(?P<c>[ \t]*COUNTER)?"

_LONGEST_WORD = 64
_WORD = rf"(?:(?![x×✕✖*][ \t]*[0-9])[^\s、,;|{_BRACKETS}\"“”／/]){{1,{_LONGEST_WORD}}}"
# What a token costs: a name is dear, letters that nobody understands are dearer.
_GAP_COST, _TOKEN_COST, _NUMBER_COST, _NAME_COST, _WORD_COST, _LETTER_COST = 0.01, 0.3, 0.6, 1.0, 3.0, 0.2
_GLUED_COST, _JOINED_COST, _BRACKET_COST, _SLASHES_COST, _REMARK_COST = 20.0, 0.9, 2.0, 2.0, 0.1


class Lexer:
    """Cuts lines into tokens: of all ways the one that leaves the fewest letters unexplained, with the fewest names."""

    def __init__(self, catalog: Catalog, table: Patterns, is_zone: Callable[[str], bool]) -> None:
        self.table, self.is_zone = table, is_zone
        # Where slashes tell no names apart, two of them may join a name as well as begin a comment.
        self.slashes = not catalog.fold("/")
        self._catalog = catalog
        self._known: dict[tuple[str, int, int], list[Token]] = {}
        self._letters = 0
        self._folded: dict[str, str] = {}
        self._keys: dict[str, tuple[frozenset[str], tuple[int, ...]]] = {}

    def find(self, text: str) -> tuple[Card, ...]:
        """The cards of a name, or those that all names joined by slashes or arrows can mean; () where there are none."""
        if len(text) > LONGEST_NAME:
            return ()
        cards = self._catalog.find(clean(text))
        if cards:
            return cards
        parts = [part for part in compiled(_JOINT).split(text, _MOST_FACES) if part.strip()]
        if len(parts) < 2:
            return ()
        # A half may be another card's name, too; both together are one.
        meant = self._catalog.find("/".join(parts))
        if meant:
            return meant
        meant = self._catalog.find(parts[0])
        for part in parts[1:]:
            others = self._catalog.find(part)
            meant = tuple(card for card in meant if card in others)
        return meant

    def goes_on(self, name: str) -> bool:
        """Whether a known name goes on behind this one with what stands in <>."""
        start = self._catalog.fold(f"{name}<")
        return start.endswith("<") and bool(self._catalog.beginning(start))

    def joins(self, shape: str, at: int) -> bool:
        """Whether two slashes at a place may join the halves of a name."""
        return self.slashes and shape.startswith("//", at)

    def line_tokens(self, line: str) -> list[Token]:
        """The tokens of a whole line."""
        return self.tokens(line, shape_of(line))

    def tokens(self, line: str, shape: str, start: int = 0, end: int | None = None) -> list[Token]:
        """The tokens of a stretch, in order; what stands between them are blanks and punctuation.

        Those of the last stretches are remembered.
        """
        last = len(line) if end is None else end
        known = self._known.get((line, start, last))
        if known is None:
            self._letters += len(line)
            if self._letters > _MOST_LETTERS:
                self._known.clear()
                self._letters = len(line)
            known = self._known[line, start, last] = _Cover(self, line, shape, start, last).tokens()
        return known

    def folded(self, line: str, start: int, end: int) -> tuple[str, list[int]]:
        """A stretch folded letter by letter, and where in the line each letter of that stands."""
        text: list[str] = []
        places: list[int] = []
        at = start
        known = self._folded
        while at < end:
            size = 2 if at + 1 < end and line[at + 1] in _VOICED else 1
            unit = line[at : at + size]
            folded = known.get(unit)
            if folded is None:
                folded = known[unit] = self._catalog.fold(unit)
            text.append(folded)
            places += [at] * len(folded)
            at += size
        return "".join(text), places

    def is_dropped(self, char: str) -> bool:
        """Whether folding drops a letter that was folded before."""
        return not self._folded.get(char, "?")

    def beginning(self, start: str) -> tuple[frozenset[str], tuple[int, ...]]:
        """The folded names that begin with these letters, and how long they are."""
        known = self._keys.get(start)
        if known is None:
            keys = self._catalog.beginning(start) if len(start) == 2 else frozenset()
            if len(start) == 1 or start:
                single = self._catalog.find(start[0])
                keys = keys | {start[0]} if single else keys
            known = self._keys[start] = (keys, tuple(sorted({len(key) for key in keys})))
        return known


_Named = tuple[int, tuple[Card, ...]]
"""Where a name ends, and its cards."""


class _State(NamedTuple):
    """How cheaply a place was reached: from which state, over which tokens, and whether a name or a word is among all."""

    cost: float
    before: int
    tokens: tuple[Token, ...]
    named: bool


class _Cover:
    """The cheapest cover of a stretch with tokens; a state is twice a place, and one more behind a word."""

    def __init__(self, lexer: Lexer, line: str, shape: str, start: int, end: int) -> None:
        self._lexer, self._line, self._shape, self._start, self._end = lexer, line, shape, start, end
        self._top = trim(shape, start, end)[0]
        self._text, self._places = lexer.folded(clean(line), start, end)
        self._first: dict[int, int] = {}
        for at, place in enumerate(self._places):
            self._first.setdefault(place, at)
        # Where slashes and arrows join the sides of a known card.
        self._joints: set[int] = set()
        self._best = {2 * start: _State(0.0, -1, (), False)}
        table = lexer.table
        self._noisy = table.first
        self._match_number = compiled(table.number).match
        self._match_noise = compiled(table.noise).match
        self._match_tail = compiled(_TAIL.replace("COUNTER", table.counter)).match
        self._match_word = compiled(_WORD).match

    def tokens(self) -> list[Token]:
        best = self._best
        for at in range(self._start, self._end):
            for here in (2 * at, 2 * at + 1):
                if here in best:
                    self._go_on(at, here, best[here])
        ends = [state for state in (2 * self._end, 2 * self._end + 1) if state in best]
        last = min(ends, key=lambda state: best[state].cost) if ends else -1
        found: list[Token] = []
        while last >= 0:
            found += best[last].tokens[::-1]
            last = best[last].before
        return [self._whole(token) if token.kind == "name" else token for token in found[::-1]]

    def _reach(self, state: int, before: int, cost: float, *tokens: Token) -> None:
        known = self._best.get(state)
        if known is None or known.cost > cost:
            named = self._best[before].named or (bool(tokens) and tokens[0].kind in _NAMING)
            self._best[state] = _State(cost, before, tokens, named)

    def _go_on(self, at: int, here: int, state: _State) -> None:
        """Reaches all that can be reached from a state at a place."""
        char = self._shape[at]
        behind_word = bool(here & 1)
        gap = char in _GAPS or char.isspace()
        if gap or (char >= _SYMBOLS and char not in _DITTO and not char.isalnum()):
            gap = True
            self._reach(2 * at + 2, here, state.cost + _GAP_COST)
        cost = state.cost + (_GLUED_COST if behind_word and char not in "([<{※←x*#" else 0.0)
        if char in self._noisy:
            noise = self._match_noise(self._shape, at, self._end)
            if noise is not None:
                self._noise(here, cost, noise, state.named)
        if char in _COUNTING:
            number = self._match_number(self._shape, at, self._end)
            if number is not None:
                self._number(here, cost, number)
        if not gap:
            self._word(at, here, state)
        if not behind_word and at in self._first:
            self._name(at, here, state.cost + _NAME_COST)

    def _word(self, at: int, here: int, state: _State) -> None:
        before = state.tokens[-1] if state.tokens else None
        if here & 1 and before is not None and at - before.start < _LONGEST_WORD:
            return
        run = self._match_word(self._line, at, self._end)
        if run is not None:
            behind_name = before is not None and before.kind == "name" and before.end == at
            more = _WORD_COST * (not here & 1) + _GLUED_COST * behind_name + _LETTER_COST * (run.end() - at)
            self._reach(2 * run.end() + 1, here, state.cost + more, Token("word", *run.span()))

    def _noise(self, here: int, cost: float, found: re.Match[str], named: bool) -> None:
        start, end = found.span()
        kind = found.lastgroup
        if found["comment"] is not None:
            if start > self._start:
                slashes = found[0].startswith("//") and (self._lexer.slashes or start in self._joints)
                more = _SLASHES_COST + _REMARK_COST * (end - start) if slashes else _GAP_COST
                self._reach(2 * end, here, cost + more, Token("comment", start, end))
        elif found["boxed"] is not None:
            token = Token("number", start, end, number=number_in(found["b"]), boxed=True)
            self._reach(2 * end, here, cost + _number_cost(token.number), token)
        elif found["code"] is not None:
            if self._lexer.is_zone(found["code"].strip("()[]")):
                end = found.end("code")
                self._reach(2 * end, here, cost + _GAP_COST, Token("bracket", start, end))
                return
            printed = found["printed"] or ""
            token = Token("code", start, end, number=int(printed) if printed.isdecimal() else 0)
            # Before the name, capitals in brackets may be the name.
            self._reach(2 * end, here, cost + (_TOKEN_COST if named else 2 * _NUMBER_COST), token)
        elif found["bracket"] is not None:
            if here > 2 * self._top + 1 or any(map(str.isalnum, found.string[end : found.endpos])):
                self._reach(2 * end, here, cost + _BRACKET_COST, Token("bracket", start, end))
        elif found["price"] is not None or found["day"] is not None:
            self._reach(2 * end, here, cost + _TOKEN_COST, Token("note", start, end))
        elif kind in ("span", "zone", "note", "joint", "ditto"):
            more = _JOINED_COST if kind == "joint" else _TOKEN_COST
            self._reach(2 * end, here, cost + more, Token(kind, start, end))  # type: ignore[arg-type]

    def _number(self, here: int, cost: float, found: re.Match[str]) -> None:
        shape, first = self._shape, self._first
        start, end = found.span()
        value = number_in(found["n"]) * (-1 if found["minus"] else 1)
        marked = bool(found["x"] or found["c"])
        # Digits that go on as a word are a part of it, unless a name begins there.
        glued = shape[end : end + 1].isalnum() and not marked and end not in first
        token = Token("number", start, end, (), value, marked)
        self._reach(2 * end, here, cost + (_GLUED_COST if glued else _number_cost(value)), token)
        if found["c"] in ("x", "*") and found.start("c") in first:
            # The sign may be how a name begins.
            token = Token("number", start, found.end("n"), (), value)
            self._reach(2 * token.end, here, cost + _NUMBER_COST, token)
        if found["x"] is None and found["minus"] is None and found["n"].isascii():
            at = found.end("n")
            if shape[at : at + 1] == "x" and at + 1 in first:
                token = Token("number", start, at + 1, (), value, True)
                self._reach(2 * at + 2, here, cost + _JOINED_COST, token)
            for size in range(1, min(3, at - start)):
                if start + size in first and shape[start] != "0":
                    token = Token("number", start, start + size, (), int(shape[start : start + size]))
                    self._reach(2 * (start + size), here, cost + _JOINED_COST, token)

    def _name(self, at: int, here: int, cost: float) -> None:
        shape = self._shape
        for stop, cards in self._names(self._first[at]):
            name = Token("name", at, stop, cards)
            self._reach(2 * stop, here, cost, name)
            for last, both in self._linked(at, stop):
                self._reach(2 * last, here, cost, Token("name", at, last, both))
            tail = self._match_tail(shape, stop, self._end)
            letter = shape[stop - 1]
            if tail is not None and letter.isascii() and (letter.isalnum() or letter == "."):
                # A count that is glued to a name of Latin letters or digits.
                count = Token("number", *tail.span(), number=int(tail["n"]), marked=bool(tail["c"]))
                self._reach(2 * tail.end(), here, cost + _JOINED_COST, name, count)

    def _names(self, first: int) -> list[_Named]:
        """Where the names end that begin at a place of the folded text, with their cards."""
        line, text, places = self._line, self._text, self._places
        keys, sizes = self._lexer.beginning(text[first : first + 2])
        found = []
        for size in sizes:
            last = first + size
            if last > len(text) or text[first:last] not in keys:
                continue
            stop = places[last - 1] + 1
            behind = line[stop : stop + 1]
            if behind and (behind in _VOICED or _in_a_word(line[stop - 1], behind)):
                continue
            cards = self._lexer.find(line[places[first] : stop])
            # What a name ends in may be dropped when it is folded.
            last = stop
            while cards and last < self._end and self._lexer.is_dropped(line[last]):
                last += 1
                if line[last - 1].isalnum() or any(
                    name.endswith(line[stop:last]) for name in _names_of(cards)
                ):
                    stop = last
            if cards:
                found.append((stop, cards))
        return found

    def _linked(self, begin: int, at: int) -> Iterator[_Named]:
        """Where names end that go on behind one with its other side, behind a slash or an arrow."""
        joint = compiled(_JOINT).match(self._line, at, self._end)
        opened = joint.end() if joint else self._end
        while opened < self._end and self._lexer.is_dropped(self._line[opened]):
            opened += 1
        if joint and opened in self._first:
            for stop, _cards in self._names(self._first[opened]):
                both = self._lexer.find(self._line[begin:stop])
                if both:
                    self._joints.update(range(joint.start(), opened))
                    yield stop, both
                    yield from self._linked(begin, stop)

    def _whole(self, token: Token) -> Token:
        """A name with what it begins with and is dropped when it is folded."""
        line, start = self._line, token.start
        while (
            start
            and self._lexer.is_dropped(line[start - 1])
            and (
                _CLOSING.get(line[start - 1], "\0") in line[start : token.end]
                or any(name.startswith(line[start - 1 : start + 1]) for name in _names_of(token.cards))
            )
        ):
            start -= 1
        return token._replace(start=start)


def _number_cost(number: int) -> float:
    """What a number costs: one that is no count may be a name."""
    return _NUMBER_COST if number <= MOST_COPIES else _WORD_COST


_CLOSING = {"「": "」", "『": "』", "“": "”", "‘": "’"}


def _names_of(cards: Sequence[Card]) -> Iterator[str]:
    """Every name under which cards are found."""
    for card in cards:
        yield card.name
        yield from card.aliases
        yield from (part.name for part in (*card.parts, *card.faces))


def _in_a_word(last: str, behind: str) -> bool:
    """Whether a name would end within a word of Latin letters."""
    return last.isascii() and last.isalnum() and behind.isascii() and behind.isalpha()
