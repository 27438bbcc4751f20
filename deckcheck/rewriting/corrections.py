"""`deckcheck check --fix`: the corrections of a list that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from html import escape
from typing import NamedTuple

from deckcheck.checking.judge import GameData
from deckcheck.decklists.read import AS_TEXT, MARKUP, make_reader
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Entry
from deckcheck.rewriting.comparison import difference
from deckcheck.rewriting.trailing_comments import Remainder, remainder
from deckcheck.support.errors import UserError

MOST_FIXES = 100
"""In one list; what needs more was not made by slips of the pen."""

_NAMED = AS_TEXT | MARKUP | {"forge", "xmage"}
"""The notations in which a card's name stands on its line, and nothing but the name is replaced."""


class Fix(NamedTuple):
    """One correction: the line in the list as it was, what became of what, and the line that was `merged` into it."""

    line: int
    was: str
    now: str
    merged: int | None = None


class Fixed(NamedTuple):
    """A list after its corrections; `lines` maps the lines that changed to what they are now, None for gone."""

    text: str
    lines: Mapping[int, str | None]
    fixes: tuple[Fix, ...]


class Fixer:
    """Puts right the certain mistakes in the lists of a game.

    Misspelt names with one candidate are corrected, and two lines of the same card in the same zone become one; in
    files of other tools only names are corrected. CSV, YAML and JSON stay as they are.
    """

    def __init__(self, table: GameData) -> None:
        reader = make_reader(table.game, table.catalog)
        self._table, self._classify, self._line_reader = table, reader.classify, reader.line_reader
        self._spelling = make_speller(table.catalog)

    def fix(
        self,
        text: str,
        path: str,
        leave: Iterable[str] = (),
        notation: str | None = None,
        *,
        merge: bool = True,
    ) -> Fixed:
        """A list put right, but for the names in `leave` and, unless they may `merge`, for lines of the same card.

        `notation` is that of the list, if given. Raises UserError where the reader does.
        """
        draft = _Draft(self._table, text.removeprefix("\ufeff"), path, notation)
        fold = self._table.catalog.fold
        left = set(map(fold, leave))
        if draft.deck.notation in _NAMED:
            unknown = [entry for entry in draft.deck.entries if not entry.cards]
            for entry in unknown[:MOST_FIXES]:
                if fold(entry.written) not in left:
                    self._correct_name(draft, entry)
        if merge and draft.deck.notation in AS_TEXT:
            firsts: dict[tuple[Card, str], int] = {}
            repeated: list[tuple[int, int]] = []
            for entry in draft.deck.entries:
                if entry.card is not None and entry.copies == entry.most:
                    first = firsts.setdefault((entry.card, entry.zone), entry.line)
                    repeated += [(first, entry.line)] if first < entry.line else []
            for first, later in repeated[:MOST_FIXES]:
                self._merge(draft, first, later)
        return draft.result()

    def _correct_name(self, draft: _Draft, wrong: Entry) -> None:
        # An earlier correction on the same line may have moved it.
        place = wrong.line, wrong.written
        mine = [entry for entry in draft.deck.entries if (entry.line, entry.written) == place]
        correction = self._spelling(wrong.written) if len(mine) == 1 else None
        if correction is None:
            return
        entry, line, (card, name) = mine[0], draft.lines[wrong.line - 1], correction
        start = entry.column - 1
        end = start + len(entry.written)
        if line[start:end] != entry.written:
            # It is escaped there, or the file has no names.
            return
        written = escape(name) if draft.deck.notation in MARKUP else name
        fix, better = Fix(entry.line, entry.written, name), line[:start] + written + line[end:]
        home = card.home if entry.zone == self._table.game.default_zone else None
        for zone in dict.fromkeys((entry.zone, home or entry.zone)):
            if draft.attempt(fix, better, {entry: entry._replace(cards=(card,), zone=zone)}):
                return

    def _merge(self, draft: _Draft, first: int, later: int) -> None:
        kept, gone = self._alone(draft, first), self._alone(draft, later)
        if kept is None or gone is None or gone[1].comments != [""]:
            return
        line, digits = draft.lines[first - 1], kept[1].digits[0]
        if digits is None or gone[1].digits == [None] or not line[slice(*digits)].isdecimal():
            return
        if later > 1 and _COMMENT.match(draft.lines[later - 2]):
            # The comment above would then be about another card.
            return
        copies = kept[0].copies + gone[0].copies
        number = str(copies) if line[slice(*digits)].isascii() else str(copies).translate(_FULL_WIDTH)
        summed = line[: digits[0]] + number + line[digits[1] :]
        meant = {kept[0]: kept[0]._replace(copies=copies, most=copies), gone[0]: None}
        draft.attempt(Fix(first, line.strip(), summed.strip(), later), summed, meant)

    def _alone(self, draft: _Draft, number: int) -> tuple[Entry, Remainder] | None:
        """The entry that has a line for itself, with what is beside it; None if the line has a directive."""
        entries = [entry for entry in draft.deck.entries if entry.line == number]
        item = self._classify(draft.lines[number - 1])
        has_directive = any(directive.line == number for directive in draft.deck.directives)
        if has_directive or len(entries) != 1 or item.kind != "entry" or item.column != entries[0].column:
            return None
        return entries[0], remainder(self._line_reader, draft.lines[number - 1], [item])


_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_COMMENT = re.compile(r"\s*(?:#|//)\s*\S")
_GONE = "#"
"""What stands for a line that is gone, while others are corrected: an empty one could mean something."""


class _Draft:
    """A list with the corrections made so far; the numbers of its lines stay what they were."""

    def __init__(self, table: GameData, text: str, path: str, notation: str | None) -> None:
        self._read = table.read
        self._before = text
        self._fixes: list[Fix] = []
        self.lines = text.split("\n")
        self.deck = table.read(text, path, notation)

    def attempt(self, fix: Fix, line: str, meant: Mapping[Entry, Entry | None]) -> bool:
        """Make a correction, if the list, read again, is the same but for some entries and as it is `meant`."""
        lines = [*self.lines]
        lines[fix.line - 1] = line
        if fix.merged is not None:
            lines[fix.merged - 1] = _GONE
        entries = (meant.get(entry, entry) for entry in self.deck.entries)
        wanted = self.deck._replace(entries=tuple(entry for entry in entries if entry is not None))
        try:
            deck = self._read("\n".join(lines), self.deck.path, self.deck.notation)
        except UserError:
            return False
        if difference(wanted, deck, wanted.header) is not None:
            return False
        self.deck, self.lines = deck, lines
        self._fixes.append(fix)
        return True

    def result(self) -> Fixed:
        """The list with its corrections; without any, if it isn't the same once the lines are gone."""
        gone = {fix.merged for fix in self._fixes}
        text = "\n".join(line for number, line in enumerate(self.lines, 1) if number not in gone)
        deck = self._read(text, self.deck.path, self.deck.notation)
        if difference(self.deck, deck, self.deck.header) is not None:
            return Fixed(self._before, {}, ())
        lines = enumerate(zip(self._before.split("\n"), self.lines, strict=True), 1)
        changed = {number: None if number in gone else now for number, (was, now) in lines if was != now}
        return Fixed(text, changed, tuple(sorted(self._fixes)))


NEAR = 1
"""A misspelling is so many edits away from the name that was meant: a character more, less, other, or two swapped."""

APART = 2
"""Within so many edits no other card may have a name."""

SHORTEST = 5
"""Shorter names (folded) are too much alike."""

# A letter alone and Roman numerals tell cards apart as digits do.
_NUMERALS = r"(?<![a-z])(?:[a-z]|[ivxlcdm]+)(?![a-z])"


def make_speller(catalog: Catalog) -> Callable[[str], tuple[Card, str] | None]:
    """A function from a name that no card has to the card that was surely meant and how it is spelt, if there is one.

    Aliases, halves and faces are names too. Numbers are never corrected, for they tell cards apart.
    """

    @cache
    def spellings() -> list[tuple[str, Card, str]]:
        return [
            (catalog.fold(name), card, name)
            for card in catalog
            for name in (card.name, *card.aliases, *(part.name for part in (*card.faces, *card.parts)))
        ]

    def spelt(name: str) -> tuple[Card, str] | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        key = catalog.fold(name)
        if len(key) < SHORTEST:
            return None
        keys = [spelling[0] for spelling in spellings()]
        hits = process.extract(key, keys, scorer=OSA.distance, score_cutoff=APART, limit=None)
        if not hits or len({spellings()[at][1] for _key, _distance, at in hits}) > 1:
            return None
        found, distance, at = min(hits, key=lambda hit: (hit[1], hit[2]))
        if distance != NEAR or len(found) < SHORTEST or _numerals(found) != _numerals(key):
            return None
        _key, card, spelling = spellings()[at]
        return (card, spelling) if catalog.find(spelling) == (card,) else None

    return spelt


def _numerals(key: str) -> tuple[list[str], list[str]]:
    return [char for char in key if char.isnumeric()], re.findall(_NUMERALS, key)
