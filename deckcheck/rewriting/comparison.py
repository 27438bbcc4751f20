"""Compares decks, since every rewritten list is read again and checked for differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from deckcheck.decklists.header import read_header
from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.read import AS_TEXT
from deckcheck.model.deck import Deck
from deckcheck.model.finding import FindingId
from deckcheck.support.messages import Words, _

_UNKNOWN = "?"
BELOW_EMPTY_LINE = _("the zone of the cards below an empty line is unclear; put a heading there")
_DECORATION = " \t#/!■□◆◇▼▽▶►▷▸=─━:-()[]<>{}《》「」『』"


def own_header(deck: Deck, text: str) -> dict[str, str] | None:
    """The header of a list, including that in the comments of YAML; None if the two contradict each other."""
    if deck.notation in AS_TEXT:
        return dict(deck.header)
    header = read_header(text)
    if any(deck.header.get(key, value) != value for key, value in header.items()):
        return None
    return {**deck.header, **header}


def difference(old: Deck, new: Deck, header: Mapping[str, str]) -> Words | None:
    """The difference between a rewritten list and the old one with `header`; None if they mean the same.

    The order of lines may differ, and so may the decoration of headings that name no zone.
    """
    if header != new.header:
        return _("its header would change")
    name = changed_card(old, new)
    if name is not None:
        return _("{name!r} would be read otherwise", name=name)
    _cards, directives, diagnostics = _facts(old)
    _cards, new_directives, new_diagnostics = _facts(new)
    if directives != new_directives:
        return _("an instruction to deckcheck would move")
    if diagnostics[FindingId.EMPTY_LINE, ""] and not new_diagnostics[FindingId.EMPTY_LINE, ""]:
        return BELOW_EMPTY_LINE
    return None if diagnostics == new_diagnostics else _("a sum or a zone would be read otherwise")


def changed_card(old: Deck, new: Deck) -> str | None:
    """The name of a card with different copies in a zone of the two decks; None if there is none."""
    before, after = _facts(old)[0], _facts(new)[0]
    return next((key[1].removeprefix(_UNKNOWN) for key in (*(before - after), *(after - before))), None)


def _facts(deck: Deck) -> tuple[Counter[Any], Counter[Any], Counter[tuple[str, str]]]:
    """The copies of each card by zone, the directives with what is on their lines, and the diagnostics.

    Leaves out diagnostics that follow from the zones, and those on comments, which keep what fits nowhere else.
    """
    cards: Counter[Any] = Counter()
    diagnostics: Counter[tuple[str, str]] = Counter()
    on_line: dict[int, list[tuple[object, ...]]] = {}
    for entry in deck.entries:
        name = " ".join(card.name for card in entry.cards) or _UNKNOWN + entry.written
        card = shape_of(entry.zone).strip(_DECORATION), name
        cards[card] += entry.copies
        on_line.setdefault(entry.line, []).append((*card, entry.copies))
    with_cards = frozenset(on_line)
    for diagnostic in deck.diagnostics:
        if diagnostic.line not in with_cards and diagnostic.id not in (
            FindingId.CARD_IN_COMMENT,
            FindingId.REMARKS,
        ):
            on_line.setdefault(diagnostic.line, []).append((diagnostic.id,))
        if diagnostic.id not in (
            FindingId.CARD_IN_COMMENT,
            FindingId.MOVED_TO_HOME_ZONE,
            FindingId.REMARKS,
            FindingId.ZONE_OF_ONE_LINE,
        ):
            total = shape_of(diagnostic.written) if diagnostic.id == FindingId.TOTAL_MISMATCH else ""
            diagnostics[diagnostic.id, "".join(filter(str.isdecimal, total))] += 1
    if diagnostics[FindingId.UNKNOWN_ZONE, ""]:
        # It may be reported once or on each card's line.
        diagnostics[FindingId.UNKNOWN_ZONE, ""] = 1
    directives = Counter(
        (item.whole, item.rules, item.reason, item.wrong is None, *sorted(on_line.get(item.line, ())))
        for item in deck.directives
    )
    return cards, directives, diagnostics
