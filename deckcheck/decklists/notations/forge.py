"""Forge's .dck: [metadata], [Main], [Sideboard] and other sections of `4 Name|SET|1`."""

from __future__ import annotations

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import (
    SIDE,
    Listing,
    Names,
    Numbered,
    counted,
    line_safe,
    main_of,
    placed,
    section,
    source_of,
)
from deckcheck.decklists.seen import BLANK, COMMENT, LONGEST_LINE, NOT_READ, TOO_LONG, Seen, invalid
from deckcheck.decklists.shapes import compiled
from deckcheck.support.messages import _

NAME = _("Forge's .dck")
MAIN = ("Main", "Deck")
OTHERS: tuple[Names, ...] = (
    ("Commander",),
    SIDE,
    ("Avatar",),
    ("Planes",),
    ("Schemes",),
    ("Conspiracy",),
    ("Dungeon",),
    ("Attractions",),
    ("Contraptions",),
)
_METADATA = ("metadata", "general")
_FOIL = "+"
_SECTION = r"\[([^\[\]|:]+)\]"
_COUNT = r"[ \t]*+(?:(?P<n>[0-9]++)[ \t]++)?"
_OWN = r"(?im)^[ \t]*+\[metadata\][ \t]*+$"
_MAIN = r"(?im)^[ \t]*+\[main\][ \t]*+$"
_PIPED = r"(?m)^[ \t]*+[0-9]{1,3} [^\s|][^|\n]*+\|[A-Z0-9_]{2,8}+(?:\|[^|\s]++)*+[ \t]*+$"


def detects(text: str, *, expected: bool) -> bool:  # noqa: ARG001 - see Notation
    """Whether it says what it is, or has a [Main] with cards of sets behind bars."""
    if "[" not in text:
        return False
    return compiled(_OWN).search(text) is not None or (
        compiled(_MAIN).search(text) is not None and compiled(_PIPED).search(text) is not None
    )


def seen_in(lines: Lines, text: str, path: str) -> list[Numbered]:
    """See Notation."""
    words = lines.words
    zone: str | None = main_of(words, MAIN)
    fields = False
    found: list[Numbered] = []
    for number, line in enumerate(source_of(text, path), 1):
        bare = line.strip()
        begun = _begun(line)
        if not bare:
            seen = BLANK
        elif bare.startswith(("#", "//")):
            seen = lines.classify(line)
            seen = seen if seen.kind == "header" else COMMENT
        elif begun is not None:
            fields = begun.casefold() in _METADATA
            seen = BLANK if fields else _section(lines, begun, line.index(begun) + 1)
            zone = zone if fields else seen.zone if seen.known else None
        elif fields:
            seen = _field(line)
        else:
            seen = _card(lines, line, zone)
        found.append((number, seen))
    return found


def _begun(line: str) -> str | None:
    """What the section is called that begins on a line, None where none does."""
    found = compiled(_SECTION).fullmatch(line.strip()) if len(line) <= LONGEST_LINE else None
    return found[1].strip() or None if found is not None else None


def _section(lines: Lines, name: str, column: int) -> Seen:
    folded = name.casefold()
    called = next((one for one in (MAIN, *OTHERS) if folded in map(str.casefold, one)), ())
    return section(lines.words, name, column, called, main=called == MAIN)


def _field(line: str) -> Seen:
    key, sign, value = line.partition("=")
    if not sign:
        # No field; behind a section whose brackets are broken it may well be a card.
        return invalid(line.strip(), NOT_READ, len(line) - len(line.lstrip()) + 1)
    title = value.strip()
    if len(line) > LONGEST_LINE or key.strip().casefold() != "name" or not title:
        return COMMENT
    return Seen("header", title, column=len(key + sign) + value.index(title) + 1, key="deck")


def _card(lines: Lines, line: str, zone: str | None) -> Seen:
    if len(line) > LONGEST_LINE:
        return invalid(line, TOO_LONG, LONGEST_LINE + 1)
    said = line.partition("|")[0].rstrip()
    found = compiled(_COUNT).match(said)
    start = found.end() if found is not None else 0
    digits = found["n"] if found is not None else None
    name = said[start:]
    if not name:
        return invalid(line, NOT_READ, len(line) - len(line.lstrip()) + 1)
    if name[-1] == _FOIL and len(name) > 1 and not lines.reader.name(name):
        name = name[:-1].rstrip()
    if found is not None and digits and not lines.reader.name(name):
        whole = said[found.start("n") : start + len(name)]
        if lines.reader.name(whole):
            # A card whose name begins with a number, and no count.
            return counted(lines, whole, "1", found.start("n") + 1, zone)
    return counted(lines, name, digits or "1", start + 1, zone, raw=line)


def written(listing: Listing) -> str:
    """See Notation."""
    parts = ["[metadata]\n"]
    if listing.title:
        parts.append(f"Name={line_safe(NAME, listing.title)}\n")
    for word, rows in placed(listing, NAME, MAIN, OTHERS):
        if rows or word == MAIN[0]:
            parts.append(f"[{word}]\n")
        parts += [f"{row.copies} {line_safe(NAME, row.name, '|')}\n" for row in rows]
    return "".join(parts)
