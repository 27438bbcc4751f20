"""Magic Arena's text: `4 Name (SET) 123` under Deck, Sideboard, Commander and Companion."""

from __future__ import annotations

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import (
    SIDE,
    Listing,
    Names,
    Numbered,
    Row,
    line_safe,
    source_of,
    zone_of,
)
from deckcheck.decklists.notations.typed import blocks, is_coded, numbered, parted, seen_lines
from deckcheck.decklists.seen import BLANK, COMMENT, LONGEST_LINE, TOO_LONG, Seen, invalid
from deckcheck.decklists.shapes import compiled
from deckcheck.support.messages import _

NAME = _("Magic Arena's text")
MAIN = ("Deck", "Main")
COMPANION = ("Companion",)
OTHERS: tuple[Names, ...] = (("Commander",), COMPANION, SIDE)
_ABOUT, _NAME = "About", "Name "
_HEADS = "(?:Commander|Companion|Deck|Sideboard)"
_BEGIN = rf"\s*+{_ABOUT}\nName \S[^\n]*+\n\s*+{_HEADS}[ \t]*+\n"
_HEAD = rf"(?m)^{_HEADS}[ \t]*+$"
_COMPANION = r"(?m)^Companion[ \t]*+$"
_CARD = r"[ \t]*+[0-9]{1,3} (?!x )\S[^\n]*+\n"
_NOTHING = r"(?:[ \t]*+(?:(?:#|//)[^\n]*+)?+\n)"
# What sites give out "for Arena": its headings, and nothing but counts and names below.
_BARE = rf"{_NOTHING}*+(?:{_HEADS}[ \t]*+\n(?:{_CARD})++{_NOTHING}*+){{2,5}}+"


def detects(text: str, *, expected: bool) -> bool:
    """Whether it begins with a name as Arena writes it, or cards with set and number stand under its headings.

    Where such lists are expected, a companion under its heading and bare names are enough.
    """
    if compiled(_BEGIN).match(text) is not None or (expected and _is_bare(text)):
        return True
    return (expected or compiled(_HEAD).search(text) is not None) and is_coded(text)


def _is_bare(text: str) -> bool:
    if compiled(_COMPANION).search(text) is None:
        return False
    return compiled(_BARE).fullmatch(text + "\n") is not None


def seen_in(lines: Lines, text: str, path: str) -> list[Numbered]:
    """See Notation. A companion that is listed in the sideboard, too, is one card."""
    source = source_of(text, path)

    def own(at: int, line: str) -> Seen | None:
        if line.strip() == _ABOUT:
            return BLANK
        bare = line.lstrip()
        if not bare.startswith(_NAME) or not at or source[at - 1].strip() != _ABOUT:
            return None
        title = bare[len(_NAME) :].strip()
        if not title:
            return None
        if len(line) > LONGEST_LINE:
            return invalid(line, TOO_LONG, LONGEST_LINE + 1)
        return Seen("header", title, column=line.index(title, line.index(_NAME) + len(_NAME)) + 1, key="deck")

    return numbered(_once(lines, parted(lines, seen_lines(lines, source, own))))


def _once(lines: Lines, seen: list[Seen]) -> list[Seen]:
    """The lines without the copies in the sideboard that the companion's section names as well."""
    companion, side = zone_of(lines.words, COMPANION), zone_of(lines.words, SIDE)
    if companion is None or side is None:
        return seen
    zone = lines.words.default
    stand: list[str] = []
    named: dict[object, int] = {}
    for line in seen:
        zone = (line.zone or zone) if line.kind == "heading" else zone
        stand.append(line.zone or zone if line.kind == "entry" else "")
        if stand[-1] == companion and line.cards:
            named[line.cards] = named.get(line.cards, 0) + line.copies
    for at, line in enumerate(seen):
        if stand[at] == side and named.get(line.cards):
            less = min(named[line.cards], line.copies)
            named[line.cards] -= less
            left = line.copies - less
            seen[at] = line._replace(copies=left, most=left) if left else COMMENT
    return seen


def written(listing: Listing) -> str:
    """See Notation. Sets and numbers aren't known and aren't needed."""
    companion, side = zone_of(listing.words, COMPANION), zone_of(listing.words, SIDE)
    zones = dict(listing.zones)
    if companion is not None and side is not None:
        twice = {row.name: row.copies for row in zones.get(companion, ())}
        rows = zones.get(side, ())
        # Copies beside those of the companion are told from them by their number alone.
        zones[side] = [Row(row.name, row.copies + twice.get(row.name, 0), row.card) for row in rows]
    found = dict(blocks(listing._replace(zones=zones), NAME, MAIN, OTHERS))
    parts = [f"{_ABOUT}\nName {line_safe(NAME, listing.title)}"] if listing.title else []
    order = ("Commander", *COMPANION, MAIN[0], SIDE[0])
    parts += ["\n".join([word, *found[word]]) for word in order if word in found]
    return "\n\n".join(parts) + "\n"
