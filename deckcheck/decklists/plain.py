"""Decklists as text, the way people paste them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING

from deckcheck.decklists.header import header_line
from deckcheck.decklists.seen import BLANK, CLEAR, LONGEST_LINE, MOST_LINES, Kind, Seen
from deckcheck.decklists.vocabulary import Vocabulary, sort_of_folded
from deckcheck.decklists.walk import walk
from deckcheck.model.card import Catalog
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


_TIMES = " x "
_MOST_DIGITS = 2
_BETWEEN_WORDS = str.maketrans("", "", " ・")


def make_simple(words: Vocabulary, catalog: Catalog) -> Callable[[str], Seen | None]:
    """A function from a line to what it is: `4 x NAME`, `4 NAME`, a bare heading, a header, an empty line.

    None for a line that could be read in another way, too, or that is not
    written so plainly: trying all ways takes patterns that take longer to
    compile than a plain list takes to check. What comes is what lines.classify
    says of the line.
    """

    sign = catalog.fold(_TIMES)

    def simple(line: str) -> Seen | None:
        copies, times, name = line.partition(_TIMES)
        if not times:
            copies, times, name = line.partition(" ")
        if not (copies.isascii() and copies.isdigit()):
            return None if times == _TIMES else _other(line)
        if len(copies) > _MOST_DIGITS or copies[0] == "0" or not name or name.strip() != name:
            return None
        cards = catalog.find(name)
        # In another spelling than the card's own, digits, brackets and marks may mean something.
        if len(cards) != 1 or (name != cards[0].name and not name.translate(_BETWEEN_WORDS).isalpha()):
            return None
        folded = words.fold(name)
        if sort_of_folded(words, folded) is not None:
            return None
        # The sign, or the number, may be how another name begins.
        before, first = (sign, sign) if times == _TIMES else (copies, copies[0])
        if before + folded in catalog.beginning(first):
            return None
        number, home = int(copies), cards[0].home
        column = len(line) - len(name) + 1
        return Seen(
            "entry", name, cards, number, number, column, home=home if home != words.default else None
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
