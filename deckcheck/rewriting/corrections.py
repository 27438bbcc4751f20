"""`deckcheck check --fix`: the corrections of a list that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from html import escape
from typing import NamedTuple

from deckcheck.checking.judge import GameData
from deckcheck.decklists.linewise import make_looker
from deckcheck.decklists.read import AS_TEXT, MARKUP
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Entry
from deckcheck.rewriting.comments import Beside, Span
from deckcheck.rewriting.comparison import difference
from deckcheck.support.errors import UserError

MOST_FIXES = 100
"""In one list; what needs more was not made by slips of the pen."""

_NAMED = AS_TEXT | MARKUP | {"forge", "xmage"}
"""The notations in which a card's name stands on its line, and nothing but the name is replaced."""


class Fix(NamedTuple):
    """One correction: the line (of the list as it was), and what became of what.

    `merged` is the line that went into this one, None for a name put right.
    """

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
        self._table, self._looker = table, make_looker(table.game, table.catalog)
        self._spelling = make_speller(table.catalog)

    def fix(self, text: str, path: str, leave: Iterable[str] = (), notation: str | None = None) -> Fixed:
        """A list put right, but for the names in `leave`; `notation` is that of the list, where it is told.

        Raises UserError where the reader does.
        """
        draft = _Draft(self._table, text.removeprefix("\ufeff"), path, notation)
        fold = self._table.catalog.fold
        left = set(map(fold, leave))
        if draft.deck.notation in _NAMED:
            for entry in [one for one in draft.deck.entries if not one.cards][:MOST_FIXES]:
                if fold(entry.written) not in left:
                    self._correct_name(draft, entry)
        if draft.deck.notation in AS_TEXT:
            tried: set[Span] = set()
            while len(tried) < MOST_FIXES and (pair := _twice(draft.deck, tried)):
                tried.add((pair[0].line, pair[1].line))
                self._merge(draft, *pair)
        return draft.result()

    def _correct_name(self, draft: _Draft, wrong: Entry) -> None:
        # An earlier correction on the same line may have moved it.
        place = wrong.line, wrong.written
        mine = [one for one in draft.deck.entries if (one.line, one.written) == place]
        correction = self._spelling(wrong.written) if len(mine) == 1 else None
        if correction is None:
            return
        entry, line, (card, name) = mine[0], draft.line(wrong.line), correction
        start = entry.column - 1
        end = start + len(entry.written)
        if line[start:end] != entry.written:
            # It is escaped there, or in a file that says nothing of names.
            return
        now = escape(name) if draft.deck.notation in MARKUP else name
        changed = {entry.line: line[:start] + now + line[end:]}
        zones = [entry.zone, card.home] if entry.zone == self._table.game.default_zone else [entry.zone]
        for zone in filter(None, zones):
            meant = entry._replace(cards=(card,), zone=zone)
            if draft.attempt(Fix(entry.line, entry.written, name), changed, {entry: meant}):
                return

    def _merge(self, draft: _Draft, first: Entry, later: Entry) -> None:
        line, kept, gone = draft.line(first.line), self._beside(draft, first), self._beside(draft, later)
        if kept is None or gone is None or gone.comments != [""] or gone.digits == [None]:
            return
        if kept.digits[0] is None or not line[slice(*kept.digits[0])].isdecimal():
            return
        if draft.line(later.line - 1).lstrip().startswith(("#", "//")):
            # A comment above would then speak of another card.
            return
        start, end = kept.digits[0]
        copies = first.copies + later.copies
        digits = str(copies) if line[start:end].isascii() else str(copies).translate(_FULL_WIDTH)
        summed = line[:start] + digits + line[end:]
        draft.attempt(
            Fix(first.line, line.strip(), summed.strip(), later.line),
            {first.line: summed, later.line: None},
            {first: first._replace(copies=copies, most=copies), later: None},
        )

    def _beside(self, draft: _Draft, entry: Entry) -> Beside | None:
        """What stands beside an entry; None where its line has others too, or speaks to us."""
        line, asked = draft.line(entry.line), {one.line for one in draft.deck.directives}
        seen = self._looker.classify(line)
        if seen.kind != "entry" or seen.column != entry.column or entry.line in asked:
            return None
        return Beside(self._looker.words, self._table.game.words.counters, line, [seen])


_FULL_WIDTH = {48 + digit: 0xFF10 + digit for digit in range(10)}


class _Draft:
    """A list with the corrections made so far; lines that are gone keep their numbers."""

    def __init__(self, table: GameData, text: str, path: str, notation: str | None) -> None:
        self._read = table.read
        self._before = text
        self._lines: list[str | None] = list(text.split("\n"))
        self._fixes: list[Fix] = []
        self.deck = table.read(text, path, notation)

    def line(self, number: int) -> str:
        """The line with that number, "" where there is none."""
        return (self._lines[number - 1] or "") if number else ""

    def attempt(
        self, fix: Fix, changed: Mapping[int, str | None], meant: Mapping[Entry, Entry | None]
    ) -> bool:
        """Make a correction, if the list, read again, is the same but for the entries that are meant to change.

        `changed` holds the new lines, None for what is gone, as in `meant`. Whether it was made.
        """
        lines = [changed.get(number, line) for number, line in enumerate(self._lines, 1)]
        try:
            # A comment says nothing, while an empty line might.
            text = "\n".join("#" if line is None else line for line in lines)
            deck = self._read(text, self.deck.path, self.deck.notation)
        except UserError:
            return False
        entries = (meant.get(entry, entry) for entry in self.deck.entries)
        wanted = self.deck._replace(entries=tuple(entry for entry in entries if entry is not None))
        if difference(wanted, deck, wanted.header) is not None:
            return False
        self.deck, self._lines = deck, lines
        self._fixes.append(fix)
        return True

    def result(self) -> Fixed:
        """The list with its corrections; without any, if it isn't the same once the lines are gone."""
        text = "\n".join(line for line in self._lines if line is not None)
        if None in self._lines:
            deck = self._read(text, self.deck.path, self.deck.notation)
            if difference(self.deck, deck, self.deck.header) is not None:
                return Fixed(self._before, {}, ())
        before = self._before.split("\n")
        lines = {at: now for at, now in enumerate(self._lines, 1) if now != before[at - 1]}
        return Fixed(text, lines, tuple(sorted(self._fixes)))


def _twice(deck: Deck, tried: Collection[Span]) -> tuple[Entry, Entry] | None:
    """The first entry of a card in a zone, and another one of it, on two lines that were not tried."""
    met: dict[tuple[Card, str], Entry] = {}
    for entry in deck.entries:
        if entry.card is not None and entry.copies == entry.most:
            first = met.setdefault((entry.card, entry.zone), entry)
            if first.line < entry.line and (first.line, entry.line) not in tried:
                return first, entry
    return None


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

    Every name under which a card is found counts: aliases, halves and faces,
    too. Numbers are never corrected, for they tell cards apart.
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
