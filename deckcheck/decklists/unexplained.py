"""The last word on a list: no character may be lost.

It knows nothing of how a list was read. It gets the text of a line and what its stretches were taken for, and finds
the first character that nothing explains; its line is then told, whatever was read from it.
"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from deckcheck.decklists.decoding import HIDING
from deckcheck.decklists.lines import Stretch, Taken, Why
from deckcheck.support.messages import Words

SEPARATORS = frozenset(
    " \t\u3000-－–—―‐‑−‒〜～、。.,;:：；=＝|｜/／()（）[]［］<>＜＞{}《》〈〉【】〔〕「」｢｣『』“”‘’\"'`´*＊#＃!！・･•…‥&＆~"
    "●○■□◆◇★☆▪▫◦‣⁃▶►▷▸✓✔♦※_✅👍🔥⭐🌟✨♪"
)
"""Characters that only separate or decorate, where no other rule says what they mean."""

_STRUCK = re.compile(
    r"~~|[\u0335-\u0338]|</?(?:s|del|strike)\b[^>]*>|\[/?(?:s|del|strike)\]|^\W*--.*--\W*$"
    rf"|^\W*~[^~]+~\W*$|^\s*(?P<mark>[-–—−])(?=.*\d)\w.*[\w)](?P=mark)\s*$|<[^<>]*(?:{HIDING})[^<>]*>",
    re.IGNORECASE,
)
_SIGN_IN_FRONT = re.compile(
    r"\s*(?:[-*][ \t]+|[・•][ \t]*)?([■□●○◆◇★☆▪▫▶▷]|\[[ x]\]|--+|;|※|\[-\]|\(-\)|rem\b|[x×✕✖](?=[ \t]+[0-9])"
    r"|[-–—−―－ーｰ~～](?=[ \t]*[^\s_~])|[+＋]|[/／](?![/／*])|[<＜](?=[ \t]|[^>＞]*$)|[!！]|[(（](?=[^()（）]+[)）]\s*$)|[\[［【](?=[^\[\]［］【】]+[\]］】]\s*$))",
    re.IGNORECASE,
)
_ANYWHERE = re.compile(r"[<>!]=|[≠≒≈]|(?<=\S)\s*[\[(（【]\s*[-–—−]\s*[\])）】]")
_BEHIND_CARD = re.compile(r"※.*\S")
_BEHIND_BOTH = re.compile(
    r"([|★☆●○■□◆◇▪▫•♦✓✔!！⭐🔥👍✅🌟✨※+])(?:\s*\1)+|[-=~]+>|<[-=~]+|(?<=\s)[<>＜＞](?=\s)|(?:…|\.{2,}|。{2,})\s*$"
)
"""A tally, an arrow or an omission behind a card and its count."""
_PLUS, _CHANGES = frozenset("+＋"), frozenset("+＋-–—−―－")
_JOINED_SIGN = re.compile(r"(?<=\S)[-–—−―－+＋]$")
_TWINS = dict(zip("■□●○◆◇★☆▪▫▶▷", "□■○●◇◆☆★▫▪▷▶", strict=True))
"""Bullets by their hollow or filled twins: together, one may stand for cards that are in and the other for those that are out."""
_LETTER = re.compile(r"[(\[（［【<＜][^\W_][)\]）］】>＞]")
_COMPARING = re.compile(r"[=＝…‥]|\.{2}")
_OPENING, _CLOSING = tuple("([（［【"), tuple(")]）］】")
_SIGNED = frozenset("+＋~〜～±<>＜＞≤≥≦≧^")
"""Signs that change a number which they touch."""
_KNOWN = "\0"
"""Stands for each character that a stretch explains."""
_BLANK = f"{_KNOWN} \t\u3000"


class Leftover(Struct, frozen=True):
    """The first text of a line that nothing explains, by where it begins, and what to say of it."""

    start: int
    why: Words


def leftover(text: str, stretches: Sequence[Stretch]) -> Leftover | None:
    """What of a line is explained by no stretch; None if all of it is."""
    if _KNOWN in text:
        return _unexplained(text, text.index(_KNOWN), len(text))
    for match in _STRUCK.finditer(text):
        # A name may hold such signs itself.
        if not _within(match.start(), stretches):
            return Leftover(match.start(), Why.STRUCK_OUT)
    rest = text
    for part in stretches:
        rest = rest[: part.start] + _KNOWN * (part.end - part.start) + rest[part.end :]
    card = min((part.end for part in stretches if part.taken is Taken.CARD), default=len(text))
    count = min((part.start for part in stretches if part.taken is Taken.COUNT), default=-1)
    for pattern, first in ((_ANYWHERE, 0), (_BEHIND_CARD, card), (_BEHIND_BOTH, max(card, count + 1))):
        if said := pattern.search(rest, first):
            return _unexplained(text, *said.span())
    starts = [part.start for part in stretches]
    for index, char in enumerate(rest):
        if char in _SIGNED:
            if not _is_harmless(text, index, stretches, starts):
                return _unexplained(text, index, index + 1)
        elif char != _KNOWN and not char.isspace() and char not in SEPARATORS:
            word = rest[index:].split(_KNOWN)[0].split()[0]
            return _unexplained(text, index, index + len(word))
    return _alternative(text, rest, stretches)


class _Mark(Struct, frozen=True):
    """A sign, a tag in front of a card or a letter behind it, which may take the card out; a fact of the card doesn't."""

    kind: str
    written: str
    start: int
    is_fact: bool = False


def odd_marks(texts: Mapping[int, str], cards: Mapping[int, Sequence[Stretch]]) -> dict[int, Leftover]:
    """For each line or cell of cards, its first mark of a kind that most of them lack.

    Where most have one, it is a bullet, or one of a column of facts about the cards, whatever it says.
    """
    marks = {index: [*_marks_of(texts[index], stretches)] for index, stretches in cards.items()}
    having = Counter(kind for own in marks.values() for kind in {mark.kind for mark in own})
    usual = {kind for kind, lines in having.items() if 2 * lines > len(cards)}
    usual |= {bullet for bullet, twin in _TWINS.items() if twin not in having}
    if not _PLUS.isdisjoint(having):
        usual -= _CHANGES
    odd: dict[int, Leftover] = {}
    for index, own in marks.items():
        mark = next((mark for mark in own if mark.kind not in usual and not mark.is_fact), None)
        if mark is not None:
            is_change = mark.written in _CHANGES
            why = Why.LIST_OF_CHANGES if is_change else Why.UNEXPLAINED.filled(part=mark.written)
            odd[index] = Leftover(mark.start, why)
    return odd


def _marks_of(text: str, stretches: Sequence[Stretch]) -> Iterator[_Mark]:
    """The marks beside the cards of a line."""
    match = _SIGN_IN_FRONT.match(text)
    if match is not None and not _within(match.start(1), stretches):
        yield _Mark(match[1].casefold(), match[1], match.start(1))
    cards = [part for part in stretches if part.taken is Taken.CARD]
    card = min((part.start for part in cards), default=0)
    last_end = max((part.end for part in cards), default=0)
    for part in stretches:
        written, is_fact = text[part.start : part.end], part.taken is Taken.PRINTING
        if part.taken is Taken.COUNT and part.start >= last_end:
            sign = _JOINED_SIGN.search(text, last_end, part.start)
            if sign is not None:
                yield _Mark(f"NAME{sign[0]}", sign[0], sign.start())
        elif part.taken in (Taken.REMARK, Taken.PRINTING):
            if part.start < card:
                yield _Mark(f"{written[:1]} NAME", written, part.start, is_fact)
            elif _LETTER.fullmatch(written):
                yield _Mark(f"NAME {written[:1]}", written, part.start, is_fact)


def _alternative(text: str, rest: str, stretches: Sequence[Stretch]) -> Leftover | None:
    """A counted card, behind a sign or in brackets, that may stand for the one before it; in `rest`, what is explained is blanked."""
    counted = [part for part in stretches if part.taken in (Taken.CARD, Taken.COUNT)]
    pairs = [*zip(counted[::2], counted[1::2], strict=False)]
    if any(first.taken is last.taken for first, last in pairs):
        return None
    enclosed = [
        rest[: first.start].rstrip(_BLANK)[-1:] in _OPENING
        and rest[last.end :].lstrip(_BLANK)[:1] in _CLOSING
        for first, last in pairs
    ]
    for nth, ((_first, above), (first, last)) in enumerate(pairwise(pairs)):
        if enclosed[nth] != enclosed[nth + 1] or _COMPARING.search(rest, above.end, first.start):
            return _unexplained(text, first.start, last.end)
    return None


def _within(index: int, stretches: Sequence[Stretch]) -> bool:
    """Whether an index is in a card's name, a comment or a heading."""
    harmless = (Taken.CARD, Taken.COMMENT, Taken.HEADER, Taken.HEAD)
    return any(part.start <= index < part.end for part in stretches if part.taken in harmless)


def _unexplained(text: str, start: int, end: int) -> Leftover:
    return Leftover(start, Why.UNEXPLAINED.filled(part=text[start:end].strip()[:40]))


def _is_harmless(text: str, index: int, stretches: Sequence[Stretch], starts: Sequence[int]) -> bool:
    """Whether a sign that could change a number doesn't, as it joins a card to one or touches none."""
    char = text[index]
    place = bisect(starts, index)
    before = stretches[place - 1] if place and stretches[place - 1].end <= index else None
    behind = stretches[place] if place < len(stretches) else None
    touches_before = before is not None and before.taken is Taken.COUNT and before.end == index
    touches_behind = behind is not None and behind.taken is Taken.COUNT and behind.start == index + 1
    if char in _PLUS:
        sides = {part.taken for part in (before, behind) if part is not None}
        is_even = text[index - 1 : index].isspace() == text[index + 1 : index + 2].isspace()
        return before is not None and behind is not None and Taken.CARD in sides and is_even
    if not touches_before and not touches_behind:
        return char in SEPARATORS
    # A list may be written as "4~NAME" or "NAME ~ 4".
    return char in "~〜～" and behind is not None and not touches_behind
