"""`deckcheck check --fix`: corrects certain mistakes in a list."""

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
"""The most corrections in one list; more of them are hardly typing errors."""

_NAMED = AS_TEXT | MARKUP | {"forge", "xmage"}
"""The notations with card names on their lines, in which only the name is replaced."""


class Fix(NamedTuple):
    """A correction: the line number, the text before and after, and the number of the line `merged` into it."""

    line: int
    was: str
    now: str
    merged: int | None = None


class Fixed(NamedTuple):
    """A corrected list; `lines` maps the numbers of changed lines to their new text, None if removed."""

    text: str
    lines: Mapping[int, str | None]
    fixes: tuple[Fix, ...]


class Fixer:
    """Corrects certain mistakes in the lists of a game.

    Misspelt names with a single candidate are corrected, and two lines of the same card in the same zone are
    merged; in files of other tools only names are corrected. CSV, YAML and JSON stay unchanged.
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
        """The corrected list. The names in `leave` stay; lines of the same card are merged only with `merge`.

        `notation` is that of the list, if known. Raises UserError as reading does.
        """
        draft = _Draft(self._table, text.removeprefix("\ufeff"), path, notation)
        fold = self._table.catalog.fold
        unchanged = set(map(fold, leave))
        if draft.deck.notation in _NAMED:
            unknown = [entry for entry in draft.deck.entries if not entry.cards]
            for entry in unknown[:MOST_FIXES]:
                if fold(entry.written) not in unchanged:
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
        # An earlier correction on the same line may have moved the name.
        place = wrong.line, wrong.written
        matching = [entry for entry in draft.deck.entries if (entry.line, entry.written) == place]
        correction = self._spelling(wrong.written) if len(matching) == 1 else None
        if correction is None:
            return
        entry, line, (card, name) = matching[0], draft.lines[wrong.line - 1], correction
        start = entry.column - 1
        end = start + len(entry.written)
        if line[start:end] != entry.written:
            # The name is escaped, or the file has no names.
            return
        written = escape(name) if draft.deck.notation in MARKUP else name
        fix, better = Fix(entry.line, entry.written, name), line[:start] + written + line[end:]
        home = card.home if entry.zone == self._table.game.default_zone else None
        for zone in dict.fromkeys((entry.zone, home or entry.zone)):
            if draft.attempt(fix, better, {entry: entry._replace(cards=(card,), zone=zone)}):
                return

    def _merge(self, draft: _Draft, first: int, later: int) -> None:
        kept, removed = self._alone(draft, first), self._alone(draft, later)
        if kept is None or removed is None or removed[1].comments != [""]:
            return
        line, digits = draft.lines[first - 1], kept[1].digits[0]
        if digits is None or removed[1].digits == [None] or not line[slice(*digits)].isdecimal():
            return
        if later > 1 and _COMMENT.match(draft.lines[later - 2]):
            # The comment above would then apply to another card.
            return
        copies = kept[0].copies + removed[0].copies
        number = str(copies) if line[slice(*digits)].isascii() else str(copies).translate(_FULL_WIDTH)
        summed = line[: digits[0]] + number + line[digits[1] :]
        changes = {kept[0]: kept[0]._replace(copies=copies, most=copies), removed[0]: None}
        draft.attempt(Fix(first, line.strip(), summed.strip(), later), summed, changes)

    def _alone(self, draft: _Draft, number: int) -> tuple[Entry, Remainder] | None:
        """The only entry of a line, with its remainder; None if there are several or the line has a directive."""
        entries = [entry for entry in draft.deck.entries if entry.line == number]
        item = self._classify(draft.lines[number - 1])
        has_directive = any(directive.line == number for directive in draft.deck.directives)
        if has_directive or len(entries) != 1 or item.kind != "entry" or item.column != entries[0].column:
            return None
        return entries[0], remainder(self._line_reader, draft.lines[number - 1], [item])


_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_COMMENT = re.compile(r"\s*(?:#|//)\s*\S")
_REMOVED = "#"
"""Replaces a removed line until all are corrected; an empty line may have a meaning."""


class _Draft:
    """A list with the corrections so far; line numbers don't change."""

    def __init__(self, table: GameData, text: str, path: str, notation: str | None) -> None:
        self._read = table.read
        self._before = text
        self._fixes: list[Fix] = []
        self.lines = text.split("\n")
        self.deck = table.read(text, path, notation)

    def attempt(self, fix: Fix, line: str, changes: Mapping[Entry, Entry | None]) -> bool:
        """Make a correction, unless reading the list again gives other changes than `changes`."""
        lines = [*self.lines]
        lines[fix.line - 1] = line
        if fix.merged is not None:
            lines[fix.merged - 1] = _REMOVED
        entries = (changes.get(entry, entry) for entry in self.deck.entries)
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
        """The corrected list; unchanged if it would differ without the removed lines."""
        removed = {fix.merged for fix in self._fixes}
        text = "\n".join(line for number, line in enumerate(self.lines, 1) if number not in removed)
        deck = self._read(text, self.deck.path, self.deck.notation)
        if difference(self.deck, deck, self.deck.header) is not None:
            return Fixed(self._before, {}, ())
        lines = enumerate(zip(self._before.split("\n"), self.lines, strict=True), 1)
        changed = {number: None if number in removed else new for number, (old, new) in lines if old != new}
        return Fixed(text, changed, tuple(sorted(self._fixes)))


NEAR = 1
"""The edit distance of a correctable misspelling; swapping two neighbours is one edit."""

APART = 2
"""No other card may have a name within this edit distance."""

SHORTEST = 5
"""The length of the shortest folded name that is corrected; shorter ones are too similar."""

# Single letters and Roman numerals distinguish cards, as digits do.
_NUMERALS = r"(?<![a-z])(?:[a-z]|[ivxlcdm]+)(?![a-z])"


def make_speller(catalog: Catalog) -> Callable[[str], tuple[Card, str] | None]:
    """A function from an unknown name to the only card that it can mean, and that card's spelling; None if unclear.

    Aliases, halves and faces are names too. Numbers are never corrected, since they distinguish cards.
    """

    @cache
    def spellings() -> list[str]:
        return [name for card in catalog for name in card.names]

    @cache
    def keys() -> list[str]:
        return [catalog.fold(name) for name in spellings()]

    def spelt(name: str) -> tuple[Card, str] | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        key = catalog.fold(name)
        if len(key) < SHORTEST:
            return None
        matches = process.extract(key, keys(), scorer=OSA.distance, score_cutoff=APART, limit=None)
        # A half's name may be another card's own name, which is then meant.
        meant = {card for _key, _distance, at in matches for card in catalog.find(spellings()[at])}
        if len(meant) != 1:
            return None
        nearest, distance, at = min(matches, key=lambda match: (match[1], match[2]))
        if distance != NEAR or len(nearest) < SHORTEST or _numerals(nearest) != _numerals(key):
            return None
        return meant.pop(), spellings()[at]

    return spelt


def _numerals(key: str) -> tuple[list[str], list[str]]:
    return [char for char in key if char.isnumeric()], re.findall(_NUMERALS, key)
