"""Whether a list that was written anew says what it said before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from deckcheck.decklists.header import read_header
from deckcheck.decklists.read import AS_TEXT
from deckcheck.decklists.shapes import shape_of
from deckcheck.model.deck import Deck, Diagnostic, Directive
from deckcheck.model.finding import EMPTY_LINE
from deckcheck.support.messages import Words, _

_AROUND = " \t#/!■□◆◇▼▽▶►▷▸=─━:-()[]<>{}《》「」『』"

Asked = tuple[bool, tuple[str, ...], str, bool]
Card = tuple[str, str, int, int]


class _Said(NamedTuple):
    """What a list says, whatever its notation.

    `entries` are the cards with their zone and counts and what is asked for
    their lines; `asked` is what is asked elsewhere, with the ids of what the
    reader remarked there; `sums` are the wrong ones.
    """

    header: Mapping[str, str]
    entries: Counter[tuple[Card, tuple[Asked, ...]]]
    asked: Counter[tuple[Asked, tuple[str, ...]]]
    diagnostics: Mapping[str, int]
    sums: Counter[str]


def difference(old: Deck, new: Deck, zones: Iterable[str], header: Mapping[str, str]) -> Words | None:
    """In what two lists differ, None where both say the same.

    `zones` are those of the game, for a heading that names none may be
    decorated otherwise; `header` is what the old list says of itself.
    """
    known = frozenset(zones)
    was, now = _said(old, known, header), _said(new, known, new.header)
    if was.header != now.header:
        return _("its header would change")
    if was.entries != now.entries:
        lost = [card for (card, _zone), _copies in (was.entries - now.entries).items()]
        gained = [card for (card, _zone), _copies in (now.entries - was.entries).items()]
        name = next((card[1] for card in (*lost, *gained)), "").removeprefix(_UNKNOWN)
        return _("{name!r} would be read otherwise", name=name)
    if was.asked != now.asked:
        return _("an instruction to deckcheck would stand elsewhere")
    if was.diagnostics.get(EMPTY_LINE) and not now.diagnostics.get(EMPTY_LINE):
        return _("where the cards below an empty line stand can't be told; put a heading there")
    if was.diagnostics != now.diagnostics or was.sums != now.sums:
        return _("a sum or a zone would be read otherwise")
    return None


_UNKNOWN = "?"


def _said(deck: Deck, zones: frozenset[str], header: Mapping[str, str]) -> _Said:
    on_line: dict[int, list[Directive]] = {}
    for one in deck.directives:
        on_line.setdefault(one.line, []).append(one)
    diagnostics: dict[int, list[str]] = {}
    for diagnostic in deck.diagnostics:
        diagnostics.setdefault(diagnostic.line, []).append(diagnostic.id)
    entries: Counter[tuple[Card, tuple[Asked, ...]]] = Counter()
    for entry in deck.entries:
        name = " ".join(card.name for card in entry.cards) or _UNKNOWN + entry.written
        zone = entry.zone if entry.zone in zones else shape_of(entry.zone).strip(_AROUND)
        asked = tuple(map(_asked, on_line.get(entry.line, ())))
        entries[(zone, name, entry.copies, entry.most), asked] += 1
    taken = {entry.line for entry in deck.entries}
    elsewhere = Counter(
        (_asked(one), tuple(sorted(diagnostics.get(one.line, ()))))
        for one in deck.directives
        if one.line not in taken
    )
    return _Said(header, entries, elsewhere, _counted(deck.diagnostics), _sums(deck.diagnostics))


def _asked(one: Directive) -> Asked:
    return one.whole, one.rules, one.reason, one.wrong is None


def _counted(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    """How often each id is remarked; zones that nobody knows may be named once or on each card's line."""
    found = Counter(diagnostic.id for diagnostic in diagnostics)
    return {id_: 1 if id_ == "unknown-zone" else number for id_, number in found.items()}


def _sums(diagnostics: Iterable[Diagnostic]) -> Counter[str]:
    """The digits of the sums that are wrong."""
    return Counter(
        "".join(filter(str.isdigit, shape_of(diagnostic.written)))
        for diagnostic in diagnostics
        if diagnostic.id == "total-mismatch"
    )


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
