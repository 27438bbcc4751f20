"""`deckcheck check --fix`: the corrections of a list that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from typing import NamedTuple

from deckcheck.checking.judge import GameData
from deckcheck.decklists.linewise import make_looker
from deckcheck.decklists.read import AS_TEXT, MARKUP
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Entry, Reader
from deckcheck.rewriting.comments import Beside, make_find_beside
from deckcheck.rewriting.comparison import in_order
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
    """Puts right the certain mistakes in lists of a game.

    Misspelt names with one candidate are corrected, and two lines of the same
    card in the same zone become one. In files of other tools only names are
    corrected, and the file stays in their notation; CSV, YAML and JSON stay as they are.
    """

    def __init__(self, table: GameData) -> None:
        looker = make_looker(table.game, table.catalog)
        self._table, self._classify = table, looker.classify
        self._find_beside = make_find_beside(looker.words, table.game.words.counters)
        self._spelling = make_speller(table.catalog)

    def fix(self, text: str, path: str, leave: Collection[str] = (), notation: str | None = None) -> Fixed:
        """A list put right, with the names in `leave` as they are; `notation` is that of the list, where it is told.

        Raises UserError where the reader does.
        """
        draft = _Draft(self._table.read, text.removeprefix("\ufeff"), path, notation)
        if draft.deck.notation in _NAMED:
            fold = self._table.catalog.fold
            left = set(map(fold, leave))
            for entry in [one for one in draft.deck.entries if not one.cards][:MOST_FIXES]:
                if fold(entry.written) not in left:
                    self._correct_name(draft, entry)
        tried: set[tuple[int, int]] = set()
        while draft.deck.notation in AS_TEXT and len(tried) < MOST_FIXES:
            pair = _twice(draft, tried)
            if pair is None:
                break
            self._merge(draft, *pair)
        return draft.result()

    def _correct_name(self, draft: _Draft, wrong: Entry) -> None:
        entries = draft.deck.entries
        # An earlier correction on the same line may have moved it.
        mine = [
            at for at, one in enumerate(entries) if (one.line, one.written) == (wrong.line, wrong.written)
        ]
        correction = self._spelling(wrong.written) if len(mine) == 1 else None
        if correction is None:
            return
        entry, (number, line) = entries[mine[0]], draft.lines[wrong.line - 1]
        start = entry.column - 1
        end = start + len(entry.written)
        if line[start:end] != entry.written:
            # It is escaped there, or in a file that says nothing of names.
            return
        card, name = correction
        now = escape(name) if draft.deck.notation in MARKUP else name
        zones = {
            entry.zone,
            card.home if card.home and entry.zone == self._table.game.default_zone else entry.zone,
        }
        draft.attempt(
            Fix(number, entry.written, name),
            {entry.line: line[:start] + now + line[end:]},
            [{entry: entry._replace(cards=(card,), zone=zone)} for zone in zones],
        )

    def _merge(self, draft: _Draft, first: Entry, later: Entry) -> None:
        number, line = draft.lines[first.line - 1]
        kept, gone = self._alone(draft, first), self._alone(draft, later)
        if kept is None or gone is None or gone.comment or kept.digits is None or gone.digits is None:
            return
        start, end = kept.digits
        if not line[start:end].isdecimal():
            return
        if later.line > 1 and draft.lines[later.line - 2][1].lstrip().startswith(("#", "//")):
            # A comment above would then speak of another card.
            return
        copies = first.copies + later.copies
        digits = str(copies) if line[start:end].isascii() else str(copies).translate(_FULL_WIDTH)
        summed = line[:start] + digits + line[end:]
        draft.attempt(
            Fix(number, line.strip(), summed.strip(), draft.lines[later.line - 1][0]),
            {first.line: summed, later.line: None},
            [{first: first._replace(copies=copies, most=copies), later: None}],
        )

    def _alone(self, draft: _Draft, entry: Entry) -> Beside | None:
        """What stands beside an entry that has its line for itself, None where it hasn't or where the line speaks to us."""
        line = draft.lines[entry.line - 1][1]
        seen = self._classify(line)
        if seen.kind != "entry" or seen.column != entry.column:
            return None
        if any(one.line == entry.line for one in draft.deck.directives):
            return None
        return self._find_beside(line, [seen])[0]


_FULL_WIDTH = {48 + digit: 0xFF10 + digit for digit in range(10)}


class _Draft:
    """A list with the corrections made so far; `lines` come with their numbers in the list as it was."""

    def __init__(self, read: Reader, text: str, path: str, notation: str | None) -> None:
        self._read, self._fixes = read, list[Fix]()
        self._before = dict(enumerate(text.split("\n"), 1))
        self.lines = list(self._before.items())
        self.deck = read(text, path, notation)

    def attempt(
        self,
        fix: Fix,
        changed: Mapping[int, str | None],
        meant: Sequence[Mapping[Entry, Entry | None]],
    ) -> None:
        """Make a correction, unless the list, read again, isn't as one of those that are meant.

        `changed` holds the new lines and `meant` the new entries, None for what is gone; all else must stay.
        """
        lines = [(number, changed.get(at, line)) for at, (number, line) in enumerate(self.lines, 1)]
        kept = [(number, line) for number, line in lines if line is not None]
        try:
            deck = self._read(_joined(kept), self.deck.path, self.deck.notation)
        except UserError:
            return
        gone = next((at for at, line in changed.items() if line is None), None)
        for change in meant:
            entries = (change.get(entry, entry) for entry in self.deck.entries)
            wanted = self.deck._replace(entries=tuple(entry for entry in entries if entry is not None))
            if in_order(deck) == in_order(wanted, gone):
                self.deck, self.lines = deck, kept
                self._fixes.append(fix)
                return

    def result(self) -> Fixed:
        """The list with its corrections."""
        now = dict(self.lines)
        lines = {number: now.get(number) for number, line in self._before.items() if now.get(number) != line}
        return Fixed(_joined(self.lines), lines, tuple(sorted(self._fixes)))


def _joined(lines: Sequence[tuple[int, str]]) -> str:
    return "\n".join(line for _number, line in lines)


def _twice(draft: _Draft, tried: set[tuple[int, int]]) -> tuple[Entry, Entry] | None:
    """The first line of a card in a zone, and another one of it; `tried` are the pairs of lines that came before."""
    met: dict[tuple[Card, str], Entry] = {}
    for entry in draft.deck.entries:
        if entry.card is not None and entry.copies == entry.most:
            first = met.setdefault((entry.card, entry.zone), entry)
            pair = draft.lines[first.line - 1][0], draft.lines[entry.line - 1][0]
            if first.line < entry.line and pair not in tried:
                tried.add(pair)
                return first, entry
    return None


NEAR = 1
"""A misspelling is so many edits away from the name that was meant: a character more, less, other, or two swapped."""

APART = 2
"""Within so many edits no other card may have a name."""

SHORTEST = 5
"""Shorter names (folded) are too much alike."""


class Correction(NamedTuple):
    """A card and how it is spelt."""

    card: Card
    name: str


# A letter alone and Roman numerals tell cards apart as digits do.
_NUMERALS = r"(?<![a-z])(?:[a-z]|[ivxlcdm]+)(?![a-z])"


def make_speller(catalog: Catalog) -> Callable[[str], Correction | None]:
    """A function from a name that no card has to the certain correction, None where there is none.

    Every name under which a card is found counts: aliases, halves and faces,
    too. Numbers are never corrected, for they tell cards apart.
    """
    keys: list[str] = []
    owners: list[Correction] = []

    def spelt(name: str) -> Correction | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        key = catalog.fold(name)
        if len(key) < SHORTEST:
            return None
        if not keys:
            for card in catalog:
                spellings = [card.name, *card.aliases, *(part.name for part in (*card.faces, *card.parts))]
                keys.extend(map(catalog.fold, spellings))
                owners.extend(Correction(card, spelling) for spelling in spellings)
        hits = process.extract(key, keys, scorer=OSA.distance, score_cutoff=APART, limit=None)
        if not hits or len({owners[at].card for _, _, at in hits}) > 1:
            return None
        found, distance, at = min(hits, key=lambda hit: (hit[1], hit[2]))
        if distance != NEAR or len(found) < SHORTEST or _numerals(found) != _numerals(key):
            return None
        return owners[at] if catalog.find(owners[at].name) == (owners[at].card,) else None

    return spelt


def _numerals(key: str) -> tuple[list[str], list[str]]:
    return [char for char in key if char.isnumeric()], re.findall(_NUMERALS, key)
