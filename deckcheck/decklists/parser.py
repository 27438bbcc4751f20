"""What a stretch of a line says: its cards, how many of each, and in which zone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.decklists.lexer import (
    BULLETS,
    MOST_COPIES,
    Lexer,
    Token,
    compiled,
    number_in,
    trim,
)
from deckcheck.decklists.vocabulary import NOT_PLAYED, TWO_ZONES, Vocabulary, tagged, zones_named
from deckcheck.model.card import Card, Catalog
from deckcheck.support.messages import AND, Words, _, series

SEVERAL = _("this may be several cards (write each on a line of its own)")
SPAN = _("the count is not one number")
_MOST_SHOWN = 40


class Reading(NamedTuple):
    """A card and how many of it.

    `cards` is empty where the name isn't known, with several cards nobody can
    tell. `copies` is None where no count stands there, negative, 0 or absurd
    just as written; `most` differs from it only where two counts can be read.
    `number` is that of a numbered line; `zone` the one named on the line;
    `loose` is true where a bare word did that, so that it may be a title.
    `exact` tells that nothing but a count stands beside the name; beside one that nobody knows, that the count is
    marked as one. `trouble`
    says why the line can't be used though it names a known card.
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
    trouble: Words | None = None

    @property
    def countable(self) -> bool:
        """Whether the count is one that a deck can hold."""
        low, high = self.copies, self.most
        return low is None or high is None or (low > 0 and high <= MOST_COPIES)


def two_numbers(numbers: Sequence[int]) -> Words:
    """The trouble of a line with more than one possible count."""
    message = series(map(str, sorted(set(numbers))), AND)
    return _("more than one number could be the count ({message})", message=message)


def left_over(left: Sequence[str]) -> Words:
    """The trouble of a line that says more than a card and its count."""
    said = " ".join(left).strip()[:_MOST_SHOWN]
    return _("“{said}” is left over beside a card's name and its count", said=said)


def not_home(word: str) -> Words:
    """The trouble of a card beside which stands the word for a zone that isn't its home."""
    return _("“{word}” is not this card's zone (write it as a heading if it is)", word=word)


class _Item(NamedTuple):
    """A name on a line, known or not, with the tokens before it and behind it."""

    start: int
    end: int
    cards: tuple[Card, ...]


_QUOTES = {"《": "》", "「": "」", "『": "』"}
_BRACKETS = {"(": ")", "[": "]", "<": ">", "{": "}"}
_PARTING = r"[、,;|/()\[\]<>《》「」『』]|  +|\t|\u3000"
_HARD = r"[;|()\[\]<>《》]|[ \t\u3000]{2}|\t|\u3000|--|[ \t]-[ \t]|※|←"
_ORDINAL = r"[^0-9a-z①-⑳]*?(?:(?:no\.?[ \t]*)?(?P<n>[0-9]{1,3})[ \t]*[.)](?![0-9])|(?P<z>0[0-9]{1,2})(?=[ \t])|(?P<c>[①-⑳]))"
_MARKED = r"[ \t]*(?:[:=「『,、→←)\]|>*-]|$)"
_SPACED = r"[ \t《]*$|[ \t]+[^ \t:=「『,、→←)\]|>*-]"
_ENDS = " \t.。!★☆♪*†‡"
_GLUED_LEFT = r"(?P<n>[0-9]{1,3})(?:x(?![a-z]*[ \t])|(?=[^\x00-\x7f]))"
_GLUED_RIGHT = r"(?<=[^\x00-\x7f])(?P<n>[0-9]{1,3})$"
_BOUND = r"(?P<name>.*[^ \tx*])[ \t]*[x*]?(?P<n>(?<![0-9])[0-9]{1,3})"


class Parser:
    """Reads stretches of lines in a game's words with a card table; the lexer says where the names are."""

    def __init__(self, words: Vocabulary, catalog: Catalog) -> None:
        self.words = words
        self.lexer = Lexer(catalog, words.patterns, lambda text: bool(zones_named(words, text)))

    def name(self, text: str) -> tuple[Card, ...]:
        """The cards of a name that stands alone."""
        return self.lexer.find(text)

    def known(
        self, line: str, shape: str, start: int = 0, end: int | None = None, *, counted: bool = False
    ) -> list[Reading]:
        """The entries of a stretch that names known cards; [] where it names none.

        Several each have a count of their own, or stand in 《》. What leaves
        letters, numbers or marks unexplained is one reading with its trouble. `counted` tells that the
        count stands elsewhere, so that digits are the name's.
        """
        end = len(line) if end is None else end
        whole = trim(shape, 0, len(shape)) == (start, end) and not counted
        tokens = self.lexer.line_tokens(line) if whole else self.lexer.tokens(line, shape, start, end)
        if not any(token.kind == "name" for token in tokens):
            return self._unknown_names(line, shape, tokens)
        return _Stretch(self, line, shape, start, end, tokens, counted=counted).readings()

    def exactly(self, line: str, shape: str, start: int = 0, end: int | None = None) -> Reading | None:
        """The only entry of a stretch in which nothing but its count stands beside the name."""
        found = self.known(line, shape, start, end)
        return found[0] if len(found) == 1 and found[0].exact and found[0].trouble is None else None

    def single(
        self, line: str, shape: str, start: int = 0, end: int | None = None, *, counted: bool = False
    ) -> Reading | None:
        """The only entry of a stretch; None where it names no known card."""
        cards = self.name(line[start:end]) if counted else ()
        if cards:
            first, last = trim(shape, start, len(line) if end is None else end)
            return Reading(line[first:last], cards, start=first, exact=True)
        found = self.known(line, shape, start, end, counted=counted)
        if len(found) > 1:
            return found[0]._replace(written=line[slice(start, end)].strip(), trouble=SEVERAL)
        return found[0] if found else None

    def _unknown_names(self, line: str, shape: str, tokens: Sequence[Token]) -> list[Reading]:
        """The trouble of a stretch with two or more names in 《》 that nobody knows."""
        words = [token for token in tokens if token.kind == "word"]
        if len(words) > 1 and all(_is_quoted(shape, word.start, word.end) for word in words):
            return [Reading(line.strip(), (), trouble=SEVERAL)]
        return []

    def guess(self, line: str, shape: str, start: int = 0, end: int | None = None) -> Reading | None:
        """The plainest reading of a stretch that names no known card; None where it holds no letter or digit."""
        end = len(line) if end is None else end
        tokens = self.lexer.tokens(line, shape, start, end)
        last = tokens[-1] if tokens else None
        if last is not None and last.kind == "comment" and self.lexer.joins(shape, last.start):
            # What looks like a comment may be the other half of the name.
            tokens = [*tokens[:-1], *self.lexer.tokens(line, shape, last.start + 2, end)]
        return _Stretch(self, line, shape, start, end, tokens, counted=False).unknown()


def _is_quoted(shape: str, start: int, end: int) -> bool:
    first, last = trim_left(shape, start), trim_right(shape, end)
    return _QUOTES.get(shape[first - 1 : first], "\0") == shape[last : last + 1]


def trim_left(shape: str, start: int) -> int:
    while start > 0 and shape[start - 1] in " \t“\"'":
        start -= 1
    return start


def trim_right(shape: str, end: int) -> int:
    while end < len(shape) and shape[end] in " \t”\"'":
        end += 1
    return end


class _Stretch:
    """The tokens of a stretch as names and what stands between them."""

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
        self._gaps: list[list[Token]] = [[]]
        self._tokens = tokens
        for token in tokens:
            self._add(token)

    def _add(self, token: Token) -> None:
        if token.kind not in ("name", "word"):
            self._gaps[-1].append(token)
            return
        before = self._items[-1] if self._items and not self._gaps[-1] else None
        if before is not None and not (before.cards and token.cards):
            between = self._shape[before.end : token.start]
            if not compiled(_PARTING).search(between):
                # What nobody knows beside a name makes another name of it.
                self._items[-1] = _Item(before.start, token.end, ())
                return
        self._items.append(_Item(token.start, token.end, token.cards))
        self._gaps.append([])

    def readings(self) -> list[Reading]:
        """The entries; one with its trouble where they can't be told; [] where no known name is left."""
        known = [item for item in self._items if item.cards]
        if not known:
            return []
        self._drop_asides()
        if len(self._items) == 1:
            return [self._single(self._items[0], *self._gaps)]
        parts = self._several()
        if parts:
            return parts
        unknown = [item for item in self._items if not item.cards]
        if all(map(self._in_brackets, known)):
            return []
        if not unknown:
            aside = next((item for item in self._items[1:] if self._in_brackets(item)), None)
            why = SEVERAL if aside is None else left_over([self._text(aside)])
            return [self._trouble(self._items[0], why)]
        if len(known) > 1 or all(self._is_apart(item) for item in unknown):
            return [self._trouble(known[0], left_over(list(map(self._text, unknown))))]
        return []

    def _text(self, item: _Item) -> str:
        return self._line[item.start : item.end]

    def _trouble(self, item: _Item, why: Words) -> Reading:
        return Reading(self._text(item), item.cards, start=item.start, trouble=why)

    def _in_brackets(self, item: _Item) -> bool:
        close = _BRACKETS.get(self._shape[item.start - 1 : item.start])
        return close is not None and self._shape[item.end : item.end + 1] == close

    def _is_apart(self, item: _Item) -> bool:
        """Whether an unknown name is set off from the known one beside it by more than a blank."""
        at = self._items.index(item)
        hard = compiled(_HARD)
        for other in self._items[max(at - 1, 0) : at + 2]:
            if other.cards:
                first, last = sorted((item, other))
                gap = self._gaps[self._items.index(last)]
                if not hard.search(self._shape, first.end, last.start) and not any(
                    token.kind == "number" for token in gap
                ):
                    return False
        return True

    def _drop_asides(self) -> None:
        """Leaves out names in brackets behind a card that say it again, or that a site writes behind a set."""
        at = 1
        while at < len(self._items):
            item, before = self._items[at], self._items[at - 1]
            gap, behind = self._gaps[at], self._gaps[at + 1]
            printed = any(token.kind == "code" for token in gap) and self._shape[item.start - 1] == "["
            same = item.cards and item.cards == before.cards
            if (
                item.cards
                and self._in_brackets(item)
                and (same or printed)
                and not any(token.kind == "number" for token in behind)
            ):
                del self._items[at]
                self._gaps[at : at + 2] = [gap + behind]
            else:
                at += 1

    def _zones(self, token: Token) -> tuple[str, ...]:
        """The zones that a token names; () for none."""
        text = self._shape[token.start : token.end]
        if token.kind == "comment":
            return tagged(self._words, text) if text[0] == "#" else ()
        if token.kind not in ("zone", "bracket", "code", "note"):
            return ()
        return zones_named(self._words, text if token.kind == "zone" else self._inner(token))

    def _is_foreign(self, zone: str, token: Token, item: _Item) -> bool:
        """Whether a token names a zone for a card that has its home elsewhere, and is no heading."""
        if zone in self._words.beside or {card.home for card in item.cards} <= {zone}:
            return False
        headed = any(sign in self._shape[token.start : token.end] for sign in ":=")
        return not (headed or self._is_heading(token) or self._is_ahead(token))

    def _is_count(self, comment: Token) -> bool:
        """Whether a comment is nothing but a count."""
        said = self._shape[comment.start : comment.end].strip("#/ \t")
        return compiled(self._words.patterns.alone).fullmatch(said) is not None

    def _inner(self, token: Token) -> str:
        """What stands in a token's brackets, or behind its arrow."""
        text = self._shape[token.start : token.end]
        close = _BRACKETS.get(text[0])
        return text.lstrip("※←<- \t") if close is None or close not in text else text[1 : text.rfind(close)]

    def _said(self, token: Token) -> str:
        """What a token says as it is written, without its brackets or signs."""
        return self._line[token.start : token.end].strip("()[]<>{}（）［］【】〔〕〖〗＜＞〈〉#＃※← \t\u3000")

    def _is_heading(self, token: Token) -> bool:
        """Whether a zone's word stands before a colon."""
        return compiled(r"[ \t]*[:=]").match(self._shape, token.end) is not None

    def _is_ahead(self, token: Token) -> bool:
        """Whether a token opens the line, with a bullet at most before it."""
        away = " \t" + "".join(set(BULLETS) - {"<", ">"})
        return trim(self._shape, self._start, self._end, away)[0] == token.start

    def _is_loose(self, token: Token, behind: int | None) -> bool:
        """Whether nothing but a blank parts a zone's word from the name (which ends at `behind`, if it stands before)."""
        shape = self._shape
        if token.kind != "zone":
            return False
        if behind is None:
            spaced = compiled(_SPACED).match(shape, token.end)
            return spaced is not None or not compiled(_MARKED).match(shape, token.end)
        before = shape[behind : token.start].rstrip(" \t")[-1:]
        return before == "" or before not in "(←[<*-"

    def unknown(self) -> Reading | None:
        """All names and words together as one name that nobody knows; None where there are none."""
        shape = self._shape
        named = [token for token in self._tokens if token.kind in ("name", "word")]
        if not named:
            return None
        start, end = named[0].start, named[-1].end
        before = [token for token in self._tokens if token.end <= start]
        behind = [token for token in self._tokens if token.start >= end]
        counts = [token for token in before if token.kind == "number"]
        while behind and (
            (behind[0].kind == "bracket" and not self._zones(behind[0]))
            or (behind[0].kind == "number" and counts and not (behind[0].marked or behind[0].boxed))
        ):
            # What nobody knows behind a name may be a part of it.
            end = behind.pop(0).end
        while end - start > 1 and shape[end - 1] in _ENDS:
            end -= 1
        if start > self._start and shape[start - 1] in "=+@" and not shape[self._start : start - 1].strip():
            start -= 1
        counts += [token for token in behind if token.kind == "number"]
        glued = compiled(_GLUED_LEFT).match(shape, start, end) if not counts else None
        if glued:
            start = trim(shape, glued.end(), end)[0]
        tail = compiled(_GLUED_RIGHT).search(shape, start, end) if not counts and not glued else None
        if tail:
            end = trim(shape, start, tail.start())[1]
        found = self._single(_Item(start, end, ()), before, behind)
        copies = found.copies
        for digits in (glued, tail):
            copies = int(digits["n"]) if digits else copies
        return found._replace(
            copies=copies, most=copies, exact=any(token.marked or token.boxed for token in counts)
        )

    def _single(self, item: _Item, before: Sequence[Token], behind: Sequence[Token]) -> Reading:
        left: list[str] = []
        foreign: list[str] = []
        spans = False
        zones: dict[str, bool] = {}
        counts: dict[str, list[int]] = {"said": [], "boxed": [], "cost": [], "weak": []}
        boxed = any(token.boxed for token in before[:1])
        ordinal = None if boxed else compiled(_ORDINAL).match(self._shape, self._start, item.start)
        number = number_in(ordinal[ordinal.lastgroup or 0]) if ordinal else None
        exact = not any(token.kind != "number" for token in (*before, *behind))
        printed = False
        for token in (*before, *behind):
            first = token.start < item.start
            text = self._line[token.start : token.end]
            if token.kind == "number":
                if ordinal is not None and token.start < ordinal.end():
                    continue
                kind = "said" if not token.boxed else "cost" if first else "boxed"
                counts[kind].append(token.number)
                continue
            named = self._zones(token)
            if any(self._is_foreign(zone, token, item) for zone in named):
                foreign.append(self._said(token))
            for zone in named:
                loose = self._is_loose(token, None if first else item.end)
                zones[zone] = zones.get(zone, True) and loose
            if token.kind == "zone" and first and zones and not self._is_heading(token):
                following = compiled(r"[ \t]*[(\[]").match(self._shape, token.end)
                if following and zones.get(named[0] if named else ""):
                    left.append(text)
            if token.kind == "span":
                spans = True
            elif (
                token.kind in ("bracket", "code")
                and item.cards
                and self._said(token).casefold() in NOT_PLAYED
            ):
                left.append(self._said(token))
            elif token.kind == "code":
                inner = self._line[token.start : token.end].strip()
                left += self._code(inner, item, printed)
                if token.number and item.cards:
                    counts["said" if named else "weak"].append(token.number)
                printed = printed or text[0] == "("
            elif token.kind == "bracket":
                left += self._aside(token, item, counts, named, printed) if item.cards else []
            elif token.kind in ("joint", "ditto") and item.cards:
                left.append(text)
        place: str | None = next(iter(zones), None)
        trouble = left_over(left) if left else TWO_ZONES if len(zones) > 1 else SPAN if spans else None
        if foreign and trouble is None:
            trouble = not_home(foreign[0])
        numbers = counts["said"] + counts["boxed"]
        if item.cards and not numbers and trouble is None:
            said = (
                self._said(token) for token in behind if token.kind == "comment" and self._is_count(token)
            )
            trouble = next((left_over([text]) for text in said), None)
        if not counts["said"] or all(
            not token.marked for token in (*before, *behind) if token.kind == "number"
        ):
            numbers += counts["cost"]
        numbers = numbers or counts["weak"]
        if trouble is None and len(set(numbers)) > 1:
            trouble = two_numbers(numbers)
        copies = most = numbers[0] if numbers else None
        if copies is not None and numbers is counts["weak"]:
            # It may be the card's number in its set.
            copies = 1
        is_loose = place is not None and zones[place]
        found = Reading(
            self._text(item), item.cards, copies, most, item.start, place, number, is_loose, exact, trouble
        )
        if not item.cards or self._counted or number is not None:
            return found
        return self._both(found, item) if copies is None else self._glued(found, item, behind)

    def _code(self, text: str, item: _Item, printed: bool) -> list[str]:
        """What a set's code in brackets says that is no code: the name of another card."""
        if text[:1] not in "([（［【" or printed:
            return []
        said = compiled(r"^.([^\])）］】]*)").match(text)
        inner = said[1].strip() if said else ""
        if 2 <= len(inner) <= 5 and inner.isascii() and inner.isalnum() and inner.isupper():
            return []
        cards = self._parser.name(inner)
        return [inner] if cards and cards != item.cards else []

    def _aside(
        self, token: Token, item: _Item, counts: dict[str, list[int]], named: Sequence[str], printed: bool
    ) -> list[str]:
        """What a remark in brackets leaves unexplained: numbers that are no count, and names of cards."""
        line, shape = self._line, self._shape
        inner = self._inner(token)
        first = token.start + shape[token.start : token.end].find(inner)
        text = line[first : first + len(inner)]
        if (
            shape[token.start] == "<"
            and token.start == item.end
            and self._parser.lexer.goes_on(self._text(item))
        ):
            # What is no card's name may be a slip in one.
            return [text]
        tokens = self._parser.lexer.tokens(line, shape, first, first + len(inner))
        foreign = [part for part in tokens if part.kind == "name" and part.cards != item.cards]
        if foreign and not (printed and shape[token.start] == "["):
            return [line[foreign[0].start : foreign[0].end]]
        if named:
            return []
        words = [shape[part.start : part.end] for part in tokens if part.kind in ("word", "span")]
        numbers = [part.number for part in tokens if part.kind == "number"]
        said = compiled(self._words.patterns.mark).findall(inner)
        marked = any(zones_named(self._words, word) for word in said)
        if numbers and not words and not marked:
            counts["boxed"] += numbers
            return []
        return [text] if numbers or marked or any(char.isdigit() for char in "".join(words)) else []

    def _glued(self, found: Reading, item: _Item, behind: Sequence[Token]) -> Reading:
        """The same, with the card whose name has some of the digits that are glued to it."""
        token = next((token for token in behind if token.kind == "number"), None)
        if token is None or token.start != item.end:
            return found
        run = compiled(r"[0-9]*").match(self._shape, token.start, token.end)
        digits = run[0] if run else ""
        for size in range(1, len(digits)):
            other = self._parser.name(self._line[item.start : item.end + size])
            if other and other != item.cards:
                cards = tuple({id(card): card for card in (*item.cards, *other)}.values())
                counts = int(digits), int(digits[size:])
                return found._replace(cards=cards, copies=min(counts), most=max(counts))
        return found

    def _both(self, found: Reading, item: _Item) -> Reading:
        """The same, with the card whose name and count would make the same letters as the other reading."""
        shape, text = self._shape, self._text(item)
        if _is_quoted(shape, item.start, item.end):
            return found
        bound = compiled(_BOUND).fullmatch(shape[item.start : item.end])
        other = self._parser.name(text[: bound.end("name")]) if bound else ()
        if bound is None or not other:
            bound = compiled(r"(?P<n>[1-9][0-9]{0,2})[ \t]*(?P<name>[^0-9].*)").fullmatch(
                shape[item.start : item.end]
            )
            other = self._parser.name(text[bound.start("name") :]) if bound else ()
        if bound is None or not other or text in (card.name for card in item.cards if other == item.cards):
            return found
        cards = tuple({id(card): card for card in (*item.cards, *other)}.values())
        return found._replace(cards=cards, copies=1, most=max(int(bound["n"]), 1))

    def _several(self) -> list[Reading]:
        """The entries of a line with several, each with its count; [] where they can't be told."""
        items, gaps = self._items, self._gaps
        numbers = [[token for token in gap if token.kind == "number"] for gap in gaps]
        if any(token.kind in ("span", "ditto") for gap in gaps for token in gap):
            return []
        # An arrow says that one card goes for another.
        between = items[0].end, items[-1].start
        if compiled(r"→|⇒|->|>").search(self._shape, *between):
            return []
        # What stands behind ※ is a remark, unless every card has one before it.
        if "※" in self._shape[slice(*between)] and "※" not in self._shape[self._start : items[0].start]:
            return []
        for item, gap in zip(items, gaps[1:], strict=True):
            if gap and gap[0].kind == "bracket" and gap[0].start == item.end and item.cards:
                said = self._aside(gap[0], item, {"boxed": []}, self._zones(gap[0]), printed=False)
                if said:
                    return [self._trouble(item, left_over(said))]
        plain = [[token for token in gap if not token.boxed] for gap in numbers]
        if all(plain[1:]) or all(plain[:-1]):
            numbers = plain
        left, right = bool(numbers[0]), bool(numbers[-1])
        if (left and right) or any(len(gap) > 1 for gap in numbers):
            return []
        own = numbers[:-1] if left else numbers[1:]
        readings: list[Reading] = []
        ahead: str | None = None
        for at, (item, count) in enumerate(zip(items, own, strict=True)):
            if not count and not _is_quoted(self._shape, item.start, item.end):
                return []
            zones: list[str] = []
            for token in gaps[at]:
                named = self._zones(token)
                if named and (at == 0 or self._is_heading(token)):
                    if self._is_loose(token, None):
                        return []
                    ahead = named[0] if len(named) == 1 else ahead
            for token in gaps[at + 1]:
                if not self._is_heading(token):
                    named = self._zones(token)
                    if any(self._is_foreign(zone, token, item) for zone in named):
                        return [self._trouble(item, not_home(self._said(token)))]
                    zones += named
            copies = count[0].number if count else None
            zone = zones[0] if zones else ahead
            trouble = TWO_ZONES if len({*zones, *([ahead] if ahead else [])}) > 1 else None
            readings.append(
                Reading(self._text(item), item.cards, copies, copies, item.start, zone, trouble=trouble)
            )
        return readings
