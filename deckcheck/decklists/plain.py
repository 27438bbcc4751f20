"""Decklists as text, the way people paste them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.decklists.header import header_line
from deckcheck.decklists.seen import BLANK, CLEAR, LONGEST_LINE, MOST_LINES, Kind, Seen
from deckcheck.decklists.vocabulary import Vocabulary, sort_of_folded
from deckcheck.decklists.walk import walk
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck
from deckcheck.support.errors import user_error
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
        return as_a_whole(lines, words, text, list(map(look, text)))

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


def as_a_whole(
    lines: Callable[[], Lines], words: Vocabulary, text: Sequence[str], seen: list[Seen]
) -> list[Seen]:
    """The lines of a list, each of a kind in CLEAR, as they are read together; `seen` is what each is alone."""
    kinds = set(map(_kind, seen))
    if not CLEAR.issuperset(kinds):
        from deckcheck.decklists.settle import settle

        seen = settle(lines(), text, seen)
    if not _SURE.issuperset(kinds) or any(
        line.kind == "entry" and (not line.cards or line.copies > _MANY) for line in seen
    ):
        from deckcheck.decklists.layouts import with_layout

        seen = with_layout(lines(), text, seen)
    return arranged(words, seen)


_SURE = frozenset({"entry", "heading", "header", "blank"})
_MANY = 7
"""Lists with more copies of a card are rare enough to be looked at twice."""


def arranged(words: Vocabulary, seen: list[Seen]) -> list[Seen]:
    """The same lines, each of a kind in CLEAR, with the zones that only all of them together tell.

    See sections.headed_below and sections.ended, which most lists don't need.
    """
    if not _NO_SUM.issuperset(map(_total, seen)) and any(
        line.total is not None and line.kind in ("heading", "label") for line in seen
    ):
        from deckcheck.decklists.sections import headed_below

        below = headed_below(words, seen)
        if below is not None:
            return below
    # The last line feed is followed by an empty line, which ends nothing.
    if words.ending and not _MAY_END.isdisjoint(map(_kind, seen[:-1])):
        from deckcheck.decklists.sections import ended

        return ended(words, seen)
    return seen


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


def make_simple(words: Vocabulary, catalog: Catalog) -> Callable[[str], Seen | None]:
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

    def simple(line: str) -> Seen | None:
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
            Seen,
            (
                *("entry", name, known.cards, number, number, found.start("c") + 1, None, known.home),
                *(None, True, "", None, (), (), False),
            ),
        )

    def _other(line: str) -> Seen | None:
        if not line:
            return BLANK
        if line[0] == "#" and len(line) <= LONGEST_LINE:
            header = header_line(line)
            return None if header is None else Seen("header", header[1], column=1, key=header[0])
        zone = words.zones.get(words.fold(line)) if line.isalpha() and len(line) <= LONGEST_LINE else None
        if zone is None or catalog.find(line):
            return None
        return Seen("heading", line, column=1, zone=zone, known=zone in words.zone_ids)

    return simple


def _goes_on(key: str, size: int) -> bool:
    """Whether a folded name is another one of `size` letters with a count behind it."""
    return key[size : size + 1] in ("x", *"0123456789") and len(key) > size
