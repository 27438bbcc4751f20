"""The last word on a list: no character may be lost.

It knows nothing of how a list was read. It gets the text of a line and what its stretches were taken for, and finds
the first character that nothing explains; its line is then told, whatever was read from it.
"""

import re
from bisect import bisect
from collections.abc import Sequence

from msgspec import Struct

from deckcheck.decklists.decoding import HIDING
from deckcheck.decklists.lines import Stretch, Taken, Why
from deckcheck.support.messages import Words

SEPARATORS = frozenset(
    " \t\u3000-－–—―‐‑−‒〜～、。.,;:：；=＝|｜/／()（）[]［］<>＜＞{}《》〈〉【】〔〕「」『』“”‘’\"'`´*＊#＃!！・･•…‥&＆~"
    "●○■□◆◇★☆▪▫◦‣⁃▶►▷▸✓✔♦※_✅👍🔥⭐🌟✨♪"
)
"""Characters that only separate or decorate, where no other rule says what they mean."""

_STRUCK = re.compile(
    r"~~|[\u0335-\u0338]|</?(?:s|del|strike)\b[^>]*>|\[/?(?:s|del|strike)\]|^\W*--.*--\W*$"
    rf"|^\W*~[^~]+~\W*$|^\s*(?P<mark>[-–—−])(?=.*\d)\w.*[\w)](?P=mark)\s*$|<[^<>]*(?:{HIDING})[^<>]*>",
    re.IGNORECASE,
)
_DOUBTFUL_MARK = re.compile(
    r"\s*(?:[-*][ \t]+)?(\[[ x]\]|--+|;|※|\[-\]|\(-\)|rem\b|[x×✕✖](?=[ \t]+[0-9])"
    r"|[-–—−~～](?=[ \t]*[^\W_])|[/／](?![/／*])|[<＜](?=[ \t]|[^>＞]*$)|[!！]|[(（](?=[^()（）]+[)）]\s*$)|[\[［【](?=[^\[\]［］【】]+[\]］】]\s*$))",
    re.IGNORECASE,
)
_EMPTY_BOX = re.compile(r"(?<=\S)\s*[\[(（【]\s*[-–—−]\s*[\])）】]")
_BOUND = re.compile(r"[<>]=")
_TALLIES = re.compile(r"([|★☆●○■□◆◇▪▫•♦✓✔!！⭐🔥👍✅🌟✨※+])(?:\s*\1)+")
_SIGNED = frozenset("+＋~〜～±<>＜＞≤≥≦≧^")
"""Signs that change a number which they touch."""
_ENCLOSING = {"<": ">", "＜": "＞"}
_JOINS = frozenset("+＋")
_LEADERS = re.compile(r"(?:…|\.{2,}|。{2,})\s*$")
_REMARK_SIGN = "※"
_ARROW = re.compile(r"[-=~]+>|<[-=~]+|(?<=\s)[<>＜＞](?=\s)")


class Leftover(Struct, frozen=True):
    """The first text of a line that nothing explains, by where it begins, and what to say of it."""

    start: int
    why: Words


def leftover(text: str, stretches: Sequence[Stretch]) -> Leftover | None:
    """What of a line is explained by no stretch; None if all of it is."""
    covered = bytearray(len(text))
    for part in stretches:
        covered[part.start : part.end] = b"\1" * (part.end - part.start)
    for match in _STRUCK.finditer(text):
        # A name may hold such signs itself.
        if not _within(match.start(), stretches):
            return Leftover(match.start(), Why.STRUCK_OUT)
    # Behind a card's name and a count, a tally, an arrow or an omission says something.
    card = min((part.end for part in stretches if part.taken is Taken.CARD), default=len(text))
    count = min((part.start for part in stretches if part.taken is Taken.COUNT), default=-1)
    for pattern, first in (
        (_BOUND, 0),
        (_EMPTY_BOX, 0),
        *((tail, max(card, count + 1)) for tail in (_TALLIES, _ARROW, _LEADERS)),
    ):
        for match in pattern.finditer(text, first):
            if not any(covered[match.start() : match.end()]):
                return _unexplained(text, *match.span())
    remark = text.find(_REMARK_SIGN, card)
    if remark >= 0 and not covered[remark] and text[remark + 1 :].strip():
        return _unexplained(text, remark, len(text))
    starts = [part.start for part in stretches]
    for index, char in enumerate(text):
        if covered[index] or char.isspace():
            continue
        if char not in SEPARATORS and char not in _SIGNED:
            return _unexplained(text, index, _end_of_run(text, covered, index))
        if char in _SIGNED and not _is_harmless(text, index, stretches, starts):
            return _unexplained(text, index, index + 1)
    return None


def doubtful_mark(text: str, stretches: Sequence[Stretch]) -> str:
    """The sign in front of a line of cards that may take it out, as in a program's code or a list of tasks; "" for none.

    Where most lines have it, it is a bullet.
    """
    match = _DOUBTFUL_MARK.match(text)
    if match is None or _within(match.start(1), stretches):
        return ""
    return match[1].casefold()


def _within(index: int, stretches: Sequence[Stretch]) -> bool:
    """Whether an index is in a card's name, a comment or a heading."""
    harmless = (Taken.CARD, Taken.COMMENT, Taken.HEADER, Taken.HEAD)
    return any(part.start <= index < part.end for part in stretches if part.taken in harmless)


def _end_of_run(text: str, covered: bytearray, index: int) -> int:
    end = index + 1
    while end < len(text) and not covered[end] and not text[end].isspace():
        end += 1
    return end


def _unexplained(text: str, start: int, end: int) -> Leftover:
    return Leftover(start, Why.UNEXPLAINED.filled(part=text[start:end].strip()[:40]))


def _is_harmless(text: str, index: int, stretches: Sequence[Stretch], starts: Sequence[int]) -> bool:
    """Whether a sign that could change a number doesn't: it joins a card to a number, or encloses one."""
    char = text[index]
    place = bisect(starts, index)
    before = stretches[place - 1] if place and stretches[place - 1].end <= index else None
    behind = stretches[place] if place < len(stretches) else None
    touches = [
        part
        for part in (before, behind)
        if part is not None and part.taken is Taken.COUNT and (part.end == index or part.start == index + 1)
    ]
    if char in _JOINS:
        sides = {part.taken for part in (before, behind) if part is not None}
        is_even = text[index - 1 : index].isspace() == text[index + 1 : index + 2].isspace()
        return before is not None and behind is not None and Taken.CARD in sides and is_even
    if not touches:
        return char in SEPARATORS
    closing = _ENCLOSING.get(char)
    if closing is not None and behind in touches:
        return text[behind.end : behind.end + 1] == closing if behind else False
    if char in _ENCLOSING.values() and before in touches:
        return before is not None and _ENCLOSING.get(text[before.start - 1 : before.start]) == char
    # A list may be written as "4~NAME" or "NAME ~ 4".
    return char in "~〜～" and behind is not None and behind not in touches
