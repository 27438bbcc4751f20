"""Whether two decks are the same: every list that is rewritten is read again and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from deckcheck.decklists.header import read_header
from deckcheck.decklists.read import AS_TEXT
from deckcheck.decklists.shapes import shape_of
from deckcheck.model.deck import Deck, Directive, Entry
from deckcheck.model.finding import EMPTY_LINE, MOVED
from deckcheck.support.messages import Words, _

_UNKNOWN = "?"
_AROUND = " \t#/!■□◆◇▼▽▶►▷▸=─━:-()[]<>{}《》「」『』"


def own_header(deck: Deck, text: str) -> dict[str, str] | None:
    """What a list says of itself, to us and to whoever looks for its format; None where these contradict.

    In a tree that stands in comments, too, which its reader never sees.
    """
    if deck.notation in AS_TEXT:
        return dict(deck.header)
    found = read_header(text)
    if any(deck.header.get(key, value) != value for key, value in found.items()):
        return None
    return {**deck.header, **found}


def contents(deck: Deck) -> Counter[tuple[str, str]]:
    """How many copies of each card stand in each zone."""
    found: Counter[tuple[str, str]] = Counter()
    for entry in deck.entries:
        found[entry.zone, _card(entry)] += entry.copies
    return +found


def _card(entry: Entry) -> str:
    return " ".join(card.name for card in entry.cards) or _UNKNOWN + entry.written


def changed_card(old: Counter[Any], new: Counter[Any]) -> str | None:
    """The name of a card of which one deck has more than the other, None if there is none.

    Both are counts of tuples with the name in the second place.
    """
    return next((key[1].removeprefix(_UNKNOWN) for key in (*(old - new), *(new - old))), None)


def difference(old: Deck, new: Deck, zones: Collection[str], header: Mapping[str, str]) -> Words | None:
    """In what two lists differ, wherever their lines stand; None where both say the same.

    `zones` are those of the game, for a heading that names none may be
    decorated otherwise; `header` is what the old list says of itself.
    """
    if header != new.header:
        return _("its header would change")
    entries, directives, remarks = _facts(old, zones)
    new_entries, new_directives, new_remarks = _facts(new, zones)
    if entries != new_entries:
        return _("{name!r} would be read otherwise", name=changed_card(entries, new_entries) or "")
    if directives != new_directives:
        return _("an instruction to deckcheck would stand elsewhere")
    if remarks[EMPTY_LINE, ""] and not new_remarks[EMPTY_LINE, ""]:
        return _("where the cards below an empty line stand can't be told; put a heading there")
    return None if remarks == new_remarks else _("a sum or a zone would be read otherwise")


def _facts(deck: Deck, zones: Collection[str]) -> tuple[Counter[Any], Counter[Any], Counter[tuple[str, str]]]:
    """The entries with the directives on their lines, the other directives, and the remarks on sums and zones."""
    directives: dict[int, list[object]] = {}
    for one in deck.directives:
        directives.setdefault(one.line, []).append(_words(one))
    remarks: dict[int, list[str]] = {}
    for diagnostic in deck.diagnostics:
        remarks.setdefault(diagnostic.line, []).append(diagnostic.id)
    entries: Counter[object] = Counter()
    for entry in deck.entries:
        zone = entry.zone if entry.zone in zones else shape_of(entry.zone).strip(_AROUND)
        asked = tuple(directives.get(entry.line, ()))
        entries[zone, _card(entry), entry.copies, entry.most, asked] += 1
    lines = {entry.line for entry in deck.entries}
    elsewhere = Counter(
        (_words(one), *sorted(remarks.get(one.line, ()))) for one in deck.directives if one.line not in lines
    )
    counted = Counter(
        (one.id, "".join(filter(str.isdecimal, shape_of(one.written))) if one.id == "total-mismatch" else "")
        for one in deck.diagnostics
    )
    if counted["unknown-zone", ""]:
        # It may be named once or on each card's line.
        counted["unknown-zone", ""] = 1
    return entries, elsewhere, +counted


def _words(one: Directive) -> tuple[object, ...]:
    return one.whole, one.rules, one.reason, one.wrong is None


def in_order(deck: Deck, gone: int | None = None) -> tuple[object, ...]:
    """All that a list says, line by line, as if there were no line `gone`."""

    def place(line: int) -> int:
        return line - (gone is not None and line > gone)

    return (
        deck.header,
        [(place(one.line), one.zone, _card(one), one.copies, one.most) for one in deck.entries],
        [(place(one.line), one.id, one.written) for one in deck.diagnostics if one.id != MOVED],
        [(place(one.line), _words(one)) for one in deck.directives],
    )
