"""Decklists as text, the way people paste them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING

from deckcheck.decklists.seen import CLEAR, MOST_LINES, Kind, Seen
from deckcheck.decklists.walk import walk
from deckcheck.model.deck import Deck
from deckcheck.support.errors import wrong
from deckcheck.support.messages import Words, _

if TYPE_CHECKING:
    from deckcheck.decklists.lines import Lines
    from deckcheck.decklists.vocabulary import Vocabulary

_MOST_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 160


_MAY_END = frozenset({"label", "blank"})
_NO_SUM = frozenset({None})

_kind, _total = itemgetter(0), itemgetter(Seen._fields.index("total"))


class _Memory(dict[str, Seen]):
    """What was seen in each line of text; forgets everything when it grows too large."""

    def __init__(self, classify: Callable[[str], Seen]) -> None:
        super().__init__()
        self._classify = classify

    def __missing__(self, line: str) -> Seen:
        seen = self._classify(line)
        if len(line) <= _LONGEST_REMEMBERED:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[line] = seen
        return seen


def make_plain(
    simple: Callable[[str], Seen | None],
    lines: Callable[[], Lines],
    words: Vocabulary,
    names: Mapping[str, Words],
) -> tuple[Callable[[str, str], Deck], Callable[[str], list[Kind]]]:
    """The reader of plain text, and what kind each line is after a look at the others.

    `simple` reads the lines that need no `lines`. `words` are the game's,
    `names` the names of its zones. The reader raises UserError where there are more than MOST_LINES lines.
    """

    def classify(line: str) -> Seen:
        return simple(line) or lines().classify(line)

    def near(text: str) -> list[str]:
        return lines().near(text)

    look = _Memory(classify).__getitem__

    def seen_in(text: list[str]) -> list[Seen]:
        seen = list(map(look, text))
        if not CLEAR.issuperset(map(_kind, seen)):
            from deckcheck.decklists.settle import settle

            seen = settle(lines(), text, seen)
        return arranged(words, seen)

    def read(text: str, path: str) -> Deck:
        source = text.split("\n")
        if len(source) > MOST_LINES:
            raise too_many_lines(path)
        seen = seen_in(source)
        return walk(
            zip(count(1), seen),
            path=path,
            notation="text",
            default=words.default,
            names=names,
            lines=source,
            near=near,
        )

    def kinds(text: str) -> list[Kind]:
        return [line.kind for line in seen_in(text.split("\n"))]

    return read, kinds


def arranged(words: Vocabulary, seen: list[Seen]) -> list[Seen]:
    """The same lines, each of a kind in CLEAR, with the zones that only all of them together tell.

    See below.headed_below and ending.ended, which most lists don't need.
    """
    if not _NO_SUM.issuperset(map(_total, seen)) and any(
        line.total is not None and line.kind in ("heading", "label") for line in seen
    ):
        from deckcheck.decklists.below import headed_below

        below = headed_below(words, seen)
        if below is not None:
            return below
    # The last line feed is followed by an empty line, which ends nothing.
    if words.ending and not _MAY_END.isdisjoint(map(_kind, seen[:-1])):
        from deckcheck.decklists.ending import ended

        return ended(words, seen)
    return seen


def too_many_lines(path: str) -> Exception:
    """The user's mistake of giving a list that can't be one."""
    return wrong(
        _("too many lines (at most {most_lines:,})", most_lines=MOST_LINES),
        path=path,
        line=MOST_LINES + 1,
        column=1,
    )
