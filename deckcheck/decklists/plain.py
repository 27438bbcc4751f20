"""Decklists as text, the way people paste them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.decklists.header import header_line
from deckcheck.decklists.lexer import compiled
from deckcheck.decklists.line import BLANK, CLEAR, LONGEST_LINE, MOST_LINES, Line
from deckcheck.decklists.vocabulary import Vocabulary, sort_of_folded
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Entry
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.decklists.classify import LineReader


_MOST_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 160
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
    kinds = set(map(_kind, lines[:-1]))
    if "label" in kinds or "blank" in kinds:
        zones = {line.zone for line in lines if line.kind == "heading"} - {None, words.default}
        if zones and ("label" in kinds or not zones.isdisjoint(words.ending)):
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
_SIGNS, _BULLETS = "x×X✕", frozenset("・●")
_MARKS = frozenset(f"{_SIGNS}0123456789")
_GLUED = frozenset("0123456789.,/:*+-#&@~^<([{")
"""What makes a number of its own of a digit behind it, or a longer one."""
_NUMBER = r"(?P<n>[1-9][0-9]?)"
_COUNTS = {str(number): number for number in range(1, 100)}
_LEAST_PAIRS, _LEAST_SLOTS = 2, 8


class _Name(NamedTuple):
    """A name that means one card: its cards, their home if that isn't the first zone, and the name folded.

    `goes_on` tells whether a longer name has a sign or a digit behind it, `led` whether one may have them before it.
    """

    cards: tuple[Card, ...]
    home: str | None
    folded: str
    goes_on: bool
    led: bool


_Parts = tuple[str, int, int]
"""A name, its count, and the name's column."""


class _Style(NamedTuple):
    """How a line writes a card: whether the count comes first, and what stands before, between and behind."""

    left: bool
    before: str
    between: str
    behind: str
    is_bare: bool
    """Whether nothing but a blank stands between."""

    def split(self, line: str) -> _Parts | None:
        """What a line says in this style; None where it may be written in another one."""
        left, before, between, behind, is_bare = self
        if behind:
            if not line.endswith(behind):
                return None
            line = line[: -len(behind)]
        if left:
            count, _, name = line.partition(between)
            column = len(count) + len(between) + 1
            mark = name[:1]
        else:
            name, _, count = line.rpartition(between) if between else (line[:-1], "", line[-1:])
            column, mark = len(before) + 1, name[-1:]
            if not between and mark in _GLUED:
                return None
            if not name.startswith(before) or name[column - 1 : column] in _BULLETS:
                return None
            name = name[column - 1 :]
        copies = _COUNTS.get(count)
        # A sign or a digit that nothing but a blank parts from the count may be no part of the name.
        return None if copies is None or (is_bare and mark in _MARKS) else (name, copies, column)


class PlainReader:
    """Reads what is written so plainly that it can be read in no other way, and gives None for all else.

    Trying all ways takes patterns that take longer to compile than a plain list takes to check. What comes is what
    the long way says.
    """

    def __init__(self, words: Vocabulary, catalog: Catalog) -> None:
        self._words, self._catalog = words, catalog
        counters = "|".join(re.escape(word) for word in words.counters if not word.isascii())
        counter = f"(?:{counters})" if counters else "(?!)"
        self._left = (
            rf"{_NUMBER}(?: ?[{_SIGNS}] ?|{counter}(?:[：:] ?| )?| )(?P<q>《)?(?P<c>[^《》]+)(?(q)》)"
        )
        self._right = (
            rf"(?:[{_BULLETS}] ?)?(?P<q>《)?(?P<c>[^《》]*?[^《》\s])(?(q)》)"
            rf"(?:[ \u3000]?[{_SIGNS}] ?|[ \u3000])?{_NUMBER}{counter}?"
        )
        self._alone = rf"(?:[{_SIGNS}] ?)?{_NUMBER}{counter}?"
        self._names: dict[str, _Name | None] = {}
        self._counts: dict[str, int] = {}
        self._sign = catalog.fold("x")

    def line(self, line: str) -> Line | None:
        """What a line is: a count and a name in a usual notation, a bare heading, a header, an empty line."""
        found = self._entry(line)
        if found is None:
            return self._other(line)
        style, known, (name, copies, column) = found
        if not self._is_certain(style, known, name, copies):
            return None
        return Line("entry", name, known.cards, copies, copies, column, None, known.home)

    def deck(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck of a list with nothing but such lines, or with names and counts on lines in turn.

        One line settles how the next are written; each of them is taken apart so, with one look-up.
        """
        draft, names, style = _Draft(self._words), self._names, None
        for number, line in enumerate(source, 1):
            parts = style.split(line) if style is not None else None
            known = (names.get(parts[0]) or self._name(parts[0])) if parts is not None else None
            if style is None or known is None or (known.led if style.left else known.goes_on):
                found = self._entry(line)
                if found is None:
                    if not draft.entries and (self._count(line) or self._name(line)):
                        return self._in_turn(source, path)
                    if draft.add_other(self._other(line), is_last=number == len(source)):
                        continue
                    return None
                style, known, parts = found
                if not self._is_certain(style, known, *parts[:2]):
                    return None
            if parts is None or not draft.add(known, parts, number):
                return None
        return draft.deck(source, path)

    def _in_turn(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck of a list with each count on the line behind its name, or each on the one before it."""
        draft = _Draft(self._words)
        first: tuple[str, int, _Name | None, int] | None = None
        names_first: bool | None = None
        for number, line in enumerate(source, 1):
            known = self._name(line)
            count = 0 if known is not None else self._count(line)
            if known is None and not count:
                if first is None and draft.add_other(self._other(line), is_last=number == len(source)):
                    continue
                return None
            if first is None:
                first = line, number, known, count
                if names_first not in (None, known is not None):
                    return None
                names_first = known is not None
                continue
            if names_first is (known is not None):
                return None
            name, row, card, copies = first if count else (line, number, known, first[3])
            if card is None or not draft.add(card, (name, count or copies, 1), row):
                return None
            first = None
        return draft.deck(source, path) if first is None and len(draft.entries) >= _LEAST_PAIRS else None

    def _entry(self, line: str) -> tuple[_Style, _Name, _Parts] | None:
        """How a card's line is written, and what it says."""
        if len(line) > _LONGEST_REMEMBERED:
            return None
        left = "1" <= line[:1] <= "9"
        found = compiled(self._left if left else self._right).fullmatch(line)
        known = None if found is None else self._name(found["c"])
        if known is None and left:
            # A name may begin with a number.
            left, found = False, compiled(self._right).fullmatch(line)
            known = None if found is None else self._name(found["c"])
        if found is None or known is None:
            return None
        first, second = ("n", "c") if left else ("c", "n")
        between = line[found.end(first) : found.start(second)]
        is_bare = not between.strip()
        style = _Style(left, line[: found.start(first)], between, line[found.end(second) :], is_bare)
        return style, known, (found["c"], int(found["n"]), found.start("c") + 1)

    def _is_certain(self, style: _Style, known: _Name, name: str, copies: int) -> bool:
        """Whether neither the count nor its sign may belong to another name."""
        if not style.left:
            return not known.goes_on and (bool(style.between) or name[-1] not in _GLUED)
        if not known.led or style.behind:
            return True
        before = self._sign if not _MARKS.isdisjoint(style.between) else str(copies)
        return before + known.folded not in self._catalog.beginning(before[0])

    def _count(self, line: str) -> int:
        """The count that stands alone on a line; 0 for none."""
        count = self._counts.get(line, 0)
        if not count:
            found = compiled(self._alone).fullmatch(line)
            if found is not None:
                count = self._counts[line] = int(found["n"])
        return count

    def _name(self, name: str) -> _Name | None:
        names = self._names
        if name not in names:
            if len(name) > _LONGEST_REMEMBERED:
                return None
            if len(names) >= _MOST_REMEMBERED:
                names.clear()
            names[name] = self._look_up(name)
        return names[name]

    def _look_up(self, name: str) -> _Name | None:
        words, catalog = self._words, self._catalog
        cards = catalog.find(name)
        # In another spelling than the card's own, digits, brackets and marks may mean something.
        if len(cards) != 1 or (name != cards[0].name and not name.translate(_BETWEEN_WORDS).isalpha()):
            return None
        folded = words.fold(name)
        if name.strip() != name or sort_of_folded(words, folded) is not None:
            return None
        if "《" in name or any(alias[:1] == "《" for alias in cards[0].aliases):
            return None
        goes_on = any(_goes_on(key, len(folded)) for key in catalog.beginning(folded))
        home = cards[0].home
        return _Name(cards, home if home != words.default else None, folded, goes_on, folded in self._leading)

    @cached_property
    def _leading(self) -> frozenset[str]:
        """What stands behind a sign or a number at the head of folded names."""
        signed = (key[len(self._sign) :] for key in self._catalog.beginning(self._sign))
        counted = [key for digit in "123456789" for key in self._catalog.beginning(digit)]
        return frozenset((*signed, *(key[1:] for key in counted), *(key[2:] for key in counted)))

    def _other(self, line: str) -> Line | None:
        words = self._words
        if not line:
            return BLANK
        if line[0] == "#" and len(line) <= LONGEST_LINE:
            header = header_line(line)
            return None if header is None else Line("header", header[1], column=1, key=header[0])
        zone = words.zones.get(words.fold(line)) if line.isalpha() and len(line) <= LONGEST_LINE else None
        if zone is None or self._catalog.find(line):
            return None
        return Line("heading", line, column=1, zone=zone, known=zone in words.zone_ids)


class _Draft:
    """A deck in the making."""

    def __init__(self, words: Vocabulary) -> None:
        self._default = self._zone = words.default
        self._ending = words.ending
        self._header: dict[str, str] = {}
        self.entries: list[Entry] = []

    def add(self, known: _Name, parts: _Parts, number: int) -> bool:
        """Adds a card; False where it would have to move."""
        zone = self._zone
        if known.home is not None and zone == self._default:
            return False
        name, copies, column = parts
        self.entries.append(tuple.__new__(Entry, (name, known.cards, copies, copies, zone, number, column)))
        return True

    def add_other(self, line: Line | None, *, is_last: bool) -> bool:
        """Adds a line that holds no card; False where it may change what others mean."""
        if line is None or not line.known:
            return False
        if line.kind == "heading":
            self._zone = line.zone or self._default
        elif line.kind == "header":
            self._header.setdefault(line.key, line.written)
            return not self.entries
        return is_last or line.kind != "blank" or self._zone not in self._ending

    def deck(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck; None where its numbers may be no counts."""
        if not self.entries or len({entry.copies for entry in self.entries}) >= _LEAST_SLOTS:
            return None
        return Deck(path, tuple(self.entries), (), self._header, "text", tuple(source))


def _goes_on(key: str, size: int) -> bool:
    """Whether a folded name is another one of `size` letters with a count behind it."""
    return key[size : size + 1] in ("x", *"0123456789") and len(key) > size
