"""Decklists as text, the way people paste them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.decklists.header import header_line
from deckcheck.decklists.line import BLANK, CLEAR, LONGEST_LINE, MOST_LINES, Line
from deckcheck.decklists.vocabulary import Vocabulary, sort_of_folded
from deckcheck.model.card import Card, Catalog
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.decklists.classify import LineReader
    from deckcheck.decklists.vocabulary import Vocabulary


_MOST_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 160


_MAY_END = frozenset({"label", "blank"})
_NO_SUM = frozenset({None})

_kind, _total = itemgetter(0), itemgetter(Line._fields.index("total"))


class Memory(dict[str, Line]):
    """What each line of text is on its own; forgets everything when it grows too large."""

    def __init__(self, classify: Callable[[str], Line]) -> None:
        super().__init__()
        self._classify = classify

    def __missing__(self, line: str) -> Line:
        found = self._classify(line)
        if len(line) <= _LONGEST_REMEMBERED:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[line] = found
        return found


def read_together(
    reader: Callable[[], LineReader], words: Vocabulary, text: Sequence[str], lines: list[Line]
) -> list[Line]:
    """The lines of a list, each of a kind in CLEAR, as they are read together; `lines` is what each is alone."""
    kinds = set(map(_kind, lines))
    if not CLEAR.issuperset(kinds):
        from deckcheck.decklists.context import resolve

        lines = resolve(reader(), text, lines)
    if not _SURE.issuperset(kinds) or any(
        line.kind == "entry" and (not line.cards or line.copies > _MANY) for line in lines
    ):
        from deckcheck.decklists.layouts import with_layout

        lines = with_layout(reader(), text, lines)
    return arranged(words, lines)


_SURE = frozenset({"entry", "heading", "header", "blank"})
_MANY = 7
"""Lists with more copies of a card are rare enough to be looked at twice."""


def arranged(words: Vocabulary, lines: list[Line]) -> list[Line]:
    """The same lines, each of a kind in CLEAR, with the zones that only all of them together tell.

    See sections.headed_below and sections.ended, which most lists don't need.
    """
    if not _NO_SUM.issuperset(map(_total, lines)) and any(
        line.total is not None and line.kind in ("heading", "label") for line in lines
    ):
        from deckcheck.decklists.sections import headed_below

        below = headed_below(words, lines)
        if below is not None:
            return below
    # The last line feed is followed by an empty line, which ends nothing.
    if words.ending and not _MAY_END.isdisjoint(map(_kind, lines[:-1])):
        from deckcheck.decklists.sections import ended

        return ended(words, lines)
    return lines


def too_many_lines(path: str) -> Exception:
    """The user's mistake of giving a list that can't be one."""
    return user_error(
        _("too many lines (at most {most_lines:,})", most_lines=MOST_LINES),
        path=path,
        line=MOST_LINES + 1,
        column=1,
    )


_BETWEEN_WORDS = str.maketrans("", "", " ・")
_SIGNS = r"[x×X✕]"
_NUMBER = r"(?P<n>[1-9][0-9]?)"


class _Named(NamedTuple):
    """A name that means one card and nothing else beside a count: its cards, their home if that isn't the first
    zone, and the name folded; `goes_on` tells whether a longer name has a sign or a digit behind it.
    """

    cards: tuple[Card, ...]
    home: str | None
    folded: str
    goes_on: bool


def make_simple(words: Vocabulary, catalog: Catalog) -> Callable[[str], Line | None]:
    """A function from a line to what it is: a count and a name in a usual notation, a bare heading, a header, an empty line.

    None for a line that could be read in another way, too, or that is not
    written so plainly: trying all ways takes patterns that take longer to
    compile than a plain list takes to check. What comes is what lines.classify
    says of the line.
    """
    counters = "|".join(re.escape(word) for word in words.counters if not word.isascii())
    counter = f"(?:{counters})" if counters else "(?!)"
    left = re.compile(
        rf"{_NUMBER}(?:(?P<x> ?{_SIGNS} ?)|{counter}(?:[：:] ?| )?| )(?P<q>《)?(?P<c>[^《》]+)(?(q)》)"
    ).fullmatch
    right = re.compile(
        rf"(?P<b>[・●] ?)?(?P<q>《)?(?P<c>[^《》]*?[^《》\s])(?(q)》)(?P<s>[ \u3000]?{_SIGNS} ?|[ \u3000])?{_NUMBER}{counter}?"
    ).fullmatch
    named: dict[str, _Named | None] = {}
    make, sign = tuple.__new__, catalog.fold("x")

    def look_up(name: str) -> _Named | None:
        cards = catalog.find(name)
        # In another spelling than the card's own, digits, brackets and marks may mean something.
        if len(cards) != 1 or (name != cards[0].name and not name.translate(_BETWEEN_WORDS).isalpha()):
            return None
        folded = words.fold(name)
        if name.strip() != name or sort_of_folded(words, folded) is not None:
            return None
        if any(alias[:1] == "《" for alias in cards[0].aliases):
            return None
        goes_on = any(_goes_on(key, len(folded)) for key in catalog.beginning(folded))
        home = cards[0].home
        return _Named(cards, home if home != words.default else None, folded, goes_on)

    def simple(line: str) -> Line | None:
        counted_first = "1" <= line[:1] <= "9"
        found = (left if counted_first else right)(line) if len(line) <= _LONGEST_REMEMBERED else None
        if found is None:
            return _other(line)
        name, copies = found["c"], found["n"]
        if name in named:
            known = named[name]
        else:
            if len(named) >= _MOST_REMEMBERED:
                named.clear()
            known = named[name] = look_up(name)
        if known is None:
            return _other(line)
        if counted_first:
            # The sign, or the number, may be how another name begins.
            before, start = (sign, sign) if found["x"] else (copies, copies[0])
            if found["q"] is None and before + known.folded in catalog.beginning(start):
                return None
        elif known.goes_on or (found["s"] is None and found["q"] is None and name[-1:].isascii()):
            return None
        number = int(copies)
        return make(
            Line,
            (
                *("entry", name, known.cards, number, number, found.start("c") + 1, None, known.home),
                *(None, True, "", None, (), (), False),
            ),
        )

    def _other(line: str) -> Line | None:
        if not line:
            return BLANK
        if line[0] == "#" and len(line) <= LONGEST_LINE:
            header = header_line(line)
            return None if header is None else Line("header", header[1], column=1, key=header[0])
        zone = words.zones.get(words.fold(line)) if line.isalpha() and len(line) <= LONGEST_LINE else None
        if zone is None or catalog.find(line):
            return None
        return Line("heading", line, column=1, zone=zone, known=zone in words.zone_ids)

    return simple


def _goes_on(key: str, size: int) -> bool:
    """Whether a folded name is another one of `size` letters with a count behind it."""
    return key[size : size + 1] in ("x", *"0123456789") and len(key) > size
