"""Parses a span of a line into readings: cards, how many of each, and in which zone."""

from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.decklists.lexer import (
    BULLETS,
    CIRCLED,
    MOST_COPIES,
    Lexer,
    Token,
    compiled,
    number_in,
    trim,
)
from deckcheck.decklists.line import OTHER_SUM, SPAN, USUAL
from deckcheck.decklists.vocabulary import (
    NOT_PLAYED,
    SUM,
    TWO_ZONES,
    Vocabulary,
    is_label,
    tagged_zones,
    without_sum,
    zones_named,
)
from deckcheck.model.card import Card, Catalog
from deckcheck.support.messages import AND, Words, _, series

SEVERAL = _("this may be several cards (write each on a line of its own)")
_MOST_SHOWN = 40


class Reading(NamedTuple):
    """A card and its number of copies.

    `cards` is empty for an unknown name and has several for an ambiguous one. `copies` is None without a
    count, and is as written even if 0, negative or too large; `most` differs from it only if two counts are
    possible. `number` is that of a numbered line, `zone` the zone named on the line; `loose`: an unmarked
    word named it, so the line may be a title. `exact`: there is nothing but a count beside the name; for an
    unknown name, the count is marked as one. `problem`: why the line can't be used although it names a card.
    """

    written: str
    cards: tuple[Card, ...]
    copies: int | None = None
    most: int | None = None
    start: int = 0
    zone: str | None = None
    number: int | None = None
    loose: bool = False
    exact: bool = False
    problem: Words | None = None

    @property
    def countable(self) -> bool:
        """Whether the count, if any, is from 1 to MOST_COPIES."""
        low, high = self.copies, self.most
        return low is None or high is None or (low > 0 and high <= MOST_COPIES)


def two_numbers(numbers: Sequence[int]) -> Words:
    """The problem of a line with more than one possible count."""
    message = series(map(str, sorted(set(numbers))), AND)
    return _("more than one number could be the count ({message})", message=message)


def left_over(texts: Sequence[str]) -> Words:
    """The problem of a line with texts that are neither a card nor its count."""
    said = " ".join(texts).strip()[:_MOST_SHOWN]
    return _("“{said}” is left over beside a card's name and its count", said=said)


def not_home(word: str) -> Words:
    """The problem of a card with the word for a zone that isn't its home."""
    return _("“{word}” is not this card's zone (write it as a heading if it is)", word=word)


class _Item(NamedTuple):
    """A name on a line, known or not."""

    start: int
    end: int
    cards: tuple[Card, ...]


_QUOTES = {"《": "》", "「": "」", "『": "』"}
_BRACKETS = {"(": ")", "[": "]", "<": ">", "{": "}"}
_SEPARATOR = r"[、,;|/()\[\]<>《》「」『』]|  +|\t|\u3000"
_CLEAR_SEPARATOR = r"[;|()\[\]<>《》]|[ \t\u3000]{2}|\t|\u3000|--|[ \t]-[ \t]|※|←"
_ORDINAL = rf"[^0-9a-z{CIRCLED}]*?(?:(?:no\.?[ \t]*)?(?P<n>[0-9]{{1,3}})[ \t]*[.)](?![0-9])|(?P<z>0[0-9]{{1,2}})(?=[ \t])|(?P<c>[{CIRCLED}]))"
_MARKED = r"[ \t]*(?:[:=「『,、→←)\]|>*-]|$)"
_SPACED = r"[ \t《]*$|[ \t]+[^ \t:=「『,、→←)\]|>*-]"
_MARK = r"[^\w\s.,、。・…‥!?~〜\-=_()\[\]<>{}《》「」『』\"'`*#/:;&+]"
TALLY = rf"[ \t:]*+(?P<marks>({_MARK})\2++(?:{_MARK})*+)[ \t]*+"
"""Marks that may stand for copies."""
_TRAILING = " \t.。!★☆♪*†‡"
_GLUED_LEFT = r"(?P<n>[0-9]{1,3})(?:x(?![a-z]*[ \t])|WORD(?:[ \t]*[:・][ \t]*)?(?=[^\W\d])|(?=[^\x00-\x7f]))"
_GLUED_RIGHT = r"(?<=[^\x00-\x7f])(?P<n>[0-9]{1,3})$"
_NAME_AND_COUNT = r"(?P<name>.*[^ \tx*])[ \t]*[x*]?(?P<n>(?<![0-9])[0-9]{1,3})"


_INNER_SIGNS = "・-"
"""The signs between parts of a name."""


class Parser:
    """Parses spans of lines with a game's vocabulary and cards; the lexer finds the names."""

    def __init__(self, words: Vocabulary, catalog: Catalog) -> None:
        self.words = words
        self.lexer = Lexer(catalog, words.patterns, lambda text: bool(zones_named(words, text)))

    def name(self, text: str) -> tuple[Card, ...]:
        """The cards of a name."""
        return self.lexer.find(text)

    def read_known(
        self, line: str, shape: str, start: int = 0, end: int | None = None, *, counted: bool = False
    ) -> list[Reading]:
        """The readings of a span that names known cards; [] if it names none.

        Several cards each have a count of their own, or card brackets. If any letters, numbers or marks stay
        unexplained, there is one reading with a problem. `counted`: the count is elsewhere, so digits belong
        to the name.
        """
        end = len(line) if end is None else end
        whole = trim(shape, 0, len(shape)) == (start, end) and not counted
        tokens = self.lexer.line_tokens(line) if whole else self.lexer.tokens(line, shape, start, end)
        if not any(token.kind == "name" for token in tokens):
            return self._unknown_names(line, shape, tokens)
        return _Span(self, line, shape, start, end, tokens, counted=counted).readings()

    def read_exact(self, line: str, shape: str, start: int = 0, end: int | None = None) -> Reading | None:
        """The reading of a span that holds one name and its count, and nothing else; None for other spans."""
        found = self.read_known(line, shape, start, end)
        return found[0] if len(found) == 1 and found[0].exact and found[0].problem is None else None

    def read_single(
        self, line: str, shape: str, start: int = 0, end: int | None = None, *, counted: bool = False
    ) -> Reading | None:
        """The reading of a span; with a problem if it has several cards, None without a known card."""
        cards = self.name(line[start:end]) if counted else ()
        if cards:
            first, last = trim(shape, start, len(line) if end is None else end)
            return Reading(line[first:last], cards, start=first, exact=True)
        readings = self.read_known(line, shape, start, end, counted=counted)
        if len(readings) > 1:
            return readings[0]._replace(written=line[slice(start, end)].strip(), problem=SEVERAL)
        return readings[0] if readings else None

    def _unknown_names(self, line: str, shape: str, tokens: Sequence[Token]) -> list[Reading]:
        """One reading with a problem for a span with several unknown names in card brackets; else []."""
        words = [token for token in tokens if token.kind == "word"]
        if len(words) > 1 and all(_is_quoted(shape, word.start, word.end) for word in words):
            return [Reading(line.strip(), (), problem=SEVERAL)]
        return []

    def guess(self, line: str, shape: str, start: int = 0, end: int | None = None) -> Reading | None:
        """The simplest reading of a span without known cards; None if it holds no letter or digit."""
        end = len(line) if end is None else end
        tokens = self.lexer.tokens(line, shape, start, end)
        last = tokens[-1] if tokens else None
        if last is not None and last.kind == "comment" and self.lexer.joins(shape, last.start):
            # What looks like a comment may be the other half of the name.
            tokens = [*tokens[:-1], *self.lexer.tokens(line, shape, last.start + 2, end)]
        return _Span(self, line, shape, start, end, tokens, counted=False).unknown()


def _has_form_of_code(text: str) -> bool:
    """Whether a text is two to five capitals or digits, as the codes of sets are."""
    return 2 <= len(text) <= 5 and text.isascii() and text.isalnum() and text.isupper()


def _is_quoted(shape: str, start: int, end: int) -> bool:
    before, behind = shape[:start].rstrip(" \t“\"'"), shape[end:].lstrip(" \t”\"'")
    return _QUOTES.get(before[-1:], "\0") == behind[:1]


def _is_count_alone(tokens: Sequence[Token]) -> bool:
    """Whether there is no number among the tokens, or only one, which is a usual count or marked as one."""
    numbers = [token for token in tokens if token.kind in ("number", "code", "span")]
    return not numbers or (len(numbers) == 1 and (numbers[0].marked or 0 < numbers[0].number <= USUAL))


class _Span:
    """The tokens of a span as names (`_items`) and the other tokens before, between and after them."""

    def __init__(
        self,
        parser: Parser,
        line: str,
        shape: str,
        start: int,
        end: int,
        tokens: Sequence[Token],
        *,
        counted: bool,
    ) -> None:
        self._counted = counted
        self._parser, self._words = parser, parser.words
        self._line, self._shape, self._start, self._end = line, shape, start, end
        self._items: list[_Item] = []
        self._tokens_around: list[list[Token]] = [[]]
        self._tokens = tokens
        for token in tokens:
            self._add(token)

    def _add(self, token: Token) -> None:
        if token.kind not in ("name", "word"):
            self._tokens_around[-1].append(token)
            return
        before = self._items[-1] if self._items and not self._tokens_around[-1] else None
        if before is not None and not (before.cards and token.cards):
            between = self._shape[before.end : token.start]
            if not compiled(_SEPARATOR).search(between):
                # An unknown word next to a name makes both one unknown name.
                self._items[-1] = _Item(before.start, token.end, ())
                return
        self._items.append(_Item(token.start, token.end, token.cards))
        self._tokens_around.append([])

    def readings(self) -> list[Reading]:
        """The readings; one with a problem if they can't be separated, [] without a known name."""
        known = [item for item in self._items if item.cards]
        if not known:
            return []
        self._drop_bracketed_names()
        if len(self._items) == 1:
            return self._with_sum([self._single(self._items[0], *self._tokens_around)])
        parts = self._several()
        if parts:
            return self._with_sum(parts)
        unknown = [item for item in self._items if not item.cards]
        if all(map(self._in_brackets, known)):
            return []
        if not unknown:
            aside = next((item for item in self._items[1:] if self._in_brackets(item)), None)
            problem = SEVERAL if aside is None else left_over([self._written(aside)])
            return [self._with_problem(self._items[0], problem)]
        if len(known) > 1 or all(self._is_separate(item) for item in unknown):
            return [self._with_problem(known[0], left_over(list(map(self._written, unknown))))]
        return []

    def _written(self, item: _Item) -> str:
        return self._line[item.start : item.end]

    def _with_problem(self, item: _Item, problem: Words) -> Reading:
        return Reading(self._written(item), item.cards, start=item.start, problem=problem)

    def _in_brackets(self, item: _Item) -> bool:
        close = _BRACKETS.get(self._shape[item.start - 1 : item.start])
        return close is not None and self._shape[item.end : item.end + 1] == close

    def _is_set_code(self, item: _Item) -> bool:
        """Whether a name is in the brackets and the capitals of a set code."""
        return self._in_brackets(item) and _has_form_of_code(self._written(item))

    def _is_separate(self, item: _Item) -> bool:
        """Whether more than a blank separates an unknown name from the known names next to it."""
        at = self._items.index(item)
        separator = compiled(_CLEAR_SEPARATOR)
        for other in self._items[max(at - 1, 0) : at + 2]:
            if other.cards:
                first, last = sorted((item, other))
                gap = self._tokens_around[self._items.index(last)]
                if not separator.search(self._shape, first.end, last.start) and not any(
                    token.kind == "number" for token in gap
                ):
                    return False
        return True

    def _drop_bracketed_names(self) -> None:
        """Drops names in brackets after a card that repeat it, or that a web site writes after a set code.

        So is a name between a count and a card that must be a set code.
        """
        counted, beside = (token.kind for token in self._tokens_around[0]), self._tokens_around[1]
        if len(self._items) > 1 and "number" in counted and not beside and self._is_set_code(self._items[0]):
            del self._items[0]
            del self._tokens_around[1]
        at = 1
        while at < len(self._items):
            item, before = self._items[at], self._items[at - 1]
            gap, after = self._tokens_around[at], self._tokens_around[at + 1]
            printed = any(token.kind == "code" for token in gap) and self._shape[item.start - 1] == "["
            same = item.cards and item.cards == before.cards
            if (
                item.cards
                and self._in_brackets(item)
                and (
                    (same and _is_count_alone(after))
                    or (printed and not any(token.kind == "number" for token in after))
                )
            ):
                del self._items[at]
                self._tokens_around[at : at + 2] = [gap + after]
            else:
                at += 1

    def _zones(self, token: Token) -> tuple[str, ...]:
        """The zones that a token names; () if none."""
        text = self._shape[token.start : token.end]
        if token.kind == "comment":
            return tagged_zones(self._words, text) if text[0] == "#" else ()
        if token.kind not in ("zone", "bracket", "code", "note"):
            return ()
        return zones_named(
            self._words, without_sum(text) if token.kind == "zone" else self._inner_text(token)
        )

    def _is_other_zone(self, zone: str, token: Token, item: _Item) -> bool:
        """Whether a token, which is no heading, names a zone that isn't the card's home."""
        if zone in self._words.markable_zones or {card.home for card in item.cards} <= {zone}:
            return False
        headed = any(sign in self._shape[token.start : token.end] for sign in ":=")
        return not (headed or self._is_heading(token) or self._is_at_start(token))

    def _is_count(self, comment: Token) -> bool:
        """Whether a comment holds only a count."""
        text = self._shape[comment.start : comment.end].strip("#/ \t")
        return compiled(self._words.patterns.alone).fullmatch(text) is not None

    def _inner_text(self, token: Token) -> str:
        """The text in a token's brackets, or after its arrow."""
        text = self._shape[token.start : token.end]
        close = _BRACKETS.get(text[0])
        return text.lstrip("※←<- \t") if close is None or close not in text else text[1 : text.rfind(close)]

    def _bare_text(self, token: Token) -> str:
        """The text of a token as written, without brackets or signs."""
        return self._line[token.start : token.end].strip("()[]<>{}（）［］【】〔〕〖〗＜＞〈〉#＃※← \t\u3000")

    def _is_heading(self, token: Token) -> bool:
        """Whether a colon follows a zone word."""
        return compiled(r"[ \t]*[:=]").match(self._shape, token.end) is not None

    def _is_at_start(self, token: Token) -> bool:
        """Whether a token begins the line, after a bullet at most."""
        skipped = " \t" + "".join(set(BULLETS) - {"<", ">"})
        return trim(self._shape, self._start, self._end, skipped)[0] == token.start

    def _is_loose(self, token: Token, name_end: int | None) -> bool:
        """Whether only a blank is between a zone word and the name, which ends at `name_end` or follows."""
        shape = self._shape
        if token.kind != "zone":
            return False
        if name_end is None:
            spaced = compiled(_SPACED).match(shape, token.end)
            return spaced is not None or not compiled(_MARKED).match(shape, token.end)
        before = shape[name_end : token.start].rstrip(" \t")[-1:]
        return before == "" or before not in "(←[<*-"

    def _may_end_name(self, token: Token, name_end: int) -> bool:
        """Whether a word for what isn't in the deck may be the last word of an unknown English name."""
        between, word = self._shape[name_end : token.start], self._shape[token.start : token.end]
        return between.isspace() and word.isascii() and set(self._zones(token)) <= self._words.aside

    def unknown(self) -> Reading | None:
        """All names and words together as one unknown name; None if there are none."""
        shape = self._shape
        named = [token for token in self._tokens if token.kind in ("name", "word")]
        if not named:
            return None
        start, end = named[0].start, named[-1].end
        before = [token for token in self._tokens if token.end <= start]
        after = [token for token in self._tokens if token.start >= end]
        counts = [token for token in before if token.kind == "number"]
        if after and after[0].kind == "zone" and self._may_end_name(after[0], end):
            end = after.pop(0).end
        while after and (
            (after[0].kind == "bracket" and not self._zones(after[0]))
            or (after[0].kind == "number" and counts and not (after[0].marked or after[0].boxed))
        ):
            # Unexplained text after an unknown name may be part of it.
            end = after.pop(0).end
        while end - start > 1 and shape[end - 1] in _TRAILING:
            end -= 1
        if start > self._start and shape[start - 1] in "=+@" and not shape[self._start : start - 1].strip():
            start -= 1
        counts += [token for token in after if token.kind == "number"]
        counted = _GLUED_LEFT.replace("WORD", self._words.patterns.counter)
        glued = compiled(counted).match(shape, start, end) if not counts else None
        if glued:
            start = trim(shape, glued.end(), end)[0]
        tail = compiled(_GLUED_RIGHT).search(shape, start, end) if not counts and not glued else None
        if tail:
            end = trim(shape, start, tail.start())[1]
        reading = self._single(_Item(start, end, ()), before, after)
        copies = reading.copies
        for digits in (glued, tail):
            copies = int(digits["n"]) if digits else copies
        exact = any(token.marked or token.boxed for token in counts)
        return self._with_sum([reading._replace(copies=copies, most=copies, exact=exact)])[0]

    def _single(self, item: _Item, before: Sequence[Token], after: Sequence[Token]) -> Reading:
        extra: list[str] = []
        foreign: list[str] = []
        spans = False
        zones: dict[str, bool] = {}
        counts: dict[str, list[int]] = {"plain": [], "boxed": [], "cost": [], "weak": []}
        boxed = any(token.boxed for token in before[:1])
        ordinal = None if boxed else compiled(_ORDINAL).match(self._shape, self._start, item.start)
        number = number_in(ordinal[ordinal.lastgroup or 0]) if ordinal else None
        exact = not any(token.kind != "number" for token in (*before, *after))
        printed = False
        own = next((token for token in before if token.kind == "number" and not token.boxed), None)
        numbered = False
        for at, token in enumerate((*before, *after), -len(before)):
            first = token.start < item.start
            text = self._line[token.start : token.end]
            if token.kind == "number":
                if ordinal is not None and token.start < ordinal.end():
                    continue
                follows = after[at + 1] if 0 <= at < len(after) - 1 else None
                if own is not None and not numbered and self._is_printing(token, item, own, follows):
                    numbered = True
                    continue
                kind = "plain" if not token.boxed else "cost" if first else "boxed"
                counts[kind].append(token.number)
                continue
            if text.strip().lower() in self._words.notes:
                # What is a note may be a card's name, too.
                continue
            named = self._zones(token)
            if any(self._is_other_zone(zone, token, item) for zone in named):
                foreign.append(self._bare_text(token))
            for zone in named:
                loose = self._is_loose(token, None if first else item.end)
                zones[zone] = zones.get(zone, True) and loose
            if token.kind == "zone" and first and zones and not self._is_heading(token):
                following = compiled(r"[ \t]*[(\[]").match(self._shape, token.end)
                if following and zones.get(named[0] if named else ""):
                    extra.append(text)
            if token.kind == "span":
                spans = True
            elif (
                token.kind in ("bracket", "code")
                and item.cards
                and self._bare_text(token).casefold() in NOT_PLAYED
            ):
                extra.append(self._bare_text(token))
            elif token.kind == "code":
                is_numbered = bool(token.number) and own is not None and own.end <= item.start
                extra += [] if is_numbered else self._card_in_code(text.strip(), item, printed)
                if token.number and item.cards:
                    counts["plain" if named else "weak"].append(token.number)
                printed = printed or text[0] == "("
            elif token.kind == "bracket":
                if item.cards and not self._states_facts(token, item, before, after):
                    extra += self._unexplained_in(token, item, counts, named, printed)
            elif token.kind in ("joint", "ditto") and item.cards:
                extra.append(text)
        place: str | None = next(iter(zones), None)
        problem = left_over(extra) if extra else TWO_ZONES if len(zones) > 1 else SPAN if spans else None
        if foreign and problem is None:
            problem = not_home(foreign[0])
        numbers = counts["plain"] + counts["boxed"]
        if item.cards and not numbers and problem is None:
            remarks = (
                self._bare_text(token) for token in after if token.kind == "comment" and self._is_count(token)
            )
            problem = next((left_over([text]) for text in remarks), None)
        tally = compiled(TALLY).fullmatch(self._shape, item.end, self._end)
        if item.cards and tally is not None and not numbers and problem is None:
            problem = left_over([tally["marks"]])
        if not counts["plain"] or all(
            not token.marked for token in (*before, *after) if token.kind == "number"
        ):
            numbers += counts["cost"]
        numbers = numbers or counts["weak"]
        if problem is None and len(set(numbers)) > 1:
            problem = two_numbers(numbers)
        copies = most = numbers[0] if numbers else None
        if copies is not None and numbers is counts["weak"]:
            # It may be the card's number within its set.
            copies = 1
        is_loose = place is not None and zones[place]
        reading = Reading(
            self._written(item), item.cards, copies, most, item.start, place, number, is_loose, exact, problem
        )
        if not item.cards or self._counted or number is not None:
            return reading
        if copies is None and (counted := self._with_counted_name(reading, item)) != reading:
            return counted
        return self._with_longer_name(reading, item, after)

    def _is_printing(self, token: Token, item: _Item, count: Token, follows: Token | None) -> bool:
        """Whether a number in brackets behind a name is the card's number in its set, not another count.

        It is behind a marked `count` in front of the name, and before the code of a set.
        """
        inside = self._shape[token.start + 1 : token.end - 1].strip()
        coded = follows is not None and follows.kind == "code"
        return token.boxed and token.start >= item.end and inside.isdecimal() and (count.marked or coded)

    def _card_in_code(self, text: str, item: _Item, printed: bool) -> list[str]:
        """The name of another card in the brackets of a set code, if there is one."""
        if text[:1] not in "([（［【" or printed:
            return []
        match = compiled(r"^.([^\])）］】]*)").match(text)
        inner = match[1].strip() if match else ""
        if _has_form_of_code(inner):
            return []
        cards = self._parser.name(inner)
        return [inner] if cards and cards != item.cards else []

    def _unexplained_in(
        self, token: Token, item: _Item, counts: dict[str, list[int]], named: Sequence[str], printed: bool
    ) -> list[str]:
        """Other cards and unclear numbers in a bracketed remark; possible counts are added to `counts`."""
        line, shape = self._line, self._shape
        inner = self._inner_text(token)
        if inner.startswith(("http://", "https://")):
            return []
        first = token.start + shape[token.start : token.end].find(inner)
        text = line[first : first + len(inner)]
        if (
            shape[token.start] == "<"
            and token.start == item.end
            and self._parser.lexer.continues_in_brackets(self._written(item))
        ):
            # The name may continue here, with a typing error.
            return [text]
        tokens = self._parser.lexer.tokens(line, shape, first, first + len(inner))
        foreign = [part for part in tokens if part.kind == "name" and part.cards != item.cards]
        if foreign and not (printed and shape[token.start] == "["):
            return [line[foreign[0].start : foreign[0].end]]
        if named:
            return []
        words = [shape[part.start : part.end] for part in tokens if part.kind in ("word", "span")]
        numbers = [part.number for part in tokens if part.kind == "number"]
        zone_words = compiled(self._words.patterns.mark).findall(inner)
        marked = any(zones_named(self._words, word) for word in zone_words)
        if numbers and not words and not marked:
            counts["boxed"] += numbers
            return []
        return [text] if numbers or marked or any(char.isdigit() for char in "".join(words)) else []

    def _states_facts(
        self, bracket: Token, item: _Item, before: Sequence[Token], after: Sequence[Token]
    ) -> bool:
        """Whether a bracket has only words for facts and numbers that are facts of the card, and the count is beside it."""
        inner = self._inner_text(bracket)
        first = bracket.start + self._shape[bracket.start : bracket.end].find(inner)
        tokens = self._parser.lexer.tokens(self._line, self._shape, first, first + len(inner))
        words = [self._line[part.start : part.end] for part in tokens if part.kind == "word"]
        numbers = {part.number for part in tokens if part.kind == "number" and not part.marked}
        if (
            not words
            or len(words) + sum(part.kind == "number" for part in tokens) < len(tokens)
            or "+" in inner
        ):
            return False
        is_counted = any(token.kind == "number" and not token.boxed for token in (*before, *after))
        known = {fact for card in item.cards for fact in card.facts.values() if isinstance(fact, float)}
        # Short Latin words such as "or" have meanings of their own.
        facts, fold = self._words.facts, self._words.fold
        are_facts = all(
            not (word.isascii() and len(word) < 3) and is_label(self._words, fold(word), facts)
            for word in words
        )
        return is_counted and are_facts and numbers <= known and not any(part.marked for part in tokens)

    def _with_longer_name(self, reading: Reading, item: _Item, after: Sequence[Token]) -> Reading:
        """The reading, made ambiguous if what directly follows the name may belong to another name."""
        token = next(iter(after), None)
        # What looks like a comment may be behind a blank ("Name #7").
        if token is None or (
            token.kind != "comment" and self._shape[item.end : token.start].strip(_INNER_SIGNS)
        ):
            return reading
        match = compiled(r"[^\s0-9]*[0-9]*").match(self._shape, token.start, token.end)
        run = match[0] if match else ""
        for size in range(1, len(run) + 1):
            rest = run[size:]
            other = self._parser.name(self._line[item.start : token.start + size])
            if not other or (not rest and run.isdecimal()):
                continue
            counts = reading.copies or 1, int(rest) if rest.isdecimal() else reading.copies or 1
            if other != item.cards or (rest.isdecimal() and counts[0] != counts[1]):
                cards = tuple({id(card): card for card in (*item.cards, *other)}.values())
                return reading._replace(cards=cards, copies=min(counts), most=max(counts))
        return reading

    def _with_counted_name(self, reading: Reading, item: _Item) -> Reading:
        """The reading, made ambiguous if its text may also be another card's name and a count."""
        shape, text = self._shape, self._written(item)
        if _is_quoted(shape, item.start, item.end):
            return reading
        match = compiled(_NAME_AND_COUNT).fullmatch(shape[item.start : item.end])
        other = self._parser.name(text[: match.end("name")]) if match else ()
        if match is None or not other:
            match = compiled(r"(?P<n>[1-9][0-9]{0,2})[ \t]*(?P<name>[^0-9].*)").fullmatch(
                shape[item.start : item.end]
            )
            other = self._parser.name(text[match.start("name") :]) if match else ()
        if match is None or not other or text in (card.name for card in item.cards if other == item.cards):
            return reading
        cards = tuple({id(card): card for card in (*item.cards, *other)}.values())
        return reading._replace(cards=cards, copies=1, most=max(int(match["n"]), 1))

    def _counts_each(self, count: Token) -> bool:
        """Whether a usual, marked count apart from the cards behind it is that of each of them."""
        shape = self._shape
        is_apart = count.boxed or self._is_heading(count)
        marked = compiled(self._words.patterns.counter).search(shape, count.start, count.end)
        between = any(self._tokens_around[1:]) or "/" in shape[count.end : self._items[-1].end]
        return (
            is_apart
            and marked is not None
            and count.number <= USUAL
            and not between
            and all(item.cards for item in self._items)
        )

    def _with_sum(self, readings: list[Reading]) -> list[Reading]:
        """The readings, or one with a problem if a zone word in front states another sum than theirs."""
        for token in self._tokens[:1]:
            text = self._shape[token.start : token.end]
            stated = compiled(SUM).search(text) if token.kind == "zone" else None
            if stated and int(stated[1]) != sum(reading.copies or 1 for reading in readings):
                return [reading._replace(problem=OTHER_SUM) for reading in readings[:1]]
        return readings

    def _several(self) -> list[Reading]:
        """The readings of a line with several cards, each with its count; [] if it isn't certain."""
        items, gaps = self._items, self._tokens_around
        numbers = [[token for token in gap if token.kind == "number"] for gap in gaps]
        if any(token.kind in ("span", "ditto") for gap in gaps for token in gap):
            return []
        # An arrow means that one card replaces another.
        between = items[0].end, items[-1].start
        if compiled(r"→|⇒|->|>").search(self._shape, *between):
            return []
        # A reference mark begins a remark, unless every card has one.
        if "※" in self._shape[slice(*between)] and "※" not in self._shape[self._start : items[0].start]:
            return []
        for item, gap in zip(items, gaps[1:], strict=True):
            if gap and gap[0].kind == "bracket" and gap[0].start == item.end and item.cards:
                extra = self._unexplained_in(gap[0], item, {"boxed": []}, self._zones(gap[0]), printed=False)
                if extra:
                    return [self._with_problem(item, left_over(extra))]
        plain = [[token for token in gap if not token.boxed] for gap in numbers]
        if all(plain[1:]) or all(plain[:-1]):
            numbers = plain
        left, right = bool(numbers[0]), bool(numbers[-1])
        if (left and right) or any(len(gap) > 1 for gap in numbers):
            return []
        own = numbers[:-1] if left else numbers[1:]
        outer = [*numbers[0], *numbers[-1]]
        if len(items) > 1 and sum(map(len, numbers)) == len(outer) == 1:
            [of_all] = outer
            if not left or not self._counts_each(of_all):
                return []
            # It is that of each.
            own = [numbers[0]] * len(items)
        readings: list[Reading] = []
        leading: str | None = None
        for at, (item, count) in enumerate(zip(items, own, strict=True)):
            if not count and not _is_quoted(self._shape, item.start, item.end):
                return []
            zones: list[str] = []
            for token in gaps[at]:
                named = self._zones(token)
                if named and (at == 0 or self._is_heading(token)):
                    if self._is_loose(token, None):
                        return []
                    leading = named[0] if len(named) == 1 else leading
            for token in gaps[at + 1]:
                if not self._is_heading(token):
                    named = self._zones(token)
                    if any(self._is_other_zone(zone, token, item) for zone in named):
                        return [self._with_problem(item, not_home(self._bare_text(token)))]
                    zones += named
            copies = count[0].number if count else None
            zone = zones[0] if zones else leading
            problem = TWO_ZONES if len({*zones, *([leading] if leading else [])}) > 1 else None
            readings.append(
                Reading(self._written(item), item.cards, copies, copies, item.start, zone, problem=problem)
            )
        return readings
