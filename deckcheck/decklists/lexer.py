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
    r"|[a-z]{0,4}-?[0-9]{1,4}[a-z★†]?(?:/[a-z]{0,4}[0-9]{1,4})?)(?![0-9a-z]|[ \t]*(?:円|yen|tix|usd|eur)|WORD))?"
)
PRICE = (
    r"(?:@[ \t]*)?(?:[¥$€£][ \t]*[0-9][0-9,.]*|[0-9][0-9,.]*[ \t]*(?:円|yen|tix|usd|eur)(?![a-z]))[ \t]*-?"
)
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
_MOST_REMEMBERED = 1 << 14
_BRACKETS = r"()\[\]<>{}（）［］＜＞【】〔〕〖〗《》≪≫「」『』"
_GAPS = frozenset(
    " \t、。.,;:：=|()[]<>{}（）［］＜＞【】〔〕〖〗《》≪≫「」『』\"'`´‘’‚‛“”„‟!！?？／/・※→←⇔+&~～〜…*•♪●○■□◆◇★☆▪▫◦‣⁃▶►▷▸✓✔♦>"
    "−–—‐-\u20e3" + _INVISIBLE
)
_COUNTING = frozenset("0123456789x*-①②③④⑤⑥⑦⑧⑨" + KANJI)
_SYMBOLS, _DITTO = "\u2190", "〃仝"
_TAIL = r"[0-9]{1,2}(?![0-9])"

_LONGEST_WORD = 64
_WORD = rf"(?:(?![x×✕✖*][ \t]*[0-9])[^\s、,;|{_BRACKETS}\"“”／/]){{1,{_LONGEST_WORD}}}"
# What a token costs: a name is dear, letters that nobody understands are dearer.
_GAP_COST, _TOKEN_COST, _NUMBER_COST, _NAME_COST, _WORD_COST, _LETTER_COST = 0.01, 0.3, 0.6, 1.0, 3.0, 0.2
_GLUED_COST, _JOINED_COST, _BRACKET_COST, _SLASHES_COST, _REMARK_COST = 20.0, 0.9, 2.0, 2.0, 0.1


class Lexer:
    """Cuts lines into tokens: of all ways the one that leaves the fewest letters unexplained, with the fewest names."""

    def __init__(self, catalog: Catalog, table: Patterns, is_zone: Callable[[str], bool]) -> None:
        self._catalog, self._table, self._is_zone = catalog, table, is_zone
        self._start = 0
        # Where slashes tell no names apart, two of them may join a name as well as begin a comment.
        self._slashes = not catalog.fold("/")
        self._lines: dict[str, list[Token]] = {}
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
        return self._slashes and shape.startswith("//", at)

    def line_tokens(self, line: str) -> list[Token]:
        """The tokens of a whole line; those of the last lines are remembered."""
        known = self._lines.get(line)
        if known is None:
            if len(self._lines) >= _MOST_REMEMBERED:
                self._lines.clear()
            known = self.tokens(line, shape_of(line))
            if len(line) <= LONGEST_NAME:
                self._lines[line] = known
        return known

    def tokens(self, line: str, shape: str, start: int = 0, end: int | None = None) -> list[Token]:
        """The tokens of a stretch, in order; what stands between them are blanks and punctuation."""
        end = len(line) if end is None else end
        self._start = trim(shape, start, end)[0]
        text, places = self._fold(clean(line), start, end)
        first: dict[int, int] = {}
        for at, place in enumerate(places):
            first.setdefault(place, at)
        number, noise, word = map(compiled, (self._table.number, self._table.noise, _WORD))
        noisy = self._table.first
        # By twice the place, and one more behind a word: the cost, where one came from, the tokens between,
        # and whether a name or a word stands before.
        best: dict[int, tuple[float, int, tuple[Token, ...], bool]] = {2 * start: (0.0, -1, (), False)}

        def reach(state: int, before: int, cost: float, *tokens: Token) -> None:
            known = best.get(state)
            if known is None or known[0] > cost:
                named = best[before][3] or any(token.kind in ("name", "word") for token in tokens)
                best[state] = (cost, before, tokens, named)

        for at in range(start, end):
            char = shape[at]
            for here in (2 * at, 2 * at + 1):
                if here not in best:
                    continue
                cost, _before, before, named = best[here]
                behind_word = bool(here & 1)
                gapped = (
                    char in _GAPS
                    or char.isspace()
                    or (char >= _SYMBOLS and char not in _DITTO and not char.isalnum())
                )
                if gapped:
                    reach(2 * at + 2, here, cost + _GAP_COST)
                glued = _GLUED_COST if behind_word and char not in "([<{※←x*#" else 0.0
                behind_name = bool(before) and before[-1].kind == "name" and before[-1].end == at
                found = noise.match(shape, at, end) if char in noisy else None
                if found is not None:
                    self._noise(reach, here, cost + glued, found, at > start, named)
                found = number.match(shape, at, end) if char in _COUNTING else None
                if found is not None:
                    self._number(reach, here, cost + glued, shape, found, first)
                run = word.match(line, at, end) if not gapped else None
                if run is not None and (not behind_word or at - before[-1].start >= _LONGEST_WORD):
                    more = _WORD_COST * (not behind_word) + _GLUED_COST * behind_name
                    more += _LETTER_COST * (run.end() - at)
                    reach(2 * run.end() + 1, here, cost + more, Token("word", *run.span()))
                if behind_word or at not in first:
                    continue
                for stop, cards in self._names(line, text, places, first[at], end):
                    reach(2 * stop, here, cost + _NAME_COST, Token("name", at, stop, cards))
                    for last, both in self._linked(line, text, places, first, at, stop, end):
                        reach(2 * last, here, cost + _NAME_COST, Token("name", at, last, both))
                    tail = compiled(_TAIL).match(shape, stop, end)
                    if tail is not None and shape[stop - 1].isalnum() and shape[stop - 1].isascii():
                        # A count that is glued to a name of Latin letters or digits.
                        count = Token("number", *tail.span(), number=int(tail[0]))
                        more = _NAME_COST + _JOINED_COST
                        reach(2 * tail.end(), here, cost + more, Token("name", at, stop, cards), count)
        path = _path(best, end)
        return [self._whole(line, token) if token.kind == "name" else token for token in path]

    def _noise(
        self, reach: object, here: int, cost: float, found: re.Match[str], inside: bool, named: bool
    ) -> None:
        assert callable(reach)
        start, end = found.span()
        kind = found.lastgroup
        if found["comment"] is not None:
            if inside:
                slashes = found[0].startswith("//") and self._slashes
                more = _SLASHES_COST + _REMARK_COST * (end - start) if slashes else _GAP_COST
                reach(2 * end, here, cost + more, Token("comment", start, end))
        elif found["boxed"] is not None:
            token = Token("number", start, end, number=number_in(found["b"]), boxed=True)
            reach(2 * end, here, cost + _NUMBER_COST, token)
        elif found["code"] is not None:
            if self._is_zone(found["code"].strip("()[]")):
                reach(
                    2 * found.end("code"), here, cost + _GAP_COST, Token("bracket", start, found.end("code"))
                )
                return
            printed = found["printed"] or ""
            token = Token("code", start, end, number=int(printed) if printed.isdecimal() else 0)
            # Before the name, capitals in brackets may be the name.
            reach(2 * end, here, cost + (_TOKEN_COST if named else 2 * _NUMBER_COST), token)
        elif found["bracket"] is not None:
            if here > 2 * self._start + 1 or any(map(str.isalnum, found.string[end : found.endpos])):
                reach(2 * end, here, cost + _BRACKET_COST, Token("bracket", start, end))
        elif found["price"] is not None or found["day"] is not None:
            reach(2 * end, here, cost + _TOKEN_COST, Token("note", start, end))
        elif kind in ("span", "zone", "note", "joint", "ditto"):
            more = _JOINED_COST if kind == "joint" else _TOKEN_COST
            reach(2 * end, here, cost + more, Token(kind, start, end))  # type: ignore[arg-type]

    def _number(
        self, reach: object, here: int, cost: float, shape: str, found: re.Match[str], first: dict[int, int]
    ) -> None:
        assert callable(reach)
        start, end = found.span()
        value = number_in(found["n"]) * (-1 if found["minus"] else 1)
        marked = bool(found["x"] or found["c"])
        # Digits that go on as a word are a part of it, unless a name begins there.
        glued = shape[end : end + 1].isalnum() and not marked and end not in first
        reach(
            2 * end,
            here,
            cost + (_GLUED_COST if glued else _NUMBER_COST),
            Token("number", start, end, (), value, marked),
        )
        if found["c"] in ("x", "*") and found.start("c") in first:
            # The sign may be how a name begins.
            token = Token("number", start, found.end("n"), (), value)
            reach(2 * token.end, here, cost + _NUMBER_COST, token)
        if found["x"] is None and found["minus"] is None and found["n"].isascii():
            at = found.end("n")
            if shape[at : at + 1] == "x" and at + 1 in first:
                token = Token("number", start, at + 1, (), value, True)
                reach(2 * at + 2, here, cost + _JOINED_COST, token)
            for size in range(1, min(3, at - start)):
                if start + size in first and shape[start] != "0":
                    token = Token("number", start, start + size, (), int(shape[start : start + size]))
                    reach(2 * (start + size), here, cost + _JOINED_COST, token)

    def _fold(self, line: str, start: int, end: int) -> tuple[str, list[int]]:
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

    def _beginning(self, start: str) -> tuple[frozenset[str], tuple[int, ...]]:
        """The folded names that begin with these letters, and how long they are."""
        known = self._keys.get(start)
        if known is None:
            keys = self._catalog.beginning(start) if len(start) == 2 else frozenset()
            if len(start) == 1 or start:
                single = self._catalog.find(start[0])
                keys = keys | {start[0]} if single else keys
            known = self._keys[start] = (keys, tuple(sorted({len(key) for key in keys})))
        return known

    def _names(
        self, line: str, text: str, places: list[int], first: int, end: int
    ) -> list[tuple[int, tuple[Card, ...]]]:
        """Where the names end that begin at a place, with their cards."""
        keys, sizes = self._beginning(text[first : first + 2])
        found = []
        for size in sizes:
            last = first + size
            if last > len(text) or text[first:last] not in keys:
                continue
            stop = places[last - 1] + 1
            behind = line[stop : stop + 1]
            if behind and (behind in _VOICED or _in_a_word(line[stop - 1], behind)):
                continue
            cards = self.find(line[places[first] : stop])
            # What a name ends in may be dropped when it is folded.
            last = stop
            while cards and last < end and not self._folded.get(line[last], "?"):
                last += 1
                if line[last - 1].isalnum() or any(
                    name.endswith(line[stop:last]) for name in _names_of(cards)
                ):
                    stop = last
            if cards:
                found.append((stop, cards))
        return found

    def _linked(
        self, line: str, text: str, places: list[int], first: dict[int, int], begin: int, at: int, end: int
    ) -> Iterator[tuple[int, tuple[Card, ...]]]:
        """Where names end that go on behind one with its other side, behind a slash or an arrow."""
        joint = compiled(_JOINT).match(line, at, end)
        opened = joint.end() if joint else end
        while opened < end and not self._folded.get(line[opened], "?"):
            opened += 1
        if joint and opened in first:
            for stop, _cards in self._names(line, text, places, first[opened], end):
                both = self.find(line[begin:stop])
                if both:
                    yield stop, both
                    yield from self._linked(line, text, places, first, begin, stop, end)

    def _whole(self, line: str, token: Token) -> Token:
        """A name with what it begins with and is dropped when it is folded."""
        start = token.start
        while (
            start
            and not self._folded.get(line[start - 1], "?")
            and (
                _CLOSING.get(line[start - 1], "\0") in line[start : token.end]
                or any(name.startswith(line[start - 1 : start + 1]) for name in _names_of(token.cards))
            )
        ):
            start -= 1
        return token._replace(start=start)


_CLOSING = {"「": "」", "『": "』", "“": "”", "‘": "’"}


def _names_of(cards: Sequence[Card]) -> Iterator[str]:
    """Every name under which cards are found."""
    for card in cards:
        yield card.name
        yield from card.aliases
        yield from (part.name for part in (*card.parts, *card.faces))


def _path(best: dict[int, tuple[float, int, tuple[Token, ...], bool]], end: int) -> list[Token]:
    ends = [state for state in (2 * end, 2 * end + 1) if state in best]
    state = min(ends, key=lambda state: best[state][0]) if ends else -1
    found: list[Token] = []
    while state >= 0:
        _cost, state, tokens, _named = best[state]
        found += tokens[::-1]
    return found[::-1]


def _in_a_word(last: str, behind: str) -> bool:
    """Whether a name would end within a word of Latin letters."""
    return last.isascii() and last.isalnum() and behind.isascii() and behind.isalpha()
