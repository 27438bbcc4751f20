"""What stands on a line beside a card's name: all of it must be understood, or the line wasn't read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from deckcheck.decklists.shapes import KANJI, compiled, number_said
from deckcheck.decklists.vocabulary import TWO_ZONES
from deckcheck.model.card import Card
from deckcheck.support.messages import AND, Words, _, series

Find = Callable[[str], tuple[Card, ...]]
Named = Callable[[str], Sequence[str]]
_MOST_SHOWN = 40
_LONGEST = 400


class Beside(NamedTuple):
    """What the words around a name say.

    `copies` is None where they give no count, `number` that of a numbered line,
    `twice` tells that the count was said more than once. `trouble` says what
    couldn't be understood, None where all was.
    """

    copies: int | None
    number: int | None
    zone: str | None
    loose: bool
    twice: bool
    trouble: Words | None


class _Token(NamedTuple):
    kind: str
    value: int
    zone: str | None = None
    loose: bool = False


_COUNTS = ("said", "plain", "boxed")


def beside_pattern(
    counters: Sequence[str], notes: Sequence[str], marks: Sequence[str], prefixes: Sequence[str]
) -> str:
    """The pattern of whatever may stand beside a name, in a game's words; for `judge`."""

    def any_of(words: Sequence[str]) -> str:
        ordered = sorted({word.lower() for word in words}, key=lambda word: (-len(word), word))
        # A word of letters doesn't end within another.
        found = [
            (r"(?<![a-z0-9])" if word[:1].isascii() and word[:1].isalnum() else "")
            + re.escape(word).replace(r"\{n\}", "[0-9]+")
            + (r"(?![a-z0-9])" if word[-1:].isascii() and word[-1:].isalnum() else "")
            for word in ordered
            if word
        ]
        return "(?:" + "|".join(found) + ")" if found else "(?!)"

    word, digits = any_of(counters), rf"(?:[0-9]+|[①-⑨]|[{KANJI}](?={any_of(counters)}))"
    return "|".join(
        [
            r"(?P<comment>(?:#|//).*)",
            r"(?P<price>(?:@[ \t]*)?(?:[¥$€£][ \t]*[0-9][0-9,.]*|[0-9][0-9,.]*[ \t]*(?:円|yen|tix|usd|eur)(?![a-z]))[ \t]*-?)",
            rf"(?P<span>[0-9]+[ \t]*[./~～〜-][ \t]*[0-9]+(?:[ \t]*{word})?)",
            r"(?P<code>\((?=[^)]*[a-z])(?!x[0-9]+\))(?![0-9]+[ \t]*x?\))[a-z0-9][a-z0-9:/#-]{1,15}\)"
            r"|\[(?=[^\]]*[a-z])(?!x[0-9]+\])(?![0-9]+[ \t]*x?\])[a-z0-9][a-z0-9:/#†★*-]{1,15}\]"
            r"|(?<![0-9a-z])[a-z]{2,5}[0-9]{0,3}-(?=[a-z]*[0-9])[a-z0-9]{1,6}(?:-[a-z0-9]{1,6})?(?![0-9a-z/-]))"
            r"(?:[ \t:]+#?(?P<number>[0-9]{1,4}(?![0-9a-z/-])|[a-z]{0,4}[0-9]{1,4}[a-z]?(?:/[a-z]{0,4}[0-9]{1,4})?)(?![0-9a-z枚]))?",
            rf"(?P<mark>{any_of(marks)})",
            rf"(?P<prefix>{any_of(prefixes)})(?=[ \t]*[:=])",
            rf"(?P<note>{any_of(notes)})",
            r"(?P<boxed>[(\[<][ \t]*(?P<b>[0-9]+|[①-⑨])[ \t]*[)\]>])",
            rf"(?P<said>[x*][ \t]*(?P<s>{digits})[ \t]*{word}?|(?P<t>{digits})[ \t]*(?:{word}|x(?![a-z0-9])))",
            rf"(?P<plain>{digits})",
            r"(?P<foil>\*[a-z]\*)",
            r"(?P<soft>\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>|\{[^{}]*\}|(?:※|←|<-)(?:(?![ \t]{2}|;).)*)",
            r"(?P<space>[ \t]+)",
        ]
    )


_ORDINAL = r"[^0-9a-z①-⑳]*(?:(?:no\.?[ \t]*)?(?P<n>[0-9]{1,3})[ \t]*[.)](?![0-9])|(?P<c>[①-⑳]))"
_MARKED = r"[ \t]*(?:[:=「『,、→←)\]|>*-]|$)"


class Around(NamedTuple):
    """A line, its shape, and the name that was found on it."""

    line: str
    shape: str
    start: int
    end: int
    cards: tuple[Card, ...]
    longer: Callable[[str], bool] = lambda _name: False
    """Whether a known name goes on behind this one with what stands in <>."""


def judge(pattern: str, zones: Named, find: Find, around: Around, first: int, last: int) -> Beside:
    """What stands on `first` to `last` of a line around its name.

    `pattern` comes from beside_pattern; `zones` tells the zones that levelled
    text names; `find` knows the cards, for a comment that names one is none.
    """
    shape, start, end = around.shape, around.start, around.end
    tokens: list[_Token] = []
    left: list[str] = []
    at = first
    ordinal = compiled(_ORDINAL).match(shape, first, start)
    number = None
    if ordinal:
        number, at = number_said(ordinal["n"] or ordinal["c"]), ordinal.end()
    for begin, stop, side in ((at, start, "left"), (end, last, "right")):
        for token in _tokens(pattern, zones, find, around, begin, stop, side):
            if isinstance(token, str):
                left.append(token)
            else:
                tokens.append(token)
    trouble = left_over(left) if left else None
    marked = {token.zone: token.loose for token in tokens if token.kind == "zone"}
    if len(marked) > 1:
        trouble = trouble or TWO_ZONES
    copies, twice, clash = _count(tokens)
    if trouble is None and any(token.kind == "span" for token in tokens):
        trouble = SPAN
    if clash and trouble is None:
        trouble = two_numbers(clash)
    zone = next(iter(marked), None)
    return Beside(copies, number, zone, bool(zone and marked[zone]), twice, trouble)


SPAN = _("the count is not one number")


def two_numbers(numbers: Sequence[int]) -> Words:
    """The trouble of a line with more than one possible count."""
    said = sorted(set(numbers))
    message = series(map(str, said), AND)
    return _("more than one number could be the count ({message})", message=message)


def left_over(left: Sequence[str]) -> Words:
    """The trouble of a line that says more than a card and its count."""
    said = " ".join(left).strip()[:_MOST_SHOWN]
    return _("“{said}” is left over beside a card's name and its count", said=said)


def _count(tokens: Sequence[_Token]) -> tuple[int | None, bool, list[int]]:
    """The count, whether it was said twice, and the numbers that contend for it."""
    by: dict[str, list[_Token]] = {kind: [] for kind in (*_COUNTS, "weak", "cost")}
    for token in tokens:
        if token.kind in by:
            by[token.kind].append(token)
    said = [token.value for token in by["said"]]
    # A number in brackets before the name gives way to a plain "times N" behind it: it is a cost.
    numbers = said + [token.value for token in by["plain"] + by["boxed"]]
    if not said:
        numbers += [token.value for token in by["cost"]]
    if not numbers:
        numbers = [token.value for token in by["weak"]]
    if not numbers:
        return None, False, []
    return numbers[0], len(numbers) > 1, numbers if len(set(numbers)) > 1 else []


def _tokens(
    pattern: str,
    zones: Named,
    find: Find,
    around: Around,
    begin: int,
    stop: int,
    side: str,
) -> Iterator[_Token | str]:
    line, shape = around.line, around.shape
    search, at = compiled(pattern), begin
    printed = False
    while at < stop:
        found = search.match(shape, at, stop)
        kind = found.lastgroup if found else None
        if found is None or kind is None or (kind == "comment" and side == "left"):
            if shape[at].isalnum():
                upto = at + 1
                while upto < stop and (shape[upto].isalnum() or shape[upto] in "・"):
                    upto += 1
                yield line[at:upto]
                at = upto
            else:
                at += 1
            continue
        text = found[0]
        kind = next(name for name in _KINDS if found[name] is not None)
        if kind == "comment":
            yield from (_Token("zone", 0, zone) for zone in zones(text))
            return
        if kind == "span":
            yield _Token("span", 0)
        elif kind in ("said", "plain"):
            yield _Token(kind, number_said(found["s"] or found["t"] or text))
        elif kind == "boxed":
            yield _Token("cost" if side == "left" else "boxed", number_said(found["b"]))
        elif kind in ("mark", "prefix"):
            loose = _loose(shape, found.start(), found.end(), begin, side)
            # What stands before a colon is a heading, and the colon tells so.
            said = f"{text}:" if kind == "prefix" else text
            yield from (_Token("zone", 0, zone, loose) for zone in zones(said))
        elif kind == "code":
            said = line[found.start("code") : found.end("code")].strip("()[]（）［］【】")
            # Capitals are a set's; behind a set a site writes labels of its own.
            inner = None if printed or _is_set(said) else named_in(said, around.cards, find)
            if inner:
                yield inner
            printed = printed or text[0] == "("
            named = zones(found["code"].strip("()[]"))
            yield from (_Token("zone", 0, zone) for zone in named)
            if (found["number"] or "").isdigit():
                yield _Token("plain" if named else "weak", int(found["number"]))
        elif kind == "soft" and not (
            printed and text[0] == "[" and not zones(text[1:-1]) and _is_label(text)
        ):
            yield from _soft(pattern, zones, find, around, found.start(), found.end())
        at = max(found.end(), at + 1)


def _is_set(said: str) -> bool:
    return 2 <= len(said) <= 5 and said.isascii() and said.isalnum() and said.isupper()


def _is_label(text: str) -> bool:
    return not any(map(str.isdigit, text))


_KINDS = (
    "comment", "price", "span", "code", "mark", "prefix", "note", "boxed", "said", "plain", "foil", "soft", "space",
)  # fmt: skip


def _loose(shape: str, start: int, end: int, begin: int, side: str) -> bool:
    if side == "left":
        return compiled(r"[ \t《]*$|[ \t]+[^ \t:=「『,、→←)\]|>*-]").match(
            shape, end
        ) is not None or not compiled(_MARKED).match(shape, end)
    before = shape[begin:start].rstrip(" \t")[-1:]
    return before not in tuple("(←[<*-") or before == ""


def _soft(
    pattern: str,
    zones: Named,
    find: Find,
    around: Around,
    start: int,
    end: int,
) -> Iterator[_Token | str]:
    """What a comment that isn't marked as one says: nothing, unless it holds numbers, marks or cards."""
    line, shape = around.line, around.shape
    first, last = start + 1, end
    if shape[end - 1] in ")]>}" and shape[start] in "([<{":
        last = end - 1
    if shape.startswith("<-", start):
        first = start + 2
    inner = line[first:last]
    if shape[start] == "<" and start == around.end and around.longer(line[around.start : around.end]):
        # What is no card's name may be a slip in one.
        yield inner
        return
    foreign = named_in(inner, around.cards, find)
    if foreign:
        yield foreign
        return
    parts = list(_tokens(pattern, zones, find, around, first, last, "right"))
    counted = any(isinstance(part, _Token) and part.kind in _COUNTS for part in parts)
    words = [part for part in parts if isinstance(part, str)]
    named = zones(shape[first:last])
    marked = {part.zone for part in parts if isinstance(part, _Token) and part.kind == "zone"}
    if counted and not words and not marked:
        yield from (part._replace(kind="boxed") for part in parts if isinstance(part, _Token))
    elif counted or any(char.isdigit() for part in words for char in part) or marked - set(named):
        # A zone's word among others may say anything of it.
        yield inner
    else:
        yield from (_Token("zone", 0, zone) for zone in named)


_PIECES = r"[^\s、,;/・+&|()\[\]（）【】「」『』《》≪≫<>＜＞〈〉{}*:：;；=＝×~～→!！?？。0-9０-９]+"
_MOST_PIECES = 8


def named_in(text: str, besides: tuple[Card, ...], find: Find) -> str | None:
    """The first name of a card in a text, None where it names none but `besides`."""
    if len(text) > _LONGEST:
        return text[:_MOST_SHOWN]
    pieces = [(found.start(), found.end()) for found in compiled(_PIECES).finditer(text)]
    if len(pieces) > 60:
        return text[:_MOST_SHOWN]
    for place, (first, _end) in enumerate(pieces):
        for _start, last in pieces[place : place + _MOST_PIECES]:
            cards = find(text[first:last])
            if cards and cards != besides:
                return text[first:last]
    return None
