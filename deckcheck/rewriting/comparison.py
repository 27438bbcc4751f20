"""Whether two decks are the same: every list that is rewritten is read again and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from deckcheck.decklists.header import read_header
from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.read import AS_TEXT
from deckcheck.model.deck import Deck
from deckcheck.model.finding import COMMENTED, EMPTY_LINE, MOVED, ZONE_OF_ONE_LINE
from deckcheck.support.messages import Words, _

_UNKNOWN = "?"
_AROUND = " \t#/!■□◆◇▼▽▶►▷▸=─━:-()[]<>{}《》「」『』"


def own_header(deck: Deck, text: str) -> dict[str, str] | None:
    """What a list says of itself, also in a tree's comments, which its reader never sees; None for contradictions."""
    if deck.notation in AS_TEXT:
        return dict(deck.header)
    found = read_header(text)
    if any(deck.header.get(key, value) != value for key, value in found.items()):
        return None
    return {**deck.header, **found}


def difference(old: Deck, new: Deck, header: Mapping[str, str]) -> Words | None:
    """In what a new list differs from an old one with that header, None where both say the same.

    Lines may have another order; headings that name no zone may be decorated otherwise.
    """
    if header != new.header:
        return _("its header would change")
    name = changed_card(old, new)
    if name is not None:
        return _("{name!r} would be read otherwise", name=name)
    _cards, directives, remarks = _facts(old)
    _cards, new_directives, new_remarks = _facts(new)
    if directives != new_directives:
        return _("an instruction to deckcheck would stand elsewhere")
    if remarks[EMPTY_LINE, ""] and not new_remarks[EMPTY_LINE, ""]:
        return _("where the cards below an empty line stand can't be told; put a heading there")
    return None if remarks == new_remarks else _("a sum or a zone would be read otherwise")


def changed_card(old: Deck, new: Deck) -> str | None:
    """The name of a card of which a zone has more copies in one of the decks, None if there is none."""
    was, now = _facts(old)[0], _facts(new)[0]
    return next((key[1].removeprefix(_UNKNOWN) for key in (*(was - now), *(now - was))), None)


def _facts(deck: Deck) -> tuple[Counter[Any], Counter[Any], Counter[tuple[str, str]]]:
    """The copies of each card in each zone, the directives with what is on their lines, and the remarks.

    Which cards went home is no remark of its own: it shows in their zones. Comments hold what has no other place.
    """
    cards: Counter[Any] = Counter()
    remarks: Counter[tuple[str, str]] = Counter()
    on_line: dict[int, list[tuple[object, ...]]] = {}
    for entry in deck.entries:
        name = " ".join(card.name for card in entry.cards) or _UNKNOWN + entry.written
        card = shape_of(entry.zone).strip(_AROUND), name, entry.most - entry.copies
        cards[card] += entry.copies
        on_line.setdefault(entry.line, []).append((*card, entry.copies))
    with_cards = frozenset(on_line)
    for diagnostic in deck.diagnostics:
        if diagnostic.line not in with_cards and diagnostic.id != COMMENTED:
            on_line.setdefault(diagnostic.line, []).append((diagnostic.id,))
        if diagnostic.id not in (COMMENTED, MOVED, ZONE_OF_ONE_LINE):
            total = shape_of(diagnostic.written) if diagnostic.id == "total-mismatch" else ""
            remarks[diagnostic.id, "".join(filter(str.isdecimal, total))] += 1
    if remarks["unknown-zone", ""]:
        # It may be reported once or on each card's line.
        remarks["unknown-zone", ""] = 1
    directives = Counter(
        (one.whole, one.rules, one.reason, one.wrong is None, *sorted(on_line.get(one.line, ())))
        for one in deck.directives
    )
    return cards, directives, remarks
